/*
 * xprof.c - the tables of xprof, by their names.
 */
#include "xprof/xprof.h"

#include "base/intern.h"

#include <string.h>

#include "xprof/kernels.h"
#include "xprof/ops.h"
#include "xprof/source.h"

const char *const tfp_xprof_tool_names[TFP_XPROF_TOOLS] = {
    [TFP_XPROF_FRAMEWORK_OPS] = "framework_op_stats",
    [TFP_XPROF_HLO] = "hlo_stats",
    [TFP_XPROF_KERNELS] = "kernel_stats",
    [TFP_XPROF_MEMORY] = "memory_profile",
};

tfp_xprof_tool tfp_xprof_tool_find(const char *name)
{
    int tool = 0;
    while (tool < TFP_XPROF_TOOLS && strcmp(name, tfp_xprof_tool_names[tool]))
        tool++;
    return (tfp_xprof_tool)tool;
}

static bool has_gpu(const tfp_space *space)
{
    for (size_t i = 0; i < space->planes.count; i++) {
        if (tfp_xprof_is_gpu(space->planes.data[i]))
            return true;
    }
    return false;
}

static int make(tfp_xprof *x, tfp_xprof_source *source, tfprof_error *err)
{
    x->table_count = 1;
    switch (x->tool) {
    case TFP_XPROF_FRAMEWORK_OPS:
        x->table_count = 2;
        return tfp_xprof_framework_tables(source, x->tables,
                                          has_gpu(source->space), err);
    case TFP_XPROF_HLO: return tfp_xprof_hlo_table(source, x->tables, err);
    case TFP_XPROF_KERNELS:
        return tfp_xprof_kernel_table(source, x->tables, err);
    default:
        x->table_count = 0;
        return tfp_xprof_allocators_init(&x->allocators, source, err);
    }
}

int tfp_xprof_make(tfp_xprof *x, tfp_space *space,
                   const tfp_xprof_request *request, tfprof_error *err)
{
    tfp_xprof_source source;
    int status;
    *x = (tfp_xprof){ .tool = request->tool, .memory = request->memory };
    for (size_t i = 0; i < sizeof(x->tables) / sizeof(x->tables[0]); i++)
        x->tables[i].memory = request->memory;
    if (!tfp_interner_init(&x->texts, request->memory, 1, space->seed)) {
        tfp_xprof_release(x);
        return tfp_fail_nomem(err);
    }
    status = tfp_xprof_source_init(&source, space, request->memory, &x->texts,
                                   request->max_depth, request->cancel, err);
    if (status == TFPROF_OK)
        status = make(x, &source, err);
    tfp_xprof_source_release(&source);
    if (status != TFPROF_OK)
        tfp_xprof_release(x);
    return status;
}

void tfp_xprof_release(tfp_xprof *x)
{
    for (size_t i = 0; i < sizeof(x->tables) / sizeof(x->tables[0]); i++)
        tfp_xprof_table_release(&x->tables[i]);
    tfp_xprof_allocators_release(&x->allocators);
    tfp_interner_release(&x->texts);
}
