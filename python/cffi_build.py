"""Writes the C source of tfprof._tfprof, the extension that cffi compiles.

What Python may call is read off the installed headers, so that there is one
declaration of each function, and the compiler holds it against the header.

    cffi_build.py INCLUDE_DIR OUTPUT.c
"""

import pathlib
import re
import sys

import cffi

HEADERS = ("error.h", "option.h", "view.h", "table.h", "advice.h", "tfprof.h",
           "arrow.h")

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

typedef struct tfprof_py_pace {
    void *context; /* of the two Python functions */
    int64_t next;  /* when they may be called again, in nanoseconds */
    int64_t done;  /* bytes read when progress was told last */
} tfprof_py_pace;

int tfprof_py_paced_progress(void *, const char *, int64_t, int64_t);
int tfprof_py_paced_cancel(void *);
int tfprof_py_safe_write(void *, const void *, size_t);
ptrdiff_t tfprof_py_safe_read(void *, void *, size_t);
void tfprof_py_safe_remark(void *, const char *);

void tfprof_py_end(void);
int tfprof_py_has_ended(void);
void tfprof_py_forked(void);
"""

# A daemon thread may be inside the library when the interpreter ends, and run
# on until the process does. A callback must not ask for the interpreter then:
# cffi would use the state of the thread, which is freed. So an atexit function
# of Python calls tfprof_py_end(), after which no other thread calls back. It
# waits for callbacks on their way, which the interpreter still serves as the
# lock is given up meanwhile: not long, for a read may take forever.
#
# The thread that ends the interpreter may still ask: other atexit functions
# and destructors run in it.
END_SOURCE = """
#include <time.h>

#include <tfprof/tfprof.h>

enum { TFPROF_PY_WAIT = 500 }; /* milliseconds */

static _Thread_local char tfprof_py_thread; /* its address names a thread */
static char *tfprof_py_ender;               /* the one that ends, or NULL */
static int tfprof_py_inside;                /* threads that call back */

/* The counter goes up before the question whether there is an end, which
 * tfprof_py_end() asks the other way around: one of them sees the other. */
static int tfprof_py_enter(void)
{
    char *ender;
    __atomic_add_fetch(&tfprof_py_inside, 1, __ATOMIC_SEQ_CST);
    ender = __atomic_load_n(&tfprof_py_ender, __ATOMIC_SEQ_CST);
    if (!ender || ender == &tfprof_py_thread)
        return 1;
    __atomic_sub_fetch(&tfprof_py_inside, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void tfprof_py_leave(void)
{
    __atomic_sub_fetch(&tfprof_py_inside, 1, __ATOMIC_SEQ_CST);
}

static void tfprof_py_end(void)
{
    struct timespec pause = { 0, 1000000 };
    __atomic_store_n(&tfprof_py_ender, &tfprof_py_thread, __ATOMIC_SEQ_CST);
    for (int i = 0; i < TFPROF_PY_WAIT &&
                    __atomic_load_n(&tfprof_py_inside, __ATOMIC_SEQ_CST) > 0;
         i++)
        nanosleep(&pause, NULL);
}

/* Is this a thread that is no longer served? */
static int tfprof_py_has_ended(void)
{
    char *ender = __atomic_load_n(&tfprof_py_ender, __ATOMIC_SEQ_CST);
    return ender && ender != &tfprof_py_thread;
}

/* In a child, to which no other thread has come along. */
static void tfprof_py_forked(void)
{
    __atomic_store_n(&tfprof_py_inside, 0, __ATOMIC_SEQ_CST);
}

static int tfprof_py_write(void *, const void *, size_t);
static ptrdiff_t tfprof_py_read(void *, void *, size_t);
static void tfprof_py_remark(void *, const char *);

static int tfprof_py_safe_write(void *self, const void *data, size_t size)
{
    int status;
    if (!tfprof_py_enter())
        return 1;
    status = tfprof_py_write(self, data, size);
    tfprof_py_leave();
    return status;
}

static ptrdiff_t tfprof_py_safe_read(void *self, void *buffer, size_t size)
{
    ptrdiff_t got;
    if (!tfprof_py_enter())
        return TFPROF_ERR_IO;
    got = tfprof_py_read(self, buffer, size);
    tfprof_py_leave();
    return got;
}

static void tfprof_py_safe_remark(void *self, const char *remark)
{
    if (!tfprof_py_enter())
        return;
    tfprof_py_remark(self, remark);
    tfprof_py_leave();
}
"""

# Both are asked so often that another Python thread, which gives up the
# interpreter lock only every 5 ms, would hold up the library. So Python is
# asked every 20 ms: soon enough for whoever types Ctrl-C. The exception is a
# read that a signal has interrupted, which is told without a further byte.
SOURCE = """
typedef struct tfprof_py_pace {
    void *context;
    int64_t next, done;
} tfprof_py_pace;

static int tfprof_py_progress(void *, const char *, int64_t, int64_t);
static int tfprof_py_cancel(void *);

static int tfprof_py_is_due(tfprof_py_pace *pace)
{
    struct timespec now;
    int64_t at;
    clock_gettime(CLOCK_MONOTONIC, &now);
    at = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (at < pace->next)
        return 0;
    pace->next = at + 20000000;
    return 1;
}

static int tfprof_py_paced_progress(void *self, const char *path,
                                    int64_t done, int64_t size)
{
    tfprof_py_pace *pace = self;
    int is_still = done == pace->done, status;
    pace->done = done;
    if ((!is_still && !tfprof_py_is_due(pace)) || !tfprof_py_enter())
        return 0;
    status = tfprof_py_progress(pace->context, path, done, size);
    tfprof_py_leave();
    return status;
}

static int tfprof_py_paced_cancel(void *self)
{
    tfprof_py_pace *pace = self;
    int status;
    if (!tfprof_py_is_due(pace) || !tfprof_py_enter())
        return 0;
    status = tfprof_py_cancel(pace->context);
    tfprof_py_leave();
    return status;
}
"""

# An Arrow stream lies in a block of its own until the capsule goes that Python
# programs pass on, also when nobody has taken it out. cffi knows nothing of
# Python's objects, so the capsule itself is made elsewhere, of these.
CAPSULE = """
struct ArrowArrayStream *tfprof_py_stream_new(void);
void tfprof_py_stream_free(struct ArrowArrayStream *);
const char *tfprof_py_stream_name(void);
void *tfprof_py_stream_destructor(void);
"""
CAPSULE_SOURCE = """
#include <stdlib.h>

#include <tfprof/arrow.h>

static struct ArrowArrayStream *tfprof_py_stream_new(void)
{
    return calloc(1, sizeof(struct ArrowArrayStream));
}

static void tfprof_py_stream_free(struct ArrowArrayStream *stream)
{
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

static const char *tfprof_py_stream_name(void)
{
    return "arrow_array_stream";
}

static void destroy(PyObject *capsule)
{
    tfprof_py_stream_free(
        PyCapsule_GetPointer(capsule, tfprof_py_stream_name()));
}

static void *tfprof_py_stream_destructor(void)
{
    return (void *)destroy;
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
    made.cdef(CAPSULE)
    made.set_source("tfprof._tfprof", END_SOURCE + SOURCE + CAPSULE_SOURCE,
                    py_limited_api=True)
    return made


def main():
    include, output = sys.argv[1:]
    builder(include).emit_c_code(output)


if __name__ == "__main__":
    main()
