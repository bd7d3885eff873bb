/*
 * error.c - filling in a tfprof_error.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int tfp_fail(tfprof_error *err, tfprof_code code, int64_t offset,
             const char *format, ...)
{
    if (err) {
        va_list args;
        err->code = code;
        err->offset = offset;
        err->line = 0;
        err->column = 0;
        va_start(args, format);
        vsnprintf(err->message, sizeof(err->message), format, args);
        va_end(args);
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
    return tfp_fail(err, TFPROF_ERR_IO, -1, "%s: %s", what, text);
}
