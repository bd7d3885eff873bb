"""What was loaded, saved with `-output profile:outfile=F`: read back it gives
the same answers, here and in TensorFlow's own tfprof.

TFPROF_RANDOM_DRAWS sets how many random files are saved, TFPROF_LIVE_DRAWS
how many random questions the wheel is asked about saved ones. Where there are
models on one side and ways to ask on the other, each model is asked in some of
the ways and each way is taken with some of the models; TFPROF_SLOW=1 takes all
of them.
"""

# labels: tf

import collections
import functools
import gzip
import json
import math
import os
import pathlib
import re
import tempfile
import zlib

import hypothesis
import pytest

import drawing
import judge
import live_draws
import live_compare
import recorded
import tf_messages
import upstream
from faults import SLOW, field, integer, printed, refusal, run
from files import needs_shared, needs_tensorflow
from messages import (CODE, CPU, EVERYTHING, GPU, VIEWS, Folder, entry, frame,
                      node_def, record, run_of, strings)
from program import DATA_DIR

pytestmark = pytest.mark.recorded

DRAWS = int(os.environ.get("TFPROF_RANDOM_DRAWS") or (1000 if SLOW else 25))
LIVE_DRAWS = int(os.environ.get("TFPROF_LIVE_DRAWS") or (2000 if SLOW else 24))
INPUT = re.compile(r"--?\w+_path=")
# A profile has the float operations that files gave, not those of formulas.
# A profile has no field for queue_micros.
ALL = ("--select", EVERYTHING.replace("queue_micros,", ""), "--max_depth",
       "100", "--formulas", "none")


def share(ways, number, count=2):
    """One in `count` of the ways, other ones for the next number."""
    return ways if SLOW else ways[number % count::count]


@pytest.fixture(scope="module", name="wheel")
def start_wheel():
    with judge.Judge("profile_written") as wheel:
        yield wheel


def save(target, *inputs, view="scope", **kwargs):
    code, out, err = run(view, *inputs, "-output", f"profile:outfile={target}",
                         **kwargs)
    assert (code, out) == (0, b""), err
    return target


def answer(view, *args, **kwargs):
    """Exit code and what was printed."""
    code, out, _ = run(view, *args, **kwargs)
    return code, out


def check_fixed(saved, view="op"):
    """Read and saved again it has the same bytes."""
    again = saved.with_name(saved.name + ".again")
    save(again, "--profile_path", saved, view=view)
    assert again.read_bytes() == saved.read_bytes()
    again.unlink()


def parsed(path, kind="ProfileProto"):
    """What TensorFlow's own messages make of a file."""
    return tf_messages.parse(kind, path.read_bytes(), False)


def profile_node(key, name, **fields):
    """An entry of ProfileProto.nodes; `inputs` and the like are maps."""
    maps = {"inputs": 2, "source_outputs": 14}
    body = field(1, name) + field(9, b"Op") + field(5, b"Op")
    body += integer(13, fields.pop("id", key))
    for what, entries in fields.items():
        if what == "output_shapes":
            body += b"".join(field(15, integer(1, k) + field(2, b"".join(
                integer(1, dim) for dim in dims)))
                for k, dims in entries.items())
        else:
            body += b"".join(field(maps[what], integer(1, k) + integer(2, v))
                             for k, v in entries.items())
    return field(1, integer(1, key) + field(2, body))


# ---- The cases of upstream ---------------------------------------------------

def inputs_of(case):
    return tuple(word for word in case.words if INPUT.match(word))


def has_values(case):
    """A profile has no room for the values of a checkpoint."""
    asked = case.arguments
    if case.stdin != "-":
        asked += upstream.expected(case.stdin).decode(errors="replace")
    return "checkpoint_path" in case.arguments and "tensor_value" in asked


def test_each_case_has_the_same_answer_from_the_profile(tmp_path, say):
    """Cases whose answers are known: see test_upstream.py."""
    saved = {}
    cases = [case for case in upstream.CASES
             if inputs_of(case) and not has_values(case)]
    by_inputs = collections.defaultdict(list)
    for case in cases:
        by_inputs[inputs_of(case)].append(case)
    cases = [case for those in by_inputs.values() for case in share(
        those, 0, 3)]
    for inputs in sorted(by_inputs):
        saved[inputs] = save(tmp_path / f"{len(saved)}.profile", *inputs,
                             cwd=upstream.unpacked("inputs"))
        check_fixed(saved[inputs])

    def change(words):
        inputs = tuple(word for word in words if INPUT.match(word))
        return [*(word for word in words if word not in inputs),
                f"--profile_path={saved[inputs]}"]

    answers = upstream.run_all(cases, change=change)
    wrong = [upstream.report(case, found) for case in cases
             if (found := upstream.complaints(case, answers[case.name]))]
    say(f"{len(cases)} cases, {len(saved)} profiles")
    assert not wrong, "\n".join(wrong[:5])
    assert len(cases) > 200 and len(saved) > 30


@functools.cache
def models():
    """{name: the inputs of a model}, of those in the repository."""
    names = {path.name for path in upstream.unpacked("inputs").iterdir()}
    found = {}
    for graph in sorted(names):
        name, _, kind = graph.partition(".")
        if (kind not in ("pb", "pbtxt") or name in found
                or f"{name}.profile" not in names | {"edge.profile"}):
            continue
        runs = sorted(other for other in names if re.fullmatch(
            rf"{name}_run_meta(_\d)?", other))
        log = next(other for other in (f"{name}_oplog", f"{name}_oplog_id")
                   if other in names)
        found[name] = (f"--graph_path={graph}",
                       f"--run_meta_path={','.join(runs)}",
                       f"--op_log_path={log}")
    assert len(found) >= 9
    return found


@pytest.mark.parametrize("form", ["json", "csv"])
def test_every_row_is_the_same_for_programs(form, tmp_path):
    folder = upstream.unpacked("inputs")
    for i, (name, inputs) in enumerate(models().items()):
        saved = save(tmp_path / name, *inputs, cwd=folder)
        for j, view in enumerate(VIEWS):
            for step in share((-1, 0, 1), i + j + (form == "csv"), 3):
                args = (*ALL, "--format", form, "--step", str(step))
                assert (answer(view, *inputs, *args, cwd=folder)
                        == answer(view, saved, *args)), (name, view, step)


def test_parts_and_mixtures_are_saved_as_they_show(tmp_path):
    """Only a graph, only runs, a profile with another run, another graph."""
    folder = upstream.unpacked("inputs")
    for i, (name, (graph, runs, log)) in enumerate(models().items()):
        first, *later = runs.partition("=")[2].split(",")
        profile = save(tmp_path / "first", graph,
                       f"--run_meta_path={first}", cwd=folder)
        other = next(path for path in sorted(folder.iterdir())
                     if path.name.endswith(".pb") and name not in path.name)
        mixtures = ([graph], [runs], [graph, log], [runs, log],
                    [f"--profile_path={profile}", log],
                    [f"--profile_path={profile}", graph, runs],
                    [graph, f"--profile_path={profile}",
                     *(f"--run_meta_path=3={path}" for path in later)],
                    [graph, f"--graph_path={other}", runs])
        for inputs in share(mixtures, i, 3):
            saved = save(tmp_path / "saved", *inputs, cwd=folder)
            for view in VIEWS:
                assert (answer(view, *inputs, *ALL, cwd=folder)
                        == answer(view, saved, *ALL)), (inputs, view)
            check_fixed(saved)


# ---- Random files ------------------------------------------------------------

SEED = zlib.crc32(b"saved" + os.environ.get("TFPROF_TEST_SEED", "").encode())


@hypothesis.seed(SEED)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS)
def save_anything(files, options):
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(pathlib.Path(place), **{
            name: drawing.HEADS[name.rstrip("2")] + data
            for name, data in files.items()})
        saved = save(pathlib.Path(place, "saved"), *folder.args)
        args = [f"--{name}={value}" for name, value in options.items()]
        for view in VIEWS:
            for asked in (args, ALL, (*ALL, "--step=0")):
                assert (answer(view, *folder.args, *asked)
                        == answer(view, "--profile_path", saved, *asked))
        check_fixed(saved)


def test_random_files_have_the_same_answers_from_the_profile():
    save_anything()


# ---- Single things -----------------------------------------------------------

def both(tmp_path, **files):
    """A folder of files, and the profile of them."""
    folder = Folder(tmp_path, **files)
    return folder, save(tmp_path / "saved", *folder.args)


def test_inputs_keep_their_number_output_and_kind(tmp_path):
    folder, saved = both(tmp_path, graph=b"".join([
        node_def(b"s", b"Split", outputs=[[1], [2], [3]]),
        node_def(b"x", b"X", [b"s:2", b"s:1", b"^s", b"lost", b"s", b"s:9"]),
        node_def(b"y", b"Y", [b"^s"]),
        node_def(b"z", b"Z", [b"lost:1"])]))
    for view in VIEWS[:3]:
        text, notes = folder.ask(view, "--select", "input_shapes")
        code, out, err = run(view, saved, "--select", "input_shapes")
        assert (code, out) == (0, text)
        assert [line for line in notes if "not in the graph" in line]
        assert b"2 inputs of nodes are ignored" in err
    assert b"x (0:3|1:2|2:1|3:unknown|4:1|5:unknown)" in folder.ask(
        "scope", "--select", "input_shapes")[0]
    check_fixed(saved)


def test_a_node_of_two_graphs_has_the_shapes_of_the_first(tmp_path):
    first = node_def(b"a", b"A", outputs=[[7]])
    second = (node_def(b"a", b"B", outputs=[[9]])
              + node_def(b"b", b"B", [b"a"]))
    folder, saved = both(tmp_path, graph=first, graph2=second)
    text, _ = folder.ask("scope", "--select", "input_shapes")
    assert b"b (0:7)" in text
    assert answer("scope", saved, "--select", "input_shapes") == (0, text)


def test_runs_of_several_devices_and_steps_add_up_the_same(tmp_path):
    stream = GPU + b"/stream:all"
    first = run_of(
        (CPU, record(b"a", end=0) + record(b"a", end=7, memory=[(9, 8, 7)],
                                           temp=3, kept=2)),
        (GPU, record(b"a", end=100) + record(b"b", end=-4)
         + record(b"only/run", end=6) + record(b"b", start=0)),
        (stream, record(b"b:Kernel", end=40) + record(b"b:Kernel", end=2)),
        (GPU + b"/stream:3", record(b"c", end=5)),
        (GPU + b"/memcpy", record(b"MEMCPYHtoD")))
    second = run_of((GPU, record(b"b", end=3, outputs=[5, 6])))
    folder, saved = both(
        tmp_path, graph=b"".join(map(node_def, (b"a", b"b", b"c", b"d"))),
        run=first, run2=second, log=entry(b"b", float_ops=1000))
    for view in VIEWS[:3]:
        for step in (-1, 0, 1):
            args = (*ALL, "--step", step, "--order_by", "micros")
            text, _ = folder.ask(view, *args)
            assert answer(view, saved, *map(str, args)) == (0, text)
    check_fixed(saved)


def test_steps_without_records_are_kept_between_others(tmp_path):
    """Steps in no order, some of them empty, some nodes in few of them."""
    runs = {f"run{i}": run_of((CPU, b"".join(
        record(b"n%d" % n, end=i * 10 + n) for n in range(5) if i % (n + 2))))
        for i in range(12)}
    folder = Folder(tmp_path, graph=b"".join(
        node_def(b"n%d" % n) for n in range(6)))
    for i, (name, data) in enumerate(runs.items()):
        (tmp_path / name).write_bytes(data)
        folder.args += ["--run_meta_path", f"{(i * 7) % 12}={tmp_path / name}"]
    saved = save(tmp_path / "saved", *folder.args)
    for step in range(-1, 12):
        args = (*ALL, "--step", str(step))
        assert answer("scope", saved, *args) == answer(
            "scope", *folder.args, *args)
    check_fixed(saved)


def test_code_traces_keep_every_string(tmp_path):
    frames = frame(1, 7) + frame(1, 9, 2, 4) + frame(9, 1, 9, 9)
    folder, saved = both(
        tmp_path, graph=node_def(b"a") + node_def(b"b"),
        log=entry(b"a", frames) + entry(b"b", frame(1, 7))
        + strings({**CODE, 4: b""}))
    text, _ = folder.ask("code", *ALL)
    assert answer("code", saved, *ALL) == (0, text)
    assert b"<unknown file #9>" in text
    check_fixed(saved)


def test_a_view_that_is_refused_is_refused_of_the_profile(tmp_path):
    folder, saved = both(tmp_path, graph=node_def(b"a"))
    for view, args in (("code", []), ("scope", ["--step=0"])):
        assert refusal(2, view, saved, *args) == folder.refuse(view, *args)


@pytest.mark.parametrize("view", VIEWS)
def test_any_view_command_saves_the_same(view, tmp_path):
    graph = Folder(tmp_path, graph=node_def(b"a"))
    assert (save(tmp_path / "of_view", *graph.args, view=view).read_bytes()
            == save(tmp_path / "saved", *graph.args).read_bytes())


def test_a_name_that_ends_in_gz_is_packed(tmp_path):
    graph = Folder(tmp_path, graph=node_def(b"a"))
    plain = save(tmp_path / "saved", *graph.args)
    packed = save(tmp_path / "saved.gz", *graph.args)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert answer("scope", packed) == answer("scope", plain)


def test_nothing_is_saved_and_read_back(tmp_path):
    """A message of no bytes at all could not be told from an empty file."""
    folder = Folder(tmp_path, graph=b"")
    saved = save(tmp_path / "saved", *folder.args)
    assert answer("scope", saved) == answer("scope", *folder.args)


def test_attributes_and_constants_are_kept(tmp_path):
    """`info` says nothing of them; what is written twice does."""
    for name in ("attributes.pb", "graph.pb", "functions.pb", "odd.pb"):
        check_fixed(save(tmp_path / name, DATA_DIR / name))


NO_VALUES = (8, 20, 21)  # DT_COMPLEX64, DT_RESOURCE, DT_VARIANT


def constant(tensor):
    """Type, shape and, where a profile has them, the values of a constant."""
    def ask():
        from tensorflow.python.framework.tensor_util import MakeNdarray
        return MakeNdarray(tensor).tolist()

    dims = [dim.size for dim in tensor.tensor_shape.dim]
    if math.prod(dims) > 64 or tensor.dtype in NO_VALUES:
        return tensor.dtype, dims
    data = tensor.SerializeToString(deterministic=True)
    return tensor.dtype, dims, recorded.record(
        "profile_written", "tensorflow-cpu").answer(
            {"constant": recorded.digest(data)}, ask)


def without_what_is_lost(value):
    """An attribute as a profile has it, to be compared: of functions the name,
    no names of dims, values of constants as values."""
    which = value.WhichOneof("value")
    many = value.list if which == "list" else None
    if which == "func" or (many and many.func):
        return [one.name for one in (many.func if many else [value.func])]
    if which == "tensor" or (many and many.tensor):
        return repr([constant(one)
                     for one in (many.tensor if many else [value.tensor])])
    if which == "shape" or (many and many.shape):
        return [(one.unknown_rank, [dim.size for dim in one.dim])
                for one in (many.shape if many else [value.shape])]
    return value.SerializeToString()


@needs_tensorflow
@pytest.mark.parametrize("name", ["attributes.pb", "graph.pb"])
def test_attributes_are_those_of_the_graph(name, tmp_path, say):
    """As far as they are not notes of TensorFlow to itself."""
    nodes = {node.name: node for node in parsed(save(
        tmp_path / "saved", DATA_DIR / name)).nodes.values()}
    compared = collections.Counter()
    for node in parsed(DATA_DIR / name, "GraphDef").node:
        kept = nodes[node.name].attrs
        for key, value in node.attr.items():
            which = value.WhichOneof("value")
            compared[which] += 1
            if key.startswith("_"):
                assert key not in kept
            elif key == "shape" and value.shape.dim:
                assert list(nodes[node.name].shape) == [
                    dim.size for dim in value.shape.dim]
            else:
                assert kept[key].WhichOneof("value") == which
                assert (without_what_is_lost(kept[key])
                        == without_what_is_lost(value)), (node.name, key)
    say(", ".join(f"{count} {which}" for which, count in compared.items()))
    assert compared["tensor"]


# ---- As TensorFlow reads it --------------------------------------------------

@needs_tensorflow
def test_there_is_no_field_that_the_wheel_does_not_know(tmp_path):
    folder = upstream.unpacked("inputs")
    for name, inputs in models().items():
        message = parsed(save(tmp_path / name, *inputs, cwd=folder))
        size = message.ByteSize()
        message.DiscardUnknownFields()
        assert message.ByteSize() == size
        assert message.nodes and all(
            node.id == key for key, node in message.nodes.items())


def facts(profile):
    """{name: what a ProfileNode says}, without numbers that may differ: ids of
    strings, devices that have no times, and the outputs that are taken, for
    which the wheel writes 0."""
    def plain(messages):
        return [one.SerializeToString(deterministic=True) for one in messages]

    found = {}
    for key, node in profile.nodes.items():
        runs = {}
        for step, run_ in node.execs.items():
            run_.ClearField("devices")
            runs[step] = run_.SerializeToString(deterministic=True)
        found[node.name] = {
            "key": key, "id": node.id, "op": node.op, "runs": runs,
            "devices": (node.canonical_device, node.host_device),
            "types": sorted(node.op_types), "float_ops": node.float_ops,
            "shape": list(node.shape),
            "outputs": {number: list(shape.int64_values) for number, shape
                        in node.output_shapes.items()},
            "inputs": dict(node.inputs), "sources": set(node.src_output_index),
            "trace": [(trace.lineno, trace.func_start_line, *(
                profile.id_to_string[number] for number in (
                    trace.file_id, trace.function_id, trace.line_id)))
                for trace in node.trace.traces]}
    return found


@needs_tensorflow
@pytest.mark.parametrize("name", ["bert", "cifar", "lm", "multi", "v2func",
                                  "resnet"])
def test_it_has_what_the_wheel_writes_of_the_same_inputs(name, tmp_path):
    folder = upstream.unpacked("inputs")
    theirs = parsed(folder / f"{name}.profile")
    graph, runs, log = models()[name]
    runs = ",".join(f"{step}={path}" for step, path in zip(
        theirs.steps, runs.partition("=")[2].split(",")))
    ours = parsed(save(tmp_path / "saved", graph, f"--run_meta_path={runs}",
                       log, cwd=folder))
    want, got = facts(theirs), facts(ours)
    assert set(got) == set(want)
    for node, what in want.items():
        assert got[node] == what
    assert sorted(ours.steps) == sorted(theirs.steps)
    assert ours.has_trace == theirs.has_trace
    assert ours.miss_accelerator_stream == theirs.miss_accelerator_stream


class Written(live_draws.Inputs):
    """Inputs that the judge gets as the profile of them."""

    def __init__(self, inputs, profile):
        self.__dict__.update(inputs.__dict__)
        self.written = os.fspath(profile)

    def for_the_judge(self):
        return {"profile": self.written}


def says_all(message):
    """Is there no input that takes one of several outputs of one node, or
    names no node? ProfileNode has no field for these."""
    return not any(
        output != -1 for node in message.nodes.values()
        for output in node.attrs["_tfprof_inputs"].list.i[1::2])


QUESTIONS = (
    {"select": ["micros", "bytes", "params", "float_ops", "occurrence"]},
    {"select": [*judge.MINIMA, "device", "op_types"], "max_depth": 100},
    {"select": ["input_shapes"]},
    {"select": ["micros", "peak_bytes"], "step": 0, "order_by": "micros"},
    {"select": ["params"], "account_type_regexes": [".*Variable.*|VarHandle.*"],
     "account_displayed_op_only": True, "order_by": "params"},
)


def check_wheel(wheel, view, options, inputs):
    """The wheel has the answer that the inputs themselves have here."""
    theirs = wheel.ask(view, {**live_draws.DEFAULTS, **options,
                              "output": "stdout"})["text"].encode()
    args = [f"--{key}=" + (",".join(value) if isinstance(value, list)
                           else str(value).lower())
            for key, value in options.items()]
    code, ours = answer(view, *inputs, *args, "--formulas=none",
                        cwd=upstream.unpacked("inputs"))
    if code == 2:
        assert view == "code" and not theirs
    else:
        assert (code, ours) == (0, theirs), (inputs, view, options)


@needs_tensorflow
def test_the_wheel_reads_it_and_prints_the_same(wheel, tmp_path, say):
    folder, compared, shapes = upstream.unpacked("inputs"), 0, 0
    for i, (name, inputs) in enumerate(models().items()):
        saved = save(tmp_path / name, *inputs, cwd=folder)
        has_shapes = says_all(parsed(saved))
        with wheel.opened({"profile": os.fspath(saved)}):
            for j, view in enumerate(VIEWS):
                for options in share(QUESTIONS, i + j, 3):
                    if options["select"] == ["input_shapes"]:
                        if not has_shapes:
                            continue
                        shapes += 1
                    check_wheel(wheel, view, options, inputs)
                    compared += 1
    say(f"{compared} answers of {len(models())} models, "
        f"{shapes} of them input shapes")
    assert shapes > 1


@needs_shared
@needs_tensorflow
def test_random_questions_about_the_profile_have_the_same_answers(
        wheel, tmp_path, say):
    saved, groups = {}, collections.defaultdict(list)
    for view in VIEWS:
        for draw in live_draws.draws(view, LIVE_DRAWS // len(VIEWS)):
            key = id(draw.inputs)
            if ("input_shapes" in draw.options.get("select", ())
                    and draw.inputs.graph in ("edge.pb", "edge.pbtxt")):
                continue  # it has inputs that name no node
            if key not in saved:
                saved[key] = Written(draw.inputs, save(
                    tmp_path / f"{len(saved)}.profile",
                    *draw.inputs.arguments(), cwd=live_draws.FOLDER))
            groups[key].append(draw._replace(inputs=saved[key]))
    tally = live_compare.Tally()
    for key, draws in groups.items():
        with wheel.opened(saved[key].for_the_judge()):
            for draw in draws:
                live_compare.take(wheel, draw, tally)
    say(f"{tally.total} questions about {len(groups)} profiles")
    assert not tally.failed, tally.failed[:3]
    assert not tally.differing, "\n\n".join(tally.shown.values())


# ---- PR-01 -------------------------------------------------------------------

def test_PR_01_references_to_no_node_are_dropped_and_told(tmp_path):
    nodes = (profile_node(0, b"a", output_shapes={0: [2, 3]})
             + profile_node(1, b"b", inputs={0: 0, 1: 77},
                            source_outputs={0: 0, 77: 0})
             + profile_node(2, b"c", inputs={0: 0},
                            source_outputs={0: 0, 78: 4}))
    path = tmp_path / "odd"
    path.write_bytes(nodes)
    code, out, err = run("graph", path, "--select", "input_shapes")
    assert code == 0
    assert b"b (0:2x3|1:unknown)" in out and b"c (0:2x3)" in out
    assert b"2 inputs of nodes are ignored" in err
    saved = save(tmp_path / "saved", path)
    assert answer("graph", saved, *ALL) == answer("graph", path, *ALL)
    check_fixed(saved)


@pytest.mark.parametrize("key", [-1 << 63, -1, (1 << 63) - 1, 1 << 32])
def test_PR_01_any_number_is_a_key(key, tmp_path):
    path = tmp_path / "odd"
    path.write_bytes(
        profile_node(key, b"a", output_shapes={0: [5]})
        + profile_node(1, b"b", inputs={0: key}, source_outputs={key: 0}))
    out = printed("graph", path, "--select", "input_shapes")
    assert b"\n  b (0:5)\n    a " in out
    saved = save(tmp_path / "saved", path)
    assert answer("graph", saved, *ALL) == answer("graph", path, *ALL)


def test_PR_01_the_key_of_a_node_counts_not_its_id(tmp_path):
    path = tmp_path / "odd"
    path.write_bytes(
        profile_node(5, b"a", id=6) + profile_node(6, b"b", id=5)
        + profile_node(7, b"c", id=-1 << 63, inputs={0: 5, 1: -1 << 63},
                       source_outputs={5: 0, -1 << 63: 0}))
    code, out, err = run("graph", path, "--select", "occurrence")
    assert code == 0
    assert [line.split(b" (")[0] for line in out.splitlines()[2:]] == [
        b"  b", b"  c", b"    a"]
    assert b"3 nodes of a profile have ids that differ" in err
    assert b"1 input of a node is ignored" in err
    saved = save(tmp_path / "saved", path)
    code, again, err = run("graph", saved, "--select", "occurrence")
    assert (code, again) == (0, out) and b"ids that differ" not in err


def test_PR_01_inputs_have_the_numbers_of_the_file(tmp_path, request):
    path = tmp_path / "odd"
    path.write_bytes(
        profile_node(0, b"a", output_shapes={0: [5], 3: [6]})
        + profile_node(1, b"b", output_shapes={0: [8]})
        + profile_node(2, b"c", inputs={7: 0, 3: 1, -2: 0},
                       source_outputs={0: 3})
        + profile_node(3, b"d", inputs={1: 1}, source_outputs={1: -1}))
    code, out, _ = run("scope", path, "--select", "input_shapes")
    assert code == 0
    assert b"c (-2:6|3:unknown|7:6)" in out and b"d (1:unknown)" in out
    saved = save(tmp_path / "saved", path)
    for view in VIEWS[:3]:
        assert answer(view, saved, *ALL) == answer(view, path, *ALL)
    check_fixed(saved)
    if tf_messages.HAVE:
        wheel = request.getfixturevalue("wheel")
        for file in (path, saved):
            with wheel.opened({"profile": os.fspath(file)}):
                assert wheel.ask("scope", {
                    **live_draws.DEFAULTS, "select": ["input_shapes"],
                    "output": "stdout"})["text"].encode() == out


# ---- PR-05 -------------------------------------------------------------------

LARGE = 5000


def large(kind):
    """A graph of many types, or of one chain."""
    if kind == "op":
        return b"".join(node_def(b"n%d" % i, b"Type%d" % i, shape=[i])
                        for i in range(LARGE))
    return b"".join(node_def(b"n%d" % i, b"Op", [b"n%d" % (i - 1)][:i],
                             outputs=[[i]]) for i in range(LARGE))


@pytest.mark.parametrize("view", ["op", "graph"])
def test_PR_05_large_answers_are_read_back(view, tmp_path):
    folder = Folder(tmp_path, graph=large(view))
    depth = ("--max_depth", LARGE + 1)
    out, _ = folder.ask(view, *depth, "--format", "json", "--select",
                        "params,input_shapes")
    rows = json.loads(out)["rows"]  # Python gives up at about 1,000 levels
    assert len(rows) >= LARGE
    if view == "graph":
        assert max(row["depth"] for row in rows) >= LARGE - 1
    saved = save(tmp_path / "saved", *folder.args)
    text, _ = folder.ask(view, *depth, "--select", "params,input_shapes")
    assert answer(view, saved, *map(str, depth), "--select",
                  "params,input_shapes") == (0, text)
    check_fixed(saved)
    if tf_messages.HAVE:
        assert len(parsed(saved).nodes) == LARGE


def test_PR_05_what_nests_in_attributes_does_not_nest_deeper(tmp_path):
    """An attribute may hold a function with an attribute that holds one ..."""
    inside = b""
    for _ in range(30):
        inside = field(10, field(1, b"f") + field(2, field(1, b"g")
                                                  + field(2, inside)))
    graph = field(1, field(1, b"n") + field(2, b"Op")
                  + field(5, field(1, b"func") + field(2, inside)))
    folder, saved = both(tmp_path, graph=graph)
    assert answer("scope", saved) == answer("scope", *folder.args)
    if tf_messages.HAVE:
        assert len(parsed(saved).nodes) == 1
    check_fixed(saved)
