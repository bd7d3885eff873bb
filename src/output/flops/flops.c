/*
 * flops.c - what a model costs, in the form that was asked for.
 */
#include "output/flops/flops.h"

static void write_list(const tfp_flops_answer *a, tfp_sink *sink,
                       tfp_flops_scratch *scratch)
{
    const tfp_flops_list *list = &tfp_flops_lists[a->list];
    tfp_columns columns;
    tfp_columns_init(&columns, sink, NULL,
                     a->format == TFP_FORMAT_CSV ? TFP_COLUMNS_CSV
                                                 : TFP_COLUMNS_TEXT,
                     list->columns, list->count);
    columns.style = a->style;
    tfp_flops_put_list(a, list, &columns, scratch, SIZE_MAX);
}

int tfp_flops_write(const tfp_flops_answer *a, tfp_sink *sink,
                    tfprof_error *err)
{
    tfp_flops_scratch scratch = { 0 };
    bool failed;
    tfp_node_names_init(&scratch.names, a->report->shapes, a->memory);
    if (a->format == TFP_FORMAT_JSON)
        tfp_flops_write_json(a, sink, &scratch);
    else if (a->list != TFP_LIST_SUMMARY)
        write_list(a, sink, &scratch);
    else if (a->format == TFP_FORMAT_CSV)
        tfp_flops_write_csv(a, sink);
    else
        tfp_flops_write_text(a, sink, &scratch);
    failed = scratch.names.failed || a->report->shapes->failed;
    tfp_node_names_release(&scratch.names);
    TFP_VEC_RELEASE(a->memory, &scratch.text);
    return failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
