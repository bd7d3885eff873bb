"""Every class of faults that is promised has a test with its id in its name.

The classes are described in FAULTS.md of the specification; SC-06 is held by
a tool and its self-test, all others by tests.
"""

# labels: once

import re
import subprocess

import pytest

from program import SOURCE_DIR

PROMISED = [
    *(f"PB-{i:02}" for i in range(1, 21)),
    *(f"TX-{i:02}" for i in range(1, 7)),
    *(f"CK-{i:02}" for i in range(1, 21)),
    *(f"GZ-{i:02}" for i in range(1, 4)),
    *(f"IN-{i:02}" for i in range(1, 11)),
    *(f"GR-{i:02}" for i in range(1, 12)),
    *(f"RM-{i:02}" for i in [1, 2, 3, 4, 5, 6]),
    *(f"OL-{i:02}" for i in [1, 2]),
    *(f"RX-{i:02}" for i in [1, 2, 3]),
    *(f"OP-{i:02}" for i in range(1, 8)),
    *(f"OU-{i:02}" for i in range(1, 18)),
    *(f"ME-{i:02}" for i in range(1, 6)),
    *(f"LB-{i:02}" for i in [1, 2, 3]),
    "PR-01",
    "PR-02",
    "PR-03",
    "PR-04",
    "PR-05",
    *(f"PY-{i:02}" for i in [1, 2, 3]),
    "FL-01",
    "TT-01",
    *(f"XS-{i:02}" for i in range(1, 22)),
]


def names():
    """The names of all tests."""
    found = []
    for path in sorted((SOURCE_DIR / "tests" / "unit").glob("*/*_test.c")):
        found += re.findall(r"^TEST\((\w+)\)",
                            path.read_text(), re.MULTILINE)
    for path in sorted([*SOURCE_DIR.glob("tests/cli/*/test_*.py"),
                        *SOURCE_DIR.glob("python/tests/test_*.py")]):
        found += re.findall(r"^def test_(\w+)\(", path.read_text(),
                            re.MULTILINE)
    return found


NAMES = names()


@pytest.mark.parametrize("fault", PROMISED)
def test_fault_class_has_a_test_with_its_id(fault):
    start = fault.replace("-", "_") + "_"
    assert [name for name in NAMES if name.startswith(start)]


def test_SC_06_banned_calls_are_found():
    tool = SOURCE_DIR / "tools" / "lint"
    subprocess.run([tool, "--self-test", "banned"], check=True,
                   capture_output=True)
    done = subprocess.run([tool, "banned"], check=False, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_reports_the_number_of_fault_tests(say):
    say(f"{len(PROMISED) + 1} classes, "
        f"{sum(bool(re.match('[A-Z]{2}_[0-9]{2}_', n)) for n in NAMES)} tests "
        "that carry an id")
