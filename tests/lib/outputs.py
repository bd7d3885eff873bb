"""Answers written to a file, and what is left in its folder."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

from faults import SLOW, check_no_signal, complaint, graph, start
from program import TFPROF, chooser
from surroundings import PATIENCE

PROGRAM = os.path.abspath(shutil.which(TFPROF) or TFPROF)
LEGEND = b"node name | # parameters"
OLD = b"what was there before\n"
NOBODY = 65534

# Root may do everything, so what it may not is tried as someone else.
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("setpriv"),
    reason="needs root, to become another user, and setpriv")


def leftovers(folder):
    return sorted(name for name in os.listdir(folder)
                  if name.startswith(".tfprof-"))


def some(items, name, count=25):
    """Random ones of a sweep; all of them with TFPROF_SLOW=1."""
    items = list(items)
    if SLOW or len(items) <= count:
        return items
    return chooser(name).sample(items, count)


class Place:
    """An input, and a folder of its own for the output.

    The answer takes some twenty writes. `old` is what the output file holds
    before; None for no such file.
    """

    def __init__(self, path, nodes=3000, old=OLD):
        self.path = path
        self.input = path / "graph.pb"
        self.input.write_bytes(graph(nodes, 80))
        self.folder = path / "out"
        self.folder.mkdir()
        self.target = self.folder / "answer.txt"
        self.old = old
        self.reset()
        code, self.new, err = self.run("-output", "stdout")
        assert (code, err) == (0, b"") and self.new.startswith(LEGEND)

    def reset(self):
        for path in self.folder.iterdir():
            path.unlink()
        if self.old is not None:
            self.target.write_bytes(self.old)

    def words(self, *more):
        return ["scope", "--graph_path", os.fspath(self.input), "-output",
                f"file:outfile={self.target}", *map(os.fspath, more)]

    def save(self, **kwargs):
        """(exit code, stderr)"""
        code, out, err = self.run(**kwargs)
        assert out == b""
        return code, err

    def run(self, *more, limits=(), **kwargs):
        with start(self.words(*more), limits, **kwargs) as process:
            out, err = process.communicate(timeout=PATIENCE)
        check_no_signal(process.returncode, err)
        return process.returncode, out, err

    def trace(self, *rules, before=()):
        """(exit code, stderr, log) under strace with these rules."""
        log = self.path / "strace"
        done = subprocess.run(
            [*before, "strace", "-qq", "-o", log,
             *(a for rule in rules for a in ("-e", rule)),
             PROGRAM, *self.words()],
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=PATIENCE,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        return done.returncode, done.stderr, log.read_text()

    def inject(self, call, error, when):
        """(exit code, stderr) of a run in which a call fails so."""
        code, err, log = self.trace(
            f"trace={call}", f"inject={call}:error={error}:when={when}")
        assert "(INJECTED)" in log
        return code, err

    def content(self):
        return self.target.read_bytes() if self.target.exists() else None

    def check_unchanged(self, what=None):
        assert self.content() == self.old, what
        assert leftovers(self.folder) == [], what

    def check_written(self, what=None):
        assert self.content() == self.new, what
        assert leftovers(self.folder) == [], what

    def check_succeeded(self, answer, what=None):
        assert answer == (0, b""), what
        self.check_written(what)

    def check_refused(self, answer, words, what=None):
        """One line that names the file and the reason; nothing is touched."""
        code, err = answer
        assert code == 3, (what, code, err)
        assert complaint(err) == f"{self.target}: cannot write: {words}", what
        self.check_unchanged(what)


def calls_of_writing(log):
    """(name, which) of each system call from the first that names the output
    to the end: openat's third, write's first ..."""
    seen, found = {}, []
    is_begun = False
    for line in log.splitlines():
        match = re.match(r"(\w+)\(", line)
        if not match:
            continue
        name = match[1]
        seen[name] = seen.get(name, 0) + 1
        is_begun |= "answer.txt" in line and name != "execve"
        if is_begun:
            found.append((name, seen[name]))
    return found


@contextlib.contextmanager
def mounted(options, path, source="none", kind=("-t", "tmpfs")):
    """A small file system in memory, or something else, at `path`."""
    if not shutil.which("mount"):
        pytest.skip("there is no mount")
    done = subprocess.run(["mount", *kind, "-o", options, source, path],
                          capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("nothing may be mounted here: "
                    + done.stderr.decode().strip())
    try:
        yield path
    finally:
        subprocess.run(["umount", path], check=True)


@contextlib.contextmanager
def open_folder():
    """A folder that anyone may enter, with the program in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copy(PROGRAM, folder / "tfprof")
        (folder / "graph").write_bytes(graph(3))
        yield folder


def run_as(user, folder, outfile, *before, groups=()):
    """(exit code, stderr) of a view written by another user."""
    rights = ["setpriv", f"--reuid={user}", f"--regid={user}",
              f"--groups={','.join(map(str, groups))}" if groups
              else "--clear-groups"]
    done = subprocess.run(
        [*before, *rights, folder / "tfprof", "scope", folder / "graph",
         "-output", f"file:outfile={outfile}"],
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=PATIENCE)
    check_no_signal(done.returncode, done.stderr)
    return done.returncode, done.stderr
