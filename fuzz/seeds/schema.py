"""The messages of src/proto/fields_*.h, and ways through them.

A value of a message is a list of (field name, value) pairs, in the order in
which they are written; a repeated field has several pairs.
"""

import pathlib
import re
from typing import NamedTuple

PROTO = pathlib.Path(__file__).resolve().parents[2] / "src" / "proto"

# Fuzz target -> its message.
ROOTS = {
    "graph": "GraphDef",
    "meta_graph": "MetaGraphDef",
    "saved_model": "SavedModel",
    "run_metadata": "RunMetadata",
    "step_stats": "StepStats",
    "op_log": "OpLogProto",
    "profile": "ProfileProto",
}

# These hold few messages and take every row of every table. The others take
# turns, so that each row goes to at least one of them as well.
SMALL = ("step_stats", "op_log", "profile")
LARGE = [kind for kind in ROOTS if kind not in SMALL]
TURNS = 3

FIXED64 = {"DOUBLE", "FIXED64"}
FIXED32 = {"FLOAT", "FIXED32"}
BYTES = {"STRING", "BYTES", "MESSAGE"}


class Field(NamedTuple):
    number: int
    name: str
    type: str  # as schema.h has it: INT64, MESSAGE, ...
    label: str  # ONE, ONEOF, MANY, RETIRED
    of: str  # name of the message or enum, or "_"

    @property
    def wire(self):
        return (1 if self.type in FIXED64 else 5 if self.type in FIXED32 else
                2 if self.type in BYTES else 0)


def _read(pattern):
    texts = [p.read_text() for p in sorted(PROTO.glob(pattern))]
    return "".join(texts).replace("\\\n", " ")


def _read_messages():
    text = _read("fields_*.h")
    kinds = dict(re.findall(r'\bD\((\w+),\s*"[^"]+",\s*(\w+)\)', text))
    messages = {}
    for name, rows in re.findall(
            r"#define (\w+)_FIELDS\(F, M\)((?:\s*F\([^)]*\))*)", text):
        messages[name] = [
            Field(int(number), *rest) for number, *rest in re.findall(
                r"F\(M,\s*(\d+),\s*(\w+),\s*(\w+),\s*(\w+),\s*(\w+)\)", rows)
        ]
    assert set(messages) == set(kinds) and len(messages) > 100
    return messages, kinds


def _read_enums():
    enums = {}
    text = _read("enums.h")
    for name, rows in re.findall(
            r"#define (\w+)_VALUES\(V\)((?:\s*V\([^)]*\))*)", text):
        enums[name] = re.findall(r"V\((\w+),", rows)
    return enums


MESSAGES, KINDS = _read_messages()  # name -> fields; -> PLAIN, STREAMED, ...
ENUMS = _read_enums()  # name -> names of its values


def field(message, name):
    return next(f for f in MESSAGES[message] if f.name == name)


def paths(root):
    """The shortest way from `root` to each message it holds.

    A way is a tuple of (message, field). The root itself has the empty one.
    """
    found = {root: ()}
    queue = [root]
    for message in queue:
        for f in MESSAGES[message]:
            if f.type == "MESSAGE" and f.of not in found:
                found[f.of] = found[message] + ((message, f),)
                queue.append(f.of)
    return found


def read_messages():
    """Names of all that a root can hold, each once."""
    return list(dict.fromkeys(m for root in ROOTS.values()
                              for m in paths(root)))


def wrap(path, pairs):
    """`pairs` of the message at the end of `path`, as pairs of its root."""
    for _, f in reversed(path):
        pairs = [(f.name, pairs)]
    return pairs


def find_field(root, wanted):
    """(path, field) of the nearest field that `wanted` accepts, or None."""
    for message, path in paths(root).items():
        for f in MESSAGES[message]:
            if f.label != "RETIRED" and wanted(f):
                return path, f
    return None


def cycle(root):
    """(path, cycle): the way to a message that can hold itself, and back."""
    for message, path in paths(root).items():
        for f in MESSAGES[message]:
            if f.type != "MESSAGE":
                continue
            back = paths(f.of).get(message)
            if back is not None:
                return path, ((message, f),) + back
    return None


def nested(root, depth):
    """A path of exactly `depth` messages below the root, or None."""
    found = cycle(root)
    if not found:
        return None
    path, around = found
    while len(path) < depth:
        path += around
    return path[:depth]


# ---- Filling messages -------------------------------------------------------

INTEGERS = [1, 0, 127, 300, 7, 65536]
SIGNED = INTEGERS + [-1, -42]
SAMPLES = {
    "DOUBLE": [0.5, -1.0, 1e300, 0.0],
    "FLOAT": [0.5, -2.25, 1.0, 0.0],
    "INT64": SIGNED + [2**63 - 1, -2**63],
    "UINT64": INTEGERS + [2**64 - 1],
    "INT32": SIGNED + [2**31 - 1, -2**31],
    "UINT32": INTEGERS + [2**32 - 1],
    "SINT64": SIGNED + [2**63 - 1, -2**63],
    "FIXED64": INTEGERS + [2**64 - 1],
    "FIXED32": INTEGERS + [2**32 - 1],
    "BOOL": [1, 0],
    "ENUM": [1, 3, 0, 9, 2],
    "STRING": ["a", "scope/op", "x:1", "^c", "", "/device:CPU:0"],
    "BYTES": [b"\x00\x01", b"bytes", b"", b"\xff\xfe\x80\x7f"],
}


def sample(f):
    values = SAMPLES[f.type]
    return values[f.number % len(values)]


def fill(message, oneof=None, levels=1, labels=("ONE", "ONEOF", "MANY")):
    """Every field of `message`, and of messages in it so many levels down.

    Of a oneof only the field named, or else the first.
    """
    pairs = []
    if oneof is None:
        oneof = next((f.name for f in MESSAGES[message]
                      if f.label == "ONEOF"), None)
    for f in MESSAGES[message]:
        if f.label not in labels or (f.label == "ONEOF" and f.name != oneof):
            continue
        if f.type != "MESSAGE":
            pairs += [(f.name, sample(f))] * (2 if f.label == "MANY" else 1)
        else:
            pairs.append((f.name, fill(f.of, None, levels - 1)
                          if levels else []))
    return pairs


def all_fields(root):
    """(name, pairs): together they hold every field that `root` can hold."""
    for message, path in paths(root).items():
        fields = MESSAGES[message]
        choices = [f.name for f in fields if f.label == "ONEOF"]
        for choice in choices or [None]:
            name = f"{message}.{choice}" if choice else message
            yield name, wrap(path, fill(message, choice))
        if any(f.label == "RETIRED" for f in fields):
            yield (f"{message}.retired",
                   wrap(path, fill(message, labels=("RETIRED",))))


def turns(kind, rows):
    """Those of `rows` that it is this kind's turn to take."""
    for i, row in enumerate(rows):
        if kind in SMALL or i % TURNS == LARGE.index(kind) % TURNS:
            yield row


def joined(rows, count):
    """Each `count` rows of (name, pairs) as one."""
    rows = list(rows)
    for i in range(0, len(rows), count):
        group = rows[i:i + count]
        names = [name for name, _ in group]
        yield (names[0] if len(names) == 1 else f"{names[0]}_to_{names[-1]}",
               [pair for _, pairs in group for pair in pairs])
