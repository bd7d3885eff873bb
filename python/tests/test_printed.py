"""OU-10: text that Python prints holds nothing that steers a terminal."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from messages import CPU, entry, frame, node_def, record, run_of, strings

import tfprof

ODD = "\x1b]0;title\x07\u202e\x9b\u2028X"
RAW = ODD.encode()


def is_safe(text: str) -> bool:
    return all(c in "\t\n" or c.isprintable() for c in text)


@pytest.fixture(scope="module")
def profile() -> tfprof.Profile:
    """Names, types, devices and code that all hold control bytes."""
    return tfprof.open(
        graph=node_def(RAW, RAW, outputs=[[2, 3]])
        + node_def(b"s/" + RAW, b"Relu", [RAW])
        + node_def(b"v" + RAW, b"VariableV2", shape=[2, 3]),
        run_meta=run_of((CPU, record(RAW) + record(b"s/" + RAW))),
        op_log=entry(RAW, frame(1, 3))
        + strings({1: b"/x/" + RAW, 2: RAW, 3: RAW}))


def things(p: tfprof.Profile) -> list[Any]:
    select = ["micros", "params", "device", "op_types", "input_shapes"]
    found: list[Any] = [p, *p.inputs, p.inputs, p.info(), p.options()]
    for view in (p.scope(select=select), p.graph(select=select),
                 p.op(select=select), p.code(select=["micros", "params"])):
        found += [view, *view, view[:3], view.total, view.to_dict()]
    advice = p.advise()
    assert len(advice) > 0
    found += [advice, *advice, advice[:]]
    for finding in advice:
        found.append(Plain(finding.report))
    counted = tfprof.flops(node_def(RAW, b"Relu", [b"p"]))
    found += [counted, counted.by_type, counted.uncounted, counted.layers]
    found.append(tfprof.GraphNodeProto(name=ODD, devices=[ODD]))
    found.append(tfprof.GraphNodeProto(name=ODD).devices)
    found.append(p.remarks)
    found += [Plain(remark) for remark in p.remarks]
    return found


class Plain:
    """A text that is printed as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def test_OU_10_objects_print_escaped_text(profile: tfprof.Profile) -> None:
    for thing in things(profile):
        for text in (str(thing), repr(thing)):
            assert is_safe(text), (type(thing), ascii(text))


def test_OU_10_notebooks_show_escaped_text(profile: tfprof.Profile) -> None:
    for thing in (profile, profile.op(), profile.advise(), profile.flops()):
        assert is_safe(thing._repr_html_()), type(thing)


def test_OU_10_a_table_in_a_notebook_is_escaped(
        profile: tfprof.Profile) -> None:
    html = profile.scope(select=["micros", "device"])._repr_html_()
    assert is_safe(html)
    assert r"\x1b]0;title\x07" in html
    # MathJax would take what is between two dollars for a formula.
    assert '<div class="tfprof tex2jax_ignore mathjax_ignore">' in html


def failing() -> dict[str, Callable[[tfprof.Profile], Any]]:
    return {
        "path": lambda p: tfprof.open("/nonexistent/" + ODD),
        "pattern": lambda p: p.scope(show_name_regexes=["(" + ODD]),
        "choice": lambda p: p.scope(order_by=ODD),
        "set": lambda p: p.scope(select=[ODD]),
        "number": lambda p: p.scope(min_micros=ODD),
        "option": lambda p: p.scope(**{ODD: 1}),
        "backslash": lambda p: p.scope(select=[ODD + "\\"]),
        "half a pair": lambda p: p.scope(**{"\ud800" + ODD: 1}),
        "checker": lambda p: p.advise(checkers=[ODD]),
        "shape": lambda p: tfprof.flops(node_def(b"a"), shape={ODD: (1,)}),
        "formulas": lambda p: tfprof.flops(node_def(b"a"),
                                           formula_file="/x" + ODD),
        "output": lambda p: p.save("/nonexistent/" + ODD),
        "metric": lambda p: getattr(p.scope().total, ODD),
        "row": lambda p: p.scope()["no" + ODD],
        "cmd": lambda p: tfprof.profile(node_def(b"a"), cmd=ODD),
        "field": lambda p: tfprof.GraphNodeProto().HasField(ODD),
        "fields": lambda p: tfprof.GraphNodeProto(**{ODD: 1}),
        "module": lambda p: getattr(tfprof, ODD),
        "bytes": lambda p: tfprof.open(
            graph=b"\x0a\x03\x0a\x05" + RAW),
    }


@pytest.mark.parametrize("name", failing())
def test_OU_10_exceptions_print_escaped_text(profile: tfprof.Profile,
                                             name: str) -> None:
    with pytest.raises(Exception) as caught:
        failing()[name](profile)
    error = caught.value
    texts = [str(error), repr(error),
             "".join(traceback.format_exception_only(type(error), error))]
    if isinstance(error, tfprof.Error):
        texts.append(str(pickle.loads(pickle.dumps(error))))
    for text in texts:
        assert is_safe(text), ascii(text)


def test_OU_10_names_are_escaped_as_the_library_does_it() -> None:
    assert tfprof.escape("conv/é") == "conv/é"
    assert tfprof.escape("a\x1bb\u202e\0") == r"a\x1bb\xe2\x80\xae\x00"
    assert tfprof.escape("\udcff\ud800") == r"\xed\xb3\xbf\xed\xa0\x80"
    assert tfprof.escape(tfprof.escape(ODD)) == tfprof.escape(ODD)


def test_OU_10_text_of_messages_is_read_as_it_was() -> None:
    text = str(tfprof.GraphNodeProto(name=ODD + "é"))
    assert is_safe(text)
    quoted = text.split(": ", 1)[1].strip()[1:-1]
    assert quoted.encode().decode("unicode_escape").encode(
        "latin-1").decode() == ODD + "é"
