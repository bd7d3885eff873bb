"""`aggregate` against the views and `steps`, step by step; and a trace that is
given twice has everything twice."""

import collections
import re
import shutil

import pyarrow.parquet

import attack

MEASURES = {"wall_ns": "wall_micros", "device_ns": "device_micros",
            "busy_ns": "busy_micros", "input_wait_ns": "input_wait_micros"}
VIEWS = ("op", "scope", "code")
ROOT = "_TFProfRoot"
ROUNDED = 50  # nanoseconds: for each step a sum of rounded figures


class Tables:
    def __init__(self, folder):
        self.rows, self.histogram, self.steps = (
            pyarrow.parquet.read_table(folder / f"{name}.parquet").to_pylist()
            for name in ("rows", "histogram", "steps"))


def tables_of(found, *paths):
    """Or None."""
    folder = found.folder / "tables"
    shutil.rmtree(folder, ignore_errors=True)
    found.run("aggregate", *paths, "--label", "worker=w", "--max_depth",
              "100", "--output", f"parquet:outfile={folder}")
    return Tables(folder) if (folder / "header.parquet").exists() else None


def check_rows(found, name, tables):
    counts = {row["row"]: row["count"] for row in tables.rows}
    in_histogram = collections.Counter()
    for row in tables.histogram:
        in_histogram[row["row"]] += row["count"]
    for row, count in in_histogram.items():
        if row and counts.get(row) != count:
            found.fail(name, "histogram", row, count, counts.get(row))
    for row in tables.rows:
        if row["min"] > row["max"] or row["sum"] < row["min"] or \
                (row["count"] and row["sum"] > row["max"] * row["count"]):
            found.fail(name, "min, max and sum", row)
        if row["view"] != "code" and row["self_sum"] > row["sum"]:
            found.fail(name, "self_sum", row)


def unnumbered(name):
    """The number of one of several programs is not part of a row's name; the
    tables have the program in a column."""
    return re.sub(r"#\d+$", "", name)


def nanoseconds(micros):
    return round(micros * 1000)


def views_of(found, path, step):
    return {view: found.json(view, path, "--step", step, "--max_depth",
                             "100", "--select", "micros,occurrence")
            for view in VIEWS}


def check_views(found, path, tables):
    name = attack.short(path)
    totals, op, scope = (collections.Counter() for _ in range(3))
    for step in tables.steps:
        answers = views_of(found, path, str(step["step"]))
        if answers["op"] is None:
            found.fail(name, "no step", step["step"])
            return
        for view, answer in answers.items():
            if answer:
                totals[view] += answer["total"]["micros"] * 1000
        for row in answers["op"]["rows"]:
            op[unnumbered(row["name"])] += nanoseconds(row["self"]["micros"])
        for row in answers["scope"]["rows"]:
            scope[unnumbered(row["name"])] += nanoseconds(
                row["total"]["micros"])
    own, sums = collections.Counter(), collections.defaultdict(
        collections.Counter)
    for row in tables.rows:
        own[row["view"]] += row["self_sum"]
        sums[row["view"]][unnumbered(row["name"])] += row["sum"]
    for view, total in totals.items():
        if abs(own[view] - total) > len(tables.rows) * len(tables.steps) + 5:
            found.fail(name, view, "total", own[view], total)
    for view, views in ("op", op), ("scope", scope):
        for row in {*views, *sums[view]} - {ROOT}:
            if abs(sums[view][row] - views[row]) > ROUNDED * len(tables.steps):
                found.fail(name, view, row, sums[view][row], views[row])


def check_steps(found, path, tables):
    """The longest of all devices; the rest is no step."""
    answer = found.json("steps", path)
    if not answer:
        return
    longest = {}
    for row in answer["steps"]:
        if row["step"] is None:
            continue
        mine = longest.setdefault(row["step"], dict.fromkeys(MEASURES, -1))
        for measure, column in MEASURES.items():
            if row.get(column) is not None:
                mine[measure] = max(mine[measure], nanoseconds(row[column]))
    for step in tables.steps:
        mine = longest.get(step["step"])
        if mine is None or any(abs(step[m] - mine[m]) > 1 for m in MEASURES):
            found.fail(attack.short(path), "step", step, mine)


def check_twice(found, path, once):
    copy = found.folder / "twice.xplane.pb"
    copy.write_bytes(path.read_bytes())
    twice = tables_of(found, path, copy)

    def figures(tables, times):
        return {row["row"]: [times * row[key] for key in (
            "count", "sum", "self_sum", "runs")] + [row["min"], row["max"]]
                for row in tables.rows}
    if figures(once, 2) != figures(twice, 1):
        found.fail(attack.short(path), "differs when it is given twice")


def attack_trace(found, path):
    tables = tables_of(found, path)
    if not tables:
        return
    check_rows(found, attack.short(path), tables)
    check_views(found, path, tables)
    check_steps(found, path, tables)
    check_twice(found, path, tables)


attack_all = attack.each(attack_trace)

if __name__ == "__main__":
    attack.main(attack_all)
