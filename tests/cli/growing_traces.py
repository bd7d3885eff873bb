"""Traces that grow: long texts that many events refer to, and links that
repeat. See growing.py."""

from growing import QUIET, shape
from trace_build import Plane, space

ASK = ["op", "@trace", "-q", *QUIET]


def stream(gpu, events):
    return {"trace": space(gpu.line(1, "Stream #1", *events))}


@shape(4000, sample=True, op=ASK)
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
