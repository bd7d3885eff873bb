"""Files that tests of diff and check compare."""

from messages import CPU, node_def, record, run_of


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def graph_file(path, *nodes):
    """A GraphDef of (name, op) or (name, op, shape)."""
    data = b"".join(node_def(node[0].encode(), node[1].encode(),
                             shape=node[2] if len(node) > 2 else None)
                    for node in nodes)
    return write(path, data)


def step_file(path, **micros):
    """A RunMetadata in which each node runs so many microseconds."""
    return write(path, run_of((CPU, b"".join(
        record(name.encode(), end=time) for name, time in micros.items()))))


def run_folder(path, times, name="op"):
    """A run: a step for each time of a node."""
    for number, time in enumerate(times):
        step_file(path / f"step_{number:04}", **{name: time})
    return path


def runs_folder(path, medians):
    """A directory of runs of three steps with these medians."""
    for number, median in enumerate(medians):
        run_folder(path / f"run_{number:02}", (median - 1, median, median + 1))
    return path


def conv_graph(path, channels):
    """Three convolutions; the first has so many channels."""
    import tensorflow as tf
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, (1, 8, 8, 3), "x")
        for name, sizes in (("a", (3, 3, 3, channels)),
                            ("b", (3, 3, channels, 16)),
                            ("c", (1, 1, 16, 4))):
            with tf.compat.v1.variable_scope(name, use_resource=False):
                kernel = tf.compat.v1.get_variable(
                    "kernel", sizes,
                    initializer=tf.compat.v1.zeros_initializer())
                x = tf.nn.conv2d(x, kernel, 1, "SAME", name="conv")
    return write(path, graph.as_graph_def(add_shapes=True).SerializeToString())


def gap_file(path, busy, gap, wait=0):
    """A RunMetadata of a step with a gap, in microseconds."""
    start = 1000000
    records = [record(b"op", start=start, end=busy // 2),
               record(b"op2", start=start + busy // 2 + gap, end=busy // 2)]
    if wait:
        records.append(record(b"IteratorGetNext", start=start + busy // 2,
                              end=wait))
    return write(path, run_of((CPU, b"".join(records))))


def gap_runs(path, busy, gap, wait=0, count=8):
    for run in range(count):
        for step in range(3):
            gap_file(path / f"run_{run:02}" / f"step_{step}",
                     busy + 10 * run, gap + step, wait)
    return path
