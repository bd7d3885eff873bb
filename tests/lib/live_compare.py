"""One question that tfprof and TensorFlow's own tfprof answer, and a tally of
many: what differs, made as simple as it can be.

Where tfprof decides otherwise on purpose, the wheel's answer is first turned
into what was decided, as little of it as possible.
"""

import collections
import difflib
import shlex
import threading

import judge
import program
from live_draws import DEFAULTS, FOLDER, LISTS, VIEWS, command

KINDS = ("select", "order_by", *LISTS, "minima", "max_depth", "step")


def _ours(draw):
    done = program.run(*command(draw), cwd=FOLDER)
    if done.returncode:
        return (f"exit code {done.returncode}: "
                + done.stderr.decode(errors="replace"))
    return done.stdout.decode(errors="surrogateescape")


def _by_run_count(text, runs):
    """The rows below each row, those with more runs in all first."""
    legend, *rows = text.splitlines(keepends=True)
    assert len(rows) == len(runs)
    tree = [[-1, 0, "", []]]  # indent, key, row, what is below
    for row, count in zip(rows, runs):
        indent = len(row) - len(row.lstrip(" "))
        while tree[-1][0] >= indent:
            tree.pop()
        entry = [indent, -count, row, []]
        tree[-1][3].append(entry)
        tree.append(entry)

    out, stack = [legend], [tree[0]]
    while stack:
        entry = stack.pop()
        out.append(entry[2])
        stack += sorted(entry[3], key=lambda child: child[1])[::-1]
    return "".join(out)


def _with_right_shapes(text, model):
    """Rows of scope and graph with the shapes of the outputs they use."""
    def right(line):
        head, _, shapes = line.rstrip("\n")[:-1].rpartition(
            ", " if ", " in line else " (")
        name = line.strip(" ").partition(" (")[0]
        other = model.other_shapes.get(name)
        if not other:
            return line
        shapes = [f"{i}:{other.get(i, shape.partition(':')[2])}"
                  for i, shape in enumerate(shapes.split("|"))]
        return f"{head}{line[len(head):][:2]}{'|'.join(shapes)})\n"

    return "".join(map(right, text.splitlines(keepends=True)))


def _without_other_shapes(text, model):
    """The op view without the input shapes of the types that use them, and
    how many rows that were."""
    out, is_other, count = [], False, 0
    for line in text.splitlines(keepends=True):
        if line.startswith("input_type:"):
            if is_other:
                continue
        elif line != "\n":
            is_other = any(line.startswith(op.ljust(25))
                           for op in model.other_shape_ops)
            count += is_other
        out.append(line)
    return "".join(out), count


def _compare(upstream, draw):
    """(our text, upstream's, its rows, the decisions that were applied). Both
    texts may have left out what a decision leaves out."""
    view, inputs, options = draw
    model, decisions = inputs.model, collections.Counter()
    asked = {**DEFAULTS, "select": [inputs.select], **options,
             "output": "stdout"}
    by_runs = asked["order_by"] == "occurrence" and view in ("scope", "graph")
    if by_runs:
        decisions["occurrence in scope and graph: put in order of runs"] = 1
    if by_runs or asked["order_by"] == "depth":
        asked["order_by"] = ""  # the wheel leaves the order alone then

    types = asked["account_type_regexes"]
    if len(types) > 1 and view in ("op", "code"):
        plain = upstream.ask(view, asked)["text"]
        asked["account_type_regexes"] = ["|".join(f"(?:{t})" for t in types)]
        answer = upstream.ask(view, asked)
        if plain != answer["text"]:
            decisions["types that overlap: asked as one"] = 1
    else:
        answer = upstream.ask(view, asked)

    theirs, ours = answer["text"], _ours(draw)
    row_count = len(theirs.splitlines()) - 1 - (view != "op")
    if by_runs:
        theirs = _by_run_count(theirs, answer["runs"])
    if inputs.has_words and view == "code":
        decisions["names inside a log: given as ids"] = 1
    if "edge_run_meta" in dict(inputs.runs).values():
        decisions["a SYCL device: named GPU to the wheel"] = 1
    if "input_shapes" in asked["select"] and not inputs.profile:
        if view == "op":
            theirs, count = _without_other_shapes(theirs, model)
            ours, _ = _without_other_shapes(ours, model)
            if count:
                decisions["shapes of other outputs: rows left out"] = count
        elif view != "code":
            right = _with_right_shapes(theirs, model)
            if right != theirs:
                decisions["shapes of other outputs: put right"] = 1
            theirs = right
    return ours, theirs, row_count, decisions


# ---- Differences ------------------------------------------------------------

def _simpler(options):
    """The options with one thing less."""
    for key, value in options.items():
        yield {k: v for k, v in options.items() if k != key}
        if isinstance(value, list) and len(value) > 1:
            for i in range(len(value)):
                yield {**options, key: value[:i] + value[i + 1:]}


def _simplest(upstream, draw):
    """A difference that has no simpler one, of this kind of simpler."""
    def differs(candidate):
        try:
            ours, theirs, *_ = _compare(upstream, candidate)
        except judge.Failed:
            return False
        return ours != theirs

    options = draw.options
    while True:
        simpler = next((less for less in _simpler(options)
                        if differs(draw._replace(options=less))), None)
        if simpler is None:
            return draw._replace(options=options)
        options = simpler


def _shown(draw, ours, theirs):
    lines = list(difflib.unified_diff(
        theirs.splitlines(), ours.splitlines(), "TensorFlow's", "ours",
        lineterm="", n=1))
    if len(lines) > 16:
        lines[16:] = [f"... {len(lines) - 16} lines more"]
    return "\n".join([f"$ tfprof {shlex.join(command(draw))}", *lines])


SIMPLIFIED = 24  # differences made simple; of those of the same view and
SHOWN = 6        # options one is shown, and no more than these in all


class Tally:
    """What came of the draws. Who changes it, holds the lock."""

    def __init__(self):
        self.lock = threading.Lock()
        self.views = collections.Counter()
        self.used = collections.Counter()
        self.filled = collections.Counter()
        self.rows = 0
        self.decisions = collections.Counter()
        self.failed = []
        self.differing = 0
        self.shown = {}

    def add(self, draw, row_count, decisions):
        self.views[draw.view] += 1
        self.used.update(list(draw.options))
        self.used["minima"] += any(key.startswith("min_")
                                   for key in draw.options)
        self.filled[draw.view] += row_count > 0
        self.rows += max(row_count, 0)
        self.decisions.update(decisions)

    @property
    def total(self):
        return sum(self.views.values())

    def share(self, key):
        return self.used[key] / self.total

    def lines(self, seconds):
        percent = lambda part, whole: f"{100 * part / max(whole, 1):.0f} %"
        yield (f"{self.total} draws in {seconds:.0f} s: "
               + ", ".join(f"{self.views[view]} {view}" for view in VIEWS))
        yield ("not empty: "
               + percent(sum(self.filled.values()), self.total) + " ("
               + ", ".join(f"{view} "
                           + percent(self.filled[view], self.views[view])
                           for view in VIEWS) + f"), {self.rows} rows")
        yield "not the default: " + ", ".join(
            f"{key} {percent(self.used[key], self.total)}"
            for key in (*KINDS, "account_displayed_op_only",
                        *(f"min_{metric}" for metric in judge.MINIMA)))
        for decision, count in sorted(self.decisions.items()):
            yield f"decided otherwise, {decision}: {count}"
        yield (f"differences: {self.differing}, "
               f"refused by the wheel: {len(self.failed)}")


def take(upstream, draw, tally):
    try:
        ours, theirs, row_count, decisions = _compare(upstream, draw)
    except judge.Failed as failure:
        with tally.lock:
            tally.failed.append(f"{shlex.join(command(draw))}\n{failure}")
        return
    with tally.lock:
        tally.add(draw, row_count, decisions)
        tally.differing += ours != theirs
        is_shown = (ours != theirs and tally.differing <= SIMPLIFIED
                    and len(tally.shown) < SHOWN)
    if is_shown:
        simplest = _simplest(upstream, draw)
        ours, theirs, *_ = _compare(upstream, simplest)
        with tally.lock:
            tally.shown[draw.view, frozenset(simplest.options)] = _shown(
                simplest, ours, theirs)
