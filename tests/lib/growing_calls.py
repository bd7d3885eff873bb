"""Shapes of test_growth.py: functions, loops and branches, for `flops`."""

from flops_models import (FLOAT, INT32, bool_attr, call, function,
                          function_attr, graph, node, placeholder, saved_model,
                          signature, string_attr, tensor_info, type_attr,
                          typed, types_attr)
from growing import (BOOL, QUIET, flops, functions_attr, many_inputs,
                     number_attr, numbers, numbers_attr, on_graph, shape,
                     shapes_attr)
from messages import CPU, record, run_of

ONE = [(b"x", FLOAT)]  # what most functions here take
WALK = ("-select", "float_ops", "-functions", "walk")


# ---- Call trees that double -------------------------------------------------

def doubling(levels, leaf, result, prefix=b"", more=()):
    """Functions that each call the next one twice; `leaf` has the nodes of the
    last, which is called 2^levels times."""
    functions = [function(b"f%d" % level, ONE, [
        call(prefix + word, b"f%d" % (level + 1), b"x")
        for word in (b"a", b"b")], [(b"y", FLOAT, prefix + b"a:output:0")])
        for level in range(levels)]
    functions.append(function(b"f%d" % levels, ONE, leaf,
                              [(b"y", FLOAT, result)]))
    return {"graph": graph([placeholder(b"p", (2, 3)),
                            call(prefix + b"c", b"f0", b"p")],
                           [*functions, *more])}


@shape(6000, sample=True, bounded=True, flops=flops())
def leaf_with_many_inputs(n):
    return doubling(14, [many_inputs(b"s", b"AddN", [b"x"] * n)], b"s:sum:0")


@shape(4000, bounded=True, walk=on_graph("scope", *WALK, *QUIET))
def walked_leaf_with_many_inputs(n):
    return doubling(10, [many_inputs(b"s", b"AddN", [b"x"] * n)], b"s:sum:0")


@shape(10000, bounded=True, flops=flops())
def leaf_with_many_control_inputs(n):
    return doubling(14, [typed(b"r", b"Relu", b"x", *([b"^x"] * n))],
                    b"r:activations:0")


@shape(2000, bounded=True, flops=flops(),
       nodes=flops("--list", "nodes", *QUIET))
def calls_with_long_names(n):
    return doubling(14, [typed(b"r", b"Relu", b"x")], b"r:activations:0",
                    b"q" * n)


@shape(2000, bounded=True, flops=flops(),
       nodes=flops("--list", "nodes", *QUIET),
       walk=on_graph("scope", *WALK, *QUIET))
def leaf_with_a_long_name(n):
    return doubling(14, [typed(b"q" * n, b"Relu", b"x")],
                    b"q" * n + b":activations:0")


@shape(20000, bounded=True, flops=flops())
def leaf_with_a_long_equation(n):
    return doubling(14, [many_inputs(
        b"e", b"Einsum", [b"x", b"x"],
        string_attr(b"equation", b"ab,ab->" + b"ab" * n))], b"e:output:0")


@shape(2000, bounded=True, flops=flops())
def leaf_with_many_attributes(n):
    return doubling(14, [typed(
        b"e", b"Conv2D", b"x", b"x",
        attrs=b"".join(number_attr(b"zz%d" % i, i) for i in range(n))
        + string_attr(b"padding", b"SAME")
        + numbers_attr(b"strides", [1] * 4))], b"e:output:0")


@shape(2000, bounded=True, flops=flops())
def leaf_with_long_lists(n):
    return doubling(14, [typed(
        b"e", b"Conv2D", b"x", b"x",
        attrs=string_attr(b"padding", b"EXPLICIT")
        + numbers_attr(b"explicit_paddings", [1] * n)
        + numbers_attr(b"strides", [1] * n))], b"e:output:0")


@shape(2000, bounded=True, flops=flops())
def leaf_with_many_outputs(n):
    return doubling(12, [node(b"e", b"Foo", b"x",
                              attrs=shapes_attr(*[(1,)] * n))], b"e:output:0")


@shape(2000, bounded=True, flops=flops())
def leaf_that_calls_with_many_inputs(n):
    inner = function(b"leaf", ONE, [], [(b"y", FLOAT, b"x")])
    return doubling(13, [call(b"z", b"leaf", *([b"x"] * n))], b"z:output:0",
                    more=[inner])


@shape(15, least=2, bounded=True, flops=flops(), op=on_graph("op", *WALK),
       scope=on_graph("scope", *WALK))
def levels_of_calls(n):
    return doubling(n, [typed(b"r", b"Relu", b"x")], b"r:activations:0")


# ---- Many functions ---------------------------------------------------------

def one_signature(key, output):
    return signature(key, {b"x": tensor_info(b"p:0", (2, 3))},
                     {b"y": tensor_info(output, (2, 3))})


@shape(1500, sample=True, flops=flops())
def functions_called_once(n):
    functions = [function(b"f%d" % i, ONE, [typed(b"r", b"Relu", b"x")],
                          [(b"y", FLOAT, b"r:activations:0")])
                 for i in range(n)]
    top = graph([placeholder(b"p", (2, 3)),
                 *(call(b"c%d" % i, b"f%d" % i, b"p") for i in range(n))],
                functions)
    return {"graph": saved_model(top, one_signature(b"serving_default",
                                                    b"c0:0"))}


@shape(3000, flops=flops(), uncounted=flops("--list", "uncounted"),
       layers=flops("--list", "layers"))
def functions_that_are_missing(n):
    return {"graph": graph([
        placeholder(b"p", (2, 3)),
        *(call(b"c%d/x" % i, b"missing%d" % i, b"p") for i in range(n))])}


@shape(3000, flops=flops(), info=["info", "@graph"])
def signatures(n):
    top = graph([placeholder(b"p", (2, 3)), typed(b"r", b"Relu", b"p")])
    return {"graph": saved_model(top, b"".join(
        one_signature(key, b"r:0")
        for key in [*(b"s%d" % i for i in range(n)), b"serving_default"]))}


@shape(2000, flops=flops(), tensors=flops("--list", "tensors"))
def results_of_a_function(n):
    """Each is an input of one node beside the call."""
    inner = function(b"f", ONE, [], [(b"port%d" % i, FLOAT, b"x")
                                     for i in range(n)])
    outer = function(b"g", ONE, [
        node(b"c", b"f", b"x"),
        many_inputs(b"s", b"AddN", [b"c:port%d:0" % i for i in range(n)]),
    ], [(b"y", FLOAT, b"s:sum:0")])
    return {"graph": graph([placeholder(b"p", (2, 3)),
                            node(b"cc", b"g", b"p")], [inner, outer])}


@shape(2000, flops=flops(), scope=on_graph("scope"))
def attributes_of_nodes_with_ports(n):
    """How many tensors a port has is looked up among n attributes, for each
    of n edges."""
    attrs = (b"".join(number_attr(b"zz%d" % i, i) for i in range(n))
             + number_attr(b"N", 4))
    body = function(b"f", ONE, [
        node(b"c", b"ConcatOffset", b"x", attrs=attrs),
        node(b"u", b"Unique", b"x", attrs=attrs),
        node(b"t", b"TopKV2", b"x", b"x", attrs=attrs),
        node(b"n", b"FusedBatchNormV3", b"x", attrs=attrs),
        many_inputs(b"s", b"AddN", [b"t:indices:0"] * n),
    ], [(b"y", FLOAT, b"s:sum:0")])
    return {"graph": graph([placeholder(b"p", (2, 3)),
                            node(b"cc", b"f", b"p")], [body])}


# ---- While and Case ---------------------------------------------------------

@shape(1000, sample=True, flops=flops())
def variables_of_a_while(n):
    """The counter is one that has to be followed round by round."""
    takes = [(b"i", INT32), *((b"v%d" % i, INT32) for i in range(n))]
    body = function(b"body", takes, [
        numbers(b"one", 1),
        typed(b"a", b"Mul", b"i", b"one:output:0", dtype=INT32),
        typed(b"b", b"AddV2", b"a:z:0", b"one:output:0", dtype=INT32),
    ], [(b"r", INT32, b"b:z:0"),
        *((b"r%d" % i, INT32, b"v%d" % i) for i in range(n))])
    condition = function(b"cond", takes, [
        numbers(b"limit", 10**9),
        typed(b"l", b"Less", b"i", b"limit:output:0", dtype=INT32),
    ], [(b"r", BOOL, b"l:z:0")])
    return {"graph": graph([
        numbers(b"z", 0),
        node(b"w", b"While", *([b"z"] * (n + 1)),
             attrs=types_attr(b"T", [INT32] * (n + 1))
             + function_attr(b"cond", b"cond")
             + function_attr(b"body", b"body")),
    ], [body, condition])}


@shape(4, least=2, bounded=True, flops=flops())
def whiles_in_whiles(n):
    """Each body changes the rank of what it is given."""
    def loop(source, level):
        return node(b"w", b"While", source, attrs=types_attr(b"T", [FLOAT])
                    + function_attr(b"cond", b"c")
                    + function_attr(b"body", b"b%d" % level))

    def body(level, first, source):
        return function(b"b%d" % level, ONE, [
            *first, numbers(b"ax", 0),
            typed(b"e", b"ExpandDims", source, b"ax:output:0",
                  attrs=type_attr(b"Tdim", INT32)),
        ], [(b"y", FLOAT, b"e:output:0")])

    return {"graph": graph([placeholder(b"p", (2, 3)), loop(b"p", 0)], [
        function(b"c", ONE, [node(b"t", b"Foo", b"x")],
                 [(b"r", BOOL, b"t:o:0")]),
        *(body(level, [loop(b"x", level + 1)], b"w:output:0")
          for level in range(n)),
        body(n, [], b"x")])}


@shape(2000, least=2, flops=flops())
def branches_and_inputs_of_a_case(n):
    return {"graph": graph([
        numbers(b"a", 0),
        node(b"c", b"Case", *([b"a"] * n),
             attrs=types_attr(b"Tin", [INT32] * (n - 1))
             + functions_attr(b"branches", [b"f"] * n)),
    ], [function(b"f", [], [], [])])}


@shape(2000, flops=["flops", "@graph", "@run", "-q"])
def outputs_that_were_recorded(n):
    nodes = [node(b"k", b"Split", attrs=types_attr(b"num_split", [1] * n)),
             node(b"k2", b"UnknownOp", attrs=shapes_attr(*[()] * n))]
    records = b"".join(record(name, outputs=[4] * n) for name in (b"k", b"k2"))
    return {"graph": graph(nodes), "run": run_of((CPU, records))}


# ---- Loops of TensorFlow 1 --------------------------------------------------

def counting(prefix, start, limit):
    """The nodes of one loop that counts from `start` to `limit`; its result is
    PREFIX + "x", what a body may take is PREFIX + "s:1"."""
    def one(word, op, *inputs, attrs=b""):
        return typed(prefix + word, op, *inputs, dtype=INT32, attrs=attrs)

    frame = string_attr(b"frame_name", prefix)
    return [
        one(b"e", b"Enter", start, attrs=frame),
        one(b"l", b"Enter", limit, attrs=frame + bool_attr(b"is_constant", 1)),
        one(b"m", b"Merge", prefix + b"e", prefix + b"n",
            attrs=number_attr(b"N", 2)),
        one(b"less", b"Less", prefix + b"m", prefix + b"l"),
        node(prefix + b"LoopCond", b"LoopCond", prefix + b"less"),
        one(b"s", b"Switch", prefix + b"m", prefix + b"LoopCond"),
        one(b"a", b"Add", prefix + b"s:1", b"one"),
        one(b"n", b"NextIteration", prefix + b"a"),
        one(b"x", b"Exit", prefix + b"s"),
    ]


START = [numbers(b"zero", 0), numbers(b"one", 1), numbers(b"limit", 3)]


@shape(1000, flops=flops())
def loops_side_by_side(n):
    return {"graph": graph(START + [
        part for i in range(n)
        for part in counting(b"w%d/" % i, b"zero", b"limit")])}


@shape(1000, sample=True, flops=flops())
def loops_that_await_each_other(n):
    """The bound of each is the result of the one before."""
    nodes, limit = list(START), b"limit"
    for i in range(n):
        nodes += counting(b"w%d/" % i, b"zero", limit)
        limit = b"w%d/x" % i
    return {"graph": graph(nodes)}


@shape(1000, flops=flops())
def loops_in_loops(n):
    nodes, start = list(START), b"zero"
    for i in range(n):
        nodes += counting(b"w%d/" % i, start, b"limit")
        start = b"w%d/s:1" % i
    return {"graph": graph(nodes)}


@shape(1000, flops=flops())
def variables_that_weaken_each_other(n):
    """A loop whose variables move on by one; the first is of another shape."""
    frame = string_attr(b"frame_name", b"w")
    nodes = [placeholder(b"p", (2, 3)), placeholder(b"q", (4, 5)),
             node(b"LoopCond", b"LoopCond", b"m0")]
    for i in range(n):
        nodes += [
            typed(b"e%d" % i, b"Enter", b"p" if i else b"q", attrs=frame),
            typed(b"m%d" % i, b"Merge", b"e%d" % i, b"n%d" % i,
                  attrs=number_attr(b"N", 2)),
            typed(b"s%d" % i, b"Switch", b"m%d" % i, b"LoopCond"),
            typed(b"n%d" % i, b"NextIteration", b"s%d:1" % ((i - 1) % n)),
            typed(b"x%d" % i, b"Exit", b"s%d" % i)]
    return {"graph": graph(nodes)}


@shape(3000, flops=flops())
def conditions_one_after_the_other(n):
    nodes = [placeholder(b"m", (2, 3)), placeholder(b"b", (), BOOL)]
    last = b"m"
    for i in range(n):
        nodes += [typed(b"s%d" % i, b"Switch", last, b"b"),
                  typed(b"m%d" % i, b"Merge", b"s%d" % i, b"s%d:1" % i,
                        attrs=number_attr(b"N", 2))]
        last = b"m%d" % i
    return {"graph": graph(nodes)}
