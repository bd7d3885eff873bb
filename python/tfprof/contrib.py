"""A replacement for tf.contrib.tfprof, for scripts older than tf.profiler.

    from tfprof.contrib import model_analyzer
    stats = model_analyzer.print_model_analysis(
        graph, tfprof_options=model_analyzer.FLOAT_OPS_OPTIONS)

This module is model_analyzer. The modules of tf.contrib.tfprof are available
under their names, here and in the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfprof._options import TRAINABLE_VARIABLES
from tfprof.compat import v1
from tfprof.compat.v1 import ALL_ADVICE

if TYPE_CHECKING:
    from tfprof import (
        model_analyzer,
        tfprof_log_pb2,
        tfprof_logger,
        tfprof_output_pb2,
    )
    from tfprof.compat.context import ProfileContext
    from tfprof.tfprof_log_pb2 import OpLog
    from tfprof.tfprof_output_pb2 import TFProfNode

__all__ = ["ALL_ADVICE", "FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY",
           "PRINT_PARAMS_ON_DEVICE", "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
           "OpLog", "ProfileContext", "Profiler", "TFProfNode", "advise",
           "model_analyzer", "print_model_analysis", "tfprof_log_pb2",
           "tfprof_logger", "tfprof_output_pb2"]


def __getattr__(name: str) -> Any:
    """Modules and messages have the same names as in the package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import tfprof
    return getattr(tfprof, name)


def _options(**given: Any) -> dict[str, Any]:
    """A dict with the original keys in their order. Scripts copy it and change
    values."""
    usual: dict[str, Any] = {
        "max_depth": 10000, "min_bytes": 0, "min_micros": 0, "min_params": 0,
        "min_float_ops": 0, "order_by": "name",
        "account_type_regexes": [".*"], "start_name_regexes": [".*"],
        "trim_name_regexes": [], "show_name_regexes": [".*"],
        "hide_name_regexes": [], "account_displayed_op_only": True,
        "select": [], "output": "stdout", "dump_to_file": ""}
    return {**usual, **given}


# Parameters of the trainable variables.
TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _options(
    account_type_regexes=[TRAINABLE_VARIABLES], select=["params"])

# Float operations.
FLOAT_OPS_OPTIONS = _options(min_float_ops=1, order_by="float_ops",
                             select=["float_ops"])

# Parameters on the first parameter server.
PRINT_PARAMS_ON_DEVICE = _options(
    max_depth=1, account_type_regexes=[".*ps.*task:0.*"],
    account_displayed_op_only=False, select=["device", "params"])

# Time and memory.
PRINT_ALL_TIMING_MEMORY = _options(min_bytes=1, min_micros=1,
                                   select=["micros", "bytes"])


def print_model_analysis(graph: Any = None, run_meta: Any = None,
                         op_log: Any = None, tfprof_cmd: str = "scope",
                         tfprof_options: Any = 0, *, cmd: str | None = None,
                         options: Any = None) -> Any:
    """Prints or writes a view and returns it, like tfprof.profile().

    cmd, options: the later names of tfprof_cmd and tfprof_options.
    """
    return v1.profile(
        graph, run_meta, op_log, tfprof_cmd if cmd is None else cmd,
        _either(tfprof_options if options is None else options,
                TRAINABLE_VARS_PARAMS_STAT_OPTIONS))


def advise(graph: Any = None, run_meta: Any = None, tfprof_options: Any = 0,
           *, options: Any = None) -> Any:
    """Returns the findings of tfprof.advise(), an AdviceProto."""
    return v1.advise(graph, run_meta, _either(
        tfprof_options if options is None else options, ALL_ADVICE))


def _either(given: Any, usual: dict[str, Any]) -> Any:
    """0 means `usual`, the dict of the module, which scripts may change."""
    return usual if isinstance(given, int) and given == 0 else given


class Profiler(v1.Profiler):
    """tfprof.Profiler, with the old name of one of its methods."""

    def profile_python_codes(self, options: Any) -> Any:
        """Returns the code view, a MultiGraphNodeProto."""
        return self.profile_python(options)
