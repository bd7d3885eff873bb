"""The prompt in a real terminal: keys, signals, windows, history, pager.

Nothing here waits for a time to pass; what cannot be read from the terminal is
looked at until it is so.
"""

import fcntl
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import termios
import threading

import pytest

import program
import upstream
from faults import MIB, SANITIZED
from program import DATA_DIR
from prompting import (PATIENCE, PROMPT, Terminal, needs_libedit, opened,
                       shown, wait_until)
from test_linear import chain
from test_tutorial import COMMANDS, INPUTS

GRAPH = DATA_DIR / "graph.pb"
RUNS = [GRAPH, DATA_DIR / "run_meta", DATA_DIR / "op_log"]
CTRL_C, CTRL_D, CTRL_R, CTRL_Z, TAB, UP = ("\x03", "\x04", "\x12", "\x1a",
                                           "\t", "\x1b[A")


def once(*words, inputs=RUNS):
    done = program.run(words[0], *inputs, *words[1:])
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def terminal(home):
    """terminal(...) is a session at its first prompt."""
    sessions = []

    def begin(*args, **kwargs):
        sessions.append(Terminal(*(args or RUNS),
                                 **{"home": home, **kwargs}))
        sessions[-1].wait_prompt()
        return sessions[-1]
    yield begin
    for session in sessions:
        session.child.close(force=True)


def flags(session):
    """What the terminal does by itself with what is typed."""
    local = termios.tcgetattr(session.child.child_fd)[3]
    return {name for name in ("ICANON", "ECHO", "ISIG")
            if local & getattr(termios, name)}


COOKED = {"ICANON", "ECHO", "ISIG"}


# ---- What the specification types --------------------------------------------

def model_paths(name):
    graph, runs, log = INPUTS[name]
    words = [f"--graph_path={upstream.input_path(graph)}"]
    if runs:
        words.append("--run_meta_path=" + ",".join(
            str(upstream.input_path(run)) for run in runs))
    if log:
        words.append(f"--op_log_path={upstream.input_path(log)}")
    return words


@pytest.mark.parametrize("inputs", INPUTS)
def test_the_commands_of_the_tutorials_work_when_typed(inputs, terminal, say):
    rows = [row for row in COMMANDS if row.inputs == inputs]
    paths = model_paths(inputs)
    session = terminal("-q", *paths)  # notes would stand in the answers
    for row in rows:
        view, *rest = row.here.split()
        assert session.ask(row.here) == once(view, *rest, inputs=paths), (
            row.here)
    session.quit()
    say(f"{len(rows)} commands")


def test_the_dialogue_of_the_tutorials_works_when_typed(terminal):
    """An empty line; what is set holds for the lines that follow it."""
    paths = model_paths("log")
    session = terminal(*paths)
    defaults = upstream.expected("ia_profile.txt").decode().splitlines(True)
    assert session.ask("") == "".join(defaults[:21]).replace("micros\n",
                                                             "params\n")
    assert session.ask("set -account_type_regexes _trainable_variables") == ""
    assert session.ask("scope -max_depth 4 -select params") == once(
        "scope", "-max_depth", "4", "-select", "params",
        "-account_type_regexes", "_trainable_variables", inputs=paths)
    assert session.ask("set -account_type_regexes .*") == ""
    assert session.ask("scope -show_name_regexes unit_2_1.*DW -max_depth 100 "
                       "-account_displayed_op_only") == once(
        "scope", "-show_name_regexes", "unit_2_1.*DW", "-max_depth", "100",
        "-account_displayed_op_only", inputs=paths)
    session.quit()


# ---- Keys --------------------------------------------------------------------

def test_ctrl_d_leaves(terminal):
    session = terminal()
    session.quit()


def test_quit_leaves(terminal):
    for word in ("quit", "exit"):
        session = terminal()
        session.press(word + "\r")
        assert session.end() == 0


@needs_libedit
def test_a_line_can_be_edited(terminal):
    session = terminal()
    session.press("op -max_depth 1\x01s\x1b[C\x7f")  # "sop", then without "o"
    session.press("\x01\x0bop -max_depth 1\r")
    assert session.wait_prompt().replace("\r\n", "\n").endswith(
        once("op", "-max_depth", "1"))
    session.quit()


@needs_libedit
def test_ctrl_r_finds_an_earlier_line(terminal):
    session = terminal()
    session.ask("op -max_depth 1")
    session.ask("scope -max_depth 1")
    session.press(CTRL_R + "op -")
    session.press("\r")
    assert once("op", "-max_depth", "1") in session.wait_prompt().replace(
        "\r\n", "\n")
    session.quit()


def test_answers_can_go_to_a_file_while_the_prompt_stays(tmp_path, terminal):
    """stdout is the answer and nothing else."""
    target = tmp_path / "answers"
    session = terminal("-c", 'exec "$@" > "$0"', target, program.TFPROF, *RUNS,
                       program="bash")
    session.ask("scope -max_depth 1")
    session.press(CTRL_C)
    session.wait_prompt()
    session.ask("op -max_depth 1")
    session.quit()
    assert target.read_text() == once("scope", "-max_depth", "1") + once(
        "op", "-max_depth", "1")


# ---- Completion --------------------------------------------------------------

COMPLETIONS = [
    # typed, what stands in the line after a Tab
    ("sc", "scope "),
    ("q", "quit "),
    ("  re", "  reset "),
    ("scope -max", "scope -max_depth "),
    ("scope --max", "scope --max_depth "),
    ("set -acc", "set -account_"),
    ("scope -order_by acc", "scope -order_by accelerator_micros "),
    ("scope --order_by=dep", "scope --order_by=depth "),
    ("scope -select mic", "scope -select micros"),
    ("scope -select bytes,cpu", "scope -select bytes,cpu_micros"),
    ("scope -select=bytes,peak_bytes,dev",
     "scope -select=bytes,peak_bytes,device"),
    ("scope -account_displayed_op_only fa",
     "scope -account_displayed_op_only false "),
    ("scope -account_displayed_op_only -sel",
     "scope -account_displayed_op_only -select "),
    ("scope -output ti", "scope -output timeline:outfile="),
    ("info -fo", "info -format "),
    ("info -format js", "info -format json "),
    ("help order", "help order_by "),
    ("help opt", "help options "),
    ("write fol", "write folder/"),
    ("write folder/o", "write folder/one_file "),
    ("write folder/wi", 'write folder/"with blank" '),
    ('write "folder/wi', 'write "folder/with blank" '),
    ("scope -output file:outfile=folder/on",
     "scope -output file:outfile=folder/one_file "),
    ("scope -dump_to_file folder/on", "scope -dump_to_file folder/one_file "),
    ("scope -show_name_regexes unit_1", "scope -show_name_regexes unit_1_"),
    ("graph -start_name_regexes unit_1_0/su",
     "graph -start_name_regexes unit_1_0/sub"),
    ("graph -start_name_regexes unit_1_0/sub1/conv1/D",
     "graph -start_name_regexes unit_1_0/sub1/conv1/DW"),
    ("code -trim_name_regexes x,unit_las",
     "code -trim_name_regexes x,unit_last/"),
    ("op -hide_name_regexes 'a b,unit_las",
     "op -hide_name_regexes 'a b,unit_last/"),
]


@needs_libedit
@pytest.mark.parametrize("typed, line", COMPLETIONS,
                         ids=[typed for typed, _ in COMPLETIONS])
def test_tab_completes(typed, line, terminal, tmp_path):
    """What stands in the line is told by the history: the line is refused
    because of the word that is added, and kept there."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "one_file").touch()
    (folder / "with blank").touch()
    (folder / "with\x1b[2Jescape").touch()
    session = terminal(*model_paths("log"), cwd=tmp_path)
    session.press(typed + TAB + "\x05@\r")
    session.wait_prompt()
    session.quit()
    history = (tmp_path / "state" / "tfprof" / "history").read_text()
    assert history == line + "@\n"


@needs_libedit
def test_a_second_tab_lists_the_choices(terminal):
    session = terminal(*model_paths("log"), columns=80)
    session.press("graph -start_name_regexes unit_3_4/s" + TAB + TAB)
    found = shown(session.wait_prompt()).split("\r\n")
    assert found[1].split() == ["unit_3_4/sub1/", "unit_3_4/sub2/",
                                "unit_3_4/sub_add/"]
    session.press(CTRL_C)
    session.wait_prompt()
    session.press("set -min" + TAB + TAB)
    found = shown(session.wait_prompt()).split()
    assert {"-min_bytes", "-min_occurrence"} <= set(found)
    assert "-max_depth" not in found
    session.press(CTRL_C)
    session.wait_prompt()
    session.quit()


@needs_libedit
def test_a_tab_that_finds_nothing_changes_nothing(terminal, tmp_path):
    lines = ["xyzzy", "xyzzy -max", "scope nothing", "scope -max_depth 3",
             "scope -show_name_regexes .*none", "quit x", "help x", "write ''"]
    session = terminal()
    for line in lines:
        session.press(line + TAB + "@\r")
        session.wait_prompt()
    session.quit()
    history = (tmp_path / "state" / "tfprof" / "history").read_text()
    assert history.splitlines() == [line + "@" for line in lines]


# ---- OP-03, OP-04: strange lines and terminals --------------------------------

def test_OP_03_a_line_of_blanks_at_a_terminal(terminal):
    session = terminal()
    listing = session.ask("")
    assert listing.count("\n") == 21
    assert session.ask("   ") == listing
    session.quit()


@pytest.mark.parametrize("term", ["xterm", "vt100", "dumb", None,
                                  "no-such-terminal"])
def test_OP_04_any_terminal_will_do(term, terminal):
    session = terminal(term=term)
    assert once("scope", "-max_depth", "1") in session.ask("scope -max_depth 1")
    session.press("oops" + CTRL_C)
    session.wait_prompt()
    assert once("op", "-max_depth", "1") in session.ask("op -max_depth 1")
    session.quit()


@pytest.mark.parametrize("rows, columns", [(1, 1), (2, 1), (1, 200), (50, 2)])
def test_OP_04_a_window_of_one_column(rows, columns, terminal, home):
    session = Terminal(*RUNS, home=home, rows=rows, columns=columns)
    with session:
        session.child.expect("t.*f.*p.*r.*o.*f.*>")
        session.press("scope -max_depth 1" + TAB + "\r")
        session.child.expect("_TFProfRoot")
        session.press("quit\r")
        assert session.end() == 0


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_OP_04_a_paste_of_a_mebibyte(term, terminal):
    """The terminal of the plain reader cuts lines at 4 KiB by itself."""
    session = terminal(columns=80, term=term)
    data = b"help " + b"x" * MIB + b"\r"
    if term == "dumb":  # a plain terminal takes no more without a newline
        data = data.replace(b"x" * 4000, b"x" * 4000 + b"\r")
    data += b"scope -select bytes -max_depth 1\r"

    def paste(left):
        while left:
            left = left[os.write(session.child.child_fd, left[:4096]):]
    thread = threading.Thread(target=paste, args=(data,))
    thread.start()
    session.expect("no help on 'xxx")
    session.expect("requested bytes")
    thread.join()
    session.wait_prompt()
    session.quit()


def test_OP_04_bytes_that_are_no_text_in_a_terminal(terminal):
    session = terminal()
    session.child.send(b"\xff\xfe\x80\xc3(\0\x01\x02\r")
    session.wait_prompt()
    session.child.send(b"scope -\xf0\x9f\x98\x80 \xe2\x82\r")
    session.wait_prompt()
    assert once("op", "-max_depth", "1") in session.ask("op -max_depth 1")
    session.quit()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_OP_04_the_terminal_goes_away_in_the_middle_of_a_line(term, home):
    """It is the program's own, so a SIGHUP comes with it."""
    master, slave = os.openpty()
    with subprocess.Popen(
            [program.TFPROF, *RUNS], stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": term, "PAGER": "",
                 "XDG_STATE_HOME": str(home)}) as process:
        os.close(slave)
        seen = b""
        while PROMPT.encode() not in seen:
            seen += os.read(master, 4096)
        os.write(master, b"scope -max")
        os.close(master)
        assert process.wait(timeout=PATIENCE) == -signal.SIGHUP


# ---- OP-05: Ctrl-C -----------------------------------------------------------

def test_OP_05_at_the_prompt_it_begins_a_new_line(terminal):
    session = terminal()
    session.press("no_such_command")
    session.expect("no_such_command")
    session.press(CTRL_C)
    assert "unknown" not in session.wait_prompt()
    assert session.ask("scope -max_depth 1") == once("scope", "-max_depth",
                                                     "1")
    session.quit()


@pytest.fixture(scope="module")
def long_chain(tmp_path_factory):
    """Each level of its graph view is indented a little more: all of them
    would be 40 GB."""
    path = tmp_path_factory.mktemp("chain") / "graph"
    path.write_bytes(b"".join(chain(200_000)))
    return path


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
        assert "cancelled" in session.wait_prompt()
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
    assert "cancelled" in session.wait_prompt()
    assert [path.name for path in folder.iterdir()] == ["target"]
    assert target.read_text() == "old"
    session.quit()


def test_OP_05_what_is_printed_can_be_cancelled(terminal, long_chain):
    """The terminal is not read, so the program waits in the middle."""
    session = terminal("--graph_path", long_chain, columns=80)
    session.press("scope -max_depth 2\r")
    session.expect("n100 (")
    session.press(CTRL_C)
    assert "cancelled" in session.wait_prompt()
    assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def test_OP_05_what_was_typed_ahead_is_void(terminal, long_chain):
    session = terminal("--graph_path", long_chain)
    session.press("graph -max_depth 1000000 -output file:outfile=/dev/null\r"
                  "no_such_command\rno_such_command\r")
    wait_until(lambda: opened(session.child.pid, "/dev/null"), "a query")
    session.press(CTRL_C)
    assert "cancelled" in session.wait_prompt()
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
                  PS1="shell> ", HISTFILE="") as bash:
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
    shell.expect("cancelled")
    shell.wait_prompt()
    shell.press("op -max_depth 1\r")
    shell.expect("NoOp")
    shell.wait_prompt()
    shell.press(CTRL_D)
    shell.expect("shell> ")
    assert run_in(shell, "stty -a") == before


@needs_libedit
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


@needs_libedit
def test_OP_07_the_window_is_resized(terminal):
    """While typing, and while a query runs: the list of choices is as wide as
    the window."""
    session = terminal(columns=80)
    session.press("set -min_" + TAB)
    wide = shown(session.wait_prompt()).split("\r\n")
    session.child.setwinsize(24, 30)
    wait_until(lambda: session.child.getwinsize() == (24, 30), "the size")
    session.press(CTRL_C)
    session.wait_prompt()
    session.press("set -min_" + TAB)
    narrow = shown(session.wait_prompt()).split("\r\n")
    session.press(CTRL_C)
    session.wait_prompt()
    assert max(map(len, wide)) > 30
    assert max(map(len, narrow)) <= 30
    session.child.setwinsize(50, 200)
    assert session.ask("op -max_depth 1").startswith("node name")
    session.quit()


# ---- OP-06: history ----------------------------------------------------------

def history_of(home):
    return home / "tfprof" / "history"


@needs_libedit
def test_OP_06_history_is_kept_across_sessions(terminal, home):
    session = terminal()
    for line in ("op -max_depth 1", "scope -max_depth 1", "scope -max_depth 1",
                 "  ", ""):
        session.ask(line)
    session.quit()
    assert history_of(home).read_text() == (
        "op -max_depth 1\nscope -max_depth 1\n")
    assert stat.S_IMODE(history_of(home).stat().st_mode) == 0o600
    assert stat.S_IMODE(history_of(home).parent.stat().st_mode) == 0o700
    session = terminal()
    session.press(UP + UP + "\r")
    assert once("op", "-max_depth", "1") in session.wait_prompt().replace(
        "\r\n", "\n")
    session.quit()


@needs_libedit
def test_OP_06_history_is_found_below_the_home_folder(terminal, tmp_path):
    for state in ("", "relative/path"):
        folder = tmp_path / f"home{len(state)}"
        folder.mkdir()
        session = terminal(home=state, HOME=str(folder), cwd=tmp_path)
        session.ask("op -max_depth 1")
        session.quit()
        path = folder / ".local" / "state" / "tfprof" / "history"
        assert path.read_text() == "op -max_depth 1\n"
    assert not (tmp_path / "relative").exists()


@needs_libedit
def test_OP_06_a_read_only_folder_does_no_harm(terminal, tmp_path, home):
    """Nothing is written into the current one, whatever is wrong."""
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    cwd.chmod(0o500)
    session = terminal(cwd=cwd, home="", HOME="/proc/no/such/folder")
    assert session.ask("op -max_depth 1").startswith("node name")
    session.quit()
    assert list(cwd.iterdir()) == []


def strange_histories():
    def link(path, folder):
        (folder / "elsewhere").write_text("not ours\n")
        path.symlink_to(folder / "elsewhere")

    def fifo(path, folder):
        os.mkfifo(path)

    def directory(path, folder):
        path.mkdir()

    def anothers(path, folder):
        path.write_text("not ours\n")
        os.chown(path, 12345, 12345)

    return {"a link": link, "a FIFO": fifo, "a folder": directory,
            "another's": anothers}


@needs_libedit
@pytest.mark.parametrize("kind", strange_histories())
def test_OP_06_a_strange_history_is_left_alone(kind, terminal, home,
                                               tmp_path):
    """And the session remembers its own lines all the same."""
    path = history_of(home)
    path.parent.mkdir(parents=True)
    try:
        strange_histories()[kind](path, tmp_path)
    except PermissionError:
        pytest.skip("only root can give a file away")
    before = path.lstat()
    session = terminal()
    assert "not ours" not in session.ask("op -max_depth 1")
    session.press(UP + "\r")
    assert once("op", "-max_depth", "1") in session.wait_prompt().replace(
        "\r\n", "\n")
    session.quit()
    after = path.lstat()
    assert (before.st_mode, before.st_uid, before.st_size, before.st_ino) == (
        after.st_mode, after.st_uid, after.st_size, after.st_ino)
    if kind == "a link":
        assert (tmp_path / "elsewhere").read_text() == "not ours\n"
    if kind == "another's":
        assert path.read_text() == "not ours\n"


@needs_libedit
def test_OP_06_a_history_of_a_gibibyte_is_cut(terminal, home):
    path = history_of(home)
    path.parent.mkdir(parents=True)
    with open(path, "wb") as out:
        out.truncate(1 << 30)
        out.seek(0, os.SEEK_END)
        out.write(b"\nscope -max_depth 1\nop -max_depth 1\n")
    session = terminal(limits=[] if SANITIZED else [
        (resource.RLIMIT_AS, 256 * MIB)])
    session.press(UP + "\r")
    assert once("op", "-max_depth", "1") in session.wait_prompt().replace(
        "\r\n", "\n")
    session.quit()
    assert path.stat().st_size < MIB
    assert path.read_text().endswith("scope -max_depth 1\nop -max_depth 1\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@needs_libedit
def test_OP_06_a_history_that_all_can_read_is_closed(terminal, home):
    path = history_of(home)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"scope\nno newline at \xff\0 its end")
    path.chmod(0o666)
    session = terminal()
    session.ask("op -max_depth 1")
    session.quit()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@needs_libedit
def test_OP_06_a_pasted_line_is_not_kept(terminal, home):
    session = terminal(columns=200)
    session.press("help " + "x" * 5000 + "\r")
    session.expect("no help on")
    session.wait_prompt()
    session.ask("op -max_depth 1")
    session.quit()
    assert history_of(home).read_text() == "op -max_depth 1\n"


# ---- The pager ---------------------------------------------------------------

@pytest.fixture
def pager(tmp_path):
    """A pager that keeps what it gets and says that it was there."""
    script = tmp_path / "pager"
    script.write_text(f'#!/bin/sh\ncat > "{tmp_path}/paged"\necho PAGED\n')
    script.chmod(0o755)
    return script


def test_the_pager_takes_what_is_longer_than_the_screen(terminal, pager,
                                                        tmp_path):
    session = terminal(*model_paths("log"), pager=str(pager), rows=10)
    long = once("scope", inputs=model_paths("log"))
    assert long.count("\n") > 10
    assert session.ask("scope") == "PAGED\n"
    assert (tmp_path / "paged").read_text() == long
    assert session.ask("op -max_depth 2") == once(
        "op", "-max_depth", "2", inputs=model_paths("log"))
    assert session.ask("help options") == "PAGED\n"
    assert session.ask("") == "PAGED\n"
    assert session.ask("set -max_depth 1") == ""
    session.quit()


@pytest.mark.parametrize("rows, is_paged", [(5, True), (6, False)])
def test_the_pager_knows_the_size_of_the_screen(rows, is_paged, terminal,
                                                pager):
    """Five lines and the prompt."""
    session = terminal(pager=str(pager), rows=rows)
    answer = session.ask("op -select params -max_depth 3")
    assert once("op", "-select", "params", "-max_depth", "3").count("\n") == 5
    assert (answer == "PAGED\n") == is_paged
    session.quit()


def test_long_lines_count_by_the_rows_that_they_take(terminal, pager):
    session = terminal(pager=str(pager), rows=12, columns=40)
    session.press("op -select params,bytes,micros,device -max_depth 3\r")
    session.expect("PAGED")
    session.wait_prompt()
    session.quit()


@pytest.mark.parametrize("pager_is", ["", "cat"])
def test_without_a_pager_answers_are_printed(pager_is, terminal):
    session = terminal(*model_paths("log"), pager=pager_is, rows=10)
    assert session.ask("scope") == once("scope", inputs=model_paths("log"))
    session.quit()


def test_leaving_the_pager_early_is_no_error(terminal, long_chain):
    session = terminal("--graph_path", long_chain, pager="head -n 3", rows=10,
                       )
    answer = session.ask("scope -max_depth 2")
    assert answer.count("\n") == 3 and "cannot" not in answer
    assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def test_a_pager_that_cannot_be_run_is_told(terminal):
    session = terminal(*model_paths("log"), pager="/no/such/program", rows=10)
    assert "the pager '/no/such/program' cannot be run" in session.ask("scope")
    session.quit()


@pytest.mark.skipif(not shutil.which("less"), reason="needs less")
def test_less_is_left_with_q(terminal, long_chain):
    session = terminal("--graph_path", long_chain, pager="less", rows=10,
                       columns=80)
    session.press("scope -max_depth 2\r")
    session.expect("n10 (")
    session.press("q")
    session.wait_prompt()
    assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def test_ctrl_c_belongs_to_the_pager(terminal, tmp_path):
    """However often it is pressed there."""
    script = tmp_path / "pager"
    script.write_text('#!/bin/sh\ntrap "echo GOT" INT\ncat > /dev/null\n'
                      "echo READY\nuntil read line < /dev/tty; do :; done\n"
                      "echo LEFT\n")
    script.chmod(0o755)
    session = terminal(*model_paths("log"), pager=f"exec {script}", rows=10)
    session.press("scope\r")
    session.expect("READY")
    for _ in range(3):
        session.press(CTRL_C)
        session.expect("GOT")
    session.press("\r")
    session.expect("LEFT")
    session.wait_prompt()
    assert session.ask("set -max_depth 1") == ""
    session.quit()


def test_what_goes_to_a_file_needs_no_pager(terminal, pager, tmp_path):
    session = terminal(*model_paths("log"), pager=str(pager), rows=10)
    assert session.ask(f"scope -output file:outfile={tmp_path}/x") == ""
    assert (tmp_path / "x").read_text() == once("scope",
                                                inputs=model_paths("log"))
    session.quit()
