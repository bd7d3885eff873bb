"""The table of formulas: every type of operation, both columns."""

import collections
import os
import pathlib
import subprocess

import pytest

import flops_truth
import formula_rows
from formula_graphs import In, Type, count, graph, ints
from formula_row import F

CALLS = "the functions it calls"


def _dump(name, variable):
    program = os.environ.get(variable) or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / name)
    text = subprocess.run([program], check=True, text=True,
                          capture_output=True).stdout
    return [line.split("\t") for line in text.splitlines()]


@pytest.fixture(scope="module")
def table():
    """op -> (formula, TensorFlow's own)"""
    return {op: (full, upstream) for op, full, upstream in
            _dump("formula_dump", "TFPROF_FORMULA_DUMP")}


# ---- What it covers ----------------------------------------------------------

def test_every_operation_has_one_line():
    twice = [op for op, times in collections.Counter(
        op for op, _, _ in _dump("formula_dump", "TFPROF_FORMULA_DUMP")
    ).items() if times > 1]
    assert not twice


def test_every_type_of_the_models_has_a_line(table, say):
    missing = sorted(set(flops_truth.ops()) - set(table))
    say(f"{len(table)} types of operations, {len(flops_truth.ops())} in models")
    assert not missing


def test_upstream_has_a_formula_where_tensorflow_has_one(table):
    ours = {op for op, (_, upstream) in table.items() if upstream}
    theirs = {op for op, has in flops_truth.ops().items() if has}
    assert theirs <= ours
    assert len(ours) == 46


# Nobody can say what these do from their shapes.
UNKNOWN = {"AudioSpectrogram", "CTCBeamSearchDecoder", "CTCGreedyDecoder",
           "CTCLoss", "CTCLossV2", "GenerateBoundingBoxProposals",
           "MatrixExponential", "MatrixLogarithm",
           "MatrixSquareRoot", "Mfcc", "ScaleAndTranslate",
           "ScaleAndTranslateGrad", "SparseAdd", "SparseSparseMaximum",
           "SparseSparseMinimum", "_FusedBatchNormGradEx"}


def test_every_operation_with_shapes_has_a_line(table):
    shaped = {op for op, *_ in _dump("op_dump", "TFPROF_OP_DUMP")}
    assert not sorted(shaped - set(table) - UNKNOWN)
    assert not sorted(UNKNOWN & set(table))


# ---- What it counts ----------------------------------------------------------

@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """[(row, what tfprof says of it)]"""
    rows = list(formula_rows.rows())
    names = [f"{number}/{row.op}" for number, row in enumerate(rows)]
    said = count(tmp_path_factory.mktemp("formulas"), graph(
        (name, row.op, row.inputs, row.outputs, row.attrs)
        for name, row in zip(names, rows)), "--formulas", "full")
    return [(row, said[name]) for name, row in zip(names, rows)]


def test_every_formula_against_numbers_that_count(counted, say):
    wrong = []
    for row, said in counted:
        ours = tuple(int(said[key]) for key in ("float_ops", "int_ops", "macs"))
        if ours != row.expected() or said["status"] != "counted":
            shapes = [one.shape for one in row.inputs]
            wrong.append(f"{row.op} of {shapes} {row.attrs}: {ours}, "
                         f"{said['status']}, not {row.expected()}")
    say(f"{len(counted)} nodes of {len({row.op for row, _ in counted})} types")
    assert not wrong, "\n".join(wrong)


def test_every_formula_has_a_row(table, counted):
    rows = {row.op for row, _ in counted}
    formulas = {op for op, (full, _) in table.items()
                if full not in ("free", CALLS)}
    assert not sorted(formulas - rows)


def test_what_is_free_is_said_to_be(table, tmp_path):
    free = [op for op, (full, _) in table.items() if full == "free"]
    said = count(tmp_path, graph(
        (op, op, [In((2, 3))], [(2, 3)], {}) for op in free))
    assert {said[op]["status"] for op in free} == {"free"}
    assert {said[op][key] for op in free for key in (
        "float_ops", "int_ops", "macs")} == {"0"}


def test_a_call_of_nothing_is_not_counted(table, tmp_path):
    calls = [op for op, (full, _) in table.items() if full == CALLS]
    said = count(tmp_path, graph((op, op, [In((2, 3))], [], {})
                                 for op in calls))
    assert calls
    assert {said[op]["status"] for op in calls} <= {
        "gradient_of_function", "missing_function", "no_formula",
        "not_walked"}


def test_what_is_in_no_line_has_no_formula(tmp_path):
    said = count(tmp_path, graph([("a", "NobodyKnowsThis", [In((2, 3))],
                                   [(2, 3)], {})]))
    assert said["a"]["status"] == "no_formula"
    assert said["a"]["status_tensorflow"] == "none"


def test_bools_and_strings_do_no_arithmetic(tmp_path):
    said = count(tmp_path, graph(
        (kind, "Equal", [In((4, 5), kind)] * 2, [(4, 5)],
         {"T": Type(kind)}) for kind in ("bool", "string")))
    for kind in ("bool", "string"):
        assert said[kind]["status"] == "free"
        # TensorFlow's profiler counts whatever the type is.
        assert said[kind]["float_ops_tensorflow"] == "20"


def test_cropping_to_the_nearest_is_free(tmp_path):
    said = count(tmp_path, graph([
        ("a", "CropAndResize", [In((2, 4, 5, 3)), In((7, 4)),
                                In((7,), "int32"), In((2,), "int32", (6, 6))],
         [(7, 6, 6, 3)], {"T": F, "method": "nearest"})]))
    assert said["a"]["status"] == "free"


def test_unknown_sizes_are_said_to_be(counted, tmp_path_factory, say):
    """Nothing that depends on a size is counted without it."""
    rows = [row for row, _ in counted]
    names = [f"{number}/{row.op}" for number, row in enumerate(rows)]
    said = count(tmp_path_factory.mktemp("unknown"), graph(
        (name, row.op, [In(None, one.dtype) for one in row.inputs],
         [None] * len(row.outputs), row.attrs)
        for name, row in zip(names, rows)), "--formulas", "full")
    wrong = [f"{name}: {said[name]['status']}" for name, row in
             zip(names, rows) if said[name]["status"] != "unknown_shape"]
    say(f"{len(rows)} nodes")
    assert not wrong, "\n".join(wrong)


# ---- Figures that do not fit -------------------------------------------------

LARGEST = (1 << 63) - 1


def test_GR_10_a_count_that_does_not_fit_stops(tmp_path):
    huge = 1 << 40
    said = count(tmp_path, graph([
        ("mul", "Mul", [In((huge, huge))] * 2, [(huge, huge)],
         {"T": F}),
        ("matmul", "MatMul", [In((huge, huge))] * 2, [(huge, huge)],
         {"T": F}),
        ("sum", "Sum", [In((huge, huge)), ints(0)], [(huge,)],
         {"T": F}),
        ("cholesky", "Cholesky", [In((huge, huge))], [(huge, huge)],
         {"T": F}),
        ("svd", "Svd", [In((huge, 2))], [(2,), (huge, 2), (2, 2)],
         {"T": F}),
    ]), "--formulas", "full")
    for name in ("mul", "matmul", "sum", "cholesky"):
        assert said[name]["float_ops"] == str(LARGEST), name
        assert said[name]["status"] == "counted"
    assert said["mul"]["float_ops_tensorflow"] == str(LARGEST)
    assert said["matmul"]["macs"] == str(LARGEST)
    assert int(said["svd"]["float_ops"]) == 4 * huge * 4 + 22 * 8


def test_GR_10_fractions_of_what_does_not_fit(tmp_path):
    """n^3 does not fit in 64 bits, n^3/3 does."""
    n = 2_642_245  # the largest with n^3/3 < 2^63 lies above
    assert n ** 3 > LARGEST > n ** 3 // 3
    said = count(tmp_path, graph([
        ("cholesky", "Cholesky", [In((n, n))], [(n, n)],
         {"T": F})]), "--formulas", "full")
    assert int(said["cholesky"]["float_ops"]) == n ** 3 // 3


def test_GR_10_a_sum_that_does_not_fit_stops(tmp_path):
    half = 1 << 31
    path = tmp_path / "graph.pb"
    path.write_bytes(graph(
        (f"mul{number}", "Mul", [In((half, half))] * 2, [(half, half)],
         {"T": F}) for number in range(5)))
    summary = flops_truth.ask_summary(path, "--formulas", "full")
    assert int(summary["float_ops"]) == LARGEST  # a text: JSON has doubles
    assert int(summary["float_ops_tensorflow"]) == LARGEST
    assert ">=" in flops_truth.ask(path, "--formulas", "full")


@pytest.mark.parametrize("equation", [
    "", "->", ",", "ab", "ab,bc", "...", "......ab,bc->ac", "ab,..bc->ac",
    "abc,bc->ac", "a.b,bc->ac", ".,.->.", "ab,bc,cd->ad"])
def test_equations_that_cannot_be(equation, tmp_path):
    said = count(tmp_path, graph([
        ("a", "Einsum", [In((2, 3)), In((3, 4))], [(2, 4)],
         {"T": F, "N": 2, "equation": equation})]),
        "--formulas", "full")
    assert said["a"]["status"] in ("unknown_shape", "counted")
