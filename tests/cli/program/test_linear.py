"""Twice the input takes about twice the time, whatever its form; and the
forms that break programs with a stack or a quadratic table.

Both sizes are measured in one run, alternating, and the median of each is
taken, in processor time: what else the machine does counts little.
TFPROF_SLOW=1 takes the full sizes.
"""

# labels: once

import os
import resource
import time

import pytest

import flops_models as models
from faults import (MIB, SANITIZED, SLOW, field, integer, no_sanitizer, printed,
                    run, varint)
from linear import OP, chain, check_linear, short
from messages import CPU, NOON, node_def
from surroundings import PATIENCE

SMALL_STACK = [(resource.RLIMIT_STACK, (2048 if SANITIZED else 256) << 10)]


# ---- Inputs, made of bytes --------------------------------------------------

def scope(count):
    """All nodes under one name."""
    for i in range(count):
        yield short(1, short(1, b"one/scope/n%d" % i) + OP)


def star(count):
    """All nodes are inputs of one."""
    names = [b"n%d" % i for i in range(count)]
    for name in names:
        yield short(1, short(1, name) + OP)
    yield field(1, short(1, b"sum") + OP
                + b"".join(short(3, name) for name in names))


def one_name(slashes):
    yield node_def(b"a/" * slashes, shape=[3])


def names(count):
    """Every name has a type of its own."""
    for i in range(count):
        yield short(1, short(1, b"n%d" % i) + short(2, b"Op%d" % i))


def captured(count):
    """A call whose function reads each of its arguments, all variables."""
    arguments = [(b"a%d" % i, models.RESOURCE) for i in range(count)]
    handles = [b"h%d" % i for i in range(count)]
    yield models.graph(
        [models.placeholder(name, (), models.RESOURCE) for name in handles]
        + [models.call(b"call", b"f", *handles,
                       takes=[models.RESOURCE] * count)],
        [models.function(b"f", arguments,
                         [models.read(b"r" + name, name)
                          for name, _ in arguments],
                         [(b"y", models.FLOAT, b"ra0:value:0")])])


def step(nodes):
    """A RunMetadata in which each of scope()'s nodes runs."""
    records = b"".join(
        short(2, short(1, b"one/scope/n%d" % i) + integer(2, NOON + i)
              + integer(3, 1) + integer(4, 5) + integer(5, 6))
        for i in range(nodes))
    device = short(1, CPU) + records
    device = varint(1 << 3 | 2) + varint(len(device)) + device
    return varint(1 << 3 | 2) + varint(len(device)) + device


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """made(maker, count) is the path of such a graph, made once."""
    folder = tmp_path_factory.mktemp("linear")

    def make(maker, count):
        path = folder / f"{maker.__name__}_{count}"
        if not path.exists():
            with open(path, "wb") as out:
                out.writelines(maker(count))
        return path
    return make


# ---- Linear -----------------------------------------------------------------

FORMS = {
    # maker, the larger count by itself and with TFPROF_SLOW=1, views
    "a chain": (chain, 400_000, 1_000_000, ("scope", "graph")),
    "one scope": (scope, 400_000, 1_000_000, ("scope", "op")),
    "one sum": (star, 100_000, 1_000_000, ("graph",)),
    "one name": (one_name, 1 << 19, 1 << 19, ("scope",)),
    "many types": (names, 100_000, 200_000, ("op",)),
}


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
@pytest.mark.parametrize("form", FORMS)
def test_time_is_linear_in_the_nodes(made, say, form):
    maker, usual, full, views = FORMS[form]
    count = full if SLOW else usual
    small, large = (["--graph_path", made(maker, n)] for n in (count // 2,
                                                               count))
    for view in views:
        check_linear(say, f"{form} of {count}, {view}", [view, *small],
                     [view, *large])


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
@pytest.mark.parametrize(
    "what", ["every row", "JSON", "ordered", "the largest"])
def test_time_is_linear_in_the_rows(made, say, what):
    count = 1_000_000 if SLOW else 60_000
    more = {"every row": ["--format", "csv"], "JSON": ["--format", "json"],
            "ordered": ["-q", "-order_by", "params", "--format", "csv"],
            "the largest": ["-q", "--top", "3", "--format", "csv"]}[what]
    for view, maker in (("scope", scope), ("graph", chain)):
        small, large = ([view, "--graph_path", made(maker, n), "-max_depth",
                         str(2 * count), *more] for n in (count // 2, count))
        check_linear(say, f"{view}, {what}", small, large)


def one_shape(count):
    """A shape of `count` dims, and as many nodes that it is an input of."""
    yield node_def(b"n", outputs=[[1] * count])
    for i in range(count):
        yield node_def(b"r%d" % i, inputs=[b"n"])


@pytest.mark.parametrize("form", ["text", "json", "csv", "proto"])
def test_GR_08_input_shapes_are_linear_in_the_file(made, form):
    sizes = []
    for count in (2000, 4000):
        code, out, _ = run("scope", "-q", "--graph_path",
                           made(one_shape, count), "-select", "input_shapes",
                           "--format", form)
        assert code == 0
        sizes.append(len(out))
    assert sizes[1] < 2.2 * sizes[0]
    assert sizes[1] < 1_000_000


def test_GR_08_input_shapes_of_254_dims_are_the_longest(made):
    for count in (254, 255):
        _, out, _ = run("scope", "-q", "--graph_path", made(one_shape, count),
                        "-select", "input_shapes")
        assert (b"0:" + b"x".join([b"1"] * 254) in out) == (count == 254)
        assert (b"0:unknown" in out) == (count == 255)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
def test_time_is_linear_in_the_steps(tmp_path, made, say):
    nodes, steps = (10_000, 100) if SLOW else (4_000, 50)
    run_meta = tmp_path / "run_meta"
    run_meta.write_bytes(step(nodes))
    graph = made(scope, nodes)
    small, large = (["--graph_path", graph, "-select", "micros,bytes",
                     "--run_meta_path", ",".join([os.fspath(run_meta)] * n)]
                    for n in (steps // 2, steps))
    for view in ("scope", "op"):
        check_linear(say, f"{steps} steps of {nodes}, {view}", [view, *small],
                     [view, *large])


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
def test_the_time_of_advice_is_linear(tmp_path, made, say):
    count = 1_000_000 if SLOW else 200_000
    asked = []
    for nodes in (count // 2, count):
        run_meta = tmp_path / f"run_meta_{nodes}"
        run_meta.write_bytes(step(nodes).replace(b"CPU:0", b"GPU:0"))
        asked.append(["advise", "-q", "--graph_path", made(scope, nodes),
                      "--run_meta_path", run_meta])
    check_linear(say, f"advice on {count}", *asked)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer's time is not ours")
def test_the_time_of_calls_is_linear_in_their_arguments(made, say):
    count = 200_000 if SLOW else 50_000
    check_linear(say, f"{count} variables of a call", *(
        ["flops", made(captured, n)] for n in (count // 2, count)))


# ---- GR-03: a long chain ----------------------------------------------------

@pytest.mark.parametrize("view", ["graph", "scope", "op"])
def test_GR_03_a_long_chain_needs_no_stack(made, say, view):
    count = 100_000 if SANITIZED and not SLOW else 1_000_000
    path = made(chain, count)
    begun = time.monotonic()
    code, out, err = run(view, "--graph_path", path, limits=SMALL_STACK,
                         timeout=PATIENCE)
    seconds = time.monotonic() - begun
    assert (code, err) == (0, b"")
    if view == "graph":  # the last node first; ten levels with the root
        assert out.count(b"\n") == 11
        assert b"\n  n%d (0/0 params)\n    n%d (" % (count - 1,
                                                     count - 2) in out
    elif view == "scope":
        assert out.count(b"\n") == 2 + count
    say(f"{count} nodes in {seconds:.2f} s")
    assert seconds < 50  # ten times what is promised of a quiet machine


def test_GR_03_the_whole_chain_is_shown(made):
    count = 100_000
    out = printed("graph", "--graph_path", made(chain, count), "-max_depth",
                  str(count + 1), "--format", "csv", limits=SMALL_STACK,
                  timeout=PATIENCE)
    lines = out.splitlines()
    assert len(lines) == 2 + count
    assert lines[2].startswith(b'"n%d",1,' % (count - 1))
    assert lines[-1].startswith(b'"n0",%d,' % count)


# ---- GR-04: a deep scope ----------------------------------------------------

SLASHES = 1 << 19  # in a name of 1 MiB; all its prefixes would be 256 GiB


@no_sanitizer
@pytest.mark.parametrize("view", ["scope", "graph", "op"])
def test_GR_04_a_deep_scope_takes_memory_in_proportion(made, view):
    path = made(one_name, SLASHES)
    limits = [(resource.RLIMIT_AS, 256 * MIB), *SMALL_STACK]
    for form in ("text", "json", "csv"):
        code, out, err = run(view, "--graph_path", path, "--format", form,
                             limits=limits)
        is_cut = view == "scope" and form != "text"
        assert (code, err) == (0, b"tfprof: note: rows deeper than 1000 levels "
                               b"are not shown (a larger --max_depth shows "
                               b"more)\n"
                               if is_cut else b"")
        if view == "scope" and form == "text":
            assert out.startswith(b"node name | # parameters\n_TFProfRoot (--/3"
                                  b" params)\n  a (0/3 params)\n    a/a (0/3 ")
            assert out.count(b"\n") == 11


@no_sanitizer
def test_GR_04_memory_is_linear_in_the_slashes(made, say):
    """The least that is enough, for a name and for one of twice its length."""
    def least(slashes):
        path = made(one_name, slashes)
        low, high = 0, 256 * MIB
        while high - low > MIB // 4:
            middle = (low + high) // 2
            code, _, _ = run("scope", "--graph_path", path, "--max-memory",
                             str(middle))
            assert code in (0, 4)
            low, high = (middle, high) if code else (low, middle)
        return high
    small, large = least(SLASHES // 2), least(SLASHES)
    say(f"{small / SLASHES * 2:.0f} and {large / SLASHES:.0f} bytes a slash")
    assert large <= 2.2 * small


def test_GR_04_a_deep_scope_under_a_sanitizer_too(made):
    out = printed("scope", "--graph_path", made(one_name, SLASHES),
                  limits=SMALL_STACK)
    assert out.count(b"\n") == 11
    # Many deep names beside each other, most of each shared.
    code, out, err = run("scope", "--graph_path", "-", limits=SMALL_STACK,
                         data=b"".join(node_def(b"a/" * 5000 + b"%d" % i)
                                       for i in range(100)))
    assert (code, err) == (0, b"")
