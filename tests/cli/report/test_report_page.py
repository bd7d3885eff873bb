"""`tfprof report`: one page with what the other commands answer."""

# labels: both, slow

import decimal
import gzip
import json
import os
import pty
import random
import subprocess

import pytest

import samples
from faults import SANITIZED, run
from messages import CPU, node_def, record, run_of
from page_files import Page
from program import DATA_DIR, TFPROF

TRACES = sorted((DATA_DIR / "traces").glob("*.xplane.pb"))
WORDS = {"runs": "occurrence"}
LIMIT = 32 << 20


@pytest.fixture(scope="module", name="files")
def fixture_files(tmp_path_factory):
    return samples.make(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module", name="runs")
def fixture_runs(files):
    return [files / "graph.pb", files / "tfprof_log", "--run_meta_path",
            f"0={files / 'run_meta'},7={files / 'run_meta_7'},"
            f"8={files / 'run_meta_8'}"]


def report(target, *args):
    """The page of a report. Notes come second."""
    code, out, err = run("report", *args, "--output", f"html:outfile={target}")
    assert (code, out) == (0, b""), err.decode()
    assert target.stat().st_size <= LIMIT
    return Page(target), err.decode().splitlines()


def ask(*args):
    code, out, err = run(*args, "--format", "json")
    assert code == 0, err.decode()
    return json.loads(out, parse_float=decimal.Decimal)


def picos(value):
    return None if value is None else int(decimal.Decimal(value) * 1_000_000)


# ---- Trees -------------------------------------------------------------------

def check_step(tree, step, *args):
    """The costs of all rows at a step are those of the view at that step."""
    units = {m["id"]: m["unit"] for m in tree.head["metrics"]}
    words = [WORDS.get(m, m) for m in tree.metrics]
    said = ask(tree.id, *args, "--step", str(step), "--select",
               ",".join(words), "--order_by", tree.head["main"])
    names = {}
    for row in said["rows"]:
        names.setdefault(row["name"], []).append(row)
    checked = 0
    for row in tree.rows[1:]:
        # Lines of code may have one name; they come in the same order only
        # if their costs rank them so.
        others = names.get(row.path, [])
        if len(others) != 1:
            continue
        for metric in tree.metrics:
            key = metric, step if (metric, step) in row.self else -1
            scale = picos if units[metric] == "ps" else int
            assert row.self[key] == scale(others[0]["self"][metric])
            if tree.id != "op":
                assert row.total[key] == scale(others[0]["total"][metric])
            checked += 1
    for metric in tree.metrics:
        key = metric, step if (metric, step) in tree.rows[0].self else -1
        scale = picos if units[metric] == "ps" else int
        assert tree.rows[0].total[key] == scale(said["total"][metric])
    return checked


@pytest.mark.parametrize("view", ["scope", "op", "code"])
@pytest.mark.parametrize("step", [-1, 0, 7, 8])
def test_each_step_of_a_tree_is_that_of_its_view(runs, tmp_path, view, step):
    page, _ = report(tmp_path / "r.html", *runs)
    tree = page.trees[view]
    assert tree.metrics == ["bytes", "micros", "params", "float_ops"]
    assert [s["id"] for s in tree.head["steps"]] == [-1, 0, 7, 8]
    assert check_step(tree, step, *runs) > 100
    assert tree.is_sorted()


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_trees_of_traces(tmp_path, trace):
    page, _ = report(tmp_path / "r.html", trace)
    for tree in page.trees.values():
        for step in tree.head["steps"]:
            assert check_step(tree, step["id"], trace) > 0


def test_hidden_rows_count_at_each_step(tmp_path):
    """Rows below the thousandth level are not shown, but count."""
    names = [b"/".join([b"s"] * depth) for depth in (1, 999, 1200, 1300)]
    (tmp_path / "graph").write_bytes(
        b"".join(node_def(name, b"Op") for name in names))
    for step, time in ((0, 3), (1, 40)):
        (tmp_path / f"run_{step}").write_bytes(run_of((CPU, b"".join(
            record(name, end=time + i) for i, name in enumerate(names)))))
    args = [tmp_path / "graph", tmp_path / "run_0", tmp_path / "run_1"]
    page, notes = report(tmp_path / "r.html", *args)
    tree = page.trees["scope"]
    assert any("deeper than 1000 levels" in note for note in notes)
    assert [tree.rows[0].total["micros", step] for step in (-1, 0, 1)] == [
        21 + 22 + 23 + 24, 3 + 4 + 5 + 6, 40 + 41 + 42 + 43]
    for step in (0, 1):
        assert check_step(tree, step, *args) > 0


def test_steps_that_can_be_selected(tmp_path):
    """Of many steps the slowest, and others at equal distances."""
    slow = {5: 900, 6: 910, 40: 920}
    (tmp_path / "graph").write_bytes(node_def(b"n", b"Op"))
    for step in range(60):
        (tmp_path / f"run_{step}").write_bytes(run_of(
            (CPU, record(b"n", end=slow.get(step, 10 + step % 3)))))
    given = ",".join(f"{i}={tmp_path / f'run_{i}'}" for i in range(60))
    page, _ = report(tmp_path / "r.html", tmp_path / "graph",
                     "--run_meta_path", given)
    steps = [s["id"] for s in page.trees["scope"].head["steps"]]
    assert steps[0] == -1 and len(steps) == 21
    assert steps == sorted(set(steps)) and set(slow) <= set(steps)
    assert min(steps[1:]) == 0 and max(steps) == 59
    assert page.head["notes"] == [
        "20 of 60 steps can be selected: the slowest, and others at equal "
        "distances."]


# ---- Summary and tables ------------------------------------------------------

def test_the_summary_is_that_of_its_command(runs, tmp_path):
    page, _ = report(tmp_path / "r.html", *runs)
    chunk, = page.of_kind("summary")
    said = ask("summary", *runs)
    mine = json.loads(json.dumps(chunk.head["answer"]),
                      parse_float=decimal.Decimal)
    for answer in (said, mine):
        del answer["next"]  # commands, which name the inputs
    assert mine == said and mine["params"] > 0
    assert page.head["shows"] == "summary"


def test_a_report_without_lines_says_what_the_command_says(tmp_path, runs):
    """The tab of the code view has the advice of `tfprof code`."""
    for args in ([DATA_DIR / "traces" / "tf_keras_3steps_py0.xplane.pb"],
                 runs[:1] + runs[2:]):
        page, _ = report(tmp_path / "r.html", *args)
        code, _, err = run("code", "-q", *args)
        assert code == 2
        chunk, = page.of_kind("summary")
        assert err.decode() == f"tfprof: {chunk.head['no_code']}\n"
    page, _ = report(tmp_path / "r.html", *runs)
    chunk, = page.of_kind("summary")
    assert "no_code" not in chunk.head


def check_table(page, table, sheet, *args):
    """Rows in the same order, times in picoseconds."""
    about = {c["name"]: c for c in next(
        chunk.head["columns"] for chunk in page.of_kind("table")
        if chunk.head["id"] == table)}
    said = ask(*args)[sheet]
    rows = page.table(table)
    assert len(rows) == len(said) > 0
    for mine, other in zip(rows, said):
        for name, value in mine.items():
            wanted = other[name]
            if about[name]["type"] == "string":
                wanted = wanted or ""
            elif about[name].get("unit") == "ps":
                wanted = picos(wanted)
            elif "scale" in about[name] and wanted is not None:
                assert abs(value - wanted * 1000) <= 1
                continue
            assert value == wanted, name


def test_tables_are_those_of_their_commands(tmp_path):
    trace = DATA_DIR / "traces" / "gen_tf-gpu.xplane.pb"
    page, _ = report(tmp_path / "r.html", trace)
    for table, sheet, command in [("steps", "steps", "steps"),
                                  ("kernels", "kernels", "kernels"),
                                  ("devices", "devices", "devices"),
                                  ("memory_held", "memory", "memory"),
                                  ("memory_pools", "pools", "memory")]:
        check_table(page, table, sheet, command, trace)


def test_memory_over_time(runs, tmp_path):
    page, _ = report(tmp_path / "r.html", *runs)
    pools = ask("memory", *runs)["pools"]
    curves = page.of_kind("curve")
    assert len(curves) == len(pools) > 0
    for curve, pool in zip(curves, pools):
        times, levels = curve.column("time"), curve.column("bytes")
        peaks = curve.head["peaks"]
        assert 2 < len(times) <= 2000 and times == sorted(times)
        assert max(levels) == pool["peak_bytes"] == max(
            levels[peak["row"]] for peak in peaks)
        assert len(peaks) == len({peak["row"] for peak in peaks}) <= 50
        for peak in peaks:
            assert sum(held["bytes"] for held in peak["live"]) == (
                levels[peak["row"]])
    assert max(len(curve.head["peaks"]) for curve in curves) > 1


def test_curves_that_are_left_out_are_noted(tmp_path):
    (tmp_path / "graph").write_bytes(node_def(b"n", b"Op"))
    (tmp_path / "run").write_bytes(run_of(*(
        (CPU[:-1] + b"%d" % i, record(b"n", outputs=[64]))
        for i in range(33))))
    args = [tmp_path / "graph", tmp_path / "run"]
    assert len(ask("memory", *args)["pools"]) == 33
    page, _ = report(tmp_path / "r.html", *args)
    assert len(page.of_kind("curve")) == 32
    head, = page.of_kind("page")
    assert head.head["notes"] == [
        "Memory over time is shown for 32 of 33 allocators."]


# ---- Connections -------------------------------------------------------------

def test_connections_are_the_inputs_of_nodes(tmp_path):
    (tmp_path / "graph").write_bytes(
        node_def(b"a/x", b"Const") + node_def(b"a/y", b"Const")
        + node_def(b"b", b"Add", inputs=[b"a/x", b"a/y:0"])
        + node_def(b"c", b"NoOp", inputs=[b"^b", b"gone"]))
    page, _ = report(tmp_path / "r.html", tmp_path / "graph")
    paths = [row.path for row in page.trees["scope"].rows]
    graph, = page.of_kind("graph")
    pairs = zip(graph.column("from"), graph.column("to"))
    assert sorted((paths[a], paths[b]) for a, b in pairs) == [
        ("a/x", "b"), ("a/y", "b"), ("b", "c")]


# ---- Changes -----------------------------------------------------------------

def test_changes_since_a_base(tmp_path):
    def graph(*nodes):
        return b"".join(node_def(name.encode(), b"VariableV2", shape=[size])
                        for name, size in nodes)
    (tmp_path / "old").write_bytes(
        graph(("a/same", 4), ("a/more", 10), ("gone/w", 7), ("gone/v", 1)))
    (tmp_path / "new").write_bytes(
        graph(("a/same", 4), ("a/more", 25), ("fresh", 3)))
    page, _ = report(tmp_path / "r.html", tmp_path / "new", "--base",
                     tmp_path / "old")
    chunk, = page.of_kind("diff")
    assert (chunk.head["base"], chunk.head["new"]) == ("old", "new")
    rows = list(zip(chunk.column("depth"),
                    (page.strings[i] for i in chunk.column("name")),
                    (page.strings[i] for i in chunk.column("state")),
                    chunk.column("base", metric="params"),
                    chunk.column("new", metric="params")))
    assert rows == [
        (0, "all", "changed", 22, 32), (1, "a", "changed", 14, 29),
        (2, "more", "changed", 10, 25), (2, "same", "", 4, 4),
        (1, "gone", "removed", 8, 0), (2, "w", "removed", 7, 0),
        (2, "v", "removed", 1, 0), (1, "fresh", "added", 0, 3)]


def test_changes_of_times(files, tmp_path):
    page, _ = report(tmp_path / "r.html", files / "graph.pb",
                     files / "run_meta_8", "--base", files / "graph.pb",
                     "--base", files / "run_meta_7")
    chunk, = page.of_kind("diff")
    said = ask("diff", "--base", files / "graph.pb", "--base",
               files / "run_meta_7", files / "graph.pb", files / "run_meta_8")
    total = next(t for t in said["totals"] if t["metric"] == "micros")
    assert chunk.column("base", metric="micros")[0] == picos(total["base"])
    assert chunk.column("new", metric="micros")[0] == picos(total["head"])


def test_costs_of_records_need_records_on_both_sides(files, tmp_path):
    """Else all time would look as if it were gone, or new."""
    runs = ["--base", files / "graph.pb", "--base", files / "run_meta_7"]
    page, notes = report(tmp_path / "r.html", files / "graph.pb", *runs)
    chunk, = page.of_kind("diff")
    assert [metric["id"] for metric in chunk.head["metrics"]] == [
        "params", "float_ops"]
    assert ["times and memory are not compared: the head has no run records"
            in note for note in notes].count(True) == 1


# ---- Limits and files --------------------------------------------------------

@pytest.mark.skipif(SANITIZED, reason="takes minutes under the sanitizers")
def test_a_page_that_would_be_too_large_has_fewer_rows(tmp_path):
    chance = random.Random(7)
    letters = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
               "0123456789-_")
    count = 330_000
    with (tmp_path / "graph").open("wb") as out:
        for i in range(count):
            name = "".join(chance.choices(letters, k=110)).encode()
            out.write(node_def(name, b"VariableV2", shape=[i + 1]))
    page, notes = report(tmp_path / "r.html", tmp_path / "graph")
    tree = page.trees["scope"]
    assert count // 4 < len(tree.rows) < count
    assert tree.rows[0].total["params", -1] == count * (count + 1) // 2
    assert tree.rows[1].total["params", -1] == count
    least = tree.rows[-1].total["params", -1]
    assert least == count - len(tree.rows) + 2  # none that is dearer is gone
    assert any("so each view has at most" in note
               for note in page.head["notes"])
    assert any("with all rows it would exceed 32 MB" in note for note in notes)


def test_a_name_that_ends_in_gz_is_compressed(runs, tmp_path):
    report(tmp_path / "r.html", *runs)
    path = tmp_path / "r.html.gz"
    code, _, err = run("report", *runs, "--output", f"html:outfile={path}")
    assert code == 0, err.decode()
    assert gzip.decompress(path.read_bytes()) == (
        tmp_path / "r.html").read_bytes()


def test_same_input_gives_the_same_bytes(runs, tmp_path):
    first, _ = report(tmp_path / "one.html", *runs)
    second, _ = report(tmp_path / "two.html", *runs)
    assert first.bytes == second.bytes


def test_a_pipe_gets_the_page(files, tmp_path):
    page, _ = report(tmp_path / "r.html", files / "graph.pb")
    code, out, _ = run("report", files / "graph.pb")
    assert code == 0 and out == page.bytes


def test_a_terminal_does_not_get_the_page(files):
    ours, theirs = pty.openpty()
    done = subprocess.run([TFPROF, "report", files / "graph.pb"],
                          stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "tfprof: a report is an HTML page: name a file with --output "
        "html:outfile=FILE, or redirect standard output\n")


@pytest.mark.parametrize("output", ["file", "timeline", "pprof", "profile"])
def test_other_outputs_are_refused(files, tmp_path, output):
    code, out, err = run("report", files / "graph.pb", "--output",
                         f"{output}:outfile={tmp_path / 'out'}")
    assert (code, out) == (2, b"")
    assert b"report supports stdout, none and html:outfile=FILE" in err


def test_a_base_alone_is_not_enough(files):
    code, _, err = run("report", "--base", files / "graph.pb")
    assert code == 2 and b"report needs an input file" in err


def test_the_target_may_not_be_an_input(files):
    code, _, err = run("report", files / "graph.pb", "--output",
                       f"html:outfile={files / 'graph.pb'}")
    assert code == 2 and b"is one of the inputs" in err


def test_a_full_device_is_reported(files):
    code, _, err = run("report", files / "graph.pb", "--output",
                       "html:outfile=/dev/full")
    assert code == 3 and b"No space left on device" in err


def test_an_empty_model(tmp_path):
    (tmp_path / "graph").write_bytes(b"")
    page, _ = report(tmp_path / "r.html", "--graph_path", tmp_path / "graph")
    assert sorted(page.trees) == ["op", "scope"]
    assert [len(t.rows) for t in page.trees.values()] == [1, 1]
