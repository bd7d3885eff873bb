"""Profiles that are read, written and read back."""

from . import wire_seeds
from .encode import wire
from .samples import SAMPLES, shape

SMALLEST, LARGEST = -2**63, 2**63 - 1


def pair(key, value):
    return [("key", key), ("value", value)]


def node(key, name, *fields):
    return ("nodes", pair(key, [("name", name), ("op", "Op"), ("id", key),
                                *fields]))


def shapes(*by_number):
    return [("output_shapes", pair(number, [("int64_values", dim)
                                            for dim in dims]))
            for number, dims in by_number]


def inputs(*by_number):
    return [("inputs", pair(number, source)) for number, source in by_number]


def outputs(*by_source):
    return [("src_output_index", pair(source, output))
            for source, output in by_source]


def notes(*numbers):
    """What tfprof itself says of inputs."""
    return [("attrs", pair("_tfprof_inputs", [("list", [
        ("i", number) for number in numbers])]))]


def runs(step, *fields):
    return ("execs", pair(step, list(fields)))


def times(*tuples):
    return [("times", [("int64_values", number) for number in one])
            for one in tuples]


SPLIT = node(0, "split", *shapes((0, [1]), (1, [2, 3]), (4, []), (5, [-7])))

ODD = {
    "PR-01_no_such_node": [
        SPLIT, node(1, "a", *inputs((0, 0), (1, 9)), *outputs((9, 1), (8, 0)))],
    "PR-01_smallest_key": [
        node(SMALLEST, "a"), node(LARGEST, "b", *inputs((0, SMALLEST)),
                                  *outputs((SMALLEST, 0)))],
    "PR-01_key_is_not_id": [
        ("nodes", pair(4, [("name", "a"), ("id", 5)])),
        ("nodes", pair(5, [("name", "b"), ("id", 4), *inputs((0, 4))]))],
    "PR-01_key_twice": [node(1, "a", *inputs((0, 1))), node(1, "b")],
    "PR-01_name_twice": [
        node(1, "a", runs(0, ("run_count", 2))),
        node(2, "a", runs(0, ("run_count", 3)), runs(1))],
    "inputs_with_gaps": [
        SPLIT, node(1, "a", *inputs((7, 0), (3, 0), (-2, 0), (3, 1)),
                    *outputs((0, 1)))],
    "inputs_of_several_outputs": [
        SPLIT, node(1, "a", *inputs((0, 0), (1, 0), (2, 0)), *outputs((0, 1)),
                    *notes(1, 5, 2, -1, 3, -2, 9, 4))],
    "inputs_noted_wrong": [
        SPLIT, node(1, "a", *inputs((0, 0)), *notes(
            0, -2, 0, -3, LARGEST, 1, 5, 2**40, 0))],
    "nothing_in_a_step": [
        node(1, "a", ("execs", [("key", 3)]), runs(SMALLEST)),
        ("steps", 9), ("steps", 3), ("steps", -4)],
    "devices": [
        node(1, "a", ("canonical_device", "/job:x/GPU:0/gpu:12/gpu:"),
             runs(0, ("accelerator_execs", pair("b", times((5, 1), (4, 2)))),
                  ("accelerator_execs", pair("a", times((3, 1)))),
                  ("accelerator_execs", pair("b", times((1, -1), ()))),
                  ("cpu_execs", pair("B", times((5, 0)))),
                  ("all_start_micros", -3), ("latest_end_micros", SMALLEST)))],
    "shapes": [
        node(1, "a", ("shape", -5), ("shape", 2), ("attrs", pair("shape", [
            ("shape", [("unknown_rank", True)])]))),
        node(2, "b", ("attrs", pair("shape", [("shape", [])])),
             ("attrs", pair("z", [])), ("attrs", pair("b", [("list", [])])),
             ("attrs", pair("a", [("func", [("name", "f"), ("attr", pair(
                 "T", [("i", 1)]))])])))],
    "constants": [
        node(number, f"c{number}", ("attrs", pair("value", [("tensor", [
            ("dtype", dtype), ("tensor_shape", shape(2)), value])])))
        for number, (dtype, value) in enumerate((
            (1, ("float_val", 1.5)), (2, ("double_val", -0.1)),
            (3, ("int_val", -7)), (7, ("string_val", b"\xff")),
            (10, ("bool_val", True)), (14, ("half_val", 0x4049)),
            (19, ("half_val", 0x8001)), (19, ("half_val", 0x7c01)),
            (22, ("uint32_val", 2**32 - 1)), (23, ("uint64_val", 2**64 - 1)),
            (8, ("scomplex_val", 1))))],
}


def seeds():
    """(name, bytes)"""
    for name, pairs in SAMPLES["profile"].items():
        yield f"sample_{name}", wire("ProfileProto", pairs)
    for name, pairs in ODD.items():
        yield name, wire("ProfileProto", pairs)
    for name, data in wire_seeds.seeds("profile"):
        if name.startswith(("all_", "PB-14", "PB-15", "PB-18")):
            yield name, data
