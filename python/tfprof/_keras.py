"""Finds arguments for a model of Keras 3 or 2, and calls it to get its graph.

Functional models declare their inputs. For other models Keras stores the shapes
that they were built with; Keras 2 also stores the types. Keras is not imported
here.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Arguments of call() that are not inputs.
_NO_INPUTS = ("training", "mask")


def _is_size(value: Any) -> bool:
    if value is None:
        return True
    try:
        operator.index(value)
    except TypeError:
        return False
    return not hasattr(value, "dtype") or not getattr(value, "shape", ())


def _is_shape(value: Any) -> bool:
    return (isinstance(value, Sequence) and not isinstance(value, (str, bytes))
            and all(map(_is_size, value)))


def _spec(tf: Any, given: Any, dtype: Any) -> Any:
    """A TensorSpec of an array, a spec or a shape."""
    if _is_shape(given):
        return tf.TensorSpec(list(given), dtype)
    shape = getattr(given, "shape", None)
    if shape is None:
        raise TypeError("inputs: give specs, arrays or shapes such as "
                        f"(None, 224, 224, 3), not {type(given).__name__}")
    name = getattr(given, "name", None)
    return tf.TensorSpec(shape, getattr(given, "dtype", None) or dtype,
                         name if isinstance(name, str) else None)


def _specs(tf: Any, given: Any, dtype: Any) -> Any:
    """TensorSpecs for nested lists and dicts."""
    if isinstance(given, Mapping):
        return {key: _specs(tf, value, dtype) for key, value in given.items()}
    if isinstance(given, (list, tuple)) and not _is_shape(given):
        return [_specs(tf, value, dtype) for value in given]
    return _spec(tf, given, dtype)


def _with_batch(tf: Any, specs: Any, batch: int | None,
                is_kept: bool = False) -> Any:
    """Specs for `batch` examples, or for any number if it is None. With
    `is_kept`, only unknown batch sizes are replaced."""
    if isinstance(specs, Mapping):
        return {key: _with_batch(tf, one, batch, is_kept)
                for key, one in specs.items()}
    if isinstance(specs, list):
        return [_with_batch(tf, one, batch, is_kept) for one in specs]
    if not specs.shape.rank or (is_kept and specs.shape[0] is not None):
        return specs
    return tf.TensorSpec([batch, *specs.shape[1:]], specs.dtype, specs.name)


def _takes(model: Any) -> int:
    """The number of arguments of call() that are inputs."""
    try:
        parameters = inspect.signature(model.call).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(one.name not in _NO_INPUTS
               and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
               for one in parameters)


def _arguments(model: Any, specs: Any) -> list[Any]:
    if isinstance(specs, list) and 1 < len(specs) <= _takes(model):
        return specs
    return [specs]


def _built_shapes(model: Any) -> Any:
    config = getattr(model, "get_build_config", lambda: None)() or {}
    shapes = config.get("shapes_dict") or config.get("input_shape")
    if shapes is None:
        return None
    return (list(shapes.values()) if "shapes_dict" in config else shapes)


def _saved_arguments(model: Any) -> list[Any] | None:
    """Keras 2: arguments of an earlier call, for any batch size."""
    saved = getattr(model, "save_spec", lambda: None)()
    return list(saved[0]) if saved else None


def _candidates(tf: Any, model: Any, inputs: Any,
                batch: int | None, otherwise: int) -> Iterator[list[Any]]:
    """Arguments to call the model with, the most likely first. Some models
    require a fixed batch size. Keras 3 does not store types, so an input may
    also contain indices."""
    if inputs is not None:
        specs = _specs(tf, inputs, tf.float32)
        if batch is not None:
            specs = _with_batch(tf, specs, batch, is_kept=True)
        yield _arguments(model, specs)
        yield _arguments(model, _with_batch(tf, specs, otherwise,
                                            is_kept=True))
        return
    batches = (batch,) if batch is not None else (None, otherwise)
    declared = getattr(model, "inputs", None)
    if declared:
        specs = [_spec(tf, one, tf.float32) for one in declared]
        yield [_with_batch(tf, specs, batch, is_kept=True)
               if len(specs) > 1 else
               _with_batch(tf, specs[0], batch, is_kept=True)]
        return
    saved = _saved_arguments(model)
    if saved is not None:
        for one in batches:
            yield _with_batch(tf, saved, one)
        return
    shapes = _built_shapes(model)
    if shapes is None:
        return
    for dtype in (tf.float32, tf.int32):
        for one in batches:
            yield _arguments(model, _with_batch(
                tf, _specs(tf, shapes, dtype), one))


def traced(tf: Any, model: Any, inputs: Any = None,
           batch: int | None = None, otherwise: int = 1) -> Any:
    """A concrete function that calls the model once. `inputs` are specs,
    arrays or shapes of one input, or a structure of several; None uses those
    of the model. `batch` replaces an unknown batch size. If it is None, the
    size stays unknown, or is `otherwise` if the model requires a number."""
    first: Exception | None = None

    def call(*args: Any) -> Any:
        return model(*args)

    for arguments in _candidates(tf, model, inputs, batch, otherwise):
        try:
            return tf.function(call).get_concrete_function(*arguments)
        except Exception as error:  # the code of a model may raise anything
            first = first or error
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    if first is None:
        raise TypeError(f"{kind}: the model is not built (call it once, or "
                        "give inputs=, such as inputs=(None, 224, 224, 3))")
    text = (str(first).strip().splitlines() or [""])[-1].strip()
    raise TypeError(f"{kind}: cannot call the model with its recorded inputs: "
                    f"{text[:200]} (give inputs= with specs or arrays)"
                    ) from first
