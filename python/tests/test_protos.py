"""The light messages against those of the installed TensorFlow."""

import math
import subprocess
import sys
from typing import Any

import pytest
import tf_messages
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lacking import needs

import tfprof
from tfprof import _kinds, _protos
from tfprof._fields import MapField

pytestmark = needs(tf_messages.HAVE, tf_messages.NEEDED)

_FILES = ("core.profiler.tfprof_output", "core.profiler.tfprof_log",
          "core.profiler.tfprof_options", "core.framework.tensor_shape")
# Only its name is ours: all that it holds would be most of TensorFlow.
_CLOSED = "tensorflow.AttrValue"


def _theirs() -> dict[str, Any]:
    """Each of TensorFlow's classes that ours stand beside, by full name."""
    found: dict[str, Any] = {}

    def add(cls: Any) -> None:
        found[cls.DESCRIPTOR.full_name] = cls
        for inner in cls.DESCRIPTOR.nested_types:
            if not inner.GetOptions().map_entry:
                add(getattr(cls, inner.name))

    if tf_messages.HAVE:
        for file in _FILES:
            module = tf_messages.module(file)
            for name in module.DESCRIPTOR.message_types_by_name:
                add(getattr(module, name))
        add(tf_messages.module("core.framework.step_stats").AllocationRecord)
    return found


def _ours(full_name: str) -> Any:
    found: Any = _protos
    for name in full_name.split("."):
        found = getattr(found, name) if name[0].isupper() else found
    return found


THEIRS = _theirs()
PAIRS = [(_ours(name), cls) for name, cls in THEIRS.items()]
each_pair = pytest.mark.parametrize(
    "ours, theirs", PAIRS, ids=[ours.__qualname__ for ours, _ in PAIRS])


# ---- Descriptors ------------------------------------------------------------

@each_pair
def test_every_field_is_declared_as_in_tensorflow(
        ours: Any, theirs: Any) -> None:
    assert ours.DESCRIPTOR.full_name == theirs.DESCRIPTOR.full_name
    assert not theirs.DESCRIPTOR.oneofs
    assert [_facts(field) for field in ours.DESCRIPTOR.fields] == \
        [_facts(field) for field in theirs.DESCRIPTOR.fields]


def _facts(field: Any) -> list[Any]:
    found = [field.number, field.name, field.full_name, field.type,
             field.cpp_type, field.is_repeated, field.has_presence]
    if not field.is_repeated:
        found.append(field.default_value)
    if isinstance(field, MapField):
        return [*found, field.entry, _facts(field.key), _facts(field.value)]
    if field.message_type is None:
        return found
    found.append(field.message_type.full_name)
    entry = field.message_type
    if hasattr(entry, "GetOptions") and entry.GetOptions().map_entry:
        found.extend(_facts(part) for part in entry.fields)
    return found


def test_types_of_tensors_have_the_names_of_tensorflow() -> None:
    theirs = tf_messages.module("core.framework.types").DataType
    assert {number: name for name, number in theirs.items()} == \
        _protos.DATA_TYPES


def test_public_names_are_these_classes() -> None:
    for name in ("GraphNodeProto", "MultiGraphNodeProto", "AdviceProto",
                 "OpLogProto"):
        assert getattr(tfprof, name) is getattr(_protos, name)
    with pytest.raises(AttributeError, match="NoSuchName"):
        tfprof.NoSuchName  # noqa: B018


# ---- Messages that hypothesis makes up --------------------------------------

_SCALARS: dict[int, Any] = {
    1: st.floats() | st.sampled_from([0.0, -0.0, 1e16, 1 / 3, math.inf]),
    4: st.integers(0, (1 << 64) - 1),
    3: st.integers(-1 << 63, (1 << 63) - 1) | st.integers(-2, 300),
    5: st.integers(-1 << 31, (1 << 31) - 1) | st.integers(-2, 300),
    8: st.booleans(),
    9: st.text(max_size=6),
    14: st.integers(0, 140) | st.integers(-1 << 31, (1 << 31) - 1),
}


def _values(descriptor: Any, depth: int) -> Any:
    """Keywords of a constructor, sub-messages as keywords in turn."""
    found: dict[str, Any] = {}
    for field in descriptor.fields:
        inner = field.message_type
        if inner is None:
            value = _SCALARS[field.type]
            if field.is_repeated:
                value = st.lists(value, max_size=3)
        elif depth == 0:
            continue
        elif inner.GetOptions().map_entry:
            key, one = inner.fields
            if one.message_type and one.message_type.full_name == _CLOSED:
                continue
            value = st.dictionaries(
                _SCALARS[key.type],
                _SCALARS[one.type] if one.message_type is None
                else _values(one.message_type, depth - 1), max_size=2)
        else:
            value = _values(inner, depth - 1)
            if field.is_repeated:
                value = st.lists(value, max_size=2)
        found[field.name] = value
    return st.fixed_dictionaries({}, optional=found)


@st.composite
def pairs(draw: Any) -> Any:
    """Our class, TensorFlow's, and keywords for either."""
    ours, theirs = draw(st.sampled_from(PAIRS))
    return ours, theirs, draw(_values(theirs.DESCRIPTOR, 2))


calm = settings(deadline=None, max_examples=150, derandomize=True,
                suppress_health_check=list(HealthCheck))
many = settings(calm, max_examples=500)


@calm
@given(pairs())
def test_what_one_side_writes_the_other_reads(pair: Any) -> None:
    ours, theirs, values = pair
    mine, its = ours(**values), theirs(**values)
    assert theirs.FromString(mine.SerializeToString()) == its
    read = ours.FromString(its.SerializeToString())
    assert read == mine
    assert read.SerializeToString() == its.SerializeToString()
    assert theirs.FromString(mine.SerializeToString(deterministic=True)) == its
    assert mine.ByteSize() == its.ByteSize()


HIDDEN = {code: text for code, text in _kinds._ESCAPES.items() if code >= 0x80}


@calm
@given(pairs())
def test_text_is_that_of_protobuf(pair: Any) -> None:
    from google.protobuf import text_format

    ours, theirs, values = pair
    mine, its = ours(**values), theirs(**values)
    # protobuf prints characters that hide as they are; ours are escaped.
    text = str(its).translate(HIDDEN)
    # protobuf prints maps as it hashed them, and sorts them on demand; ours
    # are always sorted.
    if str(mine) != text:
        assert sorted(str(mine).split("\n")) == sorted(text.split("\n"))
    if str(mine) != str(its):
        assert text_format.Parse(str(mine), theirs()) == its
    assert repr(mine) == str(mine)


@calm
@given(pairs(), st.data())
def test_equal_is_what_protobuf_calls_equal(pair: Any, data: Any) -> None:
    ours, theirs, values = pair
    other = data.draw(st.just(values) | _values(theirs.DESCRIPTOR, 2))
    assert (ours(**values) == ours(**other)) == \
        (theirs(**values) == theirs(**other))


@calm
@given(pairs(), st.data())
def test_merge_and_copy_do_what_those_of_protobuf_do(
        pair: Any, data: Any) -> None:
    ours, theirs, values = pair
    other = data.draw(_values(theirs.DESCRIPTOR, 2))
    by_message, by_bytes = ours(**values), ours(**values)
    its = theirs(**values)
    by_message.MergeFrom(ours(**other))
    by_bytes.MergeFromString(theirs(**other).SerializeToString())
    its.MergeFrom(theirs(**other))
    assert theirs.FromString(by_message.SerializeToString()) == its
    assert by_bytes == by_message
    by_message.CopyFrom(ours(**other))
    assert by_message == ours(**other)


@calm
@given(pairs())
def test_fields_are_listed_as_by_protobuf(pair: Any) -> None:
    ours, theirs, values = pair
    mine, its = ours(**values), theirs(**values)
    assert [field.name for field, _ in mine.ListFields()] == \
        [field.name for field, _ in its.ListFields()]
    for field in its.DESCRIPTOR.fields:
        if field.has_presence:
            assert mine.HasField(field.name) == its.HasField(field.name)


# ---- As messages of TensorFlow ----------------------------------------------

@calm
@given(pairs())
def test_to_protobuf_gives_the_class_of_tensorflow(pair: Any) -> None:
    ours, theirs, values = pair
    made = ours(**values).to_protobuf()
    assert type(made) is theirs
    assert made == theirs(**values)


def test_to_protobuf_of_each_class_is_that_of_tensorflow() -> None:
    for ours, theirs in PAIRS:
        assert type(ours().to_protobuf()) is theirs
    attribute = THEIRS["tensorflow.tfprof.ProfileNode"]().attrs["T"]
    assert type(_protos.AttrValue().to_protobuf()) is type(attribute)


def test_to_protobuf_keeps_unknown_fields_and_changes() -> None:
    log = tfprof.OpLogProto.FromString(b"\x0a\x03\x0a\x01a" + b"\xf8\x07\x05")
    log.log_entries[0].types.append("t")
    made = log.to_protobuf()
    assert made.log_entries[0].types == ["t"]
    assert made.SerializeToString() == log.SerializeToString()


def test_to_protobuf_ends_where_protobuf_does() -> None:
    from google.protobuf.message import DecodeError

    top = tfprof.MultiGraphNodeProto(name="0")
    node = top
    for level in range(1, 90):
        node = node.children.add(name=str(level))
    assert top.to_protobuf().children[0].name == "1"
    for level in range(90, 300):
        node = node.children.add(name=str(level))
    with pytest.raises(DecodeError):
        top.to_protobuf()


def test_to_protobuf_without_tensorflow_says_what_is_missing() -> None:
    code = ("import sys; sys.modules['tensorflow'] = None\n"
            "import tfprof; tfprof.OpLogProto().to_protobuf()")
    done = subprocess.run([sys.executable, "-c", code], text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: to_protobuf() requires the package tensorflow: "
        "pip install tensorflow")


# ---- Bytes that nobody vouches for ------------------------------------------

def _walk(message: Any) -> Any:
    """Reads a message and all in it."""
    work = [message]
    while work:
        for field, value in work.pop().ListFields():
            if isinstance(field, MapField) and field.value.kind is None:
                work.extend(value.values())
            elif field.kind is None and not isinstance(field, MapField):
                work.extend(value if field.is_repeated else [value])
    return message


def test_attributes_of_a_profile_come_through_unread() -> None:
    theirs = THEIRS["tensorflow.tfprof.ProfileNode"]()
    theirs.attrs["T"].type = 1
    theirs.attrs["list"].list.s.append(b"x")
    mine = _protos.ProfileNode.FromString(theirs.SerializeToString())
    mine.attrs["T"].SetInParent()
    mine.name = "n"
    theirs.name = "n"
    assert type(theirs).FromString(mine.SerializeToString()) == theirs


def _read(read: Any, *errors: Any) -> Any:
    try:
        return read()
    except errors:
        return None


@many
@given(pairs(), st.data())
def test_damaged_bytes_are_refused_where_protobuf_refuses_them(
        pair: Any, data: Any) -> None:
    from google.protobuf.message import DecodeError

    ours, theirs, values = pair
    changed = bytearray(theirs(**values).SerializeToString())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(changed)))
        end = data.draw(st.integers(at, min(at + 3, len(changed))))
        changed[at:end] = data.draw(st.binary(max_size=3))
    damaged = bytes(changed)
    mine = _read(lambda: _walk(ours.FromString(damaged)), tfprof.CorruptInput)
    its = _read(lambda: theirs.FromString(damaged), DecodeError)
    assert (mine is None) == (its is None)
    if mine is not None:
        mine.SetInParent()
        again = ours()
        again.MergeFrom(mine)
        assert theirs.FromString(again.SerializeToString()) == its


@pytest.mark.parametrize("data", [
    b"\x08" + b"\xff" * 9 + b"\x00",
    b"\x08" + b"\xff" * 9 + b"\x01",
    b"\x08" + b"\xff" * 9 + b"\x7e",   # bits past the 64th
    b"\x08" + b"\xff" * 9 + b"\x80\x00",
    b"\x88\x80\x80\x80\x00\x01",     # a tag of five bytes
    b"\x88\x80\x80\x80\x10\x01",     # past 32 bits
    b"\x88\x80\x80\x80\x80\x00\x01",
    b"\x5a\x80\x80\x80\x80\x00",     # a length of five bytes
    b"\x5a\x80\x80\x80\x80\x80\x00",
])
def test_long_numbers_are_read_as_protobuf_reads_them(data: bytes) -> None:
    from google.protobuf.message import DecodeError

    theirs = THEIRS["tensorflow.tfprof.ExecMemory"]
    mine = _read(lambda: _walk(_protos.ExecMemory.FromString(data)),
                 tfprof.CorruptInput)
    its = _read(lambda: theirs.FromString(data), DecodeError)
    assert (mine is None) == (its is None)
    if mine is not None:
        assert mine.memory_micros == its.memory_micros


@many
@given(st.sampled_from(PAIRS), st.binary(max_size=24))
def test_any_bytes_are_refused_where_protobuf_refuses_them(
        pair: Any, data: bytes) -> None:
    from google.protobuf.message import DecodeError

    ours, theirs = pair
    mine = _read(lambda: _walk(ours.FromString(data)), tfprof.CorruptInput)
    its = _read(lambda: theirs.FromString(data), DecodeError)
    assert (mine is None) == (its is None)
    if mine is not None:
        assert theirs.FromString(mine.SerializeToString()) == its
        assert sorted(str(mine).splitlines()) == sorted(str(its).splitlines())
