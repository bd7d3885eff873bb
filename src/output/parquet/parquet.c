/*
 * parquet.c - a table as a Parquet file: row groups, and the footer that
 * describes them.
 *
 * The description of a group is encoded as soon as the group is written, and
 * kept as bytes for the footer.
 */
#include "output/parquet/parquet.h"

#include <assert.h>
#include <stdio.h>
#include <tfprof/version.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "output/parquet/chunk.h"
#include "output/parquet/pages.h"
#include "output/parquet/thrift.h"

/* Fields and words of the format, by struct. */
enum {
    FILE_VERSION = 1,
    FILE_SCHEMA,
    FILE_ROWS,
    FILE_GROUPS,
    FILE_PAIRS,
    FILE_MAKER,
    FILE_ORDERS
};
enum {
    ELEMENT_TYPE = 1,
    ELEMENT_REPETITION = 3,
    ELEMENT_NAME = 4,
    ELEMENT_CHILDREN = 5,
    ELEMENT_CONVERTED = 6,
    ELEMENT_LOGICAL = 10
};
enum {
    GROUP_CHUNKS = 1,
    GROUP_RAW = 2,
    GROUP_ROWS = 3,
    GROUP_AT = 5,
    GROUP_PACKED = 6,
    GROUP_NUMBER = 7
};
enum { CHUNK_AT = 2, CHUNK_FACTS = 3 };
enum {
    FACT_TYPE = 1,
    FACT_ENCODINGS,
    FACT_PATH,
    FACT_CODEC,
    FACT_VALUES,
    FACT_RAW,
    FACT_PACKED,
    FACT_DATA_AT = 9,
    FACT_DICTIONARY_AT = 11,
    FACT_RANGE = 12
};
enum {
    RANGE_NULLS = 3,
    RANGE_HIGH = 5,
    RANGE_LOW = 6,
    RANGE_HIGH_IS_EXACT = 7,
    RANGE_LOW_IS_EXACT = 8
};
enum { PAIR_KEY = 1, PAIR_VALUE = 2 };
enum {
    REQUIRED = 0,
    OPTIONAL = 1,
    CONVERTED_UTF8 = 0,
    LOGICAL_STRING = 1,
    ORDER_OF_TYPE = 1
};

enum { VERSION = 2, MOST_RANGE = 64 /* bytes of a text in a range */ };

static const char magic[] = "PAR1";

struct tfp_parquet {
    tfp_memory *memory;
    tfp_pq_pages pages;
    tfp_pq_scratch scratch;
    tfp_pq_bytes groups; /* of the footer: descriptions, one after the other */
    tfp_pq_bytes footer;
    size_t group_count;
    int64_t rows;
    bool has_table;
    tfp_arrow_table table; /* the first; only names and types are used */
};

tfp_parquet *tfp_parquet_new(tfp_memory *memory, tfp_sink *sink)
{
    tfp_parquet *p = tfp_memory_alloc(memory, sizeof(*p));
    if (!p)
        return NULL;
    *p = (tfp_parquet){ .memory = memory,
                        .scratch = { .memory = memory,
                                     .tries = { { .memory = memory },
                                                { .memory = memory } } },
                        .groups = { .memory = memory },
                        .footer = { .memory = memory } };
    tfp_pq_pages_init(&p->pages, memory, sink);
    tfp_pq_pages_put(&p->pages, tfp_span_of(magic));
    return p;
}

void tfp_parquet_free(tfp_parquet *p)
{
    if (!p)
        return;
    tfp_pq_pages_release(&p->pages);
    tfp_pq_scratch_release(&p->scratch);
    tfp_pq_bytes_release(&p->groups);
    tfp_pq_bytes_release(&p->footer);
    tfp_memory_free(p->memory, p);
}

/* ---- Ranges ------------------------------------------------------------- */

static void put_number(tfp_thrift *t, int field, tfp_pq_type type,
                       int64_t value)
{
    uint8_t bytes[sizeof(value)];
    tfp_pq_store(bytes, (uint64_t)value, sizeof(bytes));
    tfp_thrift_binary(
        t, field,
        (tfp_span){ bytes, type == TFP_PQ_BOOLEAN ? 1 : sizeof(bytes) });
}

enum { LAST_CHARACTER = 0x10ffff, SURROGATES = 0xd800, AFTER_THEM = 0xe000 };

/* Makes a text that is larger than all texts that begin with `text`, which is
 * valid UTF-8: raises its last character, without the characters of the largest
 * code behind it. The size, or 0 if it has only such characters. */
static size_t raise_text(tfp_span text, uint8_t raised[MOST_RANGE + 1])
{
    size_t size = text.size;
    while (size > 0) {
        uint32_t code = 0;
        do
            size--;
        while (size > 0 && (text.data[size] & 0xc0) == 0x80);
        if (!tfp_utf8_next((tfp_span){ text.data + size, text.size - size },
                           &code) ||
            code == LAST_CHARACTER)
            continue;
        memcpy(raised, text.data, size);
        code = code + 1 == SURROGATES ? AFTER_THEM : code + 1;
        return size + tfp_utf8_put(code, raised + size);
    }
    return 0;
}

/* Writes both values or none, because old readers take a value that is missing
 * for an empty text. The larger value comes first in the format. */
static void put_texts(tfp_thrift *t, const tfp_pq_range *r)
{
    size_t low = tfp_utf8_cut(r->first, MOST_RANGE);
    size_t high = tfp_utf8_cut(r->last, MOST_RANGE);
    bool is_exact = high == r->last.size;
    uint8_t raised[MOST_RANGE + 1];
    tfp_span last = { r->last.data, high };
    if (!is_exact)
        last = (tfp_span){ raised, raise_text(last, raised) };
    if (!is_exact && last.size == 0)
        return;
    tfp_thrift_binary(t, RANGE_HIGH, last);
    tfp_thrift_binary(t, RANGE_LOW, (tfp_span){ r->first.data, low });
    tfp_thrift_bool(t, RANGE_HIGH_IS_EXACT, is_exact);
    tfp_thrift_bool(t, RANGE_LOW_IS_EXACT, low == r->first.size);
}

static void put_range(tfp_thrift *t, const tfp_pq_chunk *k)
{
    tfp_thrift_open(t, FACT_RANGE);
    tfp_thrift_i64(t, RANGE_NULLS, (int64_t)(k->rows - k->values));
    if (k->range.is_known && k->type == TFP_PQ_TEXT) {
        put_texts(t, &k->range);
    } else if (k->range.is_known) {
        put_number(t, RANGE_HIGH, k->type, k->range.high);
        put_number(t, RANGE_LOW, k->type, k->range.low);
        tfp_thrift_bool(t, RANGE_HIGH_IS_EXACT, true);
        tfp_thrift_bool(t, RANGE_LOW_IS_EXACT, true);
    }
    tfp_thrift_end(t);
}

/* ---- Groups ------------------------------------------------------------- */

static void put_encodings(tfp_thrift *t, const tfp_pq_chunk *k)
{
    bool has_dictionary = k->encoding == TFP_PQ_DICTIONARY;
    bool has_levels = k->column->is_optional;
    tfp_thrift_list(t, FACT_ENCODINGS, TFP_THRIFT_I32,
                    1u + has_dictionary + has_levels);
    tfp_pq_put_zigzag(t->out, k->encoding);
    if (has_dictionary)
        tfp_pq_put_zigzag(t->out, TFP_PQ_PLAIN);
    if (has_levels)
        tfp_pq_put_zigzag(t->out, TFP_PQ_RLE);
}

static void put_chunk(tfp_thrift *t, const tfp_pq_chunk *k, int64_t end)
{
    tfp_thrift_begin(t);
    tfp_thrift_i64(t, CHUNK_AT, k->at);
    tfp_thrift_open(t, CHUNK_FACTS);
    tfp_thrift_i32(t, FACT_TYPE, k->type);
    put_encodings(t, k);
    tfp_thrift_list(t, FACT_PATH, TFP_THRIFT_BINARY, 1);
    tfp_thrift_element(t, tfp_span_of(k->column->name));
    tfp_thrift_i32(t, FACT_CODEC, TFP_PQ_CODEC_GZIP);
    tfp_thrift_i64(t, FACT_VALUES, (int64_t)k->rows);
    tfp_thrift_i64(t, FACT_RAW, k->raw);
    tfp_thrift_i64(t, FACT_PACKED, end - k->at);
    tfp_thrift_i64(t, FACT_DATA_AT, k->data_at);
    if (k->encoding == TFP_PQ_DICTIONARY)
        tfp_thrift_i64(t, FACT_DICTIONARY_AT, k->at);
    put_range(t, k);
    tfp_thrift_end(t);
    tfp_thrift_end(t);
}

static int write_group(tfp_parquet *p, const tfp_arrow_table *table,
                       size_t first, size_t rows, tfprof_error *err)
{
    tfp_thrift t = { .out = &p->groups };
    int64_t at = p->pages.at, raw = p->pages.raw;
    tfp_thrift_begin(&t);
    tfp_thrift_list(&t, GROUP_CHUNKS, TFP_THRIFT_STRUCT, table->count);
    for (size_t i = 0; i < table->count; i++) {
        tfp_pq_chunk k = { .column = &table->columns[i],
                           .first = first,
                           .rows = rows };
        int status = tfp_pq_chunk_write(&k, &p->pages, &p->scratch, err);
        if (status != TFPROF_OK)
            return status;
        put_chunk(&t, &k, p->pages.at);
        if (tfp_sink_is_done(p->pages.sink, 0))
            return tfp_sink_fail(p->pages.sink, err);
    }
    tfp_thrift_i64(&t, GROUP_RAW, p->pages.raw - raw);
    tfp_thrift_i64(&t, GROUP_ROWS, (int64_t)rows);
    tfp_thrift_i64(&t, GROUP_AT, at);
    tfp_thrift_i64(&t, GROUP_PACKED, p->pages.at - at);
    if (p->group_count <= INT16_MAX)
        tfp_thrift_i16(&t, GROUP_NUMBER, (int64_t)p->group_count);
    tfp_thrift_end(&t);
    p->group_count++;
    p->rows += (int64_t)rows;
    return p->groups.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_parquet_add(tfp_parquet *p, const tfp_arrow_table *table,
                    tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!p->has_table)
        p->table = *table;
    p->has_table = true;
    assert(p->table.count == table->count);
    for (size_t at = 0; status == TFPROF_OK && at < table->row_count;
         at += TFP_PARQUET_GROUP) {
        size_t left = table->row_count - at;
        status = write_group(
            p, table, at, left < TFP_PARQUET_GROUP ? left : TFP_PARQUET_GROUP,
            err);
    }
    return status;
}

/* ---- The footer --------------------------------------------------------- */

static void put_element(tfp_thrift *t, const tfp_arrow_column *c)
{
    tfp_pq_type type = tfp_pq_type_of(c);
    tfp_thrift_begin(t);
    tfp_thrift_i32(t, ELEMENT_TYPE, type);
    tfp_thrift_i32(t, ELEMENT_REPETITION, c->is_optional ? OPTIONAL : REQUIRED);
    tfp_thrift_binary(t, ELEMENT_NAME, tfp_span_of(c->name));
    if (type == TFP_PQ_TEXT) {
        tfp_thrift_i32(t, ELEMENT_CONVERTED, CONVERTED_UTF8);
        tfp_thrift_open(t, ELEMENT_LOGICAL);
        tfp_thrift_open(t, LOGICAL_STRING);
        tfp_thrift_end(t);
        tfp_thrift_end(t);
    }
    tfp_thrift_end(t);
}

static void put_schema(tfp_thrift *t, const tfp_arrow_table *table)
{
    tfp_thrift_list(t, FILE_SCHEMA, TFP_THRIFT_STRUCT, table->count + 1);
    tfp_thrift_begin(t);
    tfp_thrift_binary(t, ELEMENT_NAME, tfp_span_of("schema"));
    tfp_thrift_i32(t, ELEMENT_CHILDREN, (int64_t)table->count);
    tfp_thrift_end(t);
    for (size_t i = 0; i < table->count; i++)
        put_element(t, &table->columns[i]);
}

/* The key and the value of Arrow metadata, which has one pair. */
static void read_pair(const tfp_arrow_metadata *m, tfp_span pair[2])
{
    size_t at = sizeof(int32_t);
    for (int i = 0; i < 2; i++) {
        int32_t size;
        memcpy(&size, m->bytes + at, sizeof(size));
        at += sizeof(size);
        pair[i] = (tfp_span){ (const uint8_t *)m->bytes + at, (size_t)size };
        at += (size_t)size;
    }
}

/* For the unit of a column, the key is "unit.NAME". */
static void put_pair(tfp_thrift *t, const tfp_arrow_metadata *m,
                     const char *column)
{
    tfp_span pair[2];
    char key[sizeof(m->bytes) + sizeof(((tfp_arrow_column *)NULL)->name)];
    if (m->size == 0)
        return;
    read_pair(m, pair);
    snprintf(key, sizeof(key), "%.*s%s%s", (int)pair[0].size,
             (const char *)pair[0].data, *column ? "." : "", column);
    tfp_thrift_begin(t);
    tfp_thrift_binary(t, PAIR_KEY, tfp_span_of(key));
    tfp_thrift_binary(t, PAIR_VALUE, pair[1]);
    tfp_thrift_end(t);
}

static void put_pairs(tfp_thrift *t, const tfp_arrow_table *table)
{
    size_t count = table->metadata.size > 0;
    for (size_t i = 0; i < table->count; i++)
        count += table->columns[i].metadata.size > 0;
    if (count == 0)
        return;
    tfp_thrift_list(t, FILE_PAIRS, TFP_THRIFT_STRUCT, count);
    put_pair(t, &table->metadata, "");
    for (size_t i = 0; i < table->count; i++)
        put_pair(t, &table->columns[i].metadata, table->columns[i].name);
}

/* Readers use ranges only if the footer states the order of values. */
static void put_orders(tfp_thrift *t, size_t count)
{
    tfp_thrift_list(t, FILE_ORDERS, TFP_THRIFT_STRUCT, count);
    for (size_t i = 0; i < count; i++) {
        tfp_thrift_begin(t);
        tfp_thrift_open(t, ORDER_OF_TYPE);
        tfp_thrift_end(t);
        tfp_thrift_end(t);
    }
}

int tfp_parquet_end(tfp_parquet *p, tfprof_error *err)
{
    tfp_thrift t = { .out = &p->footer };
    size_t size;
    assert(p->has_table);
    tfp_thrift_begin(&t);
    tfp_thrift_i32(&t, FILE_VERSION, VERSION);
    put_schema(&t, &p->table);
    tfp_thrift_i64(&t, FILE_ROWS, p->rows);
    tfp_thrift_list(&t, FILE_GROUPS, TFP_THRIFT_STRUCT, p->group_count);
    tfp_pq_put(&p->footer, (tfp_span){ p->groups.data, p->groups.count });
    put_pairs(&t, &p->table);
    tfp_thrift_binary(&t, FILE_MAKER,
                      tfp_span_of("tfprof version " TFPROF_VERSION));
    put_orders(&t, p->table.count);
    tfp_thrift_end(&t);
    size = p->footer.count;
    if (size > INT32_MAX)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "the table has too many rows for a Parquet file");
    tfp_pq_put_number(&p->footer, size, sizeof(uint32_t));
    tfp_pq_put(&p->footer, tfp_span_of(magic));
    if (p->footer.failed)
        return tfp_fail_nomem(err);
    tfp_pq_pages_put(&p->pages, (tfp_span){ p->footer.data, p->footer.count });
    return TFPROF_OK;
}

int tfp_parquet_write(const tfp_arrow_table *table, tfp_memory *memory,
                      tfp_sink *sink, tfprof_error *err)
{
    tfp_parquet *p = tfp_parquet_new(memory, sink);
    int status;
    if (!p)
        return tfp_fail_nomem(err);
    status = tfp_parquet_add(p, table, err);
    if (status == TFPROF_OK)
        status = tfp_parquet_end(p, err);
    tfp_parquet_free(p);
    return status;
}
