"""The differences between two sets of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfprof import _inputs, _native, _settings
from tfprof._flops import number
from tfprof._native import Handle

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tfprof._keywords import Options

REFUSED = {"output": "print the result, or use to_dict()",
           "format": "use text() or to_dict()"}

_NUMBERS = ("base", "head", "difference")


class Diff:
    """The differences between two sets of runs; see `tfprof diff`.

    view: the name of the view whose rows were compared.
    base, head: dicts with the number of `runs`, and the smallest and largest
        number of steps in a run, `least_steps` and `most_steps`.
    changes: a list of dicts, one for each difference: `change` ("changed",
        "added", "removed" or "moved"), `name`, `metric`, `base`, `head`,
        `difference`, `percent` and others. Exact metrics come first, then
        times, the largest difference first.
    totals: a list of dicts, one for each time: the shift of the total, and the
        `verdict` about it ("changed", "no change shown" or "not judged"). If
        the inputs have step times, "step_micros", the wall time of a step, is
        the first `metric`.
    runs: a list of dicts, one for each run: its `side` ("base" or "head"),
        `name`, number of `steps`, and the value of each metric in `totals`.
    remarks: the remarks about the inputs.

    print() shows the text of the command line. A Diff is always true, even if
    nothing changed: use `changes` or the verdicts in `totals`.
    """

    def __init__(self, base: list[bytes], head: list[bytes], view: str | None,
                 options: Mapping[str, str]) -> None:
        import json
        self._handle = Handle()
        self._sides = base, head
        self._options = dict(options)
        self._view = view
        with self._handle.asking({**options, "format": "json"}) as remarks:
            told = json.loads(self._handle.write_diff(view, base, head))
        self.remarks = tuple(dict.fromkeys(remarks))
        for row in told["changes"]:
            row.update((key, number(row[key])) for key in _NUMBERS)
        self.view: str = told["view"]
        self._told: dict[str, Any] = told

    @property
    def base(self) -> dict[str, int]:
        return dict(self._told["base"])

    @property
    def head(self) -> dict[str, int]:
        return dict(self._told["head"])

    @property
    def changes(self) -> list[dict[str, Any]]:
        return list(self._told["changes"])

    @property
    def totals(self) -> list[dict[str, Any]]:
        return list(self._told["totals"])

    @property
    def runs(self) -> list[dict[str, Any]]:
        return list(self._told["runs"])

    def to_dict(self) -> dict[str, Any]:
        """Everything that `tfprof diff --format json` prints, with every
        number as int or float."""
        return dict(self._told)

    def text(self) -> str:
        """The text of the command line. Reads the files again."""
        with self._handle.asking({**self._options, "format": "text"}):
            data = self._handle.write_diff(self._view, *self._sides)
        return _native.unended(data.decode("utf-8", "replace"))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (f"<tfprof.Diff {self.view}: {len(self._told['changes'])} "
                f"changes, {self.base['runs']} + {self.head['runs']} runs>")


def diff(base: _inputs.Paths, head: _inputs.Paths, *, view: str | None = None,
         **options: Unpack[Options]) -> Diff:
    """Compares two sets of runs, or two models.

    base, head: a path or a list of paths of the inputs from before and from
        after the change.
    view: "scope", "graph", "op" or "code". By default, it is "code" for traces
        in which at least half of the operation time of each side has source
        lines, else "scope".
    options: the options of `tfprof diff`, such as select=["params"], of="min"
        or skip_steps=2.

    >>> import tfprof
    >>> found = tfprof.diff("graph.pb", ["graph.pb", "run_meta"])
    >>> found.changes[0]["change"], found.changes[0]["name"]
    ('added', 'edge_6_layer')
    >>> found.head
    {'runs': 1, 'least_steps': 1, 'most_steps': 1}
    """
    return Diff(_inputs.paths(base), _inputs.paths(head), view,
                _settings.texts(options, REFUSED))
