"""tfprof.fleet: changes between jobs, formats of answers, the command line."""

from __future__ import annotations

import html.parser
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys
from typing import Any

import duckdb
import fleets
import numpy
import pyarrow
import pyarrow.parquet
import pytest
import scipy.stats
import statsmodels.stats.multitest

import tfprof
import tfprof.fleet
from tfprof.fleet import _fleet, _rank, _result

TEMPLATE = fleets.written_template(3)


def jobs(folder: pathlib.Path, names: list[str], *, slow: float = 1.0,
         workers: int = 2, **how: Any) -> None:
    for job in names:
        for number in range(workers):
            tables, _ = fleets.worker(
                TEMPLATE, numpy.random.default_rng([*job.encode(), number]),
                job, f"w{number}", steps=20, slow=slow, **how)
            fleets.write(tables, folder / job / f"w{number}")


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Jobs of two versions. An operation is twice as slow in the second."""
    folder = tmp_path_factory.mktemp("builds")
    jobs(folder, [f"old-{n}" for n in range(8)], labels={"version": "1.0"})
    jobs(folder, [f"new-{n}" for n in range(8)], labels={"version": "2.0"},
         slow=2.0)
    return folder


# ---- Changes ----------------------------------------------------------------

@pytest.mark.parametrize("base, new", [
    (["old-*"], "new-*"), ("version=1.0", ["version=2.0"])])
def test_slower_operation_of_new_jobs_is_judged(
        builds: pathlib.Path, base: Any, new: Any) -> None:
    with tfprof.fleet.open(builds) as fleet:
        found = fleet.changes(base, new)
    rows = found.sections["rows"]
    assert [(row["name"], row["verdict"]) for row in rows
            if row["verdict"] == "slower"] == [(fleets.SLOW_OP, "slower")]
    assert rows[0]["shift_ns"] / rows[0]["base_ns"] == pytest.approx(1, abs=.1)
    totals = {row["name"]: row["verdict"] for row in found}
    assert totals == {"wall": "slower", "compute": "slower",
                      "collective": "unclear", "wait": "unclear"}


def test_the_sample_is_a_job(builds: pathlib.Path) -> None:
    """16 workers of 4 jobs are 4 values."""
    with tfprof.fleet.open(builds) as fleet:
        found = fleet.changes(["old-0", "old-1", "old-2", "old-3"], "new-*")
    assert {row["verdict"] for row in found} == {"not judged"}
    assert "fewer than 5 jobs on one side: listed, not judged" in found.remarks
    assert found.sections["rows"][0]["name"] == fleets.SLOW_OP
    assert found.sections["rows"][0]["p"] is None


def test_equal_jobs_do_not_differ(builds: pathlib.Path) -> None:
    with tfprof.fleet.open(builds) as fleet:
        found = fleet.changes([f"old-{n}" for n in range(0, 8, 2)] + ["new-0"],
                              [f"old-{n}" for n in range(1, 8, 2)] + ["new-1"])
    assert {row["verdict"] for row in found} == {"unclear"}
    assert any("are too many for 5 + 5 jobs" in remark
               for remark in found.remarks)


def without_wall(folder: pathlib.Path, names: list[str]) -> None:
    """Makes the wall times of these jobs unknown, as those of some traces."""
    for path in folder.rglob("steps.parquet"):
        if path.parent.parent.name in names:
            steps = pyarrow.parquet.read_table(path)
            at = steps.schema.get_field_index("wall_ns")
            unknown = pyarrow.array([-1] * len(steps), pyarrow.int64())
            pyarrow.parquet.write_table(steps.set_column(
                at, steps.schema.field("wall_ns"), unknown), path)


@pytest.mark.parametrize("unknown, verdict, is_known", [
    (0, "slower", (True, True)), (2, "slower", (True, True)),
    (3, "not judged", (True, True)), (7, "unknown", (True, False))])
def test_unknown_wall_times_are_not_compared(
        tmp_path: pathlib.Path, unknown: int, verdict: str,
        is_known: tuple[bool, bool]) -> None:
    names = [f"{side}-{n}" for side in ("old", "new") for n in range(7)]
    jobs(tmp_path, names[:7], workers=1)
    jobs(tmp_path, names[7:], workers=1, slow=2.0)
    without_wall(tmp_path, names[7:7 + unknown])
    with tfprof.fleet.open(tmp_path) as fleet:
        found = fleet.changes("old-*", "new-*")
    totals = {row["name"]: row for row in found}
    wall = totals["wall"]
    assert wall["verdict"] == verdict
    assert totals["compute"]["verdict"] == "slower"
    assert (wall["base_ns"] is not None, wall["new_ns"] is not None) == is_known
    for key in ("base_ns", "new_ns"):
        assert wall[key] is None or wall[key] > 10 ** 7
    assert (wall["p"] is not None) == (verdict == "slower")
    line = next(line for line in found.to_text().splitlines()
                if line.endswith(" wall"))
    assert line.startswith(verdict)
    assert found.to_markdown() and found.to_html() and found.to_json()


@pytest.mark.parametrize("view", ["scope", "op"])
def test_rows_with_a_small_share_are_not_tested(
        builds: pathlib.Path, view: str,
        monkeypatch: pytest.MonkeyPatch) -> None:
    """The share is that of the complete time, even if the view has several
    roots."""
    monkeypatch.setattr(_fleet, "SHARE", .03)
    with tfprof.fleet.open(builds) as fleet:
        found = fleet.changes("old-*", "new-*", view=view, top=1000)
    times, whole = {}, 0
    for name, op_type, total, own in duckdb.sql(
            "SELECT name, op_type, SUM(sum)::BIGINT, SUM(self_sum)::BIGINT "
            f"FROM read_parquet('{builds}/**/rows.parquet') "
            f"WHERE view = '{view}' GROUP BY ALL").fetchall():
        times[name, op_type] = total if view == "scope" else own
        whole += own
    expected = {name for (name, _), time in times.items()
                if time >= .03 * whole}
    assert {row["name"] for row in found.sections["rows"]} == expected
    assert 3 < len(expected) < len(times)


@pytest.mark.parametrize("base, new, why", [
    ("old-*", "old-1", "job 'old-1' is in both"),
    ("no", "old-1", "base: no job matches 'no'; the jobs are 'new-0'"),
    ("old-1", "version=3", "new: no job matches 'version=3'"),
    ("old-1", [], "new: give at least one job")])
def test_changes_rejects_unusable_jobs(
        builds: pathlib.Path, base: Any, new: Any, why: str) -> None:
    with tfprof.fleet.open(builds) as fleet, \
            pytest.raises(tfprof.OptionError, match=why.replace("(", r"\(")):
        fleet.changes(base, new)


def test_changes_without_workers_are_rejected(builds: pathlib.Path) -> None:
    with tfprof.fleet.open(builds, min_steps=21) as fleet, \
            pytest.raises(tfprof.OptionError,
                          match="'old-1'; all workers are excluded"):
        fleet.changes("old-1", "new-1")


def test_rank_test_equals_scipy() -> None:
    draw = random.Random(1)
    for _ in range(200):
        a, b = draw.randint(2, 25), draw.randint(2, 25)
        tied = draw.random() < .5
        first, second = (
            [round(draw.gauss(shift, 1), 1 if tied else 9) for _ in range(size)]
            for shift, size in ((0, a), (draw.random(), b)))
        both = [*first, *second]
        has_ties = len(set(both)) < len(both)
        if max(a, b) <= 20 and has_ties:
            continue  # see the next test
        expected = scipy.stats.mannwhitneyu(
            first, second,
            method="exact" if max(a, b) <= 20 else "asymptotic").pvalue
        assert _rank.p_value(first, second) == pytest.approx(
            min(1, expected), rel=1e-9)
    assert _rank.p_value([1, 1], [1, 1]) == 1
    assert _rank.smallest_p(5, 5) == pytest.approx(
        scipy.stats.mannwhitneyu(range(5), range(5, 10)).pvalue)


def over_all_splits(first: list[int], second: list[int]) -> float:
    """The two-sided p from all ways to split the values."""
    ranks = scipy.stats.rankdata([*first, *second])
    observed = sum(ranks[:len(first)])
    sums = [sum(part) for part in itertools.combinations(ranks, len(first))]
    ways = min(sum(total <= observed for total in sums),
               sum(total >= observed for total in sums))
    return float(min(1.0, 2 * ways / len(sums)))


def test_rank_test_with_ties_is_exact() -> None:
    """The normal distribution gives 0.004 for sets that do not overlap; 2 of
    the 252 ways to split ten values are as extreme."""
    assert _rank.p_value([0] * 5, [7] * 5) == pytest.approx(
        2 / 252) == pytest.approx(_rank.smallest_p(5, 5))
    draw = random.Random(4)
    for _ in range(60):
        a, b, values = (draw.randint(1, 7), draw.randint(1, 7),
                        draw.randint(1, 6))
        first, second = ([draw.randint(0, values) for _ in range(size)]
                         for size in (a, b))
        assert _rank.p_value(first, second) == pytest.approx(
            over_all_splits(first, second), rel=1e-12), (first, second)
    for size in (5, 12, 20):  # without overlap, but with ties in each set
        assert _rank.p_value([0] * size, [1, 2] + [3] * (size - 2)) == (
            pytest.approx(_rank.smallest_p(size, size), rel=1e-12))
    first, second = [1, 2, 2, 4], [2, 3, 3, 5, 5]
    assert _rank.p_value(first, second) == pytest.approx(
        scipy.stats.permutation_test(
            (first, second), lambda x, y: scipy.stats.mannwhitneyu(
                x, y, method="asymptotic").statistic, vectorized=False,
            n_resamples=math.inf).pvalue)


def test_holm_equals_statsmodels() -> None:
    draw = random.Random(2)
    for size in (1, 2, 7, 30):
        values = [draw.random() ** 3 for _ in range(size)]
        expected = statsmodels.stats.multitest.multipletests(
            values, method="holm")[1]
        assert _rank.holm(values) == pytest.approx(list(expected))
    assert _rank.holm([]) == []


# ---- Forms ------------------------------------------------------------------

ODD = "<script>alert(1)</script>|`a`\x1b[31m\n*b* &amp; \u202e"


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("odd")
    for number in range(9):
        tables, _ = fleets.worker(
            TEMPLATE, numpy.random.default_rng(number), ODD, f"w{number}",
            steps=20, damaged=int(number == 8), problems=ODD)
        rows = tables["rows"]
        names = [f"{name}{ODD}" for name in rows["name"].to_pylist()]
        tables["rows"] = rows.set_column(
            rows.schema.get_field_index("name"),
            rows.schema.field("name"), [names])
        fleets.write(tables, folder / f"w{number}")
    return folder


class Page(html.parser.HTMLParser):
    """The elements and the text of an HTML page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", ["report", "stragglers", "excluded"])
def test_names_of_files_are_escaped_in_all_forms(odd: pathlib.Path,
                                                 name: str) -> None:
    with tfprof.fleet.open(odd) as fleet:
        result = getattr(fleet, name)()
    page = Page(result.to_html())
    assert page.seen == {"html", "meta", "title", "style", "h1", "h2", "p",
                         "table", "tr", "th", "td"}
    assert "<script>alert(1)</script>|`a`" in page.text
    for form in ("text", "markdown", "html"):
        text = result.form(form)
        assert not set("\x1b\u202e") & set(text)
    lines = result.to_markdown().splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert tables and not any("<script" in line or "`" in line.replace(
        "\\`", "") for line in tables)
    widths = {line.count("|") for line in tables}
    assert widths <= {len(c) + 1 for c in (
        [0] * 5, [0] * 8, [0] * 10, [0] * 6, [0] * 4, [0] * 2)}
    told = json.loads(result.to_json())
    assert told["fleet"]["workers"] == 9 and told["fleet"]["excluded"] == 1
    assert all(told[key] == rows for key, rows in result.sections.items())
    assert any(ODD in str(value) for rows in result.sections.values()
               for row in rows for value in row.values())


@pytest.mark.parametrize("nanoseconds, text", [
    (0, "0 ns"), (-0.3, "0 ns"), (999.4, "999 ns"), (999.7, "1.000 us"),
    (999.94e3, "999.9 us"), (999.96e3, "1.000 ms"), (9.9996e6, "10.00 ms"),
    (-99.996e6, "-100.0 ms"), (12345.6e9, "12346 s")])
def test_times_have_four_digits(nanoseconds: float, text: str) -> None:
    assert _result.time_text(nanoseconds) == text


def test_small_negative_values_are_zero() -> None:
    for form, text in (("percent", "0.00 %"), ("number", "0.0")):
        column = _result.Column("x", "x", form)
        assert _result._shown({"x": -1e-9}, column) == text
        assert _result._shown({"x": -0.5}, column).startswith("-")


# ---- Command line -----------------------------------------------------------

def fleet_command(*words: Any, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-m", "tfprof.fleet",
                           *map(str, words)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_commands_print_what_the_package_answers(
        builds: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with tfprof.fleet.open(builds) as fleet:
        report = fleet.report(top=2, order="self")
        changes = fleet.changes(["old-0", "old-1"], "new-*", view="scope")
    out, _ = fleet_command("report", builds, "--top", 2, "--order", "self")
    assert out == report.to_text()
    out, _ = fleet_command("changes", builds, "--base", "old-0", "--base",
                           "old-1", "--new", "new-*", "--view", "scope",
                           "--format", "markdown")
    assert out == changes.to_markdown()
    out, _ = fleet_command("compact", builds, tmp_path / "out", "--format",
                           "json")
    assert json.loads(out)["tables"][3]["rows"] == 32
    out, _ = fleet_command("stragglers", tmp_path / "out", "--where",
                           "version=1.0", "--format", "json")
    assert json.loads(out)["fleet"]["workers"] == 16
    out, _ = fleet_command("excluded", builds, "--min_steps", 21)
    assert "too few steps     32" in out


def test_command_line_reports_file_problem_and_fix(
        builds: pathlib.Path, tmp_path: pathlib.Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    half = tmp_path / "half"
    half.mkdir()
    (half / "rows.parquet").write_bytes(b"PAR1")
    for words, code, why in (
            (["report", tmp_path / "no"], 1, "no such folder; give the"),
            (["report", empty], 1, "no tables of tfprof aggregate; a folder"),
            (["report", half], 1, "incomplete: missing histogram.parquet"),
            (["report", builds, "--top", "0"], 2, "'0' is not a count"),
            (["report", builds, "--where", "x"], 2, "is not LABEL=VALUE"),
            (["report", builds, "--where", "no=1"], 2,
             "no table has the label 'no'; the labels are job, worker, vers"),
            (["changes", builds, "--base", "x", "--new", "y"], 2,
             "base: no job matches 'x'"),
            (["compact", builds, builds], 2, "exists; give a new folder"),
            (["nothing", builds], 2, "invalid choice")):
        out, err = fleet_command(*words, code=code)
        assert out == "" and why in err, err
        assert "Traceback" not in err


def test_open_rejects_what_is_not_an_engine(builds: pathlib.Path) -> None:
    for words, why in (((builds, 3), "int is not an engine"),
                       ((None,), "give the folder of the tables"),
                       ((3,), "give the path of a folder")):
        with pytest.raises(tfprof.OptionError, match=why):
            tfprof.fleet.open(*words)
    with pytest.raises(tfprof.OptionError, match="not the name of a label"):
        tfprof.fleet.open(builds, where={"a b": "c"})
    with tfprof.fleet.open(builds) as fleet, \
            pytest.raises(tfprof.OptionError, match="neither 'total' nor"):
        fleet.report(order="size")


def test_bucket_of_a_value_is_within_one_percent() -> None:
    """The generator and the definition agree."""
    for value in (1, 2, 3, 99, 12345, 10 ** 9, 10 ** 15):
        bucket = int(fleets.bucket_of(numpy.array([value]))[0])
        assert bucket == math.ceil(math.log(value) / math.log(1.01 / .99))
        assert fleets.value_of(bucket) == pytest.approx(value, rel=.0100001)
