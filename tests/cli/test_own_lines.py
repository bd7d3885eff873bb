"""--own: the code view with the lines of libraries folded into those that
called them, and a row for what has no line."""

import csv
import io
import json

import pytest

import program
from messages import VIEWS
from upstream import model

LIBRARY = ("/site-packages/", "/dist-packages/", "/tensorflow/python/",
           "/lib/python3.")


def rows(*args):
    done = program.run("code", "-q", *model("bert"), "-select", "micros", *args,
                       "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"]


def is_library(row):
    file = row["file"] or ""
    return any(part in file for part in LIBRARY) or file.startswith("<")


def test_lines_of_libraries_are_folded_into_their_callers():
    every, own = rows(), rows("--own")
    assert any(is_library(row) for row in every)
    assert not any(is_library(row) for row in own)
    assert own[0]["total"] == every[0]["total"]
    assert sum(row["self"]["micros"] for row in own) == \
        own[0]["total"]["micros"]


def test_a_line_costs_itself_and_all_libraries_below_it():
    """Its total is the same either way; what libraries below it cost is its
    own cost now, as far as no line of the user is called from there."""
    def totals(found):
        sums = {}
        for row in found:
            if row["file"] and not is_library(row) and row["depth"] == 2:
                sums[row["name"]] = row["total"]["micros"]
        return sums
    assert totals(rows("--own")) == totals(rows())
    assert len(totals(rows())) > 5


def test_patterns_say_which_files_are_own():
    own = rows("--own", "--own_regexes", ".*/optimizer.py")
    names = {row["name"].split(":")[0] for row in own if row["file"]}
    assert names == {"optimizer.py"}
    rest = [row for row in own if row["name"] == "(no source line)"]
    assert len(rest) == 1 and rest[0]["self"]["micros"] > 0


def test_without_a_table_it_must_be_asked_for():
    assert any(is_library(row) for row in rows())
    assert not any(is_library(row) for row in rows("--own=true"))
    table = program.run("code", "-q", *model("bert"), "--format", "table",
                        "--width", "200", "-max_depth", "30").stdout.decode()
    assert "ops.py:" not in table
    every = program.run("code", "-q", *model("bert"), "--format", "table",
                        "--width", "200", "-max_depth", "30",
                        "--own=false").stdout.decode()
    assert "ops.py:" in every


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["resnet", "bert", "cifar", "lm"])
def test_what_rows_cost_themselves_adds_up_to_the_model(view, name):
    done = program.run(view, "-q", *model(name), "-select", "micros",
                       "--format", "csv")
    found = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    whole = program.run("scope", "-q", *model(name), "-select", "micros",
                        "--format", "json").stdout
    assert sum(int(row["micros"]) for row in found) == \
        json.loads(whole)["total"]["micros"]
