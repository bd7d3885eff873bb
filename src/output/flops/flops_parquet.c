/*
 * flops_parquet.c - a list as a Parquet file. The list is first put into a
 * sheet.
 */
#include <string.h>

#include "base/error.h"
#include "options/labels.h"
#include "output/flops/flops.h"
#include "output/sheet/sheet.h"
#include "output/text/columns.h"
#include "sheet/sheet.h"

/* The columns that programs see. */
static size_t make_columns(const tfp_flops_list *list,
                           tfp_sheet_column columns[TFP_SHEET_COLUMNS])
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const tfp_list_column *c = &list->columns[i];
        if (c->kind != TFP_CELL_SHARE)
            columns[count++] = (tfp_sheet_column){
                .name = c->name,
                .title = c->title,
                .kind = c->kind == TFP_CELL_NUMBER ? TFP_SHEET_NUMBER
                                                   : TFP_SHEET_TEXT,
                .unit = strcmp(c->name, "bytes") == 0 ? "bytes" : NULL,
            };
    }
    return count;
}

int tfp_flops_write_parquet(const tfp_flops_answer *a, tfp_sink *sink,
                            tfp_flops_scratch *scratch, tfprof_error *err)
{
    const tfp_flops_list *list = tfp_flops_list_of(a);
    tfp_sheet_column columns[TFP_SHEET_COLUMNS];
    tfp_columns c;
    tfp_sheet sheet;
    int status = TFPROF_OK;
    tfp_sheet_init(&sheet, a->memory, list->key, columns,
                   make_columns(list, columns));
    tfp_columns_init_sheet(&c, sink, &sheet, list->columns, list->count);
    tfp_flops_put_list(a, list, &c, scratch, SIZE_MAX);
    if (sheet.failed || scratch->names.failed)
        status = tfp_fail_nomem(err);
    else if (sink->failed)
        status = tfp_sink_fail(sink, err);
    if (status == TFPROF_OK)
        status = tfp_sheet_write_parquet(&sheet, a->labels, a->memory, sink,
                                         err);
    tfp_sheet_release(&sheet);
    return status;
}
