"""Random launches, streams, devices and steps: `steps`, `devices`, `kernels`
and the views of each step against a slow reference."""

import collections
import random

import attack
from trace_build import Plane, space

Run = collections.namedtuple("Run", "device begin length step kernel op")
Launch = collections.namedtuple("Launch", "begin length link")


def covered(runs):
    """The time in which at least one of them ran."""
    total, until = 0, None
    for begin, end in sorted((run.begin, run.begin + run.length)
                             for run in runs):
        if until is None or begin > until:
            total, until = total + end - begin, end
        elif end > until:
            total, until = total + end - until, end
    return total


def step_around(steps, begin, end):
    return next((number for low, high, number in steps
                 if low <= begin and end <= high), None)


def make(choose):
    """The steps, the launches on the host, and the runs by device and stream,
    each with the number of its launch."""
    length = 10**6 * choose.choice((1, 10))
    gap = choose.choice((0, length // 4))
    count = choose.choice((0, 1, 3, 6))
    numbers = [choose.choice((0, 5, 100)) + at for at in range(count)]
    steps = [(at * (length + gap), at * (length + gap) + length, number)
             for at, number in enumerate(numbers)]
    launches, streams = [], collections.defaultdict(list)
    devices = choose.randrange(1, 4)
    for link in range(1, choose.randrange(2, 40)):
        at = choose.randrange(max(1, count) * (length + gap))
        if choose.random() < .8:
            launches.append(Launch(at, 100, link))
        for device in choose.sample(range(devices), choose.choice((1, devices))):
            streams[device, choose.randrange(2)].append((
                at + choose.randrange(2 * length),
                choose.choice((0, 1, choose.randrange(1, length))),
                f"k{choose.randrange(3)}", f"T{choose.randrange(4)}", link))
    return steps, launches, streams


def runs_of(steps, launches, streams):
    """A run belongs to the step that its launch is inside of, else to the step
    in whose time it begins."""
    launched = {one.link: step_around(steps, one.begin,
                                      one.begin + one.length)
                for one in launches}
    for (device, _), events in streams.items():
        for begin, length, kernel, op, link in events:
            step = launched.get(link)
            if step is None:
                step = step_around(steps, begin, begin + 1)
            yield Run(device, begin, length, step, kernel, op)


def write(path, choose, steps, launches, streams):
    host = Plane("/host:CPU")
    marks = [(low, low - high, None, number) for low, high, number in steps]
    marks += [(one.begin, -one.length, one.link, None) for one in launches]
    host.line(1, "python", *(
        host.event("train", begin, -length, _r=1, step_num=number)
        if link is None else
        # What repeats would be the steps where there are no others.
        host.event("cuLaunchKernel" if steps else f"cuLaunchKernel {link}",
                   begin, -length, correlation_id=link)
        for begin, length, link, number in sorted(
            marks, key=lambda mark: mark[:2])))
    planes = {}
    for (device, stream), events in streams.items():
        gpu = planes.setdefault(device, Plane(f"/device:GPU:{device}"))
        gpu.line(10 + stream, f"Stream #{stream}(Compute)", *(
            gpu.event(kernel, begin, length, tf_op=f"op{op}:{op}",
                      kernel_details="regs:1 grid:1,1,1 block:1,1,1",
                      correlation_id=link)
            for begin, length, kernel, op, link in events))
    planes = [host, *planes.values()]
    choose.shuffle(planes)
    path.write_bytes(space(*planes))


def grouped(runs, *keys):
    found = collections.defaultdict(list)
    for run in runs:
        found[tuple(getattr(run, key) for key in keys)].append(run)
    return found


def check_tables(found, seed, path, runs, has_steps):
    """A device is busy in a step for no longer than the step lasts, and all
    devices are measured by the same time."""
    devices = {row["device"]: row
               for row in found.json("devices", path)["devices"]}
    steps = found.json("steps", path)["steps"]
    rows = {(row["device"], row["step"]): row for row in steps}
    for (device, step), mine in grouped(runs, "device", "step").items():
        number = step if step is not None or has_steps else 0
        row = rows.get((f"/device:GPU:{device}", number))
        busy = covered(mine) / 1e6
        if row and row["wall_micros"] is not None:
            busy = min(busy, row["wall_micros"])
        if (not row or row["ops"] != len(mine)
                or row["is_rest"] != (number is None)
                or not attack.close(row["busy_micros"], busy)):
            found.fail(seed, "steps", row, number, covered(mine), len(mine))
    def total(device, *keys):
        return sum(one[key] for one in steps for key in keys
                   if one["device"] == device and not one["is_rest"])

    # All devices have the same window: that of the device on which it is largest.
    window = max((total(device, "busy_micros", "idle_micros")
                  for device in devices), default=0)
    for device, row in devices.items():
        if not (row["ops"] == total(device, "ops")
                and attack.close(row["busy_micros"],
                                 total(device, "busy_micros"))
                and attack.close(row["busy_micros"] + row["idle_micros"],
                                 window)):
            found.fail(seed, "devices", row, window)
    kernels = {(row["kernel"], row["op"]): row["total_micros"]
               for row in found.json("kernels", path)["kernels"]}
    for (kernel, op), mine in grouped(runs, "kernel", "op").items():
        time = sum(run.length for run in mine) / 1e6
        if not attack.close(kernels.get((kernel, f"op{op}"), 0), time):
            found.fail(seed, "kernels", kernel, op, time, kernels)


def check_views(found, seed, path, runs, has_steps):
    for (step,), mine in grouped(runs, "step").items():
        if step is None:
            step = "rest" if has_steps else 0
        answer = found.json("op", path, "--step", str(step))
        if answer is None:
            found.fail(seed, "op", step, "no answer")
            continue
        rows = {row["name"]: row["self"]["accelerator_micros"]
                for row in answer["rows"]}
        for (op,), some in grouped(mine, "op").items():
            time = sum(run.length for run in some) / 1e6
            if not attack.close(rows.get(op, 0), time):
                found.fail(seed, "op", step, op, time, rows)


def attack_seed(found, seed):
    choose = random.Random(seed)
    steps, launches, streams = make(choose)
    runs = list(runs_of(steps, launches, streams))
    path = found.folder / "device.xplane.pb"
    write(path, choose, steps, launches, streams)
    check_tables(found, seed, path, runs, bool(steps))
    check_views(found, seed, path, runs, bool(steps))


attack_all = attack.each(attack_seed)

if __name__ == "__main__":
    attack.main(lambda found, _: attack_all(found, range(100)), [])
