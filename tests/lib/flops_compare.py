"""Holds what `tfprof flops` says about the models of tests/flops against what
is known about them. Each comparison is a function of COMPARISONS: a model's
name -> Findings.
"""

import collections
import re

import flops_truth as truth

Difference = collections.namedtuple("Difference", "kind op text")


class Findings:
    """What came of one model."""

    def __init__(self, name):
        self.name = name
        self.checked = 0  # rows of the truth that were looked up
        self.notes = collections.Counter()  # what is worth knowing, not wrong
        self.surplus = {}  # op type -> operations counted beyond the truth
        self.differences = []

    def differ(self, kind, op, text):
        self.differences.append(Difference(kind, op, text))

    def same(self, kind, op, want, got, text=""):
        """Checks one figure; both as integers or both as strings."""
        self.checked += 1
        if want != got:
            self.differ(kind, op, f"{text or kind}: {got}, not {want}")


# ---- Shapes ------------------------------------------------------------------

def read_shape(text):
    """A list of extents, None where unknown; None if the rank is unknown."""
    if text == "?":
        return None
    assert re.fullmatch(r"\[(\?|\d+)?(,(\?|\d+))*\]", text), text
    inside = text[1:-1]
    return [None if extent == "?" else int(extent)
            for extent in inside.split(",")] if inside else []


def compatible(one, other):
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(
        a == b or a is None or b is None for a, b in zip(one, other))


def as_known(one, other):
    """Whether the first says all that the second says."""
    if other is None:
        return True
    return one is not None and len(one) == len(other) and all(
        a == b or b is None for a, b in zip(one, other))


# An argument of a function was made one of these, to have its shapes.
ARGUMENT = {"Placeholder": ["_Arg"], "VarHandleOp": ["_Arg"]}


def compare_shape(found, want, got):
    """One tensor: a row of the truth, a row of ours."""
    op, name, known = want["op"], want["tensor"], read_shape(want["shape"])
    strict, full = got["shape_tensorflow"], got["shape"]
    said = f"{name}: {strict}, TensorFlow says {want['shape']}"
    if got["op"] not in (op, *ARGUMENT.get(op, [])):
        found.differ("another op type", op, f"{name}: {got['op']}")
    if not compatible(read_shape(strict), known):
        found.differ("wrong", op, said)
    elif not as_known(read_shape(strict), known):
        found.differ("TensorFlow knows and we do not", op, said)
    elif strict != want["shape"]:
        found.differ("TensorFlow does not know", op, said)
    said = f"{name}: {full}, TensorFlow says {want['shape']}"
    if not compatible(read_shape(full), known):
        found.differ("wrong in full", op, said)
    elif not as_known(read_shape(full), known):
        found.differ("less known in full", op, said)
    grade = ("beyond" if full != strict else
             "unknown" if full == "?" else "tensorflow")
    if got["grade"] != grade:
        found.differ("another grade", op,
                     f"{name}: {got['grade']}, but {full} and {strict}")
    found.notes["known beyond TensorFlow"] += full != strict


def compare_shapes(name, rows, path, *options):
    """All tensors of a graph, no more and no fewer."""
    found = Findings(name)
    ours = truth.ask_list(path, "tensors", "--functions", "none", *options)
    got = {row["tensor"]: row for row in ours}
    for want in rows:
        found.checked += 1
        row = got.pop(want["tensor"], None)
        if row is None:
            found.differ("missing", want["op"], want["tensor"])
        else:
            compare_shape(found, want, row)
    for row in got.values():
        found.differ("too many", row["op"], row["tensor"])
    if len(ours) != len({row["tensor"] for row in ours}):
        found.differ("twice", "-", "a tensor is listed twice")
    return found


def shapes(name):
    return compare_shapes(name, truth.table(f"shapes/{name}"),
                          truth.frozen(name))


def saved_shapes(name):
    model, how = name.rsplit(".", 1)
    row = truth.by_name("truth_savedmodel")[model]
    return compare_shapes(
        name, truth.table(f"shapes/{truth.SAVED_SHAPES}{name}"),
        truth.saved(model), "--signature", row["signature"],
        *(["--batch", "1"] if how == "batch1" else []))


# ---- TensorFlow's formulas ---------------------------------------------------

def per_op(name):
    """Every node's count, and why it has none."""
    found = Findings(name)
    ours = truth.ask_list(truth.frozen(name), "nodes", "--formulas",
                          "tensorflow", "--functions", "none")
    got = {row["node"]: row for row in ours}
    for want in truth.table(f"per_op/{name}"):
        found.checked += 1
        node, op = want["node"], want["op"]
        row = got.pop(node, None)
        if row is None:
            found.differ("missing", op, node)
            continue
        if row["op"] != op:
            found.differ("another op type", op, f"{node}: {row['op']}")
        for column in ("float_ops", "float_ops_tensorflow"):
            if int(row[column]) != int(want["float_ops"]):
                found.differ(column, op, f"{node}: {row[column]}, not "
                             f"{want['float_ops']} ({want['status']})")
        if row["status_tensorflow"] != want["status"]:
            found.differ("status", op, f"{node}: {row['status_tensorflow']}, "
                         f"not {want['status']}")
    for row in got.values():
        found.differ("too many", row["op"], row["node"])
    return found


def compare_types(found, want, got, columns):
    """By op type: {op: row} of the truth and of ours; columns of ours by
    those of the truth. A type without a row has all zeros."""
    none = collections.defaultdict(int)
    for op in sorted({*want, *got}):
        for column, ours in columns.items():
            found.same(ours, op, int(want.get(op, none)[column]),
                       int(got.get(op, none)[ours]), f"{op} {ours}")


def ask_types(path, *options):
    return {row["op"]: row for row in truth.ask_list(path, "types", *options)}


def totals(name):
    """The sum over the top graph, and by op type."""
    found, path = Findings(name), truth.frozen(name)
    want = int(truth.by_name("truth")[name]["total_float_ops"])
    options = ("--formulas", "tensorflow", "--functions", "none")
    summary = truth.ask_summary(path, *options)
    for key in ("float_ops", "float_ops_tensorflow"):
        found.same(key, "-", want, summary[key])
    compare_types(found, {row["op"]: row
                          for row in truth.table(f"by_type/{name}")},
                  ask_types(path, *options),
                  {"count": "nodes", "float_ops": "float_ops"})
    return found


def saved(name):
    """The body of a SavedModel's signature, as stored and with batch 1."""
    found, row = Findings(name), truth.by_name("truth_savedmodel")[name]
    for column, batch in (("float_ops_as_stored", []),
                          ("float_ops_batch1", ["--batch", "1"])):
        summary = truth.ask_summary(
            truth.saved(name), "--formulas", "tensorflow", "--functions",
            "none", "--signature", row["signature"], *batch)
        for key in ("float_ops", "float_ops_tensorflow"):
            found.same(f"{column} ({key})", "-", int(row[column]), summary[key])
    return found


def nested(name):
    """Bodies of functions too; float_ops_tensorflow stays the top graph's."""
    found, row = Findings(name), truth.by_name("truth")[name]
    summary = truth.ask_summary(truth.frozen(name), "--formulas",
                                "tensorflow", "--functions", "walk")
    found.same("float_ops", "-", int(row["with_function_bodies"]),
               summary["float_ops"])
    found.same("float_ops_tensorflow", "-", int(row["total_float_ops"]),
               summary["float_ops_tensorflow"])
    return found


# How the nodes of a body are named below the node that calls it, by the kind
# of the call.
BELOW = {"While": "body/", "StatelessWhile": "body/",
          "While.cond": "cond/", "StatelessWhile.cond": "cond/",
          "If.then_branch": "then/", "StatelessIf.then_branch": "then/",
          "If.else_branch": "else/", "StatelessIf.else_branch": "else/"}


def dearer(rows):
    """The rows of nested_calls, of each branch only the side that counts."""
    best = {}
    for row in rows:
        is_branch = row["kind"].endswith("_branch")
        key = row["node"], None if is_branch else row["kind"]
        if key not in best or int(row["float_ops_all"]) > int(
                best[key]["float_ops_all"]):
            best[key] = row
    return list(best.values())


def nested_calls(name):
    """Call by call: how often it runs, and what it costs in all."""
    found, path = Findings(name), truth.frozen(name)
    options = ("--formulas", "tensorflow", "--functions")
    top = {row["node"] for row in truth.ask_list(path, "nodes", *options,
                                                 "none")}
    below = [row for row in truth.ask_list(path, "nodes", *options, "walk")
             if row["node"] not in top]
    for call in dearer(row for row in truth.table("nested_calls")
                       if row["name"] == name):
        prefix = f"{call['node']}/{BELOW.get(call['kind'], '')}"
        nodes = [row for row in below if row["node"].startswith(prefix)]
        found.same("times", call["kind"], {call["times"]},
                   {row["times"] for row in nodes}, f"times of {prefix}")
        found.same("float_ops", call["kind"], int(call["float_ops_all"]),
                   sum(int(row["float_ops"]) for row in nodes), prefix)
    return found


# ---- The complete formulas ---------------------------------------------------

# Where a proposal is corrected, and why. The proposal has their work as integer
# operations: of floats, it is moved.
CORRECTED = {
    "NonMaxSuppressionV3": "boxes are floats; what comes out are indices",
    "ResourceSparseApplyAdagradV2": "the type is that of the variable, not of "
                                    "the indices",
}


def corrected(want):
    """A line of the truth, with what was taken for integers as floats."""
    if want["op"] not in CORRECTED:
        return want
    return {**want, "int_ops": "0",
            "float_ops": str(int(want["float_ops"]) + int(want["int_ops"]))}


def compare_proposed(found, op, want, got):
    """One op type. What was found unknown was so with TensorFlow's shapes;
    with better ones less is unknown, and more is counted."""
    unknown = int(want["unknown_nodes"]), int(got["unknown_nodes"])
    if unknown[1] < unknown[0]:
        found.surplus[op] = int(got["float_ops"]) - int(want["float_ops"])
        found.notes[f"{op} known beyond TensorFlow"] += unknown[0] - unknown[1]
    else:
        found.same("unknown_nodes", op, *unknown, f"{op} unknown_nodes")
        found.same("float_ops", op, int(want["float_ops"]),
                   int(got["float_ops"]), f"{op} float_ops")
    found.same("int_ops", op, int(want["int_ops"]), int(got["int_ops"]),
               f"{op} int_ops")


def is_argument(op):
    """Arguments and results of functions are no nodes of a file."""
    return op == "Placeholder" or op.startswith("_")


def proposed(name):
    """In all, and by op type."""
    found, path = Findings(name), truth.frozen(name)
    row = truth.by_name("proposed")[name]
    none = collections.defaultdict(int)
    got = ask_types(path, "--formulas", "full")
    lines = truth.table(f"proposed_by_type/{name}")
    want = {line["op"]: corrected(line) for line in lines}
    moved = sum(int(line["int_ops"]) for line in lines
                if line["op"] in CORRECTED)
    for op in sorted({*want, *got}):
        compare_proposed(found, op, want.get(op, none), got.get(op, none))
        if not is_argument(op):
            found.same("nodes", op, int(want.get(op, none)["nodes"]),
                       int(got.get(op, none)["nodes"]), f"{op} nodes")
    summary = truth.ask_summary(path, "--formulas", "full")
    found.same("float_ops", "-", int(row["proposed_float_ops"]) + moved
               + sum(found.surplus.values()), summary["float_ops"])
    found.same("int_ops", "-", int(row["proposed_int_ops"]) - moved,
               summary["int_ops"])
    return found


# ---- Parameters --------------------------------------------------------------

# How tfprof calls the types whose elements are counted as floating.
FLOATING = {"float16", "float32", "float64", "bfloat16", "float", "double",
            "half", "DT_FLOAT", "DT_DOUBLE", "DT_HALF", "DT_BFLOAT16"}


def params(name):
    """The variables that a SavedModel's signature uses."""
    found, row = Findings(name), truth.by_name("truth_savedmodel")[name]
    ours = truth.ask_list(truth.saved(name), "variables", "--signature",
                          row["signature"])
    found.same("variables", "-", int(row["vars_used_by_signature"]), len(ours))
    found.same("float elements", "-",
               int(row["float_elems_used_by_signature"]),
               sum(int(line["elements"]) for line in ours
                   if line["dtype"] in FLOATING))
    return found


def consts(name):
    """The constants of a frozen graph, and what is said of its parameters."""
    found, row = Findings(name), truth.by_name("truth")[name]
    summary = truth.ask_summary(truth.frozen(name))
    found.same("float elements", "-", int(row["float_const_elems"]),
               summary["constants"]["float_elements"])
    if summary["params"] == int(row["params_total"]):
        found.notes["params as in Keras"] += 1
    else:
        found.notes[f"params {summary['params']} by "
                    f"{summary['params_rule']}, Keras {row['params_total']}"
                    ] += 1
    return found


def _saved_names():
    return sorted(truth.by_name("truth_savedmodel"))


# What is compared -> (the function, the names it is for)
COMPARISONS = {
    "shapes": (shapes, truth.shape_tables),
    "saved_shapes": (saved_shapes, truth.saved_shape_tables),
    "per_op": (per_op, lambda: truth.tables("per_op")),
    "totals": (totals, truth.frozen_names),
    "saved": (saved, _saved_names),
    "nested": (nested, truth.frozen_names),
    "nested_calls": (nested_calls,
                     lambda: sorted(truth.by_name("nested"))),
    "proposed": (proposed, lambda: sorted(truth.by_name("proposed"))),
    "params": (params, _saved_names),
    "consts": (consts, truth.frozen_names),
}


def compare(what, name):
    """The Findings of one model; a failed run is one difference."""
    try:
        return COMPARISONS[what][0](name)
    except truth.Failed as failed:
        found = Findings(name)
        found.differ("failed", "-", str(failed))
    except (KeyError, ValueError, AssertionError) as strange:
        found = Findings(name)
        found.differ("strange answer", "-", repr(strange)[:300])
    return found


def report(found, most=20):
    """A message for a failed test."""
    lines = [f"{found.name}: {len(found.differences)} differences, "
             f"{found.checked} checked"]
    lines += [f"{difference.kind}: {difference.op} {difference.text}"
              for difference in found.differences[:most]]
    return "\n".join(lines)


def compare_all(what, pattern=""):
    """[Findings] of the models whose names match."""
    names = [name for name in COMPARISONS[what][1]()
             if re.search(pattern, name)]
    return truth.each(names, lambda name: compare(what, name))
