/*
 * steps.c - how long each step took, and what devices did in it.
 *
 * A row is a step on a device. `wall` is the time of the step by the marker of
 * the host; RunMetadata has none, so there it lasts from the first start to
 * the last end. `busy` is the time in which the device ran at least one
 * operation of the step, `idle` the rest of the step.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/run_uses.h"
#include "model/times.h"
#include "sheet/sheets.h"

enum {
    STEP,
    REST,
    HOST,
    DEVICE,
    SHORT,
    WALL,
    ON_DEVICE,
    BUSY,
    IDLE,
    WAIT,
    OPS
};

#define TIMES                                                                       \
    { "wall_micros", "wall", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },            \
        { "device_micros", "on device", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false }, \
        { "busy_micros", "busy", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },        \
        { "idle_micros", "idle", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },        \
        { "input_wait_micros", "input wait", TFP_SHEET_TIME, "us",                  \
          TFP_FOR_ALL,         false },                                             \
    {                                                                               \
        "ops", "ops", TFP_SHEET_NUMBER, "count", TFP_FOR_ALL, false                 \
    }

static const tfp_sheet_column columns[] = {
    { "step", "", TFP_SHEET_NUMBER, NULL, TFP_FOR_PROGRAMS, false },
    { "is_rest", "", TFP_SHEET_TRUTH, NULL, TFP_FOR_PROGRAMS, false },
    { "name", "step", TFP_SHEET_TEXT, NULL, TFP_FOR_PEOPLE, false },
    { "trace", "", TFP_SHEET_TEXT, NULL, TFP_FOR_PROGRAMS, false },
    { "device", "", TFP_SHEET_TEXT, NULL, TFP_FOR_PROGRAMS, false },
    { "short", "device", TFP_SHEET_TEXT, NULL, TFP_FOR_PEOPLE, true },
    TIMES,
};

static const tfp_sheet_column summary_columns[] = {
    { "statistic", "all steps", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, false },
    TIMES,
};

enum { MEASURES = OPS - WALL + 1 };

/* ---- Rows --------------------------------------------------------------- */

typedef struct row {
    int64_t number;
    bool is_rest;
    tfp_span input, device, name;
    int64_t measures[MEASURES];
} row;

#define MEASURE(r, column) (r)->measures[(column) - WALL]

/* What people read in place of a number. Numbers end below each other. */
static tfp_span step_name(const row *r, char *text, size_t size)
{
    if (r->is_rest)
        return tfp_span_of("rest");
    snprintf(text, size, "%4lld", (long long)r->number);
    return tfp_span_of(text);
}

static void put(tfp_sheet *sheet, const row *r)
{
    char text[32];
    if (r->is_rest)
        tfp_sheet_put_null(sheet);
    else
        tfp_sheet_put_number(sheet, r->number);
    tfp_sheet_put_number(sheet, r->is_rest);
    tfp_sheet_put_text(sheet, step_name(r, text, sizeof(text)));
    tfp_sheet_put_text(sheet, r->input);
    tfp_sheet_put_text(sheet, r->device);
    tfp_sheet_put_text(sheet, r->name);
    for (int i = 0; i < MEASURES; i++)
        tfp_sheet_put_known(sheet, r->measures[i]);
}

/* ---- Percentiles -------------------------------------------------------- */

/* The values of each measure. That of a step is not counted again for each of
 * its devices. */
typedef struct values {
    TFP_VEC(int64_t) all[MEASURES];
} values;

static bool note(values *v, tfp_memory *memory, const row *r, bool is_first)
{
    for (int i = 0; i < MEASURES; i++) {
        bool is_of_step = i == WALL - WALL || i == WAIT - WALL;
        if (r->measures[i] >= 0 && (is_first || !is_of_step) &&
            !TFP_VEC_PUSH(memory, &v->all[i], r->measures[i]))
            return false;
    }
    return true;
}

static bool sort_values(values *v, tfp_memory *memory)
{
    for (int i = 0; i < MEASURES; i++) {
        size_t count = v->all[i].count;
        tfp_sort_item *items = tfp_memory_array(memory, 2 * count + 1,
                                                sizeof(*items));
        if (!items)
            return false;
        for (size_t k = 0; k < count; k++)
            items[k] = (tfp_sort_item){ tfp_sort_key_rising(v->all[i].data[k]),
                                        (uint32_t)k };
        tfp_sort(items, count, items + count, NULL, NULL);
        for (size_t k = 0; k < count; k++)
            v->all[i].data[k] = (int64_t)(items[k].key ^ (uint64_t)1 << 63);
        tfp_memory_free(memory, items);
    }
    return true;
}

/* The smallest value that so many percent of all are not above. */
static int64_t percentile(const values *v, int measure, unsigned percent)
{
    size_t count = v->all[measure].count;
    size_t rank = (count / 100) * percent + (count % 100 * percent + 99) / 100;
    return count == 0 ? -1 : v->all[measure].data[rank > 0 ? rank - 1 : 0];
}

static void put_summary(tfp_sheet *sheet, const values *v)
{
    static const struct {
        const char *name;
        unsigned percent;
    } statistics[] = { { "p50", 50 }, { "p95", 95 }, { "max", 100 } };
    for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++) {
        tfp_sheet_put_text(sheet, tfp_span_of(statistics[i].name));
        for (int k = 0; k < MEASURES; k++)
            tfp_sheet_put_known(sheet, percentile(v, k, statistics[i].percent));
    }
}

/* ---- Traces ------------------------------------------------------------- */

typedef struct fill_state {
    const tfp_sheet_request *request;
    tfp_sheet *sheet;
    values values;
} fill_state;

static row trace_row(const fill_state *s, const tfp_step_device *from,
                     bool has_hosts)
{
    const tfp_model *model = s->request->traces;
    const tfp_step_time *step = &model->gathered.steps.data[from->step];
    const tfp_input *input = &model->inputs.data[step->input];
    row r = { .number = step->number,
              .is_rest = step->is_rest,
              .input = tfp_model_text(model, input->member ? input->member
                                                           : input->path),
              .device = tfp_model_text(model, from->device) };
    r.name = tfp_sheet_device(model, from->device, from->parts, has_hosts);
    MEASURE(&r, WALL) = step->wall;
    MEASURE(&r, ON_DEVICE) = from->marker;
    MEASURE(&r, BUSY) = from->busy;
    MEASURE(&r, WAIT) = step->waited;
    MEASURE(&r, OPS) = from->runs;
    MEASURE(&r, IDLE) = step->is_rest ? -1 : tfp_step_idle(step, from);
    return r;
}

/* The rows by trace, step and device, which stand by device and step. */
static bool sort_rows(const fill_state *s, tfp_sort_item *items)
{
    const tfp_gathered *g = &s->request->traces->gathered;
    size_t count = g->step_devices.count;
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ g->step_devices.data[i].step, (uint32_t)i };
    return tfp_sort_until(items, count, items + count, NULL, NULL,
                          s->request->watch->cancel);
}

static bool add_traces(fill_state *s)
{
    const tfp_gathered *g = &s->request->traces->gathered;
    tfp_memory *memory = s->request->memory;
    size_t count = g->step_devices.count;
    tfp_sort_item *items = tfp_memory_array(memory, 2 * count + 1,
                                            sizeof(*items));
    bool has_hosts = tfp_sheet_has_hosts(s->request->traces);
    bool ok = items && sort_rows(s, items);
    for (size_t i = 0; ok && i < count; i++) {
        const tfp_step_device *from = &g->step_devices.data[items[i].index];
        bool is_first = i == 0 || items[i - 1].key != items[i].key;
        row r = trace_row(s, from, has_hosts);
        put(s->sheet, &r);
        if (!g->steps.data[from->step].is_rest)
            ok = note(&s->values, memory, &r, is_first);
    }
    tfp_memory_free(memory, items);
    return ok;
}

/* ---- RunMetadata and profiles ------------------------------------------- */

static row run_row(const tfp_model *model, const tfp_run_use *use,
                   int64_t waited)
{
    const tfp_step *step = &model->steps.data[use->step];
    row r = { .number = step->id,
              .device = tfp_model_text(model, use->device) };
    int64_t idle;
    r.name = r.device;
    MEASURE(&r, WALL) = tfp_run_wall(step);
    MEASURE(&r, ON_DEVICE) = -1;
    MEASURE(&r, BUSY) = use->busy;
    MEASURE(&r, WAIT) = waited;
    MEASURE(&r, OPS) = use->runs;
    idle = tfp_sub_sat(MEASURE(&r, WALL), use->busy);
    MEASURE(&r, IDLE) = idle > 0 ? idle : 0;
    return r;
}

/* Puts rows that stand by step in the order of these. */
static bool put_runs(fill_state *s, const tfp_run_uses *uses)
{
    const tfp_model *model = s->request->model;
    tfp_memory *memory = s->request->memory;
    tfp_sort_item *items = tfp_memory_array(memory, 2 * uses->count + 1,
                                            sizeof(*items));
    bool ok = items != NULL;
    int64_t waited = -1;
    for (size_t i = 0; ok && i < uses->count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_rising(model->steps.data[uses->data[i].step].id),
            (uint32_t)i
        };
    if (ok)
        tfp_sort(items, uses->count, items + uses->count, NULL, NULL);
    for (size_t i = 0; ok && i < uses->count; i++) {
        const tfp_run_use *use = &uses->data[items[i].index];
        bool is_first = i == 0 || items[i - 1].key != items[i].key;
        row r;
        if (is_first)
            ok = tfp_run_wait(model, use->step, &waited, memory,
                              s->request->watch);
        r = run_row(model, use, waited);
        put(s->sheet, &r);
        ok = ok && note(&s->values, memory, &r, is_first);
    }
    tfp_memory_free(memory, items);
    return ok;
}

static bool add_runs(fill_state *s)
{
    tfp_run_uses uses = { 0 };
    bool ok = tfp_run_uses_find(&uses, s->request->model, s->request->memory,
                                s->request->watch) &&
              put_runs(s, &uses);
    TFP_VEC_RELEASE(s->request->memory, &uses);
    return ok;
}

int tfp_steps_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                   tfprof_error *err)
{
    fill_state s = { .request = request, .sheet = &sheets[0] };
    bool ok;
    tfp_sheet_init(&sheets[0], request->memory, "steps", columns,
                   sizeof(columns) / sizeof(columns[0]));
    tfp_sheet_init(&sheets[1], request->memory, "summary", summary_columns,
                   sizeof(summary_columns) / sizeof(summary_columns[0]));
    ok = add_traces(&s) && add_runs(&s) &&
         sort_values(&s.values, request->memory);
    if (ok)
        put_summary(&sheets[1], &s.values);
    for (int i = 0; i < MEASURES; i++)
        TFP_VEC_RELEASE(request->memory, &s.values.all[i]);
    if (!ok && !request->watch->cancelled)
        return tfp_fail_nomem(err);
    return tfp_sheet_status(request, sheets, 2, err);
}
