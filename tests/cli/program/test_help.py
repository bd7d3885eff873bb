"""Every help: what it lists, how it looks, and that its examples work."""

# labels: once

import functools
import os
import re
import shutil
import subprocess

import pytest

import helps
import samples
from helps import told
from lacking import lacks
from program import run
from surroundings import PATIENCE
from trees import Tree

COMMANDS = ["summary", "scope", "graph", "op", "code", "tui", "steps",
            "kernels", "memory", "devices", "aggregate", "advise", "flops",
            "report", "diff",
            "check", "baseline",
            "xprof", "info", "demo",
            "help"]
TOPICS = ["views", "options", "metrics", "regex", "inputs", "outputs", "times",
          "bytes"]
AT_PROMPT = ["summary", "scope", "graph", "op", "code", "steps", "kernels",
             "memory", "devices", "advise", "flops", "info", "set", "reset", "write", "help", "quit", "exit"]
OPTIONS = helps.options()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return samples.make(tmp_path_factory.mktemp("help"))


def typed(lines, *inputs):
    """What the prompt answers to lines, with what it complains of."""
    done = subprocess.run([samples.TFPROF, *map(os.fspath, inputs)],
                          input="\n".join(lines).encode() + b"\n",
                          capture_output=True, check=False, timeout=PATIENCE)
    return done.stdout.decode(), done.stderr.decode()


@pytest.fixture(scope="module")
def asked(folder):
    """What the prompt says of a topic."""
    @functools.cache
    def ask(*topic):
        out, err = typed([" ".join(["help", *topic])], folder / "graph.pb")
        assert err == ""
        return out
    return ask


def examples_in(text):
    """The commands at the end of a help, put together again."""
    if "\nexamples:\n" not in text:
        return []
    text = text.split("\nexamples:\n")[1]
    return [line.strip() for line in re.sub(r" \\\n +", " ", text).splitlines()]


# ---- What there is ----------------------------------------------------------

def test_help_lists_commands_and_topics(asked):
    for text in (told(), asked()):
        assert helps.topics(text) == TOPICS
    assert [*helps.commands(), "help"] == COMMANDS
    assert re.search(r"^  tfprof help +\S", told(), re.MULTILINE)
    for name in AT_PROMPT:
        assert re.search(rf"^  {name} +\S", asked(), re.MULTILINE)


def test_help_is_the_same_however_it_is_asked_for():
    assert told() == run("--help").stdout.decode()
    for name in COMMANDS[:-1]:
        assert told(name) == run(name, "--help").stdout.decode()
    for name in ("max_depth", "select"):
        for word in (f"-{name}", f"--{name}", name.replace("_", "-")):
            assert told(word) == told(name)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_says_enough_and_has_examples(topic, asked):
    for text in (told(topic), asked(topic)):
        lines = text.split("\nexamples:\n")[0].split("\n")
        assert 10 <= len(lines) <= 40 or topic == "options"
        assert len(examples_in(text)) >= 2
    assert told(topic).startswith(asked(topic).split("\nexamples:")[0])


@pytest.mark.parametrize("topic, nearest", [
    ("micro", "micros"), ("timse", "times"), ("memmory", "memory"),
    ("metric", "metrics"), ("regexp", "regex"), ("input", "inputs"),
    ("scpoe", "scope"), ("max_dept", "max_depth"), ("viewes", "views")])
def test_unknown_topics_suggest_the_nearest(folder, topic, nearest):
    done = run("help", topic)
    words = f"no help for '{topic}' (did you mean {nearest}?)"
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"tfprof: {words}\n"
    assert words in typed([f"help {topic}"], folder / "graph.pb")[1]


def test_every_word_of_select_and_order_by_is_explained():
    text = told("metrics").split("\nexamples:\n")[0]
    words = set()
    for option in ("select", "order_by"):
        listed = re.search(r"^      (?:Any|One) of: ([^.]*?)(?:\n\n|\Z)",
                           told(option), re.MULTILINE)[1]
        words.update(re.split(r",\s+", listed.strip()))
    assert len(words) >= 17
    explained = set(re.findall(r"^  (\w+) +\S", text, re.MULTILINE))
    explained.update(re.search(r"also accept (\w+) and\s+(\w+)", text).groups())
    assert words <= explained, words - explained


def words_of_select():
    listed = re.search(r"^      Any of: ([^.]*?)(?:\n\n|\Z)", told("select"),
                       re.MULTILINE)[1]
    return re.split(r",\s+", listed.strip())


@pytest.mark.parametrize("word", words_of_select())
def test_help_explains_a_word_of_select(word, asked):
    about = re.search(rf"^  {word} +(\S.*)", told("metrics"), re.MULTILINE)[1]
    for text in (told(word), asked(word)):
        if word == "bytes":  # a topic of its own
            assert text.startswith("Memory sizes come from run metadata")
            continue
        assert text.startswith(f"  {word}  ")
        assert about.split()[0] in text.split("\n\n")[0]
        flat = " ".join(text.split())  # lines are wrapped
        assert "This is a value of --select" in flat and "help metrics" in flat
        is_metric = f"min_{word}" in OPTIONS
        assert (f"--min_{word} N" in text) == is_metric
        assert len(examples_in(text)) == is_metric


@pytest.mark.parametrize("alias, word", [
    ("time", "micros"), ("memory", "bytes"), ("flops", "float_ops")])
def test_help_explains_an_alias(alias, word, asked):
    for tell in (told, asked):
        text = tell(alias)
        if alias in COMMANDS:
            assert (f"--order_by and --sort, {alias} means {word} (see help "
                    f"{word})." in " ".join(text.split()))
        else:
            assert text == tell(word)
            assert (f"The word {alias} means the same."
                    in " ".join(text.split()))


def test_a_command_can_describe_an_option_in_its_own_words():
    of_aggregate, of_scope = map(helps.descriptions, ("aggregate", "scope"))
    assert of_aggregate["output"].startswith("Write the tables into the folder")
    assert "(default: 5)" in told("aggregate")
    for option in ("output", "format", "label", "max_depth"):
        assert of_aggregate[option] != of_scope[option]
    assert of_aggregate["salvage"] == of_scope["salvage"]


def test_options_whose_values_are_not_obvious_have_an_example():
    for name in OPTIONS:
        text = told(f"--{name}")  # a command may have the same name
        form = re.match(r"  --\w+ (\S+)", text)[1]
        if not re.fullmatch(r"N|true\|false|[\w|]+\|\w+|WORD", form):
            assert len(examples_in(text)) == 1, (name, form)
        for line in examples_in(text):
            assert re.search(rf"--?{name}\b", line), line


# ---- How it looks -----------------------------------------------------------

@pytest.mark.parametrize("args", [
    [], *([name] for name in COMMANDS + ["prompt"] + TOPICS + OPTIONS)],
    ids=lambda args: " ".join(args) or "none")
def test_help_fits_a_narrow_terminal(args, asked):
    texts = [told(*args)]
    if args not in (["prompt"], ["report"], ["diff"], ["check"], ["baseline"],
                    ["aggregate"], ["xprof"], ["demo"], ["tui"]):  # of the shell alone
        texts.append(asked(*args))
    for text in texts:
        for line in text.splitlines():
            assert len(line) <= 80 and line == line.rstrip(), line
        assert "\n\n\n" not in text and not text.startswith("\n")


# ---- Examples ---------------------------------------------------------------

def examples():
    found = [line for name in COMMANDS + ["prompt"] + TOPICS + OPTIONS
             + words_of_select()
             for line in examples_in(told(name))
             if name != "tui"]  # test_the_tree_of_its_examples_is_drawn
    assert len(found) > 80
    return sorted(set(found))


def opens_the_prompt(line):
    return (line.startswith("tfprof ") and line.split()[1] not in COMMANDS
            and "<" not in line)


@pytest.mark.parametrize("line", examples())
def test_the_examples_of_help_work(folder, line):
    if " jq " in line and not shutil.which("jq"):
        lacks("the example needs jq")
    before = os.listdir(folder)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder,
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=PATIENCE,
        env=samples.environment(folder))
    written = samples.restore(folder, before)
    # One example is about a damaged file, which ends with 1 all the same.
    assert done.returncode == (1 if "--salvage" in line else 0), done.stderr
    if line.startswith("tfprof demo"):
        assert written == [line.split()[-1]]
    elif line.startswith("tfprof aggregate"):
        assert b" rows, " in done.stdout
        assert written == ["tables"]
    elif "outfile=" in line:
        assert done.stdout == b""
        assert written == [re.search(r"outfile=([\w.]+)", line)[1]]
    elif opens_the_prompt(line):
        assert (done.stdout, written) == (b"", [])  # nobody types anything
    else:
        assert done.stdout and written == []
    if "counts.nodes" in line:
        assert int(done.stdout) > 1000


@pytest.mark.parametrize("line", examples_in(told("tui")))
def test_the_tree_of_its_examples_is_drawn(folder, line):
    args = line.split()[2:]
    with Tree(*args, cwd=folder) as tree:
        tree.wait("(total)")
        tree.quit()


def prompt_examples(asked):
    found = []
    for name in AT_PROMPT + TOPICS + OPTIONS:
        found += examples_in(asked(name))
    return sorted({line for line in found if not line.startswith("tfprof ")})


def test_the_examples_of_help_at_the_prompt_work(folder, asked):
    lines = prompt_examples(asked)
    assert len(lines) > 50
    for line in lines:
        before = os.listdir(folder)
        inputs = ["graph.pb", "run_meta", "run_meta_7", "tfprof_log",
                  "model.ckpt"]
        if line.startswith("flops"):
            inputs = ["saved_model"]
            if " input=" in line:
                inputs = ["frozen.pb"]
            elif "-trips" in line:
                inputs = ["loop.pb"]
        elif line.startswith("kernels"):
            inputs = ["logdir"]
        done = subprocess.run(
            [samples.TFPROF, "--strict", *inputs], cwd=folder,
            input=line.replace("-step 8", "-step 1").encode(),
            capture_output=True, check=False, timeout=PATIENCE)
        written = samples.restore(folder, before)
        assert done.returncode == 0, (line, done.stderr)
        if line.startswith("set "):
            assert (done.stdout, written) == (b"", [])
        else:
            assert bool(done.stdout) != bool(written), line
