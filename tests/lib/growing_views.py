"""Shapes of test_growth.py: graphs, names and patterns, for the views."""

from faults import field, integer
from flops_models import graph, node, shape_attr
from growing import (DEEP, FOLDED, PAGE, PPROF, PROFILE, QUIET, SPEEDSCOPE,
                     TIMELINE, on_all, on_graph, on_log, on_run, shape,
                     shapes_attr)
from messages import (CPU, GPU, NOON, entry, frame, record, run_of, strings)

CODE = strings({1: b"a/m.py", 2: b"f", 3: b"x"})
SHAPES = ("-select", "params,input_shapes,float_ops")


def chain(n):
    return graph([node(b"n0", b"Foo"), *(
        node(b"n%d" % i, b"Foo", b"n%d" % (i - 1)) for i in range(1, n))])


# ---- Graphs -----------------------------------------------------------------

@shape(20000, graph=on_graph("graph", *QUIET),
       pprof=on_graph("graph", "-select", "params", *PPROF))
def nodes_of_a_chain(n):
    return {"graph": chain(n)}


@shape(1000, sample=True, squares=("pprof",),
       pprof=on_graph("graph", "-select", "params", *DEEP, *PPROF),
       json=on_graph("graph", *DEEP, "--format", "json"),
       csv=on_graph("graph", *DEEP, "--format", "csv"),
       page=on_graph("graph", *DEEP, *PAGE),
       report=on_graph("report", *PAGE),
       proto=on_graph("graph", *DEEP, "--format", "proto"))
def rows_of_a_chain(n):
    return {"graph": chain(n)}


@shape(3000, sample=True, graph=on_graph("graph", *DEEP, *QUIET),
       csv=on_graph("graph", *DEEP, "--format", "csv"),
       timeline=on_run("graph", *TIMELINE))
def edges_in_circles(n):
    nodes = [node(b"n%d" % i, b"Foo", b"n%d" % ((i + 1) % n),
                  b"n%d" % ((i * 7 + 1) % n)) for i in range(n)]
    return {"graph": graph(nodes), "run": run_of((CPU, b"".join(
        record(b"n%d" % i, start=NOON + i) for i in range(n))))}


@shape(5000, sample=True, scope=on_graph("scope", *QUIET),
       info=["info", "@graph"])
def nodes_of_one_name(n):
    return {"graph": graph([
        node(b"same", b"Foo%d" % i, b"same", attrs=shape_attr(b"shape", (2,)))
        for i in range(n)])}


@shape(1000, op=on_graph("op", *SHAPES),
       scope=on_graph("scope", *SHAPES, "--format", "json"))
def inputs_of_a_long_shape(n):
    return {"graph": graph([
        node(b"n0", b"Foo", attrs=shapes_attr([1] * n)),
        *(node(b"n%d" % i, b"Relu", b"n0", attrs=shapes_attr([1]))
          for i in range(1, n))])}


# ---- Names and patterns -----------------------------------------------------

@shape(2000, squares=("csv",),
       csv=on_graph("scope", *DEEP, "--format", "csv"),
       page=on_graph("scope", *PAGE),
       pprof=on_graph("scope", "-select", "params", *PPROF),
       folded=on_graph("scope", "-select", "occurrence", *FOLDED),
       speedscope=on_graph("scope", "-select", "occurrence", *SPEEDSCOPE),
       show=on_graph("scope", "-show_name_regexes", ".*b"),
       hide=on_graph("scope", "-hide_name_regexes", "a.*"),
       start=on_graph("scope", "-start_name_regexes", "a/a/a/b.*"),
       top=on_graph("scope", "--top", "3"), plain=on_graph("scope"))
def one_deep_name(n):
    return {"graph": graph([node(b"a/" * n + b"b", b"Foo")])}


def listed(word, count=500):
    return ",".join(f"{word}{i}" for i in range(count))


@shape(2000, sample=True,
       show=on_graph("scope", "-show_name_regexes", listed(".*x")),
       literal=on_graph("scope", "-show_name_regexes", listed("y")))
def names_for_many_patterns(n):
    return {"graph": graph([node(b"s/n%d" % i, b"Foo") for i in range(n)])}


@shape(100, nested=on_graph("scope", "-show_name_regexes", "(a|aa)+$"),
       stars=on_graph("scope", "-show_name_regexes", ".*a.*b.*c.*d"),
       groups=on_graph("scope", "-show_name_regexes",
                       "(.*)(.*)(.*)(.*)(.*)x"))
def long_names_for_patterns(n):
    return {"graph": graph([node(b"a" * 1000 + b"%d" % i, b"Foo")
                            for i in range(n)])}


# ---- Types ------------------------------------------------------------------

@shape(20000, sample=True, advise=on_all("advise"),
       op=on_run("op", "-select", "micros,op_types,device,input_shapes",
                 *QUIET))
def types_of_operations(n):
    log = b"".join(entry(b"n%d" % i, frame(1, i), types=[b"ty%d" % i])
                   for i in range(n))
    return {"graph": graph([node(b"n%d" % i, b"T%d" % i) for i in range(n)]),
            "run": run_of((GPU, b"".join(record(b"n%d" % i, end=i + 1)
                                         for i in range(n)))),
            "log": log + CODE}


TYPES = ("-select", "params,op_types", *QUIET)


@shape(500, op=on_log("op", *TYPES), scope=on_log("scope", *TYPES),
       account=on_log("scope", *TYPES, "-account_type_regexes", "ty1"),
       code=on_log("code", *TYPES))
def types_of_each_node(n):
    names = [b"n%d" % i for i in range(100)]
    types = [b"ty%d" % i for i in range(n)]
    return {"graph": graph([node(name, b"Foo",
                                 attrs=shape_attr(b"shape", (2,)))
                            for name in names]),
            "log": b"".join(entry(name, frame(1, 5), types=types)
                            for name in names) + CODE}


# ---- Files of other forms ---------------------------------------------------

@shape(5000, sample=True, info=["info", "@graph"], scope=on_graph("scope"),
       profile=on_graph("scope", *PROFILE))
def steps_of_a_profile(n):
    """A ProfileProto of n nodes, the first of which ran in n steps."""
    runs = b"".join(field(12, integer(1, i) + field(
        2, integer(1, 1) + integer(2, 100) + integer(3, 100)))
        for i in range(n))
    nodes = b"".join(field(1, integer(1, i) + field(
        2, field(1, b"n%d" % i) + field(9, b"Foo") + integer(13, i)
        + (b"" if i else runs))) for i in range(n))
    return {"graph": nodes + b"".join(integer(3, i) for i in range(n))}


@shape(20000, sample=True, info=["info", "@graph"],
       scope=on_graph("scope", *QUIET))
def nodes_in_text(n):
    return {"graph": b"".join(
        b'node { name: "n%d" op: "Foo" input: "n%d" attr { key: "a" '
        b'value { i: %d } } }\n' % (i, i - 1, i) for i in range(1, n + 1))}


@shape(200000, info=["info", "@graph"])
def pieces_of_a_string(n):
    return {"graph": b'node { name: "' + b'" "'.join([b"a"] * n)
            + b'" op: "Foo" }'}


@shape(100000, refused=True, info=["info", "@graph"])
def unknown_fields_in_text(n):
    return {"graph": b'node { name: "x" op: "Foo" } '
            + b"".join(b"zz%d: 1 " % i for i in range(n))}
