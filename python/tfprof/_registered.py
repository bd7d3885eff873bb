"""Float operations counted by functions that a script registered in TensorFlow.

    @ops.RegisterStatistics("MyOp", "flops")
    def count(graph, node): ...

TensorFlow registers functions for the operation types that our formulas
support. Only functions of the script are called here.
"""

from __future__ import annotations

import sys
from typing import Any

from tfprof import _graphs

_KIND = "flops"


def _ops() -> Any:
    """The module with the registry, if the script has imported it."""
    return sys.modules.get("tensorflow.python.framework.ops")


def _is_tensorflows(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("tensorflow.")


def types() -> set[str]:
    """The types of operations for which a script has registered a function."""
    registry = getattr(_ops(), "_stats_registry", None)
    if registry is None:
        return set()
    found = set()
    for entry in tuple(registry.list()):
        name, _, kind = entry.partition(",")
        if kind == _KIND and not _is_tensorflows(registry.lookup(entry)):
            found.add(name)
    return found


def float_ops(source: _graphs.Graph) -> dict[str, int]:
    """The results of these functions for the nodes of a graph. As in
    TensorFlow, ValueError means that a shape is unknown."""
    wanted = types() if source.graph is not None else ()
    found: dict[str, int] = {}
    if not wanted:
        return found
    for op in source.graph.get_operations():
        if op.type not in wanted:
            continue
        try:
            stats = _ops().get_stats_for_node_def(source.graph, op.node_def,
                                                  _KIND)
        except ValueError:
            continue
        if stats.value:
            found[op.name] = int(stats.value)
    return found
