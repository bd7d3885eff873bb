"""`-output folded:outfile=F` and `speedscope:outfile=F`: the boxes are the rows
of the view, and their sums are its totals.

The files are read here, by inferno-flamegraph and by speedscope's own page in
Chromium; all are held against `--format json` of the same view.
"""

# labels: both, slow, long

import collections
import decimal
import gzip
import json

import hypothesis
import jsonschema
import pytest

import drawing
import flames
import samples
import upstream
from faults import SANITIZED, SLOW, complaint, run
from messages import (CODE, COSTS, CPU, NOON, Folder, entry, frame, node_def,
                      notes, record, run_of, strings)
from program import DATA_DIR

DRAWS = 1000 if SLOW else 25 if SANITIZED else 50
VIEWS = ("scope", "code")
ALL = ",".join(cost for cost in COSTS if cost != "occurrence")
UNITS = {"params": "none", "float_ops": "none", "runs": "none"}
MODELS = ("resnet", "cifar")


class NoPage:
    """In its place under the sanitizers, which do not see into a browser."""

    requests = ()

    def read(self, data):
        return flames.Speedscope(data)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    if SANITIZED:
        yield NoPage()
        return
    with flames.page(tmp_path_factory.mktemp("page")) as opened:
        yield opened


def ask(words, tmp_path, kind, *more):
    """The file that a question writes, and the notes."""
    path = tmp_path / f"out.{kind}"
    code, out, err = run(*words, *more, "-output", f"{kind}:outfile={path}")
    assert (code, out) == (0, b""), err
    return path.read_bytes(), notes(err)


def rows(words):
    code, out, err = run(*words, "-q", "--format", "json")
    assert code == 0, err
    return flames.Rows(out, words[0] == "scope")


def speedscope(words, tmp_path, *more):
    data, _ = ask(words, tmp_path, "speedscope", *more)
    jsonschema.validate(json.loads(data), flames.schema())
    return flames.Speedscope(data)


def whole(total):
    return int(total.quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


# ---- The rows of the view ----------------------------------------------------

HIDING = [(), ("-max_depth", "2"), ("-hide_name_regexes", ".*(conv|train).*"),
          ("-min_micros", "500"), ("-trim_name_regexes", "gradients.*"),
          ("-start_name_regexes", ".*(unit_1|residual).*"),
          ("-account_type_regexes", "Conv2D,MatMul"), ("-max_depth", "0"),
          ("-account_displayed_op_only", "-hide_name_regexes", ".*conv.*")]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("options", HIDING, ids=" ".join)
def test_stacks_have_what_rows_have_and_hide(tmp_path, view, options):
    words = [view, *upstream.model("cifar"), *options, "-select", ALL]
    json_rows = rows(words)
    found = speedscope(words, tmp_path)
    assert next(name for name, _, _ in found.heads()) == "bytes"
    for name, unit, total in found.heads():
        stacks, tame = json_rows.stacks(name)
        assert tame and found.stacks(name) == stacks
        assert total == sum(stacks.values()) == json_rows.total(name)
        assert unit == UNITS.get(name, "bytes" if "bytes" in name
                                 else "microseconds")
    for name in ("micros", "bytes", "params") if not options else ("micros",):
        stacks, _ = json_rows.stacks(name)
        data, _ = ask([*words[:-1], name], tmp_path, "folded")
        assert flames.read_folded(data) == flames.folded(stacks)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("model", MODELS)
def test_inferno_draws_the_rows(tmp_path, model, view):
    words = [view, *upstream.model(model), "-select", "micros"]
    data, _ = ask(words, tmp_path, "folded")
    found = flames.inferno(data)
    json_rows = rows(words)
    stacks, _ = json_rows.stacks("micros")
    assert found["all", 0] == json_rows.total("micros") > 0
    assert found == flames.drawn(flames.folded(stacks))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("model", MODELS)
def test_speedscope_reads_the_rows(tmp_path, page, model, view):
    words = [view, *upstream.model(model), "-select", "micros,bytes,params"]
    ours = speedscope(words, tmp_path)
    theirs = page.read(ours.data)
    json_rows = rows(words)
    assert theirs.heads() == ours.heads()
    assert theirs.file["name"] == f"{view} view, average of all steps"
    for name, _, total in theirs.heads():
        assert total == json_rows.total(name) > 0
        assert theirs.stacks(name, place) == ours.stacks(name, place)
        assert theirs.stacks(name) == json_rows.stacks(name)[0]
    assert all(url.startswith(("file:", "blob:")) for url in page.requests)


def place(one):
    return one["name"], one.get("file"), one.get("line")


def test_frames_of_code_have_file_and_line(tmp_path):
    words = ["code", *upstream.model("cifar"), "-select", "micros"]
    found = speedscope(words, tmp_path)
    shown = {(row["name"], row["file"], row["line"])
             for row in rows(words).rows if row.get("file")}
    frames = [place(one) for one in found.frames]
    assert len(set(frames)) == len(frames)
    assert shown and shown == {one for one in frames if one[1]}
    assert {one[0] for one in frames if not one[1]} == {
        flames.ROOT, "(no source line)"}


def test_frames_of_scopes_are_shared(tmp_path):
    found = speedscope(["scope", *upstream.model("resnet")], tmp_path)
    names = [one["name"] for one in found.frames]
    assert len(set(names)) == len(names) and "Conv2D" in names


# ---- Any file ----------------------------------------------------------------

@hypothesis.settings(max_examples=DRAWS, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(drawing.FILES, drawing.OPTIONS,
                  hypothesis.strategies.sampled_from(VIEWS),
                  hypothesis.strategies.sampled_from(COSTS))
def test_sums_are_totals_whatever_the_file_has(files, options, view, cost):
    options = {**options, "select": cost}
    with drawing.question(files, options) as (folder, words):
        words = [view, *words]
        code, out, _ = run(*words, "-q", "--format", "json")
        if code != 0:
            for kind in ("folded", "speedscope"):
                assert run(*words, "-output", f"{kind}:outfile={folder.path}"
                           "/x")[0] == code
            return
        json_rows = flames.Rows(out, view == "scope")
        name = "runs" if cost == "occurrence" else cost
        stacks, tame = json_rows.stacks(name)
        data, said = ask(words, folder.path, "folded")
        counts = flames.read_folded(data)
        found = flames.Speedscope(ask(words, folder.path, "speedscope")[0])
        assert sum(counts.values()) == max(json_rows.total(name), 0)
        assert sum(found.stacks(name).values()) == sum(counts.values())
        if tame:
            assert counts == flames.folded(stacks)
            assert found.stacks(name) == stacks
            assert not any("shortens" in note for note in said)


def test_a_negative_cost_is_cut_and_told(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"a") + node_def(b"a/b")
                    + node_def(b"a/c"), run=run_of((CPU, b"".join(
                        record(name, end=5, memory=[(size, size, size)])
                        for name, size in ((b"a", -40), (b"a/b", 100),
                                           (b"a/c", 3))))))
    words = ["scope", *folder.args, "-select", "bytes"]
    data, said = ask(words, tmp_path, "folded")
    assert sum(flames.read_folded(data).values()) == 63 == \
        rows(words).total("bytes")
    assert any("shortens 2 boxes that would extend" in note for note in said)


# ---- Names -------------------------------------------------------------------

HOSTILE = [
    b"a;b", b";", b";;", b"line\nend", b"cr\rlf\r\n", b"tab\there", b'q"uo"te',
    b"'", b"back\\slash", b"\\x3b", b"<b>&amp;</b>", b"</script>", b"\xff\xfe",
    b"cut \xe2\x82", "é 漢字".encode(), b" lead", b"trail ", b" ", b"  ",
    b"ends in 12", b"ends in 1.5", b"12", b"1 2 3 ", b"# comment", b"#", b"x 0",
    "\u3000".encode(), "\u00a0x\u2003".encode(), "\u2028".encode(),
    "a\u202eb".encode(), b"nul\0byte", b"\x1b[31m", b"all", b"_TFProfRoot",
    b"frame_[k]", b"{\"a\": 1}", b"a,b", b"=1+1", b".", b"...", b" .",
    b"1e5 9."]


def hostile_model(path):
    names = [*HOSTILE, *(b"scope " + name + b"/" + name for name in HOSTILE),
             b"//", b"deep//er/", b"long/" + b"n" * 5000 + b"/m"]
    graph = b"".join(node_def(name) for name in names)
    words = dict(enumerate(HOSTILE, 1))
    log = b"".join(
        entry(name, frame(i % len(HOSTILE) + 1, i, (i + 1) % len(HOSTILE) + 1,
                          1) + frame(1, 7, i % len(HOSTILE) + 1, 1))
        for i, name in enumerate(names))
    runs = b"".join(record(name, start=NOON + i, end=2 * i + 1)
                    for i, name in enumerate(names))
    return Folder(path, graph=graph, run=run_of((CPU, runs)),
                  log=log + strings(words))


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_names_stay_names(tmp_path, view, page):
    folder = hostile_model(tmp_path)
    words = [view, *folder.args, "-select", "micros"]
    json_rows = rows(words)
    total = json_rows.total("micros")
    stacks, tame = json_rows.stacks("micros")
    assert tame and len(stacks) >= 2 * len(HOSTILE)
    data, said = ask(words, tmp_path, "folded")
    counts = flames.read_folded(data)
    cut = collections.Counter()
    for names, count in flames.folded(stacks).items():
        cut[tuple(name if len(name) < 5000 else name[:1000] + "..."
                  for name in names)] += count
    assert counts == cut
    assert ("the flame graph shortens 1 name longer than 1000 bytes"
            in said) == (view == "scope")
    assert not {byte for byte in data if byte < 0x20 and byte != 0x0a}
    drawn = flames.inferno(data)
    assert drawn["all", 0] == total
    assert sum(drawn.values()) == sum(flames.drawn(counts).values())
    ours = speedscope(words, tmp_path)
    assert ours.stacks("micros") == stacks
    theirs = page.read(ours.data)
    assert theirs.heads() == ours.heads() == [("micros", "microseconds", total)]
    assert theirs.stacks("micros") == stacks


def test_names_of_code_are_kept_in_reason(tmp_path):
    """A long path in each of many calls: a line has a part of it for each."""
    log = entry(b"n", b"".join(frame(1, i) for i in range(300)))
    folder = Folder(tmp_path, graph=node_def(b"n"),
                    run=run_of((CPU, record(b"n"))),
                    log=log + strings({**CODE, 1: b"x" * 100000 + b".py"}))
    data, _ = ask(["code", *folder.args], tmp_path, "folded")
    assert 300 * 5 < len(data) < 300 * 1100


def test_many_levels_are_limited_and_told(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"s/" * 5000 + b"n"),
                    run=run_of((CPU, record(b"s/" * 5000 + b"n"))))
    words = ["scope", *folder.args]
    data, said = ask(words, tmp_path, "folded")
    assert data == b";".join([b"s"] * 999) + b" 5\n"
    assert any("1000 levels" in note for note in said)
    found = speedscope(words, tmp_path, "-max_depth", "100000")
    assert len(found.stacks("micros")) == 1
    assert len(found.file["profiles"][0]["events"]) == 2 * 5001


# ---- Traces ------------------------------------------------------------------

TRACES = sorted((DATA_DIR / "traces").glob("*.xplane.pb"))


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.name)
def test_picoseconds_are_rounded_without_loss(tmp_path, trace):
    words = ["scope", trace, "-select", "micros"]
    json_rows = rows(words)
    stacks, tame = json_rows.stacks("micros")
    data, _ = ask(words, tmp_path, "folded")
    counts = flames.read_folded(data)
    assert tame and sum(counts.values()) == whole(json_rows.total("micros"))
    exact = flames.folded(stacks)
    assert counts.keys() <= exact.keys()
    assert all(abs(counts[names] - exact[names]) < 1 for names in exact)
    found = speedscope(words, tmp_path)
    assert found.stacks("micros") == stacks
    assert found.heads()[0][2] == json_rows.total("micros")


def test_programs_find_the_time_of_a_trace(tmp_path, page):
    words = ["scope", samples.TRACE, "-select", "micros"]
    total = rows(words).total("micros")
    assert total != whole(total)
    data, _ = ask(words, tmp_path, "folded")
    assert flames.inferno(data)["all", 0] == whole(total)
    (_, unit, found), = page.read(speedscope(words, tmp_path).data).heads()
    assert unit == "microseconds" and abs(found - total) < 1e-3


# ---- Without rows ------------------------------------------------------------

@pytest.mark.parametrize("options", [
    ("-min_micros", "99999999"), ("-max_depth", "-1"), ("-max_depth", "0")],
    ids=" ".join)
def test_what_is_hidden_is_the_root(tmp_path, options, page):
    words = ["scope", *upstream.model("cifar"), "-select", "micros", *options]
    json_rows = rows(words)
    total = json_rows.total("micros")
    data, _ = ask(words, tmp_path, "folded")
    assert data == (b"_TFProfRoot %d\n" % total if total else b"")
    found = page.read(speedscope(words, tmp_path).data)
    assert found.heads() == [("micros", "microseconds", total)]
    assert found.stacks("micros") == ({(flames.ROOT,): total} if total else {})


def test_a_model_without_costs_is_empty(tmp_path, page):
    folder = Folder(tmp_path, graph=node_def(b"a/b"))
    words = ["scope", *folder.args, "-select", "params"]
    assert ask(words, tmp_path, "folded")[0] == b""
    found = page.read(speedscope(words, tmp_path).data)
    assert found.heads() == [("params", "none", 0)]


# ---- Options -----------------------------------------------------------------

@pytest.mark.parametrize("options, costs", [
    ((), ["micros"]),
    (("-select", "bytes,micros"), ["bytes", "micros"]),
    (("-select", "micros,params,bytes"), ["micros", "params", "bytes"]),
    (("-order_by", "peak_bytes"), ["peak_bytes", "micros"]),
    (("-sort", "bytes"), ["bytes", "micros"]),
    (("-order_by", "bytes", "-select", "params"), ["params"]),
    (("-select", "occurrence"), ["runs"])], ids=str)
def test_the_main_cost_is_the_first(tmp_path, options, costs):
    words = ["scope", *upstream.model("cifar"), *options]
    found = speedscope(words, tmp_path)
    assert [name for name, _, _ in found.heads()] == costs
    data, _ = ask(words, tmp_path, "folded")
    assert sum(flames.read_folded(data).values()) == found.heads()[0][2] > 0


@pytest.mark.parametrize("kind", ["folded", "speedscope"])
@pytest.mark.parametrize("words, why", [
    (["graph"], "--output: the graph view has no flame graph (use scope or "
     "code)"),
    (["op"], "--output: the op view has no flame graph (use scope or code)"),
    (["scope", "-select", "micros,device"],
     "--select: a flame graph needs at least one cost, and supports only costs "
     "(such as --select micros,bytes)")])
def test_what_has_no_flame_graph_is_refused(tmp_path, kind, words, why):
    path = tmp_path / "out"
    code, out, err = run(*words, *upstream.model("cifar"), "-output",
                         f"{kind}:outfile={path}")
    assert (code, out, complaint(err)) == (2, b"", why)
    assert not path.exists()


@pytest.mark.parametrize("kind", ["folded", "speedscope"])
def test_a_name_that_ends_in_gz_is_compressed(tmp_path, kind):
    words = ["code", *upstream.model("cifar")]
    plain, _ = ask(words, tmp_path, kind)
    path = tmp_path / "out.gz"
    assert run(*words, "-output", f"{kind}:outfile={path}")[0] == 0
    assert gzip.decompress(path.read_bytes()) == plain


@pytest.mark.parametrize("kind", ["folded", "speedscope"])
def test_the_same_input_gives_the_same_bytes(tmp_path, kind):
    words = ["code", *upstream.model("resnet"), "-select", "micros,bytes"]
    assert ask(words, tmp_path, kind) == ask(words, tmp_path, kind)
