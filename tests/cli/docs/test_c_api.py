"""docs/c-api.md: every block of C compiles, runs and says what stands below.

A block with main() is a program. Of any other one, functions with an empty line
behind them stay outside, and the rest goes into main(), where `profile` has a
graph and run records, and `err` is there.
"""

# labels: once

import os
import pathlib
import re
import shutil
import subprocess
import textwrap

import pytest

from program import DATA_DIR, SOURCE_DIR
from surroundings import PATIENCE

BUILD_DIR = pathlib.Path(os.environ.get("TFPROF_BUILD_DIR", "build/dev"))
PAGE = (SOURCE_DIR / "docs" / "c-api.md").read_text()
FILES = ["graph.pb", "run_meta", "op_log"]

FRAME = """\
#include <stdio.h>
#include <stdlib.h>
#include <tfprof/tfprof.h>
%s
int main(void)
{
    tfprof_profile *profile = tfprof_profile_new();
    tfprof_error err;
    if (tfprof_profile_add_path(profile, "graph.pb", NULL, &err) ||
        tfprof_profile_add_path(profile, "run_meta", NULL, &err))
        return 2;
%s
    tfprof_profile_free(profile);
    return 0;
}
"""

# The title above it, the block, and what it prints, if that is told.
BLOCK = re.compile(r"^```c\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?",
                   re.MULTILINE | re.DOTALL)


def blocks():
    for number, found in enumerate(BLOCK.finditer(PAGE), 1):
        title = re.findall(r"^##? (.*)", PAGE[:found.start()], re.MULTILINE)[-1]
        yield pytest.param(found[1], found[2],
                           id=f"{number}-{title.replace(' ', '-')}")


def program(block):
    if "int main(" in block:
        return block
    outside, brace, rest = block.rpartition("\n}\n\n")
    return FRAME % (outside + brace, textwrap.indent(rest, "    "))


def compiler():
    """As the library was built: a sanitizer wants its own linker."""
    cache = (BUILD_DIR / "CMakeCache.txt").read_text()
    found = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)", cache, re.MULTILINE)
    sanitizers = {"SANITIZE": "address,undefined", "SANITIZE_THREAD": "thread"}
    return [found[1], "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall",
            "-Wextra", "-Werror", "-pedantic", f"-I{SOURCE_DIR / 'include'}",
            f"-I{BUILD_DIR / 'include'}",
            *(f"-fsanitize={names}" for option, names in sanitizers.items()
              if f"TFPROF_{option}:BOOL=ON" in cache)]


@pytest.mark.parametrize("block, told", list(blocks()))
def test_a_block_of_the_tutorial(block, told, tmp_path):
    for name in FILES:
        shutil.copy(DATA_DIR / name, tmp_path)
    source = tmp_path / "block.c"
    source.write_text(program(block))
    library = BUILD_DIR.resolve() / "src"
    built = subprocess.run(
        [*compiler(), source, "-o", tmp_path / "block", f"-L{library}",
         f"-Wl,-rpath,{library}", "-ltfprof"],
        capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "block"], cwd=tmp_path, timeout=PATIENCE,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert done.stderr == ""
    if told is not None:
        assert done.stdout == told
    elif "printf(" in block:
        assert done.stdout


def test_the_tutorial_has_blocks():
    assert len(list(blocks())) >= 9


def test_the_tutorial_names_only_what_there_is():
    headers = "".join(path.read_text() for path in
                      (SOURCE_DIR / "include" / "tfprof").glob("*.h"))
    for name in set(re.findall(r"\b(?:tfprof_\w+|TFPROF_\w+)\b", PAGE)):
        assert re.search(rf"\b{name}\b", headers) \
            or name in ("tfprof_", "TFPROF_VERSION"), name


def test_every_code_is_explained():
    header = (SOURCE_DIR / "include" / "tfprof" / "error.h").read_text()
    codes = re.findall(r"^    (TFPROF_ERR_\w+) =", header, re.MULTILINE)
    assert len(codes) >= 8
    for code in codes:
        assert f"| `{code}` |" in PAGE
