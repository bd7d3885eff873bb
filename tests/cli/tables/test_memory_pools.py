"""Pools of memory, as src/model/pools.h has them: of all traces against a plain
model and against xprof, of RunMetadata against TensorFlow's own messages."""

# labels: slow

import collections
import itertools
import json
import os
import pathlib
import subprocess

import pytest

import memory_judge
import tf_messages
from files import SHARED, needs_shared, needs_tensorflow
from trace_files import FAULTS, FILES, FOLDER, named, needs_traces

INPUTS = SHARED / "golden" / "inputs"
TRACE, RECORDS, ESTIMATE = range(3)
UNKNOWN, NODE, FUNCTION, EVENT = range(4)

Live = collections.namedtuple(
    "Live", "bytes requested count holder name type region dtype dims")
NUMBERS = ("peak peak_at step steps capacity reported reserved early "
           "early_count unaccounted missing allocations frees odd unmatched "
           "first last open persistent").split()


class Pool:
    def __init__(self, source, place, name, *numbers):
        self.source, self.place, self.name = int(source), place, name
        for key, number in zip(NUMBERS, numbers, strict=True):
            setattr(self, key, int(number))
        self.live, self.curve = [], []
        self.groups = {"scope": {}, "type": {}, "line": {}}


def dump(*args):
    program = os.environ.get("TFPROF_MEMORY_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "memory_dump")
    text = subprocess.run([program, *map(str, args)], check=True, text=True,
                          capture_output=True, errors="replace").stdout
    pools = []
    for line in text.split("\n")[:-1]:
        what, *words = line.split("\t")
        if what == "pool":
            pools.append(Pool(*words))
        elif what == "curve":
            pools[-1].curve = list(map(int, words))
        elif what == "live":
            pools[-1].live.append(Live(*map(int, words[:4]), *words[4:]))
        elif what in ("scope", "type", "line"):
            pools[-1].groups[what][tuple(words[2:])] = int(words[0])
    return pools


def total(pool):
    return sum(live.bytes for live in pool.live)


# ---- Traces -------------------------------------------------------------


def start_of_times(path, pools, judged):
    """Times of a file that count from 1970 have another start; it is the same
    for all."""
    starts = {judged[p.name].peak_at - p.peak_at for p in pools}
    assert len(starts) <= 1
    return starts.pop() if starts else 0


@needs_traces
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_pools_of_traces(path):
    judged = {name: memory_judge.pool(events)
              for name, events in memory_judge.events(path).items()}
    pools = dump(path)
    assert {p.name for p in pools} == set(judged)
    start = start_of_times(path, pools, judged)
    assert start == 0 or start > 10**12 * 3600 * 24 * 365
    for pool in pools:
        want = judged[pool.name]
        assert pool.source == TRACE
        assert (pool.peak, pool.reserved, pool.early, pool.early_count,
                pool.unaccounted, pool.missing, pool.capacity,
                pool.reported) == (
            want.peak, want.reserved, want.early, want.early_count,
            want.unaccounted, want.missing, want.capacity, want.reported)
        assert pool.curve == want.curve
        assert max(pool.curve) == pool.peak
        assert (total(pool), sum(l.requested for l in pool.live),
                sum(l.count for l in pool.live)) == (
            sum(b for b, _ in want.live), sum(r for _, r in want.live),
            len(want.live))
        assert pool.live == sorted(pool.live, key=lambda l: -l.bytes)
        holders = collections.Counter()
        for live in pool.live:
            holders[live.holder, live.name] += live.bytes
        assert holders == want.holders
        for by in pool.groups.values():
            assert sum(by.values()) == total(pool)


def xprof_live(profile):
    """Bytes of the live set, without what xprof adds for the rest."""
    found = 0
    for entry in profile.get("activeAllocations", []):
        if int(entry["specialIndex"]) >= 0:
            continue
        snapshot = profile["memoryProfileSnapshots"][
            int(entry["snapshotIndex"])]
        found += int(snapshot["activityMetadata"]["allocationBytes"]) * int(
            entry["numOccurrences"])
    return found


@needs_traces
def test_peaks_are_those_of_xprof():
    """Each peak is the same. Times and live sets are the same once two rules of
    xprof are undone: it compares offsets of lines that start at different
    times, and looks at one step alone."""
    allocators = equal = 0
    for path in FILES:
        stored = FOLDER / "expected" / path.name.replace(
            ".xplane.pb", ".memory_profile.json")
        if not stored.exists():
            continue
        profiles = json.loads(stored.read_text()).get(
            "memoryProfilePerAllocator", {})
        pools = {p.name: p for p in dump(path)}
        assert set(pools) == set(profiles)
        events = memory_judge.events(path)
        for name, profile in profiles.items():
            pool, mine = pools[name], events[name]
            summary = profile["profileSummary"]
            allocators += 1
            assert pool.peak == int(summary["peakStats"]["peakBytesInUse"])
            first = min(e.at for e in mine)
            peaks = {e.at - e.line_start * 1000 for e in mine
                     if memory_judge.level(e.stats) == pool.peak}
            assert int(summary["peakStatsTimePs"]) in peaks
            assert pool.last - pool.first == max(e.at for e in mine) - first
            one_start = len({e.line_start for e in mine}) == 1
            one_step = not any("group_id" in e.stats for e in mine)
            is_equal = total(pool) == xprof_live(profile)
            equal += is_equal
            if one_start and one_step:
                assert is_equal, (path.name, name)
    assert (allocators, equal) == (37, 21)


@needs_traces
@pytest.mark.parametrize("name, allocator, holders", [
    ("keras315_tf221_callback", "mklcpu", {NODE}),  # the allocator names them
    ("jax_te_fused_attn", "GPU_0_bfc", {FUNCTION}),
    ("jax_tpu_inference", "0", {EVENT}),
    ("gen_jax-gpu", "GPU_0_bfc", {NODE}),
])
def test_holders_have_names(name, allocator, holders):
    pool, = (p for p in dump(named(name)) if p.name == allocator)
    assert {live.holder for live in pool.live} == holders
    assert all(live.name and live.name != "(null)" for live in pool.live)


@needs_traces
def test_types_are_those_of_the_graph():
    pool, = dump(named("keras315_tf221_callback"))
    types = {live.name.split("/")[-1]: live.type for live in pool.live}
    assert types["MaxPoolGrad"] == "_MklNativeMaxPoolGrad"
    assert pool.step == 19
    assert pool.live[0].dims == "[64,26,26,16]"


def stat(key, value):
    kind = "str_value" if isinstance(value, str) else "int64_value"
    return f"stats {{ metadata_id: {key} {kind}: {json.dumps(value)} }}"


def written(path, *lines):
    """A trace of lines: (start in ns, events), each (name, start in ps, length,
    stats)."""
    names, stats, text = {}, {}, []
    for number, (start, events) in enumerate(lines, 1):
        text.append(f"lines {{ id: {number} timestamp_ns: {start}")
        for name, at, length, about in events:
            text.append(
                f"events {{ metadata_id: {names.setdefault(name, len(names) + 1)}"
                f" offset_ps: {at} duration_ps: {length}")
            text += [stat(stats.setdefault(key, len(stats) + 1), value)
                     for key, value in about.items()]
            text.append("}")
        text.append("}")
    for field, known in (("event_metadata", names), ("stat_metadata", stats)):
        text += [f"{field} {{ key: {key} value {{ id: {key} name: "
                 f"{json.dumps(name)} }} }}" for name, key in known.items()]
    path.write_text('planes { id: 1 name: "/host:CPU"\n%s\n}\n'
                    % "\n".join(text))
    return path


def block(at, size, address, **more):
    """Allocated, or with a negative size freed."""
    return ("MemoryAllocation" if size > 0 else "MemoryDeallocation", at, 0,
            {"allocator_name": "a", "allocation_bytes": abs(size),
             "addr": address, **more})


def test_the_step_of_a_peak_is_that_of_the_thread_that_asked(tmp_path):
    """Work that step 5 queued runs while step 6 does."""
    def root(number, at):
        return ("train", at, 1000, {"_r": 1, "step_num": number})
    pool, = dump(written(
        tmp_path / "a.xplane.pbtxt",
        (0, [root(5, 0), ("queue", 10, 5, {"_pt": 7, "_p": 1}),
             root(6, 2000), ("queue", 2010, 5, {"_pt": 7, "_p": 2})]),
        (0, [("work", 2100, 500, {"_ct": 7, "_c": 1}),
             block(2200, 100, 1)])))
    assert (pool.step, pool.peak, pool.peak_at) == (5, 100, 2200)
    assert [(l.holder, l.name) for l in pool.live] == [(EVENT, "work")]


def test_allocations_belong_to_what_is_around_them(tmp_path):
    """On their own thread: what is open on another does not count."""
    pool, = dump(written(
        tmp_path / "a.xplane.pbtxt",
        (0, [("ExecutorState::Process", 0, 1000, {}),
             ("m/dense:MatMul", 100, 500, {}), ("inner", 200, 100, {}),
             block(250, 10, 1), block(700, 20, 2),
             ("PjitFunction(f)", 800, 100, {}), ("$a.py:3 g", 810, 50, {}),
             block(820, 40, 3)]),
        (0, [block(250, 80, 4), ("$b.py:1 h", 300, 50, {}),
             block(310, 160, 5)])))
    assert [(l.bytes, l.holder, l.name, l.type) for l in pool.live] == [
        (240, UNKNOWN, "", ""), (40, FUNCTION, "jit(f)", ""),
        (20, EVENT, "ExecutorState::Process", ""),
        (10, NODE, "m/dense", "MatMul")]
    assert pool.groups["scope"] == {
        ("",): 240, ("jit(f)",): 40, ("ExecutorState::Process",): 20,
        ("m",): 10}


def test_lines_have_their_own_start(tmp_path):
    pool, = dump(written(tmp_path / "a.xplane.pbtxt",
                         (1, [block(500, 10, 1), block(900, -10, 1)]),
                         (2, [block(0, 30, 2), block(100, -30, 2)])))
    assert (pool.peak, pool.peak_at, pool.first, pool.last) == (
        30, 2000, 1500, 2100)


def test_faulty_allocations(tmp_path):
    top = 2**63 - 1
    name, at, length, stats = block(30, 40, 3)
    pool, = dump(written(
        tmp_path / "a.xplane.pbtxt",
        (0, [(name, at, length, {**stats, "allocation_bytes": -40}),
             block(10, 100, 1), block(20, -100, 1), block(25, -100, 1),
             block(40, -7, 9), block(50, top, 4), block(60, top, 5),
             ("MemoryAllocation", 70, 0, {"allocator_name": "a"}),
             block(80, 1, 6, tf_op="(null)"),
             block(90, 1, -1, bytes_allocated=-5)])))
    assert (pool.allocations, pool.frees) == (7, 3)
    assert (pool.odd, pool.unmatched) == (2, 1)
    assert pool.peak == top
    assert max(pool.curve) == top and min(pool.curve) >= 0
    assert {live.name for live in pool.live} == {""}
    assert {live.bytes for live in pool.live} == {top}


def test_allocators_are_known_by_name_or_number(tmp_path):
    name, at, length, stats = block(10, 1, 1)
    del stats["allocator_name"]
    pools = dump(written(
        tmp_path / "a.xplane.pbtxt",
        (0, [(name, at, length, {**stats, **more}) for more in (
            {}, {"index_on_host": 3}, {"device_ordinal": 4},
            {"allocator_name": "x", "index_on_host": 3})])))
    assert [p.name for p in pools] == ["", "3", "4", "x"]


@needs_traces
def test_faulty_traces_end():
    faults = [path for path in sorted(FAULTS.iterdir()) if path.is_file()]
    assert len(faults) > 40
    for path in faults:
        dump(path)


# ---- RunMetadata --------------------------------------------------------


def read_step_stats(path):
    message = tf_messages.message_class("RunMetadata")()
    message.ParseFromString(path.read_bytes())
    return message.step_stats


def records_of(stats):
    """(device, allocator) -> [(micros, bytes, node)]"""
    found = collections.defaultdict(list)
    for device in stats.dev_stats:
        for node in device.node_stats:
            for used in node.memory:
                found[device.device, used.allocator_name] += [
                    (r.alloc_micros, r.alloc_bytes, node.node_name)
                    for r in used.allocation_records]
    return {key: records for key, records in found.items() if records}


@needs_shared
@needs_tensorflow
@pytest.mark.parametrize("name", [
    "lm_run_meta_0", "cifar_run_meta_3", "bert_run_meta_1", "multi_run_meta_0",
    "v2func_run_meta_1", "while_run_meta_1", "resnet_run_meta_1"])
def test_peak_of_allocation_records_matches_their_sums(name):
    stats = read_step_stats(INPUTS / name)
    start = min(n.all_start_micros for d in stats.dev_stats
                for n in d.node_stats if n.all_start_micros > 0)
    wanted = records_of(stats)
    pools = {(p.place, p.name): p for p in dump(INPUTS / name)}
    assert {key for key, p in pools.items()
            if p.source == RECORDS} == set(wanted)
    for key, records in wanted.items():
        pool = pools[key]
        records.sort(key=lambda r: r[0])
        levels = list(itertools.accumulate(r[1] for r in records))
        assert min(levels) >= 0
        peak = max(levels)
        place = max(i for i, one in enumerate(levels) if one == peak)
        held = collections.Counter()
        for _, size, node in records[:place + 1]:
            held[node.split(":")[0]] += size
        assert pool.peak == peak
        assert pool.peak_at == (records[place][0] - start) * 10**6
        assert {l.name: l.bytes for l in pool.live} == {
            node: size for node, size in held.items() if size > 0}
        assert pool.unaccounted == pool.missing == 0
        assert (pool.allocations, pool.frees) == (
            sum(r[1] > 0 for r in records), sum(r[1] < 0 for r in records))


@needs_shared
def test_the_allocator_reports_more():
    """Variables were there before the step."""
    pool, = (p for p in dump(INPUTS / "while_run_meta_0")
             if p.source == RECORDS)
    assert (pool.peak, pool.reported) == (46080, 1077760)


@needs_shared
def test_devices_without_records_are_estimated():
    pools = dump(INPUTS / "resnet.pb", INPUTS / "resnet_run_meta_1")
    assert [(p.source, p.place.split("/", 2)[1]) for p in pools] == [
        (RECORDS, "job:worker"), (ESTIMATE, "job:ps"),
        (ESTIMATE, "job:worker"), (ESTIMATE, "job:ps")]
    assert all(p.open < 60 for p in pools)
    assert all(p.open == p.allocations for p in
               dump(INPUTS / "resnet_run_meta_1") if p.source == ESTIMATE)


@needs_shared
@pytest.mark.parametrize("model", ["lm", "cifar", "bert", "multi"])
def test_estimates_are_near_the_records(model):
    """Where there are records, the estimate without variables and constants,
    which have none, is from half of their peak to a fifth more."""
    files = INPUTS / f"{model}.pb", INPUTS / f"{model}_run_meta_0"
    measured = {p.place: p for p in dump(*files)}
    estimated = {p.place: p for p in dump("estimate", *files)}
    assert set(measured) == set(estimated)
    for place, pool in estimated.items():
        assert (measured[place].source, pool.source) == (RECORDS, ESTIMATE)
        part = (pool.peak - pool.persistent) / measured[place].peak
        assert 0.5 < part < 1.2, (place, part)


@needs_shared
def test_a_step_can_be_asked_for():
    steps = [INPUTS / f"bert_run_meta_{k}" for k in range(2)]
    both, = dump(*steps)
    assert (both.peak, both.step, both.steps) == (851616, 0, 2)
    second, = dump(*steps, "step=1")
    assert (second.peak, second.step, second.steps) == (843424, 1, 1)
    assert not dump(*steps, "step=2")
