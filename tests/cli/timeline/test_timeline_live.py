"""Timelines hold what TensorFlow's own tfprof draws, live.

Models, runs and questions are drawn at random; the wheel (see judge.py) writes
its timelines of them, tfprof writes its own, and every slice and counter of
the wheel's is in ours. TFPROF_LIVE_DRAWS sets how many models there are,
TFPROF_TEST_SEED draws others.
"""

# labels: tf

import os
import re

import pytest

import judge
import program
import traces
import upstream as cases
from faults import SLOW, field, integer
from files import needs_tensorflow
from messages import (CODE, NOON, Folder, entry, frame, node_def, run_of,
                      strings)

pytestmark = [pytest.mark.recorded, needs_tensorflow]

MODELS = int(os.environ.get("TFPROF_LIVE_DRAWS") or (300 if SLOW else 25))
DEVICES = [b"/job:w/replica:0/task:%d/device:%s:%d" % (task, kind, i)
           for task in range(2) for kind in (b"CPU", b"GPU") for i in range(2)]
DEFAULTS = {
    "max_depth": 100, "step": -1, "order_by": "name", "select": ["micros"],
    **{f"min_{metric}": 0 for metric in judge.MINIMA},
    "account_type_regexes": [".*"], "start_name_regexes": [".*"],
    "trim_name_regexes": [], "show_name_regexes": [".*"],
    "hide_name_regexes": [], "account_displayed_op_only": False,
}


# ---- Models -----------------------------------------------------------------

def record(random, name, start):
    """A NodeExecStats, sometimes with the memory of a GPU."""
    body = (field(1, name) + integer(2, start)
            + integer(4, random.choice([0, 1, 5, random.randrange(2000)])))
    if random.random() < 0.5:
        body += field(6, field(1, b"GPU_0_bfc")
                      + integer(2, random.randrange(5000))
                      + integer(5, random.randrange(1 << 30)))
    return field(2, body)


def step(random, names, placed):
    """A RunMetadata: each node on its device, its kernels on a stream."""
    records = {}
    for name in names:
        for _ in range(random.choice([0, 1, 1, 1, 3])):
            start = NOON + random.randrange(5000)
            device = placed[name]
            records.setdefault(device, []).append((name, start))
            if b"GPU" in device and random.random() < 0.7:
                records.setdefault(device + b"/stream:all", []).append(
                    (name + b":Kernel", start + 5))
    return run_of(*((device, b"".join(record(random, *one) for one in those))
                    for device, those in records.items()))


def make(random, path):
    names = [b"/".join(random.choice([b"a", b"b", b"conv"])
                       for _ in range(random.randrange(1, 4))) + b"/n%d" % i
             for i in range(random.randrange(2, 40))]
    placed = {name: random.choice(DEVICES) for name in names}
    graph = b"".join(
        node_def(name, b"Op%d" % (i % 3), [
            source if random.random() < 0.8 else b"^" + source
            for source in random.sample(names[:i], min(i, 2))])
        for i, name in enumerate(names))
    log = b"".join(entry(name, frame(1, random.randrange(1, 6)) + frame(
        1, random.randrange(6, 9))) for name in names) + strings(CODE)
    runs = {f"run{i or ''}": step(random, names, placed)
            for i in range(random.choice([1, 2]))}
    return Folder(path, graph=graph, log=log, **runs), len(runs)


def question(random, steps):
    options = dict(DEFAULTS)
    options["step"] = random.choice([-1, 0, steps - 1])
    options["max_depth"] = random.choice([100, 100, 3])
    options["order_by"] = random.choice(["name", "micros", "bytes"])
    options["min_micros"] = random.choice([0, 0, 50])
    options["hide_name_regexes"] = random.choice([[], [], [".*conv.*"]])
    options["account_displayed_op_only"] = random.random() < 0.3
    return options


# ---- Comparing --------------------------------------------------------------

def words(options):
    """Options as tfprof takes them."""
    return [f"--{name}={','.join(value) if isinstance(value, list) else value}"
            .replace("=True", "=true").replace("=False", "=false")
            for name, value in options.items()]


def check_figures(told, inputs, notes):
    """Peaks of memory and coverage are the wheel's; of a device without
    memory we say nothing."""
    peaks = re.findall(r"peak memory of step \d+ on (.*): (.*) MB", notes)
    assert sorted(peaks) == sorted(
        (device, peak) for device, peak in told["peaks"] if peak != "0.00")
    covered = [file["covered_nodes"] / (file["known_nodes"] + 1e-10)
               for file in program.Info(*inputs).files
               if file["covered_nodes"] is not None]
    assert covered == told["coverage"]


def compare(upstream, path, inputs, steps, view, options):
    """How many slices ours have; all of the wheel's must be among them."""
    theirs, ours = path / "theirs", path / "ours"
    told = upstream.ask(view,
                        {**options, "output": f"timeline:outfile={theirs}"})
    done = program.run(view, *inputs, *words(options), "-output",
                       f"timeline:outfile={ours}")
    if b"requires code traces" in done.stderr and done.returncode == 2:
        assert view == "code" and not list(path.glob("theirs_*"))
        return 0
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    check_figures(told, inputs, done.stderr.decode())
    every = view == "graph" and options["step"] < 0
    files = range(steps) if every else [options["step"]]
    slices = 0
    for number in files:
        want = path / f"theirs_{number}"
        got = path / (f"ours_{number}" if len(files) > 1 else "ours")
        trace = traces.Trace(got.read_bytes())
        traces.check(trace)
        found = traces.differences(traces.Trace(want.read_bytes()), trace)
        assert not found, (view, options, found)
        slices += len(trace.slices)
        want.unlink()
        got.unlink()
    return slices


def test_timelines_hold_what_the_wheel_draws(tmp_path, say):
    random = program.chooser("timelines live")
    slices = questions = 0
    with judge.Judge("timeline_live") as upstream:
        for i in range(MODELS):
            place = tmp_path / str(i)
            place.mkdir()
            folder, steps = make(random, place)
            with upstream.opened({
                    "graph": str(place / "graph"), "log": str(place / "log"),
                    "runs": [(k, str(place / f"run{k or ''}"))
                             for k in range(steps)]}):
                for view in ("scope", "graph", "code"):
                    slices += compare(upstream, place, folder.args, steps,
                                      view, question(random, steps))
                    questions += 1
    say(f"{questions} questions about {MODELS} models, {slices} slices")


def test_timelines_of_profiles(tmp_path, say):
    """What a ProfileProto has of runs is drawn as the runs themselves."""
    slices = 0
    profiles = sorted(cases.unpacked("inputs").glob("*.profile"))
    assert len(profiles) > 5
    with judge.Judge("timeline_live") as upstream:
        for path in profiles:
            inputs = ["--profile_path", path]
            steps = len(program.Info(*inputs).file["steps"])
            with upstream.opened({"profile": str(path)}):
                for view in ("scope", "graph", "code"):
                    for step_id in (-1, 0):
                        slices += compare(upstream, tmp_path, inputs, steps,
                                          view, {**DEFAULTS, "step": step_id})
    say(f"{len(profiles)} profiles, {slices} slices")
