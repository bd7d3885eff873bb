"""A trace with other lengths of its steps: runs that differ as real ones do.

All that a step contains is stretched with it, and later steps move. Needs no
protobuf: only the times of events are written anew.
"""

import bisect
import random

from wirebytes import field, fields, integer, varint

LINE, EVENT, NAMES = 3, 4, 4  # of a plane, of a line, of a plane


class Event:
    def __init__(self, data, start):
        self.before, self.after = b"", b""
        offset = self.length = self.name = 0
        for number, kind, value in fields(data):
            if number == 2:
                offset = value
            elif number == 3:
                self.length = value
            elif number == 1:
                self.name = value
                self.before += integer(1, value)
            else:
                self.after += (integer(number, value) if kind == 0 else
                               field(number, value))
        self.begin = start + offset

    def bytes(self, start, begin, length):
        return field(EVENT, self.before + integer(2, begin - start)
                     + integer(3, length) + self.after)


def raw(number, kind, value):
    if kind == 0:
        return integer(number, value)
    if kind == 2:
        return field(number, value)
    return varint(number << 3 | kind) + value


class Line:
    def __init__(self, data):
        parts = list(fields(data))
        self.start = 1000 * sum(value for number, _, value in parts
                                if number == 3)
        self.rest = b"".join(raw(*part) for part in parts if part[0] != EVENT)
        self.events = [Event(value, self.start) for number, _, value in parts
                       if number == EVENT]


class Trace:
    """The steps are the events called `marker`."""

    def __init__(self, data, marker=b"train"):
        self.planes, self.rest, starts = [], b"", set()
        for part in fields(data):
            if part[0] != 1:
                self.rest += raw(*part)
                continue
            parts = list(fields(part[2]))
            names = {}
            for number, _, value in parts:
                if number == NAMES:
                    entry = dict((n, v) for n, _, v in fields(value))
                    names[entry.get(1, 0)] = dict(
                        (n, v) for n, _, v in fields(entry[2])).get(2, b"")
            lines = [Line(value) for number, _, value in parts
                     if number == LINE]
            self.planes.append((lines, b"".join(
                raw(*one) for one in parts if one[0] != LINE)))
            for line in lines:
                for event in line.events:
                    event.marks = names.get(event.name, b"").startswith(marker)
                    if event.marks:
                        starts.add(event.begin)
        self.starts = sorted(starts)

    def scaled(self, factors, stall=0):
        """The bytes with each step as many times as long, and so many
        picoseconds of waiting at its end."""
        moved = self.starts[:1]
        for index, factor in enumerate(factors[:-1]):
            length = self.starts[index + 1] - self.starts[index]
            moved.append(moved[-1] + int(length * factor) + stall)
        out = []
        for lines, rest in self.planes:
            made = [field(LINE, line.rest + b"".join(
                self._event(line, event, factors, moved, stall)
                for event in line.events)) for line in lines]
            out.append(field(1, b"".join(made) + rest))
        return b"".join(out) + self.rest

    def _event(self, line, event, factors, moved, stall):
        step = bisect.bisect(self.starts, event.begin) - 1
        if step < 0:
            return event.bytes(line.start, event.begin, event.length)
        begin = moved[step] + int((event.begin - self.starts[step])
                                  * factors[step])
        return event.bytes(line.start, begin,
                           int(event.length * factors[step])
                           + stall * event.marks)


def drawn(seed, steps, runs=8, spread=0.02):
    """For each run the factors of its steps, each with its own noise and with
    that of the run."""
    noise = random.Random(seed)
    return [[of_run * noise.gauss(1, spread) for _ in range(steps)]
            for of_run in (noise.gauss(1, spread) for _ in range(runs))]


def write_runs(folder, trace, seed, stall=0):
    for number, factors in enumerate(drawn(seed, len(trace.starts))):
        path = folder / f"w{number}" / "plugins" / "profile" / "r"
        path.mkdir(parents=True, exist_ok=True)
        (path / "vm.xplane.pb").write_bytes(trace.scaled(factors, stall))
    return folder
