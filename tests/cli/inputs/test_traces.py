"""Traces of TF2, Keras and JAX: nodes, times and steps against the reference
programs and against the truth of the generator."""

# labels: slow

import collections
import gzip
import json
import re
import subprocess
import sys

import pytest

import program
import trace_judge
import tf_messages
from files import needs_tensorflow
from trace_files import (FILES, FOLDER, Sums, named, needs_traces, nodes, plus,
                         steps, times, total, view, without_number)

pytestmark = needs_traces

PY0 = "jax0102_cpu_train_py0"


def merged(sums):
    """With how many nodes have the name."""
    found = {}
    for name, one in sums.items():
        count, before = found.get(without_number(name), (0, Sums(0, 0, 0)))
        found[without_number(name)] = count + 1, plus(before, one)
    return found


def judged(judge):
    found = collections.defaultdict(lambda: Sums(0, 0, 0))
    for (sort, name), (runs, time) in judge.sums.items():
        if name != trace_judge.NO_OP:
            found[name] = plus(found[name], Sums(
                runs, *((time, 0) if sort in ("hlo", "host") else (0, time))))
    return dict(found)


# ---- Transforms ---------------------------------------------------------


def folded(name):
    """A name without transforms, by its text."""
    parts, last, backward = [], None, False
    for part in re.split(r"/(?![^(]*\))", name):
        for before in ("transpose(jvp(", "jvp("):
            after = ")" * before.count("(")
            if part.startswith(before) and part.endswith(after):
                part = part[len(before):-len(after)]
                last = len(parts) + 1
                backward |= before != "jvp("
                break
        parts.append(part)
    if last is not None:
        parts.insert(last, "backward" if backward else "forward")
    return "/".join(filter(None, parts))


@pytest.mark.parametrize("name", [PY0, "jax_mlp_3steps_py0"])
def test_transforms_are_folded(name):
    plain = nodes(named(name))
    assert any("transpose(jvp(" in node for node in plain)
    wanted = collections.defaultdict(lambda: Sums(0, 0, 0))
    for node, sums in plain.items():
        wanted[folded(node)] = plus(wanted[folded(node)], sums)
    found = nodes(named(name), "--fold_transforms")
    assert found == wanted
    assert not any("jvp(" in node for node in found)
    assert {"forward", "backward"} <= {part for node in found
                                       for part in node.split("/")}


# ---- What is promised ---------------------------------------------------


@pytest.mark.parametrize("name, runs, count, time, devices", [
    (PY0, 250, 50, 22_667_465_000, 1),
    ("jax0102_cpu_4devices", 1020, 51, 729_737_920_000, 4),
])
def test_instructions_on_cpus(name, runs, count, time, devices):
    told = program.Info(named(name)).file
    assert len(told["devices"]) == devices
    found = nodes(named(name))
    assert len(found) == told["counts"]["nodes"] == count
    assert told["counts"]["run_records"] == runs
    assert total("scope", named(name)) == Sums(runs, time, 0)
    assert total("op", named(name))[1:] == (time, 0)


def test_instructions_beside_operations():
    found = nodes(named("keras315_tf221_jit"))
    wanted = trace_judge.Judge(named("keras315_tf221_jit")).of("hlo")
    ours = [found[name] for name in wanted]
    assert len(ours) == 64
    assert Sums(*map(sum, zip(*ours))) == Sums(704, 392_815_380_000, 0)


def test_kernels_are_under_their_operations():
    """Copies are time of an accelerator, too, but no kernels."""
    judge = trace_judge.Judge(named("tf2_gpu_multiworker"))
    assert judge.kernels == [1330, 29_690_748_000]
    whole = sum(time for (sort, _), (_, time) in judge.sums.items()
                if sort in ("kernel", "hlo gpu"))
    assert total("scope", named("tf2_gpu_multiworker")).accelerator == whole
    assert not judge.kernels_without_op


def test_nodes_of_gemm():
    found = nodes(named("jax_mi300_gemm"))
    assert len([n for n in found if not n.startswith("(no op)")]) == 16


def test_steps():
    assert steps(named(PY0)) == [0, 1, 2, 3, 4]
    assert steps(named("keras315_tf221_callback")) == [*range(9, 20)]


def test_every_step_has_as_many_runs():
    for step in range(5):
        assert times(view("scope", "--step", str(step),
                          named(PY0))["total"]).runs == 50


def test_lines_nest():
    """28 > 18 > 15 > 12 > 8, and all time is below a line."""
    found = view("code", named(PY0))
    path, seen = [], set()
    for row in found["rows"]:
        del path[row["depth"]:]
        path.append(row["name"])
        seen.add(tuple(int(name.split("train_jax.py:")[1].split(":")[0])
                       for name in path if "train_jax.py:" in name))
    assert (28, 18, 15, 12, 8) in seen
    scope = view("scope", named(PY0))["total"]
    for kind in (found, view("op", named(PY0)), view("graph", named(PY0))):
        assert times(kind["total"])[1:] == times(scope)[1:]
    first = [row for row in found["rows"] if row["depth"] == 1]
    assert sum(times(row["total"]).cpu for row in first
               if "train_jax.py" in row["name"]) == times(scope).cpu


def test_edges():
    assert program.Info(named(PY0)).json["model"]["edges"] == 60


# ---- Against the reference programs -------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:-10])
def test_sums_of_every_node(path):
    ours = {name: sums for name, sums in nodes(path).items()
            if not name.startswith("(no op)/")}
    judge = trace_judge.Judge(path)
    wanted = judged(judge)
    ours, wanted = merged(ours), merged(wanted)
    wanted = {name: sums for name, sums in wanted.items() if any(sums[1])}
    assert {n: (ours.get(n), wanted.get(n)) for n in {*ours, *wanted}
            if ours.get(n) != wanted.get(n)} == {}


def groups_of(path):
    """Runs of each operation of a host, for each group of the reference."""
    steps_of, ref = (trace_judge.module(name) for name in ("xs_steps",
                                                           "xs_ref"))
    space = trace_judge.module("xs").read(str(path))
    planes = steps_of.load(space)
    steps_of.group(space, planes)
    found = collections.defaultdict(collections.Counter)
    for node in (n for plane, nodes_of in planes for n in nodes_of
                 if plane.name == "/host:CPU"):
        if node.group is not None and ref.parse_tf(node.name)[2]:
            found[node.group][node.name] += 1
    return sorted(sorted(runs.values()) for runs in found.values())


@pytest.mark.parametrize("word, count", [
    (b"", 36), (b"iter_num", 4), (b"step_num", 36),
    (b"ExecutorState::Process", 4), (b"StartRegion", 36)])
def test_iterations_of_a_loop_are_steps(word, count, tmp_path):
    """Whatever else the trace does not say: `word` is spoiled."""
    path = tmp_path / "t.xplane.pb"
    data = named("tf221_eager_while").read_bytes()
    path.write_bytes(data.replace(word, word[:-1] + b"X") if word else data)
    found = [sorted(row["self"]["runs"] for row in view(
        "scope", "--step", str(step), path)["rows"] if row["self"].get("runs"))
        for step in steps(path)]
    wanted = groups_of(path)
    assert len(found) == len(wanted) == count
    assert sorted(found) == wanted


# ---- Other forms --------------------------------------------------------


FORMS = ["jax0102_cpu_train_py0", "gen_jax-gpu", "gen_jax-tpu"]


def answer(*args, **kwargs):
    done = subprocess.run(
        [program.TFPROF, "scope", "--format", "json", "--max_depth", "1000",
         *map(str, args)], capture_output=True, check=False, **kwargs)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", FORMS)
def test_packed_and_piped(name, tmp_path):
    data = named(name).read_bytes()
    wanted = answer(named(name))
    packed = tmp_path / "trace.xplane.pb.gz"
    packed.write_bytes(gzip.compress(data))
    assert answer(packed) == wanted
    assert answer("-", input=data) == wanted
    assert answer("-", input=packed.read_bytes()) == wanted


@needs_tensorflow
@pytest.mark.parametrize("name", FORMS)
def test_text(name, tmp_path):
    from google.protobuf import text_format
    space = tf_messages.trace_class().FromString(named(name).read_bytes())
    path = tmp_path / "trace.xplane.pbtxt"
    path.write_text(text_format.MessageToString(space))
    assert answer(path) == answer(named(name))


# ---- Against the generator ----------------------------------------------


def generated(folder, kind, seed):
    choose = program.chooser(f"{kind} {seed}")
    out, truth = folder / "t.xplane.pb", folder / "truth.json"
    subprocess.run(
        [sys.executable, FOLDER / "gen_xspace.py", out, "--kind", kind,
         "--truth", truth, "--seed", str(choose.randrange(10**6)),
         "--devices", str(choose.randint(1, 3)),
         "--steps", str(choose.randint(1, 12)),
         "--layers", str(choose.randint(1, 6)),
         "--repeat", str(choose.randint(1, 3))],
        check=True, capture_output=True)
    return out, json.loads(truth.read_text())


@pytest.mark.parametrize("kind", ["jax-cpu", "jax-gpu", "jax-tpu", "tf-gpu"])
@pytest.mark.parametrize("seed", range(3))
def test_sums_of_what_is_generated(kind, seed, tmp_path):
    path, truth = generated(tmp_path, kind, seed)
    wanted = collections.Counter()
    for device, ops in truth["ops"].items():
        sort = "cpu" if device == "/host:CPU" else "accelerator"
        wanted["runs"] += sum(op["occurrences"] for op in ops.values())
        wanted[sort] += sum(op["self_ps"] for op in ops.values())
    of = [sums for name, sums in nodes(path).items()
          if not name.startswith("(no op)")]
    assert Sums(*map(sum, zip(*of))) == Sums(
        wanted["runs"], wanted["cpu"], wanted["accelerator"])
    assert steps(path)[:len(truth["steps"])] == [
        step["step_num"] for step in truth["steps"]]
