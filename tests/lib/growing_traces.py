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


# ---- One long text that every event refers to --------------------------------

KERNELS = ["kernels", "@trace", "-q"]
MEMORY = ["memory", "@trace", "-q"]
ADVICE = ["advise", "@trace", "-q"]
REPORT = ["report", "@trace", "-q", "--output", f"html:{NOWHERE}"]
KERNEL_STATS = ["xprof", "kernel_stats", "@trace", "-q"]
MEMORY_PROFILE = ["xprof", "memory_profile", "@trace", "-q"]
BY_NAME = [*DRAW, "--hide_name_regexes", "nothing is called so"]
OF_KERNELS = {"op": ASK, "kernels": KERNELS, "advise": ADVICE,
              "report": REPORT, "timeline": DRAW, "by_name": BY_NAME,
              "kernel_stats": KERNEL_STATS}
OF_MEMORY = {"op": ASK, "memory": MEMORY, "report": REPORT, "timeline": DRAW,
             "by_name": BY_NAME, "memory_profile": MEMORY_PROFILE}
FORM = "regs:1 grid:1,1,1 block:1,1,1"


def long(n, text="x"):
    """About as long as n events together."""
    return text * (30 * n)


def launched(gpu, n, name="k", **stats):
    return [gpu.event(name, 1000 * i, 500, refs=True, **stats)
            for i in range(n)]


def allocated(host, n, first=0, **stats):
    """Allocations, each by reference to the same texts."""
    stats = {"allocator_name": "A", **stats}
    return [host.event("MemoryAllocation", 10 * (first + i), 0, refs=True,
                       bytes_allocated=i, allocation_bytes=1,
                       addr=first + i, **stats) for i in range(n)]


def on_host(make, n):
    host = Plane("/host:CPU")
    host.line(1, "t", *make(host, n))
    host.line(2, "u", host.event("a:Op", 0, 1))
    return {"trace": space(host)}


@shape(1000, sample=True, kernels=KERNELS, memory=MEMORY, by_name=BY_NAME,
       memory_profile=MEMORY_PROFILE)
def long_texts_of_all_sorts(n):
    """Names, details, shapes, allocators, functions and enclosing events."""
    gpu, host = Plane("/device:GPU:0"), Plane("/host:CPU")
    gpu.line(1, "Stream #1", *launched(
        gpu, n, long(n), kernel_details=f"{FORM} {long(n)}"))
    gpu.line(2, "Stream #2", *launched(
        gpu, n, long(n, "MemcpyD2H"), memcpy_details=f"{long(n)} size:4"))
    host.line(1, "t", *allocated(
        host, n, tf_op=f"{long(n)}:Op", shape=long(n, "[1]"),
        region_type=long(n, "temp"), allocator_name=long(n, "A")))
    host.line(2, "u", host.event(f"PjitFunction({long(n, 'f')})", 0, 10**12),
              *allocated(host, n, n))
    host.line(3, "v", host.event(long(n, "e"), 0, 10**12),
              *allocated(host, n, 2 * n))
    return {"trace": space(gpu, host)}


@shape(4000, **OF_KERNELS)
def kernels_of_a_long_name(n):
    gpu = Plane("/device:GPU:0")
    return stream(gpu, launched(gpu, n, long(n), kernel_details=FORM))


@shape(4000, **OF_KERNELS)
def kernels_with_long_details(n):
    gpu = Plane("/device:GPU:0")
    return stream(gpu, launched(gpu, n, kernel_details=f"{FORM} {long(n)}"))


@shape(4000, **OF_KERNELS)
def kernels_of_many_names_with_long_details(n):
    gpu = Plane("/device:GPU:0")
    return stream(gpu, [event for i in range(n) for event in launched(
        gpu, 1, f"k{i}", kernel_details=f"{FORM} {long(n)}")])


@shape(4000, **OF_KERNELS)
def copies_with_long_details(n):
    gpu = Plane("/device:GPU:0")
    return stream(gpu, launched(gpu, 1, kernel_details=FORM)
                  + launched(gpu, n, long(n, "MemcpyD2H"),
                             memcpy_details=f"{long(n)} size:4"))


@shape(4000, op=ASK, timeline=DRAW, by_name=BY_NAME, report=REPORT)
def instructions_with_a_long_module(n):
    """The names of the instructions stand in the events."""
    gpu = Plane("/device:GPU:0")
    module = gpu.stat("hlo_module", long(n), True)
    return stream(gpu, (
        field(4, integer(1, gpu.event_id("k")) + integer(2, i) + integer(3, 1)
              + field(4, gpu.stat("hlo_op", "f")) + field(4, module)
              + field(4, gpu.stat("program_id", 1))) for i in range(n)))


@shape(4000, **OF_MEMORY)
def allocations_for_a_long_operation(n):
    return on_host(lambda host, n: allocated(
        host, n, tf_op=f"{long(n)}:Op", shape=long(n, "[1]"),
        region_type=long(n, "temp")), n)


@shape(4000, **OF_MEMORY)
def allocations_by_a_long_allocator(n):
    return on_host(lambda host, n: allocated(
        host, n, allocator_name=long(n, "A")), n)


@shape(4000, **OF_MEMORY)
def allocations_in_a_long_function(n):
    return on_host(lambda host, n: [
        host.event(f"PjitFunction({long(n, 'f')})", 0, 10**12),
        *allocated(host, n)], n)


@shape(4000, **OF_MEMORY)
def allocations_in_a_long_event(n):
    return on_host(lambda host, n: [
        host.event(long(n, "e"), 0, 10**12), *allocated(host, n)], n)


@shape(4000, op=ASK, timeline=DRAW)
def operations_on_two_devices_of_a_long_host(n):
    host = Plane("/host:CPU")
    host.line(1, "t", *(host.event("a:Op", 10 * i, 5, device_ordinal=i % 2)
                        for i in range(n)))
    return {"trace": space(host) + field(4, long(n).encode())}


@shape(4000, op=ASK, timeline=DRAW, by_name=BY_NAME,
       frames=["code", "@trace", "-q", "--frames", "python", *QUIET])
def python_calls_of_a_long_name(n):
    return on_host(lambda host, n: [
        host.event(f"${long(n, 'f')}.py:3 g", 10 * i, 5)
        for i in range(n)], n)


def on_tpu(n, **told):
    """An operation that runs often, with what its type says."""
    tpu = Plane("/device:TPU:0")
    told = {"tf_op": "a:Op", "hlo_category": "c", "source": "f.py:1", **told}
    kind = tpu.event_id("%f", None, [
        tpu.stat(key, text, True) for key, text in told.items()])
    tpu.line(1, "Steps", tpu.event("0", 0, 10**12))
    first = tpu.event_id("%first", None, [tpu.stat("program_id", 1)])
    tpu.line(2, "XLA Ops", tpu.event(first, 0, 5), *(
        tpu.event(kind, 10 * i, 5) for i in range(1, n)))
    return {"trace": space(tpu)}


@shape(4000, op=ASK, timeline=DRAW, by_name=BY_NAME)
def operations_of_a_tpu_with_a_long_type(n):
    return on_tpu(n, hlo_category=long(n), program_id=1)


@shape(4000, op=ASK, timeline=DRAW, by_name=BY_NAME)
def operations_of_a_tpu_with_many_stats(n):
    """And without a program: they have no node."""
    return on_tpu(n, **{f"stat {i}": "x" for i in range(n)})


@shape(1000, op=ASK)
def operations_of_a_tpu_with_one_long_stack(n):
    tpu = Plane("/device:TPU:0")
    lines = long(n, "a.py:1\n")
    tpu.line(1, "XLA Ops", *(
        tpu.event(tpu.event_id(f"%f{i}", None, [
            tpu.stat("program_id", 1),
            tpu.stat("source_stack", lines, True)]), 10 * i, 5)
        for i in range(n)))
    return {"trace": space(tpu)}


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
    return {"trace": space(host), "log": logged(f"s/op{i}" for i in range(n))}


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
    tpu.line(2, "XLA Ops", *(tpu.event(kind, 100 * i + 5, 9) for i in range(n)))
    return {"trace": space(tpu)}
