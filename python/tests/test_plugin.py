"""The pytest plugin, loaded by its name; tools/check-wheel tests it as it is
installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import plugin_run
import pytest
from inputs import DATA, write_runs

import tfprof

PLUGIN = ("-p", "pytest_tfprof")


def run(folder: Path, *words: str) -> tuple[int, str]:
    return plugin_run.pytest(folder, DATA, *PLUGIN, *words)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the plugins of others, which take their time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    plugin_run.write(tmp_path)
    return tmp_path


def test_one_passes_one_fails_one_has_no_verdict(folder: Path) -> None:
    plugin_run.check(*run(folder, "--tfprof-budgets=wide.json"))


def test_files_are_found_from_another_folder(folder: Path) -> None:
    """Those of markers beside the test, those of options where pytest runs."""
    (folder / "sub").mkdir()
    plugin_run.check(*run(folder / "sub", "--tfprof-budgets=../wide.json",
                          "--rootdir=..", "../test_budgets.py"))


def test_no_verdict_can_be_allowed(folder: Path) -> None:
    code, printed = run(folder, "--tfprof-budgets=wide.json",
                        "--tfprof-allow-no-verdict")
    assert code == 1 and "1 failed, 1 passed, 1 skipped" in printed
    assert f"no verdict: {plugin_run.TIME}" in printed
    code, printed = run(folder, "--tfprof-budgets=wide.json",
                        "--tfprof-allow-no-verdict",
                        "--tfprof-require-verdict")
    assert code == 1 and "contradict each other" in printed


def test_noise_is_skipped_unless_a_verdict_is_required(tmp_path: Path) -> None:
    for side, times in (("base", range(10000, 10080, 10)),
                        ("head", [8000, 14000] * 4)):
        write_runs(tmp_path / side, times)
    (tmp_path / "test_noise.py").write_text("""
def test_noise(tfprof_check):
    tfprof_check("head", baseline="base")
""")
    reason = "no verdict: step_micros: the runs differ too much"
    code, printed = run(tmp_path)
    assert code == 0 and "1 skipped" in printed and reason in printed
    code, printed = run(tmp_path, "--tfprof-require-verdict")
    assert code == 1 and "1 failed" in printed


def test_no_budgets_are_a_failure(folder: Path) -> None:
    code, printed = run(folder, "-k", "small")
    assert code == 1 and "1 failed" in printed
    assert "tfprof_check requires budgets or a baseline" in printed


def test_baseline_of_option_marker_and_call(folder: Path) -> None:
    tfprof.baseline(DATA / "graph.pb", folder / "base.json")
    (folder / "test_budgets.py").write_text(f"""
import pytest
GRAPH = {str(DATA / "graph.pb")!r}
LIMIT = [{{"metric": "nodes", "max": "+0%"}}]
def test_option(tfprof_check):
    assert tfprof_check(GRAPH, LIMIT).baseline_runs == 1
@pytest.mark.tfprof_budgets(LIMIT, baseline="none.json")
def test_marker(tfprof_check):
    tfprof_check(GRAPH)
@pytest.mark.tfprof_budgets("none.json", baseline="none.json")
def test_call(tfprof_check):
    assert tfprof_check([GRAPH], LIMIT, "base.json", of="min").ok
""")
    code, printed = run(folder, "--tfprof-baseline=base.json")
    assert code == 1 and "2 failed, 1 passed" in printed
    assert "none.json: cannot open" in printed  # test_marker
    assert ('the baseline was written with of="median" skip_steps=0'
            in printed)  # test_call


def test_the_failure_has_reasons_and_no_traceback(folder: Path) -> None:
    _, printed = run(folder, "-k", "large", "-q")
    assert plugin_run.LARGE in printed
    for word in ("raise_if_broken", "def run", "another exception"):
        assert word not in printed


def test_plugin_is_idle_in_projects_that_do_not_use_it(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(plugin_run.OTHER)
    code, printed = run(tmp_path)
    assert code == 0 and "1 passed" in printed, printed


def test_marker_and_options_are_documented(tmp_path: Path) -> None:
    assert "@pytest.mark.tfprof_budgets(" in run(tmp_path, "--markers")[1]
    printed = run(tmp_path, "--help")[1]
    for option in ("budgets FILE", "baseline FILE", "require-verdict",
                   "allow-no-verdict"):
        assert f"--tfprof-{option}" in printed.replace("=", " ")


def test_import_of_the_plugin_leaves_the_extension_out() -> None:
    code = "import json, sys, pytest_tfprof; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], check=True,
                          capture_output=True, text=True, timeout=120)
    assert not [name for name in json.loads(done.stdout)
                if name.partition(".")[0] in ("tfprof", "tensorflow", "cffi")]
