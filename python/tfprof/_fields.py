"""The fields of message classes, and the lists and maps that they return.

A class declares its fields line by line, like a .proto file:

    class Dim(Message):
        size: int = field(1, INT64)
        name: str = field(2, STRING)

A field is a Python descriptor, which implements attribute access, and also has
the attributes of protobuf's field descriptor: number, name and type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, TypeVar

from tfprof import _wire
from tfprof._kinds import ENUM, Kind

if TYPE_CHECKING:
    from tfprof._message import Message

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

Values = dict["Field", Any]  # of one message


# ---- Lists and maps ---------------------------------------------------------

def _touching(method: Callable[..., Any]) -> Any:
    """Wraps a method of list or dict that changes the container."""
    def call(self: Any, *words: Any, **named: Any) -> Any:
        result = method(self, *words, **named)
        self._touched = True
        return result
    return call


class Container:
    """The base class of lists and maps. They check new values. `_touched` is
    set by the first change: the bytes that they were read from are then out of
    date."""

    __slots__ = ()

    def __init__(self, field: Any) -> None:
        self._field = field  # type: ignore[misc]
        self._touched = False  # type: ignore[misc]

    def _held(self) -> Iterable[Any]:
        """The messages in it."""
        return ()

    def __reduce_ex__(self, protocol: object) -> Any:
        """Copies and pickles are plain lists or dicts."""
        plain = self.copy()  # type: ignore[attr-defined]
        return type(plain), (plain,)


class Repeated(Container, list[T]):
    """A repeated field of numbers or strings."""

    __slots__ = ("_field", "_touched")
    __imul__ = None  # type: ignore[assignment]

    def extend(self, values: Iterable[T]) -> None:
        super().extend([self._field.check(value) for value in values])
        self._touched = True

    MergeFrom = extend

    def append(self, value: T) -> None:
        self.extend((value,))

    def insert(self, at: SupportsIndex, value: T) -> None:
        super().insert(at, self._field.check(value))
        self._touched = True

    def __setitem__(self, at: Any, value: Any) -> None:
        check = self._field.check
        super().__setitem__(at, [check(one) for one in value]
                            if isinstance(at, slice) else check(value))
        self._touched = True

    def __iadd__(self, values: Any) -> Any:  # type: ignore[misc]
        self.extend(values)
        return self


for _name in ("__delitem__", "clear", "pop", "remove", "reverse", "sort"):
    setattr(Repeated, _name, _touching(getattr(list, _name)))


class RepeatedMessages(Repeated[T]):
    """A repeated field of messages. Added messages are copied."""

    __slots__ = ()

    def _held(self) -> Iterable[Any]:
        return self

    def __setitem__(self, at: Any, value: Any) -> NoReturn:
        raise TypeError("does not support assignment")

    def add(self, **fields: Any) -> T:
        """Appends a new message and returns it."""
        made: T = self._field.message(**fields)
        list.append(self, made)
        self._touched = True
        return made


class Map(Container, dict[K, V]):
    """A map to numbers or strings. As in protobuf, looking up a missing key
    adds it."""

    __slots__ = ("_field", "_touched")

    def __missing__(self, key: Any) -> V:
        key = self._field.key.check(key)
        if key not in self:
            super().__setitem__(key, self._field.message().value)
            self._touched = True
        return super().__getitem__(key)

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(self._field.key.check(key),
                            self._field.value.check(value))
        self._touched = True

    def setdefault(self, key: K, default: Any = None) -> V:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *given: Any, **named: V) -> None:
        for key, value in dict(*given, **named).items():
            self[key] = value

    MergeFrom = update

    def __ior__(self, given: Any) -> Any:  # type: ignore[misc]
        self.update(given)
        return self


for _name in ("__delitem__", "clear", "pop", "popitem"):
    setattr(Map, _name, _touching(getattr(dict, _name)))


class MessageMap(Map[K, V]):
    """A map to messages."""

    __slots__ = ()

    def _held(self) -> Iterable[Any]:
        return self.values()

    def __setitem__(self, key: K, value: V) -> NoReturn:
        raise ValueError("Message objects may not be assigned")

    def setdefault(self, key: K, default: Any = None) -> NoReturn:
        raise NotImplementedError(
            "Set message map value directly is not supported.")

    get_or_create = Map.__getitem__

    def MergeFrom(self, *given: Any, **named: V) -> None:
        for key, value in dict(*given, **named).items():
            self[key].CopyFrom(value)  # type: ignore[attr-defined]


# ---- Fields -----------------------------------------------------------------

class Field:
    """A field: one value or message, or a list of them."""

    name = full_name = ""  # set by declare()

    def __init__(self, number: int, kind: Kind | None,
                 message: type[Message] | None = None, *,
                 is_repeated: bool = False,
                 names: Mapping[int, str] | None = None) -> None:
        self.number = number
        self.kind = kind  # None: messages
        self.message: Any = message  # None means the owner, until declare()
        self.names = names or {}  # of enum values
        self.is_repeated = is_repeated
        self.is_plain = kind is not None and not is_repeated
        self.has_presence = kind is None and not is_repeated
        self.new: Any = Repeated if kind else RepeatedMessages
        self.wire = kind.wire if kind else _wire.BYTES
        self.is_packed = is_repeated and self.wire != _wire.BYTES
        self.type, self.cpp_type = (kind.type, kind.cpp) if kind else (11, 10)
        self.label = 3 if is_repeated else 1
        self.default_value = [] if is_repeated else kind and kind.default

    def declare(self, owner: type[Message], name: str) -> None:
        self.name = name
        self.full_name = f"{owner.DESCRIPTOR.full_name}.{name}"
        if self.kind is None and self.message is None:
            self.message = owner
        self.message_type = self.message and self.message.DESCRIPTOR
        self.tag = _wire.number(
            self.number << 3 | (_wire.BYTES if self.is_packed else self.wire))

    # ---- Attributes

    def __get__(self, message: Message | None, owner: Any = None) -> Any:
        if message is None:
            return self
        values = message._values
        return self.kept(message._scan() if values is None else values)

    def __set__(self, message: Message, value: Any) -> None:
        if not self.is_plain:
            what = "map, or repeated" if self.is_repeated else "message"
            raise AttributeError(f"Assignment not allowed to {what} field "
                                 f'"{self.name}" in protocol message object.')
        if self.kind is ENUM and isinstance(value, str):
            labels = {label: number for number, label in self.names.items()}
            if value not in labels:
                raise ValueError(f'unknown enum label "{value}"')
            value = labels[value]
        kept = self.check(value)
        message._touch()[self] = kept

    def give(self, message: Message, value: Any) -> None:
        """Sets the value of a constructor argument."""
        if self.is_repeated:
            self.__get__(message).extend(map(self.made, value))
        elif self.kind is None:
            self.__get__(message).MergeFrom(self.made(value))
        else:
            self.__set__(message, value)

    def made(self, value: Any) -> Any:
        """A message if the value is a dict of its fields; else the value."""
        return (self.message(**value) if self.kind is None and
                isinstance(value, dict) else value)

    def check(self, value: Any) -> Any:
        """The value to store. Raises an exception if it is invalid."""
        if self.kind is not None:
            return self.kind.check(value, self.full_name)
        if not isinstance(value, self.message):
            raise TypeError(f"Expected a message object of {self.message}, but "
                            f"got {value!r}.")
        return self.message._over(value._slice())

    # ---- The values of a message

    def kept(self, values: Values) -> Any:
        """The stored value. A missing message or container is created; it
        counts as present only after a change."""
        found = values.get(self)
        if found is None:
            if self.is_plain:
                return self.default_value
            found = self.new(self) if self.is_repeated else self.message()
            values[self] = found
        return found

    def read(self, raw: Any) -> Any:
        """A value from a number or a slice."""
        return (self.kind.read(raw, self.full_name) if self.kind else
                self.message._over(raw))

    def take(self, values: Values, raw: Any) -> None:
        """Adds a decoded value. Numbers may be packed or separate."""
        if self.is_plain or (not self.is_repeated and self not in values):
            values[self] = self.read(raw)
        elif self.is_packed and type(raw) is tuple:
            each = _wire.unpacked(self.wire, raw, self.full_name)
            list.extend(self.kept(values), map(self.read, each))
        elif self.is_repeated:
            list.append(self.kept(values), self.read(raw))
        elif values[self]._values is None:  # concatenated bytes merge messages
            joined = _wire.cut(values[self]._place) + _wire.cut(raw)
            values[self] = self.read((joined, 0, len(joined)))
        else:
            values[self]._merge(raw)

    def is_set(self, value: Any) -> bool:
        if self.is_plain:
            return bool(value != self.default_value)
        return len(value) > 0 if self.is_repeated else value._is_present()

    def each(self, value: Any) -> Iterable[Any]:
        """The values that are written with a tag each: numbers, strings,
        messages, or the key and value of a map entry."""
        return value if self.is_repeated else (value,)


class MapField(Field):
    """A map: entries with the key as field 1 and the value as field 2."""

    def __init__(self, number: int, key: Field, value: Field) -> None:
        super().__init__(number, None, is_repeated=True)
        self.key = key
        self.value = value
        self.new = Map if value.kind else MessageMap

    def declare(self, owner: type[Message], name: str) -> None:
        entry = f"{name.title().replace('_', '')}Entry"
        self.message = type(entry, owner.__bases__, {
            "__qualname__": f"{owner.__qualname__}.{entry}", "__slots__": (),
            "_package": owner._package, "key": self.key, "value": self.value})
        self.entry = self.message.DESCRIPTOR.full_name
        super().declare(owner, name)

    def give(self, message: Message, value: Any) -> None:
        self.__get__(message).MergeFrom({key: self.value.made(value[key])
                                         for key in value})

    def take(self, values: Values, raw: Any) -> None:
        entry = self.message._over(raw)
        dict.__setitem__(self.kept(values), entry.key, entry.value)

    def each(self, value: Any) -> Iterable[Any]:
        return [[(self.key, key), (self.value, value[key])]
                for key in sorted(value)]


def field(number: int, of: Kind | type[Message] | None,
          key: Kind | None = None, *, many: bool = False,
          names: Mapping[int, str] | None = None) -> Any:
    """Declares a field: a value of a kind, a message, a list, or, with `key`, a
    map. `of` is None for messages of the declaring class."""
    if key is not None:
        return MapField(number, field(1, key), field(2, of))
    kind, message = (of, None) if isinstance(of, Kind) else (None, of)
    return Field(number, kind, message, is_repeated=many, names=names)
