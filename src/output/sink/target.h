/*
 * target.h - where a file is to go, and what stands there now.
 */
#ifndef TFP_OUTPUT_TARGET_H
#define TFP_OUTPUT_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct tfp_target {
    char *path;        /* links followed when a plain file is there, or none */
    size_t size;       /* of the block that holds it */
    int folder;        /* then where it is, open for names in it; else -1 */
    bool exists;       /* or is still to be made */
    struct stat about; /* with exists */
} tfp_target;

/* Looks where `path` leads. On failure nothing is to be released. */
int tfp_target_find(tfp_target *target, const char *path, tfp_memory *memory,
                    tfprof_error *err);
void tfp_target_release(tfp_target *target, tfp_memory *memory);

/* The last part of the path: its name in `folder`. */
const char *tfp_target_name(const tfp_target *target);

/* "PATH: cannot write: why", TFPROF_ERR_OUTPUT. */
int tfp_target_fail(const char *path, const char *why, tfprof_error *err);
int tfp_target_fail_errno(const char *path, int why, tfprof_error *err);

#endif
