"""Every row of views and tables is the same in JSON, CSV and Parquet."""

import csv
import io
import json
import math

import pyarrow.parquet

import attack

VIEWS = ("scope", "graph", "op", "code")
OPTIONS = ((), ("--step", "1"), ("--select", "*", "--max_depth", "100"),
           ("--order_by", "micros", "--max_depth", "3"),
           ("--min_micros", "5"))
# JSON alone has what is not a cell.
NOT_CELLS = ("children", "traces", "trace", "warnings", "notes")


def questions(path):
    for view in VIEWS:
        for options in (*OPTIONS, ("--own",) if view == "code"
                        else ("--account_displayed_op_only",)):
            yield view, path, *options
    for table in "steps", "kernels", "devices":
        yield table, path
    for by in "node", "scope", "op", "line":
        yield "memory", path, "--by", by


def flat(row):
    out = {}
    for key, value in row.items():
        if key == "self":
            out.update(value)
        elif key == "total":
            out.update({f"total_{name}": cost for name, cost in value.items()})
        else:
            out[key] = value
    return out


def words(value):
    if isinstance(value, str):
        return value.replace("|", " ").split()
    return [str(item) for item in value or []]


def is_same(a, b):
    if a in ("", None) and b in ("", None, 0, "0"):
        return True
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return words(a) == words(b)
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=1e-9)
    except (TypeError, ValueError):
        pass
    if isinstance(a, bool) or isinstance(b, bool):
        return str(a).lower() == str(b).lower()
    # A quote protects a cell that a table would take for a formula.
    return str(a).lstrip("'") == str(b).lstrip("'")


def csv_rows(text, command):
    """`memory` has a table of pools before that of the holders."""
    found = []
    for part in text.split("\n\n") if command == "memory" else [text]:
        rows = list(csv.DictReader(io.StringIO(part)))
        if rows and (command != "memory" or "percent_of_peak" in rows[0]):
            found = rows
    return found


def compare(found, question, form, rows, others):
    name = attack.short(question[1]), question[0], question[2:], form
    if len(rows) != len(others):
        found.fail(*name, "rows", len(rows), len(others))
        return
    for row, other in zip(rows, others):
        for key, value in row.items():
            if key not in other:
                if form == "csv" and key not in NOT_CELLS:
                    found.fail(*name, "lacks", key)
                    return
            elif not is_same(value, other[key]):
                found.fail(*name, key, row.get("name"), value, other[key])
                return


def attack_question(found, question):
    out = found.folder / "out.parquet"
    out.unlink(missing_ok=True)
    forms = [found.run(*question, "--format", form)
             for form in ("json", "csv")]
    forms.append(found.run(*question, "--output", f"parquet:outfile={out}"))
    codes = {done.returncode for done in forms}
    if codes != {0}:
        if len(codes) > 1:
            found.fail(attack.short(question[1]), question[0], question[2:],
                       "exit codes", codes)
        return
    answer = json.loads(forms[0].stdout)
    command = question[0]
    rows = [flat(row) for row in
            answer["rows" if command in VIEWS else command]]
    compare(found, question, "csv", rows,
            csv_rows(forms[1].stdout.decode(), command))
    compare(found, question, "parquet", rows,
            pyarrow.parquet.read_table(out).to_pylist())


def attack_all(found, paths):
    for path in paths:
        for question in questions(path):
            attack_question(found, question)


if __name__ == "__main__":
    attack.main(attack_all)
