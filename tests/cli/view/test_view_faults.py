"""Graphs that are well formed and make no sense, in all four views."""

# labels: both, slow

import json
import os
import re
import time

import pytest

import program
from faults import SANITIZED, SLOW, node, run
from messages import (CODE, CPU, EVERYTHING, FORMATS, LARGEST, LOW, SMALLEST,
                      VIEWS, Folder, entry, frame, node_def, record, rows,
                      run_of, strings)


def logged(*names):
    """An op log in which each name has a line of its own."""
    return b"".join(entry(name, frame(1, 10 + i))
                    for i, name in enumerate(names)) + strings(CODE)


def shown(folder, view, *args):
    """The rows of a view below its root, from its JSON."""
    out, _ = folder.ask(view, *args, "--format", "json")
    found = json.loads(out)["rows"]
    return found[1:] if view != "op" else found


# ---- GR-01: the name of the root --------------------------------------------

def test_GR_01_a_node_may_be_called_like_the_root(tmp_path):
    names = [b"_TFProfRoot", b"c", b"_TFProfRoot/x"]
    folder = Folder(
        tmp_path, log=logged(*names),
        graph=node_def(names[0], b"Root", shape=[2, 3])
        + node_def(names[1], b"C", [names[0]]) + node_def(names[2], b"X"))
    out, said = folder.ask("scope")
    assert (out.decode().splitlines()[1:], said) == ([
        "_TFProfRoot (--/6 params)",
        "  _TFProfRoot (2x3, 6/6 params)",
        "    _TFProfRoot/x (0/0 params)",
        "  c (0/0 params)"], [])
    out, said = folder.ask("graph")
    assert (out.decode().splitlines()[1:], said) == ([
        "_TFProfRoot (--/6 params)",
        "  _TFProfRoot/x (0/0 params)",
        "  c (0/6 params)",
        "    _TFProfRoot (2x3, 6/6 params)"], [])
    out, said = folder.ask("op")
    assert (re.findall(rb"^(\w+) +(\d) params", out, re.MULTILINE), said) == (
        [(b"C", b"0"), (b"Root", b"6"), (b"X", b"0")], [])
    out, said = folder.ask("code")
    assert rows(out) == [(0, "_TFProfRoot"), (1, "model.py:10:build"),
                         (1, "model.py:11:build"), (1, "model.py:12:build")]
    assert b"model.py:10:build (6/6 params)" in out
    for view in VIEWS:
        for form in FORMATS:
            assert (folder.ask(view, "--format", form)
                    == folder.ask(view, "--format", form))


@pytest.mark.parametrize("op", [b"_TFProfRoot", b"_kTFScopeParent", b"",
                                b"_TFGraphParent"], ids=ascii)
def test_GR_01_a_type_may_be_called_like_one_of_our_own(tmp_path, op):
    folder = Folder(tmp_path, graph=node_def(b"a/b", op, shape=[5]),
                    log=logged(b"a/b"))
    for view in VIEWS:
        for form in FORMATS:
            folder.ask(view, "-select", "params,op_types", "--format", form)
    assert [(row["name"], row["self"]["params"])
            for row in shown(folder, "op")] == [(op.decode(), 5)]
    assert [row["name"] for row in shown(folder, "scope")] == ["a", "a/b"]


# ---- GR-02: cycles ----------------------------------------------------------

def ring(prefix, count):
    return b"".join(node(b"%s%d" % (prefix, i),
                         inputs=[b"%s%d" % (prefix, (i + 1) % count)])
                    for i in range(count))


WHILE = (node(b"w/Enter", b"Enter", [b"x"]) + node(b"x")
         + node(b"w/Merge", b"Merge", [b"w/Enter", b"w/NextIteration"])
         + node(b"w/Less", b"Less", [b"w/Merge"])
         + node(b"w/LoopCond", b"LoopCond", [b"w/Less"])
         + node(b"w/Switch", b"Switch", [b"w/Merge", b"w/LoopCond"])
         + node(b"w/Identity", b"Identity", [b"w/Switch:1"])
         + node(b"w/Add", b"Add", [b"w/Identity", b"^w/Identity"])
         + node(b"w/NextIteration", b"NextIteration", [b"w/Add"])
         + node(b"w/Exit", b"Exit", [b"w/Switch"]))
ONLY_CYCLES = {
    "self": (node(b"a", inputs=[b"a"]), 1),
    "self twice": (node(b"a", inputs=[b"a", b"^a", b"a:1"]), 1),
    "two": (ring(b"n", 2), 2),
    "ring": (ring(b"n", 100), 100),
    "several": (ring(b"a", 3) + ring(b"b", 1) + ring(b"c", 7), 11),
    "crossing": (ring(b"a", 4) + node(b"b", inputs=[b"a0", b"b"])
                 + node(b"c", inputs=[b"b", b"c"]), 6),
}


@pytest.mark.parametrize("case", ONLY_CYCLES)
def test_GR_02_a_graph_of_cycles_only_is_shown(tmp_path, case):
    data, count = ONLY_CYCLES[case]
    folder = Folder(tmp_path, graph=data)
    for view in ("scope", "graph"):
        out, said = folder.ask(view, "-max_depth", 1000)
        names = [name for _, name in rows(out)[1:]]
        assert len(names) == len(set(names)) == count
        if view == "graph":
            assert len(said) == 1
            assert said[0].startswith("every node is an input of another node")
        else:
            assert said == []
    assert sum(row["nodes"] for row in shown(folder, "op")) == count


def test_GR_02_a_while_loop_is_shown_once(tmp_path):
    folder = Folder(tmp_path, graph=WHILE)
    out, said = folder.ask("graph", "-max_depth", 100)
    assert said == []
    names = [name for _, name in rows(out)]
    assert len(names) == len(set(names)) == 11
    assert rows(out)[:2] == [(0, "_TFProfRoot"), (1, "w/Exit")]


def test_GR_02_a_cycle_beside_other_nodes_is_told(tmp_path):
    """Upstream starts at nodes that no other one uses, and so do we."""
    folder = Folder(tmp_path, graph=ring(b"n", 3) + node(b"end"))
    out, said = folder.ask("graph")
    assert rows(out) == [(0, "_TFProfRoot"), (1, "end")]
    assert said == ["3 nodes are reachable only from cycles that nothing "
                    "uses; not shown"]
    folder = Folder(tmp_path, graph=ring(b"n", 3)
                    + node(b"end", inputs=[b"n1"]))
    out, said = folder.ask("graph")
    assert ([name for _, name in rows(out)], said) == (
        ["_TFProfRoot", "end", "n1", "n2", "n0"], [])


def test_GR_02_costs_on_a_cycle_are_counted_once(tmp_path):
    data = b"".join(node_def(b"n%d" % i, inputs=[b"n%d" % ((i + 1) % 9)],
                             shape=[2]) for i in range(9))
    folder = Folder(tmp_path, graph=data)
    for view in ("scope", "graph", "op"):
        out, _ = folder.ask(view, "-max_depth", 20, "--format", "json")
        assert json.loads(out)["total"]["params"] == 18


# ---- GR-06: one name twice --------------------------------------------------

def test_GR_06_the_first_of_a_name_counts(tmp_path):
    folder = Folder(
        tmp_path, log=logged(b"a", b"b"),
        graph=node_def(b"a", b"First", [b"b"], shape=[5]) + node_def(b"b")
        + node_def(b"a", b"Second", shape=[7]) + node_def(b"a", b"Third"))
    for view in VIEWS:
        for form in FORMATS:
            out, said = folder.ask(view, "-select", "params,op_types",
                                   "--format", form)
            assert said == ["2 nodes have the same name as an earlier node "
                            "and are ignored"]
            assert b"First" in out
            assert b"Second" not in out and b"Third" not in out
    out, _ = folder.ask("graph")
    assert rows(out) == [(0, "_TFProfRoot"), (1, "a"), (2, "b")]
    assert folder.ask("scope", "-q")[1] == []


# ---- GR-07: inputs ----------------------------------------------------------

WRONG_INPUTS = [b"a:b:c", b"a:x", b":0", b"^", b"", b"a:4294967296", b"a:-1",
                b"gone", b"^gone", b"a:", b"a: 0", b"a:+1", b"a:0x1",
                b"a:18446744073709551616", b"^^a", b":", b"::", b"a::"]


def test_GR_07_inputs_that_are_none_are_counted(tmp_path):
    good = [b"a", b"a:0", b"^a", b"a:1", b"a:7"]
    folder = Folder(tmp_path, log=logged(b"a", b"b"),
                    graph=node_def(b"a", outputs=[[3], [4, 5]])
                    + node_def(b"b", b"Op", WRONG_INPUTS + good))
    for view in VIEWS:
        for form in FORMATS:
            out, said = folder.ask(view, "-select", "op_types,input_shapes",
                                   "--format", form)
            assert said == [f"{len(WRONG_INPUTS)} inputs of nodes are ignored: "
                            "they refer to nodes that are not in the graph"]
    found = {row["name"]: row for row in
             shown(folder, "scope", "-select", "input_shapes")}
    shapes = found["b"]["input_shapes"]
    assert shapes[-5:] == [[3], [3], [3], [4, 5], None]
    assert set(map(str, shapes[:-5])) == {"None"}


@pytest.mark.parametrize("text", WRONG_INPUTS, ids=ascii)
def test_GR_07_each_alone(tmp_path, text):
    """Whatever it names, it is not the node with the number of an output."""
    folder = Folder(tmp_path, graph=node_def(b"a")
                    + node_def(b"b", b"Op", [text]))
    out, said = folder.ask("graph")
    assert rows(out) == [(0, "_TFProfRoot"), (1, "a"), (1, "b")]
    assert len(said) == 1 and said[0].startswith("1 input")


# ---- GR-10: sums and products that do not fit -------------------------------

TOO_MANY = ">=9223372036.85b"


def test_GR_10_a_product_that_does_not_fit_is_marked(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a", shape=[1 << 32, 1 << 32])
                    + node_def(b"b", b"B", shape=[5]), log=logged(b"a", b"b"))
    for view in VIEWS:
        out, _ = folder.ask(view, "-select", "params")
        assert TOO_MANY.encode() + b" params" in out
        # Nothing that does not fit is shown as if it did.
        assert not re.search(rb"(?<!>=)9223372036\.85b", out)
        found = json.loads(folder.ask(view, "--format", "json")[0])
        assert found["total"]["params"] == LARGEST
        assert b",9223372036854775807" in folder.ask(view, "--format=csv")[0]
    out, _ = folder.ask("scope")
    assert (f"  a (4294967296x4294967296, {TOO_MANY}/{TOO_MANY} params)\n"
            .encode() in out)
    assert f"_TFProfRoot (--/{TOO_MANY} params)\n".encode() in out
    assert b"  b (5, 5/5 params)\n" in out


@pytest.mark.parametrize("count", [3, 1_000_000 if SLOW else 20_000])
def test_GR_10_a_sum_that_does_not_fit_is_marked(tmp_path, count):
    folder = Folder(tmp_path, graph=b"".join(
        node_def(b"s/b%d" % i, shape=[1 << 62]) for i in range(count)))
    for view in ("scope", "graph", "op"):
        out, _ = folder.ask(view)
        assert TOO_MANY.encode() in out
        assert not re.search(rb"(?<!>=)9223372036\.85b", out)
        total = json.loads(folder.ask(view, "--format", "json")[0])["total"]
        assert total["params"] == LARGEST
    out, _ = folder.ask("scope")
    assert out.count(b"4611686018.43b/4611686018.43b params") == count
    assert b">=4611686018.43b" not in out
    # The largest that fits is not marked.
    folder = Folder(tmp_path, graph=node_def(b"a", shape=[LARGEST - 1]))
    assert b">=" not in folder.ask("scope")[0]


@pytest.mark.parametrize("shape", [
    [LARGEST] * 300, [0, LARGEST, LARGEST], [LARGEST, LARGEST, 0],
    [-1, LARGEST, LARGEST], [SMALLEST, SMALLEST], [SMALLEST, -1], [3, -1]],
    ids=lambda shape: "x".join(map(str, shape[:3])))
def test_GR_10_odd_shapes(tmp_path, shape):
    folder = Folder(tmp_path, graph=node_def(b"a", shape=shape))
    expected = LARGEST if min(shape) > 0 else 0
    for view in ("scope", "graph", "op"):
        folder.ask(view)
        assert shown(folder, view)[0]["self"]["params"] == expected
    # Below 0 a size means that it is not known, as -1 does.
    assert shown(folder, "scope")[0]["shape"] == [max(d, -1) for d in shape]


def test_GR_10_float_ops_that_do_not_fit_are_marked(tmp_path):
    """The count of the log, times the runs."""
    folder = Folder(
        tmp_path, graph=node_def(b"a") + node_def(b"b"),
        log=entry(b"a", frame(1, 1), float_ops=LARGEST // 2)
        + entry(b"b", frame(1, 2), float_ops=7) + strings(CODE),
        run=run_of((CPU, record(b"a") * 3 + record(b"b"))))
    for view in VIEWS:
        out, _ = folder.ask(view, "-select", "float_ops")
        assert TOO_MANY.encode() in out
        found = json.loads(folder.ask(view, "-select", "float_ops",
                                      "--format", "json")[0])
        assert found["total"]["float_ops"] == LARGEST


# ---- GR-11: divisions -------------------------------------------------------

DIVISIONS = {
    "no run": None,
    "no step": b"",
    "no device": run_of(),
    "no record": run_of((CPU, b"")),
    "no time": run_of((CPU, record(b"a", start=0, end=0))),
    "a sum of 0": run_of((CPU, record(b"a", end=5, memory=[(5, 5, 5)])
                          + record(b"b", end=-5, memory=[(-5, -5, -5)]))),
    "the smallest": run_of((CPU, record(
        b"a", end=SMALLEST, memory=[(SMALLEST,) * 3], outputs=[SMALLEST],
        temp=SMALLEST, kept=SMALLEST) * 2 + record(b"b", end=-1))),
    "the largest and the smallest": run_of((CPU, record(
        b"a", end=LARGEST, memory=[(LARGEST,) * 3]) + record(
            b"b", end=SMALLEST, memory=[(SMALLEST,) * 3]))),
}


@pytest.mark.parametrize("case", DIVISIONS)
def test_GR_11_nothing_is_divided_by_nothing(tmp_path, case):
    data = DIVISIONS[case]
    files = {} if data is None else {"run": data, "run2": data}
    folder = Folder(tmp_path, graph=node_def(b"a") + node_def(b"b", b"B"),
                    log=entry(b"a", frame(1, 1), float_ops=SMALLEST)
                    + logged(b"b"), **files)
    for view in VIEWS:
        for form in FORMATS:
            for more in ([], LOW, ["-order_by", "micros"],
                         ["-order_by", "bytes", *LOW]):
                out, _ = folder.ask(view, "-select", EVERYTHING, "--format",
                                    form, *more)
                assert not re.search(rb"(?i)\b-?(nan|inf)\b", out)
    if case == "a sum of 0":
        out, _ = folder.ask("op", "-select", "micros", *LOW)
        assert b" 5us (0.00%, 0.00%)" in out
        assert b" -5us (0.00%, 0.00%)" in out


# ---- OU-08: the output is an input ------------------------------------------

def test_OU_08_an_input_is_not_overwritten(tmp_path):
    data = node_def(b"a", shape=[3])
    (tmp_path / "graph.pb").write_bytes(data)
    (tmp_path / "folder").mkdir()
    os.link(tmp_path / "graph.pb", tmp_path / "hard")
    (tmp_path / "soft").symlink_to("graph.pb")
    (tmp_path / "softer").symlink_to("folder/../soft")
    targets = ["graph.pb", "./graph.pb", "folder/../graph.pb", "hard", "soft",
               "softer", tmp_path / "graph.pb"]
    before = sorted(os.listdir(tmp_path))
    for source in (["graph.pb"], ["hard"], ["softer"], ["."],
                   ["--graph_path", "graph.pb"], ["--graph_path=soft"]):
        for target in targets:
            for output in ([f"-output=file:outfile={target}"],
                           ["-dump_to_file", target]):
                code, out, err = run("scope", *source, *output, cwd=tmp_path)
                assert (code, out) == (2, b"")
                assert err.endswith(b" is one of the inputs\n")
    assert (tmp_path / "graph.pb").read_bytes() == data
    assert sorted(os.listdir(tmp_path)) == before
    # A copy is no input.
    (tmp_path / "copy").write_bytes(data)
    code, _, err = run("scope", "graph.pb", "-output", "file:outfile=copy",
                       cwd=tmp_path)
    assert (code, err) == (0, b"")
    assert (tmp_path / "copy").read_bytes().startswith(b"node name")


@pytest.mark.parametrize("command", [
    ["flops", "graph.pb"], ["scope", "graph.pb"],
    ["op", "graph.pb", "-select", "float_ops"]])
def test_OU_08_a_formula_file_is_not_overwritten(tmp_path, command):
    """Under whatever name, and also as the second of two."""
    formulas = b'{"MyOp": "1"}'
    (tmp_path / "graph.pb").write_bytes(node_def(b"a", shape=[3]))
    (tmp_path / "other.json").write_bytes(b"{}")
    (tmp_path / "f.json").write_bytes(formulas)
    (tmp_path / "soft").symlink_to("f.json")
    os.link(tmp_path / "f.json", tmp_path / "hard")
    for given in ("f.json", "soft", "other.json,f.json"):
        for target in ("f.json", "./f.json", "soft", "hard"):
            code, out, err = run(*command, "-formula_file", given, "-output",
                                 f"file:outfile={target}", cwd=tmp_path)
            assert (tmp_path / "f.json").read_bytes() == formulas
            assert (code, out) == (2, b"")
            assert err == (f"tfprof: --output: '{target}' is one of the "
                           "formula files\n".encode())
    assert sorted(os.listdir(tmp_path)) == ["f.json", "graph.pb", "hard",
                                            "other.json", "soft"]


def test_OU_08_standard_input_is_an_input_too(tmp_path):
    data = node_def(b"a", shape=[3])
    path = tmp_path / "graph.pb"
    for source in ("-", "/dev/stdin"):
        path.write_bytes(data)
        with open(path, "rb") as stdin:
            code, out, err = run("scope", source, "-dump_to_file", "graph.pb",
                                 cwd=tmp_path, stdin=stdin)
        assert path.read_bytes() == data, source
        assert (code, out) == (2, b"")
        assert err.endswith(b" is one of the inputs\n")


# ---- RX: patterns, from the command line ------------------------------------

NAMES = [b"aa", b"ab", b"b", b"caf\xc3\xa9"]
LONG_NAMES = [b"x" * 65535 + b"z", b"x" * 999 + b"yz", b"x" * 64 + b"yz"]


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """Nodes whose names patterns are tried on."""
    return Folder(tmp_path_factory.mktemp("names"),
                  graph=b"".join(map(node_def, NAMES)))


@pytest.fixture(scope="module")
def long_named(tmp_path_factory):
    return Folder(tmp_path_factory.mktemp("long"),
                  graph=b"".join(map(node_def, NAMES + LONG_NAMES)))


LISTS = ("account_type_regexes", "start_name_regexes", "trim_name_regexes",
         "show_name_regexes", "hide_name_regexes", "device_regexes")


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}", "*", "\\", "(?P<",
                                     b"a\xff", "b,(", "(?<=a+)b"], ids=ascii)
def test_RX_01_a_mistake_is_told_with_its_place(named, pattern):
    for option in LISTS:
        code, out, err = run("scope", *named.args, f"-{option}", pattern)
        assert (code, out) == (2, b"")
        assert err.startswith(f"tfprof: --{option}: ".encode())
        assert re.search(rb" at byte \d+ of '", err)
        assert err.count(b"\n") == 1 and b"\xff" not in err


def test_RX_01_look_around_and_back_references_are_allowed(named):
    for pattern, names in [(r"(a)\1", ["aa"]), ("(?=a).*b", ["ab"]),
                           (r".*(?<=\x{e9})", ["café"]), (r"caf.", ["café"]),
                           (r"\w{2}", ["aa", "ab"])]:
        out, said = named.ask("scope", "-show_name_regexes", pattern)
        assert [name for _, name in rows(out)[1:]] == names
        assert said == []


@pytest.mark.parametrize("pattern", [
    "(((a{1,100}){1,100}){1,100}){1,2}", "(" * 20000, "(" * 300 + ")" * 300,
    "(x+x+)+y", "(x+x+)+yy", "(x*)*y", "((x{0,9}){0,9}){0,9}y", "(x|x)*y",
    "(?R)", "(a|(?R))*", "x" * 5000], ids=lambda text: text[:20])
def test_RX_02_no_pattern_takes_long(long_named, pattern):
    begun = time.monotonic()
    code, out, err = run("scope", *long_named.args, "-show_name_regexes",
                         pattern)
    seconds = time.monotonic() - begun
    assert code in (0, 4)
    if code:
        assert out == b""
        assert err.startswith(b"tfprof: --show_name_regexes: ")
        assert err.count(b"\n") == 1 and len(err) < 400
    # The limit of a match allows for 64 KiB of name; ten times as much here.
    assert seconds < (10 if SANITIZED else 1)


def names_that_take_steps(folder, count):
    """Names and types that each take 2^17 steps to match (a+)+[bc]."""
    return Folder(
        folder,
        graph=b"".join(node_def(b"a" * 16 + b"%d" % i, b"a" * 16 + b"%d" % i)
                       for i in range(count)))


@pytest.fixture(scope="module")
def many_named(tmp_path_factory):
    return names_that_take_steps(tmp_path_factory.mktemp("many"), 20000)


@pytest.mark.parametrize("option", [option for option in LISTS
                                    if option != "device_regexes"])
@pytest.mark.parametrize("view", ["scope", "graph", "op"])
def test_RX_02_all_names_together_have_a_limit(many_named, view, option):
    code, out, err = run(view, *many_named.args, f"-{option}", "(a+)+[bc]",
                         "-max_depth", "100000", timeout=60)
    assert (code, out) == (4, b"")
    assert err.decode() == (
        f"tfprof: --{option}: matching all names with '(a+)+[bc]' takes too "
        "many steps (use a simpler pattern, without nested repeats such as "
        "(a+)+)\n")


def test_RX_02_finding_out_why_nothing_is_shown_shares_the_limit(tmp_path):
    folder = names_that_take_steps(tmp_path, 100)
    out, said = folder.ask("scope", "-show_name_regexes", "(a+)+[bc]")
    assert rows(out) == [(0, "_TFProfRoot")]
    assert said == ["nothing is shown: cannot determine the reason (the "
                    "patterns take too many steps)"]


def test_RX_03_the_same_names_match_as_in_python(tmp_path, say):
    """A few thousand pairs; the unit test has the many."""
    chooser = program.chooser("RX-03")
    names = sorted({"".join(chooser.choices("ab01._-", k=chooser.randint(1, 6)))
                    for _ in range(150)})
    folder = Folder(tmp_path, graph=b"".join(node_def(n.encode())
                                             for n in names))

    def pattern(depth=0):
        kind = chooser.randrange(7 if depth < 3 else 3)
        if kind < 2:
            return chooser.choice(["a", "b", "0", r"\.", "_", r"\d", r"\w"])
        if kind == 2:
            return chooser.choice([".", "[ab]", "[^a]", "[0-9._-]"])
        if kind == 3:
            return f"(?:{pattern(depth + 1)}|{pattern(depth + 1)})"
        if kind == 4:
            return (f"(?:{pattern(depth + 1)})"
                    + chooser.choice(["*", "+", "?", "{1,2}", "*?"]))
        return pattern(depth + 1) + pattern(depth + 1)
    matched = 0
    for _ in range(60):
        text = pattern()
        out, _ = folder.ask("scope", "-show_name_regexes", text, "--format",
                            "json")
        found = [row["name"] for row in json.loads(out)["rows"][1:]]
        assert found == [n for n in names if re.fullmatch(text, n)], text
        matched += len(found)
    say(f"{60 * len(names)} pairs, {matched} of them match")
    assert matched > 100
