"""Messages written on the wire and as text."""

import struct

from . import schema


# ---- Wire -------------------------------------------------------------------


def varint(value, size=0):
    """Of at least `size` bytes: longer than needed is allowed, up to 10."""
    value &= 2**64 - 1
    out = bytearray()
    while value > 127 or len(out) + 1 < size:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number, wire, size=0):
    return varint(number << 3 | wire, size)


def delimited(number, data):
    return tag(number, 2) + varint(len(data)) + data


def scalar(f, value):
    """A value of a field that is no message, without its tag."""
    if f.type == "DOUBLE":
        return struct.pack("<d", value)
    if f.type == "FLOAT":
        return struct.pack("<f", value)
    if f.type in schema.FIXED64:
        return struct.pack("<Q", value)
    if f.type in schema.FIXED32:
        return struct.pack("<I", value)
    if f.type in schema.BYTES:
        data = value.encode() if isinstance(value, str) else value
        return varint(len(data)) + data
    if f.type == "SINT64":
        value = value << 1 ^ value >> 63
    return varint(value)


def wire(message, pairs):
    out = b""
    for name, value in pairs:
        f = schema.field(message, name)
        if f.type == "MESSAGE":
            out += delimited(f.number, wire(f.of, value))
        else:
            out += tag(f.number, f.wire) + scalar(f, value)
    return out


def packed(f, values):
    return delimited(f.number, b"".join(scalar(f, v) for v in values))


def wrap_wire(path, data):
    """Bytes of the message at the end of `path`, as bytes of its root."""
    for _, f in reversed(path):
        data = delimited(f.number, data)
    return data


# ---- Text -------------------------------------------------------------------


def quoted(value, quote='"'):
    data = value.encode() if isinstance(value, str) else value
    out = ""
    for byte in data:
        char = chr(byte)
        if char in '"\'\\':
            out += "\\" + char
        elif 32 <= byte < 127:
            out += char
        else:
            out += f"\\{byte:03o}"
    return quote + out + quote


def word(f, value):
    """A value of a field that is no message."""
    if f.type in ("STRING", "BYTES"):
        return quoted(value)
    if f.type == "BOOL":
        return "true" if value else "false"
    if f.type == "ENUM":
        names = schema.ENUMS[f.of]
        return names[value] if value < len(names) else str(value)
    return repr(value)


def text(message, pairs, style=0, level=0):
    """Four styles: as printed, with brackets, on one line, with lists."""
    out = []
    indent, end = ("", " ") if style == 2 else ("  " * level, "\n")
    for name, value in pairs:
        f = schema.field(message, name)
        if f.type == "MESSAGE":
            opening, closing = "<>" if style == 1 else "{}"
            inner = text(f.of, value, style, level + 1)
            colon = ":" if style == 1 else ""
            shown = f"{colon} {opening}{end}{inner}{indent}{closing}"
        else:
            shown = ": " + word(f, value)
        if style == 3 and f.label == "MANY":
            shown = ": [" + shown.lstrip(": ") + "]"
        separator = [";", ",", "", ""][style] if f.number % 2 else ""
        out.append(f"{indent}{name}{shown}{separator}{end}")
    return "".join(out)


def wrap_text(path, inner):
    """Text of the message at the end of `path`, as text of its root."""
    names = [f.name for _, f in path]
    return ("".join(name + " { " for name in names) + inner +
            " }" * len(names) + "\n")
