"""ProfileOptionBuilder makes the dicts of TensorFlow's, key by key."""

# labels: tf

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
import tf_messages
from lacking import needs

import tfprof
from tfprof import _options

pytestmark = pytest.mark.live

B = tfprof.ProfileOptionBuilder

# Every method that changes something, with what it is called with.
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("with_max_depth", (3,), {}),
    ("with_min_memory", (), {}),
    ("with_min_memory", (1, 2, 3, 4), {}),
    ("with_min_memory", (), {"min_output_bytes": 9}),
    ("with_min_execution_time", (), {}),
    ("with_min_execution_time", (5, 6, 7), {}),
    ("with_min_parameters", (10,), {}),
    ("with_min_occurrence", (11,), {}),
    ("with_min_float_operations", (12,), {}),
    ("with_accounted_types", (["a", "b"],), {}),
    ("with_node_names", (), {}),
    ("with_node_names", (["s"], ["t"], ["u"], ["v"]), {}),
    ("with_node_names", (), {"trim_name_regexes": []}),
    ("account_displayed_op_only", (True,), {}),
    ("with_empty_output", (), {}),
    ("with_stdout_output", (), {}),
    ("with_file_output", ("f",), {}),
    ("with_timeline_output", ("g",), {}),
    ("with_pprof_output", ("h",), {}),
    ("order_by", ("params",), {}),
    ("select", (["params", "bytes"],), {}),
    ("with_step", (4,), {}),
]
needs_tensorflow = needs(tf_messages.HAVE, tf_messages.NEEDED)
READY = ["trainable_variables_parameter", "float_operation", "time_and_memory"]


def _theirs() -> Any:
    import tensorflow as tf
    return tf.compat.v1.profiler.ProfileOptionBuilder


def _same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert list(ours.items()) == list(theirs.items())  # and in that order


@needs_tensorflow
def test_it_has_every_method_of_tensorflow() -> None:
    names = {name for name in dir(_theirs()) if not name.startswith("_")}
    assert names - set(dir(B)) == set()
    assert names == {name for name, *_ in CALLS} | set(READY) | {"build"}


@needs_tensorflow
def test_ready_made_options() -> None:
    for name in READY:
        _same(getattr(B, name)(), getattr(_theirs(), name)())
    _same(B.time_and_memory(1, 2, 3, 4, 5, 6, 7),
          _theirs().time_and_memory(1, 2, 3, 4, 5, 6, 7))


@needs_tensorflow
def test_every_pair_of_calls_from_every_start() -> None:
    starts = [None, {}, {"unknown": [1]},
              *(getattr(B, name)() for name in READY)]
    for start in starts:
        for calls in itertools.chain([()], itertools.product(CALLS, repeat=2)):
            _compare(start, calls)


@needs_tensorflow
def test_long_chains() -> None:
    chance = random.Random(1)
    for _ in range(200):
        _compare(None, [chance.choice(CALLS) for _ in range(12)])


def _compare(start: Any, calls: Any) -> None:
    ours, theirs = B(start), _theirs()(start)
    for name, args, words in calls:
        assert getattr(ours, name)(*args, **words) is ours
        getattr(theirs, name)(*args, **words)
    _same(ours.build(), theirs.build())


def test_names_of_the_examples() -> None:
    start = B.time_and_memory()
    made = (B(start).with_displaying_options(show_name_regexes=[".*rnn.*"])
            .with_min_micros(1000).build())
    assert made == {**start, "show_name_regexes": [".*rnn.*"],
                    "min_micros": 1000}


def test_a_builder_shares_nothing() -> None:
    types = ["a"]
    builder = B().with_accounted_types(types)
    types.append("b")
    made = builder.build()
    made["select"].append("x")
    assert made["account_type_regexes"] == ["a"]
    assert builder.build()["select"] == ["micros"]


# ---- In the words of the library --------------------------------------------

def test_missing_keys_have_tensorflows_values() -> None:
    found = _options.settings({})
    assert found["max_depth"] == "10" and found["step"] == "-1"
    assert found["account_type_regexes"] == found["show_name_regexes"] == ""
    assert found["output"] == "stdout" and found["order_by"] == "name"
    assert "device_regexes" not in found and "dump_to_file" not in found


def test_minima_of_metrics_that_tensorflow_does_not_have() -> None:
    assert _options.settings({})["min_queue_micros"] == "0"
    assert _options.settings({"min_queue_micros": 5})["min_queue_micros"] == "5"


def test_unknown_keys_are_passed_over() -> None:
    assert _options.settings({"viz": True, "x": 1}) == _options.settings({})


def test_lists_of_patterns() -> None:
    found = _options.settings({
        "show_name_regexes": ["a,b", r"c\,d", "e{2,3}", ""],
        "device_regexes": [".*cpu.*"]})
    assert found["show_name_regexes"] == r"a\,b,c\,d,e{2,3},(?:)"
    assert found["device_regexes"] == ".*cpu.*"


def test_names_of_files() -> None:
    assert (_options.settings({"output": "file:outfile=a,b.txt"})["output"]
            == r"file:outfile=a\,b.txt")
    assert (_options.settings({"output": "pprof:outfile=a,labels=all"})
            ["output"] == "pprof:outfile=a,labels=all")
    assert _options.settings({"dump_to_file": "f"})["dump_to_file"] == "f"


@pytest.mark.parametrize("options", [
    {"max_depth": "3"}, {"min_bytes": None}, {"step": 1.5},
    {"select": "micros"}, {"show_name_regexes": [1]}, {"output": 3},
    {"show_name_regexes": None}, {"order_by": ["name"]}])
def test_values_of_another_type(options: Any) -> None:
    with pytest.raises(TypeError, match=next(iter(options))):
        _options.settings(options)


def test_depths_that_the_library_does_not_know() -> None:
    assert _options.settings({"max_depth": 1 << 40})["max_depth"] == str(
        (1 << 31) - 1)
