/*
 * pages.c - the pages of a Parquet file: compressed, each with its header.
 */
#include "output/parquet/pages.h"

#define ZLIB_CONST /* it only reads what it compresses */
#include <zlib.h>

#include "base/gzip.h"
#include "output/parquet/thrift.h"

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, LEVEL = 1 };

/* Fields of PageHeader, DataPageHeader and DictionaryPageHeader. */
enum {
    PAGE_TYPE = 1,
    PAGE_RAW = 2,
    PAGE_PACKED = 3,
    PAGE_DATA = 5,
    PAGE_DICTIONARY = 7
};
enum { OF_VALUES = 1, OF_ENCODING = 2, OF_LEVELS = 3, OF_REPEATS = 4 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

void tfp_pq_pages_init(tfp_pq_pages *p, tfp_memory *memory, tfp_sink *sink)
{
    *p = (tfp_pq_pages){ .memory = memory,
                         .sink = sink,
                         .body = { .memory = memory },
                         .small = { .memory = memory },
                         .header = { .memory = memory } };
}

void tfp_pq_pages_release(tfp_pq_pages *p)
{
    if (p->zlib)
        deflateEnd(p->zlib);
    tfp_memory_free(p->memory, p->zlib);
    tfp_pq_bytes_release(&p->body);
    tfp_pq_bytes_release(&p->small);
    tfp_pq_bytes_release(&p->header);
}

void tfp_pq_pages_put(tfp_pq_pages *p, tfp_span bytes)
{
    tfp_sink_bytes(p->sink, bytes);
    p->at += (int64_t)bytes.size;
}

static z_stream *zlib_of(tfp_pq_pages *p)
{
    z_stream *z;
    if (p->zlib)
        return deflateReset(p->zlib) == Z_OK ? p->zlib : NULL;
    z = tfp_memory_alloc(p->memory, sizeof(*z));
    if (!z)
        return NULL;
    *z = (z_stream){ .zalloc = tfp_zlib_alloc,
                     .zfree = tfp_zlib_free,
                     .opaque = p->memory };
    if (deflateInit2(z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        tfp_memory_free(p->memory, z);
        return NULL;
    }
    p->zlib = z;
    return z;
}

/* Compresses in one call: the buffer has room for the worst case. */
static bool compress_body(tfp_pq_pages *p)
{
    z_stream *z = zlib_of(p);
    size_t most = z ? deflateBound(z, p->body.count) : 0;
    p->small.count = 0;
    if (!z || p->body.failed || !tfp_pq_room(&p->small, most))
        return false;
    z->next_in = p->body.data;
    z->avail_in = (unsigned)p->body.count;
    z->next_out = p->small.data;
    z->avail_out = (unsigned)most;
    if (deflate(z, Z_FINISH) != Z_STREAM_END)
        return false;
    p->small.count = most - z->avail_out;
    return true;
}

static void put_header(tfp_pq_pages *p, bool is_dictionary, size_t values,
                       tfp_pq_encoding encoding)
{
    tfp_thrift t = { .out = &p->header };
    p->header.count = 0;
    tfp_thrift_begin(&t);
    tfp_thrift_i32(&t, PAGE_TYPE, is_dictionary ? DICTIONARY_PAGE : DATA_PAGE);
    tfp_thrift_i32(&t, PAGE_RAW, (int64_t)p->body.count);
    tfp_thrift_i32(&t, PAGE_PACKED, (int64_t)p->small.count);
    tfp_thrift_open(&t, is_dictionary ? PAGE_DICTIONARY : PAGE_DATA);
    tfp_thrift_i32(&t, OF_VALUES, (int64_t)values);
    tfp_thrift_i32(&t, OF_ENCODING, encoding);
    if (!is_dictionary) {
        tfp_thrift_i32(&t, OF_LEVELS, TFP_PQ_RLE);
        tfp_thrift_i32(&t, OF_REPEATS, TFP_PQ_RLE);
    }
    tfp_thrift_end(&t);
    tfp_thrift_end(&t);
}

int tfp_pq_pages_end(tfp_pq_pages *p, bool is_dictionary, size_t values,
                     tfp_pq_encoding encoding, tfprof_error *err)
{
    if (!compress_body(p))
        return tfp_fail_nomem(err);
    put_header(p, is_dictionary, values, encoding);
    if (p->header.failed)
        return tfp_fail_nomem(err);
    tfp_pq_pages_put(p, (tfp_span){ p->header.data, p->header.count });
    tfp_pq_pages_put(p, (tfp_span){ p->small.data, p->small.count });
    p->raw += (int64_t)(p->header.count + p->body.count);
    p->body.count = 0;
    return TFPROF_OK;
}
