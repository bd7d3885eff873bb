"""Finds the forward operation of each gradient operation in a graph.

A gradient tape names a gradient "gradient_tape/X/...". If the forward operation
has its own name scope, such as MatMul, X is its name. For Softmax or Tile, X is
only the enclosing scope, and the name is not sufficient. The inputs of a
gradient help: they are a result of its forward operation, or a gradient of an
operation that uses that result.

The library resolves names (src/model/gradients.c). This module handles the
other cases. If several operations fit, it guesses and may choose a neighbor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TAPE = "gradient_tape/"

# Gradients that are one operation, by the type of the forward operation.
_TYPES = {"Cast": "Cast", "ConcatV2": "Slice", "ExpandDims": "Reshape",
          "PadV2": "Slice", "Reshape": "Reshape", "Split": "ConcatV2",
          "SplitV": "ConcatV2", "Squeeze": "Reshape", "Transpose": "Transpose"}

# The number of inputs that are examined per operation.
_MOST_INPUTS = 64


def _scope(name: str) -> str:
    return name.rpartition("/")[0]


def _told(name: str, ops: dict[str, Any]) -> Any:
    """The forward operation in the name of a gradient, or None."""
    scope = _scope(name[len(_TAPE):])
    while scope and scope not in ops:
        scope = _scope(scope)
    return ops.get(scope)


def _tensors(op: Any) -> Iterator[Any]:
    """The inputs of an operation; a sum is replaced by its inputs."""
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
    """Visits the operations of a graph in creation order, so the inputs of a
    gradient are resolved before it."""

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
        """Do the names of this operation's gradients contain only `scope`?"""
        return (_scope(op.name) == scope and op.name not in self._tellers
                and not op.name.startswith(_TAPE) and op.type != "Const")

    def _ranked(self, op: Any, scope: str) -> Iterator[tuple[int, Any]]:
        """Possible forward operations; the lowest rank is the most likely."""
        for tensor in _tensors(op):
            if self._fits(tensor.op, scope):
                yield 0, tensor.op
            name = tensor.op.name
            user = self._told.get(name) or self.found.get(name)
            if user is None:
                continue
            if self._fits(user, scope):  # another part of that gradient
                yield 2, user
            for source in user.inputs[:_MOST_INPUTS]:
                if self._fits(source.op, scope):
                    yield (1 if _is_type_of_gradient(op, source.op) else
                           3 if _is_alike(tensor, source) else 4), source.op


def untold_forwards(ops: list[Any]) -> dict[str, Any]:
    """The forward operations of gradients whose names do not identify them, by
    the name of the gradient. `ops` are all operations of a graph."""
    return _Finder(ops).found
