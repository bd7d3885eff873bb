"""Columns of every type as Parquet: pyarrow and DuckDB read the written values.

tests/parquet_dump.c receives the buffers of an Arrow table and writes them with
src/output/parquet.
"""

import os
import pathlib
import random
import subprocess

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

DUMP = os.environ.get("TFPROF_PARQUET_DUMP") or str(
    pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "parquet_dump")
FORMATS = {pyarrow.large_string(): "U", pyarrow.bool_(): "b",
           pyarrow.int32(): "i", pyarrow.uint32(): "I", pyarrow.int64(): "l",
           pyarrow.float64(): "g"}
LEAST, MOST = -2**63, 2**63 - 1
GROUP = 122880  # maximum number of rows of a row group


def described(name, array, optional):
    """A column of the input of parquet_dump."""
    optional = int(optional or array.null_count > 0)
    texts = [b"", b""]
    count = 0
    if pyarrow.types.is_dictionary(array.type):
        count = len(array.dictionary)
        texts = [bytes(buffer or b"") for buffer in array.dictionary.buffers()[1:]]
        array = array.indices
    parts = [bytes(buffer) if buffer else b"" for buffer in array.buffers()]
    parts += [b""] * (3 - len(parts))
    sizes = " ".join(map(str, [optional, array.null_count, *map(len, parts),
                               count, *map(len, texts)]))
    line = f"{name} {FORMATS[array.type]} {sizes}\n"
    return line.encode() + b"".join(parts) + b"".join(texts)


def dump(table, optional):
    given = f"{table.num_rows} {table.num_columns}\n".encode()
    for name in table.column_names:
        column = table[name].combine_chunks()
        if isinstance(column, pyarrow.ChunkedArray):
            column = column.chunk(0)
        given += described(name, column, optional)
    done = subprocess.run([DUMP], input=given, capture_output=True,
                          check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(table, tmp_path):
    """Columns without nulls are written as REQUIRED and as OPTIONAL."""
    check_dump(table, tmp_path, optional=False)
    return check_dump(table, tmp_path, optional=True)


def check_dump(table, tmp_path, optional):
    path = tmp_path / "columns.parquet"
    path.write_bytes(dump(table, optional))
    read = pyarrow.parquet.ParquetFile(path)
    found = read.read()
    for name in table.column_names:
        assert found.schema.field(name).nullable \
            == (optional or table[name].null_count > 0)
    names = ", ".join(f'"{name}"' for name in table.column_names)
    rows = duckdb.sql(f"SELECT {names} FROM read_parquet('{path}')").fetchall()
    for number, name in enumerate(table.column_names):
        wanted = table[name].to_pylist()
        assert found[name].to_pylist() == wanted, name
        assert [row[number] for row in rows] == wanted, name
        check_statistics(read, number, wanted)
    return read


def check_statistics(read, number, values):
    """Minimum, maximum and missing values of each row group."""
    for group in range(read.metadata.num_row_groups):
        part = values[group * GROUP:(group + 1) * GROUP]
        there = [value for value in part if value is not None]
        told = read.metadata.row_group(group).column(number).statistics
        assert told.null_count == len(part) - len(there)
        if there and not isinstance(there[0], str):
            assert (told.min, told.max) == (min(there), max(there))
        elif there:
            assert told.min.encode() <= min(t.encode() for t in there)
            assert told.max.encode() >= max(t.encode() for t in there)


def some(draw, values, missing):
    return [None if draw.random() < missing else value for value in values]


# ---- Integers ---------------------------------------------------------------

NUMBERS = {
    "extremes": lambda draw, n: [draw.choice([LEAST, MOST, 0, -1, 1])
                                 for _ in range(n)],
    "any": lambda draw, n: [draw.randint(LEAST, MOST) for _ in range(n)],
    "small": lambda draw, n: [draw.randint(-3, 3) for _ in range(n)],
    "one": lambda draw, n: [draw.randint(LEAST, MOST)] * n,
    "rising": lambda draw, n: [7 * i + draw.randint(0, 5) for i in range(n)],
    "falling": lambda draw, n: [MOST - 1000 * i for i in range(n)],
    "jumps": lambda draw, n: [(LEAST if i % 2 else MOST) + (i if i % 2 else -i)
                              for i in range(n)],
    "times": lambda draw, n: [int(10 ** draw.uniform(0, 12))
                              for _ in range(n)]}
SIZES = (0, 1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 130, 257, 1000, 5000)


@pytest.mark.parametrize("missing", [0, 0.3, 1])
@pytest.mark.parametrize("rows", SIZES)
def test_integers_are_read_as_written(tmp_path, rows, missing):
    draw = random.Random(f"integers {rows} {missing}")
    columns = {name: pyarrow.array(some(draw, make(draw, rows), missing),
                                   pyarrow.int64())
               for name, make in NUMBERS.items()}
    for name, kind, least, most in [
            ("int32", pyarrow.int32(), -2**31, 2**31 - 1),
            ("uint32", pyarrow.uint32(), 0, 2**32 - 1)]:
        values = [draw.choice([least, most, draw.randint(least, most)])
                  for _ in range(rows)]
        columns[name] = pyarrow.array(some(draw, values, missing), kind)
    check(pyarrow.table(columns), tmp_path)


# ---- Other types ------------------------------------------------------------

ALPHABET = "ab/é€\U0001f600\"',\\\n\0"


def text(draw, longest):
    return "".join(draw.choices(ALPHABET, k=draw.randint(0, longest)))


@pytest.mark.parametrize("missing", [0, 0.3, 1])
@pytest.mark.parametrize("rows", SIZES)
def test_other_types_are_read_as_written(tmp_path, rows, missing):
    draw = random.Random(f"others {rows} {missing}")
    few = sorted({text(draw, 9) for _ in range(max(1, rows // 8))})
    columns = {
        "bits": [draw.random() < 0.5 for _ in range(rows)],
        "reals": [draw.choice([0.0, -1.5, 1e300, draw.random()])
                  for _ in range(rows)],
        "texts": [text(draw, 200) for _ in range(rows)],
        "repeated": [draw.choice(few) for _ in range(rows)],
        "empty": [""] * rows}
    kinds = {"bits": pyarrow.bool_(), "reals": pyarrow.float64()}
    table = {name: pyarrow.array(some(draw, values, missing),
                                 kinds.get(name, pyarrow.large_string()))
             for name, values in columns.items()}
    table["numbered"] = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([draw.randrange(len(few)) for _ in range(rows)],
                      pyarrow.int32()),
        pyarrow.array(few, pyarrow.large_string()))
    check(pyarrow.table(table), tmp_path)


# Statistics have the first 64 bytes of a text, the maximum raised to one that
# no text exceeds.
@pytest.mark.parametrize("char, following", [
    ("~", "\x7f"), ("\x7f", "\x80"), ("é", "ê"), ("\u07ff", "\u0800"),
    ("漢", "\u6f23"), ("\ud7ff", "\ue000"), ("\uffff", "\U00010000"),
    ("😀", "\U0001f601"), ("\U0010ffff", None)], ids=ascii)
@pytest.mark.parametrize("start", [0, 60, 61, 62, 63, 64])
def test_long_texts_have_both_limits_or_none(tmp_path, start, char, following):
    texts = ["Zebra", "a" * start + char * 70, "a" * start + char * 71]
    path = tmp_path / "columns.parquet"
    path.write_bytes(dump(pyarrow.table({"texts": pyarrow.array(
        texts, pyarrow.large_string())}), False))
    kept = texts[1].encode()[:64].decode(errors="ignore")
    if following is None:  # the character before it is raised
        kept = kept.rstrip(char)
    last = following if following and kept.endswith(char) else "b"
    found = duckdb.sql("SELECT stats_min_value, stats_max_value FROM "
                       f"parquet_metadata('{path}')").fetchall()
    assert found == [("Zebra", kept[:-1] + last) if kept else (None, None)]
    for text in texts:
        assert pyarrow.parquet.read_table(
            path, filters=[("texts", "==", text)]).num_rows == 1


@pytest.mark.parametrize("rows", [GROUP - 1, GROUP, GROUP + 1, 2 * GROUP + 9])
def test_row_groups_are_read_as_written(tmp_path, rows):
    draw = random.Random(rows)
    table = pyarrow.table({
        "rising": pyarrow.array(range(rows), pyarrow.int64()),
        "missing": pyarrow.array(
            [None if i % 3 == 0 else i * i for i in range(rows)],
            pyarrow.int64()),
        "any": pyarrow.array([draw.getrandbits(63) for _ in range(rows)],
                             pyarrow.int64()),
        "texts": pyarrow.array([f"n{i % 1000}" for i in range(rows)],
                               pyarrow.large_string()),
        "bits": pyarrow.array([i % 5 == 0 for i in range(rows)])})
    read = check(table, tmp_path)
    assert read.metadata.num_row_groups == -(-rows // GROUP)
