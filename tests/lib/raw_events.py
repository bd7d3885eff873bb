"""The events of a trace, decoded here: nothing of tfprof is asked."""

import collections

from wirebytes import fields

Event = collections.namedtuple("Event", "line name begin length stats")


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def _one(data, number, default=b""):
    """The last field of this number."""
    found = default
    for tag, _, value in fields(data):
        if tag == number:
            found = value
    return found


def _names(plane, tag):
    """id -> name, of one of the two maps."""
    found = {}
    for number, _, entry in fields(plane):
        if number == tag:
            found[_one(entry, 1, 0)] = _one(_one(entry, 2), 2).decode()
    return found


def _stats(event, names):
    found = {}
    for number, _, stat in fields(event):
        if number != 4:
            continue
        parts = {tag: value for tag, _, value in fields(stat)}
        value = parts.get(3, parts.get(4))
        if value is not None:
            found[names.get(parts[1])] = signed(value)
        elif 5 in parts:
            found[names.get(parts[1])] = parts[5].decode()
        elif 7 in parts:
            found[names.get(parts[1])] = names.get(parts[7])
    return found


def planes(path):
    """name -> bytes"""
    return {_one(plane, 2).decode(): plane
            for number, _, plane in fields(path.read_bytes()) if number == 1}


def events(plane):
    """All events that have a place in time, in picoseconds, by begin."""
    names, stats, found = _names(plane, 4), _names(plane, 5), []
    for number, _, line in fields(plane):
        if number != 3:
            continue
        thread, start = _one(line, 2).decode(), _one(line, 3, 0) * 1000
        for tag, _, event in fields(line):
            if tag == 4 and not any(f[0] == 5 for f in fields(event)):
                found.append(Event(
                    thread, names[_one(event, 1, 0)],
                    start + signed(_one(event, 2, 0)), _one(event, 3, 0),
                    _stats(event, stats)))
    return sorted(found, key=lambda event: event.begin)


# ---- Programs ------------------------------------------------------------


def _dims(shape):
    found = []
    for number, kind, value in fields(shape):
        if number == 3 and kind == 0:
            found.append(value)
        elif number == 3:
            found += _packed(value)
    return found


def _packed(data):
    from wirebytes import varint_at
    at, found = 0, []
    while at < len(data):
        value, at = varint_at(data, at)
        found.append(value)
    return found


def _many(message, tag):
    found = []
    for number, kind, value in fields(message):
        if number == tag:
            found += [value] if kind == 0 else _packed(value)
    return found


def _product(values):
    product = 1
    for value in values:
        product *= value
    return product


def dot_float_ops(path, module):
    """Multiplications and additions of all matrix products of a program that
    runs each of its instructions once."""
    metadata = planes(path)["/host:metadata"]
    total = 0
    for number, _, entry in fields(metadata):
        kind = _one(entry, 2) if number == 4 else b""
        if not _one(kind, 2).decode().startswith(module + "("):
            continue
        for tag, _, stat in fields(kind):
            hlo = _one(stat, 6) if tag == 5 else b""
            for at, _, computation in fields(_one(hlo, 1)):
                total += _dots_of(computation) if at == 3 else 0
    return total


def _dots_of(computation):
    instructions = [value for tag, _, value in fields(computation) if tag == 2]
    dims = {_one(one, 35, 0): _dims(_one(one, 3)) for one in instructions}
    total = 0
    for one in instructions:
        if _one(one, 2) != b"dot":
            continue
        left = dims[_many(one, 36)[0]]
        contracted = _many(_one(one, 30), 1)
        total += 2 * _product(dims[_one(one, 35, 0)]) * _product(
            left[dim] for dim in contracted)
    return total
