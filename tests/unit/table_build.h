/*
 * table_build.h - makes sorted tables, sound ones and others, for the tests to
 * read. Checksums are always right unless a test spoils them.
 */
#ifndef TFP_TESTS_TABLE_BUILD_H
#define TFP_TESTS_TABLE_BUILD_H

#include "wire_build.h"

#include "base/crc32c.h"

typedef struct table_place {
    uint64_t offset, size;
} table_place;

/* An entry of a block; the first `shared` bytes of its key are not written. */
static inline void block_entry(wire_bytes *block, uint64_t shared,
                               tfp_span rest, tfp_span value)
{
    wire_varint(block, shared);
    wire_varint(block, rest.size);
    wire_varint(block, value.size);
    wire_raw(block, rest.data, rest.size);
    wire_raw(block, value.data, value.size);
}

static inline void block_text(wire_bytes *block, uint64_t shared,
                              const char *rest, const char *value)
{
    block_entry(block, shared, tfp_span_of(rest), tfp_span_of(value));
}

/* The offsets of restarts and their number. */
static inline void block_restarts(wire_bytes *block, const uint32_t *offsets,
                                  uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wire_fixed(block, offsets[i], 4);
    wire_fixed(block, count, 4);
}

/* One restart, at the first entry. */
static inline void block_end(wire_bytes *block)
{
    block_restarts(block, &(uint32_t){ 0 }, 1);
}

/* Adds a block with its trailer to a table. */
static inline table_place table_add(wire_bytes *table, const wire_bytes *block,
                                    int compression)
{
    table_place place = { table->size, block->size };
    uint32_t crc;
    wire_raw(table, block->data, block->size);
    wire_byte(table, compression);
    crc = tfp_crc32c(0, table->data + place.offset, block->size + 1);
    wire_fixed(table, tfp_crc32c_mask(crc), 4);
    return place;
}

/* The entry of the index for a block. */
static inline void index_entry(wire_bytes *index, const char *key,
                               table_place place)
{
    wire_bytes value = { 0 };
    wire_varint(&value, place.offset);
    wire_varint(&value, place.size);
    block_entry(index, 0, tfp_span_of(key), wire_span(&value));
    wire_free(&value);
}

static inline void table_footer(wire_bytes *table, table_place meta,
                                table_place index)
{
    size_t start = table->size;
    wire_varint(table, meta.offset);
    wire_varint(table, meta.size);
    wire_varint(table, index.offset);
    wire_varint(table, index.size);
    while (table->size < start + 40)
        wire_byte(table, 0);
    wire_fixed(table, 0xdb4775248b80fb57u, 8);
}

/* The end of a table: an empty block, whose place comes back and which nobody
 * reads; the index, which is used up; and the footer. */
static inline table_place table_finish(wire_bytes *table, wire_bytes *index)
{
    wire_bytes empty = { 0 };
    table_place meta, place;
    block_end(&empty);
    meta = table_add(table, &empty, 0);
    block_end(index);
    place = table_add(table, index, 0);
    table_footer(table, meta, place);
    wire_free(&empty);
    wire_free(index);
    return meta;
}

/* A table of one block, which is used up. */
static inline wire_bytes table_of(wire_bytes *block, int compression)
{
    wire_bytes table = { 0 }, index = { 0 };
    index_entry(&index, "\xff", table_add(&table, block, compression));
    table_finish(&table, &index);
    wire_free(block);
    return table;
}

#endif
