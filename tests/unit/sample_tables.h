/*
 * sample_tables.h - small checkpoints of both versions: an index with a slice
 * in it, and a table that holds its tensors itself.
 */
#ifndef TFP_TESTS_SAMPLE_TABLES_H
#define TFP_TESTS_SAMPLE_TABLES_H

#include "sample_messages.h"
#include "table_build.h"

/* ---- Messages ----------------------------------------------------------- */

/* The rows from `start` on, all columns. */
static inline void sample_slice(wire_bytes *b, uint32_t field, int64_t start,
                                int64_t length)
{
    size_t slice = wire_open(b, field), extent = wire_open(b, 1);
    if (start != 0)
        wire_int(b, 1, start);
    wire_int(b, 2, length);
    wire_close(b, extent);
    extent = wire_open(b, 1);
    wire_close(b, extent);
    wire_close(b, slice);
}

/* The key of that slice of a tensor whose name is one letter. */
static inline void sample_slice_key(wire_bytes *b, char name, int start,
                                    int length)
{
    wire_byte(b, 0);
    wire_byte(b, name);
    wire_hex(b, "0001 0102");
    wire_byte(b, 0x80 + start);
    wire_byte(b, 0x80 + length);
    wire_hex(b, "80 7f");
}

/* Where in the data, and what: the rest of an entry. */
static inline void sample_entry_place(wire_bytes *b, tfp_span data,
                                      size_t offset, size_t size)
{
    wire_int(b, 4, (int64_t)offset);
    wire_int(b, 5, (int64_t)size);
    wire_tag(b, 6, 5);
    wire_fixed(b, tfp_crc32c_mask(tfp_crc32c(0, data.data + offset, size)), 4);
}

/* ---- Version 2 ---------------------------------------------------------- */

enum { SAMPLE_DATA = 4 * 6 + 4 * 6 + 11 };

/* Twelve floats, then the strings "ab" and "cde". */
static inline void sample_bundle_data(wire_bytes *data)
{
    wire_bytes lengths = { 0 };
    for (int i = 0; i < 12; i++) {
        float value = (float)i / 4;
        wire_raw(data, &value, sizeof(value));
    }
    wire_fixed(&lengths, 2, 4);
    wire_fixed(&lengths, 3, 4);
    wire_hex(data, "02 03");
    wire_fixed(data, tfp_crc32c_mask(tfp_crc32c(0, lengths.data, lengths.size)),
               4);
    wire_raw(data, "abcde", 5);
    assert_int_equal(data->size, SAMPLE_DATA);
    wire_free(&lengths);
}

static inline void sample_pair(wire_bytes *block, const wire_bytes *key,
                               wire_bytes *value)
{
    block_entry(block, 0, wire_span(key), wire_span(value));
    wire_free(value);
}

/* "s" in two slices, "t" whole, "u" of strings. */
static inline void sample_bundle(wire_bytes *index)
{
    wire_bytes data = { 0 }, block = { 0 }, key = { 0 }, value = { 0 };
    wire_bytes fixed = { 0 };
    uint32_t crc;
    sample_bundle_data(&data);
    wire_put(&value, "1:1 3{1:1}"); /* the header: shards, version */
    sample_pair(&block, &key, &value);
    for (int i = 0; i < 2; i++) {
        key.size = 0;
        sample_slice_key(&key, 's', i, 1);
        wire_int(&value, 1, 1);
        sample_shape(&value, 2, 1, 3);
        sample_entry_place(&value, wire_span(&data), 12u * (unsigned)i, 12);
        sample_pair(&block, &key, &value);
    }
    key.size = 0;
    wire_byte(&key, 's');
    wire_int(&value, 1, 1);
    sample_shape(&value, 2, 2, 3);
    sample_slice(&value, 7, 0, 1);
    sample_slice(&value, 7, 1, 1);
    sample_pair(&block, &key, &value);
    key.data[0] = 't';
    wire_int(&value, 1, 1);
    sample_shape(&value, 2, 3, 2);
    sample_entry_place(&value, wire_span(&data), 24, 24);
    sample_pair(&block, &key, &value);
    key.data[0] = 'u';
    wire_int(&value, 1, 7);
    sample_shape(&value, 2, 2, 1);
    wire_int(&value, 4, 48);
    wire_int(&value, 5, 11);
    wire_fixed(&fixed, 2, 4);
    wire_fixed(&fixed, 3, 4);
    crc = tfp_crc32c(0, fixed.data, fixed.size);
    crc = tfp_crc32c(crc, data.data + 50, 9);
    wire_tag(&value, 6, 5);
    wire_fixed(&value, tfp_crc32c_mask(crc), 4);
    sample_pair(&block, &key, &value);
    block_end(&block);
    *index = table_of(&block, 0);
    wire_free(&data);
    wire_free(&key);
    wire_free(&fixed);
}

/* ---- Version 1 ---------------------------------------------------------- */

/* "s" in two slices of one row. */
static inline void sample_slices(wire_bytes *table)
{
    wire_bytes block = { 0 }, key = { 0 }, value = { 0 };
    size_t meta = wire_open(&value, 1), tensor = wire_open(&value, 1);
    wire_text(&value, 1, "s");
    sample_shape(&value, 2, 2, 3);
    wire_int(&value, 3, 1);
    sample_slice(&value, 4, 0, 1);
    sample_slice(&value, 4, 1, 1);
    wire_close(&value, tensor);
    wire_close(&value, meta);
    sample_pair(&block, &key, &value);
    for (int i = 0; i < 2; i++) {
        size_t data = wire_open(&value, 2), proto;
        wire_text(&value, 1, "s");
        sample_slice(&value, 2, i, 1);
        proto = wire_open(&value, 3);
        for (int k = 0; k < 3; k++)
            wire_float(&value, 5, (float)(3 * i + k));
        wire_close(&value, proto);
        wire_close(&value, data);
        key.size = 0;
        sample_slice_key(&key, 's', i, 1);
        sample_pair(&block, &key, &value);
    }
    block_end(&block);
    *table = table_of(&block, 0);
    wire_free(&key);
}

#endif
