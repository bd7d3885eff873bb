"""What a file is, is found from its bytes; what is not read is named."""

import collections
import gzip
import struct
import zipfile

import pytest

import program
import tf_messages
from bundles import masked_crc32c
from files import all_files, needs_shared, needs_tensorflow
from wirebytes import varint


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

def field(number, value):
    """A field on the wire: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def onnx_model():
    node = (field(1, b"x") + field(1, b"w") + field(2, b"y")
            + field(3, b"dense") + field(4, b"MatMul"))
    graph = field(1, node) + field(2, b"main")
    return (field(1, 8) + field(2, b"pytorch") + field(3, b"2.1")
            + field(7, graph) + field(8, field(1, b"") + field(2, 17)))


def hdf5_file():
    return b"\x89HDF\r\n\x1a\n" + bytes(88)


def keras_archive(tmp_path):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", '{"keras_version": "3.0"}')
        archive.writestr("config.json", "{}")
        archive.writestr("model.weights.h5", hdf5_file())
    return path.read_bytes()


def zip_archive(tmp_path):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing of a model")
    return path.read_bytes()


def event_file():
    """Two records as a TFRecord frames them: length, its checksum, bytes,
    their checksum. An Event has wall_time in 1, step in 2, file_version in 3.
    """
    wall_time = b"\x09" + struct.pack("<d", 1.7e9)
    out = b""
    for event in (wall_time + field(3, b"brain.Event:2"),
                  wall_time + field(2, 7)):
        length = struct.pack("<Q", len(event))
        out += (length + masked_crc32c(length) + event
                + masked_crc32c(event))
    return out


MADE = {
    "ONNX model": onnx_model(),
    "HDF5 file": hdf5_file(),
    "Keras archive": keras_archive,
    "zip archive": zip_archive,
    "event file": event_file(),
    "gzip inside gzip": gzip.compress(gzip.compress(b"anything", mtime=0)),
    "TFLite model": struct.pack("<I", 28) + b"TFL3" + bytes(24),
    "HLO text": b"HloModule jit_f, entry_computation_layout={()->f32[]}\n",
    "JSON text": b'{"traceEvents": []}\n',
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


EXPORT = "call model.export(DIR) and give DIR"
ORIGIN = "give the SavedModel or GraphDef that it was made from"


@pytest.mark.parametrize("kind, advice", [
    ("Keras archive", EXPORT), ("HDF5 file", EXPORT), ("TFLite model", ORIGIN),
    ("ONNX model", ORIGIN)])
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
    assert f"file type is {kind}, not GraphDef; " in (
        done.stderr.decode())
    assert done.stderr.decode().endswith(f"{advice}\n")
    assert program.run("info", path).stdout.decode().endswith(f"{advice}\n")


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
