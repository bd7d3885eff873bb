"""Views of a SavedModel: what is ours counts each variable once, as `flops`
does; upstream's text counts all nodes of variables, and a note has the other
number."""

import csv
import io
import json
import re

import pytest

import program
from messages import notes

MODELS = ["mobilenet", "tf1_cnn"]
COUNTED = r"the signature uses (\d+) parameters \(see tfprof flops\)"
TOLD = r"as TensorFlow does: (\d+) parameters"


def ask(samples, *args):
    done = program.run(*args, cwd=samples)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(), notes(done.stderr)


def used(samples, name):
    return json.loads(ask(samples, "flops", name, "--format", "json")[0])[
        "params"]


@pytest.mark.parametrize("functions", ["none", "walk"])
@pytest.mark.parametrize("view", ["scope", "op", "graph"])
@pytest.mark.parametrize("name", MODELS)
def test_data_has_the_parameters_of_flops(samples, name, view, functions):
    args = (view, name, "-select", "params", "--functions", functions)
    out, said = ask(samples, *args, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert sum(int(row["params"]) for row in rows) == used(samples, name)
    (note,) = [note for note in said if re.search(TOLD, note)]
    text, said = ask(samples, *args)
    assert " params" in text
    whole = ask(samples, *args, "--format", "json")[0]
    assert json.loads(whole)["total"]["params"] == used(samples, name)
    (other,) = [note for note in said if re.search(COUNTED, note)]
    assert int(re.search(COUNTED, other)[1]) == used(samples, name)
    assert int(re.search(TOLD, note)[1]) > used(samples, name)


@pytest.mark.parametrize("name", MODELS)
def test_each_variable_is_the_row_that_flops_names(samples, name):
    out, _ = ask(samples, "scope", name, "-select", "params", "--format", "csv")
    rows = {row["name"]: int(row["params"])
            for row in csv.DictReader(io.StringIO(out)) if int(row["params"])}
    listed, _ = ask(samples, "flops", name, "--list", "variables", "--format",
                    "csv")
    assert rows == {row["name"]: int(row["elements"])
                    for row in csv.DictReader(io.StringIO(listed))}


def test_the_note_of_a_table_has_what_text_counts(samples):
    _, said = ask(samples, "scope", "mobilenet", "-select", "params",
                  "--format", "table")
    (note,) = [note for note in said if re.search(TOLD, note)]
    text, _ = ask(samples, "scope", "mobilenet", "-select", "params",
                  "-max_depth", "100", "-account_displayed_op_only")
    total = re.search(r"_TFProfRoot \(--/([\d.]+)m params\)", text)[1]
    assert f"{int(re.search(TOLD, note)[1]) / 1e6:.2f}" == total


def test_a_view_without_parameters_says_nothing(samples):
    _, said = ask(samples, "op", "mobilenet", "-select", "occurrence",
                  "--format", "json")
    assert not [note for note in said if "signature" in note]


def test_a_graph_alone_has_no_signature(samples):
    _, said = ask(samples, "scope", "lm/graph.pb", "-select", "params",
                  "--format", "json")
    assert not [note for note in said if "signature" in note]
