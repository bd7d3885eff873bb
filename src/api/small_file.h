/*
 * small_file.h - a file that says how to answer: formulas, budgets, a baseline.
 */
#ifndef TFP_API_SMALL_FILE_H
#define TFP_API_SMALL_FILE_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

typedef int tfp_small_file_fn(void *context, tfp_span bytes, const char *path,
                              tfprof_error *err);

/* Reads a file of at most `most` bytes and passes it to `use`. Errors begin
 * with the path. */
int tfp_small_file_read(tfp_memory *memory, const char *path, size_t most,
                        tfp_small_file_fn *use, void *context,
                        tfprof_error *err);

#endif
