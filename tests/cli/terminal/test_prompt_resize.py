"""TT-01, terminal resize: no size of the window, no change of it and no key
harms a line that is being typed, and the window shows the line as it is.

20 random sessions are the same in every run; TFPROF_SLOW=1 takes 500, and
TFPROF_TEST_SEED gives others.
"""

# labels: slow

import signal
import subprocess
import sys
import time

import pexpect
import pytest

import program
from faults import SLOW
from prompting import (CTRL_C, CTRL_R, PATIENCE, PROMPT, RUNS, TAB, UP,
                       Terminal, home, terminal)
from windows import Window, layout

SESSIONS = 500 if SLOW else 20


def read_some(session):
    """What is there to read; waits for it."""
    return session.child.read_nonblocking(1 << 16, PATIENCE)


def leave(session):
    """Ends a session that is alive, whatever is in its line."""
    session.press("\x15quit\r")
    assert session.end() == 0


# ---- A long line -------------------------------------------------------------

SHRINKS = [
    # rows, columns, characters typed, rows and columns then
    (24, 80, 100, 24, 60),
    (24, 80, 200, 24, 40),
    (24, 80, 400, 12, 40),
    (24, 80, 600, 12, 80),
    (24, 80, 600, 12, 40),
    (24, 80, 900, 10, 80),
    (24, 80, 1000, 10, 40),
    (50, 200, 2200, 24, 80),
    (24, 80, 60, 24, 7),
    (24, 80, 60, 24, 4),
    (24, 80, 500, 5, 80),
    (24, 80, 300, 5, 40),
    (24, 80, 60, 1, 1),
    (24, 80, 3000, 1, 2),
    (5, 20, 300, 65535, 65535),
]


@pytest.mark.parametrize("case", SHRINKS, ids=lambda case: "-".join(
    map(str, case)))
def test_TT_01_a_window_shrinks_below_a_long_line(case, terminal):
    rows, columns, size, new_rows, new_columns = case
    session = terminal(rows=rows, columns=columns)
    session.press("x" * size)
    seen = b""
    while seen.count(b"x") < size:
        seen += read_some(session)
    session.child.setwinsize(new_rows, new_columns)
    session.press("y\x01z\x05w")
    leave(session)


def test_TT_01_a_line_taller_than_its_window_grows(terminal):
    session = terminal(columns=80)
    session.press("x" * 2500 + "\x01")
    session.press("\x05" + "y" * 400 + "\x01\x1b[C\x1b[C")
    leave(session)


def test_TT_01_a_search_for_a_text_longer_than_any_line(terminal):
    session = terminal(columns=80)
    session.ask("help " + "h" * 50)
    session.press("x" * 900 + CTRL_R + "y" * 2000 + "\x07\x15")
    assert "unknown command" in session.ask("z")
    leave(session)


@pytest.mark.parametrize("rows, columns", [(65535, 65535), (0, 0), (1, 65535),
                                           (65535, 1)])
def test_TT_01_a_window_of_any_size(rows, columns, home):
    with Terminal(*RUNS, home=home, rows=rows, columns=columns) as session:
        session.child.expect("t.*f.*p.*r.*o.*f.*>")
        session.press("x" * 300 + "\x01yy\x05zz")
        leave(session)


# ---- What the window shows ---------------------------------------------------

class Typed:
    """A line, as whoever types it thinks of it."""

    def __init__(self):
        self.text, self.cursor = "", 0
        self.bells = 0  # of keys that can do nothing

    def insert(self, text):
        self.text = self.text[:self.cursor] + text + self.text[self.cursor:]
        self.cursor += len(text)
        return text

    def remove(self, start, end):
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start

    def draw_key(self, choose):
        """A random key and what it does; what is sent."""
        at, size = self.cursor, len(self.text)
        kind = choose.randrange(12)
        if kind < 4:
            chars = choose.choice(["abc def", "\u65e5\u672c", "x", "\xe9\xdf"])
            return self.insert("".join(
                choose.choice(chars)
                for _ in range(choose.choice([1, 1, 3, 30, 90]))))
        if kind == 4:
            self.cursor = 0
            return "\x01"
        if kind == 5:
            self.cursor = size
            return "\x05"
        if kind == 6:
            self.cursor = max(0, at - 1)
            self.bells += at == 0
            return "\x1b[D"
        if kind == 7:
            self.cursor = min(size, at + 1)
            self.bells += at == size
            return "\x1b[C"
        if kind == 8:
            self.remove(max(0, at - 1), at)
            self.bells += at == 0
            return "\x7f"
        if kind == 9 and size > 0:
            count = choose.randrange(size)
            self.cursor = max(0, at - count)
            self.bells += max(0, count - at)
            return "\x02" * count
        if kind == 10 and choose.random() < .3:
            self.remove(at, size)
            self.bells += at == size
            return "\x0b"
        if at < size:
            self.remove(at, at + 1)
            return "\x1b[3~"
        return ""


def differs(window, typed):
    """What is wrong with the window, or None."""
    rows, places = layout(PROMPT + typed.text, window.columns)
    row, column = places[len(PROMPT) + typed.cursor]
    first = window.row - row  # the row of the prompt, or above the window
    if window.column != column:
        return f"column {window.column} instead of {column}"
    for at, text in enumerate(window.text()):
        want = rows[at - first] if 0 <= at - first < len(rows) else ""
        if at >= max(0, first) and text != want:
            return f"row {at}: {text!r} instead of {want!r}"
    return None


def wait_for(session, window, typed, moves):
    """Until the window shows the line. The last key rings the bell, and only
    the drawing follows."""
    while window.bells < typed.bells or differs(window, typed):
        try:
            window.feed(read_some(session))
        except pexpect.TIMEOUT:
            raise AssertionError((differs(window, typed), moves)) from None


SIZES = [(24, 80), (10, 40), (6, 20), (3, 12), (40, 132), (2, 9), (5, 7),
         (1, 30), (12, 2)]


@pytest.mark.parametrize("number", range(4 * SESSIONS // 20))
def test_TT_01_the_window_shows_the_line(number, terminal):
    choose = program.chooser(f"window {number}")
    size = choose.choice(SIZES[:4])
    session = terminal(rows=size[0], columns=size[1])
    window, typed, moves = Window(*size), Typed(), []
    window.feed(PROMPT.encode())
    for _ in range(40):
        keys = [typed.draw_key(choose)
                for _ in range(choose.choice([1, 1, 1, 5]))]
        moves.append(keys)
        typed.bells += 1
        session.press("".join(keys) + "\x07")
        wait_for(session, window, typed, moves)
        assert window.bells == typed.bells
        if choose.random() < .25:
            size = choose.choice(SIZES)
            moves.append(size)
            window.resize(*size)
            session.child.setwinsize(*size)
            wait_for(session, window, typed, moves)
    leave(session)


# ---- Random keys -------------------------------------------------------------

WORDS = ["scope ", "graph ", "op ", "set ", "reset", "help ", "info", "advise ",
         "flops ", "-max_depth ", "3", "-select ", "micros", ",params",
         "-show_name_regexes ", "l", "-output ", "timeline:outfile=/dev/null",
         "-format json", "'", '"', "\\", "-q", "-width 1", "-width 100000",
         "(", "[", "zzz " * 60]
KEYS = [TAB, TAB + TAB, "\r", "\r", "\x01", "\x05", "\x0b", "\x15", "\x17",
        "\x19", CTRL_R, "\x07", UP, "\x1b[B", "\x1b[C", "\x1b[D", "\x1bb",
        "\x1bf", "\x1bd", "\x1bu", "\x1b\x7f", "\x1b", "\x08", "\x7f", "\x14",
        "\x10", "\x0e", "\x0c", "\x16", CTRL_C, "\xe9", "\u65e5\u672c",
        b"\xff", "\x00", "\x1f", "\x18\x18", "\x1b[200~paste\x1b[201~",
        "\x1b[1;5C", "\x1b[3~", "\x1bOH", "\x85", " "]


@pytest.mark.parametrize("number", range(SESSIONS))
def test_TT_01_random_keys_and_sizes(number, home, tmp_path):
    choose = program.chooser(f"keys {number}")
    sizes = [(rows, columns) for rows in (0, 1, 2, 3, 24, 50, 65535)
             for columns in (0, 1, 2, 7, 10, 80, 200, 65535)]
    rows, columns = choose.choice(sizes)
    with Terminal(*RUNS, home=home, rows=rows, columns=columns, look=(),
                  term=choose.choice(["xterm", "xterm", "vt100", "nonsense"]),
                  LC_ALL=choose.choice(["C", "C.UTF-8", "C.UTF-8"]),
                  pager=choose.choice(["", "cat", "head -1", "no_such"]),
                  cwd=tmp_path) as session:
        seen, code = play(session, choose, sizes)
    assert code in (0, 130), seen[-2000:]
    assert "Sanitizer" not in seen and "runtime error" not in seen, seen


def play(session, choose, sizes):
    """What a session of random keys shows, and its exit code."""
    seen = session.child.read_nonblocking(1 << 16, PATIENCE)
    try:
        for _ in range(choose.randrange(20, 90)):
            session.child.send(choose.choice(
                WORDS if choose.random() < .5 else KEYS))
            if choose.random() < .2:
                session.child.setwinsize(*choose.choice(sizes))
            seen += read_now(session)
        until = time.monotonic() + PATIENCE
        while session.child.isalive() and time.monotonic() < until:
            session.child.send(choose.choice(["\x15quit\r", "\rquit\r",
                                              "\x15\x04"]))
            seen += read_now(session, 0.05)
    except (pexpect.EOF, OSError):
        pass
    return seen.decode(errors="replace"), session.end()


def read_now(session, wait=0.01):
    try:
        return session.child.read_nonblocking(1 << 16, wait)
    except pexpect.TIMEOUT:
        return b""


# ---- A shell's "&" -----------------------------------------------------------

def test_TT_01_signals_that_a_shell_ignored_are_as_usual():
    """Tests in the background get SIGINT and SIGQUIT ignored; programs that
    they start must not."""
    code = ("import signal, subprocess, sys, surroundings\n"
            "surroundings.forget()\n"
            "subprocess.run([sys.executable, '-c', 'import signal; "
            "print(*(signal.getsignal(n).name for n in "
            "(signal.SIGQUIT, signal.SIGHUP)), "
            "signal.getsignal(signal.SIGINT).__name__)'], check=True)")
    ignored = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True,
        cwd=program.SOURCE_DIR / "tests" / "lib", text=True,
        preexec_fn=lambda: [signal.signal(n, signal.SIG_IGN)
                            for n in ignored])
    assert done.stdout == "SIG_DFL SIG_DFL default_int_handler\n"
