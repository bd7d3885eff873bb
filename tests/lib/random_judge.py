"""What TensorFlow knows of a graph, what tfprof says, and where they differ.

A shape is None or a list, in which None is a size that is not known.
random_truth.py asks TensorFlow.
"""

import csv
import pathlib
import tempfile

import program
import recorded

_LIB = pathlib.Path(__file__).parent
_MAKERS = sorted({*_LIB.glob("random_*.py")} - {_LIB / "random_judge.py"})
_RECORD = recorded.record("flops_random", "tensorflow-cpu")


def answer(question, ask):
    """What random_truth.py says of graphs that it draws itself."""
    def ask_truth():
        import random_truth
        return ask(random_truth)

    return _RECORD.answer(
        {**question, "made by": recorded.digest_of_files(*_MAKERS)}, ask_truth)


def shape_text(shape):
    """As the lists of tfprof have it."""
    if shape is None:
        return "?"
    return "[" + ",".join("?" if dim is None else str(dim)
                          for dim in shape) + "]"


def parse_shape(text):
    if text == "?":
        return None
    return [None if dim == "?" else int(dim)
            for dim in text.strip("[]").split(",") if dim]


def compatible(one, other):
    """May both be known of the same tensor?"""
    return one is None or other is None or (
        len(one) == len(other) and all(
            a == b or None in (a, b) for a, b in zip(one, other)))


def table(path, listed, functions):
    """A list of `tfprof flops` as rows."""
    done = program.run("flops", path, "--list", listed, "--format", "csv",
                       "--batch", "-1", "--formulas", "full", "--functions",
                       functions)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return list(csv.DictReader(done.stdout.decode().splitlines(), strict=True))


class Verdict:
    """What was compared of one file, and what was found."""

    def __init__(self, truth):
        """`truth`: see random_truth.known()."""
        self.differences = []  # (tensor or node, words)
        self.types = {}        # op type -> tensors compared
        self.nodes = {}        # op type -> nodes whose count was compared
        self.beyond = 0        # tensors that we know more of
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "graph.pb"
            path.write_bytes(truth["graph"])
            for functions in ("none", "walk"):
                self.beyond = self._compare(
                    truth, table(path, "tensors", functions))
            self._compare_counts(truth, table(path, "nodes", "none"))
        for kind, _ in truth["shapes"].values():
            self.types[kind] = self.types.get(kind, 0) + 1

    def _differ(self, name, kind, words):
        self.differences.append((name, f"{kind} {name}: {words}"))

    def _compare(self, truth, rows):
        found = {row["tensor"]: row for row in rows}
        real = truth["real"]
        for tensor, (kind, shape) in truth["shapes"].items():
            row = found.get(tensor)
            if row is None:
                self._differ(tensor, kind, "is not listed")
                continue
            self._compare_shape(tensor, kind, shape, row)
            # Of outputs that an op leaves out, TensorFlow says otherwise.
            if tensor in real and compatible(shape, real[tensor]):
                self._compare_real(tensor, kind, real[tensor], row)
        return sum(found[tensor]["grade"] == "beyond"
                   for tensor in truth["shapes"] if tensor in found)

    def _compare_shape(self, tensor, kind, shape, row):
        theirs, ours = shape_text(shape), row["shape_tensorflow"]
        if theirs != ours:
            self._differ(tensor, kind, f"TensorFlow {theirs}, ours {ours}")
        more = parse_shape(row["shape"])
        if not compatible(more, shape) or known(more) < known(shape):
            self._differ(tensor, kind, f"TensorFlow {theirs}, "
                         f"with what we know beyond {row['shape']}")
        if (row["grade"] == "beyond") != (row["shape"] != ours):
            self._differ(tensor, kind, f"is of grade {row['grade']}")

    def _compare_real(self, tensor, kind, shape, row):
        if not compatible(parse_shape(row["shape"]), shape):
            self._differ(tensor, kind, f"when it runs {shape_text(shape)}, "
                         f"with what we know beyond {row['shape']}")

    def _compare_counts(self, truth, rows):
        found = {row["node"]: row for row in rows}
        for name, kind, status, count in truth["nodes"]:
            row = found.get(name)
            if row is None:
                self._differ(name, kind, "is not listed")
                continue
            ours = row["status_tensorflow"], row["float_ops_tensorflow"]
            if ours[0] != status or count not in (None, int(ours[1] or -1)):
                self._differ(name, kind, f"TensorFlow counts {count} "
                             f"({status}), ours {ours[1]} ({ours[0]})")
            if status == "ok":
                self.nodes[kind] = self.nodes.get(kind, 0) + 1


def known(shape):
    """How much of it is known: more than any number of dims, the rank."""
    if shape is None:
        return -1
    return sum(dim is not None for dim in shape)
