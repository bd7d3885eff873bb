/*
 * formula.h - how much arithmetic an operation does.
 *
 * The row of an operation (ops/fact/op.h) has two formulas: what it really
 * does, and what TensorFlow's own profiler reports. Formulas of a user replace
 * the first. They are compiled when the first node of their type is counted.
 */
#ifndef TFP_OPS_FORMULA_H
#define TFP_OPS_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "ops/fact/site.h"
#include "ops/flops/expression.h"

/* What came of counting a node. */
typedef enum tfp_counted {
    TFP_COUNTED,
    TFP_COUNTED_FREE,          /* it does no arithmetic */
    TFP_COUNTED_CALL,          /* what it does is counted where it is done */
    TFP_COUNTED_UNWALKED,      /* it calls what was not walked into */
    TFP_COUNTED_NO_FORMULA,    /* nobody knows what it does */
    TFP_COUNTED_UNKNOWN_SHAPE, /* it depends on a size that is not known */
    TFP_COUNTED_REFUSED,       /* TensorFlow has a formula and does not use it
                                * for this layout of data */
    TFP_COUNTED_COUNT
} tfp_counted;

/* The arithmetic of one run. A figure that does not fit is INT64_MAX, and to
 * be shown as "at least" that. */
typedef struct tfp_work {
    int64_t float_ops;
    int64_t int_ops;
    int64_t macs; /* multiplications with an addition: each is two of the
                   * operations above */
} tfp_work;

static inline bool tfp_is_at_least(int64_t figure)
{
    return figure == INT64_MAX;
}

void tfp_work_add(tfp_work *sum, const tfp_work *work, int64_t times);

/* ---- One formula -------------------------------------------------------- */

/* What a formula may count. `macs` is first: the others may refer to it. */
typedef enum tfp_count {
    TFP_COUNT_MACS,
    TFP_COUNT_OPS, /* floats or integers: the type of the elements decides */
    TFP_COUNT_FLOAT_OPS,
    TFP_COUNT_INT_OPS,
    TFP_COUNTS
} tfp_count;

extern const char *const tfp_count_names[TFP_COUNTS];

/* What a formula finds that is not of a fixed type. */
typedef struct tfp_tally {
    int64_t ops, macs;
} tfp_tally;

/* A count that the language cannot express; it adds to the tally. */
typedef tfp_counted tfp_count_fn(const tfp_site *site, tfp_tally *tally);

/* The function that a formula calls with "by NAME"; NULL if there is none. */
tfp_count_fn *tfp_count_function(tfp_span name);

/* An expression without code was not given, and counts 0. */
typedef struct tfp_formula {
    tfp_expression of[TFP_COUNTS];
    tfp_count_fn *by;  /* after these, or NULL */
    tfp_count doubled; /* what is two for each MAC; TFP_COUNT_MACS: nothing */
} tfp_formula;

/* What the node at a site does. */
tfp_counted tfp_formula_count(const tfp_formula *formula, const tfp_site *site,
                              tfp_work *work);

void tfp_formula_release(tfp_formula *formula, tfp_memory *memory);

/* ---- The formulas of a model -------------------------------------------- */

typedef struct tfp_user_formulas tfp_user_formulas; /* formula_file.h */
typedef struct tfp_counter tfp_counter;

typedef struct tfp_formulas {
    tfp_memory *memory;
    const tfp_shapes *shapes;
    const tfp_user_formulas *user; /* or NULL */
    TFP_VEC(tfp_counter *) of;     /* by tfp_string; NULL: not yet compiled */
} tfp_formulas;

void tfp_formulas_release(tfp_formulas *formulas);

/* What counts the nodes of a type of operation. NULL when out of memory. */
const tfp_counter *tfp_formulas_find(tfp_formulas *formulas, tfp_string op);

/* Does the operation no arithmetic, whatever its shapes? */
bool tfp_counter_is_free(const tfp_counter *counter);

/* By complete formulas: a site of our grade. */
tfp_counted tfp_counter_full(const tfp_counter *counter, const tfp_site *site,
                             tfp_work *work);

/* By TensorFlow's own formulas: a site of its grade. */
tfp_counted tfp_counter_upstream(const tfp_counter *counter,
                                 const tfp_site *site, int64_t *float_ops);

#endif
