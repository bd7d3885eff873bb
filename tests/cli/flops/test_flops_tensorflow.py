"""`--formulas tensorflow` counts what TensorFlow's profiler counts, to the
unit: per node, in all, of SavedModels, and with the bodies of functions.
"""

import flops_truth
from flops_checks import check, check_count, names, results

per_op = results("per_op")
totals = results("totals")
saved = results("saved")
nested = results("nested")
nested_calls = results("nested_calls")


@names("per_op")
def test_counts_of_nodes_match_tensorflow(name, per_op):
    check(per_op[name])


def test_how_many_nodes(per_op, say):
    check_count(per_op, 62, 34324)
    say("34324 nodes of 62 graphs")


@names("totals")
def test_total_and_by_type(name, totals):
    check(totals[name])


def test_how_many_totals(totals):
    """Two totals a graph; nodes and operations of each op type."""
    types = sum(len(flops_truth.table(f"by_type/{name}")) for name in totals)
    check_count(totals, 89, 2 * 89 + 2 * types)


@names("saved")
def test_counts_of_savedmodels_match_tensorflow(name, saved):
    check(saved[name])


def test_how_many_savedmodels(saved):
    """As stored and with batch 1; the count and TensorFlow's."""
    check_count(saved, 47, 47 * 4)


@names("nested")
def test_with_the_bodies_of_functions(name, nested):
    check(nested[name])


@names("nested_calls")
def test_counts_of_calls_match_with_evaluated_iterations(name, nested_calls):
    """Trip counts are found by evaluation: none is given."""
    check(nested_calls[name])


def test_how_many_calls(nested, nested_calls):
    check_count(nested, 89, 89 * 2)
    rows = flops_truth.table("nested_calls")
    branches = sum(row["kind"].endswith("else_branch") for row in rows)
    check_count(nested_calls, 19, 2 * (len(rows) - branches))
    assert (len(rows), branches) == (201, 5)
