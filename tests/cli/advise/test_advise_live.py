"""`tfprof advise` prints what TensorFlow's own tfprof prints, live.

The wheel gives its sections in any order, calls scopes "graph node", and says
nothing of where to look: the rest must be the same, to the byte. First on
real models, then on small ones drawn at random, whose names, devices and
times often meet and often stand at the limits of a rule.

TFPROF_ADVISE_DRAWS sets how many are drawn, TFPROF_SLOW=1 takes 2000, and
TFPROF_TEST_SEED draws others.
"""

# labels: tf

import collections
import os
import pathlib
import re
import tempfile

import pytest

import judge
import node_messages
from faults import SANITIZED, SLOW
from files import SHARED, needs_shared, needs_tensorflow
from messages import (CODE, NOON, Folder, attribute, entry, field, frame,
                      node_def, record, run_of, strings)
from program import chooser

pytestmark = [pytest.mark.recorded, needs_tensorflow]

DRAWS = int(os.environ.get("TFPROF_ADVISE_DRAWS")
            or (2000 if SLOW else 30 if SANITIZED else 150))
CHECKERS = ["AcceleratorUtilizationChecker", "ExpensiveOperationChecker",
            "JobChecker", "OperationChecker"]
ADDED = re.compile(r" +(where|try): ")


@pytest.fixture(scope="module")
def wheel():
    with judge.Judge("advise_live") as found:
        yield found


# ---- Comparing ---------------------------------------------------------------

def split(text):
    """[(checker, its text)], in the order of the text. An empty line belongs
    to the section that follows it, unless none does."""
    parts = re.split(r"\n(\w+Checker):\n", text)
    assert parts[0] == "", text[:200]
    return list(zip(parts[1::2], parts[2::2]))


def without_nodes(text):
    return "".join(line for line in text.splitlines(keepends=True)
                   if not re.match(r"top \d graph node: ", line))


def ours(out):
    lines = out.decode().splitlines(keepends=True)
    return split("".join(line for line in lines if not ADDED.match(line)))


def compare(wheel_text, out):
    """Every line of the wheel, in the order of names; no other line."""
    told = ours(out)
    assert [name for name, _ in told] == sorted(dict(split(wheel_text)))
    expected = {name: without_nodes(text) for name, text in split(wheel_text)}
    assert {name: without_nodes(text) for name, text in told} == expected


def compare_message(reports, out):
    """The same reports in an AdviceProto; its checkers come by name."""
    found = node_messages.module().AdviceProto.FromString(out).checkers
    names = [match[1].decode() for match in re.finditer(
        rb"\n.([A-Z][A-Za-z]+Checker)", out)]
    assert names == sorted(reports)
    assert {name: [without_nodes(report + "\n") for report in checker.reports]
            for name, checker in found.items()} == {
        name: [without_nodes(report + "\n") for report in told]
        for name, told in reports.items()}


# ---- Real models -------------------------------------------------------------

MODELS = {"bert": 2, "cifar": 4, "lm": 2, "multi": 2, "resnet": 3, "v2func": 2}
INPUTS = SHARED / "golden" / "inputs"


def real_inputs():
    for model, steps in MODELS.items():
        runs = list(range(steps))
        yield model, runs[:1], True
        yield model, runs, True
        yield model, runs[::-1], True
        yield model, runs, False
        yield model, [], True
        yield model, None, None


@needs_shared
@pytest.mark.parametrize("model,steps,has_log", list(real_inputs()))
def test_a_real_model(wheel, tmp_path, model, steps, has_log):
    folder = Folder(tmp_path)
    told = {"profile": str(INPUTS / f"{model}.profile")}
    folder.args = ["--profile_path", told["profile"]]
    if steps is not None:
        runs = [(i, str(INPUTS / f"{model}_run_meta_{step}"))
                for i, step in enumerate(steps)]
        told = {"graph": str(INPUTS / f"{model}.pb"), "runs": runs,
                "log": str(INPUTS / f"{model}_oplog") if has_log else None}
        folder.args = ["--graph_path", told["graph"]]
        for _, path in runs:
            folder.args += ["--run_meta_path", path]
        if has_log:
            folder.args += ["--op_log_path", told["log"]]
    with wheel.opened(told):
        text, reports = wheel.advise(CHECKERS)
    compare(text, folder.ask("advise")[0])
    compare_message(reports, folder.ask("advise", "--format", "proto")[0])


@needs_shared
@pytest.mark.parametrize("model", ["bert", "cifar", "lm", "multi", "resnet"])
def test_a_recorded_answer(tmp_path, model):
    folder = Folder(tmp_path)
    folder.args = [str(INPUTS / f"{model}{rest}")
                   for rest in (".pb", "_run_meta_0", "_oplog")]
    text = (SHARED / "golden" / "advise" / f"{model}.txt").read_text()
    compare(text, folder.ask("advise")[0])


@needs_shared
def test_checkers_that_are_asked_for(wheel, tmp_path):
    folder = Folder(tmp_path)
    told = {"graph": str(INPUTS / "resnet.pb"), "log": None,
            "runs": [(0, str(INPUTS / "resnet_run_meta_0"))]}
    folder.args = [told["graph"], told["runs"][0][1]]
    with wheel.opened(told):
        for bits in range(1, 1 << len(CHECKERS)):
            asked = [name for i, name in enumerate(CHECKERS) if bits >> i & 1]
            text, reports = wheel.advise(asked)
            out, _ = folder.ask("advise", "-checkers", ",".join(asked))
            assert (out == b"") == (asked == ["JobChecker"])
            if out:
                compare(text, out)
            compare_message(reports, folder.ask(
                "advise", "-checkers", ",".join(asked), "--format",
                "proto")[0])


# ---- Small models, drawn -----------------------------------------------------

NAMES = [b"a", b"b", b"a/b", b"a/b/c", b"a/d", b"x/c", b"x/d", b"z",
         b"gradients/a_grad/x", b"gradients/x/c_grad/y"]
NORMS = [b"a/BatchNorm/mul", b"y/FusedBatchNormV3"]
CPU = b"/job:w/replica:0/task:0/device:CPU:0"
GPU = b"/job:w/replica:0/task:0/device:GPU:0"
DEVICES = [CPU, GPU, GPU, GPU + b"/stream:all", GPU + b"/stream:all",
           GPU + b"/stream:7", b"/gpu:1", b"/gpu:1/stream:all", b"/cpu:0",
           b"/device:TPU:0", b"stream:all"]
OPS = [b"NoOp", b"Conv2D", b"MatMul", b"BiasAdd", b"Mean"]
FORMATS = [None, None, b"NHWC", b"NCHW", b""]
# Halves of a hundredth, halves and fifths, the 1000us of a line of code. The
# wheel averages times below 0 as if they were unsigned, so there are none.
TIMES = [0, 1, 2, 5, 99, 100, 125, 200, 250, 375, 500, 999, 1000, 1001, 2000,
         4000, 9999, 10**6, 10**9]


class Draw:
    """The messages of a small model, by chance."""

    def __init__(self, random):
        self.random = random
        self.names = random.sample(NAMES, random.randint(1, len(NAMES)))
        if random.random() < 0.3:
            self.names += random.sample(NORMS, random.randint(1, 2))
        self.ops = OPS + [b"FusedBatchNorm"] * (random.random() < 0.2)
        self.devices = random.sample(DEVICES, random.randint(1, 6))
        self.late = random.choice([1, 500, 5000, 10**6])
        self.longest = random.choice([100, 10000, 10**10])

    def graph(self):
        return b"".join(self.node(name) for name in self.names
                        if self.random.random() < 0.9)

    def node(self, name):
        op, layout = self.random.choice(self.ops), self.random.choice(FORMATS)
        if layout is None:
            return node_def(name, op)
        return field(1, field(1, name) + field(2, op) + attribute(
            b"data_format", field(2, layout)))

    def run(self):
        devices = collections.defaultdict(bytes)
        for _ in range(self.random.randint(1, 25)):
            devices[self.random.choice(self.devices)] += self.record()
        return run_of(*devices.items())

    def record(self):
        start = NOON + self.random.randrange(self.late)
        if self.random.random() < 0.05:
            start = self.random.choice([0, -1, 7])
        length = self.random.choice([self.random.choice(TIMES),
                                     self.random.randrange(9000)])
        return record(self.random.choice(self.names), start,
                      min(length, self.longest))

    def log(self):
        found = b""
        for name in self.names:
            if self.random.random() < 0.8:
                lines = [1] + [self.random.randint(1, 3) for _ in range(
                    self.random.randint(0, 5))]
                types = [b"FusedBatchNorm"] * (self.random.random() < 0.02)
                found += entry(name, b"".join(frame(1, line)
                                              for line in lines), types)
        return found + strings(CODE)


seen = collections.Counter()


def check(wheel, draw):
    steps = draw.random.sample([0, 3, 7], draw.random.randint(0, 3))
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        folder = Folder(place, graph=draw.graph())
        told = {"graph": str(place / "graph"), "runs": [], "log": None}
        for step in steps:
            path = place / f"run_{step}"
            path.write_bytes(draw.run())
            told["runs"].append((step, str(path)))
            folder.args += ["--run_meta_path", f"{step}={path}"]
        if draw.random.random() < 0.8:
            told["log"] = str(place / "log")
            (place / "log").write_bytes(draw.log())
            folder.args += ["--op_log_path", told["log"]]
        out, _ = folder.ask("advise")
        message, _ = folder.ask("advise", "--format", "proto")
        try:
            with wheel.opened(told):
                text, reports = wheel.advise(CHECKERS)
        except judge.Failed:
            # It dies of traces that only gradients have.
            seen["not the wheel"] += 1
            return
        compare(text, out)
        compare_message(reports, message)
    count(text, reports)


def count(text, reports):
    for name, told in reports.items():
        seen[name] += bool(told)
    lines = re.findall(r"(?m)^ *\S+:\d:.*, cpu: .*", text)
    seen["lines of code"] += bool(lines)
    seen["lines below lines"] += any(line.startswith(" ") for line in lines)
    seen["an empty report"] += any("" in told for told in reports.values())
    seen["low"] += " low utilization" in text
    seen["busy"] += bool(re.search(r"\d utilization", text))
    seen["batch norm"] += "BatchNorm" in text
    seen["layout"] += "NHWC" in text


def test_small_models(wheel, say):
    random = chooser("advise")
    for number in range(DRAWS):
        seed = random.getrandbits(64)
        try:
            check(wheel, Draw(chooser(str(seed))))
        except AssertionError as wrong:
            raise AssertionError(f"model {number}, seed {seed}") from wrong
    say(f"{DRAWS} models: " + ", ".join(
        f"{what} {count}" for what, count in sorted(seen.items())))
    assert seen.pop("not the wheel", 0) < DRAWS // 10
    assert all(count > DRAWS // 40 for count in seen.values()), seen
