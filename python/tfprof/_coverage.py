"""The share of a graph's nodes that runs have recorded.

The numbers are those of TensorFlow. A run may record a node that is not in the
graph, such as _arg_x_0_0. TensorFlow adds it to the nodes at the first record
and counts it as recorded from the second record on.
"""

from __future__ import annotations

from typing import Any


def _is_machinery(name: str) -> bool:
    """Is it a record of the runtime? Such a record counts only if the graph
    has a node with this name."""
    return name in ("RecvTensor", "_SOURCE") or "MEMCPY" in name


class Coverage:
    """Counts the nodes that messages name. Files and bytes are ignored."""

    def __init__(self) -> None:
        self._nodes: set[str] = set()
        self._recorded: set[str] = set()

    def add_graph(self, graph: Any) -> None:
        self._nodes.update(node.name for node in getattr(graph, "node", ()))

    def add_run(self, run_meta: Any) -> None:
        for device in getattr(getattr(run_meta, "step_stats", None),
                              "dev_stats", ()):
            for record in device.node_stats:
                self._add_record(record.node_name.partition(":")[0])

    def _add_record(self, name: str) -> None:
        if name in self._nodes:
            self._recorded.add(name)
        elif not _is_machinery(name):
            self._nodes.add(name)

    def share(self) -> float:
        """From 0.0 to 1.0."""
        # TensorFlow avoids a division by 0 this way.
        return len(self._recorded) / (len(self._nodes) + 1e-10)
