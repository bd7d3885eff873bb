"""`tfprof summary`: one screen, and every figure on it is one that another
command prints."""

import collections
import json
import os
import re
import shlex
import subprocess

import pexpect
import pytest

import program
from device_sums import device_sums
from faults import field, integer, run
from files import SHARED, needs_shared
from messages import CPU, NOON, attribute, dims, node_def, record, run_of
from program import SOURCE_DIR, TFPROF
from screens import environment, plain
from surroundings import PATIENCE

TRACES = SOURCE_DIR / "tests" / "data" / "traces"
MODELS = ["bert", "cifar", "lm", "multi", "resnet", "seq2seq", "while",
          "mobilenet", "tf1_cnn"]
TRACED = ["jax", "keras", *(
    path.name for path in sorted(TRACES.glob("gen_*.xplane.pb")))]
LINES, COLUMNS = 24, 80


@pytest.fixture(scope="session", name="samples")
def add_traces(samples):
    for path in TRACES.glob("gen_*.xplane.pb"):
        (samples / path.name).write_bytes(path.read_bytes())
    return samples


def ask(samples, command, name, *options):
    done = program.run(command, "-q", name, *options, cwd=samples)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout.decode()


def data(samples, command, name, *options):
    return json.loads(ask(samples, command, name, *options, "--format", "json"))


def can(samples, command, name):
    return program.run(command, "-q", name, cwd=samples).returncode == 0


def test_there_are_nine_models_and_more_than_four_traces(samples):
    assert len(MODELS) == 9 and len(TRACED) >= 4
    assert all((samples / name).exists() for name in MODELS + TRACED)


@pytest.mark.parametrize("name", MODELS + TRACED)
def test_it_is_one_screen(samples, name):
    lines = ask(samples, "summary", name).splitlines()
    assert len(lines) <= LINES
    assert all(len(line) <= COLUMNS for line in lines), lines


# ---- Figures -----------------------------------------------------------------

@pytest.mark.parametrize("name", MODELS + TRACED)
def test_work_is_that_of_flops(samples, name):
    found = data(samples, "summary", name)
    if can(samples, "flops", name):
        flops = data(samples, "flops", name)
        assert found["params"] == flops["params"]
        assert found["float_ops"] == flops["float_ops"]
        assert found["counted_nodes"] == flops["coverage"]["counted_nodes"]
        assert found["compute_nodes"] == flops["coverage"]["compute_nodes"]
        return
    rows = data(samples, "scope", name, "-select", "params,float_ops")
    for metric in ("params", "float_ops"):
        assert (found[metric] or 0) == rows["total"][metric]


@pytest.mark.parametrize("name", MODELS + TRACED)
def test_steps_and_devices_are_those_of_steps(samples, name):
    found = data(samples, "summary", name)
    if not can(samples, "steps", name):
        assert found["steps"] == 0 and found["devices"] == []
        return
    steps = data(samples, "steps", name)
    rows = [row for row in steps["steps"] if not row["is_rest"]]
    whole = {row["statistic"]: row for row in steps["summary"]}
    assert found["steps"] == len({row["step"] for row in rows})
    walls = [row["wall_micros"] for row in rows if row["wall_micros"] is not None]
    assert found["wall_micros"] == {
        "p50": whole["p50"]["wall_micros"],
        "min": min(walls) if walls else None,
        "max": whole["max"]["wall_micros"]}
    sums = device_sums(rows)
    assert {device["device"] for device in found["devices"]} == set(sums)
    for device in found["devices"]:
        busy, idle, count = sums[device["device"]]
        assert device["busy_micros"] == pytest.approx(busy / count, abs=1e-5)
        assert device["idle_micros"] == pytest.approx(idle / count, abs=1e-5)
    scope = data(samples, "scope", name, "-select", "micros")
    info = {step for file in data(samples, "info", name)["files"]
            for step in file.get("steps", [])}
    busy = sum(row["busy_micros"] for row in rows)
    assert info
    if busy and scope["total"]["micros"]:
        assert found["parallelism"] == pytest.approx(
            scope["total"]["micros"] * found["steps"] / busy, rel=1e-3)


@pytest.mark.parametrize("name", MODELS + TRACED)
def test_memory_is_that_of_memory(samples, name):
    found = data(samples, "summary", name)["memory"]
    if not can(samples, "memory", name):
        assert found is None
        return
    memory = data(samples, "memory", name)
    pool, held = memory["pools"][0], memory["memory"][0]
    assert pool["peak_bytes"] == max(p["peak_bytes"] for p in memory["pools"])
    assert found["peak_bytes"] == pool["peak_bytes"]
    assert found["peak_at_micros"] == pool["peak_at_micros"]
    assert (found["held_by"], found["held_bytes"]) == (held["name"],
                                                       held["bytes"])


def largest(costs, count=3):
    """The most expensive as a set of (cost), since equal ones have no order."""
    return sorted((cost for cost in costs.values() if cost > 0),
                  reverse=True)[:count]


@pytest.mark.parametrize("name", MODELS + TRACED)
def test_the_most_expensive_are_those_of_the_views(samples, name):
    found = data(samples, "summary", name)
    if not can(samples, "steps", name):
        flops = data(samples, "flops", name)
        for key, rows, word in (("op_types", flops["by_type"], "op"),
                                ("scopes", flops["layers"], "layer")):
            costs = {row[word]: row["float_ops"] for row in rows}
            assert [row["float_ops"] for row in found[key]] == largest(costs)
            assert all(costs[row["name"]] == row["float_ops"]
                       for row in found[key])
        return
    types = {row["name"]: row["self"]["micros"] for row in
             data(samples, "op", name, "-select", "micros")["rows"]}
    types.pop("_TFProfRoot", None)
    assert [row["micros"] for row in found["op_types"]] == largest(types)
    assert all(types[row["name"]] == row["micros"] for row in found["op_types"])
    scopes = data(samples, "scope", name, "-select", "micros")["rows"]
    totals = {row["name"]: row["total"]["micros"] for row in scopes}
    assert found["scopes"]
    assert all(totals[row["name"]] == row["micros"] for row in found["scopes"])
    if can(samples, "code", name):
        costs = collections.Counter()
        for row in data(samples, "code", name, "-select", "micros",
                        "--own")["rows"][1:]:
            if row["name"] != "(no source line)":
                costs[row["name"]] += row["self"]["micros"]
        assert [row["micros"] for row in found["lines"]] == \
            [pytest.approx(cost) for cost in largest(costs)]
        assert all(costs[row["name"]] == pytest.approx(row["micros"])
                   for row in found["lines"])
    else:
        assert found["lines"] == []


def test_a_scope_that_holds_nearly_all_gives_way_to_those_below_it(samples):
    """All of a JAX step is below jit(train_step)."""
    names = [row["name"] for row in data(samples, "summary", "jax")["scopes"]]
    assert len(names) == 3
    assert all(name.startswith("jit(train_step)/") for name in names)


def scopes_of(tmp_path, *runs):
    """The scopes of a step with these (name, micros); as text at 80 columns."""
    path = tmp_path / "run_meta"
    path.write_bytes(run_of((CPU, b"".join(
        record(name, NOON, micros) for name, micros in runs))))
    code, out, err = run("summary", "-q", path, "--format", "json")
    assert code == 0, err.decode()
    code, text, _ = run("summary", "-q", path, "--width", "80")
    lines = re.findall(r"^(?:scopes)? +\S+ +[\d.]+%  (.*)$",
                       text.decode().partition("types ")[0], re.M)
    return [(row["name"], round(row["micros"]))
            for row in json.loads(out)["scopes"]], lines


def test_a_scope_with_80_percent_gives_way_to_its_parts(tmp_path):
    found, _ = scopes_of(tmp_path, (b"jit(f)/a/x", 50), (b"jit(f)/b/x", 30),
                         (b"out/x", 20))
    assert found == [("jit(f)/a", 50), ("jit(f)/b", 30), ("out", 20)]
    found, _ = scopes_of(tmp_path, (b"jit(f)/a/x", 49), (b"jit(f)/b/x", 30),
                         (b"out/x", 21))
    assert found == [("jit(f)", 79), ("out", 21)]


def test_scopes_descend_as_long_as_one_part_holds_most(tmp_path):
    found, _ = scopes_of(tmp_path, (b"a/b/c/d/e/x", 60), (b"a/b/c/d/f/x", 40),
                         (b"a/b/g/x", 10))
    assert found == [("a/b/c/d/e", 60), ("a/b/c/d/f", 40), ("a/b/g", 10)]


def test_an_operation_is_named_whatever_is_below_its_name(tmp_path):
    """TensorFlow names the read of a variable below the node that reads it."""
    found, _ = scopes_of(tmp_path, (b"fc/logits", 5000),
                         (b"fc/logits/ReadVariableOp", 7),
                         (b"conv1/Conv2D", 100), (b"conv2/Conv2D", 90))
    assert found == [("fc/logits", 5007), ("conv1", 100), ("conv2", 90)]


def test_scopes_can_be_told_apart(tmp_path):
    names = [b"jit(" + b"long_name_" * 9 + b")/" + part + b"/x"
             for part in (b"transpose(jvp(mlp))", b"transpose(jvp(attention))",
                          b"jvp(mlp)")]
    found, lines = scopes_of(tmp_path, *zip(names, (50, 40, 30), strict=True))
    assert len(found) == len(lines) == len(set(lines)) == 3
    assert all(line.endswith(name.rpartition("/")[2])
               for line, (name, _) in zip(lines, found, strict=True))


def test_a_frozen_graph_has_an_estimate_of_its_parameters(tmp_path):
    """As `flops` says; a view that shows none says where they are."""
    graph = tmp_path / "graph"
    graph.write_bytes(b"".join([
        node_def(b"x", b"Placeholder"),
        field(1, field(1, b"w") + field(2, b"Const")
              + attribute(b"dtype", integer(6, 1))
              + attribute(b"value", field(8, integer(1, 1)
                                          + field(2, dims(4, 5))
                                          + field(4, bytes(80))))),
        node_def(b"w/read", b"Identity", [b"w"]),
        node_def(b"y", b"MatMul", [b"x", b"w/read"])]))
    said = program.run("summary", "-q", graph).stdout.decode()
    assert ("parameters   about 20 in 1 constant, which views do not count\n"
            in said)
    found = json.loads(program.run("summary", "-q", graph, "--format",
                                   "json").stdout)
    assert (found["params"], found["params_estimated"]) == (20, True)
    note = ("views count only variables and placeholders; tfprof flops also "
            "counts 20 parameters in 1 constant")
    assert note in program.run("scope", graph, "--select",
                               "params").stderr.decode()
    assert note not in program.run("scope", graph).stderr.decode()


# ---- Waiting for input -------------------------------------------------------

@pytest.mark.parametrize("name", MODELS + TRACED)
def test_input_wait_is_that_of_advise(samples, name):
    found = data(samples, "summary", name)["input_wait"]
    text = ask(samples, "summary", name)
    if not can(samples, "steps", name):
        assert found is None and "input wait" not in text
        return
    said = ask(samples, "advise", name, "--format", "table", "--width", "300")
    lines = re.findall(r"steps wait for input: (.*)$", said, re.M)
    if not lines:
        assert found is None and "input wait" not in text
        return
    assert lines[0] in " ".join(text.split())
    assert found["share"] == found["micros"] / found["wall_micros"]


@needs_shared
def test_a_pipeline_that_is_too_slow_is_on_the_first_screen():
    trace = SHARED / "tried" / "logs" / "kslow" / "train"
    text = program.run("summary", "-q", trace).stdout.decode()
    assert ("input wait   551.19ms of 972.92ms (56.65%), in 11 of 11 steps; "
            "try:") in text
    found = json.loads(program.run("summary", "-q", trace, "--format",
                                   "json").stdout)["input_wait"]
    assert 100 * found["share"] == pytest.approx(56.65, abs=0.005)
    assert (found["waiting_steps"], found["steps"]) == (11, 11)
    assert found["try"].startswith("dataset.prefetch")
    fast = SHARED / "tried" / "logs" / "kfast" / "train"
    assert b"input wait" not in program.run("summary", "-q", fast).stdout


# ---- Advice and commands -----------------------------------------------------

@pytest.mark.parametrize("name", MODELS + TRACED)
def test_advice_is_the_first_of_advise(samples, name):
    """As the table of advise has it, which names the optimizer's update."""
    found = data(samples, "summary", name)["advice"]
    if not can(samples, "steps", name):
        assert found is None
        return
    table = ask(samples, "advise", name, "--format", "table", "--width", "300")
    hints = re.findall(r"^    try: (.*)$", table, re.M)
    if not hints:
        assert found is None
        return
    assert found["try"] == hints[0]
    first = table[:table.index("    try: ")]
    assert found["about"].removeprefix("the ") in first
    if found["about"] == "the optimizer's update":
        (share,) = re.findall(r"([\d.]+%) .*optimizer's update \(", first)
        assert f"takes {share} of operation time" in ask(samples, "summary", name)


def test_the_optimizers_update_is_named(samples):
    assert data(samples, "summary", "bert")["advice"]["about"] == \
        "the optimizer's update"


@pytest.mark.parametrize("name", MODELS + TRACED)
def test_the_next_commands_work(samples, name, tmp_path):
    commands = data(samples, "summary", name)["next"]
    assert len(commands) == 3 == len(set(commands))
    shown = re.sub(r" \\\n +", " ", ask(samples, "summary", name))
    for command in commands:
        assert command in shown
        program_name, *args = shlex.split(command)
        assert program_name == "tfprof"
        done = program.run(*(arg.replace(name, os.fspath(samples / name))
                             if arg == name else arg for arg in args),
                           cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)


def test_text_has_the_figures_of_json(samples):
    """One sample by hand and eye: the forms are those of other commands."""
    text = ask(samples, "summary", "bert")
    found = data(samples, "summary", "bert")
    assert f"{found['params']:,}" in text
    assert (f"{found['float_ops']:,} ({found['counted_nodes']} of "
            f"{found['compute_nodes']} compute nodes counted)") in text
    for key in ("scopes", "op_types", "lines"):
        for row in found[key]:
            assert re.search(rf" {100 * row['share']:.1f}%  "
                             + re.escape(row["name"]) + "$", text, re.M)
    assert found["advice"]["about"] in text


# ---- Inputs ------------------------------------------------------------------

def test_arguments_are_quoted_for_a_shell(samples, tmp_path):
    odd = tmp_path / "a 'b' $c"
    odd.symlink_to(samples / "lm" / "graph.pb")
    run = samples / "lm" / "run_meta_0"
    done = program.run("summary", "-q", f"--graph_path={odd}",
                       f"--run_meta_path=7={run}", "--format", "json")
    assert done.returncode == 0, done.stderr
    for command in json.loads(done.stdout)["next"]:
        shell = subprocess.run(
            ["sh", "-c", f'tfprof() {{ "{TFPROF}" "$@"; }}; {command}'],
            cwd=tmp_path, capture_output=True, check=False)
        assert shell.returncode == 0, (command, shell.stderr)


def test_a_trace_from_a_pipe_is_read_once(samples):
    (path,) = (samples / "jax").rglob("*.xplane.pb")
    piped = subprocess.run([TFPROF, "summary", "-q", "-"],
                           input=path.read_bytes(), capture_output=True,
                           check=False)
    whole = program.run("summary", "-q", os.fspath(path))
    assert piped.returncode == whole.returncode == 0, piped.stderr
    def figures(text):
        return text[text.index(b"\n"):text.index(b"\nnext ")]
    assert figures(piped.stdout) == figures(whole.stdout)


def test_a_checkpoint_alone_has_its_parameters(samples):
    found = data(samples, "summary", "lm/model.ckpt")
    assert found["params"] > 0 and found["float_ops"] is None
    assert len(found["scopes"]) == 3


@pytest.mark.parametrize("form", ["csv", "proto"])
def test_there_is_no_other_form(samples, form):
    done = program.run("summary", "lm", "--format", form, cwd=samples)
    assert done.returncode == 2
    assert f"summary supports --format text or json, not {form}".encode() in \
        done.stderr


def test_it_goes_into_a_file(samples, tmp_path):
    path = tmp_path / "s.txt"
    done = program.run("summary", "-q", "lm", "-output", f"file:outfile={path}",
                       cwd=samples)
    assert done.returncode == 0 and done.stdout == b""
    assert path.read_text() == ask(samples, "summary", "lm")


# ---- The first screen --------------------------------------------------------

def first_screen(samples, *args, **env):
    child = pexpect.spawn(TFPROF, [*args], cwd=os.fspath(samples),
                          env=environment(**env), timeout=PATIENCE,
                          dimensions=(LINES, COLUMNS))
    child.expect_exact("tfprof> ")
    text = plain(child.before.decode().replace("\r\n", "\n"))
    child.sendline("summary")
    child.expect_exact("tfprof> ")
    asked = plain(child.before.decode().replace("\r\n", "\n"))
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return text, asked


def test_a_session_begins_with_it(samples):
    text, asked = first_screen(samples, "bert")
    lines = [line for line in text.splitlines() if line.strip()]
    assert lines[0].startswith("read ") and "Type help" in text
    assert "next         code\n" in text
    body = text[:text.index("Type help")]
    assert body in asked


@pytest.mark.parametrize("args, env", [
    (["-q"], {}), ([], {"TFPROF_FORMAT": "text"}), (["--format", "text"], {})])
def test_a_session_that_wants_text_does_not(samples, args, env):
    text, _ = first_screen(samples, "bert", *args, **env)
    assert "read " not in text


def test_nor_does_one_that_nobody_reads(samples):
    done = subprocess.run([TFPROF, "bert"], input=b"quit\n", cwd=samples,
                          capture_output=True, check=False)
    assert done.returncode == 0 and done.stdout == b""
