"""Bytes on the wire, field by field. Needs nothing, so that the seeds of the
fuzz corpora can be made of it too."""

_SHORT = [bytes([value]) for value in range(0x80)]


def varint(value):
    if 0 <= value < 0x80:
        return _SHORT[value]
    out = bytearray()
    value &= (1 << 64) - 1
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def integer(number, value):
    return varint(number << 3) + varint(value)


# ---- Reading ---------------------------------------------------------------

def varint_at(data, at):
    """A number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, wire type, value) of each field of a message, in their order.
    Python's protobuf gives up where messages are nested deeper than 100, as
    those of views are."""
    at = 0
    while at < len(data):
        tag, at = varint_at(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint_at(data, at)
            yield tag >> 3, kind, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if size is None:
            size, at = varint_at(data, at)
        assert at + size <= len(data), "a field runs past its message"
        yield tag >> 3, kind, data[at:at + size]
        at += size
