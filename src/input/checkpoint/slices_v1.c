/*
 * slices_v1.c - the metadata of a checkpoint of version 1 into the model.
 *
 * It stands in the first entry of the table, and only there are the type and
 * the shape of a tensor. When the checkpoint has several files, each has the
 * metadata of what it holds; a tensor may have slices in more than one.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/checkpoint/checkpoint.h"
#include "input/checkpoint/slices.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/stored.h"
#include "proto/checkpoint.h"
#include "proto/graph.h"

/* ---- Tensors ------------------------------------------------------------ */

static int add_parts(tfp_checkpoint_load *c, const tfp_slice_meta *meta,
                     tfp_record *record, uint32_t table, tfp_stored *tensor,
                     tfprof_error *err)
{
    tfp_model *model = c->load->model;
    tfp_wire w = tfp_repeated_wire(&meta->slices, record);
    tfp_field f;
    int rank;
    tfp_shape_dims(model, tensor->shape, &rank);
    while (tfp_repeated_next(&w, SavedSliceMeta_slice, &f)) {
        tfp_stored_part part = { .shard = table };
        bool is_odd;
        int status = tfp_read_extents(c->load, &w, &f, &part.extents, &is_odd,
                                      err);
        if (status != TFPROF_OK)
            return status;
        if (is_odd || (part.extents == 0 && rank != 0))
            tensor->fault = "a slice does not fit the shape of the tensor";
        if (!tfp_model_add_part(model, tensor, part))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int read_meta(tfp_checkpoint_load *c, tfp_wire *w, const tfp_field *f,
                     uint32_t table, tfprof_error *err)
{
    tfp_model *model = c->load->model;
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_slice_meta meta;
    tfp_stored tensor = { .checkpoint = c->checkpoint };
    int status;
    tfp_slice_meta_read(&inner, &meta);
    tensor.name = tfp_model_string(model, meta.name);
    tensor.dtype = meta.dtype;
    status = tfp_read_shape(c->load, &inner, &meta.shape, &tensor.shape, err);
    if (status == TFPROF_OK && meta.shape.tag == 0)
        tensor.shape = tfp_model_shape(model, NULL, 0);
    if (tensor.name == TFP_NO_ID || tensor.shape == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = add_parts(c, &meta, w->record, table, &tensor, err);
    tfp_wire_leave(&inner);
    if (status != TFPROF_OK || !tfp_record_ok(w->record))
        return status;
    return tfp_add_stored(c, tensor, err);
}

static int read_metas(tfp_checkpoint_load *c, tfp_wire *w, uint32_t table,
                      tfprof_error *err)
{
    tfp_field f;
    int status = TFPROF_OK;
    while (status == TFPROF_OK && tfp_wire_next(w, &f)) {
        if (f.tag == SavedTensorSliceMeta_tensor) {
            status = read_meta(c, w, &f, table, err);
        } else if (f.tag == SavedTensorSliceMeta_versions) {
            tfp_wire inner = tfp_wire_enter(w, &f);
            tfp_version_def versions;
            tfp_version_def_read(&inner, &versions);
            tfp_wire_leave(&inner);
            if (versions.min_consumer > TFP_SLICES_VERSION)
                status = tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                                  "requires checkpoint reader version %d or "
                                  "later; this tfprof has version %d",
                                  versions.min_consumer, TFP_SLICES_VERSION);
        } else {
            tfp_wire_check(w, &f, &tfp_SavedTensorSliceMeta);
        }
    }
    return status;
}

/* ---- A file ------------------------------------------------------------- */

/* Adds the file to its checkpoint, which is made for the first one. */
static int add_table(tfp_checkpoint_load *c, uint32_t *table, tfprof_error *err)
{
    tfp_model *model = c->load->model;
    tfp_load *load = c->load;
    tfp_checkpoint *checkpoint;
    const int64_t *paths;
    size_t count, base = load->numbers.count;
    tfp_string path = c->path ? tfp_model_string(model, tfp_span_of(c->path))
                              : 0;
    if (c->checkpoint == TFP_NO_ID)
        c->checkpoint = tfp_model_add_checkpoint(
            model, (tfp_checkpoint){ .version = 1 });
    if (path == TFP_NO_ID || c->checkpoint == TFP_NO_ID)
        return tfp_fail_nomem(err);
    checkpoint = &model->stored.checkpoints.data[c->checkpoint];
    paths = tfp_list_items(model, checkpoint->tables, &count);
    for (size_t i = 0; i <= count; i++) {
        if (!TFP_VEC_PUSH(load->memory, &load->numbers,
                          i < count ? paths[i] : path))
            return tfp_fail_nomem(err);
    }
    checkpoint->tables = tfp_model_list(model, load->numbers.data + base,
                                        count + 1);
    load->numbers.count = base;
    if (checkpoint->tables == TFP_NO_ID)
        return tfp_fail_nomem(err);
    *table = (uint32_t)count;
    checkpoint->shards = (uint32_t)count + 1;
    return TFPROF_OK;
}

int tfp_read_slices(tfp_checkpoint_load *c, tfp_span metadata,
                    tfprof_error *err)
{
    tfp_record record = tfp_checkpoint_record(c, metadata);
    tfp_wire w = tfp_wire_over(&record);
    tfp_saved_slices slices;
    uint32_t table = 0;
    int status = add_table(c, &table, err);
    if (status != TFPROF_OK)
        return status;
    tfp_load_input(c->load)->counts.shards = 1;
    tfp_saved_slices_read(&w, &slices);
    if (tfp_record_ok(&record) && slices.meta.tag != 0) {
        tfp_wire inner = tfp_wire_enter(&w, &slices.meta);
        status = read_metas(c, &inner, table, err);
        tfp_wire_leave(&inner);
    }
    if (!tfp_record_ok(&record))
        status = tfp_record_fail(&record, &tfp_SavedTensorSlices, err);
    return status;
}
