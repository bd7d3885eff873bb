"""The shape of every tensor is TensorFlow's: known where TensorFlow knows it,
and never another one; what is known beyond says so.
"""

import collections

import flops_truth
from flops_checks import check, check_count, names, results

shapes = results("shapes")
saved_shapes = results("saved_shapes")


@names("shapes")
def test_shapes_of_a_graph(name, shapes):
    check(shapes[name])


@names("saved_shapes")
def test_shapes_of_a_savedmodel(name, saved_shapes):
    check(saved_shapes[name])


def beyond(found):
    return sum(one.notes["known beyond TensorFlow"] for one in found.values())


def test_how_many_tensors(shapes, saved_shapes, say):
    check_count(shapes, 62, 35372)
    check_count(saved_shapes, 16, 10540)
    say(f"35372 tensors of 62 graphs, {beyond(shapes)} known beyond "
        f"TensorFlow; 10540 of 16 SavedModel bodies, {beyond(saved_shapes)}")


def test_what_is_known_beyond_is_listed(say):
    """Merge hides shapes from TensorFlow; the lowered loops show them."""
    rows = flops_truth.ask_list(flops_truth.frozen("lstm.v1cf"), "tensors",
                                "--functions", "none")
    known = [row for row in rows if row["grade"] == "beyond"]
    assert known
    assert all(row["shape"] != row["shape_tensorflow"] for row in known)
    say(f"{dict(collections.Counter(row['op'] for row in known))}")
