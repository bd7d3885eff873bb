#!/usr/bin/env python3
"""make.py [FOLDER]: write the small sample files, here or into FOLDER.

Each kind that tfprof reads, binary, text and gzip, no file above 4 KiB, with
something of everything that the kind can hold. The messages stand in source/
in text form; TensorFlow's classes write them. expected.json has
what these classes count in each file. Needs the tensorflow wheel; the tests
that read the files do not.
"""

import gzip
import json
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE / "source")]

import graphs
import runs
import tf_messages

MOST_BYTES = 4096


def parsed(kind, text):
    from google.protobuf import text_format

    return text_format.Parse(text, tf_messages.message_class(kind)(),
                             allow_unknown_field=True)


def binary(message):
    return message.SerializeToString(deterministic=True)


def as_text(message, text):
    """As TensorFlow would write it, or as we did where that is too long."""
    from google.protobuf import text_format

    theirs = text_format.MessageToString(message)
    return (theirs if len(theirs) <= MOST_BYTES else text.lstrip()).encode()


def pack(data):
    return gzip.compress(data, mtime=0)


def merged(kind, text, more):
    """A message with wire bytes that the wheel knows no fields for."""
    message = parsed(kind, text)
    message.MergeFromString(more)
    return message


def files():
    """(name, kind, its bytes, the message, counts of what is odd in it)"""
    def each(kind, stem, text, *forms):
        message = parsed(kind, text)
        for form in forms:
            data = (as_text(message, text) if "txt" in form
                    else binary(message))
            yield (stem + form, kind, pack(data) if "gz" in form else data,
                   message, {})

    yield from each("GraphDef", "graph", graphs.GRAPH,
                    ".pb", ".pbtxt", ".pb.gz", ".pbtxt.gz")
    yield from each("GraphDef", "attributes", graphs.ATTRIBUTES,
                    ".pb", ".pbtxt")
    yield from each("GraphDef", "functions", graphs.FUNCTIONS,
                    ".pb", ".pbtxt")
    yield from each("MetaGraphDef", "model.ckpt", graphs.META_GRAPH,
                    ".meta", ".meta.pbtxt")
    yield from each("SavedModel", "saved_model", graphs.SAVED_MODEL,
                    ".pb", ".pbtxt", ".pb.gz")
    yield from each("RunMetadata", "run_meta", runs.RUN_METADATA,
                    "", ".pbtxt", ".gz")
    yield from each("StepStats", "step_stats", runs.STEP_STATS,
                    ".pb", ".pbtxt")
    yield from each("OpLogProto", "op_log", runs.OP_LOG, "", ".pbtxt")
    yield from each("ProfileProto", "profile", runs.PROFILE,
                    "", ".pbtxt", ".gz")

    inline = merged("OpLogProto", runs.INLINE_LOG, runs.INLINE_BYTES)
    yield "op_log_inline", "OpLogProto", binary(inline), inline, {}
    text = runs.INLINE_LOG + runs.INLINE_TEXT
    yield ("op_log_inline.pbtxt", "OpLogProto", text.encode(),
           parsed("OpLogProto", text), {})

    odd = merged("GraphDef", graphs.ODD_GRAPH, graphs.NEWER_BYTES)
    yield ("odd.pb", "GraphDef", binary(odd), odd,
           {**graphs.ODD_COUNTS, "unknown_fields": 4})
    text = graphs.ODD_GRAPH + graphs.NEWER_TEXT
    yield ("odd.pbtxt", "GraphDef", text.encode(),
           parsed("GraphDef", text),
           {**graphs.ODD_COUNTS, "unknown_fields": 5})
    lost = parsed("OpLogProto", runs.LOST_STRINGS)
    yield ("op_log_lost", "OpLogProto", binary(lost), lost,
           {"missing_string_ids": 2})
    nameless = parsed("StepStats", runs.NAMELESS)
    yield ("nameless.pb", "StepStats", binary(nameless), nameless,
           {"unplaced_records": 1})


def expected(name, kind, message, odd):
    """What `tfprof info` should say; counts that are 0 are left out."""
    facts = tf_messages.Facts(kind, message).as_json()
    facts["counts"].update(odd)
    for key in ("counts", "ignored"):
        facts[key] = {name: n for name, n in facts[key].items() if n}
    return {
        "kind": kind,
        "encoding": "text" if ".pbtxt" in name else "binary",
        "gzip": name.endswith(".gz"),
        **facts,
    }


def main(folder):
    facts = {}
    for name, kind, data, message, odd in files():
        assert len(data) <= MOST_BYTES, f"{name}: {len(data)} bytes"
        (folder / name).write_bytes(data)
        facts[name] = expected(name, kind, message, odd)
    with open(folder / "expected.json", "w", encoding="utf-8") as out:
        out.write(json.dumps(facts, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
