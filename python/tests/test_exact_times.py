"""Times of traces: floats, with all that a trace has.

The library is asked about RunMetadata and then tells what it would of a trace;
what it tells of those is looked at in tests/unit/trace_output_test.c.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from inputs import GRAPH, RUN

import tfprof
from tfprof import _html, _native
from tfprof._extension import lib

MORE = 200_001  # picoseconds, in each row


class _Traced:
    """The library, with a little more in each time than microseconds hold."""

    def __init__(self, lib: Any) -> None:
        self._lib = lib

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def tfprof_view_has_picos(self, _view: Any) -> int:
        return 1

    def tfprof_view_picos(self, *args: Any) -> int:
        return int(self._lib.tfprof_view_picos(*args)) + MORE


@pytest.fixture
def view() -> tfprof.View:
    return tfprof.open(GRAPH, RUN).scope(select="micros,occurrence")


@pytest.fixture
def traced(view: tfprof.View, monkeypatch: pytest.MonkeyPatch) -> tfprof.View:
    monkeypatch.setattr(_native, "lib", _Traced(lib))
    return view


def test_times_of_run_metadata_are_int(view: tfprof.View) -> None:
    assert view.total.micros == 41
    for costs in (view.total, view[0].total, view[1].self):
        assert all(isinstance(v, int) for v in costs.to_dict().values())
    assert all(isinstance(v, int) for v in view.to_dict()["total"].values())


def test_times_of_traces_are_exact(traced: tfprof.View) -> None:
    assert traced.total.micros == 41.200001
    assert traced[0].total.cpu_micros == 24.200001
    assert traced[0].self.micros == 0.200001
    assert repr(traced.total).startswith("Metrics(micros=41.200001, ")


def test_what_is_no_time_stays_an_int(traced: tfprof.View) -> None:
    assert isinstance(traced.total.runs, int)
    assert isinstance(traced[0].total.to_dict()["defined"], int)


def test_times_of_traces_are_floats_in_dicts(
        traced: tfprof.View, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"total": {"micros": 1.2, "runs": 3},
            "rows": [{"self": {"micros": 5, "runs": 3}}]}
    monkeypatch.setattr(tfprof.View, "to_json", lambda _: json.dumps(told))
    made = traced.to_dict()
    assert made == told
    assert isinstance(made["rows"][0]["self"]["micros"], float)
    assert isinstance(made["rows"][0]["self"]["runs"], int)


@pytest.mark.parametrize(("value", "text"), [
    (0.4, "0"), (0.5, "1us"), (41.49, "41us"), (-1.5, "-2us"),
    (1500.0, "1.50ms"), (2**62 + 1, "4611686018427.39sec")])
def test_notebooks_have_whole_microseconds(value: float, text: str) -> None:
    assert _html._short(value, "microseconds") == text
