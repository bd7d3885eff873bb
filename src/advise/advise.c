/*
 * advise.c - runs the checkers and keeps what they find.
 */
#include "advise/advise.h"

#include "model/traces.h"

#include "model/library.h"
#include "model/model.h"

#include "model/metrics.h"

#include "model/costs.h"

#include "base/intern.h"

#include "advise/inquiry.h"
#include "model/gradients.h"

/* Upstream lists a JobChecker whose source is not public. The name is accepted
 * here, but nothing is checked. */
static const tfp_checker job_checker = { .name = "JobChecker" };

const tfp_checker *const tfp_checkers[TFP_CHECKERS] = {
    &tfp_utilization_checker,  &tfp_expensive_checker,
    &tfp_host_bound_checker,   &tfp_idle_checker,
    &tfp_input_bound_checker,  &job_checker,
    &tfp_operation_checker,    &tfp_copy_checker,
    &tfp_small_kernel_checker,
};

uint32_t tfp_checkers_gather(int64_t asked)
{
    uint32_t needs = 0;
    for (uint32_t i = 0; i < TFP_CHECKERS; i++) {
        if ((uint32_t)asked >> i & 1)
            needs |= tfp_checkers[i]->gathers;
    }
    return needs;
}

bool tfp_advice_has(const tfp_advice *advice, uint32_t checker)
{
    return advice->asked >> checker & 1 && tfp_checkers[checker]->check &&
           (advice->traces || tfp_checkers[checker]->gathers == 0);
}

const tfp_checker_report *tfp_advice_next(const tfp_advice *advice,
                                          uint32_t checker,
                                          const tfp_checker_report *before)
{
    const tfp_checker_report *reports = advice->reports.data;
    size_t i = before ? (size_t)(before - reports) + 1 : 0;
    while (i < advice->reports.count && reports[i].checker != checker)
        i++;
    return i < advice->reports.count ? &reports[i] : NULL;
}

/* ---- Telling ------------------------------------------------------------ */

int tfp_inquiry_report(tfp_inquiry *q, tfprof_error *err)
{
    tfp_checker_report report = {
        .checker = q->checker, .first = (uint32_t)q->advice->findings.count
    };
    return TFP_VEC_PUSH(q->memory, &q->advice->reports, report)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static bool keep_name(tfp_advice *advice, tfp_span *name)
{
    uint8_t *copy;
    if (name->size == 0)
        return true;
    copy = tfp_arena_alloc(&advice->names, name->size, 1);
    if (!copy)
        return false;
    memcpy(copy, name->data, name->size);
    name->data = copy;
    return true;
}

static void point_to(const tfp_inquiry *q, tfp_finding *finding,
                     uint32_t member)
{
    const tfp_frame *source = tfp_inquiry_source(q, member);
    finding->node = q->census->members.data[member].name;
    if (source) {
        finding->file = source->file;
        finding->line = source->line;
    }
    if (!finding->hint)
        finding->hint = tfp_hint_for(q, member);
}

int tfp_inquiry_tell(tfp_inquiry *q, tfp_finding finding, uint32_t member,
                     tfprof_error *err)
{
    tfp_advice *advice = q->advice;
    tfp_checker_report *report =
        &advice->reports.data[advice->reports.count - 1];
    finding.rank = report->count + 1;
    if (member != TFP_NO_ID)
        point_to(q, &finding, member);
    if (!keep_name(advice, &finding.name) ||
        !TFP_VEC_PUSH(q->memory, &advice->findings, finding))
        return tfp_fail_nomem(err);
    report->count++;
    return TFPROF_OK;
}

int tfp_inquiry_tell_alone(tfp_inquiry *q, tfp_finding finding, uint32_t member,
                           tfprof_error *err)
{
    int status = tfp_inquiry_report(q, err);
    return status == TFPROF_OK ? tfp_inquiry_tell(q, finding, member, err)
                               : status;
}

/* ---- Looking ------------------------------------------------------------ */

uint32_t tfp_inquiry_costlier(const tfp_inquiry *q, uint32_t a, uint32_t b,
                              tfp_cost cost)
{
    int64_t of_a, of_b;
    if (a == TFP_NO_ID || b == TFP_NO_ID)
        return a == TFP_NO_ID ? b : a;
    of_a = tfp_inquiry_cost(q, a, cost);
    of_b = tfp_inquiry_cost(q, b, cost);
    if (of_a != of_b)
        return of_a > of_b ? a : b;
    return tfp_span_compare(tfp_inquiry_name(q, a), tfp_inquiry_name(q, b)) <= 0
               ? a
               : b;
}

void tfp_inquiry_rank(const tfp_inquiry *q, uint32_t *top, int most,
                      uint32_t member)
{
    for (int i = 0; i < most && member != TFP_NO_ID; i++) {
        uint32_t there = top[i];
        top[i] = tfp_inquiry_costlier(q, there, member, TFP_COST_MICROS);
        if (top[i] == member)
            member = there; /* which goes one place down */
    }
}

uint32_t tfp_inquiry_member(const tfp_inquiry *q, tfp_span name)
{
    tfp_string id = tfp_model_named(q->model, name);
    return id < q->census->name_count ? q->census->by_name[id] : TFP_NO_ID;
}

bool tfp_inquiry_accelerates(const tfp_inquiry *q, uint32_t member)
{
    tfp_string device = q->census->members.data[member].device;
    return tfp_is_accelerator(tfp_model_text(q->model, device));
}

/* The stack of a gradient is that of the optimizer; what can be changed is
 * the operation that it belongs to. */
static tfp_stack stack_of(const tfp_inquiry *q, uint32_t member)
{
    tfp_span forward;
    uint32_t origin = TFP_NO_ID;
    if (tfp_is_gradient(tfp_inquiry_name(q, member), &forward))
        origin = tfp_census_forward(q->census, forward);
    if (origin == TFP_NO_ID)
        origin = member;
    return tfp_member_trace(q->model, &q->census->members.data[origin]);
}

const tfp_frame *tfp_inquiry_source(const tfp_inquiry *q, uint32_t member)
{
    tfp_stack stack = stack_of(q, member);
    const tfp_frame *innermost = NULL;
    while (stack != 0) {
        const tfp_frame *frame = tfp_stack_top(q->model, stack, &stack);
        if (!tfp_is_library(tfp_model_text(q->model, frame->file)))
            return frame;
        if (!innermost)
            innermost = frame;
    }
    return innermost;
}

/* ---- All of it ---------------------------------------------------------- */

/* Nodes that stand together mostly share their device. */
static bool has_accelerator(const tfp_inquiry *q)
{
    const tfp_census *census = q->census;
    for (uint32_t m = 0; m < census->members.count; m++) {
        if ((m == 0 || census->members.data[m].device !=
                           census->members.data[m - 1].device) &&
            tfp_inquiry_accelerates(q, m))
            return true;
    }
    return false;
}

/* Fails if every requested checker needs a trace and there is none. The message
 * names the first of them. */
static int check_traces(const tfp_advice *advice, tfprof_error *err)
{
    const char *unable = NULL;
    for (uint32_t i = 0; i < TFP_CHECKERS; i++) {
        if (!(advice->asked >> i & 1))
            continue;
        if (advice->traces || tfp_checkers[i]->gathers == 0)
            return TFPROF_OK;
        if (!unable)
            unable = tfp_checkers[i]->name;
    }
    return unable ? tfp_fail(err, TFPROF_ERR_MISSING, -1,
                             "%s requires a trace (give *.xplane.pb or its log "
                             "directory)",
                             unable)
                  : TFPROF_OK;
}

static int check_runs(tfp_advice *advice, tfprof_error *err)
{
    const char *unable = NULL;
    bool others = false;
    for (uint32_t i = 0; i < TFP_CHECKERS; i++) {
        if (!tfp_advice_has(advice, i))
            continue;
        if (!tfp_checkers[i]->needs_runs)
            others = true;
        else if (!unable)
            unable = tfp_checkers[i]->name;
    }
    advice->misses_runs = unable && !tfp_model_has_runs(advice->model);
    if (!advice->misses_runs || others)
        return TFPROF_OK;
    return tfp_fail(
        err, TFPROF_ERR_MISSING, -1,
        "%s requires run records (give run metadata, a trace, or a profile "
        "that contains them: --run_meta_path, --profile_path)",
        unable);
}

static int run_checkers(tfp_inquiry *q, tfprof_error *err)
{
    for (q->checker = 0; q->checker < TFP_CHECKERS; q->checker++) {
        int status;
        if (!tfp_advice_has(q->advice, q->checker))
            continue;
        if (tfp_watch_asks(&q->watch))
            return tfp_fail_cancelled(err);
        status = tfp_checkers[q->checker]->check(q, err);
        if (q->watch.cancelled)
            return tfp_fail_cancelled(err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

/* What was asked for is in the advice. */
static int look(tfp_advice *advice, const tfp_census *census,
                const tfp_cancel *cancel, tfprof_error *err)
{
    tfp_inquiry q = { .advice = advice,
                      .census = census,
                      .model = census->model,
                      .traces = advice->traces,
                      .memory = census->memory,
                      .watch = { .cancel = cancel } };
    int status;
    advice->memory = census->memory;
    advice->model = census->model;
    tfp_arena_init(&advice->names, census->memory);
    status = check_traces(advice, err);
    if (status == TFPROF_OK)
        status = check_runs(advice, err);
    if (status != TFPROF_OK)
        return status;
    q.has_accelerator = has_accelerator(&q);
    status = tfp_costs_init(&q.costs, census, -1, 1u << TFP_COST_MICROS, cancel,
                            err);
    if (status == TFPROF_OK)
        status = run_checkers(&q, err);
    tfp_costs_release(&q.costs, census->memory);
    return status;
}

int tfp_advise(tfp_advice *advice, const tfp_census *census,
               const tfp_model *traces, int64_t asked, const tfp_cancel *cancel,
               tfprof_error *err)
{
    *advice = (tfp_advice){ .traces = traces, .asked = (uint32_t)asked };
    return look(advice, census, cancel, err);
}

int tfp_advise_briefly(tfp_advice *advice, const tfp_census *census,
                       const tfp_model *traces, int64_t asked,
                       const tfp_cancel *cancel, tfprof_error *err)
{
    *advice = (tfp_advice){ .traces = traces,
                            .asked = (uint32_t)asked,
                            .is_brief = true };
    return look(advice, census, cancel, err);
}

void tfp_advice_release(tfp_advice *advice)
{
    TFP_VEC_RELEASE(advice->memory, &advice->reports);
    TFP_VEC_RELEASE(advice->memory, &advice->findings);
    tfp_arena_release(&advice->names);
}
