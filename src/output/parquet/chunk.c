/*
 * chunk.c - one column of a row group.
 *
 * Values that repeat are written once, in a dictionary page, if that makes the
 * chunk smaller. Other integers are written as differences, and other values
 * unchanged. The encoding is chosen by the sizes before compression with zlib.
 */
#include "output/parquet/chunk.h"

#include <math.h>

#include "base/hash.h"
#include "base/intern.h"
#include "output/parquet/encode.h"

enum {
    MOST_NUMBERS = 1 << 14, /* entries of a dictionary; more save no space */
    SAMPLE = 1 << 12        /* texts between two checks whether texts repeat */
};

typedef struct job {
    tfp_pq_chunk *chunk;
    const tfp_arrow_column *column;
    tfp_pq_pages *pages;
    tfp_pq_scratch *scratch;
    tfprof_error *err;
} job;

tfp_pq_type tfp_pq_type_of(const tfp_arrow_column *column)
{
    if (column->text_count > 0)
        return TFP_PQ_TEXT;
    switch (column->format[0]) {
    case 'U': return TFP_PQ_TEXT;
    case 'b': return TFP_PQ_BOOLEAN;
    case 'g': return TFP_PQ_DOUBLE;
    default: return TFP_PQ_INT64;
    }
}

/* ---- Room --------------------------------------------------------------- */

void tfp_pq_scratch_release(tfp_pq_scratch *s)
{
    tfp_memory_free(s->memory, s->numbers);
    tfp_memory_free(s->memory, s->ids);
    tfp_memory_free(s->memory, s->firsts);
    tfp_memory_free(s->memory, s->levels);
    TFP_VEC_RELEASE(s->memory, &s->slots);
    for (int i = 0; i < 2; i++)
        tfp_pq_bytes_release(&s->tries[i]);
}

/* The array with room for `rows` elements, or the old one if memory runs out.
 */
static void *resize(tfp_pq_scratch *s, void *array, size_t rows, size_t size,
                    bool *failed)
{
    void *larger = tfp_memory_resize(s->memory, array, rows * size);
    *failed |= !larger;
    return larger ? larger : array;
}

static bool make_room(tfp_pq_scratch *s, size_t rows)
{
    bool failed = false;
    if (rows <= s->rows)
        return true;
    s->numbers = resize(s, s->numbers, rows, sizeof(*s->numbers), &failed);
    s->ids = resize(s, s->ids, rows, sizeof(*s->ids), &failed);
    s->firsts = resize(s, s->firsts, rows, sizeof(*s->firsts), &failed);
    s->levels = resize(s, s->levels, rows, sizeof(*s->levels), &failed);
    if (!failed)
        s->rows = rows;
    return !failed;
}

/* Makes `count` empty slots. For hashing, `count` must be a power of two. */
static bool make_slots(tfp_pq_scratch *s, size_t count)
{
    s->slots.count = 0;
    if (!TFP_VEC_RESERVE(s->memory, &s->slots, count))
        return false;
    memset(s->slots.data, 0xff, count * sizeof(*s->slots.data));
    s->slots.count = count;
    return true;
}

enum { EMPTY = UINT32_MAX };

/* ---- Values ------------------------------------------------------------- */

static bool has(const tfp_arrow_column *c, size_t row)
{
    const uint8_t *bits = c->buffers[0];
    return !bits || bits[row / 8] >> row % 8 & 1;
}

static int64_t number_at(const tfp_arrow_column *c, size_t row)
{
    const void *data = c->buffers[1];
    int64_t value;
    switch (c->format[0]) {
    case 'i': return ((const int32_t *)data)[row];
    case 'I': return ((const uint32_t *)data)[row];
    default: /* also the bits of a double */
        memcpy(&value, (const char *)data + row * sizeof(value), sizeof(value));
        return value;
    }
}

static bool bit_at(const tfp_arrow_column *c, size_t row)
{
    return ((const uint8_t *)c->buffers[1])[row / 8] >> row % 8 & 1;
}

static tfp_span text_in(const void *const *buffers, size_t at)
{
    const int64_t *starts = (const int64_t *)buffers[1] + at;
    const uint8_t *bytes = buffers[2]; /* NULL if all texts are empty */
    return (tfp_span){ bytes ? bytes + starts[0] : NULL,
                       (size_t)(starts[1] - starts[0]) };
}

/* The index of the text of a row. */
static size_t text_id(const tfp_arrow_column *c, size_t row)
{
    const int32_t *ids = c->buffers[1];
    return ids ? (size_t)ids[row] : 0;
}

static tfp_span text_at(const tfp_arrow_column *c, size_t row)
{
    return c->text_count > 0 ? text_in(c->texts, text_id(c, row))
                             : text_in(c->buffers, row);
}

/* ---- Ranges ------------------------------------------------------------- */

static double real_of(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void range_integers(tfp_pq_range *r, const int64_t *values, size_t count)
{
    r->is_known = count > 0;
    r->low = r->high = count > 0 ? values[0] : 0;
    for (size_t i = 1; i < count; i++) {
        r->low = values[i] < r->low ? values[i] : r->low;
        r->high = values[i] > r->high ? values[i] : r->high;
    }
}

/* If a value is NaN, which has no order, the range is unknown. */
static void range_reals(tfp_pq_range *r, const int64_t *values, size_t count)
{
    r->is_known = count > 0;
    r->low = r->high = count > 0 ? values[0] : 0;
    for (size_t i = 0; i < count; i++) {
        double value = real_of(values[i]);
        r->is_known &= !isnan(value);
        if (value < real_of(r->low))
            r->low = values[i];
        if (value > real_of(r->high))
            r->high = values[i];
    }
    if (real_of(r->low) == 0) /* the format requires -0.0 here, 0.0 below */
        r->low = INT64_MIN;
    if (real_of(r->high) == 0)
        r->high = 0;
}

static int compare_texts(tfp_span a, tfp_span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static void range_text(tfp_pq_range *r, tfp_span text)
{
    if (!r->is_known) {
        r->is_known = true;
        r->first = r->last = text;
        return;
    }
    if (compare_texts(text, r->first) < 0)
        r->first = text;
    else if (compare_texts(text, r->last) > 0)
        r->last = text;
}

/* ---- Pages -------------------------------------------------------------- */

/* Begins a page with the rows from `first` on. If values can be missing, it
 * starts with a bit for each row, after their size in bytes. */
static void begin_page(const job *j, size_t first, size_t rows)
{
    tfp_pq_bytes *body = &j->pages->body;
    uint32_t *levels = j->scratch->levels;
    size_t start = body->count;
    if (!j->column->is_optional)
        return;
    for (size_t i = 0; i < rows; i++)
        levels[i] = has(j->column, first + i);
    tfp_pq_put_number(body, 0, sizeof(uint32_t));
    tfp_pq_put_hybrid(body, levels, rows, 1);
    if (!body->failed)
        tfp_pq_store(body->data + start, body->count - start - sizeof(uint32_t),
                     sizeof(uint32_t));
}

static int end_page(const job *j, size_t rows)
{
    return tfp_pq_pages_end(j->pages, false, rows, j->chunk->encoding, j->err);
}

/* Writes all rows as one page. */
static int write_page(const job *j, const tfp_pq_bytes *values)
{
    j->chunk->data_at = j->pages->at;
    begin_page(j, j->chunk->first, j->chunk->rows);
    if (values->failed)
        return tfp_fail_nomem(j->err);
    tfp_pq_put(&j->pages->body, (tfp_span){ values->data, values->count });
    return end_page(j, j->chunk->rows);
}

/* Writes indices of a dictionary, after their width in bits. */
static void put_ids(tfp_pq_bytes *out, const uint32_t *ids, size_t count,
                    size_t distinct)
{
    int width = tfp_pq_width(distinct > 0 ? distinct - 1 : 0);
    tfp_pq_put_byte(out, (uint8_t)width);
    tfp_pq_put_hybrid(out, ids, count, width);
}

/* ---- Numbers ------------------------------------------------------------ */

static void load_numbers(const job *j)
{
    tfp_pq_chunk *k = j->chunk;
    k->values = 0;
    for (size_t i = k->first; i < k->first + k->rows; i++) {
        if (has(j->column, i))
            j->scratch->numbers[k->values++] = number_at(j->column, i);
    }
}

/* A power of two that is at least twice the number of values. */
static size_t slot_count(size_t values)
{
    size_t count = 16;
    while (count < 2 * values)
        count *= 2;
    return count;
}

/* Numbers the values by their first appearance. Returns how many are distinct,
 * 0 if too many. */
static size_t find_distinct(const job *j, bool *failed)
{
    tfp_pq_scratch *s = j->scratch;
    size_t count = j->chunk->values, distinct = 0;
    size_t most = count / 2 < MOST_NUMBERS ? count / 2 + 1 : MOST_NUMBERS;
    uint64_t seed = tfp_random_seed();
    *failed = !make_slots(s, slot_count(most));
    for (size_t i = 0; !*failed && i < count; i++) {
        size_t slot;
        if (i > 0 && s->numbers[i] == s->numbers[i - 1]) {
            s->ids[i] = s->ids[i - 1];
            continue;
        }
        slot = (size_t)tfp_hash((tfp_span){ (const uint8_t *)&s->numbers[i],
                                            sizeof(s->numbers[i]) },
                                seed);
        for (;; slot++) {
            uint32_t *found = &s->slots.data[slot & (s->slots.count - 1)];
            if (*found == EMPTY) {
                if (distinct == most)
                    return 0;
                s->firsts[distinct] = (uint32_t)i;
                *found = (uint32_t)distinct++;
            }
            if (s->numbers[s->firsts[*found]] == s->numbers[i]) {
                s->ids[i] = *found;
                break;
            }
        }
    }
    return distinct;
}

static int write_number_dictionary(const job *j, size_t distinct)
{
    const tfp_pq_scratch *s = j->scratch;
    for (size_t i = 0; i < distinct; i++)
        tfp_pq_put_number(&j->pages->body, (uint64_t)s->numbers[s->firsts[i]],
                          sizeof(int64_t));
    return tfp_pq_pages_end(j->pages, true, distinct, TFP_PQ_PLAIN, j->err);
}

static void put_plain(tfp_pq_bytes *out, const int64_t *numbers, size_t count)
{
    uint8_t *to = count > 0 ? tfp_pq_room(out, count * sizeof(*numbers)) : NULL;
    if (!to)
        return;
    for (size_t i = 0; i < count; i++)
        tfp_pq_store(to + i * sizeof(*numbers), (uint64_t)numbers[i],
                     sizeof(*numbers));
    out->count += count * sizeof(*numbers);
}

static int write_numbers(const job *j)
{
    tfp_pq_chunk *k = j->chunk;
    tfp_pq_scratch *s = j->scratch;
    tfp_pq_bytes *plain = &s->tries[0], *with_ids = &s->tries[1];
    size_t distinct;
    bool failed;
    int status = TFPROF_OK;
    load_numbers(j);
    if (k->type == TFP_PQ_DOUBLE)
        range_reals(&k->range, s->numbers, k->values);
    else
        range_integers(&k->range, s->numbers, k->values);
    distinct = find_distinct(j, &failed);
    if (failed)
        return tfp_fail_nomem(j->err);
    if (k->type == TFP_PQ_DOUBLE)
        put_plain(plain, s->numbers, k->values);
    else
        tfp_pq_put_delta(plain, s->numbers, k->values);
    if (distinct > 0)
        put_ids(with_ids, s->ids, k->values, distinct);
    k->encoding = k->type == TFP_PQ_DOUBLE ? TFP_PQ_PLAIN : TFP_PQ_DELTA;
    if (distinct > 0 &&
        distinct * sizeof(int64_t) + with_ids->count < plain->count) {
        k->encoding = TFP_PQ_DICTIONARY;
        status = write_number_dictionary(j, distinct);
    }
    return status == TFPROF_OK
               ? write_page(j,
                            k->encoding == TFP_PQ_DICTIONARY ? with_ids : plain)
               : status;
}

/* ---- Bits --------------------------------------------------------------- */

static int write_bits(const job *j)
{
    tfp_pq_chunk *k = j->chunk;
    tfp_pq_bytes *out = &j->scratch->tries[0];
    uint8_t byte = 0;
    k->values = 0;
    for (size_t i = k->first; i < k->first + k->rows; i++) {
        if (!has(j->column, i))
            continue;
        j->scratch->numbers[k->values] = bit_at(j->column, i);
        byte |= (uint8_t)(bit_at(j->column, i) << k->values % 8);
        if (++k->values % 8 == 0) {
            tfp_pq_put_byte(out, byte);
            byte = 0;
        }
    }
    if (k->values % 8 > 0)
        tfp_pq_put_byte(out, byte);
    range_integers(&k->range, j->scratch->numbers, k->values);
    k->encoding = TFP_PQ_PLAIN;
    return write_page(j, out);
}

/* ---- Texts -------------------------------------------------------------- */

/* Sizes of the texts of a chunk, with the size field of each text. */
typedef struct texts {
    size_t plain;    /* bytes of all texts */
    size_t once;     /* bytes of the distinct texts */
    size_t distinct; /* 0: too many */
    bool failed;
} texts;

/* Renumbers the texts of a column in the order in which they first appear. */
static void number_ids(const job *j, texts *t)
{
    tfp_pq_scratch *s = j->scratch;
    const tfp_pq_chunk *k = j->chunk;
    size_t value = 0;
    t->failed = !make_slots(s, j->column->text_count);
    for (size_t i = k->first; !t->failed && i < k->first + k->rows; i++) {
        size_t id = text_id(j->column, i);
        tfp_span text = text_in(j->column->texts, id);
        if (!has(j->column, i))
            continue;
        if (s->slots.data[id] == EMPTY) {
            s->firsts[t->distinct] = (uint32_t)(i - k->first);
            s->slots.data[id] = (uint32_t)t->distinct++;
            t->once += text.size + sizeof(uint32_t);
        }
        t->plain += text.size + sizeof(uint32_t);
        s->ids[value++] = s->slots.data[id];
    }
}

/* The number of a text among the distinct texts. Adds it if it is new. */
static uint32_t find_text(const job *j, texts *t, size_t row, tfp_span text,
                          uint64_t seed)
{
    tfp_pq_scratch *s = j->scratch;
    size_t slot = (size_t)tfp_hash(text, seed);
    for (;; slot++) {
        uint32_t *found = &s->slots.data[slot & (s->slots.count - 1)];
        tfp_span other;
        if (*found == EMPTY) {
            s->firsts[t->distinct] = (uint32_t)(row - j->chunk->first);
            *found = (uint32_t)t->distinct++;
            t->once += text.size + sizeof(uint32_t);
            return *found;
        }
        other = text_at(j->column, j->chunk->first + s->firsts[*found]);
        if (tfp_span_equal(other, text))
            return *found;
    }
}

/* Stops if most of the texts are distinct. */
static void number_texts(const job *j, texts *t)
{
    const tfp_pq_chunk *k = j->chunk;
    uint64_t seed = tfp_random_seed();
    size_t value = 0;
    t->failed = !make_slots(j->scratch, slot_count(k->rows));
    for (size_t i = k->first; !t->failed && i < k->first + k->rows; i++) {
        tfp_span text;
        if (!has(j->column, i))
            continue;
        text = text_at(j->column, i);
        t->plain += text.size + sizeof(uint32_t);
        j->scratch->ids[value++] = find_text(j, t, i, text, seed);
        if (value % SAMPLE == 0 && t->distinct > value / 4 * 3) {
            t->distinct = 0;
            return;
        }
    }
}

static int put_text(const job *j, tfp_span text)
{
    if (text.size > TFP_PQ_MOST_VALUE)
        return tfp_fail(j->err, TFPROF_ERR_LIMIT, -1,
                        "column %s: a text of %zu bytes exceeds the limit of "
                        "1 GiB",
                        j->column->name, text.size);
    tfp_pq_put_number(&j->pages->body, text.size, sizeof(uint32_t));
    tfp_pq_put(&j->pages->body, text);
    return TFPROF_OK;
}

static int write_text_dictionary(const job *j, size_t distinct)
{
    tfp_pq_range *range = &j->chunk->range;
    for (size_t i = 0; i < distinct; i++) {
        tfp_span text = text_at(j->column,
                                j->chunk->first + j->scratch->firsts[i]);
        int status = put_text(j, text);
        if (status != TFPROF_OK)
            return status;
        range_text(range, text);
    }
    return tfp_pq_pages_end(j->pages, true, distinct, TFP_PQ_PLAIN, j->err);
}

/* The end of the page that begins with row `first`. */
static size_t page_end(const job *j, size_t first, size_t end)
{
    size_t size = 0;
    while (first < end && size < TFP_PQ_PAGE) {
        if (has(j->column, first))
            size += text_at(j->column, first).size + sizeof(uint32_t);
        first++;
    }
    return first;
}

static int write_plain_texts(const job *j)
{
    tfp_pq_chunk *k = j->chunk;
    size_t end = k->first + k->rows;
    int status = TFPROF_OK;
    k->data_at = j->pages->at;
    for (size_t row = k->first; status == TFPROF_OK && row < end;) {
        size_t first = row, next = page_end(j, row, end);
        begin_page(j, first, next - first);
        for (; status == TFPROF_OK && row < next; row++) {
            if (!has(j->column, row))
                continue;
            status = put_text(j, text_at(j->column, row));
            range_text(&k->range, text_at(j->column, row));
        }
        if (status == TFPROF_OK)
            status = end_page(j, next - first);
    }
    return status;
}

/* All rows of a label have the same text, so all numbers are 0. */
static void number_label(const job *j, texts *t)
{
    memset(j->scratch->ids, 0, j->chunk->rows * sizeof(*j->scratch->ids));
    j->scratch->firsts[0] = 0;
    t->distinct = 1;
    t->plain = SIZE_MAX;
}

static bool is_worthwhile(const texts *t, size_t ids_size)
{
    return t->distinct > 0 && t->once <= TFP_PQ_PAGE &&
           t->once + ids_size < t->plain;
}

static void count_values(tfp_pq_chunk *k)
{
    k->values = k->rows;
    if (!k->column->is_optional)
        return;
    k->values = 0;
    for (size_t i = k->first; i < k->first + k->rows; i++)
        k->values += has(k->column, i);
}

static int write_texts(const job *j)
{
    tfp_pq_chunk *k = j->chunk;
    tfp_pq_bytes *with_ids = &j->scratch->tries[1];
    texts t = { 0 };
    int status;
    count_values(k);
    if (tfp_arrow_is_label(j->column))
        number_label(j, &t);
    else if (j->column->text_count > 0)
        number_ids(j, &t);
    else
        number_texts(j, &t);
    if (t.failed)
        return tfp_fail_nomem(j->err);
    if (t.distinct > 0)
        put_ids(with_ids, j->scratch->ids, k->values, t.distinct);
    k->encoding = TFP_PQ_PLAIN;
    if (!is_worthwhile(&t, with_ids->count))
        return write_plain_texts(j);
    k->encoding = TFP_PQ_DICTIONARY;
    status = write_text_dictionary(j, t.distinct);
    return status == TFPROF_OK ? write_page(j, with_ids) : status;
}

/* ---- All ---------------------------------------------------------------- */

int tfp_pq_chunk_write(tfp_pq_chunk *k, tfp_pq_pages *pages,
                       tfp_pq_scratch *scratch, tfprof_error *err)
{
    job j = { k, k->column, pages, scratch, err };
    int64_t raw = pages->raw;
    int status;
    k->type = tfp_pq_type_of(k->column);
    k->at = k->data_at = pages->at;
    k->range.is_known = false;
    if (!make_room(scratch, k->rows))
        return tfp_fail_nomem(err);
    for (int i = 0; i < 2; i++)
        scratch->tries[i].count = 0;
    switch (k->type) {
    case TFP_PQ_TEXT: status = write_texts(&j); break;
    case TFP_PQ_BOOLEAN: status = write_bits(&j); break;
    default: status = write_numbers(&j);
    }
    k->raw = pages->raw - raw;
    return status;
}
