"""tfprof.open() and the Profile that it returns."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfprof import _graphs, _inputs, _settings
from tfprof._asking import Asking
from tfprof._errors import Error
from tfprof._native import Handle, option_names

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tfprof._advice import Advice
    from tfprof._flops import Flops
    from tfprof._keywords import OpenOptions, ViewOptions
    from tfprof._summary import Summary
    from tfprof._table import Table
    from tfprof._view import View

_IN_VIEWS = {
    "output": "a view is an object (print it, or use timeline(), pprof(), "
              "folded() or speedscope())",
    "format": "use to_json(), to_csv() or to_dict()",
}
_IN_FILES = {"output": "give the file as the first argument",
             "format": "this file type has only one format"}


class Input:
    """One input file.

    path: its path, escaped; for a file in a directory, with the directory.
    kind: the file type, such as "GraphDef".
    status: "read", "partial" (see the option `salvage`) or "passed over".
    error: the error of a partial file, or None.
    """

    def __init__(self, path: str, kind: str, status: str,
                 error: Error | None) -> None:
        self.path = path
        self.kind = kind
        self.status = status
        self.error = error

    def __repr__(self) -> str:
        return f"<tfprof.Input {self.path}: {self.kind}, {self.status}>"


class Profile(Asking):
    """The input files of one model. tfprof.open() creates it.

    Every method that returns a result accepts the options of the command line
    as keywords. An option applies only to this call. Lists are Python lists:

    >>> import tfprof
    >>> with tfprof.open("graph.pb", "run_meta") as p:
    ...     view = p.scope(select=["bytes"], show_name_regexes=["layer", "x"])
    >>> print(view)
    node name | requested bytes
    _TFProfRoot (--/864B)
      layer (0B/512B)
      x (352B/352B)

    One thread at a time can use a profile; other threads wait.
    """

    def __init__(self, handle: Handle, words: str | None = None) -> None:
        self._handle: Handle | None = handle
        self._words = words  # the inputs on a command line
        self._remarks: list[str] = []

    # ---- Closing

    def close(self) -> None:
        """Closes the profile. Existing views can still be printed; the memory
        is freed with the last of them."""
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

    def _repr_html_(self) -> str:
        from tfprof import _notebook
        return _notebook.profile(self)

    def _open(self) -> Handle:
        if self._handle is None:
            raise ValueError("the profile is closed")
        return self._handle

    # ---- Inputs

    def info(self) -> dict[str, Any]:
        """Returns what `tfprof info --format json` prints.

        >>> import tfprof
        >>> tfprof.open("graph.pb").info()["model"]["nodes"]
        8
        """
        import json
        handle = self._open()
        with handle.asking({"format": "json"}):
            found: dict[str, Any] = json.loads(handle.write("info"))
        for file in found["files"]:
            file["path"] = handle.named(file["path"])
        return found

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Every file that was read or skipped.

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
        """The remarks of all results so far, without duplicates."""
        return tuple(self._remarks)

    def _note(self, remarks: list[str]) -> None:
        self._remarks += [remark for remark in dict.fromkeys(remarks)
                          if remark not in self._remarks]

    def options(self) -> dict[str, str]:
        """Returns every option with its value as text.

        >>> import tfprof
        >>> tfprof.open("graph.pb", max_memory="1G").options()["max_memory"]
        '1073741824'
        """
        handle = self._open()
        return {name: handle.get(name) for name in option_names()
                if name not in _inputs.ROLES.values()}

    # ---- Results; _asking.py has the methods that return them

    def _view(self, kind: str, settings: Mapping[str, object]) -> View:
        from tfprof._view import View
        handle = self._open()
        options = _settings.texts(settings, _IN_VIEWS)
        with handle.asking(options) as remarks:
            rows = handle.view(kind)
        self._note(remarks)
        return View(handle, kind, options, rows, tuple(remarks))

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

    def _summary(self, settings: Mapping[str, object]) -> Summary:
        from tfprof._summary import Summary
        handle = self._open()
        found = _settings.texts(settings, _IN_VIEWS)
        with handle.asking({**found, "format": "json"}) as remarks:
            data = handle.write_summary(self._words)
        self._note(remarks)
        return Summary(handle, found, self._words, data)

    def _advice(self, settings: Mapping[str, object]) -> Advice:
        from tfprof._advice import Advice
        handle = self._open()
        found = _settings.texts(settings, _IN_VIEWS)
        with handle.asking({**found, "format": "json"}) as remarks:
            data = handle.write("advice")
        self._note(remarks)
        return Advice(handle, found, data)

    def _flops(self, settings: Mapping[str, object]) -> Flops:
        from tfprof._flops import Flops
        handle = self._open()
        found = _settings.texts(settings, _IN_VIEWS)
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

    def _report(self, path: str | os.PathLike[str],
                base: _inputs.Paths | None,
                options: Mapping[str, object]) -> None:
        handle = self._open()
        found = _settings.texts(options, _IN_FILES)
        output = _settings.with_file("html", path)
        words = [] if base is None else _inputs.paths(base)
        with handle.asking({**found, "output": output}) as remarks:
            handle.write_report(words)
        self._note(remarks)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all inputs as one ProfileProto, which tfprof.open() and
        TensorFlow's tfprof can read."""
        handle = self._open()
        with handle.asking({}) as remarks:
            handle.save(path)
        self._note(remarks)


def open(*inputs: _inputs.Input, graph: Any = None, run_meta: Any = None,
         op_log: Any = None, checkpoint: Any = None, profile: Any = None,
         **options: Unpack[OpenOptions]) -> Profile:
    """Reads the files of a model and returns a Profile.

    inputs: paths (files, directories, prefixes of checkpoints), addresses
        such as s3://bucket/key (requires pyarrow), bytes and other objects
        with a buffer, file objects, messages, and graphs of TensorFlow. File
        types are detected from content.
    graph, run_meta, op_log, checkpoint, profile: an input or a list of inputs
        of this type. run_meta may be {step: input}; otherwise steps are
        numbered from 0.
    options: the options of the command line, such as max_memory="2G" or
        salvage=True. They apply to all results.

    >>> import tfprof
    >>> tfprof.open("graph.pb", run_meta=["run_meta"])
    <tfprof.Profile of graph.pb, run_meta>
    >>> tfprof.open(b"not this")
    Traceback (most recent call last):
        ...
    tfprof.CorruptInput: <bytes>: unknown file type; if you know \
the type, use graph=, run_meta=, op_log=, checkpoint= or \
profile=
    """
    roles = {"graph": graph, "run_meta": run_meta, "op_log": op_log,
             "checkpoint": checkpoint, "profile": profile}
    if not inputs and all(given is None for given in roles.values()):
        raise TypeError("open() requires an input: a path, bytes, a file "
                        "object, a message or a graph")
    handle = Handle()
    handle.set(_settings.texts(options, {"output": "use the methods that write "
                                         "files"}))
    _inputs.add_all(handle, inputs, roles)
    return Profile(handle, _inputs.words(inputs, roles))


def flops(*models: _inputs.Input, inputs: Any = None, graph: Any = None,
          checkpoint: Any = None, **options: Unpack[ViewOptions]) -> Flops:
    """Returns parameters and float operations of a model, without TensorFlow.

    models: inputs as for tfprof.open(). A Keras model must have been called or
        built, unless `inputs` is given.
    inputs: the inputs to call a Keras model with: a spec, an array or a shape
        such as (None, 224, 224, 3), or a list or dict of them.
    options: the options of `tfprof flops`. batch=8 replaces unknown first
        dimensions of inputs by 8 instead of 1; shape={"x": (1, 8)} sets the
        complete shape of one input.

    >>> import tfprof
    >>> found = tfprof.flops("functions.pb")
    >>> found.total, found.params, found.complete
    (21, 0, True)
    """
    if inputs is not None and len(models) != 1:
        raise TypeError("inputs= requires exactly one model")
    batch = options.get("batch")
    count = batch if isinstance(batch, int) and batch > 0 else 1
    models = tuple(_graphs.model_of(one, inputs, count)
                   if inputs is not None or _graphs.is_model(one) else one
                   for one in models)
    with open(*models, graph=graph, checkpoint=checkpoint) as found:
        return found.flops(**options)
