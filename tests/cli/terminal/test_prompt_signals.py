"""What happens to the prompt in a terminal: Ctrl-C, Ctrl-Z, a resized window,
a terminal that goes away; while typing and while a query runs.
"""

# labels: slow

import os
import pathlib
import resource
import signal
import termios

import pytest

import program
from prompting import (CTRL_C, CTRL_D, CTRL_Z, GRAPH, TAB, Terminal, home,
                       long_chain, once, opened, shown,
                       terminal, wait_until)


def flags(session):
    """What the terminal does by itself with what is typed."""
    local = termios.tcgetattr(session.child.child_fd)[3]
    return {name for name in ("ICANON", "ECHO", "ISIG")
            if local & getattr(termios, name)}


COOKED = {"ICANON", "ECHO", "ISIG"}


# ---- OP-05: Ctrl-C -----------------------------------------------------------

def test_OP_05_at_the_prompt_it_begins_a_new_line(terminal):
    session = terminal()
    session.press("no_such_command")
    session.expect("no_such_command")
    session.press(CTRL_C)
    assert "unknown" not in session.wait_prompt()
    assert session.ask("scope -max_depth 1") == once("scope", "-max_depth", "1")
    session.quit()


def start_query(session, target):
    """A query that takes very long; it runs when this returns."""
    session.press("graph -max_depth 1000000 -output file:outfile="
                  f"{target}\r")


def test_OP_05_a_query_is_cancelled_and_the_session_kept(terminal, long_chain):
    session = terminal("--graph_path", long_chain)
    for _ in range(3):
        start_query(session, "/dev/null")
        wait_until(lambda: opened(session.child.pid, "/dev/null"), "a query")
        session.press(CTRL_C)
        assert "canceled" in session.wait_prompt()
        assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def test_OP_05_a_cancelled_output_leaves_its_target(terminal, long_chain,
                                                    tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "target"
    target.write_text("old")
    session = terminal("--graph_path", long_chain,
                       limits=[(resource.RLIMIT_FSIZE, 4 << 30)])
    start_query(session, target)
    wait_until(lambda: len(list(folder.iterdir())) > 1, "the temporary")
    session.press(CTRL_C)
    assert "canceled" in session.wait_prompt()
    assert [path.name for path in folder.iterdir()] == ["target"]
    assert target.read_text() == "old"
    session.quit()


def test_OP_05_what_is_printed_can_be_cancelled(terminal, long_chain):
    """The terminal is not read, so the program waits in the middle."""
    session = terminal("--graph_path", long_chain, columns=80)
    session.press("scope -max_depth 2\r")
    session.expect("n100 (")
    session.press(CTRL_C)
    assert "canceled" in session.wait_prompt()
    assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def test_OP_05_what_was_typed_ahead_is_void(terminal, long_chain):
    session = terminal("--graph_path", long_chain)
    session.press("graph -max_depth 1000000 -output file:outfile=/dev/null\r"
                  "no_such_command\rno_such_command\r")
    wait_until(lambda: opened(session.child.pid, "/dev/null"), "a query")
    session.press(CTRL_C)
    assert "canceled" in session.wait_prompt()
    assert "unknown command" not in session.ask("op -max_depth 1")
    session.quit()


def test_OP_05_twice_during_a_query_ends_at_once(terminal, long_chain,
                                                 tmp_path):
    """The query waits for somebody to read a FIFO, and does not look up."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    session = terminal("--graph_path", long_chain)
    start_query(session, fifo)
    wait_until(lambda: opened(session.child.pid, fifo), "a query")

    def has_ended():
        session.press(CTRL_C)
        return not session.child.isalive()
    wait_until(has_ended, "the end")
    assert flags(session) == COOKED
    assert session.end() == 130
    os.close(reader)


def test_OP_05_twice_at_the_prompt_leaves(terminal):
    """Within a second of each other; between the tests of a busy machine it
    may take some more."""
    session = terminal()

    def has_ended():
        session.press(CTRL_C + CTRL_C)
        return not session.child.isalive()
    wait_until(has_ended, "the end")
    assert flags(session) == COOKED
    assert session.end() == 130


# ---- OP-07: other signals ----------------------------------------------------

@pytest.fixture
def shell(home):
    """A shell with job control."""
    with Terminal("--norc", "--noprofile", "-i", home=home, program="bash",
                  PS1="shell> ", HISTFILE="",
                  TFPROF_FORMAT="text") as bash:
        bash.expect("shell> ")
        yield bash


def run_in(shell, line):
    """What a line prints in the shell."""
    shell.press(line + "\r")
    shell.expect("\r\n")
    return shown(shell.expect("shell> ")).strip()


def test_OP_07_ctrl_z_and_fg_while_typing(shell):
    before = run_in(shell, "stty -a")
    shell.press(f"{program.TFPROF} {GRAPH}\r")
    shell.wait_prompt()
    shell.press("scope -max_")
    shell.expect("scope -max_")
    shell.press(CTRL_Z)
    shell.expect("Stopped")
    shell.expect("shell> ")
    assert run_in(shell, "stty -a") == before
    shell.press("fg\r")
    shell.wait_prompt()
    shell.press("depth 1\r")
    assert "_TFProfRoot (--/6 params)" in shell.wait_prompt()
    shell.press(CTRL_D)
    shell.expect("shell> ")
    assert run_in(shell, "echo code $?") == "code 0"
    assert run_in(shell, "stty -a") == before


def test_OP_07_ctrl_z_and_fg_during_a_query(shell, long_chain):
    before = run_in(shell, "stty -a")
    shell.press(f"{program.TFPROF} --graph_path={long_chain}\r")
    shell.wait_prompt()
    start_query(shell, "/dev/null")
    shell.expect("/dev/null\r\n")
    shell.press(CTRL_Z)
    shell.expect("Stopped")
    shell.expect("shell> ")
    assert run_in(shell, "stty -a") == before
    shell.press("fg\r")
    shell.expect("tfprof")  # the shell says what it continues
    shell.press(CTRL_C)
    shell.expect("canceled")
    shell.wait_prompt()
    shell.press("op -max_depth 1\r")
    shell.expect("NoOp")
    shell.wait_prompt()
    shell.press(CTRL_D)
    shell.expect("shell> ")
    assert run_in(shell, "stty -a") == before


def test_OP_07_stopped_by_somebody_else_and_continued(terminal):
    """Whoever was in the terminal meanwhile has left it as it was."""
    session = terminal()
    pid = session.child.pid
    session.press("scope -max_")
    session.expect("scope -max_")
    raw = flags(session)
    assert "ICANON" not in raw
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: stopped(pid), "stopping")
    attributes = termios.tcgetattr(session.child.child_fd)
    attributes[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(session.child.child_fd, termios.TCSANOW, attributes)
    os.kill(pid, signal.SIGCONT)
    wait_until(lambda: flags(session) == raw, "the keys again")
    session.press("depth 1\r")
    session.expect("_TFProfRoot")
    session.wait_prompt()
    session.quit()


def stopped(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[
        1].split()[0] == "T"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM,
                                    signal.SIGQUIT])
def test_OP_07_a_signal_that_ends_all_at_the_prompt(number, terminal):
    session = terminal(limits=[(resource.RLIMIT_CORE, 0)])
    session.press("scope -max_")
    session.expect("-max_")
    os.kill(session.child.pid, number)
    wait_until(lambda: flags(session) == COOKED, "the terminal")
    assert session.end() == -number


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_OP_07_a_signal_that_ends_all_during_a_query(number, terminal,
                                                     long_chain, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    session = terminal("--graph_path", long_chain,
                       limits=[(resource.RLIMIT_FSIZE, 4 << 30)])
    start_query(session, folder / "target")
    wait_until(lambda: list(folder.iterdir()), "a query")
    os.kill(session.child.pid, number)
    assert session.end() == -number
    assert list(folder.iterdir()) == []


def test_OP_07_the_window_is_resized(terminal):
    """While typing, and while a query runs: the list of choices is as wide as
    the window."""
    session = terminal(columns=80)
    session.press("set -min_" + TAB)
    wide = shown(session.wait_prompt()).split("\r\n")
    session.child.setwinsize(24, 30)
    session.wait_prompt()  # the line is drawn again
    session.press(CTRL_C)
    session.wait_prompt()
    session.press("set -min_" + TAB)
    narrow = shown(session.wait_prompt()).split("\r\n")
    session.press(CTRL_C)
    session.wait_prompt()
    assert max(map(len, wide)) > 30
    assert max(map(len, narrow)) <= 30
    session.child.setwinsize(50, 200)
    session.wait_prompt()
    assert session.ask("op -max_depth 1").startswith("node name")
    session.quit()
