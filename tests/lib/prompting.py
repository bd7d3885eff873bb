"""The prompt under test: fed from a pipe, or typed at in a terminal."""

import os
import pathlib
import re
import resource
import shutil
import time

import pexpect
import pytest

import program
import upstream
from faults import run
from program import DATA_DIR, TFPROF
from surroundings import PATIENCE
from linear import chain

PROMPT = "tfprof> "

GRAPH = DATA_DIR / "graph.pb"
RUNS = [GRAPH, DATA_DIR / "run_meta", DATA_DIR / "op_log"]
CTRL_C, CTRL_D, CTRL_R, CTRL_Z, TAB, UP = ("\x03", "\x04", "\x12", "\x1a",
                                           "\t", "\x1b[A")


def once(*words, inputs=RUNS):
    """What the command line answers to one question."""
    done = program.run(words[0], *inputs, *words[1:])
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def resnet():
    """The arguments that name a model of a few thousand nodes."""
    return [f"--graph_path={upstream.input_path('resnet.pb')}",
            f"--op_log_path={upstream.input_path('resnet_oplog')}"]


# ---- A pipe ------------------------------------------------------------------

def feed(lines, *args, **kwargs):
    """(exit code, stdout, stderr) of a session that is fed from a pipe."""
    data = lines if isinstance(lines, bytes) else "".join(
        f"{line}\n" for line in lines).encode()
    return run(*args, data=data, **kwargs)


def answers(lines, *args):
    """The output of a session in which nothing fails and nothing is noted."""
    code, out, err = feed(lines, *args)
    assert (code, err) == (0, b""), err.decode()
    return out.decode()


# ---- A terminal --------------------------------------------------------------

# What makes answers on a terminal the same as in a file.
PLAIN = ("--color", "never", "--width", "0", "--format", "text")


class Terminal:
    """A session in a terminal of its own; closed at the end of a `with`."""

    def __init__(self, *args, home, term="xterm", rows=24, columns=1000,
                 pager="", limits=(), cwd=None, program=TFPROF, look=PLAIN,
                 **environment):
        if program == TFPROF:
            args = (*look, *args)
        env = {**os.environ, "XDG_STATE_HOME": os.fspath(home),
               "PAGER": pager, "LC_ALL": "C.UTF-8", **environment}
        if term is not None:
            env.setdefault("TERM", term)

        def set_limits():
            for what, value in limits:
                resource.setrlimit(what, (value, value))
        self.child = pexpect.spawn(
            os.path.abspath(shutil.which(program) or program),
            [os.fspath(arg) for arg in args], env=env, timeout=PATIENCE,
            dimensions=(rows, columns), cwd=cwd,
            preexec_fn=set_limits if limits else None,
            maxread=1 << 16)
        self.child.delaybeforesend = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.child.close(force=True)

    def wait_prompt(self):
        """What came before the next prompt."""
        self.child.expect_exact(PROMPT)
        return self.child.before.decode(errors="replace")

    def ask(self, line):
        """The answer to a line, as a file would have it."""
        self.child.send(line + "\r")
        text = self.wait_prompt().replace("\r\n", "\n")
        echo, _, answer = text.partition("\n")
        assert line[-20:] in echo or not line, (line, echo)
        return answer

    def press(self, keys):
        self.child.send(keys)

    def expect(self, text):
        self.child.expect_exact(text)
        return self.child.before.decode(errors="replace")

    def end(self):
        """Waits for the end; the exit code, or minus the signal."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return (self.child.exitstatus if self.child.signalstatus is None
                else -self.child.signalstatus)

    def quit(self):
        self.press("\x04")
        assert self.end() == 0


def wait_until(true, what):
    """Waits for something that can only be looked at."""
    for _ in range(PATIENCE * 20):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError(f"{what}: not in {PATIENCE} s")


def opened(pid, path):
    """Has the process opened that file, besides its standard streams?"""
    folder = pathlib.Path(f"/proc/{pid}/fd")
    try:
        return any(int(entry.name) > 2 and
                   os.readlink(entry) == os.fspath(path)
                   for entry in folder.iterdir())
    except OSError:
        return False


def shown(text):
    """What a terminal would show of it: without escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07", "", text)


@pytest.fixture
def home(tmp_path):
    """Where the history is kept."""
    return tmp_path / "state"


@pytest.fixture
def terminal(home):
    """terminal(...) is a session at its first prompt."""
    sessions = []

    def begin(*args, **kwargs):
        sessions.append(Terminal(*(args or RUNS), **{"home": home, **kwargs}))
        sessions[-1].wait_prompt()
        return sessions[-1]
    yield begin
    for session in sessions:
        session.child.close(force=True)


@pytest.fixture(scope="module")
def long_chain(tmp_path_factory):
    """Each level of its graph view is indented a little more: all of them
    would be 40 GB."""
    path = tmp_path_factory.mktemp("chain") / "graph"
    path.write_bytes(b"".join(chain(200_000)))
    return path
