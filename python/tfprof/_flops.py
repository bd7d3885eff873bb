"""The cost of a model, counted from its file without a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfprof import _native
from tfprof._native import Handle

_TEXTS = {"op", "layer", "node", "why", "missing", "dtype", "shape", "name",
          "what"}


def number(value: Any) -> Any:
    """JSON output writes numbers above 2^53 as strings."""
    return (int(value) if isinstance(value, str)
            and value.lstrip("-").isdigit() else value)


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value if key in _TEXTS else number(value)
            for key, value in row.items()}


class Flops:
    """Float operations and parameters of a model; see `tfprof flops`.

    total: float operations; a multiply-add counts as two.
    macs: multiply-adds. int_ops: operations on integers.
    params, trainable_params: numbers of parameters; None if the file does not
        contain them, or does not mark the trainable ones.
    by_type, layers: lists of dicts, the largest first.
    uncounted: a list of dicts, one per node, with the reason (`why`) and the
        `missing` data.
    coverage: the share of computing nodes that were counted, 0.0 to 1.0.
    complete: True if all of them were counted.
    assumed: values that tfprof assumed, a list of dicts: `what` ("batch" of an
        input, "trips" for the iteration count of a loop), `name` and `value`.
    lower_bound: True if the model has more operations than `total`: a node was
        not counted, or a loop was counted once because its iteration count is
        unknown.

    print() shows the text of the command line.
    """

    def __init__(self, handle: Handle, options: Mapping[str, str],
                 data: bytes) -> None:
        import json
        self._handle = handle
        self._options = dict(options)
        told = json.loads(data)
        for key in ("by_type", "layers", "uncounted", "assumed"):
            told[key] = [_numbers(row) for row in told[key]]
        self._told: dict[str, Any] = {
            key: value if key in ("model", "signature") else number(value)
            for key, value in told.items()}

    @property
    def total(self) -> int:
        return int(self._told["float_ops"])

    @property
    def macs(self) -> int:
        return int(self._told["macs"])

    @property
    def int_ops(self) -> int:
        return int(self._told["int_ops"])

    @property
    def params(self) -> int | None:
        found = self._told["params"]
        return None if found is None else int(found)

    @property
    def trainable_params(self) -> int | None:
        found = self._told["trainable_params"]
        return None if found is None else int(found)

    @property
    def by_type(self) -> list[dict[str, Any]]:
        return list(self._told["by_type"])

    @property
    def layers(self) -> list[dict[str, Any]]:
        return list(self._told["layers"])

    @property
    def uncounted(self) -> list[dict[str, Any]]:
        return list(self._told["uncounted"])

    @property
    def coverage(self) -> float:
        told = self._told["coverage"]
        if not told["compute_nodes"]:
            return 1.0
        return float(told["counted_nodes"] / told["compute_nodes"])

    @property
    def complete(self) -> bool:
        return bool(self._told["coverage"]["complete"])

    @property
    def assumed(self) -> list[dict[str, Any]]:
        return list(self._told["assumed"])

    @property
    def lower_bound(self) -> bool:
        return bool(self._told["lower_bound"])

    def to_dict(self) -> dict[str, Any]:
        """Everything that `tfprof flops --format json` prints, with every
        number as int."""
        return dict(self._told)

    def __str__(self) -> str:
        with self._handle.asking(self._options):
            text = self._handle.write("flops").decode("utf-8", "replace")
        return _native.unended(text)

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.flops(self)

    def __repr__(self) -> str:
        params = "unknown" if self.params is None else self.params
        least = "at least " if self.lower_bound else ""
        return (f"<tfprof.Flops: {least}{self.total} float operations, "
                f"{params} parameters>")
