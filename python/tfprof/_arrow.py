"""A view or a table as an Arrow table, for pyarrow, pandas, polars, DuckDB and
other readers of Arrow's C data interface. The rows are not copied, and no
Python objects are created for them.

docs/arrow.md lists the columns.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tfprof import _native

if TYPE_CHECKING:
    from tfprof._table import Table
    from tfprof._view import View


def stream(view: View | Table, requested_schema: object = None) -> Any:
    """Returns a PyCapsule "arrow_array_stream" with a stream of the rows.
    `requested_schema` is ignored, as Arrow's protocol allows: the consumer
    converts the columns."""
    import ctypes
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return _native.arrow_capsule(view._rows, new)


def _import(name: str, method: str) -> Any:
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{method} requires the package {name}: "
                          f"pip install {name}", name=name) from error


def to_arrow(view: View | Table) -> Any:
    """Returns a pyarrow.Table that shares the memory of the view and keeps it
    alive."""
    arrow = _import("pyarrow", "to_arrow()")
    if not hasattr(arrow.Table, "__arrow_c_stream__"):
        raise ImportError("to_arrow() requires pyarrow 14 or later: "
                          "pip install -U pyarrow", name="pyarrow")
    return arrow.table(view)


# ---- pandas -----------------------------------------------------------------

# The numpy type of each Arrow format.
_NUMBERS = {"i": "int32", "I": "uint32", "l": "int64", "g": "float64"}


def _numbers(numpy: Any, array: Any, index: int, kind: str, count: int) -> Any:
    """A numpy array over a buffer."""
    size = count * numpy.dtype(kind).itemsize
    return numpy.frombuffer(_native.arrow_buffer(array, index, size), kind)


def _bits(numpy: Any, array: Any, index: int) -> Any:
    count = array.length
    packed = _numbers(numpy, array, index, "uint8", (count + 7) // 8)
    return numpy.unpackbits(packed, count=count, bitorder="little").view(bool)


def _texts(numpy: Any, array: Any) -> list[str]:
    starts = _numbers(numpy, array, 1, "int64", array.length + 1).tolist()
    data = bytes(_native.arrow_buffer(array, 2, starts[-1]))
    ranges = zip(starts, starts[1:])
    if data.isascii():  # a byte is a character
        text = data.decode()
        return [text[start:end] for start, end in ranges]
    return [data[start:end].decode() for start, end in ranges]


def _texts_or_none(numpy: Any, array: Any) -> list[str | None]:
    texts: list[str | None] = list(_texts(numpy, array))
    if array.buffers[0]:
        for index in numpy.flatnonzero(~_bits(numpy, array, 0)):
            texts[index] = None
    return texts


def _column(pandas: Any, numpy: Any, form: str, array: Any) -> Any:
    """The values of a column for pandas. They are copied here: pandas would
    copy columns of one type into one block, which takes five times as long."""
    if form == "U":
        return _texts_or_none(numpy, array)
    if form == "b":
        return _bits(numpy, array, 1)
    numbers = _numbers(numpy, array, 1, _NUMBERS[form], array.length).copy()
    if array.dictionary:
        return pandas.Categorical.from_codes(
            numbers, pandas.Index(_texts(numpy, array.dictionary), dtype=str))
    if array.buffers[0] and form == "g":
        numbers[~_bits(numpy, array, 0)] = numpy.nan
    elif array.buffers[0]:
        return pandas.arrays.IntegerArray(numbers, ~_bits(numpy, array, 0))
    return numbers


def _columns(view: View | Table, pandas: Any, numpy: Any) -> dict[str, Any]:
    """The columns by name. Row names become Python objects. If pyarrow is
    installed, they stay in Arrow's memory."""
    made: dict[str, Any] = {}
    names: Any = None
    with contextlib.suppress(ImportError, KeyError):
        names = to_arrow(view).column("name").to_pandas()
    with _native.Columns(view._rows) as columns:
        for schema, array in columns:
            name, form = _native.arrow_format(schema)
            made[name] = (names if name == "name" and names is not None
                          else _column(pandas, numpy, form, array))
    return made


def to_pandas(view: View | Table) -> Any:
    """Returns a pandas.DataFrame. Facts are categories; `parent` is a nullable
    UInt32, because the root has no parent."""
    pandas = _import("pandas", "to_pandas()")
    numpy = _import("numpy", "to_pandas()")
    return pandas.DataFrame(_columns(view, pandas, numpy), copy=False)


def _without_root(frame: Any) -> Any:
    """The rows below the first one. Numbers of rows are those of the frame."""
    frame = frame.iloc[1:].reset_index(drop=True)
    parents = frame["parent"]
    frame["parent"] = parents.where(parents > 0) - 1
    frame["end"] = frame["end"] - 1
    return frame


def view_to_pandas(view: View, root: bool) -> Any:
    """to_pandas() of a view, with plain names for its first metric."""
    frame = to_pandas(view)
    if not root and view.root is not None:
        frame = _without_root(frame)
    metric = view.first_metric
    if metric is not None:
        at = frame.columns.get_loc("name") + 1
        frame.insert(at, "self", frame[metric])
        frame.insert(at + 1, "total", frame[f"total_{metric}"])
    return frame
