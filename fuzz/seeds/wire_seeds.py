"""Seeds on the wire: every field, and rows PB-01 to PB-19 of FAULTS."""

from . import schema
from .encode import (delimited, packed, scalar, tag, varint, wire,
                     wrap_wire)
from .samples import SAMPLES

# The record that the readers of a kind spend their time with.
LEAVES = {
    "graph": "NodeDef",
    "meta_graph": "NodeDef",
    "saved_model": "NodeDef",
    "run_metadata": "NodeExecStats",
    "step_stats": "NodeExecStats",
    "op_log": "OpLogEntry",
    "profile": "ProfileNode",
}

GROUP, GROUP_END = bytes.fromhex("cb0c"), bytes.fromhex("cc0c")  # of field 201

# Bytes that may stand in any message.
FRAGMENTS = {
    "PB-01_overlong_varint": "08" + "80" * 10 + "01",
    "PB-01_longest_varint": "08" + "80" * 9 + "01",
    "PB-01_ten_bytes_of_ones": "08" + "ff" * 9 + "7f",
    "PB-01_cut_varint": "08ff",
    "PB-02_field_0_varint": "004445414442454546",
    "PB-02_field_0_fixed64": "014445414442454546",
    "PB-02_field_0_bytes": "020101",
    "PB-02_field_0_group": "0304",
    "PB-02_field_0_fixed32": "0544454144",
    "PB-03_tag_too_large": "8880808040d209",
    "PB-03_overlong_tag": "8880808080808000d209",
    "PB-03_longest_tag": "888080800001",
    "PB-03_tag_of_6_bytes": "88808080800001",
    "PB-03_largest_field": "f8ffffff0f01",
    "PB-03_past_largest_field": "f8ffffff1f01",
    "PB-04_length_wraps_32_bits": "0a8080808010",
    "PB-04_length_of_4_GiB": "0affffffff0f",
    "PB-04_length_of_2_GiB": "0affffffff07",
    "PB-04_longest_length": "0a8180808000" + "61",
    "PB-04_length_of_6_bytes": "0a818080808000" + "61",
    "PB-05_length_wraps_64_bits": "0a" + "ff" * 8 + "7f",
    "PB-05_length_of_minus_16": "0af0" + "ff" * 8 + "01",
    "PB-07_wire_type_6": "0e",
    "PB-07_wire_type_7": "0f",
    "PB-07_wire_type_6_of_field_30": "f60101",
    "PB-08_group_not_closed": "cb0c",
    "PB-08_group_not_opened": "cc0c",
    "PB-08_group_closed_by_other": "cb0cd40c",
    "PB-08_group": "cb0ccc0c",
    "PB-08_group_of_known_field": "0b0c",
    "PB-08_groups_nested": "cb0c" "0b" "0801" "0c" "120161" "cc0c",
    "PB-08_groups_crossed": "cb0c" "0b" "cc0c" "0c",
    "PB-08_group_with_all_types": ("cb0c" "0801" "1101020304050607" "08"
                                   "120161" "1d01020304" "cc0c"),
    "PB-08_group_with_field_0": "cb0c" "0001" "cc0c",
    "PB-08_group_cut": "cb0c" "0a05" "61",
    "PB-10_groups_100": "0b" * 100 + "0c" * 100,
    "PB-10_groups_101": "0b" * 101 + "0c" * 101,
    "PB-10_groups_without_end": "0b" * 4000,
    "IN-01_zeros": "00" * 64,
}

BAD_UTF8 = {
    "bytes": "fffe41",
    "cut": "61c3",
    "overlong": "c0af",
    "surrogate": "eda080",
    "past_the_end": "f4908080",
    "control": "1b5b324a",
}


def fragments(root, leaf):
    before, after = tag(15, 0) + b"\x01", tag(15, 0) + b"\x02"
    for name, digits in FRAGMENTS.items():
        data = bytes.fromhex(digits)
        yield name, before + data
        yield name + "_in_record", wrap_wire(leaf, data) + after


def cuts(kind, root):
    whole = wire(root, next(iter(SAMPLES[kind].values())))
    for i in range(1, 8):
        yield f"PB-06_cut_{i}_of_8", whole[:len(whole) * i // 8]
    for at in (1, 2, 3):
        yield f"PB-06_cut_at_{at}", whole[:at]
        yield f"PB-06_cut_{at}_before_end", whole[:-at]
    half = len(whole) // 2
    yield "IN-01_tail_of_zeros", whole[:half] + bytes(len(whole) - half)
    yield "IN-01_middle_of_zeros", whole[:half] + bytes(16) + whole[half + 16:]


def nesting(root):
    for depth in (99, 100, 101, 1000):
        path = schema.nested(root, depth)
        if path:
            yield f"PB-09_nested_{depth}", wrap_wire(path, b"")
    for known, groups in ((50, 50), (50, 51), (99, 1), (100, 1), (1, 99)):
        path = schema.nested(root, known)
        if path:
            inner = GROUP * groups + GROUP_END * groups
            yield (f"PB-10_nested_{known}_groups_{groups}",
                   wrap_wire(path, inner))
    path = schema.nested(root, 60)
    if path:
        yield "PB-11_nested_60_many_times", wrap_wire(path, b"") * 8


def oneofs(root):
    for message, path in schema.paths(root).items():
        names = [f.name for f in schema.MESSAGES[message]
                 if f.label == "ONEOF"]
        if names:
            pairs = [p for name in names + names[::-1] for p in
                     schema.fill(message, name, levels=0)]
            yield (f"PB-12_oneof_{message}",
                   wrap_wire(path, wire(message, pairs)))


def singular(root):
    found = schema.find_field(
        root, lambda f: f.type == "MESSAGE" and f.label == "ONE")
    if found:
        path, f = found
        twice = [(f.name, schema.fill(f.of)), (f.name, schema.fill(f.of))]
        yield (f"PB-13_{f.name}_twice",
               wrap_wire(path, wire(path[-1][1].of if path else root, twice)))


def packing(root):
    for wire_type, torn in ((0, b"\x80"), (1, bytes(7)), (5, bytes(3))):
        found = schema.find_field(
            root, lambda f: f.label == "MANY" and f.wire == wire_type)
        if not found:
            continue
        path, f = found
        name = f"PB-14_{f.name}"
        values = [schema.sample(f), 0, 1]
        single = b"".join(tag(f.number, f.wire) + scalar(f, v)
                          for v in values)
        many = packed(f, values)
        yield name + "_single", wrap_wire(path, single)
        yield name + "_packed", wrap_wire(path, many)
        yield name + "_mixed", wrap_wire(path, single + many + single)
        yield name + "_packed_empty", wrap_wire(path, packed(f, []))
        yield name + "_torn", wrap_wire(path, delimited(
            f.number, b"".join(scalar(f, v) for v in values) + torn))
        if wire_type == 0:
            yield name + "_overlong", wrap_wire(path, delimited(
                f.number, b"\x80" * 10 + b"\x01"))
    found = schema.find_field(root, lambda f: f.label == "ONE" and f.wire == 0)
    if found:
        path, f = found
        yield "PB-14_packed_singular", wrap_wire(path, packed(f, [1, 2]))
        yield "PB-14_torn_singular", wrap_wire(
            path, delimited(f.number, b"\x80"))


def maps(root):
    found = schema.find_field(
        root, lambda f: schema.KINDS.get(f.of) == "MAP_ENTRY")
    if not found:
        return
    path, f = found
    key, value = (wire(f.of, [pair]) for pair in schema.fill(f.of))
    other = wire(f.of, [(schema.MESSAGES[f.of][0].name,
                         schema.SAMPLES[schema.MESSAGES[f.of][0].type][2])])
    for name, entries in {
            "empty": [b""],
            "no_key": [value],
            "no_value": [key],
            "twice": [key + value, key + value],
            "value_first": [value + key],
            "two_keys": [key + other + value],
            "two_values": [key + value + value],
            "unknown_fields": [tag(9, 0) + b"\x01" + key + GROUP + GROUP_END +
                               value + delimited(77, b"x")],
            "wrong_types": [tag(1, 5) + bytes(4) + tag(2, 1) + bytes(8)],
            "cut": [key + value[:-1] or b"\x80"],
    }.items():
        yield f"PB-15_map_{name}", wrap_wire(
            path, b"".join(delimited(f.number, entry) for entry in entries))


def amplification(root, leaf):
    yield "PB-16_empty_messages", b"\x12\x00" * 2000
    yield "PB-16_empty_records", wrap_wire(leaf[:-1], delimited(
        leaf[-1][1].number, b"") * 1000)
    yield "PB-16_empty_in_record", wrap_wire(leaf, b"\x32\x00" * 1000)


def strings(root):
    for label, type_ in (("string", "STRING"), ("bytes", "BYTES")):
        found = schema.find_field(root, lambda f: f.type == type_)
        if not found:
            continue
        path, f = found
        yield f"PB-17_{label}_with_NUL", wrap_wire(
            path, delimited(f.number, b"a\x00b"))
        for name, digits in BAD_UTF8.items():
            yield f"PB-18_{label}_{name}", wrap_wire(
                path, delimited(f.number, bytes.fromhex(digits)))
    found = schema.find_field(
        root, lambda f: schema.KINDS.get(f.of) == "MAP_ENTRY" and
        schema.MESSAGES[f.of][0].type == "STRING")
    if found:
        path, f = found
        yield "PB-18_map_key", wrap_wire(
            path, delimited(f.number, delimited(1, b"\xff")))


def ranges(root):
    for label, type_, values in (
            ("enum", "ENUM", {"9999": 9999, "minus_1": -1,
                              "2_to_the_40": 2**40}),
            ("bool", "BOOL", {"2": 2, "2_to_the_63": 2**63}),
            ("int32", "INT32", {"2_to_the_31": 2**31,
                                "2_to_the_63": 2**63})):
        found = schema.find_field(root, lambda f: f.type == type_)
        for name, value in values.items() if found else ():
            path, f = found
            yield f"PB-19_{label}_{name}", wrap_wire(
                path, tag(f.number, 0) + varint(value))


def faults(kind, root, leaf):
    yield from fragments(root, leaf)
    yield from cuts(kind, root)
    yield from nesting(root)
    yield from oneofs(root)
    yield from singular(root)
    yield from packing(root)
    yield from maps(root)
    yield from amplification(root, leaf)
    yield from strings(root)
    yield from ranges(root)


def seeds(kind):
    """(name, bytes) of every seed of a kind."""
    root = schema.ROOTS[kind]
    leaf = schema.paths(root)[LEAVES[kind]]
    yield "empty", b""
    for name, pairs in SAMPLES[kind].items():
        yield f"sample_{name}", wire(root, pairs)
    many = len(schema.paths(root)) > 50
    for name, pairs in schema.joined(schema.all_fields(root), 1 + 3 * many):
        yield f"all_{name}", wire(root, pairs)
    yield from schema.turns(kind, faults(kind, root, leaf))


def dictionary():
    """Tags of all fields, with names, and numbers at the edges."""
    tags = {}
    for message in schema.read_messages():
        for f in schema.MESSAGES[message]:
            tags.setdefault(tag(f.number, f.wire), f"{message}_{f.name}")
            if f.label == "MANY" and f.wire != 2:
                tags.setdefault(tag(f.number, 2), f"{message}_{f.name}_packed")
    edges = {"group": b"\x0b", "group_end": b"\x0c", "minus_1":
             varint(-1), "most_negative": varint(-2**63),
             "most_positive": varint(2**63 - 1), "length_2_GiB":
             varint(2**31), "empty_message": b"\x0a\x00"}
    return sorted((name, data) for data, name in tags.items()) + sorted(
        edges.items())
