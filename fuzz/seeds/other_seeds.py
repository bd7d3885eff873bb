"""Seeds of the targets probe and nomem: files of all kinds."""

import json
import struct

from . import gzip_seeds, schema
from .encode import delimited, tag, text, varint, wire
from .samples import SAMPLES

TABLE_MAGIC = bytes.fromhex("57fb808b247547db")


def strangers():
    """Files that are recognised, or taken for something they are not."""
    yield "tflite", b"\x1c\x00\x00\x00TFL3" + bytes(24)
    yield "hdf5", b"\x89HDF\r\n\x1a\n" + bytes(40)
    yield "zip", b"PK\x03\x04\x14\x00" + bytes(20) + b"a.txt"
    yield "keras", b"PK\x03\x04\x14\x00" + bytes(20) + b"metadata.json{}"
    yield "keras_weights", b"PK\x03\x04" + bytes(22) + b"model.weights.h5"
    version = tag(1, 1) + struct.pack("<d", 1.0) + delimited(
        3, b"brain.Event:2")
    yield "events", struct.pack("<Q", len(version)) + bytes(4) + version
    yield "table", bytes(40) + TABLE_MAGIC
    yield "table_v2", (b"\x00\x00\x08\x08\x01\x1a\x02\x08\x01" + bytes(40) +
                       TABLE_MAGIC)
    yield "table_v2_cut", b"\x00\x00\x08\x08\x01\x1a\x02\x08\x01" + bytes(20)
    yield "checkpoint_state", (b'model_checkpoint_path: "model.ckpt-1"\n'
                               b'all_model_checkpoint_paths: "x"\n')
    yield "hlo_text", b"HloModule jit_f, entry_computation_layout={}\n"
    yield "hlo_snapshot", b'hlo {\n hlo_module {\n name: "f"\n }\n}\n'
    yield "json", json.dumps({"traceEvents": []}).encode()
    yield "json_list", b"[{}]"
    yield "gzip_in_gzip", gzip_seeds.store(gzip_seeds.store(b"x"))
    yield "UTF-16", "\ufeffnode { }".encode("utf-16-le")
    yield "byte_order_mark", "\ufeffnode { name: 'a' }".encode()
    yield "ELF", b"\x7fELF\x02\x01\x01" + bytes(57)
    yield "zeros", bytes(100)
    yield "one_byte", b"\x0a"
    yield "two_bytes", b"\x0a\x00"
    yield "newline", b"\n"
    yield "words", b"the quick brown fox\n"
    xplane = delimited(2, b"/host:CPU") + delimited(
        3, tag(1, 0) + b"\x01" + delimited(2, b"line") + delimited(
            4, tag(1, 0) + b"\x07"))
    yield "xspace", delimited(1, xplane) + delimited(4, b"host")
    yield "pprof", (delimited(1, b"\x08\x01\x10\x02") + delimited(
        2, delimited(1, b"\x01") + delimited(2, b"\x05")) +
        delimited(4, b"\x08\x01") + delimited(6, b"") +
        delimited(6, b"samples"))
    yield "hlo", delimited(1, delimited(1, b"jit_f") + delimited(
        2, b"main") + delimited(3, b"\x0a\x01a"))
    yield "onnx", (tag(1, 0) + varint(8) + delimited(2, b"pytorch") +
                   delimited(7, delimited(1, delimited(4, b"Add"))) +
                   delimited(8, delimited(1, b"") + tag(2, 0) + b"\x11"))


def names():
    """Names that an answer must not repeat as they are (OU-10, OU-11)."""
    for name, value in {
            "escape": b"\x1b]0;x\x07\x1b[2J",
            "C1": "\u009b2J".encode(),
            "bidi": "\u202eabc\u200b\ufeff".encode(),
            "bad_utf8": b"\xff\xc3\xed\xa0\x80\xf4\x90\x80\x80",
            "quotes": b"\"\\/</script>\x00\x7f",
            "long": b"x" * 600,
            "separators": "\u2028\u2029\U0001f600".encode(),
    }.items():
        node = delimited(1, value) + delimited(2, value) + delimited(4, value)
        yield f"OU-10_graph_{name}", delimited(1, node)
        yield f"OU-10_device_{name}", delimited(1, delimited(
            1, value) + delimited(2, delimited(1, b"a")))
        yield f"OU-10_signature_{name}", (
            delimited(1, delimited(4, value) + delimited(5, value)) +
            delimited(2, delimited(1, node)) +
            delimited(5, delimited(1, value) + delimited(2, b"")))
        yield f"OU-10_log_{name}", delimited(1, delimited(
            1, value) + tag(2, 0) + b"\x05")


def samples():
    for kind, root in schema.ROOTS.items():
        for name, pairs in SAMPLES[kind].items():
            yield f"{kind}_{name}_wire", wire(root, pairs)
            yield f"{kind}_{name}_text", text(root, pairs,
                                              style=2).encode()[:4000]


def probe_seeds():
    yield "empty", b""
    for name, data in samples():
        yield f"sample_{name}", data
        if len(data) < 2000 and name.endswith("wire"):
            yield f"sample_{name}_gzip", gzip_seeds.store(data)
            yield f"IN-01_{name}_cut", data[:len(data) * 2 // 3]
    for name, data in strangers():
        yield f"kind_{name}", data
    yield from names()


def probe_dictionary():
    marks = [b"\x1f\x8b\x08", b"TFL3", b"\x89HDF\r\n\x1a\n", b"PK\x03\x04",
             b"metadata.json", b"model.weights.h5", b"brain.Event:",
             TABLE_MAGIC, b"\x1a\x02\x08\x01", b"HloModule", b"hlo_module",
             b"model_checkpoint_path", b"[{", b"\xff\xfe", b"\xef\xbb\xbf",
             b"node {", b"dev_stats {", b"meta_graphs {", b"log_entries {",
             b"nodes {", b"step_stats {", b"graph_def {"]
    return [(f"mark_{i}", mark) for i, mark in enumerate(marks)]


def nomem_seeds():
    """One byte for the format, in target.c's order, four of chance."""
    formats = [(kind, form) for kind in schema.ROOTS
               for form in ("wire", "text")]
    for i, (kind, form) in enumerate(formats):
        for name, pairs in SAMPLES[kind].items():
            data = (wire(schema.ROOTS[kind], pairs) if form == "wire" else
                    text(schema.ROOTS[kind], pairs, style=2).encode())
            for what, label in ((i, form), (len(formats), f"any_{form}")):
                head = bytes([what]) + struct.pack("<I", 0x2545f491 + what)
                yield (f"ME-04_{label}_{kind}_{name}", (head + data)[:4096])
    for kind in ("graph", "run_metadata"):
        data = wire(schema.ROOTS[kind], next(iter(SAMPLES[kind].values())))
        yield f"ME-04_gzip_{kind}", (bytes([len(formats)]) + b"abcd" +
                                     gzip_seeds.store(data))
