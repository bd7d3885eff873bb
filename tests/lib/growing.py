"""Inputs that grow: shapes of any size, each with questions about it.

A shape makes its files for a size n. The programs that read them must take
time in proportion to the bytes, whatever n is. The shapes are those that break
programs with a table or a list that is searched from its start: many of one
thing (devices, runs, variables, branches, names), or one thing that is long.

test_growth.py measures them. The shapes stand in growing_calls.py,
growing_flops.py, growing_views.py, growing_runs.py and growing_traces.py.
"""

import typing

from faults import field, integer
from flops_models import FLOAT, INT32, node, type_attr
from messages import attribute, dims

BOOL = 10
NOWHERE = "outfile=/dev/null"


class Shape(typing.NamedTuple):
    name: str
    make: typing.Callable  # of a size, {"graph", "run", "log": bytes}
    count: int  # the smallest size that is measured
    asks: dict  # name -> arguments; "@graph" is the path of that file
    sample: bool  # measured in every run, not with TFPROF_SLOW=1 alone
    least: int  # the smallest size that there is
    bounded: bool  # its work is bounded by the budget of the walk alone
    squares: tuple  # asks whose answers have a path or a list in every row
    refused: bool  # with exit code 1, after it was read


SHAPES = {}


def shape(count, sample=False, least=1, bounded=False, squares=(),
          refused=False, **asks):
    def add(make):
        assert make.__name__ not in SHAPES
        SHAPES[make.__name__] = Shape(make.__name__, make, count, asks, sample,
                                      least, bounded, squares, refused)
        return make
    return add


# ---- Questions --------------------------------------------------------------

def flops(*options):
    return ["flops", "@graph", "-q", *options]


def on_graph(command, *options):
    return [command, "@graph", "-q", *options]


def on_run(command, *options):
    return [command, "@graph", "@run", "-q", *options]


def on_log(command, *options):
    return [command, "@graph", "@log", "-q", *options]


def on_all(command, *options):
    return [command, "@graph", "@run", "@log", "-q", *options]


QUIET = ("-output", "none")
DEEP = ("-max_depth", "1000000")
PROFILE = ("-output", f"profile:{NOWHERE}")
TIMELINE = ("-step", "0", *DEEP, "-output", f"timeline:{NOWHERE}")
PAGE = ("-output", f"html:{NOWHERE}")
PPROF = ("-output", f"pprof:{NOWHERE}")
FOLDED = (*DEEP, "-output", f"folded:{NOWHERE}")
SPEEDSCOPE = (*DEEP, "-output", f"speedscope:{NOWHERE}")
EVERY_SAMPLE = (*DEEP, "-output", f"pprof:{NOWHERE},samples=all")
COSTS = ("-select", "micros,bytes,params,device,op_types,input_shapes")
VIEWS = {view: on_run(view, *COSTS, *QUIET)
         for view in ("scope", "graph", "op")}


# ---- Nodes, beside those of flops_models.py ---------------------------------

def number_attr(name, value):
    return attribute(name, integer(3, value))


def numbers_attr(name, values):
    return attribute(name, field(1, b"".join(integer(3, v) for v in values)))


def functions_attr(name, functions):
    return attribute(name, field(1, b"".join(field(9, field(1, function))
                                             for function in functions)))


def shapes_attr(*shapes):
    return attribute(b"_output_shapes", field(1, b"".join(
        field(7, dims(*sizes)) for sizes in shapes)))


def numbers(name, *values):
    """A constant of INT32; one value is a scalar."""
    sizes = (len(values),) if len(values) != 1 else ()
    tensor = (integer(1, INT32) + field(2, dims(*sizes))
              + b"".join(integer(7, value) for value in values))
    return node(name, b"Const", attrs=type_attr(b"dtype", INT32)
                + attribute(b"value", field(8, tensor)))


def many_inputs(name, op, inputs, attrs=b"", dtype=FLOAT):
    """A node with an attribute N, the number of its inputs."""
    return node(name, op, *inputs, attrs=type_attr(b"T", dtype)
                + number_attr(b"N", len(inputs)) + attrs)
