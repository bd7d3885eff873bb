/*
 * device_ops.c - the operations of all devices, and the same by operation of
 * the framework.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "trace/plane.h"
#include "trace/space.h"
#include "xprof/ops.h"

static bool is_sparse_core(const tfp_plane *plane)
{
    return tfp_span_find(plane->name, "SparseCore") != NULL;
}

int tfp_xprof_device_ops(tfp_xprof_source *source, tfp_xprof_ops *ops,
                         tfprof_error *err)
{
    const tfp_space *space = source->space;
    bool are_tpus = tfp_xprof_has_tpu(space);
    int status = TFPROF_OK;
    for (size_t i = 0; i < space->planes.count && status == TFPROF_OK; i++) {
        tfp_plane *plane = space->planes.data[i];
        if (are_tpus && tfp_xprof_is_tpu(plane) && !is_sparse_core(plane))
            status = tfp_xprof_tpu_ops(source, plane, ops, err);
        else if (!are_tpus && tfp_xprof_is_gpu(plane))
            status = tfp_xprof_gpu_ops(source, plane, ops, err);
    }
    return status;
}

/* An operation runs as often as the most frequent of its instructions. */
static bool add_to_framework(tfp_xprof_source *source,
                             const tfp_xprof_ops *device,
                             const tfp_xprof_op *from, tfp_xprof_ops *ops)
{
    tfp_xprof_op_name named = { .name = from->name };
    tfp_xprof_op op = *from;
    tfp_xprof_op *row;
    uint64_t runs;
    if (tfp_xprof_ops_is_idle(device, from))
        named.name = named.type = device->idle;
    else if (from->origin != 0 &&
             !tfp_xprof_parse(source, from->origin, &named))
        return false;
    op.program = 0;
    op.name = named.name;
    op.category = named.type
                      ? named.type
                      : tfp_intern(source->texts, tfp_span_of("Unknown"));
    row = tfp_xprof_ops_row(ops, 0, op.name);
    if (!row || op.category == TFP_NO_ID)
        return false;
    runs = row->runs > from->runs ? row->runs : from->runs;
    op.runs = runs - row->runs;
    return tfp_xprof_ops_add(ops, &op);
}

int tfp_xprof_framework_ops(tfp_xprof_source *source,
                            const tfp_xprof_ops *device, tfp_xprof_ops *ops,
                            tfprof_error *err)
{
    for (size_t i = 0; i < device->rows.count; i++) {
        if (!add_to_framework(source, device, &device->rows.data[i], ops))
            return tfp_fail_nomem(err);
    }
    ops->total = device->total;
    ops->busy = device->busy;
    return TFPROF_OK;
}
