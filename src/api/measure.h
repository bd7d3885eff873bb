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
    TFP_VEC(double) values;
    tfp_patterns pattern; /* compiled; without items if there is none */
} tfp_measured_rows;

typedef struct tfp_measuring {
    tfprof_profile *profile; /* options, callbacks and the destination */
    tfp_memory *memory;      /* of all that follows */
    const tfp_budgets *budgets;
    tfp_measured *measured;  /* by budget */
    tfp_measured_rows *rows; /* by budget */
    uint64_t work;           /* of matching names */
    tfp_machine machine;     /* of the first run */
    size_t runs;
    bool counts_model; /* the run at hand has a graph that was counted */
} tfp_measuring;

/* Measures all budgets in the runs at these paths. The first members are set,
 * all others are zero. Must be released, also after a failure. */
int tfp_measure(tfp_measuring *measuring, const char *const *paths,
                size_t count, tfprof_error *err);
void tfp_measuring_release(tfp_measuring *measuring);

#endif
