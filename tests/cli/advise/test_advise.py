"""`tfprof advise`: what it takes, what it says, and what it does not do."""

import json
import os
import re
import subprocess

import pytest

from faults import run
from messages import (CODE, CPU, GPU, LARGEST, NOON, SMALLEST, Folder, entry,
                      frame, node_def, record, run_of, strings)
from program import TFPROF

STREAM = GPU + b"/stream:all"
SECTIONS = ["AcceleratorUtilizationChecker", "ExpensiveOperationChecker",
            "OperationChecker"]
NO_RUNS = ("no run records, so times are unknown (give run metadata, a trace, "
           "or a profile of a run: --run_meta_path, --profile_path)")
NO_CODE = ("no code traces, so source lines are unknown (give an op log: "
           "--op_log_path)")


def strictly(text):
    """JSON with no key twice and no number that is none."""
    def pairs(found):
        assert len(dict(found)) == len(found)
        return dict(found)

    def constant(word):
        raise AssertionError(word)

    return json.loads(text.decode(), object_pairs_hook=pairs,
                      parse_constant=constant)


def findings(folder, *args):
    """{checker: all its findings} of the JSON."""
    out, _ = folder.ask("advise", "--format", "json", *args)
    return {checker["name"]: [finding for report in checker["reports"]
                              for finding in report]
            for checker in strictly(out)["checkers"]}


def lines(out):
    """The lines of a text that upstream has, too."""
    return [line for line in out.decode().splitlines()
            if line and not re.match(r" +(where|try): ", line)
            and not line.endswith("Checker:")]


@pytest.fixture
def folder(tmp_path):
    """A model that something is found about by every checker."""
    names = [b"a", b"b", b"c/BatchNorm"]
    return Folder(
        tmp_path,
        graph=b"".join(node_def(name, b"MatMul") for name in names),
        run=run_of((CPU, record(b"a", end=4000) + record(b"b", end=3000)),
                   (GPU, record(b"c/BatchNorm", end=10)),
                   (STREAM, record(b"c/BatchNorm", end=9))),
        log=entry(b"a", frame(1, 1) + frame(1, 2))
        + entry(b"b", frame(1, 1) + frame(1, 3)) + strings(CODE))


# ---- What it says ------------------------------------------------------------

def test_text_and_json_say_the_same(folder):
    out, told = folder.ask("advise")
    assert told == []
    assert re.findall(r"(?m)^\n(\w+):$", out.decode()) == SECTIONS
    found = findings(folder)
    assert list(found) == SECTIONS and all(found.values())
    every = [finding for some in found.values() for finding in some]
    assert [finding["line"] for finding in every] == lines(out)
    hints = re.findall(r"(?m)^ +try: (.*)$", out.decode())
    assert [finding["try"] for finding in every] == hints
    wheres = re.findall(r"(?m)^ +where: (\S+)", out.decode())
    assert [finding["where"]["node"] for finding in every] == wheres


def test_a_finding_has_its_figures(folder):
    found = findings(folder)
    device, = found["AcceleratorUtilizationChecker"]
    assert device["kind"] == "device" and device["name"] == GPU.decode().lower()
    assert (device["micros"], device["whole_micros"]) == (9, 10)
    first = found["ExpensiveOperationChecker"][0]
    assert (first["kind"], first["name"]) == ("type", "MatMul")
    assert first["micros"] == first["whole_micros"] == 7019
    assert first["cpu_micros"] == 7010 and first["accelerator_micros"] == 9
    assert first["where"] == {"node": "a", "nodes": 3, "file": "model.py",
                              "line": 2}
    code = [finding for finding in found["ExpensiveOperationChecker"]
            if finding["kind"] == "code"]
    assert [finding["name"] for finding in code] == [
        "model.py:2:build", "model.py:3:build"]
    assert [finding["depth"] for finding in code] == [0, 0]
    batch_norm, = found["OperationChecker"]
    assert batch_norm["where"] == {"node": "c/BatchNorm", "nodes": 1,
                                   "file": None, "line": None}


def test_lines_are_short_unless_names_are_long(folder):
    out, _ = folder.ask("advise")
    for line in out.decode().splitlines():
        if line.lstrip().startswith("try: "):
            assert len(line) <= 80


def test_checkers_are_chosen(folder):
    for name in SECTIONS:
        assert list(findings(folder, "-checkers", name)) == [name]
    some = ",".join(SECTIONS[::-2])
    assert list(findings(folder, f"--checkers={some}")) == SECTIONS[::2]
    assert findings(folder, "-checkers", "all") == findings(folder)
    assert folder.ask("advise", "-checkers", "JobChecker") == (b"", [])
    assert findings(folder, "-checkers", "JobChecker") == {}


@pytest.mark.parametrize("word, said", [
    ("OperationCheker", "(did you mean OperationChecker?)"),
    ("operationchecker", "(did you mean OperationChecker?)"),
    ("OperationChecker,Job", "not 'Job'"),
    ("", "not ''"),
    (",", "not ','"),
    ("all,JobChecker", "not 'all'"),
])
def test_an_unknown_checker_is_refused(folder, word, said):
    told = folder.refuse("advise", f"--checkers={word}")
    assert told.startswith("--checkers ") and told.endswith(said)


# ---- What may be missing -----------------------------------------------------

def test_without_runs_only_the_operation_checker_reports(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"BatchNorm"))
    out, told = folder.ask("advise")
    assert told == [NO_RUNS]
    assert re.findall(r"(?m)^(\w+):$", out.decode()) == SECTIONS
    assert lines(out) == [
        "Maybe use faster FusedBatchNorm instead of BatchNorm"]
    assert folder.ask("advise", "-checkers", "OperationChecker")[1] == []
    for some in (SECTIONS[:1], SECTIONS[:2], SECTIONS[1:2] + ["JobChecker"]):
        told = folder.refuse("advise", "-checkers", ",".join(some))
        assert told.startswith(f"{some[0]} requires run records ")


def test_without_code(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a"),
                    run=run_of((CPU, record(b"a"))))
    assert folder.ask("advise")[1] == [NO_CODE]
    assert folder.ask("advise", "-q")[1] == []


def test_without_streams(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a"),
                    run=run_of((GPU, record(b"a", end=100))))
    out, told = folder.ask("advise")
    assert lines(out)[0] == f"device: {GPU.decode().lower()} low utilization: 0.00"
    assert any("its streams were not recorded" in note for note in told)


def test_without_a_graph(tmp_path):
    folder = Folder(tmp_path, run=run_of((CPU, record(b"a", end=100))))
    assert [finding["name"] for finding
            in findings(folder)["ExpensiveOperationChecker"]] == ["a", "a"]


def test_inputs_that_cannot_be_answered_from(tmp_path):
    Folder(tmp_path, log=entry(b"a", frame(1, 1)) + strings(CODE))
    log = tmp_path / "log"
    assert run("advise", log)[0] == 2
    assert run("advise", tmp_path / "missing")[0] == 1
    (tmp_path / "cut").write_bytes(node_def(b"a") * 9 + b"\x0a\x7f")
    code, out, _ = run("advise", "--graph_path", tmp_path / "cut")
    assert (code, out) == (1, b"")
    code, out, _ = run("advise", "--salvage", "--graph_path", tmp_path / "cut")
    assert code == 1 and b"OperationChecker:" in out
    code, out, err = run("advise")
    assert (code, out) == (2, b"") and b"needs an input file" in err


def test_an_empty_model(tmp_path):
    folder = Folder(tmp_path, graph=b"")
    out, told = folder.ask("advise")
    assert lines(out) == []
    assert told == ["the inputs contain no nodes", NO_RUNS]


# ---- Where it goes -----------------------------------------------------------

def test_file_output_has_the_same_bytes_as_stdout(folder):
    expected, _ = folder.ask("advise")
    target = folder.path / "advice"
    out, told = folder.ask("advise", "-output", f"file:outfile={target}")
    assert (out, told) == (b"", [])
    assert target.read_bytes() == expected
    assert folder.ask("advise", "-output", "none") == (b"", [])
    assert [name for name in os.listdir(folder.path) if "tfprof-" in name] == []


def test_an_input_is_not_written_over(folder):
    before = (folder.path / "run").read_bytes()
    code, _, _ = run("advise", *folder.args, "-output",
                     f"file:outfile={folder.path / 'run'}")
    assert code == 2
    assert (folder.path / "run").read_bytes() == before


@pytest.mark.parametrize("kind", ["timeline", "pprof", "profile", "folded",
                                  "speedscope"])
def test_forms_that_advice_has_not(folder, kind):
    target = folder.path / "file"
    assert folder.refuse("advise", "-output", f"{kind}:outfile={target}") == (
        "--output: advise supports stdout, none and file:outfile=FILE")
    assert not target.exists()
    assert folder.refuse("advise", "--format", "csv") == (
        "advise supports --format text, json or proto, not csv")


def test_full_disk_exits_with_an_error(folder):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([TFPROF, "advise", *folder.args], stdout=full,
                              stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"cannot write to standard output" in done.stderr


# ---- Strange models ----------------------------------------------------------

STRANGE = [b"w\x1b[2J", b"a\nb", b"\xff\xfe", "e\u202ex".encode(), b'"q\\"',
           b"%s%n", b"", b"a\0b"]


@pytest.mark.parametrize("name", STRANGE)
def test_OU_11_strange_names_are_made_safe(tmp_path, name):
    words = {1: name + b".py", 2: name, 3: b"x"}
    folder = Folder(
        tmp_path, graph=node_def(name, name) + node_def(b"BatchNorm" + name),
        run=run_of((b"/device:" + name + b"/device:GPU:0",
                    record(name, end=5000)),
                   (CPU, record(b"BatchNorm" + name, end=5000))),
        log=entry(name, frame(1, 1)) + strings(words)
        + entry(b"BatchNorm" + name, frame(1, 2)))
    out, _ = folder.ask("advise")
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae", out)
    out.decode()
    found = findings(folder)
    assert len([finding for some in found.values() for finding in some]) == len(
        lines(out))


TIMES = [SMALLEST, SMALLEST + 1, -1, 0, 1, 1 << 53, LARGEST - 1, LARGEST]


@pytest.mark.parametrize("start", [SMALLEST, 0, 1, NOON, LARGEST])
def test_GR_10_times_at_the_ends_of_their_range(tmp_path, start):
    records = b"".join(record(b"n%d" % i, start, end)
                       for i, end in enumerate(TIMES))
    folder = Folder(
        tmp_path,
        graph=b"".join(node_def(b"n%d" % i) for i in range(len(TIMES))),
        run=run_of((GPU, records), (STREAM, records)),
        log=b"".join(entry(b"n%d" % i, frame(1, 1) + frame(1, i))
                     for i in range(len(TIMES))) + strings(CODE))
    out, _ = folder.ask("advise")
    assert not re.search(rb"(?i)nan|inf\b", out)
    for some in findings(folder).values():
        for finding in some:
            for key in ("micros", "whole_micros", "cpu_micros"):
                assert SMALLEST <= finding.get(key, 0) <= LARGEST


def test_a_deep_stack_and_many_devices(tmp_path):
    deep = b"".join(frame(1, line) for line in range(2000))
    devices = [b"/device:GPU:%d" % i for i in range(500)]
    folder = Folder(
        tmp_path, graph=node_def(b"a") + node_def(b"b"),
        run=run_of((CPU, record(b"a", end=5000) + record(b"b", end=5000)),
                   *((device, record(b"n%d" % i, end=9))
                     for i, device in enumerate(devices))),
        log=entry(b"a", deep + frame(1, 1)) + entry(b"b", deep + frame(1, 2))
        + strings(CODE))
    found = findings(folder)
    told = [finding["name"]
            for finding in found["AcceleratorUtilizationChecker"]]
    assert told == sorted(device.decode().lower() for device in devices)


def test_a_limit_of_memory_is_told(tmp_path):
    """The least limit that a large graph can be read with is too little for
    an answer."""
    folder = Folder(tmp_path, graph=b"".join(
        node_def(b"BatchNorm/%d" % i) for i in range(100_000)))

    def reads(limit):
        return run("info", *folder.args, "--max_memory", str(limit))[0] == 0

    low, high = 1, 64 << 20
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reads(middle) else (middle + 1, high)
    code, out, err = run("advise", *folder.args, "--max_memory", str(low))
    assert (code, out) == (4, b"")
    assert b"the answer needs more memory than allowed" in err


def test_the_same_input_gives_the_same_bytes(folder):
    first = folder.ask("advise")
    assert all(folder.ask("advise") == first for _ in range(3))
