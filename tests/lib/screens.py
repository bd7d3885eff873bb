"""What a terminal shows of one command."""

import os
import re
import unicodedata

import pexpect

from program import TFPROF
from surroundings import PATIENCE

COLOR = re.compile(r"\x1b\[[0-9;]*m")
BLOCKS = " ▏▎▍▌▋▊▉█"  # by eighths
BAR = f"[{BLOCKS}]{{8}} "


def environment(**values):
    """Of a terminal that can show everything, with these changes; None takes a
    variable away."""
    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **values}
    return {k: v for k, v in env.items() if v is not None}


def on_screen(*args, columns=80, code=0, cwd=None, **values):
    """All that a command writes to a window, as lines with the codes of its
    colours. It must end with that code."""
    child = pexpect.spawn(TFPROF, [os.fspath(arg) for arg in args],
                          env=environment(**values), timeout=PATIENCE,
                          dimensions=(24, columns), maxread=1 << 16,
                          cwd=cwd)
    child.expect(pexpect.EOF)
    text = child.before.decode().replace("\r\n", "\n")
    child.close()
    assert child.exitstatus == code, text
    return text


def plain(text):
    return COLOR.sub("", text)


def without_bars(text):
    """Of text in which every line that is not empty has one, or a blank in
    its place."""
    lines = plain(text).splitlines(keepends=True)
    assert all(line == "\n" or re.match(BAR, line) for line in lines), text
    return "".join(line if line == "\n" else line[9:] for line in lines)


def columns_of(line):
    """Columns of a line that has no codes."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me") else
               2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def widest(text):
    return max(columns_of(line) for line in plain(text).splitlines())
