"""Traces that grow: long texts that many events refer to, and links that
repeat. See growing.py."""

from growing import NOWHERE, QUIET, shape
from trace_build import Plane, space
from wirebytes import field, integer

ASK = ["op", "@trace", "-q", *QUIET]
DRAW = ["graph", "@trace", "-q", "-output", f"timeline:{NOWHERE}"]


def stream(gpu, events):
    return {"trace": space(gpu.line(1, "Stream #1", *events))}


@shape(4000, sample=True, op=ASK, timeline=DRAW)
def kernels_of_one_long_name(n):
    gpu = Plane("/device:GPU:0")
    name = "a/" * (4 * n) + "b:Op"
    return stream(gpu, (gpu.event("k", i, 1, refs=True, tf_op=name)
                        for i in range(n)))


@shape(4000, op=ASK)
def kernels_of_one_long_text(n):
    """It names no operation."""
    gpu = Plane("/device:GPU:0")
    name = "a!" * (4 * n) + ":?"
    return stream(gpu, (gpu.event("k", i, 1, refs=True, **{"level 0": name})
                        for i in range(n)))


@shape(4000, sample=True, op=ASK)
def instructions_of_programs_that_alternate(n):
    gpu = Plane("/device:GPU:0")
    name = "i" * (8 * n)
    return stream(gpu, (
        gpu.event("k", i, 1, refs=True, hlo_op=name, hlo_module=f"m{i % 2}",
                  program_id=i % 2 + 1) for i in range(n)))


@shape(4000, sample=True, op=ASK)
def producers_that_repeat(n):
    """Roots inside of one event, for which another produces over and over."""
    host = Plane("/host:CPU")
    host.line(1, "made", host.event("made", 0, 10 * n, _ct=5, _c=5),
              *(host.event("more", i, 1, _pt=1, _p=1) for i in range(n)))
    host.line(2, "used", host.event("used", 0, 10 * n, _ct=1, _c=1),
              *(host.event("root", 5 * i, 3, _r=1) for i in range(n)),
              host.event("a:A", 10 * n - 2, 1))
    return {"trace": space(host)}


# ---- Source lines from an op log ---------------------------------------------

LINES = ["code", "@trace", "@log", "-q", *QUIET]


def logged(names):
    """An op log: each name has a line of its own."""
    return b"".join(field(1, field(1, name.encode()) + field(4, field(
        1, integer(2, at + 1) + field(1, b"a.py"))))
        for at, name in enumerate(names))


@shape(4000, sample=True, code=LINES)
def operations_of_an_op_log(n):
    """Of each second one the name is longer in the trace."""
    host = Plane("/host:CPU")
    host.line(1, "t", *(
        host.event(f"{'while/body/_7/' * (i % 2)}s/op{i}:Op", 2 * i, 1)
        for i in range(n)))
    return {"trace": space(host),
            "log": logged(f"s/op{i}" for i in range(n))}


@shape(4000, sample=True, code=LINES)
def long_names_beside_an_op_log(n):
    """Calls, gradients and parts, each of which could be left out."""
    host = Plane("/host:CPU")
    host.line(1, "t", host.event("top:Op", 0, 1), *(
        host.event(f"{text * (4 * n)}{i}:Op", 2 + 2 * i, 1)
        for i, text in enumerate(("_1/", "a/", "gradient_tape/a/",
                                  "PartitionedCall/", "gradients/a_grad/"))))
    return {"trace": space(host), "log": logged(["top", "a", "a/a"])}


# ---- Timelines ---------------------------------------------------------------

def lines(*lists):
    """A thread for each list of events (name, begin, length, stats)."""
    host = Plane("/host:CPU")
    for number, events in enumerate(lists):
        host.line(number, f"t{number}", *(
            host.event(name, begin, length, **stats)
            for name, begin, length, stats in events))
    return host


@shape(20000, sample=True, timeline=DRAW)
def events_that_all_overlap(n):
    """None lies within another, and all go on when the last begins."""
    return {"trace": space(lines([("a:A", i, n, {}) for i in range(n)]))}


@shape(20000, timeline=DRAW)
def events_inside_of_each_other(n):
    return {"trace": space(lines([("a:A", i, 2 * (n - i), {})
                                  for i in range(n)]))}


@shape(20000, timeline=DRAW)
def threads_of_one_event(n):
    return {"trace": space(lines(*([("a:A", i, 5, {})] for i in range(n))))}


@shape(20000, sample=True, timeline=DRAW)
def launches_of_one_number(n):
    """Each could belong to each kernel."""
    host = lines([("a:A", 5000 * i, 2000, {"correlation_id": 7})
                  for i in range(n)])
    gpu = Plane("/device:GPU:0")
    gpu.line(1, "Stream #1", *(
        gpu.event("k", 5000 * (n + i), 2000, correlation_id=7)
        for i in range(n)))
    return {"trace": space(host, gpu)}


@shape(10000, timeline=DRAW)
def steps_without_a_marker(n):
    """Devices number them, and nothing tells how long they were."""
    tpu = Plane("/device:TPU:0")
    kind = tpu.event_id("%op", "op", [tpu.stat("program_id", 1)])
    tpu.line(1, "Steps", *(tpu.event(str(i), 100 * i, 90) for i in range(n)))
    tpu.line(2, "XLA Ops", *(tpu.event(kind, 100 * i + 5, 9)
                             for i in range(n)))
    return {"trace": space(tpu)}
