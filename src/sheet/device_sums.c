/*
 * device_sums.c - what each device did in all steps together.
 */
#include "sheet/device_sums.h"

#include <stddef.h>

#include "base/sort.h"
#include "model/model.h"
#include "model/run_uses.h"

/* trace/spans.c added these up. */
static bool add_traces(tfp_device_sums *sums, const tfp_sheet_request *r)
{
    const tfp_gathered *g = &r->traces->gathered;
    for (size_t i = 0; i < g->devices.count; i++) {
        const tfp_device_use *use = &g->devices.data[i];
        tfp_device_sum sum = { .use = use,
                               .name = tfp_model_text(r->traces, use->device),
                               .runs = use->runs,
                               .steps = use->steps,
                               .busy = use->busy_in_steps,
                               .idle = use->idle_in_steps };
        if (!TFP_VEC_PUSH(r->memory, sums, sum))
            return false;
    }
    return true;
}

/* How long the steps lasted, and how many there are. The uses stand by step. */
static int64_t find_window(const tfp_model *model, const tfp_run_uses *uses,
                           int64_t *steps)
{
    int64_t window = 0;
    *steps = 0;
    for (size_t i = 0; i < uses->count; i++) {
        uint32_t step = uses->data[i].step;
        if (i > 0 && uses->data[i - 1].step == step)
            continue;
        window = tfp_add_sat(window, tfp_run_wall(&model->steps.data[step]));
        ++*steps;
    }
    return window;
}

static bool add_uses(tfp_device_sums *sums, const tfp_sheet_request *r,
                     const tfp_run_uses *uses, tfp_sort_item *items)
{
    int64_t steps, window = find_window(r->model, uses, &steps);
    tfp_device_sum *sum = NULL;
    for (size_t i = 0; i < uses->count; i++)
        items[i] = (tfp_sort_item){ uses->data[i].device, (uint32_t)i };
    tfp_sort(items, uses->count, items + uses->count, NULL, NULL);
    for (size_t i = 0; i < uses->count; i++) {
        const tfp_run_use *use = &uses->data[items[i].index];
        if (i == 0 || items[i - 1].key != items[i].key) {
            if (!TFP_VEC_PUSH(r->memory, sums, (tfp_device_sum){ 0 }))
                return false;
            sum = &sums->data[sums->count - 1];
            sum->name = tfp_model_text(r->model, use->device);
            sum->steps = steps;
        }
        sum->runs = tfp_add_sat(sum->runs, use->runs);
        sum->busy = tfp_add_sat(sum->busy, use->busy);
        sum->idle = tfp_sub_sat(window, sum->busy);
    }
    return true;
}

bool tfp_device_sums_find(tfp_device_sums *sums, const tfp_sheet_request *r)
{
    tfp_run_uses uses = { 0 };
    tfp_sort_item *items = NULL;
    bool ok = add_traces(sums, r) &&
              tfp_run_uses_find(&uses, r->model, r->memory, r->watch);
    if (ok)
        items = tfp_memory_array(r->memory, 2 * uses.count + 1, sizeof(*items));
    ok = items && add_uses(sums, r, &uses, items);
    tfp_memory_free(r->memory, items);
    TFP_VEC_RELEASE(r->memory, &uses);
    return ok;
}
