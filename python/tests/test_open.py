"""tfprof.open() and the questions that a Profile answers."""

import doctest
import errno
import gzip
import importlib
import io
import json
import mmap
import pickle
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from inputs import DATA, GRAPH, LOG, RUN, command_line

import tfprof
from tfprof import _native, _settings


def names(view: tfprof.View) -> list[str]:
    return [row.name for row in view]


# ---- Inputs -----------------------------------------------------------------

class Message:
    """What has the method of a message, and the name of one."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def SerializeToString(self) -> bytes:
        return self.data


class RunMetadata(Message):
    pass


class Graph:
    def as_graph_def(self, add_shapes: bool = False) -> Message:
        return Message(GRAPH.read_bytes())


class Function:
    graph = Graph()


def test_whatever_holds_a_graph_is_taken() -> None:
    data = GRAPH.read_bytes()
    expected = names(tfprof.open(GRAPH).scope())
    with open(GRAPH, "rb") as file, gzip.open(DATA / "graph.pb.gz") as packed:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for given in (str(GRAPH), data, bytearray(data), memoryview(data),
                      mapped, io.BytesIO(data), file, packed,
                      gzip.compress(data), Message(data), Graph(), Function()):
            assert names(tfprof.open(given).scope()) == expected, given


def test_a_role_may_have_a_list() -> None:
    p = tfprof.open(graph=GRAPH, run_meta=[RUN, RUN.read_bytes()], op_log=LOG)
    assert [i.kind for i in p.inputs] == ["GraphDef", "RunMetadata",
                                          "RunMetadata", "OpLogProto"]
    assert p.info()["model"]["steps"] == 2


def test_steps_may_be_numbered() -> None:
    with open(RUN, "rb") as file:
        p = tfprof.open(GRAPH, run_meta={3: RUN, 7: RUN.read_bytes(), 9: file})
    assert p.scope(step=7).total.micros == 41
    with pytest.raises(tfprof.OptionError, match="step"):
        p.scope(step=4)
    with pytest.raises(TypeError, match="op_log"):
        tfprof.open(op_log={0: LOG})


def test_a_message_says_what_it_is() -> None:
    """These bytes alone would not be recognised: they are none."""
    p = tfprof.open(GRAPH, RunMetadata(b""))
    assert p.inputs[1].kind == "RunMetadata"


def test_a_directory_gives_its_files(tmp_path: Path) -> None:
    (tmp_path / "graph.pb").write_bytes(GRAPH.read_bytes())
    (tmp_path / "notes.txt").write_text("nothing of ours")
    p = tfprof.open(tmp_path)
    assert {(i.path.rpartition("/")[2], i.status) for i in p.inputs} == {
        ("graph.pb", "read"), ("notes.txt", "passed over")}


def test_no_input_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="requires an input"):
        tfprof.open()
    for given in (3, object(), None):
        with pytest.raises(TypeError, match="cannot read an input"):
            tfprof.open(given)


def test_a_text_file_object_is_a_type_error() -> None:
    with (DATA / "graph.pbtxt").open() as file, pytest.raises(
            TypeError, match="binary mode"):
        tfprof.open(file)


def test_what_a_file_object_raises_comes_out() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise ZeroDivisionError("not today")

    with pytest.raises(ZeroDivisionError, match="not today"):
        tfprof.open(Broken())


def test_salvage_keeps_what_came_before_the_damage() -> None:
    data = GRAPH.read_bytes()[:500]
    with pytest.raises(tfprof.CorruptInput, match="<bytes>: offset"):
        tfprof.open(data)
    p = tfprof.open(data, salvage=True)
    assert p.inputs[0].status == "partial"
    error = p.inputs[0].error
    assert isinstance(error, tfprof.CorruptInput) and error.offset
    assert 0 < p.info()["model"]["nodes"] < 8


# ---- Errors -----------------------------------------------------------------

def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(tfprof.ReadError, match="nowhere: cannot open") as told:
        tfprof.open(tmp_path / "nowhere")
    assert isinstance(told.value, OSError)
    assert told.value.errno == 2


@pytest.mark.parametrize("data, advice", [
    (b"\x89HDF\r\n\x1a\n" + bytes(88), r"model\.export\(DIR\)"),
    (b"PK\x03\x04" + bytes(26) + b"metadata.json", r"model\.export\(DIR\)"),
    (b"\x1c\0\0\0TFL3" + bytes(24), "give the SavedModel")])
def test_models_of_other_kinds_are_not_called_corrupt(
        tmp_path: Path, data: bytes, advice: str) -> None:
    path = tmp_path / "model"
    path.write_bytes(data)
    with pytest.raises(tfprof.UnsupportedInput, match=advice) as told:
        tfprof.open(path).scope()
    assert not isinstance(told.value, tfprof.CorruptInput)
    assert str(path) in str(told.value)
    with pytest.raises(tfprof.UnsupportedInput, match=advice):
        tfprof.flops(path)
    with pytest.raises(tfprof.UnsupportedInput, match=advice):
        tfprof.open(graph=path)


def test_names_of_files_stay_as_they_are(tmp_path: Path) -> None:
    p = tfprof.open(GRAPH)
    with pytest.raises(tfprof.OutputError, match="cannot write") as told:
        p.save(tmp_path / "none" / "run--final.pb")
    assert "/run--final.pb: " in str(told.value)
    assert told.value.errno == errno.ENOENT
    with pytest.raises(tfprof.ReadError) as missing:
        tfprof.open(tmp_path / "a --step b")
    assert "/a --step b: cannot open" in str(missing.value)


def test_options_are_named_as_keywords() -> None:
    p = tfprof.open(GRAPH)
    with pytest.raises(tfprof.OptionError) as told:
        p.scope(max_depth="many")
    assert str(told.value).startswith("max_depth accepts a number")
    with pytest.raises(tfprof.OptionError) as quoted:
        p.scope(order_by="a --step b")
    assert "'a --step b'" in str(quoted.value)


def test_a_damaged_text_says_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "bad.pbtxt"
    path.write_text('node {\n  name: "a" op: }\n}\n')
    with pytest.raises(tfprof.CorruptInput) as told:
        tfprof.open(graph=path)
    assert (told.value.line, told.value.column) == (2, 17)
    assert f"{path}: line 2, column 17: " in str(told.value)


def test_a_limit_is_one_of_its_own() -> None:
    with pytest.raises(tfprof.LimitExceeded, match="max_input"):
        tfprof.open(GRAPH, max_input=100)


@pytest.mark.parametrize("ask", [
    lambda p, **options: p.scope(**options),
    lambda p, **options: p.op(**options),
    lambda p, **options: p.advise(**options),
    lambda p, **options: p.steps(**options),
])
def test_a_limit_of_one_call_ends_with_it(ask: Any) -> None:
    p = tfprof.open(GRAPH, RUN)
    expected = str(ask(p))
    for limit in (1, 1000, 4000, 64000):
        try:
            ask(p, max_memory=limit)
        except tfprof.LimitExceeded:
            pass
        assert str(ask(p)) == expected
    with pytest.raises(tfprof.LimitExceeded):
        ask(p, max_memory=1)
    assert str(ask(p, max_memory="4G")) == expected


def test_a_question_without_an_answer_is_an_option_error() -> None:
    with pytest.raises(tfprof.OptionError):
        tfprof.open(RUN).flops()


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    p = tfprof.open(GRAPH)
    with pytest.raises(tfprof.OutputError, match="nowhere"):
        p.save(tmp_path / "nowhere" / "profile")


# ---- Options ----------------------------------------------------------------

def test_an_unknown_keyword_names_the_nearest() -> None:
    p = tfprof.open(GRAPH)
    with pytest.raises(tfprof.OptionError, match="did you mean order_by"):
        p.scope(oder_by="name")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="did you mean max_memory"):
        tfprof.open(GRAPH, max_memry=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("settings", [
    {"max_depth": True}, {"max_depth": 1.5}, {"max_depth": "many"},
    {"account_displayed_op_only": 3}, {"order_by": ["name"]},
    {"select": ["nothing"]}, {"output": "none"}, {"format": "json"},
    {"show_name_regexes": [b"bytes"]}, {"show_name_regexes": ["("]},
    {"show_name_regexes": ["a\\", "b"]}, {"graph_path": "x"},
])
def test_an_unusable_value_names_its_option(settings: dict[str, Any]) -> None:
    with pytest.raises(tfprof.OptionError, match=next(iter(settings))):
        tfprof.open(GRAPH).scope(**settings)


def test_options_hold_for_one_question() -> None:
    p = tfprof.open(GRAPH, RUN, max_depth=3)
    before, text = p.options(), str(p.scope())
    p.scope(max_depth=1, select=["bytes"], show_name_regexes=["x"])
    with pytest.raises(tfprof.OptionError):
        p.scope(max_depth=2, select="nothing")
    p.flops(batch=7, list="types")
    p.advise("OperationChecker")
    assert p.options() == before
    assert p.options()["max_depth"] == "3"
    assert str(p.scope()) == text


@pytest.mark.parametrize("patterns", [
    ["a,b", "c"], ["x{2,3}", "y"], [r"\,"], [r"a\\", "b"], ["[,]", ",", "a"],
    [r"\\,x"], [],
])
def test_a_list_comes_back_from_the_library(patterns: list[str]) -> None:
    handle = _native.Handle()
    text = _settings.texts({"show_name_regexes": patterns})
    handle.set(text)
    told = handle.get("show_name_regexes")
    # What it tells would set it again, so it is as good as what was set.
    other = _native.Handle()
    other.set({"show_name_regexes": told})
    assert other.get("show_name_regexes") == told
    assert handle.get("show_name_regexes").count(",") == text[
        "show_name_regexes"].count(",")


def test_a_comma_in_a_pattern_is_a_comma() -> None:
    data = (DATA / "graph.pb").read_bytes().replace(b"layer", b"la,er")
    p = tfprof.open(data)
    assert names(p.scope(show_name_regexes=["la,er"])) == [
        "_TFProfRoot", "la,er"]


def test_shapes_and_trips_may_be_mappings() -> None:
    texts = _settings.texts({"shape": {"x": (1, None, 3), "y": "2x2"},
                             "trips": {"loop": 5}})
    assert texts == {"shape": "x=1x?x3,y=2x2", "trips": "loop=5"}


def test_none_leaves_an_option_as_it_is() -> None:
    assert _settings.texts({"max_depth": None, "step": 2}) == {"step": "2"}


# ---- Answers ----------------------------------------------------------------

@pytest.mark.parametrize("checkers", [None, ["OperationChecker"],
                                      "JobChecker,ExpensiveOperationChecker"])
def test_findings_are_those_of_the_command_line(checkers: Any) -> None:
    words = [] if checkers is None else [
        "--checkers", checkers if isinstance(checkers, str) else checkers[0]]
    advice = tfprof.open(GRAPH, RUN).advise(checkers)
    assert f"{advice}\n" == command_line("advise", GRAPH, RUN, *words)
    told = json.loads(command_line("advise", GRAPH, RUN, "--format", "json",
                                   *words))
    lines = [finding["line"] for checker in told["checkers"]
             for report in checker["reports"] for finding in report]
    assert [finding.report for finding in advice] == lines


def test_a_finding_tells_where() -> None:
    finding = tfprof.open(GRAPH, RUN).advise()[1]
    assert (finding.checker, finding.kind, finding.name, finding.node,
            finding.micros, finding.nodes, finding.file) == (
        "ExpensiveOperationChecker", "type", "MatMul", "layer/MatMul", 35, 1,
        None)
    assert finding.hint and finding.report in repr(finding)


def test_float_operations_are_those_of_the_command_line() -> None:
    path = DATA / "functions.pb"
    found = tfprof.flops(path, batch=1)
    assert f"{found}\n" == command_line("flops", path, "--batch", "1")
    told = json.loads(command_line("flops", path, "--batch", "1", "--format",
                                   "json"))
    assert found.to_dict() == told
    assert found.total == sum(row["float_ops"] for row in found.by_type) == 21
    assert found.total == sum(row["float_ops"] for row in found.layers)
    assert (found.macs, found.int_ops, found.uncounted, found.coverage,
            found.complete) == (0, told["int_ops"], [], 1.0, True)


def test_parameters_that_are_not_in_the_file(tmp_path: Path) -> None:
    """The graph of a function is fed with its variables."""
    path = tmp_path / "graph.pbtxt"
    path.write_text("""
        node { name: "w" op: "Placeholder"
               attr { key: "dtype" value { type: DT_RESOURCE } } }
        node { name: "read" op: "ReadVariableOp" input: "w"
               attr { key: "dtype" value { type: DT_FLOAT } } }
        node { name: "state" op: "Const" attr { key: "value" value { tensor {
               dtype: DT_FLOAT tensor_shape { dim { size: 3 } } } } } }
    """)
    found = tfprof.flops(path)
    assert found.params is None and found.trainable_params is None
    assert repr(found) == (
        "<tfprof.Flops: 0 float operations, unknown parameters>")


def test_what_was_not_counted_is_told() -> None:
    found = tfprof.flops(GRAPH)
    assert found.coverage == 0 and not found.complete
    assert [row["op"] for row in found.uncounted] == ["MatMul", "AddV2"]
    assert found.params == 6
    assert "2 compute nodes" in str(found)


def test_files_are_written(tmp_path: Path) -> None:
    p = tfprof.open(GRAPH, RUN, LOG)
    p.timeline(tmp_path / "a,b", view="scope")
    p.pprof(tmp_path / "p.pb.gz", samples="all", select=["micros"])
    p.folded(tmp_path / "f", view="code")
    p.speedscope(tmp_path / "s.json.gz", select=["micros", "bytes"])
    p.save(tmp_path / "profile")
    p.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_bytes()
    assert page.startswith(b"<!DOCTYPE html>") and b'id="data"' in page
    p.report(tmp_path / "d.html", base=[tmp_path / "profile"])
    assert len((tmp_path / "d.html").read_bytes()) > len(page)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"p.pb.gz", "profile"} < written
    assert any(name.startswith("a,b") for name in written), written
    again = tfprof.open(tmp_path / "profile")
    assert again.inputs[0].kind == "ProfileProto"
    assert again.scope().total.micros == p.scope().total.micros


def test_a_timeline_of_a_trace_is_that_of_the_program(tmp_path: Path) -> None:
    path = DATA / "traces" / "gen_tf-gpu.xplane.pb"
    tfprof.open(path).timeline(tmp_path / "a.json", step=2)
    command_line("graph", path, "-step", "2", "-output",
                 f"timeline:outfile={tmp_path}/b.json")
    found = (tmp_path / "a.json").read_bytes()
    assert found == (tmp_path / "b.json").read_bytes()
    assert found.count(b'"ph":"s"') == 110


def test_remarks_are_kept_once() -> None:
    p = tfprof.open(GRAPH, RUN)
    for _ in range(3):
        p.advise()
    assert len(p.remarks) == 1
    assert "op_log=" in p.remarks[0]


def test_info_is_that_of_the_command_line() -> None:
    told = json.loads(command_line("info", GRAPH, "--format", "json"))
    found = tfprof.open(GRAPH).info()
    for model in (told, found):
        del model["model"]["peak_memory_bytes"]
    assert found == told


def test_closing_ends_questions_but_not_views() -> None:
    with tfprof.open(GRAPH, RUN) as p:
        view = p.scope()
        text = str(view)
    assert str(view) == text and view.total.micros == 41
    assert "closed" in repr(p)
    p.close()
    for ask in (p.scope, p.info, p.flops, p.advise, p.options,
                lambda: p.inputs, lambda: p.save("x")):
        with pytest.raises(ValueError, match="closed"):
            ask()


# ---- What the documentation shows -------------------------------------------

def modules() -> list[str]:
    return [name for _, name, _ in pkgutil.iter_modules(
        tfprof.__path__, "tfprof.") if not name.endswith("._tfprof")]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_there_are_examples_in_docstrings() -> None:
    finder = doctest.DocTestFinder()
    tests = [test for module in ("tfprof._profile", "tfprof._view")
             for test in finder.find(importlib.import_module(module))]
    assert sum(len(test.examples) for test in tests) > 20


def test_all_public_names_are_there() -> None:
    for name in tfprof.__all__:
        assert getattr(tfprof, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        tfprof.nothing  # noqa: B018


def test_errors_come_through_pickle(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"\x0a\xff\xff")
    for given in (tmp_path / "none", damaged):
        with pytest.raises(tfprof.Error) as raised:
            tfprof.open(graph=given)
        error = raised.value
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert type(error).__module__ == "tfprof"
        assert (str(again), again.__dict__) == (str(error), error.__dict__)
        if isinstance(again, tfprof.ReadError):
            assert again.errno == errno.ENOENT
