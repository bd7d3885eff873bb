/*
 * user_formula.h - formulas that a user has given, by type of operation.
 */
#ifndef TFP_FLOPS_USER_FORMULA_H
#define TFP_FLOPS_USER_FORMULA_H

#include "base/intern.h"
#include "flops/expression.h"
#include "flops/formula.h"

/* What a formula may count. */
typedef enum tfp_user_count {
    TFP_USER_FLOAT_OPS,
    TFP_USER_INT_OPS,
    TFP_USER_MACS,
    TFP_USER_COUNTS
} tfp_user_count;

/* Of one type of operation. An expression without code was not given. */
typedef struct tfp_user_formula {
    tfp_expression of[TFP_USER_COUNTS];
} tfp_user_formula;

typedef struct tfp_user_formulas {
    tfp_memory *memory;
    tfp_interner ops;                   /* item k + 1 is that of formula k */
    TFP_VEC(tfp_user_formula) formulas; /* formula_file.h adds to them */
} tfp_user_formulas;

/* False when out of memory; releasing is allowed then. */
bool tfp_user_formulas_init(tfp_user_formulas *formulas, tfp_memory *memory);
void tfp_user_formulas_release(tfp_user_formulas *formulas);

/* Takes over what `formula` holds, in the place of an earlier one for that
 * type. False when out of memory; `formula` is the caller's then. */
bool tfp_user_formulas_add(tfp_user_formulas *formulas, tfp_span op,
                           const tfp_user_formula *formula);

/* NULL when the user has given none. */
const tfp_user_formula *tfp_user_formulas_find(
    const tfp_user_formulas *formulas, tfp_span op);

/* What the node at a site does. What was not given is 0, but float operations
 * that were not given are two for each multiplication with an addition. */
tfp_counted tfp_user_formula_count(const tfp_user_formula *formula,
                                   const tfp_site *site, tfp_work *work);

void tfp_user_formula_release(tfp_user_formula *formula, tfp_memory *memory);

#endif
