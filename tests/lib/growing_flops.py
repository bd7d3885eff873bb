"""Shapes of test_growth.py: nodes, tensors and variables, for `flops`."""

from flops_models import (FLOAT, INT32, call, graph, node, placeholder, read,
                          saved_model, saved_variable, shape_attr, string_attr,
                          type_attr, typed, types_attr, variable)
from growing import (PROFILE, QUIET, flops, many_inputs, number_attr, numbers,
                     on_graph, shape, shapes_attr)

INPUT = placeholder(b"p", (2, 3))


# ---- Tensors ----------------------------------------------------------------

@shape(2000, flops=flops(), tensors=flops("--list", "tensors"),
       nodes=flops("--list", "nodes"), json=flops("--format", "json"))
def ranks_that_grow(n):
    """Each node adds a dimension to what it is given."""
    return {"graph": graph([
        placeholder(b"n0", (2,)), numbers(b"ax", 0),
        *(typed(b"n%d" % (i + 1), b"ExpandDims", b"n%d" % i, b"ax",
                attrs=type_attr(b"Tdim", INT32)) for i in range(n))])}


@shape(2000, flops=flops(), tensors=flops("--list", "tensors"))
def readers_of_a_long_shape(n):
    return {"graph": graph([
        node(b"n0", b"Foo", attrs=shapes_attr([1] * n)),
        *(typed(b"n%d" % i, b"Relu", b"n0", attrs=shapes_attr([1]))
          for i in range(1, n))])}


@shape(3000, flops=flops())
def writes_to_a_tensor_list(n):
    kind = type_attr(b"element_dtype", FLOAT)
    return {"graph": graph([
        numbers(b"shape", 2), numbers(b"size", 4), numbers(b"i", 0),
        placeholder(b"p", (2,)),
        node(b"l0", b"TensorListReserve", b"shape", b"size",
             attrs=kind + type_attr(b"shape_type", INT32)),
        *(node(b"l%d" % (i + 1), b"TensorListSetItem", b"l%d" % i, b"i", b"p",
               attrs=kind) for i in range(n)),
        *(node(b"g%d" % i, b"TensorListGetItem", b"l%d" % i, b"i", b"shape",
               attrs=kind) for i in range(n))])}


@shape(3000, flops=flops())
def writes_to_arrays_and_stacks(n):
    kind, element = type_attr(b"dtype", FLOAT), type_attr(b"elem_type", FLOAT)
    flow = [b"ta:1", *(b"w%d" % i for i in range(n))]
    return {"graph": graph([
        numbers(b"size", 4), numbers(b"i", 0), placeholder(b"p", (2,)),
        node(b"ta", b"TensorArrayV3", b"size", attrs=kind),
        *(typed(b"w%d" % i, b"TensorArrayWriteV3", b"ta", b"i", b"p", flow[i])
          for i in range(n)),
        *(node(b"r%d" % i, b"TensorArrayReadV3", b"ta", b"i", flow[-1],
               attrs=kind) for i in range(n)),
        node(b"s", b"StackV2", b"size", attrs=element),
        *(typed(b"push%d" % i, b"StackPushV2", b"s", b"p")
          for i in range(n)),
        *(node(b"pop%d" % i, b"StackPopV2", b"s", attrs=element)
          for i in range(n))])}


@shape(3000, flops=flops())
def operations_on_many_inputs(n):
    inputs = [b"p"] * n
    return {"graph": graph([
        INPUT, numbers(b"ax", 0),
        node(b"c", b"ConcatV2", *inputs, b"ax",
             attrs=type_attr(b"T", FLOAT) + number_attr(b"N", n)),
        node(b"i", b"IdentityN", *inputs,
             attrs=types_attr(b"T", [FLOAT] * n)),
        many_inputs(b"e", b"Einsum", inputs, string_attr(
            b"equation", b",".join([b"ab"] * n) + b"->ab")),
        *(many_inputs(op, op, inputs)
          for op in (b"Pack", b"ShapeN", b"DynamicStitch"))])}


@shape(20000, flops=flops())
def a_long_equation(n):
    equation = b"a" * n + b"," + b"b" * n + b"->" + b"ab" * n
    return {"graph": graph([INPUT, many_inputs(
        b"e", b"Einsum", [b"p", b"p"], string_attr(b"equation", equation))])}


# ---- Names ------------------------------------------------------------------

@shape(200, flops=flops(), layers=flops("--list", "layers"))
def deep_names(n):
    return {"graph": graph([INPUT, *(
        typed(b"a/" * n + b"%d" % i, b"Relu", b"p") for i in range(n))])}


@shape(3000, flops=flops(), layers=flops("--list", "layers"))
def names_that_get_deeper(n):
    return {"graph": graph([INPUT, *(
        typed(b"a/" * min(i, 300) + b"a_%d" % i, b"Relu", b"p")
        for i in range(n))])}


@shape(20000, sample=True, flops=flops(), profile=on_graph("graph", *PROFILE))
def nodes_in_a_chain(n):
    return {"graph": graph([
        node(b"n0", b"Foo"),
        *(node(b"n%d" % i, b"Foo", b"n%d" % (i - 1)) for i in range(1, n))])}


@shape(1000, graph=on_graph("graph", "-max_depth", "100000", *QUIET),
       scope=on_graph("scope", *QUIET), flops=flops(),
       profile=on_graph("graph", *PROFILE))
def edges_that_repeat(n):
    return {"graph": graph([node(b"n0", b"Foo"), *(
        node(b"n%d" % i, b"Foo", *([b"n%d" % (i - 1)] * 50),
             *([b"^n%d" % max(0, i - 2)] * 10)) for i in range(1, n))])}


# ---- Variables --------------------------------------------------------------

VARIABLES = {"flops": flops(), "variables": flops("--list", "variables")}


def shared(name, sizes, shared_name):
    return node(name, b"VarHandleOp", attrs=type_attr(b"dtype", FLOAT)
                + shape_attr(b"shape", sizes)
                + string_attr(b"shared_name", shared_name))


@shape(3000, sample=True, **VARIABLES)
def variables_numbered_alike(n):
    names = [b"kernel", *(b"kernel_%d" % i for i in range(1, n))]
    return {"graph": graph([
        *(shared(name, (2, 3), b"kernel") for name in names),
        *(read(b"r%d" % i, name) for i, name in enumerate(names))])}


@shape(3000, **VARIABLES)
def handles_of_one_variable(n):
    return {"graph": graph([
        *(shared(b"v%d" % i, (2, 3), b"k") for i in range(n)),
        *(read(b"r%d" % i, b"v%d" % i) for i in range(n))])}


@shape(3000, **VARIABLES)
def saved_variables_of_one_name(n):
    top = graph([INPUT, typed(b"r", b"Relu", b"p"),
                 *(variable(b"v_%d" % i, (2, 3)) for i in range(n)),
                 *(read(b"r%d" % i, b"v_%d" % i) for i in range(n))])
    return {"graph": saved_model(
        top, variables=saved_variable(b"v", (2, 3), 1) * n)}


@shape(2000, flops=flops())
def captured_variables(n):
    """A call that takes each variable, of a function that is missing."""
    handles = [b"v%d" % i for i in range(n)]
    return {"graph": graph([
        *(variable(name, (2, 3)) for name in handles),
        call(b"c", b"missing", *handles, takes=[20] * n)])}
