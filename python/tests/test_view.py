"""Views: what is printed, and the rows one by one."""

import csv
import importlib.util
import io
import json
from pathlib import Path
from typing import Any

import pytest
from inputs import DATA, GRAPH, LOG, RUN, command_line
from lacking import lacks

import tfprof
from tfprof import _native

ALL = ("bytes,peak_bytes,residual_bytes,output_bytes,micros,"
       "accelerator_micros,cpu_micros,params,float_ops,occurrence,"
       "queue_micros,device,op_types,input_shapes")
QUESTIONS: list[dict[str, Any]] = [
    {}, {"select": ALL}, {"max_depth": 2}, {"order_by": "micros"},
    {"show_name_regexes": "layer.*"}, {"account_type_regexes": "MatMul"},
    {"account_displayed_op_only": True, "min_micros": 1},
    {"top": 1, "sort": "micros"}, {"top": 2, "select": ALL},
    {"color": "always", "width": 60, "charset": "utf8"},
]


@pytest.fixture(scope="module")
def profile() -> tfprof.Profile:
    return tfprof.open(GRAPH, RUN, LOG)


def words_of(question: dict[str, Any]) -> list[str]:
    return [word for name, value in question.items()
            for word in (f"--{name}", str(value).lower()
                         if isinstance(value, bool) else str(value))]


@pytest.mark.parametrize("kind", ["scope", "graph", "op", "code"])
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_printing_is_the_command_line(
        profile: tfprof.Profile, kind: str, question: dict[str, Any],
        capsys: pytest.CaptureFixture[str]) -> None:
    view = getattr(profile, kind)(**question)
    print(view)
    args: list[Any] = [kind, GRAPH, RUN, LOG, *words_of(question)]
    assert capsys.readouterr().out == command_line(*args)
    assert view.to_json() == command_line(*args, "--format", "json")
    assert view.to_csv() == command_line(*args, "--format", "csv")


@pytest.mark.parametrize("kind", ["scope", "graph", "op"])
def test_the_rest_of_a_view_with_top(profile: tfprof.Profile,
                                     kind: str) -> None:
    view = getattr(profile, kind)(top=1, sort="micros")
    told = json.loads(view.to_json())["rows"]
    assert [row.rest for row in view] == [row.get("rest", 0) for row in told]
    rests = [row for row in view if row.rest > 0]
    assert rests
    for row in rests:
        assert row.name == f"({row.rest} more)"
        assert row.children == []
    whole = getattr(profile, kind)(sort="micros", top=0)
    assert not any(row.rest for row in whole)
    assert whole.total == view.total
    if kind != "op":
        assert view.root and whole.root
        first, *others = whole.root.children
        assert view.root.children[0].name == first.name
        assert view.root.children[1].total.micros == sum(
            row.total.micros for row in others)
    with pytest.raises(tfprof.OptionError, match="cannot sort by macs"):
        getattr(profile, kind)(sort="macs")


def test_an_empty_view_says_why(profile: tfprof.Profile) -> None:
    view = profile.scope(min_micros=1000)
    assert len(view) == 1
    assert view.remarks == (
        "nothing is shown: min_micros=1000 excludes all 11 rows (the "
        "largest value is 35)",)
    assert profile.scope().remarks == ()


@pytest.mark.parametrize("kind", ["scope", "graph", "op", "code"])
def test_rows_are_those_of_the_json(profile: tfprof.Profile, kind: str) -> None:
    view = getattr(profile, kind)(select=ALL)
    told = json.loads(view.to_json())
    assert view.to_dict() == told
    assert len(view) == len(told["rows"]) >= 3
    assert view.total.to_dict() == told["total"]
    for row, other in zip(view, told["rows"]):
        assert (row.name, row.depth, row.accounted) == (
            other["name"], other["depth"], other["accounted"])
        assert row.total.to_dict() == other["total"]
        assert row.self.to_dict() == other["self"]
        assert row.total.micros == other["total"]["micros"]
        assert list(row.devices) == other["devices"]
        assert list(row.op_types) == other["op_types"]
        assert row.nodes == other.get("nodes", row.nodes)


@pytest.mark.parametrize("kind", ["scope", "graph", "code"])
def test_rows_form_a_tree(profile: tfprof.Profile, kind: str) -> None:
    view = getattr(profile, kind)()
    assert view.root == view[0] and view.root.parent is None
    seen = [view.root]
    for row in seen:
        for child in row.children:
            assert child.parent == row and child.depth == row.depth + 1
            assert child.index > row.index
            seen.append(child)
    assert {row.index for row in seen} == set(range(len(view)))


def test_the_op_view_is_a_list(profile: tfprof.Profile) -> None:
    view = profile.op()
    assert view.root is None
    assert {row.depth for row in view} == {1}


def test_shapes_are_tuples() -> None:
    view = tfprof.open(GRAPH).scope(select="params,input_shapes")
    assert view["w"].shape == (3, 2)
    assert view["layer/MatMul"].input_shapes == {0: (None, 3), 1: None}
    assert view["layer"].shape is None


def test_indexing_is_that_of_a_sequence(profile: tfprof.Profile) -> None:
    view = profile.scope()
    everything = list(view)
    assert view[-1] == everything[-1] and view[2:5] == everything[2:5]
    assert view[::-1] == everything[::-1] and view[100:] == []
    for index in (len(view), -len(view) - 1):
        with pytest.raises(IndexError):
            view[index]
    with pytest.raises(TypeError):
        view[1.5]  # type: ignore[call-overload]
    assert view[1] in view and view[3].index == 3
    assert list(reversed(view)) == everything[::-1]


def test_finding_by_name(profile: tfprof.Profile) -> None:
    view = profile.scope()
    assert view["layer/MatMul"].self.micros == 35
    assert view.find("layer") == view["layer"]
    assert view.find("nothing") is None
    with pytest.raises(KeyError, match="nothing"):
        view["nothing"]


def test_what_was_not_selected_is_no_zero(profile: tfprof.Profile) -> None:
    row = profile.scope(select="micros")[0]
    with pytest.raises(AttributeError, match=r"select=\[..., 'bytes'\]"):
        row.total.bytes  # noqa: B018
    with pytest.raises(AttributeError, match=r"'occurrence'"):
        row.self.runs  # noqa: B018
    with pytest.raises(AttributeError, match=r"'device'"):
        row.devices  # noqa: B018
    with pytest.raises(AttributeError, match="unknown metric nonsense"):
        row.total.nonsense  # noqa: B018
    assert not hasattr(row.total, "params")


def test_every_metric_is_an_attribute_with_a_word_and_a_title() -> None:
    metrics = tuple(name for name in tfprof.Metrics.__annotations__
                    if not name.startswith("_"))
    assert metrics == _native.METRICS
    assert len(metrics) > 10
    view = tfprof.open(GRAPH, RUN).scope(select=sorted(
        {_native.metric_word(i) for i in range(len(metrics))}))
    assert sorted(view.metrics) == sorted(metrics)
    assert "bytes" in view.total.to_dict()
    titles = [_native.metric_title(i) for i in range(len(metrics))]
    assert len(set(titles)) == len(metrics) and all(titles)


def test_queues_are_a_metric(profile: tfprof.Profile) -> None:
    view = profile.scope(select=["queue_micros"], order_by="queue_micros",
                         min_queue_micros=1)
    assert [(row.name, row.self.queue_micros) for row in view] == [
        ("_TFProfRoot", 0), ("x", 10)]
    assert view.total.to_dict() == {"queue_micros": 10}
    assert ">queue<" in view._repr_html_()
    with pytest.raises(AttributeError, match=r"'queue_micros'"):
        profile.scope(select="micros")[0].self.queue_micros  # noqa: B018


def test_a_view_outlives_what_it_came_from(profile: tfprof.Profile) -> None:
    view = tfprof.open(GRAPH, RUN).scope()
    row = view[5]
    expected = str(profile.scope())
    assert row.name == "layer/MatMul" and expected == str(view)
    del view
    assert row.total.micros == 35


def test_text_that_is_no_utf8_is_shown_escaped() -> None:
    data = GRAPH.read_bytes().replace(b"layer", b"l\xff\xfeer")
    view = tfprof.open(graph=data).scope()
    assert view.find(r"l\xff\xfeer/MatMul") is not None
    assert r"l\xff\xfeer/MatMul" in str(view)


def test_tables_have_a_line_for_each_row(profile: tfprof.Profile) -> None:
    for name in ("pyarrow", "pandas"):
        if not importlib.util.find_spec(name):
            lacks(f"needs {name} (tools/requirements.txt)")
    view = profile.scope()
    micros = [row.total.micros for row in view]
    assert view.to_arrow().column("total_micros").to_pylist() == micros
    assert list(view.to_pandas(root=True)["total_micros"]) == micros
    assert list(view.to_pandas()["total_micros"]) == micros[1:]


def test_csv_has_a_line_for_each_row(profile: tfprof.Profile) -> None:
    view = profile.scope()
    rows = list(csv.DictReader(io.StringIO(view.to_csv())))
    assert [row["name"] for row in rows] == [row.name for row in view]


def test_representations_are_short(profile: tfprof.Profile) -> None:
    view = profile.scope()
    assert repr(view) == f"<tfprof.View scope: {len(view)} rows>"
    assert repr(view[5]).startswith("<tfprof.Row 'layer/MatMul' Metrics(")
    assert "micros" in dir(view[5].total)
    assert repr(profile) == f"<tfprof.Profile of {GRAPH}, {RUN}, {LOG}>"


def test_many_small_files_are_shortened(tmp_path: Path) -> None:
    p = tfprof.open(*[DATA / "graph.pb"] * 9)
    assert repr(p).endswith(", and 5 more>")


def test_calls_in_python_are_rows() -> None:
    path = DATA / "traces" / "jax_mlp_3steps_py1.xplane.pb"
    view = tfprof.open(path, frames="python").code(select="micros")
    found = {row.name: row for row in view}
    call = found["api.py:2479:block_until_ready"]
    assert (call.file, call.line, call.function) == (
        "api.py", 2479, "block_until_ready")
    assert {row.name for row in call.children} >= {"builtins len"}
    with pytest.raises(tfprof.OptionError, match="only the code view"):
        tfprof.open(path, frames="python").scope()
