/*
 * formulas.c - the files of formulas that a user has named.
 */
#include "api/formulas.h"

#include "base/memory.h"

#include "base/error.h"

#include "base/escape.h"
#include "flops/formula_file.h"
#include "input/path/whole_file.h"

static int read_file(tfp_user_formulas *formulas, const char *path,
                     tfprof_error *err)
{
    tfp_whole_file file;
    tfprof_error why;
    int status = tfp_whole_file_read(&file, formulas->memory, path,
                                     TFP_FORMULA_FILE_MOST, &why);
    if (status == TFPROF_OK) {
        status = tfp_formula_file_read(formulas, file.bytes, path, err);
    } else if (status == TFPROF_ERR_NOMEM) {
        tfp_fail_nomem(err);
    } else {
        char name[100];
        tfp_escape_short(tfp_span_of(path), name, sizeof(name));
        tfp_fail(err, why.code, -1, "%s: %s", name, why.message);
    }
    tfp_whole_file_release(&file);
    return status;
}

int tfp_formulas_read(tfp_user_formulas *formulas, tfp_memory *memory,
                      const tfp_words *paths, tfprof_error *err)
{
    const char *path = paths->data;
    if (!tfp_user_formulas_init(formulas, memory))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < paths->count; i++, path += strlen(path) + 1) {
        int status = read_file(formulas, path, err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}
