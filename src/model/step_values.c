/*
 * step_values.c - the metrics of each step as a whole.
 */
#include "model/step_values.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "model/gathered.h"
#include "model/inputs.h"
#include "model/run_uses.h"
#include "model/steps.h"
#include "model/times.h"

/* By step. */
typedef struct sums {
    int64_t busy, devices;
    bool is_of_profile;
} sums;

typedef struct finder {
    const tfp_model *model;
    tfp_memory *memory;
    tfp_watch *watch;
    tfp_step_values *values;
    sums *sums;
} finder;

static void lengthen(int64_t *longest, int64_t time)
{
    if (time > *longest)
        *longest = time;
}

static void add_busy(sums *to, int64_t busy)
{
    to->busy = tfp_add_sat(to->busy, busy);
    to->devices++;
}

/* ---- Traces ------------------------------------------------------------- */

/* A trace without steps says nothing about the length of one. */
static size_t index_of(const finder *f, const tfp_step_time *time)
{
    const tfp_model *model = f->model;
    const tfp_step *step = tfp_model_find_step(model, time->number);
    if (!step || time->is_rest ||
        !model->inputs.data[time->input].trace.has_steps)
        return SIZE_MAX;
    return (size_t)(step - model->steps.data);
}

/* A step whose host has no marker lasts as long as on the device where it
 * lasts longest. */
static void take_traces(finder *f)
{
    const tfp_gathered *g = &f->model->gathered;
    for (size_t i = 0; i < g->steps.count; i++) {
        const tfp_step_time *time = &g->steps.data[i];
        size_t at = index_of(f, time);
        if (at == SIZE_MAX)
            continue;
        lengthen(&f->values[at].of[TFP_STEP_WALL], time->wall);
        lengthen(&f->values[at].of[TFP_STEP_WAIT], time->waited);
    }
    for (size_t i = 0; i < g->step_devices.count; i++) {
        const tfp_step_device *on = &g->step_devices.data[i];
        const tfp_step_time *time = &g->steps.data[on->step];
        size_t at = index_of(f, time);
        if (at == SIZE_MAX)
            continue;
        lengthen(&f->values[at].of[TFP_STEP_WALL], tfp_step_whole(time, on));
        add_busy(&f->sums[at], on->busy);
    }
}

/* ---- Run records -------------------------------------------------------- */

static void find_profiles(finder *f)
{
    const tfp_model *model = f->model;
    for (size_t i = 0; i < model->devices.count; i++) {
        const tfp_device *device = &model->devices.data[i];
        if (device->kind == TFP_EXEC_TIME ||
            device->kind == TFP_EXEC_ACCELERATOR_TIME)
            f->sums[device->step].is_of_profile = true;
    }
}

static bool take_use(finder *f, const tfp_run_use *use, bool is_first)
{
    const tfp_step *step = &f->model->steps.data[use->step];
    int64_t *of = f->values[use->step].of, waited;
    if (f->sums[use->step].is_of_profile)
        return true;
    add_busy(&f->sums[use->step], use->busy);
    if (!is_first)
        return true;
    lengthen(&of[TFP_STEP_WALL], tfp_run_wall(step));
    if (!tfp_run_wait(f->model, use->step, &waited, f->memory, f->watch))
        return false;
    lengthen(&of[TFP_STEP_WAIT], waited);
    return true;
}

static bool take_records(finder *f)
{
    tfp_run_uses uses = { 0 };
    bool ok = tfp_run_uses_find(&uses, f->model, f->memory, f->watch);
    for (size_t i = 0; ok && i < uses.count; i++)
        ok = take_use(f, &uses.data[i],
                      i == 0 || uses.data[i].step != uses.data[i - 1].step);
    TFP_VEC_RELEASE(f->memory, &uses);
    return ok;
}

/* ---- All of it ---------------------------------------------------------- */

static bool init(finder *f)
{
    size_t count = f->model->steps.count;
    f->values = tfp_memory_array(f->memory, count + 1, sizeof(*f->values));
    f->sums = tfp_memory_zarray(f->memory, count + 1, sizeof(*f->sums));
    for (size_t i = 0; f->values && i < count; i++) {
        for (int metric = 0; metric < TFP_STEP_METRIC_COUNT; metric++)
            f->values[i].of[metric] = -1;
    }
    return f->values && f->sums;
}

static void finish(finder *f)
{
    for (size_t i = 0; i < f->model->steps.count; i++) {
        int64_t *of = f->values[i].of, idle;
        if (f->sums[i].devices == 0)
            continue;
        of[TFP_STEP_BUSY] = f->sums[i].busy / f->sums[i].devices;
        if (of[TFP_STEP_WALL] < 0)
            continue;
        idle = tfp_sub_sat(of[TFP_STEP_WALL], of[TFP_STEP_BUSY]);
        of[TFP_STEP_IDLE] = idle > 0 ? idle : 0;
    }
}

tfp_step_values *tfp_step_values_find(const tfp_model *model,
                                      tfp_memory *memory, tfp_watch *watch)
{
    finder f = { .model = model, .memory = memory, .watch = watch };
    bool ok = init(&f);
    if (ok) {
        find_profiles(&f);
        take_traces(&f);
        ok = take_records(&f);
    }
    if (ok)
        finish(&f);
    tfp_memory_free(memory, f.sums);
    if (ok)
        return f.values;
    tfp_memory_free(memory, f.values);
    return NULL;
}
