"""What a repeated field or a map gives: lists and dicts that check what is put
into them, and that turn a slice of bytes into a message when it is asked for.

A container is `touched` once anybody has changed it, so that what it was read
from is no longer what it holds.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
)
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from tfprof._wire import Slice

if TYPE_CHECKING:
    from tfprof._kinds import Kind
    from tfprof._message import Message

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Repeated(MutableSequence[T]):
    """A repeated field of numbers or strings."""

    __slots__ = ("_check", "_items", "_name", "_touched")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: Kind, name: str) -> None:
        self._check = kind.check
        self._name = name
        self._items: list[Any] = []
        self._touched = False

    def _given(self, value: Any) -> Any:
        return self._check(value, self._name)

    def _shown(self, at: int) -> T:
        return cast(T, self._items[at])

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        at = 0
        while at < len(self._items):
            yield self._shown(at)
            at += 1

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._shown(i) for i in range(len(self._items))[at]]
        return self._shown(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, slice):
            self._items[at] = [self._given(one) for one in value]
        else:
            self._items[at] = self._given(value)
        self._touched = True

    def __delitem__(self, at: Any) -> None:
        del self._items[at]
        self._touched = True

    def insert(self, at: int, value: T) -> None:
        self._items.insert(at, self._given(value))
        self._touched = True

    def append(self, value: T) -> None:
        self._items.append(self._given(value))
        self._touched = True

    def extend(self, values: Iterable[T]) -> None:
        self._items.extend([self._given(value) for value in values])
        self._touched = True

    def clear(self) -> None:
        del self[:]

    def MergeFrom(self, other: Iterable[T]) -> None:
        self.extend(other)

    def sort(self, *, key: Callable[[T], Any] | None = None,
             reverse: bool = False) -> None:
        shown: list[Any] = list(self)
        shown.sort(key=key, reverse=reverse)
        self._items[:] = shown
        self._touched = True

    def reverse(self) -> None:
        self._items.reverse()
        self._touched = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Repeated, list)):
            return NotImplemented
        return list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a field is not pickled without its message")

    def __deepcopy__(self, memo: Any) -> list[T]:
        return [_copied(value) for value in self]


class RepeatedMessages(Repeated[T]):
    """A repeated field of messages. They are put into it as copies."""

    __slots__ = ("_type",)

    def __init__(self, type: type[Message], name: str) -> None:
        self._type = type
        self._name = name
        self._items = []
        self._touched = False

    def _given(self, value: Any) -> Slice:
        if not isinstance(value, self._type):
            raise TypeError(f"Expected a message object of {self._type}, but "
                            f"got {value!r}.")
        return value._slice()

    def _shown(self, at: int) -> T:
        found = self._items[at]
        if type(found) is tuple:
            found = self._items[at] = self._type._over(*found)
        return cast(T, found)

    def __setitem__(self, at: Any, value: Any) -> NoReturn:
        raise TypeError("does not support assignment")

    def add(self, **fields: Any) -> T:
        """A new message at the end."""
        self._items.append(self._type(**fields))
        self._touched = True
        return cast(T, self._items[-1])

    def _held(self) -> list[Message]:
        """Those that somebody has asked for."""
        return [item for item in self._items if type(item) is not tuple]


def _copied(value: Any) -> Any:
    copy = getattr(value, "__deepcopy__", None)
    return copy({}) if copy else value


class Map(MutableMapping[K, V]):
    """A map to numbers or strings. What is looked up is there from then on,
    as it is with protobuf."""

    __slots__ = ("_items", "_key", "_name", "_touched", "_value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, key: Kind, value: Kind | None, name: str) -> None:
        self._key = key
        self._value = value
        self._name = name
        self._items: dict[Any, Any] = {}
        self._touched = False

    def _checked(self, key: Any) -> Any:
        return self._key.check(key, self._name)

    def _shown(self, key: Any) -> V:
        return cast(V, self._items[key])

    def _new(self) -> Any:
        assert self._value is not None
        return self._value.default

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __contains__(self, key: object) -> bool:
        return self._checked(key) in self._items

    def __getitem__(self, key: K) -> V:
        key = self._checked(key)
        if key not in self._items:
            self._items[key] = self._new()
            self._touched = True
        return self._shown(key)

    def get(self, key: K, default: Any = None) -> Any:
        key = self._checked(key)
        return self._shown(key) if key in self._items else default

    def __setitem__(self, key: K, value: V) -> None:
        assert self._value is not None
        self._items[self._checked(key)] = self._value.check(value,
                                                                  self._name)
        self._touched = True

    def __delitem__(self, key: K) -> None:
        del self._items[self._checked(key)]
        self._touched = True

    def setdefault(self, key: K, default: Any = None) -> V:
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: K, *default: Any) -> Any:
        if key not in self and default:
            return default[0]
        found = self[key]
        del self[key]
        return found

    def clear(self) -> None:
        self._items.clear()
        self._touched = True

    def MergeFrom(self, other: Mapping[K, V]) -> None:
        self.update(other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Map, dict)):
            return NotImplemented
        return dict(self) == dict(other)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a field is not pickled without its message")

    def __deepcopy__(self, memo: Any) -> dict[K, V]:
        return {key: _copied(value) for key, value in self.items()}


class MessageMap(Map[K, V]):
    """A map to messages."""

    __slots__ = ("_type",)

    def __init__(self, key: Kind, type: type[Message], name: str) -> None:
        super().__init__(key, None, name)
        self._type = type

    def _shown(self, key: Any) -> V:
        found = self._items[key]
        if type(found) is tuple:
            found = self._items[key] = self._type._over(*found)
        return cast(V, found)

    def _new(self) -> Any:
        return self._type()

    def __setitem__(self, key: K, value: V) -> NoReturn:
        raise ValueError("Message objects may not be assigned")

    def setdefault(self, key: K, default: Any = None) -> NoReturn:
        raise NotImplementedError(
            "Set message map value directly is not supported.")

    def get_or_create(self, key: K) -> V:
        return self[key]

    def MergeFrom(self, other: Mapping[K, V]) -> None:
        for key, value in other.items():
            cast("Message", self[key]).CopyFrom(cast("Message", value))

    def _held(self) -> list[Message]:
        """Those that somebody has asked for."""
        return [item for item in self._items.values()
                if type(item) is not tuple]
