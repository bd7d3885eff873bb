"""tfprof check and baseline: the wall time of steps, runs without a value, and
the exit status if there is no verdict."""

import json

import program
import pytest
from compared_files import gap_runs, run_folder, runs_folder, step_file, write
from faults import SLOW
from program import DATA_DIR
from scaled_traces import Trace, write_runs
from test_check import (BROKEN, FAST, OK, OPEN, STEP, baseline, budgets_file,
                        checked, refused, verdicts)
from trace_build import Plane, space

WALL = {"metric": "step_micros", "max": "+10%"}
MICROS = 10**6  # in picoseconds


def check(*args, expects=OK):
    """The lines of a check, and its notes."""
    done = program.run("check", *args)
    assert done.returncode == expects, (done.returncode, done.stderr)
    return done.stdout.decode().splitlines(), done.stderr.decode()


# ---- The wall time ----------------------------------------------------------

def test_a_longer_gap_is_a_slower_step(tmp_path):
    base = gap_runs(tmp_path / "base", 10000, 2000)
    head = gap_runs(tmp_path / "head", 10000, 9000)
    lines, notes = check(head, "--baseline", base, expects=BROKEN)
    assert lines[0] == "8 runs; baseline: 8 runs"
    assert lines[3].split()[:2] == ["broken", "step_micros"]
    assert "+58." in lines[3]
    assert lines[5] == ("    idle grew most: idle 2.00ms -> 9.00ms, "
                        "operations 10.04ms -> 10.04ms, "
                        "input wait 0ns -> 0ns")
    assert "note: no --budgets: the wall time of a step may grow by 10 %" in (
        notes)
    old = budgets_file(tmp_path / "old.json", {**STEP, "max": "+10%"})
    assert verdicts(checked([head], old, "--baseline", base)) == ["ok"]


@pytest.mark.parametrize("base, head, most", [
    ((10000, 2000), (14000, 2000), "operations"),
    ((10000, 5000), (10000, 9000), "idle"),
    ((10000, 5000, 1000), (10000, 9000, 5000), "input wait"),
])
def test_what_grew_is_named(tmp_path, base, head, most):
    base = gap_runs(tmp_path / "base", *base)
    head = gap_runs(tmp_path / "head", *head)
    budgets = budgets_file(tmp_path / "b.json", WALL)
    told = checked([head], budgets, "--baseline", base,
                   expects=BROKEN)["budgets"]
    assert len(told) == 1
    assert told[0]["detail"].startswith(f"{most} grew most: {most} ")
    for form in ("text", "markdown", "github", "junit", "sarif"):
        done = program.run("check", head, "--budgets", budgets, "--baseline",
                           base, "--format", form)
        assert b"grew most" in done.stdout


def test_each_metric_of_steps_is_measured(tmp_path):
    runs = gap_runs(tmp_path / "runs", 10000, 5000, 1000)
    rows = json.loads(baseline(tmp_path / "b.json", [runs]).read_text())["rows"]
    values = {row["metric"]: row["values"][0] for row in rows}
    assert values["step_micros"] == 15001
    assert values["step_busy_micros"] == 11000
    assert values["step_idle_micros"] == 4001
    assert values["input_wait_micros"] == 1000
    least = json.loads(baseline(tmp_path / "c.json", [runs], "--of", "min",
                                ).read_text())["rows"]
    assert {row["metric"]: row["values"][0]
            for row in least}["step_micros"] == 15000
    last = json.loads(baseline(tmp_path / "d.json", [runs], "--skip_steps",
                               "2").read_text())["rows"]
    assert {row["metric"]: row["values"][0]
            for row in last}["step_micros"] == 15002


def test_skipping_all_steps_fails(tmp_path):
    runs = gap_runs(tmp_path / "runs", 10000, 5000)
    assert "--skip_steps 3 leaves out all steps of a run" in refused(
        "check", runs, "--base", runs, "--skip_steps", "3")


def test_new_budgets_limit_the_wall_time(tmp_path):
    runs = gap_runs(tmp_path / "runs", 10000, 2000)
    made = json.loads(program.run("check", "--init", runs).stdout)["budgets"]
    metrics = [budget["metric"] for budget in made]
    assert metrics[-1] == "step_micros" and "micros" not in metrics


def test_an_older_baseline_still_works(tmp_path):
    runs = gap_runs(tmp_path / "runs", 10000, 2000)
    before = baseline(tmp_path / "base.json", [runs])
    old = json.loads(before.read_text())
    del old["run_names"]
    old["rows"] = [row for row in old["rows"] if "step" not in row["metric"]]
    before.write_text(json.dumps(old))
    budgets = budgets_file(tmp_path / "b.json", STEP)
    assert verdicts(checked([runs], budgets, "--baseline", before)) == ["ok"]
    lines, _ = check(runs, "--baseline", before, expects=OPEN)
    assert lines[3].split()[:3] == ["no", "verdict", "step_micros"]
    assert lines[5].split()[:2] == ["ok", "micros"]
    assert lines[-1] == (
        "status 6: step_micros has no verdict: the baseline has no value for "
        "this metric; write the baseline again")


def test_traces_without_the_time_of_steps_have_no_wall_time(tmp_path):
    host = Plane("/host:CPU")
    host.line(1, "worker", host.event("MatMul:MatMul", MICROS, MICROS))
    trace = write(tmp_path / "t.xplane.pb", space(host))
    lines, _ = check(trace, "--base", trace, "--base", trace, expects=OPEN)
    assert lines[-1] == ("status 6: step_micros has no verdict: the inputs "
                         "contain no wall times of steps")
    made = json.loads(program.run("check", "--init", trace).stdout)["budgets"]
    assert "micros" in [budget["metric"] for budget in made]


# ---- Runs as a baseline -----------------------------------------------------

def test_base_is_a_folder_or_a_list_of_runs(tmp_path):
    base = gap_runs(tmp_path / "base", 10000, 2000)
    head = gap_runs(tmp_path / "head", 10000, 9000)
    expected, _ = check(head, "--baseline", base, expects=BROKEN)
    for args in (["--base", base], ["--base", ",".join(
            str(run) for run in sorted(base.iterdir()))],
            [arg for run in sorted(base.iterdir()) for arg in ("--base", run)],
            ["--base", baseline(tmp_path / "b.json", [base])]):
        assert check(head, *args, expects=BROKEN)[0] == expected
    odd = base.rename(tmp_path / "a,b")
    escaped = str(odd).replace(",", "\\,")
    assert check(head, "--base", escaped, expects=BROKEN)[0] == expected
    assert "check accepts --base or --baseline, not both" in refused(
        "check", head, "--base", odd, "--baseline", odd)


def test_budgets_of_scopes_are_measured_in_the_base(tmp_path):
    base = runs_folder(tmp_path / "base", FAST)
    head = runs_folder(tmp_path / "head", [int(1.2 * time) for time in FAST])
    budgets = budgets_file(tmp_path / "b.json", {**STEP, "op": ".*"},
                           {**STEP, "scope": "op"})
    assert verdicts(checked([head], budgets, "--base", base,
                            expects=BROKEN)) == ["broken"] * 2


# ---- Runs without a value ---------------------------------------------------

def odd_runs(path, time, odd=3, count=20):
    """One of the runs has another node."""
    for run in range(count):
        step_file(path / f"run_{run:02}" / "step",
                  **({"other": 5000} if run == odd else
                     {"mlp": time + 10 * run, "rest": 5000}))
    return path


def test_the_runs_that_have_a_value_are_judged(tmp_path):
    budgets = budgets_file(tmp_path / "b.json", {
        "name": "mlp", "metric": "micros", "scope": "mlp", "max": "+10%"})
    before = baseline(tmp_path / "base.json",
                      [odd_runs(tmp_path / "base", 10000, odd=None)],
                      "--budgets", budgets)
    for factor, expects, verdict, reason in (
            (1.25, BROKEN, "broken", "the change is above the limit"),
            (1.0, OPEN, "no verdict", "the other runs are within the limit")):
        head = odd_runs(tmp_path / f"head_{expects}", int(10000 * factor))
        told = checked([head], budgets, "--baseline", before, expects=expects)
        budget = told["budgets"][0]
        assert budget["verdict"] == verdict
        assert budget["reason"] == (
            f"{reason}; 19 of 20 runs have a value, not {head.name}/run_03 "
            "(no scope or node matches the pattern)")
        assert told["run_names"][3] == f"{head}/run_03"
        assert budget["values"][3] is None
        assert budget["values"][4] == int(10000 * factor) + 40
        assert len(budget["values"]) == len(told["run_names"]) == 20
    lines, _ = check(head, "--budgets", budgets, "--baseline", before,
                     expects=OPEN)
    assert lines[-1].startswith(
        "status 6: mlp has no verdict: the other runs are within the limit;")


def test_a_baseline_keeps_the_values_that_there_are(tmp_path):
    budgets = budgets_file(tmp_path / "b.json", {
        "name": "mlp", "metric": "micros", "scope": "mlp", "max": "+10%"},
        {"metric": "params", "scope": "nowhere", "max": 1})
    runs = odd_runs(tmp_path / "base", 10000)
    done = program.run("baseline", runs, "--budgets", budgets)
    assert done.returncode == OK
    notes = done.stderr.decode()
    assert (f"the baseline has the value of 19 of 20 runs for mlp, not of "
            f"base/run_03: no scope or node matches the pattern") in notes
    assert ("the baseline has no value for scope nowhere: params: no scope or "
            "node matches the pattern") in notes
    told = json.loads(done.stdout)
    mlp = next(row for row in told["rows"] if row.get("scope") == "mlp")
    assert len(mlp["values"]) == 19 and mlp["without"] == [f"{runs}/run_03"]
    assert len(told["run_names"]) == 20
    before = write(tmp_path / "base.json", done.stdout)
    head = odd_runs(tmp_path / "head", 12500, odd=None)
    assert checked([head], budgets, "--baseline", before,
                   expects=BROKEN)["budgets"][0]["verdict"] == "broken"
    _, notes = check(head, "--budgets", budgets, "--base", runs, expects=BROKEN)
    assert "has the value of 19 of 20 runs for mlp" in notes


def test_the_number_of_runs_is_asserted(tmp_path):
    runs = runs_folder(tmp_path / "runs", FAST)
    budgets = budgets_file(tmp_path / "b.json", {"metric": "nodes", "max": 9})
    checked([runs], budgets, "--runs", "8")
    for command in ("check", "baseline"):
        assert (f"--runs 9: the inputs have 8 runs (runs/run_00, "
                in refused(command, runs, "--budgets", budgets, "--runs", "9"))


# ---- The exit status --------------------------------------------------------

def test_too_few_runs_are_no_success(tmp_path):
    runs = gap_runs(tmp_path / "runs", 10000, 2000, count=1)
    for args, expects, status in (
            ((), OPEN, "status 6: "),
            (("--require_verdict",), OPEN, "status 6: "),
            (("--allow_no_verdict",), OK, "status 0 with --allow_no_verdict: ")):
        lines, _ = check(runs, "--base", runs, *args, expects=expects)
        assert lines[-1] == (f"{status}step_micros has no verdict: too few "
                             "runs: 4 more needed on each side")
    assert "--require_verdict and --allow_no_verdict contradict" in refused(
        "check", runs, "--base", runs, "--require_verdict",
        "--allow_no_verdict")


def test_noise_is_a_success_unless_a_verdict_is_required(tmp_path):
    base = runs_folder(tmp_path / "base", FAST)
    head = runs_folder(tmp_path / "head", [8000, 14000] * 4)
    reason = ("the runs differ too much: the change can be above or below the "
              "limit")
    for args, expects, status in (
            ((), OK, "status 0, since only noise prevents a verdict: "),
            (("--allow_no_verdict",), OK,
             "status 0, since only noise prevents a verdict: "),
            (("--require_verdict",), OPEN,
             "status 6 with --require_verdict: ")):
        for form in ("text", "github"):
            lines, _ = check(head, "--base", base, "--format", form, *args,
                             expects=expects)
            assert lines[-1] == (
                f"{status}step_micros has no verdict: {reason}")
    budgets = budgets_file(tmp_path / "b.json", WALL,
                           {"metric": "params", "max": 1})
    lines, _ = check(head, "--base", base, "--budgets", budgets, expects=OPEN)
    assert lines[-1].startswith("status 6: params has no verdict: ")


def test_markdown_ends_with_the_status(tmp_path):
    runs = run_folder(tmp_path / "run", [10000])
    lines, _ = check(runs, "--base", runs, "--format", "markdown", expects=OPEN)
    assert lines[-2] == "" and lines[-1].startswith("status 6\\:")


def test_code_budgets_of_nothing_are_no_success(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    budgets = budgets_file(tmp_path / "b.json", {
        "metric": "micros", "code": ".*", "max": "1s"})
    done = program.run("check", empty, "--budgets", budgets)
    assert done.returncode not in (OK, BROKEN)


# ---- False alarms -----------------------------------------------------------

def real_trace():
    return Trace((DATA_DIR / "traces" / "jax0102_cpu_train_py0.xplane.pb")
                 .read_bytes())


def test_stalls_between_operations_are_found(tmp_path):
    trace = real_trace()
    assert len(trace.starts) == 5
    base = write_runs(tmp_path / "base", trace, 1)
    head = write_runs(tmp_path / "head", trace, 2, stall=4000 * MICROS)
    lines, _ = check(head, "--baseline", base, expects=BROKEN)
    assert lines[5].startswith("    idle grew most: ")
    budgets = budgets_file(tmp_path / "b.json", {**STEP, "max": "+10%"})
    assert verdicts(checked([head], budgets, "--base", base)) != ["broken"]


def test_equal_runs_give_at_most_5_percent_false_alarms(tmp_path):
    """The steps and the runs differ by 2 % of their length."""
    trace = real_trace()
    pairs = 200 if SLOW else 20
    budgets = budgets_file(tmp_path / "b.json", {
        "metric": "step_micros", "max": "+2%"})
    found = {(): 0, ("--budgets", budgets): 0}
    for pair in range(pairs):
        base = write_runs(tmp_path / "base", trace, 2 * pair + 1)
        head = write_runs(tmp_path / "head", trace, 2 * pair + 2)
        for args in found:
            done = program.run("check", head, "--baseline", base, *args)
            assert done.returncode in (OK, BROKEN)
            found[args] += done.returncode == BROKEN
    assert all(alarms <= pairs // 20 for alarms in found.values())
