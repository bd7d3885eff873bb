"""Pools of memory, worked out event by event: the level after each, and a table
of blocks by address."""

import collections
import re

import trace_judge

NAMES = {"MemoryAllocation": False, "MemoryDeallocation": True}

# An operation of TensorFlow as an event has it.
OP = re.compile(r"([A-Za-z0-9.][\w.\-/>]*):[A-Z_]\w*")
CALL = re.compile(r"PjitFunction(\(.*)", re.DOTALL)
UNKNOWN, NODE, FUNCTION, EVENT = range(4)

Event = collections.namedtuple("Event", "at is_free stats line_start holder")
Pool = collections.namedtuple(
    "Pool", "peak peak_at live holders early early_count unaccounted missing reserved "
            "capacity reported curve")


def number(value):
    return value if isinstance(value, int) else 0


def level(stats):
    return number(stats.get("bytes_reserved")) + number(
        stats.get("bytes_allocated"))


def allocator(stats):
    for key in ("allocator_name", "index_on_host", "device_ordinal"):
        if stats.get(key) not in (None, ""):
            return str(stats[key])
    return ""


def holder(event, around):
    """What it is, and its name; `around` are the names of events around it, the
    innermost last."""
    op = event.st.get("tf_op", "")
    if op not in ("", "(null)"):
        return NODE, op
    ops, calls = ([one for name in around if (one := pattern.fullmatch(name))]
                  for pattern in (OP, CALL))
    others = [name for name in around if not name.startswith("$")]
    if ops:
        return NODE, ops[-1][1]
    if calls:
        return FUNCTION, "jit" + calls[-1][1]
    return (EVENT, others[-1]) if others else (UNKNOWN, "")


def around(events, at):
    return [e.name for e in events if e.d > 0 and e.b <= at <= e.b + e.d]


def events(path):
    """allocator -> its events, in the order of the file. Times are those of the
    trace, not of a line."""
    space = trace_judge.module("xs").read(str(path))
    reference = trace_judge.module("xs_ref")
    found = collections.defaultdict(list)
    for plane in space.planes:
        if plane.name != "/host:CPU":
            continue
        for line in plane.lines:
            ordered = sorted(reference.events(plane, line),
                             key=lambda e: (e.b, -e.d))
            for event in ordered:
                if event.name in NAMES:
                    is_free = NAMES[event.name]
                    found[allocator(event.st)].append(Event(
                        event.b, is_free, event.st, line.ts,
                        None if is_free else holder(
                            event, around(ordered, event.b))))
    return found


def curve(ordered, points):
    first, last = ordered[0].at, ordered[-1].at
    width = (last - first) // points + 1
    found = [0] * ((last - first) // width + 1)
    for place, event in enumerate(ordered):
        end = (ordered[place + 1].at if place + 1 < len(ordered) else last)
        for k in range((event.at - first) // width, (end - first) // width + 1):
            found[k] = max(found[k], level(event.stats))
    return found


def pool(list_of_events):
    ordered = sorted(list_of_events, key=lambda e: e.at)
    peak = max(level(e.stats) for e in ordered)
    place = max(i for i, e in enumerate(ordered) if level(e.stats) == peak)
    blocks, seen, early = {}, set(), []
    for i, event in enumerate(ordered):
        address = event.stats["addr"]
        if event.is_free:
            if i <= place:
                blocks.pop(address, None)
            elif address not in seen:
                early.append(number(event.stats.get("allocation_bytes")))
        elif i <= place:
            blocks[address] = event
        seen.add(address)
    live = sorted((number(e.stats.get("allocation_bytes")),
                   number(e.stats.get("requested_bytes")))
                  for e in blocks.values())
    holders = collections.Counter()
    for event in blocks.values():
        holders[event.holder] += number(event.stats.get("allocation_bytes"))
    reserved = number(ordered[place].stats.get("bytes_reserved"))
    rest = peak - reserved - sum(early) - sum(b for b, _ in live)
    return Pool(
        peak, ordered[place].at, live, holders, sum(early), len(early), max(rest, 0),
        max(-rest, 0), reserved,
        max(level(e.stats) + e.stats["bytes_available"] for e in ordered),
        max(e.stats["peak_bytes_in_use"] for e in ordered), curve(ordered, 64))
