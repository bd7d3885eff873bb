"""The table of formulas, against TensorFlow: the rows are nodes that it takes
and gives those shapes; and its own column is what its profiler says, of every
type of operation that it has a formula for, in many settings.
"""

# labels: tf

import random
import re

import pytest

import formula_rows
import recorded
from formula_graphs import In, count, graph, ints, node, source
from formula_row import F

pytestmark = pytest.mark.recorded


RECORD = recorded.record("formulas_live", "tensorflow-cpu")


def judge(*paths):
    """What formula_judge.py answers."""
    def ask(numbers):
        asked = [paths[i] for i in numbers]
        told = recorded.ask_script("formula_judge.py", *asked)
        return [told[str(path)] for path in asked]

    return dict(zip(map(str, paths), RECORD.answers(
        [{"graph": recorded.digest(path.read_bytes())} for path in paths],
        ask)))


def compatible(one, other):
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(
        a == b or a is None or b is None for a, b in zip(one, other))


# What TensorFlow takes in old graphs only, what it has for other devices or
# for its own use, and what needs a handle of the right kind.
ELSEWHERE = re.compile(
    "_.*|Batch(Cholesky|FFT|IFFT|Matrix|Self|Svd|Norm).*|.*Accumulator.*"
    "|BiasAddV1|QuantizedBatchNorm.*|SelfAdjointEig|XlaEinsum|TopKUnique"
    "|TopKWithUnique|AccumulateNV2|TileGrad|QuantizeAndDequantize"
    "|Quantized(Conv2D|DepthwiseConv2D|MatMul)(With|And|Per).*"
    "|AdjustContrast|NonMaxSuppressionWithOverlaps|AdjustHue")


def test_the_rows_are_nodes_of_tensorflow(tmp_path, say):
    rows = [row for row in formula_rows.rows()
            if not ELSEWHERE.fullmatch(row.op)]
    paths = []
    for number, row in enumerate(rows):
        paths.append(tmp_path / f"{number}.pb")
        paths[-1].write_bytes(graph([("y", row.op, row.inputs, [], row.attrs)]))
    said = judge(*paths)
    wrong = []
    for path, row in zip(paths, rows):
        found = said[str(path)]
        if "error" in found:
            wrong.append(f"{row.op} {row.attrs}: {found['error'][:200]}")
        elif len(found["y"]["shapes"]) != len(row.outputs) or not all(
                map(compatible, found["y"]["shapes"], row.outputs)):
            wrong.append(f"{row.op}: {found['y']['shapes']}, row {row.outputs}")
    say(f"{len(rows)} nodes of {len({row.op for row in rows})} types")
    assert not wrong, "\n".join(wrong)


# ---- TensorFlow's own column -------------------------------------------------

UNARY = "Reciprocal Square Rsqrt Log Neg L2Loss Softmax".split()
BINARY = """Add Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater
    LessEqual Less Equal NotEqual SquaredDifference AddV2""".split()
SETTINGS = 12
RANDOM = random.Random(42)


def dims(rank, most=7):
    return [RANDOM.choice((0, 1, *range(2, most + 1))) for _ in range(rank)]


def forget(shape):
    """Sometimes a dim or the rank is not known."""
    chance = RANDOM.random()
    if chance < 0.1:
        return None
    return [None if RANDOM.random() < 0.1 else dim for dim in shape]


def x(shape, dtype="float32"):
    return In(forget(shape), dtype)


def broadcast_pair():
    full = dims(RANDOM.randint(0, 4))
    other = [RANDOM.choice((1, dim)) for dim in full]
    cut = RANDOM.randint(0, len(full))
    return full, other[cut:]


def by_elements():
    for op in UNARY:
        for _ in range(SETTINGS):
            yield op, [x(dims(RANDOM.randint(1, 4)))], {"T": F}
    for op in BINARY:
        for _ in range(SETTINGS):
            a, b = broadcast_pair()
            yield op, RANDOM.sample([x(a), x(b)], 2), {"T": F}
    for _ in range(SETTINGS):
        shape = dims(3)
        yield "RsqrtGrad", [x(shape), x(shape)], {"T": F}
        yield "BiasAdd", [x(shape), x(shape[-1:])], {"T": F}
        yield "BiasAddGrad", [x(shape)], {"T": F}
        count_of = RANDOM.randint(1, 5)
        yield "AddN", [x(shape) for _ in range(count_of)], {"T": F,
                                                            "N": count_of}
        reference = In([dim or 1 for dim in shape], op="VariableV2")
        for op in ("AssignAdd", "AssignSub"):
            yield op, [reference, In(reference.shape)], {"T": F}
        axis = RANDOM.randint(0, 2)
        for op in ("Sum", "Mean"):
            yield op, [x(shape), ints(axis)], {
                "T": F, "keep_dims": RANDOM.random() < 0.5}
        for op in ("ArgMax", "ArgMin"):
            yield op, [x([dim or 1 for dim in shape]),
                       In((), "int32", (axis,))], {"T": F}


def products():
    for _ in range(SETTINGS):
        rows, shared, columns = dims(3)
        for a in (False, True):
            for b in (False, True):
                sides = ([shared, rows] if a else [rows, shared],
                         [columns, shared] if b else [shared, columns])
                yield "MatMul", [x(sides[0]), x(sides[1])], {
                    "T": F, "transpose_a": a, "transpose_b": b}
                batch = dims(RANDOM.randint(0, 2))
                for op in ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"):
                    kinds = ({"Ta": F, "Tb": F, "Tout": F}
                             if op.endswith("3") else {"T": F})
                    yield op, [x(batch + sides[0]), x(batch + sides[1])], {
                        "adj_x": a, "adj_y": b, **kinds}


def window():
    """A picture, a kernel and how it moves, so that it fits."""
    high, wide = RANDOM.randint(6, 15), RANDOM.randint(6, 15)
    kernel = [RANDOM.randint(1, 4), RANDOM.randint(1, 4)]
    strides = [RANDOM.randint(1, 3), RANDOM.randint(1, 3)]
    padding = RANDOM.choice(("SAME", "VALID"))
    sizes = [-(-(size if padding == "SAME" else size - k + 1) // step)
             for size, k, step in zip((high, wide), kernel, strides)]
    return (high, wide), kernel, strides, padding, sizes


def layers():
    for _ in range(2 * SETTINGS):
        batch, depth, out = (RANDOM.randint(1, 3), RANDOM.randint(1, 5),
                             RANDOM.randint(1, 5))
        size, kernel, strides, padding, sizes = window()
        image = [batch, *size, depth]
        set_ = {"T": F, "strides": [1, *strides, 1], "padding": padding}
        weights = [*kernel, depth, out]
        yield "Conv2D", [x(image), x(weights)], set_
        yield "Conv2D", [x([batch, depth, *size]), x(weights)], {
            **set_, "strides": [1, 1, *strides], "data_format": "NCHW"}
        dy = [batch, *sizes, out]
        turned = RANDOM.random() < 0.3
        back = {**set_, **({"strides": [1, 1, *strides],
                            "data_format": "NCHW"} if turned else {})}
        if turned:
            image, dy = [batch, depth, *size], [batch, out, *sizes]
        yield "Conv2DBackpropInput", [ints(*image), x(weights), x(dy)], back
        yield "Conv2DBackpropFilter", [x(image), ints(*weights), x(dy)], back
        image = [batch, *size, depth]
        yield "DepthwiseConv2dNative", [x(image), x(weights)], set_
        yield "Dilation2D", [x(image), x([*kernel, depth])], {
            **set_, "rates": [1, 1, 1, 1]}
        yield "Conv3D", [x([batch, 4, *size, depth]),
                         x([2, *kernel, depth, out])], {
                             **set_, "strides": [1, 1, *strides, 1]}
        yield from pools(batch, depth, size, kernel, strides, padding, sizes)


def pools(batch, depth, size, kernel, strides, padding, sizes):
    for form in ("NHWC", "NCHW"):
        def put(middle, channels, form=form):
            return ([batch, *middle, channels] if form == "NHWC"
                    else [batch, channels, *middle])
        set_ = {"T": F, "padding": padding, "data_format": form,
                "ksize": [1, *kernel, 1] if form == "NHWC"
                else [1, 1, *kernel],
                "strides": [1, *strides, 1] if form == "NHWC"
                else [1, 1, *strides]}
        image, out = put(size, depth), put(sizes, depth)
        for op in ("AvgPool", "MaxPool"):
            yield op, [x(image)], set_
        yield "AvgPoolGrad", [ints(*image), x(out)], set_
        yield "MaxPoolGrad", [x(image), x(out), x(out)], set_


@pytest.mark.parametrize("family", [by_elements, products, layers])
def test_tensorflows_column(family, tmp_path, say):
    rows = [(f"{number}/{op}", op, inputs, [], attrs) for
            number, (op, inputs, attrs) in enumerate(family())]
    path = tmp_path / "graph.pb"
    ours = count(tmp_path, graph(rows), "--formulas", "tensorflow")
    theirs = judge(path)[str(path)]
    assert "error" not in theirs, theirs
    wrong, counted = [], 0
    for name, op, inputs, _, attrs in rows:
        want = theirs[name]
        got = (int(ours[name]["float_ops_tensorflow"]),
               ours[name]["status_tensorflow"])
        counted += want["status"] == "ok"
        if got != (want["float_ops"] or 0, want["status"]):
            wrong.append(f"{op} {[one.shape for one in inputs]} {attrs}: "
                         f"{got}, not {want}")
    say(f"{len(rows)} nodes of {len({op for _, op, *_ in rows})} types, "
        f"{counted} counted")
    assert counted > len(rows) / 4
    assert not wrong, "\n".join(wrong[:20])


def test_all_that_tensorflow_has_formulas_for():
    types = {op for family in (by_elements, products, layers)
             for op, *_ in family()}
    assert len(types) == 46


def test_inputs_that_only_order_count_as_summands(tmp_path):
    """Of AddN, each as often as it is named."""
    path = tmp_path / "graph.pb"
    data = source("x", In((4, 5))) + source("c", In((4, 5))) + b"".join(
        node(name, "AddN", inputs, attrs={"T": F, "N": 2})
        for name, inputs in (("none", ["x", "x"]), ("one", ["x", "x", "^c"]),
                             ("same", ["x", "x", "^c", "^c"]),
                             ("own", ["x", "x", "^c", "^x"])))
    ours = count(tmp_path, data, "--formulas", "tensorflow")
    theirs = judge(path)[str(path)]
    for name, summands in (("none", 2), ("one", 3), ("same", 4), ("own", 4)):
        assert theirs[name]["float_ops"] == 20 * (summands - 1)
        assert ours[name]["float_ops_tensorflow"] == str(20 * (summands - 1))


def test_a_quotient_is_rounded_as_python_rounds(tmp_path, say):
    """Conv2DBackprop*: two exact integers, divided into a double. Sizes are
    large enough that a double does not hold every integer."""
    rows = []
    for number in range(200):
        image = [1, RANDOM.randint(2, 1 << 18), RANDOM.randint(2, 1 << 18),
                 RANDOM.randint(1, 300)]
        weights = [RANDOM.randint(1, 99), RANDOM.randint(1, 99), image[3],
                   RANDOM.randint(1, 9999)]
        rows.append((f"{number}", "Conv2DBackpropFilter",
                     [In(image), ints(*weights), In(None)], [], {
                         "T": F, "padding": "SAME", "strides": [
                             1, RANDOM.randint(1, 9), RANDOM.randint(1, 9),
                             1]}))
    path = tmp_path / "graph.pb"
    ours = count(tmp_path, graph(rows), "--formulas", "tensorflow")
    theirs = judge(path)[str(path)]
    for name, *_ in rows:
        assert int(ours[name]["float_ops_tensorflow"]) == min(
            theirs[name]["float_ops"], (1 << 63) - 1)
    large = sum(theirs[name]["float_ops"] > 1 << 53 for name, *_ in rows)
    say(f"{large} of {len(rows)} above 2^53")
    assert large > 20
