/*
 * slices.c - the extents of tensor slices, and the keys they are stored under.
 *
 * A key consists of the number 0, the name, the rank, and the start and length
 * in each dimension. It is encoded so that keys compared as bytes have the
 * order of these values (TensorFlow's OrderedCode). An unsigned number is its
 * length in bytes, then the bytes, most significant first. A name ends with 00
 * 01, so the bytes 00 and ff inside it are escaped to two bytes each. The
 * leading bits of a signed number give its length in bytes.
 */
#include "input/checkpoint/slices.h"

#include "model/stored.h"

#include "model/ids.h"

#include "model/attrs.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/error.h"

#include "base/bytes.h"

#include <string.h>

#include "proto/checkpoint.h"
#include "proto/dtype.h"

/* ---- Keys --------------------------------------------------------------- */

enum { MOST_SIGNED = 10 };

static bool put(tfp_slice_key *key, tfp_memory *memory, const uint8_t *bytes,
                size_t size)
{
    if (!TFP_VEC_RESERVE(memory, key, size))
        return false;
    memcpy(key->data + key->count, bytes, size);
    key->count += size;
    return true;
}

static bool put_number(tfp_slice_key *key, tfp_memory *memory, uint64_t number)
{
    uint8_t bytes[1 + sizeof(number)];
    uint8_t size = 0;
    for (uint64_t rest = number; rest > 0; rest >>= 8)
        size++;
    bytes[0] = size;
    for (int i = 1; i <= size; i++)
        bytes[i] = (uint8_t)(number >> 8 * (size - i));
    return put(key, memory, bytes, 1 + (size_t)size);
}

static bool put_name(tfp_slice_key *key, tfp_memory *memory, tfp_span name)
{
    static const uint8_t zero[] = { 0x00, 0xff }, ones[] = { 0xff, 0x00 },
                         end[] = { 0x00, 0x01 };
    bool ok = true;
    for (size_t i = 0; ok && i < name.size; i++) {
        uint8_t byte = name.data[i];
        if (byte == 0x00)
            ok = put(key, memory, zero, sizeof(zero));
        else if (byte == 0xff)
            ok = put(key, memory, ones, sizeof(ones));
        else
            ok = put(key, memory, &byte, 1);
    }
    return ok && put(key, memory, end, sizeof(end));
}

/* n bytes carry 7 n - 1 bits of a number; their first n bits are ones, or
 * zeros for a negative number. */
static bool put_signed(tfp_slice_key *key, tfp_memory *memory, int64_t number)
{
    uint8_t bytes[MOST_SIGNED];
    uint64_t low = (uint64_t)number;
    uint64_t magnitude = number < 0 ? ~low : low;
    uint8_t fill = number < 0 ? 0xff : 0;
    int size = 1;
    while (size < MOST_SIGNED && 7 * size - 1 < 64 &&
           magnitude >> (7 * size - 1) != 0)
        size++;
    for (int i = 0; i < size; i++) {
        int place = size - 1 - i; /* of the byte, from the lowest */
        bytes[i] = place < 8 ? (uint8_t)(low >> 8 * place) : fill;
    }
    for (int bit = 0; bit < size; bit++)
        bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    return put(key, memory, bytes, (size_t)size);
}

bool tfp_slice_key_make(tfp_slice_key *key, tfp_memory *memory, tfp_span name,
                        const int64_t *extents, size_t rank)
{
    bool ok;
    key->count = 0;
    ok = put_number(key, memory, 0) && put_name(key, memory, name) &&
         put_number(key, memory, rank);
    for (size_t i = 0; ok && i < 2 * rank; i++)
        ok = put_signed(key, memory, extents[i]);
    return ok;
}

/* ---- Extents ------------------------------------------------------------ */

int tfp_read_extents(tfp_load *load, tfp_wire *w, const tfp_field *f,
                     tfp_list *extents, bool *is_odd, tfprof_error *err)
{
    size_t base = load->numbers.count;
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_extent one;
    *is_odd = false;
    while (tfp_slice_next(&inner, &one)) {
        *is_odd |= !one.has_length && one.start != 0;
        if (!TFP_VEC_PUSH(load->memory, &load->numbers, one.start) ||
            !TFP_VEC_PUSH(load->memory, &load->numbers,
                          one.has_length ? one.length : -1))
            return tfp_fail_nomem(err);
    }
    tfp_wire_leave(&inner);
    *extents = tfp_model_list(load->model, load->numbers.data + base,
                              load->numbers.count - base);
    load->numbers.count = base;
    return *extents == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

bool tfp_extents_resolve(const tfp_model *model, tfp_list extents,
                         const int64_t *dims, size_t rank, int64_t *out)
{
    size_t count;
    const int64_t *items = tfp_list_items(model, extents, &count);
    if (extents != 0 && count != 2 * rank)
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t start = extents == 0 ? 0 : items[2 * i];
        int64_t length = extents == 0 ? dims[i] : items[2 * i + 1];
        if (length == -1 && start == 0)
            length = dims[i];
        if (start < 0 || length < 0 || start > dims[i] ||
            length > dims[i] - start)
            return false;
        out[2 * i] = start;
        out[2 * i + 1] = length;
    }
    return true;
}

int64_t tfp_shape_elements(const int64_t *dims, size_t rank)
{
    int64_t count = 1;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0 || __builtin_mul_overflow(count, dims[i], &count))
            return -1;
    }
    return count;
}

/* ---- Is it sound? ------------------------------------------------------- */

static const char *check_place(const tfp_checkpoint *checkpoint,
                               const tfp_stored_part *part)
{
    if (part->shard >= checkpoint->shards)
        return "its shard number is out of range";
    if (part->offset < 0 || part->size < 0 ||
        part->size > INT64_MAX - part->offset)
        return "its offset or size is invalid";
    return NULL;
}

static const char *check_parts(const tfp_model *model, const tfp_stored *tensor,
                               const int64_t *dims, size_t rank,
                               int64_t elements)
{
    const tfp_stored_tensors *s = &model->stored;
    const tfp_checkpoint *checkpoint = &s->checkpoints.data[tensor->checkpoint];
    const tfp_dtype_facts *type = tfp_dtype_find(tensor->dtype);
    int64_t extents[2 * TFP_MOST_RANK], sum = 0;
    for (uint32_t p = tensor->first_part, n = tensor->part_count; n-- > 0;
         p = s->parts.data[p].next) {
        const tfp_stored_part *part = &s->parts.data[p];
        const char *fault = check_place(checkpoint, part);
        int64_t count = 1, bytes;
        if (fault)
            return fault;
        if (!tfp_extents_resolve(model, part->extents, dims, rank, extents))
            return "a slice does not fit the shape of the tensor";
        for (size_t d = 0; d < rank; d++)
            count *= extents[2 * d + 1]; /* at most `elements`, or 0 */
        sum = tfp_add_sat(sum, count);
        if (checkpoint->version == 1 || !type || type->size == 0)
            continue;
        if (__builtin_mul_overflow(count, type->size, &bytes) ||
            bytes != part->size)
            return "its size does not match its shape and data type";
    }
    return sum == elements ? NULL
                           : "its slices do not cover the complete tensor";
}

const char *tfp_stored_check(const tfp_model *model, const tfp_stored *tensor)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(model, tensor->shape, &rank);
    int64_t elements;
    if (rank < 0)
        return "its shape is unknown";
    if (rank > TFP_MOST_RANK)
        return "it has too many dimensions";
    elements = tfp_shape_elements(dims, (size_t)rank);
    if (elements < 0)
        return "its shape is invalid or has too many elements";
    return check_parts(model, tensor, dims, (size_t)rank, elements);
}
