"""What the tests of faults share: wire bytes, limits, and whether the program
under test carries a sanitizer."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import threading

import pytest

from lacking import needs
from program import TFPROF
from surroundings import PATIENCE
from wirebytes import field, integer, varint  # noqa: F401, for others too

SLOW = os.environ.get("TFPROF_SLOW", "0") not in ("", "0")

# A sanitizer's run time is named in the program itself.
_PROGRAM = pathlib.Path(shutil.which(TFPROF) or TFPROF)
SANITIZED = b"__asan_init" in _PROGRAM.read_bytes()
no_sanitizer = pytest.mark.skipif(
    SANITIZED, reason="AddressSanitizer reserves terabytes of address space "
    "and keeps what was freed: memory cannot be limited or measured")
needs_strace = needs(shutil.which("strace"),
                     "needs strace (tools/setup brings it)")

MIB = 1 << 20


# ---- Wire bytes -------------------------------------------------------------

def node(name, op=b"NoOp", inputs=()):
    return field(1, field(1, name) + field(2, op)
                 + b"".join(field(3, i) for i in inputs))


def graph(nodes, size=0):
    """A GraphDef of that many nodes; `size` bytes of padding in each name."""
    return b"".join(node(b"scope/%d%s" % (i, b"x" * size))
                    for i in range(nodes))


def run_metadata(records):
    stats = b"".join(
        field(2, field(1, b"n%d" % i) + integer(2, 1700000000000000 + i))
        for i in range(records))
    return field(1, field(1, field(1, b"/device:CPU:0") + stats))


def nested_graph(levels):
    """A node whose attribute holds a function whose attribute ..."""
    path = [1, 5, 2] + [10, 2, 2] * (levels // 3 + 1)
    inside = b""
    for number in reversed(path[1:levels]):
        inside = field(number, inside)
    return field(1, field(1, b"n") + inside)


# ---- Running ----------------------------------------------------------------

def start(args, limits=(), **kwargs):
    """The program as a process; `limits` are pairs for setrlimit()."""
    def set_limits():
        for what, value in limits:
            resource.setrlimit(what, (value, value))
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    kwargs.setdefault("stdout", subprocess.PIPE)
    kwargs.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(
        [TFPROF, *map(os.fspath, args)],
        preexec_fn=set_limits if limits else None, **kwargs)


def run(*args, limits=(), timeout=PATIENCE, data=None, **kwargs):
    """(exit code, stdout, stderr); a signal is a failure."""
    if data is not None:
        kwargs["stdin"] = subprocess.PIPE
    with start(args, limits, **kwargs) as process:
        try:
            out, err = process.communicate(data, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    check_no_signal(process.returncode, err)
    return process.returncode, out, err


def check_no_signal(code, err=b""):
    assert code >= 0, f"{signal.Signals(-code).name}: {err!r}"
    assert b"AddressSanitizer" not in (err or b"") and b"runtime error" not in (
        err or b""), err.decode(errors="replace")


def strace(rules, path, *args, **kwargs):
    """(exit code, stdout, stderr, calls) of the program while `rules` befall
    its system calls on `path`."""
    log = path.parent / (path.name + ".strace")
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        ["strace", "-o", log, "-P", path,
         *(a for rule in rules for a in ("-e", rule)),
         TFPROF, *map(os.fspath, args)],
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=PATIENCE, env=environment, **kwargs)
    check_no_signal(done.returncode, done.stderr)
    return done.returncode, done.stdout, done.stderr, log.read_text()


def with_fault(call, fault, path, *args):
    """(exit code, stdout, stderr) of the program while a system call on `path`
    has a fault of strace, such as "error=EIO:when=2"."""
    *answer, log = strace([f"trace={call}", f"inject={call}:{fault}"], path,
                          *args)
    assert "(INJECTED)" in log
    return tuple(answer)


def complaint(err):
    """The one line that stands on stderr, without the program's name."""
    text = err.decode(errors="backslashreplace")
    assert text.startswith("tfprof: ") and text.endswith("\n"), text
    assert text.count("\n") == 1, text
    return text[len("tfprof: "):-1]


def printed(*args, **kwargs):
    """What a run that succeeds without a remark prints."""
    code, out, err = run(*args, **kwargs)
    assert (code, err) == (0, b""), (args, code, err)
    return out


def refusal(code, *args, **kwargs):
    """The complaint of a run that ends with this code and prints nothing."""
    found, out, err = run(*args, **kwargs)
    assert (found, out) == (code, b""), (args, found, out, err)
    return complaint(err)


def failure(code, *args, **kwargs):
    """The same of `info`, which prints what it knows all the same."""
    found, _, err = run(*args, **kwargs)
    assert found == code, (args, found, err)
    return complaint(err)


@contextlib.contextmanager
def writing(path, data):
    """A thread that writes `data` into a FIFO as soon as someone reads it."""
    def write():
        with contextlib.suppress(BrokenPipeError), open(path, "wb") as fifo:
            fifo.write(data)
    thread = threading.Thread(target=write)
    thread.start()
    yield
    # Lets go of a writer that nobody has read from.
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    thread.join()
