/*
 * profile_execs.c - what each node did in each step, as
 * input/load/profile_runs.c reads it.
 *
 * Run records stand by step and in the order of their file; a profile has them
 * by node. So their numbers are put in that order first, once for all nodes.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/costs.h"
#include "model/model.h"
#include "model/times.h"
#include "output/profile/profile_parts.h"
#include "proto/put.h"
#include "view/tree.h"

/* ---- Records by member -------------------------------------------------- */

static tfp_sort_item *sort_room(tfp_profile_runs *r, size_t count)
{
    r->times.count = 0;
    return TFP_VEC_RESERVE(r->memory, &r->times, 2 * count + 1) ? r->times.data
                                                                : NULL;
}

/* A profile has numbers of steps only, so it has no place for the rest. */
static bool order_steps(tfp_profile_runs *r)
{
    const tfp_model *model = r->census->model;
    tfp_sort_item *items = sort_room(r, r->step_count);
    size_t count = 0;
    uint32_t start = 0;
    if (!items)
        return false;
    for (uint32_t i = 0; i < model->steps.count; i++) {
        if (!model->steps.data[i].is_rest)
            items[count++] = (tfp_sort_item){
                tfp_sort_key_rising(model->steps.data[i].id), i
            };
    }
    tfp_sort(items, r->step_count, items + r->step_count, NULL, NULL);
    for (size_t i = 0; i < r->step_count; i++) {
        r->steps[i] = items[i].index;
        r->step_start[i] = start;
        start += (uint32_t)model->steps.data[items[i].index].execs.count;
    }
    r->step_start[r->step_count] = start;
    return true;
}

/* The name of a device as the profile has it. */
static tfp_span device_name(const tfp_census *census, uint32_t device)
{
    const tfp_device_role *role = &census->roles[device];
    return tfp_model_text(census->model,
                          role->kind == TFP_EXEC_RUN ||
                                  tfp_exec_is_trace(role->kind)
                              ? role->name
                              : census->model->devices.data[device].name);
}

static int device_tie(const void *context, uint32_t a, uint32_t b)
{
    return tfp_span_compare(device_name(context, a), device_name(context, b));
}

static bool rank_devices(tfp_profile_runs *r)
{
    const tfp_census *census = r->census;
    size_t count = census->role_count;
    tfp_sort_item *items = sort_room(r, count);
    uint32_t rank = 0;
    if (!items)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        tfp_span name = device_name(census, i);
        items[i] = (tfp_sort_item){ tfp_text_key(name.data, name.size), i };
    }
    tfp_sort(items, count, items + count, device_tie, census);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && device_tie(census, items[i - 1].index, items[i].index))
            rank++;
        r->rank[items[i].index] = rank;
    }
    return true;
}

/* The records of the step at `at`, and its first number. */
static const tfp_exec *records_of(const tfp_profile_runs *r, size_t at,
                                  size_t *count)
{
    const tfp_step *step = &r->census->model->steps.data[r->steps[at]];
    *count = step->execs.count;
    return step->execs.data;
}

/* Counts the records of each member, then puts their numbers one member
 * behind the other. */
static void place_records(tfp_profile_runs *r)
{
    size_t count;
    for (size_t s = 0; s < r->step_count; s++) {
        const tfp_exec *execs = records_of(r, s, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t member = tfp_census_find(r->census, &execs[i]);
            if (member != TFP_NO_ID)
                r->first[member + 1]++;
        }
    }
    for (size_t m = 0; m < r->member_count; m++)
        r->first[m + 1] += r->first[m];
    for (size_t s = 0; s < r->step_count; s++) {
        const tfp_exec *execs = records_of(r, s, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t member = tfp_census_find(r->census, &execs[i]);
            if (member != TFP_NO_ID)
                r->records[r->first[member]++] = r->step_start[s] + (uint32_t)i;
        }
    }
    /* Each place has moved on to that of the next member. */
    memmove(r->first + 1, r->first, r->member_count * sizeof(*r->first));
    r->first[0] = 0;
}

int tfp_profile_runs_init(tfp_profile_runs *r, const tfp_census *census,
                          tfprof_error *err)
{
    const tfp_model *model = census->model;
    *r = (tfp_profile_runs){ .census = census,
                             .memory = census->memory,
                             .member_count = census->members.count };
    for (size_t i = 0; i < model->steps.count; i++) {
        if (model->steps.data[i].is_rest)
            continue;
        r->step_count++;
        r->record_count += model->steps.data[i].execs.count;
    }
    if (r->record_count >= UINT32_MAX)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "too many run records for one profile");
    r->steps = tfp_memory_zarray(r->memory, r->step_count + 1,
                                 sizeof(uint32_t));
    r->step_start = tfp_memory_zarray(r->memory, r->step_count + 1,
                                      sizeof(uint32_t));
    r->first = tfp_memory_zarray(r->memory, r->member_count + 1,
                                 sizeof(uint32_t));
    r->records = tfp_memory_zarray(r->memory, r->record_count + 1,
                                   sizeof(uint32_t));
    r->rank = tfp_memory_zarray(r->memory, census->role_count + 1,
                                sizeof(uint32_t));
    if (!r->steps || !r->step_start || !r->first || !r->records || !r->rank ||
        !order_steps(r) || !rank_devices(r))
        return tfp_fail_nomem(err);
    place_records(r);
    return TFPROF_OK;
}

void tfp_profile_runs_release(tfp_profile_runs *r)
{
    if (!r->memory)
        return;
    tfp_memory_free(r->memory, r->steps);
    tfp_memory_free(r->memory, r->step_start);
    tfp_memory_free(r->memory, r->first);
    tfp_memory_free(r->memory, r->records);
    tfp_memory_free(r->memory, r->rank);
    TFP_VEC_RELEASE(r->memory, &r->times);
}

/* ---- The records of one member ------------------------------------------ */

/* The records of one member in one step. */
typedef struct part {
    const tfp_census *census;
    const tfp_step *step;
    const uint32_t *records; /* numbers, `start` the first one of the step */
    size_t count;
    uint32_t start;
} part;

static const tfp_exec *record_at(const part *p, size_t i)
{
    return &p->step->execs.data[p->records[i] - p->start];
}

static const tfp_device_role *role_of(const part *p, const tfp_exec *exec)
{
    return &p->census->roles[exec->device];
}

static uint32_t counts_of(const part *p, const tfp_exec *exec)
{
    return tfp_record_counts(role_of(p, exec), exec);
}

/* The message has microseconds: times of a trace are rounded. */
static tfp_micros micros_of(const part *p, const tfp_exec *exec, int64_t time)
{
    return tfp_exec_is_trace(role_of(p, exec)->kind)
               ? tfp_time_to_micros(time, TFP_PICOSECOND)
               : time;
}

static tfp_micros start_of(const part *p, const tfp_exec *exec)
{
    return micros_of(p, exec, exec->start);
}

static tfp_micros time_of(const part *p, const tfp_exec *exec)
{
    return micros_of(p, exec, tfp_exec_time(exec, role_of(p, exec)->kind));
}

/* ---- Sums --------------------------------------------------------------- */

typedef struct totals {
    int64_t runs, start, end;
    bool is_set;
} totals;

static void widen(totals *t, int64_t start, int64_t end)
{
    if (!t->is_set || (start > 0 && (t->start <= 0 || start < t->start)))
        t->start = start;
    if (!t->is_set || end > t->end)
        t->end = end;
    t->is_set = true;
}

static void add_totals(const part *p, const tfp_exec *exec, totals *t)
{
    uint32_t counts = counts_of(p, exec);
    tfp_exec_figures figures;
    if (counts & TFP_COUNTS_TOTAL) {
        tfp_exec_read(p->step, exec, &figures);
        t->runs = tfp_add_sat(t->runs, figures.run_count);
        widen(t, exec->start, exec->length);
    } else if (counts & TFP_COUNTS_RUNS) { /* a sum has no end */
        tfp_exec_read(p->step, exec, &figures);
        t->runs = tfp_add_sat(t->runs, figures.run_count);
    } else if (role_of(p, exec)->kind == TFP_EXEC_RUN && exec->start > 0) {
        t->runs += (counts & TFP_COUNTS_RUN) != 0;
        widen(t, exec->start, tfp_add_sat(exec->start, time_of(p, exec)));
    }
}

static void put_totals(tfp_put *put, const part *p)
{
    totals t = { 0 };
    for (size_t i = 0; i < p->count; i++)
        add_totals(p, record_at(p, i), &t);
    tfp_put_number(put, ExecProfile_run_count, t.runs);
    tfp_put_number(put, ExecProfile_all_start_micros, t.start);
    tfp_put_number(put, ExecProfile_latest_end_micros, t.end);
}

/* ---- Times -------------------------------------------------------------- */

/* Accelerators come first, then devices by name, then records as they were. */
static size_t order_times(tfp_profile_runs *r, const part *p)
{
    enum { ON_CPU = 32 };
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const tfp_exec *exec = record_at(p, i);
        uint32_t counts = counts_of(p, exec);
        uint64_t key = r->rank[exec->device];
        if (!(counts & TFP_COUNTS_TIME))
            continue;
        key |= (uint64_t)(counts & TFP_COUNTS_CPU_TIME) << ON_CPU;
        r->times.data[count++] = (tfp_sort_item){ key, (uint32_t)i };
    }
    tfp_sort(r->times.data, count, r->times.data + count, NULL, NULL);
    return count;
}

/* One device with its times: `count` items of the same key. */
static void put_times(tfp_put *put, const part *p, const tfp_sort_item *items,
                      size_t count)
{
    const tfp_exec *exec = record_at(p, items[0].index);
    size_t entry = tfp_put_open(put, counts_of(p, exec) & TFP_COUNTS_CPU_TIME
                                         ? ExecProfile_cpu_execs
                                         : ExecProfile_accelerator_execs);
    size_t value;
    tfp_put_bytes(put, TFP_MAP_KEY, device_name(p->census, exec->device));
    value = tfp_put_begin(put, TFP_MAP_VALUE);
    for (size_t i = 0; i < count; i++) {
        size_t tuple = tfp_put_open(put, ExecTime_times), packed;
        exec = record_at(p, items[i].index);
        packed = tfp_put_open(put, Tuple_int64_values);
        tfp_put_varint(put, (uint64_t)start_of(p, exec));
        tfp_put_varint(put, (uint64_t)time_of(p, exec));
        tfp_put_end(put, packed);
        tfp_put_end(put, tuple);
    }
    tfp_put_end(put, value);
    tfp_put_end(put, entry);
}

static void put_all_times(tfp_put *put, tfp_profile_runs *r, const part *p)
{
    size_t count, equal;
    const tfp_sort_item *items;
    if (!sort_room(r, p->count)) {
        put->failed = true;
        return;
    }
    count = order_times(r, p);
    items = r->times.data;
    for (size_t i = 0; i < count; i += equal) {
        uint32_t device = record_at(p, items[i].index)->device;
        for (equal = 1; i + equal < count; equal++) {
            if (items[i + equal].key != items[i].key)
                break;
        }
        put_times(put, p, items + i, equal);
        tfp_put_bytes(put, ExecProfile_devices >> 3,
                      device_name(p->census, device));
    }
}

/* ---- Memory ------------------------------------------------------------- */

/* What an operation kept and what it used for a while are the device's own in
 * RunMetadata; a profile has them in the sums, too, and says whether the device
 * is the host. */
static void settle_figures(tfp_exec_figures *f, tfp_span device)
{
    int64_t bytes[TFP_COST_MICROS];
    tfp_record_memory(f, false, bytes);
    f->requested_bytes = bytes[TFP_COST_BYTES];
    f->peak_bytes = bytes[TFP_COST_PEAK_BYTES];
    f->residual_bytes = bytes[TFP_COST_RESIDUAL_BYTES];
    f->device_temp_bytes = f->device_persistent_bytes = 0;
    if (tfp_span_find(device, "cpu"))
        return;
    f->device_temp_bytes = f->temp_bytes;
    f->device_persistent_bytes = f->persistent_bytes;
    f->temp_bytes = f->persistent_bytes = 0;
}

static void put_figures(tfp_put *put, const tfp_exec_figures *f)
{
    tfp_put_number(put, ExecMemory_host_temp_bytes, f->temp_bytes);
    tfp_put_number(put, ExecMemory_host_persistent_bytes, f->persistent_bytes);
    tfp_put_number(put, ExecMemory_accelerator_temp_bytes,
                   f->device_temp_bytes);
    tfp_put_number(put, ExecMemory_accelerator_persistent_bytes,
                   f->device_persistent_bytes);
    tfp_put_number(put, ExecMemory_requested_bytes, f->requested_bytes);
    tfp_put_number(put, ExecMemory_peak_bytes, f->peak_bytes);
    tfp_put_number(put, ExecMemory_residual_bytes, f->residual_bytes);
    tfp_put_number(put, ExecMemory_output_bytes, f->output_bytes);
    tfp_put_number(put, ExecMemory_allocator_bytes_in_use, f->bytes_in_use);
}

/* An output without memory is known of a run only, by its shape. */
static void put_output(tfp_put *put, const tfp_exec_output *output)
{
    size_t entry, value;
    if (output->bytes == 0 && output->address == 0)
        return;
    entry = tfp_put_open(put, ExecMemory_output_memory);
    tfp_put_int(put, TFP_MAP_KEY, output->slot);
    value = tfp_put_begin(put, TFP_MAP_VALUE);
    tfp_put_number(put, Memory_bytes, output->bytes);
    tfp_put_number(put, Memory_ptr, (int64_t)output->address);
    tfp_put_end(put, value);
    tfp_put_end(put, entry);
}

static void put_memory(tfp_put *put, const part *p, const tfp_exec *exec)
{
    const tfp_device_role *role = role_of(p, exec);
    int64_t at = exec->start;
    tfp_exec_figures figures;
    tfp_exec_output output;
    tfp_detail_reader detail;
    size_t memory;
    if (!(counts_of(p, exec) & TFP_COUNTS_MEMORY))
        return;
    detail = tfp_exec_read(p->step, exec, &figures);
    memory = tfp_put_open(put, ExecProfile_memory_execs);
    if (role->kind == TFP_EXEC_RUN) {
        at = tfp_add_sat(exec->start, exec->length);
        settle_figures(&figures, tfp_model_text(p->census->model, role->name));
    }
    tfp_put_number(put, ExecMemory_memory_micros, at);
    put_figures(put, &figures);
    while (tfp_detail_next_output(&detail, &output))
        put_output(put, &output);
    tfp_put_end(put, memory);
}

static void put_allocations(tfp_put *put, const part *p, const tfp_exec *exec)
{
    tfp_exec_figures figures;
    tfp_exec_allocation one;
    tfp_detail_reader detail;
    if (!(counts_of(p, exec) & (TFP_COUNTS_MEMORY | TFP_COUNTS_TOTAL)))
        return;
    detail = tfp_exec_read(p->step, exec, &figures);
    while (tfp_detail_next_allocation(&detail, &one)) {
        size_t at = tfp_put_open(put, ExecProfile_allocations);
        tfp_put_number(put, AllocationRecord_alloc_micros, one.at);
        tfp_put_number(put, AllocationRecord_alloc_bytes, one.bytes);
        tfp_put_end(put, at);
    }
}

/* ---- One member --------------------------------------------------------- */

static void put_part(tfp_put *put, tfp_profile_runs *r, const part *p)
{
    size_t entry = tfp_put_open(put, ProfileNode_execs), profile;
    tfp_put_int(put, TFP_MAP_KEY, p->step->id);
    profile = tfp_put_begin(put, TFP_MAP_VALUE);
    put_totals(put, p);
    put_all_times(put, r, p);
    for (size_t i = 0; i < p->count; i++)
        put_memory(put, p, record_at(p, i));
    for (size_t i = 0; i < p->count; i++)
        put_allocations(put, p, record_at(p, i));
    tfp_put_end(put, profile);
    tfp_put_end(put, entry);
}

/* The step of a record, by its number: the last one that begins with it or
 * before it, among those from `low` on. */
static size_t step_of(const tfp_profile_runs *r, uint32_t record, size_t low)
{
    size_t high = r->step_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->step_start[middle] <= record)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void tfp_profile_put_runs(tfp_put *put, tfp_profile_runs *r, uint32_t member)
{
    size_t at = r->first[member], end = r->first[member + 1], s = 0;
    while (at < end) {
        part p = { .census = r->census, .records = r->records + at };
        s = step_of(r, r->records[at], s);
        p.step = &r->census->model->steps.data[r->steps[s]];
        p.start = r->step_start[s];
        while (at + p.count < end && p.records[p.count] < r->step_start[s + 1])
            p.count++;
        put_part(put, r, &p);
        at += p.count;
    }
}
