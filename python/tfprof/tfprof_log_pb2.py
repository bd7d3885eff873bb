"""The messages of op logs, under their current and former names.

    log = tfprof_log_pb2.OpLog()
    entry = log.log_entries.add()
    entry.name = "pool_logit/DW"
    entry.types.append("pool_logit")
"""

from __future__ import annotations

from tfprof._protos import CodeDef, OpLogEntry, OpLogProto

OpLog = OpLogProto

__all__ = ["CodeDef", "OpLog", "OpLogEntry", "OpLogProto"]
