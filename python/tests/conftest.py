"""What all tests of the package share."""

import os
import subprocess
from collections.abc import Callable

import pytest
from saying import pytest_terminal_summary, say  # noqa: F401

_lines: list[str] = []


@pytest.fixture
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """say("..."): a line for the end of the log, under the test's name."""
    return lambda line: _lines.append(f"{request.node.name}: {line}")


def pytest_terminal_summary(
        terminalreporter: pytest.TerminalReporter) -> None:
    for line in _lines:
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def tfprof_version() -> str:
    """What the program beside the package says."""
    done = subprocess.run([os.environ["TFPROF"], "--version"],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()[1]
