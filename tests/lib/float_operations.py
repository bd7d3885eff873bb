"""The tables of docs/float-operations.md that the program makes.

float_operations.py: writes them anew into the page. It takes the environment
of the tests: TFPROF, TFPROF_BUILD_DIR.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import flops_truth  # noqa: E402, after the path
import program  # noqa: E402

PAGE = program.SOURCE_DIR / "docs" / "float-operations.md"


def dump():
    """[(op, formula, TensorFlow's own)]"""
    path = os.environ.get("TFPROF_FORMULA_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests"
        / "formula_dump")
    text = subprocess.run([path], check=True, text=True,
                          capture_output=True).stdout
    return [line.split("\t") for line in text.splitlines()]


def by_formula(pairs):
    """Rows of a formula and the operations it is for, in their order."""
    groups = collections.defaultdict(list)
    for op, formula in pairs:
        groups[formula].append(op)
    return [f"| `{formula}` | {' '.join(ops)} |"
            for formula, ops in groups.items()]


def upstream():
    pairs = [(op, theirs) for op, _, theirs in dump() if theirs]
    return ["| formula | operations |", "| --- | --- |", *by_formula(pairs)]


def full():
    pairs = [(op, ours) for op, ours, _ in dump() if ours != "free"]
    return ["| formula | operations |", "| --- | --- |", *by_formula(pairs)]


# ---- Beside XLA --------------------------------------------------------------

# XLA was asked with the batch put in.
BATCHED = {"dynbatch": ("--batch", "1")}


def by_type(name):
    """Operations by type, ours and XLA's: floats, integers and elementary
    functions together, since XLA tells them apart in another way."""
    rows = flops_truth.ask_list(flops_truth.frozen(name), "types",
                                "--formulas", "full", *BATCHED.get(name, ()))
    ours = {row["op"]: int(row["float_ops"]) + int(row["int_ops"])
            for row in rows}
    xla = {row["op"]: int(row["xla_flops"]) + int(row["xla_transcendentals"])
           for row in flops_truth.table(f"xla_by_type/{name}")}
    return ours, xla


def largest(ours, xla, most=3):
    """The types that differ by more than a thousandth of all."""
    total = sum(ours.values())
    differences = {op: xla.get(op, 0) - ours.get(op, 0) for op in {*ours, *xla}}
    rows = sorted(((abs(by), op) for op, by in differences.items()
                   if 1000 * abs(by) > total), reverse=True)
    return ", ".join(f"{op} {differences[op]:+,}" for _, op in rows[:most])


def compared(name):
    """XLA's count as a part of ours, and what differs most."""
    ours, xla = by_type(name)
    return sum(xla.values()) / sum(ours.values()), largest(ours, xla)


def all_compared():
    """{model: (XLA / ours, the largest differences)}"""
    names = sorted(flops_truth.by_name("xla"))
    return dict(zip(names, flops_truth.each(names, compared)))


def beside_xla():
    """The models whose counts are not alike."""
    return ["| model | XLA / ours | largest differences |",
            "| --- | ---: | --- |",
            *(f"| {name} | {ratio:.2f} | {differences} |"
              for name, (ratio, differences) in all_compared().items()
              if abs(ratio - 1) > 0.05)]


# ---- The page ----------------------------------------------------------------

TABLES = {"upstream": upstream, "full": full, "xla": beside_xla}


def part(name):
    """What stands between the marks of a table, as a pattern."""
    return re.compile(rf"(<!-- {name}: .*? -->\n).*?(\n<!-- end -->)",
                      re.DOTALL)


def on_page(name):
    found = part(name).search(PAGE.read_text(encoding="utf-8"))
    start, end = found.end(1), found.start(2)
    return found.string[start:end].strip("\n").splitlines()


def main():
    text = PAGE.read_text(encoding="utf-8")
    for name, make in TABLES.items():
        lines = "\n".join(make())
        text, count = part(name).subn(
            lambda found, lines=lines: f"{found[1]}\n{lines}\n{found[2]}",
            text)
        assert count == 1, name
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
