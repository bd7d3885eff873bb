"""Names from strangers in the four views, and the three formats of them."""

import csv
import io
import json
import os
import re
import subprocess

import pytest

from faults import printed, run
from messages import (CODE, CPU, EVERYTHING, FORMATS, GPU, LARGEST, LOW,
                      SMALLEST, VIEWS, Folder, entry, frame, node_def, notes,
                      record, rows, run_of, strings)
from program import TFPROF

ESCAPED = (r"control characters, invisible characters and invalid UTF-8 in "
           r"names are shown as \xHH")


# Every row; of the op view, that is one for each type.
ALL = ["-select", EVERYTHING, "-max_depth", 100]


def everywhere(tmp_path, names):
    """Files in which each name stands wherever a name can stand."""
    nodes = records = entries = words = b""
    for i, name in enumerate(names):
        nodes += node_def(name, name, names[:1], shape=[2, i], device=name,
                          outputs=[[i]])
        records += record(name, end=3 + i, memory=[(10, 10, 5)])
        words += strings({10 * i + 11: name, 10 * i + 12: name})
        entries += entry(name, frame(10 * i + 11, i, 10 * i + 12)
                         + frame(1, i), [name], 7)
    devices = [(CPU, records), (GPU, records)] + [
        (name + b"/gpu:%d" % i, record(b"n%d" % i))
        for i, name in enumerate(names)]
    return Folder(tmp_path, graph=nodes, run=run_of(*devices),
                  log=entries + strings(CODE) + words)


# ---- PB-17: NUL -------------------------------------------------------------

def test_PB_17_a_name_is_not_cut_at_NUL(tmp_path):
    folder = Folder(
        tmp_path,
        graph=node_def(b"a\0b", b"O\0p", shape=[2, 3])
        + node_def(b"a\0c", b"O\0q", [b"a\0b"]) + node_def(b"a", b"O"),
        log=entry(b"a\0b", frame(1, 1), [b"t\0t"]) + strings(
            {**CODE, 1: b"m\0.py", 2: b"f\0"}))
    for view, row in [
            ("scope", r"  a\x00b (2x3, 6/6 params, O\x00p|t\x00t)"),
            ("graph", r"    a\x00b (2x3, 6/6 params, O\x00p|t\x00t)"),
            ("op", r"O\x00p  "),
            ("code", r"  m\x00.py:1:f\x00 (6/6 params, O\x00p|t\x00t)")]:
        out, said = folder.ask(view, "-select", "params,op_types")
        assert "\n" + row in out.decode()
        assert said == [ESCAPED]
        assert b"\0" not in out
    out, said = folder.ask("scope", "--format", "json")
    assert [row["name"] for row in json.loads(out)["rows"]] == [
        "_TFProfRoot", "a", "a\0b", "a\0c"]
    out, said = folder.ask("scope", "--format", "csv")
    assert [row[0] for row in csv.reader(out.decode().splitlines())] == [
        "name", "_TFProfRoot", "a", r"a\x00b", r"a\x00c"]
    # A pattern has to match what is behind it, too.
    out, _ = folder.ask("scope", "-show_name_regexes", "a")
    assert [name for _, name in rows(out)] == ["_TFProfRoot", "a"]
    out, _ = folder.ask("scope", "-show_name_regexes", r"a\x00b")
    assert [name for _, name in rows(out)] == ["_TFProfRoot", r"a\x00b"]


@pytest.mark.parametrize("name", [b"x\0y", b"\0", b"\x01\x02", b"\xff", b"",
                                  b"a\nb"], ids=ascii)
def test_PB_17_a_graph_of_such_names_only_is_a_graph(tmp_path, name):
    """It was given as one, and nothing in it speaks against that."""
    for inputs in ([], [name], [name] * 9):
        folder = Folder(tmp_path, graph=node_def(name, b"NoOp", inputs))
        out, _ = folder.ask("scope")
        assert len(rows(out)) == 2


# ---- PB-18: bytes that are no UTF-8 -----------------------------------------

INVALID = [b"\xff\xfeA", b"a\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80",
           b"\xe2\x28\xa1", b"\x80/\xbf", b"\xf0\x9f\x92"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("view", VIEWS)
def test_PB_18_invalid_bytes_are_told_once(tmp_path, view, form):
    folder = everywhere(tmp_path, INVALID)
    out, said = folder.ask(view, *ALL, "--format", form)
    out.decode()  # strictly
    assert said.count(ESCAPED) == 1
    if form == "json":  # where a backslash is written as two
        out = out.replace(rb"\\x", rb"\x")
    assert rb"\xff\xfeA" in out and rb"\xed\xa0\x80" in out
    assert folder.ask(view, "-q", "--format", form)[1] == []
    sound = everywhere(tmp_path, [b"caf\xc3\xa9", b"\xf0\x9f\x92\xa9"])
    out, said = sound.ask(view, "-select", "params,device,op_types",
                          "--format", form)
    assert "café" in out.decode() and "\N{PILE OF POO}" in out.decode()
    assert ESCAPED not in said


def test_PB_18_names_that_differ_stay_apart(tmp_path):
    folder = Folder(tmp_path, graph=b"".join(node_def(n) for n in INVALID))
    out, _ = folder.ask("scope", "--format", "json")
    names = [row["name"] for row in json.loads(out.decode())["rows"]]
    assert len(names) == len(set(names)) == len(INVALID) + 2  # root, \x80
    assert r"\xff\xfeA" in names


# ---- GR-05: odd names -------------------------------------------------------

ODD = [b"", b"/", b"//", b"///", b"a/", b"/a", b"a//b", b"a", b".", b"..",
       b"   ", b" x y ", b"new\nline", b"x" * 65536, b"a/b/", b"a/../a", b"~",
       b"a/./b", b"-", b"--format", b"a|b", b"(", b"a (b)", b"\xc2\xa0"]


def test_GR_05_odd_names_make_a_sound_tree(tmp_path):
    folder = Folder(tmp_path, graph=b"".join(
        node_def(name, shape=[1]) for name in ODD),
        log=b"".join(entry(name, frame(1, i)) for i, name in enumerate(ODD))
        + strings(CODE))
    expected = {name.decode() for name in ODD}
    for view in ("scope", "graph"):
        out, _ = folder.ask(view, "--format", "json", "-max_depth", 100)
        found = json.loads(out)["rows"]
        assert found[0]["total"]["params"] == len(ODD)
        nodes = [row["name"] for row in found[1:] if row["self"]["params"]]
        assert len(nodes) == len(ODD) and set(nodes) == expected
        path = []  # the rows above the current one
        for row in found:
            assert row["depth"] <= len(path)
            del path[row["depth"]:]
            if view == "scope" and row["depth"] > 1:
                assert row["name"].startswith(path[-1] + "/")
            path.append(row["name"])
        # Scopes that are no nodes are only where they are needed.
        scopes = {row["name"] for row in found[1:]} - expected
        assert scopes == ({"a/b", "a/..", "a/."} if view == "scope" else set())
    out, said = folder.ask("scope")
    assert said == [ESCAPED]
    text = out.decode()
    assert "\n  new\\x0aline (1, 1/1 params)\n" in text
    assert "\n   x y  (1, 1/1 params)\n" in text
    assert "\n   (1, 1/5 params)\n    / (1, 1/3 params)\n" in text
    assert "\n  " + "x" * 65536 + " (1, 1/1 params)\n" in text
    for view in ("op", "code"):
        out, _ = folder.ask(view, "--format", "json")
        assert json.loads(out)["total"]["params"] == len(ODD)


@pytest.mark.parametrize("name", ODD, ids=lambda name: ascii(name[:10]))
def test_GR_05_each_alone(tmp_path, name):
    folder = Folder(tmp_path, graph=node_def(name, name, [name], shape=[1]),
                    run=run_of((CPU, record(name))),
                    log=entry(name, frame(1, 1), [name]) + strings(
                        {**CODE, 1: name, 2: name}))
    for view in VIEWS:
        for form in FORMATS:
            folder.ask(view, "-select", EVERYTHING, "--format", form)


# ---- OU-10: nothing steers the terminal -------------------------------------

HOSTILE = [
    b"\x1b]0;title\x07", b"\x1b[2J", b"\x1b]52;c;aGk=\x07", b"a\rb", b"a\bb",
    b"\x9b2J", b"\xc2\x9b2J", b"a\xe2\x80\xaeb", b"a\xe2\x80\x8bb", b"a\tb",
    b"a\nb", b"\x7f", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xff", b"\x00",
    b"\xed\xa0\x80", b"</script>", b"\"'\\", b"=cmd()", b"%s%n", b"\\x1b"]
BAD = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]")


def check_safe(data, tabs=False):
    text = data.decode()  # strictly
    if tabs:  # the op view has them between the shapes of inputs
        text = re.sub(r"^input_type: .*$", lambda line: re.sub(
            r",\t|\t\(run|\)\texec", "", line[0]), text, flags=re.MULTILINE)
    assert not BAD.search(text), BAD.search(text)


@pytest.mark.parametrize("view", VIEWS)
def test_OU_10_names_are_shown_escaped(tmp_path, view):
    folder = everywhere(tmp_path, HOSTILE)
    for form in FORMATS:
        args = [*folder.args, *map(str, ALL), "--format", form]
        code, out, err = run(view, *args)
        assert code == 0
        check_safe(out, tabs=view == "op" and form == "text")
        check_safe(err)
        notes(err)
        target = tmp_path / "out"
        assert run(view, *args, "-dump_to_file", target) == (0, b"", err)
        assert target.read_bytes() == out
        if form == "text":
            for shown in (r"\x1b]0;title\x07", r"\x1b[2J", r"a\x0db", r"a\x08b",
                          r"\x9b2J", r"\xc2\x9b2J", r"a\xe2\x80\xaeb",
                          r"a\xe2\x80\x8bb", r"a\x09b", r"a\x0ab", "</script>",
                          "=cmd()", "%s%n", "\"'\\"):
                assert shown.encode() in out, shown
    assert b"\t" not in run(view, *folder.args, "-select", "params")[1]


def test_OU_10_complaints_are_escaped(tmp_path):
    (tmp_path / "g").write_bytes(node_def(b"a"))
    for name in HOSTILE:
        if b"\0" in name:
            continue
        for args in (["scope", name], ["scope", b"--" + name, "g"], [name],
                     ["scope", "g", "-select", name],
                     ["scope", "g", "-output", b"file:outfile=no/" + name],
                     ["scope", "g", "-output", name],
                     ["scope", "g", "-show_name_regexes", b"(" + name],
                     ["scope", "g", b"--format=" + name],
                     ["scope", "--run_meta_path", b"7=" + name, "g"],
                     ["scope", "g", "-max_depth", name], ["help", name]):
            code, out, err = run(*args, cwd=tmp_path)
            assert code in (1, 2, 3), args
            assert out == b"" and err.startswith(b"tfprof: ")
            assert err.count(b"\n") == 1
            check_safe(err)


def test_OU_10_text_of_a_damaged_file_is_escaped(tmp_path):
    for text in (b"node { \x1b[2J: 1 }", b'node { name: "a" \x9b: "b" }',
                 b'node { name: "\x1b]0;x\x07', b'node { op: \xe2\x80\xae }',
                 b'node { name: "a" a\x1bb { c: 5 } }'):
        (tmp_path / "g").write_bytes(text)
        _, out, err = run("scope", "--graph_path", "g", cwd=tmp_path)
        check_safe(out)
        check_safe(err)


# ---- OU-11: JSON ------------------------------------------------------------

def strict(data):
    """The value of JSON that a strict reader takes: UTF-8, no NaN, no name
    twice in an object."""
    def no(word):
        raise ValueError(word)

    def pairs(items):
        assert len(dict(items)) == len(items), items
        return dict(items)
    return json.loads(data.decode(), parse_constant=no, object_pairs_hook=pairs)


@pytest.mark.parametrize("view", VIEWS)
def test_OU_11_JSON_is_strict(tmp_path, view):
    folder = everywhere(tmp_path, HOSTILE)
    out, _ = folder.ask(view, *ALL, "--format", "json")
    found = strict(out)
    assert b"</" not in out and b"<" not in out
    assert found["view"] == view
    keys = set(found["rows"][0])
    assert all(set(row) == keys for row in found["rows"])
    names = {row["name"] for row in found["rows"]}
    if view != "code":
        assert {"</script>", "\"'\\", "a\tb", "\x1b[2J", "a\u202eb"} <= names
    # A program reads each name as it was, where it was text at all.
    types = {word for row in found["rows"] for word in row["op_types"]}
    assert {n.decode() for n in HOSTILE if n.isascii()} <= types


@pytest.mark.parametrize("value", [
    SMALLEST, SMALLEST + 1, -1, 0, 1, (1 << 53) + 1, LARGEST - 1, LARGEST])
def test_OU_11_integers_are_whole(tmp_path, value):
    folder = Folder(tmp_path, graph=node_def(b"a"), run=run_of(
        (CPU, record(b"a", end=value, memory=[(value,) * 3]))))
    for view in ("scope", "graph", "op"):
        out, _ = folder.ask(view, "-select", "micros,bytes", "--format",
                            "json", *LOW)
        found = strict(out)
        assert found["total"]["bytes"] == value
        assert found["total"]["micros"] == (value or 1)
        assert found["rows"][-1]["self"]["bytes"] == value
        out, _ = folder.ask(view, "-select", "micros,bytes", "--format",
                            "csv", *LOW)
        last = list(csv.DictReader(out.decode().splitlines()))[-1]
        assert int(last["bytes"]) == int(last["total_bytes"]) == value


# ---- OU-12: CSV -------------------------------------------------------------

FORMULAS = [b"=cmd()", b"+1", b"-1", b"@x", b"=1+\"2\"", b"a,b", b"a\"b", b"\"",
            b"a'b", b"\t=1", b"\r=1", b"a\nb", b" =1", b"a;b", b"<img onerror>",
            b"]]>", b"'=1", b"\xff=1"]


@pytest.mark.parametrize("view", VIEWS)
def test_OU_12_CSV_is_quoted(tmp_path, view):
    folder = everywhere(tmp_path, FORMULAS)
    out, _ = folder.ask(view, *ALL, "--format", "csv")
    table = list(csv.reader(io.StringIO(out.decode(), newline=""), strict=True))
    assert out.count(b"\n") == len(table) and b"\r" not in out
    assert len({len(row) for row in table}) == 1
    head, *body = table
    assert len(set(head)) == len(head)
    found = strict(folder.ask(view, *ALL, "--format", "json")[0])
    assert len(body) == len(found["rows"])
    for row in body:
        for name, cell in zip(head, row):
            if re.fullmatch(r"-?\d+|true|false|", cell):
                continue
            assert cell[0] not in "=+-@\t\r", (name, cell)
    if view != "code":
        names = {row[0] for row in body}
        assert {"'=cmd()", "'+1", "'-1", "'@x", "a,b", 'a"b', '"', r"a\x0ab",
                r"\x09=1", " =1", "'=1+\"2\""} <= names


# ---- OU-13, OU-14: the same everywhere --------------------------------------

@pytest.fixture(scope="module")
def rich(tmp_path_factory):
    return everywhere(tmp_path_factory.mktemp("rich"),
                      HOSTILE + [b"a/b/I", b"a/i", "ıİ".encode(), b"1000"])


def answers(folder, **kwargs):
    """Every view in the formats for programs, with all that they say."""
    return {(view, form): subprocess.run(
        [os.path.abspath(TFPROF), view, *folder.args, "-select", EVERYTHING,
         "--format", form, "-order_by", "micros"], stdin=subprocess.DEVNULL,
        capture_output=True, check=True, **kwargs)
        for view in VIEWS for form in ("json", "csv")}


def same(a, b):
    for key in a:
        assert a[key].stdout == b[key].stdout and a[key].stderr == b[key].stderr


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "tr_TR.UTF-8", "fa_IR",
                                  "POSIX", None])
def test_OU_13_no_locale_changes_JSON_or_CSV(rich, name):
    if name not in (None, "POSIX"):
        probe = ["python3", "-c",
                 "import locale; locale.setlocale(locale.LC_ALL, '')"]
        assert subprocess.run(probe, env={**os.environ, "LC_ALL": name},
                              capture_output=True, check=False
                              ).returncode == 0, f"no locale {name} here"
    same(answers(rich, env={**os.environ, "LC_ALL": "C"}),
         answers(rich, env={**os.environ, "LC_ALL": name} if name else None))


def test_OU_14_JSON_and_CSV_are_the_same_again(rich, tmp_path):
    first = answers(rich)
    for _ in range(3):
        same(first, answers(rich))
    same(first, answers(rich, cwd=tmp_path, umask=0o077,
                        env={**os.environ, "TZ": "Pacific/Chatham",
                             "TERM": "dumb", "COLUMNS": "7", "X": "y" * 9999}))


# ---- OU-15: numbers ---------------------------------------------------------

NUMBERS = [
    (SMALLEST, "-9223372036854775808us", "-9223372036854775808B"),
    (-1000, "-1000us", "-1000B"), (-1, "-1us", "-1B"), (0, "1us", "0B"),
    (999, "999us", "999B"), (1000, "1.00ms", "1.00KB"),
    (1005, "1.00ms", "1.00KB"), (1015, "1.01ms", "1.01KB"),
    (999_994, "999.99ms", "999.99KB"), (999_999, "1000.00ms", "1000.00KB"),
    (1_000_000, "1.00sec", "1.00MB"),
    (LARGEST - 1, "9223372036854.78sec", "9223372036854.78MB"),
    (LARGEST, ">=9223372036854.78sec", ">=9223372036854.78MB"),
]


@pytest.mark.parametrize("value, time, memory", NUMBERS,
                         ids=[str(n[0]) for n in NUMBERS])
def test_OU_15_numbers_at_the_ends_of_ranges(tmp_path, value, time, memory):
    folder = Folder(tmp_path, graph=node_def(b"a"), run=run_of(
        (CPU, record(b"a", end=value, memory=[(value,) * 3]))))
    for view in ("scope", "graph"):
        out, _ = folder.ask(view, "-select", "bytes,cpu_micros", *LOW)
        assert out.decode().endswith(
            f"\n  a ({memory}/{memory}, {time}/{time})\n")
    out, _ = folder.ask("op", "-select", "bytes,cpu_micros", *LOW)
    share = "(0.00%, 0.00%)" if value == 0 else "(100.00%, 100.00%)"
    assert f" {memory} {share}" in out.decode()
    assert f" {time} (100.00%, 100.00%)\n" in out.decode()


def test_OU_15_a_share_below_zero_keeps_its_sign(tmp_path):
    """As printf() has it, and so upstream."""
    folder = Folder(tmp_path, graph=node_def(b"a", b"A") + node_def(b"b", b"B"),
                    run=run_of((CPU, record(b"a", end=-1)
                                + record(b"b", end=1_000_000_000))))
    out, _ = folder.ask("op", "-select", "cpu_micros", *LOW)
    assert " -1us (100.00%, -0.00%)\n" in out.decode()
    assert "nan" not in out.decode()


def test_OU_15_counts_and_parameters(tmp_path):
    for count, text in [(999, "999"), (1000, "1.00k"), (999_999, "1000.00k"),
                        (1_000_000, "1.00m"), (999_999_999, "1000.00m"),
                        (10**9, "1.00b"), (LARGEST - 1, "9223372036.85b"),
                        (LARGEST, ">=9223372036.85b")]:
        folder = Folder(tmp_path, graph=node_def(b"a", shape=[count]))
        assert f"  a ({count}, {text}/{text} params)\n" in (
            folder.ask("scope")[0].decode())


def test_the_fields_of_these_files_are_TensorFlows(tmp_path):
    """What is made here byte by byte is what info counts."""
    folder = everywhere(tmp_path, HOSTILE)
    out = printed("info", "--format", "json", *folder.args)
    counts = [file["counts"] for file in json.loads(out)["files"]]
    assert counts[0]["nodes"] == counts[2]["log_entries"] == len(HOSTILE)
    assert counts[1]["run_records"] == 3 * len(HOSTILE)
    assert counts[2]["code_traces"] == len(HOSTILE)
