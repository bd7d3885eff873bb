"""PR-02: every kind of file on every option that takes one.

Either it is the right one and there is an answer, or an error says what the
file looks like and which option it goes with. An empty table without a word
is neither.
"""

import gzip
import json
import os
import struct

import pytest

import bundles
from faults import complaint, field, integer, node, refusal, run
from kind_files import (event_file, hdf5_file, onnx_model, orbax_manifest,
                        safetensors)
from messages import VIEWS, node_def
from program import DATA_DIR

# The options that give messages; a table has a test of its own where what
# holds for it differs.
OPTIONS = ("graph_path", "run_meta_path", "op_log_path", "profile_path")
ALL_OPTIONS = (*OPTIONS, "checkpoint_path")


# ---- Kinds that are no messages, or not read, made here ---------------------

def checkpoint_index():
    bundle = bundles.Bundle()
    bundle.add(b"weights", bundles.FLOAT, [3], bundles.floats(1, 2, 3))
    return bundles.table([(b"", bundle.header), *bundle.pairs.items()])


def pprof_profile():
    line = integer(1, 1) + integer(2, 12)
    return (field(1, integer(1, 1) + integer(2, 2))
            + field(2, field(1, b"\x01") + field(2, b"\x64"))
            + field(4, integer(1, 1) + field(4, line))
            + field(5, integer(1, 1) + integer(2, 3))
            + b"".join(field(6, word) for word in (
                b"", b"cpu", b"nanoseconds", b"main.py")))


def xspace():
    event = integer(1, 3) + integer(2, 10) + integer(3, 20)
    line = integer(1, 7) + field(2, b"thread") + integer(3, 5) + field(4, event)
    about = integer(1, 3) + field(2, integer(1, 3) + field(2, b"dense:MatMul"))
    return field(1, integer(1, 1) + field(2, b"/host:CPU") + field(3, line)
                 + field(4, about))


def sample(name):
    return (DATA_DIR / name).read_bytes()


class Kind:
    """A file, what it is called, the option it goes with, and whether it is
    read at all."""

    def __init__(self, file, data, name, option=None, is_read=True):
        self.file, self.data, self.name = file, data, name
        self.option, self.is_read = option, is_read


# Files of tests/data, what each is, and the option that it goes with.
SAMPLES = """\
    graph.pb GraphDef graph_path
    graph.pbtxt GraphDef graph_path
    model.ckpt.meta MetaGraphDef graph_path
    model.ckpt.meta.pbtxt MetaGraphDef graph_path
    saved_model.pb SavedModel graph_path
    saved_model.pbtxt SavedModel graph_path
    run_meta RunMetadata run_meta_path
    run_meta.pbtxt RunMetadata run_meta_path
    step_stats.pb StepStats run_meta_path
    step_stats.pbtxt StepStats run_meta_path
    op_log OpLogProto op_log_path
    op_log.pbtxt OpLogProto op_log_path
    profile ProfileProto profile_path
    profile.pbtxt ProfileProto profile_path""".splitlines()

KINDS = [
    *(Kind(file, sample(file), name, option)
      for file, name, option in map(str.split, SAMPLES)),
    Kind("graph.pb.gz", gzip.compress(sample("graph.pb")), "GraphDef",
         "graph_path"),
    Kind("model.ckpt.index", checkpoint_index(), "checkpoint index",
         "checkpoint_path"),
    Kind("model.ckpt.data-00000-of-00001", struct.pack("<3f", 1, 2, 3) * 50,
         "checkpoint data", "checkpoint_path", False),
    Kind("checkpoint", b'model_checkpoint_path: "model.ckpt"\n'
         b'all_model_checkpoint_paths: "model.ckpt"\n', "checkpoint state",
         "checkpoint_path"),
    Kind("cpu.pprof", pprof_profile(), "pprof profile", is_read=False),
    Kind("cpu.pprof.gz", gzip.compress(pprof_profile()), "pprof profile",
         is_read=False),
    Kind("host.xplane.pb", xspace(), "XSpace"),
    Kind("events.out.tfevents.1.host", event_file(), "event file",
         is_read=False),
    Kind("model.onnx", onnx_model(), "ONNX model", is_read=False),
    Kind("model.h5", hdf5_file(), "HDF5 file", is_read=False),
    Kind("timeline.json", b'{"traceEvents": []}\n', "Chrome trace",
         is_read=False),
    Kind("list.json", b'{"list": []}\n', "JSON text", is_read=False),
    Kind("model.safetensors", safetensors(), "safetensors file",
         is_read=False),
    Kind("manifest.ocdbt", orbax_manifest(), "Orbax checkpoint",
         is_read=False),
]
IDS = [kind.file for kind in KINDS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    for kind in KINDS:
        (folder / kind.file).write_bytes(kind.data)
    (folder / "nothing").write_bytes(b"")
    (folder / "nothing.gz").write_bytes(gzip.compress(b""))
    (folder / "noise").write_bytes(bytes(range(255, -1, -1)) * 8)
    (folder / "hollow").mkdir()
    for name in ("of_one", "of_many", "of_strangers"):
        (folder / name).mkdir()
    (folder / "of_one" / "graph.pb").write_bytes(sample("graph.pb"))
    (folder / "of_many" / "graph.pb").write_bytes(sample("graph.pb"))
    for kind in KINDS:
        if not kind.is_read or kind.option == "checkpoint_path":
            (folder / "of_many" / kind.file).write_bytes(kind.data)
        if not kind.is_read:
            (folder / "of_strangers" / kind.file).write_bytes(kind.data)
    return folder


def has_rows(view, out):
    found = json.loads(out)["rows"]
    return len(found) > (view != "op")


def check_answer(folder, view, *args):
    """An answer with rows; or, when it has none, a word that says why."""
    code, out, err = run(view, *args, "--format", "json", cwd=folder)
    if code == 0 and has_rows(view, out):
        return
    if code == 0:
        assert err.startswith(b"tfprof: "), (
            f"a silent empty result: tfprof {view} {' '.join(args)}")
        return
    # What the inputs cannot answer: a code view without traces, for one.
    assert code == 2 and out == b""
    complaint(err)


# ---- The matrix -------------------------------------------------------------

@pytest.mark.parametrize("kind", KINDS, ids=IDS)
@pytest.mark.parametrize("option", ALL_OPTIONS)
def test_PR_02_a_kind_on_an_option(folder, kind, option):
    for view in VIEWS:
        if option == kind.option and kind.is_read:
            check_answer(folder, view, f"--{option}", kind.file)
            continue
        line = refusal(1, view, f"--{option}", kind.file, cwd=folder)
        if kind.name == "checkpoint data":  # another file is the right one
            assert line == (f"{kind.file}: file type is {kind.name}; give the "
                            "matching index: --checkpoint_path "
                            "model.ckpt.index")
            continue
        found = "XSpace (a trace)" if kind.name == "XSpace" else kind.name
        assert line.startswith(f"{kind.file}: file type is {found}, ")
        assert line.endswith(f"; give it as --{kind.option}"
                             if kind.option else "")


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_PR_02_a_kind_by_itself(folder, kind):
    for view in VIEWS:
        if kind.is_read:
            check_answer(folder, view, kind.file)
            continue
        assert kind.name in refusal(1, view, kind.file, cwd=folder)


@pytest.mark.parametrize("kind", [k for k in KINDS if not k.is_read],
                         ids=lambda kind: kind.file)
def test_PR_02_a_kind_beside_a_graph_is_not_passed_over(folder, kind):
    """It was given by name, so whoever gave it takes it for counted."""
    for view in ("scope", "op"):
        code, out, err = run(view, "graph.pb", kind.file, cwd=folder)
        assert code in (0, 1)
        assert kind.name in err.decode(), (
            f"tfprof {view} graph.pb {kind.file}: not a word about "
            f"{kind.file}")
        if code:
            assert out == b""


# ---- What is no file of any kind --------------------------------------------

@pytest.mark.parametrize("name", ["nothing", "nothing.gz"])
def test_PR_02_an_empty_file_is_no_checkpoint(folder, name):
    for view in VIEWS:
        assert refusal(1, view, "--checkpoint_path", name, cwd=folder) == (
            f"{name}: the file is empty")


def test_PR_02_noise_is_no_checkpoint(folder):
    for view in VIEWS:
        assert refusal(1, view, "--checkpoint_path", "noise",
                       cwd=folder).startswith("noise: not a checkpoint, ")


def test_PR_02_a_directory_as_a_checkpoint(folder):
    for view in VIEWS:
        for name in ("hollow", "of_one", "of_strangers"):
            assert refusal(1, view, "--checkpoint_path", name,
                           cwd=folder).startswith(
                           f"{name}: no checkpoint in this directory (")
        check_answer(folder, view, "--checkpoint_path", "of_many")


@pytest.mark.parametrize("name", ["nothing", "nothing.gz"])
@pytest.mark.parametrize("option", OPTIONS)
def test_PR_02_an_empty_file_is_told(folder, name, option):
    """By name it is an empty message (no step was recorded, for one); that
    it has nothing to show is said."""
    for view in VIEWS:
        check_answer(folder, view, f"--{option}", name)
        assert refusal(1, view, name, cwd=folder) == (
            f"{name}: the file is empty")
        # Beside a graph there is an answer.
        code, out, err = run(view, "graph.pb", f"--{option}", name, cwd=folder)
        assert code == (2 if view == "code" else 0)


@pytest.mark.parametrize("option", OPTIONS)
def test_PR_02_noise_is_refused(folder, option):
    for view in VIEWS:
        assert refusal(1, view, f"--{option}", "noise", cwd=folder).startswith(
            "noise: offset 0: ")
        code, out, err = run(view, "noise", cwd=folder)
        assert (code, out) == (1, b"")
        for each in ALL_OPTIONS:
            assert f"--{each}" in complaint(err)


@pytest.mark.parametrize("option", [None, *OPTIONS])
def test_PR_02_a_directory(folder, option):
    given = [f"--{option}"] if option else []
    for view in VIEWS:
        assert refusal(1, view, *given, "hollow", cwd=folder).startswith(
            "hollow: no supported file")
        if option in (None, "graph_path"):
            check_answer(folder, view, *given, "of_one")
        else:
            assert refusal(1, view, *given, "of_one", cwd=folder).startswith(
                "of_one/graph.pb: file type is GraphDef, ")
        if option is None:
            check_answer(folder, view, "of_many")
        else:  # every file in it is said to be of that kind, and is not
            code, out, err = run(view, *given, "of_many", cwd=folder)
            assert (code, out) == (1, b"")
            assert b"of_many/model.ckpt.index: file type is " in err
        code, out, err = run(view, *given, "of_strangers", cwd=folder)
        assert (code, out) == (1, b""), (
            f"tfprof {view} {' '.join(given)} of_strangers: exit {code}")
        assert b"of_strangers" in err


# ---- Very small files -------------------------------------------------------

@pytest.mark.parametrize("option", OPTIONS[1:])
@pytest.mark.parametrize("data", [
    node(b"a"), node(b"a", b"NoOp", [b"b"]), node_def(b"a", shape=[3]),
    node(b"a") * 2, node(b"sum", b"AddN", [b"x%d" % i for i in range(9)])],
    ids=["node", "input", "shape", "two", "inputs"])
def test_PR_02_a_tiny_graph_is_not_taken_for_another_kind(tmp_path, option,
                                                          data):
    path = tmp_path / "tiny"
    path.write_bytes(data)
    for view in VIEWS:
        assert refusal(1, view, f"--{option}", path).startswith(
            f"{os.fspath(path)}: ")
