"""Op logs as tf.contrib.tfprof.tfprof_logger wrote them."""

from __future__ import annotations

from typing import Any

from tfprof import _graphs, _oplog
from tfprof._options import TRAINABLE_VARIABLES
from tfprof._protos import OpLogProto
from tfprof._protos import OpLogProto as OpLog
from tfprof.compat.v1 import _each, write_op_log

__all__ = ["TRAINABLE_VARIABLES", "OpLog", "merge_default_with_oplog",
           "write_op_log"]


def merge_default_with_oplog(graph: Any, op_log: Any = None,
                             run_meta: Any = None, add_trace: bool = True,
                             add_trainable_var: bool = True) -> OpLogProto:
    """Returns the content that write_op_log() writes, as an OpLogProto.

    add_trace: include the lines of code that created each operation.
    add_trainable_var: add the type _trainable_variables to these variables.

    `op_log` is not changed. In eager mode without a graph the result is
    empty.
    """
    source = _graphs.graph_of(graph)
    if graph is None and source.graph is None:
        return OpLogProto()
    return OpLogProto.FromString(_oplog.merged_log(
        source, _each(op_log), _each(run_meta), add_trace, add_trainable_var))
