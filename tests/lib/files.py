"""Files to read: the small ones of tests/data, and the real ones beside the
checkout when they are there.

What each of them is, is known without tfprof: from the list that came with
it, or from its name.
"""

import csv
import functools
import gzip
import json
import os
import pathlib
import re

import pytest

import program
import tf_messages
from lacking import needs

SHARED = pathlib.Path(os.environ.get("TFPROF_SHARED") or "/nonexistent")
FOLDERS = ("data", "golden/inputs", "flops/models", "flops/frozen")

needs_shared = pytest.mark.skipif(
    not all((SHARED / folder).is_dir() for folder in FOLDERS),
    reason="needs the folder of larger files; TFPROF_SHARED does not name one")
needs_tensorflow = needs(tf_messages.HAVE, tf_messages.NEEDED)

# What tfprof should call a file, by the "format" in data/SOURCES.tsv ...
_KIND_OF_FORMAT = {
    "GraphDef": "GraphDef",
    "MetaGraphDef": "MetaGraphDef",
    "SavedModel": "SavedModel",
    "RunMetadata": "RunMetadata",
    "StepStats text": "StepStats",
    "OpLogProto": "OpLogProto",
    "V1 checkpoint": "checkpoint (V1)",
    "V2 bundle index": "checkpoint index",
    "V2 bundle data shard": "checkpoint data",
    "CheckpointState text": "checkpoint state",
    "HLO text": "HLO text",
    "HloProto": "HloProto",
    "TFLite flatbuffer": "TFLite model",
    "XSpace": "XSpace",
    "XSpace, damaged": "XSpace",  # by its name
}
# ... or by its name; the first that matches.
_KIND_OF_NAME = (
    (r"hlo_snapshot\.pbtxt$", "HLO snapshot text"),
    (r"\.pprof$", "pprof profile"),
    (r"timeline_-?\d+$", "Chrome trace"),
    (r"\.out$|SOURCES\.tsv$|garbage\.bin$", "unknown"),
    (r"keras_metadata\.pb", "Keras metadata"),
    (r"empty\.pbtxt$|empty_run_meta$|zero\.bin$", "empty"),
    (r"v1\.ckpt$", "checkpoint (V1)"),
    (r"\.index$", "checkpoint index"),
    (r"\.data-\d+-of-\d+$", "checkpoint data"),
    (r"\.meta$", "MetaGraphDef"),
    (r"\.profile$", "ProfileProto"),
    (r"run_meta", "RunMetadata"),
    (r"oplog|tfprof_log", "OpLogProto"),
    (r"saved_model\.pb", "SavedModel"),
    (r"\.pb$|\.pbtxt$|\.pb\.gz$", "GraphDef"),
)


@functools.cache
def _sources():
    with open(SHARED / "data" / "SOURCES.tsv", newline="") as rows:
        return {SHARED / "data" / row["file"]: row["format"]
                for row in csv.DictReader(rows, delimiter="\t")}


def _kind_of(path):
    kind = _KIND_OF_FORMAT.get(_sources().get(path))
    if kind in (None, "HLO text"):
        kind = next((kind for pattern, kind in _KIND_OF_NAME
                     if re.search(pattern, path.name)), kind)
    assert kind, f"what is {path}?"
    return kind


# What is read of checkpoints.
CHECKPOINTS = ("checkpoint index", "checkpoint (V1)", "checkpoint state")


class File:
    def __init__(self, path, name, kind):
        self.path = path
        self.name = name
        self.kind = kind
        self.is_message = kind in tf_messages.KINDS
        self.is_read = self.is_message or kind in (*CHECKPOINTS, "XSpace")
        self.option = tf_messages.OPTION.get(kind)
        # Its kind is known, but it ends in an error.
        self.is_damaged = path.name.startswith("BAD_")
        self.is_gzip = path.name.endswith(".gz")
        self.is_text = self.is_message and ".pbtxt" in path.name

    def read(self):
        """Its bytes, unpacked."""
        data = self.path.read_bytes()
        return gzip.decompress(data) if self.is_gzip else data


@functools.cache
def all_files():
    """The real files."""
    return [File(path, str(path.relative_to(SHARED)), _kind_of(path))
            for folder in FOLDERS
            for path in sorted((SHARED / folder).rglob("*")) if path.is_file()]


def readable():
    """The real files that are messages which tfprof reads."""
    return [file for file in all_files() if file.is_message]


def samples():
    """The files of tests/data, each content once."""
    with open(program.DATA_DIR / "expected.json", encoding="utf-8") as facts:
        return [File(program.DATA_DIR / name, name, expected["kind"])
                for name, expected in json.load(facts).items()
                if not expected["gzip"]]
