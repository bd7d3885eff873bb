"""--sort and --top: the largest siblings at each level, and one row that stands
for the rest."""

# labels: both

import csv
import itertools
import json
import re

import hypothesis
import pytest

import drawing
import upstream
from bundles import FLOAT, Bundle, floats
from faults import SANITIZED, SLOW, printed, refusal, run
from messages import (COSTS, EVERYTHING, VIEWS, Folder, node_def, notes, record,
                      rows, run_of)
from prompting import answers

DRAWS = 1000 if SLOW else 20 if SANITIZED else 50
TOP_IS_ALL = ("--top has no effect on timelines, pprof files, flame graphs "
              "and --format proto")


RESNET = upstream.model("resnet")


def ask(view, *args, inputs=RESNET):
    return printed(view, "-q", *inputs, *map(str, args))


def ask_json(view, *args, inputs=RESNET):
    return json.loads(ask(view, *args, "--format", "json", inputs=inputs))


# ---- The rest ----------------------------------------------------------------

def nested(found):
    """[(row, [children])] of the rows of a tree, the same way down."""
    root = (found[0], [])
    path = [root]
    for row in found[1:]:
        del path[row["depth"]:]
        node = (row, [])
        path[-1][1].append(node)
        path.append(node)
    return root


def plus(costs):
    return {key: sum(one[key] for one in costs) for key in costs[0]}


def check_below(whole, part, top):
    """`part` has the first children of `whole`, and the sum of the others."""
    row, children = whole
    other, found = part
    assert {**row, "num_hidden_ops": 0} == {**other, "num_hidden_ops": 0}
    rest = [child for child, _ in children[top:]]
    for child, same in zip(children[:top], found):
        check_below(child, same, top)
    assert len(found) == min(top, len(children)) + bool(rest)
    if not rest:
        return
    last, below = found[-1]
    assert below == []
    assert last["name"] == f"({len(rest)} more)"
    assert last["rest"] == len(rest)
    assert last["accounted"] is False
    assert set(last["self"].values()) == {0}
    assert last["total"] == plus([child["total"] for child in rest])
    assert last["depth"] == rest[0]["depth"]
    assert last.get("devices", []) == last.get("op_types", []) == []


@pytest.mark.parametrize("view", ["scope", "graph", "code"])
@pytest.mark.parametrize("top", [1, 3, 100])
@pytest.mark.parametrize("sort", ["micros", "params", "name", "occurrence"])
def test_the_rest_is_the_sum_of_what_is_not_shown(view, top, sort):
    args = ["-select", "params,micros,bytes,occurrence,device,op_types",
            "--sort", sort, "-max_depth", "12"]
    whole = ask_json(view, *args)
    part = ask_json(view, *args, "--top", top)
    assert part["total"] == whole["total"]
    check_below(nested(whole["rows"]), nested(part["rows"]), top)


def test_totals_are_those_of_the_rows_shown_and_the_rest():
    """Where nothing is hidden."""
    found = ask_json("scope", "--top", 2, "-max_depth", 1000, "-select",
                     "micros,params,bytes")["rows"]
    pairs = [nested(found)]
    rests = 0
    while pairs:
        row, children = pairs.pop()
        pairs += children
        rests += "rest" in row
        if "rest" in row or not children:
            continue
        assert row["total"] == plus([row["self"],
                                     *(child["total"] for child, _ in children)])
    assert rests > 10


@pytest.mark.parametrize("top", [1, 5, 36, 37, 1000])
def test_op_has_the_rest_as_one_type(top):
    args = ["-select", "micros,params,occurrence,device,op_types", "--sort",
            "micros"]
    whole = ask_json("op", *args, "-max_depth", 1000)["rows"]
    part = ask_json("op", *args, "--top", top)["rows"]
    assert len(whole) == 37
    assert part[:top] == whole[:top]
    assert len(part) == min(top + 1, 37)
    if top >= 37:
        return
    rest = whole[top:]
    assert part[top] == {
        "name": f"({len(rest)} more)", "rest": len(rest), "depth": 1,
        "accounted": True, "nodes": sum(row["nodes"] for row in rest),
        "self": plus([row["self"] for row in rest]),
        "total": rest[0]["total"], "devices": [], "op_types": []}


def test_op_shares_add_up():
    lines = ask("op", "-select", "micros", "--top", 4).decode().splitlines()
    shares = [float(line.split("%, ")[1].partition("%)")[0])
              for line in lines[1:]]
    assert len(shares) == 5
    assert sum(shares) == pytest.approx(100, abs=0.03)
    assert lines[-1].startswith("(33 more)      ")


def test_top_0_shows_all_types():
    all_types = ask("op", "--top", 0)
    assert all_types == ask("op", "-max_depth", 1000)
    assert len(all_types.splitlines()) == 38
    assert len(ask("op").splitlines()) == 12
    assert ask("scope", "--top", 0) == ask("scope")


# ---- What is largest ---------------------------------------------------------

def shown_first(view, *args, inputs=RESNET):
    """The names below the root, without the rest."""
    return [row["name"] for row in ask_json(view, *args, inputs=inputs)["rows"]
            if row["depth"] == 1 and "rest" not in row]


@pytest.mark.parametrize("view", VIEWS)
def test_without_more_the_first_cost_shown_counts(view):
    assert shown_first(view, "--top", 2) == shown_first(
        view, "--sort", "micros")[:2]
    assert shown_first(view, "--top", 2, "-select", "device") == shown_first(
        view, "--sort", "micros")[:2]
    assert shown_first(view, "--top", 2, "-select", "cpu_micros") == (
        shown_first(view, "--sort", "cpu_micros")[:2])


def test_without_runs_parameters_count():
    inputs = RESNET[:1]
    assert shown_first("scope", "--top", 3, inputs=inputs) == shown_first(
        "scope", "--sort", "params", inputs=inputs)[:3]


@pytest.mark.parametrize("view", VIEWS)
def test_sort_is_order_by(view):
    for word in ("name", "depth", *COSTS):
        assert ask(view, "--sort", word) == ask(view, "-order_by", word)
    assert ask(view, "--sort", "bytes", "-order_by", "params") == ask(
        view, "-order_by", "bytes")
    assert ask(view, "--sort", "auto", "-order_by", "params") == ask(
        view, "-order_by", "params")


def test_sort_by_name_keeps_the_first_names():
    assert shown_first("scope", "--top", 2, "--sort", "name") == shown_first(
        "scope")[:2]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("word", ["int_ops", "macs", "nodes"])
def test_views_refuse_what_only_models_have(view, word):
    assert refusal(2, view, *RESNET, "--sort", word) == (
        f"--sort: views cannot sort by {word} (supported: auto, name, depth, "
        "bytes, peak_bytes, residual_bytes, output_bytes, micros, "
        "accelerator_micros, cpu_micros, params, float_ops, occurrence, "
        "queue_micros)")


@pytest.mark.parametrize("word", ["depth", "micros", "bytes", "occurrence"])
def test_flops_refuses_what_only_views_have(word):
    assert refusal(2, "flops", RESNET[0], "--sort", word) == (
        f"--sort: flops cannot sort by {word} (supported: auto, float_ops, "
        "int_ops, macs, params, nodes, name)")


def test_flops_is_as_it_was():
    plain = ask("flops", inputs=RESNET[:1])
    assert plain == ask("flops", "--top", 15, "--sort", "float_ops",
                        inputs=RESNET[:1])
    assert plain == ask("flops", "--top", -1, "--sort", "auto",
                        inputs=RESNET[:1])
    assert b"and 6 more (--top, --list types)" in plain
    assert b" more (" not in ask("flops", "--top", 0, inputs=RESNET[:1])


@pytest.mark.parametrize("value", ["-2", "x", "3000000000"])
def test_other_numbers_are_refused(value):
    told = refusal(2, "scope", *RESNET, "--top", value)
    assert "--top accepts a number from -1 to 2147483647" in told


# ---- Forms -------------------------------------------------------------------

def test_text_marks_the_rest():
    found = rows(ask("scope", "--top", 1, "-max_depth", 3, "-select",
                     "micros,op_types,num_hidden_ops"))
    assert found == [(0, "_TFProfRoot"), (1, "gradients"),
                     (2, "gradients/unit_3_2"), (2, "(34 more)"),
                     (1, "(28 more)")]
    text = ask("scope", "--top", 1, "-max_depth", 2, "-select",
               "params,op_types,device").decode()
    assert text.splitlines()[-1] == "  (28 more) (--/782.36k params)"


@pytest.mark.parametrize("view", VIEWS)
def test_csv_has_a_column_of_it_when_asked(view):
    args = ["-select", "micros", "--top", "1"]
    table = list(csv.DictReader(
        ask(view, *args, "--format", "csv").decode().splitlines()))
    told = ask_json(view, *args)["rows"]
    assert [int(line["rest"]) for line in table] == [
        row.get("rest", 0) for row in told]
    assert any(row.get("rest") for row in told)
    assert b"rest" not in ask(view, "--sort", "micros", "--format",
                              "csv").splitlines()[0]


def test_a_row_may_be_called_as_the_rest_is(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"(1 more)", b"VariableV2",
                                             shape=[2]) + node_def(b"x"))
    out, told = folder.ask("scope", "--top", 1, "-select", "params")
    assert told == []
    assert rows(out) == [(0, "_TFProfRoot"), (1, "(1 more)"), (1, "(1 more)")]
    assert [row.get("rest") for row in json.loads(folder.ask(
        "scope", "--top", 1, "--format", "json")[0])["rows"]] == [
            None, None, 1]


@pytest.mark.parametrize("view", ["scope", "graph"])
def test_the_rest_has_no_value_of_a_tensor(tmp_path, view):
    """Though one may be called as it is."""
    bundle = Bundle()
    bundle.add(b"(1 more)", FLOAT, [2], floats(7, 8))
    bundle.add(b"large", FLOAT, [3], floats(1, 2, 3))
    inputs = [bundle.write(tmp_path / "model")]
    args = ["-select", "params,tensor_value"]
    whole, part = (ask_json(view, *args, *top, inputs=inputs)["rows"]
                   for top in ([], ["--top", 1]))
    assert {row["name"]: row["value"]["elements"] for row in whole[1:]} == {
        "(1 more)": [7, 8], "large": [1, 2, 3]}
    assert [(row["name"], row.get("rest"), row["value"] is None)
            for row in part[1:]] == [("large", None, False),
                                     ("(1 more)", 1, True)]
    text = ask(view, *args, "--top", 1, inputs=inputs).decode()
    assert text.endswith("\n[1.00 2.00 3.00 ],\n  (1 more) (--/2 params)\n")
    table = ask(view, *args, "--top", 1, "--format", "csv", inputs=inputs)
    assert table.endswith(b',2,"","","",""\n')


@pytest.mark.parametrize("view", VIEWS)
def test_messages_have_all_rows(view):
    plain = ask(view, "--format", "proto")
    code, out, err = run(view, *RESNET, "--format", "proto", "--top", "2")
    assert (code, out, notes(err)) == (0, plain, [TOP_IS_ALL])


@pytest.mark.parametrize("view, kind", [
    *itertools.product(["scope", "graph", "code"], ["timeline", "pprof"]),
    *itertools.product(["scope", "code"], ["folded", "speedscope"])])
def test_timelines_and_other_files_have_all_rows(tmp_path, view, kind):
    files = []
    for top in ([], ["--top", "1"]):
        path = tmp_path / f"{kind}{len(top)}"
        code, out, err = run(view, *RESNET, *top, "-step", "0", "-select",
                             "micros", "-output", f"{kind}:outfile={path}")
        assert (code, out) == (0, b""), err
        assert (TOP_IS_ALL in notes(err)) == bool(top)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_a_file_has_the_rest(tmp_path):
    path = tmp_path / "out"
    assert ask("scope", "--top", 1, "-output", f"file:outfile={path}") == b""
    assert path.read_bytes() == ask("scope", "--top", 1)


# ---- The prompt --------------------------------------------------------------

def test_the_prompt_takes_both():
    inputs = [str(path) for path in RESNET]
    top, sort, both = answers(["op --top 2"], *inputs), answers(
        ["op -sort bytes"], *inputs), answers(
        ["set -top 2 -sort bytes", "op", "scope -max_depth 2", "reset",
         "op -max_depth 3"], *inputs)
    assert top == ask("op", "--top", 2).decode()
    assert sort == ask("op", "--sort", "bytes").decode()
    assert both == (ask("op", "--top", 2, "--sort", "bytes")
                    + ask("scope", "-max_depth", 2, "--top", 2, "--sort",
                          "bytes")
                    + ask("op", "-max_depth", 3)).decode()


def test_advice_does_not_look_at_them():
    inputs = [str(path) for path in RESNET]
    assert answers(["set -top 1 -sort name", "advise"], *inputs) == answers(
        ["advise"], *inputs)


# ---- Anything ----------------------------------------------------------------

@hypothesis.seed(8)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS,
                  hypothesis.strategies.integers(1, 4))
def ask_anything(files, options, top):
    if options.get("order_by", "name") in ("name", "depth"):
        options["order_by"] = "params"
    asked = {**options, "select": EVERYTHING, "format": "json"}
    with drawing.question(files, asked) as (_, args):
        for view in ("scope", "graph", "code"):
            whole, part = (run(view, *args, f"--top={number}")
                           for number in (0, top))
            assert whole[0] == part[0]
            if whole[0] == 0 and not re.search(rb"\d{18}", whole[1]):
                check_below(nested(json.loads(whole[1])["rows"]),
                            nested(json.loads(part[1])["rows"]), top)


def test_random_files_and_questions():
    ask_anything()


# ---- Sums that are too large -------------------------------------------------

def test_the_sum_of_a_rest_stops_at_the_largest_number(tmp_path):
    large = (1 << 63) - 1
    names = [b"a", b"b", b"c"]
    folder = Folder(tmp_path, graph=b"".join(map(node_def, names)), run=run_of(
        (b"/device:CPU:0", b"".join(record(name, end=large - 1)
                                    for name in names))))
    out, told = folder.ask("scope", "--top", 1, "-select", "micros")
    assert "a total overflowed and was clamped" in told
    assert b"(2 more) (--/>=9223372036854.78sec" in out
