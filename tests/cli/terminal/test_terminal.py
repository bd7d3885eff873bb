"""How text looks on a terminal, and that it never does elsewhere."""

# labels: long

import functools
import json
import os
import re
import unicodedata

import pytest

import flops_truth
import program
import upstream
from messages import node_def
from program import DATA_DIR, SOURCE_DIR
from prompting import home, once, shown, terminal
from screens import (BLOCKS, COLOR, environment, on_screen, plain, widest,
                     without_bars)
from upstream import model

PLAIN = ("--color", "never", "--width", "0")

VIEWS = {
    "op": ("op", "resnet", "-select", "micros,occurrence", "-order_by",
           "micros", "-max_depth", "60"),
    "op_bytes": ("op", "resnet", "-select", "bytes,params,device"),
    "scope": ("scope", "bert", "-select", "micros", "-max_depth", "12"),
    "params": ("scope", "resnet", "-select", "params,float_ops"),
    "graph": ("graph", "bert", "-select", "bytes,op_types", "-max_depth",
              "6"),
    "code": ("code", "resnet", "-select", "params", "-max_depth", "50"),
    "words": ("scope", "resnet", "-select", "micros,device,op_types",
              "-max_depth", "3"),
    "inputs": ("scope", "resnet", "-select", "micros,input_shapes",
               "-max_depth", "2"),
    "forms": ("op", "resnet", "-select", "micros,input_shapes"),
}
# Upstream has an empty line before the forms of a row, and behind them.
DENSE = [name for name in VIEWS if name != "forms"]


def question(name):
    command, inputs, *options = VIEWS[name]
    return [command, "-q", *model(inputs), *options, "--format", "text"]


@functools.cache  # one answer serves many tests
def window(name, columns):
    return on_screen(*question(name), columns=columns)


@functools.cache
def pipe(name):
    return piped(*question(name))


def piped(*args, **values):
    done = program.run(*args, env=environment(**values))
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- The window --------------------------------------------------------------

@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("name", VIEWS)
def test_no_line_is_longer_than_the_window(name, columns):
    text = window(name, columns)
    assert widest(pipe(name).decode()) >= 80
    assert widest(text) <= columns


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("name", DENSE)
def test_no_line_is_empty_or_ends_in_a_blank(name, columns):
    text = plain(window(name, columns))
    assert not re.search(r" $|^$", text.removesuffix("\n"), re.M)


def figures(text):
    """What stands in parentheses, and before them in the op view."""
    text = re.sub(r"\s+", " ", text).replace("( ", "(")
    return re.findall(r"(?:[\d.]+[um]?s(?:ec)? )?\([^()]*\)", text)


@pytest.mark.parametrize("columns", [1, 17, 40, 80])
@pytest.mark.parametrize("name", ["op", "params"])
def test_figures_are_never_cut(name, columns):
    """Whatever the window."""
    told = figures(plain(window(name, columns)))
    assert told == figures(pipe(name).decode())
    assert len(told) > 100


@pytest.mark.parametrize("name", VIEWS)
def test_a_wide_window_has_bars_before_the_same_text(name):
    text = on_screen(*question(name), columns=3000)
    assert without_bars(text) == piped(*question(name)).decode()


@pytest.mark.parametrize("name", VIEWS)
def test_without_a_width_only_colours_are_added(name):
    text = on_screen(*question(name), "--width", "0")
    same = piped(*question(name)).decode()
    assert plain(text) == same and text != same
    assert on_screen(*question(name), *PLAIN) == same


def test_long_names_lose_their_middle():
    lines = without_bars(on_screen(*question("scope"))).splitlines()
    names = [re.fullmatch(r" *(\S+) \(.*", line).group(1)
             for line in lines if " (" in line]
    whole = re.findall(r"^ *(\S+) \(", piped(*question("scope")).decode(), re.M)
    cut = [name for name in names if "…" in name]
    assert len(cut) > 10
    for name in cut:
        head, tail = name.split("…")
        assert len(name) >= 16 and abs(len(head) - len(tail)) <= 1
        assert any(w.startswith(head) and w.endswith(tail) and
                   len(w) > len(name) for w in whole), name
    assert [n for n in names if "…" not in n] == [
        w for w, n in zip(whole, names) if "…" not in n]


def test_a_name_is_not_shortened_where_that_saves_no_line():
    """Whoever has a line alone has all of it."""
    assert "Conv2DBackpropFilter\n" in on_screen(*question("op"), *PLAIN[:2],
                                                 columns=40)
    advise = ["advise", "-q", *model("resnet"), "--format", "text"]
    narrow = on_screen(*advise, *PLAIN[:2], columns=40)
    assert "    where: " in narrow and narrow == piped(*advise).decode()


def chain(tmp_path, depth, name="some_node_with_quite_a_long_name_{:04}"):
    path = tmp_path / "graph.pb"
    names = [name.format(i).encode() for i in range(depth)]
    path.write_bytes(b"".join(node_def(names[i], inputs=names[i + 1:i + 2])
                              for i in range(depth)))
    return path


@pytest.mark.parametrize("columns, deepest_blanks", [(80, 26), (48, 16)])
def test_deep_rows_say_how_deep_they_are(tmp_path, columns, deepest_blanks):
    args = ["graph", "-q", chain(tmp_path, 300), "-max_depth", "1000",
            "-select", "params", "--charset", "ascii", "--format", "text"]
    lines = plain(on_screen(*args, columns=columns)).splitlines()[1:]
    assert len(lines) == 301 and widest("\n".join(lines)) <= columns
    for level, line in enumerate(lines[1:], 1):
        blanks, tag, name = re.match(r"( *)(\d+> )?(\S+) \(", line).groups()
        if 2 * level <= deepest_blanks:
            assert (len(blanks), tag) == (2 * level, None)
        else:
            assert len(blanks + tag) == deepest_blanks
            assert tag == f"{level}> "
        assert len(name) >= 16
    assert on_screen(*args, *PLAIN) == piped(*args).decode()


def test_OU_10_odd_names_fit_too(tmp_path):
    """Wide characters, marks, and what is shown as \\xHH, which stays whole."""
    strange = ["漢字" * 20, "e\u0301" * 50, "\x1b[2J" * 12, "a" + "\u202e" * 9,
               "😀/" * 30, "plain"]
    path = tmp_path / "graph.pb"
    path.write_bytes(b"".join(node_def(name.encode()) for name in strange))
    for columns in (40, 61, 80):
        text = plain(on_screen("scope", "-q", path, "-select", "params",
                               columns=columns))
        assert widest(text) <= columns
        assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)
        assert not re.search(r"\\(?!x[0-9a-f]{2})", text)


def test_the_window_may_change_between_questions(terminal):
    session = terminal(*model("bert"), look=(), columns=80)
    for columns in (80, 50, 120, 40):
        session.child.setwinsize(24, columns)
        if columns != 80:
            session.wait_prompt()  # drawn again in the new window
        session.press("scope -select micros -max_depth 5\r")
        echo, _, answer = shown(session.wait_prompt()).partition("\n")
        assert 0.8 * columns < widest(answer) <= columns, echo
    session.quit()


def test_options_hold_at_the_prompt(terminal):
    session = terminal(look=(), columns=100)
    ask = "scope -select params -format text"
    same = once(*ask.split())
    assert without_bars(session.ask(ask)) == same != session.ask(ask)
    assert session.ask(f"{ask} -width 0 -color never") == same
    assert session.ask("set -color never -width 0") == ""
    assert session.ask(ask) == same
    assert session.ask("reset") == ""
    assert session.ask(ask) != same
    session.quit()


def test_colours_of_complaints_can_be_set_at_the_prompt(terminal):
    session = terminal(look=())
    red, plain_ = "\x1b[31mtfprof:\x1b[0m unknown", "tfprof: unknown"
    assert session.ask("nonsense").startswith(red)
    assert session.ask("scope -color never -nonsense").startswith(plain_)
    assert session.ask("scope -nonsense").startswith(red)
    assert session.ask("set -color never") == ""
    assert session.ask("nonsense").startswith(plain_)
    assert session.ask("reset") == ""
    assert session.ask("nonsense").startswith(red)
    session.quit()


def test_columns_are_asked_of_the_environment_last():
    narrow = on_screen(*question("scope"), columns=60)
    assert on_screen(*question("scope"), columns=60, COLUMNS="99") == narrow
    assert on_screen(*question("scope"), columns=0, COLUMNS="60") == narrow
    for odd in ("", "many", "-5", "60x", "9" * 30, "0"):
        text = on_screen(*question("scope"), columns=0, COLUMNS=odd)
        assert plain(text) == piped(*question("scope")).decode(), odd


# ---- Bars --------------------------------------------------------------------

def bar(part, whole):
    eighths = int(part / whole * 64 + 0.5)
    full, rest = divmod(min(eighths, 64), 8)
    return (BLOCKS[8] * full + (BLOCKS[rest] if rest else "")).ljust(8)


def test_bars_are_the_share_of_the_total_in_a_tree():
    answer = json.loads(piped(*question("scope"), "--format", "json"))
    lines = plain(on_screen(*question("scope"), columns=500)).splitlines()
    found = [row["total"]["micros"] for row in answer["rows"]]
    assert [line[:8] for line in lines[1:]] == [
        bar(micros, found[0]) for micros in found]
    assert len(set(line[:8] for line in lines)) > 8


def test_bars_are_the_own_share_in_the_op_view():
    lines = plain(on_screen(*question("op"), columns=500)).splitlines()[1:]
    assert len(lines) > 20
    for line in lines:
        share = float(re.search(r"%, *([\d.]+)%\)", line).group(1))
        drawn = sum(BLOCKS.index(block) for block in line[:8])
        assert abs(drawn - share / 100 * 64) <= 1, line


@pytest.mark.parametrize("values", [
    {"LC_ALL": "C"}, {"LC_ALL": None}, {"LC_ALL": "de_DE.ISO-8859-1"},
    {"LC_ALL": "", "LANG": "C"}, {"TERM": "dumb"}, {"TERM": None},
    {"LC_ALL": None, "LC_CTYPE": "C", "LANG": "C.UTF-8"}])
def test_without_utf8_there_are_no_bars(values):
    text = on_screen(*question("scope"), **values)
    assert text.isascii() and ".." in text and widest(text) <= 80
    assert on_screen(*question("scope"), "--charset", "ascii",
                     TERM=values.get("TERM", "xterm")) == text


@pytest.mark.parametrize("values", [
    {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": None, "LANG": "en_US.utf8"},
    {"LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"},
    {"LC_ALL": "sr_RS.UTF-8@latin"}])
def test_the_locale_tells_of_utf8(values):
    assert on_screen(*question("scope"), **values) == on_screen(
        *question("scope"))


def test_nothing_to_draw_takes_no_room():
    text = plain(on_screen("scope", "-q", *model("bert"), "-select",
                           "op_types", "--format", "text", columns=1000))
    assert text.startswith("node name")
    narrow = plain(on_screen(*question("scope"), columns=59))
    assert narrow.startswith("node name") and "█" not in narrow


# ---- Colours -----------------------------------------------------------------

def test_colours_have_a_meaning():
    lines = on_screen(*question("op"), "--width", "0").splitlines()
    assert lines[0].startswith("\x1b[2m") and lines[0].endswith("\x1b[0m")
    for line in lines[1:]:
        figure = re.search(r"(\S+) \(.*?%, *([\d.]+)%\)", line)
        if float(figure.group(2)) >= 10:
            assert re.match(r"\x1b\[1m\w+\x1b\[0m  ", line)
        elif figure.group(1) == "0us":
            assert re.fullmatch(r"\x1b\[2m[^\x1b]+\x1b\[0m", line)
        else:
            assert "\x1b" not in line
    kinds = {line[:4] for line in lines[1:]}
    assert {"\x1b[1m", "\x1b[2m"} < kinds


def test_the_rest_is_not_bold():
    lines = on_screen("op", "-q", *model("resnet"), "-select", "micros",
                      "--top", "3", "--width", "0", "--format",
                      "text").splitlines()
    assert any(line.startswith("\x1b[1m") for line in lines)
    assert re.match(r"\(\d+ more\) ", lines[-1]), lines


@pytest.mark.parametrize("values, has_colour", [
    ({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
    ({"NO_COLOR": "0"}, False), ({"TERM": "dumb"}, False),
    ({"TERM": None}, False), ({"CLICOLOR": "0"}, True)])
def test_NO_COLOR_and_TERM(values, has_colour):
    text = on_screen(*question("op"), **values)
    assert bool(COLOR.search(text)) == has_colour
    always = on_screen(*question("op"), "--color=always", **values)
    assert COLOR.search(always) and plain(always) == plain(text)
    never = on_screen(*question("op"), "--color", "never", **values)
    assert never == plain(text)


LOUD = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "CLICOLOR": "1",
        "CLICOLOR_FORCE": "1", "FORCE_COLOR": "3", "COLUMNS": "40",
        "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("name", VIEWS)
def test_a_pipe_gets_the_same_bytes_in_every_environment(name):
    silent = {variable: None for variable in LOUD}
    assert piped(*question(name), **LOUD) == piped(*question(name), **silent)


def test_what_upstream_prints_stays_the_same_in_every_environment():
    """A part of its cases; all of them are run without these variables."""
    cases = upstream.CASES[::12]
    loud = upstream.run_all(cases, env=environment(**LOUD))
    silent = upstream.run_all(cases)
    assert len(cases) > 50
    for name, answer in loud.items():
        assert answer.same_as(silent[name]), name


def test_who_asks_gets_it_in_a_pipe():
    text = piped(*question("scope"), "--color=always", "--width=80").decode()
    assert text == on_screen(*question("scope"))
    assert COLOR.search(text) and widest(text) <= 80
    ascii_only = piped(*question("scope"), "--width", "80", LC_ALL="C")
    assert ascii_only.isascii() and b".." in ascii_only


@pytest.mark.parametrize("form", ["json", "csv", "proto"])
def test_what_programs_read_has_none_of_it(form):
    for command in (["op", *model("resnet")], ["scope", *model("resnet")]):
        args = [*command, "-q", "--format", form]
        loud = [*args, "--color", "always", "--width", "40"]
        assert piped(*loud, **LOUD) == piped(*args)
        if form != "proto":
            assert on_screen(*loud).encode() == piped(*args)


@pytest.mark.parametrize("name", VIEWS)
def test_files_have_none_of_it(name, tmp_path):
    path = tmp_path / "answer"
    for args in ([], ["--color", "always", "--width", "40"]):
        on_screen(*question(name), "-output", f"file:outfile={path}", *args)
        assert path.read_bytes() == piped(*question(name))


# ---- The rest of the program -------------------------------------------------

OTHERS = {
    "flops": lambda: ["flops", "-q", flops_truth.saved("MobileNetV2"),
                      "--batch", "1"],
    "types": lambda: ["flops", "-q", flops_truth.saved("MobileNetV2"),
                      "--batch", "1", "--list", "types"],
    "info": lambda: ["info", *model("resnet")],
    "advise": lambda: ["advise", "-q", *model("bert"), "--format", "text"],
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_answers_are_the_same_but_for_bars_and_colours(name, tmp_path):
    args, path = OTHERS[name](), tmp_path / "answer"
    same = piped(*args, **LOUD).decode()
    assert on_screen(*args, *PLAIN) == same
    coloured = on_screen(*args, "--width", "0")
    assert plain(coloured) == same != coloured
    drawn = plain(on_screen(*args, columns=1000))
    assert re.sub(f"(?<=%) ?[{BLOCKS}]{{8}}|(?<=share) {{9}}", "",
                  drawn) == same
    if name != "info":
        on_screen(*args, "-output", f"file:outfile={path}", "--color",
                  "always", "--width", "40")
        assert path.read_text() == same


def test_tables_of_flops_fit_and_have_bars_where_there_is_room():
    for columns, has_bars in ((50, False), (80, True)):
        text = plain(on_screen(*OTHERS["flops"](), columns=columns))
        tables = text.partition("\n\n")[2]
        assert widest(text) <= columns
        assert (BLOCKS[8] in tables) == has_bars
    narrow = plain(on_screen(*OTHERS["types"](), columns=80))
    assert widest(narrow) == 80 and "Depthwise…v2dNative" in narrow
    shares = re.findall(r"([\d.]+)% ([" + BLOCKS + "]{8})", text)
    assert len(shares) > 20
    for share, drawn in shares:
        eighths = sum(BLOCKS.index(block) for block in drawn)
        assert abs(eighths - float(share) / 100 * 64) <= 0.51


def test_names_in_advice_and_info_are_shortened():
    for name, columns, start in (("advise", 100, "where: "),
                                 ("info", 60, "/job:")):
        lines = plain(on_screen(*OTHERS[name](), columns=columns)).splitlines()
        about = [line for line in lines if line.lstrip().startswith(start)]
        assert max(map(len, about)) <= columns
        assert any("…" in line for line in about)


def test_errors_are_red_and_notes_dim(tmp_path):
    lacking = ["op", tmp_path / "x"]
    red, dim = "\x1b[31mtfprof:\x1b[0m ", "\x1b[2mtfprof:\x1b[0m note: "
    assert on_screen(*lacking, code=1).startswith(red)
    assert on_screen("nonsense", code=2).startswith(f"{red}'nonsense' is")
    assert on_screen("op", DATA_DIR / "graph.pb", "-viz").startswith(dim)
    assert on_screen(*lacking, code=1, NO_COLOR="1").startswith("tfprof: ")
    assert on_screen(*lacking, "--color", "never",
                     code=1).startswith("tfprof: ")
    assert on_screen(*lacking, "--color", "always", code=1,
                     NO_COLOR="1").startswith(red)
    done = program.run(*lacking, "--color", "always")
    assert done.stderr.startswith(b"tfprof: ")


@pytest.mark.parametrize("name, less, has_colour", [
    ("less", None, True), ("less", "FX", False), ("less", "-iR", True),
    ("less -R", "FX", True), ("lesser", None, False), ("more", None, False)])
def test_a_pager_gets_the_colours_that_it_takes(name, less, has_colour,
                                                terminal, tmp_path):
    """Programs by these names that keep what they get."""
    for program_name in ("less", "lesser", "more"):
        script = tmp_path / program_name
        script.write_text(f'#!/bin/sh\ncat > "{tmp_path}/paged"\necho PAGED\n')
        script.chmod(0o755)
    for command in (name, f"{tmp_path}/{name}"):
        session = terminal(*model("bert"), look=(), columns=80, rows=10,
                           pager=command, PATH=f"{tmp_path}:{os.environ['PATH']}",
                           **({"LESS": less} if less else {}))
        ask = "scope -select micros -max_depth 4"
        assert "PAGED\n" in session.ask(ask)
        text = (tmp_path / "paged").read_text()
        assert bool(COLOR.search(text)) == has_colour
        assert plain(text) == plain(on_screen(*ask.split(), "-q",
                                              *model("bert")))
        assert "PAGED\n" in session.ask(f"{ask} -color always")
        assert COLOR.search((tmp_path / "paged").read_text())
        session.quit()


def test_colours_and_bars_take_no_room_from_the_pager(terminal, tmp_path):
    """An answer of as many rows as the screen has besides the prompt."""
    script = tmp_path / "pager"
    script.write_text("#!/bin/sh\ncat >/dev/null\necho PAGED\n")
    script.chmod(0o755)
    ask = "scope -select micros -max_depth 2"
    count = on_screen(*ask.split(), "-q", *model("bert")).count("\n")
    for rows in (count + 1, count):
        session = terminal(*model("bert"), look=(), columns=80, rows=rows,
                           pager=str(script))
        assert ("PAGED" in session.ask(ask)) == (rows == count)
        session.quit()


# ---- Widths of characters ----------------------------------------------------

def test_the_table_of_widths_is_that_of_unicode():
    """Where this Python has another version than the table, of the characters
    of Unicode 3.2 only."""
    text = (SOURCE_DIR / "src" / "base" / "width_table.c").read_text()
    version = re.search(r"Unicode ([\d.]+)\.", text).group(1)
    tables = re.findall(r"tfp_(\w+)\[\] = \{(.*?)\};", text, re.S)
    width = {}
    for name, body in tables:
        for first, last in re.findall(r"0x(\w+), 0x(\w+)", body):
            for code in range(int(first, 16), int(last, 16) + 1):
                assert code not in width
                width[code] = {"narrowest": 0, "widest": 2}[name]
    assert set(width.values()) == {0, 2}
    known = (unicodedata if version == unicodedata.unidata_version
             else unicodedata.ucd_3_2_0)
    for code in range(0x300, 0x110000):
        character = chr(code)
        if known.category(character) in ("Cn", "Cs", "Co"):
            continue
        if unicodedata.category(character) in ("Mn", "Me"):
            want = 0
        elif 0x1160 <= code < 0x1200 or 0xD7B0 <= code < 0xD800:
            want = 0
        else:
            wide = unicodedata.east_asian_width(character) in ("W", "F")
            want = 2 if wide else 1
        assert width.get(code, 1) == want, hex(code)
