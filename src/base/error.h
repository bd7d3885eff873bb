/*
 * error.h - filling in a tfprof_error.
 *
 * Each function returns the code it was given, so a failure is one statement:
 * return tfp_fail(err, TFPROF_ERR_MALFORMED, at, "tag has no value");
 *
 * "cold" keeps what leads to a failure small and out of the way.
 */
#ifndef TFP_BASE_ERROR_H
#define TFP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

/* `offset` is -1 when no place in the input is meant. A format that begins with
 * "--" names the option that the error is about. */
int tfp_fail(tfprof_error *err, tfprof_code code, int64_t offset,
             const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Needs no memory itself. */
int tfp_fail_nomem(tfprof_error *err) __attribute__((cold));

/* `what` could not be done because of `errnum`: "cannot open: No such ..." */
int tfp_fail_errno(tfprof_error *err, int errnum, const char *what)
    __attribute__((cold));

/* A failure after which nothing more can be done. After others, such as damage,
 * what was read before is still good. */
static inline bool tfp_stops_all(int status)
{
    return status == TFPROF_ERR_NOMEM || status == TFPROF_ERR_CANCELLED;
}

#endif
