"""`-output pprof:outfile=F`: what is written is what the tables say.

The files are read by TensorFlow's own message class and by google's pprof
program; the sums that these find are held against `--format json` of the same
view.
"""

# labels: tf

import collections
import gzip
import json
import os
import re
import time

import pytest

import judge
import pprof
from faults import SANITIZED, SLOW, field, integer, run
from files import needs_tensorflow
from messages import (CPU, GPU, NOON, Folder, entry, frame, node_def,
                      record, run_of, strings)
from program import chooser
from surroundings import PATIENCE

pytestmark = pytest.mark.recorded

MODELS = 60 if SLOW else 4
COSTS = ("bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros",
         "accelerator_micros", "cpu_micros", "params", "float_ops")
TREES = ("scope", "graph", "code")


# ---- As upstream -------------------------------------------------------------

PATHS = [b"/a/model.py", b"/b/model.py", b"/b/util.py", b"noext", b"/c/x.y.py"]
CALLS = [b"build", b"call", b"a_function_with_a_long_name_one",
         b"a_function_with_a_long_name_two", b"<module>"]


def colliding_files(chance):
    """A graph, a run and a log in which lines look alike that are not: files
    of one name, functions that are cut to the same, several called from one
    line; and gradients, of which some have no operation."""
    names = [b"n%d" % i for i in range(chance.randrange(2, 40))]
    names += [b"gradients/%b_grad/g%d" % (chance.choice(names + [b"lost"]), i)
              for i in range(chance.randrange(8))]
    chance.shuffle(names)
    words = dict(enumerate([*PATHS, *CALLS, b"the line"], 1))
    log = b""
    for name in names:
        calls = [field(1, integer(6, chance.randrange(1, 6))
                       + integer(2, chance.choice([1, 2, 7, -1]))
                       + integer(7, chance.randrange(6, 11))
                       + integer(8, 11) + integer(5, chance.randrange(3)))
                 for _ in range(chance.choice([1, 1, 2, 3, 3, 4, 6]))]
        log += entry(name, b"".join(calls))
    graph = b"".join(node_def(name, b"Op%d" % chance.randrange(3), shape=[3])
                     for name in names)
    runs = run_of((CPU, b"".join(
        record(name, end=chance.randrange(1, 5000),
               memory=[(chance.randrange(9000),) * 3]) for name in names)))
    return {"graph": graph, "run": runs, "log": log + strings(words)}


@needs_tensorflow
def test_the_code_view_is_that_of_tensorflow_itself(tmp_path, say):
    """The same samples, live, whatever the lines look like and whatever is
    hidden."""
    chance = chooser("pprof live")
    compared = 0
    with judge.Judge("pprof") as wheel:
        for number in range(5 * MODELS):
            place = tmp_path / str(number)
            place.mkdir()
            folder = Folder(place, **colliding_files(chance))
            inputs = {name: os.fspath(place / name) for name in (
                "graph", "log")}
            with wheel.opened({**inputs, "runs": [[0, os.fspath(
                    place / "run")]]}):
                for _ in range(3):
                    options = live_options(chance)
                    compared += same_as_wheel(wheel, folder, options)
    say(f"{compared} samples")


def live_options(chance):
    options = {
        "max_depth": chance.choice([1, 2, 3, 100, 100]), "step": -1,
        "order_by": chance.choice(["name", "micros", "bytes"]),
        **{f"min_{cost}": 0 for cost in judge.MINIMA},
        "account_type_regexes": [".*"], "start_name_regexes": [".*"],
        "trim_name_regexes": [], "show_name_regexes": [".*"],
        "hide_name_regexes": [], "account_displayed_op_only": False,
        "select": [chance.choice(["micros", "bytes", "params"])]}
    for name, values in (
            ("min_micros", [1, 1000]),
            ("account_type_regexes", [["Op1"], ["Op[02]"]]),
            ("start_name_regexes", [[".*build.*"], ["util.*", "x.*"]]),
            ("trim_name_regexes", [[".*call.*"], ["noext.*"]]),
            ("show_name_regexes", [["model.*"]]),
            ("hide_name_regexes", [[".*util.*"], [".*:7:.*"]])):
        if chance.random() < 0.3:
            options[name] = chance.choice(values)
    return options


def same_as_wheel(wheel, folder, options):
    theirs, ours = (folder.path / name for name in ("theirs", "ours"))
    wheel.ask("code", {**options, "output": f"pprof:outfile={theirs}"})
    args = [f"-{name}={','.join(value) if isinstance(value, list) else value}"
            for name, value in options.items()
            if not isinstance(value, bool)]
    folder.ask("code", *args, "-output", f"pprof:outfile={ours}")
    wanted = pprof.samples(theirs.read_bytes())
    found = pprof.samples(ours.read_bytes())
    assert found == wanted, (folder.path, args)
    return sum(wanted.values())


# ---- A model to ask about ----------------------------------------------------

class Model:
    """Files with random names, costs, calls and data flow; every function has
    a file of its own, so that a row of the code view tells which it is."""

    def __init__(self, folder, chance, nodes, negative=False):
        self.names = self._names(chance, nodes)
        self.ops = {name: chance.choice(["MatMul", "Conv2D", "Add", "Relu",
                                         "VariableV2", "Const"])
                    for name in self.names}
        graph = b"".join(node_def(
            name.encode(), self.ops[name].encode(),
            inputs=[chance.choice(self.names[:i]).encode()
                    for _ in range(chance.randrange(3)) if i],
            shape=[chance.randrange(1, 9), 3]
            if self.ops[name] == "VariableV2" else None)
            for i, name in enumerate(self.names))
        files = {"graph": graph, "log": self._log(chance)}
        for step in range(chance.randrange(1, 4)):
            files["run" + (str(step) if step else "")] = self._run(
                chance, negative)
        self.folder = Folder(folder, **files)
        self.steps = len(files) - 2

    @staticmethod
    def _names(chance, count):
        names = set()
        while len(names) < count:
            names.add("/".join(chance.choice("abcdefg")
                               for _ in range(chance.randrange(1, 6)))
                      + chance.choice(["", "", f"/n{len(names)}"]))
        return chance.sample(sorted(names), count)

    def _log(self, chance):
        words = {number: b"/u/model%d.py" % number for number in range(1, 7)}
        words |= {10 + number: b"call%d" % number for number in range(1, 7)}
        entries = []
        for name in self.names:
            calls = [chance.randrange(1, 7)
                     for _ in range(chance.randrange(1, 7))]
            entries.append(entry(
                name.encode(), b"".join(
                    frame(number, chance.randrange(10, 13), 10 + number)
                    for number in [1, *calls]),
                float_ops=chance.randrange(5) * 100))
        return b"".join(entries) + strings(words)

    def _run(self, chance, negative):
        devices = collections.defaultdict(list)
        for name in self.names:
            if chance.random() < 0.8:
                devices[chance.choice([CPU, GPU])].append(record(
                    name.encode(), NOON + chance.randrange(1000),
                    chance.randrange(-50 if negative else 0, 5000),
                    memory=[(chance.randrange(9000), chance.randrange(9000),
                             chance.randrange(-90 if negative else 0, 9000))],
                    outputs=[chance.randrange(9000)]))
        return run_of(*((device, b"".join(list_))
                        for device, list_ in devices.items()))

    def table(self, view, *args):
        """What `--format json` answers, or None when it refuses."""
        code, out, err = run(view, *self.folder.args, *args, "--format",
                             "json", "-q")
        assert code in (0, 2), err
        return json.loads(out) if code == 0 else None

    def write(self, view, *args, tell=""):
        """The path of the pprof file."""
        path = self.folder.path / f"{view}.pb.gz"
        out, _ = self.folder.ask(view, *args, "-output",
                                 f"pprof:outfile={path}{tell}")
        assert out == b""
        return path


def function_name(row):
    """ "model1:call1" of "model1.py:12:call1", and so of a gradient."""
    file, _, function = row.split(":")
    return f"{file.removesuffix('.py')}:{function}"


def expected(table, kind):
    """(flat, cum, total) that the samples of a table's nodes must have. What a
    row has beyond those below it is its own, or that of hidden ones."""
    view = table["view"]
    flat, cum = collections.Counter(), collections.Counter()
    if view == "op":
        for row in table["rows"]:
            flat[row["name"]] += row["self"][kind]
            cum[row["name"]] += row["self"][kind]
        return flat, cum, table["total"][kind]
    rows = table["rows"]
    beyond = [row["total"][kind] for row in rows]
    path = []
    for i, row in enumerate(rows):
        del path[row["depth"]:]
        if path:
            beyond[path[-1]] -= row["total"][kind]
        path.append(i)
    for i, row in enumerate(rows):
        del path[row["depth"]:]
        path.append(i)
        # The root is no place, nor is the outermost call: nothing calls it.
        if view == "code":
            stack = [function_name(rows[at]["name"]) for at in path[2:]]
        else:
            stack = [rows[at]["name"] for at in path[1:]]
        if stack:
            flat[stack[-1]] += beyond[i]
        for name in set(stack):
            cum[name] += beyond[i]
    return flat, cum, rows[0]["total"][kind]


def without_zeros(sums):
    flat, cum, total = sums
    return ({name: value for name, value in flat.items() if value},
            {name: value for name, value in cum.items() if value}, total)


def same_sums(found, wanted, *what):
    found, wanted = without_zeros(found), without_zeros(wanted)
    assert found == wanted, " ".join(map(str, what))


@pytest.fixture
def model(tmp_path):
    return Model(tmp_path, chooser("pprof"), 80)


# ---- Sums --------------------------------------------------------------------

ALL_COSTS = ["-select", ",".join(COSTS), "-max_depth", "100"]


@needs_tensorflow
@pytest.mark.parametrize("view", [*TREES, "op"])
def test_the_program_finds_the_sums_of_the_table(view, model, say):
    """Flat, cum and total of every function and of every cost."""
    path = model.write(view, *ALL_COSTS, tell=",samples=all")
    table = model.table(view, *ALL_COSTS)
    profile = pprof.Profile(path.read_bytes())
    compared = 0
    for kind in COSTS:
        unit = profile.units[profile.types.index(kind)]
        wanted = expected(table, kind)
        found = pprof.top(path, kind, unit)
        same_sums(found, wanted, kind)
        same_sums(profile.sums(kind), wanted, kind)
        assert found[2] == table["total"][kind]
        compared += len(found[1])
    count = pprof.top(path, "count", "count")[2]
    assert count == len(model.names) == len(profile.samples)
    say(f"{compared} sums, {count} samples")


@needs_tensorflow
def test_upstreams_samples_are_those_of_lines_that_call_no_other(model):
    """Of every line that nothing is below, what it costs itself."""
    args = ["-select", "micros", "-max_depth", "100"]
    path = model.write("code", *args)
    table = model.table("code", *args)
    rows = table["rows"]
    for row, behind in zip(rows, [*rows[1:], {"depth": 0}]):
        if behind["depth"] > row["depth"]:
            row["self"]["micros"] = 0
    path_to, total = [], 0
    flat, cum = collections.Counter(), collections.Counter()
    for row in rows:
        del path_to[row["depth"]:]
        path_to.append(row["name"])
        own, stack = row["self"]["micros"], path_to[2:]
        total += own
        if stack:
            flat[function_name(stack[-1])] += own
        for name in {function_name(name) for name in stack}:
            cum[name] += own
    assert 0 < total < table["total"]["micros"]
    same_sums(pprof.top(path, "micros", "microseconds"), (flat, cum, total),
              "micros")
    same_sums(pprof.Profile(path.read_bytes()).sums("micros"),
              (flat, cum, total), "micros")


def test_what_upstream_leaves_out_is_said(model):
    path = os.fspath(model.folder.path / "out")
    args = ["-select", "micros", "-max_depth", "100", "-output"]
    _, notes = model.folder.ask("code", *args, f"pprof:outfile={path}")
    (note,) = [note for note in notes if "pprof" in note]
    left_out = int(re.match(r"the pprof file omits (\d+) nodes", note)[1])
    with open(path, "rb") as file:
        kept = sum(count for (kind, *_), count
                   in pprof.samples(file.read()).items() if kind[0] == "count")
    assert left_out > 0 and kept > 0
    assert kept + left_out == len(model.names)
    _, notes = model.folder.ask("code", *args,
                                f"pprof:outfile={path},samples=all")
    assert not [note for note in notes if "pprof" in note]


def random_options(chance, steps):
    options = ["-select", ",".join(chance.sample(COSTS,
                                                 chance.randrange(1, 5)))]
    for name, values in (
            ("max_depth", [1, 2, 3, 4, 100, 100]),
            ("order_by", ["name", "micros", "bytes", "params", "depth"]),
            ("min_micros", [0, 0, 1000, 5000]),
            ("min_params", [0, 0, 0, 1]),
            ("step", [-1, -1, *range(steps)]),
            ("account_displayed_op_only", ["false", "false", "true"]),
            ("account_type_regexes", [".*", ".*", "MatMul,Add", "Var.*"]),
            ("start_name_regexes", [".*", ".*", "a.*,c", ".*call3", "Con.*"]),
            ("trim_name_regexes", ["", "", ".*/b", ".*call2", "Add"]),
            ("show_name_regexes", [".*", ".*", ".*a.*"]),
            ("hide_name_regexes", ["", "", ".*/c", ".*call4", "Relu"]),
            ("device_regexes", [".*", ".*", ".*", ".*gpu.*"])):
        if chance.random() < 0.5:
            options += [f"-{name}", str(chance.choice(values))]
    return options


@needs_tensorflow
def test_random_models_and_questions(tmp_path, say):
    """Whatever is hidden: a node counts for the nearest row above it that is
    shown, and every sum is the total of its row."""
    chance = chooser("pprof models")
    asked, empty, compared = 0, 0, 0
    for number in range(MODELS):
        place = tmp_path / str(number)
        place.mkdir()
        model = Model(place, chance, chance.randrange(1, 60),
                      negative=number % 3 == 0)
        for view in (*TREES, "op"):
            for _ in range(6):
                args = random_options(chance, model.steps)
                table = model.table(view, *args)
                if table is None or not table["rows"]:
                    continue
                path = model.write(view, *args, tell=",samples=all")
                profile = pprof.Profile(path.read_bytes())
                for kind in profile.types[1:]:
                    same_sums(profile.sums(kind), expected(table, kind),
                              number, view, kind, *args)
                    compared += 1
                names = [labels["graph node:"]
                         for _, _, labels in profile.samples]
                assert len(set(names)) == len(names)
                assert set(names) <= set(model.names)
                asked += 1
                empty += not names
                if asked % 8 == 0:
                    kind = profile.types[-1]
                    flat, cum, _ = expected(table, kind)
                    # To pprof the total is that of the values' sizes.
                    total = sum(abs(values[kind])
                                for _, values, _ in profile.samples)
                    same_sums(pprof.top(path, kind, profile.units[-1]),
                              (flat, cum, total), number, view, kind, *args)
    assert asked > 6 * MODELS and empty < asked // 2
    say(f"{asked} files, {compared} tables")


# ---- What a file says --------------------------------------------------------

@needs_tensorflow
@pytest.mark.parametrize("select, types", [
    ("micros", ["micros"]),
    ("params", ["params"]),
    ("float_ops,micros,bytes", ["bytes", "micros", "float_ops"]),
    ("micros,float_ops,bytes", {
        "scope": ["float_ops", "bytes", "micros"],
        "op": ["bytes", "float_ops", "micros"]}),
    ("occurrence,cpu_micros", ["cpu_micros", "runs"]),
    ("cpu_micros,occurrence", ["runs", "cpu_micros"]),
])
def test_types_are_in_the_order_of_columns_and_the_main_one_is_last(
        select, types, model):
    for view in (*TREES, "op"):
        path = model.write(view, "-select", select)
        profile = pprof.Profile(path.read_bytes())
        wanted = types if isinstance(types, list) else types.get(
            {"graph": "scope", "code": "op"}.get(view, view))
        assert profile.types == ["count", *wanted]
        assert profile.default == wanted[-1] == {
            "occurrence": "runs"}.get(select.split(",")[0],
                                      select.split(",")[0])
        units = {"bytes": "bytes", "micros": "microseconds"}
        assert profile.units == ["count", *(
            units.get(name.split("_")[-1], "count") for name in wanted)]
        assert profile.comments == [
            f"tfprof: {view} view, average of all steps"]


@needs_tensorflow
def test_without_select_the_view_chooses(model):
    profile = pprof.Profile(model.write("scope").read_bytes())
    assert profile.types == ["count", "micros"]


@needs_tensorflow
@pytest.mark.parametrize("tell", ["", ",labels=all", ",labels=groups"])
def test_given_labels_are_labels_of_each_sample(model, tell):
    given = {"worker": "w17", "job": "a,b \u00e9", "empty": "", "Zone_2": "=x"}
    words = ",".join(f"{key}={value}".replace(",", "\\,")
                     for key, value in given.items())
    del given["empty"]  # a label without a value is not a label of pprof
    for view in (*TREES, "op"):
        plain = pprof.Profile(model.write(view, tell=tell).read_bytes())
        path = model.write(view, "--label", words, tell=tell)
        found = pprof.Profile(path.read_bytes())
        assert found.samples == [
            (stack, values, {**labels, **given})
            for stack, values, labels in plain.samples]
        assert found.samples


def test_pprof_lists_given_labels(model):
    path = model.write("scope", "-select", "micros", "--label",
                       "worker=w17,job=j4")
    said = pprof.ask(path, "-tags")
    assert re.search(r"^ *worker: Total .*\n *\S+ \( *100%\): w17$", said, re.M)
    assert re.search(r"^ *job: Total .*\n *\S+ \( *100%\): j4$", said, re.M)


def test_labels_of_our_own_cannot_be_given(model):
    for setting, key in (("all", "op"), ("all", "device"), ("all", "step"),
                         ("all", "STEP"), ("groups", "op_type"),
                         ("groups", "Device")):
        path = model.folder.path / "refused"
        said = model.folder.refuse(
            "scope", "--label", f"{key}=x", "-output",
            f"pprof:outfile={path},labels={setting}")
        assert said.startswith(f"--label: the setting labels={setting} writes "
                               f"a label '{key.lower()}'")
        assert not path.exists()
        model.write("scope", "--label", f"{key}=x")
    model.write("scope", "--label", "op_type=x", tell=",labels=all")
    model.write("scope", "--label", "op=x,step=y", tell=",labels=groups")


def test_facts_are_no_values(model):
    for select in ("device", "micros,op_types", "input_shapes,tensor_value"):
        path = model.folder.path / "refused"
        said = model.folder.refuse("scope", "-select", select, "-output",
                                   f"pprof:outfile={path}")
        assert said.startswith("--select: a pprof file contains only costs")
        assert not path.exists()


@needs_tensorflow
@pytest.mark.parametrize("view", [*TREES, "op"])
def test_samples_have_all_labels_only_on_request(view, model):
    """Only the node unless all are asked for."""
    plain = pprof.Profile(model.write(view, *ALL_COSTS).read_bytes())
    for _, _, labels in plain.samples:
        assert list(labels) == ["graph node:"]
    for step in ("-1", "0"):
        path = model.write(view, *ALL_COSTS, "-step", step, tell=",labels=all")
        profile = pprof.Profile(path.read_bytes())
        assert len(profile.samples) == len(plain.samples)
        devices = set()
        for _, _, labels in profile.samples:
            name = labels.pop("graph node:")
            assert labels.pop("op") == model.ops[name]
            assert labels.pop("step") == ("average" if step == "-1" else step)
            devices.add(labels.pop("device", None))
            assert not labels
        assert {CPU.decode().lower(), GPU.decode().lower()} <= devices
    tags = pprof.ask(path, "-tags", "-sample_index=count")
    assert "op: Total" in tags and "device: Total" in tags


@needs_tensorflow
@pytest.mark.parametrize("view", [*TREES, "op"])
def test_groups_have_only_names_that_prometheus_accepts(view, model):
    """The samples of labels=all, with the op and the device alone."""
    args = (*ALL_COSTS, "--label", "worker=w17")
    whole = pprof.Profile(model.write(view, *args, tell=",labels=all")
                          .read_bytes())
    path = model.write(view, *args, tell=",labels=groups")
    found = pprof.Profile(path.read_bytes())
    wanted = []
    for stack, values, labels in whole.samples:
        named = {"worker": "w17", "op_type": labels["op"]}
        if "device" in labels:
            named["device"] = labels["device"]
        wanted.append((stack, values, named))
    assert found.samples == wanted
    assert found.types == whole.types
    assert "graph node:" not in found.message.string_table


def test_a_node_outside_the_graph_is_not_a_group(tmp_path):
    folder = Folder(
        tmp_path, graph=node_def(b"a", b"Add"),
        run=run_of((CPU, record(b"a", end=5) + record(b"other", end=7))))
    path = tmp_path / "f"
    folder.ask("scope", "-select", "micros", "-output",
               f"pprof:outfile={path},labels=groups")
    found = {(stack[0][0][0], labels) for kind, stack, labels, _
             in pprof.samples(path.read_bytes()) if kind[0] == "micros"}
    device = ("device", CPU.decode().lower())
    assert found == {("a", (device, ("op_type", "Add"))), ("other", (device,))}


def test_pprof_lists_the_labels_of_groups(model):
    path = model.write("op", "-select", "micros", "--label", "worker=w17",
                       tell=",labels=groups")
    tags = pprof.ask(path, "-tags", "-sample_index=count")
    names = re.findall(r"^ *(.*): Total ", tags, re.M)
    assert sorted(names) == ["device", "op_type", "worker"]
    keys = {key for _, _, labels, _ in pprof.samples(path.read_bytes())
            for key, _ in labels}
    assert keys == set(names)
    assert all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", key) for key in keys)


@needs_tensorflow
def test_a_scope_is_a_place_for_each_level_of_the_name(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a/b/c", shape=[2])
                    + node_def(b"a/b", shape=[3]) + node_def(b"d", shape=[5]))
    path = tmp_path / "out"
    folder.ask("scope", "-select", "params", "-output", f"pprof:output={path}")
    profile = pprof.Profile(path.read_bytes())
    assert [(stack, values["params"], labels["graph node:"])
            for stack, values, labels in profile.samples] == [
        (["a/b", "a"], 3, "a/b"),
        (["a/b/c", "a/b", "a"], 2, "a/b/c"),
        (["d"], 5, "d")]


@needs_tensorflow
def test_the_places_of_a_call(tmp_path):
    """As in upstream a place is the function that is called and the line that
    calls it; the first file and function of a row stand for it."""
    words = {1: b"/x/train.py", 2: b"main", 4: b"/y/model.py", 5: b"build",
             6: b"/z/model.py", 7: b"noext", 8: b"/a.b/two.dots.py",
             9: b"other", 10: b"/x/.py", 11: b"third"}
    # The first is the first by name, wherever it stands in the graph.
    graph = b"".join(node_def(b"n%d" % i, shape=[10 + i])
                     for i in reversed(range(7)))
    log = (entry(b"n0", frame(1, 3, 2) + frame(6, 7, 5))
           + entry(b"n1", frame(1, 3, 2) + frame(4, 7, 5))
           + entry(b"n2", frame(1, 3, 2) + frame(7, 9, 5))
           + entry(b"n3", frame(1, 3, 2))
           + entry(b"n4", frame(1, 3, 2) + frame(7, 9, 9))
           + entry(b"n5", frame(1, 3, 2) + frame(8, 1, 11))
           + entry(b"n6", frame(1, 4, 2) + frame(10, 1, 11)))
    folder = Folder(tmp_path, graph=graph, log=log + strings(words))
    path = tmp_path / "out"

    def stacks(tell=""):
        folder.ask("code", "-select", "params", "-output",
                   f"pprof:outfile={path}{tell}")
        return {labels[0][1]: stack for kind, stack, labels, _
                in pprof.samples(path.read_bytes()) if kind[0] == "params"}

    shared = ((("model:build", "/z/model.py", 3),),)
    wanted = {"n0": shared, "n1": shared, "n2": shared,
              "n4": ((("noext:other", "noext", 3),),),
              "n5": ((("two.dots:third", "/a.b/two.dots.py", 3),),),
              "n6": (((":third", "/x/.py", 4),),)}
    assert stacks() == wanted
    assert stacks(",samples=all") == {**wanted, "n3": ()}


# ---- The file itself ---------------------------------------------------------

@pytest.mark.parametrize("view", [*TREES, "op"])
def test_OU_14_the_same_bytes_each_time(view, model):
    args = [*ALL_COSTS, "-order_by", "micros"]
    first = model.write(view, *args, tell=",labels=all").read_bytes()
    assert first == model.write(view, *args, tell=",labels=all").read_bytes()


def test_info_knows_the_file(model):
    path = model.write("scope", "-select", "micros")
    code, out, _ = run("info", path)
    assert code == 0 and b"pprof profile" in out


ODD = {
    b"plain": "plain",
    b"\xff\xfe": r"\xff\xfe",
    b"esc\x1b[2J": r"esc\x1b[2J",
    b"nul\0nul": r"nul\x00nul",
    b"line\nline": r"line\x0aline",
    b"cut\xe2\x82": r"cut\xe2\x82",
    "é/\u4f60/\U0001f600".encode(): "é/\u4f60/\U0001f600",
    "zero\u200bwidth".encode(): r"zero\xe2\x80\x8bwidth",
    "turn\u202eround".encode(): r"turn\xe2\x80\xaeround",
    b'quote"\\x41': 'quote"\\x41',
    b" blank ": " blank ",
    b"a" * 300 + b"\xff": "a" * 300 + r"\xff",
}


@needs_tensorflow
@pytest.mark.parametrize("view", [*TREES, "op"])
def test_PB_18_names_are_valid_utf8(view, tmp_path):
    """In names of nodes, ops, devices, files and functions."""
    graph = b"".join(node_def(name, name, shape=[i + 1])
                     for i, name in enumerate(ODD))
    log = b"".join(entry(name, frame(1, 1, 2) + frame(10 + i, 7, 10 + i))
                   for i, name in enumerate(ODD))
    words = {1: b"train.py", 2: b"main",
             **{10 + i: name for i, name in enumerate(ODD)}}
    runs = run_of(*((name + b"/device:CPU:0", record(name)) for name in ODD))
    folder = Folder(tmp_path, graph=graph, log=log + strings(words), run=runs)
    path = tmp_path / "out"
    _, notes = folder.ask(view, "-select", "params", "-output",
                          f"pprof:outfile={path},labels=all")
    assert (r"control characters, invisible characters and invalid UTF-8 in "
            r"names are shown as \xHH") in notes
    profile = pprof.Profile(path.read_bytes())  # which refuses invalid ones
    assert {labels["graph node:"]: values["params"]
            for _, values, labels in profile.samples} == {
        name: i + 1 for i, name in enumerate(ODD.values())}
    assert {labels["op"] for _, _, labels in profile.samples} == set(
        ODD.values())
    for word in profile.message.string_table:
        assert word.isprintable() or set(word) & set("\u4f60\U0001f600é")
    _, _, total = pprof.top(path, "params", "count")
    assert total == sum(range(1, len(ODD) + 1))


def test_an_empty_name_is_the_empty_string(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"", shape=[7])
                    + node_def(b"a", shape=[1]))
    path = tmp_path / "out"
    folder.ask("scope", "-select", "params", "-output", f"pprof:outfile={path}")
    assert sorted(pprof.samples(path.read_bytes())) == [
        (("count", "count"), ((("", "", 0),),), (("graph node:", ""),), 1),
        (("count", "count"), ((("a", "", 0),),), (("graph node:", "a"),), 1),
        (("params", "count"), ((("", "", 0),),), (("graph node:", ""),), 7),
        (("params", "count"), ((("a", "", 0),),), (("graph node:", "a"),), 1)]


# ---- Sizes -------------------------------------------------------------------

DEEP = 5000


def deep_graph(count):
    """Each node has a type of its own and takes the next one's output."""
    return b"".join(node_def(
        b"n%d" % i, b"Op%d" % i, inputs=[b"n%d" % (i + 1)], shape=[i + 1])
        for i in range(count))


def write_deep(view, count, folder):
    """(path, flat, cum, total) of a file that is so deep."""
    data = (node_def(b"/".join([b"s"] * count), shape=[3, 5])
            if view == "scope" else deep_graph(count))
    path = folder / "out.pb.gz"
    Folder(folder, graph=data).ask(
        view, "-select", "params", "-max_depth", 2 * count, "-output",
        f"pprof:outfile={path}", timeout=PATIENCE)
    if view == "scope":
        names = ["/".join("s" * (i + 1)) for i in range(count)]
        return path, {names[-1]: 15}, dict.fromkeys(names, 15), 15
    own = range(1, count + 1)
    names = [f"Op{i - 1}" if view == "op" else f"n{i - 1}" for i in own]
    flat = dict(zip(names, own))
    cum = flat if view == "op" else {
        name: sum(range(i, count + 1)) for name, i in flat.items()}
    return path, flat, cum, sum(own)


@needs_tensorflow
@pytest.mark.parametrize("view, by_program", [
    ("op", DEEP), ("scope", DEEP),
    # So many stacks so deep take pprof minutes to read.
    ("graph", 500)])
def test_PR_05_large_files_are_read_back(view, by_program, tmp_path, say):
    """Messages nest three deep however deep the view is."""
    path, *wanted = write_deep(view, DEEP, tmp_path)
    data = path.read_bytes()
    profile = pprof.Profile(data)
    assert len(profile.names) == DEEP
    same_sums(profile.sums("params"), wanted, view)
    if by_program < DEEP:
        path, *wanted = write_deep(view, by_program, tmp_path)
    same_sums(pprof.top(path, "params", "count"), wanted, view)
    say(f"{len(gzip.decompress(data))} bytes before packing")


def seconds(*args):
    start = time.perf_counter()
    code, _, err = run(*args, timeout=PATIENCE)
    assert code == 0, err
    return time.perf_counter() - start


def test_OL_02_one_name_in_every_sample_that_asks_for_it(tmp_path, say):
    """A name that very many records and log entries speak of is one sample,
    and as many nodes of one line need no keys that grow: writing takes no
    longer, by order, than finding out what the files are."""
    count = 100_000 if SANITIZED else 1_000_000 if SLOW else 300_000
    path = tmp_path / "out"
    once = entry(b"same", frame(1, 1, 2) + frame(3, 7, 2))
    folder = Folder(
        tmp_path, graph=node_def(b"same", shape=[3]) + node_def(b"other"),
        log=once * count + strings({1: b"train.py", 2: b"main", 3: b"m.py"}),
        run=run_of((CPU, record(b"same") * count)))
    reading = seconds("info", *folder.args)
    writing = seconds("code", *folder.args, "-select", "micros", "-output",
                      f"pprof:outfile={path}")
    stack = ((("m:main", "m.py", 1),),)
    labels = (("graph node:", "same"),)
    assert pprof.samples(path.read_bytes()) == {
        (("count", "count"), stack, labels, 1): 1,
        (("micros", "microseconds"), stack, labels, 5 * count): 1}
    assert writing < 4 * reading + 1
    many = tmp_path / "many"
    many.mkdir()
    nodes = count // 5
    folder = Folder(
        many, graph=b"".join(node_def(b"n%d" % i) for i in range(nodes)),
        log=b"".join(entry(b"n%d" % i, frame(1, 1, 2) + frame(3, 7, 2))
                     for i in range(nodes))
        + strings({1: b"train.py", 2: b"main", 3: b"m.py"}))
    reading_many = seconds("info", *folder.args)
    writing_many = seconds("code", *folder.args, "-select", "params",
                           "-output", f"pprof:outfile={path}")
    assert writing_many < 8 * reading_many + 1
    found = pprof.samples(path.read_bytes())
    assert sum(found.values()) == 2 * nodes and len(found) == 2 * nodes
    say(f"{count} records and entries: {writing / reading:.1f} times info; "
        f"{nodes} nodes of one line: {writing_many / reading_many:.1f}")


def test_names_that_differ_by_the_mark_of_upstreams_keys(tmp_path):
    """Upstream makes keys unique by appending "@", which no one sees."""
    names = [b"x" + b"@" * i for i in range(50)]
    folder = Folder(
        tmp_path, graph=b"".join(map(node_def, names)),
        log=b"".join(entry(name, frame(1, 1, 2) + frame(3, 7, 2))
                     for name in names)
        + strings({1: b"train.py", 2: b"main", 3: b"m.py"}))
    path = tmp_path / "out"
    folder.ask("code", "-select", "params", "-output", f"pprof:outfile={path}")
    assert sorted(labels[0][1] for kind, _, labels, _
                  in pprof.samples(path.read_bytes()).elements()
                  if kind[0] == "count") == [name.decode() for name in names]
