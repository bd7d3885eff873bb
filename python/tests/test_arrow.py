"""A view as an Arrow table: pyarrow, polars, DuckDB and pandas read it."""

import csv
import doctest
import gc
import io
import json
import os
import re
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pytest
from inputs import DATA, GRAPH, LOG, RUN, SOURCE_DIR, command_line
from messages import (
    CODE,
    CPU,
    GPU,
    entry,
    frame,
    node_def,
    record,
    run_of,
    strings,
)

import tfprof
from tfprof import _native

VIEWS = ("scope", "graph", "op", "code")
EVERYTHING = ("bytes,peak_bytes,residual_bytes,output_bytes,micros,"
              "accelerator_micros,cpu_micros,params,float_ops,occurrence,"
              "queue_micros,device,op_types,input_shapes,num_hidden_ops")
FACTS = ("shape", "devices", "op_types", "input_shapes")


def ask(profile: tfprof.Profile, kind: str, **options: Any) -> tfprof.View:
    view = getattr(profile, kind)(**options)
    assert isinstance(view, tfprof.View)
    return view


# ---- Against the table of the command line ----------------------------------

ODD = (b"a\0b", b"\xff\xfe/x", b"\xc3\xa9t\xc3\xa9", b"=1+1", b'"quoted", "',
       b"line\nbreak", b"n" * 70_000, b"\xe2\x80\xae", b"x|y", b" ")


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files in which strange names stand wherever a name can stand."""
    folder = tmp_path_factory.mktemp("odd")
    nodes = records = entries = words = b""
    for i, name in enumerate(ODD):
        nodes += node_def(name, name, ODD[:1], shape=[2, i], device=name)
        records += record(name, end=3 + i, memory=[(10, 10, 5)])
        words += strings({10 * i + 11: name})
        entries += entry(name, frame(10 * i + 11, i), [name], 7)
    files = {"graph": nodes, "run_meta": run_of((CPU, records), (GPU, records)),
             "op_log": entries + strings(CODE) + words}
    for file, data in files.items():
        (folder / file).write_bytes(data)
    return [folder / file for file in files]


INPUTS = {
    "all": [GRAPH, RUN, LOG],
    "graph": [GRAPH],
    "saved model": [DATA / "saved_model.pb"],
    "profile": [DATA / "profile"],
    "functions": [DATA / "functions.pb"],
}
SAMPLES = {
    "all": [GRAPH, RUN, LOG],
    "profile": [DATA / "profile"],
    "jax": [DATA / "traces" / "jax0102_cpu_train_py0.xplane.pb"],
}
WITHOUT_TRACES = ("graph", "saved model", "functions")
QUESTIONS: dict[str, dict[str, str]] = {
    "everything": {"select": EVERYTHING, "max_depth": "1000"},
    "defaults": {},
    "few": {"select": "micros,params", "max_depth": "2", "order_by": "name",
            "hide_name_regexes": ".*w.*"},
    "none": {"select": "bytes,op_types", "show_name_regexes": "no such"},
}


def csv_columns(text: str) -> dict[str, list[str]]:
    heading, *rows = csv.reader(io.StringIO(text, newline=""))
    return {name: [row[i] for row in rows] for i, name in enumerate(heading)}


def as_csv(column: Any) -> list[str]:
    """A column of Arrow in the words of CSV, which escapes what could steer a
    terminal and quotes what a spreadsheet would take for a formula."""
    values = column.to_pylist()
    if column.type == pyarrow.bool_():
        return [str(value).lower() for value in values]
    if column.type in (pyarrow.int64(), pyarrow.int32()):
        return [str(value) for value in values]
    return [("'" if value[:1] in tuple("=+-@") else "") + _native.escape(value)
            for value in values]


def check_table(view: tfprof.View, text: str) -> None:
    table = view.to_arrow()
    table.validate(full=True)
    told = csv_columns(text)
    names = [name for name in table.column_names
             if name not in ("parent", "end")
             and (name != "nodes" or "nodes" in told)]
    assert names == list(told)
    for name, values in told.items():
        assert as_csv(table[name]) == values, name
    assert table.num_rows == len(view)
    parents = table["parent"].to_pylist()
    assert parents == [None if row.parent is None else row.parent.index
                       for row in view]
    ends = list(range(1, len(view) + 1))
    for i in reversed(range(len(view))):
        if parents[i] is not None:
            ends[parents[i]] = max(ends[parents[i]], ends[i])
    assert table["end"].to_pylist() == ends
    assert table.schema.metadata == {b"view": view.kind.encode()}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", [*INPUTS, "odd"])
def test_all_columns_are_those_of_CSV(name: str, kind: str, question: str,
                                      odd: list[Path]) -> None:
    files = INPUTS.get(name, odd)
    options = QUESTIONS[question]
    profile = tfprof.open(*files)
    if kind == "code" and name in WITHOUT_TRACES:
        with pytest.raises(tfprof.OptionError):
            ask(profile, kind, **options)
        return
    words = [f"--{option}={value}" for option, value in options.items()]
    check_table(ask(profile, kind, **options),
                command_line(kind, *files, "--format=csv", *words))


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", SAMPLES)
def test_rows_of_every_form_add_up_to_the_model(name: str, kind: str) -> None:
    """No depth or row limit, and a row for what has no line of code."""
    files = SAMPLES[name]
    whole = tfprof.open(*files).scope(select=["micros"])
    view = ask(tfprof.open(*files), kind, select=["micros"])
    total = whole[0].total.micros
    csv = command_line(kind, *files, "--format=csv", "--select=micros")
    told = json.loads(command_line(kind, *files, "--format=json",
                                   "--select=micros"))
    sums = {"rows": sum(row.self.micros for row in view),
            "arrow": sum(view.to_arrow()["micros"].to_pylist()),
            "pandas": float(view.to_pandas()["micros"].sum()),
            "csv": sum(float(value) for value in csv_columns(csv)["micros"]),
            "json": sum(row["self"]["micros"] for row in told["rows"])}
    assert total > 0
    assert sums == {form: pytest.approx(total) for form in sums}


def test_units_and_types() -> None:
    table = tfprof.open(GRAPH, RUN).scope(select=EVERYTHING).to_arrow()
    for name, unit in (("micros", "microseconds"), ("total_bytes", "bytes"),
                       ("runs", "count"), ("total_params", "count")):
        assert table.field(name).metadata == {b"unit": unit.encode()}
        assert table.field(name).type == pyarrow.int64()
    assert table.field("name").type == pyarrow.large_string()
    assert [field.name for field in table.schema if field.nullable] == [
        "parent"]
    for name in FACTS:
        assert table.field(name).type == pyarrow.dictionary(
            pyarrow.int32(), pyarrow.large_string())


def test_names_are_what_rows_say(odd: list[Path]) -> None:
    view = tfprof.open(*odd).scope(max_depth=1000, select="device")
    assert view.to_arrow()["name"].to_pylist() == [row.name for row in view]
    assert "a\0b" in view.to_arrow()["name"].to_pylist()
    assert "\\xff\\xfe/x" in view.to_arrow()["name"].to_pylist()


# ---- Readers ----------------------------------------------------------------

def read_polars(view: tfprof.View) -> Any:
    return polars.DataFrame(view).to_arrow()


def read_duckdb(view: tfprof.View) -> Any:
    return duckdb.sql("select * from view").to_arrow_table()


def read_batches(view: tfprof.View) -> Any:
    return pyarrow.RecordBatchReader.from_stream(view).read_all()


def read_pandas(view: tfprof.View) -> Any:
    frame = view.to_pandas(root=True)
    plain = frame.columns.intersection(["self", "total"])
    return pyarrow.Table.from_pandas(frame.drop(columns=plain),
                                     preserve_index=False)


READERS: list[Callable[[tfprof.View], Any]] = [
    read_polars, read_duckdb, read_batches, read_pandas]


@pytest.mark.parametrize("question", ["everything", "none"])
@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("reader", READERS)
def test_each_reader_reads_the_same(reader: Callable[[tfprof.View], Any],
                                    kind: str, question: str,
                                    odd: list[Path]) -> None:
    for files in (INPUTS["all"], odd):
        view = ask(tfprof.open(*files), kind, **QUESTIONS[question])
        assert reader(view).to_pydict() == view.to_arrow().to_pydict()


def test_a_reader_may_take_columns_and_rows() -> None:
    """DuckDB reads a view of nodes again for each question, and only what it
    needs; parents are found by number."""
    view = tfprof.open(GRAPH, RUN).scope(select="micros", max_depth=9)
    pairs = duckdb.sql("""
        with rows as (select *, row_number() over () - 1 as row from view)
        select below.name, above.name from rows as below
        join rows as above on below.parent = above.row
        where below.micros > 0 order by 1""").fetchall()
    assert pairs == sorted((row.name, row.parent.name) for row in view
                           if row.self.micros > 0 and row.parent)


def test_another_schema_is_the_reader_s_affair() -> None:
    view = tfprof.open(GRAPH).scope(select="params")
    schema = pyarrow.schema([("name", pyarrow.string())])
    capsule = view.__arrow_c_stream__(schema.__arrow_c_schema__())
    assert "arrow_array_stream" in repr(capsule)


# ---- Life -------------------------------------------------------------------

def test_a_table_outlives_view_and_profile() -> None:
    profile = tfprof.open(GRAPH, RUN, LOG)
    view = profile.scope(select=EVERYTHING, max_depth=1000)
    table, expected = view.to_arrow(), view.to_arrow().to_pydict()
    column = view.to_arrow()["op_types"].chunk(0).dictionary
    profile.close()
    del profile, view
    gc.collect()
    assert table.to_pydict() == expected
    assert set(expected["op_types"]) <= set(column.to_pylist())


def test_a_view_can_be_read_again_and_again() -> None:
    view = tfprof.open(GRAPH, RUN).graph()
    first = view.to_arrow()
    assert view.to_arrow().equals(first)
    assert polars.DataFrame(view).height == first.num_rows


def resident() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_a_capsule_that_nobody_reads_gives_its_stream_back() -> None:
    nodes = b"".join(node_def(b"n%d" % i, shape=[2]) for i in range(20_000))
    profile = tfprof.open(nodes, graph=None)
    before = 0
    for i in range(60):  # each view has some megabytes
        profile.scope(select=EVERYTHING, max_depth=9).__arrow_c_stream__()
        if i == 9:
            before = resident()
    assert resident() - before < 50 << 20


# ---- Without the others -----------------------------------------------------

@pytest.mark.parametrize("method, package", [("to_arrow", "pyarrow"),
                                             ("to_pandas", "pandas")])
def test_a_package_that_is_missing_is_named(
        method: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = tfprof.open(GRAPH).scope()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"pip install {package}") as caught:
        getattr(view, method)()
    assert caught.value.name == package


PLAIN = """
import sys
for package in sys.argv[2].split():
    sys.modules[package] = None
import tfprof
view = tfprof.open(*sys.argv[3:]).scope(select=sys.argv[1], max_depth=1000)
frame = view.to_pandas()
assert "parent" in frame.select_dtypes("UInt32"), frame.dtypes
for name in frame:
    column = frame[name]
    kind = column.dtype.name
    print(name, kind, ascii(column.astype(object).where(
        column.notna(), None).tolist()))
"""


def test_pandas_without_pyarrow_is_the_same(odd: list[Path]) -> None:
    for files in (INPUTS["all"], odd):
        told = [subprocess.run(
            [sys.executable, "-c", PLAIN, EVERYTHING, missing, *files],
            check=True, capture_output=True, text=True).stdout
            for missing in ("pyarrow", "")]
        assert told[0] == told[1]
        view = tfprof.open(*files).scope(select=EVERYTHING, max_depth=1000)
        names = told[0].splitlines()[0].split(" ", 2)
        assert names[0] == "name"
        assert names[2] == ascii([row.name for row in view][1:])


# ---- Data frames ------------------------------------------------------------

@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_data_frame_has_plain_names_and_no_root(name: str, kind: str) -> None:
    view = ask(tfprof.open(*SAMPLES[name]), kind, select=["micros"])
    frame = view.to_pandas()
    first = 0 if view.root is None else 1
    rows = view[first:]
    assert "_TFProfRoot" not in list(frame["name"])
    assert list(frame["name"]) == [row.name for row in rows]
    assert list(frame["self"]) == [row.self.micros for row in rows]
    assert list(frame["total"]) == [row.total.micros for row in rows]
    assert list(frame["self"]) == list(frame["micros"])
    assert list(frame["total"]) == list(frame["total_micros"])
    assert list(frame.columns[:3]) == ["name", "self", "total"]
    # Numbers of rows are those of the frame.
    assert list(frame.index) == list(range(len(rows)))
    for at, row in enumerate(rows):
        above, parent = row.parent, frame["parent"][at]
        if above is None or above.index < first:
            assert parent is not parent or str(parent) == "<NA>"
        else:
            assert frame["name"][int(parent)] == above.name
        below = frame["name"][at + 1:int(frame["end"][at])]
        assert all(one.startswith(row.name) for one in below) or kind != "scope"


def test_a_data_frame_has_the_root_if_asked_for() -> None:
    view = tfprof.open(GRAPH, RUN).scope(select=["micros"])
    frame = view.to_pandas(root=True)
    assert list(frame["name"]) == [row.name for row in view]
    assert frame["name"][0] == "_TFProfRoot"
    assert frame["total"][0] == view.total.micros
    assert list(frame["end"]) == view.to_arrow()["end"].to_pylist()


@pytest.mark.parametrize("select, metric", [
    ("bytes,micros", "bytes"), (["micros", "bytes"], "micros"),
    (["occurrence", "micros"], "runs"), ("flops,params", "float_ops"),
    ("device,params", "params"), ("time", "micros"), ("device", None)])
def test_plain_names_are_those_of_the_first_metric(select: Any,
                                                   metric: Any) -> None:
    view = tfprof.open(GRAPH, RUN).scope(select=select)
    frame = view.to_pandas()
    assert view.first_metric == metric
    if metric is None:
        assert not {"self", "total"} & set(frame.columns)
        return
    assert list(frame["self"]) == list(frame[metric])
    assert list(frame["total"]) == list(frame[f"total_{metric}"])


# ---- The page about it ------------------------------------------------------

PAGE = SOURCE_DIR / "docs" / "arrow.md"


def test_examples_in_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 4 and found.failed == 0


def test_the_C_of_the_page_compiles(tmp_path: Path) -> None:
    source = PAGE.read_text().split("```c\n")[1].split("```")[0]
    (tmp_path / "page.c").write_text(
        source + "int main(void) { return print_total(0); }\n")
    build = Path(os.environ["TFPROF_BUILD_DIR"])
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror",
                    "-fsyntax-only", f"-I{SOURCE_DIR / 'include'}",
                    f"-I{build / 'include'}", tmp_path / "page.c"], check=True)


def test_the_page_has_each_column() -> None:
    told = set(re.findall("`([a-z_]+)`", PAGE.read_text()))
    told |= {f"{prefix}{name}" for name in _native.METRICS
             for prefix in ("", "total_")}  # "..." stands for the rest
    for kind in VIEWS:
        view = ask(tfprof.open(*INPUTS["all"]), kind, select=EVERYTHING)
        assert set(view.to_arrow().column_names) <= told


# ---- A million rows ---------------------------------------------------------

MILLION = 1_000_000
LOOK: dict[str, Any] = {"select": "micros,bytes,params,device,op_types",
                        "max_depth": 9, "account_type_regexes": ".*"}


def many(make: Callable[[bytes], bytes], count: int = MILLION) -> bytes:
    """What `make` makes of each of so many names, of which all are as long."""
    name = b"s%02d/n%07d"
    before, after = make(name % (0, 0)).split(name % (0, 0))
    form = (before.replace(b"%", b"%%") + name + after.replace(b"%", b"%%"))
    return b"".join([form % (i % 97, i) for i in range(count)])


@pytest.fixture(scope="module")
def profile() -> tfprof.Profile:
    graph = many(lambda name: node_def(name, b"VariableV2", shape=[2, 3]))
    run = run_of(
        (CPU, many(lambda name: record(name, end=5, memory=[(40, 30, 20)]))),
        (GPU, many(lambda name: record(name, end=7), MILLION // 10)))
    return tfprof.open(graph=graph, run_meta=run)


@pytest.fixture(scope="module")
def million(profile: tfprof.Profile) -> tfprof.View:
    view = profile.scope(**LOOK)
    assert len(view) == MILLION + 97 + 1
    return view


METRICS = ("micros", "bytes", "params")


def test_a_million_rows_sum_up_alike_everywhere(
        profile: tfprof.Profile, million: tfprof.View) -> None:
    view = million
    sums = {name: getattr(view.total, name) for name in METRICS}
    assert sums["params"] == 6 * MILLION
    assert sums["bytes"] == 40 * MILLION
    table = view.to_arrow()
    table.validate(full=True)
    frame = polars.DataFrame(view)
    pandas = view.to_pandas(root=True)
    asked = ", ".join(f"sum({name})" for name in METRICS)
    rows = duckdb.sql(f"select {asked}, count(*), count(distinct name), "
                      "max(total_micros) from view").fetchall()
    assert rows == [(*sums.values(), len(view), len(view), sums["micros"])]
    written = polars.read_csv(io.BytesIO(view.to_csv().encode()))
    for name, total in sums.items():
        assert pyarrow.compute.sum(table[name]).as_py() == total
        assert frame[name].sum() == pandas[name].sum() == total
        assert written[name].sum() == total
    told = profile.scope(**{**LOOK, "max_depth": 0}).to_dict()["total"]
    assert {name: told[name] for name in METRICS} == sums


def copy_of(table: Any) -> list[bytes]:
    """The bytes of all buffers."""
    return [bytes(memoryview(buffer)) for column in table.columns
            for chunk in column.chunks for buffer in chunk.buffers()
            if buffer is not None]


def test_a_million_rows_come_as_quick_as_a_copy(million: tfprof.View) -> None:
    table = million.to_arrow()
    taken, copied = [], []
    for _ in range(7):
        start = time.perf_counter()
        million.to_arrow()
        taken.append(time.perf_counter() - start)
        start = time.perf_counter()
        copy_of(table)
        copied.append(time.perf_counter() - start)
    ratio = statistics.median(taken) / statistics.median(copied)
    print(f"to_arrow() {1e3 * statistics.median(taken):.2f} ms, a copy "
          f"{1e3 * statistics.median(copied):.2f} ms, ratio {ratio:.4f}")
    assert ratio <= 5


@pytest.mark.parametrize("reader", [tfprof.View.to_arrow, polars.DataFrame,
                                    read_batches])
def test_a_million_rows_make_no_Python_objects(
        million: tfprof.View, reader: Callable[[tfprof.View], Any]) -> None:
    reader(million)  # what is imported on the way is not meant
    tracemalloc.start()
    try:
        made = reader(million)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(made) == len(million)
    assert peak < 1 << 20


def test_labels_are_the_first_columns() -> None:
    label = {"worker": "w17", "job": "a,b", "path": "C:\\",
             "odd": "x\\,{1,2}\\\\y"}
    profile = tfprof.open(GRAPH, RUN)
    plain = profile.scope(max_depth=9).to_arrow()
    found = profile.scope(max_depth=9, label=label).to_arrow()
    assert found.column_names == [*label, *plain.column_names]
    for key, value in label.items():
        assert found[key].to_pylist() == [value] * plain.num_rows
    wrong: Any
    for wrong, why in (({3: "x"}, "the key 3 must be a str"),
                       ({"job": 3}, "the value of job must be a str, not int")):
        with pytest.raises(tfprof.OptionError, match=why):
            profile.scope(label=wrong)
