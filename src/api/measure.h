/*
 * measure.h - the values of budgets in some runs.
 */
#ifndef TFP_API_MEASURE_H
#define TFP_API_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "api/profile.h"
#include "base/error.h"
#include "base/memory.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "view/patterns.h"

/* What is kept of one budget. */
typedef struct tfp_measured_rows {
    TFP_VEC(double) values, by_run;
    tfp_patterns pattern; /* compiled; without items if there is none */
} tfp_measured_rows;

/* The runs of one side, by their paths. */
typedef TFP_VEC(char *) tfp_run_names;

typedef struct tfp_measuring {
    tfprof_profile *profile; /* options, callbacks and the destination */
    tfp_memory *memory;      /* of all that follows */
    const tfp_budgets *budgets;
    const char *side;        /* begins remarks: "base"; or NULL */
    int64_t bytes_read;      /* of all inputs, as the rule of memory has it */
    tfp_measured *measured;  /* by budget */
    tfp_measured_rows *rows; /* by budget */
    uint64_t work;           /* of matching names */
    tfp_machine machine;     /* of the first run */
    tfp_run_names names;     /* by run */
    size_t common;           /* bytes of the folders that all names begin with,
                              * but for the last folder */
    size_t runs;
    bool counts_model; /* the run at hand has a graph that was counted */
} tfp_measuring;

/* Measures all budgets in the runs at these paths. The first members are set,
 * all others are zero. Must be released, also after a failure. */
int tfp_measure(tfp_measuring *measuring, const char *const *paths,
                size_t count, tfprof_error *err);

/* The name of a run in messages: its path without the folders before. */
const char *tfp_measured_run(const tfp_measuring *measuring, size_t run);
void tfp_measuring_release(tfp_measuring *measuring);

#endif
