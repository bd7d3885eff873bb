/*
 * utilization.c - AcceleratorUtilizationChecker: how busy was each one?
 *
 * Busy is the time of a device's streams, compared with the time from the
 * first start to the last end of the nodes placed on it. Of each node the
 * last step it ran in counts, as upstream has it. Streams run side by side,
 * so that a device may be busy for longer than it takes.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/steps.h"
#include "model/times.h"

typedef struct usage {
    tfp_string device;
    tfp_micros start, end, busy;
    uint32_t busiest; /* member */
} usage;

enum { NO_USAGE = TFP_NO_ID - 1 }; /* it is no accelerator */

typedef struct survey {
    tfp_inquiry *inquiry;
    uint32_t *usage_of; /* by tfp_string: TFP_NO_ID until it is looked at */
    uint32_t *last;     /* by member: the last of its steps, or TFP_NO_ID */
    TFP_VEC(usage) usages;
    uint32_t slowest; /* member that keeps the CPU longest */
} survey;

/* ---- Devices ------------------------------------------------------------ */

/* False when out of memory. */
static bool find_usage(survey *s, uint32_t member)
{
    const tfp_inquiry *q = s->inquiry;
    tfp_string device = q->census->members.data[member].device;
    uint32_t *at = &s->usage_of[device];
    if (*at == TFP_NO_ID) {
        usage new = { .device = device, .busiest = TFP_NO_ID };
        *at = NO_USAGE;
        if (tfp_inquiry_accelerates(q, member)) {
            if (!TFP_VEC_PUSH(q->memory, &s->usages, new))
                return false;
            *at = (uint32_t)s->usages.count - 1;
        }
    }
    if (*at != NO_USAGE) {
        usage *u = &s->usages.data[*at];
        u->busiest = tfp_inquiry_costlier(q, u->busiest, member,
                                          TFP_COST_ACCELERATOR_MICROS);
    }
    return true;
}

static bool find_usages(survey *s)
{
    const tfp_census *census = s->inquiry->census;
    for (uint32_t m = 0;
         m < census->members.count && !tfp_watch_ends(&s->inquiry->watch);
         m++) {
        if (census->members.data[m].steps == 0)
            continue;
        s->slowest = tfp_inquiry_costlier(s->inquiry, s->slowest, m,
                                          TFP_COST_CPU_MICROS);
        if (census->members.data[m].device != 0 && !find_usage(s, m))
            return false;
    }
    return true;
}

/* The usage that a record belongs to, or NULL. */
static usage *usage_of_record(const survey *s, const tfp_exec *exec,
                              uint32_t *member)
{
    const tfp_census *census = s->inquiry->census;
    uint32_t at;
    *member = tfp_census_find(census, exec);
    if (*member == TFP_NO_ID)
        return NULL;
    at = s->usage_of[census->members.data[*member].device];
    return at < NO_USAGE ? &s->usages.data[at] : NULL;
}

/* ---- Records ------------------------------------------------------------ */

static void find_last_steps(survey *s)
{
    const tfp_model *model = s->inquiry->model;
    memset(s->last, 0xff, s->inquiry->census->members.count * sizeof(*s->last));
    for (uint32_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        for (size_t k = 0;
             k < step->execs.count && !tfp_watch_ends(&s->inquiry->watch);
             k++) {
            uint32_t m;
            if (usage_of_record(s, &step->execs.data[k], &m) &&
                (s->last[m] == TFP_NO_ID ||
                 model->steps.data[s->last[m]].id < step->id))
                s->last[m] = i;
        }
    }
}

static void widen(usage *u, tfp_micros start, tfp_micros end)
{
    if (start != 0 && (u->start == 0 || start < u->start))
        u->start = start;
    if (end > u->end)
        u->end = end;
}

static void add_record(usage *u, const tfp_device_role *role,
                       const tfp_exec *exec)
{
    tfp_micros time = tfp_exec_time(exec, role->kind);
    if (tfp_exec_is_trace(role->kind))
        return; /* a sum over runs has no end */
    if (role->kind == TFP_EXEC_RUN && exec->start > 0)
        widen(u, exec->start, tfp_add_sat(exec->start, time));
    if (role->kind == TFP_EXEC_TOTAL) /* its length is its end */
        widen(u, exec->start, exec->length);
    if (tfp_record_counts(role, exec) & TFP_COUNTS_ACCELERATOR_TIME)
        u->busy = tfp_add_sat(u->busy, time);
}

static void add_records(survey *s)
{
    tfp_inquiry *q = s->inquiry;
    for (uint32_t i = 0; i < q->model->steps.count; i++) {
        const tfp_step *step = &q->model->steps.data[i];
        for (size_t k = 0; k < step->execs.count && !tfp_watch_ends(&q->watch);
             k++) {
            const tfp_exec *exec = &step->execs.data[k];
            uint32_t m;
            usage *u = usage_of_record(s, exec, &m);
            if (u && s->last[m] == i)
                add_record(u, &q->census->roles[exec->device], exec);
        }
    }
}

/* ---- Telling ------------------------------------------------------------ */

static int tell_usage(survey *s, const usage *u, tfprof_error *err)
{
    tfp_inquiry *q = s->inquiry;
    int64_t unit = tfp_model_time_unit(q->model);
    int64_t busy = tfp_time_from_micros(u->busy, unit);
    tfp_finding found = { .kind = TFP_FINDING_DEVICE,
                          .name = tfp_model_text(q->model, u->device),
                          .accelerator_micros = busy,
                          .micros = busy,
                          .whole_micros = tfp_time_from_micros(
                              tfp_sub_sat(u->end, u->start), unit),
                          .node_count = 1 };
    bool is_low;
    if (found.whole_micros <= 0)
        return TFPROF_OK;
    is_low = tfp_finding_share(&found) < TFP_LOW_SHARE;
    if (is_low)
        found.hint = "prefetched input, larger batches, less work on the host";
    return tfp_inquiry_tell_alone(q, found, is_low ? s->slowest : u->busiest,
                                  err);
}

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    const survey *s = context;
    const tfp_model *model = s->inquiry->model;
    return tfp_span_compare(tfp_model_text(model, s->usages.data[a].device),
                            tfp_model_text(model, s->usages.data[b].device));
}

/* By name. Hardly ever more than eight. */
static int tell(survey *s, tfprof_error *err)
{
    tfp_memory *memory = s->inquiry->memory;
    size_t count = s->usages.count, size = 2 * count * sizeof(tfp_sort_item);
    tfp_sort_item *items = tfp_memory_alloc(memory, size);
    int status = TFPROF_OK;
    if (!items)
        return tfp_fail_nomem(err);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ .index = i };
    tfp_sort(items, count, items + count, name_tie, s);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++)
        status = tell_usage(s, &s->usages.data[items[i].index], err);
    tfp_memory_free(memory, items);
    return status;
}

/* ---- The checker -------------------------------------------------------- */

static int take(survey *s, tfprof_error *err)
{
    if (!find_usages(s))
        return tfp_fail_nomem(err);
    if (s->usages.count == 0)
        return TFPROF_OK;
    find_last_steps(s);
    add_records(s);
    return tell(s, err);
}

static int check(tfp_inquiry *q, tfprof_error *err)
{
    size_t names = q->census->name_count, members = q->census->members.count;
    size_t size = (names + members) * sizeof(uint32_t);
    survey s = { .inquiry = q, .slowest = TFP_NO_ID };
    int status;
    if (!q->has_accelerator)
        return TFPROF_OK;
    s.usage_of = tfp_memory_alloc(q->memory, size);
    if (!s.usage_of)
        return tfp_fail_nomem(err);
    s.last = s.usage_of + names;
    memset(s.usage_of, 0xff, names * sizeof(*s.usage_of));
    status = take(&s, err);
    TFP_VEC_RELEASE(q->memory, &s.usages);
    tfp_memory_free(q->memory, s.usage_of);
    return status;
}

const tfp_checker tfp_utilization_checker = {
    .name = "AcceleratorUtilizationChecker",
    .needs_runs = true,
    .check = check,
};
