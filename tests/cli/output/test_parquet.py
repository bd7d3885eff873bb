"""`--output parquet:outfile=F` writes the rows of CSV: pyarrow, DuckDB, polars,
ClickHouse and Spark read them. `--label` adds columns."""

# labels: both, slow, long

import csv
import functools
import importlib
import io
import itertools
import json
import os
import random
import subprocess
import sys

import pytest

import upstream
from bundles import FLOAT, Bundle, floats
from faults import SANITIZED, complaint, node, refusal, run
from program import DATA_DIR, SOURCE_DIR, TFPROF
from trace_build import Plane, space
from trace_files import FILES

VIEWS = ("scope", "graph", "op", "code")
ALL = "bytes,micros,params,float_ops,occurrence,device,op_types,input_shapes"
LISTS = ("summary", "types", "layers", "nodes", "tensors", "variables",
         "uncounted")
LABELS = ("-label", r"worker=w17,job=a\,b,path=C:\\,note=\x{1\,2}")
GROUP = 122880  # maximum number of rows of a row group
TRACE = DATA_DIR / "traces" / "gen_tf-gpu.xplane.pb"

needs_engines = pytest.mark.skipif(
    SANITIZED, reason="the engines read the same bytes without a sanitizer")


def load(name):
    return importlib.import_module(name)


def write(path, *words):
    code, out, err = run(*words, "-q", "-output", f"parquet:outfile={path}")
    assert (code, out) == (0, b""), err
    return path


def as_csv(*words):
    code, out, err = run(*words, "-q", "-format", "csv")
    assert code == 0, err
    return out.decode()


# ---- Rows --------------------------------------------------------------------

def cell(value):
    """A cell as CSV has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        value = "".join(c if c.isprintable() else escaped(c) for c in value)
        return "'" + value if value[:1] in set("=+-@") else value
    return str(value)


def escaped(char):
    return "".join(f"\\x{byte:02x}" for byte in char.encode())


def same(rows, wanted):
    """Asserts that the rows of a Parquet file are those of CSV."""
    heads, *lines = csv.reader(io.StringIO(wanted))
    assert list(rows[0] if rows else heads) == heads
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines):
        for value, text in zip(row.values(), line):
            found = cell(value)
            if isinstance(found, float):
                assert found == pytest.approx(float(text), rel=1e-14)
            else:
                assert found == text


def by_pyarrow(path):
    return load("pyarrow.parquet").read_table(path).to_pylist()


def by_duckdb(path):
    found = load("duckdb").sql(f"SELECT * FROM read_parquet('{path}')")
    return [dict(zip(found.columns, row)) for row in found.fetchall()]


def by_polars(path):
    return load("polars").read_parquet(path).to_dicts()


# In a process of its own, because chdb leaves threads and signal handlers.
CHDB = """
import json, sys, chdb
for path in sys.argv[1:]:
    print(json.dumps(json.loads(chdb.query(
        f"SELECT * FROM file('{path}', Parquet) SETTINGS "
        "output_format_json_quote_64bit_integers=0, "
        "input_format_parquet_preserve_order=1, max_threads=1", "JSON")
        .data())["data"]))
"""

SPARK = """
import json, sys
import local_spark
spark = local_spark.session()
for path in sys.argv[1:]:
    rows = spark.read.parquet(path).collect()
    print("ROWS", json.dumps([row.asDict() for row in rows]))
spark.stop()
"""


def by_program(program, paths, mark=""):
    done = subprocess.run([sys.executable, "-c", program, *map(str, paths)],
                          capture_output=True, text=True, timeout=600,
                          env={**os.environ,
                               "PYTHONPATH": str(SOURCE_DIR / "tests" / "lib")})
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line.removeprefix(mark))
            for line in done.stdout.splitlines() if line.startswith(mark)]


@functools.cache
def questions():
    """The command lines to compare: all views and tables, of models and
    traces."""
    cifar = [str(path) for path in upstream.model("cifar")]
    traces = [str(path) for path in sorted(DATA_DIR.glob("traces/*.pb"))]
    traces += [str(path) for path in (FILES[:4] if SANITIZED else FILES)]
    asked = [[view, *cifar, "-select", ALL] for view in VIEWS]
    asked += [["scope", *cifar, "-select", "micros,tensor_value,num_hidden_ops",
               "-top", "3", *LABELS],
              ["scope", str(DATA_DIR / "odd.pb")],
              ["op", cifar[0], "-show_name_regexes", "nothing_has_this"],
              ["graph", cifar[0], "-show_name_regexes", "nothing_has_this"]]
    asked += [["flops", cifar[0], "-list", name, *LABELS] for name in LISTS]
    asked += [["memory", cifar[0], cifar[1], *LABELS]]
    asked += [[kind, trace] for trace in traces
              for kind in (*VIEWS, "steps", "devices", "kernels", "memory")]
    return asked


def views_of(samples):
    folders = sorted(samples.iterdir())
    assert len(folders) > 8
    return [[view, str(folder)] for folder in folders for view in VIEWS]


@pytest.fixture(scope="module")
def files(samples, tmp_path_factory):
    """Each Parquet file, with the CSV of the same command line."""
    folder = tmp_path_factory.mktemp("parquet")
    asked = questions() + ([] if SANITIZED else views_of(samples))
    found = []
    for number, words in enumerate(asked):
        code, out, _ = run(*words, "-q", "-format", "csv")
        if code == 0:  # a trace may lack the data of a table
            path = write(folder / f"{number}.parquet", *words)
            found.append((path, out.decode(), words))
    assert len(found) > 60
    assert {words[0] for _, _, words in found} >= {
        *VIEWS, "steps", "devices", "kernels", "memory", "flops"}
    return found


@pytest.mark.parametrize("read", [
    by_pyarrow,
    pytest.param(by_duckdb, marks=needs_engines),
    pytest.param(by_polars, marks=needs_engines)])
def test_rows_are_those_of_csv(files, read):
    for path, wanted, _ in files:
        same(read(path), wanted)


@needs_engines
@pytest.mark.parametrize("program, mark", [(CHDB, ""), (SPARK, "ROWS ")],
                         ids=["chdb", "spark"])
def test_servers_read_the_rows(files, program, mark):
    found = by_program(program, [path for path, _, _ in files], mark)
    assert len(found) == len(files)
    for rows, (_, wanted, _) in zip(found, files):
        same(rows, wanted)


def test_bytes_are_the_same_each_time(files, tmp_path):
    for path, _, words in files[:8]:
        assert write(tmp_path / "again", *words).read_bytes() \
            == path.read_bytes()


@pytest.mark.parametrize("kind", ["steps", "devices", "kernels", "memory"])
def test_tables_of_all_traces_have_one_schema(files, kind):
    schemas = [load("pyarrow.parquet").read_schema(path)
               for path, _, words in files
               if words[0] == kind and "-label" not in words]
    assert len(schemas) > 2
    for schema in schemas:
        assert schema.equals(schemas[0], check_metadata=True)


def test_times_of_all_traces_are_real(tmp_path):
    host = Plane("/host:CPU")
    host.line(1, "python", host.event("not an operation", 0, 1))
    (tmp_path / "idle.xplane.pb").write_bytes(space(host))
    for view, trace in itertools.product(("scope", "graph", "op"),
                                         ("idle.xplane.pb", TRACE)):
        path = write(tmp_path / "a.parquet", view, tmp_path / trace, "-select",
                     "micros,accelerator_micros")
        schema = load("pyarrow.parquet").read_schema(path)
        types = {str(schema.field(name).type) for name in schema.names
                 if name.endswith("micros")}
        assert types == {"double"}


def test_metadata_tells_view_and_units(tmp_path):
    words = ["scope", *upstream.model("cifar"), "-select", "micros,bytes"]
    path = write(tmp_path / "a.parquet", *words)
    told = load("pyarrow.parquet").read_metadata(path)
    assert told.metadata[b"view"] == b"scope"
    assert told.metadata[b"unit.total_bytes"] == b"bytes"
    assert told.created_by.startswith("tfprof version ")
    shape = json.loads(run(*words, "-q", "-format", "json")[1])
    for name, unit in shape["units"].items():
        assert told.metadata[f"unit.{name}".encode()] == unit.encode()
    path = write(path, "flops", DATA_DIR / "graph.pb", "-list", "variables")
    told = load("pyarrow.parquet").read_metadata(path)
    assert told.metadata[b"unit.bytes"] == b"bytes"
    assert b"unit.elements" not in told.metadata


# ---- Row groups --------------------------------------------------------------

@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """More than two row groups."""
    folder = tmp_path_factory.mktemp("large")
    count = 2 * GROUP + 1000
    (folder / "graph.pb").write_bytes(b"".join(
        node(b"scope/node_%07d" % i, b"Op%d" % (i % 7)) for i in range(count)))
    words = ["scope", folder / "graph.pb", "-select", "params,op_types"]
    return write(folder / "a.parquet", *words), as_csv(*words), count + 2


def test_row_groups_have_limits_and_statistics(large):
    path, wanted, count = large
    told = load("pyarrow.parquet").read_metadata(path)
    assert told.num_rows == count
    sizes = [told.row_group(i).num_rows for i in range(told.num_row_groups)]
    assert sizes == [GROUP, GROUP, count - 2 * GROUP]
    names = [line.split(",", 1)[0].strip('"')
             for line in wanted.splitlines()[1:]]
    for i in range(3):
        part = names[i * GROUP:(i + 1) * GROUP]
        facts = told.row_group(i).column(0).statistics
        assert (facts.min, facts.max) == (min(part), max(part))
        assert facts.null_count == 0
    same(by_pyarrow(path), wanted)


@needs_engines
def test_duckdb_skips_row_groups(large):
    path, _, _ = large
    duckdb = load("duckdb").connect()
    asked = f"SELECT depth FROM read_parquet('{path}') WHERE name = '%s'"

    def scanned(name):
        """The number of row groups that DuckDB has read, and their total."""
        told = json.loads(duckdb.execute(
            "EXPLAIN (ANALYZE, FORMAT json) " + asked % name).fetchone()[1])

        def walk(parts):
            for part in parts:
                if "total_row_groups_to_scan" in part:
                    yield (part["row_groups_scanned"],
                           part["total_row_groups_to_scan"])
                yield from walk(part.get("children", ()))
        return list(walk(told["operator"]))

    last = by_pyarrow(path)[-1]["name"]
    assert duckdb.execute(asked % last).fetchall() == [(2,)]
    assert scanned(last) == [(1, 3)]
    assert sum(read for read, _ in scanned("zzz")) == 0  # above every maximum


PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_values_of_tensors_end_row_groups(tmp_path):
    """All values as text have 50 MB; a row group with 32 MB is ended."""
    chance = random.Random(1)
    bundle = Bundle()
    for i in range(16):
        bundle.add(b"v%02d" % i, FLOAT, [1 << 18],
                   floats(*(chance.random() for _ in range(1 << 18))))
    words = ["scope", bundle.write(str(tmp_path / "model")), "-select",
             "tensor_value"]
    path = tmp_path / "a.parquet"
    peak = int(subprocess.run(
        [sys.executable, "-c", PEAK, TFPROF, *words, "-output",
         f"parquet:outfile={path}"], check=True, capture_output=True).stdout)
    assert SANITIZED or peak < 96 << 10  # KiB; 16 MiB of them are the tensors
    assert load("pyarrow.parquet").read_metadata(path).num_row_groups == 2
    longest = csv.field_size_limit(1 << 24)
    same(by_pyarrow(path), as_csv(*words))
    csv.field_size_limit(longest)


# ---- Names -------------------------------------------------------------------

LAST = "\U0010ffff"  # no character is larger
PIECES = ['"', ",", "\n", "\t", "'", "=", "é", "😀", "\u202e", "a", "B", "\x01",
          "\x7f", "\\", "漢", LAST]


def odd_names(seed, count=200):
    chance = random.Random(seed)
    names = {"".join(chance.choices(PIECES, k=chance.randrange(1, 12)))
             for _ in range(count)}
    names |= {"long/" + "x" * 5000, "z" * 300, "~" * 100}
    names |= {"y" * size + char * 30 for char in ("é", "漢", "😀", "~", "\x7f")
              for size in range(60, 68)}
    names |= {LAST * 80} if seed % 2 else set()
    names = {name.encode() for name in names}
    return sorted(names | {b"\xff\xfe", b"cut\xc3", b"nul\0inside", b"\x80" * 99})


@pytest.mark.parametrize("seed", range(4))
def test_odd_names_are_read_back(tmp_path, seed):
    names = odd_names(seed)
    (tmp_path / "graph.pb").write_bytes(b"".join(map(node, names)))
    words = ["graph", tmp_path / "graph.pb", "-select", "op_types,params"]
    path = write(tmp_path / "a.parquet", *words)
    readers = [by_pyarrow] if SANITIZED else [by_pyarrow, by_duckdb, by_polars]
    wanted = json.loads(run(*words, "-q", "-format", "json")[1])["rows"]
    for read in readers:
        rows = read(path)
        assert len(rows) == len(wanted)
        # JSON writes bytes that are not UTF-8 as \\xHH, as Parquet does.
        assert [row["depth"] for row in rows] == [
            row["depth"] for row in wanted]
        found = {row["name"] for row in rows}
        for name in names:
            try:
                assert name.decode() in found
            except UnicodeDecodeError:
                assert name.decode(errors="backslashreplace") in found
    facts = load("pyarrow.parquet").read_metadata(path).row_group(0).column(0)
    texts = [row["name"].encode() for row in rows]
    assert facts.statistics.has_min_max == (max(texts) != (LAST * 80).encode())
    if facts.statistics.has_min_max:
        assert facts.statistics.min.encode() <= min(texts)
        assert facts.statistics.max.encode() >= max(texts)


# ---- Labels ------------------------------------------------------------------

WANTED = {"worker": "w17", "job": "a,b", "path": "C:\\", "note": "\\x{1,2}"}


@pytest.mark.parametrize("words", [
    ["scope", DATA_DIR / "graph.pb"], ["op", DATA_DIR / "graph.pb"],
    ["steps", TRACE], ["flops", DATA_DIR / "graph.pb", "-list", "types"],
    ["flops", DATA_DIR / "graph.pb"]], ids=lambda words: words[0])
def test_labels_are_the_first_columns(tmp_path, words):
    rows = list(csv.DictReader(io.StringIO(as_csv(*words, *LABELS))))
    plain = list(csv.DictReader(io.StringIO(as_csv(*words))))
    assert rows == [{**WANTED, **row} for row in plain]
    assert list(rows[0])[:len(WANTED)] == list(WANTED)
    for row in by_pyarrow(write(tmp_path / "a.parquet", *words, *LABELS)):
        assert {key: row[key] for key in list(row)[:len(WANTED)]} == WANTED
    told = json.loads(run(*words, *LABELS, "-q", "-format", "json")[1])
    found = [row for key in ("rows", "steps", "by_type", "layers")
             for row in told.get(key, ())]
    assert found
    for row in found:
        assert {key: row[key] for key in list(row)[:len(WANTED)]} == WANTED
    text = run(*words, "-q", "-format", "text")
    assert run(*words, *LABELS, "-q", "-format", "text") == text


@pytest.mark.parametrize("value, problem", [
    ("worker", "expected KEY=VALUE"), ("=x", "expected KEY=VALUE"),
    ("1a=x", "expected KEY=VALUE"), ("a-b=x", "expected KEY=VALUE"),
    ("a=1,b", "expected KEY=VALUE"),
    ("a=1,A=2", "the key 'A' is given twice"),
    ("k" * 32 + "=x", "is longer than 31 bytes"),
    (b"a=\xff", "the value of a is not valid UTF-8"),
    (",".join(f"k{i}=x" for i in range(17)), "17 labels are more than"),
    ("name=x", "'name' is the name of a column"),
    ("Total_Micros=x", "'Total_Micros' is the name of a column")])
def test_labels_that_are_refused(value, problem):
    assert problem in refusal(2, "scope", DATA_DIR / "graph.pb", "-label",
                              value, "-format", "csv")


MODEL = DATA_DIR / "graph.pb"
TO_FILE = ("-output", f"parquet:outfile={os.devnull}")


@pytest.mark.parametrize("words", [
    ["scope", MODEL, "-format", "json", "-label", "name=x"],
    ["scope", MODEL, *TO_FILE, "-label", "name=x"],
    ["steps", TRACE, "-format", "csv", "-label", "Device=x"],
    ["steps", TRACE, *TO_FILE, "-label", "Device=x"],
    ["steps", TRACE, "-format", "json", "-label", "statistic=x"],
    ["flops", MODEL, "-format", "json", "-label", "layer=x"],
    ["flops", MODEL, "-format", "csv", "-list", "nodes", "-label", "macs=x"]])
def test_labels_may_not_be_columns(words):
    code, out, err = run(*words)
    assert (code, out) == (2, b"") and "name of a column" in complaint(err)


@pytest.mark.parametrize("words", [
    ["scope", MODEL, "-format", "text", "-label", "name=x"],
    ["steps", TRACE, "-format", "text", "-label", "device=x"],
    ["steps", TRACE, "-format", "csv", "-label", "statistic=x"],
    ["steps", TRACE, "-format", "json", *TO_FILE, "-label", "statistic=x"],
    ["flops", MODEL, "-format", "text", "-list", "nodes", "-label", "macs=x"],
    ["flops", MODEL, "-format", "json", *TO_FILE, "-label", "layer=x"]])
def test_labels_may_be_columns_that_are_not_written(words):
    code, _, err = run(*words)
    assert code == 0, err


# ---- Faults ------------------------------------------------------------------

def test_commands_without_rows_refuse_parquet(tmp_path):
    for words in (["summary", TRACE], ["advise", TRACE], ["info", TRACE]):
        code, _, err = run(*words, "-output",
                           f"parquet:outfile={tmp_path}/a.parquet")
        assert code == 2 and "--output" in complaint(err)
    assert os.listdir(tmp_path) == []


def test_full_disk_leaves_no_file(tmp_path):
    code, _, err = run("scope", DATA_DIR / "graph.pb", "-output",
                       "parquet:outfile=/dev/full")
    assert code != 0 and "No space left" in complaint(err)


def test_memory_limit_is_an_error(tmp_path):
    names = b"".join(node(b"scope/node_%07d" % i) for i in range(20000))
    (tmp_path / "graph.pb").write_bytes(names)
    path = tmp_path / "a.parquet"
    codes = set()
    for limit in range(2, 12):
        code, _, err = run("scope", tmp_path / "graph.pb", "-max_memory",
                           f"{limit}M", "-output", f"parquet:outfile={path}")
        codes.add(code != 0)
        assert path.exists() == (code == 0)
        assert code == 0 or "--max_memory" in complaint(err)
        path.unlink(missing_ok=True)
    assert codes == {True, False}
