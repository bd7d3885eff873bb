"""Where the answer goes, and the progress that is shown meanwhile."""

# labels: slow

import json
import os
import re
import signal
import subprocess
import sys
import time

import pexpect
import pytest

from faults import check_no_signal, complaint, field, graph, printed, run, start
from program import TFPROF
from screens import environment, on_screen
from surroundings import PATIENCE

ANSWERS = [["info", "graph.pb"], ["info", "--format", "json", "graph.pb"],
           ["help"], ["help", "info"], ["--version"], ["--help"],
           ["info", "--help"]]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "graph.pb").write_bytes(graph(50))
    return tmp_path


# ---- OU-01 ------------------------------------------------------------------

@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
def test_OU_01_a_full_disk_is_told(folder, args):
    with open("/dev/full", "wb") as full:
        code, _, err = run(*args, stdout=full, cwd=folder)
    assert code == 3
    assert complaint(err) == ("cannot write to standard output: "
                              "No space left on device")


@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
def test_OU_01_a_closed_output_is_told(folder, args):
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", TFPROF, *args],
                          cwd=folder, stderr=subprocess.PIPE, check=False,
                          timeout=PATIENCE)
    check_no_signal(done.returncode, done.stderr)
    assert done.returncode == 3
    assert complaint(done.stderr) == ("cannot write to standard output: "
                                      "Bad file descriptor")


@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
def test_OU_01_an_output_that_cannot_be_written_is_told(folder, args):
    before = (folder / "graph.pb").read_bytes()
    with open(folder / "graph.pb", "rb") as read_only:
        code, _, err = run(*args, stdout=read_only, cwd=folder)
    assert code == 3
    assert complaint(err) == ("cannot write to standard output: "
                              "Bad file descriptor")
    assert (folder / "graph.pb").read_bytes() == before


def test_OU_01_the_complaint_may_have_nowhere_to_go(folder):
    for redirection in ("2>&-", "2>/dev/full", ">&- 2>&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["sh", "-c", f'"$1" info gone graph.pb {redirection}', "sh",
             TFPROF], cwd=folder, stdout=subprocess.PIPE, check=False,
            timeout=PATIENCE)
        assert done.returncode == (3 if ">&- 2" in redirection else 1)


def test_damage_and_a_full_disk_are_both_told(folder):
    with open("/dev/full", "wb") as full:
        code, _, err = run("info", "gone", "graph.pb", stdout=full, cwd=folder)
    assert code == 3
    lines = err.decode().splitlines()
    assert len(lines) == 2
    assert "No such file" in lines[0] and "No space left" in lines[1]


# ---- OU-02 ------------------------------------------------------------------

def test_OU_02_a_reader_that_leaves_early_is_no_error(folder):
    many = ["graph.pb"] * 2000  # more than any pipe holds
    process = start(["info", "--format", "json", *many], cwd=folder)
    assert process.stdout.readline() == b"{\n"
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=PATIENCE) == -signal.SIGPIPE
    assert err == b""
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -1', "bash", TFPROF, "info", *many],
        cwd=folder, capture_output=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"graph.pb: GraphDef")


def test_OU_02_with_the_signal_ignored_it_is_an_output_error(folder):
    many = ["graph.pb"] * 2000
    process = start(["info", *many], cwd=folder, restore_signals=False)
    process.stdout.close()  # Python ignores SIGPIPE, and so does its child
    err = process.stderr.read()
    assert process.wait(timeout=PATIENCE) == 3
    assert complaint(err) == "cannot write to standard output: Broken pipe"


def test_names_from_a_file_do_not_steer_the_terminal(tmp_path):
    path = tmp_path / "graph.pb"
    device = b"\x1b]0;gotcha\x07\r\x9b\xe2\x80\xae\xe2\x80\x8b</script>"
    path.write_bytes(graph(20) + field(1, field(1, b"m") + field(4, device)))
    out = printed("info", "--graph_path", path)
    assert not re.search(rb"[^\n\x20-\x7e]", out)
    assert rb"\x1b]0;gotcha\x07\x0d\x9b\xe2\x80\xae" in out
    code, out, _ = run("info", "--format", "json", "--graph_path", path)
    shown = json.loads(out.decode())["files"][0]["devices"][0]
    assert shown.startswith("\x1b]0;gotcha\x07\r\\x9b\u202e\u200b")
    assert b"</script" not in out


# ---- Progress ---------------------------------------------------------------

FEED = f"""
import sys, time
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    sys.stdout.buffer.write({graph(1)!r} * 4000)
    sys.stdout.buffer.flush()
    time.sleep(0.02)
"""


def slow_pipe(seconds, args="", term="xterm"):
    """A terminal on which tfprof reads from a slow pipe."""
    reader = f'"$1" -c "$2" "$3" | "$4" info --color never {args} -'
    return pexpect.spawn(
        "bash", ["-c", reader, "bash", sys.executable, FEED, str(seconds),
                 TFPROF],
        timeout=PATIENCE, dimensions=(24, 80), env=environment(TERM=term))


def test_progress_comes_after_a_second_and_goes(folder):
    begun = time.monotonic()
    terminal = slow_pipe(2.5)
    terminal.expect(r"\r\x1b\[K-\s+\d+ MB")
    assert time.monotonic() - begun >= 1.0
    assert terminal.before == b""  # nothing before it
    terminal.expect(pexpect.EOF)
    # The line is cleared before the answer begins.
    assert re.search(rb"\r\x1b\[K-: GraphDef, binary", terminal.before)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.parametrize(("args", "term"), [
    ("-q", "xterm"), ("--quiet", "xterm"), ("2>/dev/null", "xterm"),
    ("", "dumb"), ("", "")])
def test_there_is_no_progress_when_it_is_not_wanted(folder, args, term):
    """Nor on a terminal whose line cannot be cleared again."""
    terminal = slow_pipe(1.5, args, term)
    terminal.expect(pexpect.EOF)
    assert b"\x1b" not in terminal.before
    assert terminal.before.startswith(b"-: GraphDef, binary")
    terminal.close()
    assert terminal.exitstatus == 0


def test_there_is_no_progress_when_it_is_quick(folder):
    path = os.fspath(folder / "graph.pb")
    shown = on_screen("info", "--color", "never", path)
    assert shown.startswith(f"{path}: GraphDef, binary")
    assert "\x1b" not in shown


def test_no_progress_goes_to_a_file(folder):
    done = subprocess.run(
        ["bash", "-c", '"$1" -c "$2" 1.5 | "$3" info -', "bash",
         sys.executable, FEED, TFPROF], capture_output=True, check=False,
        timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")


def test_progress_of_a_file_is_in_percent(tmp_path):
    """A file is slow enough when the program is stopped for a while."""
    path = tmp_path / "graph.pb"
    path.write_bytes(graph(20000, 1500))
    for attempt in range(20):
        terminal = pexpect.spawn(TFPROF, ["info", os.fspath(path)],
                                 timeout=PATIENCE,
                                 dimensions=(24, 80), env=environment())
        # Somewhere in the middle, on a quick machine and on a slow one.
        time.sleep(0.004 * (attempt + 1))
        os.kill(terminal.pid, signal.SIGSTOP)
        time.sleep(1.1)
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 0
        shown = re.findall(rb"\r\x1b\[K\S+ +(\d+)% of 30 MB", terminal.before)
        if shown:
            assert all(0 <= int(percent) <= 100 for percent in shown)
            return
    pytest.fail("no progress was ever shown")
