"""The commands of the specification's tutorials, each as one command line on
a ResNet of 32 layers and a seq2seq model of our own.

What is typed at a prompt there is given with the inputs here; an option that
was `set` before stands in the line itself. (test_prompt_pty.py types them, and
the rest of the dialogue.) Where a name or a number of their
models does not exist in ours, the second text of a row has ours. The answers
are held against TensorFlow's own tfprof, byte for byte, and against the
messages in the files; our ResNet is built like theirs, so many of the figures
that the tutorials print must come out again.

The documents: "architecture" (parameters and float operations), "2016" and
"2017" (the two guides to the command line), "builder" (options in Python) and
"time".
"""

# labels: tf

import collections
import re
import shlex

import pytest

import judge
import tf_messages
import upstream
from files import needs_tensorflow
from tutorial_commands import COMMANDS, INPUTS, PARAMETERS, RUNS

pytestmark = pytest.mark.recorded

# What the tutorials also have, and why it is not here.
LEFT_OUT = (
    ("2016 3, 2017 4", "scope ... -select tensor_value", "these models have no "
     "checkpoint; test_upstream.py has others: ck_scope_values and its kin"),
    ("2016 4, 2017 5", "scope -account_type_regexes _checkpoint_variables ...",
     "as above: tf_cifar_scope_ckvars and its kin"),
    ("time", "graph ... -output timeline:outfile=...",
     "test_timeline.py has it"),
    ("time, 2017 3", "code ... -output timeline:outfile=...",
     "test_timeline.py has it"),
    ("builder", "with_timeline_output()", "test_timeline.py has it"),
    ("builder", "with_pprof_output()", "test_pprof.py has it"),
    ("2016 1, 2017 1", "bazel build", "no command of tfprof"),
)



# ---- Asking ------------------------------------------------------------------

@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return upstream.make_place(tmp_path_factory.mktemp("tutorial") / "place")


def ask(place, inputs, command, log=None):
    """The answer to a command on a set of inputs."""
    graph, runs, own_log = INPUTS[inputs]
    view, *options = shlex.split(command)
    words = [view, f"--graph_path={graph}"]
    if runs:
        words.append(f"--run_meta_path={','.join(runs)}")
    if log or own_log:
        words.append(f"--op_log_path={log or own_log}")
    return upstream.run([*words, *options], place)


def text(place, inputs, command, **kwargs):
    answer = ask(place, inputs, command, **kwargs)
    assert answer.code == 0, answer.err
    assert not answer.files
    return answer.out.decode()


ROW = re.compile(r"^( *)(\S+) \((.*)\)$", re.MULTILINE)


def shown(answer):
    """{name: what stands in its brackets} of a tree; one line a row."""
    rows = ROW.findall(answer)
    assert len(rows) == len(answer.splitlines()) - 1  # and the legend
    assert rows[0][1] == "_TFProfRoot"
    return {name: facts for _, name, facts in rows}


LISTS = ("account_type_regexes", "start_name_regexes", "trim_name_regexes",
         "show_name_regexes", "hide_name_regexes", "select")
OUR_OWN = ("device_regexes", "viz")  # the wheel has forgotten them


def as_options(command, is_run):
    """A command as fields of OptionsProto."""
    options = {name: [] if name in ("trim_name_regexes", "hide_name_regexes")
               else [".*"] for name in LISTS}
    options.update(max_depth=10, step=-1, order_by="name", output="stdout",
                   select=["micros" if is_run else "params"],
                   account_displayed_op_only=False)
    words = re.sub("=", " ", command).split(" ", 1)[1]
    words = collections.deque(shlex.split(words))
    while words:
        name = words.popleft().lstrip("-")
        if name == "account_displayed_op_only":
            options[name] = not words or words[0] != "false"
            if words and words[0] in ("true", "false"):
                words.popleft()
            continue
        value = words.popleft()
        if name in OUR_OWN:
            assert value in (".*", "false")
        elif name in LISTS:
            options[name] = [word for word in value.split(",") if word]
        else:
            options[name] = value if name == "order_by" else int(value)
    return options


def as_judged(inputs, log=None):
    graph, runs, own_log = INPUTS[inputs]
    log = log or own_log
    return {"graph": str(upstream.input_path(graph)),
            "log": str(upstream.input_path(log)) if log else None,
            "runs": [(step, str(upstream.input_path(path)))
                     for step, path in enumerate(runs)]}


@pytest.fixture(scope="module")
def judged():
    """judged(inputs, command): the wheel's text."""
    texts = {}
    wanted = collections.defaultdict(list)
    for row in COMMANDS:
        wanted[row.inputs].append(row.here)
    wanted["runs"] += EVERYTHING.values()
    with judge.Judge("tutorial") as wheel:
        for inputs, commands in wanted.items():
            with wheel.opened(as_judged(inputs)):
                for command in commands:
                    options = as_options(command, bool(INPUTS[inputs][1]))
                    texts[inputs, command] = wheel.ask(
                        command.split()[0], options)["text"]
    return lambda inputs, command: texts[inputs, command]


# ---- The commands ------------------------------------------------------------

@needs_tensorflow
@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_command(row, place, judged):
    answer = text(place, row.inputs, row.here)
    assert answer == judged(row.inputs, row.here)
    legend, *rows = answer.splitlines()
    assert legend.startswith("node name | ")
    # A tree has a root above its rows, which alone answers nothing.
    is_tree = not row.here.startswith("op ")
    assert len(rows) > (is_tree and not row.here.endswith(" -max_depth 1"))
    lines = [line.strip() for line in rows]
    for figure in row.figures:
        assert figure in lines


def test_how_many(say):
    say(f"{len(COMMANDS)} command lines, {len(LEFT_OUT)} left out")


# ---- The same figures from the files themselves ------------------------------

def read(name):
    kind = ("OpLogProto" if "oplog" in name else
            "RunMetadata" if "run_meta" in name else "GraphDef")
    return tf_messages.parse(kind, upstream.input_path(name).read_bytes(),
                             name.endswith(".pbtxt"))


def parameters(node):
    count = 1
    for dim in node.attr["shape"].shape.dim:
        count *= dim.size
    return count


def readable(number):
    for unit, size in (("b", 10 ** 9), ("m", 10 ** 6), ("k", 1000)):
        if number >= size:
            return f"{number / size:.2f}{unit}"
    return str(number)


def root(answer):
    return shown(answer)["_TFProfRoot"]


@pytest.fixture(scope="module")
def variables():
    """{name: number of parameters} of the ResNet."""
    return {node.name: parameters(node) for node in read("resnet.pb").node
            if node.op == "VariableV2"}


@needs_tensorflow
def test_parameters_are_the_sizes_of_the_variables(place, variables):
    answer = text(place, "graph", COMMANDS[0].here)
    assert root(answer) == f"--/{readable(sum(variables.values()))} params"
    trained = {entry.name for entry in read("resnet_oplog").log_entries
               if "_trainable_variables" in entry.types}
    answer = text(place, "log", "scope -account_type_regexes "
                  "_trainable_variables -max_depth 100 -select params")
    assert root(answer) == "--/" + readable(
        sum(variables[name] for name in trained)) + " params"
    # One row a trainable variable, each with its own number.
    own = {name: re.search(r"(?:^|, )(\S+)/\S+ params$", facts)[1]
           for name, facts in shown(answer).items()}
    assert {name: number for name, number in own.items() if number != "--"} \
        == {name: readable(variables[name]) for name in trained}


@needs_tensorflow
def test_float_operations_are_those_of_the_log(place):
    entries = [entry for entry in read("resnet_oplog").log_entries
               if entry.float_ops]
    answer = text(place, "log", "scope -min_float_ops 1 -select float_ops "
                  "-max_depth 100 -account_displayed_op_only")
    rows = shown(answer)
    assert rows.pop("_TFProfRoot") == "--/" + readable(
        sum(entry.float_ops for entry in entries)) + " flops"
    assert {name: facts.split("/")[0] for name, facts in rows.items()} == {
        entry.name: readable(entry.float_ops) for entry in entries}


@needs_tensorflow
def test_parameters_are_found_on_the_servers_that_ran_them(place, variables):
    """A variable is where its run records are."""
    held = collections.Counter()
    for name in RUNS:
        for device in read(name).step_stats.dev_stats:
            task = re.search(r"/job:ps/.*(task:\d)", device.device)
            if task:
                held.update({(task[1], stats.node_name)
                             for stats in device.node_stats
                             if stats.node_name in variables})
    for task in ("task:0", "task:1"):
        want = sum(variables[name] for where, name in held if where == task)
        assert want
        answer = text(place, "runs", "scope -select device,params "
                      f"-account_type_regexes .*ps.*{task}.* -max_depth 1")
        assert root(answer).startswith(f"--/{readable(want)} params")


@needs_tensorflow
@pytest.mark.parametrize("inputs, graph", [("all", "resnet.pb"),
                                           ("seq2seq", "seq2seq.pbtxt")])
def test_operations_occur_as_often_as_in_the_graph(place, inputs, graph):
    answer = text(place, inputs, "op -select micros,occurrence "
                  "-order_by micros -max_depth 1000")
    occur = dict(re.findall(r"^(\S+) .* \d+\|(\d+)$", answer, re.MULTILINE))
    defined = collections.Counter(node.op for node in read(graph).node)
    for operation, count in defined.items():
        assert int(occur[operation]) == count, operation


# ---- A type of one's own (2016 11, 2017 12) ----------------------------------

@needs_tensorflow
def test_a_type_that_an_op_log_defines(place):
    log = tf_messages.message_class("OpLogProto")()
    for name in ("pool_logit/DW", "pool_logit/biases"):
        log.log_entries.add(name=name, types=["pool_logit"])
    (place / "my_op_log").write_bytes(log.SerializeToString())
    answer = text(place, "graph", "scope -account_type_regexes pool_logit "
                  "-max_depth 4 -select params", log="my_op_log")
    assert shown(answer) == {
        "_TFProfRoot": "--/650 params",
        "pool_logit": "--/650 params",
        "pool_logit/DW": "64x10, 640/640 params",
        "pool_logit/biases": "10, 10/10 params",
    }


# ---- Into a file (2016 12, 2017 12) ------------------------------------------

@pytest.mark.parametrize("option", ["--dump_to_file=dump",
                                    "-dump_to_file dump",
                                    "--output=file:outfile=dump",
                                    "-output file:outfile=dump"])
def test_the_answer_goes_into_a_file(place, option):
    answer = ask(place, "text", f"scope --max_depth=3 {option}")
    assert (answer.code, answer.out) == (0, b"")
    want = text(place, "text", "scope --max_depth=3")
    assert answer.files == {"dump": want.encode()}
    assert PARAMETERS in want


# ---- What only the guide of 2016 has -----------------------------------------

EVERYTHING = {
    "devices": "scope -max_depth 1000 -select device",
    "rows": "scope -max_depth 1000 -select params",
}


@needs_tensorflow
@pytest.mark.parametrize("regex", [
    ".*ps.*task:0.*", ".*ps.*task:1.*", ".*ps.*", ".*gpu:0.*",
    ".*task:0/.*cpu:0"])
def test_device_regexes_show_what_is_on_a_device(place, judged, regex):
    everything = shown(judged("runs", EVERYTHING["devices"]))
    on_device = {name for name, devices in everything.items()
                 if any(re.fullmatch(regex, device)
                        for device in devices.split("|"))}
    assert 0 < len(on_device) < len(everything)
    answer = text(place, "runs", "scope -max_depth 1000 -select device "
                  f"-device_regexes {regex}")
    rows = shown(answer)
    assert rows.pop("_TFProfRoot") == everything["_TFProfRoot"]
    assert rows == {name: everything[name] for name in on_device}


@needs_tensorflow
def test_device_regexes_may_be_several_or_all(place, judged):
    listing = EVERYTHING["devices"]
    assert text(place, "runs", f"{listing} -device_regexes .*") \
        == judged("runs", listing)
    both = text(place, "runs", f"{listing} -device_regexes "
                "'.*ps.*task:0.*,.*ps.*task:1.*'")
    assert both == text(place, "runs", f"{listing} -device_regexes '.*ps.*'")
    assert len(shown(text(place, "runs", f"{listing} -device_regexes "
                          "'.*tpu.*'"))) == 1


@needs_tensorflow
@pytest.mark.parametrize("options", [
    "-max_depth 1", "-max_depth 2", "-max_depth 1000",
    "-max_depth 3 -show_name_regexes unit.*",
    "-max_depth 1000 -hide_name_regexes .*/Momentum.*",
    "-max_depth 1000 -min_params 1000"])
def test_num_hidden_ops_counts_what_is_not_displayed(place, options):
    nodes = [node.name for node in read("resnet.pb").node]
    plain = shown(text(place, "graph", f"scope {options} -select params"))
    rows = shown(text(place, "graph",
                      f"scope {options} -select params,num_hidden_ops"))
    assert list(rows) == list(plain)
    hidden = collections.Counter()  # by what is above a node
    for node in nodes:
        if node not in rows:
            parts = node.split("/")
            hidden.update("/".join(parts[:i]) for i in range(len(parts)))
    hidden["_TFProfRoot"] = hidden[""]
    assert rows == {name: f"{facts}, {hidden[name]} hidden"
                    for name, facts in plain.items()}


@needs_tensorflow
def test_order_by_depth_keeps_the_order_of_the_view(place):
    for inputs, command in (("graph", "scope -max_depth 4 -select params"),
                            ("log", "op -max_depth 100 -select params")):
        assert text(place, inputs, f"{command} -order_by depth") \
            == text(place, inputs, command)
    inputs = {node.name: [name.split(":")[0] for name in node.input]
              for node in read("resnet.pb").node}
    answer = text(place, "graph", "graph -start_name_regexes costs/Mean "
                  "-max_depth 3 -select params -order_by depth")
    rows = [(len(indent) // 2, name) for indent, name, _ in ROW.findall(answer)]
    below = [name for depth, name in rows if depth == 2]
    assert below == [name for name in inputs["costs/Mean"] if name in below]
    assert below


@pytest.mark.parametrize("option", ["-viz", "-viz true", "-viz false",
                                    "--viz=true"])
def test_viz_has_no_effect_and_says_so(place, option):
    command = "scope -max_depth 3 -select params"
    answer = ask(place, "graph", f"{command} {option}")
    assert answer.code == 0
    assert answer.out.decode() == text(place, "graph", command)
    assert not answer.files
    said = answer.err.decode().splitlines()
    assert len(said) == 1 and "viz" in said[0], said


def test_help_tells_the_options(place):
    """tfprof help (2016 1, 2017 1)."""
    answer = upstream.run(["help"], place)
    assert (answer.code, answer.err) == (0, b"")
    for view in ("scope", "graph", "op", "code"):
        assert re.search(rf"\b{view}\b", answer.out.decode())
        told = upstream.run(["help", view], place)
        assert (told.code, told.err) == (0, b"")
        for option in ("max_depth", "min_float_ops", "account_type_regexes",
                       "order_by", "select", "output"):
            assert option.encode() in told.out.replace(b"-", b"_"), view
