"""Op logs as tf.contrib.tfprof.tfprof_logger wrote them."""

from __future__ import annotations

from tfprof._options import TRAINABLE_VARIABLES
from tfprof._protos import OpLogProto as OpLog
from tfprof.compat.v1 import write_op_log

__all__ = ["TRAINABLE_VARIABLES", "OpLog", "write_op_log"]
