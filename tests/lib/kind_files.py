"""Small files of kinds that tfprof names and does not read."""

import json
import struct
import zipfile

from bundles import masked_crc32c
from wirebytes import varint


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
        out += (length + masked_crc32c(length) + event + masked_crc32c(event))
    return out


def safetensors():
    about = json.dumps({"w": {"dtype": "F32", "shape": [2],
                              "data_offsets": [0, 8]}}).encode()
    return struct.pack("<Q", len(about)) + about + bytes(8)


def orbax_manifest():
    """What Orbax leaves in a folder begins as a database of TensorStore."""
    return b"\x0c\xdb\x3a\x2a" + struct.pack("<Q", 60) + bytes(range(48))


def pytorch_archive(tmp_path):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", b"\x80\x02}q\x00.")
        archive.writestr("model/data/0", bytes(64))
    return path.read_bytes()
