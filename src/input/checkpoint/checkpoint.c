/*
 * checkpoint.c - what both versions of checkpoints need.
 */
#include "input/checkpoint/checkpoint.h"

#include "proto/wire.h"

#include "proto/walk.h"

#include "model/stored.h"

#include "model/model.h"

#include "model/inputs.h"

#include "model/ids.h"

#include "model/attrs.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/error.h"

#include "base/bits.h"

#include <stdio.h>

#include "base/escape.h"
#include "input/checkpoint/slices.h"
#include "proto/dtype.h"

/* The header of version 2 begins with a number, or with its third field; the
 * metadata of version 1 is a message in the first one. */
static bool is_metadata(tfp_span value)
{
    return value.size > 0 && value.data[0] == SavedTensorSlices_meta;
}

int tfp_read_checkpoint(tfp_checkpoint_load *c, tfprof_error *err)
{
    tfp_span key, value;
    bool more;
    int status = tfp_table_next(c->table, &key, &value, &more, err);
    if (status != TFPROF_OK)
        return status;
    if (!more || key.size != 0)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "not a checkpoint: the table has no header");
    c->is_v1 = is_metadata(value);
    tfp_load_input(c->load)->version = c->is_v1 ? 1 : 2;
    return c->is_v1 ? tfp_read_slices(c, value, err)
                    : tfp_read_bundle(c, value, err);
}

tfp_record tfp_checkpoint_record(const tfp_checkpoint_load *c, tfp_span value)
{
    return (tfp_record){ .bytes = value,
                         .offset = tfp_table_value_offset(c->table),
                         .depth = 1,
                         .max_depth = c->max_depth };
}

static int64_t parameters_of(const tfp_model *model, tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(model, shape, &rank);
    int64_t product = rank < 0 ? 0 : 1;
    for (int i = 0; i < rank; i++)
        product = dims[i] < 0 ? 0 : tfp_mul_sat(product, dims[i]);
    return product;
}

/* Bytes of its values; of strings in version 1 nobody has counted them. */
static int64_t bytes_of(const tfp_model *model, const tfp_stored *tensor,
                        int64_t parameters)
{
    const tfp_stored_tensors *s = &model->stored;
    const tfp_dtype_facts *type = tfp_dtype_find(tensor->dtype);
    int64_t sum = 0;
    if (s->checkpoints.data[tensor->checkpoint].version == 1)
        return type ? tfp_mul_sat(parameters, type->size) : 0;
    for (uint32_t p = tensor->first_part, n = tensor->part_count; n-- > 0;
         p = s->parts.data[p].next) {
        int64_t size = s->parts.data[p].size;
        sum = tfp_add_sat(sum, size < 0 ? 0 : size);
    }
    return sum;
}

static int note_dtype(tfp_load *load, int32_t dtype, tfprof_error *err)
{
    const tfp_dtype_facts *type = tfp_dtype_find(dtype);
    tfp_string name = tfp_model_string(
        load->model, tfp_span_of(type ? type->name : "unknown"));
    bool fresh;
    if (name == TFP_NO_ID ||
        !tfp_bits_add(&load->devices, load->memory, name, &fresh) ||
        (fresh &&
         !TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->dtypes, name)))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

/* A tensor of a name that is there already: its other slices, when both are
 * in files of one checkpoint. */
static void join(tfp_checkpoint_load *c, uint32_t index, const tfp_stored *more)
{
    tfp_model *model = c->load->model;
    tfp_stored *known = &model->stored.tensors.data[index];
    if (known->checkpoint != more->checkpoint ||
        model->stored.checkpoints.data[c->checkpoint].version != 1) {
        tfp_load_input(c->load)->counts.duplicate_tensors++;
        return;
    }
    if (known->shape != more->shape || known->dtype != more->dtype)
        known->fault = "its shape or data type differs between shards";
    else if (more->fault)
        known->fault = more->fault;
    tfp_model_join_stored(model, index, more);
}

int tfp_add_stored(tfp_checkpoint_load *c, tfp_stored tensor, tfprof_error *err)
{
    tfp_load *load = c->load;
    tfp_model *model = load->model;
    tfp_input_counts *counts = &tfp_load_input(load)->counts;
    int64_t parameters = parameters_of(model, tensor.shape);
    uint32_t index;
    bool fresh;
    int status = note_dtype(load, tensor.dtype, err);
    if (status != TFPROF_OK)
        return status;
    if (!tfp_model_add_stored(model, tensor, &index, &fresh))
        return tfp_fail_nomem(err);
    if (!fresh) {
        join(c, index, &tensor);
        return TFPROF_OK;
    }
    counts->tensors++;
    counts->parameters = tfp_add_sat(counts->parameters, parameters);
    counts->tensor_bytes = tfp_add_sat(counts->tensor_bytes,
                                       bytes_of(model, &tensor, parameters));
    return TFPROF_OK;
}

static int fail_tensors(const tfp_model *model, const tfp_stored *first,
                        int64_t count, tfprof_error *err)
{
    char name[100], more[48] = "";
    tfp_escape_short(tfp_model_text(model, first->name), name, sizeof(name));
    if (count > 1)
        snprintf(more, sizeof(more), " (and %lld more tensor%s)",
                 (long long)count - 1, count == 2 ? "" : "s");
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "tensor %s: %s%s", name,
                    first->fault, more);
}

int tfp_finish_checkpoint(tfp_checkpoint_load *c, tfprof_error *err)
{
    tfp_model *model = c->load->model;
    tfp_input_counts *counts = &tfp_load_input(c->load)->counts;
    const tfp_stored *first = NULL;
    for (size_t i = 0; i < model->stored.tensors.count; i++) {
        tfp_stored *tensor = &model->stored.tensors.data[i];
        if (tensor->checkpoint != c->checkpoint)
            continue;
        if (!tensor->fault)
            tensor->fault = tfp_stored_check(model, tensor);
        if (tensor->fault && counts->damaged_tensors++ == 0)
            first = tensor;
    }
    return first ? fail_tensors(model, first, counts->damaged_tensors, err)
                 : TFPROF_OK;
}

int tfp_read_state_leaf(tfp_load *load, const tfp_field *f, tfp_record *record,
                        tfprof_error *err)
{
    if (f->tag != CheckpointState_model_checkpoint_path)
        return TFP_LEAF_UNREAD;
    load->latest = tfp_model_string(load->model, record->bytes);
    if (load->latest != TFP_NO_ID)
        return TFPROF_OK;
    load->latest = 0;
    return tfp_fail_nomem(err);
}
