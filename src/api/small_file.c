/*
 * small_file.c - a file that says how to answer: formulas, budgets, a baseline.
 */
#include "api/small_file.h"

#include "base/escape.h"
#include "input/path/whole_file.h"

int tfp_small_file_read(tfp_memory *memory, const char *path, size_t most,
                        tfp_small_file_fn *use, void *context,
                        tfprof_error *err)
{
    tfp_whole_file file;
    tfprof_error why;
    int status = tfp_whole_file_read(&file, memory, path, most, &why);
    if (status == TFPROF_OK) {
        status = use(context, file.bytes, path, err);
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
