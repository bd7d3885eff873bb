"""Programs compiled by XLA, as src/trace reads them, against TensorFlow's own
messages: random ones, and what XLA makes of a small model."""

# labels: tf

import math
import os
import pathlib
import random
import subprocess
import sys

import pytest

import recorded
import tf_messages
from files import needs_tensorflow

pytestmark = pytest.mark.recorded

PROGRAMS = 150
F32, TUPLE = 11, 13

OPCODES = ("add tanh copy transpose fusion reshape dot compare select "
           "custom-call parameter constant broadcast rsqrt logistic").split()
KINDS = {"kLoop": "loop fusion", "kInput": "input fusion",
         "kOutput": "output fusion", "kCustom": "custom fusion", "": "fusion"}
ELEMENTWISE = {"add", "tanh", "compare", "select", "rsqrt", "logistic",
               "multiply", "subtract", "divide", "maximum", "negate",
               "exponential", "convert"}


def dump(paths):
    """Programs: None if damaged, else rows of instructions."""
    program = os.environ.get("TFPROF_HLO_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "hlo_dump")
    text = subprocess.run([program, *paths], check=True, text=True,
                          capture_output=True).stdout
    found = []
    for line in text.splitlines():
        what, *words = line.split("\t")
        if what == "instruction":
            found[-1].append(words)
        else:
            found.append([] if what == "program" else None)
    return found


# ---- The same, by TensorFlow's messages -------------------------------------

def category(i):
    if i.opcode == "fusion":
        return KINDS[i.fusion_kind]
    if i.opcode in ("transpose", "copy", "reshape", "dynamic-reshape"):
        return "data formatting"
    return ("non-fusion elementwise" if i.opcode in ELEMENTWISE else i.opcode)


def arrays(shape):
    if shape.element_type != TUPLE:
        return [" ".join(map(str, [shape.element_type, *shape.dimensions]))]
    return [text for part in shape.tuple_shapes for text in arrays(part)]


def stack(module, number):
    index, found, seen = module.stack_frame_index, [], set()
    while 0 < number <= len(index.stack_frames) and number not in seen:
        seen.add(number)
        frame = index.stack_frames[number - 1]
        if 0 < frame.file_location_id <= len(index.file_locations):
            at = index.file_locations[frame.file_location_id - 1]
            found.append(f"{index.file_names[at.file_name_id - 1]}:"
                         f"{index.function_names[at.function_name_id - 1]}:"
                         f"{at.line}")
        number = frame.parent_frame_id
    return found


def sources(i, by_id, ran):
    found, todo, seen = [], list(i.operand_ids), {i.id}
    while todo:
        number = todo.pop(0)
        if number in seen or number not in by_id:
            continue
        seen.add(number)
        if number in ran:
            found.append(by_id[number].name)
        else:
            todo += by_id[number].operand_ids
    return found


def listed(items):
    return "".join(f"{item}," for item in items)


def rows(module):
    """As hlo_dump prints them, without float operations."""
    every = [i for c in module.computations for i in c.instructions]
    by_id = {i.id: i for i in every}
    ran = {i.id for k, i in enumerate(every) if k % 3 != 1}
    calls = {c.id for c in module.computations}
    return [[i.name, i.opcode, category(i), str(i.id), i.metadata.op_name,
             i.metadata.op_type, i.metadata.source_file,
             str(i.metadata.source_line),
             listed(n if n in by_id else "-" for n in i.operand_ids),
             listed(n if n in calls else "-"
                    for n in i.called_computation_ids),
             listed(arrays(i.shape)), listed(stack(
                 module, i.metadata.stack_frame_id)),
             listed(sources(i, by_id, ran))] for i in every]


# ---- Random programs --------------------------------------------------------

def fill_shape(rng, shape, depth):
    if depth and rng.random() < 0.2:
        shape.element_type = TUPLE
        for _ in range(rng.randrange(4)):
            fill_shape(rng, shape.tuple_shapes.add(), depth - 1)
    else:
        shape.element_type = rng.choice([1, 4, F32, 16])
        shape.dimensions.extend(rng.choices([0, 1, 5, 300, 2**40],
                                            k=rng.randrange(4)))


def fill_index(rng, index):
    """Frames have their parent before them, as those of XLA do."""
    index.file_names.extend(["a.py", "dir/b.py"])
    index.function_names.extend(["f", "g", "<lambda>"])
    for _ in range(5):
        index.file_locations.add(file_name_id=rng.randint(1, 2),
                                 function_name_id=rng.randint(1, 3),
                                 line=rng.randint(1, 500))
    for k in range(12):
        index.stack_frames.add(file_location_id=rng.randint(0, 6),
                               parent_frame_id=rng.randint(0, k))


def random_program(rng, proto):
    module = proto.hlo_module
    module.name = f"jit_{rng.randrange(99)}"
    ids = rng.sample(range(2**62), 60)
    calls = rng.sample(range(-2**40, 2**40), 4)
    for k, number in enumerate(calls):
        computation = module.computations.add(id=number)
        for n in range(rng.randrange(15)):
            i = computation.instructions.add(
                name=f"i.{k}.{n}", opcode=rng.choice(OPCODES),
                id=ids[15 * k + n])
            if i.opcode == "fusion":
                i.fusion_kind = rng.choice(list(KINDS))
            i.operand_ids.extend(rng.choices(ids, k=rng.randrange(4)))
            if rng.random() < 0.3:
                i.called_computation_ids.append(rng.choice([*calls, 7]))
            fill_shape(rng, i.shape, 3)
            if rng.random() < 0.7:
                i.metadata.op_name = f"jit(f)/{i.opcode}"
                i.metadata.op_type = i.opcode
                i.metadata.source_file = "c.py"
                i.metadata.source_line = rng.randrange(99)
                i.metadata.stack_frame_id = rng.randint(0, 13)
            i.literal.f32s.append(1.5)
            i.sharding.tile_assignment_dimensions.append(2)
    fill_index(rng, module.stack_frame_index)
    proto.buffer_assignment.logical_buffers.add(id=1)


@needs_tensorflow
def test_random_programs_are_read_as_tensorflow_reads_them(tmp_path, say):
    proto_class = tf_messages.module("compiler.xla.service.hlo").HloProto
    rng = random.Random(18)
    protos, paths = [], []
    for k in range(PROGRAMS):
        proto = proto_class()
        random_program(rng, proto)
        path = tmp_path / f"{k}.hlo"
        path.write_bytes(proto.SerializeToString())
        protos.append(proto)
        paths.append(path)
    found = dump(paths)
    assert len(found) == PROGRAMS
    instructions = 0
    for proto, ours in zip(protos, found):
        assert [row[:-1] for row in ours] == rows(proto.hlo_module)
        instructions += len(ours)
    say(f"{PROGRAMS} programs with {instructions} instructions are the same")
    assert instructions > 5 * PROGRAMS


# ---- What XLA makes ---------------------------------------------------------

COMPILE = """
import os, sys
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

@tf.function(jit_compile=True)
def f(x, w, kernel, images):
    y = tf.nn.conv2d(images, kernel, 2, "SAME")
    z = tf.reduce_sum(tf.nn.sigmoid(tf.matmul(x, w)), 0)
    return z, tf.tanh(y)

ir = f.experimental_get_compiler_ir(
    tf.ones([5, 7]), tf.ones([7, 3]), tf.ones([3, 3, 2, 4]),
    tf.ones([1, 8, 8, 2]))
with open(sys.argv[1], "wb") as file:
    file.write(ir(stage="optimized_hlo_proto_serialized"))
"""


def flops_of(i, by_id):
    """Of what a test can tell without the code it tests."""
    size = math.prod(i.shape.dimensions)
    if i.opcode == "dot":
        left = by_id[i.operand_ids[0]].shape.dimensions
        return 2 * size * math.prod(
            left[d] for d in
            i.dot_dimension_numbers.lhs_contracting_dimensions)
    if i.opcode == "convolution":
        kernel = by_id[i.operand_ids[1]].shape.dimensions
        numbers = i.convolution_dimension_numbers
        return 2 * size * math.prod(kernel) // kernel[
            numbers.kernel_output_feature_dimension]
    if i.opcode in ("add", "tanh", "multiply"):
        return size if by_id[i.operand_ids[0]].shape.element_type == F32 else 0
    return None


@needs_tensorflow
def test_a_compiled_model_is_read_and_counted(tmp_path, say):
    path = tmp_path / "model.hlo"
    recorded.record("hlo", "tensorflow-cpu").made(
        {"script": COMPILE}, tmp_path,
        lambda: subprocess.run([sys.executable, "-c", COMPILE, path],
                               check=True, capture_output=True).returncode)
    proto = tf_messages.module("compiler.xla.service.hlo").HloProto()
    proto.ParseFromString(path.read_bytes())
    (found,) = dump([path])
    assert [row[:-1] for row in found] == rows(proto.hlo_module)
    by_id = {i.id: i for c in proto.hlo_module.computations
             for i in c.instructions}
    compared = {}
    for row, i in zip(found, by_id.values()):
        assert row[-1] != "-1", row
        flops = flops_of(i, by_id)
        if flops is not None:
            compared[i.opcode] = flops
            assert int(row[-1]) == flops, row
    assert compared["dot"] == 2 * 5 * 3 * 7
    assert compared["convolution"] == 2 * 4 * 4 * 4 * 3 * 3 * 2
    say(f"{len(found)} instructions; float operations of "
        f"{', '.join(sorted(compared))} are the same")


@needs_tensorflow
def test_XS_13_a_damaged_program_is_refused(tmp_path):
    proto = tf_messages.module("compiler.xla.service.hlo").HloProto()
    random_program(random.Random(1), proto)
    data = proto.SerializeToString()
    paths = []
    for k, cut in enumerate((data[:-1], data[:len(data) // 2], data[7:],
                             b"\xff" * 40)):
        paths.append(tmp_path / f"{k}.hlo")
        paths[-1].write_bytes(cut)
    assert dump(paths) == [None] * 4
