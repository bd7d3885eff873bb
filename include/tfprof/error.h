/*
 * error.h - how the functions of the library report errors.
 *
 * A function returns TFPROF_OK or one of the negative codes below, and stores
 * details in a tfprof_error owned by the caller. The pointer may be NULL. On
 * success the struct is not changed. It does not need to be released.
 */
#ifndef TFPROF_ERROR_H
#define TFPROF_ERROR_H

#include <stdint.h>

#if defined(__GNUC__)
#define TFPROF_API __attribute__((visibility("default")))
#else
#define TFPROF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Two codes differ only if a caller would react to them differently. */
typedef enum tfprof_code {
    TFPROF_OK = 0,
    TFPROF_ERR_NOMEM = -1,      /* out of memory */
    TFPROF_ERR_IO = -2,         /* a system call failed: open, read, stat */
    TFPROF_ERR_MALFORMED = -3,  /* invalid input data */
    TFPROF_ERR_LIMIT = -4,      /* a documented limit was exceeded */
    TFPROF_ERR_OPTION = -5,     /* an unknown option, a bad value, misuse */
    TFPROF_ERR_MISSING = -6,    /* the inputs lack the requested data */
    TFPROF_ERR_CANCELLED = -7,  /* a callback requested a stop */
    TFPROF_ERR_OUTPUT = -8,     /* the output could not be written */
    TFPROF_ERR_UNSUPPORTED = -9 /* a known file type that tfprof cannot read */
} tfprof_code;

typedef struct tfprof_error {
    tfprof_code code;
    int64_t offset;    /* byte in the decompressed input (in the compressed
                        * input if its gzip data is damaged), or -1 */
    int64_t line;      /* in a text input, from 1, or 0 */
    int64_t column;    /* in bytes, from 1, or 0 */
    int errnum;        /* errno of the failed system call, or 0 */
    char option[32];   /* the option at fault, without dashes, or "" */
    char message[256]; /* one line without a newline, ready to print; a message
                        * that does not fit ends in "..." */
} tfprof_error;

#ifdef __cplusplus
}
#endif

#endif
