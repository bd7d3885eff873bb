"""tfprof aggregate of traces: rows of several devices, and traces that share a
graph."""

import random
import resource

import pytest

from aggregates import aggregate, query, run_aggregate, write_run
from trace_build import Plane, space
from wirebytes import field, integer

MS = 10**9  # picoseconds
OPS = ("MatMul", "Relu", "AddV2", "IteratorGetNext")
MERGED = """
select row, view, name, op_type, device, program, kind, depth,
       sum(count)::bigint c, sum(sum)::bigint s, sum(self_sum)::bigint o,
       sum(squares_hi)::bigint h, sum(squares_lo)::bigint l, min(min) a,
       max(max) b, sum(runs)::bigint r
from read_parquet({}) group by all order by all
"""
HISTOGRAM = """
select row, bucket, sum(count)::bigint c
from read_parquet({}) group by all order by all
"""


def host_plane(steps):
    plane = Plane("/host:CPU")
    return plane.line(1, "python", *(
        plane.event(f"train {n}", n * MS, MS, _r=1, step_num=n)
        for n in range(steps)))


def gpu_plane(number, kernels):
    """`kernels` are (name of the kernel, tf_op, begin, length)."""
    plane = Plane(f"/device:GPU:{number}")
    return plane.line(1, "Stream #1(Compute)", *(
        plane.event(name, begin, length, tf_op=op)
        for name, op, begin, length in kernels))


def seconds(args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run_aggregate(*args).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# ---- Devices ----------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 1, 0)])
def test_time_is_on_the_device_that_spent_it(tmp_path, order):
    planes = [host_plane(1),
              gpu_plane(0, [("k", "a/b:MatMul", 1000, MS // 10)]),
              gpu_plane(1, [("k", "a/b:MatMul", 1000, MS // 5)])]
    path = tmp_path / "t.xplane.pb"
    path.write_bytes(space(*(planes[at] for at in order))
                     + field(4, b"this-host"))
    rows = aggregate(tmp_path / "out", path)["rows"]
    assert sorted((row["view"], row["name"], row["device"], row["sum"])
                  for row in rows) == [
        ("op", "MatMul", "/device:gpu:0", 100_000),
        ("op", "MatMul", "/device:gpu:1", 200_000),
        ("scope", "a", "", 300_000),
        ("scope", "a/b", "/device:gpu:0", 100_000),
        ("scope", "a/b", "/device:gpu:1", 200_000)]


def test_time_of_a_stream_is_on_its_device(tmp_path):
    """A node of the CPU can have copies on a GPU."""
    place = b"/job:w/replica:0/task:3/device:"
    files = [write_run(tmp_path / "a", place + b"CPU:0", [b"n"]),
             write_run(tmp_path / "b", place + b"GPU:1/stream:all", [b"n"])]
    (tmp_path / "run").write_bytes(b"".join(  # merged into one step
        path.read_bytes() for path in files))
    rows = aggregate(tmp_path / "out", tmp_path / "run")["rows"]
    assert sorted((row["view"], row["device"]) for row in rows) == [
        (view, f"/device:{device}") for view in ("op", "scope")
        for device in ("cpu:0", "gpu:1")]


# ---- A shared graph ---------------------------------------------------------


def graph_bytes(names):
    return b"".join(field(1, field(1, name.encode())
                          + field(2, OPS[at % 4].encode()))
                    for at, name in enumerate(names))


def log_bytes(names):
    """An op log in which each name has a line."""
    def code(line):
        return field(4, field(1, field(1, b"m.py") + integer(2, line)
                              + field(3, b"f")))

    return b"".join(field(1, field(1, name.encode()) + code(10 + at % 7))
                    for at, name in enumerate(names))


def any_trace(draw, names):
    """Operations of the host and of up to three GPUs; some names are in the
    graph, and others have another type in each trace."""
    steps = draw.randint(0, 3)
    planes = [host_plane(steps)]

    def event_name():
        name = draw.choice(names)
        return name, draw.choice([*OPS, "Own"])

    host = planes[0]
    host.line(2, "threads", *(
        host.event("{}:{}".format(*event_name()), n * MS + 10**6 * k, 10**5)
        for n in range(max(steps, 1)) for k in range(draw.randint(0, 4))))
    for number in range(draw.randint(0, 3)):
        kernels = []
        for n in range(max(steps, 1)):
            for k in range(draw.randint(0, 5)):
                name, op = event_name()
                kernels.append((f"kernel{k}", f"{name}:{op}",
                                n * MS + (k + 1) * 10**7,
                                draw.randint(1, 10**7)))
        planes.append(gpu_plane(number, kernels))
    draw.shuffle(planes)
    return space(*planes)


@pytest.mark.parametrize("logs", [False, True])
def test_traces_that_share_a_graph_equal_those_read_alone(tmp_path, logs):
    draw = random.Random(11)
    names = [f"s{n % 3}/t{n % 5}/n{n}" for n in range(20)]
    names += ["s0/t0", "s1", "gradients/s0/t0/n0_grad/Mul"]  # scopes, too
    graph = tmp_path / "graph.pb"
    graph.write_bytes(graph_bytes(names[:12]))
    static = [graph]
    if logs:
        static.append(tmp_path / "log")
        static[1].write_bytes(log_bytes(names[6:18]))
    traces = []
    for number in range(30):
        traces.append(tmp_path / f"{number}.xplane.pb")
        traces[-1].write_bytes(any_trace(draw, names))
    traces.append(traces[3])  # a file can be given twice
    folders = []
    for number, trace in enumerate(traces):
        out = tmp_path / f"alone_{number}"
        if run_aggregate(out, *static, trace).returncode == 0:
            folders.append(out)
    assert 20 < len(folders) < len(traces)
    aggregate(tmp_path / "all", *static, *traces)
    views = set()
    for text, table in ((MERGED, "rows"), (HISTOGRAM, "histogram")):
        merged = query(text.format([f"{f}/{table}.parquet" for f in folders]))
        assert merged == query(
            text.format([f"{tmp_path}/all/{table}.parquet"])), table
        views |= {row["view"] for row in merged if "view" in row}
    assert views == {"scope", "op", *(["code"] if logs else [])}


def one_record(number, node):
    return field(1, field(1, field(1, b"/device:CPU:0") + field(
        2, field(1, node) + integer(2, 1000 + number) + integer(5, 6))))


def one_event(number, node):
    plane = host_plane(1)
    plane.line(2, "threads", plane.event(f"{node.decode()}:MatMul", 10**6,
                                         10**5 + number))
    return space(plane)


@pytest.mark.parametrize("name, make", [("run_meta_{}", one_record),
                                        ("{}.xplane.pb", one_event)])
@pytest.mark.parametrize("logs", [False, True])
def test_a_file_takes_no_time_for_nodes_that_it_did_not_run(tmp_path, name,
                                                            make, logs):
    """The number of files and the graph grow together: quadratic time would be
    16 times as long. With an op log, each file has a node of its own."""
    times = []
    for size in (800, 3200):
        folder = tmp_path / str(size)
        folder.mkdir()
        names = [f"s{n % 97}/n{n}" for n in range(5 * size)]
        files = [folder / "graph.pb"]
        files[0].write_bytes(graph_bytes(names))
        if logs:
            files.append(folder / "log")
            files[-1].write_bytes(log_bytes(names))
        for number in range(size):
            node = b"n%04d" % number if logs else b"s0/n0"
            files.append(folder / name.format(number))
            files[-1].write_bytes(make(number, node))
        args = folder / "out", *files
        times.append(min(seconds(args) for _ in range(2)))
    assert times[1] < 8 * max(times[0], 0.02), times
