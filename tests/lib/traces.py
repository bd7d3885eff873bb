"""Chrome traces, read as strictly as a viewer might, and what must hold of
every one that tfprof writes."""

import collections
import decimal
import gzip
import json

Slice = collections.namedtuple("Slice", "process lane name start length args")

PHASES = set("MXBECsfi")


def _pairs(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"a key twice: {keys}"
    return dict(pairs)


def _refuse(word):
    raise AssertionError(f"{word} is no JSON")


class Trace:
    """A trace; `data` may be packed."""

    def __init__(self, data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        text = data.decode()  # UTF-8 without fault
        assert not [c for c in text if c < " " and c != "\n"]
        whole = json.loads(text, object_pairs_hook=_pairs,
                           parse_constant=_refuse,
                           parse_float=decimal.Decimal)
        assert list(whole)[0] == "traceEvents"
        self.about = whole.get("otherData")
        self.events = whole["traceEvents"]
        self.processes = {}  # number -> name
        self.lanes = {}  # likewise, where they have one
        for event in self.of("M"):
            if event["name"] == "process_name":
                assert event["pid"] not in self.processes
                self.processes[event["pid"]] = event["args"]["name"]
            elif event["name"] == "thread_name":
                assert event["tid"] not in self.lanes
                self.lanes[event["tid"]] = event["args"]["name"]
            else:
                assert event["name"] in ("process_sort_index",
                                         "thread_sort_index")

    def of(self, phase):
        return [event for event in self.events if event["ph"] == phase]

    @property
    def slices(self):
        return [Slice(self.processes[e["pid"]], (e["pid"], e["tid"]),
                      e["name"], e["ts"], e["dur"], e["args"])
                for e in self.of("X")] + self._pairs()

    def _pairs(self):
        """Slices that are told by their two ends: within a lane the last that
        began ends first, and no time goes back."""
        found, lanes, last = [], collections.defaultdict(list), {}
        for e in self.events:
            if e["ph"] not in "BE":
                continue
            lane = e["pid"], e["tid"]
            assert e["ts"] >= last.get(lane, e["ts"]), e
            last[lane] = e["ts"]
            if e["ph"] == "B":
                lanes[lane].append(e)
                continue
            begun = lanes[lane].pop()
            found.append(Slice(self.processes[e["pid"]], lane, begun["name"],
                               begun["ts"], e["ts"] - begun["ts"],
                               begun["args"]))
        assert not any(lanes.values())
        return found

    def facts(self):
        """A multiset of what upstream writes as well."""
        found = collections.Counter(
            ("slice", one.process, one.name, one.start, one.length)
            for one in self.slices)
        for e in self.of("C"):
            if e["name"] == "Allocated Bytes":
                found["memory", self.processes[e["pid"]], e["ts"],
                      e["args"]["Allocator Bytes in Use"]] += 1
        return found


def check(trace):
    """What holds of every trace of ours."""
    for event in trace.events:
        assert event["ph"] in PHASES
        assert event["pid"] in trace.processes and event["pid"] > 0
        if event["ph"] != "M":
            assert isinstance(event["ts"], int) and event["tid"] > 0
    check_lanes(trace)
    check_flows(trace)
    check_nesting(trace)
    check_numbers(trace.events)


def check_lanes(trace):
    """No two slices of a lane overlap; a lane is of one process only."""
    lanes = collections.defaultdict(list)
    for one in trace.slices:
        assert one.length >= 0
        lanes[one.lane].append((one.start, one.start + one.length))
    numbers = [lane for _, lane in lanes]
    assert len(set(numbers)) == len(numbers)
    for spans in lanes.values():
        spans.sort()
        for (_, end), (start, _) in zip(spans, spans[1:]):
            assert end <= start
    return lanes


def check_flows(trace):
    """Each arrow goes from within a slice to the start of another, and not
    back in time."""
    starts = {e["id"]: e for e in trace.of("s")}
    ends = {e["id"]: e for e in trace.of("f")}
    assert starts.keys() == ends.keys()
    assert len(starts) == len(trace.of("s")) == len(trace.of("f"))
    within = collections.defaultdict(list)
    for one in trace.slices:
        within[one.lane].append(one)
    by_start = {(one.lane, one.start) for one in trace.slices}
    for number, e in starts.items():
        end = ends[number]
        assert e["ts"] <= end["ts"] and end["bp"] == "e"
        assert ((end["pid"], end["tid"]), end["ts"]) in by_start
        assert any(one.start <= e["ts"] < max(one.start + one.length,
                                              one.start + 1)
                   for one in within[e["pid"], e["tid"]])


def check_nesting(trace):
    """Of scopes and code: each slice stands within one of the level above."""
    levels = collections.defaultdict(list)
    for one in trace.slices:
        if one.process.startswith("Scope:"):
            levels[int(one.process[6:])].append(
                (one.start, one.start + one.length))
    assert sorted(levels) == list(range(len(levels)))
    for level in range(1, len(levels)):
        above = sorted(levels[level - 1])
        at = 0
        for start, end in sorted(levels[level]):
            while above[at][1] < end:
                at += 1
            assert above[at][0] <= start and end <= above[at][1]


def check_numbers(value):
    """Beyond times, nothing is a number that a double would change."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("ts", "dur", "Allocator Bytes in Use"):
                check_numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            check_numbers(inner)
    elif isinstance(value, int):
        assert -1 << 53 < value < 1 << 53


# ---- Held against upstream ---------------------------------------------------

def differences(want, got):
    """Lines that say what `got` lacks of upstream's trace `want`, or has that
    it should not: of two runs that start together upstream loses one."""
    missing = want.facts() - got.facts()
    starts = {(process, start) for kind, process, _, start, *_ in want.facts()
              if kind == "slice"}
    more = [fact for fact in got.facts() - want.facts()
            if fact[0] == "memory" or (fact[1], fact[3]) not in starts]
    return ([f"missing: {fact}" for fact in list(missing)[:3]]
            + [f"unexpected: {fact}" for fact in more[:3]])
