"""The messages of tfprof, field by field as TensorFlow declares them
(tfprof_output.proto, tfprof_log.proto, tfprof_options.proto).

python/tests/test_protos.py holds them against the descriptors of the installed
TensorFlow.
"""

from __future__ import annotations

from tfprof._containers import Map, MessageMap, Repeated, RepeatedMessages
from tfprof._fields import many, mapping, messages, one, scalar
from tfprof._kinds import BOOL, DOUBLE, ENUM, INT32, INT64, STRING, UINT64
from tfprof._message import Message

# A reference to a type has the number of the type and a hundred more.
_TYPES = """
    FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8
    QUINT8 QINT32 BFLOAT16 QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE
    VARIANT UINT32 UINT64 FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E4M3FNUZ
    FLOAT8_E4M3B11FNUZ FLOAT8_E5M2FNUZ INT4 UINT4 INT2 UINT2
    FLOAT4_E2M1FN
""".split()  # noqa: SIM905
DATA_TYPES = {0: "DT_INVALID"}
DATA_TYPES.update((number, f"DT_{name}")
                  for number, name in enumerate(_TYPES, 1))
DATA_TYPES.update((number + 100, f"DT_{name}_REF")
                  for number, name in enumerate(_TYPES, 1))


class TensorShapeProto(Message, package="tensorflow"):
    class Dim(Message, package="tensorflow"):
        size: int = scalar(1, INT64)
        name: str = scalar(2, STRING)

    dim: RepeatedMessages[Dim] = messages(2, Dim)
    unknown_rank: bool = scalar(3, BOOL)


# ---- Views ------------------------------------------------------------------

class TFProfTensorProto(Message):
    dtype: int = scalar(1, ENUM, DATA_TYPES)
    value_double: Repeated[float] = many(2, DOUBLE)
    value_int64: Repeated[int] = many(3, INT64)
    value_str: Repeated[str] = many(4, STRING)


class GraphNodeProto(Message):
    """A row of the scope or graph view, with the rows below it."""

    name: str = scalar(1, STRING)
    tensor_value: TFProfTensorProto = one(15, TFProfTensorProto)
    run_count: int = scalar(21, INT64)
    exec_micros: int = scalar(2, INT64)
    accelerator_exec_micros: int = scalar(17, INT64)
    cpu_exec_micros: int = scalar(18, INT64)
    requested_bytes: int = scalar(3, INT64)
    peak_bytes: int = scalar(24, INT64)
    residual_bytes: int = scalar(25, INT64)
    output_bytes: int = scalar(26, INT64)
    parameters: int = scalar(4, INT64)
    float_ops: int = scalar(13, INT64)
    devices: Repeated[str] = many(10, STRING)
    total_definition_count: int = scalar(23, INT64)
    total_run_count: int = scalar(22, INT64)
    total_exec_micros: int = scalar(6, INT64)
    total_accelerator_exec_micros: int = scalar(19, INT64)
    total_cpu_exec_micros: int = scalar(20, INT64)
    total_requested_bytes: int = scalar(7, INT64)
    total_peak_bytes: int = scalar(27, INT64)
    total_residual_bytes: int = scalar(28, INT64)
    total_output_bytes: int = scalar(29, INT64)
    total_parameters: int = scalar(8, INT64)
    total_float_ops: int = scalar(14, INT64)
    shapes: RepeatedMessages[TensorShapeProto] = messages(11, TensorShapeProto)
    input_shapes: MessageMap[int, TensorShapeProto] = mapping(
        16, INT32, TensorShapeProto)
    children: RepeatedMessages[GraphNodeProto] = messages(12)


class MultiGraphNodeProto(Message):
    """A row of the op or code view: many nodes of a graph."""

    name: str = scalar(1, STRING)
    exec_micros: int = scalar(2, INT64)
    accelerator_exec_micros: int = scalar(12, INT64)
    cpu_exec_micros: int = scalar(13, INT64)
    requested_bytes: int = scalar(3, INT64)
    peak_bytes: int = scalar(16, INT64)
    residual_bytes: int = scalar(17, INT64)
    output_bytes: int = scalar(18, INT64)
    parameters: int = scalar(4, INT64)
    float_ops: int = scalar(5, INT64)
    total_exec_micros: int = scalar(6, INT64)
    total_accelerator_exec_micros: int = scalar(14, INT64)
    total_cpu_exec_micros: int = scalar(15, INT64)
    total_requested_bytes: int = scalar(7, INT64)
    total_peak_bytes: int = scalar(19, INT64)
    total_residual_bytes: int = scalar(20, INT64)
    total_output_bytes: int = scalar(21, INT64)
    total_parameters: int = scalar(8, INT64)
    total_float_ops: int = scalar(9, INT64)
    graph_nodes: RepeatedMessages[GraphNodeProto] = messages(10, GraphNodeProto)
    children: RepeatedMessages[MultiGraphNodeProto] = messages(11)


class AdviceProto(Message):
    """What advise found, by checker."""


    class Checker(Message):
        reports: Repeated[str] = many(2, STRING)

    checkers: MessageMap[str, Checker] = mapping(1, STRING, Checker)


# ---- Op logs ----------------------------------------------------------------

class CodeDef(Message):
    class Trace(Message):
        file_id: int = scalar(6, INT64)
        lineno: int = scalar(2, INT32)
        function_id: int = scalar(7, INT64)
        line_id: int = scalar(8, INT64)
        func_start_line: int = scalar(5, INT32)

    traces: RepeatedMessages[Trace] = messages(1, Trace)


class OpLogEntry(Message):
    name: str = scalar(1, STRING)
    float_ops: int = scalar(2, INT64)
    types: Repeated[str] = many(3, STRING)
    code_def: CodeDef = one(4, CodeDef)


class OpLogProto(Message):
    """What a program says about its nodes: types, float operations, code."""

    log_entries: RepeatedMessages[OpLogEntry] = messages(1, OpLogEntry)
    id_to_string: Map[int, str] = mapping(2, INT64, STRING)


# ---- Profiles, as they are saved --------------------------------------------

class AttrValue(Message, package="tensorflow"):
    """Kept as it is and not looked into: its fields are none of tfprof's."""


class AllocationRecord(Message, package="tensorflow"):
    alloc_micros: int = scalar(1, INT64)
    alloc_bytes: int = scalar(2, INT64)


class Tuple(Message):
    int64_values: Repeated[int] = many(1, INT64)


class Memory(Message):
    bytes: int = scalar(1, INT64)
    ptr: int = scalar(2, UINT64)


class ExecTime(Message):
    times: RepeatedMessages[Tuple] = messages(1, Tuple)


class ExecMemory(Message):
    memory_micros: int = scalar(1, INT64)
    host_temp_bytes: int = scalar(2, INT64)
    host_persistent_bytes: int = scalar(3, INT64)
    accelerator_temp_bytes: int = scalar(4, INT64)
    accelerator_persistent_bytes: int = scalar(5, INT64)
    requested_bytes: int = scalar(6, INT64)
    peak_bytes: int = scalar(7, INT64)
    residual_bytes: int = scalar(8, INT64)
    output_bytes: int = scalar(9, INT64)
    allocator_bytes_in_use: int = scalar(10, INT64)
    output_memory: MessageMap[int, Memory] = mapping(11, INT32, Memory)


class ExecProfile(Message):
    run_count: int = scalar(1, INT64)
    all_start_micros: int = scalar(2, INT64)
    latest_end_micros: int = scalar(3, INT64)
    accelerator_execs: MessageMap[str, ExecTime] = mapping(4, STRING, ExecTime)
    cpu_execs: MessageMap[str, ExecTime] = mapping(5, STRING, ExecTime)
    memory_execs: RepeatedMessages[ExecMemory] = messages(7, ExecMemory)
    allocations: RepeatedMessages[AllocationRecord] = messages(
        11, AllocationRecord)
    devices: Repeated[str] = many(6, STRING)


class ProfileNode(Message):
    name: str = scalar(1, STRING)
    op: str = scalar(9, STRING)
    id: int = scalar(13, INT64)
    inputs: Map[int, int] = mapping(2, INT32, INT64)
    input_shapes: MessageMap[int, Tuple] = mapping(16, INT32, Tuple)
    outputs: Map[int, int] = mapping(3, INT32, INT64)
    output_shapes: MessageMap[int, Tuple] = mapping(15, INT32, Tuple)
    src_output_index: Map[int, int] = mapping(14, INT64, INT32)
    shape: Repeated[int] = many(4, INT64)
    op_types: Repeated[str] = many(5, STRING)
    canonical_device: str = scalar(6, STRING)
    host_device: str = scalar(7, STRING)
    float_ops: int = scalar(8, INT64)
    trace: CodeDef = one(10, CodeDef)
    attrs: MessageMap[str, AttrValue] = mapping(11, STRING, AttrValue)
    execs: MessageMap[int, ExecProfile] = mapping(12, INT64, ExecProfile)


class ProfileProto(Message):
    """All that is known of a model: Profiler.serialize_to_string()."""

    nodes: MessageMap[int, ProfileNode] = mapping(1, INT64, ProfileNode)
    has_trace: bool = scalar(2, BOOL)
    miss_accelerator_stream: bool = scalar(5, BOOL)
    steps: Repeated[int] = many(3, INT64)
    id_to_string: Map[int, str] = mapping(4, INT64, STRING)


# ---- Options ----------------------------------------------------------------

class OptionsProto(Message):
    max_depth: int = scalar(1, INT64)
    min_bytes: int = scalar(2, INT64)
    min_peak_bytes: int = scalar(19, INT64)
    min_residual_bytes: int = scalar(20, INT64)
    min_output_bytes: int = scalar(21, INT64)
    min_micros: int = scalar(3, INT64)
    min_accelerator_micros: int = scalar(22, INT64)
    min_cpu_micros: int = scalar(23, INT64)
    min_params: int = scalar(4, INT64)
    min_float_ops: int = scalar(5, INT64)
    min_occurrence: int = scalar(17, INT64)
    step: int = scalar(18, INT64)
    order_by: str = scalar(7, STRING)
    account_type_regexes: Repeated[str] = many(8, STRING)
    start_name_regexes: Repeated[str] = many(9, STRING)
    trim_name_regexes: Repeated[str] = many(10, STRING)
    show_name_regexes: Repeated[str] = many(11, STRING)
    hide_name_regexes: Repeated[str] = many(12, STRING)
    account_displayed_op_only: bool = scalar(13, BOOL)
    select: Repeated[str] = many(14, STRING)
    output: str = scalar(15, STRING)
    dump_to_file: str = scalar(16, STRING)


class AdvisorOptionsProto(Message):
    class CheckerOption(Message):
        options: Map[str, str] = mapping(1, STRING, STRING)

    checkers: MessageMap[str, CheckerOption] = mapping(1, STRING, CheckerOption)
