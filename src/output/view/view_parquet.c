/*
 * view_parquet.c - a view as a Parquet file, with the columns of CSV.
 *
 * Rows are copied into columns one row group at a time, so that memory does not
 * grow with the number of rows.
 */
#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/arrow/arrow.h"
#include "output/parquet/parquet.h"
#include "output/view/rows.h"
#include "output/view/rows_arrow.h"
#include "output/view/view.h"

typedef struct writer {
    const tfp_view *view;
    tfp_memory *memory;
    tfp_sink *sink;
    tfp_labels labels;
    tfp_arrow_table table;
    tfp_parquet *file;
} writer;

/* Adds rows from `*first` on and moves it behind them. */
static int add_group(writer *w, size_t *first, size_t most, tfprof_error *err)
{
    tfp_rows rows;
    int status = tfp_rows_init_part(&rows, w->memory, w->view, *first, most,
                                    w->sink, err);
    *first += rows.count;
    if (status == TFPROF_OK) {
        tfp_rows_describe_part(&rows, &w->table);
        tfp_arrow_add_labels(&w->table, &w->labels, NULL);
        status = tfp_parquet_add(w->file, &w->table, err);
    }
    tfp_rows_release(&rows);
    return status;
}

/* The file of a view without rows has columns, too. */
static int add_groups(writer *w, tfprof_error *err)
{
    size_t rows = tfp_rows_of(w->view), first = 0;
    int status;
    do {
        size_t left = rows - first;
        status = add_group(w, &first,
                           left < TFP_PARQUET_GROUP ? left : TFP_PARQUET_GROUP,
                           err);
    } while (status == TFPROF_OK && first < rows);
    return status;
}

int tfp_view_write_parquet(const tfp_view *v, tfp_memory *memory,
                           tfp_sink *sink, tfprof_error *err)
{
    writer *w = tfp_memory_alloc(memory,
                                 sizeof(*w)); /* too large for a stack */
    int status;
    if (!w)
        return tfp_fail_nomem(err);
    w->view = v;
    w->memory = memory;
    w->sink = sink;
    tfp_labels_read(&v->options->label, &w->labels);
    w->file = tfp_parquet_new(memory, sink);
    status = w->file ? add_groups(w, err) : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = tfp_parquet_end(w->file, err);
    tfp_parquet_free(w->file);
    tfp_memory_free(memory, w);
    if (status == TFPROF_OK && v->values && v->values->stopped) {
        if (err)
            *err = v->values->why;
        return v->values->status;
    }
    return status;
}
