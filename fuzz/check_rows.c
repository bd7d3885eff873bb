/*
 * check_rows.c - a view that a caller keeps, and what Arrow has of it.
 */
#include "check_rows.h"

#include <tfprof/arrow.h>

#include "asking.h"
#include "base/utf8.h"
#include "target.h"

/* Offsets go up, and each text is UTF-8 by itself. */
static void check_texts(const struct ArrowArray *a)
{
    const int64_t *starts = a->buffers[1];
    const uint8_t *bytes = a->buffers[2];
    FUZZ_CHECK(a->n_buffers == 3 && starts[0] == 0);
    for (int64_t i = 0; i < a->length; i++) {
        size_t size = (size_t)(starts[i + 1] - starts[i]);
        FUZZ_CHECK(starts[i] <= starts[i + 1]);
        FUZZ_CHECK(tfp_utf8_run((tfp_span){ bytes + starts[i], size }) == size);
    }
}

static void check_parents(const struct ArrowArray *a)
{
    const uint8_t *bits = a->buffers[0];
    const uint32_t *parents = a->buffers[1];
    int64_t nulls = 0;
    for (int64_t i = 0; i < a->length; i++) {
        bool has_parent = bits[i / 8] >> i % 8 & 1;
        nulls += !has_parent;
        FUZZ_CHECK(!has_parent || parents[i] < i);
    }
    FUZZ_CHECK(nulls == a->null_count);
}

/* Only times are no whole numbers, and no time is below none. */
static void check_time(double micros)
{
    FUZZ_CHECK(micros >= 0 && micros <= (double)INT64_MAX);
}

/* Every value is read, so that a sanitizer sees a buffer that is too short. */
static void check_column(const struct ArrowSchema *s,
                         const struct ArrowArray *a)
{
    static volatile int64_t sink;
    for (int64_t i = 0; i < a->length; i++) {
        switch (s->format[0]) {
        case 'l': sink = ((const int64_t *)a->buffers[1])[i]; break;
        case 'i': sink = ((const int32_t *)a->buffers[1])[i]; break;
        case 'I': sink = ((const uint32_t *)a->buffers[1])[i]; break;
        case 'b': sink = ((const uint8_t *)a->buffers[1])[i / 8]; break;
        case 'g': check_time(((const double *)a->buffers[1])[i]); break;
        default: FUZZ_CHECK(s->format[0] == 'U'); break;
        }
        if (a->dictionary)
            FUZZ_CHECK(sink >= 0 && sink < a->dictionary->length);
    }
    if (s->format[0] == 'U')
        check_texts(a);
    if (a->dictionary)
        check_texts(a->dictionary);
    if (s->flags & ARROW_FLAG_NULLABLE)
        check_parents(a);
}

/* Each column is moved out and released alone; the table goes halfway. */
static void check_table(struct ArrowSchema *schema, struct ArrowArray *table)
{
    struct ArrowArray moved = { .release = NULL };
    FUZZ_CHECK(schema->n_children == table->n_children);
    for (int64_t i = 0; i < table->n_children; i++) {
        FUZZ_CHECK(table->children[i]->length == table->length);
        check_column(schema->children[i], table->children[i]);
    }
    moved = *table->children[0];
    table->children[0]->release = NULL;
    table->release(table);
    check_column(schema->children[0], &moved);
    moved.release(&moved);
    schema->release(schema);
}

void fuzz_check_rows(tfprof_profile *profile, const char *name, int status)
{
    tfprof_view *view;
    tfprof_error err = { 0 };
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray table;
    int found = tfprof_profile_view(profile, name, &view, &err);
    fuzz_check_status(found, &err);
    FUZZ_CHECK(found == status || found == TFPROF_ERR_LIMIT);
    if (found != TFPROF_OK)
        return;
    FUZZ_CHECK(tfprof_view_export_arrow(view, &stream, NULL) == TFPROF_OK);
    FUZZ_CHECK(stream.get_schema(&stream, &schema) == 0);
    tfprof_view_free(view);
    FUZZ_CHECK(stream.get_next(&stream, &table) == 0);
    stream.release(&stream);
    check_table(&schema, &table);
}
