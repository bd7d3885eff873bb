"""tfprof diff as people see it in a window of 80 columns: the wall time first,
then one row for each thing, in lines that do not break."""

import json
import re

import pytest

import program
from compared_files import gap_runs, graph_file, run_folder, step_file
from files import SHARED
from program import DATA_DIR
from screens import on_screen, widest
from wirebytes import field, fields, integer

LOGS = SHARED / "tried" / "logs"
JAX = LOGS / "jaxlog", LOGS / "jaxtoday"
KERAS = LOGS / "kslow", LOGS / "kfast"
needs_logs = pytest.mark.skipif(
    not LOGS.is_dir(), reason="needs the sample logs of TFPROF_SHARED")
VIEWS = ["code", "scope", "graph", "op"]
TOTAL = re.compile(r" *(step wall|busy|idle|input wait|operations) +"
                   r"([\d.]+\w+) -> ([\d.]+\w+) +([+-][\d.]+\w+|0ns)"
                   r"( +[+-]?[\d.]+ %)?  (.+)")


def told(*args):
    done = program.run("diff", *args, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def screen(base, head, *args, columns=80):
    text = on_screen("diff", *args, "--base", base, head, columns=columns,
                     NO_COLOR="1", PAGER="cat")
    assert widest(text) <= columns
    return text


def rows_of(text):
    """The rows of the first table of times, as lists of cells; the first row
    is the heading."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if "  share" in line)
    end = next(i for i, line in enumerate(lines[first:] + [""], first)
               if not line or line.startswith(("...", "unmatched:")))
    return [re.split(r" {2,}", line.strip()) for line in lines[first:end]]


def totals_of(text):
    """(label, base, head, percent, verdict) of each line above the list."""
    return [(found[1], found[2], found[3], (found[5] or "").strip(), found[6])
            for found in map(TOTAL.fullmatch, text.splitlines()) if found]


# ---- A slower step ----------------------------------------------------------

def event(data, move):
    """An XEvent with a time that `move` changed."""
    rest, values = b"", {2: 0, 3: 0}
    for number, kind, value in fields(data):
        if number in values:
            values[number] = value
        else:
            rest += (integer(number, value) if kind == 0
                     else field(number, value))
    begin, length = move(values[2], values[3])
    return rest + integer(2, begin) + integer(3, length)


def moved(number, kind, value, change):
    """A field, changed."""
    if kind == 0:
        return integer(number, value)
    return field(number, change(value) if change else value)


def stalled(data, picos):
    """A trace in which each step of jaxlog lasts longer: nothing is done in
    that time."""
    marks, starts = set(), set()
    planes = [value for number, _, value in fields(data) if number == 1]
    for plane in planes:
        names, lines = {}, []
        for number, _, value in fields(plane):
            if number == 4:
                entry = {n: v for n, _, v in fields(value)}
                names[entry[1]] = {n: v for n, _, v in fields(entry[2])}.get(
                    2, b"")
            elif number == 3:
                lines.append(value)
        for line in lines:
            parts = list(fields(line))
            zero = 1000 * sum(v for n, _, v in parts if n == 3)
            for n, _, value in parts:
                inside = {k: v for k, _, v in fields(value)} if n == 4 else {}
                if names.get(inside.get(1), b"").startswith(b"train"):
                    marks.add((id(plane), inside[1]))
                    starts.add(zero + inside.get(2, 0))
    starts = sorted(starts)

    def plane_of(plane):
        def line_of(line):
            parts = list(fields(line))
            zero = 1000 * sum(v for n, _, v in parts if n == 3)

            def event_of(one):
                inside = {k: v for k, _, v in fields(one)}
                is_mark = (id(plane), inside.get(1)) in marks

                def move(begin, length):
                    before = sum(zero + begin >= start for start in starts)
                    return ((begin + (before - 1) * picos, length + picos)
                            if is_mark else (begin + before * picos, length))
                return event(one, move)
            return b"".join(moved(n, kind, value, event_of if n == 4 else None)
                            for n, kind, value in parts)
        return b"".join(moved(n, kind, value, line_of if n == 3 else None)
                        for n, kind, value in fields(plane))
    found = iter(planes)
    return b"".join(field(1, plane_of(next(found))) if n == 1
                    else moved(n, kind, value, None)
                    for n, kind, value in fields(data))


@pytest.fixture(scope="module", name="stall")
def make_stall(tmp_path_factory):
    """Four runs each; steps of the head wait 700 ms longer."""
    folder = tmp_path_factory.mktemp("stall")
    trace, = JAX[0].rglob("*.xplane.pb")
    for side, picos in (("base", 0), ("head", 700 * 10**9)):
        data = stalled(trace.read_bytes(), picos)
        for run in range(4):
            path = folder / side / f"w{run}" / "plugins" / "profile" / "r"
            path.mkdir(parents=True)
            (path / "vm.xplane.pb").write_bytes(data)
    return folder / "base", folder / "head"


@needs_logs
def test_a_step_that_waits_longer_has_changed(stall):
    text = screen(*stall)
    wall, busy, idle, operations = totals_of(text)
    assert wall == ("step wall", "1.11sec", "1.81sec", "+63 %",
                    "changed (p 0.029)")
    assert idle[0] == "idle" and idle[3] in ("+372 %", "+373 %")
    assert busy[3] == "0 %" and busy[4].startswith("not judged")
    assert operations[1:3] == ("1.04sec", "1.04sec")
    assert operations[4].startswith("no change shown")
    assert "no differences\n" in text


@needs_logs
def test_an_input_pipeline_that_was_mended():
    wall, busy, _, wait, operations = totals_of(screen(*KERAS))
    assert wall[:4] == ("step wall", "86.62ms", "42.71ms", "-51 %")
    assert busy[0] == "busy" and operations[3] == "-20 %"
    assert wait[0] == "input wait" and wait[3] == "-100 %"
    assert screen(LOGS / "kslow" / "train", LOGS / "kfast" / "train").split(
        "\n\n")[1] == screen(*KERAS).split("\n\n")[1]


@needs_logs
def test_the_wall_time_comes_first_and_sums_of_graphs_last():
    text = screen(*JAX, "scope")
    places = [text.index(part) for part in (
        "base: 1 run", "step wall ", "busy ", "idle ", "operations ",
        "noise between runs", "share", "(total): ", "graph: ")]
    assert places == sorted(places)


def test_the_wall_time_is_judged_first_and_by_itself(tmp_path):
    base = gap_runs(tmp_path / "base", 10000, 2000, 500, count=5)
    head = gap_runs(tmp_path / "head", 10000, 9000, 500, count=5)
    totals = told("--base", base, head)["totals"]
    assert [total["metric"] for total in totals] == [
        "step_micros", "step_busy_micros", "step_idle_micros",
        "input_wait_micros", "micros"]
    assert {frozenset(total) for total in totals} == {frozenset(totals[0])}
    by_metric = {total["metric"]: total for total in totals}
    wall, idle = by_metric["step_micros"], by_metric["step_idle_micros"]
    assert wall["verdict"] == idle["verdict"] == "changed"
    assert wall["adjusted_p"] == wall["p"] == pytest.approx(2 / 252)
    assert idle["adjusted_p"] == pytest.approx(3 * 2 / 252)
    for metric in ("step_busy_micros", "input_wait_micros", "micros"):
        assert by_metric[metric]["verdict"] == "no change shown"


def test_parts_have_not_changed_if_the_wall_time_has_not(tmp_path):
    """What operations took longer the step waited less."""
    base = gap_runs(tmp_path / "base", 10000, 5000, count=5)
    head = gap_runs(tmp_path / "head", 12000, 3000, count=5)
    totals = {total["metric"]: total
              for total in told("--base", base, head)["totals"]}
    assert totals["step_micros"]["verdict"] == "no change shown"
    assert totals["step_busy_micros"]["p"] < 0.01
    assert totals["step_busy_micros"]["adjusted_p"] >= totals["step_micros"][
        "p"]
    assert totals["step_busy_micros"]["verdict"] == "no change shown"
    assert totals["micros"]["verdict"] == "changed"  # another question


def test_four_runs_are_enough_for_the_wall_time(tmp_path):
    base = gap_runs(tmp_path / "base", 10000, 2000, count=4)
    head = gap_runs(tmp_path / "head", 10000, 9000, count=4)
    verdicts = {total["metric"]: (total["verdict"], total["more_runs"])
                for total in told("--base", base, head)["totals"]}
    assert verdicts["step_micros"] == ("changed", 0)
    assert verdicts["step_idle_micros"] == ("not judged", 1)
    assert verdicts["micros"] == ("no change shown", 0)


def test_each_run_is_named_with_its_values(tmp_path):
    base = gap_runs(tmp_path / "base", 10000, 2000, count=2)
    head = gap_runs(tmp_path / "head", 10000, 9000, count=3)
    runs = told("--base", base, head)["runs"]
    assert [(run["side"], run["name"]) for run in runs] == [
        *(("base", str(base / f"run_0{n}")) for n in range(2)),
        *(("head", str(head / f"run_0{n}")) for n in range(3))]
    assert runs[3] == {
        "side": "head", "name": str(head / "run_01"), "steps": 3,
        "step_micros": 19011, "step_busy_micros": 10010,
        "step_idle_micros": 9001, "input_wait_micros": 0, "micros": 10010}


def test_runs_without_steps_are_named(tmp_path):
    base = run_folder(tmp_path / "base", [10, 20])
    profile = DATA_DIR / "profile"
    done = program.run("diff", "--base", base, "--base", profile, base)
    assert done.returncode == 0
    assert (f"1 of 2 runs of the base do not have step times: {profile}"
            in done.stderr.decode())
    done = program.run("diff", "--base", profile, base)
    assert ("step times are not compared: the base does not have them"
            in done.stderr.decode())
    assert b"step wall" not in done.stdout


# ---- The view ---------------------------------------------------------------

@needs_logs
def test_source_lines_are_compared_by_default_if_the_time_has_them():
    assert told("--base", *JAX)["view"] == "code"
    assert told("--base", *KERAS)["view"] == "scope"
    assert told("--base", JAX[0], KERAS[0])["view"] == "scope"
    assert told("--base", KERAS[0], JAX[0])["view"] == "scope"
    share = told("--base", *JAX)["line_share"]
    assert 0.9 < share["base"] < 1 and 0.9 < share["head"] < 1
    text = screen(*JAX)
    assert ("view: code (94 % and 94 % of the operation time has source "
            "lines)\n") in text
    assert ("view: scope (the base has no trace with source lines)\n"
            in screen(*KERAS))
    assert "the head has no trace" in screen(JAX[0], KERAS[0])


@needs_logs
@pytest.mark.parametrize("view", VIEWS)
def test_a_named_view_is_taken(view):
    assert told(view, "--base", *JAX)["view"] == view
    assert "view:" not in screen(*JAX, view)


@needs_logs
def test_the_view_does_not_depend_on_the_metrics():
    assert told("--base", *JAX, "--select", "float_ops")["view"] == "code"


def test_graphs_are_compared_by_scope(tmp_path):
    graph = graph_file(tmp_path / "a.pb", ("x", "NoOp"))
    assert told("--base", graph, graph)["view"] == "scope"


# ---- Rows -------------------------------------------------------------------

@needs_logs
def test_lines_by_time_difference():
    heading, *rows = rows_of(screen(*JAX))
    assert heading == ["line", "base", "head", "difference", "%", "share",
                       "FLOPs %"]
    assert rows[0] == ["B_jax_today.py:19:mlp", "334.32ms", "1.19sec",
                       "+858.94ms", "+257", "45.6%", "+0.61"]
    assert rows[1] == ["B_jax_today.py:24:loss_fn", "105.99ms", "419.29ms",
                       "+313.29ms", "+296", "16.6%", "+48"]
    assert len(rows) == 16
    text = screen(*JAX)
    assert "\nB_jax_today.py was B_jax.py in the base\n" in text
    assert text.count("B_jax.py") == 1
    assert "B_jax_today.py:19:mlp: runs 60 -> 72 (+20 %), nodes 10 -> 12" in (
        text)


def picos(time):
    number, unit = re.fullmatch(r"([+-]?[\d.]+)(sec|ms|us|ns)", time).groups()
    return abs(float(number)) * {"sec": 1e12, "ms": 1e9, "us": 1e6,
                                 "ns": 1e3}[unit]


@needs_logs
@pytest.mark.parametrize("pair", [JAX, KERAS], ids=["jax", "keras"])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("columns", [80, 120])
def test_each_thing_has_one_row_that_can_be_told_apart(pair, view, columns):
    if view == "code" and pair == KERAS:
        return
    _, *rows = rows_of(screen(*pair, view, columns=columns))
    names = [row[0] for row in rows]
    assert len(set(names)) == len(names) >= 6
    times = [picos(row[3]) for row in rows]
    assert times == sorted(times, reverse=True)


@needs_logs
@pytest.mark.parametrize("view", VIEWS)
def test_no_percentage_is_beyond_reason(view):
    for args in ((), ("--top", "0")):
        text = screen(*JAX, view, *args)
        for number in re.findall(r"([\d.]+) ?%", text):
            assert float(number) < 1000
        assert "12700" not in text
        for row in rows_of(text)[1:]:
            share, = (cell for cell in row if cell.endswith("%"))
            assert 0 <= float(share[:-1]) <= 100


@needs_logs
@pytest.mark.parametrize("view", ["scope", "graph"])
def test_unmatched_operations_are_one_row(view):
    text = screen(*JAX, view, "--top", "0")
    row, = (row for row in rows_of(text) if row[0] == "(unmatched operations)")
    assert len(row) == 5  # no percentage
    assert not any(row[0].startswith(("+ ", "- ")) for row in rows_of(text))
    assert ("unmatched: 2 operations that only the base has, 12 that only the "
            "head has\n") in text
    only = [change for change in told(view, "--base", *JAX)["changes"]
            if change["change"] in ("added", "removed")
            and change["metric"] == "nodes"]
    assert sum(change["base"] for change in only) == 2
    assert sum(change["head"] for change in only) == 12


@needs_logs
def test_what_names_begin_with_is_said_once():
    text = screen(*KERAS)
    assert "\n…/ stands for StatefulPartitionedCall/\n" in text
    names = [row[0] for row in rows_of(text)]
    assert "…/adam/Sub_2" in names
    done = program.run("diff", "--base", *KERAS)  # there is no window
    assert b"StatefulPartitionedCall/adam/Sub_2 " in done.stdout
    assert b"stands for" not in done.stdout


def test_names_that_differ_in_the_middle_stay_different(tmp_path):
    names = [f"{'a' * 30}{n:02}{'b' * 30}" for n in range(12)]
    base = step_file(tmp_path / "base", **dict.fromkeys(names, 100))
    head = step_file(tmp_path / "head", **dict.fromkeys(names, 200))
    for columns in (64, 80, 100):
        _, *rows = rows_of(screen(base, head, columns=columns))
        assert len({row[0] for row in rows}) == 12
    _, *rows = rows_of(screen(base, head, columns=200))
    assert {row[0] for row in rows} == set(names)


def test_long_lines_of_exact_metrics_go_on_in_the_next_one(tmp_path):
    nodes = [(f"layer/{'x' * 60}/op_{n}", f"Type{'y' * 20}{n}") for n in
             range(40)]
    base = graph_file(tmp_path / "base.pb", ("layer", "NoOp"))
    head = graph_file(tmp_path / "head.pb", ("layer", "NoOp"), *nodes)
    assert f"+ layer/{'x' * 60}: nodes 40\n" in screen(base, head)


def test_sums_of_the_graph_are_told_once(tmp_path):
    base = graph_file(tmp_path / "base.pb", ("x", "NoOp"), ("y", "NoOp"))
    head = graph_file(tmp_path / "head.pb", ("x", "Mul"), ("z/y", "Mul"))
    text = screen(base, head)
    assert text.count("graph") == 1 and "graph: -2 NoOp +2 Mul\n" in text
    assert "x: op_type NoOp -> Mul\n" in text


def test_names_that_are_cut_keep_their_ends(tmp_path):
    names = [f"a_long_name_of_a_scope_{n}/and_another_one/op" for n in "ab"]
    base = step_file(tmp_path / "base", **dict.fromkeys(names, 100))
    head = step_file(tmp_path / "head", **dict.fromkeys(names, 200))
    _, *rows = rows_of(screen(base, head, columns=70))
    assert all(row[0].endswith("/op") for row in rows)


def test_an_added_and_a_removed_row_have_marks(tmp_path):
    base = step_file(tmp_path / "base", same=100, old=500, older=400)
    head = step_file(tmp_path / "head", same=150, new=900, newer=300)
    _, *rows = rows_of(screen(base, head))
    assert [row[0] for row in rows] == ["+ new", "- old", "- older", "+ newer",
                                     "same"]
    assert rows[0][1:] == ["0ns", "900.00us", "+900.00us", "41.9%"]


def test_tables_are_80_columns_wide_where_no_window_is(tmp_path):
    names = [f"scope/{'z' * 60}_{n}" for n in range(5)]
    base = step_file(tmp_path / "base", **dict.fromkeys(names, 100))
    head = step_file(tmp_path / "head", **dict.fromkeys(names, 200))
    done = program.run("diff", "--base", base, head, "--format", "table")
    assert max(map(len, done.stdout.decode().splitlines())) <= 80
    done = program.run("diff", "--base", base, head)
    assert names[4] in done.stdout.decode()


@needs_logs
def test_markdown_has_the_rows_of_a_window():
    done = program.run("diff", "--base", *JAX, "--format", "markdown")
    text = done.stdout.decode()
    assert "- step wall: 1.11sec to 3.00sec, +1.88sec +169 %, not judged" in (
        text)
    assert "| line | base | head | difference | % | share | FLOPs % |" in text
    assert "| B\\_jax\\_today.py\\:19\\:mlp | 334.32ms |" in text


# ---- Renumbered operations --------------------------------------------------

@needs_logs
@pytest.mark.parametrize("view", ["scope", "graph"])
@pytest.mark.parametrize("select", ["micros,float_ops", "micros"])
def test_renumbered_operations_align_by_their_work(view, select):
    """One operation has 30 fusions, which the compiler numbers anew. Pairs of
    the same number would differ by up to 12700 %."""
    rows = told(view, "--base", *JAX, "--select", select)["changes"]
    found = {(row["name"].split("/")[-1].split(".")[0], row["metric"])
             for row in rows if abs(row["percent"] or 0) > 1000}
    # The loop's own time: 44 microseconds of a second.
    assert found <= {("while", "micros")}
