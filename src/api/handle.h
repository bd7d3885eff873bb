/*
 * handle.h - what the public functions refuse before they touch anything.
 *
 * Each handle begins with a number that says what it is, so NULL and a handle
 * of another kind are found out, and a pointer that is needed is asked for.
 * What was freed cannot be found out.
 */
#ifndef TFP_API_HANDLE_H
#define TFP_API_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum {
    TFP_HANDLE_PROFILE = 0x7466701, /* chance makes none of them */
    TFP_HANDLE_VIEW,
    TFP_HANDLE_ADVICE,
    TFP_HANDLE_TABLE
};

/* The first member of every handle is its uint32_t. */
static inline bool tfp_handle_is(const void *handle, uint32_t kind)
{
    return handle && *(const uint32_t *)handle == kind;
}

/* TFPROF_ERR_OPTION for what is needed and NULL; `what` is its name. */
static inline int tfp_check_given(bool is_given, const char *what,
                                  tfprof_error *err)
{
    return is_given ? TFPROF_OK
                    : tfp_fail(err, TFPROF_ERR_OPTION, -1, "%s is NULL", what);
}

#endif
