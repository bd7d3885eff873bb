"""A view and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, overload

from tfprof import _native
from tfprof._native import Handle

_METRICS = {name: number for number, name in enumerate(_native.METRICS)}
_FACTS = {name: number for number, name in enumerate(_native.FACTS)}

# The words of the option `select` for facts that have another name.
_SELECT = {"shape": "params", "devices": "device", "value": "tensor_value"}


# Words that the option `select` also takes.
_WORDS = {"time": "micros", "memory": "bytes", "flops": "float_ops"}


class Metrics:
    """Costs as attributes. The option `select` chooses them.

    >>> import tfprof
    >>> total = tfprof.open("graph.pb", "run_meta").scope().total
    >>> total.micros
    41
    >>> total
    Metrics(micros=41, accelerator_micros=17, cpu_micros=24)

    Times from traces are floats, because traces record picoseconds.
    """

    __slots__ = ("_get", "_numbers")

    bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    micros: float
    accelerator_micros: float
    cpu_micros: float
    params: int
    float_ops: int
    runs: int
    defined: int
    queue_micros: float

    def __init__(self, numbers: Sequence[int],
                 get: Callable[[int], float]) -> None:
        self._numbers = numbers
        self._get = get

    def __getattr__(self, name: str) -> float:
        number = _METRICS.get(name)
        if number is None or number not in self._numbers:
            raise _missing(name, name in _METRICS)
        return self._get(number)

    def to_dict(self) -> dict[str, float]:
        return {_native.METRICS[i]: self._get(i) for i in self._numbers}

    def __dir__(self) -> list[str]:
        return [*(_native.METRICS[i] for i in self._numbers), "to_dict"]

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Metrics)
                and self.to_dict() == other.to_dict())

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v}" for k, v in self.to_dict().items())
        return f"Metrics({inside})"


def _missing(name: str, is_known: bool) -> AttributeError:
    if not is_known:
        return AttributeError(f"unknown metric {_native.escape(name)} "
                              "(choose from " + ", ".join(_METRICS) + ")")
    word = (_native.metric_word(_METRICS[name]) if name in _METRICS
            else _SELECT.get(name, name))
    return AttributeError(f"this view has no {name} (add it with "
                          f"select=[..., {word!r}])")


def _shape(text: str) -> tuple[int | None, ...] | None:
    """Converts a text such as "3x3x64"; None if the shape is unknown."""
    if not text or text == "unknown":
        return None
    return tuple(int(size) if size.isdigit() else None
                 for size in text.split("x"))


class Row:
    """One row of a view. Attributes are read from the view on access.

    index: its number in the view, from top to bottom.
    """

    __slots__ = ("_row", "_view", "index")

    def __init__(self, view: View, index: int) -> None:
        self._view = view
        self._row = _native.row(view._rows, index)
        self.index = index

    @property
    def name(self) -> str:
        """The name of the node, scope, type or line of code."""
        return _native.text(self._row.name)

    @property
    def depth(self) -> int:
        """0 for the root, 1 for all rows of the op view."""
        return int(self._row.depth)

    @property
    def nodes(self) -> int:
        """The number of nodes that the row covers."""
        return int(self._row.nodes)

    @property
    def hidden(self) -> int:
        """The number of nodes below it that are not shown. Requires
        "num_hidden_ops" in the option `select`."""
        return int(self._row.hidden)

    @property
    def rest(self) -> int:
        """The number of siblings that the option `top` replaced by this row; 0
        for every other row."""
        return _native.row_rest(self._view._rows, self.index)

    @property
    def accounted(self) -> bool:
        """Whether its own costs are counted."""
        return bool(self._row.is_accounted)

    @property
    def self(self) -> Metrics:
        """Its own costs."""
        rows, index = self._view._rows, self.index
        return Metrics(self._view._metrics,
                       lambda i: _native.row_self(rows, index, i))

    @property
    def total(self) -> Metrics:
        """Its costs and those of all rows below it, shown or not."""
        rows, index = self._view._rows, self.index
        return Metrics(self._view._metrics,
                       lambda i: _native.row_total(rows, index, i))

    @property
    def parent(self) -> Row | None:
        found = self._row.parent
        return Row(self._view, found) if found < self.index else None

    @property
    def children(self) -> list[Row]:
        """The rows directly below it."""
        found = []
        at = self.index + 1
        while at < self._row.end:
            found.append(Row(self._view, at))
            at = int(found[-1]._row.end)
        return found

    def _fact(self, name: str) -> str:
        number = _FACTS[name]
        if number not in self._view._facts:
            raise _missing(name, True)
        return _native.row_fact(self._view._rows, self.index, number)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices where it ran or is placed."""
        return tuple(filter(None, self._fact("devices").split("|")))

    @property
    def op_types(self) -> tuple[str, ...]:
        """Its operation type and its types from op logs."""
        return tuple(filter(None, self._fact("op_types").split("|")))

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """The shape of a variable; an unknown dimension is None."""
        return _shape(self._fact("shape"))

    @property
    def input_shapes(self) -> dict[int, tuple[int | None, ...] | None]:
        """The shapes of its inputs, by input number."""
        found = {}
        for part in filter(None, self._fact("input_shapes").split("|")):
            number, _, shape = part.partition(":")
            found[int(number)] = _shape(shape)
        return found

    @property
    def tensor_value(self) -> Any:
        """The checkpoint tensor with the same name as the row: a numpy
        array if numpy is installed, else nested lists. None if no checkpoint
        contains it or it could not be read; a remark then explains why.
        Strings are bytes."""
        if _FACTS["value"] not in self._view._facts:
            if not self._view._has_values:
                raise _missing("value", True)
            return None
        tensor = _native.row_tensor(self._view._rows, self.index)
        if tensor is None:
            return None
        from tfprof import _tensor
        return _tensor.value(tensor, self._fact("value"))

    def _source(self, name: str) -> str | None:
        if _FACTS[name] not in self._view._facts:
            raise AttributeError(f"rows of the {self._view.kind} view have no "
                                 f"{name} (use the code view)")
        return self._fact(name) or None

    @property
    def file(self) -> str | None:
        """In the code view: the path of the source file, as recorded."""
        return self._source("file")

    @property
    def line(self) -> int | None:
        """In the code view: the line number in `file`."""
        self._source("file")
        return _native.row_line(self._view._rows, self.index) or None

    @property
    def function(self) -> str | None:
        """In the code view: the function that contains the line."""
        return self._source("function")

    @property
    def source(self) -> str | None:
        """In the code view: the text of the line, if recorded."""
        return self._source("source")

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Row) and other._view is self._view
                and other.index == self.index)

    def __hash__(self) -> int:
        return hash((id(self._view), self.index))

    def __repr__(self) -> str:
        return f"<tfprof.Row {self.name!r} {self.total!r}>"


# Not a subclass of Sequence: polars would then read it as a list of objects
# instead of columns.
class View:
    """The rows of a view, from top to bottom. It keeps its profile alive.

    >>> import tfprof
    >>> view = tfprof.open("graph.pb", "run_meta").scope(max_depth=2)
    >>> for row in view:
    ...     print(row.depth, row.name, row.total.micros)
    0 _TFProfRoot 41
    1 edge_6_layer 2
    1 init 0
    1 layer 35
    1 w 0
    1 x 4
    >>> [row.name for row in view.root.children if row.total.micros > 3]
    ['layer', 'x']
    >>> view["layer"].self.micros
    0
    """

    def __init__(self, handle: Handle, kind: str, options: Mapping[str, str],
                 rows: Any, remarks: tuple[str, ...]) -> None:
        self._handle = handle
        self._options = dict(options)
        self._rows = rows  # a tfprof_view *
        self._metrics = _native.view_metrics(rows)
        self._facts = _native.view_facts(rows)
        self._has_values = "tensor_value" in self._options.get(
            "select", "").split(",")
        self._by_name: dict[str, int] | None = None
        self.kind = kind
        self.remarks = remarks

    # ---- Rows

    def __len__(self) -> int:
        return _native.row_count(self._rows)

    def __iter__(self) -> Iterator[Row]:
        for index in range(len(self)):
            yield Row(self, index)

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: str) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...

    def __getitem__(self, index: int | str | slice) -> Row | list[Row]:
        """The row with this number, or the first row with this name. Raises
        IndexError or KeyError if there is no such row."""
        if isinstance(index, str):
            row = self.find(index)
            if row is None:
                raise KeyError(index)
            return row
        try:
            places = range(len(self))[index]
        except IndexError:
            raise IndexError(f"there is no row {index}: the view has "
                             f"{len(self)} rows") from None
        if isinstance(places, range):
            return [Row(self, at) for at in places]
        return Row(self, places)

    @property
    def root(self) -> Row | None:
        """The root row. None in the op view."""
        return self[0] if len(self) > 0 and self[0].depth == 0 else None

    @property
    def total(self) -> Metrics:
        """The sums over all accounted rows."""
        rows = self._rows
        return Metrics(self._metrics, lambda i: _native.view_sum(rows, i))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics of this view."""
        return tuple(_native.METRICS[i] for i in self._metrics)

    @property
    def first_metric(self) -> str | None:
        """The metric that the option `select` names first, or the first of
        `metrics`. None if there are none."""
        words = {_native.metric_word(number): name
                 for name, number in reversed(_METRICS.items())}
        words.update(_WORDS)
        named = (words.get(word.strip()) for word
                 in self._options.get("select", "").split(","))
        return next((name for name in (*named, *self.metrics)
                     if name in self.metrics), None)

    def find(self, name: str) -> Row | None:
        """The first row with this name, or None."""
        if self._by_name is None:
            found: dict[str, int] = {}
            for row in self:
                found.setdefault(row.name, row.index)
            self._by_name = found
        index = self._by_name.get(name)
        return None if index is None else self[index]

    # ---- Other forms

    def _written(self, form: str) -> str:
        with self._handle.asking({**self._options, "format": form}):
            data = self._handle.write("view", self.kind.encode())
        return data.decode("utf-8", "replace")

    def __str__(self) -> str:
        """The table of the command line, without its last newline."""
        return _native.unended(self._written("text"))

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
        return f"<tfprof.View {self.kind}: {rows}>"

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.view(self)

    def to_json(self) -> str:
        """Returns the output of --format json."""
        return self._written("json")

    def to_csv(self) -> str:
        """Returns the output of --format csv."""
        return self._written("csv")

    def to_dict(self) -> dict[str, Any]:
        """Returns the content of to_json(), with every number as int, except
        times from traces.

        >>> import tfprof
        >>> view = tfprof.open("graph.pb", "run_meta").op(select="micros")
        >>> view.to_dict()["total"]
        {'micros': 41, 'accelerator_micros': 17, 'cpu_micros': 24}
        """
        import json
        told: dict[str, Any] = json.loads(self.to_json())
        exact = _native.exact_metrics(self._rows)
        for costs in (told, *told["rows"]):
            for key in ("self", "total"):
                if key in costs:
                    costs[key] = {k: float(v) if k in exact else int(v)
                                  for k, v in costs[key].items()}
        return told

    def to_arrow(self) -> Any:
        """Returns a pyarrow.Table that shares the memory of the view."""
        from tfprof import _arrow
        return _arrow.to_arrow(self)

    def to_pandas(self, root: bool = False) -> Any:
        """Returns a pandas.DataFrame with a column per metric and fact. The
        columns "self" and "total" are those of the first metric that the
        option `select` names. The root, whose row is the total of all others,
        is left out unless `root` is True."""
        from tfprof import _arrow
        return _arrow.view_to_pandas(self, root)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow stream that pyarrow, polars, duckdb and others read."""
        from tfprof import _arrow
        return _arrow.stream(self, requested_schema)
