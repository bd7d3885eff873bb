"""Which operations the gradients of a graph are of.

A tape names a gradient "gradient_tape/X/...", where X is the operation that it
is of, if that has a name scope of its own, as MatMul has. Of Softmax or Tile, X
is only the scope around it, and names do not tell. But what a gradient takes
does: a result of its operation, or a gradient of what uses that.

The library follows names by itself (src/model/gradients.c). Here is the rest,
and a guess where several operations fit: it may take a neighbor for another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TAPE = "gradient_tape/"

# Gradients that are one operation, by the type of what they are of.
_TYPES = {"Cast": "Cast", "ConcatV2": "Slice", "ExpandDims": "Reshape",
          "PadV2": "Slice", "Reshape": "Reshape", "Split": "ConcatV2",
          "SplitV": "ConcatV2", "Squeeze": "Reshape", "Transpose": "Transpose"}

# So many inputs of an operation are looked at.
_MOST_INPUTS = 64


def _scope(name: str) -> str:
    return name.rpartition("/")[0]


def _told(name: str, ops: dict[str, Any]) -> Any:
    """The operation that the name of a gradient tells, or None."""
    scope = _scope(name[len(_TAPE):])
    while scope and scope not in ops:
        scope = _scope(scope)
    return ops.get(scope)


def _tensors(op: Any) -> Iterator[Any]:
    """What an operation takes; in the place of a sum, what is summed."""
    for tensor in op.inputs[:_MOST_INPUTS]:
        if tensor.op.type == "AddN":
            yield from tensor.op.inputs[:_MOST_INPUTS]
        else:
            yield tensor


def _is_type_of_gradient(op: Any, of: Any) -> bool:
    return bool(op.type in (_TYPES.get(of.type), f"{of.type}Grad"))


def _is_alike(one: Any, other: Any) -> bool:
    return bool(one.shape.rank is not None and one.shape == other.shape)


class _Finder:
    """Goes through the operations of a graph in the order in which they were
    made, so what a gradient takes was found before it."""

    def __init__(self, ops: list[Any]) -> None:
        by_name = {op.name: op for op in ops}
        self._told = {op.name: _told(op.name, by_name) for op in ops
                      if op.name.startswith(_TAPE)}
        self._tellers = {op.name for op in self._told.values()
                         if op is not None}
        self.found: dict[str, Any] = {}
        for name, told in self._told.items():
            if told is None:
                self._find(by_name[name])

    def _find(self, op: Any) -> None:
        ranked = list(self._ranked(op, _scope(op.name[len(_TAPE):])))
        if ranked:
            self.found[op.name] = min(ranked, key=lambda each: each[0])[1]

    def _fits(self, op: Any, scope: str) -> bool:
        """Do names of its gradients have this scope and no more?"""
        return (_scope(op.name) == scope and op.name not in self._tellers
                and not op.name.startswith(_TAPE) and op.type != "Const")

    def _ranked(self, op: Any, scope: str) -> Iterator[tuple[int, Any]]:
        """What it may be a gradient of; the smallest rank is the likeliest."""
        for tensor in _tensors(op):
            if self._fits(tensor.op, scope):
                yield 0, tensor.op
            name = tensor.op.name
            user = self._told.get(name) or self.found.get(name)
            if user is None:
                continue
            if self._fits(user, scope):  # a further part of that gradient
                yield 2, user
            for source in user.inputs[:_MOST_INPUTS]:
                if self._fits(source.op, scope):
                    yield (1 if _is_type_of_gradient(op, source.op) else
                           3 if _is_alike(tensor, source) else 4), source.op


def untold_forwards(ops: list[Any]) -> dict[str, Any]:
    """The operations that gradients are of, by the names of these, where the
    names do not tell. `ops` is the whole of a graph."""
    return _Finder(ops).found
