"""Random threads of a host, with events that nest, overlap or are empty: the
self times of operations in each step against a slow reference."""

import collections
import random

import attack
from trace_build import Plane, space

TYPES = 6


def nested(choose, begin, end, depth=0):
    """(begin, length, type) of events inside of [begin, end)."""
    count = choose.randrange(4)
    cuts = sorted(choose.randrange(begin, end + 1) for _ in range(2 * count))
    for low, high in zip(cuts[::2], cuts[1::2]):
        yield low, high - low, choose.randrange(TYPES)
        if depth < 4 and high - low > 1:
            yield from nested(choose, low, high, depth + 1)


def threads(choose, length, steps):
    """Lists of events. Of two with one begin and length the order in the file
    would decide which is outside, so there are none."""
    low, high = -5, length * max(1, steps) + 5
    overlaps = choose.random() < .3
    for _ in range(choose.randrange(1, 4)):
        events = list(nested(choose, low, high))
        if overlaps:
            events += [(choose.randrange(low, high), choose.randrange(length),
                        choose.randrange(TYPES)) for _ in range(5)]
        yield list({event[:2]: event for event in events}.values())


def self_times(events):
    """(begin, type, self time), each event searched for what encloses it."""
    open_events, found = [], []
    for begin, length, kind in sorted(events, key=lambda e: (e[0], -e[1])):
        while open_events and open_events[-1][0] < begin + max(length, 1):
            open_events.pop()
        if open_events:
            open_events[-1][1][2] -= length
        found.append([begin, kind, length])
        open_events.append((begin + length, found[-1]))
    return [(begin, kind, max(0, time)) for begin, kind, time in found]


def attack_seed(found, seed):
    choose = random.Random(seed)
    steps, length = choose.choice((0, 1, 2, 5)), choose.choice((10, 100, 1000))
    unit, start = choose.choice((1, 1000, 10**6)), choose.choice((0, 1, -1))
    shuffles = choose.random() < .5
    host, wanted = Plane("/host:CPU"), collections.defaultdict(list)
    for number, events in enumerate(threads(choose, length, steps)):
        for begin, kind, time in self_times(events):
            step = begin // length if 0 <= begin < steps * length else "rest"
            wanted[step if steps else 0, f"T{kind}"].append(time * unit)
        events.sort(key=lambda e: (e[0], -e[1]))
        if shuffles:
            choose.shuffle(events)
        host.line(10 + number, "t", *(
            host.event(f"op{kind}:T{kind}", begin * unit - 1000 * start,
                       time * unit)
            for begin, time, kind in events), start=start)
    host.line(1, "python", *(
        host.event("train", at * length * unit, length * unit, _r=1,
                   step_num=at) for at in range(steps)))
    path = found.folder / "host.xplane.pb"
    path.write_bytes(space(host))
    for step in {step for step, _ in wanted}:
        answer = found.json("op", path, "--step", str(step), "--select",
                            "micros,occurrence")
        if answer is None:
            found.fail(seed, step, "no answer")
            continue
        rows = {row["name"]: row["self"] for row in answer["rows"]}
        for (at, kind), times in wanted.items():
            if at == step and (
                    not attack.close(rows.get(kind, {}).get("micros"),
                                     sum(times) / 1e6)
                    or rows[kind]["runs"] != len(times)):
                found.fail(seed, step, kind, sum(times) / 1e6, len(times),
                           rows.get(kind))


attack_all = attack.each(attack_seed)

if __name__ == "__main__":
    attack.main(lambda found, _: attack_all(found, range(200)), [])
