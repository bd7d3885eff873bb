"""The prompt in a real terminal: what is typed, completed, pasted.

Nothing here waits for a time to pass; what cannot be read from the terminal is
looked at until it is so. Signals, history and pager: test_prompt_signals.py,
test_prompt_history.py, test_prompt_pager.py.
"""

# labels: slow, long

import fcntl
import os
import signal
import subprocess
import termios
import threading

import pytest

import pprof
import program
import traces
import upstream
from faults import MIB
from prompting import (CTRL_C, CTRL_R, PATIENCE, PROMPT, RUNS, TAB, Terminal,
                       home, once, resnet, shown, terminal)
from tutorial_commands import COMMANDS, INPUTS


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
    others = [f"-{name:<26} {value}\n" for name, value in zip(
        ("format", "color", "width"), ("text", "never", "0"))]  # as the session was started
    assert session.ask("") == "".join(defaults[:21] + others).replace(
        "micros\n", "params\n")
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


def test_the_checkpoint_of_the_tutorials_works_when_typed(terminal):
    paths = [f"--graph_path={upstream.input_path('cifar.pb')}",
             f"--checkpoint_path={upstream.input_path('cifar.ckpt')}"]
    session = terminal("-q", *paths)
    for line in ("scope -show_name_regexes unit_1_0.*gamma -select tensor_value "
                 "-max_depth 5",
                 "scope -account_type_regexes _checkpoint_variables -select "
                 "params -max_depth 4"):
        view, *rest = line.split()
        answer = session.ask(line)
        assert answer == once(view, *rest, inputs=paths)
        assert answer.count("\n") > 3
    session.quit()


def test_the_files_of_the_tutorials_are_written_when_typed(terminal, tmp_path):
    session = terminal("-q", *model_paths("all"))
    drawn, sampled = tmp_path / "drawn", tmp_path / "sampled"
    assert session.ask(
        "graph -max_depth 10000000 -step 0 -account_type_regexes "
        f".*gpu:0.*,.*cpu:0.* -output timeline:outfile={drawn}") == ""
    assert session.ask("code -max_depth 100 -select micros -output "
                       f"pprof:outfile={sampled}") == ""
    session.quit()
    assert len(traces.Trace(drawn.read_bytes()).slices) > 100
    assert pprof.samples(sampled.read_bytes()).total() > 100


# ---- Keys --------------------------------------------------------------------

def test_ctrl_d_leaves(terminal):
    session = terminal()
    session.quit()


def test_quit_leaves(terminal):
    for word in ("quit", "exit"):
        session = terminal()
        session.press(word + "\r")
        assert session.end() == 0


def test_a_line_can_be_edited(terminal):
    session = terminal()
    session.press("op -max_depth 1\x01s\x1b[C\x7f")  # "sop", then without "o"
    session.press("\x01\x0bop -max_depth 1\r")
    assert session.wait_prompt().replace("\r\n", "\n").endswith(
        once("op", "-max_depth", "1"))
    session.quit()


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
    ("scope -max_d", "scope -max_depth "),
    ("scope --max_d", "scope --max_depth "),
    ("scope --max-d", "scope --max-depth "),
    ("set -acc", "set -account_"),
    ("scope -order_by acc", "scope -order_by accelerator_micros "),
    ("scope --order_by=dep", "scope --order_by=depth "),
    ("scope -select mic", "scope -select micros"),
    ("scope -select au", "scope -select auto"),
    ("scope -sort n", "scope -sort name "),
    ("flops -sort m", "flops -sort macs "),
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
    session = terminal(*resnet(), cwd=tmp_path)
    session.press(typed + TAB + "\x05@\r")
    session.wait_prompt()
    session.quit()
    history = (tmp_path / "state" / "tfprof" / "history").read_text()
    assert history == line + "@\n"


def test_a_second_tab_lists_the_choices(terminal):
    session = terminal(*resnet(), columns=80)
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


def test_a_tab_that_finds_nothing_changes_nothing(terminal, tmp_path):
    lines = ["xyzzy", "xyzzy -max", "scope nothing", "scope -max_depth 3",
             "scope -show_name_regexes .*none", "quit x", "help x",
             "info -format cs", "op -output ti", "flops -sort by",
             "scope -select bytes,au", "advise -output=pp"]
    session = terminal()
    for line in lines:
        session.press(line + TAB + "@\r")
        session.wait_prompt()
    session.quit()
    history = (tmp_path / "state" / "tfprof" / "history").read_text()
    assert history.splitlines() == [line + "@" for line in lines]


# ---- OP-03, OP-04: strange lines and terminals --------------------------------

def test_OP_03_a_line_of_blanks_at_a_terminal(terminal):
    session = terminal(look=())
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
    session.expect("no help for 'xxx")
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
