"""Where `-output file:outfile=F` writes, and what it leaves alone."""

import os
import stat
import subprocess

import pytest

from messages import Folder, node_def
from program import TFPROF

LEGEND = b"node name | # parameters"


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path, graph=node_def(b"a"))


def write(folder, outfile, stdout=subprocess.PIPE):
    done = subprocess.run(
        [os.path.abspath(TFPROF), "scope", "--graph_path", "graph", "-select",
         "params", "-output", f"file:outfile={outfile}"],
        cwd=folder.path, stdin=subprocess.DEVNULL, stdout=stdout,
        stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def leftovers(folder):
    return [name for name in os.listdir(folder.path) if "tfprof-" in name]


@pytest.mark.parametrize("name", ["out", "o" * 255, ".hidden", "a b"])
def test_a_file_is_made(folder, name):
    code, out, err = write(folder, name)
    assert (code, out, err) == (0, b"", b"")
    assert (folder.path / name).read_bytes().startswith(LEGEND)
    assert leftovers(folder) == []


def test_a_file_that_was_there_is_replaced_and_keeps_its_mode(folder):
    target = folder.path / "out"
    target.write_text("old")
    target.chmod(0o640)
    before = target.stat().st_ino
    assert write(folder, "out")[0] == 0
    assert target.read_bytes().startswith(LEGEND)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert target.stat().st_ino != before
    assert leftovers(folder) == []


def test_a_link_is_followed(folder):
    (folder.path / "there").write_text("old")
    (folder.path / "link").symlink_to("there")
    (folder.path / "new").symlink_to("nowhere")
    assert write(folder, "link")[0] == 0
    assert write(folder, "new")[0] == 0
    for link, file in (("link", "there"), ("new", "nowhere")):
        assert (folder.path / link).is_symlink()
        assert (folder.path / file).read_bytes().startswith(LEGEND)


def test_what_standard_output_goes_to_is_not_replaced(folder):
    """A log that the shell opened keeps what stands before and after."""
    log = folder.path / "log"
    with open(log, "wb") as stdout:
        stdout.write(b"first\n")
        stdout.flush()
        assert write(folder, "/dev/stdout", stdout=stdout)[0] == 0
        os.lseek(stdout.fileno(), 0, os.SEEK_END)
        stdout.write(b"last\n")
    lines = log.read_bytes().splitlines()
    assert lines[0] == b"first" and lines[1] == LEGEND and lines[-1] == b"last"


def test_a_device_is_written_through(folder):
    assert write(folder, "/dev/null") == (0, b"", b"")
    code, _, err = write(folder, "/dev/full")
    assert code == 3 and b"/dev/full" in err


@pytest.mark.parametrize("name, word", [
    ("missing/out", b"No such file"), ("graph/out", b"Not a directory"),
    (".", b"directory"), ("o" * 256, b"too long")])
def test_a_place_that_cannot_be_written_is_named(folder, name, word):
    code, out, err = write(folder, name)
    assert (code, out) == (3, b"")
    assert word in err and err.count(b"\n") == 1
    assert leftovers(folder) == []
