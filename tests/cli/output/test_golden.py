"""Commands and what they print, byte for byte: tests/golden/COMMAND/CASE.cmd.

A case is a shell command, run in a copy of tests/data with `tfprof` in the
path. Beside it stand CASE.stdout, CASE.stderr and CASE.exit; what is absent
is empty, or 0. In CASE.stderr.glob each line is a pattern. After a change
that is meant, `TFPROF_UPDATE=1` with the same command writes the files anew;
review the difference like code.
"""

# labels: both

import fnmatch
import os
import pathlib
import shutil
import subprocess

import pytest

from program import DATA_DIR, SOURCE_DIR, TFPROF
from surroundings import PATIENCE

GOLDEN = SOURCE_DIR / "tests" / "golden"
CASES = sorted(GOLDEN.glob("*/*.cmd"))
UPDATE = os.environ.get("TFPROF_UPDATE") == "1"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A copy of the data, and a folder in which the program is `tfprof`."""
    folder = tmp_path_factory.mktemp("golden")
    shutil.copytree(DATA_DIR, folder / "data")
    (folder / "bin").mkdir()
    (folder / "bin" / "tfprof").symlink_to(pathlib.Path(TFPROF).resolve())
    return folder


def wanted(case, suffix):
    path = case.with_suffix(suffix)
    return path.read_bytes() if path.exists() else b""


def write(case, suffix, content):
    path = case.with_suffix(suffix)
    if content:
        path.write_bytes(content)
    else:
        path.unlink(missing_ok=True)


def check_stderr(case, stderr):
    glob = case.with_suffix(".stderr.glob")
    if not glob.exists():
        assert stderr.decode() == wanted(case, ".stderr").decode()
        return
    lines, patterns = stderr.decode().splitlines(), glob.read_text().splitlines()
    assert len(lines) == len(patterns), stderr
    for line, pattern in zip(lines, patterns):
        assert fnmatch.fnmatchcase(line, pattern)


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_golden(case, scratch):
    path = f"{scratch / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", case.read_text()], cwd=scratch / "data",
        env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, check=False, timeout=PATIENCE)
    if UPDATE:
        write(case, ".stdout", done.stdout)
        if not case.with_suffix(".stderr.glob").exists():
            write(case, ".stderr", done.stderr)
        write(case, ".exit", b"%d\n" % done.returncode
              if done.returncode else b"")
    assert done.stdout.decode() == wanted(case, ".stdout").decode()
    check_stderr(case, done.stderr)
    assert done.returncode == int(wanted(case, ".exit") or b"0")


def test_there_are_cases():
    assert CASES
