"""Binary files with one byte of a length changed: TensorFlow's own parser is
the judge of whether they can still be read, and of what is in them then."""

# labels: tf, long

import collections

import program
import records
import tf_messages
import wirebytes
from files import needs_shared, needs_tensorflow, readable, samples

pytestmark = needs_tensorflow

CHANGES = 10
# One change in so many is in the length of a streamed message.
CONTAINERS = 8
# Each length byte of a sample gets so many other values.
SAMPLE_VALUES = 8


# ---- What to change --------------------------------------------------------

class Change:
    """Another value for a byte of a length, at `offset`. `span` is the leaf
    record or the streamed message that the length is part of."""

    def __init__(self, data, span, is_leaf, offset, choose):
        self.span = span
        self.offset = offset
        self.old = data[offset]
        self.new = (self.old + choose.randrange(1, 256)) % 256
        # Below the length of a leaf, damage cannot get out of the leaf.
        self.is_inside = is_leaf and offset >= span.payload

    def apply(self, data):
        return (data[:self.offset] + bytes([self.new]) + data[self.offset + 1:])

    def __repr__(self):
        return f"byte {self.offset}: {self.old:#04x} -> {self.new:#04x}"


def spans_with_length(file, data):
    containers, leaves = records.spans(
        data, tf_messages.message_class(file.kind).DESCRIPTOR)
    return containers, [leaf for leaf in leaves if data[leaf.start] & 7 == 2]


def offsets(data, span, is_leaf):
    if is_leaf:
        return records.length_bytes(data, span)
    return range(wirebytes.varint_at(data, span.start)[1], span.payload)


def some_changes(file, data):
    choose = program.chooser(file.name)
    containers, leaves = spans_with_length(file, data)
    if not containers and not leaves:
        return []
    changes = []
    for _ in range(CHANGES):
        is_leaf = not containers or bool(leaves and
                                         choose.randrange(CONTAINERS))
        span = choose.choice(leaves if is_leaf else containers)
        offset = choose.choice(offsets(data, span, is_leaf))
        changes.append(Change(data, span, is_leaf, offset, choose))
    return changes


def all_changes(file, data):
    choose = program.chooser(file.name)
    containers, leaves = spans_with_length(file, data)
    return [Change(data, span, is_leaf, offset, choose)
            for is_leaf, spans in ((False, containers), (True, leaves))
            for span in spans for offset in offsets(data, span, is_leaf)
            for _ in range(SAMPLE_VALUES)]


# ---- The judge -------------------------------------------------------------

def attempt(cls, data):
    """(message, None) or (None, why not)"""
    from google.protobuf.message import DecodeError

    try:
        return cls.FromString(data), None
    except DecodeError as error:
        return None, str(error)


def judge(kind, data):
    """(verdict, message): "same" must be accepted with the same counts,
    "sound" only has bytes that are no UTF-8, "deep" nests past 100, "bad"
    must be refused."""
    message, _ = attempt(tf_messages.message_class(kind), data)
    if message is not None:
        return "same", message
    message, why = attempt(tf_messages.wire_only_class(kind), data)
    if message is not None:
        return "sound", None
    return ("deep" if "depth" in why else "bad"), None


# ---- The comparison --------------------------------------------------------

def misplaced(change, error, size):
    """An error must not be before the record with the change, and inside it
    if the change is below a leaf's own length."""
    if error is None:
        return "accepted"
    if error["code"] != "malformed":
        return f"refused otherwise: {error}"
    end = change.span.end if change.is_inside else size + 1
    if not change.span.start <= error["offset"] < end:
        return (f"offset {error['offset']} not in "
                f"[{change.span.start}, {end}): {error['message']}")
    return None


def miscounted(file, message, entry):
    facts = tf_messages.Facts(file.kind, message)
    if file.option == "run_meta_path":
        facts.steps = entry["steps"]  # numbered as files come
    facts.ignored = tf_messages.said(entry)["ignored"]
    return tf_messages.differences(facts, entry)


def compare(file, damaged, change, entry, seen):
    """What is wrong with tfprof's answer, or None."""
    error = entry["error"]
    if entry["kind"] != file.kind or error and error["offset"] is None:
        seen["lost"] += 1  # what it was could not be told any more
        return None
    verdict, message = judge(file.kind, damaged)
    seen[verdict] += 1
    seen["inside"] += change.is_inside and verdict == "bad"
    if verdict == "deep":
        return None
    if verdict == "bad":
        return misplaced(change, error, len(damaged))
    if error is not None:
        return f"refused: {error}"
    if verdict == "sound":
        return None
    wrong = miscounted(file, message, entry)
    if not wrong:
        return None
    cls = tf_messages.message_class(file.kind)
    cleaned = records.without_strays(damaged, 0, len(damaged), cls.DESCRIPTOR)
    seen["strays"] += cleaned != damaged
    return miscounted(file, cls.FromString(cleaned), entry)


def check(file, data, changes, folder, seen):
    """What went wrong with these changes of a file."""
    wrong = []
    for part in program.batches(changes):
        damaged = [change.apply(data) for change in part]
        paths = [folder / f"{i}.damaged" for i in range(len(part))]
        for path, content in zip(paths, damaged):
            path.write_bytes(content)
        info = program.info_as(file.option, paths)
        for change, content, entry in zip(part, damaged, info.files,
                                          strict=True):
            fault = compare(file, content, change, entry, seen)
            if fault:
                wrong.append((file.name, change, fault))
    seen["files"] += 1
    seen["changes"] += len(changes)
    return wrong


def summary(seen):
    return (
        f"{seen['changes']} changes in {seen['files']} files: {seen['bad']} "
        f"refused by both ({seen['inside']} of them inside a leaf record), "
        f"{seen['same']} accepted by both with the same counts "
        f"({seen['strays']} of them without unknown fields in map entries, "
        f"for which Python drops the entry), {seen['sound']} accepted though "
        f"not UTF-8, {seen['deep']} too deep, {seen['lost']} taken for "
        f"another kind")


def test_changes_of_samples_get_the_verdict_of_the_wheel(tmp_path, say):
    wrong = []
    seen = collections.Counter()
    for file in samples():
        if not file.is_text:
            data = file.read()
            wrong += check(file, data, all_changes(file, data), tmp_path, seen)
    say(summary(seen))
    assert not wrong, "\n".join(map(str, wrong[:40]))
    assert seen["changes"] > 5000


@needs_shared
def test_changes_of_real_files_get_the_verdict_of_the_wheel(tmp_path, say):
    wrong, passed_over = [], []
    seen = collections.Counter()
    for file in readable():
        if file.is_text:
            continue
        data = file.read()
        changes = some_changes(file, data)
        if changes:
            wrong += check(file, data, changes, tmp_path, seen)
        else:
            passed_over.append(file.name)
    say(f"{summary(seen)}; without a length: "
        f"{', '.join(passed_over) or 'none'}")
    assert not wrong, "\n".join(map(str, wrong[:40]))
    assert seen["files"] > 200
    assert seen["lost"] <= seen["changes"] // 100
