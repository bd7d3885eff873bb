"""A library that is loaded when it is needed: Snappy.

A machine without it is played by a file of its name that is no library, in a
folder that is looked into first.
"""

# labels: slow

import os
import pathlib
import re
import shutil
import subprocess

from checkpoints import rows, sound
from faults import run
from lacking import lacks
from program import TFPROF

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


def test_a_start_does_not_load_it():
    late(b"snappy")
    loaded = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True,
                            check=True).stdout
    assert "libc.so" in loaded
    assert not re.search(r"libsnappy|libstdc\+\+|libedit|libtinfo", loaded)


def test_a_packed_block_without_snappy_says_what_to_install(tmp_path):
    library = late(b"snappy")
    prefix = sound().write(tmp_path / "model", pack=True)
    assert rows(prefix)[0] == 0
    code, out, err = run("scope", prefix, env=without(library, tmp_path))
    assert (code, out) == (1, b"")
    assert re.search(rf"compressed with Snappy, but {library} cannot be loaded "
                     rf"\(install [\w.+-]+\)\n$", err.decode())


def test_all_else_works_without_snappy(tmp_path):
    library = late(b"snappy")
    prefix = sound().write(tmp_path / "model")
    want = run("scope", prefix)
    assert want[0] == 0
    assert run("scope", prefix, env=without(library, tmp_path)) == want
