/*
 * tensor.c - constants into the model.
 *
 * A constant of up to 64 elements keeps its values, since shapes are computed
 * from them; a larger one only its type and shape. A TensorProto gives values
 * as raw bytes or in a repeated field; if that has fewer than the shape asks
 * for, its last value stands for the rest.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "model/model.h"
#include "proto/attr.h"
#include "proto/dtype.h"

/* Elements of a shape, or -1 when it is not known or has too many. */
static int64_t element_count(const tfp_model *model, tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(model, shape, &rank);
    int64_t count = 1;
    if (rank < 0)
        return -1;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return -1;
        count = tfp_mul_sat(count, dims[i]);
    }
    return count <= TFP_TENSOR_MOST_VALUES ? count : -1;
}

/* The type when its elements are numbers that lists can keep, or NULL. */
static const tfp_dtype_facts *number_type(int32_t dtype)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(dtype);
    if (!facts || facts->dtype != dtype ||
        tfp_tag_wire(facts->field) == TFP_WIRE_BYTES)
        return NULL;
    return facts->form == TFP_FORM_NONE || facts->form == TFP_FORM_COMPLEX
               ? NULL
               : facts;
}

/* The bits of an element as lists keep them. */
static int64_t element_of(const tfp_dtype_facts *type, uint64_t bits)
{
    switch (type->form) {
    case TFP_FORM_REAL: return tfp_double_bits(tfp_dtype_real(type, bits));
    case TFP_FORM_BOOL: return bits != 0;
    default: return tfp_dtype_integer(type, bits);
    }
}

static bool push(tfp_load *load, int64_t value)
{
    return TFP_VEC_PUSH(load->memory, &load->numbers, value);
}

static bool push_content(tfp_load *load, const tfp_dtype_facts *type,
                         tfp_span content, int64_t most)
{
    for (int64_t i = 0; i < most && content.size >= type->size; i++) {
        uint64_t bits = 0;
        for (int b = type->size; b-- > 0;)
            bits = bits << 8 | content.data[b];
        if (!push(load, element_of(type, bits)))
            return false;
        content.data += type->size;
        content.size -= type->size;
    }
    return true;
}

static bool push_values(tfp_load *load, const tfp_dtype_facts *type,
                        const tfp_repeated *values, tfp_record *record,
                        int64_t most)
{
    tfp_wire w = tfp_repeated_wire(values, record);
    tfp_field f;
    size_t end = load->numbers.count + (size_t)most;
    while (tfp_wire_next(&w, &f)) {
        tfp_numbers n;
        uint64_t bits;
        if (f.tag != type->field && f.tag != TFP_PACKED(type->field))
            continue;
        n = tfp_numbers_of(&w, &f, tfp_tag_wire(type->field));
        while (load->numbers.count < end && tfp_numbers_next(&n, &bits)) {
            if (!push(load, element_of(type, bits)))
                return false;
        }
    }
    return true;
}

static bool push_strings(tfp_load *load, const tfp_repeated *values,
                         tfp_record *record, int64_t most)
{
    tfp_wire w = tfp_repeated_wire(values, record);
    tfp_field f;
    while (most-- > 0 && tfp_repeated_next(&w, TensorProto_string_val, &f)) {
        tfp_string id = tfp_model_string(load->model, f.bytes);
        if (id == TFP_NO_ID || !push(load, id))
            return false;
    }
    return true;
}

/* Pushes exactly `count` values; *known is false for types not read. */
static bool push_all(tfp_load *load, const tfp_tensor_proto *proto,
                     tfp_record *record, int64_t count, bool *known)
{
    size_t base = load->numbers.count;
    const tfp_dtype_facts *type = number_type(proto->dtype);
    bool ok;
    *known = type || proto->dtype == TFP_DT_STRING;
    if (!*known)
        return true;
    if (!type)
        ok = push_strings(load, &proto->values, record, count);
    else if (proto->content.size > 0)
        ok = push_content(load, type, proto->content, count);
    else
        ok = push_values(load, type, &proto->values, record, count);
    while (ok && load->numbers.count - base < (size_t)count) {
        size_t have = load->numbers.count;
        ok = push(load, have > base ? load->numbers.data[have - 1] : 0);
    }
    return ok;
}

int tfp_read_tensor(tfp_load *load, tfp_wire *w, const tfp_field *f,
                    uint32_t *tensor, tfprof_error *err)
{
    size_t base = load->numbers.count;
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_tensor_proto proto;
    tfp_tensor kept = { 0 };
    int64_t count;
    int status;
    tfp_tensor_proto_read(&inner, &proto);
    kept.dtype = proto.dtype;
    status = tfp_read_shape(load, &inner, &proto.shape, &kept.shape, err);
    if (status != TFPROF_OK)
        return status;
    if (kept.shape == TFP_SHAPE_NONE) /* an absent shape is a scalar's */
        kept.shape = tfp_model_shape(load->model, NULL, 0);
    if (kept.shape == TFP_NO_ID)
        return tfp_fail_nomem(err);
    count = element_count(load->model, kept.shape);
    if (count >= 0) {
        bool known;
        if (!push_all(load, &proto, w->record, count, &known))
            return tfp_fail_nomem(err);
        kept.has_values = known;
        kept.values = tfp_model_list(load->model, load->numbers.data + base,
                                     load->numbers.count - base);
        if (kept.values == TFP_NO_ID)
            return tfp_fail_nomem(err);
    }
    load->numbers.count = base;
    tfp_wire_leave(&inner);
    *tensor = tfp_model_tensor(load->model, &kept);
    return *tensor == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}
