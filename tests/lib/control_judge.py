"""Graphs with control flow, and TensorFlow's word on them: a process of its
own, since the tests import stubs of TensorFlow's packages.

control_judge.py FOLDER: writes NAME.pb of each graph, and NAME.run of those
that can be run, below FOLDER; prints one line of JSON,
    {name: {"shapes": {tensor: [dim or None] or None},  after an import
            "ran": {tensor: [shapes]},                  when it was run
            "times": {node: how often it ran},
            "trips": {loop: how often it went around},
            "float_ops": {node: float operations}}}     with the run's record
"""

import collections
import contextlib
import io
import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf  # noqa: E402
from tensorflow.python.ops import gen_control_flow_ops  # noqa: E402

tf1, raw = tf.compat.v1, tf.raw_ops
GRAPHS = {}


def graph(**settings):
    """Notes a function that makes a graph: what to fetch, what to feed."""
    def note(make):
        GRAPHS[make.__name__] = (make, settings)
        return make
    return note


def both(make):
    """The same with loops by function and with those of TF1."""
    for v2 in (True, False):
        GRAPHS[f"{make.__name__}_{'v2' if v2 else 'v1'}"] = (
            make, {"v2": v2, "run": True})
    return make


def feed(shape, dtype=tf.float32, name=None):
    return tf1.placeholder(dtype, shape, name)


# ---- Loops -------------------------------------------------------------------

@both
def counting():
    x = feed([None, 4], name="x")
    _, up = tf.while_loop(lambda i, y: i < 20, lambda i, y: (
        i + 1, tf.matmul(y, tf.ones([4, 4]))), [0, x], name="up")
    _, down = tf.while_loop(lambda i, y: i > 0, lambda i, y: (
        i - 3, y * 2.), [10, up], name="down")
    _, late = tf.while_loop(lambda i, y: i <= 9, lambda i, y: (
        2 + i, y + 1.), [-4, down], name="late")
    _, never = tf.while_loop(lambda i, y: i >= 3, lambda i, y: (
        i - 1, y + 1.), [1, late], name="never")
    return never, {x: [3, 4]}


@both
def two_bounds():
    x = feed([5, 7], name="x")
    def cond(i, t, y):
        return tf.logical_and(i < 30, t < tf.shape(x)[0] * 3)
    _, _, y = tf.while_loop(cond, lambda i, t, y: (i + 1, t + 2, y + 1.),
                            [0, 0, x], name="both")
    return y, {x: [5, 7]}


@both
def no_counter():
    x = feed([2], name="x")
    _, y = tf.while_loop(lambda i, y: i * i < 1000, lambda i, y: (
        i * 2 + 1, y + 1.), [1, x], name="doubling")
    _, z, _ = tf.while_loop(lambda i, y, go: go, lambda i, y, go: (
        i + 1, y + 1., i < 5), [0, y, True], name="flag")
    return z, {x: [2]}


@both
def one_after_the_other():
    x = feed([2, 3], name="x")
    n, _, y = tf.while_loop(lambda i, k, y: i < 6, lambda i, k, y: (
        i + 1, k + 5, y + 1.), [0, 0, x], name="first")
    _, z = tf.while_loop(lambda i, y: i > 0, lambda i, y: (i - 1, y * y),
                         [n, y], name="second")
    return z, {x: [2, 3]}


@both
def nested():
    x = feed([2, 3], name="x")
    def outer(i, y):
        _, z = tf.while_loop(lambda j, z: j < 4, lambda j, z: (
            j + 1, tf.sin(z)), [0, y], name="inner")
        return i + 1, z + 1.
    _, y = tf.while_loop(lambda i, y: i < 3, outer, [0, x], name="outer")
    return y, {x: [2, 3]}


@both
def growing():
    x = feed([2, 5], name="x")
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.concat([y, y[:1]], 0)),
        [0, x], shape_invariants=[tf.TensorShape([]),
                                  tf.TensorShape([None, 5])], name="grow")
    _, z = tf.while_loop(
        lambda i, y: i < 2, lambda i, y: (i + 1, tf.expand_dims(y, 0)),
        [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
        name="rank")
    return [tf.identity(y), tf.identity(z)], {x: [2, 5]}


@both
def changing_places():
    a, b = feed([2, 5], name="a"), feed([3, 5], name="b")
    _, y, _ = tf.while_loop(
        lambda i, y, z: i < 3, lambda i, y, z: (i + 1, z, y), [0, a, b],
        shape_invariants=[tf.TensorShape([])] + 2 * [tf.TensorShape([None, 5])],
        name="swap")
    return tf.identity(y), {a: [2, 5], b: [3, 5]}


@both
def unknown_bound():
    x, n = feed([None, 4], name="x"), feed([], tf.int32, "n")
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (
        i + 1, tf.matmul(y, tf.ones([4, 4]))), [0, x], name="open")
    return y, {x: [3, 4], n: 7}


@both
def arrays():
    x = feed([6, 3], name="x")
    source = tf.TensorArray(tf.float32, 6).unstack(x)
    def body(i, made):
        return i + 1, made.write(i, tf.stack([source.read(i)] * 2))
    _, made = tf.while_loop(lambda i, made: i < 6, body,
                            [0, tf.TensorArray(tf.float32, 6)], name="fill")
    mapped = tf.map_fn(lambda row: row * 2., x)
    scanned = tf.scan(lambda sum, row: sum + row, x)
    return [made.stack(), mapped, scanned], {x: [6, 3]}


@both
def gradients():
    x = feed([4, 4], name="x")
    _, y = tf.while_loop(lambda i, y: i < 5, lambda i, y: (
        i + 1, tf.tanh(tf.matmul(y, x))), [0, x], name="forward")
    return tf.gradients(tf.reduce_sum(y), x), {x: [4, 4]}


# ---- Branches ----------------------------------------------------------------

@both
def branches():
    x, p = feed([None, 4], name="x"), feed([], tf.bool, "p")
    same = tf.cond(p, lambda: x + 1., lambda: x * 2.)
    other = tf.cond(p, lambda: tf.ones([2, 3]), lambda: tf.ones([2, 5]))
    rank = tf.cond(p, lambda: tf.ones([2, 3]), lambda: tf.ones([2]))
    some = tf.switch_case(tf.cast(p, tf.int32), [
        lambda: x, lambda: x + 1., lambda: tf.tile(x, [2, 1])])
    return [tf.identity(one) for one in (same, other, rank, some)], {
        x: [3, 4], p: True}


@graph(run=True)
def values_across():
    sizes, yes = tf.constant([2, 3]), tf.constant(True)
    p = feed([], tf.bool, "p")
    def fill(name, dims):
        raw.Fill(dims=dims, value=1., name=name)
    for name, pred in ("known", yes), ("open", p):
        off, on = raw.Switch(data=sizes, pred=pred)
        fill(f"off_{name}", off)
        fill(f"on_{name}", on)
        fill(f"on_{name}_identity", tf.identity(on))
    def enter(name, constant):
        return gen_control_flow_ops.enter(sizes, name, is_constant=constant)
    # What was once computed stays known, so each has an Enter of its own.
    for constant in (True, False):
        fill(f"enter_{constant}", enter("a", constant))
        fill(f"identity_{constant}", tf.identity(enter("b", constant)))
        fill(f"exit_{constant}",
             gen_control_flow_ops._exit(enter("c", constant)))
    fill("exit_constant", gen_control_flow_ops._exit(sizes))
    fill("next", gen_control_flow_ops.next_iteration(sizes))
    merged, _ = gen_control_flow_ops.merge([sizes, sizes])
    fill("merge", merged)
    part = tf.stack([tf.cast(p, tf.int32), 3])
    fill("part", part)
    fill("part_identity", tf.identity(part))
    fill("part_switch", raw.Switch(data=part, pred=yes)[1])
    return None, {}


# ---- Calls -------------------------------------------------------------------

@graph(run=True)
def calls():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32),
                                  tf.TensorSpec([None, None])])
    def inner(sizes, x):
        return tf.fill(sizes, 1.), sizes + 1, tf.matmul(x, x, True)

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32),
                                  tf.TensorSpec([None, None])])
    def outer(sizes, x):
        made, more, product = inner(sizes, x)
        return made, tf.fill(more, 2.), product, inner(more, product)[2]

    x, n = feed([None, 4], name="x"), feed([], tf.int32, "n")
    found = []
    for sizes in (tf.constant([2, 3]), tf.shape(tf.zeros([5, 6])),
                  tf.shape(x), tf.stack([n, 4])):
        found += outer(sizes, x)
    with tf.name_scope("top"):  # functions have a Fill, too
        found.append(tf.fill(inner(tf.constant([2, 3]), x)[1], 3.))
        return [tf.identity(one) for one in found], {x: [3, 4], n: 2}


@graph()
def calls_not_looked_into():
    @tf.function(input_signature=[tf.TensorSpec([None, 4])])
    def double(x):
        return x * 2.
    double(feed([3, 4], name="x"))
    for op in tf1.get_default_graph().get_operations():
        if op.type == "PartitionedCall":
            op._set_attr("_disable_call_shape_inference",
                         tf1.AttrValue(b=True))
    return None, {}


@graph(run=True)
def variables_in_calls():
    w = tf1.get_variable("w", [3, 5], use_resource=True)

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def layer(x):
        return tf.matmul(x, w)
    x = feed([None, 3], name="x")
    with tf.name_scope("top"):
        return tf.identity(layer(x)), {x: [2, 3]}


# ---- What keeps tensors ------------------------------------------------------

@graph(run=True)
def lists():
    x, n = feed([4, None, 3], name="x"), feed([], tf.int32, "n")
    kind = {"element_dtype": tf.float32}
    for number, shape in enumerate((
            tf.constant([2, 3]), tf.constant([-1, 3]), tf.constant(-1),
            tf.stack([n, 3]))):
        made = raw.TensorListReserve(element_shape=shape, num_elements=4,
                                     **kind)
        empty = raw.EmptyTensorList(element_shape=shape, max_num_elements=9,
                                    **kind)
        source = raw.TensorListFromTensor(tensor=x, element_shape=shape)
        scattered = raw.TensorListScatterV2(
            tensor=x, indices=[0, 1, 2, 3], element_shape=shape,
            num_elements=4)
        pushed = raw.TensorListPushBack(input_handle=empty, tensor=x[0])
        put = raw.TensorListSetItem(input_handle=made, index=0, item=x[0])
        split = raw.TensorListSplit(
            tensor=x[0], element_shape=tf.constant([-1, 3]),
            lengths=tf.constant([1, 1], tf.int64))
        into = raw.TensorListScatterIntoExistingList(
            input_handle=made, tensor=x, indices=[0, 1, 2, 3])
        for which, one in enumerate((made, empty, source, scattered, pushed,
                                     put, split, into)):
            get = tf.constant([-1, 3]) if which % 2 else tf.constant(-1)
            name = f"of{number}_{which}"
            raw.TensorListGetItem(input_handle=one, index=0,
                                  element_shape=get, **kind,
                                  name=f"get_{name}")
            raw.TensorListStack(input_handle=one, element_shape=get,
                                num_elements=which if which % 3 else -1,
                                **kind, name=f"stack_{name}")
            raw.TensorListGather(input_handle=one, indices=[0, 1],
                                 element_shape=get, **kind)
            raw.TensorListConcatV2(
                input_handle=one, element_shape=get,
                leading_dims=tf.constant([], tf.int64), **kind)
            raw.TensorListConcat(input_handle=one, **kind)
            raw.TensorListElementShape(input_handle=one, shape_type=tf.int32)
            raw.TensorListLength(input_handle=one)
            raw.TensorListPopBack(input_handle=raw.TensorListResize(
                input_handle=one, size=5), element_shape=get, **kind)
            raw.TensorListConcatLists(input_a=one, input_b=made, **kind)
    return None, {}


@graph()
def stores():
    x, keys = feed([2, 3], name="x"), feed([None, 3], tf.string, "keys")
    for shape, same in ([3, 4], False), ([None, 4], True), ([None, 4], False):
        handle, flow = raw.TensorArrayV3(
            size=5, dtype=tf.float32, element_shape=tf.TensorShape(shape),
            identical_element_shapes=same)
        of = {"handle": handle, "flow_in": flow}
        raw.TensorArrayReadV3(index=0, dtype=tf.float32, **of)
        raw.TensorArrayGatherV3(indices=[0, 1], dtype=tf.float32,
                                element_shape=tf.TensorShape([None, 4]), **of)
        raw.TensorArrayGatherV3(indices=feed([None], tf.int32),
                                dtype=tf.float32, **of)
        raw.TensorArrayConcatV3(dtype=tf.float32, **of)
        raw.TensorArrayScatterV3(indices=[0], value=tf.zeros([1, 3, 4]), **of)
        raw.TensorArraySplitV3(value=tf.zeros([2, 4]), lengths=[1, 1], **of)
        raw.TensorArrayWriteV3(index=0, value=tf.zeros([3, 4]), **of)
        raw.TensorArraySizeV3(**of)
        for handle, flow in (
                raw.TensorArrayGradV3(source="a", **of),
                raw.TensorArrayGradWithShape(source="b", shape_to_prepend=[7],
                                             **of)):
            raw.TensorArrayReadV3(handle=handle, flow_in=flow, index=0,
                                  dtype=tf.float32)
    stack = raw.StackV2(max_size=3, elem_type=tf.float32)
    raw.StackPushV2(handle=stack, elem=x)
    raw.StackPopV2(handle=stack, elem_type=tf.float32)
    types = {"component_types": [tf.float32]}
    queue = raw.FIFOQueueV2(shapes=[[2, 3]], **types)
    raw.QueueDequeueV2(handle=queue, **types)
    raw.QueueDequeueManyV2(handle=queue, n=4, **types)
    raw.QueueDequeueUpToV2(handle=queue, n=4, **types)
    raw.QueueSizeV2(handle=queue)
    raw.QueueIsClosedV2(handle=queue)
    old = raw.FIFOQueue(shapes=[[2, 3]], **types)
    raw.QueueDequeue(handle=old, **types)
    raw.QueueSize(handle=old)
    raw.PaddingFIFOQueueV2(**types)
    raw.RandomShuffleQueueV2(**types)
    raw.PriorityQueueV2(shapes=[])
    words = {"key_dtype": tf.string, "value_dtype": tf.int64}
    for table, value in (
            (raw.HashTableV2(**words), 0), (raw.MutableHashTableV2(**words), 0),
            (raw.MutableHashTableOfTensorsV2(value_shape=[5], **words), 5),
            (raw.AnonymousHashTable(**words), 0),
            (raw.AnonymousMutableHashTable(**words), 0)):
        raw.LookupTableFindV2(
            table_handle=table, keys=keys, default_value=tf.constant(
                [0] * value if value else 0, tf.int64))
        raw.LookupTableSizeV2(table_handle=table)
        raw.LookupTableExportV2(table_handle=table, Tkeys=tf.string,
                                Tvalues=tf.int64)
    raw.LookupTableSize(table_handle=raw.HashTable(**words))
    some = raw.OptionalFromValue(components=[x])
    raw.OptionalHasValue(optional=some)
    elements = {"output_types": [tf.float32],
                "output_shapes": [tf.TensorShape([None, 3])]}
    raw.OptionalGetValue(optional=some, **elements)
    raw.OptionalNone()
    map_ = raw.TensorMapInsert(input_handle=raw.EmptyTensorMap(), key=1,
                               value=2.)
    raw.TensorMapLookup(input_handle=map_, key=1, value_dtype=tf.float32)
    raw.TensorMapSize(input_handle=map_)
    raw.TensorMapHasKey(input_handle=map_, key=1)
    raw.TensorMapErase(input_handle=map_, key=1, value_dtype=tf.float32)
    raw.TensorMapStackKeys(input_handle=map_, key_dtype=tf.int32)
    raw.Unstage(dtypes=[tf.float32])
    raw.StageSize(dtypes=[tf.float32])
    iterator = raw.IteratorV2(shared_name="", container="", **elements)
    raw.IteratorGetNext(iterator=iterator, **elements)
    raw.IteratorGetNextAsOptional(iterator=iterator, **elements)
    raw.IteratorToStringHandle(resource_handle=iterator)
    raw.MutexV2()
    raw.FakeParam(dtype=tf.float32, shape=tf.TensorShape([None, 2]))
    raw.DeviceIndex(device_names=["CPU"])
    return None, {}


# ---- The word ----------------------------------------------------------------

def import_shapes(graph_def):
    """The shape of each tensor, as an import knows it."""
    with tf.Graph().as_default() as imported:
        tf.import_graph_def(graph_def, name="")
    return imported, {
        tensor.name: None if tensor.shape.rank is None
        else tensor.shape.as_list()
        for op in imported.get_operations() for tensor in op.outputs}


def run(made, fetches, feeds, path):
    config, record = tf1.ConfigProto(), tf1.RunMetadata()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    values = {}
    for tensor, shape in feeds.items():
        values[tensor] = (shape if not isinstance(shape, list) else
                          [[0.5] * shape[1]] * shape[0] if len(shape) == 2
                          else [0.5] * shape[0])
    with tf1.Session(graph=made, config=config) as session:
        session.run(tf1.global_variables_initializer())
        session.run(fetches, values, tf1.RunOptions(
            trace_level=tf1.RunOptions.FULL_TRACE), record)
    path.write_bytes(without_times(record).SerializeToString())
    return record


def without_times(record):
    """Times, memory and addresses are others in each run, and do not
    compress."""
    record = type(record).FromString(record.SerializeToString())
    for device in record.step_stats.dev_stats:
        for node in device.node_stats:
            for field in node.DESCRIPTOR.fields_by_name:
                if field.endswith(("_micros", "_nanos")) or field in (
                        "memory", "memory_stats", "thread_id"):
                    node.ClearField(field)
            for output in node.output:
                output.tensor_description.ClearField("allocation_description")
    return record


def recorded(record):
    """What was made, how often each node ran, and the trips of loops."""
    ran, times, trips = collections.defaultdict(set), collections.Counter(), {}
    for device in record.step_stats.dev_stats:
        for node in device.node_stats:
            times[node.node_name] += 1
            for output in node.output:
                ran[f"{node.node_name}:{output.slot}"].add(tuple(
                    dim.size for dim in output.tensor_description.shape.dim))
    for name, count in times.items():
        head, found, tail = name.rpartition("/LoopCond")
        if found and (not tail or tail.startswith("/_")):
            trips[head] = count - 1
    return {"ran": {name: sorted(shapes) for name, shapes in ran.items()},
            "times": times, "trips": trips}


def float_ops(imported, record):
    """By node, as TensorFlow's profiler counts with a record at hand."""
    options = tf1.profiler.ProfileOptionBuilder.float_operation()
    options["output"] = "none"
    with contextlib.redirect_stdout(io.StringIO()), \
            contextlib.redirect_stderr(io.StringIO()):
        todo = [tf1.profiler.profile(imported, run_meta=record,
                                     options=options)]
    found = {}
    while todo:
        node = todo.pop()
        todo += node.children
        if node.float_ops:
            found[node.name] = node.float_ops
    return found


def judge(name, folder):
    make, settings = GRAPHS[name]
    (tf1.enable_control_flow_v2 if settings.get("v2", True)
     else tf1.disable_control_flow_v2)()
    with tf.Graph().as_default() as made:
        fetches, feeds = make()
        graph_def = made.as_graph_def()
        (folder / f"{name}.pb").write_bytes(graph_def.SerializeToString())
        imported, shapes = import_shapes(graph_def)
        answer = {"shapes": shapes}
        if settings.get("run") and fetches is not None:
            record = run(made, fetches, feeds, folder / f"{name}.run")
            answer |= recorded(record)
            answer["float_ops"] = float_ops(imported, record)
    return answer


def main():
    folder = pathlib.Path(sys.argv[1])
    tf1.disable_eager_execution()
    print(json.dumps({name: judge(name, folder) for name in GRAPHS}))


if __name__ == "__main__":
    main()
