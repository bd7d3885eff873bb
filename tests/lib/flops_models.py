"""Small models to count, in wire bytes: graphs, functions, SavedModels."""

import json

from faults import field, integer, run
from messages import attribute, dims

FLOAT, INT32, STRING, INT64, RESOURCE = 1, 3, 7, 9, 20


# ---- Attributes -------------------------------------------------------------

def type_attr(name, dtype):
    return attribute(name, integer(6, dtype))


def shape_attr(name, sizes):
    return attribute(name, field(7, dims(*sizes)))


def string_attr(name, text):
    return attribute(name, field(2, text))


def bool_attr(name, value):
    return attribute(name, integer(5, value))


def types_attr(name, dtypes):
    return attribute(name, field(1, b"".join(integer(6, t) for t in dtypes)))


def function_attr(name, function):
    return attribute(name, field(10, field(1, function)))


# ---- Nodes ------------------------------------------------------------------

def node(name, op, *inputs, attrs=b""):
    return (field(1, name) + field(2, op)
            + b"".join(field(3, source) for source in inputs) + attrs)


def placeholder(name, sizes, dtype=FLOAT):
    return node(name, b"Placeholder",
                attrs=type_attr(b"dtype", dtype) + shape_attr(b"shape", sizes))


def constant(name, sizes, dtype=FLOAT):
    """A constant without content, which is one of zeros."""
    tensor = integer(1, dtype) + field(2, dims(*sizes))
    return node(name, b"Const", attrs=type_attr(b"dtype", dtype)
                + attribute(b"value", field(8, tensor)))


def variable(name, sizes, dtype=FLOAT):
    return node(name, b"VarHandleOp", attrs=type_attr(b"dtype", dtype)
                + shape_attr(b"shape", sizes)
                + string_attr(b"shared_name", name))


def read(name, source, dtype=FLOAT):
    return node(name, b"ReadVariableOp", source,
                attrs=type_attr(b"dtype", dtype))


def typed(name, op, *inputs, dtype=FLOAT, attrs=b""):
    """A node whose elements are of one type."""
    return node(name, op, *inputs, attrs=type_attr(b"T", dtype) + attrs)


def call(name, function, *inputs, takes=(FLOAT,), gives=(FLOAT,),
         op=b"StatefulPartitionedCall"):
    return node(name, op, *inputs, attrs=types_attr(b"Tin", takes)
                + types_attr(b"Tout", gives) + function_attr(b"f", function))


# ---- Graphs and functions ---------------------------------------------------

def _argument(name, dtype):
    return field(1, name) + integer(3, dtype)


def function(name, takes, nodes, gives):
    """`takes` and `gives` have a type for each name; what is given comes from
    "node:port:0"."""
    signature = field(1, name)
    for argument, dtype in takes:
        signature += field(2, _argument(argument, dtype))
    for result, dtype, _ in gives:
        signature += field(3, _argument(result, dtype))
    return (field(1, signature) + b"".join(field(3, body) for body in nodes)
            + b"".join(field(4, field(1, result) + field(2, source))
                       for result, _, source in gives))


def graph(nodes, functions=()):
    return (b"".join(field(1, body) for body in nodes)
            + field(4, integer(1, 1882))
            + field(2, b"".join(field(1, body) for body in functions)))


# ---- SavedModels ------------------------------------------------------------

def tensor_info(name, sizes, dtype=FLOAT):
    return field(1, name) + integer(2, dtype) + field(3, dims(*sizes))


def signature(key, inputs, outputs):
    """Each with a TensorInfo for a name."""
    body = b"".join(field(1, field(1, name) + field(2, info))
                    for name, info in inputs.items())
    body += b"".join(field(2, field(1, name) + field(2, info))
                     for name, info in outputs.items())
    return field(5, field(1, key) + field(2, body))


def saved_variable(name, sizes, trainable, dtype=FLOAT):
    return field(1, field(7, integer(1, dtype) + field(2, dims(*sizes))
                          + integer(3, trainable) + field(6, name)))


def saved_model(graph_def, signatures=b"", variables=b""):
    meta = (field(1, field(4, b"serve")) + field(2, graph_def) + signatures
            + field(7, variables))
    return integer(1, 1) + field(2, meta)


def dense(batch=-1, extra=(), signatures=None):
    """A SavedModel of one dense layer, with a weight written twice and a state
    of a random generator, as Keras writes one."""
    takes = [(b"x", FLOAT), (b"kernel", RESOURCE), (b"bias", RESOURCE),
             (b"seed", RESOURCE)]
    body = function(b"body", takes, [
        read(b"model/dense/Cast/ReadVariableOp", b"kernel"),
        typed(b"model/dense/MatMul", b"MatMul", b"x",
              b"model/dense/Cast/ReadVariableOp:value:0"),
        read(b"model/dense/BiasAdd/ReadVariableOp", b"bias"),
        typed(b"model/dense/BiasAdd", b"BiasAdd",
              b"model/dense/MatMul:product:0",
              b"model/dense/BiasAdd/ReadVariableOp:value:0"),
        typed(b"model/relu/Relu", b"Relu", b"model/dense/BiasAdd:output:0"),
        typed(b"model/unused/Tanh", b"Tanh", b"model/dense/BiasAdd:output:0"),
        read(b"model/drop/ReadVariableOp", b"seed", INT64),
        *extra,
    ], [(b"y", FLOAT, b"model/relu/Relu:activations:0")])
    wrapper = function(b"wrapper", takes, [
        call(b"inner", b"body", b"x", b"kernel", b"bias", b"seed",
             takes=(FLOAT, RESOURCE, RESOURCE, RESOURCE)),
    ], [(b"y", FLOAT, b"inner:output:0")])
    top = graph([
        placeholder(b"serving_default_x", (batch, 20)),
        variable(b"dense/kernel", (20, 10)),
        variable(b"dense/kernel_1", (20, 10)),
        variable(b"dense/bias_1", (10,)),
        variable(b"seed", (2,), INT64),
        call(b"StatefulPartitionedCall", b"wrapper", b"serving_default_x",
             b"dense/kernel_1", b"dense/bias_1", b"seed",
             takes=(FLOAT, RESOURCE, RESOURCE, RESOURCE)),
    ], [body, wrapper])
    if signatures is None:
        signatures = signature(
            b"serving_default",
            {b"x": tensor_info(b"serving_default_x:0", (batch, 20))},
            {b"y": tensor_info(b"StatefulPartitionedCall:0", (batch, 10))})
    return saved_model(top, signatures,
                       saved_variable(b"dense/kernel", (20, 10), 1)
                       + saved_variable(b"dense/bias", (10,), 0)
                       + saved_variable(b"seed", (2,), 0, INT64))


# ---- Questions --------------------------------------------------------------

def flops(path, *options, code=0):
    """(stdout, stderr) of a question, as text."""
    done, out, err = run("flops", path, *options)
    assert done == code, (options, done, err)
    return out.decode(), err.decode()


def summary(path, *options):
    return json.loads(flops(path, *options, "--format", "json")[0])
