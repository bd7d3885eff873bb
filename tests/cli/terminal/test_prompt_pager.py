"""Answers that are longer than the screen."""

# labels: slow

import shutil

import pytest

from lacking import needs
from prompting import CTRL_C, home, long_chain, once, resnet, terminal


@pytest.fixture
def pager(tmp_path):
    """A pager that keeps what it gets and says that it was there."""
    script = tmp_path / "pager"
    script.write_text(f'#!/bin/sh\ncat > "{tmp_path}/paged"\necho PAGED\n')
    script.chmod(0o755)
    return script


def test_the_pager_takes_what_is_longer_than_the_screen(terminal, pager,
                                                        tmp_path):
    session = terminal(*resnet(), pager=str(pager), rows=10)
    long = once("scope", inputs=resnet())
    assert long.count("\n") > 10
    assert session.ask("scope") == "PAGED\n"
    assert (tmp_path / "paged").read_text() == long
    assert session.ask("op -max_depth 2") == once(
        "op", "-max_depth", "2", inputs=resnet())
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
    session = terminal(*resnet(), pager=pager_is, rows=10)
    assert session.ask("scope") == once("scope", inputs=resnet())
    session.quit()


def test_leaving_the_pager_early_is_no_error(terminal, long_chain):
    session = terminal("--graph_path", long_chain, pager="head -n 3", rows=10,)
    answer = session.ask("scope -max_depth 2")
    assert answer.count("\n") == 3 and "cannot" not in answer
    assert "NoOp" in session.ask("op -max_depth 1")
    session.quit()


def refused(tmp_path):
    """A pager that may not be run."""
    script = tmp_path / "refused"
    script.write_text("#!/bin/sh\ncat\n")
    script.chmod(0o644)
    return str(script)


@pytest.mark.parametrize("pager_is", [lambda _: "/no/such/program", refused],
                         ids=["missing", "refused"])
def test_without_a_usable_pager_answers_are_printed(pager_is, terminal,
                                                    tmp_path):
    """It is told once, and not tried again."""
    command = pager_is(tmp_path)
    session = terminal(*resnet(), pager=command, rows=10)
    told, _, answer = session.ask("scope -max_depth 3").partition("$PAGER)\n")
    assert f"tfprof: cannot run the pager '{command}' (see " in told
    assert answer == once("scope", "-max_depth", "3", inputs=resnet())
    assert answer.count("\n") > 10
    assert session.ask("scope -max_depth 3") == answer
    session.quit()


def test_without_a_usable_pager_long_answers_are_printed(terminal, long_chain):
    """More than a pipe holds, so that writing to it fails on the way."""
    inputs = ["--graph_path", long_chain]
    session = terminal(*inputs, pager="/no/such/program", rows=10)
    words = ["scope", "-max_depth", "2"]
    told, _, answer = session.ask(" ".join(words)).partition("$PAGER)\n")
    assert "/no/such/program" in told
    assert answer == once(*words, inputs=inputs) and len(answer) > 1 << 20
    session.quit()


@needs(shutil.which("less"), "needs less (tools/setup installs it)")
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
    session = terminal(*resnet(), pager=f"exec {script}", rows=10)
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
    session = terminal(*resnet(), pager=str(pager), rows=10)
    assert session.ask(f"scope -output file:outfile={tmp_path}/x").startswith(
        f"tfprof: note: wrote {tmp_path}/x (")
    assert (tmp_path / "x").read_text() == once("scope", inputs=resnet())
    session.quit()
