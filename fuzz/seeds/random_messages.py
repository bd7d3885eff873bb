"""Messages made up by chance, for tests/verdicts.py.

Bytes changed at random nearly always break a length, and fuzzing keeps what
is new to our code, not to others'. These are built from the field tables, so
that most are well formed all the way down, and each has something odd.
"""

import random

from . import schema
from .encode import tag, text, varint
from .text_seeds import BOOLS, FLOATS, INTEGERS, STRINGS, UNKNOWN
from .wire_seeds import FRAGMENTS

NUMBERS = [0, 1, 2, 127, 128, 300, -1, 2**31, 2**32, 2**63 - 1, -2**63]
NAMES = [b"", b"a", b"x:1", b"^c", "\u00e9".encode(), b"_output_shapes"]
PIECES = [" ", "\n", "#", '"', "'", "\\", "{", "}", "[", "]", ":", ",", ";",
          "<", ">", ".", "-", "+", "_", "0", "1", "9", "x", "e", "f", "/", "%",
          "0x", "inf", "nan", "1e5", "[a.b.c/d]", "\u2028", "\u00a0"]
LITERALS = [value for table in (STRINGS, INTEGERS, FLOATS, BOOLS, UNKNOWN)
            for value in table.values()
            if isinstance(value, str) and len(value) < 100]
ODD_BYTES = [bytes.fromhex(digits) for digits in FRAGMENTS.values()
             if len(digits) < 60]


class Chance:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.choice = self.random.choice

    def once_in(self, count):
        return self.random.randrange(count) == 0

    # ---- Wire ----

    def number(self, wire_type):
        if wire_type == 0:
            return varint(self.choice(NUMBERS), self.choice((0, 0, 0, 3, 10)))
        return self.random.randbytes(8 if wire_type == 1 else 4)

    def unknown(self, levels=3):
        number = self.choice((1, 2, 5, 15, 16, 201, 2**29 - 1))
        if self.once_in(30):
            number = 0
        wire_type = self.choice((0, 1, 2, 3, 5))
        head = tag(number, wire_type, self.choice((0, 0, 0, 2, 5)))
        if wire_type == 2:
            return head + b"\x03" + self.random.randbytes(3)
        if wire_type != 3:
            return head + self.number(wire_type)
        inner = b"".join(self.unknown(levels - 1)
                         for _ in range(self.random.randrange(levels + 1)))
        return head + inner + tag(number + self.once_in(30), 4)

    def wire_field(self, f, levels):
        if f.type == "MESSAGE":
            data = self.wire(f.of, levels - 1)
        elif f.wire == 2:
            data = self.choice(NAMES)
        elif f.label == "MANY" and self.once_in(2) or self.once_in(40):
            data = b"".join(self.number(f.wire)
                            for _ in range(self.random.randrange(4)))
            data = data[self.once_in(20):]
        else:
            return tag(f.number, f.wire) + self.number(f.wire)
        size = varint(max(0, len(data) - self.once_in(200)),
                      self.choice((0, 0, 0, 0, 2, 5)))
        return tag(f.number, 2) + size + data

    def wire(self, message, levels):
        fields = schema.MESSAGES[message]
        out = b""
        for _ in range(self.choice((0, 1, 1, 2, 3, 5)) if levels else 0):
            if not fields or self.once_in(12):
                out += self.unknown()
            elif self.once_in(100):
                out += self.choice(ODD_BYTES)
            else:
                out += self.wire_field(self.choice(fields), levels)
        return out

    # ---- Text ----

    def pairs(self, message, levels):
        """What stands once mostly comes once, and one of a oneof."""
        out, used = [], set()
        for _ in range(self.choice((1, 1, 2, 3, 4)) if levels else 0):
            fields = [f for f in schema.MESSAGES[message]
                      if f.label == "MANY" or self.once_in(20) or
                      (f.label if f.label == "ONEOF" else f.name) not in used]
            if fields:
                f = self.choice(fields)
                used |= {f.name, f.label}
                out.append((f.name, self.pairs(f.of, levels - 1)
                            if f.type == "MESSAGE" else
                            self.choice(schema.SAMPLES[f.type])))
        return out

    def text(self, message, levels):
        shown = text(message, self.pairs(message, levels),
                     style=self.random.randrange(4))
        for _ in range(self.choice((0, 0, 1, 1, 2))):
            at = self.random.randrange(len(shown) + 1)
            if self.once_in(2):  # where a value or a name begins
                at = max(shown.rfind(" ", 0, at), 0)
            after = at + self.choice((0, 0, 1, 2, 5))
            piece = self.choice(self.choice((PIECES, LITERALS)))
            shown = shown[:at] + piece + shown[after:]
        return shown.encode()


def messages(form, kind, count):
    """`count` messages of a kind, always the same."""
    chance = Chance(f"{form}_{kind}")
    make = chance.wire if form == "wire" else chance.text
    for _ in range(count):
        yield make(schema.ROOTS[kind], chance.choice((2, 3, 5, 9)))[:4096]
