"""Small files with random content, well formed, through all four views.

Whatever is in them and whatever is asked, the answer is an answer (0) or that
there is none (2), nothing crashes, and the formats agree with each other.
TFPROF_RANDOM_DRAWS sets how many, TFPROF_SLOW=1 takes 5000, and
TFPROF_TEST_SEED draws others.
"""

import collections
import csv
import json
import os
import pathlib
import tempfile
import zlib

import hypothesis
from hypothesis import strategies as st

from faults import SANITIZED, SLOW, run
from messages import (COSTS, EVERYTHING, FORMATS, LARGEST, SMALLEST, VIEWS,
                      Folder, entry, frame, node_def, record, run_of, strings)

DRAWS = int(os.environ.get("TFPROF_RANDOM_DRAWS")
            or (5000 if SLOW else 40 if SANITIZED else 100))

# Few words, so that nodes, records and entries meet.
NAMES = [b"a", b"b", b"a/b", b"a/b/c", b"a/c", b"_TFProfRoot", b"", b"/", b"//",
         b"gradients/a_grad/x", b"a/", b"x\0y", b"\xff", b"w\x1b[2J", b"a:0",
         "é".encode(), b"RecvTensor", b"_SOURCE", b"MEMCPYHtoD", b"=x"]
NAME = st.sampled_from(NAMES)
TYPE = st.sampled_from([b"NoOp", b"VariableV2", b"Conv2D", b"", b"a", b"\xff",
                        b"_trainable_variables", b"_checkpoint_variables"])
DEVICE = st.sampled_from([b"", b"/device:CPU:0", b"/device:GPU:0", b"/gpu:0",
                          b"/device:GPU:0/stream:all", b"/device:TPU:0",
                          b"/device:SYCL:0", b"stream:all", b"/cpu:7"])
NUMBER = st.one_of(
    st.integers(0, 5000), st.sampled_from([
        SMALLEST, SMALLEST + 1, -1, 0, 1, 1 << 31, 1 << 32, 1 << 53, 1 << 62,
        LARGEST - 1, LARGEST]))
SHAPE = st.none() | st.lists(NUMBER, max_size=3)
SOURCE = st.builds(lambda mark, name, output: mark + name + output,
                   st.sampled_from([b"", b"", b"", b"^"]), NAME,
                   st.sampled_from([b"", b"", b":0", b":1", b":x", b":-1"]))


def several(strategy, most):
    return st.lists(strategy, max_size=most).map(b"".join)


NODES = several(st.builds(
    node_def, NAME, TYPE, st.lists(SOURCE, max_size=4), SHAPE,
    st.none() | st.lists(st.lists(NUMBER, max_size=2), max_size=2), DEVICE), 12)
RECORDS = several(st.builds(
    record, NAME, NUMBER, NUMBER,
    st.lists(st.tuples(NUMBER, NUMBER, NUMBER), max_size=2),
    st.lists(NUMBER, max_size=2), NUMBER, NUMBER), 8)
RUN = st.lists(st.tuples(DEVICE, RECORDS), max_size=4).map(
    lambda devices: run_of(*devices))
FRAMES = several(st.builds(frame, st.integers(0, 4), NUMBER,
                           st.integers(0, 4), st.integers(0, 4)), 5)
LOG = st.builds(lambda entries, words: entries + strings(words), several(
    st.builds(entry, NAME, st.none() | FRAMES, st.lists(TYPE, max_size=2),
              NUMBER), 8),
    st.dictionaries(st.integers(0, 4), NAME, max_size=5))
# Enough of each file to be known by; of the rest nothing has to make sense.
HEADS = {
    "graph": b"".join(node_def(b"plain/%d" % i, b"Const", shape=[i])
                      for i in range(4)),
    "run": run_of((b"/device:CPU:0", record(b"plain/1") * 4)),
    "log": entry(b"plain/1", frame(1, 7), [b"plain"]) * 4,
}
FILES = st.fixed_dictionaries(
    {"graph": NODES, "log": LOG}, optional={"run": RUN, "run2": RUN})

PATTERNS = st.lists(st.sampled_from(
    [".*", "a", "a/.*", "[ab]", "NoOp", ".*gpu.*", "", "(a|b).*", r".*\.py.*",
     "_TFProfRoot", ".{2,}"]), max_size=2).map(",".join)
OPTIONS = st.fixed_dictionaries({}, optional={
    "max_depth": st.sampled_from([-1, 0, 1, 2, 3, 100, (1 << 31) - 1]),
    "step": st.sampled_from([-2, -1, -1, -1, 0, 0, 1, 2]),
    "order_by": st.sampled_from(["name", "depth", *COSTS]),
    "account_displayed_op_only": st.sampled_from(["true", "false"]),
    "select": st.one_of(st.just(EVERYTHING), st.lists(st.sampled_from(
        EVERYTHING.split(",")), min_size=1, max_size=4).map(",".join)),
    **{f"min_{cost}": NUMBER for cost in COSTS[::3]},
    **{name: PATTERNS for name in (
        "account_type_regexes", "start_name_regexes", "trim_name_regexes",
        "show_name_regexes", "hide_name_regexes", "device_regexes")},
})

seen = collections.Counter()
SEED = zlib.crc32(b"views" + os.environ.get("TFPROF_TEST_SEED", "").encode())


@hypothesis.seed(SEED)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(FILES, OPTIONS)
def ask_anything(files, options):
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(pathlib.Path(place), **{
            name: HEADS[name.rstrip("2")] + data
            for name, data in files.items()})
        args = [*folder.args, *(f"--{name}={value}"
                                for name, value in options.items())]
        for view in VIEWS:
            answers = {form: run(view, *args, "--format", form)
                       for form in FORMATS}
            check_answers(view, answers)


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
                  for view in VIEWS))
    assert all(seen[view, 0] > DRAWS // 4 for view in VIEWS)
