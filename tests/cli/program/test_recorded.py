"""Recorded answers: used without asking, refused when stale, and not used for
another question."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import pytest

import program
import recorded

TESTS = program.SOURCE_DIR / "tests"
MOST_BYTES = 3_000_000
QUESTION = {"graph": recorded.digest(b"graph"), "step": 1}


@pytest.fixture(autouse=True)
def mode(monkeypatch):
    """mode(NAME): as if it were set; nothing is at first."""
    for name in ("TFPROF_ASK", "TFPROF_RECORD", *recorded.OTHERS):
        monkeypatch.delenv(name, raising=False)
    return lambda name: monkeypatch.setenv(name, "1")


def never():
    raise AssertionError("asked")


def write(path, answer):
    """A record of one answer, as the end of a run writes it."""
    record = recorded.Record(path, ["pytest"])
    os.environ["TFPROF_RECORD"] = "1"
    assert record.answer(QUESTION, lambda: answer) == answer
    del os.environ["TFPROF_RECORD"]
    record.write()
    return recorded.Record(path, ["pytest"])


# ---- Questions ---------------------------------------------------------------

ANSWER = {"text": "rows\n", "message": bytes(range(256)), "runs": [1, [2]]}


def test_a_recorded_answer_is_given_without_asking(tmp_path):
    record = write(tmp_path / "one.xz", ANSWER)
    assert record.answer(dict(reversed(QUESTION.items())), never) == ANSWER


def test_the_same_answers_are_the_same_bytes(tmp_path):
    write(tmp_path / "one.xz", ANSWER)
    write(tmp_path / "other.xz", dict(reversed(ANSWER.items())))
    assert ((tmp_path / "one.xz").read_bytes()
            == (tmp_path / "other.xz").read_bytes())


@pytest.mark.parametrize("change", [{"step": 2}, {"graph": "other"},
                                    {"more": None}])
def test_another_question_fails_and_names_the_command(change, tmp_path):
    record = write(tmp_path / "one.xz", ANSWER)
    with pytest.raises(pytest.fail.Exception) as failure:
        record.answer({**QUESTION, **change}, never)
    assert "one.xz is stale" in failure.value.msg
    assert re.search(r"TFPROF_RECORD=1 pytest \S*tests/cli/program/"
                     r"test_recorded\.py$", failure.value.msg)


def test_other_draws_are_asked(tmp_path, mode):
    record = write(tmp_path / "one.xz", ANSWER)
    mode("TFPROF_TEST_SEED")
    assert record.answer({"other": 1}, lambda: 7) == 7
    assert record.answer(QUESTION, never) == ANSWER


# ---- Asked again -------------------------------------------------------------

def test_an_answer_that_changed_is_stale(tmp_path, mode):
    record = write(tmp_path / "one.xz", ANSWER)
    mode("TFPROF_ASK")
    assert record.answer(QUESTION, lambda: ANSWER) == ANSWER
    with pytest.raises(pytest.fail.Exception, match="is stale"):
        record.answer(QUESTION, lambda: {**ANSWER, "text": "row\n"})


def test_an_answer_of_another_version_is_stale(tmp_path, mode, monkeypatch):
    record = write(tmp_path / "one.xz", ANSWER)
    mode("TFPROF_ASK")
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0")
    with pytest.raises(pytest.fail.Exception, match="is stale"):
        record.answer(QUESTION, lambda: ANSWER)


def test_files_may_differ_but_not_what_is_told_of_them(tmp_path, mode):
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
    record = recorded.Record(tmp_path / "made.xz", ["pytest"])

    def make(folder, data, told):
        (folder / "below").mkdir(exist_ok=True)
        (folder / "below" / "file").write_bytes(data)
        return told

    mode("TFPROF_RECORD")
    record.made(QUESTION, folders[0], lambda: make(folders[0], b"\xff1", 5))
    record.write()
    del os.environ["TFPROF_RECORD"]
    record = recorded.Record(tmp_path / "made.xz", ["pytest"])
    assert record.made(QUESTION, folders[1], never) == 5
    assert (folders[1] / "below" / "file").read_bytes() == b"\xff1"
    mode("TFPROF_ASK")
    last = folders[2]
    assert record.made(QUESTION, last, lambda: make(last, b"2", 5)) == 5
    with pytest.raises(pytest.fail.Exception, match="is stale"):
        record.made(QUESTION, last, lambda: make(last, b"2", 6))


# ---- What is recorded --------------------------------------------------------

def test_the_records_are_small(say):
    sizes = {path.name: path.stat().st_size
             for path in recorded.FOLDER.glob("*.xz")}
    say(f"{sum(sizes.values()):,} bytes in {len(sizes)} records")
    assert sizes and sum(sizes.values()) <= MOST_BYTES, sizes


def test_records_are_of_the_versions_that_setup_installs():
    """Without asking: a new version needs new records."""
    pins = dict(re.findall(r"(?m)^([\w-]+)==(\S+)$", (
        program.SOURCE_DIR / "tools" / "requirements.txt").read_text()))
    for path in recorded.FOLDER.glob("*.xz"):
        versions = recorded.Record(path, []).versions
        assert versions, path.name
        for name, version in versions.items():
            assert version == pins.get(name, version), path.name


def marked():
    """The test files whose answers are recorded."""
    return [path for path in sorted(TESTS.glob("cli/*/test_*.py"))
            if re.search(r"(?m)^pytestmark = .*pytest\.mark\.recorded",
                         path.read_text())]


def test_no_marked_file_loads_tensorflow(say):
    names = [path.stem for path in marked()]
    say(f"{len(names)} files")
    assert names
    script = ("import importlib, recorded, sys\n"
              "for name in sys.argv[1:]:\n"
              "    importlib.import_module(name)\n"
              "    assert not recorded.tensorflow_is_loaded(), name\n")
    folders = [TESTS / "lib", *sorted({path.parent for path in marked()})]
    subprocess.run(
        [sys.executable, "-c", script, *names], check=True, env={
            **os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))})


def test_a_wrong_answer_of_tfprof_is_found_with_the_record(tmp_path):
    """A program that adds one to a number, and one that does not."""
    file = TESTS / "cli" / "flops" / "test_formulas_live.py"
    program_path = pathlib.Path(program.TFPROF).resolve()
    for change, exit_code in (("s/20/21/g", 1), ("s/20/20/g", 0)):
        path = tmp_path / "tfprof"
        path.write_text(f"#!/bin/sh\n'{program_path}' \"$@\" >'{path}.out'\n"
                        f"code=$?\nsed '{change}' '{path}.out'\nexit $code\n")
        path.chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
             file, "-k", "inputs_that_only_order"],
            check=False, capture_output=True, text=True,
            env={**os.environ, "TFPROF": str(path)})
        assert done.returncode == exit_code, done.stdout
