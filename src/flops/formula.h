/*
 * formula.h - how much arithmetic an operation does.
 *
 * One table, one line for each type of operation: what it really does, and
 * what TensorFlow's own profiler says of it. To add one: that line in the file
 * of its family, and a row in the test. What is in no line is not counted, and
 * said to be so.
 */
#ifndef TFP_FLOPS_FORMULA_H
#define TFP_FLOPS_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "shape/fact/site.h"

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

/* ---- The table ---------------------------------------------------------- */

/* What a formula finds. */
typedef struct tfp_tally {
    int64_t ops; /* of whichever type the elements are */
    int64_t macs;
} tfp_tally;

typedef struct tfp_rule tfp_rule;

/* A formula: what it does not find is 0. */
typedef tfp_counted tfp_rule_fn(const tfp_site *site, const tfp_rule *rule,
                                tfp_tally *tally);

/* Which of the two sums work goes to. */
typedef enum tfp_work_kind {
    TFP_WORK_BY_TYPE, /* of the elements */
    TFP_WORK_INTS,
    TFP_WORK_FLOATS
} tfp_work_kind;

struct tfp_rule {
    tfp_rule_fn *count; /* NULL: there is no formula */
    int32_t factor;
    uint16_t input; /* that is measured */
    uint8_t kind;   /* tfp_work_kind */
    const char *text;
};

typedef struct tfp_formula {
    const char *op;
    tfp_rule full, upstream;
} tfp_formula;

/* The families, ended by NULL; each ends with an op of NULL. */
extern const tfp_formula *const tfp_formula_families[];

/* ---- The formulas of a model -------------------------------------------- */

typedef struct tfp_formulas {
    tfp_memory *memory;
    TFP_VEC(const tfp_formula *) of; /* by tfp_string, or NULL */
} tfp_formulas;

/* Finds the line of each type of operation that the model names. After a
 * failure releasing is allowed. */
int tfp_formulas_init(tfp_formulas *formulas, const tfp_model *model,
                      tfp_memory *memory, tfprof_error *err);
void tfp_formulas_release(tfp_formulas *formulas);

/* Is an operation known to do no arithmetic, whatever its shapes? */
bool tfp_formulas_say_free(const tfp_formulas *formulas, tfp_string op);

/* By TensorFlow's own formulas: a site of its grade. */
tfp_counted tfp_formula_upstream(const tfp_formulas *formulas,
                                 const tfp_site *site, int64_t *float_ops);

/* By complete ones: a site of our grade. */
tfp_counted tfp_formula_full(const tfp_formulas *formulas, const tfp_site *site,
                             tfp_work *work);

#endif
