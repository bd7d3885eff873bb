"""IN-02: files that change while they are read.

The program is stopped in the middle of a file, the file is changed, and the
program goes on. Nothing is mapped, so there is nothing to be killed by.
"""

# labels: slow, long

import json
import os
import random
import signal
import threading
import time

import pytest

from faults import SLOW, check_no_signal, complaint, graph, start
from surroundings import PATIENCE

CHANGED = ("the file changed while it was being read (wait until it is "
           "complete, or copy it first)")


@pytest.fixture(scope="module")
def large():
    """Enough that it is not read in the blink of an eye."""
    return graph(20000, 500)


def position(process, path):
    """How far the process has read the file, or None."""
    folder = f"/proc/{process.pid}/fd"
    try:
        for fd in os.listdir(folder):
            if os.readlink(f"{folder}/{fd}") == os.fspath(path):
                with open(f"/proc/{process.pid}/fdinfo/{fd}") as info:
                    return int(info.readline().split()[1])
    except OSError:
        pass
    return None


def stopped_in_the_middle(path, size, *args):
    """A process that was stopped while it reads `path`."""
    while True:
        process = start(["info", "--format", "json", *args, path])
        while process.poll() is None:
            at = position(process, path)
            if at is None or at == 0:
                continue
            process.send_signal(signal.SIGSTOP)
            if process.poll() is None and 0 < (position(process, path)
                                               or size) < size:
                return process
            break
        process.kill()
        process.communicate()


def go_on(process):
    process.send_signal(signal.SIGCONT)
    out, err = process.communicate(timeout=PATIENCE)
    check_no_signal(process.returncode, err)
    return process.returncode, out, err


def truncate(path, size):
    os.truncate(path, size // 2)


def empty(path, size):
    os.truncate(path, 0)


def append(path, size):
    with open(path, "ab") as file:
        file.write(graph(3))


def overwrite(path, size):
    with open(path, "r+b") as file:
        file.write(b"\0" * size)


@pytest.mark.parametrize("change", [truncate, empty, append, overwrite])
@pytest.mark.parametrize("salvage", [False, True])
def test_IN_02_a_file_that_changes_is_told(tmp_path, large, change, salvage):
    path = tmp_path / "graph.pb"
    path.write_bytes(large)
    process = stopped_in_the_middle(path, len(large), *["--salvage"] * salvage)
    change(path, len(large))
    code, out, err = go_on(process)
    assert code == 1
    assert complaint(err).removeprefix("partial: ") == f"{path}: {CHANGED}"
    assert json.loads(out)["files"][0]["error"]["code"] == "io"


def test_IN_02_a_file_that_is_replaced_is_read_to_its_end(tmp_path, large):
    path = tmp_path / "graph.pb"
    path.write_bytes(large)
    process = stopped_in_the_middle(path, len(large))
    other = tmp_path / "other"
    other.write_bytes(graph(3))
    os.replace(other, path)
    code, out, err = go_on(process)
    assert (code, err) == (0, b"")
    assert json.loads(out)["files"][0]["counts"]["nodes"] == 20000


def test_IN_02_a_file_that_is_removed_is_read_to_its_end(tmp_path, large):
    path = tmp_path / "graph.pb"
    path.write_bytes(large)
    process = stopped_in_the_middle(path, len(large))
    path.unlink()
    code, out, err = go_on(process)
    assert (code, err) == (0, b"")
    assert json.loads(out)["files"][0]["counts"]["nodes"] == 20000


def test_IN_02_a_writer_that_never_rests(tmp_path, say):
    """Any outcome, as long as it is one: answered, or refused with a line."""
    path = tmp_path / "graph.pb"
    whole = graph(3000, 100)
    path.write_bytes(whole)
    done = threading.Event()
    choose = random.Random(7)

    def disturb():
        while not done.is_set():
            how = choose.randrange(4)
            if how == 0:
                os.truncate(path, choose.randrange(len(whole)))
            elif how == 1:
                with open(path, "ab") as file:
                    file.write(whole[:choose.randrange(len(whole))])
            elif how == 2:
                (tmp_path / "new").write_bytes(whole)
                os.replace(tmp_path / "new", path)
            else:
                path.write_bytes(whole)
            time.sleep(choose.random() * 0.003)
    thread = threading.Thread(target=disturb)
    thread.start()
    seen = {}
    try:
        for _ in range(10000 if SLOW else 150):
            process = start(["info", "--graph_path", path])
            _, err = process.communicate(timeout=PATIENCE)
            check_no_signal(process.returncode, err)
            assert process.returncode in (0, 1)
            what = "sound"
            if process.returncode:
                what = complaint(err).split(": ")[-1].split(" (")[0][:40]
            seen[what] = seen.get(what, 0) + 1
    finally:
        done.set()
        thread.join()
    say(", ".join(f"{count} x {what}" for what, count in seen.items()))
    assert len(seen) > 1
