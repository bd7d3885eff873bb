"""Twice the input takes about twice the time: how that is measured, and a long
input."""

import os
import resource
import statistics
import subprocess

from faults import SLOW
from program import TFPROF
from surroundings import PATIENCE

# Promised is 2.2; a busy machine, and inputs small enough for CI, add to it.
RATIO = 3.0
ROUNDS = 5 if SLOW else 3


def short(number, data):
    """A field of less than 128 bytes."""
    return b"%c%c%b" % (number << 3 | 2, len(data), data)


OP = short(2, b"NoOp")


def chain(count):
    """Each node is the only input of the next."""
    last = b""
    for i in range(count):
        name = b"n%d" % i
        yield short(1, short(1, name) + OP + last)
        last = short(3, name)


def spent(args):
    """Seconds of processor time that the program takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([TFPROF, *map(os.fspath, args)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def ratio(small, large):
    """(how many times more the large one takes, seconds of both): the median
    of each, from runs that alternate."""
    pairs = [(spent(small), spent(large)) for _ in range(ROUNDS)]
    a, b = (statistics.median(one) for one in zip(*pairs))
    return b / a, a, b


def check_linear(say, what, small, large):
    """Measures again when it looks wrong, for the machine may be busy."""
    for _ in range(3):
        times, a, b = ratio(small, large)
        if times <= RATIO:
            break
    say(f"{what}: {times:.2f} times ({a:.3f} s, {b:.3f} s)")
    assert times <= RATIO
