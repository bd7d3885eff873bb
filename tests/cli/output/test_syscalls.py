"""IN-05: system calls that fail, made to by strace."""

# labels: slow

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from faults import (check_no_signal, complaint, failure, graph, needs_strace,
                    run, strace, with_fault)
from program import TFPROF
from surroundings import PATIENCE

NODES = 50000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A file of several windows."""
    path = tmp_path_factory.mktemp("syscalls") / "graph.pb"
    path.write_bytes(graph(NODES, 50))
    assert path.stat().st_size > 3 << 20
    return path


def nodes(out):
    return json.loads(out)["files"][0]["counts"]["nodes"]


def info(path, call, fault):
    return with_fault(call, fault, path, "info", "--format", "json", path)


def check_reported(answer, words):
    code, out, err = answer
    assert (code, complaint(err)) == (1, words)
    assert json.loads(out)["files"][0]["error"]["code"] == "io"


def check_read(answer):
    code, out, err = answer
    assert (code, err, nodes(out)) == (0, b"", NODES)


@needs_strace
@pytest.mark.parametrize("error, words", [
    ("EIO", "Input/output error"),
    ("ESTALE", "Stale file handle"),
    ("EISDIR", "Is a directory"),
    ("ENOMEM", "Cannot allocate memory"),
])
def test_IN_05_a_read_that_fails_is_reported(path, error, words, say):
    *answer, log = strace(["trace=read"], path, "info", "--format", "json", path)
    check_read(answer)
    reads = log.count("read(")
    assert reads >= 4
    for k in range(1, reads + 1):
        for later in ("", "+"):
            check_reported(
                info(path, "read", f"error={error}:when={k}{later}"),
                f"{path}: cannot read: {words}")
    say(f"{reads} reads")


@needs_strace
@pytest.mark.parametrize("error", ["EINTR", "EAGAIN"])
def test_IN_05_a_read_that_is_interrupted_is_tried_again(path, error):
    for when in ("1", "2", "3+2", "1..3"):
        check_read(info(path, "read", f"error={error}:when={when}"))


@needs_strace
@pytest.mark.parametrize("call, error, words", [
    ("openat", "EACCES", "Permission denied"),
    ("openat", "EMFILE", "Too many open files"),
    ("openat", "ENFILE", "Too many open files in system"),
    ("openat", "EIO", "Input/output error"),
    ("openat", "ESTALE", "Stale file handle"),
    ("openat", "ENXIO", "No such device or address"),
    ("%fstat", "EIO", "Input/output error"),
])
def test_IN_05_an_open_that_fails_is_reported(path, call, error, words):
    check_reported(info(path, call, f"error={error}"),
                   f"{path}: cannot open: {words}")


@needs_strace
def test_IN_05_the_tail_is_only_a_help(path):
    check_read(info(path, "pread64", "error=EIO"))


@needs_strace
def test_IN_05_a_directory_that_cannot_be_listed_is_reported(tmp_path):
    (tmp_path / "graph.pb").write_bytes(graph(3))
    code, _, err = with_fault("getdents64", "error=EIO:when=1", tmp_path, "info",
                              tmp_path)
    assert code == 1
    assert "Input/output error" in complaint(err)


# ---- The same from the system itself ----------------------------------------

def test_IN_05_a_file_that_is_not_there(tmp_path):
    assert failure(1, "info", tmp_path / "gone") == (
        f"{tmp_path}/gone: cannot open: No such file or directory")
    (tmp_path / "file").write_bytes(graph(1))
    assert failure(1, "info", tmp_path / "file" / "below").endswith(
        ": cannot open: Not a directory")


def test_IN_05_a_name_too_long(tmp_path):
    assert failure(1, "info", tmp_path / ("n" * 256)).endswith(
        ": cannot open: File name too long")


def test_IN_05_one_failure_does_not_keep_the_others(tmp_path):
    good = tmp_path / "good.pb"
    good.write_bytes(graph(3))
    code, out, err = run("info", "--format", "json", tmp_path / "gone", good)
    assert code == 1
    assert "No such file" in complaint(err)
    files = json.loads(out)["files"]
    assert files[0]["error"]["code"] == "io"
    assert files[1]["counts"]["nodes"] == 3


def test_IN_05_a_file_that_may_not_be_read():
    """Root may read everything, so it becomes someone else for this."""
    command = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root may read everything, and there is no setpriv")
        command = ["setpriv", "--reuid=65534", "--regid=65534",
                   "--clear-groups"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copy(TFPROF, folder / "tfprof")  # where anyone may run it
        path = folder / "secret.pb"
        path.write_bytes(graph(3))
        path.chmod(0)
        done = subprocess.run([*command, folder / "tfprof", "info", path],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False, timeout=PATIENCE)
    check_no_signal(done.returncode, done.stderr)
    assert done.returncode == 1
    assert complaint(done.stderr) == f"{path}: cannot open: Permission denied"


def test_IN_05_standard_input_that_is_closed():
    done = subprocess.run(["sh", "-c", '"$1" info - <&-', "sh", TFPROF],
                          capture_output=True, check=False, timeout=PATIENCE)
    assert done.returncode == 1
    assert complaint(done.stderr) == "-: cannot open: Bad file descriptor"
