"""tfprof.compat.v1 replaces tf.compat.v1.profiler. tfprof.compat.context
contains ProfileContext, which profiles sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfprof.compat import context, v1

__all__ = ["context", "v1"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    return import_module(f"tfprof.compat.{name}")
