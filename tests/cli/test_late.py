"""Libraries that are loaded when they are needed: Snappy and libedit.

A machine without one is played by a file of its name that is no library, in a
folder that is looked into first.
"""

import os
import pathlib
import re
import shutil
import subprocess

from checkpoints import rows, sound
from faults import run
from lacking import lacks
from program import TFPROF
from prompting import GRAPH, Terminal, home

PROGRAM = pathlib.Path(shutil.which(TFPROF) or TFPROF)


def late(name):
    """The file name by which the program asks for a library."""
    found = re.search(rb"\blib" + name + rb"\.so\.\d+", PROGRAM.read_bytes())
    if not found:
        lacks(f"lib{name.decode()} is not loaded late in this build")
    return found[0].decode()


def without(library, folder):
    """The environment in which it cannot be loaded."""
    (folder / library).write_bytes(b"no library\n")
    return {**os.environ, "LD_LIBRARY_PATH": str(folder)}


def test_a_start_loads_neither():
    late(b"snappy"), late(b"edit")
    loaded = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True,
                            check=True).stdout
    assert "libc.so" in loaded
    assert not re.search(r"libsnappy|libstdc\+\+|libedit", loaded)


def test_a_packed_block_without_snappy_says_what_to_install(tmp_path):
    library = late(b"snappy")
    prefix = sound().write(tmp_path / "model", pack=True)
    assert rows(prefix)[0] == 0
    code, out, err = run("scope", prefix, env=without(library, tmp_path))
    assert (code, out) == (1, b"")
    assert re.search(rf"packed by Snappy, and {library} cannot be loaded "
                     rf"\(install [\w.+-]+\)\n$", err.decode())


def test_all_else_works_without_snappy(tmp_path):
    library = late(b"snappy")
    prefix = sound().write(tmp_path / "model")
    want = run("scope", prefix)
    assert want[0] == 0
    assert run("scope", prefix, env=without(library, tmp_path)) == want


def test_a_prompt_without_libedit_reads_plain_lines(home, tmp_path):
    library = late(b"edit")
    path = without(library, tmp_path)["LD_LIBRARY_PATH"]
    with Terminal(GRAPH, home=home, LD_LIBRARY_PATH=path) as t:
        begun = t.wait_prompt()
        assert re.search(rf"lines cannot be edited: {library} cannot be "
                         rf"loaded \(install [\w.+-]+\)", begun)
        assert "layer" in t.ask("scope -max_depth 2")
        t.quit()


def test_lines_from_a_pipe_do_without_libedit(tmp_path):
    library = late(b"edit")
    code, out, err = run(GRAPH, data=b"scope -max_depth 2\n",
                         env=without(library, tmp_path))
    assert (code, err) == (0, b"")
    assert out.startswith(b"node name")
