"""Statements of the specification that no other test shows.

tests/specification.tsv names the test of each statement. These are about the
ResNet, the loop and the checkpoint of tests/golden/upstream, whose numbers are
those that the specification prints wherever both have them.
"""

# labels: once

import functools
import json
import pathlib
import re
import shlex
import tempfile

import pytest

import pprof
import program
import upstream

RUNS = ",".join(f"resnet_run_meta_{step}" for step in range(3))
INPUTS = {
    "graph": "--graph_path=resnet.pb",
    "text": "--graph_path=resnet.pbtxt",
    "log": "--graph_path=resnet.pb --op_log_path=resnet_oplog",
    "runs": f"--graph_path=resnet.pb --run_meta_path={RUNS}",
    "all": f"--graph_path=resnet.pb --run_meta_path={RUNS} "
           "--op_log_path=resnet_oplog",
    "step": "--graph_path=resnet.pb --run_meta_path=resnet_run_meta_0",
    "cpu": "--graph_path=cifar.pb --run_meta_path=cifar_run_meta_0",
    "checkpoint": "--graph_path=cifar.pb --checkpoint_path=cifar.ckpt",
    "loop": "--graph_path=while.pbtxt --op_log_path=while_oplog",
    "loop run": "--graph_path=while.pbtxt --op_log_path=while_oplog "
                "--run_meta_path=while_run_meta_0",
}
ROOT = "_TFProfRoot"


@functools.cache
def _place():
    folder = tempfile.TemporaryDirectory()
    return folder, upstream.make_place(pathlib.Path(folder.name) / "place")


@functools.cache
def run(inputs, command, stdin=b""):
    """The answer to a command line; an empty command is a session."""
    view, _, options = command.partition(" ")
    words = [*filter(None, [view]), *shlex.split(INPUTS[inputs]),
             *shlex.split(options)]
    return upstream.run(words, _place()[1], stdin)


def text(inputs, command, stdin=b""):
    answer = run(inputs, command, stdin)
    assert (answer.code, answer.files) == (0, {}), answer.err
    return answer.out.decode()


def session(inputs, *lines):
    return text(inputs, "", "".join(f"{line}\n" for line in lines).encode())


class Row:
    def __init__(self, line):
        indent, self.name, facts = re.fullmatch(
            r"( *)(.*) \(([^()]*)\)", line).groups()
        self.level = len(indent) // 2
        self.facts = facts.split(", ")

    @property
    def own(self):
        return self.facts[-1].split("/")[0]


def rows(answer):
    """The rows of a tree below its legend."""
    return [Row(line) for line in answer.splitlines()[1:]]


def by_name(answer):
    return {row.name: row for row in rows(answer)}


@functools.cache
def answered(inputs, command):
    """The rows of `-format json`, each with the rows below it."""
    listed = json.loads(text(inputs, f"{command} -format json"))["rows"]
    above = []
    for row in listed:
        row["below"] = []
        above[row["depth"]:] = [row]
        if len(above) > 1:
            above[-2]["below"].append(row)
    return listed


def table(inputs, command):
    return {row["name"]: row for row in answered(inputs, command)}


# ---- Options of the recorded cases -------------------------------------------

# A recorded answer shows what an option does if it is another without it.
OPTION_CASES = [
    f"rn_{view}_{kind}_{metric}" for view, kind, metrics in (
        ("scope", "min", "bytes peak_bytes residual_bytes output_bytes micros "
         "accelerator_micros cpu_micros params float_ops occurrence"),
        ("op", "min", "bytes micros params float_ops"),
        ("graph", "min", "bytes micros params float_ops"),
        ("code", "min", "micros"),
        ("scope", "order", "bytes micros params float_ops"),
        ("graph", "order", "bytes micros params float_ops"),
        ("op", "order", "bytes micros params float_ops occurrence"),
        ("code", "order", "bytes micros params float_ops"),
        ("scope", "sel", "bytes params float_ops occurrence tensor_value "
         "device op_types accelerator_micros cpu_micros"),
        ("graph", "sel", "bytes params float_ops occurrence device op_types"),
        ("op", "sel", "bytes params float_ops occurrence device op_types"),
        ("code", "sel", "bytes params float_ops device op_types"),
        ("scope", "step", "0"), ("op", "step", "0"), ("code", "step", "0"))
    for metric in metrics.split()] + [
    "rn_scope_trim", "rn_graph_trim", "s2s_code_trim",
    "rn_scope_show", "rn_graph_show", "rn_op_show", "rn_code_show",
    "rn_scope_hide", "rn_graph_hide", "rn_op_hide", "rn_code_hide",
    "rn_scope_show_adoo", "rn_scope_hide_adoo",
    "tf_bert_scope_start", "tf_multi_graph_start", "tf_multi_op_start",
    "s2s_code_start", "tf_lm_scope_depth_2", "tf_lm_graph_depth_2",
    "tf_lm_op_depth_2", "tf_lm_code_depth_2", "tf_multi_scope_type_cpu1",
    "tf_multi_scope_type_matmul", "tf_lm_scope_type_two"]
OPTION_OF = (
    (r"_min_(\w+)$", r"min_\1"), (r"_order_\w+$", "order_by"),
    (r"_sel_\w+$", "select"), (r"_step_\d$", "step"), (r"_depth_\d$",
                                                        "max_depth"),
    (r"_type_\w+$", "account_type_regexes"),
    (r"_adoo$", "account_displayed_op_only"),
    (r"_(trim|show|hide|start)$", r"\1_name_regexes"))


def option_of(name):
    return next(re.search(pattern, name).expand(option)
                for pattern, option in OPTION_OF if re.search(pattern, name))


@pytest.fixture(scope="module")
def without():
    """{name: Answer} of the cases, each without the option it is about."""
    cases = {case.name: case for case in upstream.CASES}
    dropped = []
    for name in OPTION_CASES:
        option = f"--{option_of(name)}"
        words = [word for word in cases[name].words
                 if word.partition("=")[0] != option]
        assert len(words) == len(cases[name].words) - 1, name
        case = upstream.pack.Case(cases[name].line)
        case.words = words
        dropped.append(case)
    return upstream.run_all(dropped)


@pytest.mark.parametrize("name", OPTION_CASES)
def test_the_recorded_answer_depends_on_its_option(name, without):
    assert without[name].code == 0, without[name].err
    assert without[name].out != upstream.expected(f"{name}.txt")


# ---- Parameters --------------------------------------------------------------

VARIABLES = "scope -account_type_regexes VariableV2 -max_depth 4 -select params"
LISTED = [
    (1, "global_step", "1, 1/1 params"),
    (1, "init/init_conv/DW", "3x3x3x16, 432/864 params"),
    (1, "pool_logit/DW", "64x10, 640/1.28k params"),
    (2, "pool_logit/DW/Momentum", "64x10, 640/640 params"),
    (1, "pool_logit/biases", "10, 10/20 params"),
    (2, "pool_logit/biases/Momentum", "10, 10/10 params"),
    (1, "unit_last/final_bn/beta", "64, 64/128 params"),
    (1, "unit_last/final_bn/gamma", "64, 64/128 params"),
    (1, "unit_last/final_bn/moving_mean", "64, 64/64 params"),
    (1, "unit_last/final_bn/moving_variance", "64, 64/64 params"),
]


def listed(answer):
    return [(row.level, row.name, ", ".join(row.facts)) for row in rows(answer)]


def test_variables_of_older_graphs_have_the_type_variable(tmp_path):
    graph = upstream.input_path("resnet.pbtxt").read_text()
    (tmp_path / "old.pbtxt").write_text(graph.replace("VariableV2", "Variable"))
    done = program.run("scope", f"--graph_path={tmp_path / 'old.pbtxt'}",
                       "-account_type_regexes", "Variable", "-max_depth", "4",
                       "-select", "params")
    assert done.stdout.decode() == text("graph", VARIABLES)


def test_a_bare_scope_is_a_row_unless_a_minimum_hides_it():
    shown = by_name(text("graph", VARIABLES))
    assert shown["init"].facts == ["--/864 params"]
    assert shown["init/init_conv/DW"].level == 3
    assert listed(text("graph", f"{VARIABLES} -min_params 1")) == [
        (0, ROOT, "--/930.58k params"), *LISTED]


def test_trainable_rows_have_scopes_unless_a_minimum_hides_them():
    answer = session("log", "set -account_type_regexes _trainable_variables",
                     "scope -max_depth 4 -select params",
                     "scope -max_depth 4 -select params -min_params 1")
    first, second = answer.split("node name | # parameters\n")[1:]
    assert "  init (--/432 params)\n" in first
    kept = ("init/init_conv/DW", "pool_logit/DW", "pool_logit/biases",
            "unit_last/final_bn/beta", "unit_last/final_bn/gamma")
    assert listed(f"\n{second}") == [(0, ROOT, "--/464.15k params"), *(
        (1, name, facts.replace(facts.split("/")[-1], facts.split("/")[0]
                                .split(", ")[-1] + " params"))
        for _, name, facts in LISTED if name in kept)]


def test_a_scalar_has_the_shape_1():
    assert "  global_step (1, 1/1 params)\n" in text("graph", VARIABLES)


def test_a_matching_type_brings_the_scopes_above_it():
    """A node of another type is a row only above one that counts."""
    shown = rows(text("graph", VARIABLES.replace("4", "100")))
    variables = {row.name for row in shown if row.own != "--"}
    others = [row.name for row in shown[1:] if row.name not in variables]
    assert variables and others
    for name in others:
        assert any(one.startswith(f"{name}/") for one in variables), name


# ---- Float operations --------------------------------------------------------

def test_a_loop_counts_once_without_runs_and_by_runs_with_them():
    command = "scope -max_depth 100 -select float_ops,occurrence"
    once = table("loop", command)
    counted = table("loop run", command)
    several = 0
    for name, row in counted.items():
        own = once[name]["self"]["float_ops"]
        times = row["self"]["runs"]
        assert row["self"]["float_ops"] == own * times, name
        several += own > 0 and times > 1
    assert several


def test_float_operations_need_no_op_log():
    command = "scope -max_depth 100 -select float_ops"
    alone, logged = table("graph", command), table("log", command)
    counted = [name for name in logged if name.endswith("/Conv2D")
               and alone[name]["self"]["float_ops"]]
    assert len(counted) > 10
    for name in counted:
        assert (alone[name]["self"]["float_ops"]
                == logged[name]["self"]["float_ops"]), name


def test_an_operation_without_a_formula_has_none():
    shown = table("graph", "op -select float_ops -max_depth 1000")
    assert shown["Conv2D"]["self"]["float_ops"] > 0
    assert not shown["VariableV2"]["self"]["float_ops"]


# ---- The prompt --------------------------------------------------------------

DEFAULTS = {
    "max_depth": "10", "min_bytes": "0", "min_micros": "0", "min_params": "0",
    "min_float_ops": "0", "min_occurrence": "0", "step": "-1",
    "order_by": "name", "account_type_regexes": ".*",
    "start_name_regexes": ".*", "trim_name_regexes": "",
    "show_name_regexes": ".*", "hide_name_regexes": "",
    "account_displayed_op_only": "false", "select": "params",
    "output": "stdout:",
}


@functools.cache
def settings():
    return dict(re.fullmatch(r"-(\w+) *(.*)", line).groups()
                for line in session("graph", "").splitlines())


@pytest.mark.parametrize("option", DEFAULTS)
def test_an_empty_line_lists_the_default(option):
    assert settings()[option] == DEFAULTS[option]


def test_an_empty_line_lists_options_only():
    """No comments between them; `help select` has the words."""
    listing = session("graph", "")
    assert all(line.startswith("-") for line in listing.splitlines())
    told = session("graph", "help select")
    for word in ("bytes", "micros", "params", "float_ops", "num_hidden_ops",
                 "tensor_value", "device", "op_types", "occurrence"):
        assert re.search(rf"\b{word}\b", told), word


def test_the_default_selects_times_once_there_are_runs():
    assert re.search(r"^-select +micros$", session("step", ""), re.MULTILINE)


def test_device_regexes_has_the_default_all():
    done = program.run("help", "device_regexes")
    assert b"(default: .*)" in done.stdout
    assert text("runs", "scope -max_depth 3 -device_regexes .*") \
        == text("runs", "scope -max_depth 3")


def test_the_default_writes_no_file():
    assert text("graph", "scope -max_depth 3").startswith("node name | ")


# ---- Accounting --------------------------------------------------------------

@pytest.mark.parametrize("options, total", [
    ("-account_displayed_op_only", "18.43k"), ("", "930.58k")],
    ids=["displayed", "all"])
def test_names_select_operations(options, total):
    answer = text("graph", "scope -show_name_regexes unit_2_1.*DW "
                           f"-max_depth 100 {options}")
    assert [row.name for row in rows(answer)] == [
        ROOT, "unit_2_1/sub1/conv1/DW", "unit_2_1/sub2/conv2/DW"]
    assert rows(answer)[0].facts == [f"--/{total} params"]


def test_what_max_depth_hides_is_accounted():
    one, many = (text("graph", f"scope -max_depth {depth} -select params")
                 for depth in (1, 100))
    assert len(rows(one)) == 1 < len(rows(many))
    assert rows(one)[0].facts == rows(many)[0].facts == ["--/930.58k params"]


@pytest.mark.parametrize("metric", ["bytes", "micros"])
def test_a_minimum_of_a_tree_compares_totals(metric):
    """Not what a row has of its own: parents of a large row are shown too."""
    every = table("runs", f"scope -max_depth 100 -select {metric}")
    least = sorted(row["total"][metric] for row in every.values())[-40]
    shown = table("runs", f"scope -max_depth 100 -select {metric} "
                          f"-min_{metric} {least}")
    assert set(shown) - {ROOT} == {
        name for name, row in every.items()
        if row["total"][metric] >= least and name != ROOT}
    assert any(row["self"][metric] < least for name, row in shown.items()
               if name != ROOT)


def test_the_root_has_no_figure_of_its_own():
    for command in ("graph -start_name_regexes cost.* -max_depth 100 "
                    "-min_micros 10000 -select micros",
                    "scope -start_name_regexes gradient.* -max_depth 100 "
                    "-min_micros 20000 -select micros"):
        root = rows(text("runs", command))[0]
        assert root.name == ROOT
        assert all(fact.startswith("--/") for fact in root.facts)


def test_parameters_of_two_servers_are_all():
    totals = [table("runs", "scope -select params -max_depth 1 "
                            f"-account_type_regexes .*ps.*task:{task}.*")
              [ROOT]["total"]["params"] for task in (0, 1)]
    assert all(totals)
    assert sum(totals) == table("runs", "scope -select params -max_depth 1 "
                                "-account_type_regexes VariableV2")[
        ROOT]["total"]["params"]


def test_nodes_on_a_device_share_its_type():
    every = table("runs", "scope -max_depth 100 -select device")
    on = {name for name, row in every.items()
          if any("gpu:0" in one for one in row["devices"])}
    shown = by_name(text("runs", "scope -max_depth 100 -select occurrence "
                                 "-account_type_regexes .*gpu:0.*"))
    counted = {name for name, row in shown.items() if row.own != "--"}
    assert on and on == counted


# ---- Checkpoints -------------------------------------------------------------

def test_values_of_a_checkpoint_are_lines_below_their_row():
    lines = text("checkpoint", "scope -show_name_regexes unit_1_0.*gamma "
                 "-select tensor_value -max_depth 5").splitlines()
    assert lines[1] == f"{ROOT} ()"
    assert lines[2::2] == ["  unit_1_0/sub1/bn1/gamma ()",
                           "  unit_1_0/sub2/bn2/gamma ()"]
    for values in lines[3::2]:
        assert re.fullmatch(r"\[(\d\.\d\d ){16}\],", values)


CHECKPOINT = ("scope -account_type_regexes _checkpoint_variables -select "
              "params -max_depth {}")


def test_shapes_of_a_checkpoint():
    shown = by_name(text("checkpoint", CHECKPOINT.format(4)))
    assert shown["init/init_conv/DW"].facts == ["3x3x3x16", "432/432 params"]
    assert shown["global_step"].facts == ["1", "1/1 params"]


def test_a_larger_depth_shows_all_tensors():
    few, all_ = (by_name(text("checkpoint", CHECKPOINT.format(depth)))
                 for depth in (4, 10))
    deep = "unit_1_0/sub1/conv1/DW"
    assert deep not in few and deep in all_


def test_the_type_of_checkpoints_is_plural():
    answer = run("checkpoint", "scope -account_type_regexes "
                               "_checkpoint_variable -select params")
    assert len(rows(answer.out.decode())) == 1
    assert b"'.*_checkpoint_variable.*' shows" in answer.err


# ---- Outputs -----------------------------------------------------------------

@pytest.mark.parametrize("view", ["scope", "graph", "op", "code"])
def test_each_view_goes_to_stdout_and_to_a_file(view):
    shown = text("all", f"{view} -max_depth 3")
    assert shown.startswith("node name | ")
    answer = run("all", f"{view} -max_depth 3 -output file:outfile=out")
    assert (answer.code, answer.out) == (0, b"")
    assert answer.files == {"out": shown.encode()}


@pytest.mark.parametrize("view", ["scope", "graph", "code"])
def test_trees_go_to_a_timeline(view):
    answer = run("all", f"{view} -step 0 -output timeline:outfile=out.json")
    assert (answer.code, answer.out) == (0, b"")
    assert list(answer.files) == ["out.json"]
    events = json.loads(answer.files["out.json"])["traceEvents"]
    assert {"M", "X"} <= {event["ph"] for event in events}


def test_the_op_view_has_no_timeline():
    answer = run("all", "op -step 0 -output timeline:outfile=out.json")
    assert (answer.code, answer.out, answer.files) == (2, b"", {})
    assert b"the op view has no timeline" in answer.err


TIMELINE = ("graph -max_depth 10000000 -step 0 -output timeline:outfile=out.json "
            "-account_type_regexes ")
TWO_DEVICES = TIMELINE + ".*gpu:0.*,.*worker.*cpu:0.*"


def events(answer):
    return json.loads(answer.files["out.json"])["traceEvents"]


def lanes(answer):
    """The devices that a timeline has lines of."""
    return {re.search(r"/job:[^/]*.*?(cpu|gpu):\d", event["args"]["name"])[0]
            for event in events(answer)
            if event["ph"] == "M" and event["name"] == "process_name"}


def test_a_timeline_is_written_in_silence():
    answer = run("all", TWO_DEVICES)
    assert (answer.code, answer.out) == (0, b"")
    assert b"timeline" not in answer.err and b"chrome" not in answer.err


def test_types_restrict_a_timeline_to_devices():
    every = lanes(run("all", TIMELINE + ".*"))
    assert any("/job:ps/" in one for one in every)
    assert lanes(run("all", TWO_DEVICES)) == {
        one for one in every if "/job:worker/" in one}


def test_a_timeline_has_the_flow_of_tensors():
    phases = [event["ph"] for event in events(run("all", TWO_DEVICES))]
    assert phases.count("s") == phases.count("f") > 100


def test_standard_output_has_the_answer_only():
    answer = run("text", "scope --max_depth=3")
    assert answer.out.startswith(b"node name | # parameters\n_TFProfRoot (")
    assert b"Reading" not in answer.err and b"Parsing" not in answer.err


def test_a_file_begins_with_the_legend():
    answer = run("text", "scope --max_depth=3 --dump_to_file=dump")
    assert answer.files["dump"].startswith(
        b"node name | # parameters\n_TFProfRoot (--/930.58k params)\n")


@pytest.mark.parametrize("value", ["file", "file:", "file:name=a",
                                   "file:outfile=a,outfile=b",
                                   "timeline", "timeline:name=a"])
def test_an_output_has_a_type_and_an_outfile(value):
    answer = run("graph", f"scope -output {value}")
    assert (answer.code, answer.out, answer.files) == (2, b"", {})
    assert b"--output" in answer.err


def test_stdout_takes_no_key():
    assert text("graph", "scope -max_depth 2 -output stdout") \
        == text("graph", "scope -max_depth 2")


# ---- Time --------------------------------------------------------------------

def test_time_is_that_of_accelerator_and_cpu():
    for row in answered("step", "scope -max_depth 100 -select micros"):
        for part in (row["self"], row["total"]):
            assert part["micros"] == (part["accelerator_micros"]
                                      + part["cpu_micros"]), row["name"]


def test_a_node_on_the_cpu_takes_no_time_of_an_accelerator():
    shown = answered("cpu", "scope -max_depth 100 -select micros,device")
    ran = [row for row in shown if row["devices"]]
    assert len(ran) > 100
    for row in ran:
        assert all("cpu" in one for one in row["devices"])
        assert row["self"]["accelerator_micros"] == 0
        assert row["self"]["micros"] == row["self"]["cpu_micros"] > 0


def test_the_time_of_a_line_is_that_of_its_operations():
    """Each node counts in one line, and in those that called it."""
    lines = answered("all", "code -step 0 -max_depth 1000 -select micros")
    assert len(lines) > 100
    for row in lines:
        assert row["total"]["micros"] == row["self"]["micros"] + sum(
            one["total"]["micros"] for one in row["below"]), row["name"]


def test_the_code_view_needs_an_op_log():
    answer = run("runs", "code -select micros")
    assert (answer.code, answer.out) == (2, b"")
    assert b"the code view requires code traces" in answer.err


def test_the_code_view_without_runs_has_no_times():
    answer = run("log", "code -select micros -max_depth 3")
    assert answer.code == 0
    assert b"no run records" in answer.err
    assert all(fact in ("--/0us", "0us/0us")
               for row in rows(answer.out.decode()) for fact in row.facts)


def test_long_names_of_functions_are_shortened():
    shown = rows(text("all", "code -max_depth 100 -select micros"))
    cut = [row.name for row in shown if "..." in row.name]
    assert cut
    for name in cut:
        assert re.fullmatch(r".*:\d+:.{17}\.\.\.( \(gradient\))?", name)


def test_times_are_three_columns():
    legend = text("all", "code -max_depth 2 -select micros").splitlines()[0]
    assert legend == ("node name | total execution time | accelerator "
                      "execution time | cpu execution time")


def test_a_function_starts_the_code_view():
    every = rows(text("all", "code -max_depth 100 -select micros"))
    shown = rows(text("all", "code -max_depth 100 -select micros "
                             "-start_name_regexes .*build_model.*"))
    first = [row for row in shown if row.level == 1]
    assert first and all("build_model" in row.name for row in first)
    assert 1 < len(shown) < len(every)
    assert shown[0].facts == every[0].facts


def test_library_lines_are_shown_without_a_pattern():
    command = "code -max_depth 100 -select micros -min_micros 1000"
    files = {row.name.split(":")[0] for row in rows(text("all", command))[1:]}
    assert any(not name.startswith("resnet") for name in files)
    assert {row.name.split(":")[0] for row in rows(text(
        "all", f"{command} -show_name_regexes resnet.*"))[1:]} < files


def test_shares_of_the_op_view_add_up():
    lines = text("all", "op -select micros,occurrence -order_by micros "
                        "-max_depth 1000").splitlines()[1:]
    left = 100.
    for line in lines:
        rest, share = map(float, re.search(
            r"\((-?[\d.]+)%, ([\d.]+)%\)", line).groups())
        assert abs(rest - left) < 0.02 * (len(lines) + 1)
        left = rest - share
    assert abs(left) < 1


def test_occurrence_is_runs_and_definitions():
    lines = text("all", "op -select micros,occurrence").splitlines()
    assert lines[0].endswith("op occurrence (run|defined)")
    assert all(re.search(r" \d+\|\d+$", line) for line in lines[1:])


def test_devices_of_a_type_are_joined():
    lines = text("all", "op -select micros,device -order_by micros "
                        "-max_depth 100").splitlines()
    mean = next(line for line in lines if line.startswith("Mean "))
    devices = mean.rsplit(", ", 1)[1].split("|")
    assert len(devices) == 2 and all(one.startswith("/job") for one in devices)
    assert any(one.endswith("cpu:0") for one in devices)


def test_rows_are_ordered_by_time():
    shown = answered("all", "scope -max_depth 30 -select micros "
                            "-min_micros 1000 -order_by micros")
    for row in shown:
        times = [one["total"]["micros"] for one in row["below"]]
        assert times == sorted(times, reverse=True)
    assert any(len(row["below"]) > 1 for row in shown)


# ---- Occurrence --------------------------------------------------------------

def test_min_occurrence_counts_nodes_of_a_type():
    every = table("graph", "op -max_depth 1000 -select occurrence")
    shown = table("graph", "op -max_depth 1000 -select occurrence "
                           "-min_occurrence 100")
    assert shown and set(shown) == {
        name for name, row in every.items()
        if row["nodes"] >= 100}


def test_min_occurrence_counts_runs_of_a_node():
    shown = rows(text("loop run", "scope -max_depth 100 -select occurrence "
                                  "-min_occurrence 5"))
    every = rows(text("loop run", "scope -max_depth 100 -select occurrence"))
    assert 1 < len(shown) < len(every)


def test_min_occurrence_does_not_change_the_code_view():
    command = "code -max_depth 5 -select micros"
    assert text("all", f"{command} -min_occurrence 1000000") \
        == text("all", command)


def test_the_op_view_has_one_row_more_than_its_depth():
    assert len(text("graph", "op -max_depth 3").splitlines()) == 1 + 3 + 1


# ---- Old spellings -----------------------------------------------------------

@pytest.mark.parametrize("command, same", [
    ("scope --max_depth=3", "scope -max_depth 3"),
    ("scope --max_depth 3", "scope -max_depth 3"),
    ("scope -hide_name_regexes "
     r"'IsVariableInitialized_[0-9]+,save\/.*,^zeros[0-9_]*'",
     "scope -hide_name_regexes "
     "'IsVariableInitialized_[0-9]+,save/.*,zeros[0-9_]*'"),
], ids=["equals", "blank", "hide"])
def test_older_commands_are_understood(command, same):
    assert text("text", command) == text("text", same)


def test_inputs_without_a_command_open_a_session():
    assert session("text", "scope -max_depth 1") \
        == text("text", "scope -max_depth 1")


def test_text_and_binary_graphs_are_the_same():
    command = "scope -max_depth 100 -select params"
    assert text("text", command) == text("graph", command)


# ---- Pprof -------------------------------------------------------------------

def test_pprof_draws_a_hundred_nodes(tmp_path):
    """What `-dot` prints is what `-png` hands to Graphviz."""
    path = tmp_path / "code.pb.gz"
    path.write_bytes(run("all", "code -max_depth 100 -select micros,bytes "
                                "-output pprof:outfile=out").files["out"])
    drawn = pprof.ask(path, "-dot", "--nodecount=100", "--sample_index=1")
    assert drawn.startswith("digraph ")
    assert 1 < len(re.findall(r"^N\d+ \[", drawn, re.MULTILINE)) <= 100
