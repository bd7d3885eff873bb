/*
 * tensor_slices.c - opens the values of version 1, messages in a table.
 *
 * A slice is found by its key. Its numbers stand in the field of a TensorProto
 * that belongs to their type; here they become the bytes that version 2 would
 * have for them.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/store.h"
#include "input/checkpoint/checkpoint_file.h"
#include "input/checkpoint/tensor_files.h"
#include "model/attrs.h"
#include "model/model.h"
#include "model/stored.h"
#include "proto/attr.h"
#include "proto/checkpoint.h"
#include "proto/dtype.h"

static int fail_count(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                    "the number of values in a slice does not match its shape");
}

/* ---- Values ------------------------------------------------------------- */

static bool hold_number(tfp_tensor_files *f, uint64_t bits, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return tfp_tensor_hold(f, bytes, size);
}

/* Numbers of the type's own field, packed or not. */
static int hold_numbers(tfp_tensor_files *f, const tfp_tensor_proto *proto,
                        tfp_record *record, uint64_t count, tfprof_error *err)
{
    bool is_complex = f->type->form == TFP_FORM_COMPLEX;
    size_t unit = is_complex ? f->type->size / 2u : f->type->size;
    uint64_t left = is_complex ? 2 * count : count, bits;
    tfp_wire w = tfp_repeated_wire(&proto->values, record);
    tfp_field field;
    while (tfp_wire_next(&w, &field)) {
        tfp_numbers n;
        if (field.tag != f->type->field &&
            field.tag != TFP_PACKED(f->type->field))
            continue;
        n = tfp_numbers_of(&w, &field, tfp_tag_wire(f->type->field));
        while (tfp_numbers_next(&n, &bits)) {
            if (left-- == 0)
                return fail_count(err);
            if (!hold_number(f, bits, unit))
                return tfp_fail_nomem(err);
        }
    }
    return left == 0 ? TFPROF_OK : fail_count(err);
}

static int hold_bytes(tfp_tensor_files *f, tfp_span bytes, uint64_t count,
                      tfprof_error *err)
{
    if (bytes.size / f->type->size != count || bytes.size % f->type->size != 0)
        return fail_count(err);
    return tfp_tensor_hold(f, bytes.data, bytes.size) ? TFPROF_OK
                                                      : tfp_fail_nomem(err);
}

static int hold_strings(tfp_tensor_files *f, const tfp_tensor_proto *proto,
                        tfp_record *record, uint64_t count, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&proto->values, record);
    tfp_field field;
    while (tfp_repeated_next(&w, TensorProto_string_val, &field)) {
        if (count-- == 0)
            return fail_count(err);
        if (!tfp_tensor_hold(f, field.bytes.data, field.bytes.size) ||
            !TFP_VEC_PUSH(f->memory, &f->ends, f->held.count))
            return tfp_fail_nomem(err);
    }
    return count == 0 ? TFPROF_OK : fail_count(err);
}

/* The last float8_val, which is one field of bytes. */
static tfp_span float8_bytes(const tfp_tensor_proto *proto, tfp_record *record)
{
    tfp_wire w = tfp_repeated_wire(&proto->values, record);
    tfp_span bytes = { 0 };
    tfp_field field;
    while (tfp_repeated_next(&w, TensorProto_float8_val, &field))
        bytes = field.bytes;
    return bytes;
}

static int hold_values(tfp_tensor_files *f, const tfp_tensor_proto *proto,
                       tfp_record *record, uint64_t count, tfprof_error *err)
{
    if (f->type->form == TFP_FORM_STRING)
        return hold_strings(f, proto, record, count, err);
    if (proto->content.size > 0)
        return hold_bytes(f, proto->content, count, err);
    if (f->type->field == TensorProto_float8_val)
        return hold_bytes(f, float8_bytes(proto, record), count, err);
    return hold_numbers(f, proto, record, count, err);
}

/* ---- The slice ---------------------------------------------------------- */

static int read_slice(tfp_tensor_files *f, tfp_span value, int64_t count,
                      tfprof_error *err)
{
    tfp_record record = { .bytes = value,
                          .offset = tfp_table_value_offset(&f->table),
                          .depth = 1,
                          .max_depth = f->context->max_depth };
    tfp_wire w = tfp_wire_over(&record), slice = w, tensor;
    tfp_saved_slices slices;
    tfp_tensor_proto proto;
    tfp_field data = { 0 };
    int status = TFPROF_OK;
    tfp_saved_slices_read(&w, &slices);
    if (tfp_record_ok(&record) && slices.data.tag == 0)
        return fail_count(err);
    if (tfp_record_ok(&record)) {
        slice = tfp_wire_enter(&w, &slices.data);
        tfp_saved_slice_read(&slice, &data);
        if (tfp_record_ok(&record) && data.tag == 0)
            return fail_count(err);
    }
    if (tfp_record_ok(&record)) {
        tensor = tfp_wire_enter(&slice, &data);
        tfp_tensor_proto_read(&tensor, &proto);
    }
    if (tfp_record_ok(&record))
        status = hold_values(f, &proto, &record, (uint64_t)count, err);
    return tfp_record_ok(&record)
               ? status
               : tfp_record_fail(&record, &tfp_SavedTensorSlices, err);
}

static int on_read(void *self, uint64_t bytes)
{
    return tfp_tensor_count(self, bytes, NULL);
}

/* Opens the table, unless it is open. */
static int open_table(tfp_tensor_files *f, uint32_t number, tfprof_error *err)
{
    tfp_table_settings settings = tfp_input_table_settings(f->context);
    tfp_open_shard *shard = &f->table_shard;
    int status;
    if (shard->fd >= 0 && shard->checkpoint == f->tensor->checkpoint &&
        shard->shard == number)
        return TFPROF_OK;
    tfp_tensor_close_table(f);
    status = tfp_tensor_open_shard(f, number, shard, err);
    if (status != TFPROF_OK)
        return status;
    settings.on_read = on_read;
    settings.self = f;
    status = tfp_table_open(&f->table, f->memory,
                            tfp_store_fd(&shard->fd, shard->size), &settings,
                            err);
    if (status != TFPROF_OK)
        tfp_tensor_close_table(f);
    return status;
}

int tfp_tensor_open_slice(tfp_tensor_files *f, const tfp_stored_part *part,
                          tfp_open_part *open, tfprof_error *err)
{
    const tfp_model *model = f->context->model;
    size_t count;
    const int64_t *extents = tfp_list_items(model, part->extents, &count);
    tfp_span value;
    bool found;
    int status = open_table(f, part->shard, err);
    if (status != TFPROF_OK)
        return status;
    open->offset = f->type->form == TFP_FORM_STRING ? f->ends.count
                                                    : f->held.count;
    if (!tfp_slice_key_make(&f->key, f->memory,
                            tfp_model_text(model, f->tensor->name), extents,
                            count / 2))
        return tfp_fail_nomem(err);
    status = tfp_table_find(&f->table, (tfp_span){ f->key.data, f->key.count },
                            &value, &found, err);
    if (status == TFPROF_OK && !found)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1, "a slice is missing");
    return status == TFPROF_OK ? read_slice(f, value, open->elements, err)
                               : status;
}
