"""Where the records of a file begin and end.

A file is walked as src/proto/walk.h says: streamed messages are entered, any
other field of them is a leaf record. This is an implementation of its own, on
the wheel's descriptors; only the list of streamed messages is tfprof's.
"""

import functools
import re

import schema
from wirebytes import varint, varint_at


class Span:
    """A record: [start, end), of which [payload, end) is what its tag and
    its length announce. `parents` are the streamed messages around it."""

    __slots__ = ("start", "payload", "end", "parents", "message", "is_open")

    def __init__(self, start, payload, end, parents, message=None,
                 is_open=False):
        self.start, self.payload, self.end = start, payload, end
        self.parents = parents
        self.message = message  # its descriptor, or None
        self.is_open = is_open  # text that may end within, as 12 is 1 too


# ---- Wire ------------------------------------------------------------------

@functools.cache
def _message_of(descriptor):
    """{number: descriptor of the message in that field}"""
    return {f.number: f.message_type for f in descriptor.fields
            if f.message_type}


_FIXED64 = (1, 6, 16)       # field types: double, fixed64, sfixed64
_FIXED32 = (2, 7, 15)       # float, fixed32, sfixed32
_WITH_LENGTH = (9, 11, 12)  # string, message, bytes


@functools.cache
def _wire_types(descriptor):
    """{number: wire type of one value}"""
    return {f.number: 1 if f.type in _FIXED64 else 5 if f.type in _FIXED32
            else 2 if f.type in _WITH_LENGTH else 0
            for f in descriptor.fields}


def _past_group(data, at, end, opening):
    """After the tag that closes a group; no message of TensorFlow's has one,
    but an unknown field may."""
    while at < end:
        tag, after = varint_at(data, at)
        if tag & 7 == 4:
            if tag != opening + 1:
                break
            return after
        at = next(fields(data, at, end))[-1]
    raise ValueError(f"a group is not closed at {at}")


def fields(data, at, end):
    """(number, wire type, start, payload, end) of each field of sound wire
    bytes. For what has no length, the payload begins after the tag."""
    while at < end:
        start = at
        tag, at = varint_at(data, at)
        wire = tag & 7
        payload = at
        if wire == 0:
            _, at = varint_at(data, at)
        elif wire == 1:
            at += 8
        elif wire == 2:
            size, payload = varint_at(data, at)
            at = payload + size
        elif wire == 5:
            at += 4
        elif wire == 3:
            at = _past_group(data, at, end, tag)
        else:
            raise ValueError(f"wire type {wire} at {start}")
        if at > end:
            raise ValueError(f"past the end at {start}")
        yield tag >> 3, wire, start, payload, at


def spans(data, descriptor):
    """(containers, leaves) of a message."""
    streamed = schema.streamed()
    containers, leaves = [], []
    waiting = [(0, len(data), descriptor, ())]
    while waiting:
        at, end, message, parents = waiting.pop()
        nested = _message_of(message)
        for number, wire, start, payload, stop in fields(data, at, end):
            of = nested.get(number) if wire == 2 else None
            span = Span(start, payload, stop, parents, of)
            if of and of.full_name in streamed:
                containers.append(span)
                waiting.append((payload, stop, of, (*parents, span)))
            else:
                leaves.append(span)
    leaves.sort(key=lambda leaf: leaf.start)
    return containers, leaves


def before(data, leaf):
    """The message of all whole leaf records before this one: the messages
    around it end where it begins."""
    inner = data[leaf.parents[-1].payload if leaf.parents else 0:leaf.start]
    for i in range(len(leaf.parents) - 1, -1, -1):
        here = leaf.parents[i]
        outside = leaf.parents[i - 1].payload if i else 0
        _, length_at = varint_at(data, here.start)
        inner = (data[outside:here.start] + data[here.start:length_at]
                 + varint(len(inner)) + inner)
    return inner


def length_bytes(data, span):
    """Offsets of the bytes that say the length of this record and of all
    that nests in it."""
    places = []
    waiting = [(span.start, span.payload, span.end, span.message)]
    while waiting:
        start, payload, end, message = waiting.pop()
        _, length_at = varint_at(data, start)
        places.extend(range(length_at, payload))
        if message is None:
            continue
        nested = _message_of(message)
        for number, wire, *place in fields(data, payload, end):
            if wire == 2:
                waiting.append((*place, nested.get(number)))
    return places


def without_strays(data, at, end, descriptor):
    """The same message, without unknown fields inside map entries. Python's
    protobuf drops an entry that has any; C++ and tfprof keep it."""
    out = bytearray()
    known = _wire_types(descriptor)
    is_entry = descriptor.GetOptions().map_entry
    nested = _message_of(descriptor)
    for number, wire, start, payload, stop in fields(data, at, end):
        if is_entry and known.get(number) != wire:
            continue
        of = nested.get(number) if wire == 2 else None
        if of is None:
            out += data[start:stop]
            continue
        inner = without_strays(data, payload, stop, of)
        out += varint(number << 3 | 2) + varint(len(inner)) + inner
    return bytes(out)


# ---- Text ------------------------------------------------------------------

_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\.)*"' rb"|'(?:[^'\\]|\\.)*'" rb"|\#[^\n]*"
    rb"|[{}<>\[\]:,;]" rb"|[^\s{}<>\[\]:,;\"'\#]+", re.DOTALL)
_BRACE = re.compile(
    rb'"(?:[^"\\]|\\.)*"' rb"|'(?:[^'\\]|\\.)*'" rb"|\#[^\n]*"
    rb"|[{}<>\[\]]", re.DOTALL)


def _past_closing(text, at):
    """After the brace or bracket that closes the one at `at`."""
    depth = 0
    for match in _BRACE.finditer(text, at):
        token = match[0]
        if token in b"{<[":
            depth += 1
        elif token in b"}>]":
            depth -= 1
            if depth == 0:
                return match.end()
    raise ValueError(f"not closed since {at}")


def token(text, at):
    """The next token that is no comment, as a match, or None."""
    match = _TOKEN.search(text, at)
    while match and match[0].startswith(b"#"):
        match = _TOKEN.search(text, match.end())
    return match


def text_leaves(text, descriptor):
    """The leaf records of a sound text file."""
    streamed = schema.streamed()
    leaves = []
    stack = []  # (descriptor, span) of the streamed messages that are open
    message = descriptor
    at = 0
    while name := token(text, at):
        at = name.end()
        if name[0] in b",;":
            continue
        if name[0] in b"}>":
            message, _ = stack.pop()
            continue
        field = message.fields_by_name.get(name[0].decode())
        value = token(text, at)
        if value[0] == b":":
            value = token(text, value.end())
        parents = tuple(span for _, span in stack)
        if value[0] in b"{<[":
            of = field.message_type if field else None
            if of and of.full_name in streamed and value[0] != b"[":
                # A streamed message: its end is not needed.
                stack.append((message, Span(name.start(), value.end(), None,
                                            parents, of)))
                message = of
                at = value.end()
                continue
            at = _past_closing(text, value.start())
            is_open = False
        else:
            at = value.end()
            is_open = value[0][:1] not in b"\"'"
            more = token(text, at)
            while value[0][:1] in b"\"'" and more and more[0][:1] in b"\"'":
                at, is_open = more.end(), True  # "a" 'b' is one string
                more = token(text, at)
        leaves.append(Span(name.start(), name.start(), at, parents,
                           is_open=is_open))
    return leaves


def text_before(text, leaf):
    """The text of all whole leaf records before this one."""
    closing = {b"{": b"}", b"<": b">"}
    ends = [closing[text[span.payload - 1:span.payload]]
            for span in reversed(leaf.parents)]
    return text[:leaf.start] + b"".join(ends)


def line_and_column(text, offset):
    line_start = text.rfind(b"\n", 0, offset) + 1
    return text.count(b"\n", 0, offset) + 1, offset - line_start + 1
