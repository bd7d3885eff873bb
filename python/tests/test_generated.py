"""The files that tools/python-tables makes are those of the tables."""

from __future__ import annotations

import os
import subprocess
import sys

from inputs import SOURCE_DIR


def test_generated_files_are_what_the_tables_say() -> None:
    done = subprocess.run(
        [sys.executable, SOURCE_DIR / "tools" / "python-tables", "--check",
         os.environ["TFPROF_BUILD_DIR"]],
        capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
