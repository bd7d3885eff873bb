/*
 * formulas.c - the files of formulas that a user has named.
 */
#include "api/formulas.h"
#include "api/small_file.h"

#include "base/memory.h"

#include "base/error.h"

#include "ops/flops/formula_file.h"

static int use_file(void *context, tfp_span bytes, const char *path,
                    tfprof_error *err)
{
    return tfp_formula_file_read(context, bytes, path, err);
}

int tfp_formulas_read(tfp_user_formulas *formulas, tfp_memory *memory,
                      const tfp_words *paths, tfprof_error *err)
{
    const char *path = paths->data;
    if (!tfp_user_formulas_init(formulas, memory))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < paths->count; i++, path += strlen(path) + 1) {
        int status = tfp_small_file_read(memory, path, TFP_FORMULA_FILE_MOST,
                                         use_file, formulas, err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}
