"""What tests say at the end of the log: figures that a reader may want."""

import pytest

_lines = []


@pytest.fixture
def say(request):
    """say("..."): a line for the end of the log, under the test's name."""
    return lambda line: _lines.append(f"{request.node.name}: {line}")


def pytest_terminal_summary(terminalreporter):
    for line in _lines:
        terminalreporter.write_line(line)
