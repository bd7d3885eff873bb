/*
 * arrow_test.c - a view read through Arrow's C interface, by hand.
 *
 * Each column is held against the functions that give rows one by one, and
 * what was exported is moved about and released in all sorts of orders, after
 * the profile and the view are gone.
 */

#include <errno.h>
#include <pthread.h>

#include <tfprof/arrow.h>

#include "base/bytes.h"
#include "sample_messages.h"

#include "profiling.h"

#define EVERYTHING                                                             \
    "bytes,peak_bytes,residual_bytes,output_bytes,micros,accelerator_micros,"  \
    "cpu_micros,params,float_ops,occurrence,device,op_types,input_shapes,"     \
    "num_hidden_ops"

/* ---- Views -------------------------------------------------------------- */

/* Names with a NUL, with bytes that are no UTF-8, with two bytes a letter. */
static void put_odd_names(wire_bytes *graph)
{
    static const char *const names[] = { "odd/a\0b", "odd/\xff\xc3(",
                                         "odd/\xc3\xa9t\xc3\xa9" };
    static const size_t sizes[] = { 7, 7, 9 };
    for (int i = 0; i < 3; i++) {
        size_t node = wire_open(graph, 1);
        wire_field(graph, 1, names[i], sizes[i]);
        wire_text(graph, 2, "NoOp");
        wire_close(graph, node);
    }
}

static void load(void)
{
    wire_bytes graph = { 0 }, run = { 0 }, log = { 0 };
    sample_graph(&graph);
    put_odd_names(&graph);
    sample_run_metadata(&run);
    sample_log(&log);
    add("graph_path", &graph);
    add("run_meta_path", &run);
    add("op_log_path", &log);
    set("select", EVERYTHING);
    set("max_depth", "1000");
}

PROFILE_FIXTURE(load)

static tfprof_view *view_of(const char *type)
{
    tfprof_view *view;
    tfprof_error err;
    must(tfprof_profile_view(p, type, &view, &err), &err);
    return view;
}

/* A view whose profile is gone. */
static tfprof_view *lone_view(const char *type)
{
    tfprof_view *view = view_of(type);
    free_profile();
    return view;
}

/* ---- Tables ------------------------------------------------------------- */

typedef struct table {
    struct ArrowSchema schema;
    struct ArrowArray array;
} table;

static table read_table(struct ArrowArrayStream *stream)
{
    table t;
    assert_int_equal(stream->get_schema(stream, &t.schema), 0);
    assert_int_equal(stream->get_next(stream, &t.array), 0);
    assert_null(stream->get_last_error(stream));
    return t;
}

static table export_table(const tfprof_view *view)
{
    struct ArrowArrayStream stream;
    table t;
    assert_int_equal(tfprof_view_export_arrow(view, &stream, NULL), 0);
    t = read_table(&stream);
    stream.release(&stream);
    assert_null(stream.release);
    return t;
}

static void table_release(table *t)
{
    t->schema.release(&t->schema);
    t->array.release(&t->array);
    assert_null(t->schema.release);
    assert_null(t->array.release);
}

/* The column of that name; there must be one. */
static int64_t column_at(const table *t, const char *name)
{
    int64_t i = 0;
    while (i < t->schema.n_children &&
           strcmp(t->schema.children[i]->name, name) != 0)
        i++;
    if (i == t->schema.n_children)
        fail_msg("there is no column %s", name);
    return i;
}

static bool bit_at(const void *bits, int64_t at)
{
    return ((const uint8_t *)bits)[at / 8] >> at % 8 & 1;
}

static tfp_span text_at(const struct ArrowArray *a, int64_t at)
{
    const int64_t *starts = a->buffers[1];
    const uint8_t *bytes = a->buffers[2];
    assert_int_equal(a->n_buffers, 3);
    assert_in_range(at, 0, a->length - 1);
    return (tfp_span){ bytes + starts[at],
                       (size_t)(starts[at + 1] - starts[at]) };
}

static int64_t number_at(const struct ArrowArray *a, const char *format,
                         int64_t at)
{
    switch (format[0]) {
    case 'l': return ((const int64_t *)a->buffers[1])[at];
    case 'i': return ((const int32_t *)a->buffers[1])[at];
    case 'I': return ((const uint32_t *)a->buffers[1])[at];
    case 'b': return bit_at(a->buffers[1], at);
    default: fail_msg("format %s", format); return 0;
    }
}

static void check_text(tfp_span found, tfprof_text text)
{
    assert_int_equal(found.size, text.size);
    assert_memory_equal(found.data, text.data, text.size);
}

/* ---- Against the rows --------------------------------------------------- */

static void check_number(const table *t, const char *name, int64_t row,
                         int64_t value)
{
    int64_t i = column_at(t, name);
    assert_int_equal(
        number_at(t->array.children[i], t->schema.children[i]->format, row),
        value);
}

static void check_parent(const table *t, int64_t at, size_t parent)
{
    int64_t i = column_at(t, "parent");
    const struct ArrowArray *a = t->array.children[i];
    assert_int_equal(t->schema.children[i]->flags, ARROW_FLAG_NULLABLE);
    assert_int_equal(bit_at(a->buffers[0], at), parent != TFPROF_NO_ROW);
    if (parent != TFPROF_NO_ROW)
        check_number(t, "parent", at, (int64_t)parent);
}

static void check_metrics(const table *t, const tfprof_view *view, size_t at)
{
    char total[64];
    for (int i = 0; tfprof_metric_name((tfprof_metric)i); i++) {
        tfprof_metric metric = (tfprof_metric)i;
        const char *name = tfprof_metric_name(metric);
        if (!tfprof_view_has(view, metric))
            continue;
        snprintf(total, sizeof(total), "total_%s", name);
        check_number(t, name, (int64_t)at, tfprof_view_self(view, at, metric));
        check_number(t, total, (int64_t)at,
                     tfprof_view_total(view, at, metric));
    }
}

static void check_facts(const table *t, const tfprof_view *view, size_t at)
{
    for (int i = 0; tfprof_fact_name((tfprof_fact)i); i++) {
        tfprof_fact fact = (tfprof_fact)i;
        const struct ArrowArray *a;
        if (!tfprof_view_tells(view, fact))
            continue;
        a = t->array.children[column_at(t, tfprof_fact_name(fact))];
        check_text(text_at(a->dictionary, number_at(a, "i", (int64_t)at)),
                   tfprof_view_fact(view, at, fact));
    }
}

static void check_row(const table *t, const tfprof_view *view, size_t at)
{
    int64_t i = (int64_t)at;
    tfprof_row row;
    assert_ok(tfprof_view_row(view, at, &row));
    check_text(text_at(t->array.children[column_at(t, "name")], i), row.name);
    check_parent(t, i, row.parent);
    check_number(t, "end", i, (int64_t)row.end);
    check_number(t, "depth", i, row.depth);
    check_number(t, "nodes", i, row.nodes);
    check_number(t, "accounted", i, row.is_accounted);
    check_number(t, "num_hidden_ops", i, row.hidden);
    check_metrics(t, view, at);
    check_facts(t, view, at);
}

static void check_form(const table *t, size_t rows)
{
    assert_string_equal(t->schema.format, "+s");
    assert_int_equal(t->schema.n_children, t->array.n_children);
    assert_int_equal(t->array.length, rows);
    assert_int_equal(t->array.n_buffers, 1);
    assert_null(t->array.buffers[0]);
    for (int64_t i = 0; i < t->schema.n_children; i++) {
        const struct ArrowSchema *s = t->schema.children[i];
        const struct ArrowArray *a = t->array.children[i];
        assert_int_equal(a->length, rows);
        assert_int_equal(a->offset, 0);
        assert_int_equal(a->n_buffers, s->format[0] == 'U' ? 3 : 2);
        for (int64_t b = 1; b < a->n_buffers; b++)
            assert_non_null(a->buffers[b]);
        assert_true(a->buffers[0] || a->null_count == 0);
        assert_int_equal(s->dictionary != NULL, a->dictionary != NULL);
        if (s->dictionary)
            assert_string_equal(s->dictionary->format, "U");
    }
}

static void check_nulls(const table *t)
{
    const struct ArrowArray *a = t->array.children[column_at(t, "parent")];
    int64_t nulls = 0;
    for (int64_t i = 0; i < a->length; i++)
        nulls += !bit_at(a->buffers[0], i);
    assert_int_equal(a->null_count, nulls);
}

TEST(columns_are_what_rows_say)
{
    for (size_t i = 0; tfprof_view_type(i); i++) {
        tfprof_view *view = view_of(tfprof_view_type(i));
        size_t rows = tfprof_view_row_count(view);
        table t = export_table(view);
        assert_true(rows > 1);
        check_form(&t, rows);
        check_nulls(&t);
        for (size_t at = 0; at < rows; at++)
            check_row(&t, view, at);
        table_release(&t);
        tfprof_view_free(view);
    }
}

TEST(a_view_without_rows_has_columns)
{
    tfprof_view *view;
    table t;
    set("show_name_regexes", "no such");
    view = view_of("op");
    assert_int_equal(tfprof_view_row_count(view), 0);
    t = export_table(view);
    check_form(&t, 0);
    assert_int_equal(*(const int64_t *)t.array.children[0]->buffers[1], 0);
    table_release(&t);
    tfprof_view_free(view);
}

/* A pair in metadata: 1, size, key, size, value. */
static void check_metadata(const char *metadata, const char *key,
                           const char *value)
{
    const char *const texts[] = { key, value };
    int32_t number;
    memcpy(&number, metadata, sizeof(number));
    assert_int_equal(number, 1);
    metadata += sizeof(number);
    for (int i = 0; i < 2; i++) {
        memcpy(&number, metadata, sizeof(number));
        assert_int_equal(number, strlen(texts[i]));
        metadata += sizeof(number);
        assert_memory_equal(metadata, texts[i], (size_t)number);
        metadata += number;
    }
}

TEST(metadata_have_view_and_units)
{
    tfprof_view *view = lone_view("code");
    table t = export_table(view);
    tfprof_view_free(view);
    check_metadata(t.schema.metadata, "view", "code");
    check_metadata(t.schema.children[column_at(&t, "micros")]->metadata, "unit",
                   "microseconds");
    check_metadata(t.schema.children[column_at(&t, "total_bytes")]->metadata,
                   "unit", "bytes");
    assert_null(t.schema.children[column_at(&t, "name")]->metadata);
    table_release(&t);
}

/* ---- Streams ------------------------------------------------------------ */

TEST(a_stream_has_one_batch_and_ends)
{
    tfprof_view *view = lone_view("scope");
    struct ArrowArrayStream stream, moved;
    struct ArrowArray end = { .length = 7 };
    struct ArrowSchema again;
    table t;
    assert_int_equal(tfprof_view_export_arrow(view, &stream, NULL), 0);
    tfprof_view_free(view);
    moved = stream;
    stream.release = NULL;
    t = read_table(&moved);
    for (int i = 0; i < 2; i++) {
        end.release = t.array.release;
        assert_int_equal(moved.get_next(&moved, &end), 0);
        assert_null(end.release);
    }
    assert_int_equal(moved.get_schema(&moved, &again), 0);
    again.release(&again);
    table_release(&t);
    moved.release(&moved);
}

TEST(a_stream_that_nobody_reads_is_given_back)
{
    tfprof_view *view = lone_view("graph");
    struct ArrowArrayStream streams[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(tfprof_view_export_arrow(view, &streams[i], NULL), 0);
    streams[0].release(&streams[0]);
    tfprof_view_free(view);
    assert_true(memory.blocks > 1);
    streams[1].release(&streams[1]);
}

TEST(what_is_no_view_or_no_stream_is_refused)
{
    tfprof_view *view = lone_view("op");
    struct ArrowArrayStream stream = { .private_data = &stream };
    tfprof_error err;
    assert_int_equal(tfprof_view_export_arrow(NULL, &stream, &err),
                     TFPROF_ERR_OPTION);
    assert_ptr_equal(stream.private_data, &stream);
    assert_int_equal(tfprof_view_export_arrow(view, NULL, &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "stream is NULL");
    tfprof_view_free(view);
}

/* ---- Release in any order ----------------------------------------------- */

static struct ArrowArray take_array(struct ArrowArray *from)
{
    struct ArrowArray moved = *from;
    from->release = NULL;
    return moved;
}

static struct ArrowSchema take_schema(struct ArrowSchema *from)
{
    struct ArrowSchema moved = *from;
    from->release = NULL;
    return moved;
}

/* A fact's column outlives all else, then only what its numbers mean. */
TEST(moved_columns_outlive_their_table)
{
    tfprof_view *view = lone_view("scope");
    table t = export_table(view);
    int64_t at = column_at(&t, "op_types");
    struct ArrowArray name = take_array(t.array.children[0]);
    struct ArrowArray fact = take_array(t.array.children[at]), texts;
    struct ArrowSchema field = take_schema(t.schema.children[at]), inner;
    tfprof_view_free(view);
    table_release(&t);
    assert_int_equal(text_at(&name, 0).size, strlen("_TFProfRoot"));
    name.release(&name);
    assert_string_equal(field.name, "op_types");
    inner = take_schema(field.dictionary);
    field.release(&field);
    assert_string_equal(inner.format, "U");
    inner.release(&inner);
    texts = take_array(fact.dictionary);
    fact.release(&fact);
    assert_true(texts.length > 1);
    assert_int_equal(text_at(&texts, 0).size, 0);
    assert_true(text_at(&texts, 1).size > 0);
    assert_true(memory.blocks > 0);
    texts.release(&texts);
    assert_null(texts.release);
}

/* Children first, without a move; then whoever holds them. */
TEST(columns_may_go_before_their_table)
{
    tfprof_view *view = lone_view("code");
    table t = export_table(view);
    for (int64_t i = 0; i < t.array.n_children; i += 2) {
        struct ArrowSchema *s = t.schema.children[i];
        struct ArrowArray *a = t.array.children[i];
        if (a->dictionary)
            a->dictionary->release(a->dictionary);
        s->release(s);
        a->release(a);
        assert_null(s->release);
        assert_null(a->release);
    }
    table_release(&t);
    assert_true(memory.blocks > 0);
    tfprof_view_free(view);
}

/* ---- No memory ---------------------------------------------------------- */

TEST(ME_01_each_allocation_of_a_kept_view_fails)
{
    tfprof_view *view = view_of("scope");
    size_t held, k = 0;
    int status = TFPROF_ERR_NOMEM;
    tfprof_view_free(view);
    held = memory.held;
    while (status != TFPROF_OK) {
        memory.calls = memory.refused = 0;
        memory.fail_at = ++k;
        status = tfprof_profile_view(p, "scope", &view, NULL);
        if (status != TFPROF_OK) {
            assert_int_equal(status, TFPROF_ERR_NOMEM);
            assert_null(view);
            assert_int_equal(memory.held, held);
        } else if (memory.refused > 0) { /* it could do without */
            tfprof_view_free(view);
            status = TFPROF_ERR_NOMEM;
        }
    }
    assert_true(k > 20);
    memory.fail_at = 0;
    tfprof_view_free(view);
}

TEST(ME_01_each_allocation_of_a_stream_fails)
{
    tfprof_view *view = lone_view("scope");
    struct ArrowArrayStream stream = { .private_data = &stream };
    struct ArrowSchema schema = { .name = "as it was" };
    struct ArrowArray array = { .length = 7 };
    tfprof_error err;
    memory.from_then_on = true;
    memory.fail_at = 1;
    assert_int_equal(tfprof_view_export_arrow(view, &stream, &err),
                     TFPROF_ERR_NOMEM);
    assert_ptr_equal(stream.private_data, &stream);
    memory.fail_at = 0;
    assert_int_equal(tfprof_view_export_arrow(view, &stream, &err), 0);
    tfprof_view_free(view);
    memory.fail_at = 1;
    assert_int_equal(stream.get_schema(&stream, &schema), ENOMEM);
    assert_string_equal(stream.get_last_error(&stream), "out of memory");
    assert_string_equal(schema.name, "as it was");
    assert_int_equal(stream.get_next(&stream, &array), ENOMEM);
    assert_string_equal(stream.get_last_error(&stream), "out of memory");
    assert_int_equal(array.length, 7);
    memory.fail_at = 0;
    assert_int_equal(stream.get_next(&stream, &array), 0); /* not at its end */
    assert_null(stream.get_last_error(&stream));
    assert_non_null(array.release);
    stream.release(&stream);
    array.release(&array);
}

/* ---- Threads ------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 200 };

typedef struct worker {
    const tfprof_view *view; /* to export from, all at a time */
    struct ArrowArray *columns;
    int64_t first, count; /* every THREADS-th column, from the first one */
} worker;

static void *work(void *context)
{
    const worker *w = context;
    for (int i = 0; i < ROUNDS; i++) {
        table t = export_table(w->view);
        table_release(&t);
    }
    for (int64_t i = w->first; i < w->count; i += THREADS)
        w->columns[i].release(&w->columns[i]);
    return NULL;
}

TEST(several_threads_export_and_release)
{
    tfprof_view *view;
    table t;
    struct ArrowArray columns[64];
    worker workers[THREADS];
    pthread_t threads[THREADS];
    free_profile();
    p = tfprof_profile_new(); /* counting.h is for one thread */
    load();
    view = lone_view("scope");
    t = export_table(view);
    assert_true(t.array.n_children <= 64);
    for (int64_t i = 0; i < t.array.n_children; i++)
        columns[i] = take_array(t.array.children[i]);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){ view, columns, i, t.array.n_children };
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]),
                         0);
    }
    table_release(&t);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    tfprof_view_free(view);
}
