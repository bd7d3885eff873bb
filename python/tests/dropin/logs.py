"""Op logs: written, and given."""

import os
from typing import Any

from dropin_names import graph, path, profiler, run_meta, show, tf
from tensorflow.core.profiler import tfprof_log_pb2

B = profiler.ProfileOptionBuilder


def op_log(model: str) -> Any:
    """Types for all, float operations for some, and nodes that are none."""
    found = tfprof_log_pb2.OpLogProto()
    for i, op in enumerate(graph(model).get_operations()):
        if op.type in ("MatMul", "Conv2D", "VariableV2", "VarHandleOp"):
            entry = found.log_entries.add()
            entry.name = op.name
            entry.types.append(f"my_{op.type}")
            if i % 2:
                entry.float_ops = 1000 + i
    entry = found.log_entries.add()
    entry.name, entry.float_ops = "no such node", 7
    return found


def written() -> str:
    return str(path(""))


for model in ("cnn", "lstm", "transformer", "devices"):
    for run in (None, run_meta(f"{model}_2")):
        label = f"{model} {'run' if run else 'static'}"
        for add_trace in (True, False):
            profiler.write_op_log(graph(model), written(), run_meta=run,
                                  add_trace=add_trace)
            show(f"{label} log, traces {add_trace}", None)
        profiler.write_op_log(graph(model), written(), op_log(model), run)
        show(f"{label} log, given", None)
        for cmd in ("scope", "graph", "op", "code"):
            show(f"{label} {cmd} types", profiler.profile(
                graph(model), run, op_log(model), cmd,
                B().with_accounted_types(["my_.*"])
                .select(["params", "float_ops", "op_types"]).build()))
            show(f"{label} {cmd} flops", profiler.profile(
                graph(model), run, op_log(model), cmd, B.float_operation()))
with graph("cnn").as_default():
    show("cnn default graph", profiler.profile())
for wrong in ("advise", "", "SCOPE", None):
    try:
        show(f"cnn cmd {wrong}", profiler.profile(graph("cnn"), cmd=wrong))
    except tf.errors.InvalidArgumentError as error:
        show(f"cnn cmd {wrong}", error)
assert os.path.isdir(written())
