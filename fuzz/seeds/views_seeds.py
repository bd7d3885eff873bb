"""Seeds of the target views: files, and how to look at them.

The head is that of fuzz_views.c, field by field.
"""

import struct
from typing import NamedTuple

from . import other_seeds, schema
from .encode import text, wire
from .samples import FLOAT, SAMPLES, attr, shape

VIEWS = ("scope", "graph", "op", "code")
FORMATS = ("text", "json", "csv", "proto")
ROLES = {None: 0, "graph": 1, "run_metadata": 2, "step_stats": 2, "op_log": 3,
         "profile": 4}
ALL = 0x7fff  # every word of select
AUTO = 0x8000
ORDERS = 12
PATTERNS = 14
MINIMA = 10
OPTIONS = ("account", "start", "trim", "show", "hide", "devices")


class Look(NamedTuple):
    view: str = "scope"
    format: str = "text"
    only_displayed: bool = False
    salvage: bool = False
    draws: bool = False
    select: int = ALL
    order: int = 0
    depth: int = 7  # 2^31 - 1
    minimum: int = 0
    amount: int = 0
    step: int = 0
    patterns: dict = {}
    pprof: bool = False
    pprof_all: bool = False


def seed(look, *files):
    """Files are (kind, bytes); of no kind, the bytes must tell."""
    halves = [look.patterns.get(name, 0) for name in OPTIONS]
    kinds = [ROLES[kind] for kind, _ in files] + [0]
    data = [data for _, data in files]
    return bytes([
        VIEWS.index(look.view) | FORMATS.index(look.format) << 2 |
        look.only_displayed << 4 | look.salvage << 5 | look.draws << 6 |
        look.pprof << 7,
        look.select & 255, look.select >> 8,
        look.order | look.depth << 4,
        look.minimum | look.amount << 4,
        look.step | look.pprof_all << 7,
        *(halves[i] | halves[i + 1] << 4 for i in (0, 2, 4)),
        kinds[0] | kinds[1] << 4,
    ]) + struct.pack("<H", len(data[0])) + b"".join(data)


# ---- A small model that has all that views look at --------------------------


def node(name, op, *inputs, at="", attrs=()):
    return ("node", [("name", name), ("op", op),
                     *(("input", i) for i in inputs),
                     *([("device", at)] if at else []), *attrs])


def outputs(*shapes):
    return attr("_output_shapes", ("list", [("shape", s) for s in shapes]))


GRAPH = [
    node("a/w", "VariableV2", at="/device:CPU:0",
         attrs=[attr("shape", ("shape", shape(3, 4))), outputs(shape(3, 4))]),
    node("a/scalar", "VariableV2", attrs=[attr("shape", ("shape", []))]),
    node("x", "Placeholder", attrs=[attr("dtype", ("type", FLOAT)),
                                    outputs(shape(-1, 3))]),
    node("a/mul", "MatMul", "x", "a/w:0", attrs=[outputs(shape(-1, 4))]),
    node("a", "NoOp", "^a/mul"),
    node("a/mul/inner", "Relu", "a/mul:1", attrs=[outputs(shape(2), [])]),
    node("a//double", "Relu", "a/mul/inner"),
    node("/lead", "Relu", "a//double:0", "gone:3"),
    node("gradients/a/mul_grad/MatMul", "MatMul", "a/mul", "/lead"),
    node("loop/enter", "Enter", "loop/next"),
    node("loop/next", "NextIteration", "loop/enter"),
    node("loop/self", "Merge", "loop/self"),
]


def stats(name, start=100, end=7, total=64):
    return ("node_stats", [
        ("node_name", name), ("all_start_micros", start),
        ("op_end_rel_micros", end), ("all_end_rel_micros", end + 1),
        ("memory", [("allocator_name", "cpu"), ("total_bytes", total),
                    ("peak_bytes", total), ("live_bytes", total // 2)]),
        ("memory_stats", [("temp_memory_size", 8),
                          ("persistent_memory_size", 4)]),
        ("output", [("tensor_description", [("allocation_description", [
            ("requested_bytes", 48), ("allocated_bytes", 64)])])]),
    ])


RUN = [("step_stats", [
    ("dev_stats", [("device", "/job:w/replica:0/task:0/device:CPU:0"),
                   stats("a/w"), stats("a/mul"), stats("a/mul", 130, 0),
                   stats("RecvTensor"), stats("only/ran")]),
    ("dev_stats", [("device", "/job:w/replica:0/task:0/device:GPU:0"),
                   stats("a/mul"), stats("gradients/a/mul_grad/MatMul"),
                   stats("a/mul/inner", 0)]),
    ("dev_stats", [("device", "/device:GPU:0/stream:all"),
                   stats("a/mul:MatMul"), stats("MEMCPYDtoH", 5)]),
    ("dev_stats", [("device", "/device:TPU:0"), stats("x")]),
])]


def code(*lines):
    return ("code_def", [("traces", [
        ("file_id", 1), ("lineno", line), ("function_id", 2), ("line_id", 3)])
        for line in lines])


LOG = [
    ("log_entries", [("name", "a/w"), ("types", "_trainable_variables"),
                     code(1, 2)]),
    ("log_entries", [("name", "a/mul"), ("float_ops", 128), code(1, 3)]),
    ("log_entries", [("name", "gradients/a/mul_grad/MatMul"),
                     ("float_ops", 256), code(1, 9)]),
    ("log_entries", [("name", "x"), code(1)]),
    ("id_to_string", [("key", 1), ("value", "/src/model.py")]),
    ("id_to_string", [("key", 2), ("value", "a_function_of_a_long_name")]),
    ("id_to_string", [("key", 3), ("value", "y = x @ w")]),
]

NEGATIVE_RUN = [("step_stats", [("dev_stats", [
    ("device", "/cpu:0"), stats("a/mul", 100, -7, -64), stats("x", 1, 2**63 - 1,
                                                              2**63 - 1),
    stats("x", 1, 2**63 - 1, 2**63 - 1)])])]

MODEL = {"graph": wire("GraphDef", GRAPH), "run_metadata": wire(
    "RunMetadata", RUN), "op_log": wire("OpLogProto", LOG)}
PROFILE = ("profile", wire("ProfileProto", SAMPLES["profile"]["profile"]))
GRAPH_AND_RUN = (("graph", MODEL["graph"]),
                 ("run_metadata", MODEL["run_metadata"]))
GRAPH_AND_LOG = (("graph", MODEL["graph"]), ("op_log", MODEL["op_log"]))


def files_for(view):
    return GRAPH_AND_LOG if view == "code" else GRAPH_AND_RUN


# ---- Seeds ------------------------------------------------------------------


def forms():
    """Every view in every format, of every pair of files."""
    for view in VIEWS:
        for format in FORMATS:
            for name, files in (("run", GRAPH_AND_RUN), ("log", GRAPH_AND_LOG),
                                ("profile", [PROFILE])):
                yield (f"form_{view}_{format}_{name}",
                       seed(Look(view, format), *files))


def options():
    """Every value of every option, in one view or another."""
    turn = 0
    for order in range(ORDERS):
        view = VIEWS[turn % 4]
        turn += 1
        yield f"order_{order}_{view}", seed(
            Look(view, order=order, select=1 << order), *files_for(view))
    for depth in range(8):
        view = VIEWS[turn % 4]
        turn += 1
        yield f"depth_{depth}_{view}", seed(
            Look(view, depth=depth, only_displayed=depth % 2 == 0),
            *files_for(view))
    for minimum in range(1, MINIMA + 1):
        for amount in (1, 7):
            view = VIEWS[turn % 4]
            turn += 1
            yield f"minimum_{minimum}_{amount}_{view}", seed(
                Look(view, minimum=minimum, amount=amount), *files_for(view))
    for i, option in enumerate(OPTIONS):
        for pattern in range(1, PATTERNS):
            view = VIEWS[(i + pattern) % 4]
            yield f"pattern_{option}_{pattern}_{view}", seed(
                Look(view, FORMATS[pattern % 4], pattern % 5 == 0,
                     patterns={option: pattern}), *files_for(view))
    for step in range(4):
        yield f"step_{step}", seed(Look("op", step=step), *GRAPH_AND_RUN)
    for view in VIEWS:
        for everything in (False, True):
            yield f"pprof_{view}{'_all' * everything}", seed(
                Look(view, depth=everything * 3, pprof=True,
                     pprof_all=everything), *files_for(view))
    yield "select_auto", seed(Look(select=AUTO), *GRAPH_AND_RUN)
    yield "select_auto_graph", seed(Look(select=AUTO), GRAPH_AND_RUN[0])


def odd_files():
    """Files that are not what a view would like."""
    negative = ("run_metadata", wire("RunMetadata", NEGATIVE_RUN))
    for view in VIEWS:
        look = Look(view, "json")
        yield f"nothing_{view}", seed(look, (None, b""))
        yield f"runs_alone_{view}", seed(look, GRAPH_AND_RUN[1])
        yield f"log_alone_{view}", seed(look, GRAPH_AND_LOG[1])
        yield f"turned_round_{view}", seed(look, *GRAPH_AND_RUN[::-1])
        yield f"twice_{view}", seed(look, PROFILE, PROFILE)
        yield f"negative_{view}", seed(look._replace(format="text"),
                                       GRAPH_AND_RUN[0], negative)
        yield f"cut_{view}", seed(look._replace(salvage=True), GRAPH_AND_RUN[0],
                                  ("run_metadata",
                                   MODEL["run_metadata"][:-20]))
    for kind, root in schema.ROOTS.items():
        view = VIEWS[len(kind) % 4]
        for name, pairs in SAMPLES[kind].items():
            yield f"sample_{kind}_{name}", seed(
                Look(view), (None, wire(root, pairs)))
    yield "sample_text_graph", seed(
        Look("graph"), (None, text("GraphDef", GRAPH, style=2).encode()))


ALLOCATIONS = [("step_stats", [
    ("dev_stats", [("device", "/device:GPU:0"), *(
        ("node_stats", [
            ("node_name", name), ("all_start_micros", start),
            ("op_end_rel_micros", 90),
            ("memory", [("allocator_name", "GPU_0_bfc"),
                        ("allocator_bytes_in_use", 1000 + start),
                        ("allocation_records", [("alloc_micros", start),
                                                ("alloc_bytes", 700)]),
                        ("allocation_records", [("alloc_micros", start + 250),
                                                ("alloc_bytes", -700)])])])
        for name, start in (("a/w", 100), ("a/mul", 100), ("a/mul", 300),
                            ("x", 200)))]),
    ("dev_stats", [("device", "/device:GPU:0/stream:all"),
                   stats("a/mul:MatMul", 320)])])]


def timelines():
    """Also as pictures: runs, memory, costs that do not add up, profiles."""
    files = {
        "run": GRAPH_AND_RUN,
        "log": (("op_log", MODEL["op_log"]), GRAPH_AND_RUN[1]),
        "memory": (GRAPH_AND_RUN[0],
                   ("run_metadata", wire("RunMetadata", ALLOCATIONS))),
        "negative": (GRAPH_AND_RUN[0],
                     ("run_metadata", wire("RunMetadata", NEGATIVE_RUN))),
        "profile": (PROFILE,),
    }
    for view in ("scope", "graph", "code"):
        for name, those in files.items():
            yield f"timeline_{view}_{name}", seed(
                Look(view, draws=True, step=1), *those)
            yield f"timeline_{view}_{name}_few", seed(
                Look(view, draws=True, depth=3, minimum=5, amount=1,
                     only_displayed=True), *those)


def names():
    for i, (name, data) in enumerate(other_seeds.names()):
        if name.startswith("OU-10_graph") or name.startswith("OU-10_device"):
            yield name, seed(Look(VIEWS[i % 3], FORMATS[i // 3 % 4]),
                             (None, data))
    name = b"-a\"b,c\x1b[2J\xe2\x80\xae=1"
    for format in FORMATS:
        yield f"OU-12_{format}", seed(Look("op", format), ("graph", wire(
            "GraphDef", [node(name, name, at="=b"), node("=x", "@y", name)])))


def seeds():
    yield "empty", b""
    yield from forms()
    yield from options()
    yield from odd_files()
    yield from timelines()
    yield from names()


def dictionary():
    words = [b"/device:gpu:0", b"/device:CPU:0", b"/cpu:0", b"/device:SYCL:0",
             b"/stream:all", b"gradients/", b"_grad/", b"MEMCPY", b"RecvTensor",
             b"_SOURCE", b"shape", b"_output_shapes", b"_TFProfRoot",
             b"_trainable_variables", b"a/mul", b"a/", b"//", b":0", b"^a",
             b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
             b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f"]
    return [(f"word_{i}", word) for i, word in enumerate(words)]
