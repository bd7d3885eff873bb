"""`tfprof tui` in a terminal that can be looked at."""

import os
import pathlib
import platform
import time

import pexpect

from program import TFPROF
from screens import environment
from surroundings import PATIENCE
from xterm import Stream, Window

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
HOME, END, PAGE_UP, PAGE_DOWN = "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~"
ENTER, ESCAPE, CTRL_C, CTRL_Z = "\r", "\x1b", "\x03", "\x1a"
CTRL_S = "\x13"

WRITE = "1" if platform.machine() == "x86_64" else "64"  # the system call


class Tree:
    """A tree in a window; closed at the end of a `with`."""

    def __init__(self, *args, rows=24, columns=80, program=TFPROF, first="tui",
                 cwd=None, **values):
        words = [first, *args] if first else list(args)
        self.screen = Window(columns, rows)
        self.stream = Stream(self.screen)
        self.sent = b""  # all that the program wrote
        self.child = pexpect.spawn(
            program, [os.fspath(word) for word in words],
            env=environment(**values), timeout=PATIENCE, cwd=cwd,
            dimensions=(rows, columns), maxread=1 << 16)
        self.child.delaybeforesend = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.child.close(force=True)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines())

    def press(self, *keys):
        for key in keys:
            self.child.send(key)

    def resize(self, rows, columns):
        self.child.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def take(self, seconds):
        """Draws what comes within that time; False if nothing does."""
        try:
            data = self.child.read_nonblocking(1 << 16, seconds)
        except pexpect.TIMEOUT:
            return False
        self.sent += data
        self.stream.feed(data)
        return True

    def wait(self, seen, seconds=PATIENCE):
        """Until the window has the text, or what a function looks for."""
        until = time.monotonic() + seconds
        while not (seen() if callable(seen) else seen in self.text()):
            assert time.monotonic() < until, self.text()
            self.take(0.1)

    def settle(self, quiet=0.4):
        while self.take(quiet):
            pass

    def call(self):
        """The number of the system call that the program sleeps in."""
        path = pathlib.Path(f"/proc/{self.child.pid}/syscall")
        return path.read_text().split()[0]

    def hold(self, key):
        """Presses a key while the terminal takes no text: the program stands
        still where it first draws. Ctrl-C lets it go on."""
        while self.take(0.1) or self.call() in ("running", "-1", WRITE):
            pass  # until it waits for a key
        self.press(CTRL_S, key)
        while self.call() != WRITE:
            time.sleep(0.01)

    def end(self):
        """Draws until the end; the exit code, or minus the signal."""
        try:
            while True:
                self.take(PATIENCE)
        except pexpect.EOF:
            pass
        self.child.close()
        return (self.child.exitstatus if self.child.signalstatus is None
                else -self.child.signalstatus)

    def quit(self):
        self.press("q")
        assert self.end() == 0
