"""What a test needs and this machine lacks: a skip, and a failure in CI, where
tools/setup has brought everything."""

import os

import pytest

CI = os.environ.get("CI", "").lower() in ("1", "true")


def lacks(why):
    """Ends the test."""
    (pytest.fail if CI else pytest.skip)(why)


def needs(is_there, why):
    """The mark of tests that cannot do without; in CI they fail on their way."""
    return pytest.mark.skipif(not is_there and not CI, reason=why)
