/*
 * formulas.h - the files of formulas that a user has named.
 */
#ifndef TFP_API_FORMULAS_H
#define TFP_API_FORMULAS_H

#include "base/memory.h"
#include "ops/flops/formula_file.h"
#include "options/options.h"

/* Reads each file in turn. `formulas` is made ready first, and a failure, too,
 * needs tfp_user_formulas_release(). */
int tfp_formulas_read(tfp_user_formulas *formulas, tfp_memory *memory,
                      const tfp_words *paths, tfprof_error *err);

#endif
