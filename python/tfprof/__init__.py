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
from tfprof._native import version

if TYPE_CHECKING:
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

__all__ = ["ALL_ADVICE", "Advice", "AdviceProto", "CorruptInput", "Error",
           "Finding", "Flops", "GraphNodeProto", "Input", "LimitExceeded",
           "Metrics", "MultiGraphNodeProto", "OpLogProto", "OptionError",
           "OutputError", "Profile", "ProfileOptionBuilder", "Profiler",
           "ReadError", "Row", "View", "__version__", "advise", "flops", "open",
           "profile", "write_op_log"]

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
            "write_op_log": "_dropin"}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'tfprof' has no attribute {name!r}")
    from importlib import import_module
    found = getattr(import_module(f"tfprof.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
