/*
 * error.h - how the functions of the library report errors.
 *
 * A function that can fail returns TFPROF_OK or one of the negative codes
 * below. On failure it stores details in the tfprof_error that the caller
 * passes. The caller may pass NULL instead. On success the tfprof_error is not
 * changed. A tfprof_error does not need to be released.
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

/* Errors have different codes only if a caller would react to them differently.
 */
typedef enum tfprof_code {
    TFPROF_OK = 0,
    TFPROF_ERR_NOMEM = -1,      /* out of memory */
    TFPROF_ERR_IO = -2,         /* a system call failed: open, read, stat */
    TFPROF_ERR_MALFORMED = -3,  /* invalid input data */
    TFPROF_ERR_LIMIT = -4,      /* a documented limit was exceeded */
    TFPROF_ERR_OPTION = -5,     /* unknown option, bad value or API misuse */
    TFPROF_ERR_MISSING = -6,    /* the inputs lack the requested data */
    TFPROF_ERR_CANCELLED = -7,  /* a callback requested a stop */
    TFPROF_ERR_OUTPUT = -8,     /* the output could not be written */
    TFPROF_ERR_UNSUPPORTED = -9 /* a known file type that tfprof cannot read */
} tfprof_code;

typedef struct tfprof_error {
    tfprof_code code;
    int64_t offset;    /* offset of the invalid byte in the decompressed input,
                        * or in the compressed input if its gzip data is
                        * damaged; -1 if unknown */
    int64_t line;      /* line number in a text input, from 1; 0 if unknown */
    int64_t column;    /* byte position in the line, from 1; 0 if unknown */
    int errnum;        /* errno of the failed system call, or 0 */
    char option[32];   /* name of the option that caused the error, without
                        * dashes, or "" */
    char message[256]; /* one line without a newline, ready to print; a message
                        * that does not fit ends in "..." */
} tfprof_error;

#ifdef __cplusplus
}
#endif

#endif
