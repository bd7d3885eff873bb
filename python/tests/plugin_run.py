"""Does the pytest plugin of an installed package work? tools/check-wheel runs
it in an environment with the package and pytest; test_plugin.py uses its tests.

    plugin_run.py DATA_DIR

DATA_DIR is tests/data.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# One passes, one fails, and one has no verdict, so that it fails too: a graph
# has no run records.
TESTS = '''
import os
import pytest

GRAPH = os.path.join(os.environ["PLUGIN_DATA"], "graph.pb")

def test_small(tfprof_check):
    assert tfprof_check(GRAPH).ok

@pytest.mark.tfprof_budgets("strict.json")
def test_large(tfprof_check):
    tfprof_check(GRAPH)

@pytest.mark.tfprof_budgets([{"metric": "micros", "max": "1ms"}])
def test_time(tfprof_check):
    tfprof_check(GRAPH)
'''
OTHER = '''
import sys

def test_modules():
    assert not {"tfprof", "tensorflow"} & set(sys.modules)
'''
LARGE = "nodes: the value is above the limit (value 8, maximum 5)"
TIME = "micros: the inputs contain no run records"


def write(folder: Path) -> None:
    for name, most in (("wide.json", 10), ("strict.json", 5)):
        (folder / name).write_text(json.dumps(
            {"budgets": [{"metric": "nodes", "max": most}]}))
    (folder / "test_budgets.py").write_text(TESTS)


def pytest(folder: Path, data: Path, *words: str) -> tuple[int, str]:
    """The exit code and the output of pytest in this folder. A warning is an
    error: about unknown markers, too."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-W", "error",
         "-p", "no:cacheprovider", *words], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        env={**os.environ, "PLUGIN_DATA": str(data),
             "PYTHONDONTWRITEBYTECODE": "1"})
    return done.returncode, done.stdout


def check(code: int, printed: str) -> None:
    assert code == 1, printed
    assert "2 failed, 1 passed" in printed, printed
    assert "test_large" in printed and LARGE in printed, printed
    assert f"no verdict:\n{TIME}" in printed, printed


def check_absence(folder: Path, data: Path) -> None:
    """Tests of others run with the plugin, which imports nothing then, and
    without it."""
    (folder / "test_other.py").write_text(OTHER)
    for words in ((), ("-p", "no:tfprof")):
        code, printed = pytest(folder, data, "test_other.py", *words)
        assert code == 0 and "1 passed" in printed, printed
    code, printed = pytest(folder, data, "-p", "no:tfprof",
                           "--tfprof-budgets=wide.json")
    assert code == 4 and "unrecognized arguments" in printed, printed


def main() -> None:
    data = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        check(*pytest(folder, data, "--tfprof-budgets=wide.json"))
        check_absence(folder, data)
    print("plugin: one test passed, one failed, one has no verdict")


if __name__ == "__main__":
    main()
