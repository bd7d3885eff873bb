"""--format table: a view as people see it on a terminal.

tests/golden/screens has what a window of 80 and one of 140 columns show;
TFPROF_UPDATE=1 stores that anew, and its diff is to be read.
"""

import csv
import io
import json
import os
import re
import shutil

import pytest

import program
from messages import entry, frame, strings
from program import SOURCE_DIR
from screens import environment, on_screen, plain, widest

SCREENS = SOURCE_DIR / "tests" / "golden" / "screens"
TRACES = SOURCE_DIR / "tests" / "data" / "traces"
UPDATE = os.environ.get("TFPROF_UPDATE") == "1"
RUNS = {"resnet": 3, "bert": 2, "cifar": 4, "lm": 2, "while": 2}


LINES = {b"conv_1": 12, b"pool_1": 13, b"flat_1": 14, b"hidden_1": 15,
         b"out_1": 16}


def op_log(trace):
    """As tfprof.trace(model=M) writes it: a line for each layer, and the call
    of fit() for what is in none."""
    names = {row["name"].encode().split(b"/", 1)[1] for row in json.loads(
        program.run("scope", "-q", trace, "-select", "micros", "--format",
                    "json").stdout)["rows"] if "/" in row["name"]}
    words = {1: b"/home/me/train.py", 2: b"call", 3: b"x = self.layer(x)",
             4: b"<module>", 5: b"model.fit(data)"}
    log = b""
    for name in sorted(names):
        layer = [line for part, line in LINES.items() if part in name]
        log += entry(name, frame(1, 30, 4, 5)
                     + b"".join(frame(1, line) for line in layer[:1]))
    return log + strings(words)


@pytest.fixture(scope="session", name="samples")
def add_lines(samples):
    shutil.copytree(samples / "keras", samples / "keras_lines")
    (trace,) = (samples / "keras_lines").rglob("*.xplane.pb")
    (trace.parent / "tfprof_log").write_bytes(op_log(trace))
    return samples


def inputs(samples, name):
    """What is given for a model: its files, or its folder."""
    if name in RUNS:
        graph = "graph.pb" if (samples / name / "graph.pb").exists() else \
            "graph.pbtxt"
        return [samples / name / file for file in
                (graph, *(f"run_meta_{i}" for i in range(RUNS[name])),
                 "op_log")]
    if (TRACES / f"{name}.xplane.pb").exists():
        return [TRACES / f"{name}.xplane.pb"]
    return [samples / name]


# ---- Screens -----------------------------------------------------------------

QUESTIONS = [
    ("scope", "resnet"), ("op", "resnet"), ("code", "resnet"),
    ("scope", "bert"), ("op", "bert"), ("code", "bert"),
    ("scope", "mobilenet", "-select", "params"),
    ("op", "jax"), ("code", "jax"), ("steps", "jax"),
    ("op", "keras"), ("steps", "keras"), ("code", "keras_lines"),
    ("flops", "mobilenet"),
    *(("summary", name) for name in ("resnet", "bert", "mobilenet", "jax",
                                     "keras")),
    ("advise", "resnet"), ("advise", "bert"), ("advise", "keras"),
]


def screen(samples, columns, command, name, *options):
    paths = [path.relative_to(samples) for path in inputs(samples, name)]
    return plain(on_screen(command, "-q", *paths, *options, columns=columns,
                           cwd=os.fspath(samples)))


@pytest.mark.parametrize("columns", [80, 140])
@pytest.mark.parametrize("question", QUESTIONS, ids="_".join)
def test_a_terminal_shows_this(samples, question, columns):
    shown = screen(samples, columns, *question)
    kept = SCREENS / f"{question[0]}_{question[1]}_{columns}.txt"
    if UPDATE:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(shown)
    assert shown == kept.read_text()
    assert widest(shown) <= columns


def test_every_screen_is_asked_for():
    assert {path.stem for path in SCREENS.iterdir()} == {
        f"{question[0]}_{question[1]}_{columns}"
        for question in QUESTIONS for columns in (80, 140)}


# ---- Order -------------------------------------------------------------------

ORDERED = ["resnet", "bert", "cifar", "lm", "while", "jax", "keras",
           "gen_jax-gpu", "gen_tf-gpu"]


def table(samples, command, name, *options):
    done = program.run(command, "-q", *inputs(samples, name), *options,
                       "--format", "table", "--width", "200",
                       env=environment())
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def rows_of(text):
    """(indent, name) of each row; names stand behind the title of theirs."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines)
                 if re.match(r" *total\b", line))
    at = max(lines[start].rfind(word) for word in ("name", "line", "operation"))
    rows = []
    for line in lines[start + 1:]:
        if line.startswith(("not shown:", "more:")):
            break
        name = line[at:]
        rows.append((len(name) - len(name.lstrip()), name.strip()))
    return rows


def as_csv(samples, command, name, *options):
    done = program.run(command, "-q", *inputs(samples, name), *options,
                       "-max_depth", "100000", "--format", "csv")
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


@pytest.mark.parametrize("name", ORDERED)
def test_op_begins_with_the_five_largest(samples, name):
    rows = as_csv(samples, "op", name, "-select", "micros")
    largest = sorted((row for row in rows if float(row["micros"]) > 0),
                     key=lambda row: -float(row["micros"]))[:5]
    shown = [row for _, row in rows_of(table(samples, "op", name))][:5]
    by_name = {row["name"]: float(row["micros"]) for row in rows}
    assert [by_name[row] for row in shown if row in by_name] == [
        float(row["micros"]) for row in largest]


# Traces of TensorFlow have no lines.
WITH_LINES = [name for name in ORDERED if name not in ("keras", "gen_tf-gpu")]


@pytest.mark.parametrize("command, name", [
    *(("scope", name) for name in ORDERED),
    *(("code", name) for name in WITH_LINES)])
def test_the_root_begins_with_its_five_largest(samples, command, name):
    rows = as_csv(samples, command, name, "-select", "micros")
    totals = sorted((float(row["total_micros"]) for row in rows
                     if row["depth"] == "1"), reverse=True)[:5]
    by_name = {}
    for row in rows:
        if row["depth"] == "1":
            by_name.setdefault(row["name"], []).append(
                float(row["total_micros"]))
    shown = [row for indent, row in rows_of(table(samples, command, name))
             if indent == 2][:5]
    assert len(shown) == min(5, len([t for t in totals if t > 0]))
    for row, total in zip(shown, totals):
        assert total in by_name[row], row


# ---- Layout ------------------------------------------------------------------

@pytest.mark.parametrize("columns", range(60, 201, 20))
@pytest.mark.parametrize("question", QUESTIONS[:9], ids="_".join)
def test_it_fits_the_window(samples, question, columns):
    assert widest(screen(samples, columns, *question)) <= columns


def test_a_narrow_window_has_two_columns(samples):
    text = screen(samples, 59, "scope", "resnet")
    assert re.search(r"^ *total  name$", text, re.M)
    assert widest(text) <= 59
    assert "accelerator (no room)" in text


def test_lines_of_code_are_never_cut(samples):
    text = screen(samples, 60, "code", "bert", "-max_depth", "30")
    whole = table(samples, "code", "bert", "-max_depth", "30")
    places = re.compile(r"\w+\.py:\d+")
    assert len(places.findall(whole)) > 10
    assert places.findall(text) == places.findall(whole)


def test_without_utf8_bars_are_ascii(samples):
    text = on_screen("op", "-q", *inputs(samples, "jax"), LC_ALL="C")
    assert plain(text).isascii()
    assert "####" in text


def test_columns_that_say_nothing_are_left_out(samples):
    text = table(samples, "op", "jax")
    assert "not shown: accelerator (0), CPU (equals total)\n" in text
    assert "accelerator" not in text.splitlines()[2]


def test_rows_of_zero_are_left_out_and_counted(samples):
    text = table(samples, "scope", "bert", "-top", "0", "-max_depth", "1000")
    left = int(re.search(r"([\d,]+) rows with only zeros", text)[1].replace(",", ""))
    rows = as_csv(samples, "scope", "bert", "-select", "micros")
    zero = [row for row in rows if float(row["total_micros"]) == 0]
    assert left == len(zero) > 100
    assert len(rows_of(text)) == len(rows) - len(zero)


def test_the_rest_of_a_level_is_one_row(samples):
    text = table(samples, "op", "resnet")
    assert len(rows_of(text)) == 11
    assert re.search(r"\(\d+ more: [\d.]+ms\)$", text, re.M)
    assert "--top 0 (all rows)" in text


# ---- When it is asked for ----------------------------------------------------

def is_table(text):
    return re.search(r"^more: ", plain(text), re.M) is not None


def test_text_stays_where_no_person_reads(samples, tmp_path):
    jax = inputs(samples, "jax")
    piped = program.run("op", "-q", *jax, env=environment()).stdout
    assert not is_table(piped.decode())
    assert is_table(on_screen("op", "-q", *jax))
    assert not is_table(on_screen("op", "-q", *jax, "--format", "text"))
    assert not is_table(on_screen("op", "-q", *jax, TFPROF_FORMAT="text"))
    out = tmp_path / "out.txt"
    on_screen("op", "-q", *jax, "-output", f"file:outfile={out}")
    assert out.read_bytes() == piped


def test_the_environment_can_ask_for_it(samples):
    jax = inputs(samples, "jax")
    wanted = environment(TFPROF_FORMAT="table")
    text = program.run("op", "-q", *jax, env=wanted).stdout.decode()
    assert is_table(text) and widest(text) <= 80
    given = program.run("op", "-q", *jax, "--format", "text", env=wanted).stdout
    assert not is_table(given.decode())


def test_an_option_wins_even_at_its_default(samples):
    resnet = inputs(samples, "resnet")
    names = [name for _, name in rows_of(
        on_screen("op", "-q", *resnet, "-order_by", "name", "-top", "100",
                  "--color", "never", columns=200))]
    assert names == sorted(names) and len(names) > 30
    deep = rows_of(table(samples, "scope", "resnet", "-max_depth", "10"))
    assert max(indent for indent, _ in deep) > max(
        indent for indent, _ in rows_of(table(samples, "scope", "resnet")))
    rows = rows_of(table(samples, "op", "resnet", "-max_depth", "2"))
    assert len(rows) == 3


@pytest.mark.parametrize("view", ["scope", "op", "code"])
@pytest.mark.parametrize("first, second, by", [
    ("micros", "bytes", "time"), ("bytes", "micros", "bytes"),
    ("time", "params", "time"), ("params", "time", "params")])
def test_what_is_selected_first_leads(samples, view, first, second, by):
    text = table(samples, view, "resnet", "-select", f"{first},{second}")
    assert f"{view} by {by}," in text.splitlines()[0]
    meaning = {"time": "micros"}.get(first, first)
    which = meaning if view == "op" else f"total_{meaning}"
    rows = as_csv(samples, view, "resnet", "-select", f"{first},{second}")
    if view != "op":
        rows = [row for row in rows if row["depth"] == "1"]
    best = max(rows, key=lambda row: int(row[which]) *
               (row["name"] != "_TFProfRoot"))
    assert rows_of(text)[0 if view == "op" else 1][1].split("  ")[0].startswith(
        best["name"][:40])
