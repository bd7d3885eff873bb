"""Seeds of the target session: files, options and questions in one go.

The head is that of fuzz_session.c, field by field.
"""

import struct

from . import schema
from .encode import wire
from .samples import SAMPLES

ROLES = {"graph": 1, "saved_model": 1, "run_metadata": 2, "op_log": 3,
         "profile": 4}
ALLOCATIONS, CANCEL, WRITES, MISUSE, ALSO_WITHOUT = 1, 2, 4, 8, 16

# Bytes of a script: what is asked, with what in the upper half.
ADD, VIEW, KEEP, ADVISE, FINDINGS, FLOPS, INFO, SAVE, COUNT, NAMES, OPTIONS = (
    0, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15)


def ask(what, which=0):
    return 0x80 | which << 4 | what


def everything():
    """Each question once; where it has forms, in each of them."""
    return [*(ask(VIEW, view) for view in range(4)), ask(KEEP), ask(ADVISE),
            ask(FINDINGS), ask(FLOPS), ask(INFO), ask(SAVE), ask(COUNT),
            ask(NAMES, 2), ask(KEEP, 2)]


def seed(flags, settings, *files):
    """Files are (role, bytes). The options come before and between the
    questions, which are all asked twice."""
    script = [*settings[:4], *(ask(ADD, i) for i in range(len(files))),
              *everything()[:-1], *settings[4:], ask(OPTIONS, 4),
              *everything(), ask(OPTIONS, 2)]
    return (bytes([flags, 40, 20, 5]) + struct.pack("<I", 0x2545f491 + flags)
            + bytes([len(script), *script])
            + b"".join(bytes([role]) + struct.pack("<H", len(data)) + data
                       for role, data in files))


def sample(kind, name=None):
    pairs = SAMPLES[kind][name or next(iter(SAMPLES[kind]))]
    return ROLES[kind], wire(schema.ROOTS[kind], pairs)


# Options by their place in the table of fuzz_session.c.
WIDE, EVERY_COLUMN, JSON, CSV, PROTO = 0, 14, 26, 27, 28
WALK, FULL, TENSORS, TIMELINE, PPROF, PROFILE, SALVAGE = (
    34, 37, 49, 67, 68, 70, 84)


def seeds():
    graph, run, log = sample("graph"), sample("run_metadata"), sample("op_log")
    _, later = run
    odd = [sample(kind, "odd") for kind in ("graph", "run_metadata", "op_log")]
    yield "sample_plain", seed(0, [WIDE, EVERY_COLUMN], graph, run, log)
    # Each value of the table is valid, however early it is given.
    yield "sample_every_option", seed(0, bytes(range(128)), graph, run, log)
    yield "sample_steps", seed(0, [JSON], graph, run, (0x87, later),
                               (0xc0, later))
    yield "sample_model", seed(0, [WALK, FULL, CSV, WIDE, TENSORS],
                               sample("saved_model"))
    yield "sample_profile", seed(0, [SALVAGE, EVERY_COLUMN, PROTO],
                                 sample("profile"), (0, log[1]))
    yield "OU-01_writers_that_fail", seed(WRITES, [JSON], graph, run, log)
    yield "ME-04_memory_that_fails", seed(
        ALLOCATIONS | ALSO_WITHOUT, [WIDE, EVERY_COLUMN, WALK, FULL, TIMELINE],
        graph, run, log)
    yield "sample_cancelled", seed(CANCEL, [WIDE, WALK], graph, run, log)
    yield "LB-01_callbacks_that_misuse", seed(
        MISUSE | ALSO_WITHOUT, [WIDE, EVERY_COLUMN], graph, run, log)
    yield "sample_odd", seed(ALLOCATIONS | CANCEL | WRITES | MISUSE,
                             [SALVAGE, WIDE, EVERY_COLUMN, WALK, PPROF], *odd)
    yield "sample_written", seed(0, [SALVAGE, WIDE, EVERY_COLUMN, WALK,
                                     PROFILE], *odd)
