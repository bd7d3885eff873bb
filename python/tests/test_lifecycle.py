"""From the first import to the end of the process: Ctrl-C, threads, fork,
garbage, and memory after many profiles.

The ids are those of FAULTS.md of the specification.
"""

# labels: long

from __future__ import annotations

import os
import select
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from faults import SANITIZED, SLOW, graph
from inputs import GRAPH, LOG, RUN

import tfprof
from tfprof import _native

INTERRUPTS = 5 if SLOW else 2
EXITS = 5 if SLOW else 2
OPENS = 100_000 if SLOW else 20_000
MOST_LEFT = 11  # bytes of each profile: less than any allocation takes


def start(program: str, *args: Any, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, args)],
        stdout=subprocess.PIPE, text=True, **more)


# ---- Ctrl-C -----------------------------------------------------------------

# Goes on for ever; says when it begins, and what ended it when.
ENDLESS = """
import os, sys, time, tfprof
def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
what, name = sys.argv[1:]
if what != "path" and what != "pipe":
    with open(name, "rb") as file:
        data = file.read()
if what in ("scope", "graph", "flops"):
    profile = tfprof.open(data)
try:
    say("go")
    while True:
        if what == "path":
            tfprof.open(name)
        elif what == "pipe":
            tfprof.open(graph="/dev/stdin")
        elif what == "bytes":
            tfprof.open(data)
        else:
            getattr(profile, what)()
except KeyboardInterrupt:
    say("interrupted", time.monotonic())
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """200,000 nodes in 24 MB."""
    path = tmp_path_factory.mktemp("large") / "graph.pb"
    path.write_bytes(graph(200_000, size=90))
    return path


def wait_for_interrupt(process: subprocess.Popen[str], after: float) -> float:
    assert process.stdout
    assert process.stdout.readline() == "go\n"
    time.sleep(after)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    # Python ignores an exception in the finalizer of a view: once more.
    while not select.select([process.stdout], [], [], 5)[0]:
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
    word, when = process.stdout.readline().split()
    assert word == "interrupted"
    assert process.wait(60) == 0
    return float(when) - sent


@pytest.mark.parametrize("what", ["path", "bytes", "scope", "graph", "flops"])
def test_PY_03_ctrl_c_ends_a_long_call(what: str, large: Path,
                                       say: Any) -> None:
    waits = []
    for i in range(INTERRUPTS):
        with start(ENDLESS, what, large) as process:
            waits.append(wait_for_interrupt(process, 0.2 + 0.07 * i))
    say(f"{what}: KeyboardInterrupt after {statistics.median(waits) * 1e3:.0f} "
        f"ms (median of {INTERRUPTS}), at most {max(waits) * 1e3:.0f} ms")
    assert statistics.median(waits) < (10 if SANITIZED else 1)


def test_PY_03_ctrl_c_ends_waiting_for_a_pipe(say: Any) -> None:
    waits = []
    for i in range(INTERRUPTS):
        inside, outside = os.pipe()
        with start(ENDLESS, "pipe", "-", stdin=inside) as process:
            os.close(inside)
            os.write(outside, GRAPH.read_bytes()[:100 * (i % 3)])
            waits.append(wait_for_interrupt(process, 0.3))
            os.close(outside)
    say(f"pipe: KeyboardInterrupt after {statistics.median(waits) * 1e3:.0f} "
        f"ms (median of {INTERRUPTS}), at most {max(waits) * 1e3:.0f} ms")
    assert statistics.median(waits) < (10 if SANITIZED else 1)


def test_PY_03_a_profile_answers_after_an_interrupt(large: Path) -> None:
    def interrupt(number: int, frame: Any) -> None:
        raise TimeoutError("enough")

    p = tfprof.open(large)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(5):
            # Python ignores an exception in the finalizer of a view: once more.
            signal.setitimer(signal.ITIMER_REAL, 0.05, 2)
            with pytest.raises(TimeoutError, match="enough"):
                while True:
                    p.scope()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(p.scope()) == 200_002


# ---- Threads ----------------------------------------------------------------

def test_PY_03_other_threads_run_while_a_file_is_read(large: Path) -> None:
    data = large.read_bytes()
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    try:
        begun = time.monotonic()
        tfprof.open(data).close()
        ended = time.monotonic()
    finally:
        done.set()
        ticking.join()
    # With the lock held, nobody would tick from begin to end.
    inside = [begun, *(at for at in ticks if begun < at < ended), ended]
    pause = max(b - a for a, b in zip(inside, inside[1:]))
    assert len(inside) > 5 and pause < (ended - begun) / 2


def test_PY_03_threads_take_turns_with_one_profile() -> None:
    p = tfprof.open(GRAPH, RUN, LOG)
    kinds = ["scope", "graph", "op", "code"]
    expected = {kind: str(getattr(p, kind)(select=["micros"]))
                for kind in kinds}
    wrong: list[Any] = []

    def ask(kind: str) -> None:
        for i in range(30):
            try:
                view = getattr(p, kind)(select=["micros"])
                if str(view) != expected[kind] or not p.info():
                    wrong.append((kind, i, str(view)))
            except BaseException as error:
                wrong.append((kind, i, error))

    threads = [threading.Thread(target=ask, args=(kind,)) for kind in kinds * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_PY_03_a_profile_is_not_asked_by_what_it_calls() -> None:
    handle = _native.Handle()

    class Source:
        def read(self, size: int) -> bytes:
            handle.write("info")
            return b""

    with pytest.raises(tfprof.Error, match="from its own callback"):
        handle.add_file("odd", Source())
    handle.close()


# ---- The end ----------------------------------------------------------------

AT_EXIT = """
import sys, threading, tfprof
graph, run, large = sys.argv[1:]
profile = tfprof.open(graph, run)
view = profile.scope()
rows = iter(view)
row = next(rows)
profile.me = profile  # a cycle
view.cycle = [view, row, profile]
with open(large, "rb") as file:
    data = file.read()
def load():
    while True:
        tfprof.open(data).scope()
for _ in range(2):
    threading.Thread(target=load, daemon=True).start()
try:
    tfprof.open(b"nothing")
except tfprof.Error as error:
    kept = error
import time
time.sleep(0.3)
print("end")
"""


def test_PY_03_live_objects_and_threads_at_exit(large: Path) -> None:
    for _ in range(EXITS):
        with start(AT_EXIT, GRAPH, RUN, large,
                   stderr=subprocess.PIPE) as process:
            out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "end\n", "")


# The C library calls usleep() when the interpreter is gone, so that threads in
# the library run on without it for long enough to call back.
AFTER_THE_END = """
import ctypes, sys, threading, time, tfprof
data = b"\\x0a\\x0a\\x0a\\x03abc\\x12\\x03Foo" * 3_000_000
def load():
    while True:
        tfprof.open(graph=data, max_memory="8G").scope()
for _ in range(2):
    threading.Thread(target=load, daemon=True).start()
libc = ctypes.CDLL(None)
libc.__cxa_atexit(libc.usleep, ctypes.c_void_p(150_000), None)
time.sleep(float(sys.argv[1]))
print("end")
"""


def test_PY_03_no_thread_calls_back_after_the_end() -> None:
    for i in range(100 if SLOW else 4):
        with start(AFTER_THE_END, str(0.05 + 0.017 * (3 * i % 10)),
                   stderr=subprocess.PIPE) as process:
            out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (0, "end\n", "")


# The atexit function is older than that of tfprof, so it comes after it.
ANSWERS_AT_EXIT = """
import atexit, sys
def last():
    print(len(view), str(view).count("\\n"), len(str(profile.op())) > 100,
          len(tfprof.open(open(sys.argv[1], "rb")).scope()))
atexit.register(last)
import tfprof
profile = tfprof.open(sys.argv[1])
view = profile.scope()
"""


def test_PY_03_the_last_thread_has_answers_to_the_end() -> None:
    with start(ANSWERS_AT_EXIT, GRAPH, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=60)
    rows = len(tfprof.open(GRAPH).scope())
    assert (process.returncode, err) == (0, "")
    assert out == f"{rows} {rows} True {rows}\n"


# Nobody writes into the pipe; the end does not wait for that.
READS_AT_EXIT = """
import os, threading, time, tfprof
reader, writer = os.pipe()
def read():
    tfprof.open(os.fdopen(reader, "rb"))
threading.Thread(target=read, daemon=True).start()
time.sleep(0.2)
print("end")
"""


def test_PY_03_a_read_that_takes_forever_ends_too() -> None:
    with start(READS_AT_EXIT, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "end\n", "")


def test_PY_03_a_child_after_fork_has_its_own() -> None:
    p = tfprof.open(GRAPH, RUN)
    view = p.scope()
    text = str(view)
    child = os.fork()
    if child == 0:
        try:
            same = str(view) == text == str(p.scope())
            more = tfprof.open(GRAPH).op()
            os._exit(0 if same and len(more) == 8 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert str(p.scope()) == text


# ---- Many -------------------------------------------------------------------

MANY = """
import sys, time, tfprof
opens, graph = int(sys.argv[1]), sys.argv[2]
with open(graph, "rb") as file:
    data = file.read()
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
def use(i):
    profile = tfprof.open(data)
    if i % 3 == 0:
        profile.close()
    if i % 10 == 0:
        len(profile._handle and profile.scope() or "")
    if i % 100 == 0:
        try:
            tfprof.open(data[:100])
        except tfprof.CorruptInput:
            pass
for i in range(opens // 10):
    use(i)
first, begun = resident(), time.monotonic()
for i in range(opens // 10, opens):
    use(i)
print(resident() - first, (time.monotonic() - begun) / opens / 0.9 * 1e6)
"""


@pytest.mark.skipif(bool(SANITIZED), reason="AddressSanitizer keeps what was "
                    "freed: memory cannot be measured")
def test_PY_03_many_profiles_leave_nothing_behind(say: Any) -> None:
    with start(MANY, OPENS, GRAPH) as process:
        out, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    grown, micros = map(float, out.split())
    say(f"{OPENS} profiles: {grown / 1024:.0f} KiB more than after a tenth of "
        f"them, {micros:.0f} us each")
    assert grown < MOST_LEFT * OPENS


def test_a_profile_goes_with_its_last_view() -> None:
    """Without waiting for the garbage collector."""
    import gc
    import weakref
    gc.collect()
    gc.disable()
    try:
        p = tfprof.open(GRAPH, RUN)
        assert p._handle
        gone = weakref.ref(p._handle)
        view = p.scope()
        row = view[1]
        p.close()
        assert gone() is not None
        del view
        assert row.name == "edge_6_layer"
        del row
        assert gone() is None
        with pytest.raises(tfprof.CorruptInput):
            tfprof.open(GRAPH.read_bytes()[:100])
        assert not [found for found in gc.get_objects()
                    if isinstance(found, _native.Handle)]
    finally:
        gc.enable()
