"""The lines of earlier sessions: where they are kept, and what may be wrong
with that file.
"""

# labels: both

import os
import resource
import stat

import pytest

from faults import MIB, SANITIZED
from prompting import UP, home, once, terminal


def history_of(home):
    return home / "tfprof" / "history"


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


@pytest.mark.parametrize("kind", strange_histories())
def test_OP_06_a_strange_history_is_left_alone(kind, terminal, home, tmp_path):
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


def test_OP_06_a_history_that_all_can_read_is_closed(terminal, home):
    path = history_of(home)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"scope\nno newline at \xff\0 its end")
    path.chmod(0o666)
    session = terminal()
    session.ask("op -max_depth 1")
    session.quit()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_OP_06_a_pasted_line_is_not_kept(terminal, home):
    session = terminal(columns=200)
    session.press("help " + "x" * 5000 + "\r")
    session.expect("no help for")
    session.wait_prompt()
    session.ask("op -max_depth 1")
    session.quit()
    assert history_of(home).read_text() == "op -max_depth 1\n"
