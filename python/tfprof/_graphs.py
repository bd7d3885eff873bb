"""Graphs as scripts hand them over, and what only TensorFlow's objects know.

They are known by what they can do, so that nothing of it is imported here: a
graph has as_graph_def(), a message SerializeToString().
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


# Where TensorFlow has the messages that _protos.py has.
_MESSAGES = ("profiler.tfprof_output", "profiler.tfprof_log",
             "profiler.tfprof_options", "framework.tensor_shape",
             "framework.attr_value", "framework.step_stats")


def protobuf_class(name: str) -> Any:
    """TensorFlow's class of a message, such as "CodeDef.Trace". Imports
    TensorFlow, which takes seconds."""
    from importlib import import_module
    outer, *inner = name.split(".")
    for file in _MESSAGES:
        try:
            found: Any = import_module(f"tensorflow.core.{file}_pb2")
        except ImportError as error:
            raise ImportError("to_protobuf() needs the package tensorflow: "
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
    """A model: what is read, and what only its objects know."""

    def __init__(self, source: Any, graph: Any = None,
                 captured: dict[str, Any] | None = None,
                 function: Any = None) -> None:
        self._source = source           # unless there is a graph
        self.graph = graph              # a tf.Graph, or None
        self._captured = captured or {}  # placeholder -> variable
        self._function = function        # what the graph is of, or None

    def content(self) -> Any:
        """What the library reads: a message, or what was given."""
        if self.graph is None:
            return self._source
        message = self.graph.as_graph_def(add_shapes=True)
        if self._captured:
            for node in message.node:
                if node.name in self._captured:
                    _make_variable(node, self._captured[node.name])
        return message

    def signed_content(self) -> Any:
        """The same with what only the objects know: what comes in and goes
        out, so that nothing counts that nobody needs, and which variables are
        trainable."""
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
        """Changes when operations are added."""
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
        """Outputs whose shapes are not known get those of a run, and keep
        them, as TensorFlow does. Only messages are looked at; of files the
        library knows."""
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
        return  # a Switch makes one of two
    for output, recorded in zip(outputs, record.output):
        shape = output.shape
        if shape.is_fully_defined():
            continue
        dims = recorded.tensor_description.shape.dim
        # If it ran with another shape, what is known stays.
        with contextlib.suppress(ValueError):
            output.set_shape(shape.merge_with([dim.size for dim in dims]))


def _make_variable(node: Any, variable: Any) -> None:
    """A function takes its variables as arguments. Here they become what they
    are in a graph, so that their parameters count."""
    node.op = "VarHandleOp"
    node.attr.clear()
    node.attr["dtype"].type = variable.dtype.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(variable.shape.as_proto())
    node.attr["_output_shapes"].list.shape.add()
    # By its name the layer is found. Those of some models are not unique, as
    # a variable is by both of these.
    node.attr["shared_name"].s = variable.name.split(":")[0].encode()
    node.attr["container"].s = node.name.encode()


def _tf_variable(variable: Any) -> Any:
    """Keras 3 wraps those of TensorFlow, and names their types."""
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
    """A Keras model, called once with its inputs; `batch` of them, if the
    model leaves that open."""
    declared = getattr(model, "inputs", None)
    if declared and hasattr(declared[0], "graph"):
        return Graph(None, declared[0].graph)  # made in a session's graph
    function = _keras.traced(tensorflow(), model, inputs, batch, otherwise)
    # Keras 3 does not know of variables that it has not made.
    return _of_function(function, [*model.variables,
                                   *function.graph.variables])


def _default_graph() -> Graph:
    tf = tensorflow()
    if tf is None or not hasattr(tf, "compat"):
        raise TypeError("graph is needed: without TensorFlow there is no "
                        "default graph (give a path, bytes or a GraphDef)")
    if tf.executing_eagerly():
        return Graph(b"")  # nothing but what run metadata names
    return Graph(None, tf.compat.v1.get_default_graph())


def is_model(thing: Any) -> bool:
    """Is it one of Keras?"""
    return tensorflow() is not None and hasattr(thing, "trainable_weights")


def graph_of(graph: Any, batch: int | None = 1) -> Graph:
    """What a script gives as a graph. A Keras model that takes any number of
    examples is called with `batch`, or with any number if that is None."""
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
        return Graph(None, graph.graph)  # of a session, for one
    if tensorflow() is not None and hasattr(graph, "get_concrete_function"):
        return graph_of(graph.get_concrete_function(), batch)
    if is_model(graph):
        return _of_model(graph, batch)
    raise TypeError("graph must be a tf.Graph, a GraphDef, a concrete "
                    "function, a Keras model, bytes or a path, not "
                    + _kind(graph))


def model_of(model: Any, inputs: Any = None, otherwise: int = 1) -> Any:
    """The message of a Keras model, called with these inputs or its own, for
    any number of examples; `otherwise` of them if it needs a number."""
    if not is_model(model):
        raise TypeError("inputs= says what a Keras model is called with, and "
                        f"{_kind(model)} is none")
    return _of_model(model, None, inputs, otherwise).signed_content()


def message_of(thing: Any) -> Any:
    """The message that an object of TensorFlow stands for, or None: a message
    itself, a graph, a function, a model."""
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

# What Keras keeps of fit(), evaluate() and predict().
_KERAS_FUNCTIONS = ("train_function", "test_function", "predict_function")


def is_function(thing: Any) -> bool:
    """Is it a Keras model, a tf.function or a concrete function? Then
    traced_graphs() takes it."""
    return (hasattr(thing, "_list_all_concrete_functions")
            or hasattr(getattr(thing, "graph", None), "captures")
            or hasattr(thing, "trainable_weights"))


def _concrete_functions(thing: Any, seen: set[int]) -> Iterator[Any]:
    """Those of a function, and of functions that it closes over: Keras wraps
    its own in one that is none of TensorFlow."""
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
        with contextlib.suppress(ValueError):  # nothing is in the cell yet
            if callable(cell.cell_contents):
                yield from _concrete_functions(cell.cell_contents, seen)


def _own_graph(function: Any) -> Any:
    """The graph that a function of a graph was traced to; None for one that
    TensorFlow would make from its message, since that knows no stacks."""
    name = "_cached_graph" if hasattr(function, "_cached_graph") else "graph"
    return getattr(function, name, None)


def traced_graphs(model: Any) -> list[Any]:
    """The graphs of all that was traced for a model, the outer ones first:
    bodies of functions, loops and branches are graphs of their own."""
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
