"""One very long name that all events refer to: every command must take time
that is proportional to the size of the trace.

`python long_names.py [SHAPE...]`
"""

import resource
import sys

import attack
from trace_build import Plane, space

EVENTS, NAME = 4000, 250_000  # of the smaller trace
TIMES = 4
MOST = 6.5  # times as long, for TIMES as much
CLEAR, HANGS = 0.8, 10  # seconds
LEAST = 0.05  # of what is compared
KERNEL = "regs:1 grid:1,1,1 block:1,1,1"
COMMANDS = (
    ("op",), ("steps",), ("kernels",), ("memory",), ("devices",),
    ("summary",), ("advise",), ("code", "--frames", "python"), ("info",),
    ("graph", "--output", "timeline:outfile=@"),
    ("report", "--output", "html:outfile=@"),
    ("aggregate", "--output", "parquet:outfile=@"),
    ("xprof", "hlo_stats"), ("xprof", "kernel_stats"),
    ("xprof", "memory_profile"), ("xprof", "framework_op_stats"),
)


def host():
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(plane.event(
        "train", step * 10**12, 10**12, _r=1, step_num=step)
        for step in range(2)))
    return plane


def gpu(count, name="k", line="Stream #1(Compute)", **stats):
    plane = Plane("/device:GPU:0")
    plane.line(1, line, *(plane.event(name, i * 1000, 500, refs=True, **stats)
                          for i in range(count)))
    return space(host(), plane)


def on_host(count, name, step=10, length=5, line="t", **stats):
    plane = host()
    plane.line(2, line, *(plane.event(name, i * step, length, refs=True,
                                      **stats) for i in range(count)))
    return space(plane)


def on_cpu(count, op, module):
    return on_host(count, "x", line="tf_XLAPjRtCpuClient/1", hlo_op=op,
                   hlo_module=module, program_id=1)


def allocations(count, around=None, **stats):
    plane = host()
    outer = [plane.event(around, 0, 10**9)] if around else []
    plane.line(2, "t", *outer, *(plane.event(
        "MemoryAllocation", i * 10, 0, refs=True,
        **{"allocator_name": "A", "bytes_allocated": i,
           "allocation_bytes": 1, "addr": i, **stats})
        for i in range(count)))
    return space(plane)


def tpu(count, text, **which):
    stats = {"tf_op": "a:X", "source": "f.py:1", "hlo_category": "c",
             "program_id": 1, **dict.fromkeys(which, text)}
    plane = Plane("/device:TPU:0")
    plane.line(2, "Steps", plane.event("0", 0, 10**12))
    kind = plane.event_id("%f", None, [plane.stat(key, value)
                                       for key, value in stats.items()])
    plane.line(1, "XLA Ops", *(plane.event(kind, i * 10, 5)
                               for i in range(count)))
    return space(host(), plane)


# The name of a shape, and how it is made of a count and a long text.
SHAPES = {
    "kernel_name": lambda n, text: gpu(n, text, kernel_details=KERNEL),
    "kernel_details":
        lambda n, text: gpu(n, kernel_details=f"{KERNEL} {text}"),
    "copy_name": lambda n, text: gpu(n, text, memcpy_details="size:4"),
    "kernel_tf_op": lambda n, text: gpu(n, tf_op=f"{text}:X"),
    "kernel_hlo_op": lambda n, text: gpu(n, hlo_op=text, program_id=3),
    "stream_name": lambda n, text: gpu(n, line=f"Stream {text}"),
    "memory_tf_op": lambda n, text: allocations(n, tf_op=text),
    "memory_shape": lambda n, text: allocations(n, shape=text),
    "memory_region": lambda n, text: allocations(n, region_type=text),
    "allocator_name": lambda n, text: allocations(n, allocator_name=text),
    "memory_function":
        lambda n, text: allocations(n, f"PjitFunction({text})"),
    "memory_event": lambda n, text: allocations(n, text),
    "host_op": lambda n, text: on_host(n, f"{text}:B"),
    "frames": lambda n, text: on_host(n, f"${text}.py:3 g", line="python"),
    "cpu_hlo_op": lambda n, text: on_cpu(n, text, "m"),
    "cpu_hlo_module": lambda n, text: on_cpu(n, "f", text),
    "tpu_tf_op": lambda n, text: tpu(n, text, tf_op=1),
    "tpu_source": lambda n, text: tpu(n, text, source=1),
    "tpu_category": lambda n, text: tpu(n, text, hlo_category=1),
}


def spent(found, command, path):
    """Seconds of processor time."""
    def so_far():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    words = [word.replace("@", f"{found.folder}/out") for word in command]
    at = 2 if command[0] == "xprof" else 1
    before = so_far()
    found.run(*words[:at], path, *words[at:])
    return so_far() - before


def attack_shape(found, name, scale=1):
    """Smaller with a `scale` below 1; what is short is not compared."""
    path = found.folder / "long.xplane.pb"
    seconds = {}
    for times in 1, TIMES:
        path.write_bytes(SHAPES[name](
            int(EVENTS * scale * times), "x" * int(NAME * scale * times)))
        for command in COMMANDS:
            if times == 1:
                seconds[command] = spent(found, command, path)
            elif seconds[command] >= LEAST:
                after = spent(found, command, path)
                if after > HANGS or after > max(CLEAR,
                                                MOST * seconds[command]):
                    found.fail(name, *command[:2],
                               f"{seconds[command]:.2f} s, {after:.2f} s")


def attack_all(found, names):
    for name in names or SHAPES:
        attack_shape(found, str(name))


if __name__ == "__main__":
    attack.main(attack_all, sys.argv[1:])
