/*
 * baseline.h - what earlier runs measured, and on which machine.
 */
#ifndef TFP_BUDGET_BASELINE_H
#define TFP_BUDGET_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "budget/budgets.h"

/* What times depend on besides the program. Texts are never NULL; an empty one
 * is unknown, and equal to any other. */
typedef struct tfp_machine {
    char cpu[128];          /* "AMD EPYC 7B13" */
    int64_t cores;          /* 0: not known */
    char accelerators[256]; /* "NVIDIA A100 x4, ..." */
    char versions[256];     /* "tensorflow 2.21.0, jax 0.10.2" */
} tfp_machine;

/* The first thing that differs: "cpu", "cores", "accelerators", "versions", or
 * NULL. */
const char *tfp_machine_difference(const tfp_machine *a, const tfp_machine *b);

/* The values of one metric of some rows, one for each run. */
typedef struct tfp_baseline_row {
    tfp_budget_rows rows;
    char *pattern; /* NULL with TFP_BUDGET_ALL */
    int metric;
    double *values;
    size_t count;
    bool is_partial;      /* a count with coverage below 100 % */
    const double *by_run; /* to be written: of all runs, NAN where there is no
                           * value; NULL if the row was read */
} tfp_baseline_row;

typedef struct tfp_baseline {
    tfp_memory *memory;
    tfp_machine machine;
    bool takes_minimum; /* the value of a run, as the option `of` says */
    int64_t skip_steps;
    size_t runs;
    char *const *names; /* to be written: the paths of the runs; or NULL */
    TFP_VEC(tfp_baseline_row) rows;
} tfp_baseline;

enum { TFP_BASELINE_FILE_MOST = 4 << 20 /* bytes */ };

/*
 * Reads what output/check/baseline.c writes:
 *
 *     {"tfprof_baseline": 1, "version": "0.9.0", "of": "median",
 *      "skip_steps": 0, "runs": 8, "run_names": ["...", ...],
 *      "machine": {"cpu": "...", "cores": 8, "accelerators": "...",
 *                  "versions": "..."},
 *      "rows": [{"metric": "params", "values": [3538984]},
 *               {"metric": "micros", "scope": "tower/.*", "values": [...]}]}
 *
 * `partial` (a bool) is optional in a row. A row that lacks the value of some
 * runs names them in "without"; this key and `run_names` are for other
 * programs. `baseline` is zero at first and must be released, also after a
 * failure. Fails as tfp_budgets_read() does.
 */
int tfp_baseline_read(tfp_baseline *baseline, tfp_memory *memory, tfp_span json,
                      const char *name, tfprof_error *err);

/* Adds a row that has no values yet; `pattern` is copied. NULL when out of
 * memory. The row is valid until the next one is added. */
tfp_baseline_row *tfp_baseline_add(tfp_baseline *baseline, tfp_budget_rows rows,
                                   const char *pattern, int metric);

/* The row of these rows and this metric, or NULL. Takes time by the number of
 * rows. */
const tfp_baseline_row *tfp_baseline_find(const tfp_baseline *baseline,
                                          const tfp_budget *budget);
void tfp_baseline_release(tfp_baseline *baseline);

#endif
