"""The files of a checkpoint: those that are missing, cut or of another run, which
of several is meant, and what a checkpoint gives beside a graph."""

# labels: slow

import json
import os
import re

import pytest

import bundles
from bundles import FLOAT, Bundle, floats
from checkpoints import elements, rows, sound, two_shards
from faults import (complaint, field, needs_strace, printed, refusal, run,
                    strace, with_fault)
from messages import node_def


# ---- CK-19: shards ----------------------------------------------------------

def check_lost(prefix, words):
    code, found, err = rows(prefix)
    assert code == 1
    assert elements(found["first"]) == [1, 2, 3]
    assert elements(found["last"]) == [7, -7]
    for name in ("second/a", "second/b"):
        assert words in found[name]["value"]["error"]
        assert found[name]["self"]["params"] == 2
    assert words in err
    # Without values nobody looks for shards.
    assert run("scope", prefix, "-select", "params")[::2] == (0, b"")


def test_CK_19_a_shard_that_is_missing_is_named(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    os.unlink(f"{prefix}.data-00001-of-00002")
    check_lost(prefix, "cannot open shard model.data-00001-of-00002: No "
               "such file")


def test_CK_19_a_shard_that_is_cut_is_told(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    os.truncate(f"{prefix}.data-00001-of-00002", 4)
    check_lost(prefix, "extends past the end of shard 1")
    os.truncate(f"{prefix}.data-00001-of-00002", 0)
    check_lost(prefix, "extends past the end of shard 1")


def test_CK_19_a_shard_of_another_run_is_told(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    with open(f"{prefix}.data-00001-of-00002", "wb") as shard:
        shard.write(floats(9, 9, 9, 9))
    check_lost(prefix, "is the shard from another run?")


def test_CK_19_shards_that_changed_places_are_told(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    os.rename(f"{prefix}.data-00000-of-00002", tmp_path / "kept")
    os.rename(f"{prefix}.data-00001-of-00002", f"{prefix}.data-00000-of-00002")
    os.rename(tmp_path / "kept", f"{prefix}.data-00001-of-00002")
    code, found, err = rows(prefix)
    assert code == 1
    assert [elements(found[name]) for name in (
        "first", "last", "second/a", "second/b")] == [None] * 4


def test_CK_19_a_shard_that_is_no_file_is_told(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    os.unlink(f"{prefix}.data-00001-of-00002")
    os.mkdir(f"{prefix}.data-00001-of-00002")
    check_lost(prefix, "cannot open shard")
    os.rmdir(f"{prefix}.data-00001-of-00002")
    os.mkfifo(f"{prefix}.data-00001-of-00002")
    check_lost(prefix, "cannot open shard")


def test_CK_19_a_shard_more_is_no_matter(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    (tmp_path / "model.data-00002-of-00003").write_bytes(b"x")
    code, found, err = rows(prefix)
    assert (code, err) == (0, "")


def test_CK_19_a_file_of_version_1_that_is_missing_is_named(tmp_path):
    whole = [(0, None)]
    for i in range(3):
        (tmp_path / f"model-0000{i}-of-00003").write_bytes(bundles.table_v1(
            [bundles.slice_meta(b"t%d" % i, FLOAT, [1], [whole])],
            {(b"t%d" % i, tuple(whole)): bundles.float_val(i)}))
    code, found, err = rows("model", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert [elements(found[f"t{i}"]) for i in range(3)] == [[0], [1], [2]]
    (tmp_path / "model-00001-of-00003").unlink()
    for given in ("model", "model-00000-of-00003", "model-?????-of-00003"):
        assert refusal(1, "scope", "--checkpoint_path", given,
                       cwd=tmp_path).startswith(
                       "model-00001-of-00003: cannot open")


# ---- CK-20: which one is the latest -----------------------------------------

def state(path):
    return f'model_checkpoint_path: "{path}"\n'.encode()


@pytest.fixture
def place(tmp_path):
    """A directory with a checkpoint, and another one beside it."""
    for name, value in (("inside/model-1", 1), ("inside/model-2", 2),
                        ("outside/model-2", 3), ("outside/secret", 4)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        bundle = Bundle()
        bundle.add(b"x", FLOAT, [1], floats(value))
        bundle.write(tmp_path / name)
    return tmp_path


def latest(place, text, *args):
    """The value that is read, or what is said."""
    (place / "inside" / "checkpoint").write_bytes(text)
    answers = []
    for given in ("inside", "inside/checkpoint"):
        code, found, err = rows("--checkpoint_path", given, *args, cwd=place)
        assert code in (0, 1)
        answers.append(elements(found["x"])[0] if code == 0 else err)
    code, found, err = rows("inside/checkpoint", *args, cwd=place)
    answers.append(elements(found["x"])[0] if code == 0 else err)
    assert answers[1] == answers[2]
    if isinstance(answers[0], str):
        answers[0] = answers[0].replace("inside/checkpoint: ", "")
        answers[1] = answers[1].replace("inside/checkpoint: ", "")
    assert answers[0] == answers[1]
    return answers[0]


def test_CK_20_the_state_names_the_latest(place):
    assert latest(place, state("model-1")) == 1
    assert latest(place, state("model-2")) == 2
    assert latest(place, state("./model-2")) == 2
    assert latest(place, state("../inside/model-1")) == 1
    text = state("model-1") + b'all_model_checkpoint_paths: "model-2"\n'
    assert latest(place, text) == 1


@pytest.mark.parametrize("path", ["../outside/secret", "/etc/secret",
                                  "x/../../outside/secret", "/secret"])
def test_CK_20_the_state_leads_nowhere_else(place, path):
    said = latest(place, state(path))
    assert isinstance(said, str)
    assert (f"names the checkpoint {path}, which is outside of this "
            "directory (use --follow to read it)") in said
    # In its own directory the name counts, wherever it once was.
    assert latest(place, state(os.path.dirname(path) + "/model-2")) == 2


def test_CK_20_unless_it_is_told_to_follow(place):
    assert latest(place, state("../outside/secret"), "--follow") == 4
    assert latest(place, state(place / "outside" / "model-2"), "--follow") == 3
    assert "which does not exist" in latest(place, state("/nonexistent/x"),
                                            "--follow")


@pytest.mark.parametrize("text, words", [
    (state("model-3"), "names the checkpoint model-3, which does not exist"),
    (state(""), "does not name a valid path"),
    (state("checkpoint"), "must name a checkpoint, not a state file"),
    (state("a\\000b"), "does not name a valid path"),
    (b"model_checkpoint_path: 7\n", "line 1"),
    (b'model_checkpoint_path: "x\n', "line 1"),
], ids=["absent", "empty", "itself", "nul", "number", "torn"])
def test_CK_20_a_state_that_is_of_no_use(place, text, words):
    assert words in latest(place, text)


def test_CK_20_without_a_state_the_only_one_counts(place):
    assert refusal(1, "scope", "--checkpoint_path", "inside",
                   cwd=place).endswith("give one of: model-1, model-2")
    os.unlink(place / "inside" / "model-1.index")
    code, found, err = rows("--checkpoint_path", "inside", cwd=place)
    assert (code, err) == (0, "")
    assert elements(found["x"]) == [2]


def test_CK_20_in_a_directory_with_other_files(place):
    """All of it is read, and of checkpoints the latest."""
    (place / "inside" / "graph.pb").write_bytes(
        node_def(b"x", b"VariableV2", shape=[1]))
    code, out, err = run("scope", "inside", "-select", "op_types", cwd=place)
    assert code == 0 and b"x (VariableV2)" in out  # no telling which one
    (place / "inside" / "checkpoint").write_bytes(state("model-2"))
    code, found, err = rows("inside", cwd=place)
    assert (code, err) == (0, "")
    assert elements(found["x"]) == [2]
    code, out, err = run("info", "inside", cwd=place)
    assert b"not the latest checkpoint" in out


# ---- Beside a graph ---------------------------------------------------------

def test_nodes_in_a_checkpoint_get_its_type(tmp_path):
    (tmp_path / "graph.pb").write_bytes(b"".join(
        field(1, field(1, name) + field(2, op)) for name, op in (
            (b"first", b"VariableV2"), (b"other", b"VariableV2"),
            (b"first/read", b"Identity"))))
    prefix = sound().write(tmp_path / "model")
    out = printed("scope", tmp_path / "graph.pb", prefix, "-select", "op_types")
    assert out == (b"node name | op types\n_TFProfRoot (_kTFScopeParent)\n"
                   b"  first (VariableV2|_checkpoint_variables)\n"
                   b"    first/read (Identity)\n  other (VariableV2)\n")
    code, out, err = run("op", tmp_path / "graph.pb", prefix, "-select",
                         "occurrence", "-account_type_regexes",
                         "_checkpoint_variables")
    assert out.splitlines()[1].split() == [b"VariableV2", b"0|1"]


def test_of_two_checkpoints_the_first_counts(tmp_path):
    one, two = sound(), sound()
    two.add(b"more", FLOAT, [1], floats(9))
    two.add(b"first", FLOAT, [3], floats(4, 5, 6))
    code, found, err = rows(one.write(tmp_path / "one"),
                            two.write(tmp_path / "two"))
    assert (code, err) == (0, "")
    assert elements(found["first"]) == [1, 2, 3]
    assert elements(found["more"]) == [9]
    code, out, err = run("info", tmp_path / "one", tmp_path / "two")
    assert b"tensors already in an earlier checkpoint (dropped): 2\n" in out


def test_a_damaged_tensor_does_not_spoil_a_file(tmp_path):
    """-output file: what can be told is in it."""
    bundle = sound()
    bundle.add(b"middle", FLOAT, [3], floats(4, 5, 6), crc=1)
    prefix = bundle.write(tmp_path / "model")
    plain = run("scope", prefix, "-select", "tensor_value")
    code, out, err = run("scope", prefix, "-select", "tensor_value", "-output",
                         f"file:outfile={tmp_path}/out")
    assert (code, out) == (1, b"")
    assert (tmp_path / "out").read_bytes() == plain[1]


def test_OU_08_a_file_of_a_checkpoint_is_not_written_over(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(kept) == 3
    for path in kept:
        for given in (prefix, f"{prefix}.index"):
            assert "--output: " in refusal(2, "scope", given, "-output",
                                           f"file:outfile={path}")
            assert path.read_bytes() == kept[path]


def test_a_state_through_a_pipe_leads_nowhere():
    told = refusal(1, "scope", "-", data=b'model_checkpoint_path: "x"\n')
    assert "a pipe has no directory" in told


def test_the_limit_of_an_input_holds_for_values(tmp_path):
    prefix = sound().write(tmp_path / "model")
    size = os.stat(f"{prefix}.index").st_size
    bundle = sound()
    bundle.add(b"middle", FLOAT, [size], floats(*[0] * size))
    bundle.write(prefix)
    size = os.stat(f"{prefix}.index").st_size
    code, out, err = run("scope", prefix, "-select", "tensor_value",
                         f"--max_input={size + 1}")
    assert code == 4 and b"[7 -7 ],\n" in out
    assert b"--max_input" in err


# ---- IN-05: reads that fail -------------------------------------------------

ASK = ("-select", "params,tensor_value", "--format", "json")


@needs_strace
def test_IN_05_a_read_of_the_index_that_fails_is_reported(tmp_path):
    path = tmp_path / "model.index"
    sound().write(tmp_path / "model")
    code, out, err, log = strace(["trace=pread64"], path, "scope", path, *ASK)
    assert (code, err) == (0, b"")
    reads = log.count("pread64(")
    assert reads >= 3  # the end, for its kind; the footer; index and data
    for k in range(1, reads + 1):
        code, out, err = with_fault("pread64", f"error=EIO:when={k}+", path,
                                    "scope", path, *ASK)
        assert (code, out) == (1, b"")
        assert complaint(err).startswith(f"{path}: ")
        code, _, err, _ = strace(
            ["trace=pread64", f"inject=pread64:error=EINTR:when={k}"], path,
            "scope", path, *ASK)
        assert code == 0 or k == 1


@needs_strace
def test_IN_05_a_read_of_a_shard_that_fails_is_reported(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    shard = tmp_path / "model.data-00001-of-00002"
    code, plain, err, log = strace(["trace=pread64"], shard, "scope", prefix,
                                   *ASK)
    assert (code, err) == (0, b"")
    reads = log.count("pread64(")
    assert reads == 4  # of both its tensors, to check and to show
    for k in range(1, reads + 1):
        code, out, err = with_fault("pread64", f"error=EIO:when={k}", shard,
                                    "scope", prefix, *ASK)
        assert code == 1
        assert b"cannot read: Input/output error" in err
        found = {row["name"]: row for row in json.loads(out)["rows"]}
        assert elements(found["first"]) == [1, 2, 3]
        assert sum("error" in (found[name]["value"] or ())
                   for name in ("second/a", "second/b")) == 1
        assert with_fault("pread64", f"error=EINTR:when={k}", shard, "scope",
                          prefix, *ASK) == (0, plain, b"")


@needs_strace
def test_CK_19_only_the_bytes_of_shown_tensors_are_read(tmp_path):
    prefix = two_shards().write(tmp_path / "model")
    shard = tmp_path / "model.data-00001-of-00002"
    for args, reads in ((["-select", "params"], 0),
                        (["-select", "tensor_value", "-show_name_regexes",
                          "first"], 0),
                        (["-select", "tensor_value", "-show_name_regexes",
                          "second/b"], 2)):
        code, out, err, log = strace(["trace=pread64"], shard, "scope", prefix,
                                     *args)
        assert code == 0
        assert log.count("pread64(") == reads
        assert len(re.findall(r", 8, 8\)\s+= 8", log)) == reads
