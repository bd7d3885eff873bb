/*
 * error.h - how every function of the library says what went wrong.
 *
 * A function returns TFPROF_OK or one of the negative codes below; details go
 * to a tfprof_error owned by the caller. The pointer may be NULL, and what it
 * points to is not touched on success. There is nothing to release.
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

/* A code exists only where a caller would act on it differently. */
typedef enum tfprof_code {
    TFPROF_OK = 0,
    TFPROF_ERR_NOMEM = -1,      /* the allocator said no */
    TFPROF_ERR_IO = -2,         /* the system refused: open, read, stat */
    TFPROF_ERR_MALFORMED = -3,  /* the bytes are not what they should be */
    TFPROF_ERR_LIMIT = -4,      /* a documented limit was reached */
    TFPROF_ERR_OPTION = -5,     /* an unknown option, a bad value, misuse */
    TFPROF_ERR_MISSING = -6,    /* asked for what the inputs do not have */
    TFPROF_ERR_CANCELLED = -7,  /* a callback asked to stop */
    TFPROF_ERR_OUTPUT = -8,     /* the answer could not be written */
    TFPROF_ERR_UNSUPPORTED = -9 /* a file of a known kind that is not read */
} tfprof_code;

typedef struct tfprof_error {
    tfprof_code code;
    int64_t offset;    /* byte of the unpacked input (of the packed one when
                        * its gzip data is damaged), or -1 */
    int64_t line;      /* of a text input, counted from 1, or 0 */
    int64_t column;    /* in bytes, counted from 1, or 0 */
    int errnum;        /* what the system answered (errno), or 0 */
    char option[32];   /* the option that it is about, without dashes, or "" */
    char message[256]; /* one line, no newline, complete enough to print; one
                        * that is cut ends in "..." */
} tfprof_error;

#ifdef __cplusplus
}
#endif

#endif
