"""Profiles of TensorFlow models, read without TensorFlow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfprof._errors import (
    CorruptInput,
    Error,
    LimitExceeded,
    OptionError,
    OutputError,
    ReadError,
)
from tfprof._native import escape, version

if TYPE_CHECKING:
    from tfprof import (
        model_analyzer,
        tfprof_log_pb2,
        tfprof_logger,
        tfprof_output_pb2,
    )
    from tfprof._advice import Advice, Finding
    from tfprof._dropin import (
        ALL_ADVICE,
        Profiler,
        advise,
        profile,
        write_op_log,
    )
    from tfprof._flops import Flops
    from tfprof._options import ProfileOptionBuilder
    from tfprof._profile import Input, Profile, flops, open
    from tfprof._protos import (
        AdviceProto,
        GraphNodeProto,
        MultiGraphNodeProto,
        OpLogProto,
    )
    from tfprof._view import Metrics, Row, View
    from tfprof.tfprof_output_pb2 import TFProfNode

__all__ = ["ALL_ADVICE", "Advice", "AdviceProto", "CorruptInput", "Error",
           "Finding", "Flops", "GraphNodeProto", "Input", "LimitExceeded",
           "Metrics", "MultiGraphNodeProto", "OpLogProto", "OptionError",
           "OutputError", "Profile", "ProfileOptionBuilder", "Profiler",
           "ReadError", "Row", "TFProfNode", "View", "__version__", "advise",
           "escape", "flops", "model_analyzer", "open", "profile",
           "tfprof_log_pb2", "tfprof_logger", "tfprof_output_pb2",
           "write_op_log"]

__version__ = version()

# Where to find what is imported when it is first asked for.
_MODULES = {"Advice": "_advice", "Finding": "_advice", "Flops": "_flops",
            "Input": "_profile", "Profile": "_profile", "flops": "_profile",
            "open": "_profile", "Metrics": "_view", "Row": "_view",
            "View": "_view", "AdviceProto": "_protos",
            "GraphNodeProto": "_protos", "MultiGraphNodeProto": "_protos",
            "OpLogProto": "_protos", "ALL_ADVICE": "_dropin",
            "Profiler": "_dropin", "ProfileOptionBuilder": "_options",
            "advise": "_dropin", "profile": "_dropin",
            "write_op_log": "_dropin", "TFProfNode": "tfprof_output_pb2",
            "model_analyzer": "model_analyzer",
            "tfprof_log_pb2": "tfprof_log_pb2",
            "tfprof_logger": "tfprof_logger",
            "tfprof_output_pb2": "tfprof_output_pb2"}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'tfprof' has no attribute {name!r}")
    from importlib import import_module
    found: Any = import_module(f"tfprof.{module}")
    if module != name:  # else it is the module that is asked for
        found = getattr(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
