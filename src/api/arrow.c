/*
 * arrow.c - the rows of an answer, handed to whoever reads Arrow.
 *
 * Each answer of the stream is one block: the structs of a table and of its
 * columns, and the data that they point to. The consumer may move any of these
 * structs elsewhere and release them one by one. So the block counts the
 * structs that are not released yet; releasing the last one frees the block and
 * drops its reference to the answer. A block depends on nothing else: the
 * stream, the answer and the profile may be released before it.
 */
#include <tfprof/arrow.h>

#include <errno.h>
#include <string.h>

#include "api/kept.h"
#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/arrow/arrow.h"

typedef struct block {
    atomic_size_t holders; /* structs of Arrow that were not released */
    tfp_kept *kept;
    size_t size; /* bytes of the block, with all that follows this head */
} block;

typedef struct schema_block {
    block head;
    tfp_arrow_table table;
    struct ArrowSchema columns[TFP_ARROW_COLUMNS];
    struct ArrowSchema texts[TFP_ARROW_COLUMNS]; /* of `columns` */
    struct ArrowSchema *children[TFP_ARROW_COLUMNS];
} schema_block;

typedef struct batch_block {
    block head;
    tfp_arrow_table table;
    const void *no_buffers[1]; /* which rows there are: all */
    struct ArrowArray columns[TFP_ARROW_COLUMNS];
    struct ArrowArray texts[TFP_ARROW_COLUMNS]; /* of `columns` */
    struct ArrowArray *children[TFP_ARROW_COLUMNS];
} batch_block;

typedef struct stream_block {
    block head;
    bool is_at_end;
    const char *complaint; /* about the last call, or NULL */
} stream_block;

/* ---- Blocks ------------------------------------------------------------- */

/* The memory of an answer counts without a lock, and blocks come and go in any
 * thread: they count apart. They are small, so the limit is not for them. */
static tfp_memory memory_of(const tfp_kept *kept)
{
    tfp_memory memory;
    tfp_memory_init(&memory, kept->memory.resize, kept->memory.context);
    return memory;
}

/* With one struct that holds it. NULL when out of memory. */
static void *block_new(const tfp_kept *kept, size_t size)
{
    tfp_memory memory = memory_of(kept);
    block *b = tfp_memory_alloc(&memory, size);
    if (!b)
        return NULL;
    b->kept = tfp_kept_hold(kept);
    b->size = size;
    atomic_init(&b->holders, 1);
    return b;
}

static void *block_hold(block *b)
{
    atomic_fetch_add(&b->holders, 1);
    return b;
}

static void block_drop(block *b)
{
    tfp_kept *kept = b->kept;
    tfp_memory memory = memory_of(kept);
    if (atomic_fetch_sub(&b->holders, 1) > 1)
        return;
    tfp_memory_free(&memory, b);
    tfp_kept_drop(kept);
}

/* ---- Labels ------------------------------------------------------------- */

int tfp_kept_label(tfp_kept *kept, const tfp_words *words, size_t rows,
                   tfprof_error *err)
{
    if (words->count == 0)
        return TFPROF_OK;
    kept->zeros = tfp_memory_zarray(&kept->memory, rows + 1,
                                    sizeof(*kept->zeros));
    kept->words = *words;
    kept->words.data = tfp_memory_alloc(&kept->memory, words->size);
    if (!kept->zeros || !kept->words.data)
        return tfp_fail_nomem(err);
    memcpy(kept->words.data, words->data, words->size);
    tfp_labels_read(&kept->words, &kept->labels);
    return TFPROF_OK;
}

static void describe(const tfp_kept *kept, tfp_arrow_table *table)
{
    kept->describe(kept, table);
    tfp_arrow_add_labels(table, &kept->labels, kept->zeros);
}

/* ---- Schemas ------------------------------------------------------------ */

/* A child that the consumer has moved elsewhere has no release callback any
 * more. `s` may be part of the block, so it is not accessed after
 * block_drop(). */
static void schema_release(struct ArrowSchema *s)
{
    block *b = s->private_data;
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release)
            s->children[i]->release(s->children[i]);
    }
    if (s->dictionary && s->dictionary->release)
        s->dictionary->release(s->dictionary);
    s->release = NULL;
    block_drop(b);
}

static void fill_texts_schema(schema_block *b, struct ArrowSchema *s)
{
    *s = (struct ArrowSchema){ .format = TFP_ARROW_TEXT,
                               .name = "",
                               .release = schema_release,
                               .private_data = block_hold(&b->head) };
}

static void fill_column_schema(schema_block *b, size_t i)
{
    const tfp_arrow_column *c = &b->table.columns[i];
    struct ArrowSchema *s = &b->columns[i];
    *s = (struct ArrowSchema){
        .format = c->format,
        .name = c->name,
        .metadata = c->metadata.size > 0 ? c->metadata.bytes : NULL,
        .flags = c->is_optional ? ARROW_FLAG_NULLABLE : 0,
        .release = schema_release,
        .private_data = block_hold(&b->head),
    };
    if (c->text_count > 0) {
        s->dictionary = &b->texts[i];
        fill_texts_schema(b, s->dictionary);
    }
    b->children[i] = s;
}

static bool schema_make(const tfp_kept *kept, struct ArrowSchema *out)
{
    schema_block *b = block_new(kept, sizeof(*b));
    if (!b)
        return false;
    describe(kept, &b->table);
    for (size_t i = 0; i < b->table.count; i++)
        fill_column_schema(b, i);
    *out = (struct ArrowSchema){
        .format = "+s",
        .name = "",
        .metadata = b->table.metadata.bytes,
        .n_children = (int64_t)b->table.count,
        .children = b->children,
        .release = schema_release,
        .private_data = b,
    };
    return true;
}

/* ---- Batches ------------------------------------------------------------ */

static void array_release(struct ArrowArray *a)
{
    block *b = a->private_data;
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i]->release)
            a->children[i]->release(a->children[i]);
    }
    if (a->dictionary && a->dictionary->release)
        a->dictionary->release(a->dictionary);
    a->release = NULL;
    block_drop(b);
}

static void fill_texts(batch_block *b, struct ArrowArray *a,
                       tfp_arrow_column *c)
{
    *a = (struct ArrowArray){ .length = (int64_t)c->text_count,
                              .n_buffers = TFP_ARROW_BUFFERS,
                              .buffers = c->texts,
                              .release = array_release,
                              .private_data = block_hold(&b->head) };
}

static void fill_column(batch_block *b, size_t i)
{
    tfp_arrow_column *c = &b->table.columns[i];
    struct ArrowArray *a = &b->columns[i];
    *a = (struct ArrowArray){ .length = (int64_t)b->table.row_count,
                              .null_count = c->null_count,
                              .n_buffers = c->buffer_count,
                              .buffers = c->buffers,
                              .release = array_release,
                              .private_data = block_hold(&b->head) };
    if (c->text_count > 0) {
        a->dictionary = &b->texts[i];
        fill_texts(b, a->dictionary, c);
    }
    b->children[i] = a;
}

static bool batch_make(const tfp_kept *kept, struct ArrowArray *out)
{
    batch_block *b = block_new(kept, sizeof(*b));
    if (!b)
        return false;
    describe(kept, &b->table);
    b->no_buffers[0] = NULL;
    for (size_t i = 0; i < b->table.count; i++)
        fill_column(b, i);
    *out = (struct ArrowArray){ .length = (int64_t)b->table.row_count,
                                .n_buffers = 1,
                                .n_children = (int64_t)b->table.count,
                                .buffers = b->no_buffers,
                                .children = b->children,
                                .release = array_release,
                                .private_data = b };
    return true;
}

/* ---- Streams ------------------------------------------------------------ */

static int answer(stream_block *s, bool is_made)
{
    s->complaint = is_made ? NULL : "out of memory";
    return is_made ? 0 : ENOMEM;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_block *s = stream->private_data;
    return answer(s, schema_make(s->head.kept, out));
}

/* All rows at once, since they lie behind each other: a table of several
 * batches would be put together again by most readers, and copied for that. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_block *s = stream->private_data;
    bool is_made = true;
    if (s->is_at_end)
        *out = (struct ArrowArray){ .release = NULL };
    else
        s->is_at_end = is_made = batch_make(s->head.kept, out);
    return answer(s, is_made);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((const stream_block *)stream->private_data)->complaint;
}

static void stream_release(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    block_drop(stream->private_data);
}

int tfp_kept_export(const tfp_kept *kept, struct ArrowArrayStream *stream,
                    tfprof_error *err)
{
    stream_block *s;
    int status = tfp_check_given(stream, "stream", err);
    if (status != TFPROF_OK)
        return status;
    s = block_new(kept, sizeof(*s));
    if (!s)
        return tfp_fail_nomem(err);
    s->is_at_end = false;
    s->complaint = NULL;
    *stream = (struct ArrowArrayStream){ .get_schema = get_schema,
                                         .get_next = get_next,
                                         .get_last_error = get_last_error,
                                         .release = stream_release,
                                         .private_data = s };
    return TFPROF_OK;
}
