"""Tables in Python: the same rows as on the command line, in every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from inputs import DATA

import tfprof

KINDS = ("steps", "memory", "devices")


@pytest.fixture(name="profile")
def fixture_profile() -> Iterator[tfprof.Profile]:
    with tfprof.open(DATA / "run_meta") as profile:
        yield profile


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_json(profile: tfprof.Profile, kind: str) -> None:
    table = getattr(profile, kind)()
    assert table.rows == json.loads(table.to_json())[kind]
    assert list(table) == table.rows
    assert len(table) == len(table.rows) > 0
    assert table[0] == table.rows[0]
    assert repr(table) == f"<tfprof.Table {kind}: {len(table)} rows>"


@pytest.mark.parametrize("kind", KINDS)
def test_csv_has_the_same_columns(profile: tfprof.Profile, kind: str) -> None:
    table = getattr(profile, kind)()
    found = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert [list(row) for row in found] == [list(row) for row in table]


@pytest.mark.parametrize("kind", KINDS)
def test_arrow_has_the_same_rows(profile: tfprof.Profile, kind: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = getattr(profile, kind)()
    profile.close()  # the rows need it no longer
    assert pyarrow.table(table).to_pylist() == table.rows
    schema = table.to_arrow().schema
    assert schema.metadata[b"table"] == kind.encode()
    if kind != "memory":
        assert schema.field("busy_micros").metadata[b"unit"] == b"us"


@pytest.mark.parametrize("kind", KINDS)
def test_pandas_has_the_same_rows(profile: tfprof.Profile, kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    table = getattr(profile, kind)()
    frame = table.to_pandas()
    assert list(frame.columns) == list(table[0])
    for row, (_, found) in zip(table, frame.iterrows(), strict=True):
        for key, value in row.items():
            if value is None:
                assert pandas.isna(found[key])
            else:
                assert found[key] == value


def test_print_shows_the_text_of_the_command(profile: tfprof.Profile) -> None:
    text = str(profile.steps())
    assert text.splitlines()[0].split() == [
        "step", "device", "wall", "busy", "idle", "input", "wait", "ops"]
    assert "p95" in text


def test_a_summary_is_of_steps(profile: tfprof.Profile) -> None:
    assert list(profile.steps().summary) == ["p50", "p95", "max"]
    assert profile.devices().summary == {}


def test_pools_are_of_memory(profile: tfprof.Profile) -> None:
    pool, = profile.memory().pools
    assert max(pool["curve_bytes"]) == pool["peak_bytes"] > 0
    assert sum(row["bytes"] for row in profile.memory(by="op")) == \
        pool["peak_bytes"]
    assert profile.steps().pools == []


def test_no_runs() -> None:
    with tfprof.open(DATA / "graph.pb") as profile, \
            pytest.raises(tfprof.OptionError,
                          match="no input contains run records"):
        profile.steps()


def test_options_that_a_table_does_not_take(profile: tfprof.Profile) -> None:
    with pytest.raises(tfprof.OptionError, match="format"):
        profile.steps(format="csv")  # type: ignore[call-arg]
