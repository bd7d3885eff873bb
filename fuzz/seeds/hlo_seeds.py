"""Seeds of the target hlo: programs compiled by XLA, sound and contrived."""

from . import schema
from .encode import delimited, packed, tag, varint, wire

F32, S32, TUPLE = 11, 4, 13


def numbers(message, name, *values):
    return packed(schema.field(message, name), values)


def shape(kind, *dims):
    return wire("ShapeProto", [("element_type", kind)]) + numbers(
        "ShapeProto", "dimensions", *dims)


def tuple_of(*parts):
    of = schema.field("ShapeProto", "tuple_shapes").number
    return wire("ShapeProto", [("element_type", TUPLE)]) + b"".join(
        delimited(of, part) for part in parts)


def part(name, data):
    """Bytes as a field of an instruction."""
    return delimited(schema.field("HloInstructionProto", name).number, data)


def instruction(name, opcode, number, *, of=None, operands=(), called=(),
                metadata=(), more=b""):
    message = "HloInstructionProto"
    return (wire(message, [("name", name), ("opcode", opcode),
                           ("id", number)]) +
            (part("shape", of) if of is not None else b"") +
            numbers(message, "operand_ids", *operands) +
            numbers(message, "called_computation_ids", *called) +
            (part("metadata", wire("OpMetadata", metadata))
             if metadata else b"") + more)


def computation(number, *instructions):
    of = schema.field("HloComputationProto", "instructions").number
    return b"".join(delimited(of, data) for data in instructions) + wire(
        "HloComputationProto", [("id", number)])


def program(*computations, index=()):
    of = schema.field("HloModuleProto", "computations").number
    module = wire("HloModuleProto", [("name", "jit_f")]) + b"".join(
        delimited(of, data) for data in computations)
    if index:
        module += wire("HloModuleProto", [("stack_frame_index", index)])
    return delimited(1, module)


def frames(*pairs):
    """Two locations, and frames as (location, parent)."""
    return [("file_names", "train.py"), ("function_names", "loss"),
            ("function_names", "main"),
            ("file_locations", [("file_name_id", 1), ("function_name_id", 1),
                                ("line", 12)]),
            ("file_locations", [("file_name_id", 1), ("function_name_id", 2),
                                ("line", 28)]),
            *(("stack_frames", [("file_location_id", location),
                                ("parent_frame_id", parent)])
              for location, parent in pairs)]


def window(*sizes, stride=1, dilation=1):
    return part("window", wire("Window", [
        ("dimensions", [("size", size), ("stride", stride),
                        ("padding_low", 1), ("window_dilation", 1),
                        ("base_dilation", dilation)]) for size in sizes]))


def convolved(*, dilation=1, target=None):
    message = "ConvolutionDimensionNumbers"
    more = window(3, 3, dilation=dilation) + part(
        "convolution_dimension_numbers",
        wire(message, [("kernel_input_feature_dimension", 2),
                       ("kernel_output_feature_dimension", 3),
                       ("output_feature_dimension", 3)]) +
        numbers(message, "output_spatial_dimensions", 1, 2))
    if target:
        more += part("custom_call_target", target.encode())
    return program(computation(
        1, instruction("x", "parameter", 1, of=shape(F32, 2, 8, 8, 3)),
        instruction("k", "parameter", 2, of=shape(F32, 3, 3, 3, 4)),
        instruction("c", "custom-call" if target else "convolution", 3,
                    of=shape(F32, 2, 8, 8, 4), operands=(1, 2), more=more)))


def product(opcode="dot", more=b""):
    return program(computation(
        1, instruction("a", "parameter", 1, of=shape(F32, 5, 7)),
        instruction("b", "parameter", 2, of=shape(F32, 7, 3)),
        instruction("c", opcode, 3, operands=(1, 2), more=more,
                    of=tuple_of(shape(F32, 5, 3), shape(S32, 9)))))


def gemm(config):
    return product("custom-call", part("custom_call_target", b"__cublas$gemm") +
                   part("backend_config", config))


def reducer(number):
    return computation(
        number, instruction("x", "parameter", 100 * number, of=shape(F32)),
        instruction("sum", "add", 100 * number + 1, of=shape(F32),
                    operands=(100 * number, 100 * number)))


def called(opcode, more=b""):
    return program(reducer(9), computation(
        1, instruction("a", "parameter", 1, of=shape(F32, 6, 4)),
        instruction("b", "parameter", 2, of=shape(F32, 3, 2)),
        instruction("c", opcode, 3, of=shape(F32, 3, 2), operands=(1, 2, 2),
                    called=(9, 9), more=more)))


def elements(opcode):
    return program(computation(
        1, instruction("p", "parameter", 1, of=shape(F32, 8)),
        instruction("e", opcode, 2, of=shape(F32, 8), operands=(1,),
                    metadata=[("op_type", "op"), ("op_name", "jit(f)/op"),
                              ("source_file", "a.py"), ("source_line", 3),
                              ("stack_frame_id", 1)])),
        index=frames((1, 2), (2, 0)))


def nested(levels):
    data = shape(F32, 2)
    for _ in range(levels):
        data = tuple_of(data)
    return program(computation(1, instruction("t", "tuple", 1, of=data)))


OPCODES = ("add tanh logistic clamp compare convert copy transpose fusion "
           "while all-reduce reduce reduce-window select-and-scatter scatter "
           "map async-start sort custom-call dot convolution").split()

# Bytes that are no message.
BROKEN = {"cut": b"\x0a\x05\x0a\x01a", "group_end": b"\x0a\x01\x0c",
          "field_0": b"\x0a\x02\x00\x00", "long_varint": b"\x0a" + b"\xff" * 11}


def seeds():
    yield "empty", b""
    for opcode in OPCODES:
        yield f"elements_{opcode}", elements(opcode)
        yield f"called_{opcode}", called(opcode, window(2, 2))
    dot = part("dot_dimension_numbers", numbers(
        "DotDimensionNumbers", "lhs_contracting_dimensions", 1))
    yield "dot", product(more=dot)
    yield "gemm", gemm(b'{"lhs_contracting_dimensions":["1"]}')
    yield "gemm_unsaid", gemm(b"")
    yield "gemm_cut", gemm(b'"lhs_contracting_dimensions":["1"')
    yield "convolution", convolved()
    yield "convolution_dilated", convolved(dilation=2)
    for name in ("Forward", "BackwardInput", "BackwardFilter"):
        yield f"cudnn_{name}", convolved(target=f"__cudnn$conv{name}")
    for kind in ("kLoop", "kInput", "kOutput", "kCustom"):
        yield f"fusion_{kind}", called("fusion", part("fusion_kind",
                                                      kind.encode()))
    yield "tuples_95", nested(95)
    yield "tuples_97", nested(97)
    yield "XS-13_frames_loop", program(computation(1, instruction(
        "a", "add", 1, metadata=[("stack_frame_id", 1)])),
        index=frames((1, 2), (2, 1), (1, 3)))
    yield "XS-13_frames_far", program(computation(1, instruction(
        "a", "add", 1, metadata=[("stack_frame_id", 9)])),
        index=frames((7, 8), (-1, -1)))
    yield "XS-13_itself", program(computation(1, instruction(
        "a", "fusion", 1, of=shape(F32), operands=(1, 77), called=(1,))))
    yield "XS-13_each_other", program(
        computation(1, instruction("a", "fusion", 1, called=(2,))),
        computation(2, instruction("b", "fusion", 2, called=(1,))))
    yield "same_names", program(computation(
        1, instruction("a", "add", 1), instruction("a", "abs", 1)))
    yield "two_modules", program(reducer(1)) + program(reducer(2))
    yield "chain", program(computation(1, *(
        instruction(f"i{k}", "copy", k, operands=(k - 1, k - 2))
        for k in range(60))))
    yield "unpacked", program(computation(1, instruction(
        "a", "add", 1, of=shape(F32), more=tag(
            schema.field("HloInstructionProto", "operand_ids").number, 0) +
        varint(1))))
    sound = elements("add")
    for at in range(1, len(sound), 9):
        yield f"XS-13_cut_{at:03}", sound[:at]
    for name, data in BROKEN.items():
        yield f"XS-13_{name}", data


def dictionary():
    words = {*OPCODES, "parameter", "__cublas$gemm", "__cublas$lt$matmul",
             "__onednn$matmul", "__cudnn$convForward",
             "__cudnn$convBackwardInput", "__cudnn$convBackwardFilter",
             '"lhs_contracting_dimensions":[', "kLoop", "rsqrt"}
    return [(f"word_{i}", word.encode())
            for i, word in enumerate(sorted(words))]
