/*
 * answer.h - an answer on its way: to a callback or into a file, packed or
 * as it is.
 */
#ifndef TFP_OUTPUT_ANSWER_H
#define TFP_OUTPUT_ANSWER_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/sink/sink.h"

/* Writes all of an answer. Whether the sink took it need not be looked at. */
typedef int tfp_answer_fn(const void *subject, tfp_sink *sink,
                          tfprof_error *err);

typedef struct tfp_answer {
    tfp_answer_fn *write;
    const void *subject; /* what is written: a view, a list of findings */
    tfp_memory *memory;
    const tfp_cancel *cancel; /* may be NULL */
    bool packed;              /* by gzip */
    bool escaped;             /* out: some name was not shown as it is */
} tfp_answer;

int tfp_answer_send(tfp_answer *answer, tfp_write_fn *write, void *context,
                    tfprof_error *err);

/* Into the file at `path`, which appears whole or not at all. */
int tfp_answer_save(tfp_answer *answer, const char *path, tfprof_error *err);

#endif
