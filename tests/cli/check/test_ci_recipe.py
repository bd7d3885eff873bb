"""The recipes for CI in docs/check.md, in a repository with the sample model mobilenet.

Commands, workflows and budgets are read from the page. So the page cannot
differ from what is tested.
"""

# labels: once

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

import doc_blocks
import tf_messages
from check_rules import junit_problems
from lacking import needs
from messages import CPU, record, run_of
from program import SOURCE_DIR, TFPROF

pytestmark = needs(tf_messages.HAVE, tf_messages.NEEDED)

PAGE = SOURCE_DIR / "docs" / "check.md"
RECIPES = PAGE.read_text("utf-8").split("\n## Guard a CI pipeline\n")[1]
INSTALL = "Install tfprof"

# What one more layer of 1x1 convolutions costs, where its input is 7x7x1280.
CHANNELS = 1280
LAYER_PARAMS = CHANNELS * CHANNELS
LAYER_MACS = 7 * 7 * LAYER_PARAMS


# ---- The page --------------------------------------------------------------

def blocks_of(language):
    return ["\n".join(block.lines) for block in doc_blocks.blocks(PAGE, RECIPES)
            if block.language == language]


def workflow(name):
    found, = [tree for tree in map(yaml.safe_load, blocks_of("yaml"))
              if tree.get("name") == name]
    return found


def steps_of(name):
    job, = workflow(name)["jobs"].values()
    return job["steps"]


def hook():
    found, = [tree for tree in map(yaml.safe_load, blocks_of("yaml"))
              if "repos" in tree]
    repository, = found["repos"]
    assert repository["repo"] == "local"
    one, = repository["hooks"]
    return one


def first_command():
    """The command that writes the budgets, before any workflow runs."""
    block = next(block for block in doc_blocks.blocks(PAGE, RECIPES)
                 if block.language == "console")
    return doc_blocks.commands(block)[0].text


# ---- A repository ----------------------------------------------------------

class Repository:
    """A checkout on a hosted machine, with tfprof installed."""

    def __init__(self, folder):
        self.path = folder / "repository"
        self.summary = folder / "summary.md"
        programs = folder / "bin"
        programs.mkdir()
        (programs / "tfprof").symlink_to(
            pathlib.Path(shutil.which(TFPROF)).resolve())
        (programs / "python").symlink_to(sys.executable)
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "HOME": str(folder),
            "PATH": f"{programs}:{os.environ['PATH']}",
        }
        self.path.mkdir()
        self.git("init", "-q")

    def run(self, *words, cwd=None):
        return subprocess.run(
            words, cwd=cwd or self.path, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def git(self, *words):
        done = self.run("git", "-c", "user.name=tfprof", "-c",
                        "user.email=tfprof@example.org", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, subject):
        self.git("add", ".")
        self.git("commit", "-q", "-m", subject)

    def job(self, steps, cwd=None):
        """Runs the commands of a job as GitHub does: in bash, until one fails,
        then only those that run in any case. (exit status, output)."""
        status, said = 0, ""
        for step in steps:
            if "run" not in step or step.get("name") == INSTALL:
                continue
            if status and "!cancelled()" not in step.get("if", ""):
                continue
            done = self.run("bash", "-e", "-o", "pipefail", "-c", step["run"],
                            cwd=cwd)
            status = status or done.returncode
            said += done.stdout + done.stderr
        return status, said


@pytest.fixture(name="repository")
def committed_model(samples, tmp_path):
    """With the model and its budgets."""
    it = Repository(tmp_path)
    shutil.copytree(samples / "mobilenet", it.path / "mobilenet")
    done = it.run("bash", "-e", "-c", first_command())
    assert done.returncode == 0, done.stderr
    it.commit("add the model and its budgets")
    return it


# ---- One more layer --------------------------------------------------------

def named(nodes, name):
    found, = [node for node in nodes if node.name == name]
    return found


def pass_resource(call, source):
    """One more argument of a call, before its control inputs."""
    inputs = list(call.input)
    data = [name for name in inputs if not name.startswith("^")]
    del call.input[:]
    call.input.extend([*data, source, *inputs[len(data):]])
    types = call.attr["Tin"].list.type
    types.append(types[-1])  # of the variable before it


def take_resource(function, name):
    argument = function.signature.input_arg.add()
    argument.CopyFrom(function.signature.input_arg[-2])
    argument.name = name


def add_layer(path):
    """Puts a convolution before the pooling of a SavedModel."""
    saved = tf_messages.message_class("SavedModel")()
    saved.ParseFromString(path.read_bytes())
    graph = saved.meta_graphs[0].graph_def
    functions = {function.signature.name: function
                 for function in graph.library.function}
    variable = copy.deepcopy(named(graph.node, "Conv_1/kernel_1"))
    variable.name = "extra/kernel"
    variable.attr["shared_name"].s = b"extra/kernel"
    variable.attr["shape"].shape.dim[2].size = CHANNELS
    graph.node.append(variable)
    bodies = set()
    for call in graph.node:
        if "signature_wrapper" not in call.attr["f"].func.name:
            continue
        pass_resource(call, "extra/kernel")
        wrapper = functions[call.attr["f"].func.name]
        take_resource(wrapper, "extra")
        inner = named(wrapper.node_def, "StatefulPartitionedCall")
        pass_resource(inner, "extra")
        bodies.add(inner.attr["f"].func.name)
    for name in bodies:
        add_convolution(functions[name])
    path.write_bytes(saved.SerializeToString())


def add_convolution(body):
    model = "mobilenetv2_1.00_224_1"
    take_resource(body, "extra")
    read = copy.deepcopy(named(
        body.node_def, f"{model}/Conv_1_1/convolution/ReadVariableOp"))
    read.name = f"{model}/extra/convolution/ReadVariableOp"
    read.input[0] = "extra"
    read.attr["_output_shapes"].list.shape[0].dim[2].size = CHANNELS
    layer = copy.deepcopy(named(body.node_def, f"{model}/Conv_1_1/convolution"))
    layer.name = f"{model}/extra/convolution"
    mean = named(body.node_def, f"{model}/global_average_pooling2d_1/Mean")
    layer.input[0] = mean.input[0]
    layer.input[1] = f"{read.name}:value:0"
    mean.input[0] = f"{layer.name}:output:0"
    body.node_def.extend([read, layer])


@pytest.fixture(name="larger")
def commit_one_more_layer(repository):
    before = measured(repository)
    add_layer(repository.path / "mobilenet" / "saved_model.pb")
    repository.commit("add a layer")
    return before


def measured(repository):
    """The value of each budget."""
    done = repository.run("tfprof", "check", "mobilenet", "--budgets",
                          "budgets.json", "--format", "json")
    return {budget["metric"]: budget["value"]
            for budget in json.loads(done.stdout)["budgets"]}


def limits(repository):
    tree = json.loads((repository.path / "budgets.json").read_text())
    return {budget["metric"]: budget["max"] for budget in tree["budgets"]}


# ---- Exact budgets ---------------------------------------------------------

def test_the_committed_model_is_green(repository):
    status, said = repository.job(steps_of("budgets"))
    assert (status, said) == (0, "0 broken, 0 without a verdict, 4 ok\n")
    assert repository.summary.read_text().startswith(
        "**0 broken, 0 without a verdict, 4 ok**\n")
    assert not junit_problems((repository.path / "report.xml").read_text())


def test_a_commit_that_adds_a_layer_is_red(repository, larger):
    status, said = repository.job(steps_of("budgets"))
    after, most = measured(repository), limits(repository)
    assert status == 5
    assert after["params"] == larger["params"] + LAYER_PARAMS
    assert after["macs"] == larger["macs"] + LAYER_MACS
    assert after["float_ops"] == larger["float_ops"] + 2 * LAYER_MACS
    assert after["nodes"] == larger["nodes"] + 1
    worst = sorted(("params", "macs", "float_ops"),
                   key=lambda name: after[name] / most[name], reverse=True)
    assert said.splitlines() == [
        *(f"::error file=budgets.json,title=tfprof check%3A {name}::the value "
          f"is above the limit (value {after[name]:,}, "
          f"maximum {most[name]:,})" for name in worst),
        "3 broken, 0 without a verdict, 1 ok"]
    assert "| broken | params | 5,177,384 | 3,609,764 |" in \
        repository.summary.read_text()
    report = (repository.path / "report.xml").read_text()
    assert not junit_problems(report)
    assert 'failures="3"' in report


def test_the_page_shows_the_annotation_of_this_commit(repository, larger):
    assert larger
    _, said = repository.job(steps_of("budgets"))
    shown, = [block for block in blocks_of("text") if "::error" in block]
    assert shown in said.splitlines()


def test_a_commit_that_also_raises_the_budgets_is_green(repository, larger):
    assert larger
    repository.run("bash", "-e", "-c", first_command())
    repository.commit("allow another layer")
    assert repository.job(steps_of("budgets"))[0] == 0


def test_names_of_budgets_cannot_end_an_annotation(repository):
    path = repository.path / "budgets.json"
    path.write_text(json.dumps({"budgets": [
        {"name": "100 %: a, b::\n::error::c", "metric": "params", "max": 1}]}))
    status, said = repository.job(steps_of("budgets"))
    assert status == 5
    assert said.splitlines()[:2] == [
        "::error file=budgets.json,title=tfprof check%3A 100 %25%3A a%2C "
        "b%3A%3A%0A%3A%3Aerror%3A%3Ac::the value is above the limit (value "
        "3,538,984, maximum 1)", "1 broken, 0 without a verdict, 0 ok"]


# ---- The hook --------------------------------------------------------------

def hook_status(repository):
    """Runs the hook as pre-commit does: its words, without a shell."""
    changed = repository.git("show", "--name-only", "--format=", "HEAD").split()
    assert any(re.search(hook()["files"], name) for name in changed)
    assert hook()["language"] == "system" and not hook()["pass_filenames"]
    return repository.run(*hook()["entry"].split())


def test_the_hook_accepts_the_model(repository):
    assert hook_status(repository).returncode == 0


def test_the_hook_rejects_one_more_layer(repository, larger):
    assert larger
    done = hook_status(repository)
    assert done.returncode == 5
    assert re.search(r"^broken +params +5,177,384 +3,609,764$", done.stdout,
                     re.M)


def test_the_hook_ignores_other_files():
    for name in ("README.md", "old/mobilenet/x", "budgets.json.txt"):
        assert not re.search(hook()["files"], name)


# ---- Times -----------------------------------------------------------------

# A program that takes 20 ms, more or less, times a factor.
TRAIN = """\
import pathlib, sys
logdir = pathlib.Path(sys.argv[sys.argv.index("--logdir") + 1])
logdir.mkdir(parents=True)
here = pathlib.Path(__file__).parent
for step in range(4):
    name = f"run_{logdir.name}_step_{step}"
    (logdir / name).write_bytes((here / "recorded" / name).read_bytes())
"""


def write_program(folder, factor):
    """A program that `trains`: it copies run metadata made before."""
    (folder / "recorded").mkdir(parents=True)
    (folder / "train.py").write_text(TRAIN)
    budgets, = blocks_of("json")
    (folder / "times.json").write_text(budgets)
    for run in range(1, 9):
        for step in range(4):
            # The first step compiles. Runs differ by up to 3.5 %.
            time = 500_000 if step == 0 else \
                int(factor * (20_000 + 100 * run + step))
            (folder / "recorded" / f"run_{run}_step_{step}").write_bytes(
                run_of((CPU, record(b"op", end=time))))


@pytest.mark.parametrize("factor,status,verdict", [
    (1, 0, "0 broken, 0 without a verdict, 2 ok"),
    (1.04, 0, "status 0, since only noise prevents a verdict: step_micros and "
              "1 more have no verdict: the runs differ too much: the change "
              "can be above or below the limit"),
    (1.2, 5, "2 broken, 0 without a verdict, 0 ok"),
])
def test_times_of_base_and_head(tmp_path, factor, status, verdict):
    machine = Repository(tmp_path)
    write_program(machine.path / "base", 1)
    write_program(machine.path / "head", factor)
    found, said = machine.job(steps_of("times"))
    assert (found, said.splitlines()[-1]) == (status, verdict)
    if status:
        assert said.startswith("::error file=head/times.json,title=tfprof "
                               "check%3A step_micros::the change is above the "
                               "limit")
    runs = sorted(path.name for path in
                  (machine.path / "runs" / "base").iterdir())
    assert runs == [str(run) for run in range(1, 9)]


# ---- How the files are written ---------------------------------------------

@pytest.mark.parametrize("name", ["budgets", "times"])
def test_workflows_have_what_github_requires(name):
    tree = workflow(name)
    # YAML 1.1 reads the key `on` as true.
    assert {"name", True, "permissions", "jobs"} == set(tree)
    for job in tree["jobs"].values():
        assert set(job) == {"runs-on", "steps"}
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert set(step) <= {"name", "run", "uses", "with", "if"}
            assert "\n" not in step.get("run", "").strip() or \
                step["run"].startswith("for ")
    assert [step for step in steps_of(name) if step.get("name") == INSTALL]


def test_every_yaml_block_is_tested():
    trees = list(map(yaml.safe_load, blocks_of("yaml")))
    assert [tree.get("name", "hook") for tree in trees] == \
        ["budgets", "hook", "times"]
