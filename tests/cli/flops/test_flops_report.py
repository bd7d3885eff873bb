"""What `tfprof flops` answers: what is asked, parameters, sums, formats."""

import csv
import io
import re

import pytest

import flops_models as models
from faults import complaint, field, run
from flops_models import FLOAT, INT64, RESOURCE, flops, summary
from messages import attribute, dims, entry, notes

KEYS = ("params", "trainable_params", "float_ops", "int_ops", "macs",
        "float_ops_tensorflow", "coverage", "inputs", "by_type", "layers",
        "uncounted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("flops")


@pytest.fixture(scope="module")
def dense(folder):
    path = folder / "dense.pb"
    path.write_bytes(models.dense())
    return path


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return path


def rows(path, *options):
    out, _ = flops(path, *options, "--format", "csv")
    return list(csv.DictReader(io.StringIO(out)))


def refused(path, *options):
    """The complaint about a question that makes no sense."""
    code, out, err = run("flops", path, *options)
    assert code == 2 and not out
    return complaint(err)


# ---- Text -------------------------------------------------------------------

DENSE = """\
model        {path} (SavedModel)
signature    serving_default
input        x float32 [2,20], in the file [?,20]
parameters   210: 200 trainable, 10 not
             2 variables used by the signature, 840 bytes of float32
             and 1 state variable, 2 elements that are not parameters
FLOPs        840, where 1 MAC = 2 FLOPs
MACs         400
int ops      0
TensorFlow   tf.profiler reports 820
coverage     3 of 3 compute nodes counted
dead         1 node that no output needs would add 20 float operations

by type  nodes  FLOPs   share
MatMul       1    800  95.24%
BiasAdd      1     20   2.38%
Relu         1     20   2.38%

by layer  parameters  FLOPs   share
dense            210    820  97.62%
relu               0     20   2.38%
"""


def test_summary_text_is_exact(dense):
    out, err = flops(dense, "--batch", "2")
    assert out == DENSE.format(path=dense) and err == ""


@pytest.fixture(scope="module")
def wide(folder):
    """A graph whose names are long and whose types are many."""
    inputs = [b"scope/" + b"x" * 100 + end for end in (b"", b"y/z")]
    nodes = [models.placeholder(name, (-1, 8)) for name in inputs]
    for i in range(60):
        nodes.append(models.typed(b"y" * 90 + b"%d/Relu" % i, b"Relu",
                                  inputs[0]))
        nodes.append(models.node(b"z%d/odd" % i, b"Strange%d" % i))
    nodes.append(models.node(b"odd", b"T" * 100))
    return write(folder, "wide.pb", models.graph(nodes))


def test_a_screen_is_80_columns_wide_and_50_lines_high(wide):
    for options in [(), ("--batch", "3")]:
        for columns in (80, 61, 50):
            lines = flops(wide, *options, "--width",
                          str(columns))[0].splitlines()
            assert max(map(len, lines)) <= columns
            assert columns < 80 or len(lines) <= 50


def test_names_are_whole_where_no_window_is(wide):
    """Also those of layers, in columns."""
    out, _ = flops(wide, "--batch", "3")
    assert f"inputs       scope/{'x' * 100} float32 [3,8], in the" in out
    assert f"\n             scope/{'x' * 100}y/z float32 [3,8], in the" in out
    layers = out.split("by layer")[1].splitlines()[1:16]
    assert len(set(layers)) == 15 and len(set(map(len, layers))) == 1
    assert all("y" * 90 in line for line in layers)
    out, _ = flops(wide, "--width", "200", "--batch", "-1")
    assert f"scope/{'x' * 100}y/z float32 [?,8]\n" in out


def test_names_are_shortened_between_characters(folder):
    """In the middle, so that a window can tell them apart."""
    name = "\u7530" * 60
    path = write(folder, "\u7530" * 20 + ".pb", models.graph(
        [models.placeholder(f"{name}{i}/x".encode(), (1,)) for i in range(3)]))
    for options in [(), *(("--width", str(n)) for n in range(30, 99))]:
        out, err = flops(path, *options)
        assert err == "" and "\\x" not in out
        assert all(f"{i}/x" in out for i in range(3))
    assert f"{name}2/x float32 [1]\n" in flops(path)[0]


def test_one_element_of_state(folder):
    path = write(folder, "state.pb", models.graph([
        models.variable(b"step", (), INT64)]))
    assert ("and 1 state variable, 1 element that is not a parameter\n"
            in flops(path)[0])


def test_hints_make_unknown_shapes_known(folder, dense):
    """What may make unknown shapes known is told, and helps."""
    out, _ = flops(dense, "--batch", "-1")
    assert "unknown shape: 3 (MatMul, BiasAdd, Relu)" in out
    assert "\nFLOPs        unknown: add --batch 1\n" in out
    assert "\nMACs         unknown\n" in out
    assert "\n             --uncounted lists them\n" in out
    path = write(folder, "hint.pb", models.graph([
        models.placeholder(b"image", (1, -1, 3)),
        models.typed(b"relu", b"Relu", b"image")]))
    assert "unknown: add --shape image=1x128x3, with your sizes\n" in flops(
        path)[0]
    assert "1 of 1 compute node counted" in flops(
        path, "--shape", "image=1x5x3")[0]
    path = write(folder, "hints.pb", models.graph([
        models.placeholder(b"x", (8,)),
        models.placeholder(b"picture", (-1, -1, -1, 3)),
        models.placeholder(b"words", (-1, -1)),
        models.typed(b"known", b"Relu", b"x"),
        models.typed(b"red", b"Relu", b"picture"),
        models.typed(b"said", b"Relu", b"words")]))
    option = "--shape picture=1x224x224x3,words=1x128"
    assert (f"\nFLOPs        at least 8: add {option}, with your sizes\n"
            in flops(path)[0])
    assert "\nFLOPs        150,664, where" in flops(path, *option.split())[0]
    summed = summary(path)
    assert summed["lower_bound"] and not summary(
        path, *option.split())["lower_bound"]


def test_one_example_is_counted_unless_more_is_known(dense, folder):
    """And what is assumed is told; a number that is given wins."""
    out, _ = flops(dense)
    assert " float32 [1,20], batch 1 (unknown in the file)\n" in out
    found, said = summary(dense), summary(dense, "--batch", "1")
    assert found["assumed"] == [{"what": "batch", "name": "x", "value": 1}]
    assert said["assumed"] == [] and found["float_ops"] == said["float_ops"]
    assert found["coverage"]["complete"] and not found["lower_bound"]
    assert summary(dense, "--batch", "auto") == found
    assert summary(dense, "--shape", "x=1x20")["assumed"] == []
    assert "batch 1 (unknown" not in flops(dense, "--batch", "1")[0]
    assert "accepts a number from -1 to" in refused(dense, "--batch", "one")
    assert " or auto, not 'one'" in refused(dense, "--batch", "one")
    path = write(folder, "given.pb", models.graph([
        models.placeholder(b"x", (-1, 8)),
        models.typed(b"relu", b"Relu", b"x")
        + attribute(b"_output_shapes", field(1, field(7, dims(2, 8))))]))
    assert summary(path)["assumed"] == []  # the file knows of two
    assert flops(path)[1] == ""


def test_shapes_that_contradict_each_other(folder):
    """The node is named, and what the user said."""
    def listed(*sizes):
        return attribute(b"_output_shapes", field(1, field(7, dims(*sizes))))

    def graph(*sizes):
        return models.graph([
            models.placeholder(b"x", (-1, 8)),
            models.typed(b"one", b"Relu", b"x") + listed(*sizes),
            models.typed(b"two", b"Relu", b"x") + listed(*sizes)])

    path = write(folder, "listed.pb", graph(2, 8))
    assert flops(path, "--batch", "2")[1] == ""
    assert flops(path, "--batch", "3")[1] == (
        "tfprof: note: 2 shapes in files contradict the shapes inferred "
        "from the graph and --batch (first node: one)\n")
    assert "from the graph and --shape (first node: " in flops(
        path, "--shape", "x=2x9")[1]
    assert flops(path, "--shape", "x=2x9,one=2x8")[1].endswith(
        "1 shape in a file contradicts the shapes inferred from the graph "
        "and --shape (node: two)\n")
    path = write(folder, "listed.pb", graph(2, 9))
    assert flops(path)[1].endswith(
        "contradict the shapes inferred from the graph (first node: one)\n")


def test_the_rest_of_a_table(dense):
    out, _ = flops(dense, "--batch", "1", "--top", "1")
    assert "and 2 more (--top, --list types)" in out
    assert "and 1 more (--top, --list layers)" in out
    assert "more" not in flops(dense, "--batch", "1", "--top", "0")[0]


# ---- JSON and CSV -----------------------------------------------------------

def test_json_has_all_figures_of_the_summary(dense):
    found = summary(dense, "--batch", "2")
    assert set(KEYS) <= set(found)
    assert found["params"] == 210 and found["trainable_params"] == 200
    assert found["params_rule"] == "signature_variables"
    assert not found["params_estimated"]
    assert found["bytes"] == 840 and found["dtypes"] == {"float32": 210}
    assert found["variables"]["state"]["elements"] == 2
    assert (found["float_ops"], found["int_ops"], found["macs"]) == (840, 0, 400)
    assert found["float_ops_tensorflow"] == 820
    assert found["dead_float_ops"] == 20 and found["dead_nodes"] == 1
    assert found["coverage"] == {
        "nodes": 9, "compute_nodes": 3, "counted_nodes": 3,
        "uncounted_nodes": {}, "complete": True}
    assert found["inputs"] == [{
        "key": "x", "node": "serving_default_x", "dtype": "float32",
        "shape": [2, 20], "shape_stored": [None, 20]}]
    assert found["layer_scope"] == "model/"
    assert [row["layer"] for row in found["layers"]] == ["dense", "relu"]
    assert found["layers"][0]["params"] == 210
    assert found["uncounted"] == []


def test_csv_of_the_summary(dense):
    metrics = {row["metric"]: int(row["value"])
               for row in rows(dense, "--batch", "2")}
    found = summary(dense, "--batch", "2")
    for name in ("params", "trainable_params", "bytes", "float_ops", "int_ops",
                 "macs", "float_ops_tensorflow", "dead_float_ops"):
        assert metrics[name] == found[name]


@pytest.mark.parametrize("name, heading", [
    ("types", "op,nodes,float_ops,int_ops,macs,unknown_nodes"),
    ("layers", "layer,output_shape,params,nodes,float_ops,int_ops,macs,"
               "unknown_nodes"),
    ("nodes", "node,op,output_shapes,times,float_ops,int_ops,macs,status,"
              "float_ops_tensorflow,status_tensorflow"),
    ("tensors", "tensor,op,shape,grade,shape_tensorflow"),
    ("variables", "name,dtype,shape,elements,bytes,trainable"),
    ("uncounted", "node,op,why,missing"),
])
def test_lists_in_three_formats(dense, name, heading):
    """CSV has the columns that are promised, JSON the same keys, text as many
    rows."""
    asked = "--list", name, "--batch", "-1"
    out, _ = flops(dense, *asked, "--format", "csv")
    assert out.splitlines()[0] == heading
    table = list(csv.DictReader(io.StringIO(out)))
    assert table
    lists = [value for value in summary(dense, *asked).values()]
    assert len(lists) == 1
    for row, same in zip(table, lists[0], strict=True):
        assert list(row) == list(same)
        assert list(row.values()) == [str(v) for v in same.values()]
    lines = flops(dense, *asked)[0].splitlines()
    assert len(lines) == len(table) + 1


def test_uncounted_lists_nodes_with_the_missing_shape(dense):
    as_it_is = "--batch", "-1"
    assert (rows(dense, "--uncounted", *as_it_is)
            == rows(dense, "--list", "uncounted", *as_it_is))
    assert rows(dense, "--uncounted", *as_it_is)[0] == {
        "node": "model/dense/MatMul", "op": "MatMul", "why": "unknown_shape",
        "missing": "input 0 is [?,20]"}


def test_the_statuses_of_nodes(dense):
    found = {row["node"]: row["status"]
             for row in rows(dense, "--list", "nodes", "--batch", "1")}
    assert found["model/dense/MatMul"] == "counted"
    assert found["model/dense/Cast/ReadVariableOp"] == "free"
    assert found["model/unused/Tanh"] == "dead"


# ---- Names of layers --------------------------------------------------------

def chain(*layers):
    """A graph of layers one after the other, as a function of Keras has it:
    (scope, variable) is a product with a variable, (scope, None) a Relu."""
    nodes, last = [models.placeholder(b"x", (1, 4))], b"x"
    for scope, variable in layers:
        if variable is None:
            nodes.append(models.typed(scope + b"/Relu", b"Relu", last))
            last = scope + b"/Relu"
            continue
        handle = scope + b"/readvariableop_resource"
        nodes += [models.node(
                      handle, b"VarHandleOp",
                      attrs=models.type_attr(b"dtype", models.FLOAT)
                      + models.shape_attr(b"shape", (4, 4))
                      + models.string_attr(b"shared_name", variable)),
                  models.read(scope + b"/MatMul/ReadVariableOp", handle),
                  models.typed(scope + b"/MatMul", b"MatMul", last,
                               scope + b"/MatMul/ReadVariableOp")]
        last = scope + b"/MatMul"
    return models.graph(nodes)


@pytest.mark.parametrize("layers, names", [
    # Keras 3: what a layer does is in a scope with one number more.
    ([(b"m_1/dense_1", b"m/dense/kernel"), (b"m_1/re_lu_1", None),
      (b"m_1/dense_1_2", b"m/dense_1/kernel")], ["dense", "re_lu", "dense_1"]),
    # The variables of a subclassed model have its name alone.
    ([(b"m_1/dense_2_1", b"m/kernel"), (b"m_1/re_lu_1", None)],
     ["dense_2", "re_lu"]),
    # Keras 2, and TF1: scopes have the names of their variables.
    ([(b"m/dense_1", b"m/dense_1/kernel"), (b"m/re_lu_1", None),
      (b"m/dense_2", b"m/dense_2/kernel")], ["dense_1", "re_lu_1", "dense_2"]),
    # What one variable contradicts does not hold.
    ([(b"m_1/dense_1", b"m/dense/kernel"),
      (b"m_1/other_1", b"m_1/other_1/kernel")], ["dense_1", "other_1"]),
])
def test_layers_have_the_names_that_the_model_gave_them(folder, layers, names):
    path = write(folder, "named.pb", chain(*layers))
    listed = rows(path, "--list", "layers")
    assert [row["layer"] for row in listed] == names
    assert {row["output_shape"] for row in listed} == {"[1,4]"}
    assert [int(row["params"]) for row in listed] == [
        16 if variable else 0 for _, variable in layers]
    by_cost = rows(path, "--list", "layers", "--sort", "float_ops")
    assert int(by_cost[0]["float_ops"]) == 2 * 16
    parts = rows(path, "--list", "layers", "--depth", "2")
    assert [row["layer"].encode() for row in parts] == [
        scope for scope, _ in layers]


def test_a_layer_called_twice_is_one(folder):
    path = write(folder, "twice.pb", chain(
        (b"m_1/dense_1", b"m/dense/kernel"), (b"m_1/re_lu_1", None),
        (b"m_1/re_lu_2", None)))
    found = {row["layer"]: row["nodes"]
             for row in rows(path, "--list", "layers")}
    assert found["re_lu"] == "2"


# ---- Which signature --------------------------------------------------------

def signatures(*keys):
    return b"".join(models.signature(
        key, {b"x": models.tensor_info(b"serving_default_x:0", (-1, 20))},
        {b"y": models.tensor_info(b"StatefulPartitionedCall:0", (-1, 10))})
        for key in keys)


def test_the_only_signature(folder):
    path = write(folder, "only.pb", models.dense(signatures=signatures(
        b"__saved_model_init_op", b"train")))
    found = summary(path)
    assert found["signature"] == "train" and found["params"] == 210
    assert found["signatures"] == ["__saved_model_init_op", "train"]


def test_one_of_several_signatures(folder):
    path = write(folder, "several.pb", models.dense(signatures=signatures(
        b"train", b"predict")))
    assert refused(path) == (
        "the model has no signature serving_default; choose another with "
        "--signature (available: train, predict)")
    assert summary(path, "--signature", "predict")["signature"] == "predict"
    assert refused(path, "--signature", "predikt") == (
        "--signature: no signature 'predikt' (did you mean predict?) "
        "(available: train, predict)")
    assert "others: train" in flops(path, "--signature", "predict")[0]


def test_a_list_of_signatures_that_is_cut_says_how_many_are_left(folder):
    path = write(folder, "many.pb", models.dense(signatures=signatures(
        *(b"signature_%02d" % i for i in range(30)))))
    for found in (refused(path), refused(path, "--signature", "other")):
        named = re.findall(r"signature_\d\d", found)
        assert named == [f"signature_{i:02}" for i in range(len(named))]
        assert found.endswith(f" and {30 - len(named)} more)")


def test_a_signature_of_a_graph(folder):
    path = write(folder, "plain.pb", models.graph([
        models.placeholder(b"x", (1,))]))
    assert refused(path, "--signature", "a") == (
        "--signature: the model has no signatures")


def test_a_signature_that_names_nothing(folder):
    path = write(folder, "nothing.pb", models.dense(
        signatures=models.signature(
            b"serving_default", {b"x": models.tensor_info(b"gone:0", (1,))},
            {b"y": models.tensor_info(b"away:0", (1,))})))
    found = summary(path)
    assert found["params"] == 0 and found["float_ops"] == 0
    assert found["inputs"][0]["key"] == "x"


# ---- Shapes and trips -------------------------------------------------------

@pytest.mark.parametrize("name", ["x", "serving_default_x"])
def test_a_shape_for_an_input(dense, name):
    """By the name of the node or by that of the signature's input."""
    found = summary(dense, "--shape", f"{name}=3x20")
    assert found["inputs"][0]["shape"] == [3, 20]
    assert found["float_ops"] == 3 * 420


def test_shapes_of_all_sorts(folder):
    path = write(folder, "shapes.pb", models.graph([
        models.placeholder(b"a", (-1, 5)), models.placeholder(b"b=c", (7,))]))
    def shapes(*words):
        return [row["shape"] for row in summary(
            path, "--shape", ",".join(words))["inputs"]]
    assert shapes("a=2x3", "b=c=4") == [[2, 3], [4]]
    assert shapes("a=?x?", "b=c=scalar") == [[None, None], []]
    assert shapes("a=0") == [[0], [7]]


@pytest.mark.parametrize("word, why", [
    ("x", "expected NAME=DIMxDIM..."),
    ("x=", "expected a shape such as 1x224x224x3, ?x10 or scalar"),
    ("x=1x", "expected a shape such as 1x224x224x3, ?x10 or scalar"),
    ("x=1X2", "expected a shape such as 1x224x224x3, ?x10 or scalar"),
    ("x=-1", "expected a shape such as 1x224x224x3, ?x10 or scalar"),
    ("x=9223372036854775808", "expected a shape such as 1x224x224x3, ?x10 or "
                              "scalar"),
    ("serving_default_z=1", "no node or input has this name (did you mean "
                            "serving_default_x?)"),
    ("=1", "no node or input has this name"),
])
def test_shapes_that_are_none(dense, word, why):
    assert refused(dense, "--shape", word) == f"--shape: '{word}': {why}"


def test_a_shape_of_too_many_dimensions(dense):
    assert "too many dimensions" in refused(
        dense, "--shape", "x=" + "x".join(["1"] * 255))


@pytest.mark.parametrize("word, why", [
    ("x", "expected NAME=N"),
    ("x=a", "expected an iteration count such as 20"),
    ("x=", "expected an iteration count such as 20"),
    ("zzzzzzzz=1", "no node or input has this name"),
])
def test_trips_that_are_none(dense, word, why):
    assert refused(dense, "--trips", word) == f"--trips: '{word}': {why}"


def test_a_layer_has_a_name(dense):
    assert refused(dense, "--depth", "0") == (
        "--depth: expected 1 or more, or -1, not 0")


# ---- Layers -----------------------------------------------------------------

def test_layers_by_depth(dense):
    def layers(*options):
        return [row["layer"] for row in summary(
            dense, "--batch", "1", *options)["layers"]]
    assert layers() == ["dense", "relu"]
    assert layers("--depth", "1") == ["model"]
    assert layers("--depth", "2") == ["model/dense", "model/relu"]
    assert layers("--depth", "9", "--sort", "name") == [
        "model/dense/BiasAdd", "model/dense/BiasAdd/ReadVariableOp",
        "model/dense/Cast/ReadVariableOp", "model/dense/MatMul",
        "model/relu/Relu"]


def test_the_order_of_types(dense):
    def types(order):
        return [row["op"] for row in summary(
            dense, "--batch", "1", "--sort", order)["by_type"]]
    assert types("float_ops")[:3] == ["MatMul", "BiasAdd", "Relu"]
    assert types("name") == sorted(types("name"))
    assert types("nodes")[0] == "_Arg"
    # No type has parameters: the float operations decide.
    assert types("params") == types("float_ops")


def test_a_list_is_whole(dense):
    code, out, err = run("flops", dense, "--list", "types", "--top", "1")
    assert code == 0 and out == run("flops", dense, "--list", "types")[1]
    assert notes(err) == ["--top has no effect on lists (--list, --uncounted)"]


# ---- Parameters -------------------------------------------------------------

def test_variables_of_a_graph(folder):
    """Each once, by what it shares; what is no number is state."""
    path = write(folder, "vars.pb", models.graph([
        models.variable(b"a", (3, 4)),
        models.node(b"again", b"VarHandleOp", attrs=(
            models.type_attr(b"dtype", FLOAT)
            + models.shape_attr(b"shape", (3, 4))
            + models.string_attr(b"shared_name", b"a"))),
        models.node(b"old", b"VariableV2", attrs=(
            models.type_attr(b"dtype", FLOAT)
            + models.shape_attr(b"shape", (5,)))),
        models.variable(b"step", (), INT64),
        models.variable(b"half", (-1, 2)),
        models.variable(b"q", (7,), 11),  # qint8
    ]))
    found = summary(path)
    assert found["params"] == 12 + 5 + 7
    assert found["bytes"] == 4 * 17 + 7
    assert found["dtypes"] == {"float32": 17, "qint8": 7}
    assert found["params_rule"] == "all_variables"
    assert found["trainable_params"] is None
    assert found["variables"]["state"]["count"] == 1
    assert found["variables"]["unknown_shapes"] == 1
    assert "1 variable not counted: unknown shape or type" in flops(path)[0]
    names = [row["name"] for row in rows(path, "--list", "variables")]
    assert names == ["a", "old", "step", "half", "q"]


def test_an_op_log_says_what_is_trainable(folder):
    """It lists what is, and so says of the others that they are not."""
    path = folder / "logged"
    path.mkdir()
    write(path, "graph.pb", models.graph([
        models.variable(b"w", (3, 4)), models.variable(b"mean", (4,))]))
    log = write(path, "op_log", entry(b"w", types=[b"_trainable_variables"]))
    found = summary(path)
    assert (found["params"], found["trainable_params"]) == (16, 12)
    log.write_bytes(entry(b"w", types=[b"mine"]))
    assert summary(path)["trainable_params"] is None


def test_a_graph_without_shapes(folder):
    """What a graph of TensorFlow would know is named, where nothing that it is
    fed with is open."""
    hint = ("             write the graph with as_graph_def(add_shapes=True) to "
            "count all\n")
    own = models.node(b"own", b"MyOwnOp", b"x")
    relu = models.typed(b"relu", b"Relu", b"own")
    listed = attribute(b"_output_shapes", field(1, field(7, dims(2, 4))))
    x = models.placeholder(b"x", (2, 4))
    path = write(folder, "plain.pb", models.graph([x, own, relu]))
    assert hint in flops(path)[0]
    path = write(folder, "listed.pb", models.graph([x, own + listed, relu]))
    assert hint not in flops(path)[0]
    assert "1 of 2 compute nodes counted" in flops(path)[0]
    path = write(folder, "open.pb", models.graph([
        models.placeholder(b"x", (2, -1)), own, relu]))
    assert hint not in flops(path)[0]


def test_anonymous_variables_are_not_one(folder):
    nobody = models.string_attr(b"shared_name",
                                b"cd2c89b7-88b7-44c8-ad83-06c2a9158347")
    path = write(folder, "anonymous.pb", models.graph([
        models.node(name, b"VarHandleOp", attrs=(
            models.type_attr(b"dtype", FLOAT)
            + models.shape_attr(b"shape", (3,)) + nobody))
        for name in (b"a", b"b")]))
    assert summary(path)["params"] == 6


def frozen(*readers):
    """A frozen graph with a weight, a state and an epsilon."""
    return models.graph([
        models.placeholder(b"x", (1, 20)),
        models.constant(b"weight", (20, 10)),
        models.constant(b"state", (1, 10)),
        models.constant(b"epsilon", ()),
        *readers,
        models.typed(b"add", b"AddV2", b"mul", b"state")])


def test_constants_that_are_read_as_variables_are(folder):
    path = write(folder, "frozen.pb", frozen(
        models.typed(b"read", b"Identity", b"weight"),
        models.typed(b"mul", b"MatMul", b"x", b"read")))
    found = summary(path)
    assert found["params"] == 200 and found["params_estimated"]
    assert found["params_rule"] == "constants_read_as_variables"
    assert found["constants"] == {"float_count": 3, "float_elements": 211,
                                  "float_bytes": 844}
    out, _ = flops(path)
    assert "parameters   about 200\n" in out
    assert "1 constant read like variables, 800 bytes of float32\n" in out


def test_constants_that_nobody_reads(folder):
    """An optimizer takes the readers away: then all but scalars count."""
    path = write(folder, "optimized.pb", frozen(
        models.typed(b"mul", b"MatMul", b"x", b"weight")))
    found = summary(path)
    assert found["params"] == 210 and found["params_estimated"]
    assert found["params_rule"] == "constants"


def test_a_weight_that_a_function_takes(folder):
    path = write(folder, "called.pb", models.graph([
        models.placeholder(b"x", (1, 20)), models.constant(b"w", (20, 10)),
        models.call(b"layer", b"f", b"x", b"w", takes=(FLOAT, FLOAT))],
        [models.function(b"f", [(b"a", FLOAT), (b"b", FLOAT)],
                         [models.typed(b"m", b"MatMul", b"a", b"b")],
                         [(b"y", FLOAT, b"m:product:0")])]))
    found = summary(path)
    assert found["params"] == 200
    assert found["params_rule"] == "constants_read_as_variables"
    assert found["float_ops"] == 400 and found["float_ops_tensorflow"] == 0


# ---- Several files, no graph ------------------------------------------------

def test_of_several_graphs_one_counts(folder, dense):
    other = write(folder, "other.pb", models.graph([
        models.placeholder(b"x", (2,)),
        models.typed(b"r", b"Relu", b"x")]))
    code, out, err = run("flops", other, dense, "--format", "csv")
    assert code == 0 and b"float_ops,2\n" in out
    assert complaint(err) == f"note: found 2 graphs; only the graph in " \
        f"{other} is used"


def test_a_signature_is_looked_for_in_all_graphs(folder, dense):
    other = write(folder, "first.pb", models.graph([
        models.placeholder(b"x", (2,))]))
    code, out, _ = run("flops", other, dense, "--signature", "serving_default",
                       "--format", "csv")
    assert code == 0 and b"params,210\n" in out


def test_inputs_without_a_graph_are_refused(folder):
    log = write(folder, "op_log", b"\x0a\x03\x0a\x01a")
    assert "no input contains a graph" in refused(log)


def test_a_graph_of_placeholders(folder):
    path = write(folder, "placeholders.pb", models.graph([
        models.placeholder(b"x%d" % i, (i, 2)) for i in range(9)]))
    out, _ = flops(path)
    assert "and 4 more" in out
    assert "coverage     0 of 0 compute nodes counted\n" in out


def test_what_is_asked_at_the_prompt(dense):
    """As on the command line, with options for one line or all that follow."""
    code, out, err = run(dense, data=b"flops -batch 2\nset -batch 3\n"
                                     b"flops -format csv\nhelp flops\n")
    assert code == 0, err
    text = out.decode()
    assert "FLOPs        840," in text
    assert "float_ops,1260\n" in text
    assert "flops --batch 1" in text


def test_calls_are_walked_or_not(folder):
    """Without walking, a call is not counted, and said so."""
    path = write(folder, "calls.pb", models.graph(
        [models.placeholder(b"x", (3,)), models.call(b"c", b"f", b"x")],
        [models.function(b"f", [(b"a", FLOAT)],
                         [models.typed(b"r", b"Relu", b"a")],
                         [(b"y", FLOAT, b"r:activations:0")])]))
    assert summary(path)["float_ops"] == 3
    found = summary(path, "--functions", "none")
    assert found["float_ops"] == 0
    assert found["uncounted"] == [{
        "node": "c", "op": "StatefulPartitionedCall", "why": "not_walked",
        "missing": ""}]
    assert "function not walked: 1 (StatefulPartitionedCall)" in flops(
        path, "--functions", "none")[0]
    nodes = [row["node"] for row in rows(path, "--list", "nodes")]
    assert "c/r" in nodes


def test_resources_are_no_parameters(folder):
    """A handle that is fed is no variable."""
    path = write(folder, "handle.pb", models.graph([
        models.placeholder(b"h", (), RESOURCE)]))
    found = summary(path)
    assert found["params"] == 0 and found["params_rule"] == "none"


# ---- Formulas of a user -----------------------------------------------------

@pytest.fixture(scope="module")
def fancy(folder):
    return write(folder, "fancy.pb", models.graph([
        models.placeholder(b"x", (3, 5)),
        models.node(b"odd", b"Fancy", b"x"),
        models.typed(b"r", b"Relu", b"x")]))


def test_formulas_of_a_user(folder, fancy):
    """They count what no table has, and go before what one has."""
    assert "no formula: 1 (Fancy)" in flops(fancy)[0]
    path = write(folder, "formulas.json",
                 b'{"Fancy": "7 * #x0", "Relu": {"int_ops": "#x0"}}')
    found = summary(fancy, "--formula_file", path)
    assert found["float_ops"] == 105 and found["int_ops"] == 15
    assert found["coverage"]["complete"]
    # and in views
    code, out, err = run("op", fancy, "--select", "float_ops", "--formulas",
                         "full", "--formula_file", path)
    assert code == 0 and b"Fancy" in out and b"105" in out, (out, err)


def test_a_formula_file_that_is_none(folder, fancy):
    path = write(folder, "broken.json", b'{"Fancy": "7 *"}')
    code, out, err = run("flops", fancy, "--formula_file", path)
    assert code in (1, 2) and not out
    assert str(path.name) in complaint(err) and "Fancy" in complaint(err)
    code, out, err = run("flops", fancy, "--formula_file", folder / "nowhere")
    assert code == 1 and "nowhere" in complaint(err)
