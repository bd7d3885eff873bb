/*
 * flops.c - what a model costs, in the form that was asked for.
 */
#include "output/flops/flops.h"

#include "options/labels.h"

const tfp_flops_list *tfp_flops_list_of(const tfp_flops_answer *a)
{
    return a->list == TFP_LIST_SUMMARY ? &tfp_flops_metrics
                                       : &tfp_flops_lists[a->list];
}

static int check_list(const tfp_flops_answer *a, const tfp_flops_list *list,
                      tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < list->count; i++)
        status = tfp_labels_check_column(a->labels, list->columns[i].name, err);
    return status;
}

/* A summary as JSON has three lists, which have the labels. */
int tfp_flops_check_labels(const tfp_flops_answer *a, tfprof_error *err)
{
    int status;
    if (a->is_parquet || a->list != TFP_LIST_SUMMARY ||
        a->format != TFP_FORMAT_JSON)
        return check_list(a, tfp_flops_list_of(a), err);
    status = check_list(a, &tfp_flops_lists[TFP_LIST_TYPES], err);
    if (status == TFPROF_OK)
        status = check_list(a, &tfp_flops_lists[TFP_LIST_LAYERS], err);
    if (status == TFPROF_OK)
        status = check_list(a, &tfp_flops_lists[TFP_LIST_UNCOUNTED], err);
    return status;
}

static void write_list(const tfp_flops_answer *a, tfp_sink *sink,
                       tfp_flops_scratch *scratch)
{
    const tfp_flops_list *list = tfp_flops_list_of(a);
    bool is_csv = a->format == TFP_FORMAT_CSV;
    tfp_columns columns;
    tfp_columns_init_labels(
        &columns, sink, NULL, is_csv ? TFP_COLUMNS_CSV : TFP_COLUMNS_TEXT,
        list->columns, list->count, is_csv ? a->labels : NULL);
    columns.style = a->style;
    tfp_flops_put_list(a, list, &columns, scratch, SIZE_MAX);
}

int tfp_flops_write(const tfp_flops_answer *a, tfp_sink *sink,
                    tfprof_error *err)
{
    tfp_flops_scratch scratch = { 0 };
    bool failed;
    int status = TFPROF_OK;
    tfp_node_names_init(&scratch.names, a->report->shapes, a->memory);
    if (a->is_parquet)
        status = tfp_flops_write_parquet(a, sink, &scratch, err);
    else if (a->format == TFP_FORMAT_JSON)
        tfp_flops_write_json(a, sink, &scratch);
    else if (a->list != TFP_LIST_SUMMARY || a->format == TFP_FORMAT_CSV)
        write_list(a, sink, &scratch);
    else
        tfp_flops_write_text(a, sink, &scratch);
    failed = scratch.names.failed || a->report->shapes->failed;
    tfp_node_names_release(&scratch.names);
    TFP_VEC_RELEASE(a->memory, &scratch.text);
    return failed && status == TFPROF_OK ? tfp_fail_nomem(err) : status;
}
