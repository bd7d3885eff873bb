"""Tables in Python: the same rows as on the command line, in every form."""

import csv
import io
import json

import pytest

import tfprof
from inputs import DATA

KINDS = ("steps", "memory", "devices")


@pytest.fixture(name="profile")
def fixture_profile():
    with tfprof.open(DATA / "run_meta") as profile:
        yield profile


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_json(profile, kind):
    table = getattr(profile, kind)()
    assert table.rows == json.loads(table.to_json())[kind]
    assert list(table) == table.rows
    assert len(table) == len(table.rows) > 0
    assert table[0] == table.rows[0]
    assert repr(table) == f"<tfprof.Table {kind}: {len(table)} rows>"


@pytest.mark.parametrize("kind", KINDS)
def test_csv_has_the_same_columns(profile, kind):
    table = getattr(profile, kind)()
    found = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert [list(row) for row in found] == [list(row) for row in table]


@pytest.mark.parametrize("kind", KINDS)
def test_arrow_has_the_same_rows(profile, kind):
    pyarrow = pytest.importorskip("pyarrow")
    table = getattr(profile, kind)()
    profile.close()  # the rows need it no longer
    assert pyarrow.table(table).to_pylist() == table.rows
    schema = table.to_arrow().schema
    assert schema.metadata[b"table"] == kind.encode()
    if kind != "memory":
        assert schema.field("busy_micros").metadata[b"unit"] == b"us"


@pytest.mark.parametrize("kind", KINDS)
def test_pandas_has_the_same_rows(profile, kind):
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


def test_print_shows_what_the_command_line_shows(profile):
    text = str(profile.steps())
    assert text.splitlines()[0].split() == [
        "step", "device", "wall", "busy", "idle", "input", "wait", "ops"]
    assert "p95" in text


def test_a_summary_is_of_steps(profile):
    assert list(profile.steps().summary) == ["p50", "p95", "max"]
    assert profile.devices().summary == {}


def test_pools_are_of_memory(profile):
    pool, = profile.memory().pools
    assert max(pool["curve_bytes"]) == pool["peak_bytes"] > 0
    assert sum(row["bytes"] for row in profile.memory(by="op")) == \
        pool["peak_bytes"]
    assert profile.steps().pools == []


def test_no_runs():
    with tfprof.open(DATA / "graph.pb") as profile:
        with pytest.raises(tfprof.OptionError, match="no input has runs"):
            profile.steps()


def test_options_that_a_table_does_not_take(profile):
    with pytest.raises(tfprof.OptionError, match="format"):
        profile.steps(format="csv")
