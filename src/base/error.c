/*
 * error.c - filling in a tfprof_error.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* A message about an option begins with it: "--step accepts ...". */
static void note_option(tfprof_error *err)
{
    const char *name = err->message + 2;
    size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz_-");
    if (size < sizeof(err->option))
        memcpy(err->option, name, size);
}

int tfp_fail(tfprof_error *err, tfprof_code code, int64_t offset,
             const char *format, ...)
{
    if (err) {
        va_list args;
        int size;
        err->code = code;
        err->offset = offset;
        err->line = 0;
        err->column = 0;
        err->errnum = 0;
        memset(err->option, 0, sizeof(err->option));
        va_start(args, format);
        size = vsnprintf(err->message, sizeof(err->message), format, args);
        va_end(args);
        if (size >= (int)sizeof(err->message))
            tfp_escape_mark_cut(err->message, sizeof(err->message));
        if (!strncmp(format, "--", 2))
            note_option(err);
    }
    return code;
}

int tfp_fail_nomem(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_NOMEM, -1, "out of memory");
}

int tfp_fail_errno(tfprof_error *err, int errnum, const char *what)
{
    char text[128];
    /* The XSI strerror_r: no static buffer, so threads do not meet in it. */
    if (strerror_r(errnum, text, sizeof(text)) != 0)
        snprintf(text, sizeof(text), "error %d", errnum);
    tfp_fail(err, TFPROF_ERR_IO, -1, "%s: %s", what, text);
    if (err)
        err->errnum = errnum;
    return TFPROF_ERR_IO;
}
