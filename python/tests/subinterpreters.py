"""Sub-interpreters, under the names that versions of Python have for them."""

from __future__ import annotations

import importlib
import sys


def run_in_each_sort(code: str) -> list[str]:
    """Runs code in a sub-interpreter with a lock of its own, where there are
    such, and in one without. What was run, in words."""
    if sys.version_info >= (3, 13):
        made = importlib.import_module("_interpreters")
        sorts = ("isolated", "legacy")
        for sort in sorts:
            number = made.create(sort)
            failed = made.exec(number, code)
            made.destroy(number)
            if failed is not None:
                raise RuntimeError(failed.formatted)
        return list(sorts)
    made = importlib.import_module("_xxsubinterpreters")
    for is_isolated in (True, False):
        number = made.create(isolated=is_isolated)
        made.run_string(number, code)
        made.destroy(number)
    return ["isolated", "not isolated"]


# Anything but the words is a failure: an import that works, another error.
MUST_BE_REFUSED = """
try:
    import tfprof
except ImportError as error:
    assert "cannot be loaded in a sub-interpreter" in str(error), error
else:
    raise AssertionError("tfprof has loaded in a sub-interpreter")
"""


def check() -> list[str]:
    """Twice, for a first try that fails must not harm the second."""
    return run_in_each_sort(MUST_BE_REFUSED) + run_in_each_sort(MUST_BE_REFUSED)
