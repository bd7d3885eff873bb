"""Run records and op logs that are well formed and make no sense."""

# labels: both, slow

import json
import re
import time

import pytest

from faults import MIB, SANITIZED, run
from messages import (CODE, CPU, EVERYTHING, FORMATS, GPU, LARGEST, LOW, NOON,
                      SMALLEST, VIEWS, Folder, entry, frame, node_def, record,
                      rows, run_of, strings)
from surroundings import PATIENCE

# A guard against what is not linear, on machines of any speed.
SECONDS = 100 if SANITIZED else 20


def one(tmp_path, records, **more):
    """A graph of two nodes, a and b, with these records on the CPU."""
    return Folder(tmp_path, graph=node_def(b"a") + node_def(b"b", b"B"),
                  run=run_of((CPU, records)), **more)


def costs(folder, select, *args):
    """{name: costs of its own} from the scope view."""
    out, _ = folder.ask("scope", "-select", select, "--format", "json", *LOW,
                        *args)
    return {row["name"]: row["self"] for row in json.loads(out)["rows"]}


# ---- RM-01: times -----------------------------------------------------------

SATURATED = "a total overflowed and was clamped"

# start, length, what is counted, and a word of the summary that tells of it
TIMES = {
    "no start": (0, 5, 0, "start"),
    "a start below 0": (-5, 5, 0, "start"),
    "the last moment": (LARGEST, 5, 5, "largest supported time"),
    "a length below 0": (NOON, -7, -7, "negative"),
    "the shortest length": (NOON, SMALLEST, SMALLEST, "negative"),
    "an end past the last moment": (LARGEST - 2, LARGEST, LARGEST,
                                    "largest supported time"),
    "the longest length": (NOON, LARGEST, LARGEST, "largest supported time"),
    "all as small as can be": (SMALLEST, SMALLEST, 0, "start"),
    "nothing odd": (NOON, 5, 5, None),
    "no length": (NOON, 0, 1, None),
}


@pytest.mark.parametrize("case", TIMES)
def test_RM_01_odd_times_are_told_in_one_line(tmp_path, case):
    start, length, counted, word = TIMES[case]
    folder = one(tmp_path, record(b"a", start, length) * 3 + record(b"b"))
    times = 3 * counted
    found = costs(folder, "cpu_micros,occurrence")
    assert found["a"]["cpu_micros"] == max(SMALLEST, min(LARGEST, times))
    assert found["b"]["cpu_micros"] == 5
    for view in ("scope", "graph", "op"):
        for form in FORMATS:
            _, said = folder.ask(view, "-select", EVERYTHING, "--format", form)
            if word is None:
                assert said == []
                continue
            if SATURATED in said:
                said.remove(SATURATED)
            if counted < 0 and view == "op":  # less than the minimum of 0
                assert said.pop().startswith("nothing is shown: --min_micros 0")
            assert [line for line in said if word in line], said
            assert len(said) == 1 and said[0].startswith("3 run records ")
            assert folder.ask(view, "-q", "--format", form)[1] == []


def test_RM_01_many_odd_times_are_few_lines(tmp_path):
    folder = one(tmp_path, b"".join(
        record(b"a", start, length) for start, length, _, _ in TIMES.values())
        * 100)
    _, said = folder.ask("scope")
    assert 1 <= len(said) <= 4
    # What is not summed up is not said to be.
    for line in said:
        assert line == SATURATED or re.match(r"\d+ run records ", line)


def test_RM_01_an_end_before_the_first_moment_is_not_after_the_last(tmp_path):
    folder = one(tmp_path, record(b"a", SMALLEST, SMALLEST))
    _, said = folder.ask("scope")
    assert not [line for line in said
                if "after the largest supported time" in line]


# ---- RM-03: memory ----------------------------------------------------------

MEMORY = "bytes,peak_bytes,residual_bytes,output_bytes"
TOO_MUCH = b">=9223372036854.78MB"


def test_RM_03_memory_below_0_is_told(tmp_path):
    folder = one(tmp_path, record(b"a", memory=[(-5, -6, -7)], outputs=[-8])
                 + record(b"b", memory=[(10, 1, 10)]))  # more left than used
    found = costs(folder, MEMORY)
    assert found["a"] == {"bytes": -5, "peak_bytes": -6, "residual_bytes": -7,
                          "output_bytes": -8}
    assert found["b"]["peak_bytes"] == 1
    assert found["b"]["residual_bytes"] == 10
    for view in ("scope", "graph", "op"):
        out, said = folder.ask(view, "-select", MEMORY, *LOW)
        assert len(said) == 1 and said[0].startswith("1 run record")
        assert b"-5B" in out


@pytest.mark.parametrize("field", ["temp", "kept"])
def test_RM_03_each_figure_below_0_is_told(tmp_path, field):
    folder = one(tmp_path, record(b"a", **{field: -5}))
    _, said = folder.ask("scope", "-select", MEMORY)
    assert len(said) == 1 and "negative" in said[0]


def test_RM_03_memory_that_does_not_fit_is_marked_and_told(tmp_path):
    folder = one(tmp_path, record(
        b"a", memory=[(LARGEST,) * 3] * 2, outputs=[LARGEST] * 2,
        temp=LARGEST, kept=LARGEST) * 2 + record(b"b", memory=[(1, 1, 1)]))
    found = costs(folder, MEMORY)
    assert set(found["a"].values()) == {LARGEST}
    for view in ("scope", "graph", "op"):
        out, said = folder.ask(view, "-select", MEMORY)
        assert TOO_MUCH in out
        assert not re.search(rb"(?<!>=)9223372036854\.78MB", out)
        assert len(said) == 1, "a sum that did not fit is worth a remark"


def test_RM_03_sums_do_not_turn_over(tmp_path):
    """Up to the end, and back again from there."""
    folder = one(tmp_path, record(b"a", memory=[(LARGEST,) * 3])
                 + record(b"a", memory=[(1, 1, 1)])
                 + record(b"b", memory=[(SMALLEST,) * 3])
                 + record(b"b", memory=[(-1, -1, -1)]))
    found = costs(folder, MEMORY)
    assert found["a"]["bytes"] == LARGEST and found["b"]["bytes"] == SMALLEST
    for view in VIEWS[:3]:
        for order in ("bytes", "peak_bytes", "name"):
            folder.ask(view, "-select", EVERYTHING, "-order_by", order, *LOW)


# ---- RM-04: devices ---------------------------------------------------------

NO_STREAM = ("operations were placed on an accelerator, but its streams were "
             "not recorded: accelerator time is missing")
STREAM = GPU + b"/stream:all"
DEVICES = {
    # devices; cpu, accelerator time and device of the node; the remark
    "no name": ([b""], 0, 0, [], False),
    "1 MiB": ([b"/" + b"d" * MIB + b"/device:CPU:0"], 5, 0,
              ["/" + "d" * MIB + "/device:cpu:0"], False),
    "one twice": ([CPU, CPU], 10, 0, [CPU.decode().lower()], False),
    "a GPU twice": ([GPU, GPU], 10, 0, [GPU.decode().lower()], True),
    "a GPU and its stream": ([GPU, STREAM], 5, 5, [GPU.decode().lower()],
                             False),
    "a stream only": ([STREAM], 0, 5, [], False),
    "a stream twice": ([STREAM, STREAM], 0, 10, [], False),
    "one of two streams": ([GPU, GPU + b"/stream:7"], 5, 0,
                           [GPU.decode().lower()], True),
    "a short name": ([b"/gpu:0"], 5, 0, ["/gpu:0"], True),
    "capitals": ([b"/DEVICE:CPU:0"], 5, 0, ["/device:cpu:0"], False),
    "another kind": ([b"/job:x/device:NPU:0"], 0, 0, [], False),
    "a TPU": ([b"/job:x/device:TPU:0"], 0, 0, [], False),
    "no number": ([b"/device:CPU:"], 0, 0, [], False),
    "no digits": ([b"/device:CPU:x"], 0, 0, [], False),
    "two kinds": ([CPU, GPU], 5, 0, [CPU.decode().lower()], True),
}


@pytest.mark.parametrize("case", DEVICES)
def test_RM_04_devices_of_all_kinds(tmp_path, case):
    names, cpu, accelerator, devices, misses = DEVICES[case]
    folder = Folder(tmp_path, graph=node_def(b"a"), run=run_of(
        *((name, record(b"a:Kernel")) for name in names)))
    for view in ("scope", "graph", "op"):
        out, said = folder.ask(view, "-select", "cpu_micros,device,"
                               "accelerator_micros", "--format", "json")
        row = json.loads(out)["rows"][-1]
        assert row["self"] == {"cpu_micros": cpu,
                               "accelerator_micros": accelerator}
        assert row["devices"] == devices
        assert said == [NO_STREAM] * misses
        out, said = folder.ask(view, "-select", "cpu_micros,device")
        assert said == [NO_STREAM] * misses
        assert all(device.encode() in out for device in devices)


def test_RM_04_a_device_without_records(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a"),
                    run=run_of((b"", b""), (CPU, b""), (GPU, b"")))
    out, _ = folder.ask("scope", "-select", EVERYTHING)
    assert [name for _, name in rows(out)] == ["_TFProfRoot", "a"]


# ---- RM-05: steps -----------------------------------------------------------

def test_RM_05_a_file_given_twice_is_two_steps(tmp_path):
    folder = one(tmp_path, record(b"a", end=10))
    single = folder.ask("scope", "-select", "micros,occurrence")
    folder.args += folder.args[-2:]
    assert folder.ask("scope", "-select", "micros,occurrence") == single
    for step in (0, 1):
        assert folder.ask("scope", "-select", "micros,occurrence", "-step",
                          step) == single
    assert "there is no step 2" in folder.refuse("scope", "-step", 2)


def test_RM_05_a_gap_between_steps(tmp_path):
    """The average is over the steps in which a node was run."""
    (tmp_path / "a").write_bytes(run_of((CPU, record(b"a", end=10))))
    (tmp_path / "b").write_bytes(run_of((CPU, record(b"a", end=20)
                                         + record(b"b", end=8))))
    folder = Folder(tmp_path, graph=node_def(b"a") + node_def(b"b"))
    folder.args += ["--run_meta_path", f"5={tmp_path}/a,{1 << 40}={tmp_path}/b"]
    found = costs(folder, "cpu_micros")
    assert (found["a"]["cpu_micros"], found["b"]["cpu_micros"]) == (15, 8)
    found = costs(folder, "cpu_micros", "-step", 5)
    assert (found["a"]["cpu_micros"], found["b"]["cpu_micros"]) == (10, 0)
    found = costs(folder, "cpu_micros", "-step", 1 << 40)
    assert (found["a"]["cpu_micros"], found["b"]["cpu_micros"]) == (20, 8)
    for step in (0, 6, LARGEST):
        assert (folder.refuse("scope", "-step", step)
                == f"there is no step {step} (steps: 5 {1 << 40})")


def by_name(tmp_path, *files):
    """A folder with a run of another length in each file."""
    for i, name in enumerate(files):
        (tmp_path / name).write_bytes(run_of((CPU, record(b"a", end=10 + i))))
    folder = Folder(tmp_path, graph=node_def(b"a"))
    folder.args += [str(tmp_path / name) for name in files]
    return folder


@pytest.mark.parametrize("name", ["run_meta_5", "run_meta_5.pb", "step_5.pb.x"])
def test_step_is_found_by_the_name_of_its_file(tmp_path, name):
    folder = by_name(tmp_path, "run_meta_3", name, "run_meta_15")
    for view in ("scope", "graph", "op"):
        out, said = folder.ask(view, "-select", "cpu_micros", "-step", 5)
        assert (out, []) == folder.ask(view, "-select", "cpu_micros", "-step",
                                       1)
        assert said == [
            "there is no step 5; step 1 is used, because the name of its file "
            f"contains 5: {tmp_path}/{name} (to number a file, use "
            "--run_meta_path 5=FILE)"]
    assert costs(folder, "cpu_micros", "-step", 5)["a"]["cpu_micros"] == 11


def test_position_and_number_win_over_the_name(tmp_path):
    folder = by_name(tmp_path, "run_meta_1", "run_meta_0")
    assert costs(folder, "cpu_micros", "-step", 0)["a"]["cpu_micros"] == 10
    files = [str(tmp_path / name) for name in ("run_meta_1", "run_meta_0")]
    folder.args = folder.args[:-2] + ["--run_meta_path",
                                      f"7={files[0]},1={files[1]}"]
    assert costs(folder, "cpu_micros", "-step", 1)["a"]["cpu_micros"] == 11
    folder.args[-1] = f"7={files[0]},{files[1]}"
    assert (folder.refuse("scope", "-step", 1)
            == "there is no step 1 (steps: 0 7)")


def test_two_files_named_after_a_step_are_none(tmp_path):
    folder = by_name(tmp_path, "run_meta_5", "other_5")
    assert (folder.refuse("scope", "-step", 5)
            == "there is no step 5 (steps: 0 1)")


def test_other_files_are_not_named_after_a_step(tmp_path):
    folder = by_name(tmp_path, "run_meta_55", "run_meta5", "run_meta_5_x")
    assert (folder.refuse("scope", "-step", 5)
            == "there is no step 5 (steps: 0 1 2)")
    (tmp_path / "graph_9").write_bytes(node_def(b"a"))
    folder.args.append(str(tmp_path / "graph_9"))
    assert (folder.refuse("scope", "-step", 9)
            == "there is no step 9 (steps: 0 1 2)")


def test_timeline_of_a_step_by_name(tmp_path):
    folder = by_name(tmp_path, "run_meta_5", "run_meta_6")
    _, said = folder.ask("graph", "-step", 6, "-output",
                         f"timeline:outfile={tmp_path}/t.json")
    assert "the name of its file" in said[0]
    assert (tmp_path / "t.json").exists()


def test_RM_05_a_run_of_another_model_is_told(tmp_path):
    remark = ("no run record matches a node of the graph (are the files from "
              "the same model?)")
    other = record(b"x") + record(b"y/z")
    for view in ("scope", "graph", "op"):
        out, said = one(tmp_path, other).ask(view, "-select", "micros")
        assert said == [remark]
        assert b"x" in out  # shown all the same, as upstream does
        _, said = one(tmp_path, other + record(b"a")).ask(view)
        assert said == []


def test_RM_05_ten_thousand_files(tmp_path, say):
    """About 800 bytes a file: within the memory that is allowed by itself."""
    count = 10_000
    (tmp_path / "graph").write_bytes(node_def(b"a"))
    for i in range(count):
        (tmp_path / f"{i}").write_bytes(run_of((CPU, record(b"a", end=1 + i))))
    lists = [",".join(map(str, range(i, i + count // 2)))
             for i in (0, count // 2)]
    args = ["--graph_path", "graph", *(a for paths in lists for a in (
        "--run_meta_path", paths)), "-select", "cpu_micros,occurrence"]
    begun = time.monotonic()
    code, out, err = run("scope", *args, cwd=tmp_path, timeout=PATIENCE)
    seconds = time.monotonic() - begun
    assert (code, err) == (0, b"")
    assert b"  a (5.00ms/5.00ms, 1/1|1/1)\n" in out  # (1 + 10,000) / 2
    code, out, err = run("scope", *args, "-step", str(count - 1), cwd=tmp_path)
    assert b"  a (10.00ms/10.00ms, 1/1|1/1)\n" in out
    code, _, err = run("scope", *args, "-step", str(count), cwd=tmp_path)
    assert code == 2 and len(err) < 400
    say(f"{count} files in {seconds:.2f} s")
    assert seconds < SECONDS


# ---- OL-01: strings that are missing ----------------------------------------

def test_OL_01_missing_strings_are_shown_by_number(tmp_path):
    folder = Folder(
        tmp_path, graph=node_def(b"a") + node_def(b"b"),
        log=entry(b"a", frame(77, 5, 2, 99) + frame(1, 6))
        + entry(b"b", frame(-1, 7, 88) + frame(SMALLEST, 8))
        + strings({1: b"dir/model.py", 2: b"build", 3: b"x"}))
    out, said = folder.ask("code")
    assert rows(out) == [
        (0, "_TFProfRoot"),
        (1, "<unknown file #-1>:7:<unknown function..."),
        (2, "<unknown file #-9223372036854775808>:8:build"),
        (1, "<unknown file #77>:5:build"), (2, "model.py:6:build")]
    assert said == ["5 code trace strings are missing; shown as <unknown ...>"]
    for form in FORMATS:
        _, said = folder.ask("code", "-select", "occurrence,op_types,device",
                             "--format", form)
        assert len(said) == 1


def test_OL_01_a_log_without_any_string(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a"), log=entry(
        b"a", frame(7, 5, 8, 9) + frame(7, 6, 8, 9)))
    out, said = folder.ask("code")
    assert b"\n  <unknown file #7>:5:" in out
    assert len(said) == 1


# ---- OL-02: traces ----------------------------------------------------------

def test_OL_02_no_trace_is_no_code_view(tmp_path):
    for log in (entry(b"a"), entry(b"a", b""), entry(b"gone", frame(1, 1)),
                entry(b"a", b"") * 1000, strings(CODE)):
        folder = Folder(tmp_path, graph=node_def(b"a"), log=log)
        assert folder.refuse("code").startswith(
            "the code view requires code traces")
        folder.ask("scope")
    # One trace is enough, and a node without one is left out.
    folder = Folder(tmp_path, graph=node_def(b"a") + node_def(b"b"),
                    log=entry(b"a", b"") + entry(b"b", frame(1, 3))
                    + strings(CODE))
    out, _ = folder.ask("code")
    assert rows(out)[1:] == [(1, "model.py:3:build")]


@pytest.mark.parametrize("line, shown", [
    (-1, -1), (0, 0), ((1 << 31) - 1, (1 << 31) - 1), (1 << 31, -1 << 31),
    (LARGEST, -1), (SMALLEST, 0)])
def test_OL_02_odd_lines(tmp_path, line, shown):
    """A number of 32 bits, of which protobuf keeps the lowest ones."""
    folder = Folder(tmp_path, graph=node_def(b"a"),
                    log=entry(b"a", frame(1, line)) + strings(CODE))
    out, said = folder.ask("code")
    assert rows(out)[1:] == [(1, f"model.py:{shown}:build")]
    assert said == []


def test_OL_02_a_hundred_thousand_frames(tmp_path, say):
    frames = [frame(1, i) for i in range(100_000)]
    folder = Folder(tmp_path, graph=node_def(b"a", shape=[3]) + node_def(b"b"),
                    log=entry(b"a", b"".join(frames))
                    + entry(b"b", b"".join(reversed(frames))) + strings(CODE))
    begun = time.monotonic()
    out, said = folder.ask("code")
    assert len(rows(out)) == 19 and said == []  # the root, and 9 of each
    out, _ = folder.ask("code", "-max_depth", 1_000_000, "--format", "csv",
                        timeout=PATIENCE)
    seconds = time.monotonic() - begun
    assert out.count(b"\n") == 2 + 200_000
    assert (b'"model.py:99999:build",100000,true,1,3,3,"model.py",99999,"build",'
            b'"x = layer(x)"\n' in out)
    say(f"2 stacks of 100,000 frames, twice, in {seconds:.2f} s")
    assert seconds < SECONDS


def test_OL_02_one_frame_a_hundred_thousand_times(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a", shape=[3]),
                    log=entry(b"a", frame(1, 7) * 100_000) + strings(CODE))
    begun = time.monotonic()
    folder.ask("code")
    folder.ask("code", "-max_depth", 1_000_000, "--format", "csv",
               timeout=PATIENCE)
    assert time.monotonic() - begun < SECONDS


def test_OL_02_one_line_of_many_nodes(tmp_path):
    count = 50_000
    folder = Folder(
        tmp_path, graph=b"".join(node_def(b"n%d" % i) for i in range(count)),
        log=b"".join(entry(b"n%d" % i, frame(1, 7) + frame(1, 8))
                     for i in range(count)) + strings(CODE))
    begun = time.monotonic()
    out, _ = folder.ask("code", "-select", EVERYTHING, "--format", "json")
    # The node belongs to the innermost line.
    assert [row["nodes"] for row in json.loads(out)["rows"]] == [0, 0, count]
    assert time.monotonic() - begun < SECONDS
