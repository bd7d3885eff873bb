"""What `import tfprof` costs, what it brings, and what it says when it fails.

Each import is the first one of a new Python.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import tfprof

# What the import may cost, in milliseconds. Ten times as much is a fault.
IMPORT_MS = 60
RUNS = 11

HEAVY = {"ctypes", "google.protobuf", "json", "numpy", "pandas", "pyarrow",
         "tensorflow"}


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], text=True,
                          capture_output=True, timeout=120,
                          env={**os.environ, **environment})


def milliseconds(code: str) -> float:
    """Of the processor: those of a clock tell how many tests run beside."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime) * 1000


def test_import_takes_little_more_than_starting_python() -> None:
    milliseconds("import tfprof")  # which may have to compile it
    pairs = [(milliseconds("pass"), milliseconds("import tfprof"))
             for _ in range(RUNS)]
    more = statistics.median(b - a for a, b in pairs)
    bare = statistics.median(a for a, _ in pairs)
    print(f"python {bare:.1f} ms, import tfprof {more:.1f} ms more")
    assert more < 10 * IMPORT_MS


def test_import_brings_nothing_heavy() -> None:
    done = run("import sys; before = set(sys.modules); import tfprof; "
               "print(*sorted(set(sys.modules) - before))")
    assert done.returncode == 0, done.stderr
    brought = set(done.stdout.split())
    assert "tfprof._tfprof" in brought
    assert not brought & HEAVY


# ---- What cannot work says so ------------------------------------------------

def refusal(code: str, **environment: str) -> str:
    """The last line of the ImportError that code ends with."""
    done = run(code, **environment)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ImportError: "), done
    return last


def test_PY_03_subinterpreter_is_refused() -> None:
    tests = Path(__file__).parent
    done = run(f"import sys; sys.path.insert(0, {str(tests)!r}); "
               "import subinterpreters; print(len(subinterpreters.check())); "
               "import tfprof; print(tfprof.__version__)")
    assert done.returncode == 0, done
    assert done.stdout.split() == ["4", tfprof.__version__]
    assert done.stderr == ""


def test_PY_03_free_threaded_build_is_refused() -> None:
    # There the import system does not look for .abi3.so.
    said = refusal(
        "import importlib.machinery as machinery, sysconfig\n"
        "machinery.EXTENSION_SUFFIXES[:] = ['.cpython-313t.so']\n"
        "asked = sysconfig.get_config_var\n"
        "sysconfig.get_config_var = lambda name: (\n"
        "    1 if name == 'Py_GIL_DISABLED' else asked(name))\n"
        "import sys; sys.modules['tfprof._tfprof'] = None\n"
        "import tfprof\n")
    assert "free-threaded" in said
    assert "abi3" in said
    assert "use an ordinary build" in said


def copy_without_extension(folder: Path) -> None:
    package = Path(tfprof.__file__).resolve().parent
    shutil.copytree(package, folder / "tfprof",
                    ignore=shutil.ignore_patterns("*.so", "__pycache__"))


def test_missing_extension_says_how_to_build_it(tmp_path: Path) -> None:
    copy_without_extension(tmp_path)
    said = refusal("import tfprof", PYTHONPATH=str(tmp_path))
    assert "pip install ." in said
    assert "cmake --build" in said


def test_extension_that_is_none_says_so(tmp_path: Path) -> None:
    copy_without_extension(tmp_path)
    (tmp_path / "tfprof" / "_tfprof.abi3.so").write_text("not ELF " * 99)
    said = refusal("import tfprof", PYTHONPATH=str(tmp_path))
    assert "tfprof's extension cannot be loaded" in said
    assert "_tfprof.abi3.so" in said


def test_missing_cffi_says_how_to_install_it() -> None:
    said = refusal("import sys; sys.modules['_cffi_backend'] = None\n"
                   "import tfprof")
    assert "pip install cffi" in said
