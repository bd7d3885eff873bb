"""tfprof aggregate: its tables equal the views of each step, and merge."""

# labels: both

import collections
import csv
import io
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

import pytest
from aggregates import (STEPS, TABLES, TRACES, aggregate, files_of, host,
                        make_model, query, read, run_aggregate, run_record,
                        write_run)
from faults import no_sanitizer
from program import DATA_DIR, SOURCE_DIR, TFPROF, run
from wirebytes import field, integer

GAMMA = 1.01 / 0.99
DEPTH = 5


def rows_of(name, *args):
    """The rows of a view or table, from CSV."""
    done = run(name, *args, "--format", "csv", "--top", "0",
               *(() if name == "steps" else ("--select", "micros,occurrence")))
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def nanos(micros):
    """Microseconds as nanoseconds, rounded half up. Exact for a decimal number
    with at most 6 digits after the point."""
    whole, _, rest = micros.partition(".")
    picos = int(whole) * 10**6 + int(rest.ljust(6, "0"))
    return (picos + 500) // 1000


def truth(*args):
    """{(view, name): total} of one step, in nanoseconds."""
    found = {}
    for row in rows_of("scope", *args):
        if 1 <= int(row["depth"]) <= DEPTH and (
                nanos(row["total_micros"]) or int(row["total_runs"])):
            found["scope", row["name"]] = nanos(row["total_micros"])
    for row in rows_of("op", *args):
        if nanos(row["micros"]) or int(row["runs"]):
            found["op", row["name"]] = nanos(row["micros"])
    if run("code", *args, "--format", "csv").returncode == 0:
        path = []
        for row in rows_of("code", *args):
            depth = int(row["depth"])
            path[max(depth - 1, 0):] = [row["name"]]
            if 1 <= depth <= DEPTH and nanos(row["total_micros"]):
                found["code", " > ".join(path)] = nanos(row["total_micros"])
    return found


def sums(tables):
    """{(view, name): sum over kinds, types and devices}."""
    found = collections.Counter()
    for row in tables["rows"]:
        found[row["view"], row["name"]] += row["sum"]
    return found


def parts(tables):
    """The number of rows of each name. Each row was rounded separately."""
    return collections.Counter((r["view"], r["name"]) for r in tables["rows"])


@pytest.fixture(scope="module", name="model")
def made_model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


# ---- Figures ------------------------------------------------------------------


def test_sums_counts_and_ranges_equal_the_views_of_each_step(model, tmp_path):
    graph, log, runs = files_of(model)
    tables = aggregate(tmp_path / "out", graph, log, *runs)
    values = collections.defaultdict(list)
    for path in runs:
        for key, value in truth(graph, log, path).items():
            values[key].append(value)
    ours = sums(tables)
    assert {k for k in ours if k[0] == "code"}
    assert {k: sum(v) for k, v in values.items()} == dict(ours)
    single = {k for k, n in parts(tables).items() if n == 1}
    assert len(single) > 100
    for row in tables["rows"]:
        key = row["view"], row["name"]
        if key not in single:
            continue
        assert row["count"] == len(values[key])
        assert row["min"] == min(values[key]) and row["max"] == max(values[key])
        squares = row["squares_hi"] * 2**32 + row["squares_lo"]
        assert squares == sum(v * v for v in values[key])
        assert row["depth"] <= DEPTH


def test_self_sums_of_each_view_are_the_whole_time(model, tmp_path):
    graph, log, runs = files_of(model)
    tables = aggregate(tmp_path / "out", graph, log, *runs)
    whole = sum(nanos(rows_of("scope", graph, path)[0]["total_micros"])
                for path in runs)
    found = collections.Counter()
    for row in tables["rows"]:
        found[row["view"]] += row["self_sum"]
    assert found == {"scope": whole, "op": whole, "code": whole}


def test_quantiles_are_within_one_percent(model, tmp_path):
    graph, log, runs = files_of(model)
    tables = aggregate(tmp_path / "out", graph, log, *runs)
    values = collections.defaultdict(list)
    for path in runs:
        for key, value in truth(graph, log, path).items():
            values[key].append(value)
    single = {k for k, n in parts(tables).items() if n == 1}
    buckets = collections.defaultdict(list)
    for item in tables["histogram"]:
        buckets[item["row"]] += [item["bucket"]] * item["count"]
    walls = sorted(s["wall_ns"] for s in tables["steps"])
    middles = [2 * GAMMA**b / (GAMMA + 1) for b in sorted(buckets.pop(0))]
    assert all(abs(m - w) <= 0.010001 * w
               for m, w in zip(middles, walls, strict=True))
    for row in tables["rows"]:
        key = row["view"], row["name"]
        if key in single:
            for bucket, raw in zip(sorted(buckets[row["row"]]),
                                   sorted(values[key]), strict=True):
                middle = 2 * GAMMA**bucket / (GAMMA + 1)
                assert abs(middle - raw) <= 0.010001 * raw
                assert bucket == math.ceil(math.log(raw) / math.log(GAMMA))


@pytest.mark.parametrize("trace", TRACES, ids=lambda p: p.name.split(".")[0])
def test_traces_equal_the_views(trace, tmp_path):
    tables = aggregate(tmp_path / "out", trace)
    total = collections.Counter()
    for step in tables["steps"]:
        total.update(truth(trace, "--step", str(step["step"])))
    ours, divided = sums(tables), parts(tables)
    total = {k: v for k, v in total.items() if v or k in ours}
    assert set(total) <= set(ours)
    for key, value in ours.items():  # each row and step was rounded by itself
        most = divided[key] * len(tables["steps"])
        assert abs(value - total.get(key, 0)) <= most, key
    kinds = {r["kind"] for r in tables["rows"]}
    for kind in ("compute", "collective"):
        assert sum(s[f"{kind}_ns"] for s in tables["steps"]) == sum(
            r["self_sum"] for r in tables["rows"]
            if r["view"] == "op" and r["kind"] == kind)
    if trace.name.startswith("gen_"):
        assert kinds >= {"compute", "collective"}


@pytest.mark.parametrize("trace", TRACES[:4], ids=lambda p: p.name.split(".")[0])
def test_steps_of_traces_equal_the_table(trace, tmp_path):
    ours = {s["step"]: s for s in aggregate(tmp_path / "out", trace)["steps"]}
    for number, step in ours.items():
        rows = [r for r in rows_of("steps", trace) if r["step"] == str(number)]
        for name, column in (("wall_ns", "wall_micros"),
                             ("device_ns", "device_micros"),
                             ("busy_ns", "busy_micros"),
                             ("input_wait_ns", "input_wait_micros")):
            known = [nanos(r[column]) for r in rows if r[column]]
            assert step[name] == max(known, default=-1), (number, name)


def test_steps_of_runs_equal_the_table(model, tmp_path):
    graph, log, runs = files_of(model)
    ours = aggregate(tmp_path / "out", graph, log, *runs)["steps"]
    rows = rows_of("steps", graph, log, *runs)
    assert [s["step"] for s in ours] == list(range(STEPS))
    for step in ours:
        mine = [r for r in rows if int(r["step"]) == step["step"]]
        assert step["wall_ns"] == nanos(mine[0]["wall_micros"])
        assert step["busy_ns"] == max(nanos(r["busy_micros"]) for r in mine)
        assert step["input_wait_ns"] == nanos(mine[0]["input_wait_micros"])


def test_a_profile_equals_the_views(tmp_path):
    path = DATA_DIR / "profile"
    tables = aggregate(tmp_path / "out", path)
    total = collections.Counter()
    for step in tables["steps"]:
        total.update(truth(path, "--step", str(step["step"])))
    assert dict(sums(tables)) == dict(total)
    assert len(tables["header"][0]["graph"]) == 16


# ---- Merging ------------------------------------------------------------------

MERGED = """
select row, view, name, op_type, device, kind, depth, sum(count)::bigint c,
  sum(sum)::bigint s, sum(self_sum)::bigint self, sum(squares_hi)::bigint hi,
  sum(squares_lo)::bigint lo, min(min) low, max(max) high, sum(runs)::bigint runs
from read_parquet({}) group by all order by all
"""
MERGED_HISTOGRAM = """
select row, bucket, sum(count)::bigint c from read_parquet({})
group by all order by all
"""


def test_merging_in_any_order_gives_the_rows_of_one_call(model, tmp_path):
    graph, log, runs = files_of(model)
    aggregate(tmp_path / "all", graph, log, *runs)
    shuffled = list(runs)
    random.Random(1).shuffle(shuffled)
    folders = []
    for i in range(4):
        folders.append(tmp_path / f"part_{i}")
        aggregate(folders[-1], graph, log, *shuffled[i::4])
    for text, name in ((MERGED, "rows"), (MERGED_HISTOGRAM, "histogram")):
        merged = query(text.format([f"{f}/{name}.parquet" for f in folders]))
        other = query(text.format(
            [f"{f}/{name}.parquet" for f in reversed(folders)]))
        assert merged == other == query(
            text.format([f"{tmp_path}/all/{name}.parquet"]))
    headers = {read(f)["header"][0]["graph"] for f in folders}
    assert len(headers) == 1 and len(headers.pop()) == 16


def test_ids_and_files_are_the_same_in_each_process(model, tmp_path):
    graph, log, runs = files_of(model)
    for name in "ab":
        aggregate(tmp_path / name, graph, log, *runs)
    for table in TABLES:
        assert ((tmp_path / "a" / f"{table}.parquet").read_bytes()
                == (tmp_path / "b" / f"{table}.parquet").read_bytes())


def test_a_folder_gives_the_same_rows(model, tmp_path):
    graph, log, runs = files_of(model)
    one = aggregate(tmp_path / "a", model)
    assert one["rows"] == aggregate(tmp_path / "b", graph, log, *runs)["rows"]


# ---- Labels and the header ----------------------------------------------------


def test_labels_are_the_first_columns(model, tmp_path):
    graph, _, runs = files_of(model)
    tables = aggregate(tmp_path / "out", graph, runs[0], "--label",
                       "zone=eu,worker=w17,job=j4")
    for table in tables.values():
        assert list(table[0])[:3] == ["job", "worker", "zone"]
        assert list(table[0].values())[:3] == ["j4", "w17", "eu"]
    host = os.uname().nodename
    plain = aggregate(tmp_path / "plain", graph, runs[0])
    assert plain["header"][0]["worker"] == plain["header"][0]["machine"] == host
    assert plain["header"][0]["job"] == ""
    bad = run_aggregate(tmp_path / "bad", graph, runs[0], "--label", "sum=3")
    assert bad.returncode == 2 and not (tmp_path / "bad").exists()


NAME_HOST = """import ctypes, subprocess, sys
name = b"a\\xff"
assert ctypes.CDLL(None).sethostname(name, len(name)) == 0
subprocess.run(sys.argv[1:], check=True)
"""


def test_a_host_name_that_is_not_utf8_is_escaped(tmp_path):
    path = write_run(tmp_path / "run_meta", b"/device:CPU:0", [b"x"])
    alone = ["unshare", "--user", "--map-root-user", "--uts"]
    if subprocess.run([*alone, "true"], capture_output=True,
                      check=False).returncode != 0:
        pytest.skip("no other host name is allowed here")
    subprocess.run([*alone, sys.executable, "-c", NAME_HOST, TFPROF,
                    "aggregate", path, "--output",
                    f"parquet:outfile={tmp_path}/out"],
                   check=True, capture_output=True)
    header = read(tmp_path / "out")["header"][0]
    assert (header["worker"], header["machine"]) == ("a\\xff", "a\\xff")


@pytest.mark.parametrize("name,producer", [
    ("tf_keras_3steps_py0", "tensorflow"), ("jax_mlp_3steps_py0", "jax")])
def test_the_producer_of_a_trace_is_known(tmp_path, name, producer):
    trace = DATA_DIR / "traces" / f"{name}.xplane.pb"
    tables = aggregate(tmp_path / "out", trace)
    assert tables["header"][0]["producer"] == producer


def test_max_depth_limits_the_rows(model, tmp_path):
    graph, log, runs = files_of(model)
    tables = aggregate(tmp_path / "out", graph, log, runs[0], "--max_depth", "2")
    assert max(r["depth"] for r in tables["rows"]) == 2
    found = collections.Counter()
    for row in tables["rows"]:
        found[row["view"]] += row["self_sum"]
    assert len(set(found.values())) == 1
    for depth in ("0", "101"):
        done = run_aggregate(tmp_path / "bad", graph, runs[0], "--max_depth",
                             depth)
        assert done.returncode == 2 and b"1 to 100" in done.stderr


# ---- Names and devices --------------------------------------------------------


def test_hostile_names_are_kept_as_utf8(tmp_path):
    name = b'a\xff\x00"b/\xe2\x82\xac\n' + b"x" * 5000
    path = write_run(tmp_path / "run_meta", b"/job:a/device:CPU:0", [name])
    tables = aggregate(tmp_path / "out", path)
    scope = [r for r in tables["rows"] if r["view"] == "scope"]
    assert [r["depth"] for r in scope] == [1, 2]
    assert scope[0]["name"] == "a\\xff\0\"b" and scope[0]["sum"] == 7000
    assert tables["header"][0]["graph"] == ""


def test_names_are_those_of_views_in_parquet(tmp_path):
    """Only bytes that are not valid UTF-8 are escaped."""
    names = [b"a\n/\x1b[2J", b"a\\b/\xe2\x80\x8d", b"c\xff\\xff"]
    path = write_run(tmp_path / "run_meta", b"/device:CPU:0", names)
    tables = aggregate(tmp_path / "out", path)
    view = tmp_path / "view.parquet"
    done = run("scope", path, "--output", f"parquet:outfile={view}")
    assert done.returncode == 0, done.stderr
    shown = {r["name"] for r in query(f"select name from '{view}'")}
    assert {r["name"] for r in tables["rows"] if r["view"] == "scope"} \
        == shown - {"_TFProfRoot"}


def test_negative_times_are_part_of_the_totals(tmp_path):
    """As in the views, and as a note says."""
    path = tmp_path / "run_meta"
    records = b"".join(
        field(2, field(1, name) + integer(2, 1) + integer(4, micros % 2**64))
        for name, micros in ((b"a/x", 10), (b"a/x", -3), (b"a/y", -4)))
    path.write_bytes(field(1, field(1, field(1, b"/device:CPU:0") + records)))
    done = run_aggregate(tmp_path / "out", path)
    assert done.returncode == 0
    assert b"which the totals include" in done.stderr
    tables = read(tmp_path / "out")
    rows = {r["name"]: r for r in tables["rows"] if r["view"] == "scope"}
    assert {k: (r["sum"], r["self_sum"], r["min"], r["max"], r["squares_lo"])
            for k, r in rows.items()} == {
                "a": (3000, 0, 3000, 3000, 3000**2),
                "a/x": (7000, 7000, 7000, 7000, 7000**2),
                "a/y": (-4000, -4000, -4000, -4000, 4000**2)}
    assert rows_of("scope", path)[1]["total_micros"] == "3"
    bucket = [h["bucket"] for h in tables["histogram"]
              if h["row"] == rows["a/y"]["row"]]
    assert bucket == [-1]


def test_workers_with_other_tasks_have_the_same_rows(tmp_path):
    both = []
    for task in (b"0", b"7"):
        device = b"/job:worker/replica:0/task:" + task + b"/device:GPU:0"
        path = write_run(tmp_path / f"run_{task.decode()}", device,
                         [b"a/MatMul", b"a/b/Add"])
        both.append(aggregate(tmp_path / task.decode(), path)["rows"])
    assert both[0] == both[1]
    assert {r["device"] for r in both[0] if r["op_type"]} == {"/device:gpu:0"}


def test_rows_over_the_limit_are_counted(tmp_path):
    subprocess.run([sys.executable, SOURCE_DIR / "bench" / "gen_large.py",
                    "14000", tmp_path, "--no-pbtxt"], check=True,
                   capture_output=True)
    done = run_aggregate(tmp_path / "out", tmp_path / "graph.pb",
                         tmp_path / "run_meta", "--max_depth", "8")
    assert done.returncode == 0 and b"over the limit" in done.stderr
    tables = read(tmp_path / "out")
    header = tables["header"][0]
    assert header["rows"] == len(tables["rows"]) <= 10000
    assert header["dropped"] > 1000
    found = collections.Counter()
    for row in tables["rows"]:
        found[row["view"]] += row["self_sum"]
    assert found["scope"] == found["op"]


PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@no_sanitizer
def test_memory_does_not_grow_with_steps(model, tmp_path):
    graph, log, runs = files_of(model)

    def peak(*paths):
        return int(subprocess.run(
            [sys.executable, "-c", PEAK, TFPROF, "aggregate", graph, log,
             *paths, "--output", f"parquet:outfile={tmp_path}/out"],
            check=True, capture_output=True).stdout)

    many = runs * 9  # a file that is given twice is two steps
    assert peak(*many[:100]) <= 2 * peak(runs[0])


def test_the_summary_is_text_or_json(model, tmp_path):
    graph, _, runs = files_of(model)
    done = run_aggregate(tmp_path / "out", graph, *runs)
    assert done.stdout.startswith(f"{STEPS} steps, ".encode())
    done = run_aggregate(tmp_path / "out", graph, *runs, "--format", "json")
    size = sum(p.stat().st_size for p in pathlib.Path(tmp_path / "out").iterdir())
    assert f'"bytes": {size}'.encode() in done.stdout


# ---- Directories --------------------------------------------------------------


def test_other_files_in_a_directory_do_not_repeat_its_traces(tmp_path):
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    shutil.copy(TRACES[0], logdir / "a.xplane.pb")
    shutil.copy(TRACES[0], logdir / "z.xplane.pb")
    whole = aggregate(tmp_path / "whole", logdir)
    (logdir / "m_run_meta").write_bytes(run_record(b"x"))
    tables = aggregate(tmp_path / "out", logdir)
    assert len(tables["steps"]) == len(whole["steps"]) + 1
    assert [s for s in tables["steps"] if s["busy_ns"] != 7000] == whole["steps"]
    before = sums(whole)
    assert all(sums(tables)[key] == before[key] for key in before)


def test_a_directory_that_is_given_twice_counts_twice(tmp_path):
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    for name in "az":
        shutil.copy(TRACES[0], logdir / f"{name}.xplane.pb")
    (logdir / "m_run_meta").write_bytes(run_record(b"x"))
    one = aggregate(tmp_path / "one", logdir)
    for other in (logdir, f"{logdir}/"):
        two = aggregate(tmp_path / "two", logdir, other)
        assert len(two["steps"]) == 2 * len(one["steps"])
        assert sums(two) == {k: 2 * v for k, v in sums(one).items()}


def test_operations_outside_of_steps_are_not_counted_for_another_host(tmp_path):
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    (logdir / "a.xplane.pb").write_bytes(host(range(4), rest=3 * 10**9))
    (logdir / "b.xplane.pb").write_bytes(host(range(5)))
    tables = aggregate(tmp_path / "out", logdir)
    assert [s["step"] for s in tables["steps"]] == [0, 1, 2, 3, 4]
    assert all(0 < s["busy_ns"] <= s["wall_ns"] for s in tables["steps"])
    assert not [key for key in sums(tables) if "Outside" in key[1]]


def test_a_host_without_steps_is_a_step_of_its_own(tmp_path):
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    (logdir / "a.xplane.pb").write_bytes(host([], rest=10**9))
    (logdir / "b.xplane.pb").write_bytes(host(range(3)))
    tables = aggregate(tmp_path / "out", logdir)
    assert sorted(s["step"] for s in tables["steps"]) == [0, 1, 2, 3]
    alone = aggregate(tmp_path / "alone", logdir / "a.xplane.pb")
    assert [s["step"] for s in alone["steps"]] == [0]


def test_traces_on_the_command_line_have_their_own_steps(tmp_path):
    paths = [tmp_path / f"{name}.xplane.pb" for name in "ab"]
    for path in paths:
        path.write_bytes(host(range(3)))
    tables = aggregate(tmp_path / "out", *paths)
    assert [s["step"] for s in tables["steps"]] == [0, 1, 2] * 2


def test_skipped_files_and_older_runs_are_noted(tmp_path):
    logdir = tmp_path / "logdir"
    for name in ("r1", "r2", "r3"):
        folder = logdir / "plugins" / "profile" / name
        folder.mkdir(parents=True)
        shutil.copy(TRACES[0], folder / "h.xplane.pb")
    (logdir / "graph.pb").write_bytes(b"\xff" * 40)
    (logdir / "empty").write_bytes(b"")
    done = run_aggregate(tmp_path / "out", logdir)
    assert done.returncode == 0
    assert b"r3 is the newest of 3 runs" in done.stderr
    assert b"the file is empty, or its type is unknown (and 1 more file)" \
        in done.stderr


def test_runs_of_another_model_are_noted(model, tmp_path):
    other = tmp_path / "run_meta"
    other.write_bytes(run_record(b"unknown_node"))
    done = run_aggregate(tmp_path / "out", model / "graph.pb", other, other)
    assert done.returncode == 0
    assert done.stderr.count(b"no run record matches a node") == 1


def test_a_trace_that_is_gone_is_damaged(tmp_path):
    logdir, pipe = tmp_path / "logdir", tmp_path / "pipe"
    logdir.mkdir()
    shutil.copy(TRACES[0], logdir / "a.xplane.pb")
    os.mkfifo(pipe)
    with subprocess.Popen(
            [TFPROF, "aggregate", logdir, pipe, "--output",
             f"parquet:outfile={tmp_path}/out"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with pipe.open("wb") as writer:  # opened after the folder was listed
            shutil.rmtree(logdir)
            writer.write(run_record(b"x"))
        _, stderr = process.communicate()
    assert process.returncode == 1
    assert b"the file is gone or was replaced" in stderr
    tables = read(tmp_path / "out")
    header = tables["header"][0]
    assert (header["steps"], header["damaged"]) == (1, 1)
    assert "gone or was replaced" in header["problems"]
