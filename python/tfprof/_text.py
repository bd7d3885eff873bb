"""Messages in protobuf's text format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfprof._fields import MapField

if TYPE_CHECKING:
    from tfprof._fields import Field
    from tfprof._message import Message

# Deeper than protobuf itself reads, lines go no further to the right: else a
# message that nests 100,000 times would be gigabytes of blanks.
_DEEPEST = 100


def text(top: Message) -> str:
    out: list[str] = []
    # A line, or something in braces still to be written, and its depth; the
    # next one last.
    work: list[tuple[Any, int]] = _lines(top, 0)
    while work:
        line, depth = work.pop()
        indent = "  " * min(depth, _DEEPEST)
        if isinstance(line, str):
            out.append(f"{indent}{line}\n")
            continue
        name, inner = line
        out.append(f"{indent}{name} {{\n")
        work.append(("}", depth))
        work.extend(inner if isinstance(inner, list)
                    else _lines(inner, depth + 1))
    return "".join(out)


def _lines(message: Message, depth: int) -> list[tuple[Any, int]]:
    found: list[tuple[Any, int]] = []
    for field, value in message.ListFields():
        for one in _each(field, value, depth):
            found.append((one, depth))
    found.reverse()
    return found


def _each(field: Field, value: Any, depth: int) -> list[Any]:
    if isinstance(field, MapField):
        return [(field.name, [(_line(field.value, value[key]), depth + 1),
                              (_line(field.key, key), depth + 1)])
                for key in sorted(value)]
    return [_line(field, one)
            for one in (value if field.is_repeated else (value,))]


def _line(field: Field, value: Any) -> Any:
    if field.kind is None:
        return field.name, value
    return f"{field.name}: {field.kind.text(value, field.names)}"
