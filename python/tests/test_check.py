"""tfprof.diff(), check() and baseline(): they give what the program prints."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
from pathlib import Path

import pytest
from inputs import DATA, GRAPH, RUN, command_line, write_runs

import tfprof

Budgets = list[dict[str, object]]

FUNCTIONS = DATA / "functions.pb"
TRACES = [DATA / "traces" / f"jax_mlp_3steps_py{i}.xplane.pb" for i in (0, 1)]
SMALL: Budgets = [{"metric": "nodes", "max": 8}]
MIXED: Budgets = [{"metric": "nodes", "max": 7},
                  {"metric": "micros", "max": "1us"},
                  {"metric": "params", "max": "+5%"},
                  {"name": "twice", "metric": "nodes", "max": 4},
                  {"metric": "nodes", "scope": "layer.*", "max": 100}]


@pytest.fixture(autouse=True)
def in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def file_of(budgets: object) -> Path:
    path = Path("b,1.json")  # a comma separates paths in options
    path.write_text(json.dumps({"budgets": budgets}))
    return path


def printed_check(budgets: object, *words: str) -> str:
    """What the program prints, whatever the verdict."""
    Path("budgets.json").write_text(json.dumps({"budgets": budgets}))
    done = subprocess.run([os.environ["TFPROF"], "check", GRAPH, "--budgets",
                           "budgets.json", *words], capture_output=True,
                          text=True)
    assert done.returncode in (0, 5), done.stderr
    return done.stdout


# ---- diff -------------------------------------------------------------------

def test_diff_of_traces_is_that_of_the_program() -> None:
    found = tfprof.diff(*TRACES, skip_steps=1)
    words = ("diff", "--base", TRACES[0], TRACES[1], "--skip_steps", "1")
    assert found.to_dict() == json.loads(command_line(*words, "--format",
                                                      "json"))
    assert f"{found}\n" == f"{found.text()}\n" == command_line(*words)
    assert found.base["runs"] == found.head["runs"] == 1
    assert found.totals[0]["verdict"] == "not judged"
    assert found.changes and found.changes[0]["name"]


def test_diff_of_an_input_with_itself_has_no_changes() -> None:
    found = tfprof.diff([GRAPH, str(RUN)], (GRAPH, RUN), view="op")
    assert found.changes == []
    assert found.base == found.head
    assert found.view == "op"
    assert "no differences" in str(found)
    assert repr(found) == "<tfprof.Diff op: 0 changes, 1 + 1 runs>"


def test_diff_of_models_has_exact_differences() -> None:
    found = tfprof.diff(GRAPH, FUNCTIONS, select=["params"])
    assert {row["change"] for row in found.changes} >= {"added", "removed"}
    for row in found.changes:
        if row["difference"] is not None:
            assert row["difference"] == row["head"] - row["base"]


def test_remarks_are_kept() -> None:
    found = tfprof.diff(GRAPH, [GRAPH, RUN])
    assert any("times and memory are not compared" in remark
               for remark in found.remarks)


@pytest.mark.parametrize("call, error, words", [
    (lambda: tfprof.diff(GRAPH, []), tfprof.OptionError, "head"),
    (lambda: tfprof.diff("nothing", GRAPH), tfprof.ReadError, "nothing"),
    (lambda: tfprof.diff(GRAPH, GRAPH, view="tree"), tfprof.OptionError,
     "unknown view"),
    (lambda: tfprof.diff(GRAPH, GRAPH, format="csv"),  # type: ignore
     tfprof.OptionError, "to_dict"),
    (lambda: tfprof.diff(b"graph", GRAPH),  # type: ignore
     TypeError, "runs must be paths"),
    (lambda: tfprof.diff("a\0b", GRAPH), ValueError, "null byte"),
])
def test_diff_refuses(call: object, error: type[Exception], words: str) -> None:
    assert callable(call)
    with pytest.raises(error, match=words):
        call()


# ---- check ------------------------------------------------------------------

def test_budgets_that_hold() -> None:
    found = tfprof.check(GRAPH, SMALL)
    assert found.verdict == "ok" and found.ok
    assert not found.broken and not found.without_verdict
    found.raise_if_broken(require_verdict=True)
    [budget] = found.budgets
    assert (budget.metric, budget.rows, budget.pattern) == ("nodes", "all",
                                                            None)
    assert (budget.value, budget.limit, budget.limit_is_minimum) == (8, 8,
                                                                     False)
    assert repr(found) == "<tfprof.Check: ok, 0 of 1 budgets broken>"


def test_verdicts_are_those_of_the_program() -> None:
    found = tfprof.check([GRAPH], MIXED)
    assert found.to_dict() == json.loads(
        printed_check(MIXED, "--format", "json"))
    assert f"{found}\n" == f"{found.text()}\n" == printed_check(MIXED)
    assert found.verdict == "broken" and not found.ok
    # The file's order, and the worst first.
    assert [budget.label for budget in found.budgets] == [
        "nodes", "micros", "params", "twice", "scope layer.*: nodes"]
    assert [budget.label for budget in found.broken] == ["twice", "nodes"]
    assert [budget.reason for budget in found.without_verdict] == [
        "the inputs contain no run records",
        "a relative limit needs baseline=FILE"]


def test_a_file_of_budgets_is_as_good_as_a_list() -> None:
    path = file_of(MIXED)
    wanted = tfprof.check(GRAPH, MIXED).to_dict()
    assert tfprof.check(GRAPH, path).to_dict() == wanted
    assert tfprof.check(str(GRAPH), str(path)).to_dict() == wanted


def test_broken_budgets_raise_the_worst_first() -> None:
    found = tfprof.check(GRAPH, MIXED)
    lines = ["twice: the value is above the limit (value 8, maximum 4)",
             "nodes: the value is above the limit (value 8, maximum 7)",
             "micros: the inputs contain no run records (maximum 1 "
             "microseconds)",
             "params: a relative limit needs baseline=FILE"]
    with pytest.raises(tfprof.BudgetError) as broken:
        found.raise_if_broken(allow_no_verdict=True)
    assert str(broken.value).split("\n") == lines[:2]
    assert isinstance(broken.value, (tfprof.Error, AssertionError))
    assert str(pickle.loads(pickle.dumps(broken.value))) == str(broken.value)
    with pytest.raises(tfprof.BudgetError) as strict:
        found.raise_if_broken()
    printed = str(strict.value).split("\n")
    assert len(printed) == 4 and printed[:3] == lines[:3]
    assert printed[3].startswith(lines[3])


def test_no_verdict_is_not_ok() -> None:
    found = tfprof.check(GRAPH, [{"metric": "micros", "max": "1s"}])
    assert found.verdict == "no verdict" and not found.ok
    found.raise_if_broken(allow_no_verdict=True)
    for required in (False, True):
        with pytest.raises(tfprof.BudgetError, match="no run records"):
            found.raise_if_broken(require_verdict=required)
    with pytest.raises(TypeError, match="contradict"):
        found.raise_if_broken(require_verdict=True, allow_no_verdict=True)


def test_runs_are_a_baseline(tmp_path: Path) -> None:
    base = write_runs(tmp_path / "base", range(10000, 10080, 10))
    head = write_runs(tmp_path / "head", range(12000, 12080, 10))
    wanted = tfprof.check(head, baseline=base).to_dict()
    for given in (str(base), sorted(base.iterdir()),
                  (str(run) for run in sorted(base.iterdir())),
                  tfprof.baseline(base)):
        found = tfprof.check(head, baseline=given, runs=8)
        assert found.to_dict() == wanted
    [budget] = found.budgets
    assert (found.verdict, budget.metric) == ("broken", "step_micros")
    assert found.run_names == [str(run) for run in sorted(head.iterdir())]
    assert budget.values == [*map(float, range(12000, 12080, 10))]
    with pytest.raises(tfprof.BudgetError, match="operations grew most: "):
        found.raise_if_broken()
    with pytest.raises(tfprof.Error, match="the inputs have 8 runs"):
        tfprof.check(head, baseline=base, runs=9)


def test_noise_is_no_failure_unless_a_verdict_is_required(
        tmp_path: Path) -> None:
    base = write_runs(tmp_path / "base", range(10000, 10080, 10))
    head = write_runs(tmp_path / "head", [8000, 14000] * 4)
    found = tfprof.check(head, baseline=base)
    assert found.verdict == "no verdict" and found.budgets[0].is_noise
    found.raise_if_broken()
    with pytest.raises(tfprof.BudgetError, match="differ too much"):
        found.raise_if_broken(require_verdict=True)


def test_names_of_budgets_are_escaped_in_messages() -> None:
    found = tfprof.check(GRAPH, [{"name": "a\x1b[31m\nb", "metric": "nodes",
                                  "max": 1}])
    assert found.broken[0].label == "a\x1b[31m\nb"
    with pytest.raises(tfprof.BudgetError) as broken:
        found.raise_if_broken()
    assert str(broken.value).startswith("a\\x1b[31m\\x0ab: the value")


def test_mistakes_in_a_list_name_no_temporary_file() -> None:
    with pytest.raises(tfprof.CorruptInput) as wrong:
        tfprof.check(GRAPH, [{"metric": "parms", "max": 1}])
    assert str(wrong.value).startswith('<budgets>: budget 1: unknown metric')
    with pytest.raises(tfprof.CorruptInput) as wrong:
        tfprof.check(GRAPH, SMALL, baseline={"rows": []})
    assert str(wrong.value).startswith("<baseline>: ")


@pytest.mark.parametrize("keyword, words", [
    ("init", "tfprof check --init"), ("require_verdict", "raise_if_broken"),
    ("allow_no_verdict", "raise_if_broken"),
    ("output", "print the result"), ("format", "text")])
def test_check_refuses_options_of_the_command_line(keyword: str,
                                                   words: str) -> None:
    with pytest.raises(tfprof.OptionError, match=words):
        tfprof.check(GRAPH, SMALL, **{keyword: "true"})


def test_check_refuses_a_single_dict() -> None:
    with pytest.raises(TypeError, match="a list of dicts"):
        tfprof.check(GRAPH, {"metric": "nodes"})  # type: ignore[dict-item]


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch,
                                tmp_path: Path) -> None:
    import tempfile
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    str(tfprof.check(GRAPH, MIXED, baseline=tfprof.baseline(GRAPH)))
    with pytest.raises(tfprof.CorruptInput):
        tfprof.check(GRAPH, [{}])
    assert not os.listdir(tmp_path / "tmp")


# ---- baseline ---------------------------------------------------------------

def test_baseline_is_that_of_the_program() -> None:
    path = Path("a,b.json")
    written = tfprof.baseline([GRAPH, RUN], path, budgets=MIXED)
    assert json.loads(path.read_text()) == written
    assert written == tfprof.baseline([GRAPH, RUN], budgets=file_of(MIXED))
    Path("budgets.json").write_text(json.dumps({"budgets": MIXED}))
    assert written == json.loads(command_line(
        "baseline", GRAPH, RUN, "--budgets", "budgets.json"))
    assert {"metric": "micros", "values": [41]} in written["rows"]


def test_relative_limits_use_the_baseline() -> None:
    base = tfprof.baseline(GRAPH, "base.json")
    limits = [{"metric": "nodes", "max": "+0%"}]
    found = tfprof.check(GRAPH, limits, baseline=base)
    assert found.ok and found.baseline_runs == found.runs == 1
    assert found.budgets[0].base == 8
    more = tfprof.check([GRAPH, RUN], limits, baseline="base.json")
    assert more.verdict == "broken"  # the run has a node besides
    assert ", base 8, maximum 8)" in more.broken[0].message


def test_baseline_refuses_to_overwrite_an_input() -> None:
    copy = Path("graph.pb")
    copy.write_bytes(GRAPH.read_bytes())
    with pytest.raises(tfprof.Error):
        tfprof.baseline(copy, copy)
    assert copy.read_bytes() == GRAPH.read_bytes()
