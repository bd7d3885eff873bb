/*
 * attrs.c - a node's attributes into the model.
 *
 * Kept are those that say what the operation does. Keys that begin with "_"
 * are notes of TensorFlow to itself (_class, _XlaCompile, ...) and different
 * on every node; they are dropped, but for those that have a column of their
 * own, and the one that hides a function's shapes from its caller.
 */
#include "model/attrs.h"
#include "base/bytes.h"
#include "base/cache.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/ids.h"
#include "model/model.h"
#include "proto/attr.h"
#include "proto/graph.h"
#include "proto/tfprof.h"

static bool push_number(tfp_load *load, int64_t number)
{
    return TFP_VEC_PUSH(load->memory, &load->numbers, number);
}

/* ---- Values ------------------------------------------------------------- */

static int read_attr_entries(tfp_load *load, const tfp_repeated *attrs,
                             uint32_t tag, const tfp_message *entry,
                             tfp_record *record, tfp_attrs *out,
                             tfp_attr_columns *columns, tfprof_error *err);

static int read_function_ref(tfp_load *load, tfp_wire *w, const tfp_field *f,
                             uint32_t *id, tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_name_attr_list list;
    tfp_function_ref ref = { 0 };
    int status;
    tfp_name_attr_list_read(&inner, &list);
    ref.name = tfp_model_string(load->model, list.name);
    if (ref.name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    status = read_attr_entries(load, &list.attrs, NameAttrList_attr,
                               &tfp_NameAttrList_AttrEntry, w->record,
                               &ref.attrs, NULL, err);
    tfp_wire_leave(&inner);
    if (status != TFPROF_OK)
        return status;
    *id = tfp_model_function(load->model, &ref);
    return *id == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

static double float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

/* One value of `kind` that stands in field `f`. */
static int read_value(tfp_load *load, tfp_wire *w, const tfp_field *f,
                      uint32_t kind, int64_t *value, tfprof_error *err)
{
    uint32_t id = 0;
    int status = TFPROF_OK;
    switch (kind) {
    case TFP_ATTR_STRING:
    case TFP_ATTR_PLACEHOLDER:
        id = tfp_model_string(load->model, f->bytes);
        if (id == TFP_NO_ID)
            return tfp_fail_nomem(err);
        break;
    case TFP_ATTR_SHAPE: status = tfp_read_shape(load, w, f, &id, err); break;
    case TFP_ATTR_TENSOR: status = tfp_read_tensor(load, w, f, &id, err); break;
    case TFP_ATTR_FUNCTION:
        status = read_function_ref(load, w, f, &id, err);
        break;
    case TFP_ATTR_FLOAT:
        *value = tfp_double_bits(float_of(f->value));
        return TFPROF_OK;
    case TFP_ATTR_BOOL: *value = f->value != 0; return TFPROF_OK;
    default: *value = tfp_int64(f); return TFPROF_OK;
    }
    *value = id;
    return status;
}

typedef struct kind_of_tag {
    uint32_t tag, kind;
} kind_of_tag;

static uint32_t kind_of(const kind_of_tag *kinds, size_t count, uint32_t tag)
{
    for (size_t i = 0; i < count; i++) {
        if (kinds[i].tag == tag)
            return kinds[i].kind;
    }
    return TFP_ATTR_NONE;
}

static const kind_of_tag value_kinds[] = {
    { AttrValue_type, TFP_ATTR_TYPE },
    { AttrValue_i, TFP_ATTR_INT },
    { AttrValue_s, TFP_ATTR_STRING },
    { AttrValue_b, TFP_ATTR_BOOL },
    { AttrValue_f, TFP_ATTR_FLOAT },
    { AttrValue_shape, TFP_ATTR_SHAPE },
    { AttrValue_tensor, TFP_ATTR_TENSOR },
    { AttrValue_func, TFP_ATTR_FUNCTION },
    { AttrValue_placeholder, TFP_ATTR_PLACEHOLDER },
};

static const kind_of_tag list_kinds[] = {
    { AttrValue_ListValue_shape, TFP_ATTR_SHAPE },
    { AttrValue_ListValue_i, TFP_ATTR_INT },
    { TFP_PACKED(AttrValue_ListValue_i), TFP_ATTR_INT },
    { AttrValue_ListValue_type, TFP_ATTR_TYPE },
    { TFP_PACKED(AttrValue_ListValue_type), TFP_ATTR_TYPE },
    { AttrValue_ListValue_s, TFP_ATTR_STRING },
    { AttrValue_ListValue_f, TFP_ATTR_FLOAT },
    { TFP_PACKED(AttrValue_ListValue_f), TFP_ATTR_FLOAT },
    { AttrValue_ListValue_b, TFP_ATTR_BOOL },
    { TFP_PACKED(AttrValue_ListValue_b), TFP_ATTR_BOOL },
    { AttrValue_ListValue_tensor, TFP_ATTR_TENSOR },
    { AttrValue_ListValue_func, TFP_ATTR_FUNCTION },
};

#define KIND_OF(kinds, tag)                                                    \
    kind_of(kinds, sizeof(kinds) / sizeof(kinds[0]), tag)

/* Pushes what one field of a list holds: one value, or packed numbers. */
static int push_list_field(tfp_load *load, tfp_wire *w, const tfp_field *f,
                           uint32_t kind, tfprof_error *err)
{
    bool packs = kind == TFP_ATTR_INT || kind == TFP_ATTR_TYPE ||
                 kind == TFP_ATTR_FLOAT || kind == TFP_ATTR_BOOL;
    int64_t value;
    if (packs) {
        int wire = kind == TFP_ATTR_FLOAT ? TFP_WIRE_FIXED32 : TFP_WIRE_VARINT;
        tfp_numbers n = tfp_numbers_of(w, f, wire);
        tfp_field one = *f;
        while (tfp_numbers_next(&n, &one.value)) {
            read_value(load, w, &one, kind, &value, err);
            if (!push_number(load, value))
                return tfp_fail_nomem(err);
        }
    } else {
        int status = read_value(load, w, f, kind, &value, err);
        if (status != TFPROF_OK)
            return status;
        if (!push_number(load, value))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* A list holds one kind; should a file mix them, the first one stands. */
static int read_list(tfp_load *load, tfp_wire *w, const tfp_field *list,
                     uint32_t *kind, int64_t *value, tfprof_error *err)
{
    size_t base = load->numbers.count;
    tfp_wire inner = tfp_wire_enter(w, list);
    tfp_field f;
    uint32_t id;
    *kind = TFP_ATTR_NONE;
    while (tfp_wire_next(&inner, &f)) {
        uint32_t this_kind = KIND_OF(list_kinds, f.tag);
        size_t before = load->numbers.count;
        int status;
        if (this_kind == TFP_ATTR_NONE)
            continue;
        status = push_list_field(load, &inner, &f, this_kind, err);
        if (status != TFPROF_OK)
            return status;
        if (*kind == TFP_ATTR_NONE)
            *kind = this_kind;
        else if (*kind != this_kind)
            load->numbers.count = before;
    }
    tfp_wire_leave(&inner);
    id = tfp_model_list(load->model, load->numbers.data + base,
                        load->numbers.count - base);
    load->numbers.count = base;
    *value = id;
    return id == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

static int read_attr_value(tfp_load *load, tfp_wire *w, const tfp_field *f,
                           tfp_attr *attr, tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_field value;
    int status = TFPROF_OK;
    tfp_attr_value_read(&inner, &value);
    if (value.tag == AttrValue_list) {
        status = read_list(load, &inner, &value, &attr->kind, &attr->value,
                           err);
        attr->kind |= TFP_ATTR_LIST;
    } else {
        attr->kind = KIND_OF(value_kinds, value.tag);
        if (attr->kind != TFP_ATTR_NONE)
            status = read_value(load, &inner, &value, attr->kind, &attr->value,
                                err);
    }
    tfp_wire_leave(&inner);
    return status;
}

/* ---- A node's attributes ------------------------------------------------ */

/* Where an attribute goes that has a column, with the kind that it must be of;
 * NULL for others. */
static tfp_list *column_of(tfp_attr_columns *columns, tfp_span key,
                           uint32_t *kind)
{
    if (columns && tfp_span_is(key, "_output_shapes")) {
        *kind = TFP_ATTR_LIST | TFP_ATTR_SHAPE;
        return &columns->outputs;
    }
    if (columns && tfp_span_is(key, TFP_INPUTS_ATTR)) {
        *kind = TFP_ATTR_LIST | TFP_ATTR_INT;
        return &columns->inputs;
    }
    return NULL;
}

/* One entry of the map: pushed, dropped, or put into its column. */
static int read_entry(tfp_load *load, tfp_wire *w, const tfp_field *f,
                      const tfp_message *message, tfp_attr_columns *columns,
                      tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_map_entry entry;
    tfp_attr attr = { 0 };
    tfp_list *column = NULL;
    uint32_t column_kind;
    bool kept;
    int status = TFPROF_OK;
    tfp_map_entry_read(&inner, message, &entry);
    kept = !tfp_span_starts(entry.key, "_") ||
           tfp_span_is(entry.key, "_disable_call_shape_inference");
    if (!kept)
        column = column_of(columns, entry.key, &column_kind);
    if (entry.value.tag != 0) {
        if (column || kept)
            status = read_attr_value(load, &inner, &entry.value, &attr, err);
        else
            tfp_wire_check(&inner, &entry.value, message);
    }
    tfp_wire_leave(&inner);
    if (status != TFPROF_OK)
        return status;
    /* No writer gives it twice. Of two that one may have added, the first is
     * the one that was there. */
    if (column && attr.kind == column_kind && *column == 0)
        *column = (tfp_list)attr.value;
    if (!kept)
        return TFPROF_OK;
    attr.key = tfp_model_string(load->model, entry.key);
    if (attr.key == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &load->attr_items, attr))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

static int read_attr_entries(tfp_load *load, const tfp_repeated *attrs,
                             uint32_t tag, const tfp_message *entry,
                             tfp_record *record, tfp_attrs *out,
                             tfp_attr_columns *columns, tfprof_error *err)
{
    size_t base = load->attr_items.count, count;
    tfp_wire w = tfp_repeated_wire(attrs, record);
    tfp_field f;
    while (tfp_repeated_next(&w, tag, &f)) {
        int status = read_entry(load, &w, &f, entry, columns, err);
        if (status != TFPROF_OK)
            return status;
    }
    count = load->attr_items.count - base;
    if (!TFP_VEC_RESERVE(load->memory, &load->attr_items, count))
        return tfp_fail_nomem(err);
    *out = tfp_model_attrs(load->model, load->attr_items.data + base, count);
    load->attr_items.count = base;
    return *out == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_read_attrs(tfp_load *load, const tfp_repeated *attrs, uint32_t tag,
                   const tfp_message *entry, tfp_record *record, tfp_attrs *out,
                   tfp_attr_columns *columns, tfprof_error *err)
{
    tfp_span bytes = { attrs->first, (size_t)(attrs->end - attrs->first) };
    const tfp_cached *known;
    int status;
    *out = 0;
    *columns = (tfp_attr_columns){ 0 };
    if (attrs->count == 0)
        return TFPROF_OK;
    known = tfp_cache_find(&load->attrs, bytes);
    if (known && known->depth >= record->depth) {
        *out = known->value[0];
        columns->outputs = known->value[1];
        columns->inputs = known->value[2];
        return TFPROF_OK;
    }
    status = read_attr_entries(load, attrs, tag, entry, record, out, columns,
                               err);
    if (status == TFPROF_OK && tfp_record_ok(record) &&
        !tfp_cache_put(
            &load->attrs, bytes,
            (tfp_cached){ { *out, columns->outputs, columns->inputs },
                          record->depth }))
        return tfp_fail_nomem(err);
    return status;
}
