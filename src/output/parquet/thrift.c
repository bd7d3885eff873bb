/*
 * thrift.c - structs in Thrift's compact protocol.
 */
#include "output/parquet/thrift.h"

#include <assert.h>

#include "base/bytes.h"

enum {
    TYPE_TRUE = 1,
    TYPE_FALSE = 2,
    TYPE_I16 = 4,
    TYPE_I64 = 6,
    TYPE_LIST = 9,
    SHORT_LIST = 15 /* from this count on, the count has its own field */
};

static void put_field(tfp_thrift *t, int field, int type)
{
    int *last = &t->last[t->depth - 1];
    int distance = field - *last;
    assert(distance > 0 && distance < 16);
    tfp_pq_put_byte(t->out, (uint8_t)(distance << 4 | type));
    *last = field;
}

void tfp_thrift_begin(tfp_thrift *t)
{
    assert(t->depth < TFP_THRIFT_DEPTH);
    t->last[t->depth++] = 0;
}

void tfp_thrift_open(tfp_thrift *t, int field)
{
    put_field(t, field, TFP_THRIFT_STRUCT);
    tfp_thrift_begin(t);
}

void tfp_thrift_end(tfp_thrift *t)
{
    tfp_pq_put_byte(t->out, 0);
    t->depth--;
}

void tfp_thrift_bool(tfp_thrift *t, int field, bool value)
{
    put_field(t, field, value ? TYPE_TRUE : TYPE_FALSE);
}

void tfp_thrift_i16(tfp_thrift *t, int field, int64_t value)
{
    put_field(t, field, TYPE_I16);
    tfp_pq_put_zigzag(t->out, value);
}

void tfp_thrift_i32(tfp_thrift *t, int field, int64_t value)
{
    put_field(t, field, TFP_THRIFT_I32);
    tfp_pq_put_zigzag(t->out, value);
}

void tfp_thrift_i64(tfp_thrift *t, int field, int64_t value)
{
    put_field(t, field, TYPE_I64);
    tfp_pq_put_zigzag(t->out, value);
}

void tfp_thrift_element(tfp_thrift *t, tfp_span bytes)
{
    tfp_pq_put_varint(t->out, bytes.size);
    tfp_pq_put(t->out, bytes);
}

void tfp_thrift_binary(tfp_thrift *t, int field, tfp_span bytes)
{
    put_field(t, field, TFP_THRIFT_BINARY);
    tfp_thrift_element(t, bytes);
}

void tfp_thrift_list(tfp_thrift *t, int field, int type, size_t count)
{
    put_field(t, field, TYPE_LIST);
    if (count < SHORT_LIST) {
        tfp_pq_put_byte(t->out, (uint8_t)(count << 4 | (unsigned)type));
        return;
    }
    tfp_pq_put_byte(t->out, (uint8_t)(SHORT_LIST << 4 | type));
    tfp_pq_put_varint(t->out, count);
}
