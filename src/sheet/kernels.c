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
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count && !tfp_watch_ends(request->watch); i++)
        put(&sheets[0], request, &g->kernels.data[items[i].index]);
    tfp_memory_free(request->memory, items);
    return tfp_sheet_status(request, sheets, 1, err);
}
