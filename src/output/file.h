/*
 * file.h - an answer in a file: whole or not at all.
 *
 * The bytes go to a new file beside the target, which takes the target's name
 * when all is written; until then whatever was there stays. What is no plain
 * file (a pipe, /dev/null) is written through.
 */
#ifndef TFP_OUTPUT_FILE_H
#define TFP_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"

typedef struct tfp_file {
    tfp_memory *memory;
    int fd;
    int failure;     /* errno of the first write that failed, or 0 */
    char *target;    /* the file to replace, symbolic links resolved */
    char *temporary; /* beside it; NULL when writing through */
} tfp_file;

/* Refuses a target that is one of the inputs. */
int tfp_file_check_target(const char *path, const tfp_model *model,
                          tfprof_error *err);

int tfp_file_open(tfp_file *file, const char *path, tfp_memory *memory,
                  tfprof_error *err);

/* A tfp_write_fn; `context` is the tfp_file. */
int tfp_file_write(void *context, const void *data, size_t size);

/* Puts the file in place if `status` is TFPROF_OK, else takes it away. The
 * status, or what went wrong here. */
int tfp_file_close(tfp_file *file, int status, tfprof_error *err);

#endif
