"""The files that tools/python-tables makes are those of the tables."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest
from inputs import SOURCE_DIR

import tfprof
from tfprof import _native

# What is an argument, or of another command.
NO_KEYWORDS = {"output", "format", "budgets", "baseline", "require_verdict",
               "allow_no_verdict", "init"}


def test_generated_files_are_what_the_tables_say() -> None:
    done = subprocess.run(
        [sys.executable, SOURCE_DIR / "tools" / "python-tables", "--check",
         os.environ["TFPROF_BUILD_DIR"]],
        capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("method", [
    "scope", "graph", "op", "code", "steps", "kernels", "memory", "devices",
    "summary", "advise", "flops", "timeline", "pprof", "folded", "speedscope",
    "report"])
def test_each_option_is_a_keyword_of_its_own(method: str) -> None:
    """As help() lists it and Tab completes it, in a source file too."""
    kinds = {name: _native.option_kind(_native.find_option(name)[0])
             for name in _native.option_names()}
    known = {name for name, kind in kinds.items()
             if kind != "paths" and name not in NO_KEYWORDS}
    parameters = inspect.signature(getattr(tfprof.Profile, method)).parameters
    assert set(parameters) >= known > {"max_depth", "select", "checkers"}
    for name in known - {"checkers"}:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[name].default is None
    assert parameters["select"].annotation == "Words"
    assert parameters["max_depth"].annotation == "Number"


def test_code_does_not_ask_for_an_op_log() -> None:
    assert "Requires an op log" not in (tfprof.Profile.code.__doc__ or "")
