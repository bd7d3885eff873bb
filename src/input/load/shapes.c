/*
 * shapes.c - TensorShapeProto into the model.
 */
#include "base/cache.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "proto/attr.h"

static int read_dims(tfp_load *load, tfp_wire *w, const tfp_field *f,
                     tfp_shape *shape, tfprof_error *err)
{
    size_t base = load->numbers.count;
    bool unknown_rank = false;
    int64_t size;
    tfp_wire inner = tfp_wire_enter(w, f);
    while (tfp_shape_next(&inner, &size, &unknown_rank)) {
        if (!TFP_VEC_PUSH(load->memory, &load->numbers, size))
            return tfp_fail_nomem(err);
    }
    tfp_wire_leave(&inner);
    *shape = unknown_rank
                 ? TFP_SHAPE_UNKNOWN_RANK
                 : tfp_model_shape(load->model, load->numbers.data + base,
                                   load->numbers.count - base);
    load->numbers.count = base;
    return *shape == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_read_shape(tfp_load *load, tfp_wire *w, const tfp_field *f,
                   tfp_shape *shape, tfprof_error *err)
{
    tfp_record *record = w->record;
    const tfp_cached *known;
    int status;
    *shape = TFP_SHAPE_NONE;
    if (f->tag == 0)
        return TFPROF_OK;
    known = tfp_cache_find(&load->shapes, f->bytes);
    if (known && known->depth >= record->depth) {
        *shape = known->value[0];
        return TFPROF_OK;
    }
    status = read_dims(load, w, f, shape, err);
    if (status == TFPROF_OK && tfp_record_ok(record) &&
        !tfp_cache_put(&load->shapes, f->bytes,
                       (tfp_cached){ { *shape }, record->depth }))
        return tfp_fail_nomem(err);
    return status;
}
