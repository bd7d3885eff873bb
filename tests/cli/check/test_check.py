"""tfprof check and baseline: budgets, and verdicts about them."""

# labels: both

import json
import random
import xml.etree.ElementTree

import program
import pytest
from check_rules import junit_problems, sarif_problems
from compared_files import conv_graph, graph_file, runs_folder, step_file, write
from faults import SANITIZED
from program import DATA_DIR

OK, BROKEN, OPEN = 0, 5, 6


def run(*args, expects=OK):
    done = program.run(*args)
    assert done.returncode == expects, (done.returncode, done.stderr)
    return done.stdout.decode()


def budgets_file(path, *budgets):
    return write(path, json.dumps({"budgets": budgets}).encode())


def checked(inputs, budgets, *args, expects=OK):
    """The JSON of a check."""
    return json.loads(run("check", *inputs, "--budgets", budgets, *args,
                          "--format", "json", expects=expects))


def baseline(path, inputs, *args):
    run("baseline", *inputs, *args, "--output", f"file:outfile={path}")
    return path


def verdicts(answer):
    return [budget["verdict"] for budget in answer["budgets"]]


# ---- Exact metrics ----------------------------------------------------------

def test_new_budgets_hold(samples, tmp_path):
    inputs = [*sorted(samples.iterdir()),
              *sorted((DATA_DIR / "traces").glob("*.xplane.pb"))]
    assert len(inputs) > 15
    for path in inputs:
        made = run("check", path, "--init")
        has_times = '"+2%"' in made
        answer = checked([path], write(tmp_path / "budgets.json",
                                       made.encode()),
                         expects=OPEN if has_times else OK)
        assert answer["broken"] == 0 and answer["ok"] > 0
        for budget in answer["budgets"]:
            is_time = budget["unit"] == "microseconds"
            assert budget["verdict"] == ("no verdict" if is_time else "ok")
            assert is_time == (budget["reason"] ==
                               "a relative limit needs --baseline FILE")


def test_one_more_channel_breaks_exact_budgets(tmp_path):
    pytest.importorskip("tensorflow")
    old = conv_graph(tmp_path / "old.pb", 8)
    new = conv_graph(tmp_path / "new.pb", 9)
    budgets = budgets_file(
        tmp_path / "budgets.json", {"metric": "params", "max": "+0%"},
        {"metric": "float_ops", "max": "+0%"},
        *({"metric": metric, "scope": scope, "max": "+0%"}
          for metric in ("params", "float_ops") for scope in "abc"))
    before = baseline(tmp_path / "base.json", [old], "--budgets", budgets)
    assert checked([old], budgets, "--baseline", before)["verdict"] == "ok"
    answer = checked([new], budgets, "--baseline", before, expects=BROKEN)
    found = [(budget["pattern"], budget["metric"],
              budget["value"] - budget["base"])
             for budget in answer["budgets"] if budget["verdict"] == "broken"]
    # The kernel of "a" has 27 more weights, that of "b" 9 * 16 more; "c" is
    # not affected.
    assert found == [
        (None, "params", 171), (None, "float_ops", 2 * 64 * 171),
        ("a", "params", 27), ("b", "params", 144),
        ("a", "float_ops", 2 * 64 * 27), ("b", "float_ops", 2 * 64 * 144)]


def test_a_limit_belongs_to_what_it_allows(tmp_path):
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    for limit, expected in ((12, "ok"), (11, "broken")):
        budgets = budgets_file(tmp_path / "b.json",
                               {"metric": "params", "max": limit})
        assert verdicts(checked([model], budgets, expects=(
            OK if expected == "ok" else BROKEN))) == [expected]
    budgets = budgets_file(tmp_path / "b.json", {"metric": "params", "min": 13})
    assert verdicts(checked([model], budgets, expects=BROKEN)) == ["broken"]


@pytest.mark.parametrize("budget, reason", [
    ({"metric": "params", "scope": "missing"},
     "no scope or node matches the pattern"),
    ({"metric": "params", "op": "Missing"},
     "no operation type matches the pattern"),
    ({"metric": "params", "code": "x"}, "the inputs contain no source lines"),
    ({"metric": "params", "device": ".*"},
     "no node ran on a device that matches the pattern"),
    ({"metric": "micros"}, "the inputs contain no run records"),
])
def test_a_budget_without_rows_never_holds(tmp_path, budget, reason):
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    budgets = budgets_file(tmp_path / "b.json", {**budget, "max": 10**9})
    answer = checked([model], budgets, expects=OPEN)
    assert verdicts(answer) == ["no verdict"]
    assert answer["budgets"][0]["reason"] == reason
    checked([model], budgets, "--require_verdict", expects=OPEN)
    checked([model], budgets, "--allow_no_verdict")


def test_an_incomplete_count_never_holds(tmp_path):
    model = graph_file(tmp_path / "g.pb", ("x", "Placeholder"),
                       ("y", "NewOperation"))
    budgets = budgets_file(tmp_path / "b.json",
                           {"metric": "float_ops", "max": 10**9})
    answer = checked([model], budgets, expects=OPEN)
    assert verdicts(answer) == ["no verdict"]
    assert "incomplete" in answer["budgets"][0]["reason"]


def test_rows_are_counted_once(samples, tmp_path):
    inputs = [samples / "cifar"]
    total = checked(inputs, budgets_file(
        tmp_path / "b.json", {"metric": "bytes", "max": 1},
        {"metric": "bytes", "scope": ".*", "max": 1},
        {"metric": "bytes", "op": ".*", "max": 1},
        {"metric": "bytes", "device": ".*", "max": 1},
        {"metric": "nodes", "max": 1},
        {"metric": "nodes", "op": ".*", "max": 1},
        {"metric": "nodes", "scope": ".*", "max": 1}), expects=BROKEN)
    values = [budget["value"] for budget in total["budgets"]]
    assert len(set(values[:4])) == 1 and len(set(values[4:])) == 1


# ---- Times ------------------------------------------------------------------

STEP = {"metric": "micros", "max": "+5%", "and_at_least": "100us"}
FAST = [10000 + 10 * i for i in range(8)]


@pytest.mark.parametrize("head, expected", [
    ([time * 1.2 for time in FAST], "broken"),
    ([time * 1.001 for time in FAST], "ok"),
    ([time * 0.8 for time in FAST], "ok"),
    ([time * 1.2 for time in FAST[:4]], "no verdict"),
    ([8000, 14000] * 4, "no verdict"),
])
def test_times_are_judged_by_runs(tmp_path, head, expected):
    budgets = budgets_file(tmp_path / "b.json", STEP)
    base = FAST[:len(head)]
    before = baseline(tmp_path / "base.json",
                      [runs_folder(tmp_path / "base", base)])
    after = runs_folder(tmp_path / "head", [int(time) for time in head])
    answer = checked([after], budgets, "--baseline", before,
                     expects=BROKEN if expected == "broken" else
                     OPEN if len(head) == 4 else OK)
    assert verdicts(answer) == [expected]
    if len(head) == 4:
        assert answer["budgets"][0]["more_runs"] == 1


def test_another_machine_has_no_verdict(tmp_path):
    budgets = budgets_file(tmp_path / "b.json", STEP,
                           {"metric": "nodes", "max": "+0%"})
    runs = runs_folder(tmp_path / "runs", FAST)
    before = baseline(tmp_path / "base.json", [runs])
    values = json.loads(before.read_text())
    assert values["machine"]["cpu"] and values["machine"]["cores"] > 0
    values["machine"]["cpu"] = "another"
    before.write_text(json.dumps(values))
    answer = checked([runs], budgets, "--baseline", before, expects=OPEN)
    assert verdicts(answer) == ["no verdict", "ok"]
    assert answer["budgets"][0]["reason"] == (
        "the baseline is from another machine: different cpu")


def test_machines_are_compared_when_asked_for(tmp_path):
    budgets = budgets_file(tmp_path / "b.json", STEP)
    before = baseline(tmp_path / "base.json",
                      [runs_folder(tmp_path / "base", FAST)])
    values = json.loads(before.read_text())
    values["machine"]["versions"] = "tensorflow 1.0"
    values["machine"]["cpu"] = "another"
    before.write_text(json.dumps(values))
    slow = runs_folder(tmp_path / "head", [int(time * 1.2) for time in FAST])
    done = program.run("check", slow, "--budgets", budgets, "--baseline",
                       before, "--across_versions")
    assert done.returncode == BROKEN
    assert (b"note: the baseline is from another machine: different cpu; times "
            b"are compared because of --across_versions" in done.stderr)


def test_an_absolute_limit_needs_eight_runs(tmp_path):
    budgets = budgets_file(tmp_path / "b.json",
                           {"metric": "micros", "max": "5ms"})
    for count, expected in ((7, "no verdict"), (8, "broken")):
        runs = runs_folder(tmp_path / f"runs_{count}", FAST[:count])
        assert verdicts(checked([runs], budgets, expects=(
            BROKEN if count == 8 else OPEN))) == [expected]


def test_values_must_be_computed_in_the_same_way(tmp_path):
    budgets = budgets_file(tmp_path / "b.json", STEP)
    runs = runs_folder(tmp_path / "runs", FAST)
    before = baseline(tmp_path / "base.json", [runs], "--of", "min")
    done = program.run("check", runs, "--budgets", budgets, "--baseline",
                       before)
    assert done.returncode == 2
    assert (b"the baseline was written with --of min --skip_steps 0"
            in done.stderr)


# ---- Recorded runs ----------------------------------------------------------

RECORDED = DATA_DIR / "check"
MEASURED = (program.SOURCE_DIR / "docs" / "check.md").read_text("utf-8").split(
    "## Measured")[1]


def measured(figure):
    """Is the figure in the table of docs/check.md?"""
    return f"{figure} |\n" in MEASURED


def rows_of(recorded):
    """{scope or None: value by run} of a recorded baseline."""
    return {row.get("scope"): row["values"] for row in recorded["rows"]
            if row["metric"] == "micros"}


def replayed(folder, recorded):
    """A run for each value of the recorded runs, as RunMetadata."""
    rows = rows_of(recorded)
    for run_number in range(recorded["runs"]):
        times = {scope: round(values[run_number])
                 for scope, values in rows.items() if scope}
        rest = round(rows[None][run_number]) - sum(times.values())
        step_file(folder / f"run_{run_number:02}" / "step",
                  **{f"{scope}/op": time for scope, time in times.items()},
                  rest=max(rest, 0))
    return sorted(folder.iterdir())


def layer_budgets(path, recorded):
    return budgets_file(path, STEP, *(
        {**STEP, "scope": scope} for scope in rows_of(recorded) if scope))


# The other build counts; a sanitizer sees the same in each.
SPLITS = 10 if SANITIZED else 100


def test_equal_code_breaks_at_most_2_of_100_splits(tmp_path):
    recorded = json.loads((RECORDED / "same.json").read_text())
    runs = replayed(tmp_path / "runs", recorded)
    assert len(runs) == 20
    budgets = layer_budgets(tmp_path / "b.json", recorded)
    drawn = random.Random(21)
    broken = 0
    for _ in range(SPLITS):
        sides = drawn.sample(runs, 16)
        before = baseline(tmp_path / "base.json", sides[:8], "--budgets",
                          budgets)
        done = program.run("check", *sides[8:], "--budgets", budgets,
                           "--baseline", before)
        assert done.returncode in (OK, BROKEN)
        broken += done.returncode == BROKEN
    assert broken <= 2
    assert SANITIZED or measured(f"broken: {broken} of {SPLITS}")
    before = baseline(tmp_path / "base.json", runs[:8], "--budgets", budgets)
    answer = checked(runs[-8:], budgets, "--baseline", before)
    assert measured(f"broken: {answer['broken']} of {len(answer['budgets'])} "
                    f"budgets; no verdict: {answer['without_verdict']}")


def test_a_layer_slowed_by_10_percent_of_the_step_is_found(tmp_path):
    repeats = json.loads((RECORDED / "turns.json").read_text())
    assert len(repeats) == 10
    found = totals = 0
    for number, sides in enumerate(repeats):
        folder = tmp_path / str(number)
        budgets = layer_budgets(folder / "b.json", sides["base"])
        before = baseline(folder / "base.json",
                          replayed(folder / "base", sides["base"]),
                          "--budgets", budgets)
        text = program.run("check", *replayed(folder / "head", sides["head"]),
                           "--budgets", budgets, "--baseline", before)
        lines = text.stdout.decode().split("\n")
        first = lines[3]
        totals += any(line.split()[:2] == ["broken", "micros"]
                      for line in lines)
        found += (text.returncode == BROKEN
                  and first.startswith("broken") and "layer_5" in first)
    assert found >= 8
    assert measured(f"first in the list: {found} of 10")
    assert measured(f"broken: {totals} of 10; otherwise no verdict")


# ---- Formats ----------------------------------------------------------------

HOSTILE = "100%: a,b\r\n</testsuite>\x1b[2J\u202e]]>"


@pytest.fixture
def hostile(tmp_path):
    """Arguments of a check with each verdict and hostile names."""
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    budgets = budgets_file(
        tmp_path / "b.json",
        {"name": HOSTILE, "metric": "params", "max": 1},
        {"name": HOSTILE + "2", "metric": "params", "scope": "x", "max": 1},
        {"metric": "params", "max": 100})
    return ["check", model, "--budgets", budgets]


def test_junit_follows_its_schema(hostile):
    text = run(*hostile, "--format", "junit", expects=BROKEN)
    assert junit_problems(text) == []
    cases = list(xml.etree.ElementTree.fromstring(text).iter("testcase"))
    assert [[child.tag for child in case] for case in cases] == [
        ["failure"], ["skipped"], []]


def test_sarif_follows_its_schema(hostile):
    text = run(*hostile, "--format", "sarif", expects=BROKEN)
    assert sarif_problems(text) == []
    results = json.loads(text)["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == [
        "broken-budget", "no-verdict"]
    assert all(result["locations"][0]["physicalLocation"]["artifactLocation"]
               for result in results)


def test_sarif_has_the_line_of_a_code_budget(samples, tmp_path):
    budgets = budgets_file(tmp_path / "b.json", {
        "metric": "params", "code": ".*", "max": 1})
    text = run("check", samples / "cifar", "--budgets", budgets, "--format",
               "sarif", expects=BROKEN)
    assert sarif_problems(text) == []
    place = json.loads(text)["runs"][0]["results"][0]["locations"][0]
    assert place["physicalLocation"]["region"]["startLine"] > 1
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith(".py")


def test_annotations_are_escaped(hostile):
    text = run(*hostile, "--format", "github", expects=BROKEN)
    error, warning, last = text.split("\n")[:3]
    assert error.startswith("::error file=")
    assert warning.startswith("::warning ")
    title = error.split("title=")[1].split("::")[0]
    assert title.startswith("tfprof check%3A 100%25%3A a%2Cb%0D%0A</testsuite>")
    assert last == "1 broken, 1 without a verdict, 1 ok"
    assert "\x1b" not in text and "\u202e" not in text and "\r" not in text


def test_ten_annotations_of_41_are_written(tmp_path):
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    budgets = budgets_file(tmp_path / "b.json", *(
        {"name": f"budget {limit}", "metric": "params", "max": limit % 11 + 1}
        for limit in range(41)))
    lines = run("check", model, "--budgets", budgets, "--format", "github",
                expects=BROKEN).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10
    assert "and 32 more broken budgets" in errors[-1]
    assert all("maximum 1)" in line or "maximum 2)" in line or
               "maximum 3)" in line for line in errors[:9])


# ---- Wrong usage ------------------------------------------------------------

def refused(*args, code=2):
    done = program.run(*args)
    assert done.returncode == code and done.stdout == b""
    return done.stderr.decode()


def test_check_needs_budgets(tmp_path):
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    assert "check needs --budgets FILE" in refused("check", model)
    assert "check needs an input file" in refused("check", "--budgets", model)
    missing = tmp_path / "missing.json"
    assert f"{missing}: cannot open" in refused(
        "check", model, "--budgets", missing, code=1)
    assert "check supports --format" in refused(
        "check", model, "--budgets", missing, "--format", "csv")


def test_the_output_replaces_no_input(tmp_path):
    model = graph_file(tmp_path / "g.pb", ("w", "VariableV2", (3, 4)))
    budgets = budgets_file(tmp_path / "b.json", {"metric": "params", "max": 1})
    for target, words in ((model, "is one of the inputs"),
                          (budgets, "is the file of --budgets")):
        before = target.read_bytes()
        for command in ("check", "baseline"):
            assert words in refused(command, model, "--budgets", budgets,
                                    "--output", f"file:outfile={target}")
        assert target.read_bytes() == before
