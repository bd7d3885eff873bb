"""Models that are damaged, hostile or hardly there: `tfprof flops` answers or
complains, and nothing else."""

# labels: slow, long

import gzip

import pytest

import flops_models as models
import flops_truth
from faults import SLOW, complaint, field, integer, run
from flops_models import FLOAT, flops, summary
from messages import attribute, dims
from program import chooser

LARGEST = (1 << 63) - 1
LISTS = ("summary", "types", "layers", "nodes", "tensors", "variables",
         "uncounted")
FORMATS = ("text", "json", "csv")


def check(path, *options):
    """The exit code is one that is promised; a failure says why."""
    code, out, err = run("flops", path, *options)
    assert code in (0, 1, 2, 4), (code, err)
    if code == 0:
        assert out
    else:
        assert not out and complaint(err)
    return code


def write(folder, data, name="model.pb"):
    path = folder / name
    path.write_bytes(data)
    return path


# ---- Damage -----------------------------------------------------------------

def small_models():
    """Two models that have all sorts of parts."""
    yield "dense", models.dense()
    yield "control", control()


def control():
    """A graph with a loop, a branch and calls."""
    def one(name, op):
        return models.function(
            name, [(b"a", FLOAT)], [models.typed(b"n", op, b"a")],
            [(b"y", FLOAT, b"n:y:0")])
    cond = models.function(
        b"cond", [(b"a", FLOAT)], [
            models.constant(b"c", ()),
            models.typed(b"l", b"Less", b"a", b"c:output:0")],
        [(b"y", 10, b"l:z:0")])
    return models.graph([
        models.placeholder(b"x", (4,)),
        models.node(b"w", b"While", b"x", attrs=(
            models.types_attr(b"T", [FLOAT])
            + models.function_attr(b"cond", b"cond")
            + models.function_attr(b"body", b"tanh"))),
        models.constant(b"p", (), 10),
        models.node(b"if", b"If", b"p", b"w", attrs=(
            models.type_attr(b"Tcond", 10) + models.types_attr(b"Tin", [FLOAT])
            + models.types_attr(b"Tout", [FLOAT])
            + models.function_attr(b"then_branch", b"tanh")
            + models.function_attr(b"else_branch", b"relu"))),
        models.call(b"c", b"tanh", b"if"),
    ], [one(b"tanh", b"Tanh"), one(b"relu", b"Relu"), cond])


@pytest.mark.parametrize("name, data", list(small_models()))
def test_cut_models(tmp_path, name, data):
    """At any byte: an error of the file, or a whole model."""
    codes = set()
    step = 1 if SLOW else 5
    for size in range(0, len(data), step):
        codes.add(check(write(tmp_path, data[:size]), "--batch", "1"))
    assert 1 in codes, name


@pytest.mark.parametrize("name, data", list(small_models()))
def test_flipped_bits(tmp_path, name, data):
    rng = chooser(f"flops flips {name}")
    for _ in range(300 if SLOW else 90):
        bad = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        check(write(tmp_path, bytes(bad)), "--batch", "2", "--list",
              rng.choice(LISTS), "--format", rng.choice(FORMATS))


@pytest.mark.parametrize("name", ["lstm", "tf1_cnn", "text_vectorization"])
def test_damaged_models_of_keras(tmp_path, name):
    """Real models, cut and with wrong bytes."""
    path = flops_truth.saved(name)
    data = next(path.glob("saved_model.pb*")).read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    rng = chooser(f"flops damage {name}")
    for _ in range(40 if SLOW else 12):
        bad = bytearray(data[:rng.randrange(1, len(data))])
        check(write(tmp_path, bytes(bad)), "--batch", "1")
        bad = bytearray(data)
        for _ in range(rng.randrange(1, 20)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        check(write(tmp_path, bytes(bad)), "--batch", "1", "--format",
              rng.choice(FORMATS), "--list", rng.choice(LISTS))


def test_hardly_a_model(tmp_path):
    """Nothing, a graph of nothing, a SavedModel of nothing."""
    assert check(write(tmp_path, b"")) in (1, 2)
    empty = field(4, integer(1, 1882))
    code, out, err = run("flops", "--graph_path", write(tmp_path, empty))
    assert code == 0 and b"0 of 0 compute nodes" in out
    assert complaint(err) == "note: the graph contains no nodes"
    for data in (models.saved_model(b""), models.saved_model(models.graph([]))):
        assert check(write(tmp_path, data)) in (0, 2)


@pytest.mark.parametrize("tensor", [b"", b":0", b"x:", b":", b"^x", b"x:9999",
                                    b"x:-1", b"\xff:0", b"call:0:0"])
def test_signatures_of_odd_tensors(tmp_path, tensor):
    data = models.dense(signatures=models.signature(
        b"serving_default", {b"x": models.tensor_info(tensor, (1, 2))},
        {b"y": models.tensor_info(tensor, (1, 2))}))
    assert check(write(tmp_path, data)) == 0


def test_signatures_without_number(tmp_path):
    """The choice among many is one line, and cut."""
    data = models.dense(signatures=b"".join(models.signature(
        b"signature number %d \n" % i, {}, {}) for i in range(3000)))
    code, out, err = run("flops", write(tmp_path, data))
    assert code == 2 and not out
    assert complaint(err).endswith(" more)")


# ---- GR-08: attributes ------------------------------------------------------

def shapes_list(*shapes):
    return field(1, b"".join(field(7, dims(*shape)) for shape in shapes))


def relu_with(*values):
    """Relu of what has no shape, with `_output_shapes` so and so."""
    return models.graph([
        models.node(b"x", b"Placeholder",
                    attrs=models.type_attr(b"dtype", FLOAT)),
        models.typed(b"r", b"Relu", b"x", attrs=b"".join(
            attribute(b"_output_shapes", value) for value in values))])


def shape_of(path):
    return {row["tensor"]: row["shape"] for row in summary(
        path, "--list", "tensors")["tensors"]}["r:0"]


@pytest.mark.parametrize("values, shape", [
    ([shapes_list((2, 3))], "[2,3]"),
    ([shapes_list((2, 3)), shapes_list((4,))], "[2,3]"),       # twice
    ([field(7, dims(4))], "?"),                                # no list
    ([field(7, dims(4)), shapes_list((2, 3))], "[2,3]"),
    ([shapes_list((2, 3)), integer(3, 5)], "[2,3]"),
    ([integer(3, 5)], "?"),
    ([field(1, integer(3, 5))], "?"),                          # of numbers
    ([b""], "?"),
    ([shapes_list()], "?"),
    ([shapes_list((2,), (3,))], "?"),                          # too many
    ([shapes_list((-5, 3))], "[?,3]"),
    ([shapes_list((LARGEST, LARGEST))], f"[{LARGEST},{LARGEST}]"),
    ([shapes_list((1,) * 255)], "?"),
])
def test_GR_08_shapes_of_outputs(tmp_path, values, shape):
    assert shape_of(write(tmp_path, relu_with(*values))) == shape


def test_GR_08_a_million_shapes(tmp_path):
    path = write(tmp_path, relu_with(field(
        1, field(7, dims(2, 3)) * 1_000_000)))
    assert shape_of(path) == "?"


@pytest.mark.parametrize("attrs", [
    models.shape_attr(b"T", (1,)), models.string_attr(b"T", b"x"),
    attribute(b"T", b""), attribute(b"value", integer(3, 4)),
    attribute(b"shape", integer(3, 4)), attribute(b"dtype", integer(3, 1)),
    attribute(b"shape", field(1, field(7, dims(1)))),
    models.type_attr(b"dtype", 1 << 30), models.type_attr(b"dtype", -1),
])
def test_GR_08_attributes_of_the_wrong_kind(tmp_path, attrs):
    """Of variables, constants and inputs: what cannot be used is not there."""
    path = write(tmp_path, models.graph([
        models.node(b"%s" % op, op, attrs=attrs)
        for op in (b"VarHandleOp", b"VariableV2", b"Const", b"Placeholder",
                   b"Relu", b"Identity", b"StatefulPartitionedCall")]))
    found = summary(path)
    assert found["params"] == 0
    assert check(path, "--list", "variables") == 0


# ---- GR-10: what does not fit -----------------------------------------------

def test_GR_10_parameters_that_do_not_fit(tmp_path):
    path = write(tmp_path, models.graph([
        models.variable(b"v", (1 << 32, 1 << 32))]))
    found = summary(path)
    assert found["params"] == found["bytes"] == str(LARGEST)
    assert found["saturated"]
    out, _ = flops(path)
    assert "parameters   >=9,223,372,036,854,775,807\n" in out
    assert ">=           the total overflowed and was clamped" in out


def test_GR_10_bytes_that_do_not_fit(tmp_path):
    """The elements do."""
    path = write(tmp_path, models.graph([models.variable(b"v", (1 << 62,))]))
    found = summary(path)
    assert found["params"] == str(1 << 62)
    assert found["bytes"] == str(LARGEST)
    assert ">=9,223,372,036,854,775,807 bytes" in flops(path)[0]


def test_GR_10_operations_that_do_not_fit(tmp_path):
    path = write(tmp_path, models.graph([
        models.placeholder(b"a", (1 << 32, 1 << 20)),
        models.placeholder(b"b", (1 << 20, 1 << 32)),
        models.typed(b"m", b"MatMul", b"a", b"b")]))
    found = summary(path)
    assert found["float_ops"] == found["float_ops_tensorflow"] == str(LARGEST)
    assert found["saturated"] and found["coverage"]["complete"]
    out, _ = flops(path)
    assert "FLOPs        >=9,223,372,036,854,775,807, where" in out
    assert "MatMul       1  >=9,223,372,036,854,775,807  100.00%" in out


@pytest.mark.parametrize("count", [3, 1_000_000])
def test_GR_10_a_sum_that_does_not_fit(tmp_path, count):
    """Each node fits, and all of them together do not."""
    nodes = b"".join(
        field(1, models.typed(b"model/block_%d/unit/Relu" % i, b"Relu", b"x"))
        for i in range(count))
    path = write(tmp_path, field(1, models.placeholder(b"x", (1 << 62,)))
                 + nodes)
    out, _ = flops(path, "--format", "csv")
    assert f"float_ops,{LARGEST}\n" in out and f"counted_nodes,{count}\n" in out
    out, _ = flops(path)
    assert "FLOPs        >=9,223,372,036,854,775,807, where" in out
    assert f"Relu     {count:,}  >=9,223,372,036,854,775,807  100.00%\n" in (
        out.replace("Relu         3", "Relu     3"))


def test_GR_10_loops_that_do_not_end(tmp_path):
    """Trips times work does not fit."""
    path = write(tmp_path, control())
    found = summary(path, "--trips", f"w={LARGEST}")
    assert found["saturated"] and found["float_ops"] == str(LARGEST)


def test_GR_10_a_constant_that_does_not_fit(tmp_path):
    path = write(tmp_path, models.graph([
        models.constant(b"c", (1 << 40, 1 << 40)),
        models.typed(b"r", b"Identity", b"c")]))
    found = summary(path)
    assert found["constants"]["float_elements"] == str(LARGEST)
    assert found["params"] == str(LARGEST)


# ---- Many of a sort ---------------------------------------------------------

def test_many_variables_of_one_name(tmp_path):
    """What the object graph says of copies is found at once: a search for each
    would take hours."""
    count = 60_000
    top = models.graph([models.variable(b"v_%d" % i, (2,))
                        for i in range(count)])
    path = write(tmp_path, models.saved_model(
        top, variables=models.saved_variable(b"v", (2,), 1) * count))
    found = summary(path)
    assert found["params"] == found["trainable_params"] == 2 * count


def test_many_inputs_of_a_signature(tmp_path):
    count = 20_000
    top = models.graph([models.placeholder(b"x%d" % i, (2,))
                        for i in range(count)])
    path = write(tmp_path, models.saved_model(top, models.signature(
        b"serving_default",
        {b"k%d" % i: models.tensor_info(b"x%d:0" % i, (2,))
         for i in range(count)}, {})))
    assert len(summary(path)["inputs"]) == count


def test_names_that_are_no_text(tmp_path):
    """They are escaped in every list and format."""
    path = write(tmp_path, models.graph([
        models.placeholder(b"a\n\x1b[31m/\xff", (2,)),
        models.typed(b"=1+1\n/\x07", b"Relu\x00", b"a\n\x1b[31m/\xff"),
        models.variable(b"v\r\n", (2,))]))
    for name in LISTS:
        for form in FORMATS:
            code, out, _ = run("flops", path, "--list", name, "--format", form)
            assert code == 0
            assert not set(out) & (set(range(32)) - {10})
            assert b"\xff" not in out


def test_a_scope_of_many_parts(tmp_path):
    deep = b"a/" * 200_000
    path = write(tmp_path, models.graph([
        models.placeholder(b"x", (2,)),
        models.typed(deep + b"r", b"Relu", b"x"),
        models.typed(deep + b"s", b"Relu", b"x"),
        models.typed(b"//", b"Relu", b"x")]))
    for depth in ("-1", "1", "100000", str((1 << 31) - 1)):
        found = summary(path, "--depth", depth)
        assert sum(row["float_ops"] for row in found["layers"]) == 6


def test_memory_limit_exits_with_4_and_never_crashes(tmp_path):
    """A limit is an answer too."""
    path = write(tmp_path, models.dense())
    codes = {check(path, "--max_memory", str(size))
             for size in range(1 << 16, 3 << 20, 1 << 16)}
    assert codes <= {0, 4} and 4 in codes
