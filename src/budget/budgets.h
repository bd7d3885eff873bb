/*
 * budgets.h - limits that a model or its runs must keep, read from JSON.
 *
 *     {"budgets": [
 *         {"metric": "params", "max": 3600000},
 *         {"metric": "micros", "scope": "tower/.*", "max": "+5%",
 *          "and_at_least": "100us"}]}
 *
 * Values of times are in microseconds, those of memory in bytes.
 */
#ifndef TFP_BUDGET_BUDGETS_H
#define TFP_BUDGET_BUDGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/metrics.h"

/* What can have a limit: the costs, two numbers that are not costs, and the
 * metrics of steps. */
enum {
    TFP_BUDGET_NODES = TFP_COST_COUNT,
    TFP_BUDGET_MACS,  /* of the complete model, as all that follow */
    TFP_BUDGET_STEPS, /* TFP_STEP_WALL and so on */
    TFP_BUDGET_WALL = TFP_BUDGET_STEPS + TFP_STEP_WALL,
    TFP_BUDGET_METRICS = TFP_BUDGET_STEPS + TFP_STEP_METRIC_COUNT
};

/* Is it a metric of steps? */
static inline bool tfp_budget_is_of_steps(int metric)
{
    return metric >= TFP_BUDGET_STEPS;
}

/* The word of a metric in files and answers: "params", "nodes", "macs". */
const char *tfp_budget_metric_name(int metric);

/* The metric of this word, which may also be the word of the option `select`;
 * -1 if there is none. */
int tfp_budget_metric_find(const char *word);
tfp_unit tfp_budget_metric_unit(int metric);

/* Times differ from run to run; all other metrics are exact. */
bool tfp_budget_is_time(int metric);

/* The rows whose values are added up. */
typedef enum tfp_budget_rows {
    TFP_BUDGET_ALL, /* no pattern: the complete model */
    TFP_BUDGET_SCOPE,
    TFP_BUDGET_OP,
    TFP_BUDGET_CODE,
    TFP_BUDGET_DEVICE,
    TFP_BUDGET_ROWS
} tfp_budget_rows;

/* "scope", "op", "code", "device"; of TFP_BUDGET_ALL "all". */
extern const char *const tfp_budget_rows_names[TFP_BUDGET_ROWS];

typedef enum tfp_limit_kind {
    TFP_LIMIT_NONE,
    TFP_LIMIT_ABSOLUTE,   /* a value */
    TFP_LIMIT_DIFFERENCE, /* from the baseline, in the unit of the metric */
    TFP_LIMIT_PERCENT     /* of the baseline, as a difference from it: "+5%" */
} tfp_limit_kind;

typedef struct tfp_limit {
    tfp_limit_kind kind;
    double value; /* with its sign; 5 for "+5%" */
} tfp_limit;

typedef struct tfp_budget {
    char *name;    /* given by the user, or NULL */
    char *pattern; /* a regular expression for the complete name, or NULL */
    tfp_budget_rows rows;
    int metric;
    tfp_limit max, min;  /* at least one of them is set */
    double and_at_least; /* the smallest excess over an absolute limit that
                          * breaks it; of a relative limit the smallest change
                          * from the baseline; 0: any */
} tfp_budget;

typedef struct tfp_budgets {
    tfp_memory *memory;
    TFP_VEC(tfp_budget) all; /* in the order of the file */
} tfp_budgets;

enum {
    TFP_BUDGET_FILE_MOST = 1 << 20, /* bytes of a file */
    TFP_BUDGETS_MOST = 1000
};

/* Reads a file of budgets; `name` is its path, for messages, which begin with
 * it. `budgets` is zero at first and must be released, also after a failure.
 * Patterns are not compiled. Fails with MALFORMED, LIMIT or NOMEM, and with
 * OPTION if tfprof was built without jansson. */
int tfp_budgets_read(tfp_budgets *budgets, tfp_memory *memory, tfp_span json,
                     const char *name, tfprof_error *err);
void tfp_budgets_release(tfp_budgets *budgets);

#endif
