"""The extension that cffi has made, or the reason why it does not load."""

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
        return True  # a Python that cannot make others
    return bool(interpreters.get_current() == interpreters.get_main())


def _reason(error: ImportError) -> str:
    import sys
    import sysconfig
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return ("tfprof does not load on a free-threaded build of Python: its "
                "extension is built for the stable ABI (abi3), which such a "
                "build does not have. Use an ordinary build of Python "
                f"{sys.version_info.major}.{sys.version_info.minor}, or the "
                "command tfprof")
    if error.name == "_cffi_backend":
        return ("tfprof needs cffi, which this Python does not have: "
                f"{sys.executable} -m pip install cffi")
    if isinstance(error, ModuleNotFoundError):
        return ("tfprof's extension, _tfprof, is not built for this Python. "
                "Install the package (python -m pip install . in a checkout), "
                "or build it (cmake --preset dev && cmake --build --preset "
                "dev) and set PYTHONPATH=build/dev/python")
    return f"tfprof's extension does not load: {error}"


# In others cffi does not always find the callbacks, and then a view comes out
# empty; where each interpreter has a lock of its own, it refuses to load.
if not _is_main_interpreter():
    raise ImportError("tfprof does not load in a sub-interpreter: cffi, which "
                      "it stands on, serves only the main interpreter of a "
                      "process. Import it there, or in another process",
                      name="tfprof._tfprof")

try:
    from tfprof._tfprof import ffi, lib
except ImportError as error:
    raise ImportError(_reason(error), name=error.name,
                      path=error.path) from error
