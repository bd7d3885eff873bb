"""Traces made field by field, for tests that need one of their own."""

import struct

from wirebytes import field, integer, varint

END = field(1, field(2, b"Task Environment"))

# A stat that ends inside of a number: seen only when stats are read.
BROKEN = field(4, integer(1, 1) + integer(2, 700) + integer(3, 10)
               + field(4, b"\x08"))


class Plane:
    """Names get their ids when they are first used."""

    def __init__(self, name):
        self.name = name.encode()
        self.events, self.stats, self.lines = {}, {}, []
        self.own = b""  # its stats

    def stat(self, name, value, ref=False):
        """An XStat: a number, text, or text by reference."""
        head = integer(1, self.stat_id(name))
        if isinstance(value, float):
            return head + varint(2 << 3 | 1) + struct.pack("<d", value)
        if isinstance(value, int):
            return head + integer(4, value)
        if isinstance(value, bytes):
            return head + field(6, value)
        return head + (integer(7, self.stat_id(value)) if ref
                       else field(5, value.encode()))

    def stat_id(self, name):
        return self.stats.setdefault(name, len(self.stats) + 1)

    def event_id(self, name, display=None, stats=()):
        key = name, display, tuple(stats)
        return self.events.setdefault(key, len(self.events) + 1)

    def event(self, name, begin, length, *, refs=False, count=None, **stats):
        """An XEvent; `count` makes it an aggregated one."""
        if isinstance(name, str):
            name = self.event_id(name)
        place = integer(2, begin) if count is None else integer(5, count)
        return field(4, integer(1, name) + place + integer(3, length)
                     + b"".join(field(4, self.stat(key, value, refs))
                                for key, value in stats.items()))

    def line(self, number, name, *events, start=0):
        self.lines.append(field(3, integer(1, number)
                                + field(2, name.encode())
                                + integer(3, start) + b"".join(events)))
        return self

    def bytes(self):
        types = b"".join(
            field(4, integer(1, number) + field(2, integer(1, number)
                  + field(2, name.encode())
                  + (field(4, display.encode()) if display else b"")
                  + b"".join(field(5, stat) for stat in stats)))
            for (name, display, stats), number in self.events.items())
        names = b"".join(
            field(5, integer(1, number)
                  + field(2, integer(1, number) + field(2, name.encode())))
            for name, number in self.stats.items())
        return field(1, field(2, self.name) + b"".join(self.lines) + types
                     + names + self.own)


def space(*planes):
    return b"".join(plane.bytes() for plane in planes) + END
