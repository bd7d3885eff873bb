"""tfprof.open() and what it gives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfprof import _graphs, _inputs, _settings
from tfprof._errors import Error
from tfprof._native import Handle, option_names

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tfprof._advice import Advice
    from tfprof._flops import Flops
    from tfprof._keywords import OpenOptions, Options, ViewOptions, Words
    from tfprof._table import Table
    from tfprof._view import View

_IN_VIEWS = {
    "output": "a view stays in memory; print it, or see timeline() and pprof()",
    "format": "see to_json(), to_csv() and to_dict()",
}
_IN_FILES = {"output": "the file is the first argument",
             "format": "this file has but one"}


class Input:
    """One file that was read.

    path: its name, safe to print; of a file in a directory, both.
    kind: what it is, "GraphDef" for one.
    status: "read", "partial" (see the option `salvage`) or "passed over".
    error: of a partial one, what was wrong with it, or None.
    """

    def __init__(self, path: str, kind: str, status: str,
                 error: Error | None) -> None:
        self.path = path
        self.kind = kind
        self.status = status
        self.error = error

    def __repr__(self) -> str:
        return f"<tfprof.Input {self.path}: {self.kind}, {self.status}>"


class Profile:
    """All that files say about one model; tfprof.open() makes it.

    Every question takes the options of the command line as keywords, and an
    option holds for its question alone. Lists are given as lists:

    >>> import tfprof
    >>> with tfprof.open("graph.pb", "run_meta") as p:
    ...     view = p.scope(select=["bytes"], show_name_regexes=["layer", "x"])
    >>> print(view)
    node name | requested bytes
    _TFProfRoot (--/864B)
      layer (0B/512B)
      x (352B/352B)

    One profile answers one thread at a time: a second one waits.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle
        self._remarks: list[str] = []

    # ---- Life

    def close(self) -> None:
        """Takes no more questions. The memory goes with the last view of it,
        which can still be printed till then."""
        self._handle = None

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<tfprof.Profile, closed>"
        names = [self._handle.input_name(i)
                 for i in range(self._handle.input_count())]
        more = f", and {len(names) - 4} more" if len(names) > 4 else ""
        return f"<tfprof.Profile of {', '.join(names[:4])}{more}>"

    def _open(self) -> Handle:
        if self._handle is None:
            raise ValueError("the profile is closed")
        return self._handle

    # ---- What was read

    def info(self) -> dict[str, Any]:
        """What was read, as `tfprof info --format json` tells it.

        >>> import tfprof
        >>> tfprof.open("graph.pb").info()["model"]["nodes"]
        8
        """
        import json
        handle = self._open()
        with handle.asking({"format": "json"}):
            found: dict[str, Any] = json.loads(handle.write("info"))
        return found

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Every file that was read or passed over.

        >>> import tfprof
        >>> tfprof.open("graph.pb", "run_meta").inputs[1]
        <tfprof.Input run_meta: RunMetadata, read>
        """
        handle = self._open()
        found = []
        for index, told in enumerate(self.info()["files"]):
            error, is_partial = handle.input_error(index)
            status = ("partial" if is_partial else
                      "read" if told["read"] else "passed over")
            found.append(Input(handle.input_name(index),
                               told["kind"] or "unknown", status,
                               error if isinstance(error, Error) else None))
        return tuple(found)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the answers so far were remarked with, each remark once."""
        return tuple(self._remarks)

    def _note(self, remarks: list[str]) -> None:
        self._remarks += [remark for remark in dict.fromkeys(remarks)
                          if remark not in self._remarks]

    def options(self) -> dict[str, str]:
        """Every option with its value, as text that would set it.

        >>> import tfprof
        >>> tfprof.open("graph.pb", max_memory="1G").options()["max_memory"]
        '1073741824'
        """
        handle = self._open()
        return {name: handle.get(name) for name in option_names()
                if name not in _inputs.ROLES.values()}

    # ---- Views

    def _view(self, kind: str, settings: Mapping[str, object]) -> View:
        from tfprof._view import View
        handle = self._open()
        options = _settings.texts(settings, _IN_VIEWS)
        with handle.asking(options) as remarks:
            rows = handle.view(kind)
        self._note(remarks)
        return View(handle, kind, options, rows, tuple(remarks))

    def scope(self, **options: Unpack[ViewOptions]) -> View:
        """The costs of nodes by the parts of their names."""
        return self._view("scope", options)

    def graph(self, **options: Unpack[ViewOptions]) -> View:
        """The costs of nodes by what they are computed from."""
        return self._view("graph", options)

    def op(self, **options: Unpack[ViewOptions]) -> View:
        """The costs by type of operation.

        >>> import tfprof
        >>> view = tfprof.open("graph.pb", "run_meta").op(order_by="micros")
        >>> [(row.name, row.self.micros) for row in view][:2]
        [('MatMul', 35), ('Placeholder', 4)]
        """
        return self._view("op", options)

    def code(self, **options: Unpack[ViewOptions]) -> View:
        """The costs by line of the Python program that made the nodes; needs
        an op log with code traces."""
        return self._view("code", options)

    # ---- Tables

    def _table(self, name: str, settings: Mapping[str, object]) -> Table:
        from tfprof._table import Table
        handle = self._open()
        options = _settings.texts(settings, _IN_VIEWS)
        with handle.asking({**options, "format": "json"}) as remarks:
            rows = handle.table(name)
            data = handle.write("table", name.encode())
        self._note(remarks)
        return Table(handle, name, options, rows, data,
                     tuple(dict.fromkeys(remarks)))

    def steps(self, **options: Unpack[ViewOptions]) -> Table:
        """How long each step took, and what devices did in it."""
        return self._table("steps", options)

    def kernels(self, **options: Unpack[ViewOptions]) -> Table:
        """The kernels of GPUs, those that took longest first."""
        return self._table("kernels", options)

    def memory(self, **options: Unpack[ViewOptions]) -> Table:
        """The most memory that was in use, and what held it. by="scope", "op"
        or "line" adds up what holds it; the rows of `pools` are allocators
        and devices."""
        return self._table("memory", options)

    def devices(self, **options: Unpack[ViewOptions]) -> Table:
        """How busy devices were, and how fast."""
        return self._table("devices", options)

    # ---- Other answers

    def advise(self, checkers: Words = None,
               **options: Unpack[Options]) -> Advice:
        """What stands out: what takes the time, and what is known to be
        faster another way.

        checkers: names of those that look, or None for all.
        """
        from tfprof._advice import Advice
        handle = self._open()
        found = _settings.texts({"checkers": checkers, **options}, _IN_VIEWS)
        with handle.asking({**found, "format": "json"}) as remarks:
            data = handle.write("advice")
        self._note(remarks)
        return Advice(handle, found, data)

    def flops(self, **options: Unpack[ViewOptions]) -> Flops:
        """Parameters and float operations, from the graph alone."""
        from tfprof._flops import Flops
        handle = self._open()
        found = _settings.texts(options, _IN_VIEWS)
        summary = {**found, "format": "json", "list": "summary",
                   "uncounted": "false"}
        with handle.asking(summary) as remarks:
            data = handle.write("flops")
        self._note(remarks)
        return Flops(handle, found, data)

    # ---- Files

    def _write(self, kind: str, view: str, path: str | os.PathLike[str],
               options: Mapping[str, object], **keys: str) -> None:
        handle = self._open()
        found = _settings.texts(options, _IN_FILES)
        output = _settings.with_file(kind, path, **keys)
        with handle.asking({**found, "output": output}) as remarks:
            handle.write("view", view.encode())
        self._note(remarks)

    def timeline(self, path: str | os.PathLike[str], view: str = "graph",
                 **options: Unpack[ViewOptions]) -> None:
        """Writes a timeline for chrome://tracing or Perfetto. `path` is the
        start of its name, to which steps are added."""
        self._write("timeline", view, path, options)

    def pprof(self, path: str | os.PathLike[str], labels: str = "",
              samples: str = "", places: str = "",
              **options: Unpack[ViewOptions]) -> None:
        """Writes what the code view has for the program pprof.
        places="lines" lets `pprof -list` mark the lines of code that cost."""
        self._write("pprof", "code", path, options, labels=labels,
                    samples=samples, places=places)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all that was read as one ProfileProto, which tfprof.open()
        and TensorFlow's own tfprof read again."""
        handle = self._open()
        with handle.asking({}) as remarks:
            handle.save(path)
        self._note(remarks)


def open(*inputs: _inputs.Input, graph: Any = None, run_meta: Any = None,
         op_log: Any = None, checkpoint: Any = None, profile: Any = None,
         **options: Unpack[OpenOptions]) -> Profile:
    """Reads files about a model, and gives a Profile to ask.

    inputs: paths (files, directories, prefixes of checkpoints), bytes and
        whatever else has a buffer, file objects, messages, and graphs of
        TensorFlow. What each one is, is found from its bytes.
    graph, run_meta, op_log, checkpoint, profile: one of these or a list,
        given as that. run_meta may be {step: input}; otherwise steps are
        counted from 0.
    options: those of the command line, such as max_memory="2G" or
        salvage=True; they hold for all questions.

    >>> import tfprof
    >>> tfprof.open("graph.pb", run_meta=["run_meta"])
    <tfprof.Profile of graph.pb, run_meta>
    >>> tfprof.open(b"not this")
    Traceback (most recent call last):
        ...
    tfprof.CorruptInput: <bytes>: not recognised as a file of \
TensorFlow; if you know what it is, say so with graph=, \
run_meta=, op_log=, checkpoint= or profile=
    """
    roles = {"graph": graph, "run_meta": run_meta, "op_log": op_log,
             "checkpoint": checkpoint, "profile": profile}
    if not inputs and all(given is None for given in roles.values()):
        raise TypeError("open() needs an input: a path, bytes, a file object, "
                        "a message or a graph")
    handle = Handle()
    handle.set(_settings.texts(options, {"output": "options of files hold for "
                                         "one question"}))
    _inputs.add_all(handle, inputs, roles)
    return Profile(handle)


def flops(*models: _inputs.Input, inputs: Any = None, graph: Any = None,
          checkpoint: Any = None, **options: Unpack[ViewOptions]) -> Flops:
    """Parameters and float operations of a model, without TensorFlow.

    models: as the inputs of tfprof.open(). A Keras model is taken if it has
        been called or built, or with
    inputs: what it is called with: a spec, an array or a shape such as
        (None, 224, 224, 3), or a list or dict of them.
    options: those of `tfprof flops`; batch=8 takes 8 for unknown first
        dimensions of inputs instead of 1, and shape={"x": (1, 8)} gives all
        of one.

    >>> import tfprof
    >>> found = tfprof.flops("functions.pb")
    >>> found.total, found.params, found.complete
    (21, 0, True)
    """
    if inputs is not None and len(models) != 1:
        raise TypeError("inputs= takes one model")
    batch = options.get("batch")
    count = batch if isinstance(batch, int) and batch > 0 else 1
    models = tuple(_graphs.model_of(one, inputs, count)
                   if inputs is not None or _graphs.is_model(one) else one
                   for one in models)
    with open(*models, graph=graph, checkpoint=checkpoint) as found:
        return found.flops(**options)
