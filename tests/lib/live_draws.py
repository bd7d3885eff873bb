"""Models to ask about, and questions about them, drawn at random.

Questions are made from what the models have: their types, names, devices,
lines of code and sizes. TFPROF_TEST_SEED draws others.
"""

import collections
import functools
import re

import judge
import program
import tf_messages
from files import SHARED

FOLDER = SHARED / "golden" / "inputs"
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
        self._add_graph(message("GraphDef", graph))
        for run in runs:
            self._add_run(message("RunMetadata", run))
        if log:
            self._add_log(judge.with_ids(message("OpLogProto", log))[0])
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


def message(kind, name):
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
            judge.with_ids(message(kind, name))[1]
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
            steps = list(message("ProfileProto", profile).steps)
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
        self.nodes = (self.model.traced if view == "code" else self.model.nodes)
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
        return self.random.choice((0, *DEPTHS) if self.view == "op" else DEPTHS)

    def options(self):
        options = {}
        if self.chance(75):
            count = self.random.choice((1, 1, 2, 3, 4, len(SELECT)))
            options["select"] = sorted(self.random.sample(SELECT, count),
                                       key=SELECT.index)
        if self.chance(60):
            options["order_by"] = self.random.choice((*judge.MINIMA, "depth"))
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


def draws(view, count, name="live"):
    """`count` questions about a view, the same in every run; fewer are the
    first of more."""
    inputs = [inputs for inputs in all_inputs()
              if view != "code" or inputs.has_code]
    source = program.chooser(f"{name} {view}")
    drawn = []
    for _ in range(count):
        random = program.chooser(str(source.getrandbits(64)))
        question = Question(view, random.choice(inputs), random)
        drawn.append(Draw(view, question.inputs, question.options()))
    return drawn


def command(draw):
    words = [draw.view, *draw.inputs.arguments(), "--formulas=none"]
    for key, value in draw.options.items():
        if isinstance(value, list):
            value = ",".join(value)
        words.append(f"--{key}={'true' if value is True else value}")
    return words
