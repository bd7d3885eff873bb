"""Profile TensorFlow and JAX models without TensorFlow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfprof._errors import (
    BudgetError,
    CorruptInput,
    Error,
    LimitExceeded,
    OptionError,
    OutputError,
    ReadError,
    UnsupportedInput,
)
from tfprof._native import escape, version

if TYPE_CHECKING:
    from tfprof import (
        compat,
        contrib,
        model_analyzer,
        spark,
        tfprof_log_pb2,
        tfprof_logger,
        tfprof_output_pb2,
    )
    from tfprof._advice import Advice, Finding
    from tfprof._check import Budget, Check, baseline, check
    from tfprof._demo import demo
    from tfprof._diff import Diff, diff
    from tfprof._flops import Flops
    from tfprof._profile import Input, Profile, flops, open
    from tfprof._summary import Summary
    from tfprof._table import Table
    from tfprof._trace import Trace, trace
    from tfprof._view import Metrics, Row, View
    from tfprof.compat.context import ProfileContext
    from tfprof.compat.v1 import (
        ALL_ADVICE,
        AdviceProto,
        GraphNodeProto,
        MultiGraphNodeProto,
        OpLogProto,
        ProfileOptionBuilder,
        Profiler,
        advise,
        profile,
        write_op_log,
    )
    from tfprof.contrib import (
        FLOAT_OPS_OPTIONS,
        PRINT_ALL_TIMING_MEMORY,
        PRINT_PARAMS_ON_DEVICE,
        TRAINABLE_VARS_PARAMS_STAT_OPTIONS,
        print_model_analysis,
    )
    from tfprof.tfprof_log_pb2 import OpLog
    from tfprof.tfprof_output_pb2 import TFProfNode

__all__ = ["ALL_ADVICE", "FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY",
           "PRINT_PARAMS_ON_DEVICE", "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
           "Advice", "AdviceProto", "Budget", "BudgetError", "Check",
           "CorruptInput", "Diff", "Error", "Finding", "Flops",
           "GraphNodeProto", "Input", "LimitExceeded", "Metrics",
           "MultiGraphNodeProto", "OpLog", "OpLogProto", "OptionError",
           "OutputError", "Profile", "ProfileContext", "ProfileOptionBuilder",
           "Profiler", "ReadError", "Row", "Summary", "TFProfNode", "Table",
           "Trace", "UnsupportedInput", "View", "__version__", "advise",
           "baseline", "check", "compat", "contrib", "demo", "diff", "escape",
           "flops", "model_analyzer", "open", "print_model_analysis",
           "profile", "spark", "tfprof_log_pb2", "tfprof_logger",
           "tfprof_output_pb2", "trace", "write_op_log"]

__version__ = version()

# The module of each name that is imported on first use.
_MODULES = {name: module for module, names in {
    "_advice": ("Advice", "Finding"),
    "_check": ("Budget", "Check", "baseline", "check"),
    "_demo": ("demo",),
    "_diff": ("Diff", "diff"),
    "_flops": ("Flops",),
    "_profile": ("Input", "Profile", "flops", "open"),
    "_summary": ("Summary",),
    "_table": ("Table",),
    "_trace": ("Trace", "trace"),
    "_view": ("Metrics", "Row", "View"),
    # Replacements for tf.compat.v1.profiler:
    "compat.v1": ("ALL_ADVICE", "AdviceProto", "GraphNodeProto",
                  "MultiGraphNodeProto", "OpLogProto", "ProfileOptionBuilder",
                  "Profiler", "advise", "profile", "write_op_log"),
    # Replacements for tf.contrib.tfprof:
    "compat.context": ("ProfileContext",),
    "contrib": ("FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY",
                "PRINT_PARAMS_ON_DEVICE", "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
                "print_model_analysis"),
    "tfprof_log_pb2": ("OpLog",),
    "tfprof_output_pb2": ("TFProfNode",),
}.items() for name in names}
_MODULES.update((name, name) for name in (
    "compat", "contrib", "model_analyzer", "spark", "tfprof_log_pb2",
    "tfprof_logger", "tfprof_output_pb2"))


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'tfprof' has no attribute {name!r}")
    from importlib import import_module
    found: Any = import_module(f"tfprof.{module}")
    if module != name:  # else the name is the module itself
        found = getattr(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
