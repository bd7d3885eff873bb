"""Sums of a trace that is decoded here, without tfprof, against `devices`,
`steps`, `op`, `scope`, `graph`, `kernels` and `memory`."""

import attack
import trace_tree
from attack import close
from trace_tree import COUNT, EVENT, EVENT_TYPES, LENGTH, LINE, NAME, OFFSET, \
    START, STAT_TYPES, signed

# Lines of a GPU that show again what other lines have.
SUMS = {"Steps", "XLA Modules", "XLA Ops", "TensorFlow Ops",
        "TensorFlow Name Scope", "Framework Ops", "Source code",
        "Framework Name Scope", "Launch Stats"}
FIRST_SUM, SUM_LINES = -559038737, 389  # ids of such lines
MEASURES = ("micros", "accelerator_micros", "cpu_micros")
DEEP = ("--max_depth", "100")


def covered(spans):
    """Time in which at least one is open."""
    time, until = 0, None
    for begin, end in sorted(spans):
        if until is None or begin > until:
            time += end - begin
            until = end
        elif end > until:
            time += end - until
            until = end
    return time


# ---- Devices and kernels ----------------------------------------------------

class Gpu:
    def __init__(self, plane):
        types = names_by_id(plane)
        names = trace_tree.names_of(plane, STAT_TYPES)
        self.spans, self.time, self.runs = [], 0, 0
        self.kernel_time = self.kernels = 0
        for line in plane.all(LINE):
            number = signed(line.get(1)) - FIRST_SUM
            if line.get(NAME, b"").decode(errors="replace") in SUMS or \
                    0 <= number < SUM_LINES:
                continue
            for event in line.all(EVENT):
                self.add(line, event, types, names)

    def add(self, line, event, types, names):
        length = max(0, signed(event.get(LENGTH)))
        begin = signed(line.get(START)) * 1000 + signed(event.get(OFFSET))
        self.time += length
        if is_aggregated(event):
            self.runs += max(0, signed(event.get(COUNT)))
        else:
            self.runs += 1
            self.spans.append((begin, begin + length))
        if trace_tree.stats_of(names, event).get("kernel_details") and \
                event.get(1) in types:
            self.kernel_time += length
            self.kernels += 1


def names_by_id(plane):
    return trace_tree.names_of(plane, EVENT_TYPES)


def is_aggregated(event):
    """Of offset and count, one of which is set, the last one holds."""
    last = [field[0] for field in event.fields if field[0] in (OFFSET, COUNT)]
    return bool(last) and last[-1] == COUNT


def short_device(name):
    return name.split("/device:")[-1].lower()


def check_devices(found, name, gpus, devices):
    known = {short_device(d["device"]): d for d in devices["devices"]}
    for number, gpu in gpus.items():
        row = known.get(f"gpu:{number}")
        if row is None:
            found.fail(name, "no device", number, list(known))
            continue
        busy = covered(gpu.spans)
        for column, value in (("ops", gpu.runs), ("busy_micros", busy / 1e6)):
            if not close(row[column], value):
                found.fail(name, number, column, value, row[column])
    return known


def check_kernels(found, name, gpus, kernels):
    time = sum(kernel["total_micros"] for kernel in kernels["kernels"])
    count = sum(kernel["count"] for kernel in kernels["kernels"])
    if count != sum(gpu.kernels for gpu in gpus.values()) or \
            not close(time, sum(g.kernel_time for g in gpus.values()) / 1e6):
        found.fail(name, "kernels", time, count)


# ---- Steps ------------------------------------------------------------------

def check_views(found, name, answers, step=None):
    """The same total in all views."""
    op, *others = answers
    for kind, other in zip(("scope", "graph"), others):
        for measure in MEASURES:
            if not close(op["total"][measure], other["total"][measure]):
                found.fail(name, "step", step, kind, measure,
                           op["total"], other["total"])
    scope = others[0]
    own = sum(row["self"].get("accelerator_micros", 0)
              for row in scope["rows"])
    if not close(own, scope["total"]["accelerator_micros"], 1e-5):
        found.fail(name, "step", step, "rows of scope", own, scope["total"])


def ask_views(found, path, *options):
    return [found.json(view, path, *options, *DEEP)
            for view in ("op", "scope", "graph")]


def check_steps(found, path, steps, gpus, known):
    name = attack.short(path)
    numbers = sorted({row["step"] for row in steps["steps"]
                      if row["step"] is not None})
    selected = [str(number) for number in numbers]
    if any(row.get("is_rest") for row in steps["steps"]):
        selected.append("rest")
    time = 0
    for step in selected:
        answers = ask_views(found, path, "--step", step)
        if None in answers:
            found.fail(name, "no answer for step", step)
            return
        check_views(found, name, answers, step)
        time += answers[0]["total"]["accelerator_micros"]
    whole = sum(gpu.time for gpu in gpus.values()) / 1e6
    if gpus and not any("tpu" in device for device in known) and \
            not close(time, whole, 1e-5):
        found.fail(name, "sum over steps", time, "trace", whole, selected)
    for device, row in known.items():
        mine = [r for r in steps["steps"] if not r["is_rest"]
                and r["device"].lower().endswith(device)]
        if not close(sum(r["idle_micros"] for r in mine), row["idle_micros"],
                     1e-5):
            found.fail(name, device, "idle time of steps", row["idle_micros"])
        if sum(r["ops"] for r in mine) != row["ops"]:
            found.fail(name, device, "ops of steps", row["ops"])
        busy = sum(r["busy_micros"] for r in mine)
        if busy < row["busy_micros"] - 1e-3:
            found.fail(name, device, "busy in steps", busy,
                       row["busy_micros"])


# ---- Memory -----------------------------------------------------------------

def allocators(space):
    """[allocations, frees, peak] by name."""
    found = {}
    for plane in space.all(1):
        if plane.get(NAME, b"") != b"/host:CPU":
            continue
        types = names_by_id(plane)
        names = trace_tree.names_of(plane, STAT_TYPES)
        for event in trace_tree.of(plane, "event"):
            kind = types.get(event.get(1), "")
            if is_aggregated(event) or kind not in (
                    "MemoryAllocation", "MemoryDeallocation"):
                continue
            stats = trace_tree.stats_of(names, event)
            allocator = found.setdefault(
                stats.get("allocator_name") or str(stats.get(
                    "index_on_host", stats.get("device_ordinal", ""))),
                [0, 0, 0])
            allocator[kind == "MemoryDeallocation"] += 1
            level = stats.get("bytes_allocated")
            if isinstance(level, int):
                allocator[2] = max(allocator[2], level
                                   + (stats.get("bytes_reserved") or 0))
    return found


def check_memory(found, name, space, memory):
    known = allocators(space)
    for pool in memory["pools"]:
        if pool["source"] != "trace":
            continue
        allocator = known.get(pool["allocator"])
        is_as = [pool["allocations"], pool["frees"], pool["peak_bytes"]]
        if allocator != is_as:
            found.fail(name, "pool", pool["allocator"], allocator, is_as)
        held = sum(row["bytes"] for row in memory["memory"]
                   if row["allocator"] == pool["allocator"])
        if held - (pool["missing_frees_bytes"] or 0) != pool["peak_bytes"]:
            found.fail(name, "rows of pool", pool["allocator"], held)


# ---- All --------------------------------------------------------------------

def attack_trace(found, path):
    name = attack.short(path)
    space = trace_tree.read(path)
    gpus = {}
    for plane in space.all(1):
        word = plane.get(NAME, b"").decode(errors="replace")
        if word.startswith("/device:GPU:") and \
                any(line.all(EVENT) for line in plane.all(LINE)):
            gpus[word.rsplit(":", 1)[1]] = Gpu(plane)
    tables = {table: found.json(table, path)
              for table in ("devices", "steps", "kernels", "memory")}
    known = {}
    if tables["devices"]:
        known = check_devices(found, name, gpus, tables["devices"])
    if tables["kernels"]:
        check_kernels(found, name, gpus, tables["kernels"])
    if tables["steps"]:
        check_steps(found, path, tables["steps"], gpus, known)
    if tables["memory"]:
        check_memory(found, name, space, tables["memory"])
    answers = ask_views(found, path)
    if None not in answers:
        check_views(found, name, answers)


attack_all = attack.each(attack_trace)

if __name__ == "__main__":
    attack.main(attack_all)
