"""Small files with random content, well formed, through all four views.

Whatever is in them and whatever is asked, the answer is an answer (0) or that
there is none (2), nothing crashes, and the formats agree with each other.
TFPROF_RANDOM_DRAWS sets how many, TFPROF_SLOW=1 takes 5000, and
TFPROF_TEST_SEED draws others.
"""

# labels: both, slow

import collections
import csv
import json
import os
import zlib

import hypothesis

import drawing
import pprof
from faults import SANITIZED, SLOW, run
from messages import COSTS, FORMATS, VIEWS

DRAWS = int(os.environ.get("TFPROF_RANDOM_DRAWS")
            or (5000 if SLOW else 40 if SANITIZED else 100))

# Where all files are one's own, nothing is folded, and what has no line has a
# row in every form.
EVERY_FORM = ("--own", "--own_regexes=.*")
seen = collections.Counter()
SEED = zlib.crc32(b"views" + os.environ.get("TFPROF_TEST_SEED", "").encode())


@hypothesis.seed(SEED)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS)
def ask_anything(files, options):
    # Text has ten levels by itself, and the others have all.
    options = {"max_depth": 10, **options}
    with drawing.question(files, options) as (folder, args):
        for view in VIEWS:
            more = EVERY_FORM if view == "code" else ()
            answers = {form: run(view, *args, *more, "--format", form)
                       for form in FORMATS}
            check_answers(view, answers)
            check_pprof(view, args, folder.path / "out")


def check_pprof(view, args, path):
    """A file of which each part is known, or the same refusal; what is not a
    cost cannot be a value."""
    code, _, err = run(view, *args, "--select=micros,params,occurrence",
                       "--output", f"pprof:outfile={path},labels=all")
    assert code in (0, 2) and path.exists() == (code == 0), err
    if code == 0:
        pprof.samples(path.read_bytes())
        path.unlink()
    seen["pprof", code] += 1


def check_answers(view, answers):
    codes = {code for code, _, _ in answers.values()}
    assert len(codes) == 1
    code = codes.pop()
    seen[view, code] += 1
    for _, out, err in answers.values():
        assert code in (0, 2), err
        assert (out == b"") == (code == 2)
        err.decode()
    if code == 0:
        check_formats(view, *(answers[form][1].decode() for form in FORMATS))


def check_formats(view, text, as_json, as_csv):
    found = json.loads(as_json)["rows"]
    table = list(csv.DictReader(as_csv.splitlines(), strict=True))
    lines = [line for line in text.splitlines()[1:]
             if line and not line.startswith("input_type: ")]
    assert len(table) == len(found)
    if view != "op" or found:  # without a row, it shows an empty sum
        assert len(lines) == len(found)
    for row, cells in zip(found, table):
        for cost, value in row["self"].items():
            if cost in COSTS:
                assert int(cells[cost]) == value
                assert int(cells[f"total_{cost}"]) == row["total"][cost]
        assert int(cells["depth"]) == row["depth"]
    if view != "op":
        for row, line in zip(found, lines):
            assert line.startswith("  " * row["depth"])


def test_random_files_and_questions(say):
    ask_anything()
    say(", ".join(f"{view}: {seen[view, 0]} answers, {seen[view, 2]} refused"
                  for view in (*VIEWS, "pprof")))
    assert all(seen[view, 0] > DRAWS // 4 for view in (*VIEWS, "pprof"))
