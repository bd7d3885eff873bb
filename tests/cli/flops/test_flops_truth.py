"""The tables of tests/flops are those that were packed, and what holds tfprof
against them finds every kind of difference.
"""

# labels: slow

import csv
import io
import json
import re

import pytest

import flops_compare
import flops_truth
from files import SHARED, needs_shared


def test_the_archives_are_those_that_were_packed():
    sums = (flops_truth.FOLDER / flops_truth.pack.SUMS).read_text()
    assert sums == flops_truth.pack.sums()


@needs_shared
def test_the_files_are_those_of_the_complete_set(say):
    count = 0
    for archive, files in flops_truth.pack.select(SHARED / "flops").items():
        folder = flops_truth.unpacked(archive)
        for name, content in files.items():
            assert (folder / name).read_bytes() == content, name
            count += 1
    assert flops_truth.pack.read_ops(SHARED / "flops" / "formulas.md") == [
        (op, "yes" if has else "no") for op, has in flops_truth.ops().items()]
    say(f"{count} files")


def test_the_tables_agree_with_each_other():
    """A sum over a table is the total in another one."""
    for name, row in flops_truth.by_name("proposed").items():
        types = flops_truth.table(f"proposed_by_type/{name}")
        for column in ("float_ops", "int_ops"):
            assert int(row[f"proposed_{column}"]) == sum(
                int(line[column]) for line in types), name
    for name, row in flops_truth.by_name("nested").items():
        calls = flops_compare.dearer(
            call for call in flops_truth.table("nested_calls")
            if call["name"] == name)
        assert int(row["with_function_bodies"]) == int(
            row["upstream_top_graph_only"]) + sum(
                int(call["float_ops_all"]) for call in calls), name
    for name, row in flops_truth.by_name("truth").items():
        assert int(row["total_float_ops"]) == sum(
            int(line["float_ops"])
            for line in flops_truth.table(f"by_type/{name}")), name
    assert len(flops_truth.ops()) == 258
    assert sum(flops_truth.ops().values()) == 46


# ---- The comparisons themselves ----------------------------------------------

COLUMNS = {
    "tensors": "tensor op shape grade shape_tensorflow",
    "nodes": "node op output_shapes times float_ops int_ops macs status "
             "float_ops_tensorflow status_tensorflow",
    "types": "op nodes float_ops int_ops macs unknown_nodes",
    "variables": "name dtype shape elements bytes trainable",
}


def right_rows(which, name, is_saved, options):
    """What a list should have, from the truth."""
    if which == "tensors":
        how = ".batch1" if "--batch" in options else ".asis"
        key = f"savedmodel_{name}{how}" if is_saved else name
        for row in flops_truth.table(f"shapes/{key}"):
            grade = "unknown" if row["shape"] == "?" else "tensorflow"
            yield row["tensor"], row["op"], row["shape"], grade, row["shape"]
    elif which == "nodes":
        for row in flops_truth.table(f"per_op/{name}"):
            yield (row["node"], row["op"], row["output_shapes"], 1,
                   row["float_ops"], 0, 0, "counted", row["float_ops"],
                   row["status"])
        calls = [row for row in flops_truth.table("nested_calls")
                 if row["name"] == name and "walk" in options]
        for row in flops_compare.dearer(calls):
            below = flops_compare.BELOW.get(row["kind"], "")
            yield (f"{row['node']}/{below}node", "Mul", "[]", row["times"],
                   row["float_ops_all"], 0, 0, "counted", 0, "ok")
    elif which == "types" and "full" in options:
        for row in flops_truth.table(f"proposed_by_type/{name}"):
            row = flops_compare.corrected(row)
            yield (row["op"], row["nodes"], row["float_ops"], row["int_ops"],
                   0, row["unknown_nodes"])
    elif which == "types":
        for row in flops_truth.table(f"by_type/{name}"):
            yield row["op"], row["count"], row["float_ops"], 0, 0, 0
    elif which == "variables":
        row = flops_truth.by_name("truth_savedmodel")[name]
        left = int(row["float_elems_used_by_signature"])
        for number in range(int(row["vars_used_by_signature"])):
            yield f"v{number}", "float32", f"[{left}]", left, 4 * left, 1
            left = 0


def right_summary(name, is_saved, options):
    if is_saved:
        row = flops_truth.by_name("truth_savedmodel")[name]
        total = int(row["float_ops_batch1" if "--batch" in options
                        else "float_ops_as_stored"])
        return {"float_ops": total, "float_ops_tensorflow": total}
    row = flops_truth.by_name("truth")[name]
    full = flops_truth.by_name("proposed").get(name, {})
    return {
        "float_ops": int(
            full["proposed_float_ops"] if "full" in options else
            row["with_function_bodies"] if "walk" in options else
            row["total_float_ops"]),
        "int_ops": int(full["proposed_int_ops"]) if "full" in options else 0,
        "float_ops_tensorflow": int(row["total_float_ops"]),
        "constants": {"float_elements": int(row["float_const_elems"])},
        "params": int(row["params_total"]), "params_rule": "constants",
    }


def right(path, *options):
    """What flops_truth.ask() returns if all is well."""
    is_saved = path.suffix != ".pb"
    name = path.name.removesuffix(".pb")
    if "--list" not in options:
        return json.dumps(right_summary(name, is_saved, options))
    which = options[options.index("--list") + 1]
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS[which].split())
    lines.writerows(right_rows(which, name, is_saved, options))
    return text.getvalue()


@pytest.mark.parametrize("what", flops_compare.COMPARISONS)
def test_what_is_right_passes(what, monkeypatch):
    monkeypatch.setattr(flops_truth, "ask", right)
    for found in flops_compare.compare_all(what, "^(lstm|cond|tf1_cnn_train)"):
        assert not found.differences, flops_compare.report(found)
        assert found.checked


# A comparison, the model, what is replaced in its answer, the kinds found.
LIES = [
    ("shapes", "lstm", r"\[1,20,32\]", "[1,20,33]", {"wrong"}),
    ("shapes", "lstm", r"\[1,20,32\]", "[1,?,32]",
     {"TensorFlow knows and we do not"}),
    ("shapes", "lstm", r"\[1,20,32\]", "?", {"TensorFlow knows and we do not"}),
    ("shapes", "dynbatch", r"\[\?,32,32,3\]", "[1,32,32,3]",
     {"TensorFlow does not know"}),
    ("shapes", "lstm", "Placeholder", "Const", {"another op type"}),
    ("shapes", "lstm", r"(?m)^a_0:0.*\n", "", {"missing"}),
    ("shapes", "lstm", r"(?m)^(a_0:0.*\n)", r"\1more\1", {"too many"}),
    ("shapes", "lstm", ",tensorflow,", ",beyond,", {"another grade"}),
    ("saved_shapes", "lstm.asis", r"\[\?,20,32\]", "[2,20,32]",
     {"TensorFlow does not know"}),
    ("per_op", "lstm", "1280", "1281", {"float_ops"}),
    ("per_op", "lstm", ",none", ",ok", {"status"}),
    ("totals", "lstm", "1290", "1291", {"float_ops", "float_ops_tensorflow"}),
    ("totals", "lstm", "(?m)^Const,21", "Const,20", {"nodes"}),
    ("saved", "lstm", "49920", "0", {"float_ops_batch1 (float_ops)"}),
    ("nested", "lstm", "999772", "1290", {"float_ops"}),
    ("nested_calls", "lstm", r"\[\],20,", "[],1,", {"times"}),
    ("proposed", "lstm", "15360", "15361", {"float_ops"}),
    ("proposed", "lstm", ",42,0,0", ",42,0,1", {"unknown_nodes"}),
    ("params", "lstm", "(?m)^v3.*\n", "", {"variables"}),
    ("params", "lstm", "float32", "int32", {"float elements"}),
    ("consts", "lstm", "25610", "25611", {"float elements"}),
    ("shapes", "lstm", "(?s)^.*$", "", {"failed"}),
    ("shapes", "lstm", "(?s)^.+$", "tensor,op\na_0:0,Placeholder\n",
     {"strange answer"}),
    ("totals", "lstm", "(?s)^.+$", "{}", {"strange answer"}),
]


@pytest.mark.parametrize("what, name, old, new, kinds", LIES)
def test_what_is_wrong_is_found(what, name, old, new, kinds, monkeypatch):
    def lie(path, *options):
        return re.sub(old, new, right(path, *options))
    monkeypatch.setattr(flops_truth, "ask", lie)
    found = flops_compare.compare(what, name)
    assert kinds <= {difference.kind for difference in found.differences}, (
        flops_compare.report(found))
