"""--own: the code view with the lines of libraries folded into those that
called them, and a row for what has no line; and these lines for pprof."""

import collections
import csv
import io
import json
import re

import pytest

import pprof
import program
from messages import (CODE, CPU, VIEWS, Folder, entry, frame, node_def, record,
                      run_of, strings)
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


# ---- Gradients ---------------------------------------------------------------

TAPED = [b"net/dense/MatMul", b"gradient_tape/net/dense/MatMul/MatMul_1",
         b"gradient_tape/net/lost/Sum", b"run/gradient_tape/net/dense/MatMul/Sum",
         b"gradient_tapes/net/dense/MatMul"]


def taped(path):
    """Gradients of a tape, made on line 90; their operation on line 10."""
    graph = b"".join(node_def(name) for name in TAPED)
    log = entry(TAPED[0], frame(1, 10))
    log += b"".join(entry(name, frame(1, 90)) for name in TAPED[1:])
    runs = run_of((CPU, b"".join(record(name, end=2 << place)
                                 for place, name in enumerate(TAPED))))
    return Folder(path, graph=graph, run=runs, log=log + strings(CODE))


def test_gradients_of_a_tape_stand_at_the_line_of_their_operation(tmp_path):
    folder = taped(tmp_path)
    out, _ = folder.ask("code", "-select", "micros", "--format", "json")
    costs = {row["name"]: row["self"]["micros"]
             for row in json.loads(out)["rows"][1:]}
    assert costs == {"model.py:10:build": 2, "model.py:10:build (gradient)": 20,
                     "model.py:90:build": 40}


def test_the_text_of_upstream_leaves_them_where_they_were_made(tmp_path):
    out, _ = taped(tmp_path).ask("code", "-select", "micros")
    assert b"(gradient)" not in out
    assert b"model.py:90:build (60us/60us" in out


# ---- Lines for pprof ---------------------------------------------------------

def line_sums(found):
    """{(function, line): [flat, cum]}, as pprof counts: once in a stack."""
    sums = collections.defaultdict(lambda: [0, 0])
    stack = []
    for row in found[1:]:
        if row["file"]:
            file, line, function = row["name"].split(":")
            mark = " (gradient)" * function.endswith(" (gradient)")
            key = (f"{file.removesuffix('.py')}:{row['function']}{mark}",
                   int(line))
        else:
            key = (row["name"], 0)
        del stack[row["depth"] - 1:]
        stack.append(key)
        own = row["self"]["micros"]
        sums[key][0] += own
        for place in set(stack):
            sums[place][1] += own
    return {key: both for key, both in sums.items() if any(both)}


@pytest.fixture(scope="module", params=["--own", "--own=false"])
def lines(request, tmp_path_factory):
    """A profile of lines of bert, and the rows that it was made of."""
    path = tmp_path_factory.mktemp("lines") / "lines.pb.gz"
    done = program.run("code", "-q", *model("bert"), "-select", "micros",
                       request.param, "-output",
                       f"pprof:outfile={path},places=lines")
    assert done.returncode == 0, done.stderr
    return path, rows(request.param)


def test_pprof_finds_what_each_line_costs(lines):
    path, found = lines
    out = pprof.ask(path, "-top", "-trim=false", "-lines", "-unit=us")
    head, _, body = out.partition("cum%\n")
    total = int(re.search(r"of (\d+)us total", head)[1])
    assert total == found[0]["total"]["micros"]
    sums = {}
    for text in body.splitlines():
        flat, _, _, cum, _, name = text.split(maxsplit=5)
        function, _, place = name.rpartition(" ")
        if name == "(no source line)":
            function, place = name, ":0"
        sums[function, int(place.rpartition(":")[2])] = [
            int(cost.removesuffix("us")) for cost in (flat, cum)]
    assert sums == line_sums(found)


def test_pprof_marks_the_lines_of_a_function(lines, tmp_path):
    """pprof -list, with a source that says which line is which."""
    path, found = lines
    source = tmp_path / "models" / "bert" / "train.py"
    source.parent.mkdir(parents=True)
    source.write_text("".join(f"line {n}\n" for n in range(1, 200)))
    out = pprof.ask(path, "-list", "^train:attention$", "-unit=us",
                    f"-source_path={tmp_path}", "-trim_path=/")
    marked = {}
    for flat, cum, number, text in re.findall(
            r"^ *(\.|\d+us) +(\.|\d+us) +(\d+):line (\d+)$", out, re.M):
        assert number == text
        if (flat, cum) != (".", "."):
            marked[int(number)] = [int(cost.removesuffix("us"))
                                   if cost != "." else 0
                                   for cost in (flat, cum)]
    wanted = {line: both for (function, line), both in line_sums(found).items()
              if function == "train:attention"}
    assert marked == wanted and len(wanted) >= 3
