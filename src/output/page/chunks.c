/*
 * chunks.c - the data of a page: chunks of columns, compressed, as base64.
 */
#include "output/page/chunks.h"

#include "base/escape.h"

/* The gzip level. For a million nodes, level 1 makes the data a third larger,
 * and level 6 needs twice the time to make it 6 % smaller. */
enum { LEVEL = 5 };

/* ---- Base64 ------------------------------------------------------------- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                             "wxyz0123456789+/";

static void put_three(tfp_sink *sink, const uint8_t *bytes)
{
    uint32_t group = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 |
                     bytes[2];
    char *at = tfp_sink_room(sink, 4);
    at[0] = digits[group >> 18];
    at[1] = digits[group >> 12 & 63];
    at[2] = digits[group >> 6 & 63];
    at[3] = digits[group & 63];
    tfp_sink_took(sink, 4);
}

/* A tfp_write_fn. */
static int put_base64(void *context, const void *data, size_t size)
{
    tfp_chunks *c = context;
    const uint8_t *at = data, *end = at + size;
    while (c->three_count > 0 && at < end) {
        c->three[c->three_count++] = *at++;
        if (c->three_count == sizeof(c->three)) {
            put_three(c->page, c->three);
            c->three_count = 0;
        }
    }
    for (; end - at >= 3; at += 3)
        put_three(c->page, at);
    while (at < end)
        c->three[c->three_count++] = *at++;
    return c->page->failed ? -1 : 0;
}

static void end_base64(tfp_chunks *c)
{
    size_t left = c->three_count;
    if (left == 0)
        return;
    memset(c->three + left, 0, sizeof(c->three) - left);
    put_three(c->page, c->three);
    /* Padding replaces the last digits, which have not left the buffer yet. */
    for (size_t i = 0; i < sizeof(c->three) - left; i++)
        c->page->buffer[c->page->used - 1 - i] = '=';
}

/* ---- Life --------------------------------------------------------------- */

static int put_head(void *context, const void *data, size_t size)
{
    tfp_chunks *c = context;
    if (!TFP_VEC_RESERVE(c->memory, &c->head, size)) {
        c->failed = true;
        return -1;
    }
    memcpy(c->head.data + c->head.count, data, size);
    c->head.count += size;
    return 0;
}

tfp_chunks *tfp_chunks_new(tfp_memory *memory, tfp_sink *page)
{
    tfp_chunks *c = tfp_memory_zalloc(memory, sizeof(*c));
    if (!c)
        return NULL;
    c->memory = memory;
    c->page = page;
    c->pack = tfp_pack_new_at(memory, LEVEL, put_base64, c);
    if (!c->pack ||
        !tfp_interner_init(&c->strings, memory, 1, tfp_random_seed())) {
        tfp_chunks_free(c);
        return NULL;
    }
    tfp_sink_init(&c->data, tfp_pack_write, c->pack);
    c->data.cancel = page->cancel;
    return c;
}

void tfp_chunks_free(tfp_chunks *c)
{
    if (!c)
        return;
    tfp_pack_free(c->pack);
    if (c->strings.memory)
        tfp_interner_release(&c->strings);
    TFP_VEC_RELEASE(c->memory, &c->head);
    TFP_VEC_RELEASE(c->memory, &c->text);
    tfp_memory_free(c->memory, c);
}

/* ---- Heads -------------------------------------------------------------- */

tfp_json *tfp_chunk_open(tfp_chunks *c, const char *kind)
{
    c->head.count = 0;
    tfp_sink_init(&c->head_sink, put_head, c);
    tfp_json_init(&c->json, &c->head_sink);
    c->json.compact = true;
    tfp_json_open_line(&c->json, NULL, '{');
    tfp_json_text(&c->json, "kind", kind);
    return &c->json;
}

void tfp_chunk_text(tfp_chunks *c, const char *key, tfp_span text)
{
    size_t size = tfp_escape(text, NULL, 0);
    c->text.count = 0;
    if (!TFP_VEC_RESERVE(c->memory, &c->text, size + 1)) {
        c->failed = true;
        return;
    }
    tfp_escape(text, c->text.data, size + 1);
    c->data.escaped |= size != text.size;
    tfp_json_text(&c->json, key, c->text.data);
}

static unsigned plane_count(tfp_planes planes, bool *is_folded)
{
    uint64_t bits;
    unsigned count = 0;
    *is_folded = planes.bits >> 63;
    bits = *is_folded ? planes.folded : planes.bits;
    for (; bits != 0; bits >>= 8)
        count++;
    return count;
}

void tfp_chunk_column(tfp_chunks *c, const char *name, tfp_planes planes)
{
    bool is_folded;
    unsigned count = plane_count(planes, &is_folded);
    tfp_json_open(&c->json, NULL, '{');
    tfp_json_text(&c->json, "name", name);
    tfp_json_int(&c->json, "planes", count);
    if (is_folded)
        tfp_json_bool(&c->json, "zigzag", true);
}

void tfp_chunk_begin_columns(tfp_chunks *c)
{
    uint8_t size[4];
    tfp_json_close(&c->json);
    tfp_sink_flush(&c->head_sink);
    for (size_t i = 0; i < sizeof(size); i++)
        size[i] = (uint8_t)(c->head.count >> 8 * i);
    tfp_sink_bytes(&c->data, (tfp_span){ size, sizeof(size) });
    tfp_sink_bytes(&c->data, (tfp_span){ c->head.data, c->head.count });
}

/* ---- Columns ------------------------------------------------------------ */

tfp_planes tfp_planes_of(const int64_t *values, size_t count)
{
    tfp_planes planes = { 0 };
    for (size_t i = 0; i < count; i++)
        tfp_planes_add(&planes, values[i]);
    return planes;
}

static void put_plane(tfp_sink *sink, const int64_t *values, size_t count,
                      unsigned shift, bool is_folded)
{
    enum { BLOCK = 1 << 12 };
    for (size_t start = 0; start < count && !sink->failed; start += BLOCK) {
        size_t n = count - start < BLOCK ? count - start : BLOCK;
        uint8_t *at = (uint8_t *)tfp_sink_room(sink, n);
        const int64_t *from = values + start;
        for (size_t i = 0; i < n && is_folded; i++)
            at[i] = (uint8_t)(tfp_zigzag(from[i]) >> shift);
        for (size_t i = 0; i < n && !is_folded; i++)
            at[i] = (uint8_t)((uint64_t)from[i] >> shift);
        tfp_sink_took(sink, n);
    }
}

void tfp_chunk_values(tfp_chunks *c, const int64_t *values, size_t count,
                      tfp_planes planes)
{
    bool is_folded;
    unsigned planes_used = plane_count(planes, &is_folded);
    for (unsigned i = 0; i < planes_used; i++)
        put_plane(&c->data, values, count, 8 * i, is_folded);
}

/* ---- Strings ------------------------------------------------------------ */

uint32_t tfp_chunks_string(tfp_chunks *c, tfp_span text)
{
    uint32_t id = tfp_intern(&c->strings, text);
    if (id != TFP_NO_ID)
        return id;
    c->failed = true;
    return 0;
}

static void put_strings(tfp_chunks *c)
{
    uint32_t count = tfp_interner_count(&c->strings);
    int64_t bytes = 0;
    tfp_json *json;
    for (uint32_t i = 0; i < count && !tfp_sink_is_done(&c->data, i); i++)
        bytes += (int64_t)tfp_escape(tfp_interned(&c->strings, i), NULL, 0) + 1;
    json = tfp_chunk_open(c, "strings");
    tfp_json_int(json, "bytes", bytes);
    tfp_json_int(json, "count", count);
    tfp_chunk_begin_columns(c);
    for (uint32_t i = 0; i < count && !c->data.failed; i++) {
        tfp_sink_escaped(&c->data, tfp_interned(&c->strings, i));
        tfp_sink_char(&c->data, '\0');
    }
}

bool tfp_chunks_end(tfp_chunks *c)
{
    put_strings(c);
    if (tfp_sink_flush(&c->data) && tfp_pack_end(c->pack))
        end_base64(c);
    c->page->escaped |= c->data.escaped;
    if (c->data.failed) { /* true also after a cancel */
        c->page->failed = true;
        c->page->cancelled |= c->data.cancelled;
    }
    return !c->failed;
}
