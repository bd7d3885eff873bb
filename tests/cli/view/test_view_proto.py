"""`--format proto`: what the messages hold, and where they may go.

On small files; test_view_proto_live.py asks about models at random.
"""

# labels: tf

import json
import math
import os
import pty
import struct
import subprocess

import pytest

import judge
import node_messages
import tf_messages
from bundles import FLOAT, INT64, Bundle, floats
from faults import SANITIZED, complaint, node, refusal, run
from files import SHARED, needs_shared, needs_tensorflow
from live_draws import DEFAULTS
from messages import (CODE, CPU, EVERYTHING, GPU, LARGEST, LOW, SMALLEST,
                      VIEWS, Folder, entry, frame, node_def, record, run_of,
                      strings)
from program import DATA_DIR, TFPROF
from surroundings import PATIENCE

pytestmark = [pytest.mark.recorded, needs_tensorflow]

GRAPH, RUN, LOG = (DATA_DIR / name for name in ("graph.pb", "run_meta",
                                                "op_log"))


@pytest.fixture(scope="module")
def wheel():
    with judge.Judge("view_proto") as found:
        yield found


def rows_of(view, *args):
    code, out, err = run(view, *map(str, args), "--format", "proto")
    assert code == 0, err.decode()
    return node_messages.Walker(view).rows(out)


# ---- As TensorFlow has them --------------------------------------------------

# Each of these is what a view may do with its rows.
SWEEP = (
    {},
    {"max_depth": 1}, {"max_depth": 3}, {"max_depth": 1000},
    {"min_micros": 1}, {"min_bytes": 1}, {"min_params": 1},
    {"min_float_ops": 1}, {"min_occurrence": 2},
    {"order_by": "micros"}, {"order_by": "bytes"}, {"order_by": "params"},
    {"account_type_regexes": ["MatMul"]},
    {"account_type_regexes": ["nothing"]},
    {"account_type_regexes": [".*cpu.*"]},
    {"start_name_regexes": [".*e.*"]}, {"start_name_regexes": ["nothing"]},
    {"trim_name_regexes": [".*a.*"]},
    {"show_name_regexes": [".*a.*"]}, {"show_name_regexes": ["nothing"]},
    {"hide_name_regexes": [".*e.*"]}, {"hide_name_regexes": [".*"]},
    {"account_displayed_op_only": True, "min_micros": 1},
    {"account_displayed_op_only": True, "hide_name_regexes": [".*e.*"]},
    {"account_displayed_op_only": True, "max_depth": 2},
    {"select": ["bytes", "tensor_value"]},
    {"step": 0}, {"step": 0, "order_by": "cpu_micros", "max_depth": 4},
)


def words(options):
    for key, value in options.items():
        if isinstance(value, list):
            value = ",".join(value)
        yield f"--{key}={'true' if value is True else value}"


def compare(wheel, told, args, views=VIEWS, sweep=SWEEP):
    """How many messages are the same, of all that a sweep asks for."""
    count = 0
    with wheel.opened(told):
        for view in views:
            for options in sweep:
                walker = node_messages.Walker(view)
                theirs = walker.rows(wheel.message(
                    view, {**DEFAULTS, "select": ["micros"], **options,
                           "output": "none"}))
                ours = rows_of(view, *args, "--formulas=none", *words(options))
                found = node_messages.difference(ours, theirs)
                assert not found, f"{view} {options}: {found}"
                count += walker.messages
    return count


def test_small_files(wheel, say):
    told = {"graph": str(GRAPH), "log": str(LOG), "runs": [(0, str(RUN))]}
    args = ["--graph_path", GRAPH, "--run_meta_path", RUN, "--op_log_path", LOG]
    count = compare(wheel, told, args)
    count += compare(wheel, {**told, "at_once": True}, args, sweep=SWEEP[::5])
    say(f"{count} messages compared, 0 differences")


def test_several_steps(wheel, tmp_path, say):
    first = run_of((CPU, record(b"a", end=100, memory=[(9, 7, 5)],
                                outputs=[4]) + record(b"s/b", end=7)))
    other = run_of((CPU, record(b"a", end=51) + record(b"a", end=50)),
                   (GPU, record(b"s/c", end=8, temp=3, kept=2)),
                   (GPU + b"/stream:all", record(b"s/c", end=80)))
    folder = Folder(tmp_path, graph=node_def(b"a", b"Const")
                    + node_def(b"s/b", b"MatMul", [b"a", b"^a"],
                               outputs=[(2, 3)])
                    + node_def(b"s/c", b"Neg", [b"s/b"], shape=(3, 4),
                               outputs=[(), (-1, 5)])
                    + node_def(b"d", b"Neg", [b"s/c", b"s/b", b"^a"]),
                    log=entry(b"a", frame(1, 3), float_ops=10)
                    + entry(b"s/b", frame(1, 3) + frame(1, 4),
                            [b"_trainable_variables"], 20)
                    + entry(b"s/c", frame(1, 9)) + strings(CODE))
    runs = []
    for step, data in ((3, first), (8, other)):
        path = tmp_path / f"run_{step}"
        path.write_bytes(data)
        runs.append((step, str(path)))
        folder.args += ["--run_meta_path", f"{step}={path}"]
    told = {"graph": str(tmp_path / "graph"), "log": str(tmp_path / "log"),
            "runs": runs}
    sweep = [options for options in SWEEP if "step" not in options]
    sweep += [{"step": 3}, {"step": 8}, {"step": 8, "order_by": "micros"}]
    count = compare(wheel, told, folder.args, sweep=sweep)
    # One that TensorFlow and tfprof read, with all of this.
    profile = tmp_path / "profile"
    folder.ask("scope", "-output", f"profile:outfile={profile}")
    count += compare(wheel, {"profile": str(profile)},
                     ["--profile_path", profile], sweep=sweep)
    say(f"{count} messages compared, 0 differences")


def test_inputs_that_lead_nowhere(wheel, tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a", outputs=[(2, 3), (4,)])
                    + node_def(b"b", b"Neg", [b"lost", b"a", b"^gone", b"^a"]))
    told = {"graph": str(tmp_path / "graph"), "log": None, "runs": []}
    assert compare(wheel, told, folder.args, ("scope", "graph", "op"), [{}]) > 8
    own = dict((own["name"], own) for _, own
               in rows_of("scope", *folder.args))["b"]
    assert own["input_shapes"] == {0: None, 1: (2, 3), 2: None, 3: (2, 3)}


# ---- What is in them ---------------------------------------------------------

def test_what_is_selected_has_no_say():
    args = [str(path) for path in (GRAPH, RUN, LOG)]
    for view in VIEWS:
        answers = {run(view, *args, "--format", "proto", "--select", select)[1]
                   for select in ("bytes", "params,device", EVERYTHING)}
        assert len(answers) == 1, view


def test_costs_are_those_of_the_json_answer(tmp_path):
    """Also at the ends of their range, where TensorFlow's wrap around."""
    folder = Folder(tmp_path, graph=node_def(b"a/x") + node_def(b"a/y")
                    + node_def(b"b", shape=(3037000500, 3037000500)),
                    run=run_of((CPU, record(b"a/x", end=LARGEST) + record(
                        b"a/y", end=LARGEST, memory=[(SMALLEST, -1, 7)]))))
    fields = {"micros": "exec_micros", "bytes": "requested_bytes",
              "params": "parameters", "cpu_micros": "cpu_exec_micros",
              "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes"}
    for view in ("scope", "graph", "op"):
        told = json.loads(folder.ask(view, "--format", "json", "--select",
                                     EVERYTHING, *LOW)[0])
        found = rows_of(view, *folder.args, *LOW)
        if view == "op":
            root = found.pop(0)[1]
            assert root["name"] == "_TFProfRoot"
            assert root["total_exec_micros"] == LARGEST
        assert len(found) == len(told["rows"]) > 0
        for (_, own), row in zip(found, told["rows"]):
            assert own["name"] == row["name"]
            for cost, field in fields.items():
                assert own.get(field, 0) == row["self"][cost]
                assert own.get(f"total_{field}", 0) == row["total"][cost]


def test_names_that_are_no_utf8_are_mended(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"s\xff/\xc3(", b"Op\x80")
                    + node_def("ä\n".encode(), b"Neg", [b"s\xff/\xc3("]),
                    run=run_of((b"/device:CPU:0", record(b"s\xff/\xc3("))))
    found = node_messages.module()
    names = ["_TFProfRoot", "s\\xff", "s\\xff/\\xc3(", "ä\n"]
    message = found.GraphNodeProto.FromString(
        folder.ask("scope", "--format", "proto")[0])
    scope, = (child for child in message.children if "xff" in child.name)
    assert [message.name, scope.name, scope.children[0].name] == names[:3]
    assert {child.name for child in message.children} == {names[1], names[3]}
    message = found.MultiGraphNodeProto.FromString(
        folder.ask("op", "--format", "proto")[0])
    first = message.children[0]
    assert (first.name, first.graph_nodes[0].name) == ("Neg", names[3])
    assert first.children[0].name == "Op\\x80"
    assert first.children[0].graph_nodes[0].name == names[2]


@pytest.mark.parametrize("view", VIEWS)
def test_protoc_reads_them(view):
    code, out, err = run(view, str(GRAPH), str(RUN), str(LOG), "--format",
                         "proto")
    assert code == 0, err
    cls = getattr(node_messages.module(),
                  "GraphNodeProto" if view in ("scope", "graph")
                  else "MultiGraphNodeProto")
    text = tf_messages.decode_with_protoc(cls, out).decode()
    assert text.startswith('name: "_TFProfRoot"\n')
    assert text.count("children {") == len(rows_of(view, GRAPH, RUN, LOG)) - 1


def test_deep_nesting_takes_no_stack(tmp_path):
    count = 5000 if SANITIZED else 50000
    folder = Folder(tmp_path, graph=b"".join(
        node(b"n%d" % i, b"Op%d" % i, [b"n%d" % (i + 1)])
        for i in range(count)))
    for view in ("graph", "op"):
        found = rows_of(view, *folder.args, "--max_depth", 2 * count)
        assert [depth for depth, _ in found] == list(range(count + 1))


# ---- Values of checkpoints ---------------------------------------------------

def values_of(message):
    return (list(message.value_double) or list(message.value_int64)
            or list(message.value_str))


def flat(value):
    """The elements of the JSON answer, as a message has them."""
    for element in value.get("elements", []):
        if isinstance(element, list):
            yield from element
        elif isinstance(element, bool):
            yield int(element)
        else:
            yield element


def as_json(value, digits):
    """JSON has no infinity, and no more digits than a type has."""
    if not isinstance(value, float):
        return value
    if math.isfinite(value):
        return float(f"{value:.{digits}g}")
    return {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), "NaN")


def check_values(args):
    """How many rows have the values of the JSON answer."""
    code, out, err = run("scope", *args, "--select", "tensor_value",
                         "--max_depth", "100", "--format", "json")
    assert code == 0, err
    count = 0
    found = rows_of("scope", *args, "--select", "tensor_value",
                    "--max_depth", "100")
    for (_, own), row in zip(found, json.loads(out)["rows"]):
        assert own["name"] == row["name"]
        assert ("tensor_value" in own) == (row["value"] is not None)
        if row["value"] is not None:
            digits = 17 if "float64" in row["value"]["dtype"] else 9
            assert [as_json(value, digits)
                    for value in values_of(own["tensor_value"])] == list(
                        flat(row["value"]))
            assert own["tensor_value"].dtype
            count += 1
    return count


def test_values_of_a_checkpoint(tmp_path):
    bundle = Bundle()
    bundle.add(b"a/reals", FLOAT, [2, 2], floats(1, -0.1, 3e38, float("inf")))
    bundle.add(b"a/whole", INT64, [3], struct.pack("<3q", 7, -7, LARGEST))
    bundle.add(b"none", FLOAT, [0], b"")
    bundle.add_strings(b"words", [3], ["ä".encode(), b"", b"\\"])
    prefix = bundle.write(tmp_path / "ckpt")
    assert check_values([f"{prefix}.index"]) == 4
    # They have to be asked for.
    assert not any("tensor_value" in own for _, own in rows_of(
        "scope", f"{prefix}.index", "--select", "params"))


def test_a_damaged_tensor_has_no_value(tmp_path):
    bundle = Bundle()
    bundle.add(b"bad", FLOAT, [2], floats(1, 2), crc=1)
    bundle.add(b"good", FLOAT, [2], floats(1, 2))
    prefix = bundle.write(tmp_path / "ckpt")
    code, out, err = run("scope", f"{prefix}.index", "--select",
                         "tensor_value", "--format", "proto")
    assert code == 1 and b"tensor bad" in err
    found = {own["name"]: own for _, own
             in node_messages.Walker("scope").rows(out)}
    assert "tensor_value" not in found["bad"]
    assert values_of(found["good"]["tensor_value"]) == [1, 2]


@needs_shared
@pytest.mark.parametrize("name", ["ckpttypes", "bert", "multi", "v2func"])
def test_values_of_a_larger_checkpoint(name):
    folder = SHARED / "golden" / "inputs"
    assert check_values([str(folder / f"{name}.ckpt.index")]) >= 3


# ---- Where they may go -------------------------------------------------------

def test_to_a_file(tmp_path):
    _, out, _ = run("op", str(GRAPH), "--format", "proto")
    code, nothing, _ = run("op", str(GRAPH), "--format", "proto", "--output",
                           f"file:outfile={tmp_path / 'out'}")
    assert (code, nothing) == (0, b"")
    assert (tmp_path / "out").read_bytes() == out != b""


@pytest.mark.parametrize("command", ["scope", "op", "advise"])
def test_not_to_a_terminal(tmp_path, command):
    ours, theirs = pty.openpty()
    args = [TFPROF, command, GRAPH, RUN, "--format=proto"]
    done = subprocess.run(args, stdout=theirs, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)
    os.close(theirs)
    assert done.returncode == 2
    assert complaint(done.stderr) == (
        "--format proto cannot be written to a terminal: redirect it to a file "
        "(> FILE or --output file:outfile=FILE) or pipe it to a program")
    done = subprocess.run([*args, f"--output=file:outfile={tmp_path / 'o'}"],
                          stdout=ours, stdin=subprocess.DEVNULL, check=False)
    os.close(ours)
    assert done.returncode == 0 and (tmp_path / "o").stat().st_size > 0


def test_not_among_the_answers_of_a_prompt(tmp_path):
    lines = (b"op -format proto\nadvise -format proto\n"
             b"op -format proto -output file:outfile=%s\n"
             % os.fsencode(tmp_path / "o"))
    done = subprocess.run([TFPROF, GRAPH, RUN, "-q"], input=lines,
                          capture_output=True, check=False)
    assert done.stdout == b""
    assert done.stderr.count(b"--format proto needs a file in an interactive "
                             b"session (use --output file:outfile=FILE)") == 2
    _, out, _ = run("op", str(GRAPH), str(RUN), "--format", "proto")
    assert (tmp_path / "o").read_bytes() == out


@pytest.mark.parametrize("command,has", [("info", "text or json"),
                                         ("flops", "text, json or csv")])
def test_commands_that_have_no_message(command, has):
    assert refusal(2, command, str(GRAPH), "--format", "proto") == (
        f"{command} supports --format {has}, not proto")


def test_a_message_of_2_gib_is_refused(tmp_path):
    """A scope stands in the name of all below it."""
    levels = 47000
    folder = Folder(tmp_path, graph=node(b"/".join([b"x"] * levels)))
    assert folder.refuse("scope", "--format", "proto", "--max_depth",
                         levels + 1, code=4, timeout=PATIENCE).startswith(
        "the message would exceed the protobuf limit of 2 GiB")
