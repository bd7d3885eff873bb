"""Real models with damaged bytes, and random models with hostile values:
whatever is asked of them, the answer can be read or the refusal is one line,
and the same question put in another way has the same answer.

A few hundred runs in every test run; thousands with TFPROF_SLOW=1.
TFPROF_TEST_SEED gives other numbers. What failed is named by its number.
"""

# labels: both, slow

import csv
import gzip
import io
import json
import os

import pytest

import upstream
from faults import SANITIZED, SLOW, run
from hostile_models import Hostile
from messages import COSTS, LARGEST, LOW, VIEWS
from program import chooser

DAMAGED = 2000 if SLOW else 30 if SANITIZED else 80  # models, of three runs
HOSTILE = 300 if SLOW else 3 if SANITIZED else 8  # of about sixty runs
PIECES = 8  # tests that share them, so that a failure is found again soon


# ---- Answers ----------------------------------------------------------------

def refuse(word):
    raise ValueError(f"{word} is not JSON")


def parsed(data):
    return json.loads(data.decode(), parse_constant=refuse)


def controls(data, allowed=b"\n"):
    return [byte for byte in data
            if (byte < 0x20 and byte not in allowed) or byte == 0x7f]


def check(folder, code, err):
    """What holds of every run: it has reported something, or all is well."""
    assert code in (0, 1, 2, 3, 4), code
    assert not controls(err), err
    reported = [line for line in err.splitlines()
                if not line.startswith(b"tfprof: note: ")]
    assert bool(reported) == (code != 0), (code, err)
    assert not [name for name in os.listdir(folder)
                if name.startswith(".tfprof")]


def ask(folder, *args, data=None):
    """(exit code, stdout) of a run in that folder."""
    code, out, err = run(*args, cwd=folder, timeout=150, data=data)
    check(folder, code, err)
    return code, out


# ---- Damaged models ---------------------------------------------------------

MODELS = [  # graph, runs, op log, checkpoint, profile
    ("while.pbtxt", ["while_run_meta_0", "while_run_meta_1"], None, None,
     "while.profile"),
    ("seq2seq.pbtxt", ["seq2seq_run_meta_0"], "seq2seq_oplog_mixed", None,
     "seq2seq.profile"),
    ("multi.pb", ["multi_run_meta_0", "multi_run_meta_1"], "multi_oplog",
     "multi.ckpt", None),
    ("v2func.pb", [], "v2func_oplog", "v2func.ckpt", None),
    ("lm.pb", [], None, "lm.ckpt", None),
    ("edge.pbtxt", ["edge_run_meta.pbtxt"], None, "ckpttypes.ckpt", None),
]
LONG_NUMBER = b"\xff" * 9 + b"\x01"


def damage(draw, data):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 5, 20])):
        if not data:
            break
        i, j = draw.randrange(len(data)), draw.randrange(len(data))
        how = draw.randrange(8)
        if how == 0:
            data[i] = draw.randrange(256)
        elif how == 1:
            data[i] ^= 1 << draw.randrange(8)
        elif how == 2:
            del data[i:i + draw.randrange(1, 40)]
        elif how == 3:
            data[i:i] = data[i:i + draw.randrange(1, 200)]
        elif how == 4:
            data[i] = draw.choice([0, 0x7f, 0x80, 0xff])
        elif how == 5:
            data[i:i + 30], data[j:j + 30] = data[j:j + 30], data[i:i + 30]
        elif how == 6 and draw.random() < .3:
            del data[i:]
        elif how == 7:
            data[i:i + 10] = LONG_NUMBER
    return bytes(data)


class Damaged:
    """The files of one model, some of them of another, in a folder; some are
    damaged and some are compressed."""

    def __init__(self, draw, folder):
        self.draw, self.folder, self.args = draw, folder, []
        model, other = draw.choice(MODELS), draw.choice(MODELS)
        graph, runs, log, checkpoint, profile = (
            model if draw.random() < .8 else (model[0], *other[1:]))
        if draw.random() < .9:
            self.put(graph, "g", "--graph_path")
        for i, name in enumerate(runs):
            if draw.random() < .7:
                step = f"{draw.choice([0, 7, LARGEST])}="
                self.put(name, f"r{i}", "--run_meta_path",
                         step if draw.random() < .2 else "")
        if log and draw.random() < .7:
            self.put(log, "l", "--op_log_path")
        if checkpoint and draw.random() < .7:
            for path in sorted(upstream.unpacked("inputs").glob(
                    checkpoint + ".*")):
                self.put(path.name, "c" + path.name[len(checkpoint):])
            self.args += ["--checkpoint_path", "c"]
        if profile and draw.random() < .3:
            self.put(profile, "p", "--profile_path")

    def put(self, source, name, option=None, before=""):
        data = upstream.input_path(source).read_bytes()
        if self.draw.random() < .5:
            data = damage(self.draw, data)
        if self.draw.random() < .1:
            data = gzip.compress(data)
        (self.folder / name).write_bytes(data)
        if option:
            self.args += [option, before + name]


SELECTIONS = ["micros", "tensor_value", ",".join(
    [*COSTS, "device", "op_types", "input_shapes", "num_hidden_ops",
     "tensor_value"])]
VIEW_OPTIONS = [
    [], ["--max_depth", "100000"], ["--top", "2"], ["--step", "0"],
    ["--functions", "walk", "--formulas", "full"],
    ["--account_type_regexes", "_checkpoint_variables|.*Var.*"],
    ["--width", "70", "--charset", "utf8", "--color", "always"]]
FLOPS_OPTIONS = [
    [], *(["--list", word] for word in ("types", "layers", "nodes", "tensors",
                                        "variables", "uncounted")),
    ["--batch", "8"], ["--formulas", "tensorflow"]]
OUTPUTS = ["timeline:outfile=o", "pprof:outfile=o,labels=all,samples=all",
           "profile:outfile=o.gz", "html:outfile=o", "file:outfile=o", "none"]


def question(draw):
    command = draw.choice([*VIEWS, "flops", "advise", "info"])
    words = [command]
    if draw.random() < .5:
        words += ["--salvage"]
    if command != "info" and draw.random() < .5:
        words += ["--output", draw.choice(
            OUTPUTS if command in VIEWS else ["file:outfile=o"])]
    if draw.random() < .6:
        words += ["--format", draw.choice(["json", "csv", "text", "proto"])]
    if command in VIEWS:
        if draw.random() < .6:
            words += ["--select", draw.choice(SELECTIONS)]
        words += draw.choice(VIEW_OPTIONS)
    if command == "flops":
        words += draw.choice(FLOPS_OPTIONS)
    return words


@pytest.mark.parametrize("piece", range(PIECES))
def test_damaged_models_are_answered_or_refused(tmp_path, say, piece):
    codes = {}
    for number in range(piece, DAMAGED, PIECES):
        draw = chooser(f"damaged {number}")
        folder = tmp_path / str(number)
        folder.mkdir()
        model = Damaged(draw, folder)
        for _ in range(3 if model.args else 0):
            words = question(draw)
            code, out = ask(folder, *words, *model.args)
            codes[code] = codes.get(code, 0) + 1
            if "json" in words and out and code in (0, 1):
                parsed(out)
            if "always" not in words and "proto" not in words:
                assert not controls(out, b"\n\t"), (number, words)
    say(f"runs by exit code: {dict(sorted(codes.items()))}")
    assert sum(codes.values()) > 0


# ---- Hostile models ---------------------------------------------------------

ALL = ",".join([*COSTS, "device", "op_types", "input_shapes", "num_hidden_ops"])
KEPT = ",".join([*(cost for cost in COSTS
                   if cost not in ("float_ops", "queue_micros")),
                 "device", "op_types"])  # what a saved profile has


class Trial:
    """A hostile model in a folder, and questions about it."""

    def __init__(self, number, folder):
        self.draw, self.folder = chooser(f"hostile {number}"), folder
        self.model = Hostile(self.draw)
        self.inputs = [["--graph_path", self.put("g", self.model.graph)]]
        numbers = self.draw.sample(
            [0, 1, 2, 3, 5, 10**6, 2**62, LARGEST], len(self.model.runs))
        numbered = self.draw.random() < .4
        runs = [(f"{numbers[i]}=" if numbered else "") + self.put(f"r{i}", data)
                for i, data in enumerate(self.model.runs)]
        if runs:
            self.inputs.append(["--run_meta_path", ",".join(runs)])
        if self.model.log is not None:
            self.inputs.append(["--op_log_path", self.put("l", self.model.log)])
        self.step = ["--step", str(self.draw.choice(
            [-1, 0, 1, -5, LARGEST, *(numbers if numbered else [])]))]

    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def files(self):
        return [word for pair in self.inputs for word in pair]

    def ask(self, *args, **kwargs):
        return ask(self.folder, *args, **kwargs)


def check_formats(trial, view):
    """The same exit code in every format; the same rows in JSON and CSV."""
    draw = trial.draw
    words = [view, *trial.files(), "--select", ALL, "--max_depth", "100000",
             "--order_by", draw.choice(["name", "micros", "params", "bytes",
                                        "occurrence"]),
             *LOW, *trial.step, "--functions", draw.choice(["walk", "none"]),
             "--formulas", draw.choice(["full", "tensorflow", "none"])]
    answers = [trial.ask(*words, "--format", word)
               for word in ("json", "csv", "text", "proto")]
    assert len({code for code, _ in answers}) == 1, (words, answers)
    if answers[0][0] != 0:
        return
    found = parsed(answers[0][1])
    table = list(csv.DictReader(io.StringIO(answers[1][1].decode())))
    assert len(found["rows"]) == len(table)
    for row, line in zip(found["rows"], table):
        for prefix, costs in (("", row["self"]), ("total_", row["total"])):
            assert all(line.get(prefix + name, str(cost)) == str(cost)
                       for name, cost in costs.items()), (words, row, line)
    if view == "scope":
        check_sums(found)


def check_sums(found):
    """The total is that of the rows that count, unless a sum may have been
    clamped on the way."""
    for name, total in found["total"].items():
        if isinstance(total, dict) or name in ("runs", "defined"):
            continue
        costs = [int(row["self"].get(name, 0)) for row in found["rows"]
                 if row["accounted"]]
        if sum(map(abs, costs)) < 2**62:
            assert int(total) == sum(costs), (name, total, costs)


def check_other_ways(trial):
    """Inputs in another order, compressed, and from standard input."""
    words = ["--select", "micros,params,bytes,occurrence", "--max_depth",
             "1000", "--format", "json", "-q"]
    plain = trial.ask("scope", *trial.files(), *words)
    shuffled = list(trial.inputs)
    trial.draw.shuffle(shuffled)
    assert trial.ask("scope", *(word for pair in shuffled for word in pair),
                     *words) == plain
    data = trial.model.graph
    half = len(data) // 2 if trial.draw.random() < .5 else 0
    trial.put("g.gz", gzip.compress(data[:half]) + gzip.compress(data[half:]))
    for name, given in (("g.gz", None), ("-", data)):
        files = [name if word == "g" else word for word in trial.files()]
        assert trial.ask("scope", *files, *words, data=given) == plain, name


def check_saved(trial):
    """A saved profile shows what the files showed."""
    code, _ = trial.ask("scope", *trial.files(), "-q", "--output",
                        "profile:outfile=saved")
    if code != 0:
        return
    words = ["--select", KEPT, "--max_depth", "1000", "--format", "json", "-q",
             *trial.step]
    for view in ("scope", "op", "code"):
        assert (trial.ask(view, "--profile_path", "saved", *words)
                == trial.ask(view, *trial.files(), *words)), view
    code, _ = trial.ask("scope", "--profile_path", "saved", "-q", "--output",
                        "profile:outfile=again")
    if code == 0:
        assert ((trial.folder / "again").read_bytes()
                == (trial.folder / "saved").read_bytes())


def check_other_answers(trial):
    for words in (["flops"], ["flops", "--format", "json"],
                  ["flops", "--batch", str(LARGEST), "--list", "tensors"],
                  ["advise"], ["advise", "--format", "json"],
                  ["info", "--format", "json", "--verbose"]):
        code, out = trial.ask(*words, *trial.files())
        if "json" in words and code == 0:
            parsed(out)
    for view in ("scope", "graph", "code"):
        words = [view, *trial.files(), "--max_depth", "1000", "-q", *trial.step]
        trial.ask(*words, "--output", "timeline:outfile=timeline")
        for path in trial.folder.glob("timeline*"):
            parsed(path.read_bytes())
            path.unlink()
        trial.ask(*words, "--select", "micros,bytes", "--output",
                  "pprof:outfile=pprof,labels=all,samples=all")


@pytest.mark.parametrize("piece", range(PIECES))
def test_hostile_models_have_one_answer(tmp_path, piece):
    for number in range(piece, HOSTILE, PIECES):
        folder = tmp_path / str(number)
        folder.mkdir()
        trial = Trial(number, folder)
        for view in VIEWS:
            check_formats(trial, view)
        check_other_ways(trial)
        check_saved(trial)
        check_other_answers(trial)
