/*
 * formula_file.h - a file of user formulas, in JSON.
 *
 *     { "MyOp": "2 * #y0",
 *       "Other": { "float_ops": "#x0", "int_ops": "#x1", "macs": "#y0" } }
 *
 * A text alone counts float operations. The form, the language of the texts
 * and the limits: docs/float-operations.md.
 */
#ifndef TFP_FLOPS_FORMULA_FILE_H
#define TFP_FLOPS_FORMULA_FILE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"
#include "flops/user_formula.h"

typedef struct tfp_user_formulas tfp_user_formulas; /* user_formula.h */

enum { TFP_FORMULA_FILE_MOST = 1 << 20 /* bytes; see base/json_tree.h */ };

/* Was this built with jansson, the library that reads JSON? */
bool tfp_formula_file_is_there(void);

/* Adds what a file holds; `name` stands in messages. Of two files that speak
 * of one type the later counts, in one file it is a mistake. After a failure
 * some formulas may have been added. */
int tfp_formula_file_read(tfp_user_formulas *formulas, tfp_span json,
                          const char *name, tfprof_error *err);

#endif
