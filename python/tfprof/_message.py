"""Messages in protobuf's format without protobuf.

A message decodes its bytes when a field is first accessed; nested messages are
decoded later. A message has no reference to its parent: the parent checks for
changes when it is serialized. No function recurses along the data, because the
op view's message nests once per row and may be of any length.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from tfprof import _wire
from tfprof._fields import Container, Field, Values

M = TypeVar("M", bound="Message")

# protobuf does not read deeper messages. The indentation of text stops here:
# 100,000 levels would otherwise produce gigabytes of spaces.
_DEEPEST = 100


class Descriptor:
    """The name and the fields of a message class."""

    def __init__(self, full_name: str, fields: dict[str, Field]) -> None:
        self.name = full_name.rpartition(".")[2]
        self.full_name = full_name
        self.fields = list(fields.values())
        self.fields_by_name = fields
        self.fields_by_number = {one.number: one for one in self.fields}


class Message:
    """The base class of messages. Public names are those of protobuf."""

    __slots__ = ("_changed", "_place", "_touched", "_unknown", "_values")
    __hash__ = None  # type: ignore[assignment]

    DESCRIPTOR: Descriptor
    _package = "tensorflow.tfprof"
    _by_tag: dict[int, Field]
    _by_number: list[Field]

    _place: _wire.Slice | None  # the bytes that it was read from
    _values: Values | None  # None: not yet decoded
    _unknown: bytes  # fields that the class does not have
    _changed: bool  # itself, so _place is out of date
    _touched: bool  # so it is present in its parent, which has changed

    def __init_subclass__(cls) -> None:
        fields = {name: value for name, value in vars(cls).items()
                  if isinstance(value, Field)}
        cls.DESCRIPTOR = Descriptor(f"{cls._package}.{cls.__qualname__}",
                                    fields)
        for name, field in fields.items():
            field.declare(cls, name)
        cls._by_number = sorted(fields.values(), key=lambda one: one.number)
        cls._by_tag = {field.number << 3 | wire: field
                       for field in cls._by_number for wire in
                       {field.wire, *([_wire.BYTES] * field.is_packed)}}

    def __init__(self, **fields: Any) -> None:
        self._place = None
        self._values = {}
        self._unknown = b""
        self._changed = self._touched = False
        for name, value in fields.items():
            if value is not None:
                self._field(name).give(self, value)

    @classmethod
    def _over(cls: type[M], place: _wire.Slice) -> M:
        """A message that decodes these bytes when needed."""
        made = cls()
        made._place = place
        made._values = None
        return made

    @classmethod
    def _field(cls, name: str) -> Field:
        try:
            return cls.DESCRIPTOR.fields_by_name[name]
        except KeyError:
            raise ValueError(f"Protocol message {cls.__name__} has no "
                             f'"{ascii(name)[1:-1]}" field.') from None

    # ---- Reading

    def _read(self, values: Values, place: _wire.Slice) -> bytes:
        """Adds the fields of a message to `values`. Returns the bytes of
        unknown fields."""
        unknown = []
        name = type(self).__name__
        for tag, value, start, end in _wire.fields(*place, name):
            field = self._by_tag.get(tag)
            if field is None:
                unknown.append(place[0][start:end])
            else:
                field.take(values, value)
        return b"".join(unknown)

    def _scan(self) -> Values:
        if self._values is None:
            values: Values = {}
            self._unknown = self._read(values, self._place or _wire.NOTHING)
            self._values = values
        return self._values

    def _touch(self) -> Values:
        values = self._scan()
        self._changed = self._touched = True
        return values

    def _merge(self, place: _wire.Slice) -> None:
        """Invalid bytes leave this message unchanged."""
        scratch: Values = {}
        unknown = self._read(scratch, place)
        if self._values == {} and not self._unknown:
            self._place, self._values = place, scratch
            self._changed, self._touched = False, True
        else:
            self._read(self._touch(), place)
        self._unknown += unknown

    @classmethod
    def FromString(cls: type[M], data: Any) -> M:
        """Returns a message of these bytes. Invalid bytes raise CorruptInput,
        either here or, in nested messages, on first access."""
        made = cls()
        made.MergeFromString(data)
        return made

    def ParseFromString(self, data: Any) -> int:
        self.CopyFrom(self.FromString(data))
        return len(data)

    def MergeFromString(self, data: Any) -> int:
        if isinstance(data, str):
            raise TypeError("expected bytes, str found")
        kept = data if isinstance(data, bytes) else memoryview(data).tobytes()
        self._merge((kept, 0, len(kept)))
        return len(kept)

    def MergeFrom(self: M, other: M, method: str = "MergeFrom") -> None:
        if type(other) is not type(self):
            raise TypeError(
                f"Parameter to {method}() must be instance of same class: "
                f"expected {type(self)} got {type(other)}.")
        if other is not self:
            if method == "CopyFrom":
                self.Clear()
            self._merge(other._slice())
            self._touched = True

    def CopyFrom(self: M, other: M) -> None:
        self.MergeFrom(other, "CopyFrom")

    # ---- Fields

    def Clear(self) -> None:
        Message.__init__(self)
        self._touch()

    def ClearField(self, name: str) -> None:
        field = self._field(name)
        self._touch().pop(field, None)

    def HasField(self, name: str) -> bool:
        field = self._field(name)
        if not field.has_presence:
            raise ValueError(f"Field {field.full_name} does not have presence.")
        return field in dict(self.ListFields())

    def ListFields(self) -> list[tuple[Field, Any]]:
        """Fields with a value, by number."""
        values = self._scan()
        return [(field, values[field]) for field in self._by_number
                if field in values and field.is_set(values[field])]

    def WhichOneof(self, name: str) -> None:
        raise ValueError(f"Protocol message {type(self).__name__} has no "
                         f'"{ascii(name)[1:-1]}" field.')

    def SetInParent(self) -> None:
        self._touched = True

    def IsInitialized(self) -> bool:
        """Always True: no field is required."""
        return True

    def _is_present(self) -> bool:
        """Recurses along singular fields; the classes limit their depth."""
        return (self._touched or self._place is not None or
                any(getattr(value, "_touched", False) or field.is_set(value)
                    for field, value in self._scan().items()))

    # ---- Writing

    def SerializeToString(self, *, deterministic: bool = False) -> bytes:
        """Returns the bytes. Unchanged parts keep their original bytes. Maps
        are always sorted by key."""
        return _wire.cut(self._slice())

    SerializePartialToString = SerializeToString

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    def to_protobuf(self) -> Any:
        """Returns the message of TensorFlow, which must be installed."""
        from tfprof._graphs import protobuf_class
        theirs = protobuf_class(type(self).__qualname__)
        return theirs.FromString(self.SerializeToString())

    def _slice(self) -> _wire.Slice:
        changed = _changed_within(self)
        if id(self) not in changed:
            return self._place or _wire.NOTHING
        data = _write(self, changed)
        return data, 0, len(data)

    def _held(self) -> Iterable[Message]:
        return (self,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return (self is other or
                self.SerializeToString() == other.SerializeToString() or
                _write(self, None) == _write(other, None))

    def __str__(self) -> str:
        """In protobuf's text format."""
        out: list[str] = []
        # A stack of lines, or names with a nested message, and their depth.
        work = _lines(self, 0)
        while work:
            line, depth = work.pop()
            indent = "  " * min(depth, _DEEPEST)
            if isinstance(line, str):
                out.append(f"{indent}{line}\n")
            else:
                out.append(f"{indent}{line[0]} {{\n")
                work.append(("}", depth))
                work += _lines(line[1], depth + 1)
        return "".join(out)

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).FromString, (self.SerializeToString(),)


def _lines(inner: Any, depth: int) -> list[tuple[Any, int]]:
    found = [(field.name, one) if field.kind is None else
             f"{field.name}: {field.names.get(one) or field.kind.text(one)}"
             for field, value in _fields_of(inner)
             for one in field.each(value)]
    return [(line, depth) for line in reversed(found)]


def _fields_of(inner: Any) -> list[tuple[Field, Any]]:
    """The fields of a message, or of a map entry, which is a list."""
    return inner.ListFields() if isinstance(inner, Message) else inner


def _changed_within(top: Message) -> set[int]:
    """The ids of messages with out-of-date bytes, among a message and all
    messages in it."""
    found: list[tuple[Message, int]] = [(top, 0)]
    changed = set()
    for at, (message, _) in enumerate(found):  # grows in the loop
        if message._changed:
            changed.add(id(message))
        for value in (message._values or {}).values():
            if isinstance(value, (Message, Container)):
                found += [(one, at) for one in value._held()]
                if value._touched:
                    changed.add(id(message))
    for message, outer in found[:0:-1]:  # the innermost first
        if id(message) in changed or message._touched:
            changed.add(id(found[outer][0]))
    return changed


def _write(top: Message, changed: set[int] | None) -> bytes:
    """Writes from the last byte to the first, so that each length is known
    when it is written. If `changed` is None, every message is written again,
    so that equal messages have equal bytes."""
    out: list[bytes] = []
    size = 0
    work = _parts(top, changed)
    while work:
        part = work.pop()
        if type(part) is tuple:
            tag, inner = part
            if type(inner) is not int:
                work.append((tag, size))
                work += _parts(inner, changed)
                continue
            part = tag + _wire.number(size - inner)
        out.append(part)
        size += len(part)
    return b"".join(reversed(out))


def _parts(inner: Any, changed: set[int] | None) -> list[Any]:
    """The parts of a message or a map entry: bytes, and tags with the nested
    message that follows."""
    is_message = isinstance(inner, Message)
    if is_message and changed is not None and id(inner) not in changed:
        return [_wire.cut(inner._place or _wire.NOTHING)]
    parts: list[Any] = []
    for field, value in _fields_of(inner):
        tag, kind = field.tag, field.kind
        if kind is None:
            parts += [(tag, one) for one in field.each(value)]
        elif field.is_packed:
            packed = b"".join(map(kind.write, value))
            parts.append(tag + _wire.lengthened(packed))
        else:
            parts += [tag + kind.write(one) for one in field.each(value)]
    if is_message:
        parts.append(_wire.by_number(inner._unknown) if changed is None else
                     inner._unknown)
    return parts
