"""Runs the cases of tests/golden/upstream: commands whose answers are known
from TensorFlow's own tfprof.

The archives are unpacked once, into a folder that goes with the process.
"""

import concurrent.futures
import difflib
import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import pprof
import traces
from faults import check_no_signal
from program import SOURCE_DIR, TFPROF
from surroundings import PATIENCE

FOLDER = SOURCE_DIR / "tests" / "golden" / "upstream"


def _pack():
    spec = importlib.util.spec_from_file_location("pack", FOLDER / "pack.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    spec.loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


pack = _pack()
CASES = pack.read_cases(FOLDER / "cases.tsv")


@functools.cache
def _scratch():
    return tempfile.TemporaryDirectory(prefix="tfprof-upstream-")


@functools.cache
def unpacked(kind):
    """The folder of all "inputs", or of all that is "expected"."""
    folder = pathlib.Path(_scratch().name, kind)
    folder.mkdir()
    pack.unpack(kind, folder)
    return folder


def input_path(name):
    return unpacked("inputs") / name


def model(name):
    """The graph, the first run and the op log of a model."""
    return [input_path(name + rest)
            for rest in (".pb", "_run_meta_0", "_oplog")]


def expected(name):
    return (unpacked("expected") / name).read_bytes()


# ---- Running -----------------------------------------------------------------

class Answer:
    """What came of a case: exit code, output, files written."""

    def __init__(self, done, files):
        self.code, self.out, self.err = (done.returncode, done.stdout,
                                         done.stderr)
        self.files = files  # name -> bytes

    def same_as(self, other):
        return (self.code, self.out, self.files) == (
            other.code, other.out, other.files)


def make_place(where):
    """A folder to run cases in, with links to all inputs."""
    where.mkdir(parents=True)
    for path in unpacked("inputs").iterdir():
        (where / path.name).symlink_to(path)
    return where


def run(words, where, stdin=b"", **kwargs):
    """The program's answer in a folder; what it writes is taken away."""
    before = set(os.listdir(where))
    done = subprocess.run([os.path.abspath(shutil.which(TFPROF) or TFPROF),
                           *words], cwd=where, input=stdin,
                          capture_output=True, check=False, timeout=PATIENCE,
                          **kwargs)
    files = {}
    for name in sorted(set(os.listdir(where)) - before):
        files[name] = (where / name).read_bytes()
        (where / name).unlink()
    return Answer(done, files)


def run_all(cases, place=make_place, change=lambda words: words, **kwargs):
    """{name: Answer}: each case once, in as many threads as processors.

    `place` makes a thread's folder, `change` the arguments of a case.
    """
    own = threading.local()
    with tempfile.TemporaryDirectory(prefix="tfprof-upstream-") as folder:
        def one(case):
            if not hasattr(own, "where"):
                number = str(threading.get_ident())
                own.where = place(pathlib.Path(folder, number))
            stdin = b"" if case.stdin == "-" else expected(case.stdin)
            return run(change(case.words), own.where, stdin, **kwargs)

        for kind in ("inputs", "expected"): # before there are threads
            unpacked(kind)
        workers = len(os.sched_getaffinity(0))
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            return dict(zip((case.name for case in cases),
                            pool.map(one, cases)))


# ---- Comparing ---------------------------------------------------------------

def difference(want, got, name):
    lines = difflib.unified_diff(
        want.decode(errors="backslashreplace").splitlines(),
        got.decode(errors="backslashreplace").splitlines(),
        f"upstream's {name}", f"our {name}", n=1, lineterm="")
    lines = [line[:160] for line in lines]
    more = [f"... {len(lines) - 20} more lines"] if len(lines) > 20 else []
    return lines[:20] + more or [f"{name}: other ends of lines"]


def compare_text(want, got, name):
    return difference(want, got, name) if got != want else []


def compare_traces(want, got, name):
    ours = traces.Trace(got)
    traces.check(ours)
    return [f"{name}: {line}"
            for line in traces.differences(traces.Trace(want), ours)]


def compare_samples(want, got, name):
    want, got = pprof.samples(want), pprof.samples(got)
    lost, extra = want - got, got - want
    return ([f"{name}: {lost.total()} samples are missing, {extra.total()} "
             "are too many"] if lost or extra else []) + [
        f"{word} {sample}"[:160] for word, samples in (
            ("missing:", lost), ("too many:", extra))
        for sample in list(samples)[:3]]


def comparison(case, name):
    """(our name of an expected file, what compares the two)"""
    if name.endswith(".file.txt"):
        return "out.txt", compare_text
    if name.endswith(".pprof"):
        return "out.pprof", compare_samples
    step = re.search(r"\.timeline(_-?\d+)\.json$", name)
    assert step, "a kind that is not compared yet"
    several = len(case.files) > 1
    return f"out.timeline{step[1] if several else ''}", compare_traces


def complaints(case, answer):
    """The lines that say what is wrong with an answer; none if it is right."""
    try:
        check_no_signal(answer.code, answer.err)
    except AssertionError as died:
        return str(died).splitlines()[:20]
    found = []
    want = expected(f"{case.name}.txt")
    if case.status is not None:
        if answer.code != case.status:
            found.append(f"exit code {answer.code}, not {case.status}")
    elif answer.code and (want or case.files):
        found.append(f"exit code {answer.code}")
    if answer.out != want:
        found += difference(want, answer.out, "output")
    files = dict(answer.files)
    for name in case.files:
        ours, compare = comparison(case, name)
        got = files.pop(ours, None)
        if got is None:
            found.append(f"{ours} was not written")
        else:
            found += compare(expected(name), got, ours)
    if "pprof:" in case.arguments and answer.code == 0:
        files.pop("out.pprof", None)  # upstream has none of these views
    found += [f"{name} was written" for name in files]
    if found and answer.err:
        found.append(f"stderr: {answer.err[-300:].decode(errors='replace')}")
    return found


def report(case, found):
    """A message for a failed test."""
    return "\n".join([f"{case.name}: tfprof {case.arguments}", *found])


def with_paths_below(words, folder):
    """The same arguments as seen from elsewhere."""
    def below(match):
        option, paths = match.groups()
        return option + ",".join(f"{folder}/{path}"
                                 for path in paths.split(","))
    return [re.sub(r"^(--?\w+_path=)(.+)", below, word) for word in words]
