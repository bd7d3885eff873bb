"""Random ops: variables, tensor lists, control flow and functions."""

import contextlib

import tensorflow as tf
from tensorflow.python.ops import control_flow_util

from random_graphs import (BOOL, F32, I32, I64, Infeasible, numbers, op, raw,
                           v1)


@contextlib.contextmanager
def flow_v1(is_v1=True):
    """Switch and Merge in place of If and While."""
    before = control_flow_util.ENABLE_CONTROL_FLOW_V2
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = not is_v1
    try:
        yield
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = before


def in_graph():
    return not tf.executing_eagerly()


# ---- Variables --------------------------------------------------------------


def handle(x, shape, name):
    """A variable that holds x."""
    var = raw.VarHandleOp(dtype=x.dtype, shape=shape, shared_name=name)
    if not in_graph():
        raw.AssignVariableOp(resource=var, value=x)
    return var


@op
def variable(d):
    x = d.value(dtype=(F32, I32))
    declared = d.weaken(x.shape) if d.rarely(3) else x.shape
    name = f"v{x.dtype.name}{x.shape}{declared}"
    kind = d.choose(3)

    def build(x):
        var = handle(x, declared, name)
        if kind == 0:
            return raw.ReadVariableOp(resource=var, dtype=x.dtype)
        if kind == 1:
            return raw.VariableShape(input=var)
        return (raw.ReadVariableOp(resource=var, dtype=x.dtype),
                raw.VarIsInitializedOp(resource=var))
    d.add(build, x)


@op
def gather_from_variable(d):
    x = d.value(low=1, fits=lambda v: v.shape[0] > 0)
    declared = d.weaken(x.shape) if d.rarely(3) else x.shape
    name = f"g{x.shape}{declared}"
    if d.bool():
        batch = d.choose(2) % x.rank
        shape = x.shape[:batch] + d.dims(d.choose(3), 1, 3)
        if x.shape[batch] == 0:
            raise Infeasible
        index = d.source(None, con=numbers(shape, I32) % x.shape[batch])
        d.add(lambda x, i: raw.ResourceGather(
            resource=handle(x, declared, name), indices=i, dtype=F32,
            batch_dims=batch), x, index)
    else:
        index = d.source(None, con=tf.zeros([d.int(1, 3), 1], I32))
        d.add(lambda x, i: raw.ResourceGatherNd(
            resource=handle(x, declared, name), indices=i, dtype=F32), x,
            index)


@op
def assignment(d):
    """Nothing comes of these, but the graph has them."""
    x = d.value()
    name = f"a{x.shape}"
    kind = d.pick([raw.AssignVariableOp, raw.AssignAddVariableOp,
                   raw.AssignSubVariableOp])

    def build(x):
        var = handle(x, x.shape, name)
        kind(resource=var, value=x)
        return raw.ReadVariableOp(resource=var, dtype=F32)
    d.add(build, x)


@op
def reference_variable(d):
    """Of TensorFlow 1; there are no values of these outside of a graph."""
    x = d.value()
    shape = x.shape
    kind = d.choose(4)

    def build(x):
        if not in_graph():
            return x
        var = raw.VariableV2(shape=shape, dtype=F32)
        if kind == 0:
            return raw.Identity(input=var)
        change = (raw.Assign, raw.AssignAdd, raw.AssignSub)[kind - 1]
        return raw.Identity(input=change(ref=var, value=x))
    d.add(build, x)


# ---- Tensor lists -----------------------------------------------------------


@op
def list_from_tensor(d):
    x = d.varying(d.value(low=1, fits=lambda v: 0 < v.shape[0] < 7))
    row = x.shape[1:]
    given = d.pick([row, row, [-1] * len(row), -1])
    kind = d.choose(4)

    def build(x):
        made = raw.TensorListFromTensor(tensor=x, element_shape=shape_of(given))
        if kind == 0:
            return raw.TensorListGetItem(
                input_handle=made, index=0, element_shape=shape_of(given),
                element_dtype=F32)
        if kind == 1:
            return raw.TensorListLength(input_handle=made)
        if kind == 2:
            return raw.TensorListElementShape(input_handle=made, shape_type=I32)
        return raw.TensorListStack(
            input_handle=made, element_shape=shape_of(given),
            element_dtype=F32, num_elements=x_rows)
    x_rows = d.pick([x.shape[0], -1])
    d.add(build, x)


def shape_of(dims):
    """Dimensions as an op takes them, also when there are none."""
    return tf.constant(dims, I32)


@op
def list_of_items(d):
    """Reserved, set, and read."""
    x = d.varying(d.value(high=3))
    count = d.int(1, 3)
    number = d.param(count)
    given = d.pick([x.shape, [-1] * x.rank, -1])
    stacks = d.bool()

    def build(x, n):
        made = raw.TensorListReserve(element_shape=shape_of(given),
                                     num_elements=n, element_dtype=F32)
        for i in range(count):
            made = raw.TensorListSetItem(input_handle=made, index=i, item=x)
        if stacks:
            return raw.TensorListStack(
                input_handle=made, element_shape=shape_of(given),
                element_dtype=F32, num_elements=count)
        return raw.TensorListGetItem(
            input_handle=made, index=0, element_shape=shape_of(given),
            element_dtype=F32)
    d.add(build, x, number)


@op
def list_that_grows(d):
    x = d.varying(d.value(high=3))
    given = d.pick([x.shape, [-1] * x.rank, -1])
    kind = d.choose(3)

    def build(x):
        made = raw.EmptyTensorList(element_shape=shape_of(given),
                                   max_num_elements=9, element_dtype=F32)
        made = raw.TensorListPushBack(input_handle=made, tensor=x)
        made = raw.TensorListPushBack(input_handle=made, tensor=x)
        if kind == 0:
            return raw.TensorListPopBack(
                input_handle=made, element_shape=shape_of(given),
                element_dtype=F32).tensor
        if kind == 1:
            return raw.TensorListStack(
                input_handle=made, element_shape=shape_of(given),
                element_dtype=F32)
        return raw.TensorListConcatV2(
            input_handle=made, element_shape=shape_of(given),
            leading_dims=tf.zeros([0], I64), element_dtype=F32).tensor
    if kind == 2 and x.rank == 0:
        raise Infeasible
    d.add(build, x)


# ---- Branches ---------------------------------------------------------------


def one_step(d, x):
    """A function of a tensor that may change its shape, small enough for a
    branch or a body."""
    kind = d.choose(7)
    if kind == 6:  # with a state, so that it is If and While
        return lambda t: raw.AddV2(x=t, y=raw.RandomUniform(
            shape=shape_of([]), dtype=F32))
    if kind == 0:
        return lambda t: raw.Relu(features=t)
    if kind == 1:
        return lambda t: raw.AddV2(x=t, y=1.0)
    if kind == 2 and x.rank > 0:
        return lambda t: raw.Sum(input=t, axis=[-1], keep_dims=True)
    if kind == 3 and x.rank > 1:
        order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        return lambda t: raw.Transpose(x=t, perm=order)
    if kind == 4 and x.rank > 0:
        return lambda t: raw.ConcatV2(values=[t, t], axis=0)
    return lambda t: raw.Mul(x=t, y=t)


@op
def branch(d):
    x = d.value()
    yes, no = one_step(d, x), one_step(d, x)
    same = d.bool()
    pred = d.source([], BOOL)
    is_v1 = d.bool()

    def build(p, x):
        if not in_graph():
            return yes(x) if p else (yes if same else no)(x)
        with flow_v1(is_v1):
            return v1.cond(p, lambda: yes(x),
                           lambda: (yes if same else no)(x))
    d.add(build, pred, x)


@op
def switch_and_merge(d):
    x = d.value()
    yes, no = one_step(d, x), one_step(d, x)

    def build(p, x):
        if not in_graph():
            return yes(x) if p else no(x)
        switched = raw.Switch(data=x, pred=p)
        return raw.Merge(inputs=[no(switched.output_false),
                                 yes(switched.output_true)]).output
    d.add(build, d.source([], BOOL), x)


@op
def case(d):
    x = d.value()
    steps = [one_step(d, x) for _ in range(d.int(1, 3))]
    index = d.source(None, con=tf.constant(d.choose(len(steps)), I32))

    def build(i, x):
        if not in_graph():
            return steps[int(i)](x)
        with flow_v1(False):
            return tf.switch_case(i, [lambda s=s: s(x) for s in steps])
    d.add(build, index, x)


# ---- Loops ------------------------------------------------------------------


def loop_of(d, x, is_v1):
    """while i < n: i += 1, t = step(t), with an invariant that allows it."""
    kind = d.choose(4)
    grows = kind == 3 and x.rank > 0
    step = ((lambda t: raw.ConcatV2(values=[t, t[:1]], axis=0)) if grows
            else (lambda t: raw.AddV2(x=t, y=1.0)) if kind < 2
            else (lambda t: raw.Mul(x=t, y=raw.RandomUniform(
                shape=shape_of([]), dtype=F32))))
    count = d.int(0, 3)
    bound = d.param(count)
    loose = kind == 1

    def build(n, x):
        if not in_graph():
            for _ in range(count):
                x = step(x)
            return tf.constant(count), x
        shape = x.shape
        if grows and shape.rank is not None:
            shape = tf.TensorShape([None, *shape[1:]])
        if loose:
            shape = tf.TensorShape(None)
        with flow_v1(is_v1):
            return v1.while_loop(
                lambda i, t: raw.Less(x=i, y=n),
                lambda i, t: (raw.AddV2(x=i, y=1), step(t)),
                [tf.constant(0), x],
                shape_invariants=[tf.TensorShape([]), shape],
                back_prop=False)
    d.add(build, bound, x)


@op
def loop_v1(d):
    loop_of(d, d.value(), True)


@op
def loop_v2(d):
    loop_of(d, d.value(), False)


@op
def loop_over_list(d):
    """What an RNN does: rows in, a list of rows out, stacked."""
    x = d.value(low=1, fits=lambda v: 0 < v.shape[0] < 7)
    is_v1 = d.bool()
    row = x.shape[1:]
    count = x.shape[0]
    given = d.pick([row, row, [-1] * len(row)])

    def build(x):
        if not in_graph():
            return tf.constant(count), raw.Mul(x=x, y=x)
        source = raw.TensorListFromTensor(tensor=x,
                                          element_shape=shape_of(given))
        target = raw.TensorListReserve(element_shape=shape_of(given),
                                       num_elements=count, element_dtype=F32)

        def body(i, made):
            item = raw.TensorListGetItem(
                input_handle=source, index=i, element_shape=shape_of(given),
                element_dtype=F32)
            return raw.AddV2(x=i, y=1), raw.TensorListSetItem(
                input_handle=made, index=i, item=raw.Mul(x=item, y=item))
        with flow_v1(is_v1):
            steps, made = v1.while_loop(
                lambda i, made: raw.Less(x=i, y=count), body,
                [tf.constant(0), target], back_prop=False)
        return steps, raw.TensorListStack(
            input_handle=made, element_shape=shape_of(given),
            element_dtype=F32, num_elements=count)
    d.add(build, x)


# ---- Functions --------------------------------------------------------------


@op
def call(d):
    x = d.value()
    first, second = one_step(d, x), one_step(d, x)
    known = d.weaken(x.shape)

    def build(x):
        @tf.function(input_signature=[tf.TensorSpec(known, F32)],
                     autograph=False)
        def body(t):
            return first(t), second(t)
        return body(x)
    d.add(build, x)


@op
def identity_n(d):
    values = [d.value(dtype=(F32, I32, BOOL)) for _ in range(d.int(1, 3))]
    d.add(lambda *t: raw.IdentityN(input=list(t)), *values)


@op
def optional(d):
    x = d.value()
    given = d.weaken(x.shape)

    def build(x):
        made = raw.OptionalFromValue(components=[x])
        return raw.OptionalGetValue(optional=made, output_types=[F32],
                                    output_shapes=[given])
    d.add(build, x)
