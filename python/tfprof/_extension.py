"""Loads the extension that cffi built, or reports why it does not load."""

from __future__ import annotations

import _thread

__all__ = ["ffi", "lib"]


def _is_main_interpreter() -> bool:
    known = getattr(_thread, "_is_main_interpreter", None)  # from 3.12 on
    if known is not None:
        return bool(known())
    try:
        import _xxsubinterpreters as interpreters  # type: ignore
    except ImportError:
        return True  # this Python has no sub-interpreters
    return bool(interpreters.get_current() == interpreters.get_main())


def _reason(error: ImportError) -> str:
    import sys
    import sysconfig
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return ("tfprof does not support free-threaded builds of Python: its "
                "extension uses the stable ABI (abi3), which these builds do "
                "not support (use an ordinary build of Python "
                f"{sys.version_info.major}.{sys.version_info.minor}, or the "
                "command tfprof)")
    if error.name == "_cffi_backend":
        return ("tfprof requires cffi, which is not installed: "
                f"{sys.executable} -m pip install cffi")
    if isinstance(error, ModuleNotFoundError):
        return ("tfprof's extension, _tfprof, is not built for this Python: "
                "install the package (python -m pip install . in a checkout), "
                "or build it (cmake --preset dev && cmake --build --preset "
                "dev) and set PYTHONPATH=build/dev/python")
    return f"tfprof's extension cannot be loaded: {error}"


# In a sub-interpreter cffi does not always find the callbacks, and views are
# then empty. If each interpreter has its own lock, cffi refuses to load.
if not _is_main_interpreter():
    raise ImportError("tfprof cannot be loaded in a sub-interpreter: cffi "
                      "supports only the main interpreter of a process "
                      "(import it there, or in another process)",
                      name="tfprof._tfprof")

try:
    from tfprof._tfprof import ffi, lib
except ImportError as error:
    raise ImportError(_reason(error), name=error.name,
                      path=error.path) from error
