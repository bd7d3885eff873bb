"""What stands between Python and the library."""

import pytest

import tfprof
from tfprof import _native


def test_version_is_that_of_the_program(tfprof_version: str) -> None:
    assert tfprof.__version__ == tfprof_version


def test_an_option_that_is_none_names_the_nearest() -> None:
    handle = _native.Handle()
    with pytest.raises(tfprof.OptionError, match="did you mean select"):
        handle.set({"selct": "micros"})


def test_a_closed_profile_says_so() -> None:
    handle = _native.Handle()
    handle.close()
    handle.close()
    with pytest.raises(ValueError, match="closed"):
        handle.view("scope")
