"""The checkpoint tensor with the same name as a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfprof import _native

# Types that have another name in numpy.
_ALIASES = {"qint8": "int8", "quint8": "uint8", "qint16": "int16",
            "quint16": "uint16", "qint32": "int32"}


def _complex(text: str) -> complex:
    """Converts a text such as "(1,-2)"."""
    real, imaginary = text[1:-1].split(",")
    return complex(float(real), float(imaginary))


def _reader(dtype: str) -> Callable[[str], Any]:
    if dtype == "bool":
        return lambda text: text == "true"
    if dtype.startswith("complex"):
        return _complex
    return int if "int" in dtype else float


def _flat(tensor: Any, text: str) -> list[Any]:
    """The elements; `text` contains them separated by spaces."""
    dtype = _native.tensor_dtype(tensor)
    if dtype == "string":
        return list(_native.tensor_strings(tensor))
    return list(map(_reader(dtype), text[1:-1].split()))


def _nested(items: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return items[0]
    if len(shape) == 1:
        return items
    step = len(items) // shape[0] if shape[0] else 0
    return [_nested(items[i * step:(i + 1) * step], shape[1:])
            for i in range(shape[0])]


def _array(numpy: Any, tensor: Any, text: str) -> Any:
    """Small types that numpy does not support become float32 or int8."""
    dtype = _native.tensor_dtype(tensor)
    shape = _native.tensor_shape(tensor)
    dtype = _ALIASES.get(dtype, dtype)
    if dtype == "string":
        items = numpy.empty(tensor.count, dtype=object)
        items[:] = _native.tensor_strings(tensor)
        return items.reshape(shape)
    try:
        kind = numpy.dtype(dtype)
    except TypeError:
        kind = numpy.dtype("int8" if "int" in dtype else "float32")
        return numpy.array(_flat(tensor, text), dtype=kind).reshape(shape)
    found = numpy.frombuffer(_native.tensor_bytes(tensor),
                             kind.newbyteorder("<"))
    return found.astype(kind).reshape(shape)


def value(tensor: Any, text: str) -> Any:
    """A numpy array if numpy is installed, else nested lists."""
    try:
        import numpy
    except ImportError:
        return _nested(_flat(tensor, text), _native.tensor_shape(tensor))
    return _array(numpy, tensor, text)
