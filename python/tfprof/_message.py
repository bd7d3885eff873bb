"""Messages in protobuf's format without protobuf.

A message reads its own bytes when a field is first asked for, and leaves those
of the messages in it for later. It holds no way back to what it is part of:
whether it changed is asked from above, when bytes are wanted. Nothing here
recurses along the data, so that the op view's message, which nests once per
row, is read, compared and written at any length.
"""

from __future__ import annotations

from typing import Any, TypeVar

from tfprof import _wire
from tfprof._fields import Field, MapField, Part, Values
from tfprof._kinds import shown
from tfprof._text import text

M = TypeVar("M", bound="Message")

_ABSENT, _READ, _TOUCHED = range(3)


class Descriptor:
    """Name and fields of a class of messages."""

    def __init__(self, full_name: str, fields: list[Field]) -> None:
        self.name = full_name.rpartition(".")[2]
        self.full_name = full_name
        self.fields = fields
        self.fields_by_name = {field.name: field for field in fields}
        self.fields_by_number = {field.number: field for field in fields}


class _Slotted(type):
    """Gives each class empty __slots__. Written into the class, they would
    tell mypy that its fields cannot be assigned."""

    def __new__(mcs, name: str, bases: tuple[type, ...],
                body: dict[str, Any], **words: Any) -> _Slotted:
        body.setdefault("__slots__", ())
        return super().__new__(mcs, name, bases, body, **words)


class Message(metaclass=_Slotted):
    """What all messages can do; the names are those of protobuf."""

    __slots__ = ("_changed", "_data", "_end", "_presence", "_start",
                 "_unknown", "_values")
    __hash__ = None  # type: ignore[assignment]

    DESCRIPTOR: Descriptor
    _by_tag: dict[int, Field]
    _by_number: list[Field]

    _data: bytes  # with _start and _end, what it was read from
    _start: int
    _end: int
    _values: Values | None  # None: not yet read
    _unknown: bytes  # fields that the class does not have
    _changed: bool  # in itself, so it is no longer what it was read from
    _presence: int  # whether the message that it is part of has it

    def __init_subclass__(cls, package: str = "tensorflow.tfprof",
                          **words: Any) -> None:
        super().__init_subclass__(**words)
        fields = {name: value for name, value in vars(cls).items()
                  if isinstance(value, Field)}
        cls.DESCRIPTOR = Descriptor(f"{package}.{cls.__qualname__}", [])
        for name, field in fields.items():
            field.declare(cls, name)
        cls.DESCRIPTOR = Descriptor(cls.DESCRIPTOR.full_name,
                                    list(fields.values()))
        cls._by_number = sorted(fields.values(), key=lambda one: one.number)
        cls._by_tag = {field.number << 3 | wire: field
                       for field in cls._by_number for wire in field.wires()}

    def __init__(self, **fields: Any) -> None:
        self._data = self._unknown = b""
        self._start = self._end = 0
        self._values = {}
        self._changed = False
        self._presence = _ABSENT
        for name, value in fields.items():
            if value is not None:
                self._field(name).give(self, value)

    @classmethod
    def _over(cls: type[M], data: bytes, start: int, end: int) -> M:
        """A message that reads these bytes when it must."""
        made = cls.__new__(cls)
        made._data = data
        made._start = start
        made._end = end
        made._values = None
        made._unknown = b""
        made._changed = False
        made._presence = _READ
        return made

    @classmethod
    def _field(cls, name: str) -> Field:
        try:
            return cls.DESCRIPTOR.fields_by_name[name]
        except KeyError:
            raise ValueError(f"Protocol message {cls.__name__} has no "
                             f'"{shown(name)}" field.') from None

    # ---- Reading

    def _scan(self) -> Values:
        values: Values = {}
        self._unknown = _read(type(self), values, self._data, self._start,
                              self._end)
        self._values = values
        return values

    def _read_values(self) -> Values:
        return self._scan() if self._values is None else self._values

    def _touch(self) -> Values:
        values = self._read_values()
        self._changed = True
        self._presence = _TOUCHED
        return values

    def _merge(self, data: bytes, start: int, end: int) -> None:
        """Bytes that are not a message leave this one as it is."""
        scratch: Values = {}
        unknown = _read(type(self), scratch, data, start, end)
        if self._values == {} and not self._unknown:
            self._data, self._start, self._end = data, start, end
            self._values, self._unknown = scratch, unknown
            self._changed = False
            self._presence = _TOUCHED
            return
        values = self._touch()
        _read(type(self), values, data, start, end)
        self._unknown += unknown

    @classmethod
    def _lazy(cls: type[M], data: bytes) -> M:
        """A message of bytes that the library has written, which need no
        look before they are used."""
        return cls._over(data, 0, len(data))

    @classmethod
    def FromString(cls: type[M], data: Any) -> M:
        """A message of these bytes. What is wrong with them is a CorruptInput,
        here or, inside of messages in it, once they are asked for."""
        made = cls()
        made.MergeFromString(data)
        return made

    def ParseFromString(self, data: Any) -> int:
        kept = _given_bytes(data)
        _read(type(self), {}, kept, 0, len(kept))
        self.Clear()
        return self.MergeFromString(kept)

    def MergeFromString(self, data: Any) -> int:
        kept = _given_bytes(data)
        self._merge(kept, 0, len(kept))
        return len(kept)

    def MergeFrom(self: M, other: M) -> None:
        if type(other) is not type(self):
            raise TypeError("Parameter to MergeFrom() must be instance of same "
                            f"class: expected {type(self)} got {type(other)}.")
        if other is not self:
            self._merge(*other._slice())
            self._presence = _TOUCHED

    def CopyFrom(self: M, other: M) -> None:
        if other is self:
            return
        if type(other) is not type(self):
            raise TypeError("Parameter to CopyFrom() must be instance of same "
                            f"class: expected {type(self)} got {type(other)}.")
        self.Clear()
        self.MergeFrom(other)

    # ---- Fields

    def Clear(self) -> None:
        self._values = {}
        self._unknown = self._data = b""
        self._start = self._end = 0
        self._changed = True
        self._presence = _TOUCHED

    def ClearField(self, name: str) -> None:
        field = self._field(name)
        self._touch().pop(field.number, None)

    def HasField(self, name: str) -> bool:
        field = self._field(name)
        if not field.has_presence:
            raise ValueError(f"Field {field.full_name} does not have presence.")
        found = self._read_values().get(field.number)
        return found is not None and field.is_set(found)

    def ListFields(self) -> list[tuple[Field, Any]]:
        return [(field, field.__get__(self))
                for field, _ in self._present()]

    def WhichOneof(self, name: str) -> None:
        raise ValueError(f"Protocol message {type(self).__name__} has no "
                         f'"{shown(name)}" field.')

    def SetInParent(self) -> None:
        self._presence = _TOUCHED

    def IsInitialized(self) -> bool:
        """Always: no field is required."""
        return True

    def _present(self) -> list[tuple[Field, Any]]:
        """Fields with a value, by number, as they are kept."""
        values = self._read_values()
        found = ((field, values.get(field.number))
                 for field in self._by_number)
        return [(field, value) for field, value in found
                if value is not None and field.is_set(value)]

    def _is_present(self) -> bool:
        """Recurses along fields of one message, which end with the classes."""
        return (self._presence != _ABSENT or
                any(field.is_changed(value) or field.is_set(value)
                    for field, value in self._kept()))

    def _kept(self) -> list[tuple[Field, Any]]:
        """Fields that were read or asked for, set or not."""
        by_number = self.DESCRIPTOR.fields_by_number
        return [(by_number[number], value)
                for number, value in (self._values or {}).items()]

    # ---- Writing

    def SerializeToString(self, *, deterministic: bool = False) -> bytes:
        """Its bytes; those it was read from where nothing changed."""
        data, start, end = self._slice(deterministic)
        return data[start:end]

    def SerializePartialToString(self, *, deterministic: bool = False) -> bytes:
        return self.SerializeToString(deterministic=deterministic)

    def ByteSize(self) -> int:
        _, start, end = self._slice()
        return end - start

    def _slice(self, deterministic: bool = False) -> _wire.Slice:
        changed = _changed_within(self)
        if id(self) not in changed:
            return self._data, self._start, self._end
        data = _write(self, changed, deterministic)
        return data, 0, len(data)

    # ---- Python

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Message)
        return self is other or _equal(self, other)

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return text(self)

    def __copy__(self: M) -> M:
        made = type(self)()
        made._merge(*self._slice())
        return made

    def __deepcopy__(self: M, memo: Any = None) -> M:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self.SerializeToString())


def _unpickled(cls: type[Message], data: bytes) -> Message:
    return cls.FromString(data)


def _given_bytes(data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    if isinstance(data, str):
        raise TypeError("expected bytes, str found")
    return memoryview(data).tobytes()


# ---- Bytes to values --------------------------------------------------------

def _read(cls: type[Message], values: Values, data: bytes, at: int,
          end: int) -> bytes:
    """Adds the fields of a message to its values, and gives those that its
    class does not have."""
    by_tag = cls._by_tag
    name = cls.__name__
    unknown = []
    while at < end:
        start = at
        tag = data[at]
        at += 1
        if tag >= 0x80:
            tag, at = _wire.tag_at(data, start, end, name)
        field = by_tag.get(tag)
        if field is None:
            at = _wire.skip(data, start, end, name)
            unknown.append(data[start:at])
        elif tag & 7 == _wire.VARINT:
            if at < end and data[at] < 0x80:  # most are, and it costs less
                value = data[at]
                at += 1
            else:
                value, at = _wire.varint(data, at, end, name)
            field.take_number(values, value)
        elif tag & 7 == _wire.BYTES:
            if at < end and data[at] < min(0x80, end - at):
                first = at + 1
                at = first + data[at]
            else:
                first, at = _wire.span(data, at, end, name)
            field.take_bytes(values, data, first, at)
        else:
            at = _wire.skip(data, start, end, name)
            field.take_double(values, data, at - 8)
    return b"".join(unknown)


# ---- Messages within a message ----------------------------------------------

def _changed_within(top: Message) -> set[int]:
    """The ids of those whose bytes are no longer what they were read from,
    among a message and all in it that anybody has asked for."""
    found: list[tuple[Message, int]] = [(top, 0)]
    at = 0
    changed = set()
    while at < len(found):
        message = found[at][0]
        if message._changed:
            changed.add(id(message))
        for field, value in message._kept():
            if field.is_changed(value):
                changed.add(id(message))
            for inner in field.held(value):
                found.append((inner, at))
                if inner._presence == _TOUCHED:
                    changed.add(id(message))
        at += 1
    for message, outer in reversed(found):
        if id(message) in changed:
            changed.add(id(found[outer][0]))
    return changed


def _write(top: Message, changed: set[int], deterministic: bool) -> bytes:
    """From the last byte to the first, so that each length is known when it
    is written."""
    out: list[bytes] = []
    size = 0
    work: list[Any] = _parts(top, changed, deterministic)
    while work:
        part = work.pop()
        if type(part) is tuple:
            tag, inner = part
            if type(inner) is int:  # all that the tag stands before is there
                part = tag + _wire.number(size - inner)
            else:
                work.append((tag, size))
                work.extend(_parts(inner, changed, deterministic)
                            if isinstance(inner, Message) else inner)
                continue
        out.append(part)
        size += len(part)
    out.reverse()
    return b"".join(out)


def _parts(message: Message, changed: set[int],
           deterministic: bool) -> list[Part]:
    if id(message) not in changed:
        return [message._data[message._start:message._end]]
    parts: list[Part] = []
    for field, value in message._present():
        parts.extend(field.parts(value, deterministic))
    parts.append(message._unknown)
    return parts


# ---- Equality ---------------------------------------------------------------

def _equal(left: Message, right: Message) -> bool:
    if (left.SerializeToString(deterministic=True) ==
            right.SerializeToString(deterministic=True)):
        return True  # the other way round it need not be so
    work: list[tuple[Any, Any]] = [(left, right)]
    while work:
        one, two = work.pop()
        if one._unknown != two._unknown and (
                _wire.pieces(one._unknown, "") !=
                _wire.pieces(two._unknown, "")):
            return False
        ones, twos = one._present(), two._present()
        if [field for field, _ in ones] != [field for field, _ in twos]:
            return False
        for field, _ in ones:
            if not _field_equal(field, field.__get__(one), field.__get__(two),
                                work):
                return False
    return True


def _field_equal(field: Field, one: Any, two: Any,
                 work: list[tuple[Any, Any]]) -> bool:
    """Messages are put off; doubles are equal when all their bits are."""
    if isinstance(field, MapField):
        if field.value.kind is not None:
            return bool(one._items == two._items)
        if one._items.keys() != two._items.keys():
            return False
        work.extend((one[key], two[key]) for key in one)
    elif field.kind is None:
        if not field.is_repeated:
            work.append((one, two))
        elif len(one) != len(two):
            return False
        else:
            work.extend(zip(one, two))
    elif field.is_repeated:
        return list(field.parts(one, True)) == list(field.parts(two, True))
    else:
        return bool(one == two)
    return True
