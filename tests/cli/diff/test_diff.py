"""tfprof diff: what changed between two sets of inputs."""

# labels: both

import csv
import io
import itertools
import json
import math
import os
import statistics
import subprocess

import program
import pytest
from compared_files import (
    conv_graph,
    graph_file,
    run_folder,
    runs_folder,
    step_file,
    write,
)
from faults import SANITIZED
from messages import CODE, CPU, entry, frame, record, run_of, strings
from program import DATA_DIR
from scipy import stats
from trace_files import FILES


def diff(*args, expects=0):
    done = program.run("diff", *args)
    assert done.returncode == expects, done.stderr
    return done.stdout.decode()


def compared(base, head, *args):
    """The JSON of a comparison of two lists of paths."""
    given = [word for path in base for word in ("--base", path)]
    return json.loads(diff(*args, *given, *head, "--format", "json"))


def total_of(answer, metric="micros"):
    total, = (t for t in answer["totals"] if t["metric"] == metric)
    return total


def names_of(answer):
    return [(change["change"], change["name"]) for change in answer["changes"]]


# ---- Nothing changed --------------------------------------------------------

def assert_same(path, view):
    answer = compared([path], [path], view)
    assert answer["changes"] == []
    assert answer["graph"] == []
    assert "no differences\n" in diff(view, "--base", path, path)


def test_samples_do_not_differ_from_themselves(samples):
    folders = sorted(samples.iterdir())
    assert len(folders) > 8
    for folder, view in itertools.product(folders, ("scope", "op")):
        assert_same(folder, view)


@pytest.mark.parametrize("view", ["scope", "graph", "op", "code"])
def test_a_sample_does_not_differ_in_any_view(samples, view):
    assert_same(samples / "cifar", view)


@pytest.mark.parametrize(
    "path", [*FILES, *sorted((DATA_DIR / "traces").glob("*.xplane.pb*"))],
    ids=lambda path: path.name)
def test_traces_do_not_differ_from_themselves(path):
    assert_same(path, "scope")


# ---- Exact metrics ----------------------------------------------------------

@pytest.mark.parametrize("logged", ["base", "head"])
def test_logged_and_counted_float_operations_are_not_compared(tmp_path, logged):
    """A log and the formulas count by different rules."""
    graph = conv_graph(tmp_path / "graph.pb", 8)
    log = write(tmp_path / "log", entry(b"a/conv", float_ops=7))
    sides = {"base": [graph], "head": [graph]}
    sides[logged] = [graph, log]
    assert compared(sides["base"], sides["head"])["changes"] == []
    base = [word for path in sides["base"] for word in ("--base", path)]
    done = program.run("diff", *base, *sides["head"])
    assert (f"float operations are not compared: only the {logged} has those "
            "of an op log") in done.stderr.decode()


def test_logged_float_operations_are_compared(tmp_path):
    """Logs have no multiply-accumulate operations."""
    graph = conv_graph(tmp_path / "graph.pb", 8)
    old = write(tmp_path / "old_log", entry(b"a/conv", float_ops=7))
    new = write(tmp_path / "new_log", entry(b"a/conv", float_ops=9))
    changes = compared([graph, old], [graph, new])["changes"]
    found = {(c["name"], c["metric"]): c["difference"] for c in changes}
    assert found["a/conv", "float_ops"] == 2
    assert "macs" not in {metric for _, metric in found}


def test_one_more_channel_changes_what_depends_on_it(tmp_path):
    old = conv_graph(tmp_path / "old.pb", 8)
    new = conv_graph(tmp_path / "new.pb", 9)
    changes = compared([old], [new])["changes"]
    assert {c["name"].split("/")[0] for c in changes} == {
        "_TFProfRoot", "a", "b"}
    by_metric = {(c["name"], c["metric"]): c["difference"] for c in changes}
    # The kernel of "a" has 27 more weights, that of "b" 9 * 16 more.
    assert by_metric["_TFProfRoot", "params"] == 27 + 144
    assert by_metric["a/kernel", "params"] == 27
    assert by_metric["b/kernel", "params"] == 144
    assert by_metric["a/conv", "float_ops"] == 2 * 64 * 27
    assert by_metric["b/conv", "float_ops"] == 2 * 64 * 144
    assert by_metric["_TFProfRoot", "float_ops"] == 2 * 64 * (27 + 144)
    assert by_metric["_TFProfRoot", "macs"] == 64 * (27 + 144)
    shapes = {c["name"]: (c["base_text"], c["head_text"])
              for c in changes if c["metric"] == "shape"}
    assert shapes["a/kernel"] == ("3x3x3x8", "3x3x3x9")


LAYER = [("{}/kernel", "VariableV2", (3, 4)), ("{}/read", "Identity"),
         ("{}/product/MatMul", "MatMul"), ("{}/product/Add", "AddV2")]


def layer(name):
    return [(node[0].format(name), *node[1:]) for node in LAYER]


def test_a_renamed_scope_has_moved(tmp_path):
    old = graph_file(tmp_path / "old.pb", *layer("model/first"), ("x", "NoOp"))
    new = graph_file(tmp_path / "new.pb", *layer("model/dense"), ("x", "NoOp"))
    answer = compared([old], [new])
    assert names_of(answer) == [("moved", "model/dense")]
    assert answer["changes"][0]["was"] == "model/first"
    assert answer["graph"] == []
    assert "model/dense: was model/first" in diff("--base", old, new)


def test_a_wrapped_scope_has_moved(tmp_path):
    old = graph_file(tmp_path / "old.pb", *layer("dense"))
    new = graph_file(tmp_path / "new.pb", *layer("outer/dense"))
    answer = compared([old], [new])
    assert names_of(answer) == [("moved", "outer/dense")]
    assert answer["changes"][0]["was"] == "dense"


def test_equal_layers_move_under_their_own_names(tmp_path):
    layers = [f"layer_{number}" for number in range(12)]
    old = graph_file(tmp_path / "old.pb",
                     *(node for name in layers for node in layer("m/" + name)))
    new = graph_file(tmp_path / "new.pb", *(
        node for name in layers for node in layer("m/encoder/" + name)))
    answer = compared([old], [new])
    assert {(c["change"], c["was"], c["name"]) for c in answer["changes"]} == {
        ("moved", f"m/{name}", f"m/encoder/{name}") for name in layers}


def test_a_new_kernel_changes_one_row(tmp_path):
    nodes = [*layer("a"), *layer("b")]
    old = graph_file(tmp_path / "old.pb", *nodes)
    nodes[2] = ("a/product/MatMul", "FusedMatMul")
    new = graph_file(tmp_path / "new.pb", *nodes)
    answer = compared([old], [new])
    assert names_of(answer) == [("changed", "a/product/MatMul")]
    change, = answer["changes"]
    assert (change["metric"], change["base_text"], change["head_text"]) == (
        "op_type", "MatMul", "FusedMatMul")
    assert {g["op_type"]: g["nodes"] for g in answer["graph"]} == {
        "FusedMatMul": 1, "MatMul": -1}


def test_numbers_at_the_end_of_names_do_not_matter(tmp_path):
    old = graph_file(tmp_path / "old.pb", ("s/conv_1", "Conv2D"),
                     ("s/conv_2", "Conv2D"), ("s/fusion.3", "Mul"))
    new = graph_file(tmp_path / "new.pb", ("s/conv_7", "Conv2D"),
                     ("s/conv_8", "Conv2D"), ("s/fusion.12", "Mul"))
    answer = compared([old], [new])
    assert answer["changes"] == []
    assert answer["renamed_rows"] == 3


def test_graph_changes_are_summed_per_scope(tmp_path):
    def nodes(kinds):
        return [(f"{scope}/{kind}_{number}", kind)
                for scope in ("s", "t") for kind in kinds
                for number in range(24 if scope == "s" else 2)]

    old = graph_file(tmp_path / "old.pb", ("s", "NoOp"), ("t", "NoOp"),
                     *nodes(["FusedSoftmax"]))
    new = graph_file(tmp_path / "new.pb", ("s", "NoOp"), ("t", "NoOp"),
                     *nodes(["Cast"]))
    answer = compared([old], [new])
    sums = {c["name"]: c["head_text"] for c in answer["changes"]
            if c["metric"] == "graph"}
    assert sums == {"s": "-24 FusedSoftmax +24 Cast",
                    "t": "-2 FusedSoftmax +2 Cast"}
    text = diff("--base", old, new)
    assert "graph: -26 FusedSoftmax +26 Cast\n" in text


def test_an_added_layer_is_listed_once(tmp_path):
    old = graph_file(tmp_path / "old.pb", *layer("a"))
    new = graph_file(tmp_path / "new.pb", *layer("a"), *layer("b"))
    changes = compared([old], [new])["changes"]
    added = {c["metric"]: c["head"] for c in changes if c["change"] == "added"}
    assert added == {"nodes": 4, "params": 12}
    assert {c["name"] for c in changes} == {"_TFProfRoot", "b"}
    back = compared([new], [old])["changes"]
    assert {(c["change"], c["name"]) for c in back} == {
        ("changed", "_TFProfRoot"), ("removed", "b")}


def test_op_view_counts_nodes(tmp_path):
    old = graph_file(tmp_path / "old.pb", ("a", "Mul"), ("b", "Mul"))
    new = graph_file(tmp_path / "new.pb", ("a", "Mul"), ("b", "Add"))
    changes = compared([old], [new], "op")["changes"]
    assert {(c["change"], c["name"], c["metric"], c["base"], c["head"])
            for c in changes} == {
        ("changed", "Mul", "nodes", 2, 1), ("added", "Add", "nodes", 0, 1)}


def test_source_lines_align_by_their_text(tmp_path):
    def log(path, line):
        return write(path, entry(b"a", frame(1, line)) + strings(CODE))

    graph = graph_file(tmp_path / "graph.pb", ("a", "VariableV2", (2, 3)))
    old = log(tmp_path / "old_log", 10)
    new = log(tmp_path / "new_log", 17)
    answer = compared([graph, old], [graph, new], "code")
    assert answer["changes"] == []
    assert answer["renamed_rows"] == 1


# ---- Runs and steps ---------------------------------------------------------

def test_the_value_of_a_run_is_the_median_of_its_steps(tmp_path):
    old = run_folder(tmp_path / "old", [900, 10, 20, 30, 40])
    new = run_folder(tmp_path / "new", [900, 110, 120, 130, 145])

    def values(*args):
        change, = [c for c in compared([old], [new], *args)["changes"]
                   if c["metric"] == "micros"]
        return change["base"], change["head"]

    assert values() == (30, 130)
    assert values("--skip_steps", "1") == (25, 125)
    assert values("--of", "min") == (10, 110)
    assert values("--skip_steps", "2", "--of", "min") == (20, 120)
    assert values("--step", "4") == (40, 145)
    done = program.run("diff", "--base", old, new, "--skip_steps", "5")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "tfprof: --skip_steps 5 leaves out all steps of a run (number of "
        "steps: 5)\n")


def test_a_row_that_did_not_run_in_a_step_counts_as_0(tmp_path):
    def build(name, rare):
        folder = tmp_path / name
        for number in range(5):
            times = {"op": 100}
            if number < rare:
                times["save"] = 1000
            step_file(folder / f"step_{number}", **times)
        return folder

    assert total_of(compared([build("a", 0)], [build("b", 2)], "--select",
                             "micros"))["shift"] == 0
    head = compared([build("c", 0)], [build("d", 3)], "--select", "micros")
    assert total_of(head)["shift"] == 1000


def test_folders_of_a_directory_are_runs(tmp_path):
    old = runs_folder(tmp_path / "old", [1000, 1010, 1020])
    new = runs_folder(tmp_path / "new", [2000, 2010, 2020, 2030])
    answer = compared([old], [new])
    assert answer["base"] == {"runs": 3, "least_steps": 3, "most_steps": 3}
    assert answer["head"]["runs"] == 4
    change, = answer["changes"]
    assert (change["base"], change["head"]) == (1010, 2015)


def test_files_with_run_records_are_runs(tmp_path):
    graph = graph_file(tmp_path / "graph.pb", ("op", "Mul"))
    steps = [step_file(tmp_path / f"run_{n}", op=100 + n) for n in range(4)]
    answer = compared([graph, *steps[:1]], [graph, *steps[1:]])
    assert answer["base"]["runs"] == 1
    assert answer["head"]["runs"] == 3
    assert answer["changes"][0]["head"] == 102


def test_each_profiler_run_is_a_run(tmp_path):
    trace = DATA_DIR / "traces" / "jax_mlp_3steps_py0.xplane.pb"
    for number in range(3):
        folder = tmp_path / "logs" / "plugins" / "profile" / f"run_{number}"
        folder.mkdir(parents=True)
        (folder / trace.name).write_bytes(trace.read_bytes())
    answer = compared([trace], [tmp_path / "logs"])
    assert answer["head"]["runs"] == 3
    assert answer["changes"] == []


def test_memory_that_varies_between_runs_is_not_compared(tmp_path):
    def run(path, peak):
        return write(path, run_of((CPU, record(
            b"op", end=5, memory=[(100, peak, 0)]))))

    old = [run(tmp_path / f"old_{n}", 50 + n) for n in range(2)]
    new = [run(tmp_path / f"new_{n}", 70 + n) for n in range(2)]
    answer = compared(old, new)
    assert answer["changes"] == []
    assert answer["rows_not_compared"] == 1
    assert compared(old[:1], new[:1])["changes"] != []


# ---- Judging ----------------------------------------------------------------

def test_totals_are_judged_as_scipy_does(tmp_path):
    choose = program.chooser("diff")
    for case in range(6):
        base = [choose.randrange(10_000, 12_000) for _ in range(4 + case % 3)]
        head = [choose.randrange(10_500, 13_500) for _ in range(5)]
        folder = tmp_path / str(case)
        total = total_of(compared([runs_folder(folder / "base", base)],
                                  [runs_folder(folder / "head", head)]))
        p = stats.mannwhitneyu(base, head, method="exact").pvalue
        if len(set(base + head)) == len(base + head):
            assert math.isclose(total["adjusted_p"], p, abs_tol=1e-9)
        shift = statistics.median(b - a for a in base for b in head)
        assert total["shift"] == shift
        assert total["verdict"] == (
            "changed" if total["adjusted_p"] <= 0.05
            and abs(shift) >= max(100, 0.05 * statistics.median(base))
            else "no change shown")


@pytest.mark.parametrize("base, step, verdict", [
    (10_000, 600, "changed"),
    (10_000, 400, "no change shown"),  # less than 5 %
    (1_000, 90, "no change shown"),    # less than 100 us
])
def test_a_change_must_be_large_enough(tmp_path, base, step, verdict):
    old = runs_folder(tmp_path / "old", range(base, base + 4))
    new = runs_folder(tmp_path / "new", range(base + step, base + step + 4))
    total = total_of(compared([old], [new]))
    assert total["adjusted_p"] == pytest.approx(2 / 70)
    assert total["verdict"] == verdict
    assert verdict in diff("--base", old, new)


def test_few_runs_are_not_judged(tmp_path):
    old = runs_folder(tmp_path / "old", [100, 101, 102])
    new = runs_folder(tmp_path / "new", [900, 901, 902])
    total = total_of(compared([old], [new]))
    assert (total["verdict"], total["more_runs"], total["p"]) == (
        "not judged", 1, None)
    assert "listed, not judged: 1 more run needed on each side" in diff(
        "--base", old, new)


@pytest.fixture(scope="module", name="long_runs")
def make_long_runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    return [run_folder(folder / name, [start + n % 7 for n in range(1000)])
            for name, start in (("old", 100), ("new", 5000))]


@pytest.mark.parametrize("options", [
    (), ("--of", "min"), ("--skip_steps", "10"), ("--step", "3"),
    ("--select", "micros,cpu_micros"), ("op",), ("graph",), ("--top", "0"),
    ("--format", "markdown"), ("--format", "table")], ids=" ".join)
def test_steps_of_one_run_are_never_judged(long_runs, options):
    text = diff(*options, "--base", *long_runs)
    # The wall time of a step is judged by itself.
    assert "listed, not judged: 3 more runs needed on each side" in text
    assert "smallest change they can show: none" in text
    assert "p " not in text.split("listed")[0].split("step wall")[1]


def test_a_line_shows_noise_and_resolution(tmp_path):
    old = runs_folder(tmp_path / "old", [9_900, 10_000, 10_000, 10_100])
    new = runs_folder(tmp_path / "new", [19_800, 20_000, 20_000, 20_200])
    line, = (line for line in diff("--base", old, new).splitlines()
             if line.startswith("noise"))
    assert line.startswith("noise between runs: 0.50 %; smallest change they "
                           "can show: ")


# ---- Formats ----------------------------------------------------------------

def test_csv_has_the_rows_of_json(tmp_path):
    old = graph_file(tmp_path / "old.pb", *layer("a"))
    new = graph_file(tmp_path / "new.pb", *layer("a"), *layer("b,\"c\""))
    rows = list(csv.DictReader(io.StringIO(
        diff("--base", old, new, "--format", "csv"))))
    told = compared([old], [new])["changes"]
    assert [{key: "" if value is None else str(value)
             for key, value in change.items() if key != "percent"}
            for change in told] == [
        # A sign at the start of a text is quoted, for spreadsheets.
        {key: value.removeprefix("'") for key, value in row.items()
         if key != "percent"} for row in rows]


def test_markdown_shows_names_as_they_are(tmp_path):
    markdown = pytest.importorskip("markdown")
    name = "a|b*c_d`e<i>"
    old = graph_file(tmp_path / "old.pb", ("x", "NoOp"))
    new = graph_file(tmp_path / "new.pb", ("x", "NoOp"), (name, "NoOp"))
    text = diff("--base", old, new, "--format", "markdown")
    assert "a\\|b\\*c\\_d\\`e\\<i\\>" in text
    assert "<i>" not in markdown.markdown(text, extensions=["tables"])


def test_text_lists_the_largest_times_first(tmp_path):
    old = step_file(tmp_path / "old", **{f"op{n:02}": 100 for n in range(40)})
    new = step_file(tmp_path / "new", **{
        f"op{n:02}": 100 + n for n in range(40)})
    lines = diff("--base", old, new).splitlines()
    first = next(i for i, line in enumerate(lines) if "  share" in line)
    assert "op39" in lines[first + 1]
    assert "op38" in lines[first + 2]
    assert "... and 19 more times (--top 0 shows all)" in lines
    assert "op01" in diff("--base", old, new, "--top", "0")


def test_output_goes_to_a_file(tmp_path):
    old = graph_file(tmp_path / "old.pb", *layer("a"))
    target = tmp_path / "diff.json"
    assert diff("--base", old, old, "--format", "json", "--output",
                f"file:outfile={target}") == ""
    assert json.loads(target.read_text())["changes"] == []


# ---- What is refused --------------------------------------------------------

@pytest.mark.parametrize("args, message", [
    (["old.pb"], "diff needs --base BASE (see tfprof help diff)"),
    (["--base", "old.pb"], "diff needs an input file to compare with the base"),
    (["scope", "--base", "old.pb"], "diff needs an input file"),
    (["--base", "old.pb", "--graph_path", "old.pb"],
     "diff does not support --graph_path (see tfprof help diff)"),
    (["--base", "old.pb", "old.pb", "--format", "proto"],
     "diff supports --format text, json, csv or markdown, not proto"),
    (["--base", "old.pb", "old.pb", "--output", "timeline:outfile=x"],
     "--output: diff supports stdout, none and file:outfile=FILE"),
])
def test_wrong_usage_is_reported(tmp_path, args, message):
    graph_file(tmp_path / "old.pb", ("x", "NoOp"))
    done = program.run("diff", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"tfprof: {message}")
    assert done.stdout == b""


def test_a_missing_file_is_named(tmp_path):
    here = graph_file(tmp_path / "here.pb", ("x", "NoOp"))
    done = program.run("diff", "--base", tmp_path / "gone.pb", here)
    assert done.returncode == 1
    assert b"gone.pb: not read: cannot open: No such file" in done.stderr


def test_records_on_one_side_only_are_not_compared(tmp_path):
    graph = graph_file(tmp_path / "graph.pb", ("op", "Mul"))
    step = step_file(tmp_path / "step", op=100)
    done = program.run("diff", "--base", graph, graph, step)
    assert done.returncode == 0
    assert b"no differences" in done.stdout
    assert (b"note: times and memory are not compared: the base has no run "
            b"records") in done.stderr


@pytest.mark.parametrize("command", ["scope", "steps", "info", "flops"])
def test_other_commands_do_not_write_markdown(tmp_path, command):
    path = graph_file(tmp_path / "graph.pb", ("x", "NoOp"))
    done = program.run(command, path, "--format", "markdown")
    assert done.returncode == 2
    assert b"not markdown" in done.stderr


# ---- Cost -------------------------------------------------------------------

def cost_of(*args):
    """CPU seconds and peak kilobytes of a command, at best of three."""
    found = []
    for _ in range(1 if SANITIZED else 3):
        process = subprocess.Popen([program.TFPROF, *map(os.fspath, args)],
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        found.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
    return min(time for time, _ in found), min(size for _, size in found)


@pytest.mark.skipif(SANITIZED, reason="sanitizers take memory")
def test_a_comparison_costs_little_more_than_two_views(tmp_path):
    paths = []
    for side in ("old", "new"):
        nodes = [(f"{side if n % 100 == 0 else 'm'}/block_{n // 50}/op_{n}",
                  "Mul", (3, n % 7)) for n in range(60_000)]
        paths.append(graph_file(tmp_path / f"{side}.pb", *nodes))
    select = "params,float_ops,occurrence"
    time, size = cost_of("scope", paths[0], "--select", select)
    both_time, both_size = cost_of("diff", "--base", *paths, "--select", select)
    assert both_time < 3.5 * time + 0.1
    assert both_size < 2.1 * size


@pytest.mark.parametrize("shape", ["wide", "deep", "alike"])
def test_time_grows_with_the_number_of_rows(tmp_path, shape):
    def graphs(size):
        names = {"wide": lambda side, n: f"{side}{n}",
                 "deep": lambda side, n: "/".join(["s"] * (n % 100)) + f"/{n}",
                 "alike": lambda side, n: f"{side}/a_{n}"}[shape]
        return [graph_file(tmp_path / f"{side}_{size}.pb", *(
            (names(side, n), "Mul") for n in range(size)))
            for side in ("old", "new")]

    rows = 2_000 if SANITIZED else 10_000
    small, _ = cost_of("diff", "--base", *graphs(rows))
    large, _ = cost_of("diff", "--base", *graphs(4 * rows))
    assert large < 8 * small + 0.2
