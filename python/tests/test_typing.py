"""Keyword options are typed: mypy takes those there are, and no others."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

from inputs import SOURCE_DIR
from lacking import lacks

RIGHT = """
from pathlib import Path
import tfprof
import tfprof.fleet

p = tfprof.open("g", Path("h"), max_memory="2G", salvage=True, format="json")
p.scope(select=["micros"], order_by="micros", max_depth=4, step=None)
p.graph(show_name_regexes=["a", Path("b")], min_bytes=1)
p.op(select="micros", account_displayed_op_only=True)
p.code(shape={"x": (1, None)}, list="summary", checkers=["JobChecker"])
p.advise(["JobChecker"], max_depth=1)
p.advise(checkers="JobChecker")
p.flops(batch=1)
p.timeline("t", step=3)
p.pprof("t", labels="a", select=["micros"])
p.folded("t", view="code", select=["micros"])
p.speedscope("t", step=3)
p.report("t", base=["a", Path("b")], formulas="full")
total: int = tfprof.flops("g", batch=1).total
with tfprof.trace(Path("l"), framework="jax") as t, t.step(1):
    pass
traced: tfprof.Profile = t.profile
changes = tfprof.diff("a", ["b", Path("c")], view="op", of="min").changes
base = tfprof.baseline(["a"], "b.json", budgets="b.json", skip_steps=1)
check = tfprof.check("a", [{"metric": "params", "max": 1}], baseline=base)
is_ok: bool = tfprof.check("a", Path("b"), baseline="c", of="min").ok
why: list[str] = [budget.message for budget in check.broken]
fleet = tfprof.fleet.open(Path("f"), where={"job": "j"}, min_steps=3)
page: str = fleet.changes("a", ["b", "c"], view="op").to_html()
first: str = tfprof.fleet.compact("f", Path("g")).rows[0]["table"]
"""

# A line, and what mypy says of it.
WRONG = {
    'p.scope(oder_by="micros")': "call-arg",
    'p.scope(max_depth=["4"])': "arg-type",
    'p.scope(select=1)': "arg-type",
    'p.scope(salvage=2.5)': "arg-type",
    'p.scope(format="json")': "call-arg",  # to_json() does that
    'p.scope(output="none")': "call-arg",
    'p.scope(graph_path="g")': "call-arg",  # an input is not an option
    'p.advise(order_by=[1])': "arg-type",
    'p.timeline("t", widht=3)': "call-arg",
    'tfprof.open("g", max_memry=1)': "call-arg",
    'tfprof.flops("g", batch=1.5)': "arg-type",
    'tfprof.trace("l", framework="torch")': "arg-type",
    't.step("1")': "arg-type",
    'tfprof.diff("a", "b", format="csv")': "call-arg",
    'tfprof.diff(1, "b")': "arg-type",
    'tfprof.check()': "call-arg",
    'tfprof.check("a", "b", init=True)': "call-arg",
    'fleet.report(top="3")': "arg-type",
    'fleet.changes("a")': "call-arg",
}


def mypy(program: pathlib.Path) -> tuple[int, list[tuple[int, str]]]:
    """Its exit code, and the line and code of each error."""
    if importlib.util.find_spec("mypy") is None:
        lacks("needs mypy (tools/requirements.txt)")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=",
         "--no-error-summary", f"--cache-dir={program.parent}/cache",
         str(program)], text=True, capture_output=True, timeout=600,
        env={**os.environ, "MYPYPATH": str(SOURCE_DIR / "python")})
    found = re.findall(r":(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.M)
    assert done.returncode < 2, done
    return done.returncode, [(int(line), code) for line, code in found]


def test_mypy_accepts_options_that_exist_and_refuses_others(
        tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(RIGHT)
    assert mypy(program) == (0, [])
    program.write_text(RIGHT + "\n".join(WRONG) + "\n")
    first = RIGHT.count("\n") + 1
    expected = [(first + at, code) for at, code in enumerate(WRONG.values())]
    assert mypy(program) == (1, expected)
