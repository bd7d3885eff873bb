"""tests/specification.tsv: the tests that it names are there, and
tests/specification.md is made from it. (Their results are those of the suite.)"""

# labels: once

import os
import subprocess
import sys

from program import SOURCE_DIR
from surroundings import PATIENCE

TOOL = SOURCE_DIR / "tools" / "check-specification"


def tool(*words):
    return subprocess.run([sys.executable, TOOL, *words], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, timeout=PATIENCE)


def test_every_statement_has_a_test(say):
    done = tool("--list", os.environ["TFPROF_BUILD_DIR"])
    assert done.returncode == 0, done.stderr[-4000:]
    say(done.stdout.strip())


def test_faults_of_a_table_are_found():
    done = tool("--self-test")
    assert done.returncode == 0, done.stderr
