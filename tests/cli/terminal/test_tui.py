"""`tfprof tui`: its screens, keys and words, and the terminal after it.

The screens in tests/data/tui are what a window of that size shows.
TFPROF_UPDATE=1 writes them anew; look at the difference.
"""

# labels: both

import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

import pytest

import program
from faults import SANITIZED, SLOW
from messages import (CODE, CPU, Folder, entry, frame, node_def, record, run_of,
                      strings)
from program import DATA_DIR, SOURCE_DIR, TFPROF
from screens import columns_of
from trees import (CTRL_C, CTRL_Z, DOWN, END, ENTER, ESCAPE, HOME, LEFT,
                   PAGE_DOWN, PAGE_UP, RIGHT, UP, Tree)

SCREENS = DATA_DIR / "tui"
UPDATE = os.environ.get("TFPROF_UPDATE") == "1"
SIZES = [(24, 80), (45, 140)]
NODES = 20_000 if SANITIZED else 200_000  # of a large tree
SOON = 60  # seconds; a screen that differs then is wrong
OFF = b"\x1b[?1049l"  # xterm leaves the other screen
CURSOR = b"\x1b[?25h"


def has_tui():
    said = program.run("--version").stdout.decode()
    return "ncursesw" not in said


pytestmark = pytest.mark.skipif(not has_tui(), reason="this program has no tui")


@pytest.fixture(scope="module", name="bert")
def bert_inputs(samples):
    return [samples / "bert" / name
            for name in ("graph.pb", "run_meta_0", "run_meta_1", "op_log")]


@pytest.fixture(scope="module", name="large")
def large_inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    subprocess.run([sys.executable, SOURCE_DIR / "bench" / "gen_large.py",
                    str(NODES), folder, "--no-pbtxt"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "graph.pb", folder / "run_meta"


def check_screen(tree, name):
    path = SCREENS / f"{name}-{tree.screen.columns}x{tree.screen.lines}.txt"
    if UPDATE:
        tree.settle()
        path.parent.mkdir(exist_ok=True)
        path.write_text(tree.text() + "\n")
    want = path.read_text().splitlines()
    until = time.monotonic() + SOON
    while tree.lines() != want and time.monotonic() < until:
        tree.take(0.1)
    assert tree.lines() == want


# ---- Screens -----------------------------------------------------------------

# One after the other, in one session.
STEPS = [
    ("start", ()),
    ("folded", (DOWN, ENTER)),
    ("into", (DOWN, DOWN, RIGHT, RIGHT, RIGHT)),
    ("parent", ("u",)),
    ("rest", (HOME, DOWN, ENTER, *[DOWN] * 14, ENTER)),
    ("page", (HOME, PAGE_DOWN)),
    ("sorted", (HOME, "s")),
    ("found", ("/layer_1", ENTER)),
    ("next", ("n",)),
    ("previous", ("N",)),
    ("details", ("i",)),
    ("op", ("q", "o")),
    ("code", ("c",)),
    ("graph", ("g",)),
    ("step", ("p", "t", "1", ENTER)),
    ("help", ("?",)),
]


@pytest.mark.parametrize("rows, columns", SIZES)
def test_screens_of_a_session(rows, columns, bert):
    with Tree(*bert, rows=rows, columns=columns) as tree:
        for name, keys in STEPS:
            tree.press(*keys)
            check_screen(tree, name)
        tree.press("q")
        tree.wait("Enter fold")
        tree.quit()


def test_first_screen_has_the_rows_of_the_table(bert):
    """Figures and names; the tree has marks before names."""
    printed = program.run("scope", *bert, "--format", "table", "--charset",
                          "utf8", "--width", "80").stdout.decode()
    rows = [re.sub(r"[█▏▎▍▌▋▊▉]+", "", line).split()
            for line in printed.splitlines()[3:12]]
    with Tree(*bert) as tree:
        tree.wait("(total)")
        tree.settle()
        shown = [re.sub(r"[█▏▎▍▌▋▊▉]+", "", line)
                 for line in tree.lines()[2:11]]
    assert [[word for word in line.split() if word not in "+"]
            for line in map(without_mark, shown)] == rows


def without_mark(line):
    """The fold mark is the last word before the name; "-" is a figure, too."""
    return re.sub(r" [-+] (\S.*)$", r" \1", line)


def test_leading_metric_is_the_first_of_select(bert):
    with Tree(*bert, "--select", "params,micros") as tree:
        tree.wait("scope by params")
        tree.wait("time")
        tree.quit()
    with Tree(*bert, "--select", "params,micros",
              "--order_by", "bytes") as tree:
        tree.wait("scope by bytes")
        tree.quit()


def test_s_goes_through_all_metrics_and_returns(bert):
    with Tree(*bert) as tree:
        tree.wait("scope by time")
        seen = ["time"]
        while len(seen) < 20 and (len(seen) == 1 or seen[-1] != "time"):
            before = tree.lines()[0]
            tree.press("s")
            tree.wait(lambda line=before: tree.lines()[0] != line)
            seen.append(re.match(r"scope by ([\w ]+?),", tree.lines()[0])[1])
        tree.quit()
    assert seen[0] == seen[-1] == "time"
    assert {"bytes", "residual", "params", "runs", "queue"} < set(seen)
    assert len(set(seen)) == len(seen) - 1


# ---- Windows -----------------------------------------------------------------

def test_row_without_children_is_neither_folded_nor_entered(bert):
    """Const of Adam is on a level that is unfolded at the start."""
    with Tree(*bert) as tree:
        tree.wait("Enter fold")
        line = next(i for i, text in enumerate(tree.lines())
                    if text.endswith(" Const")) - 1
        tree.press(*[DOWN] * (line - 1))
        tree.wait(f" {line}/")
        tree.press(RIGHT, RIGHT)
        tree.settle()
        assert f" {line}/" in tree.text()
        tree.press(LEFT)
        tree.wait(" 2/")
        tree.quit()


def test_small_window(bert):
    with Tree(*bert, rows=8, columns=20) as tree:
        check_screen(tree, "small")
        tree.press(*[DOWN] * 6)
        tree.wait("7/59")
        check_screen(tree, "small_down")
        tree.press("?")
        tree.wait("Keys")
        tree.press("q", "i")
        tree.wait("Details")
        tree.press("q", "/layer_1", ENTER)
        tree.wait("match")
        tree.quit()


def test_resized_window_is_drawn_again(bert):
    with Tree(*bert) as tree:
        tree.wait("(total)")
        for rows, columns in [(8, 20), (45, 140), (1, 1), (2, 200), (200, 2),
                              (3, 3), (24, 80)]:
            tree.resize(rows, columns)
            tree.settle(0.2)
            tree.press(DOWN, UP)
        check_screen(tree, "start")
        tree.press("?")
        tree.wait("Keys")
        tree.resize(10, 50)
        tree.wait(lambda: "Down scrolls" in tree.lines()[-1])
        tree.press("q")
        tree.wait(lambda: "(total)" in tree.text())
        tree.quit()


@pytest.mark.parametrize("rows, columns", [(65535, 65535), (0, 0), (1, 1)])
def test_window_of_any_size(rows, columns, bert):
    with Tree(*bert, rows=min(rows, 500) or 1, columns=min(columns, 500) or 1
              ) as tree:
        tree.child.setwinsize(rows, columns)
        tree.settle()
        tree.press(DOWN, "?", "q", "i", "q", "s", PAGE_DOWN, PAGE_UP)
        tree.settle()
        tree.quit()


def test_wide_window_has_a_head(bert):
    with Tree(*bert, rows=10, columns=600) as tree:
        tree.wait("scope by time")
        tree.quit()


KEYS = [UP, DOWN, RIGHT, LEFT, HOME, END, PAGE_UP, PAGE_DOWN, ENTER, "s", "n",
        "N", "u", "g", "o", "c", "p", "i", "?", "/a" + ENTER, "/" + ENTER,
        "/zz\x7f\x15b" + ENTER, "t1" + ENTER, "t" + ENTER, "w" + ESCAPE, "O",
        "\x0c", "x", "\x00", b"\xff", "\u65e5", "\x1b[99~", "j", "k", " "]


@pytest.mark.parametrize("number", range(6 if SLOW else 4 if SANITIZED else 2))
def test_random_keys_and_sizes(number, bert, tmp_path):
    choose = program.chooser(f"tree {number}")
    with Tree(*bert, cwd=tmp_path, EDITOR="true",
              LC_ALL=["C", "C.UTF-8"][number % 2],
              TERM=["xterm", "vt100", "linux"][number % 3]) as tree:
        tree.wait("(total)")
        for _ in range(80):
            tree.press(choose.choice(KEYS))
            if choose.random() < .15:
                tree.resize(choose.choice([1, 2, 4, 8, 24, 60]),
                            choose.choice([1, 2, 5, 20, 59, 80, 200]))
            tree.take(0.01)
        tree.press(ESCAPE)
        tree.settle()
        tree.press("\x15", ESCAPE)
        tree.settle()
        tree.press(CTRL_C)
        assert tree.end() == 130, tree.text()
    assert b"Sanitizer" not in tree.sent and b"runtime error" not in tree.sent


# ---- Names -------------------------------------------------------------------

HOSTILE = [b"\x1b]0;title\x07", b"\x1b[2J", "a\u202eb".encode(), b"\xff\xfe",
           b"\x9b2J", b"a\r\b\n", "\u200b".encode()]


@pytest.fixture(name="named")
def hostile_names(tmp_path):
    names = [*HOSTILE, "\u65e5\u672c\u8a9e".encode() * 20, "e\u0301".encode(),
             b"--help", b"wide/" + "\u65e5".encode()]
    return Folder(
        tmp_path, graph=b"".join(node_def(name, b"VariableV2",
                                          shape=[len(names) - i, 2])
                                 for i, name in enumerate(names)))


def test_hostile_names_are_escaped(named):
    with Tree(*named.args) as tree:
        tree.wait(r"\x1b]0;title\x07")
        tree.settle()
        text = tree.text()
        for seen in (r"\x1b[2J", r"a\xe2\x80\xaeb", r"a\x0d\x08\x0a", "--help",
                     "\u65e5\u672c\u8a9e"):
            assert seen in text, text
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", text)
        assert all(columns_of(line) <= 80 for line in tree.lines())
        tree.press(*[DOWN] * 2, "i")
        tree.wait("Details")
        assert r"\x1b" in tree.text()
        tree.press("q")
        tree.quit()
    assert b"title\x07" not in tree.sent


def test_other_characters_are_escaped_without_utf8(named):
    with Tree(*named.args, LC_ALL="C") as tree:
        tree.wait("(total)")
        tree.settle()
        assert tree.text().isascii()
        assert r"\xe6\x97\xa5" in tree.text()
        tree.quit()


def test_no_color_is_obeyed(bert):
    with Tree(*bert) as tree:
        tree.wait("(total)")
        tree.quit()
    assert b"\x1b[36m" in tree.sent
    for words, values in [((), {"NO_COLOR": "1"}), (("--color", "never"), {})]:
        with Tree(*bert, *words, **values) as tree:
            tree.wait("(total)")
            tree.quit()
        assert b"\x1b[36m" not in tree.sent


# ---- Searching ---------------------------------------------------------------

def test_search_finds_folded_rows_and_counts_them(bert):
    with Tree(*bert) as tree:
        tree.press(HOME, ENTER)
        tree.wait("1/1")
        tree.press("/query/kernel", ENTER)
        tree.wait("match 1 of ")
        count = int(re.search(r"match 1 of (\d+)", tree.text())[1])
        assert count > 1
        for number in range(2, count + 1):
            tree.press("n")
            tree.wait(f"match {number} of {count}")
            assert re.search("kernel|query", tree.text())
        tree.press("n")
        tree.wait(f"match 1 of {count}")
        tree.press("N")
        tree.wait(f"match {count} of {count}")
        tree.press("s")
        tree.wait("scope by params")
        tree.press("n")
        tree.wait("match ")
        tree.press("/NOSUCH", ENTER)
        tree.wait("no match for NOSUCH")
        tree.quit()


# ---- Files and programs ------------------------------------------------------

def test_view_is_written_to_files(bert, tmp_path):
    with Tree(*bert, cwd=tmp_path) as tree:
        tree.wait("(total)")
        for name in ("a.json", "b,c.csv", "d.txt"):
            tree.press("w", name, ENTER)
            tree.wait(f"wrote {name}")
        tree.press("w", "a.json", ENTER)
        tree.wait("a.json exists")
        tree.press("n")
        tree.wait("Enter fold")
        tree.press("w", "a.doc", ENTER)
        tree.wait("must end in .csv, .json or .txt")
        tree.press("w", "no/such.txt", ENTER)
        tree.wait("no/such.txt")
        tree.press("s", "o", "w", "ops.txt", ENTER)
        tree.wait("wrote ops.txt")
        tree.quit()
    for form, name in [("json", "a.json"), ("csv", "b,c.csv"),
                       ("table", "d.txt")]:
        want = program.run("scope", *bert, "--format", form, "--order_by",
                           "micros").stdout
        assert (tmp_path / name).read_bytes() == want
    assert json.loads((tmp_path / "a.json").read_text())
    assert "op by params" in (tmp_path / "ops.txt").read_text()


@pytest.fixture(name="coded", params=["-", "+"])
def one_source_line(tmp_path, request):
    """A model whose only line is in a file with a name to be careful with."""
    source = tmp_path / f"{request.param}m $(touch x);.py"
    source.write_text("one\ntwo\n")
    (tmp_path / "model").mkdir()
    return Folder(
        tmp_path / "model", graph=node_def(b"n"),
        run=run_of((CPU, record(b"n"))),
        log=entry(b"n", frame(1, 2)) + strings(
            {**CODE, 1: source.name.encode()}))


def test_editor_opens_file_and_line(coded, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done '
                      f'>{tmp_path}/words; stty -a >{tmp_path}/stty\n')
    editor.chmod(0o755)
    with Tree(*coded.args, cwd=tmp_path, EDITOR=f"{editor} -x") as tree:
        tree.wait("(total)")
        tree.press("O")
        tree.wait("this view has no source lines")
        tree.press("c")
        tree.wait("code by")
        tree.press(DOWN, "O")
        tree.wait(lambda: (tmp_path / "stty").exists())
        tree.settle()
        tree.wait("(total)")
        tree.press("i")
        tree.wait("file")
        tree.press("q")
        tree.quit()
    source, = tmp_path.glob("*;.py")
    assert (tmp_path / "words").read_text() == f"-x\n+2\n./{source.name}\n"
    assert re.search(r"(?<!-)icanon", (tmp_path / "stty").read_text())
    assert not (tmp_path / "x").exists()


def test_editor_that_cannot_be_run_is_named(coded, tmp_path):
    with Tree(*coded.args, cwd=tmp_path, EDITOR="no_such_editor") as tree:
        tree.press("c")
        tree.wait("code by")
        tree.press(DOWN, "O")
        tree.wait("cannot run the editor 'no_such_editor' (set EDITOR")
        tree.press(HOME)
        next(tmp_path.glob("*;.py")).unlink()
        tree.press(DOWN, "O")
        tree.wait("cannot open: No such file or directory")
        tree.quit()


# ---- The terminal afterwards -------------------------------------------------

class Shell(Tree):
    """A shell that runs the tree, and notes how the terminal was before it
    and how it is afterwards."""

    def __init__(self, *args, folder):
        self.folder = folder
        words = " ".join(f"'{os.fspath(arg)}'" for arg in args)
        super().__init__(
            "-c", f"trap : INT TSTP; stty -a >{folder}/before; '{TFPROF}' tui "
            f"{words}; echo \"code $?\"; stty -a >{folder}/after",
            program="/bin/sh", first=None)

    def pid(self):
        """Of the program."""
        shell = self.child.pid
        path = pathlib.Path(f"/proc/{shell}/task/{shell}/children")
        return int(path.read_text().split()[-1])

    def check_restored(self):
        """And the code that the program ended with."""
        self.end()
        assert ((self.folder / "before").read_text()
                == (self.folder / "after").read_text())
        assert OFF in self.sent and CURSOR in self.sent
        return int(re.search(rb"code (\d+)", self.sent)[1])


def test_q_restores_the_terminal(bert, tmp_path):
    with Shell(*bert, folder=tmp_path) as tree:
        tree.wait("(total)")
        tree.press("q")
        assert tree.check_restored() == 0


def test_ctrl_c_restores_the_terminal(bert, tmp_path):
    with Shell(*bert, folder=tmp_path) as tree:
        tree.wait("(total)")
        tree.press(CTRL_C)
        assert tree.check_restored() == 130


@pytest.mark.parametrize("number, code", [
    (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)])
def test_signals_restore_the_terminal(number, code, bert, tmp_path):
    with Shell(*bert, folder=tmp_path) as tree:
        tree.wait("(total)")
        tree.press("?")
        tree.wait("Keys")
        os.kill(tree.pid(), number)
        assert tree.check_restored() == code


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT,
                                    signal.SIGBUS, signal.SIGFPE])
def test_crash_restores_the_terminal(number, bert, tmp_path):
    with Shell(*bert, folder=tmp_path) as tree:
        tree.wait("(total)")
        assert OFF not in tree.sent
        os.kill(tree.pid(), number)
        # Sanitizers have handlers of their own, which exit.
        assert tree.check_restored() in (128 + number, 1)


def test_ctrl_z_stops_and_fg_continues(bert):
    with Tree("--norc", "-i", program="/bin/bash", first=None, PS1="ready> ",
              cwd=SOURCE_DIR) as tree:
        tree.wait("ready>")
        words = " ".join(f"'{arg}'" for arg in bert)
        tree.press(f"'{TFPROF}' tui {words}\r")
        tree.wait("Enter fold")
        tree.press(CTRL_Z)
        tree.wait("Stopped")
        tree.press("fg\r")
        tree.wait("Enter fold")
        tree.press(DOWN)
        tree.wait("2/59")
        tree.press("q")
        tree.wait("ready>")


def test_tree_stopped_by_another_program_is_drawn_again(bert):
    with Tree(*bert) as tree:
        tree.wait("Enter fold")
        os.kill(tree.child.pid, signal.SIGSTOP)
        tree.screen.reset()
        os.kill(tree.child.pid, signal.SIGCONT)
        tree.wait("Enter fold")
        tree.quit()


def test_ctrl_c_cancels_a_view(bert):
    with Tree(*bert) as tree:
        tree.wait(lambda: "Enter fold" in tree.lines()[-1])
        tree.hold("g")
        tree.press(CTRL_C)
        tree.wait("canceled")
        assert "scope by" in tree.text()
        tree.press(DOWN)
        tree.wait("2/")
        tree.quit()
    assert b"computing the view; Ctrl-C cancels" in tree.sent


# ---- Refusals ----------------------------------------------------------------

@pytest.mark.parametrize("term", ["dumb", None, ""])
def test_dumb_terminal_is_refused(term, bert):
    with Tree(*bert, TERM=term) as tree:
        assert tree.end() == 2
    assert "tui cannot draw on this terminal, because TERM is" in " ".join(
        tree.text().split())
    assert b"\x1b[?" not in tree.sent


def test_unknown_terminal_is_refused(bert):
    with Tree(*bert, TERM="no-such-terminal", columns=200) as tree:
        assert tree.end() == 2
    assert ("tui cannot use a terminal of type 'no-such-terminal'"
            in tree.text())


def test_no_terminal_is_refused(bert):
    done = program.run("tui", *bert)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "tfprof: tui needs a terminal, but standard input is not one (to print "
        "a tree, use: tfprof scope)\n")


def test_output_that_is_no_terminal_is_refused(bert, tmp_path):
    words = " ".join(f"'{arg}'" for arg in bert)
    with Tree("-c", f"'{TFPROF}' tui {words} >{tmp_path}/out; echo code $?",
              program="/bin/sh", first=None, columns=200) as tree:
        tree.end()
    assert "standard output is not one" in tree.text()
    assert "code 2" in tree.text()
    assert (tmp_path / "out").read_bytes() == b""


def test_missing_library_is_named(bert, tmp_path):
    (tmp_path / "libncursesw.so.6").write_bytes(b"no library\n")
    with Tree(*bert, LD_LIBRARY_PATH=str(tmp_path), columns=200) as tree:
        assert tree.end() == 2
    assert ("tui needs libncursesw.so.6, which cannot be loaded (install "
            "libncursesw6)" in tree.text())


@pytest.mark.parametrize("words, said", [
    (["--format", "json"], "tui supports --format table, not json"),
    (["--output", "none"], "--output"),
])
def test_options_of_files_are_refused(words, said, bert):
    with Tree(*bert, *words, columns=200) as tree:
        assert tree.end() == 2
    assert said in tree.text()


def test_rest_of_a_trace_is_a_choice():
    trace = DATA_DIR / "traces" / "gen_jax-tpu.xplane.pb"
    with Tree(trace, "--step", "rest") as tree:
        tree.wait("outside of all steps")
        tree.press("t")
        tree.wait("empty: average")
        tree.press(ENTER)
        tree.wait("average of 4 steps")
        tree.press("t")
        tree.wait("empty: average")
        tree.press("r", "e", "s", "t", ENTER)
        tree.wait("outside of all steps")
        tree.quit()


def test_view_that_is_not_there_leaves_the_tree(bert):
    with Tree(bert[0]) as tree:
        tree.wait("(total)")
        tree.press("c")
        tree.wait(lambda: "--profile_path)" in tree.lines()[-1])
        tree.press("t")
        tree.wait("the inputs have no steps")
        tree.quit()


# ---- Speed -------------------------------------------------------------------

MOST = 0.5  # seconds: ten times what a key may take


def time_key(tree, key):
    """Until the last byte of the new screen."""
    started = last = time.monotonic()
    tree.press(key)
    while tree.take(30 if last == started else 0.05):
        last = time.monotonic()
    return last - started


def test_keys_are_fast_in_a_large_tree(large, say):
    with Tree(*large, rows=45, columns=140) as tree:
        tree.wait("(total)")
        tree.settle()
        times = [time_key(tree, key) for key in
                 [DOWN, DOWN, ENTER, ENTER, PAGE_DOWN, END, UP, ENTER, HOME,
                  "s", "s", "s", "/", "c", "o", "n", "v", ENTER, "n", "n", "N",
                  "u", "i", "i"]]
        tree.quit()
    median = statistics.median(times)
    say(f"{NODES:,} nodes: {1000 * median:.1f} ms a key (median), "
        f"{1000 * max(times):.1f} ms at most")
    assert median < MOST
