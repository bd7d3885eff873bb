"""The messages of tfprof, field by field as TensorFlow declares them.

Made by tools/python-tables from the tables of src/proto: not written by hand.
"""

from __future__ import annotations

from tfprof._fields import Map, MessageMap, Repeated, RepeatedMessages, field
from tfprof._kinds import BOOL, DOUBLE, ENUM, INT32, INT64, STRING, UINT64
from tfprof._message import Message

# mypy would take () for a ban on the assignment of fields.
_NO_SLOTS: tuple[str, ...] = ()

DATA_TYPES = {
    0: "DT_INVALID",
    1: "DT_FLOAT",
    2: "DT_DOUBLE",
    3: "DT_INT32",
    4: "DT_UINT8",
    5: "DT_INT16",
    6: "DT_INT8",
    7: "DT_STRING",
    8: "DT_COMPLEX64",
    9: "DT_INT64",
    10: "DT_BOOL",
    11: "DT_QINT8",
    12: "DT_QUINT8",
    13: "DT_QINT32",
    14: "DT_BFLOAT16",
    15: "DT_QINT16",
    16: "DT_QUINT16",
    17: "DT_UINT16",
    18: "DT_COMPLEX128",
    19: "DT_HALF",
    20: "DT_RESOURCE",
    21: "DT_VARIANT",
    22: "DT_UINT32",
    23: "DT_UINT64",
    24: "DT_FLOAT8_E5M2",
    25: "DT_FLOAT8_E4M3FN",
    26: "DT_FLOAT8_E4M3FNUZ",
    27: "DT_FLOAT8_E4M3B11FNUZ",
    28: "DT_FLOAT8_E5M2FNUZ",
    29: "DT_INT4",
    30: "DT_UINT4",
    31: "DT_INT2",
    32: "DT_UINT2",
    33: "DT_FLOAT4_E2M1FN",
    101: "DT_FLOAT_REF",
    102: "DT_DOUBLE_REF",
    103: "DT_INT32_REF",
    104: "DT_UINT8_REF",
    105: "DT_INT16_REF",
    106: "DT_INT8_REF",
    107: "DT_STRING_REF",
    108: "DT_COMPLEX64_REF",
    109: "DT_INT64_REF",
    110: "DT_BOOL_REF",
    111: "DT_QINT8_REF",
    112: "DT_QUINT8_REF",
    113: "DT_QINT32_REF",
    114: "DT_BFLOAT16_REF",
    115: "DT_QINT16_REF",
    116: "DT_QUINT16_REF",
    117: "DT_UINT16_REF",
    118: "DT_COMPLEX128_REF",
    119: "DT_HALF_REF",
    120: "DT_RESOURCE_REF",
    121: "DT_VARIANT_REF",
    122: "DT_UINT32_REF",
    123: "DT_UINT64_REF",
    124: "DT_FLOAT8_E5M2_REF",
    125: "DT_FLOAT8_E4M3FN_REF",
    126: "DT_FLOAT8_E4M3FNUZ_REF",
    127: "DT_FLOAT8_E4M3B11FNUZ_REF",
    128: "DT_FLOAT8_E5M2FNUZ_REF",
    129: "DT_INT4_REF",
    130: "DT_UINT4_REF",
    131: "DT_INT2_REF",
    132: "DT_UINT2_REF",
    133: "DT_FLOAT4_E2M1FN_REF",
}


class TFProfTensorProto(Message):
    __slots__ = _NO_SLOTS

    dtype: int = field(1, ENUM, names=DATA_TYPES)
    value_double: Repeated[float] = field(2, DOUBLE, many=True)
    value_int64: Repeated[int] = field(3, INT64, many=True)
    value_str: Repeated[str] = field(4, STRING, many=True)


class TensorShapeProto(Message):
    __slots__ = _NO_SLOTS
    _package = "tensorflow"

    class Dim(Message):
        __slots__ = _NO_SLOTS
        _package = "tensorflow"

        size: int = field(1, INT64)
        name: str = field(2, STRING)

    dim: RepeatedMessages[Dim] = field(2, Dim, many=True)
    unknown_rank: bool = field(3, BOOL)


class GraphNodeProto(Message):
    """A row of the scope or graph view, with those below it."""

    __slots__ = _NO_SLOTS

    name: str = field(1, STRING)
    tensor_value: TFProfTensorProto = field(15, TFProfTensorProto)
    run_count: int = field(21, INT64)
    exec_micros: int = field(2, INT64)
    accelerator_exec_micros: int = field(17, INT64)
    cpu_exec_micros: int = field(18, INT64)
    requested_bytes: int = field(3, INT64)
    peak_bytes: int = field(24, INT64)
    residual_bytes: int = field(25, INT64)
    output_bytes: int = field(26, INT64)
    parameters: int = field(4, INT64)
    float_ops: int = field(13, INT64)
    devices: Repeated[str] = field(10, STRING, many=True)
    total_definition_count: int = field(23, INT64)
    total_run_count: int = field(22, INT64)
    total_exec_micros: int = field(6, INT64)
    total_accelerator_exec_micros: int = field(19, INT64)
    total_cpu_exec_micros: int = field(20, INT64)
    total_requested_bytes: int = field(7, INT64)
    total_peak_bytes: int = field(27, INT64)
    total_residual_bytes: int = field(28, INT64)
    total_output_bytes: int = field(29, INT64)
    total_parameters: int = field(8, INT64)
    total_float_ops: int = field(14, INT64)
    shapes: RepeatedMessages[TensorShapeProto] = field(
        11, TensorShapeProto, many=True)
    input_shapes: MessageMap[int, TensorShapeProto] = field(
        16, TensorShapeProto, INT32)
    children: RepeatedMessages[GraphNodeProto] = field(12, None, many=True)


class MultiGraphNodeProto(Message):
    """A row of the op or code view: many nodes."""

    __slots__ = _NO_SLOTS

    name: str = field(1, STRING)
    exec_micros: int = field(2, INT64)
    accelerator_exec_micros: int = field(12, INT64)
    cpu_exec_micros: int = field(13, INT64)
    requested_bytes: int = field(3, INT64)
    peak_bytes: int = field(16, INT64)
    residual_bytes: int = field(17, INT64)
    output_bytes: int = field(18, INT64)
    parameters: int = field(4, INT64)
    float_ops: int = field(5, INT64)
    total_exec_micros: int = field(6, INT64)
    total_accelerator_exec_micros: int = field(14, INT64)
    total_cpu_exec_micros: int = field(15, INT64)
    total_requested_bytes: int = field(7, INT64)
    total_peak_bytes: int = field(19, INT64)
    total_residual_bytes: int = field(20, INT64)
    total_output_bytes: int = field(21, INT64)
    total_parameters: int = field(8, INT64)
    total_float_ops: int = field(9, INT64)
    graph_nodes: RepeatedMessages[GraphNodeProto] = field(
        10, GraphNodeProto, many=True)
    children: RepeatedMessages[MultiGraphNodeProto] = field(11, None, many=True)


class AdviceProto(Message):
    """What advise found, by checker."""

    __slots__ = _NO_SLOTS

    class Checker(Message):
        __slots__ = _NO_SLOTS

        reports: Repeated[str] = field(2, STRING, many=True)

    checkers: MessageMap[str, Checker] = field(1, Checker, STRING)


class CodeDef(Message):
    __slots__ = _NO_SLOTS

    class Trace(Message):
        __slots__ = _NO_SLOTS

        file_id: int = field(6, INT64)
        lineno: int = field(2, INT32)
        function_id: int = field(7, INT64)
        line_id: int = field(8, INT64)
        func_start_line: int = field(5, INT32)

    traces: RepeatedMessages[Trace] = field(1, Trace, many=True)


class OpLogEntry(Message):
    __slots__ = _NO_SLOTS

    name: str = field(1, STRING)
    float_ops: int = field(2, INT64)
    types: Repeated[str] = field(3, STRING, many=True)
    code_def: CodeDef = field(4, CodeDef)


class OpLogProto(Message):
    """What a program says about its nodes: types, float operations, code."""

    __slots__ = _NO_SLOTS

    log_entries: RepeatedMessages[OpLogEntry] = field(1, OpLogEntry, many=True)
    id_to_string: Map[int, str] = field(2, STRING, INT64)


class Tuple(Message):
    __slots__ = _NO_SLOTS

    int64_values: Repeated[int] = field(1, INT64, many=True)


class AttrValue(Message):
    """Kept as it is: tfprof has no use for its fields."""

    __slots__ = _NO_SLOTS
    _package = "tensorflow"


class ExecTime(Message):
    __slots__ = _NO_SLOTS

    times: RepeatedMessages[Tuple] = field(1, Tuple, many=True)


class Memory(Message):
    __slots__ = _NO_SLOTS

    bytes: int = field(1, INT64)
    ptr: int = field(2, UINT64)


class ExecMemory(Message):
    __slots__ = _NO_SLOTS

    memory_micros: int = field(1, INT64)
    host_temp_bytes: int = field(2, INT64)
    host_persistent_bytes: int = field(3, INT64)
    accelerator_temp_bytes: int = field(4, INT64)
    accelerator_persistent_bytes: int = field(5, INT64)
    requested_bytes: int = field(6, INT64)
    peak_bytes: int = field(7, INT64)
    residual_bytes: int = field(8, INT64)
    output_bytes: int = field(9, INT64)
    allocator_bytes_in_use: int = field(10, INT64)
    output_memory: MessageMap[int, Memory] = field(11, Memory, INT32)


class AllocationRecord(Message):
    __slots__ = _NO_SLOTS
    _package = "tensorflow"

    alloc_micros: int = field(1, INT64)
    alloc_bytes: int = field(2, INT64)


class ExecProfile(Message):
    __slots__ = _NO_SLOTS

    run_count: int = field(1, INT64)
    all_start_micros: int = field(2, INT64)
    latest_end_micros: int = field(3, INT64)
    accelerator_execs: MessageMap[str, ExecTime] = field(4, ExecTime, STRING)
    cpu_execs: MessageMap[str, ExecTime] = field(5, ExecTime, STRING)
    memory_execs: RepeatedMessages[ExecMemory] = field(7, ExecMemory, many=True)
    allocations: RepeatedMessages[AllocationRecord] = field(
        11, AllocationRecord, many=True)
    devices: Repeated[str] = field(6, STRING, many=True)


class ProfileNode(Message):
    __slots__ = _NO_SLOTS

    name: str = field(1, STRING)
    op: str = field(9, STRING)
    id: int = field(13, INT64)
    inputs: Map[int, int] = field(2, INT64, INT32)
    input_shapes: MessageMap[int, Tuple] = field(16, Tuple, INT32)
    outputs: Map[int, int] = field(3, INT64, INT32)
    output_shapes: MessageMap[int, Tuple] = field(15, Tuple, INT32)
    src_output_index: Map[int, int] = field(14, INT32, INT64)
    shape: Repeated[int] = field(4, INT64, many=True)
    op_types: Repeated[str] = field(5, STRING, many=True)
    canonical_device: str = field(6, STRING)
    host_device: str = field(7, STRING)
    float_ops: int = field(8, INT64)
    trace: CodeDef = field(10, CodeDef)
    attrs: MessageMap[str, AttrValue] = field(11, AttrValue, STRING)
    execs: MessageMap[int, ExecProfile] = field(12, ExecProfile, INT64)


class ProfileProto(Message):
    """All that is known of a model: Profiler.serialize_to_string()."""

    __slots__ = _NO_SLOTS

    nodes: MessageMap[int, ProfileNode] = field(1, ProfileNode, INT64)
    has_trace: bool = field(2, BOOL)
    miss_accelerator_stream: bool = field(5, BOOL)
    steps: Repeated[int] = field(3, INT64, many=True)
    id_to_string: Map[int, str] = field(4, STRING, INT64)


class OptionsProto(Message):
    __slots__ = _NO_SLOTS

    max_depth: int = field(1, INT64)
    min_bytes: int = field(2, INT64)
    min_peak_bytes: int = field(19, INT64)
    min_residual_bytes: int = field(20, INT64)
    min_output_bytes: int = field(21, INT64)
    min_micros: int = field(3, INT64)
    min_accelerator_micros: int = field(22, INT64)
    min_cpu_micros: int = field(23, INT64)
    min_params: int = field(4, INT64)
    min_float_ops: int = field(5, INT64)
    min_occurrence: int = field(17, INT64)
    step: int = field(18, INT64)
    order_by: str = field(7, STRING)
    account_type_regexes: Repeated[str] = field(8, STRING, many=True)
    start_name_regexes: Repeated[str] = field(9, STRING, many=True)
    trim_name_regexes: Repeated[str] = field(10, STRING, many=True)
    show_name_regexes: Repeated[str] = field(11, STRING, many=True)
    hide_name_regexes: Repeated[str] = field(12, STRING, many=True)
    account_displayed_op_only: bool = field(13, BOOL)
    select: Repeated[str] = field(14, STRING, many=True)
    output: str = field(15, STRING)
    dump_to_file: str = field(16, STRING)


class AdvisorOptionsProto(Message):
    __slots__ = _NO_SLOTS

    class CheckerOption(Message):
        __slots__ = _NO_SLOTS

        options: Map[str, str] = field(1, STRING, STRING)

    checkers: MessageMap[str, CheckerOption] = field(1, CheckerOption, STRING)
