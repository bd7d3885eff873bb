"""Notes on answers that say nothing: which filter left nothing to show, and
what the inputs cannot tell."""

# labels: both

import collections
import json
import pathlib
import re
import tempfile

import hypothesis
import pytest

import drawing
import upstream
from faults import SANITIZED, SLOW, run
from messages import CPU, Folder, VIEWS, entry, node_def, notes, record, run_of
from prompting import feed

DRAWS = 2000 if SLOW else 40 if SANITIZED else 120
RESNET = upstream.model("resnet")
NO_RUNS = ("no run records were loaded, so times and sizes are 0 (give run "
           "metadata with --run_meta_path)")
NO_PARAMS = ("no variable or placeholder has a known shape, so there are no "
             "parameters")
NO_FLOAT_OPS = ("no float operations were found (tfprof flops --uncounted "
                "lists the operations without a count)")
EMPTY = "nothing is shown: "


def ask(view, *args, inputs=RESNET):
    """(rows of the answer, notes)"""
    code, out, err = run(view, *inputs, *map(str, args), "--format", "json")
    assert code == 0, err
    return json.loads(out)["rows"], notes(err)


def hint(view, *args, inputs=RESNET):
    """The one note on an answer without rows, without its beginning."""
    found, told = ask(view, *args, inputs=inputs)
    assert len(found) == (view != "op")
    assert len(told) == 1 and told[0].startswith(EMPTY), told
    return told[0][len(EMPTY):]


def count(view, *args):
    """Rows, but for the root."""
    return len(ask(view, *args)[0]) - (view != "op")


# ---- One filter --------------------------------------------------------------

@pytest.mark.parametrize("view", VIEWS)
def test_a_minimum(view):
    found = ask(view, "-max_depth", 1000)[0]
    largest = max(row["total"]["micros"] for row in found if row["depth"] > 0)
    many = count(view)
    assert hint(view, "-min_micros", largest + 1) == (
        f"--min_micros {largest + 1} excludes all {many} rows (the largest "
        f"value is {largest})")
    assert ask(view, "-min_micros", largest)[1] == []


@pytest.mark.parametrize("view,name", [
    ("scope", "gradients"), ("graph", "train_step"), ("op", "Mean"),
    ("code", "resnet_main.py:221:<module>")])
@pytest.mark.parametrize("option", ["show", "start"])
def test_a_pattern_that_matches_a_part(view, name, option):
    part = name[1:-1]
    option = f"-{option}_name_regexes"
    found = hint(view, option, part, "-max_depth", 1000)
    pattern = f".*{part}.*"
    proposed = count(view, option, pattern, "-max_depth", 1000)
    assert found == (
        f"no name in {count(view, '-max_depth', 1000)} rows matches -{option} "
        f"'{part}' (a pattern must match the complete name: '{pattern}' shows "
        f"{proposed} row{'' if proposed == 1 else 's'})")
    assert proposed > 0


@pytest.mark.parametrize("given,proposed", [
    ("conv.*", ".*conv.*"), (".*/conv1/D", ".*/conv1/D.*"), ("CONV", "(?i).*CONV.*"),
    ("conv|bias", ".*(?:conv|bias).*"), ("conv,bias", ".*conv.*,.*bias.*"),
    ("xyz", None), (".*xyz.*", None), ("a\\,b", None), ("x" * 90, None)])
def test_what_is_proposed(given, proposed):
    found = hint("scope", "-show_name_regexes", given)
    match = re.search(r"the complete name: '(.*)' shows (\d+) rows\)", found)
    assert (match and match[1]) == proposed
    if proposed:
        assert count("scope", "-show_name_regexes", proposed) == int(match[2])


def test_what_is_proposed_may_lie_deeper():
    """In text the op view shows ten types by itself."""
    asked = ["op", "-max_depth", 10, "-show_name_regexes"]
    pattern = "(?i).*relu.*"
    assert count(*asked, pattern) == 0
    deep = count(*asked, pattern, "-max_depth", 99)
    assert hint(*asked, "relu") == (
        f"no name in {count('op', '-max_depth', 10)} rows matches "
        "--show_name_regexes 'relu' (a pattern must match the complete name: "
        f"'{pattern}' with a larger --max_depth shows {deep} rows)")


def test_a_type():
    assert hint("op", "-account_type_regexes", "conv2d") == (
        "no type in the model matches --account_type_regexes 'conv2d' (a "
        "pattern must match the complete type: '(?i).*conv2d.*' shows 3 rows)")
    assert hint("scope", "-account_type_regexes", "Nope") == (
        "no type in the model matches --account_type_regexes 'Nope'")


def test_a_device():
    found = hint("graph", "-device_regexes", "gpu")
    assert re.fullmatch(
        r"no device in \d+ rows matches --device_regexes 'gpu' \(a pattern "
        r"must match the complete name: '\.\*gpu\.\*' shows \d+ rows\)", found)
    assert hint("op", "-device_regexes", "gpu", inputs=RESNET[:1]) == (
        "no device in 33 rows matches --device_regexes 'gpu' (no device is "
        "known; give run records with --run_meta_path)")


@pytest.mark.parametrize("view,args,tail", [
    ("scope", ["-max_depth", 0], " (the root is the first level)"),
    ("code", ["-max_depth", 0], " (the root is the first level)"),
    ("op", ["-max_depth", -1], ""),
    ("op", ["-trim_name_regexes", "'.*'"], ""),
    ("graph", ["-hide_name_regexes", "'.*'"], ""),
    ("code", ["-trim_name_regexes", "'.*'"], ""),
])
def test_what_takes_everything_away(view, args, tail):
    option, value = args
    many = count(view, *(["-max_depth", 1000] if "depth" in option else []))
    assert hint(view, option, str(value).strip("'")) == (
        f"-{option} {value} excludes all {many} rows{tail}")


@pytest.mark.parametrize("view", ["scope", "graph", "code"])
def test_who_asks_for_the_root_gets_it(view):
    for more in ([], ["-min_micros", 9999999], ["-show_name_regexes", "nope"]):
        found, told = ask(view, "-max_depth", 1, *more)
        assert (len(found), told) == (1, [])


def test_what_lies_deep_is_cut_off_by_depth():
    """Its name was right."""
    name = max((row["name"] for row in ask("scope", "-max_depth", 99)[0]),
               key=lambda name: name.count("/"))
    assert hint("scope", "-show_name_regexes", re.escape(name), "-max_depth",
                3).startswith("--max_depth 3 excludes the only row")


def test_a_type_that_other_filters_take():
    """Then it is not said that nothing matches."""
    graph = b"".join(node_def(name, op) for name, op in (
        (b"a/b/c/deep", b"Deep"), (b"flat", b"Flat")))
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(pathlib.Path(place), graph=graph, run=run_of(
            (CPU, record(b"flat", end=9) + record(b"a/b/c/deep", end=2))))
        assert folder.ask("graph", "-account_type_regexes", "Deep",
                          "-min_micros", 5, "-show_name_regexes", "[^a].*")[
            1] == [f"{EMPTY}--account_type_regexes 'Deep' excludes the only "
                   "row"]


def test_filters_that_go_together():
    assert hint("scope", "-min_params", 100000000, "-show_name_regexes",
                "nope") == (
        "--show_name_regexes 'nope' and --min_params 100000000 together "
        f"exclude all {count('scope')} rows")


def test_a_long_value_is_cut():
    found = hint("scope", "-show_name_regexes", "x" * 200)
    assert found.endswith("'" + "x" * 63 + "...'")
    many = ",".join(f"pattern_{i}" for i in range(40))
    told = ask("scope", "-show_name_regexes", many, "-start_name_regexes", many,
               "-device_regexes", many, "-account_type_regexes", many)[1]
    assert len(told) == 1 and "together exclude all" in told[0]
    assert len(told[0]) < 255 and "and others" in told[0]


def test_control_bytes_are_escaped():
    assert hint("scope", "-show_name_regexes", "\x1b2J").count(r"\x1b") == 1


# ---- Figures -----------------------------------------------------------------

def test_times_without_runs():
    inputs = RESNET[:1]
    for args in (["-select", "micros"], ["-select", "params,bytes"],
                 ["--sort", "cpu_micros"], ["-order_by", "peak_bytes"]):
        assert ask("scope", *args, inputs=inputs)[1] == [NO_RUNS]
    found, told = ask("op", "-min_micros", 1, inputs=inputs)
    assert found == [] and told == [
        NO_RUNS, f"{EMPTY}--min_micros 1 excludes all 33 rows (the largest "
        "value is 0)"]
    for args in ([], ["-select", "params"], ["-select", "occurrence,device"]):
        assert ask("scope", *args, inputs=inputs)[1] == []
    assert ask("scope", "-select", "micros,bytes")[1] == []


def test_counts_that_nothing_has(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a") + node_def(b"b"))
    for args, told in (
            ([], []), (["-select", "occurrence"], []),
            (["-select", "params"], [NO_PARAMS]),
            (["--top", "1"], [NO_PARAMS]),
            (["-select", "float_ops"], [NO_FLOAT_OPS]),
            (["-select", "float_ops", "-formulas", "none"], []),
            (["-select", "params,float_ops"], [NO_PARAMS, NO_FLOAT_OPS])):
        assert folder.ask("scope", *args)[1] == told
    has = Folder(tmp_path, graph=node_def(b"a", b"VariableV2", shape=[2]) * 2
                 + node_def(b"b"), log=entry(b"b", float_ops=7))
    for view in ("scope", "graph", "op"):
        # not asked for, but there
        assert NO_PARAMS not in has.ask(view, "-select", "params,float_ops",
                                        "-account_type_regexes", "NoOp")[1]


def test_inputs_without_a_node(tmp_path):
    folder = Folder(tmp_path, graph=b"\x22\x02\x08\x1b")
    for view in ("scope", "graph", "op"):
        assert folder.ask(view, "-select", "micros,params")[1] == [
            "the inputs contain no nodes"]


# ---- Where notes go ----------------------------------------------------------

@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_quiet_is_quiet_and_stdout_is_the_same(form):
    args = ["scope", *RESNET, "-max_depth", "0", "--format", form]
    code, out, err = run(*args)
    assert code == 0 and notes(err)
    assert run(*args, "-q") == (0, out, b"")


def test_files_get_notes_too(tmp_path):
    for kind in ("file", "pprof", "timeline", "folded", "speedscope", "html"):
        code, out, err = run(
            "scope", *RESNET, "-select", "micros", "-min_micros", "9999999",
            "-output", f"{kind}:outfile={tmp_path / kind}")
        assert (code, out) == (0, b"")
        assert [note for note in notes(err) if note.startswith(EMPTY)]


def test_the_prompt_has_notes():
    code, out, err = feed(["op -max_depth -1", "op -max_depth 0"],
                          *map(str, RESNET))
    assert code == 0 and len(out.splitlines()) == 3
    assert err.decode() == (
        f"tfprof: line 1: note: {EMPTY}--max_depth -1 excludes all 37 rows\n")


# ---- Notes are true ----------------------------------------------------------

LIFTED = {"max_depth": "2147483647", "trim_name_regexes": "",
          "start_name_regexes": ".*", "show_name_regexes": ".*",
          "hide_name_regexes": "", "device_regexes": ".*",
          "account_type_regexes": ".*"}
seen = collections.Counter()


def without(args, names):
    """The same question with these filters lifted."""
    return [*args, *(f"--{name}={LIFTED.get(name, -1 << 63)}"
                     for name in names)]


def rows_of(view, args):
    code, out, err = run(view, *args, "--format", "json")
    assert code == 0, err
    return len(json.loads(out)["rows"]) - (view != "op"), notes(err)


def check_note(view, args, note):
    said, _, proposed = note.partition(" (a pattern must match ")
    names = re.findall(r"-([a-z]+_[a-z_]+) ", said)
    assert names
    match = re.search(r"(?:all|in) (\d+) row", note)
    left = rows_of(view, without(args, names))[0]
    if "no type in the model" in note:
        assert left > 0
    elif "and others" not in note:
        assert left == (int(match[1]) if match else 1)
    if "together" in note and "others" not in note:
        for name in names:  # none of them will do
            others = [other for other in names if other != name]
            assert rows_of(view, without(args, others))[0] == 0
    if proposed:
        pattern, deeper, rows = re.search(
            r": '(.*)'( with a larger --max_depth)? shows (\d+) rows?\)$",
            proposed).groups()
        question = [*args, f"--{names[0]}={pattern}"]
        deep = rows_of(view, [*question, "--max_depth=2147483647"])[0]
        assert (0 if deeper else int(rows)) == rows_of(view, question)[0]
        assert not deeper or deep == int(rows)
    seen["together" if "together" in note else names[0]] += 1


@hypothesis.seed(88)
@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     phases=[hypothesis.Phase.generate],
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS)
def ask_anything(files, options):
    with drawing.question(files, options) as (_, args):
        for view in VIEWS:
            code, _, _ = run(view, *args)
            if code != 0:
                continue
            left, told = rows_of(view, args)
            if view != "op" and options.get("max_depth") == 1:
                assert left == 0
                continue
            told = [note[len(EMPTY):] for note in told
                    if note.startswith(EMPTY)]
            assert len(told) <= (left == 0)
            for note in told:
                check_note(view, args, note)
            if left == 0 and not told:  # nothing could have been shown
                assert rows_of(view, without(args, [*LIFTED, *(
                    f"min_{cost}" for cost in drawing.COSTS)]))[0] == 0
                seen["nothing to show"] += 1


def test_notes_on_random_questions_are_true(say):
    ask_anything()
    say(", ".join(f"{name}: {times}" for name, times in seen.most_common()))
    assert sum(seen.values()) > DRAWS / 2
    assert len(seen) > (3 if SANITIZED else 5)
