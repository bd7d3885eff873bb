"""Shapes of test_growth.py: runs, devices and code, for views and outputs."""

from faults import field, integer
from flops_models import graph, node
from growing import (DEEP, EVERY_SAMPLE, FOLDED, PAGE, PPROF, PROFILE, QUIET,
                     SPEEDSCOPE, TIMELINE,
                     VIEWS, on_all, on_run, shape, shapes_attr)
from messages import (CPU, GPU, NOON, entry, frame, record, run_of, strings)

CODE = strings({1: b"a/m.py", 2: b"f", 3: b"x"})
MICROS = ("-select", "micros")


def star(n):
    """A node that n others take."""
    return graph([node(b"n", b"Foo"),
                  *(node(b"n%d" % i, b"Foo", b"n") for i in range(n))])


# ---- Devices and runs -------------------------------------------------------

@shape(3000, sample=True, **VIEWS, timeline=on_run("graph", *TIMELINE),
       advise=on_run("advise"),
       json=on_run("graph", "-select", "micros,device", *DEEP, "--format",
                   "json"))
def devices_of_one_node(n):
    return {"graph": star(n), "run": run_of(*(
        (GPU[:-1] + b"%d" % i, record(b"n") + record(b"n%d" % i))
        for i in range(n)))}


@shape(20000, **VIEWS, timeline=on_run("graph", *TIMELINE),
       profile=on_run("scope", *PROFILE), advise=on_run("advise"),
       pprof=on_run("graph", *MICROS, *PPROF))
def runs_of_one_node(n):
    return {"graph": star(1), "run": run_of((GPU, b"".join(
        record(b"n", start=NOON + i, end=10**6)
        + record(b"n0", start=NOON + i + 3, end=10**6 - i)
        for i in range(n))))}


@shape(10000, sample=True, graph=on_run("graph", *TIMELINE),
       scope=on_run("scope", *TIMELINE))
def runs_inside_each_other(n):
    """Each begins after the one before and ends sooner."""
    return {"graph": star(n), "run": run_of((GPU, record(b"n") + b"".join(
        record(b"n%d" % i, start=NOON + i, end=2 * (n - i) + 1)
        for i in range(n))))}


def remembering(name, i):
    """A record that gets memory, and gives it back much later."""
    memory = (field(1, b"gpu") + integer(2, 100) + integer(3, 100)
              + integer(4, 10) + field(6, integer(1, 5 + i) + integer(2, 100))
              + field(6, integer(1, 9000 + i) + integer(2, -100)
                      + integer(5, 7))
              + integer(5, i * 10))
    return field(2, field(1, name) + integer(2, NOON + i * 200)
                 + integer(3, 1) + integer(4, 100) + integer(5, 150)
                 + field(6, memory))


@shape(10000, **VIEWS, timeline=on_run("graph", *TIMELINE))
def records_of_memory(n):
    return {"graph": star(n), "run": run_of((GPU, b"".join(
        remembering(b"n%d" % i, i) for i in range(n))))}


@shape(1000, **VIEWS, timeline=on_run("graph", *TIMELINE))
def runs_and_inputs_of_one_node(n):
    """Each run of a node has an arrow from each of its inputs."""
    names = [b"n%d" % i for i in range(n)]
    return {"graph": graph([*(node(name, b"Foo") for name in names),
                            node(b"s", b"AddN", *names)]),
            "run": run_of((CPU, b"".join(
                record(name, start=NOON + i)
                for i, name in enumerate(names)) + b"".join(
                record(b"s", start=NOON + n + i) for i in range(n))))}


# ---- Outputs of a node ------------------------------------------------------

@shape(2000, scope=on_run("scope", *MICROS, *QUIET),
       op=on_run("op", "-select", "micros,device,op_types", *QUIET),
       graph=on_run("graph", "-select", "micros,device", *QUIET),
       advise=on_run("advise"), flops=on_run("flops"))
def readers_of_many_outputs(n):
    outputs = [b"n:%d" % i for i in range(n)]
    return {"graph": graph([
        node(b"n", b"Foo"), node(b"s", b"AddN", *outputs),
        *(node(b"k%d" % i, b"Relu", name)
          for i, name in enumerate(outputs))]),
        "run": run_of((CPU, record(b"n", outputs=[4] * n) + record(b"s")))}


SHAPES = ("-select", "micros,input_shapes")


@shape(2000, scope=on_run("scope", *SHAPES, *QUIET),
       csv=on_run("scope", *SHAPES, "--format", "csv"),
       timeline=on_run("graph", *TIMELINE))
def shapes_of_many_inputs(n):
    outputs = [b"n:%d" % i for i in range(n)]
    sums = [b"s0", b"s1", b"s2"]
    return {"graph": graph([
        node(b"n", b"Foo", attrs=shapes_attr(*[(1, 2)] * n)),
        *(node(name, b"AddN", *outputs) for name in sums)]),
        "run": run_of((CPU, record(b"n", outputs=[4] * n)
                       + b"".join(record(name) for name in sums)))}


# ---- Code -------------------------------------------------------------------

@shape(2000, sample=True,
       csv=on_all("code", *MICROS, *DEEP, "--format", "csv"),
       json=on_all("code", *MICROS, *DEEP, "--format", "json"),
       proto=on_all("code", *MICROS, *DEEP, "--format", "proto"),
       text=on_all("code", *MICROS), advise=on_all("advise"),
       pprof=on_all("code", *MICROS, *EVERY_SAMPLE),
       folded=on_all("code", *MICROS, *FOLDED),
       speedscope=on_all("code", *MICROS, *SPEEDSCOPE),
       page=on_all("code", *DEEP, *PAGE), report=on_all("report", *PAGE),
       timeline=on_all("code", *MICROS, *TIMELINE))
def frames_of_a_stack(n):
    names = [b"n%d" % i for i in range(10)]
    stack = b"".join(frame(1, i) for i in range(n))
    return {"graph": graph([node(name, b"Foo") for name in names]),
            "run": run_of((CPU, b"".join(record(name) for name in names))),
            "log": CODE + b"".join(
                entry(name, stack + frame(1, 10**6 + i))
                for i, name in enumerate(names))}


@shape(300, csv=on_all("code", *MICROS, *DEEP, "--format", "csv"),
       pprof=on_all("code", *MICROS, *EVERY_SAMPLE), advise=on_all("advise"),
       folded=on_all("code", *MICROS, *FOLDED),
       speedscope=on_all("code", *MICROS, *SPEEDSCOPE),
       profile=on_all("scope", *PROFILE))
def stacks_that_get_deeper(n):
    """Each is that of the node before and one frame more."""
    names = [b"n%d" % i for i in range(n)]
    frames = [frame(1, i) for i in range(n)]
    return {"graph": graph([node(name, b"Foo") for name in names]),
            "run": run_of((CPU, b"".join(record(name) for name in names))),
            "log": CODE + b"".join(
                entry(name, b"".join(frames[:i + 1]))
                for i, name in enumerate(names))}
