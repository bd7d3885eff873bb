"""What a file is, is found from its bytes; what is not read is named."""

# labels: tf

import collections
import gzip
import random
import struct
import sys
import zipfile

import pytest

import program
import tf_messages
from files import SHARED, all_files, needs_shared, needs_tensorflow
from kind_files import (event_file, field, hdf5_file, keras_archive,
                        onnx_model, orbax_manifest, pytorch_archive,
                        safetensors, zip_archive)
from wirebytes import varint, varint_at

sys.path.append(str(program.SOURCE_DIR / "fuzz"))
from seeds import schema  # noqa: E402


@needs_shared
def test_every_real_file_is_called_what_it_is(say):
    wrong, seen = [], collections.Counter()
    for file in all_files():
        info = program.Info(file.path)
        fails = file.kind in ("unknown", "empty") or file.is_damaged
        # A checkpoint state brings the checkpoint that it names along.
        entry = (info.files[0] if file.kind == "checkpoint state"
                 else info.file)
        answered = info.exit, entry["kind"], entry["read"]
        if answered != (int(fails), file.kind, file.is_read):
            wrong.append((file.name, file.kind, answered, info.stderr))
        elif not fails:
            assert info.stderr == "", file.name
        seen[file.kind] += 1
    say(f"{seen.total()} files: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(seen.items())))
    assert not wrong
    assert seen.total() > 300


# ---- Kinds of which a small file is quickly made ---------------------------

MADE = {
    "safetensors file": safetensors(),
    "Orbax checkpoint": orbax_manifest(),
    "PyTorch checkpoint": pytorch_archive,
    "Chrome trace": b'{"displayTimeUnit": "ns", "traceEvents": []}\n',
    "ONNX model": onnx_model(),
    "HDF5 file": hdf5_file(),
    "Keras archive": keras_archive,
    "zip archive": zip_archive,
    "event file": event_file(),
    "gzip inside gzip": gzip.compress(gzip.compress(b"anything", mtime=0)),
    "TFLite model": struct.pack("<I", 28) + b"TFL3" + bytes(24),
    "HLO text": b"HloModule jit_f, entry_computation_layout={()->f32[]}\n",
    "HLO snapshot text": b'hlo {\n hlo_module {\n name: "f"\n }\n}\n',
    "JSON text": b'{"list": []}\n',
}


@pytest.mark.parametrize("kind", MADE)
def test_a_kind_that_is_not_read_is_named(kind, tmp_path):
    data = MADE[kind]
    path = tmp_path / "input"
    path.write_bytes(data if isinstance(data, bytes) else data(tmp_path))
    info = program.Info(path)
    assert (info.exit, info.stderr) == (0, "")
    assert info.file["kind"] == kind
    assert info.file["read"] is False
    assert info.file["error"] is None
    assert not any(info.file["counts"].values())


def test_the_name_tells_a_file_of_orbax(tmp_path):
    for name, kind in [("_CHECKPOINT_METADATA", "Orbax checkpoint"),
                       ("_METADATA", "Orbax checkpoint"),
                       ("METADATA", "JSON text")]:
        (tmp_path / name).write_bytes(b'{"item_handlers": null}')
        assert program.Info(tmp_path / name).file["kind"] == kind


def test_a_list_of_events_is_a_chrome_trace(tmp_path):
    (tmp_path / "t.json").write_bytes(b'[{"ph": "X", "ts": 1, "dur": 2}]')
    assert program.Info(tmp_path / "t.json").file["kind"] == "Chrome trace"
    (tmp_path / "t.json").write_bytes(b'[{"name": "X"}]')
    assert program.Info(tmp_path / "t.json").file["kind"] == "JSON text"


def test_an_old_file_of_pytorch_is_known(tmp_path):
    (tmp_path / "m.pt").write_bytes(
        b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.")
    assert program.Info(tmp_path / "m.pt").file["kind"] == "PyTorch checkpoint"


# ---- What to give instead ----------------------------------------------------

VALUES = "it has only values; give a graph or a trace of the model"
OF_XLA = "give a trace of the program (*.xplane.pb)"
EXPORT = "call model.export(DIR) and give DIR"
ORIGIN = "give the SavedModel or GraphDef that it was made from"


@pytest.mark.parametrize("kind, advice", [
    ("Keras archive", EXPORT), ("HDF5 file", EXPORT), ("TFLite model", ORIGIN),
    ("ONNX model", ORIGIN), ("safetensors file", VALUES),
    ("Orbax checkpoint", VALUES), ("PyTorch checkpoint", VALUES),
    ("HLO text", OF_XLA), ("HLO snapshot text", OF_XLA),
    ("zip archive", "unpack it and give the files in it"),
    ("event file",
     "record a trace of some steps (tf.profiler or jax.profiler)"),
    ("Chrome trace", "give the trace (*.xplane.pb) that it was made from")])
def test_a_model_of_another_kind_is_answered_with_what_to_do(kind, advice,
                                                             tmp_path):
    data = MADE[kind]
    path = tmp_path / ("x" * 150)
    path.write_bytes(data if isinstance(data, bytes) else data(tmp_path))
    for command in ("scope", "op", "flops", "advise", "memory"):
        done = program.run(command, path)
        assert (done.returncode, done.stdout) == (1, b"")
        assert f"file type: {kind}; " in done.stderr.decode()
        assert done.stderr.decode().endswith(f"{advice}\n")
    done = program.run("scope", "--graph_path", path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"file type is {kind}, not GraphDef; " in (done.stderr.decode())
    assert done.stderr.decode().endswith(f"{advice}\n")
    assert program.run("info", path).stdout.decode().endswith(f"{advice}\n")


TRACES = program.DATA_DIR / "traces"


def advice_on(path, cwd=None):
    done = program.run("summary", path, cwd=cwd)
    assert (done.returncode, done.stdout) == (1, b"")
    return done.stderr.decode().rstrip("\n").partition("; ")[2]


def test_a_chrome_trace_is_answered_with_the_trace_beside_it(tmp_path):
    trace = (TRACES / "jax_mlp_3steps_py0.xplane.pb").read_bytes()
    data = MADE["Chrome trace"]
    for name in ("vm.trace.json.gz", "perfetto_trace.json.gz"):
        (tmp_path / name).write_bytes(gzip.compress(data))
    (tmp_path / "vm.json").write_bytes(data)
    for name in ("a.xplane.pb", "vm.xplane.pb"):
        (tmp_path / name).write_bytes(trace)
    for name, found in [("vm.trace.json.gz", "vm.xplane.pb"),
                        ("vm.json", "vm.xplane.pb"),
                        ("perfetto_trace.json.gz", "a.xplane.pb")]:
        wanted = f"give {found}, which is beside it"
        assert advice_on(tmp_path / name) == wanted
        assert advice_on(name, cwd=tmp_path) == wanted
        done = program.run("summary", "-q", tmp_path / found)
        assert done.returncode == 0


def test_an_event_file_is_answered_with_its_directory(tmp_path):
    logs = tmp_path / "logs"
    run = logs / "plugins" / "profile" / "2026_01_01"
    run.mkdir(parents=True)
    name = "events.out.tfevents.1.vm"
    (logs / name).write_bytes(event_file())
    assert advice_on(logs / name).startswith("record a trace")
    (run / "vm.xplane.pb").write_bytes(
        (TRACES / "jax_mlp_3steps_py0.xplane.pb").read_bytes())
    wanted = "give logs, which has a trace"
    assert advice_on(f"logs/{name}", cwd=tmp_path) == wanted
    assert advice_on(name, cwd=logs) == "give ., which has a trace"
    assert program.run("summary", "-q", "logs", cwd=tmp_path).returncode == 0


@needs_shared
def test_a_program_is_answered_with_the_trace_beside_it(tmp_path):
    path = tmp_path / "jit_f.hlo_proto.pb"
    (tmp_path / "vm.xplane.pb").write_bytes(b"")
    (logs,) = (SHARED / "tried" / "logs" / "jaxlog").rglob("*.hlo_proto.pb")
    path.write_bytes(logs.read_bytes())
    assert advice_on(path) == "give vm.xplane.pb, which is beside it"
    (tmp_path / "vm.xplane.pb").unlink()
    assert advice_on(path) == OF_XLA
    assert advice_on(SHARED / "tried" / "jaxlog_mem.prof") == (
        "open it with pprof, or give a trace of the program")


@pytest.mark.parametrize("name, kind", [
    ("model.keras", "Keras archive"), ("model.zip", "zip archive")])
def test_the_name_tells_an_archive_of_a_configuration(name, kind, tmp_path):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("config.json", "{}")
    assert program.Info(tmp_path / name).file["kind"] == kind


def test_the_name_tells_onnx_where_bytes_do_not(tmp_path):
    noise = bytes(range(250, 100, -3))
    (tmp_path / "model.onnx").write_bytes(noise)
    assert program.Info(tmp_path / "model.onnx").file["kind"] == "ONNX model"
    graph = (program.DATA_DIR / "graph.pb").read_bytes()
    (tmp_path / "graph.onnx").write_bytes(graph)
    assert program.Info(tmp_path / "graph.onnx").file["kind"] == "GraphDef"


@needs_tensorflow
def test_a_trace_is_read(tmp_path):
    space = tf_messages.module("tsl.profiler.protobuf.xplane").XSpace()
    plane = space.planes.add(id=1, name="/host:CPU")
    plane.lines.add(id=7, name="thread", timestamp_ns=5).events.add(
        metadata_id=3, offset_ps=10, duration_ps=20)
    plane.event_metadata[3].name = "dense:MatMul"
    path = tmp_path / "input"
    for packed in (False, True):
        data = space.SerializeToString()
        path.write_bytes(gzip.compress(data) if packed else data)
        info = program.Info(path)
        assert (info.exit, info.file["kind"]) == (0, "XSpace")
        assert (info.file["gzip"], info.file["read"]) == (packed, True)
        counts = info.file["counts"]
        assert (counts["nodes"], counts["run_records"]) == (1, 1)


@needs_tensorflow
def test_messages_of_the_wheel_that_are_not_read_are_named(tmp_path):
    module = tf_messages.module("compiler.xla.service.hlo").HloProto()
    module.hlo_module.name = "jit_f"
    module.hlo_module.entry_computation_name = "main"
    module.hlo_module.id = 4
    module.hlo_module.computations.add(name="main").instructions.add(
        name="add.1", opcode="add")

    profile = tf_messages.module("core.profiler.profile").Profile()
    profile.string_table.extend(["", "cpu", "nanoseconds", "main.py"])
    profile.sample_type.add(type=1, unit=2)
    profile.sample.add(location_id=[1], value=[100])
    profile.location.add(id=1).line.add(function_id=1, line=12)
    profile.function.add(id=1, name=3)

    for kind, message in (("HloProto", module), ("pprof profile", profile)):
        for packed in (False, True):
            data = message.SerializeToString()
            path = tmp_path / "input"
            path.write_bytes(gzip.compress(data) if packed else data)
            info = program.Info(path)
            assert (info.exit, info.file["kind"]) == (0, kind)
            assert info.file["gzip"] == packed
            assert info.file["read"] is False


def test_keras_metadata_is_not_taken_for_a_graph(tmp_path):
    """It has nodes in field 1 too, and is often longer than any probe."""
    node = (field(2, 0) + field(3, b"root") + field(4, b"_tf_keras_network")
            + field(5, b'{"name": "model", "layers": ["' + b"x" * (2 << 20)))
    path = tmp_path / "keras_metadata.pb"
    path.write_bytes(field(1, node))
    info = program.Info(path)
    assert (info.exit, info.file["kind"]) == (0, "Keras metadata")
    assert info.file["read"] is False


# ---- Nothing, and nothing that is known ------------------------------------

@pytest.mark.parametrize("count", [1, 39, 40, 3000])
@pytest.mark.parametrize("entries", [1, 2])
def test_an_op_log_is_known_however_long_its_first_entry(tmp_path_factory,
                                                         count, entries):
    # A node has its name in the same field, and its inputs where the types
    # are; 3,000 types fill all bytes by which a file is recognized. No part
    # of the path has the word "log", which would decide.
    types = [b"_trainable_variables_%d" % i for i in range(count)]
    path = tmp_path_factory.mktemp("types") / "file"
    path.write_bytes(b"".join(
        field(1, field(1, b"w%d" % i)
              + b"".join(field(3, text) for text in types))
        for i in range(entries)))
    info = program.Info(path)
    assert (info.exit, info.stderr) == (0, "")
    assert info.file["kind"] == "OpLogProto"


def test_a_graph_of_nodes_with_many_inputs_is_a_graph(tmp_path):
    inputs = b"".join(field(3, b"input_of_the_node_%d" % i)
                      for i in range(4000))
    path = tmp_path / "log"
    path.write_bytes(field(1, field(1, b"n") + field(2, b"AddN") + inputs))
    assert program.Info(path).file["kind"] == "GraphDef"


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(b"")
    info = program.Info(path)
    assert info.exit == 1
    assert info.file["kind"] == "empty"
    assert "empty" in info.file["error"]["message"]
    assert "the file is empty" in info.stderr
    assert b"empty" in program.run("info", path).stdout


def test_an_empty_file_given_by_name_is_an_empty_message(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(b"")
    for kind in ("GraphDef", "RunMetadata", "OpLogProto", "ProfileProto"):
        info = program.Info(f"--{tf_messages.OPTION[kind]}", path)
        assert (info.exit, info.file["kind"]) == (0, kind)
        assert not any(info.file["counts"].values())


def test_a_gzip_of_nothing_is_said_to_be_empty(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(gzip.compress(b""))
    info = program.Info(path)
    assert info.exit == 1
    assert "empty" in info.file["error"]["message"]


def test_noise_is_not_recognised(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(bytes(range(255, -1, -1)) * 8)
    info = program.Info(path)
    assert (info.exit, info.file["kind"]) == (1, "unknown")
    assert "--graph_path" in info.file["error"]["message"]


# ---- Fields of a newer version ---------------------------------------------

NEWER = {
    "graph.pb": "GraphDef", "functions.pb": "GraphDef",
    "attributes.pb": "GraphDef", "model.ckpt.meta": "MetaGraphDef",
    "saved_model.pb": "SavedModel", "run_meta": "RunMetadata",
    "step_stats.pb": "StepStats", "op_log": "OpLogProto",
    "profile": "ProfileProto", "traces/gen_jax-cpu.xplane.pb": "XSpace",
    "traces/gen_jax-gpu.xplane.pb": "XSpace",
    "traces/gen_tf-gpu.xplane.pb": "XSpace",
    "traces/gen_jax-tpu.xplane.pb": "XSpace",
    "traces/tf_keras_3steps_py0.xplane.pb": "XSpace",
    "traces/tf221_eager_while.xplane.pb": "XSpace"}


def unknown_field(choose):
    """A field with a number that no message has, of any wire type."""
    number = choose.choice([70, 71, 500, 5000]) << 3
    return choose.choice([
        varint(number) + varint(choose.getrandbits(40)),
        varint(number | 1) + choose.randbytes(8),
        varint(number | 2) + varint(3) + b"new",
        varint(number | 2) + varint(2) + b"\x08\x01",
        varint(number | 5) + choose.randbytes(4)])


def with_unknown(data, message, choose, share):
    """The message with an unknown field at the end of this share of it and of
    the messages in it."""
    fields = {f.number: f for f in schema.MESSAGES[message]}
    out, at = bytearray(), 0
    while at < len(data):
        start = at
        tag, at = varint_at(data, at)
        if tag & 7 == 2:
            size, begin = varint_at(data, at)
            at = begin + size
            field = fields.get(tag >> 3)
            if field and field.type == "MESSAGE":
                inner = with_unknown(data[begin:at], field.of, choose, share)
                out += varint(tag) + varint(len(inner)) + inner
                continue
        elif tag & 7 == 0:
            _, at = varint_at(data, at)
        else:
            at += {1: 8, 5: 4}[tag & 7]
        out += data[start:at]
    if choose.random() < share:
        out += unknown_field(choose)
    return bytes(out)


@pytest.mark.parametrize("name", NEWER)
@pytest.mark.parametrize("share", [0.1, 0.3, 1])
def test_unknown_fields_do_not_change_the_type(name, share, tmp_path_factory):
    """Neither at the top nor inside; the name of the file does not help."""
    data = (program.DATA_DIR / name).read_bytes()
    path = tmp_path_factory.mktemp("newer") / "input"
    for seed in range(3):
        choose = random.Random(seed)
        path.write_bytes(with_unknown(data, NEWER[name], choose, share))
        info = program.Info(path)
        assert (info.exit, info.file["kind"]) == (0, NEWER[name]), seed


@pytest.mark.parametrize("share", [0.3, 1])
def test_unknown_fields_do_not_change_the_type_of_a_program(share, tmp_path):
    instruction = (field(1, b"add.1") + field(2, b"add") + field(35, 7)
                   + field(7, field(1, b"add") + field(2, b"jit(f)/add")))
    computation = field(1, b"main") + field(5, 3) + b"".join(
        field(2, instruction) for _ in range(9))
    program_bytes = field(1, field(1, b"jit_f") + field(2, b"main")
                          + field(3, computation) + field(5, 4))
    for seed in range(6):
        path = tmp_path / "input"
        path.write_bytes(with_unknown(program_bytes, "HloProto",
                                      random.Random(seed), share))
        assert program.Info(path).file["kind"] == "HloProto", seed


def test_the_name_of_a_trace_decides_a_tie(tmp_path):
    """An empty plane has the bytes of an empty node."""
    for name, kind in (("input", "GraphDef"), ("host.xplane.pb", "XSpace"),
                       ("host.xplane.pb.gz", "XSpace")):
        (tmp_path / name).write_bytes(field(1, b""))
        assert program.Info(tmp_path / name).file["kind"] == kind, name


def test_text_and_noise_are_never_a_message(tmp_path):
    """Bytes of no type stay so, though unknown fields count less."""
    choose = random.Random(5)
    words = "the model of a layer has a node name op input and a step".split()
    path = tmp_path / "input"
    taken = []
    for i in range(60):
        if i % 2:
            data = choose.randbytes(choose.choice([20, 300, 5000]))
        else:
            data = " ".join(choose.choices(words, k=200)).encode()
        path.write_bytes(data)
        kind = program.Info(path).file["kind"]
        if kind != "unknown":
            taken.append((i, kind))
    assert not taken
