"""A flat table: steps, kernels, memory or devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfprof import _native
from tfprof._native import Handle


class Table:
    """A flat list of rows, such as the output of `tfprof steps`.

    name: "steps", "kernels", "memory" or "devices".
    remarks: the remarks about it.

    Iteration yields a dict per row, with the column names of CSV. Unknown
    values are None; times are in microseconds. print() shows the text of the
    command line. Readers of Arrow accept the table directly:

    >>> import tfprof
    >>> steps = tfprof.open("graph.pb", "run_meta").steps()
    >>> len(steps), steps[0]["step"], steps[0]["ops"]
    (3, 0, 2)
    >>> steps.summary["max"]["wall_micros"]
    32
    """

    def __init__(self, handle: Handle, name: str, options: Mapping[str, str],
                 rows: Any, data: bytes, remarks: tuple[str, ...]) -> None:
        import json
        self._handle = handle
        self._options = dict(options)
        self._rows = rows
        self._told: dict[str, Any] = json.loads(data)
        self.name = name
        self.remarks = remarks

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each row."""
        return [dict(row) for row in self._told[self.name]]

    @property
    def pools(self) -> list[dict[str, Any]]:
        """For memory: the allocators and devices, with their peaks and curves.
        Empty for other tables."""
        return [{**row, "curve_bytes": [int(point) for point
                                        in (row["curve_bytes"] or "").split()]}
                for row in self._told.get("pools", ())]

    @property
    def summary(self) -> dict[str, dict[str, Any]]:
        """For steps: "p50", "p95" and "max" of each column. Empty for other
        tables."""
        return {row["statistic"]: {key: value for key, value in row.items()
                                   if key != "statistic"}
                for row in self._told.get("summary", ())}

    def __len__(self) -> int:
        return _native.table_row_count(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return dict(self._told[self.name][index])

    # ---- Other forms

    def _written(self, form: str) -> str:
        with self._handle.asking({**self._options, "format": form}):
            data = self._handle.write("table", self.name.encode())
        return data.decode("utf-8", "replace")

    def to_json(self) -> str:
        return self._written("json")

    def to_csv(self) -> str:
        return self._written("csv")

    def to_arrow(self) -> Any:
        """A pyarrow.Table."""
        from tfprof import _arrow
        return _arrow.to_arrow(self)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        from tfprof import _arrow
        return _arrow.to_pandas(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        from tfprof import _arrow
        return _arrow.stream(self, requested_schema)

    def __str__(self) -> str:
        return _native.unended(self._written("text"))

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.table(self)

    def __repr__(self) -> str:
        return f"<tfprof.Table {self.name}: {len(self)} rows>"
