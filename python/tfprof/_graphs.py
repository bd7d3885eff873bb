"""Graphs and models given as objects of TensorFlow.

Objects are recognized by their methods, so TensorFlow is not imported here: a
graph has as_graph_def(), a message has SerializeToString().
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

from tfprof import _keras


def tensorflow() -> Any:
    """The module, if the script has imported it; else None."""
    return sys.modules.get("tensorflow")


# TensorFlow's modules for the messages of _protos.py.
_MESSAGES = ("profiler.tfprof_output", "profiler.tfprof_log",
             "profiler.tfprof_options", "framework.tensor_shape",
             "framework.attr_value", "framework.step_stats")


def protobuf_class(name: str) -> Any:
    """TensorFlow's class for a message, such as "CodeDef.Trace". Imports
    TensorFlow, which takes seconds."""
    from importlib import import_module
    outer, *inner = name.split(".")
    for file in _MESSAGES:
        try:
            found: Any = import_module(f"tensorflow.core.{file}_pb2")
        except ImportError as error:
            raise ImportError("to_protobuf() requires the package tensorflow: "
                              "pip install tensorflow",
                              name="tensorflow") from error
        if hasattr(found, outer):
            for word in (outer, *inner):
                found = getattr(found, word)
            return found
    raise LookupError(f"TensorFlow has no message {name}")


def _kind(source: Any) -> str:
    return f"{type(source).__module__}.{type(source).__qualname__}"


class Graph:
    """A model: its message, and data that only its objects have."""

    def __init__(self, source: Any, graph: Any = None,
                 captured: dict[str, Any] | None = None,
                 function: Any = None) -> None:
        self._source = source           # used if `graph` is None
        self.graph = graph              # a tf.Graph, or None
        self._captured = captured or {}  # placeholder -> variable
        self._function = function        # the function of the graph, or None

    def content(self) -> Any:
        """The input for the library: a message, or the given source."""
        if self.graph is None:
            return self._source
        message = self.graph.as_graph_def(add_shapes=True)
        if self._captured:
            for node in message.node:
                if node.name in self._captured:
                    _make_variable(node, self._captured[node.name])
        return message

    def signed_content(self) -> Any:
        """The same with a signature and the trainable variables. The signature
        lists inputs and outputs, so that unused nodes are not counted."""
        message = self.content()
        if self._function is None:
            return message
        signed = tensorflow().compat.v1.MetaGraphDef(graph_def=message)
        signature = signed.signature_def["serving_default"]
        inner = {id(one) for _, one in self.graph.captures}
        for one in self.graph.inputs:
            if id(one) not in inner:
                _put_tensor(signature.inputs[one.op.name], one)
        for i, one in enumerate(self.graph.outputs):
            _put_tensor(signature.outputs[f"output_{i}"], one)
        listed = signed.collection_def["trainable_variables"].bytes_list
        for variable in self._captured.values():
            if variable.trainable:
                listed.value.append(_variable_def(variable))
        return signed

    def version(self) -> int:
        """A number that changes when operations are added."""
        return self.graph.version if self.graph is not None else 0

    def trainable_names(self) -> list[str]:
        """The nodes of trainable variables."""
        if self.graph is None:
            return []
        if self._captured:
            return [name for name, variable in self._captured.items()
                    if variable.trainable]
        found = self.graph.get_collection("trainable_variables")
        return [variable.op.name for variable in found]

    def complete_shapes(self, run_meta: Any) -> None:
        """Sets unknown shapes of outputs to those of a run, permanently, like
        TensorFlow. Only messages are used; the library handles files."""
        for stats in getattr(getattr(run_meta, "step_stats", None),
                             "dev_stats", ()):
            for record in stats.node_stats:
                if record.output:
                    _complete_node(self.graph, record)


def _put_tensor(info: Any, tensor: Any) -> None:
    info.name = tensor.name
    info.dtype = tensor.dtype.as_datatype_enum
    info.tensor_shape.CopyFrom(tensor.shape.as_proto())


def _variable_def(variable: Any) -> bytes:
    from importlib import import_module
    made = import_module("tensorflow.core.framework.variable_pb2").VariableDef
    return bytes(made(variable_name=variable.name,
                      trainable=True).SerializeToString())


def _complete_node(graph: Any, record: Any) -> None:
    try:
        outputs = graph.get_operation_by_name(record.node_name).outputs
    except (KeyError, ValueError):
        return  # RecvTensor and the like
    if len(record.output) != len(outputs):
        return  # a Switch produces one of its two outputs
    for output, recorded in zip(outputs, record.output):
        shape = output.shape
        if shape.is_fully_defined():
            continue
        dims = recorded.tensor_description.shape.dim
        # If it ran with another shape, the known shape is kept.
        with contextlib.suppress(ValueError):
            output.set_shape(shape.merge_with([dim.size for dim in dims]))


def _make_variable(node: Any, variable: Any) -> None:
    """A function receives its variables as arguments. Turns such an argument
    into a variable node, so that its parameters are counted."""
    node.op = "VarHandleOp"
    node.attr.clear()
    node.attr["dtype"].type = variable.dtype.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(variable.shape.as_proto())
    node.attr["_output_shapes"].list.shape.add()
    # The layer is found by this name. It is not unique in some models; name and
    # container together are.
    node.attr["shared_name"].s = variable.name.split(":")[0].encode()
    node.attr["container"].s = node.name.encode()


def _tf_variable(variable: Any) -> Any:
    """Keras 3 wraps variables of TensorFlow; its dtype is a str."""
    return variable.value if isinstance(variable.dtype, str) else variable


def _of_function(function: Any, variables: Any) -> Graph:
    by_handle = {id(v.handle): v for v in map(_tf_variable, variables)
                 if hasattr(v, "handle")}
    captured = {inner.op.name: by_handle[id(outer)]
                for outer, inner in function.graph.captures
                if id(outer) in by_handle}
    return Graph(None, function.graph, captured, function)


def _of_model(model: Any, batch: int | None, inputs: Any = None,
              otherwise: int = 1) -> Graph:
    """A Keras model, called once with its inputs; `batch` replaces an unknown
    batch size."""
    declared = getattr(model, "inputs", None)
    if declared and hasattr(declared[0], "graph"):
        return Graph(None, declared[0].graph)  # built in the graph of a session
    function = _keras.traced(tensorflow(), model, inputs, batch, otherwise)
    # Keras 3 does not list variables that it did not create.
    return _of_function(function, [*model.variables,
                                   *function.graph.variables])


def _default_graph() -> Graph:
    tf = tensorflow()
    if tf is None or not hasattr(tf, "compat"):
        raise TypeError("graph is required: without TensorFlow there is no "
                        "default graph (give a path, bytes or a GraphDef)")
    if tf.executing_eagerly():
        return Graph(b"")  # only nodes of run metadata
    return Graph(None, tf.compat.v1.get_default_graph())


def is_model(thing: Any) -> bool:
    """Is it a Keras model?"""
    return tensorflow() is not None and hasattr(thing, "trainable_weights")


def graph_of(graph: Any, batch: int | None = 1) -> Graph:
    """A Graph for any object that the argument graph accepts. A Keras model
    with an unknown batch size is called with `batch` examples; None keeps the
    size unknown."""
    if graph is None:
        return _default_graph()
    if isinstance(graph, Graph):
        return graph
    if hasattr(graph, "as_graph_def"):
        return Graph(None, graph)
    if (isinstance(graph, (str, os.PathLike, bytes, bytearray, memoryview))
            or hasattr(graph, "SerializeToString")):
        return Graph(graph)
    if hasattr(getattr(graph, "graph", None), "captures"):
        return _of_function(graph, graph.graph.variables)
    if hasattr(getattr(graph, "graph", None), "as_graph_def"):
        return Graph(None, graph.graph)  # such as a session
    if tensorflow() is not None and hasattr(graph, "get_concrete_function"):
        return graph_of(graph.get_concrete_function(), batch)
    if is_model(graph):
        return _of_model(graph, batch)
    raise TypeError("graph must be a tf.Graph, a GraphDef, a concrete "
                    "function, a Keras model, bytes or a path, not "
                    + _kind(graph))


def model_of(model: Any, inputs: Any = None, otherwise: int = 1) -> Any:
    """The message of a Keras model, called with `inputs`, or with its own
    inputs if None. The batch size stays unknown, or is `otherwise` if the
    model requires a number."""
    if not is_model(model):
        raise TypeError(f"inputs= requires a Keras model, not {_kind(model)}")
    return _of_model(model, None, inputs, otherwise).signed_content()


def message_of(thing: Any) -> Any:
    """The message of an object of TensorFlow: a message itself, a graph, a
    function or a model. None for other objects."""
    if hasattr(thing, "SerializeToString"):
        return thing
    is_graph = (hasattr(thing, "as_graph_def")
                or hasattr(getattr(thing, "graph", None), "as_graph_def")
                or (tensorflow() is not None
                and (hasattr(thing, "get_concrete_function")
                     or is_model(thing))))
    if is_graph and not hasattr(thing, "graph") and is_model(thing):
        return model_of(thing)
    return graph_of(thing, batch=None).content() if is_graph else None


# ---- Graphs that functions were traced to -----------------------------------

# Attributes that keep the functions of fit(), evaluate() and predict().
_KERAS_FUNCTIONS = ("train_function", "test_function", "predict_function")


def is_function(thing: Any) -> bool:
    """Does traced_graphs() support it: a Keras model, a tf.function or a
    concrete function?"""
    return (hasattr(thing, "_list_all_concrete_functions")
            or hasattr(getattr(thing, "graph", None), "captures")
            or hasattr(thing, "trainable_weights"))


def _concrete_functions(thing: Any, seen: set[int]) -> Iterator[Any]:
    """Concrete functions of a function and of its closures: Keras wraps a
    tf.function in a plain Python function."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if hasattr(getattr(thing, "graph", None), "captures"):
        yield thing
        return
    if hasattr(thing, "_list_all_concrete_functions"):
        yield from thing._list_all_concrete_functions()
        thing = thing.python_function
    for cell in getattr(thing, "__closure__", None) or ():
        with contextlib.suppress(ValueError):  # the cell is empty
            if callable(cell.cell_contents):
                yield from _concrete_functions(cell.cell_contents, seen)


def _own_graph(function: Any) -> Any:
    """The graph that a function of a graph was traced to. None if TensorFlow
    would create it from a message, because such a graph has no stacks."""
    name = "_cached_graph" if hasattr(function, "_cached_graph") else "graph"
    return getattr(function, name, None)


def traced_graphs(model: Any) -> list[Any]:
    """All graphs that were traced for a model, the outer ones first. Bodies of
    functions, loops and branches are separate graphs."""
    functions = [getattr(model, name, None) for name in _KERAS_FUNCTIONS]
    seen: set[int] = set()
    waiting = [function.graph for each in (model, *functions)
               for function in _concrete_functions(each, seen)]
    found: dict[int, Any] = {}
    while waiting:
        graph = waiting.pop(0)
        if graph is None or id(graph) in found:
            continue
        found[id(graph)] = graph
        waiting += map(_own_graph, getattr(graph, "_functions", {}).values())
    return list(found.values())
