/*
 * formula_file.h - formulas of a user, by type of operation, and the files
 * that hold them, in JSON.
 *
 *     { "MyOp": "2 * #y0",
 *       "Other": { "float_ops": "#x0", "int_ops": "#x1", "macs": "#y0" } }
 *
 * A text alone counts float operations. The form, the language of the texts
 * and the limits: docs/float-operations.md.
 */
#ifndef TFP_OPS_FORMULA_FILE_H
#define TFP_OPS_FORMULA_FILE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "ops/flops/formula.h"

enum { TFP_FORMULA_FILE_MOST = 1 << 20 /* bytes; see base/json_tree.h */ };

struct tfp_user_formulas {
    tfp_memory *memory;
    tfp_interner ops; /* item k + 1 is that of formula k */
    TFP_VEC(tfp_formula) formulas;
};

/* False when out of memory; releasing is allowed then. */
bool tfp_user_formulas_init(tfp_user_formulas *formulas, tfp_memory *memory);
void tfp_user_formulas_release(tfp_user_formulas *formulas);

/* NULL when the user has given none. */
const tfp_formula *tfp_user_formulas_find(const tfp_user_formulas *formulas,
                                          tfp_span op);

/* Was this built with jansson, the library that reads JSON? */
bool tfp_formula_file_is_there(void);

/* Adds what a file holds; `name` stands in messages. Of two files that speak
 * of one type the later counts, in one file it is a mistake. After a failure
 * some formulas may have been added. */
int tfp_formula_file_read(tfp_user_formulas *formulas, tfp_span json,
                          const char *name, tfprof_error *err);

#endif
