"""Rows of tests/tables/shapes_*.txt: operations, and the settings that each is
tried in.

[NAME] begins a family. At the margin stand operations, and below them, by 4
blanks, the settings of each: inputs and attributes as shape_judge.row() takes
them. Lines that are indented by 8 go on. {a; b} is one setting with a and one
with b. A line that begins with # is a comment.
"""

import itertools
import re

import program
import shape_judge


def spread(setting):
    """A setting for each choice that it leaves."""
    parts = [part.split("; ") if number % 2 else [part]
             for number, part in enumerate(re.split("[{}]", setting))]
    return map("".join, itertools.product(*parts))


def rows_of(block):
    """Those of the operations above settings, for each setting."""
    ops, settings = block
    return [eval(f"row('{op}', {setting})", vars(shape_judge))
            for op in ops.split() for line in settings.splitlines()
            for setting in spread(line.strip())]


def families(name):
    """{family: its rows}"""
    text = (program.TABLES / f"shapes_{name}.txt").read_text()
    text = re.sub("^#.*\n", "", text, flags=re.MULTILINE)
    found = {}
    for part in text.replace("\n" + 8 * " ", " ").split("\n["):
        family, _, body = part.strip("[").partition("]\n")
        blocks = re.findall(r"((?:^\w.*\n)+)((?:^ .*\n)+)", body + "\n",
                            re.MULTILINE)
        found[family] = [row for block in blocks for row in rows_of(block)]
    return found


def listed(table):
    """{operation: its outputs} of a table of the source."""
    path = program.SOURCE_DIR / f"src/ops/table/ops_{table}.c"
    found = dict(re.findall(r'^ +\{ "(\w+)",\s+"([^"]*)"', path.read_text(),
                            re.MULTILINE))
    assert found, table
    return found


def check(name, rows, folder, say):
    """Are the shapes of these rows those that TensorFlow gives them?"""
    wrong, count, refused = [], 0, []
    for legacy in (False, True):
        chosen = [row for row in rows if row.legacy == legacy]
        if not chosen:
            continue
        truth = shape_judge.Truth(name, chosen, legacy)
        count += len(truth.shapes)
        refused += truth.refused
        # Attributes that have their default values may be left out.
        for form, graph in truth.graphs.items():
            path = folder / f"{form}{legacy}.pb"
            path.write_bytes(graph)
            wrong += shape_judge.differences(truth, shape_judge.said(path))
    say(f"{len(rows)} rows, {count} tensors, {len(refused)} refused")
    assert not wrong, "\n".join([f"{len(wrong)} differ",
                                 *shape_judge.few_of_each(wrong)])
    assert len(refused) < count / 4, refused[:20]
