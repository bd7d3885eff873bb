"""What each device did in all steps together, from the rows of `tfprof steps`.

The steps of a trace last equally long for all its devices: as long as their
walls. Steps without one last as long as on the device where they do so longest
together.
"""

import collections


def window(rows):
    """How long the steps of one trace lasted, and how many there are."""
    walls, others = {}, collections.Counter()
    for row in rows:
        if row["wall_micros"] is not None:
            walls[row["step"]] = row["wall_micros"]
        else:
            others[row["device"]] += row["busy_micros"] + row["idle_micros"]
    return (sum(walls.values()) + max(others.values(), default=0),
            len({row["step"] for row in rows}))


def device_sums(steps):
    """{device: (busy, idle, steps)} of the rows, without the rest."""
    traces, found = collections.defaultdict(list), {}
    for row in steps:
        if not row["is_rest"]:
            traces[row["trace"]].append(row)
    for rows in traces.values():
        whole, count = window(rows)
        busy = collections.Counter()
        for row in rows:
            busy[row["device"]] += row["busy_micros"]
        for device, mine in busy.items():
            had = found.get(device, (0, 0, 0))
            found[device] = (had[0] + mine, had[1] + whole - mine,
                             had[2] + count)
    return found
