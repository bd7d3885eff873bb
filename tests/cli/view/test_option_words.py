"""Options as the specification writes them: truths, an empty output, the list
at the end of help, and minima of a row's own cost."""

import json
import re
import subprocess

import pytest

import helps
from program import DATA_DIR, TFPROF, run

GRAPH = DATA_DIR / "graph.pb"
RUN = DATA_DIR / "run_meta"
LOG = DATA_DIR / "op_log"
VIEWS = ("scope", "graph", "op", "code")
TRUE = ("true", "True", "TRUE", "t", "T", "yes", "Yes", "y", "Y", "1")
FALSE = ("false", "False", "FALSE", "f", "F", "no", "No", "n", "N", "0")


def answer(*args, **kwargs):
    done = run(*args, "-q", **kwargs)
    assert (done.returncode, done.stderr) == (0, b""), args
    return done.stdout


# ---- Truths -----------------------------------------------------------------

HIDING = ("scope", GRAPH, RUN, "-select", "micros", "-hide_name_regexes",
          "edge.*")


def test_words_for_true_and_false():
    option = "-account_displayed_op_only"
    on, off = answer(*HIDING, option), answer(*HIDING)
    assert on != off
    for words, expected in ((TRUE, on), (FALSE, off)):
        for word in words:
            assert answer(*HIDING, f"{option}={word}") == expected, word
            assert answer(*HIDING, option, word) == expected, word


@pytest.mark.parametrize("word", ["on", "maybe", "", "2", "tru", "yess"])
def test_other_words_are_no_truth(word):
    done = run(*HIDING, f"-account_displayed_op_only={word}")
    assert done.returncode == 2
    assert b"account_displayed_op_only" in done.stderr


def test_switches_take_true_and_false_after_a_blank(tmp_path):
    """Of other words a file may have the name."""
    for word in ("true", "FALSE", "True"):
        answer("info", "-salvage", word, GRAPH)
    for word in ("1", "t", "Yes"):
        assert run("info", "-salvage", word, GRAPH).stderr == (
            "tfprof: --salvage accepts only true or false as the next word, "
            f"not '{word}' (to set the option, use --salvage={word}; for a "
            f"file with this name, use ./{word})\n"
        ).encode()
        answer("info", f"-salvage={word}", GRAPH)
        answer("info", f"--quiet={word}", GRAPH)
        (tmp_path / word).write_bytes(GRAPH.read_bytes())
        listed = json.loads(answer("info", "-salvage", word, GRAPH, "--format",
                                   "json", cwd=tmp_path))["files"]
        assert [file["path"] for file in listed] == [word, str(GRAPH)]


# ---- Output -----------------------------------------------------------------

def test_empty_output_is_stdout():
    expected = answer("scope", GRAPH)
    assert answer("scope", GRAPH, "-output", "") == expected
    assert answer("scope", GRAPH, "-output=") == expected
    assert answer("scope", GRAPH, "-output", "none", "-output", "") == expected
    done = subprocess.run([TFPROF, GRAPH],
                          input=b"scope\nset -output none\nscope -output ''\n",
                          capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (2 * expected, b"")


# ---- Other words for metrics ------------------------------------------------

ALIASES = {"time": "micros", "memory": "bytes", "flops": "float_ops"}


@pytest.mark.parametrize("alias, word", ALIASES.items())
@pytest.mark.parametrize("view", VIEWS)
def test_alias_answers_as_its_metric(view, alias, word):
    for option in ("-order_by", "-sort"):
        expected = answer(view, GRAPH, RUN, LOG, "-select", word, option, word)
        assert answer(view, GRAPH, RUN, LOG, "-select", alias, option,
                      alias) == expected


def test_a_mistyped_alias_is_found():
    done = run("scope", DATA_DIR / "graph.pb", "-select", "tiem")
    assert done.returncode == 2
    assert (b"--select does not accept 'tiem' (did you mean time?)"
            in done.stderr)
    done = run("scope", DATA_DIR / "graph.pb", "-format", "tiem")
    assert b"did you mean time?" not in done.stderr


def test_metrics_of_steps_are_not_those_of_nodes():
    for option in ("select", "order_by"):
        done = run("scope", DATA_DIR / "graph.pb", f"-{option}", "step_micros")
        assert done.returncode == 2
        assert (f"--{option} does not accept 'step_micros': it is a metric of "
                "steps, not of nodes (see the command steps)"
                in done.stderr.decode())


def test_aliases_stand_among_other_words():
    mixed = answer("scope", GRAPH, RUN, "-select", "time,params,memory,micros")
    assert mixed == answer("scope", GRAPH, RUN, "-select",
                           "micros,params,bytes")
    assert answer("flops", GRAPH, "-sort", "flops") == answer(
        "flops", GRAPH, "-sort", "float_ops")


def test_prompt_lists_an_alias_as_its_metric():
    done = subprocess.run(
        [TFPROF, GRAPH], input=b"set -select time,flops -order_by memory\n\n",
        capture_output=True, check=True)
    assert re.search(rb"^-select +float_ops,micros$", done.stdout, re.M)
    assert re.search(rb"^-order_by +bytes$", done.stdout, re.M)


@pytest.mark.parametrize("args", [
    ("scope", "-formulas", "time"), ("scope", "-format", "memory"),
    ("flops", "-list", "flops"), ("advise", "-checkers", "time")])
def test_other_options_have_no_aliases(args):
    done = run(args[0], GRAPH, *args[1:])
    assert (done.returncode, done.stdout) == (2, b"")


def test_help_tells_of_aliases():
    for option in ("select", "order_by", "sort"):
        text = " ".join(helps.told(option).split())
        for alias, word in ALIASES.items():
            assert f"{alias} means {word}." in text
    text = " ".join(helps.told("metrics").split())
    for alias, word in ALIASES.items():
        assert f"{alias} means {word}" in text


# ---- Help -------------------------------------------------------------------

def listed_options(text):
    """{group: [option]} at the end of a help."""
    tail = text.partition("\ninputs:\n")[2]
    groups = ("\ninputs:\n" + tail).split("\n\n")
    return {group.split(":\n")[0].strip(): re.findall(
        r"^  --(\w+) +\S", group, re.MULTILINE) for group in groups}


def test_help_ends_with_the_options():
    at_prompt = subprocess.run([TFPROF, GRAPH], input=b"help\n",
                               capture_output=True, check=True).stdout.decode()
    full = {name: re.findall(r"^  --(\w+) ", group, re.MULTILINE)
            for name, _, group in (part.partition(":\n") for part in
                                   helps.told("options").split("\n\n"))}
    for text in (helps.told(), at_prompt):
        groups = listed_options(text)
        assert len(groups) >= 9
        assert groups == {name: full[name] for name in groups}
        assert [name for names in groups.values() for name in names] == [
            name for name in helps.options()
            if name not in ("help", "quiet", "strict")]
        assert all(len(line) <= 80 for line in text.splitlines())
        assert text.rstrip().splitlines()[-1].startswith("  --")


# ---- Minima of own cost -----------------------------------------------------

@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("metric", ["micros", "bytes", "params", "float_ops",
                                    "occurrence", "queue_micros"])
def test_own_minima_compare_the_row_itself(view, metric):
    """Rows with a smaller cost of their own go; the root always stays."""
    ask = [view, GRAPH, RUN, LOG, "-max_depth", "100", "-select", metric,
           "--format", "json"]
    name = "runs" if metric == "occurrence" else metric
    rows = json.loads(answer(*ask))["rows"]
    own = sorted({row["self"][name] for row in rows})
    for least in [1, *own[1:], own[-1] + 1]:
        left = json.loads(answer(*ask, f"-min_self_{metric}", str(least)))
        assert [row["name"] for row in left["rows"]] == [
            row["name"] for row in rows
            if row["self"][name] >= least or row["name"] == "_TFProfRoot"]


def test_own_minima_that_leave_nothing_say_so():
    for view in VIEWS:
        done = run(view, GRAPH, RUN, LOG, "-min_self_micros", "1000000",
                   "-max_depth", "100")
        assert re.search(
            rb"nothing is shown: --min_self_micros 1000000 excludes all \d+ "
            rb"rows \(the largest value is \d+\)", done.stderr), done.stderr
