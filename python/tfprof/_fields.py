"""Fields of a message: what a class declares, reads and writes.

A class names its fields one below the other, as a .proto file does:

    class Dim(Message):
        size: int = scalar(1, INT64)
        name: str = scalar(2, STRING)

Each is a descriptor in both senses of the word: Python's, which attribute
access goes through, and protobuf's, which says number, name and type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, Union

from tfprof import _wire
from tfprof._containers import Map, MessageMap, Repeated, RepeatedMessages
from tfprof._kinds import ENUM, FIXED64_SIZE, Kind, read_double

if TYPE_CHECKING:
    from tfprof._message import Descriptor, Message

# What a message is written from: bytes as they are, or a tag with the message
# or the parts that stand behind it.
Part = Union[bytes, "tuple[bytes, Any]"]
Values = dict[int, Any]  # of one message, by field number

_NO_NAMES: Mapping[int, str] = {}


class Field:
    """What all fields share; here, one number, string or enum."""

    is_repeated = False
    has_presence = False

    def __init__(self, number: int, kind: Kind | None,
                 names: Mapping[int, str] | None = None,
                 message: type[Message] | None = None) -> None:
        self.number = number
        self.kind = kind
        self.names = names or _NO_NAMES  # of an enum's values
        self.message = message  # None until the class is there: its own
        self.name = self.full_name = ""

    def declare(self, owner: type[Message], name: str) -> None:
        self.name = name
        self.full_name = f"{owner.DESCRIPTOR.full_name}.{name}"
        if self.kind is None and self.message is None:
            self.message = owner
        self.tag = _wire.number(self.number << 3 | self.wire())

    # ---- Protobuf's descriptor

    @property
    def type(self) -> int:
        return self.kind.type if self.kind else 11

    @property
    def cpp_type(self) -> int:
        return self.kind.cpp if self.kind else 10

    @property
    def label(self) -> int:
        return 3 if self.is_repeated else 1

    @property
    def default_value(self) -> Any:
        if self.is_repeated:
            return []
        return self.kind.default if self.kind else None

    @property
    def message_type(self) -> Descriptor | None:
        return self.message.DESCRIPTOR if self.message else None

    # ---- Attributes

    def __get__(self, message: Message | None, owner: Any = None) -> Any:
        if message is None:
            return self
        values = message._values
        if values is None:
            values = message._scan()
        found = values.get(self.number)
        return self.missing(values) if found is None else found

    def __set__(self, message: Message, value: Any) -> None:
        assert self.kind is not None
        if self.kind is ENUM and isinstance(value, str):
            value = self._labelled(value)
        kept = self.kind.check(value, self.full_name)
        message._touch()[self.number] = kept

    def _labelled(self, label: str) -> int:
        for value, name in self.names.items():
            if name == label:
                return value
        raise ValueError(f'unknown enum label "{label}"')

    def missing(self, values: Values) -> Any:
        assert self.kind is not None
        return self.kind.default

    def give(self, message: Message, value: Any) -> None:
        """What a constructor was given."""
        self.__set__(message, value)

    # ---- Bytes

    def wire(self) -> int:
        return self.kind.wire if self.kind else _wire.BYTES

    def wires(self) -> tuple[int, ...]:
        """Wire types that are read; any other is a field nobody knows."""
        return (self.wire(),)

    def take_number(self, values: Values, value: int) -> None:
        assert self.kind is not None
        values[self.number] = self.kind.read(value)

    def take_double(self, values: Values, data: bytes, at: int) -> None:
        values[self.number] = read_double(data, at)

    def take_bytes(self, values: Values, data: bytes, start: int,
                   end: int) -> None:
        values[self.number] = self.string(data, start, end)

    def string(self, data: bytes, start: int, end: int) -> str:
        try:
            return data[start:end].decode()
        except UnicodeDecodeError as bad:
            raise _wire.corrupt(self.full_name, "a string that is not UTF-8",
                                start + bad.start) from None

    # ---- Questions about what __get__ keeps

    def is_set(self, value: Any) -> bool:
        assert self.kind is not None
        return bool(value != self.kind.default)

    def is_changed(self, value: Any) -> bool:
        """Changed in itself, not counting the messages it holds."""
        return False

    def held(self, value: Any) -> list[Message]:
        """Messages in it that somebody has asked for."""
        return []

    def parts(self, value: Any, deterministic: bool) -> Iterable[Part]:
        assert self.kind is not None
        return (self.tag + self.kind.write(value),)


class _Composite(Field):
    """A field whose object is changed, not assigned."""

    what = "map, or repeated"

    def __set__(self, message: Message, value: Any) -> NoReturn:
        raise AttributeError(f"Assignment not allowed to {self.what} field "
                             f'"{self.name}" in protocol message object.')


class MessageField(_Composite):
    """One message. Asking for it makes one, which is there for others only
    once it was changed."""

    what = "message"
    has_presence = True

    def _class(self) -> type[Message]:
        assert self.message is not None
        return self.message

    def missing(self, values: Values) -> Any:
        found = values[self.number] = self._class()()
        return found

    def __get__(self, message: Message | None, owner: Any = None) -> Any:
        found = super().__get__(message, owner)
        if type(found) is tuple:
            assert message is not None and message._values is not None
            found = message._values[self.number] = self._class()._over(*found)
        return found

    def give(self, message: Message, value: Any) -> None:
        made = self._class()(**value) if isinstance(value, dict) else value
        self.__get__(message).MergeFrom(made)

    def take_bytes(self, values: Values, data: bytes, start: int,
                   end: int) -> None:
        found = values.get(self.number)
        if found is None:
            values[self.number] = (data, start, end)
        elif type(found) is tuple:  # one message in pieces is their bytes
            joined = found[0][found[1]:found[2]] + data[start:end]
            values[self.number] = (joined, 0, len(joined))
        else:
            found._merge(data, start, end)

    def is_set(self, value: Any) -> bool:
        return type(value) is tuple or value._is_present()

    def is_changed(self, value: Any) -> bool:
        return False

    def held(self, value: Any) -> list[Message]:
        return [] if type(value) is tuple else [value]

    def parts(self, value: Any, deterministic: bool) -> Iterable[Part]:
        return (_nested(self.tag, value),)


def _nested(tag: bytes, value: Any) -> Part:
    if type(value) is not tuple:
        return (tag, value)
    data: bytes
    data, start, end = value
    return tag + _wire.number(end - start) + data[start:end]


class RepeatedField(_Composite):
    """Numbers, strings or messages. Numbers are written packed, and read
    either way."""

    is_repeated = True

    def wire(self) -> int:
        return _wire.BYTES

    def wires(self) -> tuple[int, ...]:
        return (_wire.BYTES, self.kind.wire) if self.kind else (_wire.BYTES,)

    def missing(self, values: Values) -> Any:
        found: Repeated[Any]
        if self.kind is not None:
            found = Repeated(self.kind, self.full_name)
        else:
            assert self.message is not None
            found = RepeatedMessages(self.message, self.full_name)
        values[self.number] = found
        return found

    def _items(self, values: Values) -> list[Any]:
        found = values.get(self.number)
        if found is None:
            found = self.missing(values)
        items: list[Any] = found._items
        return items

    def give(self, message: Message, value: Any) -> None:
        found = self.__get__(message)
        for one in value:
            if self.kind is None and isinstance(one, dict):
                found.add(**one)
            else:
                found.append(one)

    def take_number(self, values: Values, value: int) -> None:
        assert self.kind is not None
        self._items(values).append(self.kind.read(value))

    def take_double(self, values: Values, data: bytes, at: int) -> None:
        self._items(values).append(read_double(data, at))

    def take_bytes(self, values: Values, data: bytes, start: int,
                   end: int) -> None:
        items = self._items(values)
        if self.kind is None:
            items.append((data, start, end))
        elif self.kind.wire == _wire.BYTES:
            items.append(self.string(data, start, end))
        elif self.kind.wire == _wire.VARINT:
            while start < end:
                value, start = _wire.varint(data, start, end, self.full_name)
                items.append(self.kind.read(value))
        elif (end - start) % FIXED64_SIZE:
            raise _wire.corrupt(self.full_name, "a number is cut short", end)
        else:
            items.extend(read_double(data, at)
                         for at in range(start, end, FIXED64_SIZE))

    def is_set(self, value: Any) -> bool:
        return bool(value._items)

    def is_changed(self, value: Any) -> bool:
        return bool(value._touched)

    def held(self, value: Any) -> list[Message]:
        return value._held() if self.kind is None else []

    def parts(self, value: Any, deterministic: bool) -> Iterable[Part]:
        if self.kind is None:
            return [_nested(self.tag, item) for item in value._items]
        if self.kind.wire == _wire.BYTES:
            return [self.tag + self.kind.write(item) for item in value._items]
        packed = b"".join(map(self.kind.write, value._items))
        return (self.tag + _wire.number(len(packed)) + packed,)


class MapField(_Composite):
    """A map: entries with the key as field 1 and the value as field 2."""

    is_repeated = True

    def __init__(self, number: int, key: Field, value: Field) -> None:
        super().__init__(number, None, message=value.message)
        self.key = key
        self.value = value

    def declare(self, owner: type[Message], name: str) -> None:
        super().declare(owner, name)
        words = "".join(word.capitalize() for word in name.split("_"))
        self.entry = f"{owner.DESCRIPTOR.full_name}.{words}Entry"
        for field, called in ((self.key, "key"), (self.value, "value")):
            field.name = called
            field.full_name = f"{self.entry}.{called}"
            field.tag = _wire.number(field.number << 3 | field.wire())

    def missing(self, values: Values) -> Any:
        assert self.key.kind is not None
        found: Map[Any, Any]
        if self.value.kind is None:
            assert self.value.message is not None
            found = MessageMap(self.key.kind, self.value.message,
                               self.full_name)
        else:
            found = Map(self.key.kind, self.value.kind, self.full_name)
        values[self.number] = found
        return found

    def give(self, message: Message, value: Any) -> None:
        found = self.__get__(message)
        if self.value.kind is not None:
            found.update(value)
            return
        assert self.value.message is not None
        for key, one in value.items():
            if isinstance(one, dict):
                one = self.value.message(**one)
            found[key].CopyFrom(one)

    def take_bytes(self, values: Values, data: bytes, start: int,
                   end: int) -> None:
        found = values.get(self.number)
        if found is None:
            found = self.missing(values)
        entry: Values = {}
        _read_entry(self, entry, data, start, end)
        key, value = entry.get(1), entry.get(2)
        if key is None:
            key = self.key.missing(entry)
        if value is None:
            value = self.value.missing(entry)
        found._items[key] = value

    def is_set(self, value: Any) -> bool:
        return bool(value._items)

    def is_changed(self, value: Any) -> bool:
        return bool(value._touched)

    def held(self, value: Any) -> list[Message]:
        return value._held() if self.value.kind is None else []

    def parts(self, value: Any, deterministic: bool) -> Iterable[Part]:
        entries = value._items.items()
        return [(self.tag, [*self.key.parts(key, deterministic),
                            *self.value.parts(one, deterministic)])
                for key, one in (sorted(entries, key=_first) if deterministic
                                 else entries)]


def _first(entry: tuple[Any, Any]) -> Any:
    return entry[0]


def _read_entry(field: MapField, entry: Values, data: bytes, at: int,
                end: int) -> None:
    """Fields of an entry that are neither are dropped, as protobuf does."""
    name = field.entry
    known = {part.number << 3 | part.wire(): part
             for part in (field.key, field.value)}
    while at < end:
        tag, start = _wire.tag_at(data, at, end, name)
        at = _wire.skip(data, at, end, name)
        part = known.get(tag)
        if part is None:
            continue
        if tag & 7 == _wire.VARINT:
            part.take_number(entry, _wire.varint(data, start, at, name)[0])
        else:
            part.take_bytes(entry, data, *_wire.span(data, start, at, name))


# ---- What classes declare with ----------------------------------------------

def scalar(number: int, kind: Kind,
           names: Mapping[int, str] | None = None) -> Any:
    return Field(number, kind, names)


def one(number: int, message: type[Message]) -> Any:
    return MessageField(number, None, message=message)


def many(number: int, kind: Kind) -> Any:
    return RepeatedField(number, kind)


def messages(number: int, message: type[Message] | None = None) -> Any:
    """Without a class, messages of the class that is being declared."""
    return RepeatedField(number, None, message=message)


def mapping(number: int, key: Kind, value: Kind | type[Message]) -> Any:
    held = (Field(2, value) if isinstance(value, Kind)
            else MessageField(2, None, message=value))
    return MapField(number, Field(1, key), held)
