"""Seeds of the target trace: hosts, GPUs and TPUs with their programs."""

import struct

from . import hlo_seeds
from .encode import delimited, tag, varint

# As fuzz_trace.c has them.
SALVAGE, TEXT, STEP, TABLES, BY, DRAW = 1, 2, 4, 16, 32, 128


def number(field, value):
    return tag(field, 0) + varint(value)


class Plane:
    """A plane whose maps are made from the names that its events use."""

    def __init__(self, name, maps_first=False):
        self.name, self.maps_first = name, maps_first
        self.lines, self.own = b"", b""
        self.events, self.names = {}, {}
        self.types = b""

    def stat(self, name, value):
        key = self.names.setdefault(name, len(self.names) + 1)
        if isinstance(value, float):
            data = tag(2, 1) + struct.pack("<d", value)
        elif isinstance(value, bytes):
            data = delimited(6, value)
        elif isinstance(value, tuple):  # by reference
            data = number(7, self.names.setdefault(value[0],
                                                   len(self.names) + 1))
        elif isinstance(value, str):
            data = delimited(5, value.encode())
        else:
            data = number(4, value)
        return number(1, key) + data

    def of_itself(self, **stats):
        self.own += b"".join(delimited(6, self.stat(name, value))
                             for name, value in stats.items())

    def type(self, name, display="", **stats):
        """The number of a sort of event; what it says stands in the map."""
        if name not in self.events:
            key = self.events[name] = len(self.events) + 1
            data = number(1, key) + delimited(2, name.encode())
            if display:
                data += delimited(4, display.encode())
            data += b"".join(delimited(5, self.stat(*pair))
                             for pair in stats.items())
            self.types += delimited(4, number(1, key) + delimited(2, data))
        return self.events[name]

    def event(self, name, begin, length, runs=None, **stats):
        kind = name if isinstance(name, int) else self.type(name)
        return delimited(4, number(1, kind) + (
            number(2, begin) if runs is None else number(5, runs)) +
            number(3, length) + b"".join(delimited(4, self.stat(*pair))
                                         for pair in stats.items()))

    def line(self, key, name, *events, start=1000):
        self.lines += delimited(3, number(1, key) + delimited(
            2, name.encode()) + number(3, start) + b"".join(events))

    def bytes(self):
        maps = self.types + b"".join(delimited(5, number(1, key) + delimited(
            2, number(1, key) + delimited(2, name.encode())))
            for name, key in self.names.items())
        parts = (maps, self.lines) if self.maps_first else (self.lines, maps)
        return delimited(1, delimited(2, self.name.encode()) +
                         b"".join(parts) + self.own)


def host(**options):
    p = Plane("/host:CPU", **options)
    p.line(1, "python",
           p.event("train", 0, 900, step_num=0, _r=1),
           p.event("queue", 10, 5, _pt=2, _p=77),
           p.event("a/b/MatMul:MatMul", 100, 300),
           p.event("a/b/Relu:Relu", 150, 100),
           p.event("Iterator::Batch", 420, 20),
           p.event("launch", 500, 20, correlation_id=3),
           p.event("train", 1000, 900, step_num=1, _r=1),
           p.event("a/b/MatMul:MatMul", 1100, 50))
    p.line(2, "pool",
           p.event("run", 600, 200, _ct=2, _c=77),
           p.event("a/Add:AddV2", 620, 100),
           p.event("a/Add:AddV2", 0, 7, runs=3))
    return p


def jax_cpu():
    p = Plane("/host:CPU")
    p.line(1, "python", p.event("train", 0, 900, step_num=4, _r=1))
    p.line(2, "tf_XLAPjRtCpuClient/1",
           *(p.event(name, at, 40, hlo_op=(name,), hlo_module="jit_f",
                     program_id=17, device_ordinal=at % 2)
             for at, name in ((100, "x"), (150, "y"), (200, "lost"))))
    return p


def programs(data, **stats):
    p = Plane("/host:metadata")
    p.type("jit_f(17)", **{"Hlo Proto": data}, **stats)
    return p


def gpu(name="/device:GPU:0"):
    p = Plane(name)
    p.of_itself(clock_rate=1980000, core_count=132)
    details = "regs:32 grid:8,1,1 block:128,1,1 occ_pct:50"
    p.line(13, "Stream #13(Compute)",
           p.event("sgemm", 520, 100, correlation_id=3,
                   kernel_details=(details,), tf_op=("a/b/MatMul:MatMul",)),
           p.event("MemcpyH2D", 640, 10, memcpy_details="size:4"),
           p.event("fused", 700, 90, hlo_op="x", program_id=17,
                   hlo_module="jit_f"))
    p.line(0xdeadbeef, "XLA Ops", p.event("sgemm", 520, 100))
    return p


def tpu():
    p = Plane("/device:TPU:0")
    p.of_itself(peak_teraflops_per_second=918.0)
    op = {"hlo_category": "loop fusion", "program_id": 17, "flops": 100,
          "tf_op": "jit(f)/add:", "source_stack": "m.py:3:1\nm.py:9:2",
          "source": "m.py:3"}
    outer = p.type("%while.1 = while(x)", "while.1", **op)
    inner = p.type("%fusion.1 = fusion(x)", "fusion.1", **op)
    p.line(1, "Steps", p.event("5", 0, 500), p.event("6", 500, 500))
    p.line(3, "XLA Ops", p.event(outer, 0, 400), p.event(inner, 100, 200),
           p.event(inner, 600, 100, device_offset_ps=620,
                   device_duration_ps=50))
    return p


def environment():
    p = Plane("Task Environment")
    p.of_itself(profile_start_time=10**18, profile_stop_time=10**18 + 10**6)
    return p


def program():
    instruction = hlo_seeds.instruction
    of = hlo_seeds.shape(hlo_seeds.F32, 4, 4)
    return hlo_seeds.program(hlo_seeds.computation(
        1, instruction("p", "parameter", 1, of=of),
        instruction("x", "dot", 2, of=of, operands=(1, 1), metadata=[
            ("op_name", "jit(f)/jvp(a/b)/dot"), ("stack_frame_id", 1)]),
        instruction("z", "bitcast", 3, of=of, operands=(2,)),
        instruction("y", "add", 4, of=of, operands=(3, 1))),
        index=hlo_seeds.frames((1, 2), (2, 0)))


def grouped():
    """Groups that the file states."""
    planes = [host(), gpu()]
    for p in planes:
        p.line(9, "more", p.event("a/c/Mul:Mul", 300, 9, group_id=7))
    return planes


def odd():
    """(name, planes or bytes)"""
    p = Plane("/host:CPU")
    p.line(1, "", *(p.event("a:B", begin, length) for begin, length in (
        (2**63 - 1, 2**63 - 1), (-5, 1), (5, -1), (0, 0), (0, 10), (0, 10),
        (5, 10))), start=-2**63)
    yield "XS-04_times", [p]
    p = Plane("/host:CPU")
    p.line(1, "", *(p.event(f"n{i}", i, 100 - i, _r=i - 1, step_num=-i,
                            _pt=1, _p=i, _ct=1, _c=(i + 1) % 3)
                    for i in range(3)),
           p.event("a:B", 50, 1), p.event("c", 60, 1, step_num=2**63 - 1,
                                          _r=1))
    yield "XS-11_links", [p]
    yield "XS-02_no_type", [host()], delimited(1, delimited(
        2, b"/device:GPU:0") + delimited(3, number(1, 1) + delimited(
            4, number(1, 99) + number(3, 5))))
    yield "XS-09_twice", [host(), host(), gpu(), gpu(), gpu("/device:GPU:")]
    yield "XS-13_damaged", [programs(program()[:40]), jax_cpu()]
    yield "XS-08_names", [Plane("/host:CPU\x1b[1m")], delimited(2, b"no disk")
    p = Plane("/host:CPU")
    p.line(1, "", *(p.event(name, 5 * i, 3) for i, name in enumerate(
        ("\x1b]0;x\x07:A", "a//b:C", "/:D", "jit(f/g)/h:I", ":", "::",
         "a(b:c", "x" * 500 + ":Long", "\u202egnal:R"))))
    yield "XS-08_scopes", [p]
    loop = Plane("/host:CPU")
    loop.line(1, "", loop.event("WhileOp-EvalCond", 0, 9),
              loop.event("a:B", 1, 2))
    yield "loops", [loop]


def traces():
    """(name, bytes)"""
    def joined(planes, more=b""):
        return b"".join(p.bytes() for p in planes) + more
    yield "host", joined([host(), environment()], delimited(4, b"vm"))
    yield "maps_first", joined([host(maps_first=True)])
    yield "jax_cpu", joined([jax_cpu(), programs(program(), program_id=17)])
    yield "gpu", joined([gpu(), host(), programs(program()), environment()])
    yield "tpu", joined([tpu(), host()])
    yield "all", joined([tpu(), gpu(), jax_cpu(), programs(program())],
                        delimited(2, b"error") + delimited(3, b"warning"))
    yield "grouped", joined(grouped())
    for name, *parts in odd():
        yield name, joined(*parts)


def seeds():
    for name, data in traces():
        for look in (0, TEXT, STEP, 2 * STEP | SALVAGE, TABLES,
                     TABLES | TEXT | BY, TABLES | SALVAGE | 2 * BY, DRAW,
                     DRAW | STEP | SALVAGE):
            yield f"{name}_{look}", bytes([look]) + data
    whole = dict(traces())["gpu"]
    for at in range(1, len(whole), 97):
        yield f"XS-01_cut_{at:04}", bytes([SALVAGE]) + whole[:at]
        yield f"XS-01_draw_{at:04}", bytes([SALVAGE | DRAW]) + whole[:at]
    yield "pbtxt", bytes([TEXT]) + (
        b'planes { name: "/host:CPU" lines { id: 1 events { metadata_id: 1 '
        b'duration_ps: 5 } } event_metadata { key: 1 value { id: 1 name: '
        b'"a/b:C" } } }\nhostnames: "vm"\n')


def dictionary():
    words = ("/host:CPU", "/host:metadata", "/device:GPU:0", "/device:TPU:0",
             "Task Environment", "XLA Ops", "Steps", "Hlo Proto", "_pt", "_p",
             "_ct", "_c", "_r", "_a", "group_id", "step_num", "iter_num",
             "hlo_op", "program_id", "hlo_module", "tf_op", "correlation_id",
             "source_stack", "device_ordinal", "device_offset_ps",
             "device_duration_ps", "ThreadpoolListener::StartRegion",
             "ThreadpoolListener::StopRegion", "ExecutorState::Process",
             "IteratorGetNext", "train", "step_name", "kernel_details",
             "regs:1 grid:1,1,1 block:2,1,1 occ_pct:50", "MemoryAllocation",
             "MemoryDeallocation", "allocator_name", "bytes_allocated",
             "requested_bytes", "allocation_bytes", "addr")
    return [(f"word_{i}", word.encode()) for i, word in enumerate(words)]
