/*
 * check.h - verdicts about budgets as text, JSON, Markdown, annotations of
 * GitHub, JUnit or SARIF; and baselines.
 */
#ifndef TFP_OUTPUT_CHECK_H
#define TFP_OUTPUT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "output/sink/sink.h"
#include "output/text/style.h"

typedef struct tfp_check_answer {
    const tfp_checked *checked; /* in the order of the file of budgets */
    size_t count;
    size_t runs;                  /* of the inputs */
    char *const *run_names;       /* their paths */
    const tfp_baseline *baseline; /* or NULL */
    const char *budgets_path;     /* where the limits are; without a file of
                                   * budgets that of the baseline */
    bool allows_no_verdict, requires_verdict; /* what the last line says */
    tfp_memory *memory;
    int64_t now;     /* of JUnit: seconds since 1970 */
    int64_t format;  /* TFP_FORMAT_TEXT, ... */
    tfp_style style; /* of text */
} tfp_check_answer;

/* Broken budgets first, the worst of them first; then those without a
 * verdict; then the others. JSON has the order of `checked`. */
int tfp_check_write(const tfp_check_answer *answer, tfp_sink *sink,
                    tfprof_error *err);

/* A file of budgets in which each measured value has 2 % room. Times are
 * limited relative to a baseline; that of operations is left out if the wall
 * time of steps is known. Metrics without a value, and incomplete
 * counts, are left out. */
int tfp_budgets_write(const tfp_budgets *budgets, const tfp_measured *measured,
                      tfp_sink *sink, tfprof_error *err);

/* The JSON that tfp_baseline_read() reads. */
int tfp_baseline_write(const tfp_baseline *baseline, tfp_sink *sink,
                       tfprof_error *err);

#endif
