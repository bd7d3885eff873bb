/*
 * totals.c - did the step, and did the operations of a run, take another time?
 */
#include "compare/totals.h"

#include "compare/snapshot.h"

typedef struct asker {
    const tfp_compare_side *sides[2];
    tfp_memory *memory;
    double *values; /* of the questions so far, one run after the other */
    size_t used;
    tfp_judge_test tests[TFP_MOST_TOTALS];
    tfp_judged_total *out;
    size_t count;
} asker;

/* Adds the test of a metric that both sides have. */
static void ask(asker *a, bool is_of_steps, int metric)
{
    tfp_judged_total total = { .is_of_steps = is_of_steps, .metric = metric };
    double *values[2];
    size_t used = a->used;
    for (int side = 0; side < 2; side++) {
        const tfp_compare_side *s = a->sides[side];
        values[side] = a->values + used;
        total.runs[side] = s->runs;
        if (is_of_steps)
            total.runs[side] = tfp_side_step_values(s, (tfp_step_metric)metric,
                                                    values[side]);
        else
            tfp_side_totals(s, (tfp_cost)metric, values[side]);
        used += total.runs[side];
    }
    if (total.runs[0] == 0 || total.runs[1] == 0)
        return;
    a->used = used;
    a->tests[a->count] = (tfp_judge_test){ values[0], values[1], total.runs[0],
                                           total.runs[1] };
    a->out[a->count++] = total;
}

/* Judges the tests from `first` on together. */
static int judge(asker *a, size_t first, tfprof_error *err)
{
    tfp_judgement found[TFP_MOST_TOTALS];
    size_t count = a->count - first;
    int status = tfp_judge(&tfp_judge_diff, a->tests + first, count, a->memory,
                           found, err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++)
        a->out[first + i].judgement = found[i];
    return status;
}

static void explain(const tfp_judgement *wall, tfp_judgement *part)
{
    if (part->adjusted < wall->adjusted)
        part->adjusted = wall->adjusted;
    part->is_changed = part->is_changed && wall->is_changed;
}

static int judge_all(asker *a, uint32_t compared, tfprof_error *err)
{
    size_t parts, costs;
    int status;
    ask(a, true, TFP_STEP_WALL);
    parts = a->count;
    status = judge(a, 0, err);
    for (int m = 0; m < TFP_STEP_METRIC_COUNT; m++) {
        if (m != TFP_STEP_WALL)
            ask(a, true, m);
    }
    costs = a->count;
    if (status == TFPROF_OK)
        status = judge(a, parts, err);
    for (size_t i = parts; i < costs && parts > 0; i++)
        explain(&a->out[0].judgement, &a->out[i].judgement);
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (compared & TFP_COMPARED_TIMES & 1u << cost)
            ask(a, false, cost);
    }
    return status == TFPROF_OK ? judge(a, costs, err) : status;
}

int tfp_totals_judge(const tfp_compare_side *base, const tfp_compare_side *head,
                     uint32_t compared, tfp_memory *memory,
                     tfp_judged_total *out, size_t *count, tfprof_error *err)
{
    asker a = { .sides = { base, head }, .memory = memory, .out = out };
    int status = TFPROF_OK;
    *count = 0;
    if (!(compared & TFP_COMPARED_TIMES))
        return status;
    a.values = tfp_memory_array(memory,
                                (base->runs + head->runs) * TFP_MOST_TOTALS + 1,
                                sizeof(*a.values));
    status = a.values ? judge_all(&a, compared, err) : tfp_fail_nomem(err);
    tfp_memory_free(memory, a.values);
    *count = status == TFPROF_OK ? a.count : 0;
    return status;
}

const char *tfp_total_name(const tfp_judged_total *total)
{
    return total->is_of_steps ? tfp_step_metrics[total->metric].name
                              : tfp_metrics[total->metric].name;
}
