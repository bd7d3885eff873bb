/*
 * bound.c - InputBoundChecker and HostBoundChecker: what steps wait for.
 *
 * A step waits for input while it runs IteratorGetNext, and for the host while
 * no accelerator runs and it does not wait for input. Both need the time of the
 * step by the marker of the host. A wait that accelerators work through costs
 * nothing, so it does not count against the input.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/census.h"
#include "model/gathered.h"
#include "model/metrics.h"
#include "model/model.h"

enum {
    LEAST_INPUT = 10, /* percent of a step: to gain less is not worth it */
    LEAST_HOST = 50,  /* percent: most of the step */
    MOST_STEPS = 50   /* percent of steps that are so, as one long step does
                       * not speak for the others */
};

/* Sums over steps. */
typedef struct bound {
    int64_t time, wall;  /* of what is waited for, and of the steps */
    int64_t lost;        /* that no accelerator worked through */
    int64_t steps, such; /* of all, and of those that lose enough */
} bound;

static void add_step(bound *b, const tfp_step_time *step, int64_t time,
                     int64_t lost, int percent)
{
    b->time = tfp_add_sat(b->time, time);
    b->lost = tfp_add_sat(b->lost, lost);
    b->wall = tfp_add_sat(b->wall, step->wall);
    b->steps++;
    b->such += tfp_is_share(lost, step->wall, percent);
}

static bool is_bound(const bound *b, int percent)
{
    return tfp_is_share(b->lost, b->wall, percent) &&
           tfp_is_share(b->such, b->steps, MOST_STEPS);
}

/* The time of a step in which no accelerator ran; all of it when there is
 * none. */
static int64_t unaccelerated(const tfp_step_time *step)
{
    int64_t time = step->wall;
    if (step->accelerated >= 0)
        time = tfp_sub_sat(time, step->accelerated);
    return time > 0 ? time : 0;
}

/* Is it a stage of tf.data, or does it wait for one? */
static bool is_of_input(const tfp_inquiry *q, uint32_t member)
{
    tfp_node node = q->census->members.data[member].node;
    return tfp_node_waits_for_input(tfp_inquiry_name(q, member)) ||
           (node != TFP_NO_NODE &&
            tfp_span_is(tfp_model_text(q->model, q->model->nodes.op[node]),
                        "Dataset"));
}

/* The costliest member on the host that is of the input, or that is not. */
static uint32_t costliest(tfp_inquiry *q, bool of_input, int64_t *count)
{
    uint32_t found = TFP_NO_ID;
    *count = 0;
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        if (tfp_inquiry_cost(q, m, TFP_COST_CPU_MICROS) <= 0 ||
            is_of_input(q, m) != of_input)
            continue;
        found = tfp_inquiry_costlier(q, found, m, TFP_COST_CPU_MICROS);
        ++*count;
    }
    return found;
}

/* What there is to tell of one of the two. */
static int tell(tfp_inquiry *q, const bound *b, tfp_finding_kind kind,
                const char *hint, tfprof_error *err)
{
    tfp_finding found = { .kind = kind,
                          .cpu_micros = b->time,
                          .micros = b->time,
                          .whole_micros = b->wall,
                          .count = b->such,
                          .whole_count = b->steps,
                          .hint = hint };
    uint32_t member = costliest(q, kind == TFP_FINDING_INPUT,
                                &found.node_count);
    return tfp_inquiry_tell_alone(q, found, member, err);
}

/* ---- Input -------------------------------------------------------------- */

static int check_input(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    bound b = { 0 };
    for (size_t i = 0; i < g->steps.count && !tfp_watch_ends(&q->watch); i++) {
        const tfp_step_time *step = &g->steps.data[i];
        int64_t idle = unaccelerated(step);
        if (step->is_rest || step->wall < 0 || step->waited < 0)
            continue;
        add_step(&b, step, step->waited,
                 step->waited < idle ? step->waited : idle, LEAST_INPUT);
    }
    if (!is_bound(&b, LEAST_INPUT))
        return TFPROF_OK;
    return tell(q, &b, TFP_FINDING_INPUT,
                "dataset.prefetch(tf.data.AUTOTUNE), a parallel map, cache(), "
                "fewer and larger files",
                err);
}

const tfp_checker tfp_input_bound_checker = {
    .name = "InputBoundChecker",
    .needs_runs = true,
    .gathers = TFP_GATHER_STEPS,
    .check = check_input,
};

/* ---- Host --------------------------------------------------------------- */

static int check_host(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    bound b = { 0 };
    for (size_t i = 0; i < g->steps.count && !tfp_watch_ends(&q->watch); i++) {
        const tfp_step_time *step = &g->steps.data[i];
        int64_t time = unaccelerated(step);
        if (step->is_rest || step->wall < 0 || step->accelerated < 0)
            continue;
        if (step->waited > 0)
            time = time > step->waited ? time - step->waited : 0;
        add_step(&b, step, time, time, LEAST_HOST);
    }
    if (!is_bound(&b, LEAST_HOST))
        return TFPROF_OK;
    return tell(q, &b, TFP_FINDING_HOST,
                "jit or tf.function around the complete step, fewer fetched "
                "values, less Python between operations",
                err);
}

const tfp_checker tfp_host_bound_checker = {
    .name = "HostBoundChecker",
    .needs_runs = true,
    .gathers = TFP_GATHER_STEPS,
    .check = check_host,
};
