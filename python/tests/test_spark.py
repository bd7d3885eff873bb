"""tfprof.spark.views() on two executors, each in its own process. The rows must
equal those of one process.

CI uses 100 files. With TFPROF_SLOW=1, there are 1,000.
"""

# labels: long

from __future__ import annotations

import collections
import io
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import duckdb
import fleets
import pyarrow
import pytest
from inputs import DATA, GRAPH, LOG, RUN
from messages import CPU, record, run_of
from trace_build import Plane, space

import tfprof
import tfprof.fleet
from tfprof import spark as tfprof_spark

FILES = 1000 if os.environ.get("TFPROF_SLOW") else 100
DAMAGED = 17  # the number of the damaged file
NODES = (b"x", b"w", b"layer/MatMul", b"init")
TRACE = DATA / "traces" / "jax_mlp_3steps_py0.xplane.pb"


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder for Spark's log of its tasks."""
    return tmp_path_factory.mktemp("events")


@pytest.fixture(scope="module")
def session(events: pathlib.Path,
            tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark cluster for these tests: two executors with one core each."""
    from pyspark.sql import SparkSession
    folder = tmp_path_factory.mktemp("spark")
    java = (f"-Dderby.system.home={folder} -XX:TieredStopAtLevel=1 "
            "-XX:+UseSerialGC")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_LOCAL_HOSTNAME", "127.0.0.1")
        patch.setenv("SPARK_WORKER_DIR", os.fspath(folder / "work"))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.chdir(folder)
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": java,
            "spark.executor.extraJavaOptions": java,
            "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
            "spark.executorEnv.SPARK_LOCAL_IP": "127.0.0.1",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": events.as_uri(),
            "spark.local.dir": os.fspath(folder / "local"),
            "spark.sql.warehouse.dir": os.fspath(folder / "warehouse"),
            "spark.sql.shuffle.partitions": "2",
        }.items():
            builder = builder.config(name, value)
        found = builder.getOrCreate()
        found.sparkContext.setLogLevel("ERROR")
        yield found
        found.stop()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """RunMetadata of ten workers. One file is damaged."""
    folder = tmp_path_factory.mktemp("fleet")
    for number in range(FILES):
        worker = folder / f"worker=w{number % 10}"
        worker.mkdir(exist_ok=True)
        path = worker / f"step_{number}.run_meta"
        records = b"".join(
            record(name, end=3 + (number * 7 + i * 5) % 40,
                   memory=[(10 + number, 10, 5)])
            for i, name in enumerate(NODES))
        data = run_of((CPU, records))
        path.write_bytes(data[:-3] if number == DAMAGED else data)
    (folder / "notes.txt").write_text("not a run")
    return folder


def alone(folder: pathlib.Path, view: str, **options: Any
          ) -> dict[tuple[str, int | None], list[dict[str, Any]]]:
    """The rows of each file, made in this process."""
    found: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for path in sorted(folder.glob("*/*.run_meta")):
        step = int(path.stem.partition("_")[2])
        if step == DAMAGED:
            continue
        with tfprof.open(graph=GRAPH, run_meta={step: path},
                         op_log=LOG if view == "code" else None) as profile:
            table = getattr(profile, view)(**options).to_arrow()
        found[f"file:{path}", step] = table.to_pylist()
    return found


def as_rows(frame: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.toArrow().to_pylist()
    return rows


def by_file(rows: list[dict[str, Any]]
            ) -> dict[tuple[str, int | None], list[dict[str, Any]]]:
    """Rows by path and step, in their order in the view, without errors."""
    found = collections.defaultdict(list)
    for row in rows:
        if row["error"] is None:
            found[row["path"], row["step"]].append(
                {name: value for name, value in row.items()
                 if name not in ("path", "step", "error")})
    return dict(found)


@pytest.fixture(scope="module")
def rows(session: Any, fleet: pathlib.Path) -> list[dict[str, Any]]:
    return as_rows(tfprof_spark.views(session, fleet.as_uri(), graph=GRAPH,
                                      files="*.run_meta"))


# ---- The rows ---------------------------------------------------------------

def test_rows_equal_those_of_one_process(rows: list[dict[str, Any]],
                                         fleet: pathlib.Path) -> None:
    found = by_file(rows)
    assert len(found) == FILES - 1
    assert found == alone(fleet, "op", select=["micros", "bytes",
                                               "occurrence"])


def test_damaged_file_is_a_row_with_an_error(rows: list[dict[str, Any]],
                                             fleet: pathlib.Path) -> None:
    failed = [row for row in rows if row["error"] is not None]
    path = f"file:{fleet}/worker=w{DAMAGED % 10}/step_{DAMAGED}.run_meta"
    assert len(failed) == 1
    assert failed[0]["path"] == path
    assert failed[0]["step"] == DAMAGED
    with pytest.raises(tfprof.CorruptInput) as caught:
        tfprof.open(graph=GRAPH, run_meta=path.removeprefix("file:"))
    assert failed[0]["error"] == f"file:{caught.value}"
    assert {value for name, value in failed[0].items()
            if name not in ("path", "step", "error")} == {None}


def test_sums_equal_those_of_duckdb(session: Any, fleet: pathlib.Path) -> None:
    frame = tfprof_spark.views(session, fleet.as_uri(), graph=GRAPH,
                               files="*.run_meta", view="scope",
                               select=["micros", "bytes"], max_depth=1000)
    frame.createOrReplaceTempView("nodes")
    question = ("select name, count(*) as files, sum(micros) as micros, "
                "min(micros) as low, max(micros) as high, sum(bytes) as bytes "
                "from nodes where error is null group by name order by name")
    told = [row.asDict() for row in session.sql(question).collect()]
    nodes = pyarrow.Table.from_pylist(
        [{"path": path, "step": step, "error": None, **row}
         for (path, step), found in alone(
             fleet, "scope", select=["micros", "bytes"],
             max_depth=1000).items() for row in found])
    with duckdb.connect() as database:
        database.register("nodes", nodes)
        wanted = database.sql(question).to_arrow_table().to_pylist()
    assert told == wanted
    assert sum(row["micros"] for row in wanted) > 0


def test_both_executors_take_part(rows: list[dict[str, Any]],
                                  session: Any,
                                  events: pathlib.Path) -> None:
    assert rows
    tasks = collections.Counter(
        (event["Task Info"]["Executor ID"], event["Task Info"]["Host"])
        for path in events.rglob("events_*")
        for line in path.read_text().splitlines()
        for event in [json.loads(line)]
        if event["Event"] == "SparkListenerTaskEnd"
        and not event["Task Info"]["Failed"])
    assert len(tasks) == 2, tasks
    assert {host for _, host in tasks} == {"127.0.0.1"}


# ---- Columns ----------------------------------------------------------------

@pytest.mark.parametrize("view", ["scope", "graph", "op", "code"])
def test_columns_are_those_of_the_view(view: str) -> None:
    select = ["micros", "bytes", "params", "occurrence", "float_ops",
              "device", "op_types", "input_shapes", "num_hidden_ops"]
    with tfprof.open(GRAPH, RUN, LOG) as profile:
        schema = getattr(profile, view)(select=select).to_arrow().schema
    told = tfprof_spark._columns(view, {"select": select, "step": 99})
    assert [name for name, _ in told] == schema.names
    assert {name: kind for name, kind in told if "micros" in name} == {
        name: "double" for name in schema.names if "micros" in name}


def test_code_and_traces(session: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "run_7").write_bytes(RUN.read_bytes())
    frame = tfprof_spark.views(session, os.fspath(tmp_path), graph=str(GRAPH),
                               view="code", op_log=LOG.read_bytes(),
                               select=["micros"], max_depth=100)
    assert dict(frame.dtypes)["micros"] == "double"
    with tfprof.open(GRAPH, RUN, LOG) as profile:
        code = profile.code(select=["micros"], max_depth=100).to_arrow()
    assert by_file(as_rows(frame)) == {
        (f"file:{tmp_path}/run_7", 7): code.to_pylist()}

    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "host.xplane.pb").write_bytes(TRACE.read_bytes())
    found = by_file(as_rows(tfprof_spark.views(
        session, os.fspath(traces), select=["micros"])))
    with tfprof.open(TRACE) as profile:
        assert found == {
            (f"file:{traces}/host.xplane.pb", step):
                profile.op(select=["micros"], step=step).to_arrow().to_pylist()
            for step in range(3)}
        average = profile.op(select=["micros"]).to_arrow().to_pylist()
    assert by_file(as_rows(tfprof_spark.views(
        session, os.fspath(traces), select=["micros"], step=-1))) == {
            (f"file:{traces}/host.xplane.pb", None): average}


# ---- Errors -----------------------------------------------------------------

def test_files_without_runs_are_rows_with_an_error(
        session: Any, tmp_path: pathlib.Path) -> None:
    """A job over many files does not stop at one, and does not omit it."""
    folder = tmp_path / "runs of % job=%20"
    folder.mkdir()
    host = Plane("/host:CPU")
    host.line(0, "t")
    for name, data in (
            ("run_99999999999999999999", RUN.read_bytes()), ("empty_5", b""),
            ("graph_1.pb", GRAPH.read_bytes()), ("log_2", LOG.read_bytes()),
            ("a b", b""), ("trace_3", space(host)),
            ("run_4", RUN.read_bytes())):
        (folder / name).write_bytes(data)
    rows = as_rows(tfprof_spark.views(session, os.fspath(folder), graph=GRAPH,
                                      step_regex=r"_(\w+)$"))
    place = f"file:{folder}"
    found = {(row["path"].removeprefix(f"{place}/"), row["step"], row["error"])
             for row in rows}
    assert found == {
        ("run_99999999999999999999", None, None), ("run_4", 4, None),
        ("trace_3", 3, f"{place}/trace_3: the trace has no steps"),
        ("graph_1.pb", None, f"{place}/graph_1.pb: not a file with runs "
                             "(GraphDef)"),
        ("log_2", 2, f"{place}/log_2: not a file with runs (OpLogProto)"),
        ("empty_5", 5, f"{place}/empty_5: the file is empty"),
        ("a b", None, f"{place}/a b: the file is empty")}
    assert not as_rows(tfprof_spark.views(session, os.fspath(folder),
                                          files="*.none"))


def test_wrong_arguments_are_errors_in_the_driver() -> None:
    for words, message in (
            ({"view": "ops"}, "view: unknown view 'ops' (choose from scope, "
                              "graph, op, code)"),
            ({"select": ["nonsense"]}, "nonsense"),
            ({"step_regex": "("}, "step_regex: "),
            ({"step_regex": "step"}, "step_regex: requires a group"),
            ({"step": "last"}, "step: 'last' is not the number of a step"),
            ({"graph": "none.pb"}, "none.pb: cannot open: No such file"),
            ({"graph": os.fspath(DATA)}, "data: is a folder; give a file, such "
                                         "as saved_model.pb"),
            ({"graph": io.StringIO("x")}, "graph: a file object must be open "
                                          "in binary mode"),
            ({"label": {"Step": "1"}}, "label: the key 'Step' is the name of a "
                                       "column of this table"),
            ({"op_log": [LOG]}, "op_log: list is not an input; give a path, an "
                                "address, bytes, a file object or a message")):
        with pytest.raises(tfprof.Error) as caught:
            tfprof_spark.views(None, "x", **words)
        assert message in str(caught.value)


def test_missing_pyspark_is_an_import_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pyspark.py").write_text("raise ImportError")
    path = os.pathsep.join([os.fspath(tmp_path), os.environ["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-c", "import tfprof; tfprof.spark.views(None, 'x')"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.stderr.endswith(
        "ImportError: tfprof.spark.views() requires the package pyspark: "
        "pip install pyspark\n")


def test_step_is_the_last_number_of_the_name() -> None:
    pattern = r"(\d+)[^\d/]*$"
    for path, step in (("a/b7/run_12.pb", 12), ("a7/run", None),
                       ("run_meta_3", 3), ("w1/x", None),
                       ("run_9223372036854775807", 2 ** 63 - 1),
                       ("run_9223372036854775808", None),
                       ("run_" + "9" * 5000, None)):
        assert tfprof_spark._step_in(pattern, path) == step
    assert tfprof_spark._step_in(r"_(\w+)", "run_a") is None
    assert tfprof_spark._step_in(r"_(\w+)", "run_8") == 8


def test_selected_step_is_the_one_in_the_path() -> None:
    """The number of a RunMetadata is not always that in the file name."""
    def found(path: str, **options: Any) -> list[int | None]:
        return [step for step, _ in tfprof_spark._views_of(
            path, RUN.read_bytes(), {"graph": GRAPH.read_bytes()}, "op",
            r"/w(\d+)/", {"select": ["micros"], **options})]

    assert found("a/w7/run_2") == found("a/w7/run_2", step=7) == [7]
    assert found("a/w7/run_2", step=-1) == [None]
    assert found("a/run", step="0") == [0]
    for path, step in (("a/w7/run_2", 2), ("a/w7/run_0", 0)):
        with pytest.raises(tfprof.ReadError,
                           match=rf"no step {step} \(steps: 7\)"):
            found(path, step=step)


def test_the_slow_host_of_a_fleet_is_the_only_straggler(
        session: Any, tmp_path: pathlib.Path) -> None:
    """The executors read the tables. Each worker has another host name."""
    tables = fleets.host_fleet(tmp_path)
    with tfprof.fleet.open(tables, session) as fleet:
        assert fleets.slow_host(fleet) == fleets.SLOW_HOST
    fleets.aggregate([tmp_path / "traces" / "0.xplane.pb"], tables / "older",
                     "job=j,worker=older")
    fleets.make_older(tables / "older")
    with tfprof.fleet.open(tables, session) as fleet:
        assert fleets.slow_host(fleet) == fleets.SLOW_HOST
        assert [row["reason"] for row in fleet.excluded()] == ["other schema"]


def test_keys_of_paths_do_not_depend_on_quoting() -> None:
    for quoted, path in (("file:///a%20b/c", "file:/a b/c"),
                         ("file:///a%2520b", "file:/a%20b"),
                         ("s3a://b/a%25zz", "s3a://b/a%zz")):
        assert tfprof_spark._key(quoted) == tfprof_spark._key(path)


