"""Of several branches the dearest counts, with all that it calls; each way to
count chooses for itself."""

# labels: slow

import flops_truth
from formula_graphs import In, count, source
from messages import attribute
from wirebytes import field, integer

LENGTH = 6


def argument(name):
    return field(1, name.encode()) + integer(3, 1)


def function(name, *nodes):
    """A function of one list of floats; the last node is what it gives."""
    signature = (field(1, name.encode()) + field(2, argument("x"))
                 + field(3, argument("y")))
    body = b"".join(
        field(3, field(1, one.encode()) + field(2, op.encode())
              + field(3, source_of.encode())
              + b"".join(attribute(key.encode(), value)
                         for key, value in attrs.items()))
        for one, op, source_of, attrs in nodes)
    last, _, _, attrs = nodes[-1]
    port = "output:0" if "then_branch" in attrs or "branches" in attrs else (
        "activations:0" if nodes[-1][1] == "Relu" else "y:0")
    back = field(4, field(1, b"y") + field(2, f"{last}:{port}".encode()))
    return field(1, field(1, signature) + body + back)


def named(name):
    """An attribute that is a function."""
    return field(10, field(1, name.encode()))


def functions(*names):
    return field(1, b"".join(field(9, field(1, name.encode()))
                             for name in names))


T = {"T": integer(6, 1)}


def chain(op, times):
    """x -> op -> op ... as nodes of a function."""
    port = "activations" if op == "Relu" else "y"
    made = []
    for number in range(times):
        before = f"{op}{number - 1}:{port}:0" if number else "x"
        made.append((f"{op}{number}", op, before, T))
    return made


def branch(op, *choices):
    """An If or Case in a graph, by its attributes."""
    attrs = ({"then_branch": named(choices[0]),
              "else_branch": named(choices[1])} if op.endswith("If")
             else {"branches": functions(*choices)})
    kinds = field(1, integer(6, 1))
    return {**attrs, "Tcond": integer(6, 10), "Tin": kinds, "Tout": kinds}


def calling(op, *choices):
    """A graph that calls one of the functions of a library."""
    attrs = branch(op, *choices)
    chosen = In((), "int32" if op.endswith("Case") else "bool")
    body = (field(1, b"choice") + field(2, op.encode()) + field(3, b"which")
            + field(3, b"x") + b"".join(attribute(key.encode(), value)
                                        for key, value in attrs.items()))
    return (source("which", chosen) + source("x", In((LENGTH,)))
            + field(1, body))


def library(*made):
    return field(2, b"".join(made))


def float_ops(rows, column="float_ops"):
    """By op type, of what counts."""
    found = {}
    for row in rows.values():
        if row["status"] not in ("cheaper", "called"):
            found[row["op"]] = found.get(row["op"], 0) + int(row[column])
    return {op: ops for op, ops in found.items() if ops}


def test_the_more_expensive_branch_of_if_counts(tmp_path):
    made = library(function("small", *chain("Neg", 1)),
                   function("large", *chain("Square", 2)))
    for first, second in (("small", "large"), ("large", "small")):
        for op in ("If", "StatelessIf"):
            rows = count(tmp_path, calling(op, first, second) + made)
            assert float_ops(rows) == {"Square": 2 * LENGTH}
            assert {row["status"] for row in rows.values()
                    if row["op"] == "Neg"} == {"cheaper"}


def test_the_most_expensive_branch_of_case_counts(tmp_path):
    made = library(*(function(f"f{times}", *chain("Neg", times))
                     for times in (1, 2, 3, 4)))
    for op in ("Case", "StatelessCase"):
        for order in ((1, 4, 2), (4, 3, 1), (1, 2, 3)):
            rows = count(tmp_path, calling(op, *(f"f{n}" for n in order))
                         + made)
            assert float_ops(rows) == {"Neg": max(order) * LENGTH}


def test_the_first_of_equally_expensive_branches_counts(tmp_path):
    made = library(function("a", *chain("Neg", 2)),
                   function("b", *chain("Square", 2)))
    rows = count(tmp_path, calling("If", "a", "b") + made)
    assert float_ops(rows) == {"Neg": 2 * LENGTH}


def test_branches_in_branches(tmp_path):
    """`deep` costs what the dearer of its own branches costs."""
    inner = field(1, b"inner") + field(2, b"If") + field(3, b"x") + field(
        3, b"x") + b"".join(attribute(key.encode(), value) for key, value in
                            branch("If", "one", "five").items())
    signature = field(1, b"deep") + field(2, argument("x")) + field(
        3, argument("y"))
    deep = field(1, field(1, signature) + field(3, inner) + field(
        4, field(1, b"y") + field(2, b"inner:output:0")))
    made = library(function("one", *chain("Neg", 1)),
                   function("three", *chain("Square", 3)),
                   function("five", *chain("Neg", 5)),
                   function("nine", *chain("Square", 9)), deep)
    rows = count(tmp_path, calling("If", "deep", "three") + made)
    assert float_ops(rows) == {"Neg": 5 * LENGTH}
    rows = count(tmp_path, calling("If", "nine", "deep") + made)
    assert float_ops(rows) == {"Square": 9 * LENGTH}
    # What a branch calls that is not taken is not taken either.
    assert sum(row["status"] == "cheaper" and row["op"] == "Neg"
               for row in rows.values()) == 6


def test_each_way_to_count_chooses_for_itself(tmp_path):
    """TensorFlow's profiler has no formula for Relu."""
    made = library(function("relus", *chain("Relu", 3)),
                   function("neg", *chain("Neg", 1)))
    graph = calling("If", "relus", "neg") + made
    assert float_ops(count(tmp_path, graph)) == {"Relu": 3 * LENGTH}
    rows = count(tmp_path, graph, "--formulas", "tensorflow", "--functions",
                 "walk")
    assert float_ops(rows, "float_ops_tensorflow") == {"Neg": LENGTH}


def test_the_choice_is_in_the_sums(tmp_path):
    made = library(function("small", *chain("Neg", 1)),
                   function("large", *chain("Square", 2)))
    path = tmp_path / "graph.pb"
    path.write_bytes(calling("If", "small", "large") + made)
    summary = flops_truth.ask_summary(path)
    assert summary["float_ops"] == 2 * LENGTH
    # The profiler looks at the graph alone.
    assert summary["float_ops_tensorflow"] == 0
