"""What all tests of the package share."""

import os
import subprocess

import pytest
import surroundings
from recorded import pytest_configure, recorded_is_not_imported  # noqa: F401
from saying import pytest_terminal_summary, say  # noqa: F401

surroundings.forget()


@pytest.fixture(scope="session")
def tfprof_version() -> str:
    """What the program beside the package says."""
    done = subprocess.run([os.environ["TFPROF"], "--version"],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()[1]
