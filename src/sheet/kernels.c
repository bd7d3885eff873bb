/*
 * kernels.c - the kernels of GPUs, those that took longest first.
 */
#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/gathered.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/traces.h"
#include "sheet/sheets.h"

#define TIME(name, title)                                                      \
    { name, title, TFP_SHEET_TIME, "us", TFP_FOR_ALL, false }

/* Names of kernels are long, so they stand behind the figures. */
static const tfp_sheet_column columns[] = {
    TIME("total_micros", "total"),
    { "count", "count", TFP_SHEET_NUMBER, "count", TFP_FOR_ALL, false },
    TIME("min_micros", "min"),
    TIME("max_micros", "max"),
    { "grid", "grid", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, false },
    { "block", "block", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, false },
    { "registers", "regs", TFP_SHEET_NUMBER, "count", TFP_FOR_ALL, false },
    { "shared_bytes", "", TFP_SHEET_BYTES, "bytes", TFP_FOR_PROGRAMS, false },
    { "occupancy_percent", "occ. %", TFP_SHEET_REAL, "percent", TFP_FOR_ALL,
      false },
    { "kernel", "kernel", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, true },
    { "op", "op", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, true },
    { "line", "line", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, true },
    { "launch_micros", "", TFP_SHEET_TIME, "us", TFP_FOR_PROGRAMS, false },
};

/* The innermost frame. */
static void put_line(tfp_sheet *sheet, const tfp_model *model, tfp_stack trace)
{
    tfp_stack below;
    const tfp_frame *frame;
    if (trace == 0) {
        tfp_sheet_put_null(sheet);
        return;
    }
    frame = tfp_stack_top(model, trace, &below);
    tfp_sheet_put_place(sheet, tfp_model_text(model, frame->file), frame->line);
}

static void put(tfp_sheet *sheet, const tfp_sheet_request *r,
                const tfp_kernel *kernel)
{
    const tfp_model *model = r->traces;
    tfp_sheet_put_number(sheet, kernel->total);
    tfp_sheet_put_number(sheet, kernel->count);
    tfp_sheet_put_number(sheet, kernel->least);
    tfp_sheet_put_number(sheet, kernel->most);
    tfp_sheet_put_text(sheet, tfp_model_text(model, kernel->grid));
    tfp_sheet_put_text(sheet, tfp_model_text(model, kernel->block));
    tfp_sheet_put_known(sheet, kernel->registers);
    tfp_sheet_put_number(sheet, kernel->shared_bytes);
    if (kernel->occupancy >= 0)
        tfp_sheet_put_real(sheet, kernel->occupancy);
    else
        tfp_sheet_put_null(sheet);
    tfp_sheet_put_text(sheet, tfp_model_text(model, kernel->name));
    tfp_sheet_put_text(sheet, tfp_model_text(model, kernel->node));
    put_line(sheet, model, kernel->trace);
    tfp_sheet_put_known(sheet, kernel->launch);
}

/* Kernels of one time by name and operation. What has the same name there is
 * launched otherwise, and differs in a figure. */
static int kernel_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_model *model = context;
    const tfp_kernel *x = &model->gathered.kernels.data[a];
    const tfp_kernel *y = &model->gathered.kernels.data[b];
    const tfp_string texts[][2] = { { x->name, y->name },
                                    { x->node, y->node },
                                    { x->grid, y->grid },
                                    { x->block, y->block } };
    const int64_t figures[][2] = { { x->count, y->count },
                                   { x->least, y->least },
                                   { x->most, y->most },
                                   { x->registers, y->registers },
                                   { x->shared_bytes, y->shared_bytes } };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int order = tfp_span_compare(tfp_model_text(model, texts[i][0]),
                                     tfp_model_text(model, texts[i][1]));
        if (order != 0)
            return order;
    }
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        if (figures[i][0] != figures[i][1])
            return figures[i][0] < figures[i][1] ? -1 : 1;
    }
    return 0;
}

int tfp_kernels_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                     tfprof_error *err)
{
    const tfp_gathered *g = &request->traces->gathered;
    size_t count = g->kernels.count;
    tfp_sort_item *items = tfp_memory_array(request->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_sheet_init(&sheets[0], request->memory, "kernels", columns,
                   sizeof(columns) / sizeof(columns[0]));
    if (!items)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(g->kernels.data[i].total), (uint32_t)i
        };
    tfp_sort(items, count, items + count, kernel_tie, request->traces);
    for (size_t i = 0; i < count && !tfp_watch_ends(request->watch); i++)
        put(&sheets[0], request, &g->kernels.data[items[i].index]);
    tfp_memory_free(request->memory, items);
    return tfp_sheet_status(request, sheets, 1, err);
}
