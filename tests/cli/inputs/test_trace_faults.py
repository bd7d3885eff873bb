"""Damaged and odd traces end as the classes XS-01 to XS-21 of faults say."""

# labels: both, slow

import collections
import gzip
import os
import re
import resource
import subprocess
import sys
import time

import pytest

import program
from trace_files import (FAULTS, FOLDER, Sums, named, needs_traces, nodes,
                         parts, picos, steps, view)

pytestmark = needs_traces

VIEWS = ("scope", "graph", "op", "code")
MOST_SECONDS = 20  # 2 where nothing else runs
MOST_BYTES = 400 << 20
SANITIZED = "asan" in os.environ.get("TFPROF_BUILD_DIR", "")

# What `code` says of a trace that has no lines, or nothing: no fault of it.
NO_LINES = re.compile(b"no operation of the trace has a source line|"
                      b"requires code traces")

Ended = collections.namedtuple("Ended", "code out err")


def fault(name):
    return FAULTS / f"XS-{name}.xplane.pb"


def ask(*args):
    """Runs the program within the bounds of time and memory."""
    begin = time.monotonic()
    done = program.run(*args)
    assert time.monotonic() - begin < MOST_SECONDS, args
    assert done.returncode in (0, 1) or NO_LINES.search(done.stderr), (
        args, done.returncode, done.stderr)
    return Ended(done.returncode, done.stdout, done.stderr.decode())


def refused(path, offset):
    """Every command says where, and tells nothing else."""
    for kind in (*VIEWS, "info"):
        done = ask(kind, path)
        assert done.code == 1
        assert f"offset {offset}: " in done.err + done.out.decode()
        assert kind == "info" or not done.out


def total(path, *args):
    """Picoseconds and runs that every view agrees on: no time below none."""
    found = set()
    for kind in VIEWS:
        if kind == "code" and NO_LINES.search(ask(kind, path).err.encode()):
            continue
        answer = view(kind, path, *args)
        assert picos(answer["total"]["micros"]) >= 0
        for row in answer["rows"]:
            for costs in (row["self"], row["total"]):
                assert min(costs.values()) >= 0
        if kind != "code":  # which leaves out what has no line
            found.add(picos(answer["total"]["micros"]))
    assert len(found) == 1, found
    return found.pop(), view("scope", path, *args)["total"]["runs"]


HOST = 500_000, 2  # of the host that most faults are put into
BOTH = 800_000, 3  # with a GPU


# ---- Classes ------------------------------------------------------------


@pytest.mark.parametrize("name, offset", [
    ("cut_in_event", 55), ("cut_in_maps", 144), ("cut_last_byte", 773),
    ("length_2_63", 3), ("length_4g", 11)])
def test_XS_01_cut_and_lengths(name, offset):
    refused(fault(f"01_{name}"), offset)


@pytest.mark.parametrize("name, found", [
    ("cut_in_event", False), ("cut_in_maps", False), ("cut_last_byte", True)])
def test_XS_01_whole_planes_are_kept(name, found):
    done = ask("scope", "--salvage", fault(f"01_{name}"))
    assert done.code == 1 and "partial: " in done.err
    assert (b"MatMul" in done.out) == found


@pytest.mark.parametrize("kind", ["summary", "scope", "op", "steps", "advise",
                                  "memory", "devices", "report"])
def test_XS_01_nothing_that_is_left_is_an_error(kind):
    """An empty summary would read as that of a model without operations."""
    path = fault("01_cut_in_maps")
    done = ask(kind, "--salvage", path)
    assert (done.code, done.out) == (1, b"") and "partial: " in done.err
    assert done.err.endswith(
        f"tfprof: {path}: no operations are left: the file ends in the plane "
        "/host:CPU, and the names of its 3 events would follow\n")
    assert "--select params" not in done.err


def test_XS_01_whole_planes_are_named_as_what_is_left(tmp_path):
    """Of two hosts in a file, or of a host and its GPU, one may be whole."""
    whole = fault("00_good").read_bytes()
    cut = fault("01_cut_in_maps").read_bytes()
    path = tmp_path / "cut.xplane.pb"
    path.write_bytes(whole + cut)
    done = ask("scope", "--salvage", path)
    assert done.code == 1 and b"MatMul" in done.out
    planes = len(program.Info(path, "--salvage").file["trace"]["planes"])
    assert (f"{path}: complete planes: {planes}; the 3 events of the plane "
            "/host:CPU are left out, because their names follow them and are "
            "lost") in done.err
    assert ask("summary", "--salvage", path).out.startswith(b"read ")
    said = ask("info", "--salvage", path).out.decode()
    assert "left out                /host:CPU: 3 events without their names\n" \
        in said


def test_XS_01_an_end_between_planes():
    assert total(fault("01_cut_at_plane")) == HOST


@pytest.mark.parametrize("name, wanted", [
    ("event_id", HOST), ("event_id_0", HOST), ("stat_id", HOST),
    ("ref", BOTH), ("ref_2_63", BOTH), ("large_ids", HOST)])
def test_XS_02_dangling_ids(name, wanted):
    assert total(fault(f"02_{name}")) == wanted


@pytest.mark.parametrize("name, wanted", [
    ("same_key", ["B"]), ("key_unlike_id", ["A", "B"]),
    ("maps_first", ["A", "B"]), ("no_key", []),
    ("same_stat_name", ["A"])])
def test_XS_03_duplicate_or_odd_map_keys_are_resolved(name, wanted):
    types = [row["name"] for row in view("op", fault(f"03_{name}"))["rows"]]
    assert sorted(set(types) & {"A", "B"}) == sorted(
        set(wanted)) or name == "same_key" and "B" in types


@pytest.mark.parametrize("path", sorted(FAULTS.glob("XS-04*.pb")),
                         ids=lambda path: path.name[6:-10])
def test_XS_04_extreme_times_are_clamped_and_reported(path):
    found, runs = total(path)
    assert 0 < found <= 2**63 - 1 and runs > 0
    huge = "huge" in path.name or "past" in path.name
    assert huge == any("overflowed" in ask("op", "--step", str(part), path).err
                       for part in parts(path))


def test_XS_05_unsorted_overlaps_count_their_time_once():
    """Self times of what overlaps are no more than the time it takes."""
    assert total(fault("05_unsorted_overlap")) == (1_050_000, 9)


def test_XS_06_what_is_added_up_already():
    path = fault("06_aggregated")
    assert parts(path) == [0, "rest"]  # without a time it is in no step
    assert Sums(*map(sum, zip(*nodes(path).values()))) == (1002, 5_500_000, 0)


def test_XS_06_the_last_of_two_stands():
    assert total(fault("06_both"))[1] == 3


@pytest.mark.parametrize("name", ["kinds", "no_value", "extremes"])
def test_XS_07_kinds_of_values(name):
    assert total(fault(f"07_{name}")) == BOTH


def test_XS_08_text_that_is_none():
    refused(fault("08_utf8_name"), 131)


@pytest.mark.parametrize("name", ["control", "names"])
def test_XS_08_odd_text(name):
    assert total(fault(f"08_{name}"))[0] >= HOST[0]
    for kind in VIEWS:
        out = ask(kind, fault(f"08_{name}")).out.decode()
        assert not re.search("[\0-\t\x0b-\x1f\x7f\u202a-\u202e]", out)


@pytest.mark.parametrize("name, wanted", [
    ("unknown_plane", HOST), ("odd_devices", (1_700_000, 6)),
    ("gpu_and_tpu", BOTH), ("no_planes", (0, 0))])
def test_XS_09_odd_planes_have_the_expected_totals(name, wanted):
    assert total(fault(f"09_{name}")) == wanted


def test_XS_09_a_device_on_a_clock_of_its_own_is_outside_of_steps():
    assert total(fault("09_gpu_and_tpu"), "--step", "rest") == (5_000_000, 1)


def test_XS_09_one_name_twice():
    found = nodes(fault("09_same_name"))
    assert sum(one.cpu for one in found.values()) == 2 * HOST[0]
    assert sum(one.accelerator for one in found.values()) == 600_000


def test_XS_10_derived_lines_are_not_counted_twice():
    """A line that is derived is never added to what it was derived from; one
    whose id only ends as that of such a line counts."""
    found = nodes(fault("10_line_ids"))
    assert sorted(one.cpu for name, one in found.items()
                  if name.startswith("a/b/")) == [200_000, 300_010]


@pytest.mark.parametrize("name", ["cycle", "roots"])
def test_XS_11_cyclic_links_end_and_keep_all_time(name):
    assert total(fault(f"11_{name}"))[0] > 0
    found = nodes(fault(f"11_{name}"))
    assert sum(one.cpu for one in found.values()) == HOST[0]
    assert steps(fault(f"11_{name}"))


@pytest.mark.parametrize("name", ["child_self", "child_loop_unpacked"])
def test_XS_12_children(name):
    assert total(fault(f"12_{name}")) == (5_000_000, 1)


@pytest.mark.parametrize("name", ["good", "cut", "garbage", "missing_op",
                                  "libtpu37", "frames", "loops"])
def test_XS_13_programs(name):
    assert total(fault(f"13_hlo_{name}")) == BOTH


def test_XS_14_allocations():
    assert total(fault("14_memory")) == HOST


@pytest.mark.parametrize("name, wanted", [
    ("unknown_fields", BOTH), ("wrong_wire", BOTH), ("long_varint", HOST),
    ("wrong_wire_in_event", HOST)])
def test_XS_15_wire(name, wanted):
    assert total(fault(f"15_{name}")) == wanted


def test_XS_15_field_0():
    refused(fault("15_field_0"), 0)


@pytest.mark.parametrize("name, wanted", [
    ("environment", HOST), ("hosts", BOTH)])
def test_XS_16_environment(name, wanted):
    assert total(fault(f"16_{name}")) == wanted


def test_XS_17_source_text():
    assert total(fault("17_source")) == (5_000_005, 2)
    for row in view("code", fault("17_source"))["rows"]:
        line = re.search(r":(-?\d+):", row["name"])
        assert not line or 0 <= int(line.group(1)) < 2**31


@pytest.fixture(name="large", scope="module")
def fixture_large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    subprocess.run([sys.executable, FOLDER / "gen_faults.py", folder,
                    "--large"], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", ["op", "info"])
def test_XS_18_large_traces_stay_within_memory(large, number, kind):
    files = sorted(large.glob("XS-18*.xplane.pb"))
    assert len(files) == 4
    assert ask(kind, files[number]).code == 0
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    assert SANITIZED or peak < MOST_BYTES  # of the largest child so far


def test_XS_19_a_damaged_host_beside_others(tmp_path):
    (tmp_path / "a.xplane.pb").write_bytes(fault("00_good").read_bytes())
    (tmp_path / "b.xplane.pb").write_bytes(
        fault("01_cut_last_byte").read_bytes())
    done = ask("scope", tmp_path / "a.xplane.pb", tmp_path / "b.xplane.pb")
    assert done.code == 1 and "b.xplane.pb: offset 773" in done.err


def hosts(folder, *names):
    """A folder with a trace for each host, of these faults."""
    for i, name in enumerate(names):
        (folder / f"host{i}.xplane.pb").write_bytes(
            fault(name).read_bytes() if name else b"")
    return folder


@pytest.mark.parametrize("names, offset", [
    (["01_cut_last_byte", "00_good", "00_good"], "offset 773: "),
    (["00_good", "01_cut_in_event", "00_good"], "offset 55: "),
    (["00_good", "00_good", "08_utf8_name"], "offset 131: "),
    (["00_good", None, "00_good"], "the file is empty")])
def test_XS_19_a_damaged_host_is_left_out(names, offset, tmp_path):
    whole = hosts(tmp_path, *(n for n in names if n == "00_good"))
    wanted = {kind: ask(kind, whole).out for kind in VIEWS}
    at = next(i for i, name in enumerate(names) if name != "00_good")
    hosts(tmp_path, *names)
    for kind in VIEWS:
        done = ask(kind, tmp_path)
        assert done.code == 1 or kind == "code"
        assert done.out == wanted[kind]
        assert done.err.count(offset) == 1
        assert f"left out: {tmp_path}/host{at}.xplane.pb: {offset}" in done.err
    assert ask("info", tmp_path).err.count(offset) <= 1


def test_XS_19_salvage_keeps_a_part_of_a_damaged_host(tmp_path):
    hosts(tmp_path, "01_cut_last_byte", "00_good")
    done = ask("scope", "--salvage", "-select", "occurrence", tmp_path)
    assert done.code == 1 and done.err.count("offset 773: ") == 1
    assert f"partial: {tmp_path}/host0.xplane.pb" in done.err
    lone = ask("scope", "-select", "occurrence", fault("00_good"))
    assert done.out != lone.out


def test_XS_19_no_answer_when_every_host_is_damaged(tmp_path):
    hosts(tmp_path, "01_cut_last_byte", "01_cut_in_event")
    done = ask("scope", tmp_path)
    assert done.code == 1 and not done.out and "left out" not in done.err
    assert done.err.count("offset ") == 2


def test_XS_20_empty_file_is_refused():
    for kind in (*VIEWS, "info"):
        done = ask(kind, fault("00_empty"))
        assert done.code == 1
        assert "is empty" in done.err + done.out.decode()


def test_XS_21_packed(tmp_path):
    path = tmp_path / "t.xplane.pb.gz"
    path.write_bytes(gzip.compress(fault("00_good").read_bytes()))
    assert total(path) == BOTH


def test_XS_21_packed_and_damaged(tmp_path):
    """A beginning that says nothing: the name tells what it is."""
    path = tmp_path / "t.xplane.pb.gz"
    path.write_bytes(gzip.compress(fault("08_utf8_name").read_bytes()))
    assert "offset 131: " in ask("op", path).err
    path.write_bytes(gzip.compress(b"\xff" + fault("00_good").read_bytes()))
    assert "offset 0: " in ask("op", path).err


# ---- Prefixes -----------------------------------------------------------


def plane_ends(data):
    """Where a field of the whole ends."""
    at, ends = 0, {0}
    while at < len(data):
        at += 1
        size = shift = 0
        while True:
            size |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                break
        at += size
        ends.add(at)
    return ends


def test_XS_01_every_prefix(tmp_path):
    """A prefix is a whole number of planes, or is refused with its offset."""
    data = named("gen_jax-gpu").read_bytes()
    ends = plane_ends(data)
    lengths = range(1, len(data))
    if os.environ.get("TFPROF_SLOW", "0") in ("", "0"):
        choose = program.chooser("prefixes")
        lengths = sorted({*choose.sample(lengths, 2000), *(
            end + i for end in ends for i in (-1, 0, 1)
            if 0 < end + i < len(data))})
    for batch in program.batches(lengths):
        paths = [tmp_path / f"{n}.xplane.pb" for n in batch]
        for path, n in zip(paths, batch):
            path.write_bytes(data[:n])
        told = program.Info(*paths).files
        assert len(told) == len(batch)
        for n, one in zip(batch, told):
            error = one["error"]
            assert (error is None) == (n in ends), n
            assert error is None or 0 <= error["offset"] <= n, error
        for path in paths:
            path.unlink()


def test_XS_00_nothing_else_is_there():
    """Each file of faults is asked for by a test above."""
    text = open(__file__, encoding="utf-8").read()
    classes = {path.name[3:5] for path in FAULTS.glob("XS-*.pb")}
    assert {c for c in classes if f"XS_{c}_" not in text} == set()
