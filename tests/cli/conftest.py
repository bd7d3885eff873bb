"""What the pytest files share: lines that stand in the log of every run."""

import os

import pytest

# Before TensorFlow is imported: of its faster kernels some write past the end
# of a buffer, such as BatchMatMulV2 of [6,1,5,5] and [1,1,5,3].
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

_lines = []


@pytest.fixture
def say(request):
    """say("..."): a line for the end of the log, under the test's name."""
    return lambda line: _lines.append(f"{request.node.name}: {line}")


def pytest_terminal_summary(terminalreporter):
    for line in _lines:
        terminalreporter.write_line(line)
