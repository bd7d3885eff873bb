"""The four views print what TensorFlow's own tfprof prints, live.

Questions are drawn at random (hypothesis) from what the models have: their
types, names, devices, lines of code and sizes. The wheel answers each (see
judge.py), `tfprof -formulas none` answers it too, and the texts are compared.
Where tfprof decides otherwise on purpose, the wheel's answer is first turned
into what was decided, as little of it as possible; how often that happened,
stands in the summary.

TFPROF_LIVE_DRAWS sets the number of questions, TFPROF_SLOW=1 takes 10,000,
and TFPROF_TEST_SEED draws others.
"""

import collections
import concurrent.futures
import difflib
import functools
import os
import queue
import re
import shlex
import threading
import time

import hypothesis
import pytest
from hypothesis import strategies as st

import judge
import program
import tf_messages
from faults import SLOW
from files import SHARED, needs_shared, needs_tensorflow

pytestmark = [needs_shared, needs_tensorflow]

FOLDER = SHARED / "golden" / "inputs"
DRAWS = int(os.environ.get("TFPROF_LIVE_DRAWS") or (10000 if SLOW else 300))
VIEWS = ("scope", "graph", "op", "code")
SELECT = (*judge.MINIMA, "tensor_value", "device", "op_types", "input_shapes")
LISTS = ("account_type_regexes", "start_name_regexes", "trim_name_regexes",
         "show_name_regexes", "hide_name_regexes")
DEPTHS = (*range(1, 13), 100)
DEFAULTS = {
    "max_depth": 10, "step": -1, "order_by": "name",
    **{f"min_{metric}": 0 for metric in judge.MINIMA},
    "account_type_regexes": [".*"], "start_name_regexes": [".*"],
    "trim_name_regexes": [], "show_name_regexes": [".*"],
    "hide_name_regexes": [], "account_displayed_op_only": False,
}
KINDS = ("select", "order_by", *LISTS, "minima", "max_depth", "step")


# ---- Models -----------------------------------------------------------------

Node = collections.namedtuple("Node", "name op types costs frames")


def _short(trace, strings):
    """A call as the code view names it."""
    file = strings[trace.file_id].rpartition("/")[2]
    function = strings[trace.function_id]
    if len(function) >= 20:
        function = function[:17] + "..."
    return f"{file}:{trace.lineno}:{function}"


def _dims(shape):
    if shape.unknown_rank:
        return "unknown"
    return "x".join(str(dim.size) for dim in shape.dim) or "1"


class Model:
    """What a model has that can be asked for; only the draws depend on most
    of it, the answers do not."""

    def __init__(self, graph, runs, log):
        self.costs = collections.defaultdict(collections.Counter)
        self.types = {}
        self.ops = {}
        self.frames = collections.defaultdict(list)
        self._add_graph(_message("GraphDef", graph))
        for run in runs:
            self._add_run(_message("RunMetadata", run))
        if log:
            self._add_log(judge.with_ids(_message("OpLogProto", log))[0])
        self.nodes = [Node(name, op, sorted(self.types[name]),
                           self.costs[name], self.frames[name])
                      for name, op in sorted(self.ops.items())]
        self.traced = [node for node in self.nodes if node.frames]
        self.largest = {
            metric: sorted({node.costs[metric] for node in self.nodes
                            if node.costs[metric] > 0})
            for metric in judge.MINIMA}

    def _add_graph(self, graph):
        nodes, shapes = {}, {}
        for node in graph.node:
            if nodes.setdefault(node.name, node) is node:
                self.ops[node.name] = node.op
                self.types[node.name] = {node.op}
                self._add_params(node)
                shapes[node.name] = [
                    _dims(shape) for shape
                    in node.attr["_output_shapes"].list.shape]
        # Inputs that the wheel gives the shape of output 0 but that come
        # from another: node -> number of the input -> its shape.
        self.other_shapes = collections.defaultdict(dict)
        for node in nodes.values():
            for i, name in enumerate(node.input):
                source, _, output = name.partition(":")
                if output:
                    known = dict(enumerate(shapes.get(source, [])))
                    right = known.get(int(output), "unknown")
                    if right != known.get(0, "unknown"):
                        self.other_shapes[node.name][i] = right
        self.other_shape_ops = {self.ops[name] for name in self.other_shapes}

    def _add_params(self, node):
        if node.attr["shape"].HasField("shape"):
            sizes = [dim.size for dim in node.attr["shape"].shape.dim]
            if all(size > 0 for size in sizes):
                self.costs[node.name]["params"] = functools.reduce(
                    int.__mul__, sizes, 1)

    def _add_run(self, run):
        for device in run.step_stats.dev_stats:
            name = device.device.lower()
            is_stream = "stream:all" in name
            is_placed = re.fullmatch(
                ".*/(device:)?(cpu|gpu|sycl):[0-9]+", name) is not None
            for record in device.node_stats:
                self._add_record(record, name, is_stream, is_placed)

    def _add_record(self, record, device, is_stream, is_placed):
        name = record.node_name.partition(":")[0]
        self.ops.setdefault(name, name)
        types = self.types.setdefault(name, {name})
        costs = self.costs[name]
        micros = max(record.op_end_rel_micros, 1)
        if is_stream:
            costs["accelerator_micros"] += micros
            costs["micros"] += micros
        if is_placed:
            types.add(device)
            costs["cpu_micros"] += micros
            costs["micros"] += micros
            costs["occurrence"] += 1
            kept = record.memory_stats.persistent_memory_size
            temporary = record.memory_stats.temp_memory_size
            for memory in record.memory:
                costs["bytes"] += memory.total_bytes
                costs["peak_bytes"] += memory.peak_bytes
                costs["residual_bytes"] += memory.live_bytes
            costs["bytes"] += kept + temporary
            costs["peak_bytes"] += kept + temporary
            costs["residual_bytes"] += kept
            for output in record.output:
                about = output.tensor_description.allocation_description
                costs["output_bytes"] += max(about.allocated_bytes,
                                             about.requested_bytes)

    def _add_log(self, log):
        strings = log.id_to_string
        for entry in log.log_entries:
            if entry.name not in self.ops:
                continue
            self.types[entry.name].update(entry.types)
            self.costs[entry.name]["float_ops"] = entry.float_ops
            self.frames[entry.name] = [_short(trace, strings)
                                       for trace in entry.code_def.traces]
        for name in list(self.ops):
            forward = re.search("gradients/(.+?)_grad/", name)
            if forward and self.frames[name]:
                self.frames[name] = [
                    frame + " (gradient)"
                    for frame in self.frames.get(forward[1], [])]


def _message(kind, name):
    return tf_messages.parse(kind, (FOLDER / name).read_bytes(),
                             name.endswith(".pbtxt"))


class Inputs:
    """Files for one question, and the model whose they are."""

    def __init__(self, model, graph=None, runs=(), log=None, profile=None,
                 steps=None, has_code=True):
        self.model = model
        self.graph, self.log, self.profile = graph, log, profile
        self.runs = list(zip(steps or range(len(runs)), runs))
        self.steps = steps or list(range(len(runs)))
        self.has_code = has_code and bool(log or profile)
        self.has_words = any(
            judge.with_ids(_message(kind, name))[1]
            for kind, name in (("OpLogProto", log), ("ProfileProto", profile))
            if name)
        # Without run times, `select` is params by itself.
        self.select = "micros" if self.steps else "params"

    def arguments(self):
        if self.profile:
            return [f"--profile_path={self.profile}"]
        words = [f"--graph_path={self.graph}"]
        if self.runs:
            is_plain = self.steps == list(range(len(self.runs)))
            words.append("--run_meta_path=" + ",".join(
                path if is_plain else f"{step}={path}"
                for step, path in self.runs))
        if self.log:
            words.append(f"--op_log_path={self.log}")
        return words

    def for_the_judge(self):
        full = lambda name: name and str(FOLDER / name)
        if self.profile:
            return {"profile": full(self.profile)}
        return {"graph": full(self.graph), "log": full(self.log),
                "runs": [(step, full(path)) for step, path in self.runs]}


@functools.cache
def all_inputs():
    """The sets of files to ask about, each model's whole set often."""
    found = []
    for name, graph, run_count, log in (
            ("bert", "bert.pb", 2, "bert_oplog"),
            ("cifar", "cifar.pb", 4, "cifar_oplog"),
            ("lm", "lm.pb", 2, "lm_oplog"),
            ("multi", "multi.pb", 2, "multi_oplog"),
            ("v2func", "v2func.pb", 2, "v2func_oplog"),
            ("resnet", "resnet.pb", 3, "resnet_oplog"),
            ("seq2seq", "seq2seq.pbtxt", 2, "seq2seq_oplog_id"),
            ("while", "while.pbtxt", 2, "while_oplog"),
            ("edge", "edge.pb", 1, "edge_oplog")):
        runs = [f"{name}_run_meta_{i}" for i in range(run_count)]
        if name == "edge":
            runs = ["edge_run_meta"]
        model = Model(graph, runs, log)
        has_code = bool(model.traced)
        whole = Inputs(model, graph, runs, log, has_code=has_code)
        found += [whole] * 4
        profile = f"{name}.profile"
        if (FOLDER / profile).exists():
            steps = list(_message("ProfileProto", profile).steps)
            found += [Inputs(model, profile=profile, steps=steps)] * 2
        text = f"{name}.pbtxt"
        if graph != text and (FOLDER / text).exists():
            # It need not have the shapes that the other has.
            found.append(Inputs(Model(text, runs, log), text, runs, log,
                                has_code=has_code))
        found += [
            Inputs(model, graph, runs, has_code=False),
            Inputs(model, graph, (), log, has_code=has_code),
            Inputs(model, graph, runs[-1:], log, steps=[7],
                   has_code=has_code),
        ]
        if name in ("lm", "resnet"):
            found.append(Inputs(model, graph, has_code=False))
        if name == "cifar":
            found.append(Inputs(model, graph, runs[:3], log, steps=[9, 2, 40]))
        for other in ("inline", "mixed", "neg"):
            other = f"{name}_oplog_{other}"
            if (FOLDER / other).exists():
                found.append(Inputs(model, graph, runs, other))
        if name == "resnet":
            found += [Inputs(model, graph, ["resnet_run_meta_nostream"], log),
                      Inputs(model, profile="nostream.profile", steps=[0],
                             has_code=False)]
    return found


# ---- Draws ------------------------------------------------------------------

Draw = collections.namedtuple("Draw", "view inputs options")


def _escaped(text):
    # A comma would end the pattern.
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text).replace(",", ".")


def _pattern(random, name):
    """A regular expression that matches a name, and others like it."""
    if not name:  # there is a node without one, and one without a type
        return "()"
    words = re.findall("[A-Za-z]+", name) or [""]
    ends = [match.start() for match in re.finditer("[/:_.]", name)]
    kind = random.choice(("exact", "prefix", "suffix", "word", "case",
                          "digits", "letters", "either"))
    if kind == "prefix" and ends:
        return _escaped(name[:random.choice(ends)]) + ".*"
    if kind == "suffix" and ends:
        return ".*" + _escaped(name[random.choice(ends):])
    if kind == "word":
        return f".*{random.choice(words)}.*"
    if kind == "case":
        return f"(?i:.*{random.choice(words).upper()}.*)"
    if kind == "digits":
        return re.sub("[0-9]+", r"\\d+", _escaped(name))
    if kind == "either":
        return f"(none|{_escaped(name)}|{random.choice(words)}[^/]+?)"
    if kind == "letters" and re.match("[A-Za-z]", name):
        half = "a-mA-M" if name[0].lower() <= "m" else "n-zN-Z"
        return f"[{half}].*"
    return _escaped(name)


def _names(view, node):
    """What a view calls a node and what stands above it."""
    if view == "op":
        return [node.op]
    if view == "code":
        return node.frames or ["_"]
    if view == "graph":
        return [node.name]
    parts = node.name.split("/")
    return ["/".join(parts[:i + 1]) for i in range(len(parts))]


class Question:
    """Most keep one node in sight, so that there is something to print: what
    shows it, matches it; what hides, hides others; no minimum is above it."""

    def __init__(self, view, inputs, random):
        self.view, self.inputs, self.random = view, inputs, random
        self.model = inputs.model
        self.nodes = (self.model.traced if view == "code"
                      else self.model.nodes)
        busy = [node for node in self.nodes if node.costs["micros"]]
        self.node = random.choice(
            busy if busy and inputs.steps and self.chance(80) else self.nodes)
        self.names = _names(view, self.node)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def matching(self):
        """Patterns for the node, and perhaps for others."""
        patterns = [_pattern(self.random, self.random.choice(self.names))]
        return patterns + self.other([]) if self.chance(40) else patterns

    def other(self, kept):
        """Patterns for other nodes, most of them without a match in `kept`."""
        patterns = []
        for _ in range(self.random.randint(1, 3)):
            node = self.random.choice(self.nodes)
            pattern = _pattern(
                self.random, self.random.choice(_names(self.view, node)))
            if self.chance(10) or not any(re.fullmatch(pattern, name)
                                          for name in kept):
                patterns.append(pattern)
        return patterns

    def types(self):
        """Patterns for types: an op, a device, a word of the op log."""
        nodes = [self.node] + self.random.choices(
            self.nodes, k=self.random.choice((0, 0, 1, 2)))
        patterns = [_pattern(self.random, self.random.choice(node.types))
                    for node in nodes]
        return patterns + [".*"] if self.chance(4) else patterns

    def minimum(self, metric):
        """A value that some node has, mostly not more than the node's."""
        values = self.model.largest[metric]
        if not self.chance(10):
            values = [value for value in values
                      if value <= self.node.costs[metric]] or [-1]
        if not values:
            return 1
        return values[self.random.randrange(8) * (len(values) - 1) // 7]

    def depth(self, is_deep):
        if is_deep and self.chance(60):
            return self.random.choice((11, 12, 30, 100))
        return self.random.choice((0, *DEPTHS) if self.view == "op"
                                  else DEPTHS)

    def options(self):
        options = {}
        if self.chance(75):
            count = self.random.choice((1, 1, 2, 3, 4, len(SELECT)))
            options["select"] = sorted(self.random.sample(SELECT, count),
                                       key=SELECT.index)
        if self.chance(60):
            options["order_by"] = self.random.choice(
                (*judge.MINIMA, "depth"))
        if self.inputs.steps and self.chance(40):
            options["step"] = self.random.choice(self.inputs.steps)
        if self.chance(25):
            options["account_displayed_op_only"] = True
        if self.chance(25):
            options["account_type_regexes"] = self.types()
        if self.chance(15):
            options["start_name_regexes"] = self.matching()
        if self.chance(20):
            options["show_name_regexes"] = self.matching()
        if self.chance(20):
            options["hide_name_regexes"] = self.other(self.names)
        if self.chance(15):
            options["trim_name_regexes"] = self.other(self.names)
        if self.chance(40):
            for metric in self.random.sample(judge.MINIMA,
                                             self.random.choice((1, 2, 3))):
                options[f"min_{metric}"] = self.minimum(metric)
        if self.chance(50):
            options["max_depth"] = self.depth("show_name_regexes" in options)
        return {key: value for key, value in options.items()
                if value != DEFAULTS.get(key) and value != []}


def _draws(view, count):
    """`count` questions about a view, the same in every run. Hypothesis
    gives a source of chance for each; it likes to vary what it had before,
    and choices made one by one by it would be the same again and again."""
    inputs = [inputs for inputs in all_inputs()
              if view != "code" or inputs.has_code]
    drawn = []

    @hypothesis.seed(program.chooser(f"live {view}").getrandbits(64))
    @hypothesis.settings(
        max_examples=count, database=None, deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.randoms(use_true_random=True))
    def collect(random):
        question = Question(view, random.choice(inputs), random)
        drawn.append(Draw(view, question.inputs, question.options()))

    collect()
    return drawn


# ---- Answers ----------------------------------------------------------------

def _command(draw):
    words = [draw.view, *draw.inputs.arguments(), "--formulas=none"]
    for key, value in draw.options.items():
        if isinstance(value, list):
            value = ",".join(value)
        words.append(f"--{key}={'true' if value is True else value}")
    return words


def _ours(draw):
    done = program.run(*_command(draw), cwd=FOLDER)
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
    return "\n".join([f"$ tfprof {shlex.join(_command(draw))}", *lines])


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


def _work(groups, tally):
    """Takes groups of draws about the same inputs, until none is left."""
    with judge.Judge() as upstream:
        while True:
            try:
                group = groups.get_nowait()
            except queue.Empty:
                return
            with upstream.opened(group[0].inputs.for_the_judge()):
                for draw in group:
                    _take(upstream, draw, tally)


def _take(upstream, draw, tally):
    try:
        ours, theirs, row_count, decisions = _compare(upstream, draw)
    except judge.Failed as failure:
        with tally.lock:
            tally.failed.append(f"{shlex.join(_command(draw))}\n{failure}")
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


def test_random_questions_have_the_answers_of_the_wheel(say):
    start = time.monotonic()
    draws = [draw for view in VIEWS
             for draw in _draws(view, -(-DRAWS // len(VIEWS)))]
    by_inputs = collections.defaultdict(list)
    for draw in draws:
        by_inputs[id(draw.inputs)].append(draw)
    groups = queue.Queue()
    for group in sorted(by_inputs.values(), key=len, reverse=True):
        groups.put(group)

    tally = Tally()
    workers = min(2, os.cpu_count() or 1)  # half a gigabyte each
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for work in [pool.submit(_work, groups, tally)
                     for _ in range(workers)]:
            work.result()

    for line in tally.lines(time.monotonic() - start):
        say(line)
    if tally.differing:
        title = f"{tally.differing} differences; in {FOLDER}:"
        pytest.fail("\n\n".join([title, *tally.shown.values()]))
    if tally.failed:
        pytest.fail("\n\n".join(tally.failed[:SHOWN]))
    assert set(tally.views.values()) == {-(-DRAWS // len(VIEWS))}
    if DRAWS >= 300:  # fewer say nothing about shares
        assert all(tally.share(kind) >= 0.05 for kind in KINDS)
        assert sum(tally.filled.values()) >= 0.8 * tally.total
