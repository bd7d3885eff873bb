"""The small files of tests/data: facts, without TensorFlow and shared files."""

# labels: tf

import gzip
import json
import sys

import pytest

import program
import tf_messages
from files import needs_tensorflow

EXPECTED = json.loads(
    (program.DATA_DIR / "expected.json").read_text(encoding="utf-8"))


def said(entry):
    """An entry of `tfprof info` in the form of expected.json."""
    facts = tf_messages.said(entry)
    for key in ("counts", "ignored"):
        facts[key] = {name: n for name, n in entry[key].items() if n}
    for key in ("kind", "encoding", "gzip"):
        facts[key] = entry[key]
    return facts


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_holds_what_it_should(name):
    info = program.Info(program.DATA_DIR / name)
    assert (info.exit, info.stderr) == (0, "")
    assert said(info.file) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_given_by_its_option_holds_the_same(name):
    option = tf_messages.OPTION[EXPECTED[name]["kind"]]
    info = program.Info(f"--{option}", program.DATA_DIR / name)
    assert (info.exit, info.stderr) == (0, "")
    assert said(info.file) == EXPECTED[name]


def test_all_samples_at_once_hold_the_same(say):
    info = program.Info(*(program.DATA_DIR / name for name in EXPECTED))
    assert (info.exit, info.stderr) == (0, "")
    for entry, (name, expected) in zip(info.files, EXPECTED.items(),
                                       strict=True):
        facts = said(entry)
        assert len(facts["steps"]) == len(expected["steps"])
        facts["steps"] = expected["steps"]  # numbered as files come
        assert facts == expected, name
    kinds = {(e["kind"], e["encoding"], e["gzip"]) for e in EXPECTED.values()}
    say(f"{len(EXPECTED)} files, {len(kinds)} pairs of kind and encoding")
    assert {kind for kind, *_ in kinds} == set(tf_messages.KINDS)


def test_samples_are_small():
    for name in EXPECTED:
        assert (program.DATA_DIR / name).stat().st_size <= 4096


@needs_tensorflow
def test_samples_are_what_make_py_makes(tmp_path):
    sys.path.insert(0, str(program.DATA_DIR))
    import make

    make.main(tmp_path)
    assert ({path.name for path in tmp_path.iterdir()}
            == {*EXPECTED, "expected.json"})
    for path in tmp_path.iterdir():
        new, old = path.read_bytes(), (program.DATA_DIR / path.name).read_bytes()
        if path.suffix == ".gz":  # zlib's versions pack differently
            new, old = gzip.decompress(new), gzip.decompress(old)
        assert new == old, f"{path.name}: run tests/data/make.py"
