"""`--output html:outfile=F`: the data of the page is what `--format json` says."""

import decimal
import json
import os
import re

import pytest

import samples
from faults import run
from messages import CPU, Folder, node_def, record, run_of
from page_files import Page
from program import DATA_DIR

VIEWS = ("scope", "graph", "op", "code")
TRACES = sorted((DATA_DIR / "traces").glob("*.xplane.pb"))
MICROS = ("micros", "accelerator_micros", "cpu_micros", "queue_micros")


@pytest.fixture(scope="module", name="files")
def fixture_files(tmp_path_factory):
    return samples.make(tmp_path_factory.mktemp("files"))


def write(target, *args):
    """The page of a view. Notes come second."""
    code, out, err = run(*args, "--output", f"html:outfile={target}")
    assert (code, out) == (0, b""), err.decode()
    return Page(target), err.decode().splitlines()


def answer(view, tree, *args):
    """The same view as JSON, in the order of the page."""
    select = ",".join(tree.metrics).replace("runs", "occurrence")
    code, out, err = run(view, *args, "--order_by", tree.head["main"],
                         "--select", select, "--format", "json")
    assert code == 0, err.decode()
    return json.loads(out, parse_float=decimal.Decimal)


def exact(metric, value, unit):
    """A number of JSON in the unit of the page."""
    if metric in MICROS and unit == "ps":
        return int(decimal.Decimal(value) * 1_000_000)
    return int(value)


def check_view(view, page, *args):
    """Each row of the page is that of JSON."""
    assert [t.id for t in page.trees.values()] == [view]
    tree = page.trees[view]
    units = {m["id"]: m["unit"] for m in tree.head["metrics"]}
    said = answer(view, tree, *args)
    rows = tree.rows[1:] if view == "op" else tree.rows
    assert len(rows) == len(said["rows"])
    for row, other in zip(rows, said["rows"]):
        if row.depth > 0:
            assert row.path == other["name"]
        assert row.depth == other["depth"]
        for metric in tree.metrics:
            key = metric, tree.key_step(metric)
            unit = units[metric]
            assert row.self[key] == exact(metric, other["self"][metric], unit)
            if view != "op":  # its totals are those of the rows behind
                assert row.total[key] == exact(metric, other["total"][metric],
                                               unit)
    for metric in tree.metrics:
        assert tree.rows[0].total[metric, tree.key_step(metric)] == exact(
            metric, said["total"][metric], units[metric])
    assert tree.is_sorted()
    assert bool(tree.head.get("flat")) == (view == "op")
    return tree, said


# ---- Views -------------------------------------------------------------------

OPTIONS = [
    (),
    ("--step", "7"),
    ("--select", "bytes,peak_bytes,occurrence"),
    ("--select", "params"),
    ("--max_depth", "3"),
    ("--order_by", "bytes", "--select", "micros,bytes"),
    ("--order_by", "name"),
    ("--hide_name_regexes", ".*conv.*,.*resnet.*"),
    ("--start_name_regexes", ".*unit_1.*,.*train.*,Conv.*"),
    ("--account_displayed_op_only", "--min_micros", "100"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("view", VIEWS)
def test_rows_are_those_of_json(files, tmp_path, view, options):
    args = [files / "graph.pb", files / "tfprof_log", "--run_meta_path",
            f"0={files / 'run_meta'},7={files / 'run_meta_7'}"]
    page, _ = write(tmp_path / "page.html", view, *args, *options)
    shown = [o for o in options if o not in ("--order_by", "name", "bytes")]
    if "--select" in shown:  # answer() selects what the page has
        del shown[shown.index("--select"):shown.index("--select") + 2]
    if "--account_displayed_op_only" in options:
        shown += ["--max_depth", "10"]  # the default of text is 10 levels
        page, _ = write(tmp_path / "page.html", view, *args, *options,
                        "--max_depth", "10")
    tree, _ = check_view(view, page, *args, *shown)
    assert len(tree.rows) > 3
    assert page.head["shows"] == view
    assert page.head["made_of"][:2] == ["graph.pb", "tfprof_log"]
    # All inputs are in one folder, so the page has its name.
    assert page.title == page.head["title"] == files.name


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
@pytest.mark.parametrize("view", ["scope", "op"])
def test_times_of_traces_are_exact(tmp_path, view, trace):
    page, _ = write(tmp_path / "page.html", view, trace)
    check_view(view, page, trace)
    assert page.trees[view].head["metrics"][0] == {
        "id": "micros", "title": "time", "unit": "ps"}


@pytest.mark.parametrize("view", ["scope", "op", "graph"])
def test_models_without_runs(files, tmp_path, view):
    page, _ = write(tmp_path / "page.html", view, files / "graph.pb")
    tree, _ = check_view(view, page, files / "graph.pb")
    assert tree.metrics == ["params"] == [tree.head["main"]]


def test_known_costs_are_added(files, tmp_path):
    """Those that are 0 are not, and float operations are not computed."""
    page, _ = write(tmp_path / "page.html", "scope", files / "graph.pb",
                    files / "run_meta")
    assert page.trees["scope"].metrics == ["bytes", "micros", "params"]
    page, _ = write(tmp_path / "page.html", "scope", files / "graph.pb",
                    files / "run_meta", files / "tfprof_log")
    assert page.trees["scope"].metrics == ["bytes", "micros", "params",
                                           "float_ops"]
    page, _ = write(tmp_path / "page.html", "scope", files / "graph.pb",
                    files / "run_meta", "--select", "float_ops,occurrence")
    assert page.trees["scope"].metrics == ["bytes", "micros", "params",
                                           "float_ops", "runs"]
    assert page.trees["scope"].rows[0].total["float_ops", -1] > 0
    assert page.trees["scope"].head["main"] == "float_ops"


def test_steps_and_their_titles(files, tmp_path):
    both = ["--run_meta_path", f"{files / 'run_meta'},{files / 'run_meta_7'}"]
    for args, steps in [
            ((), [{"id": -1, "title": "all steps (average)"}]),
            (("--step", "1"), [{"id": 1, "title": "step 1"}])]:
        page, _ = write(tmp_path / "page.html", "scope", files / "graph.pb",
                        *both, *args)
        assert page.trees["scope"].head["steps"] == steps
        columns = {(about["metric"], about["step"])
                   for about, _ in page.of_kind("tree")[0].columns
                   if about["name"] == "self"}
        assert columns == {("micros", steps[0]["id"]),
                           ("bytes", steps[0]["id"]), ("params", -1)}
    page, _ = write(tmp_path / "page.html", "scope", files / "graph.pb",
                    files / "run_meta")
    assert page.trees["scope"].head["steps"] == [{"id": -1, "title": "step 0"}]


def test_rows_of_code_have_their_source(files, tmp_path):
    args = [files / "graph.pb", files / "run_meta", files / "tfprof_log"]
    page, _ = write(tmp_path / "page.html", "code", *args)
    tree, said = check_view("code", page, *args)
    places = [(r.file, r.line, r.function, r.text) for r in tree.rows]
    assert places == [(row["file"] or "", row["line"] or 0,
                       row["function"] or "", row["source"] or "")
                      for row in said["rows"]]
    assert sum(1 for r in tree.rows if r.file and r.line > 0) > 5


def test_types_are_operations(files, tmp_path):
    page, _ = write(tmp_path / "page.html", "graph", files / "graph.pb",
                    files / "run_meta")
    rows = {r.name: r.type for r in page.trees["graph"].rows}
    assert rows["all"] == "" and rows["init/init_conv/Conv2D"] == "Conv2D"


# ---- Limits ------------------------------------------------------------------

@pytest.mark.parametrize("view", VIEWS)
def test_top_leaves_a_row_for_the_rest(files, tmp_path, view):
    args = [files / "graph.pb", files / "run_meta", files / "tfprof_log"]
    page, notes = write(tmp_path / "page.html", view, *args, "--top", "3")
    tree, _ = check_view(view, page, *args, "--top", "3")
    assert any(row.more > 0 for row in tree.rows)
    assert any("rows shown (--top 3)" in note for note in notes)


def test_a_result_without_rows(files, tmp_path):
    page, notes = write(tmp_path / "page.html", "scope", files / "graph.pb",
                        files / "run_meta", "--show_name_regexes", "nothing")
    tree = page.trees["scope"]
    assert [row.name for row in tree.rows] == ["all"]
    assert tree.rows[0].self["micros", -1] == 0
    assert tree.rows[0].total["micros", -1] > 80_000  # hidden rows count
    assert any("nothing is shown" in note for note in notes)


@pytest.mark.parametrize("view", ["scope", "op", "graph"])
def test_an_empty_model(tmp_path, view):
    (tmp_path / "graph").write_bytes(b"")
    page, _ = write(tmp_path / "page.html", view, "--graph_path",
                    tmp_path / "graph")
    assert [row.name for row in page.trees[view].rows] == ["all"]


# ---- Names -------------------------------------------------------------------

HOSTILE = [b"</script><img src=x onerror=alert(1)>", b"a\0b", b"-->", b"<!--",
           b"x\xe2\x80\xaey", b"\xff\xfe", b"new\nline", b"q\"'&amp;",
           "name_ü_λ_語".encode(), b"deep/</title>/n", b" ", b"tab\there"]


def test_hostile_names_stay_text(tmp_path):
    graph = b"".join(node_def(name, b"Op<" + name, shape=[2])
                     for name in HOSTILE)
    runs = run_of((CPU, b"".join(record(name, end=9) for name in HOSTILE)))
    folder = tmp_path / "<img src=x>&'\"\x1b\N{RIGHT-TO-LEFT OVERRIDE}"
    folder.mkdir()
    file, run_meta = folder / "graph.pb", folder / "run"
    file.write_bytes(graph)
    run_meta.write_bytes(runs)
    for view in ("scope", "op", "graph"):
        page, notes = write(tmp_path / "page.html", view, file, run_meta)
        check_view_names(page, view, file, run_meta)
        assert len(re.findall(b"<script", page.bytes)) == 2
        assert b"<img" not in page.bytes
        assert page.title == page.head["title"] == (
            "<img src=x>&'\"\\x1b\\xe2\\x80\\xae")
        assert any("shown as \\xHH" in note for note in notes)
        assert not any(re.search("[\0-\x1f\u202e]", text)
                       for text in page.strings)


def check_view_names(page, view, *args):
    code, out, _ = run(view, *args, "--format", "text", "--max_depth", "100")
    assert code == 0
    names = {row.path for row in page.trees[view].rows} - {"all"}
    for name in names:
        assert name.encode() in out


def test_equal_names_at_other_places(tmp_path):
    """A node whose name does not begin with that of its parent keeps it."""
    with_slash = [b"a", b"a/b", b"a/b/c", b"ab", b"a//d", b"/e", b"a/b/c/"]
    folder = Folder(tmp_path, graph=b"".join(
        node_def(name, b"VariableV2", shape=[len(name)])
        for name in with_slash))
    page, _ = write(tmp_path / "page.html", "scope", folder.path / "graph")
    check_view("scope", page, folder.path / "graph")


# ---- Files -------------------------------------------------------------------

@pytest.mark.parametrize("view", VIEWS)
def test_same_input_gives_the_same_bytes(files, tmp_path, view):
    args = [files / "graph.pb", files / "run_meta", files / "tfprof_log"]
    first, _ = write(tmp_path / "one.html", view, *args)
    second, _ = write(tmp_path / "two.html", view, *args)
    assert first.bytes == second.bytes


def test_the_target_may_not_be_an_input(files):
    before = (files / "run_meta").read_bytes()
    code, out, err = run("scope", files / "graph.pb", files / "run_meta",
                         "--output", f"html:outfile={files / 'run_meta'}")
    assert (code, out) == (2, b"") and b"is one of the inputs" in err
    assert (files / "run_meta").read_bytes() == before


def test_a_full_device_is_reported(files):
    code, out, err = run("scope", files / "graph.pb", "--output",
                         "html:outfile=/dev/full")
    assert (code, out) == (3, b"")
    assert err.decode().endswith(
        "/dev/full: cannot write: No space left on device\n")


def test_a_file_is_needed(files):
    code, _, err = run("scope", files / "graph.pb", "--output", "html")
    assert code == 2
    assert b"--output html needs a file (write html:outfile=FILE)" in err


@pytest.mark.parametrize("command", ["advise", "flops", "summary", "steps"])
def test_other_commands_have_no_page(files, command):
    code, _, err = run(command, files / "graph.pb", "--output",
                       f"html:outfile={os.devnull}")
    assert code == 2 and b"--output" in err


def test_negative_costs_are_kept(tmp_path):
    """Sums that are below 0 are stored with their sign."""
    runs = run_of((CPU, record(b"n", end=5, memory=[(-7, -7, -7)])
                   + record(b"s/m", end=3, memory=[(3, 3, 3)])))
    (tmp_path / "run").write_bytes(runs)
    (tmp_path / "graph").write_bytes(node_def(b"n", b"A")
                                     + node_def(b"s/m", b"B"))
    args = [tmp_path / "graph", tmp_path / "run", "--min_bytes", "-100"]
    page, _ = write(tmp_path / "page.html", "scope", *args, "--select",
                    "bytes")
    check_view("scope", page, *args)


