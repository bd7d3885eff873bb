"""The pytest plugin of tfprof: tests that fail if a budget is broken.

It is a package of its own, since an import of tfprof.* would load the
extension at the start of every pytest. Only a test that uses the fixture
imports tfprof.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tfprof import Check

__all__ = ["tfprof_check"]

_MARK = "tfprof_budgets"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tfprof", "budgets of tfprof")
    group.addoption("--tfprof-budgets", metavar="FILE",
                    help="budgets file for the fixture tfprof_check")
    group.addoption("--tfprof-baseline", metavar="FILE",
                    help="baseline for the fixture tfprof_check")
    group.addoption("--tfprof-require-verdict", action="store_true",
                    help="fail tests whose budgets have no verdict because "
                    "of noise, instead of skipping them")
    group.addoption("--tfprof-allow-no-verdict", action="store_true",
                    help="skip tests whose budgets have no verdict for another "
                    "reason than noise, instead of failing them")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{_MARK}(budgets, baseline=None): paths of the budgets "
        "file and the baseline for the fixture tfprof_check, relative to the "
        "directory of the test file")


def _marked(budgets: Any = None, baseline: Any = None) -> tuple[Any, Any]:
    """The arguments of the marker."""
    return budgets, baseline


def _files(request: pytest.FixtureRequest, given: tuple[Any, Any]) -> list[Any]:
    """Budgets and baseline: of the call, else of the marker, else of the
    command line."""
    mark = request.node.get_closest_marker(_MARK)
    marked = _marked(*mark.args, **mark.kwargs) if mark else (None, None)
    beside = [os.path.join(request.path.parent, thing)
              if isinstance(thing, (str, os.PathLike)) else thing
              for thing in marked]
    asked = [os.path.join(request.config.invocation_params.dir, name)
             if name else None
             for name in (request.config.getoption("tfprof_budgets"),
                          request.config.getoption("tfprof_baseline"))]
    return [next((thing for thing in choices if thing is not None), None)
            for choices in zip(given, beside, asked)]


def _reasons(found: Check, required: bool, allowed: bool) -> str:
    """Why the test fails; empty if it does not."""
    import tfprof
    try:
        found.raise_if_broken(require_verdict=required,
                              allow_no_verdict=allowed)
    except tfprof.BudgetError as error:
        return str(error)
    return ""


@pytest.fixture
def tfprof_check(request: pytest.FixtureRequest) -> Callable[..., Check]:
    """A function that checks budgets: tfprof_check(inputs, budgets=None,
    baseline=None, **options), with the arguments of tfprof.check().

    The test fails if a budget is broken, or has no verdict for another reason
    than noise. If only noise prevents a verdict, the test is skipped, or fails
    with --tfprof-require-verdict. With --tfprof-allow-no-verdict, it is skipped
    for every reason. The function returns the tfprof.Check otherwise.
    """
    required = request.config.getoption("tfprof_require_verdict")
    allowed = request.config.getoption("tfprof_allow_no_verdict")
    if required and allowed:
        raise pytest.UsageError("--tfprof-require-verdict and "
                                "--tfprof-allow-no-verdict contradict each "
                                "other")

    def run(inputs: Any, budgets: Any = None, baseline: Any = None,
            **options: Any) -> Check:
        __tracebackhide__ = True
        import tfprof
        budgets, baseline = _files(request, (budgets, baseline))
        if budgets is None and baseline is None:
            pytest.fail("tfprof_check requires budgets or a baseline (give an "
                        f"argument, the marker {_MARK}, --tfprof-budgets or "
                        "--tfprof-baseline)", pytrace=False)
        found = tfprof.check(inputs, budgets, baseline=baseline, **options)
        broken = _reasons(found, required, allowed)
        if broken:
            pytest.fail(f"{found.verdict}:\n{broken}", pytrace=False)
        if not found.ok:
            pytest.skip("no verdict: " + "; ".join(
                budget.message for budget in found.without_verdict))
        return found

    return run
