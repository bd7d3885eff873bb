/*
 * timeline_runs.c - the runs of one step that a graph view shows.
 *
 * Records lie in the order of the file. They are counted for each device, put
 * together by device, and sorted there by their start; files mostly have them
 * in that order already, which the sort notices.
 */
#include "output/timeline/timeline_runs.h"

#include "model/model.h"

#include "model/census.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/bytes.h"

#include "view/tree.h"

bool tfp_runs_sort(const tfp_runs *r, tfp_sort_item *items, size_t count,
                   tfp_sort_tie *tie, const void *context)
{
    tfp_sort_item *scratch;
    if (count < 2)
        return true;
    scratch = tfp_memory_array(r->memory, count, sizeof(*scratch));
    if (!scratch)
        return false;
    if (!tfp_sort_until(items, count, scratch, tie, context, r->sink->cancel))
        r->sink->failed = r->sink->cancelled = true;
    tfp_memory_free(r->memory, scratch);
    return true;
}

/* ---- Nodes -------------------------------------------------------------- */

/* A profile that knows no start of a node does not place it in time. */
static bool leave_out_unplaced(tfp_runs *r)
{
    const tfp_census *census = r->view->census;
    for (size_t i = 0; i < r->step->execs.count; i++) {
        const tfp_exec *exec = &r->step->execs.data[i];
        uint32_t member = tfp_census_find(census, exec);
        if (census->roles[exec->device].kind == TFP_EXEC_TOTAL &&
            exec->start == 0 && member != TFP_NO_ID) {
            r->shown_at[member] = TFP_NO_ID;
            if (r->is_limited)
                r->is_limited[member] = false;
        }
    }
    return true;
}

/* Only nodes that belong to a device have runs, as upstream has it. */
static bool find_shown(tfp_runs *r)
{
    const tfp_view *v = r->view;
    size_t count = v->census->members.count;
    r->shown_at = tfp_memory_array(r->memory, count, sizeof(*r->shown_at));
    if (!r->shown_at)
        return false;
    memset(r->shown_at, 0xff, count * sizeof(*r->shown_at));
    for (uint32_t i = 0; i < v->shown_count; i++) {
        uint32_t member = v->rows.data[v->shown[i].row].subject;
        if (member != TFP_NO_ID && v->census->members.data[member].device != 0)
            r->shown_at[member] = i;
    }
    return true;
}

/* Nodes that would be drawn if more levels were asked for. */
static bool find_limited(tfp_runs *r)
{
    const tfp_view *v = r->view;
    if (v->limited_rows == 0)
        return true;
    r->is_limited = tfp_memory_zalloc(r->memory, v->census->members.count);
    if (!r->is_limited)
        return false;
    for (uint32_t row = 1; row < v->rows.count; row++) {
        uint32_t member = v->rows.data[row].subject;
        if (v->flags[row] & TFP_ROW_DEEP && v->flags[row] & TFP_ROW_REACHED &&
            member != TFP_NO_ID && v->census->members.data[member].device != 0)
            r->is_limited[member] = true;
    }
    return true;
}

/* ---- Devices ------------------------------------------------------------ */

static tfp_span role_name(const tfp_runs *r, uint32_t device)
{
    return tfp_model_text(r->view->model, r->view->census->roles[device].name);
}

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_runs *r = context;
    return tfp_span_compare(role_name(r, a), role_name(r, b));
}

/* Devices whose records are runs with times, and not the sums of a trace: one
 * entry for all of a name. */
static void join_devices(tfp_runs *r, const tfp_sort_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const tfp_device_role *role = &r->view->census->roles[items[i].index];
        tfp_run_device *last = r->devices + r->device_count;
        if (i == 0 || last[-1].name != role->name) {
            *last = (tfp_run_device){ .name = role->name };
            r->device_count++;
        } else {
            last--;
        }
        last->schedules |= (role->counts & TFP_COUNTS_CPU_TIME) != 0;
        r->device_of[items[i].index] = r->device_count - 1;
    }
}

static bool find_devices(tfp_runs *r)
{
    const tfp_census *census = r->view->census;
    size_t all = census->role_count, count = 0;
    tfp_sort_item *items = tfp_memory_array(r->memory, all, sizeof(*items));
    bool ok;
    r->device_of = tfp_memory_array(r->memory, all, sizeof(*r->device_of));
    r->devices = tfp_memory_array(r->memory, all, sizeof(*r->devices));
    ok = items && r->device_of && r->devices;
    for (uint32_t i = 0; ok && i < all; i++) {
        const tfp_device_role *role = &census->roles[i];
        tfp_span name = role_name(r, i);
        r->device_of[i] = TFP_NO_ID;
        if (role->counts & TFP_COUNTS_TIME && !tfp_exec_is_trace(role->kind))
            items[count++] = (tfp_sort_item){
                tfp_text_key(name.data, name.size), i
            };
    }
    ok = ok && tfp_runs_sort(r, items, count, name_tie, r);
    if (ok)
        join_devices(r, items, count);
    tfp_memory_free(r->memory, items);
    return ok;
}

tfp_run_device *tfp_runs_find_device(const tfp_runs *r, tfp_string name)
{
    tfp_span text = tfp_model_text(r->view->model, name);
    size_t low = 0, high = r->device_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        tfp_run_device *device = &r->devices[middle];
        if (device->name == name)
            return device;
        if (tfp_span_compare(tfp_model_text(r->view->model, device->name),
                             text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- Runs --------------------------------------------------------------- */

/* The device that a record is drawn on, or TFP_NO_ID. */
static uint32_t drawn_on(const tfp_runs *r, const tfp_exec *exec)
{
    const tfp_census *census = r->view->census;
    uint32_t device = r->device_of[exec->device], member;
    if (device == TFP_NO_ID ||
        !tfp_record_counts(&census->roles[exec->device], exec))
        return TFP_NO_ID;
    member = tfp_census_find(census, exec);
    if (member == TFP_NO_ID || r->shown_at[member] == TFP_NO_ID)
        return TFP_NO_ID;
    return device;
}

static void count_limited(tfp_runs *r)
{
    const tfp_census *census = r->view->census;
    for (size_t i = 0; r->is_limited && i < r->step->execs.count; i++) {
        const tfp_exec *exec = &r->step->execs.data[i];
        uint32_t member = tfp_census_find(census, exec);
        r->limited += member != TFP_NO_ID && r->is_limited[member] &&
                      r->device_of[exec->device] != TFP_NO_ID &&
                      tfp_record_counts(&census->roles[exec->device], exec);
    }
}

static bool list_runs(tfp_runs *r)
{
    const tfp_exec *execs = r->step->execs.data;
    size_t count = r->step->execs.count;
    uint32_t sum = 0, device;
    count_limited(r);
    for (size_t i = 0; i < count; i++) {
        if ((device = drawn_on(r, &execs[i])) != TFP_NO_ID)
            r->devices[device].end++;
    }
    for (size_t i = 0; i < r->device_count; i++) {
        sum += r->devices[i].end;
        r->devices[i].first = r->devices[i].end = sum - r->devices[i].end;
    }
    r->items = tfp_memory_array(r->memory, sum, sizeof(*r->items));
    if (!r->items)
        return false;
    r->item_count = sum;
    for (uint32_t i = 0; i < count; i++) {
        if ((device = drawn_on(r, &execs[i])) != TFP_NO_ID)
            r->items[r->devices[device].end++] = (tfp_sort_item){
                tfp_sort_key_rising(execs[i].start), i
            };
    }
    return true;
}

static bool sort_runs(tfp_runs *r)
{
    for (size_t i = 0; i < r->device_count; i++) {
        const tfp_run_device *device = &r->devices[i];
        if (!tfp_runs_sort(r, r->items + device->first,
                           device->end - device->first, NULL, NULL))
            return false;
    }
    return true;
}

int tfp_runs_init(tfp_runs *r, const tfp_view *view, tfp_sink *sink,
                  tfprof_error *err)
{
    static bool (*const steps[])(
        tfp_runs *) = { find_shown,   find_limited, leave_out_unplaced,
                        find_devices, list_runs,    sort_runs };
    *r = (tfp_runs){ .memory = view->memory, .view = view, .sink = sink };
    r->step = tfp_model_find_step(view->model, view->options->step);
    if (!r->step)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1, "there is no step %lld",
                        (long long)view->options->step);
    if (r->step->execs.count >= TFP_NO_ID)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "step %lld has too many run records for a timeline",
                        (long long)r->step->id);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (tfp_sink_is_done(sink, 0))
            return tfp_sink_fail(sink, err);
        if (!steps[i](r))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

void tfp_runs_release(tfp_runs *r)
{
    tfp_memory_free(r->memory, r->shown_at);
    tfp_memory_free(r->memory, r->is_limited);
    tfp_memory_free(r->memory, r->device_of);
    tfp_memory_free(r->memory, r->devices);
    tfp_memory_free(r->memory, r->items);
}
