"""Tables: steps, kernels and devices, against xprof's answers, against the
reference programs and against a plain count of run records."""

import csv
import decimal
import io
import json
import subprocess

import pytest

import messages
import program
import trace_judge
from device_sums import device_sums, window
from messages import NOON
from trace_build import BROKEN, Plane, space
from trace_files import FILES, FOLDER, MICRO, named, needs_traces, picos

STEPS = 41  # of all files, as xprof tells them


def table(kind, *args, **kwargs):
    done = program.run(kind, "--format", "json", *args, **kwargs)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout, parse_float=decimal.Decimal)


def rows(kind, *args):
    return table(kind, *args)[kind]


# ---- Steps against xprof ------------------------------------------------


def wanted_steps(path):
    """xprof's steps in picoseconds; None where it tells those of a TPU."""
    name = path.name.removesuffix(".xplane.pb")
    told, = (FOLDER / "expected").glob(f"{name}*overview_page*")
    table = json.loads(told.read_text(), parse_float=decimal.Decimal)[1]
    ids = [column["id"] for column in table["cols"]]
    if "stepTimeMs" not in ids:
        return None
    at = ids.index("stepTimeMs")
    # A number of milliseconds with all its digits, but as a double.
    return [round(row["c"][at]["v"] * MICRO * 1000) for row in table["rows"]]


def found_steps(path):
    told = rows("steps", path)
    on_gpu = any("GPU" in row["device"] for row in told)
    key = "device_micros" if on_gpu else "wall_micros"
    longest = {}
    for row in told:
        if row[key] is not None:
            step = row["step"]
            longest[step] = max(longest.get(step, 0), picos(row[key]))
    return [longest[step] for step in sorted(longest)], on_gpu


@needs_traces
def test_steps_of_xprof():
    """Where xprof has none, tfprof may have some: Keras, loops."""
    hosts, gpus, count = set(), set(), 0
    for path in FILES:
        wanted = wanted_steps(path)
        if not wanted:
            continue
        found, on_gpu = found_steps(path)
        assert found == wanted, path.name
        (gpus if on_gpu else hosts).add(path.name)
        count += len(wanted)
    assert (len(hosts), len(gpus), count) == (9, 3, STEPS)


@needs_traces
def test_steps_of_keras():
    told = [row for row in rows("steps", named("keras315_tf221_callback"))
            if row["wall_micros"] is not None]
    assert len({row["step"] for row in told}) == 11


@needs_traces
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_busy_time_is_no_longer_than_the_runs(path):
    """Nor is it longer than the steps, which have one length for all devices."""
    told = rows("devices", path)
    steps = [row for row in rows("steps", path) if not row["is_rest"]]
    sums = device_sums(steps)
    assert sum(row["ops"] for row in told) == sum(row["ops"] for row in steps)
    for row in told:
        busy, idle, _ = sums.get(row["device"], (0, window(steps)[0], 0))
        assert (row["busy_micros"], row["idle_micros"]) == (busy, idle)
        assert busy >= 0 and idle >= 0
    for step in steps:
        if step["wall_micros"] is not None:
            assert step["idle_micros"] == max(
                0, step["wall_micros"] - step["busy_micros"])


@needs_traces
def test_busy_time_is_the_union_of_runs():
    judge = trace_judge.Judge(named("gen_jax-gpu"))
    for row in rows("devices", named("gen_jax-gpu")):
        if "GPU" not in row["device"]:
            continue
        plane = "/device:" + row["device"].split("/device:")[1]
        spans = sorted(judge.device_spans(plane))
        busy, until = 0, 0
        for begin, end in spans:
            busy += max(0, end - max(begin, until))
            until = max(until, end)
        assert picos(row["busy_micros"]) == busy
        assert row["ops"] == len(spans)


@needs_traces
def test_summary_is_by_nearest_rank():
    told = table("steps", named("keras315_tf221_callback"))
    walls = sorted({row["step"]: row["wall_micros"] for row in told["steps"]
                    if row["wall_micros"] is not None}.values())
    summary = {row["statistic"]: row for row in told["summary"]}
    for name, percent in (("p50", 50), ("p95", 95), ("max", 100)):
        rank = -(-len(walls) * percent // 100)
        assert summary[name]["wall_micros"] == walls[rank - 1]


# ---- Kernels ------------------------------------------------------------


@needs_traces
@pytest.mark.parametrize("name", ["tf2_gpu_multiworker", "gen_jax-gpu",
                                  "gen_tf-gpu", "jax_te_fused_attn"])
def test_kernel_sums_match_the_trace_and_fall(name):
    told = rows("kernels", named(name))
    judge = trace_judge.Judge(named(name))
    assert [sum(row["count"] for row in told),
            sum(picos(row["total_micros"]) for row in told)] == judge.kernels
    totals = [row["total_micros"] for row in told]
    assert totals == sorted(totals, reverse=True)
    for row in told:
        assert row["min_micros"] * row["count"] <= row["total_micros"]
        assert row["max_micros"] * row["count"] >= row["total_micros"]


@needs_traces
def test_kernels_that_are_promised():
    told = rows("kernels", named("tf2_gpu_multiworker"))
    assert sum(row["count"] for row in told) == 1330
    assert sum(picos(row["total_micros"]) for row in told) == 29_690_748_000


# ---- Memory -------------------------------------------------------------


WITH_POOLS = ["gen_tf-gpu", "tf2_gpu_multiworker", "keras315_tf221_jit",
              "keras315_tf221_callback"]


@needs_traces
@pytest.mark.parametrize("by", ["node", "scope", "op", "line"])
@pytest.mark.parametrize("name", WITH_POOLS)
def test_holders_add_up_to_the_peak(name, by):
    told = table("memory", "--by", by, named(name))
    held = {}
    for row in told["memory"]:
        key = row["place"], row["allocator"]
        held[key] = held.get(key, 0) + row["bytes"]
    assert told["pools"]
    for pool in told["pools"]:
        key = pool["place"], pool["allocator"]
        assert held[key] == pool["peak_bytes"] + pool["missing_frees_bytes"]
        curve = [int(point) for point in pool["curve_bytes"].split()]
        assert max(curve) == pool["peak_bytes"]
        assert pool["peak_bytes"] <= (pool["reported_peak_bytes"]
                                      or pool["peak_bytes"])


def test_memory_of_run_records():
    told = table("memory", program.DATA_DIR / "run_meta",
                 program.DATA_DIR / "graph.pb")
    assert [row["source"] for row in told["pools"]] == ["records"]
    assert told["memory"][0]["op_type"] == "Placeholder"


def test_memory_is_estimated_where_nothing_is_recorded(tmp_path):
    """An output lives until the last node that reads it has run."""
    graph = tmp_path / "graph.pb"
    graph.write_bytes(b"".join((
        messages.node_def(b"a"), messages.node_def(b"b", inputs=[b"a"]),
        messages.node_def(b"c", inputs=[b"b"]))))
    path = tmp_path / "run"
    path.write_bytes(messages.run_of((b"/cpu:0", b"".join((
        messages.record(b"a", NOON, 10, outputs=[100]),
        messages.record(b"b", NOON + 20, 10, outputs=[1000]),
        messages.record(b"c", NOON + 40, 10, outputs=[10]))))))
    told = table("memory", graph, path)
    pool, = told["pools"]
    assert (pool["source"], pool["peak_bytes"]) == ("estimated", 1100)
    assert {row["name"]: row["bytes"] for row in told["memory"]} == {
        "a": 100, "b": 1000}
    text = program.run("memory", graph, path).stdout
    assert b"estimated" in text


# ---- Devices ------------------------------------------------------------


@needs_traces
def test_rates_of_a_tpu():
    for row in rows("devices", named("jax_tpu_inference")):
        assert row["model"] == "TPU v6 Lite"
        seconds = row["busy_micros"] / 1_000_000
        rate = row["float_ops"] / seconds / 10**9
        assert abs(row["gflops_per_second"] / rate - 1) < 1e-9
        share = 100 * rate / row["peak_gflops_per_second"]
        assert abs(row["percent_of_peak_flops"] / share - 1) < 1e-9
        assert row["percent_of_time_counted"] <= 100


# ---- Run records --------------------------------------------------------


def test_steps_of_run_records(tmp_path):
    """Of two devices, with runs that overlap, follow each other and wait."""
    cpu = [messages.record(b"a", NOON, 10),
           messages.record(b"b", NOON + 5, 10),
           messages.record(b"x/IteratorGetNext", NOON + 30, 20)]
    gpu = [messages.record(b"c", NOON + 40, 30),
           messages.record(b"d", NOON + 45, 0)]
    path = tmp_path / "run"
    path.write_bytes(messages.run_of((b"/cpu:0", b"".join(cpu)),
                                     (b"/gpu:0/stream:all", b"".join(gpu))))
    told = table("steps", path)
    assert [(row["device"], row["busy_micros"], row["ops"])
            for row in told["steps"]] == [("/cpu:0", 35, 3),
                                          ("/gpu:0/stream:all", 30, 2)]
    for row in told["steps"]:
        assert row["wall_micros"] == 70
        assert row["idle_micros"] == 70 - row["busy_micros"]
        assert row["input_wait_micros"] == 20


def test_devices_of_run_records():
    steps = rows("steps", program.DATA_DIR / "run_meta")
    devices = rows("devices", program.DATA_DIR / "run_meta")
    assert ({row["device"] for row in steps} ==
            {row["device"] for row in devices})


# ---- Forms --------------------------------------------------------------


@needs_traces
@pytest.mark.parametrize("kind", ["steps", "kernels", "memory", "devices"])
@pytest.mark.parametrize("name", ["gen_tf-gpu"])
def test_csv_tells_what_json_tells(kind, name):
    done = program.run(kind, "--format", "csv", named(name))
    assert done.returncode == 0
    found = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    wanted = [{key: "" if value is None else str(value).lower()
               if isinstance(value, bool) else str(value)
               for key, value in row.items()} for row in rows(kind, named(name))]
    assert found == wanted


@needs_traces
def test_text_says_what_it_leaves_out():
    whole = program.run("kernels", "--top", "0", named("gen_jax-gpu")).stdout
    some = program.run("kernels", "--top", "3", named("gen_jax-gpu")).stdout
    count = len(rows("kernels", named("gen_jax-gpu")))
    assert len(whole.splitlines()) == count + 1
    assert some.splitlines()[-1] == (
        f"... and {count - 3} more (--top 0 shows all)".encode())


@needs_traces
@pytest.mark.parametrize("kind", ["steps", "kernels", "memory", "devices"])
def test_a_trace_is_read_again_at_the_prompt(kind):
    """There it was not known what would be asked."""
    wanted = program.run(kind, named("gen_tf-gpu")).stdout
    done = subprocess.run([program.TFPROF, named("gen_tf-gpu")],
                          input=f"{kind}\n{kind}\n".encode(),
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == wanted + wanted


def test_a_damaged_trace_is_read_again_at_the_prompt(tmp_path):
    gpu = Plane("/device:GPU:0")
    gpu.line(1, "Stream #1", gpu.event("k", 100, 50), BROKEN)
    path = tmp_path / "host.xplane.pb"
    path.write_bytes(space(gpu))
    wanted = program.run("steps", "--salvage", path).stdout
    done = subprocess.run([program.TFPROF, "--salvage", path],
                          input=b"steps\n", capture_output=True, check=False)
    assert done.stdout == wanted and b"0.05ns" in wanted, done.stderr


@needs_traces
def test_a_pipe_is_read_once():
    with named("gen_tf-gpu").open("rb") as trace:
        done = subprocess.run([program.TFPROF, "steps", "-"], stdin=trace,
                              capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == program.run("steps", named("gen_tf-gpu")).stdout


# ---- Refusals -----------------------------------------------------------


def test_what_has_no_runs():
    done = program.run("steps", program.DATA_DIR / "graph.pb")
    assert done.returncode == 2
    assert b"no input contains run records" in done.stderr
    done = program.run("kernels", program.DATA_DIR / "run_meta")
    assert done.returncode == 2
    assert b"no input contains kernels" in done.stderr


@pytest.mark.parametrize("args", [("--format", "proto"),
                                  ("--output", "timeline:outfile=x"),
                                  ("--sort", "name")])
def test_forms_that_tables_do_not_have(args):
    done = program.run("steps", *args, program.DATA_DIR / "run_meta")
    assert done.returncode == 2
    assert done.stdout == b""
