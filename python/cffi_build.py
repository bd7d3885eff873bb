"""Writes the C source of tfprof._tfprof, the extension that cffi compiles.

What Python may call is read off the installed headers, so that there is one
declaration of each function, and the compiler holds it against the header.

    cffi_build.py INCLUDE_DIR OUTPUT.c
"""

import pathlib
import re
import sys

import cffi

HEADERS = ("error.h", "option.h", "view.h", "advice.h", "tfprof.h")

# What the extension has besides the library: one C function for each sort of
# callback. cffi hands the call to the Python function of that name.
CALLBACKS = """
extern "Python" {
    int tfprof_py_progress(void *, const char *, int64_t, int64_t);
    int tfprof_py_cancel(void *);
    int tfprof_py_write(void *, const void *, size_t);
    ptrdiff_t tfprof_py_read(void *, void *, size_t);
    void tfprof_py_remark(void *, const char *);
    int tfprof_py_name(void *, const char *, size_t);
}
"""


def declarations(text):
    """What a header declares, without what only a C compiler understands."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus\n(extern "C" \{|\})\n#endif', "", text)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.M)
    return text.replace("TFPROF_API ", "")


def builder(include):
    made = cffi.FFI()
    folder = pathlib.Path(include) / "tfprof"
    for header in HEADERS:
        made.cdef(declarations((folder / header).read_text()))
    made.cdef(CALLBACKS)
    made.set_source("tfprof._tfprof", "#include <tfprof/tfprof.h>",
                    py_limited_api=True)
    return made


def main():
    include, output = sys.argv[1:]
    builder(include).emit_c_code(output)


if __name__ == "__main__":
    main()
