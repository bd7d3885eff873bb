/*
 * tables.c - an aggregate as four Parquet files in a folder.
 */
#include "output/aggregate/tables.h"

#include <inttypes.h>
#include <stdio.h>

#include <tfprof/version.h>

#include "base/intern.h"
#include "base/sort.h"
#include "output/arrow/arrow.h"
#include "output/parquet/parquet.h"
#include "output/sheet/sheet.h"
#include "output/sink/answer.h"
#include "sheet/sheet.h"
#include "view/tree.h"

/* clang-format off */
#define NUMBER(name, unit)                                                     \
    { name, name, TFP_SHEET_NUMBER, unit, TFP_FOR_ALL, false }
#define TEXT(name) { name, name, TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, false }

static const tfp_sheet_column row_columns[] = {
    NUMBER("row", NULL),
    TEXT("view"),
    TEXT("name"),
    TEXT("op_type"),
    TEXT("device"),
    TEXT("program"),
    NUMBER("depth", NULL),
    TEXT("kind"),
    NUMBER("count", "steps"),
    NUMBER("sum", "ns"),
    NUMBER("self_sum", "ns"),
    NUMBER("squares_hi", NULL),
    NUMBER("squares_lo", NULL),
    NUMBER("min", "ns"),
    NUMBER("max", "ns"),
    NUMBER("runs", "count"),
};

static const tfp_sheet_column histogram_columns[] = {
    NUMBER("row", NULL),
    NUMBER("bucket", NULL),
    NUMBER("count", "steps"),
};

static const tfp_sheet_column step_columns[] = {
    NUMBER("step", NULL),
    NUMBER("wall_ns", "ns"),
    NUMBER("device_ns", "ns"),
    NUMBER("busy_ns", "ns"),
    NUMBER("input_wait_ns", "ns"),
    NUMBER("compute_ns", "ns"),
    NUMBER("collective_ns", "ns"),
};

static const tfp_sheet_column header_columns[] = {
    NUMBER("schema", NULL),
    TEXT("graph"),
    TEXT("tfprof"),
    TEXT("producer"),
    TEXT("machine"),
    NUMBER("steps", "count"),
    NUMBER("first_step", NULL),
    NUMBER("last_step", NULL),
    NUMBER("rows", "count"),
    NUMBER("dropped", "count"),
    NUMBER("inputs", "count"),
    NUMBER("damaged", "count"),
    TEXT("problems"),
};
/* clang-format on */

/* ---- Rows --------------------------------------------------------------- */

static tfp_span text_of(const tfp_agg_rows *rows, uint32_t id)
{
    return tfp_interned(&rows->texts, id);
}

static void put_row(tfp_sheet *sheet, const tfp_agg_rows *rows,
                    const tfp_agg_row *row)
{
    const tfp_agg_key *key = &rows->keys.data[row->key];
    tfp_sheet_put_number(sheet, tfp_agg_rows_id(rows, row));
    tfp_sheet_put_text(sheet, tfp_span_of(tfp_agg_view_names[key->view]));
    tfp_sheet_put_text(sheet, text_of(rows, key->name));
    tfp_sheet_put_text(sheet, text_of(rows, key->op));
    tfp_sheet_put_text(sheet, text_of(rows, key->device));
    tfp_sheet_put_text(sheet, text_of(rows, key->program));
    tfp_sheet_put_number(sheet, key->depth);
    tfp_sheet_put_text(sheet, tfp_span_of(tfp_agg_kind_names[key->kind]));
    tfp_sheet_put_number(sheet, row->count);
    tfp_sheet_put_number(sheet, row->sum);
    tfp_sheet_put_number(sheet, row->self_sum);
    tfp_sheet_put_number(sheet, row->squares_hi);
    tfp_sheet_put_number(sheet, row->squares_lo);
    tfp_sheet_put_number(sheet, row->least);
    tfp_sheet_put_number(sheet, row->most);
    tfp_sheet_put_number(sheet, row->runs);
}

static int row_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_agg_rows *rows = context;
    const tfp_agg_key *x = &rows->keys.data[rows->rows.data[a].key];
    const tfp_agg_key *y = &rows->keys.data[rows->rows.data[b].key];
    int order = tfp_span_compare(text_of(rows, x->name),
                                 text_of(rows, y->name));
    if (order == 0)
        order = x->kind - y->kind;
    if (order == 0)
        order = tfp_span_compare(text_of(rows, x->op), text_of(rows, y->op));
    if (order == 0)
        order = tfp_span_compare(text_of(rows, x->device),
                                 text_of(rows, y->device));
    if (order == 0)
        order = tfp_span_compare(text_of(rows, x->program),
                                 text_of(rows, y->program));
    return order;
}

/* Sorts by view and name: names with the same prefix are adjacent, which makes
 * the file smaller. */
static uint64_t row_key(const tfp_agg_rows *rows, const tfp_agg_row *row)
{
    const tfp_agg_key *key = &rows->keys.data[row->key];
    tfp_span name = text_of(rows, key->name);
    return (uint64_t)key->view << 62 | tfp_text_key(name.data, name.size) >> 2;
}

static uint64_t id_key(const tfp_agg_rows *rows, const tfp_agg_row *row)
{
    return (uint64_t)tfp_agg_rows_id(rows, row);
}

/* All rows, sorted by a key, or NULL when out of memory. */
static tfp_sort_item *sort_rows(const tfp_agg_tables *t,
                                uint64_t (*key)(const tfp_agg_rows *rows,
                                                const tfp_agg_row *row))
{
    const tfp_agg_rows *rows = &t->aggregate->rows;
    size_t count = rows->rows.count;
    tfp_sort_item *items = tfp_memory_array(t->memory, 2 * count + 1,
                                            sizeof(*items));
    for (size_t i = 0; items && i < count; i++)
        items[i] = (tfp_sort_item){ key(rows, &rows->rows.data[i]),
                                    (uint32_t)i };
    if (items)
        tfp_sort(items, count, items + count, row_tie, rows);
    return items;
}

static bool fill_rows(const tfp_agg_tables *t, tfp_sheet *sheet)
{
    const tfp_agg_rows *rows = &t->aggregate->rows;
    tfp_sort_item *items = sort_rows(t, row_key);
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < rows->rows.count; i++)
        put_row(sheet, rows, &rows->rows.data[items[i].index]);
    tfp_memory_free(t->memory, items);
    return ok;
}

/* ---- Histogram ---------------------------------------------------------- */

static void put_histogram(tfp_sheet *sheet, int64_t row,
                          const tfp_agg_histogram *histogram)
{
    for (size_t i = 0; i < histogram->count; i++) {
        tfp_sheet_put_number(sheet, row);
        tfp_sheet_put_number(sheet, histogram->data[i].bucket);
        tfp_sheet_put_number(sheet, histogram->data[i].count);
    }
}

static bool fill_histogram(const tfp_agg_tables *t, tfp_sheet *sheet)
{
    const tfp_agg_rows *rows = &t->aggregate->rows;
    tfp_sort_item *items = sort_rows(t, id_key);
    bool ok = items != NULL;
    put_histogram(sheet, 0, &rows->walls);
    for (size_t i = 0; ok && i < rows->rows.count; i++) {
        const tfp_agg_row *row = &rows->rows.data[items[i].index];
        put_histogram(sheet, tfp_agg_rows_id(rows, row), &row->histogram);
    }
    tfp_memory_free(t->memory, items);
    return ok;
}

/* ---- Steps and header --------------------------------------------------- */

static bool fill_steps(const tfp_agg_tables *t, tfp_sheet *sheet)
{
    for (size_t i = 0; i < t->aggregate->steps.count; i++) {
        const tfp_agg_step *step = &t->aggregate->steps.data[i];
        tfp_sheet_put_number(sheet, step->number);
        tfp_sheet_put_number(sheet, step->wall);
        tfp_sheet_put_number(sheet, step->on_device);
        tfp_sheet_put_number(sheet, step->busy);
        tfp_sheet_put_number(sheet, step->waited);
        tfp_sheet_put_number(sheet, step->kinds[TFP_KIND_COMPUTE]);
        tfp_sheet_put_number(sheet, step->kinds[TFP_KIND_COLLECTIVE]);
    }
    return true;
}

static bool fill_header(const tfp_agg_tables *t, tfp_sheet *sheet)
{
    const tfp_aggregate *a = t->aggregate;
    int64_t first = -1, last = -1;
    char graph[17] = "";
    for (size_t i = 0; i < a->steps.count; i++) {
        int64_t number = a->steps.data[i].number;
        first = i == 0 || number < first ? number : first;
        last = i == 0 || number > last ? number : last;
    }
    if (a->has_graph)
        snprintf(graph, sizeof(graph), "%016" PRIx64, a->graph);
    tfp_sheet_put_number(sheet, TFP_AGG_SCHEMA);
    tfp_sheet_put_text(sheet, tfp_span_of(graph));
    tfp_sheet_put_text(sheet, tfp_span_of(TFPROF_VERSION));
    tfp_sheet_put_text(sheet, tfp_span_of(t->header->producer));
    tfp_sheet_put_text(sheet, tfp_span_of(t->header->machine));
    tfp_sheet_put_number(sheet, (int64_t)a->steps.count);
    tfp_sheet_put_number(sheet, first);
    tfp_sheet_put_number(sheet, last);
    tfp_sheet_put_number(sheet, (int64_t)a->rows.rows.count);
    tfp_sheet_put_number(sheet, a->rows.dropped);
    tfp_sheet_put_number(sheet, t->header->inputs);
    tfp_sheet_put_number(sheet, t->header->damaged);
    tfp_sheet_put_text(sheet, t->header->problems);
    return true;
}

/* ---- Files -------------------------------------------------------------- */

#define COLUMNS(columns) columns, sizeof(columns) / sizeof((columns)[0])

static const struct {
    const char *name;
    const tfp_sheet_column *columns;
    size_t count;
    bool (*fill)(const tfp_agg_tables *tables, tfp_sheet *sheet);
} files[] = {
    { "rows", COLUMNS(row_columns), fill_rows },
    { "histogram", COLUMNS(histogram_columns), fill_histogram },
    { "steps", COLUMNS(step_columns), fill_steps },
    { "header", COLUMNS(header_columns), fill_header },
};

const char *const tfp_agg_files[] = { "rows.parquet", "histogram.parquet",
                                      "steps.parquet", "header.parquet", NULL };

int tfp_agg_check_labels(const tfp_labels *labels, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        for (size_t k = 0; k < files[i].count && status == TFPROF_OK; k++)
            status = tfp_labels_check_column(labels, files[i].columns[k].name,
                                             err);
    }
    return status;
}

typedef struct table_subject {
    tfp_arrow_table table;
    tfp_memory *memory;
} table_subject;

static int write_table(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const table_subject *s = subject;
    return tfp_parquet_write(&s->table, s->memory, sink, err);
}

int tfp_agg_write(const tfp_agg_tables *t, size_t file, const char *path,
                  tfprof_error *err)
{
    tfp_sheet sheet;
    table_subject *subject = tfp_memory_alloc(t->memory, sizeof(*subject));
    tfp_answer answer = { .write = write_table,
                          .subject = subject,
                          .memory = t->memory,
                          .cancel = t->cancel };
    int status = TFPROF_OK;
    tfp_sheet_init(&sheet, t->memory, files[file].name, files[file].columns,
                   files[file].count);
    sheet.is_required = true;
    if (!subject || !files[file].fill(t, &sheet) || sheet.failed)
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK) {
        subject->memory = t->memory;
        tfp_sheet_describe(&sheet, &subject->table);
        tfp_arrow_add_labels(&subject->table, t->labels, NULL);
        status = tfp_answer_save(&answer, path, err);
    }
    tfp_sheet_release(&sheet);
    tfp_memory_free(t->memory, subject);
    return status;
}
