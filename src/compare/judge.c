/*
 * judge.c - is a time of two sets of runs different?
 */
#include "compare/judge.h"

#include <math.h>

#include "stats/holm.h"
#include "stats/median.h"
#include "stats/rank.h"
#include "stats/shift.h"

const tfp_judge_rule tfp_judge_diff = { .alpha = 0.05,
                                        .share = 0.05,
                                        .least = 100 };

static int median(const double *values, size_t count, double alpha,
                  tfp_memory *memory, double *out, tfprof_error *err)
{
    tfp_interval interval;
    int status = tfp_median(values, count, alpha, memory, &interval, err);
    if (status == TFPROF_OK)
        *out = interval.estimate;
    return status;
}

/* The distances of the values of one side from their median, as shares of it;
 * how many there are. */
static size_t put_distances(const double *values, size_t count, double middle,
                            double *out)
{
    if (count < 2 || middle == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        out[i] = fabs((values[i] - middle) / middle);
    return count;
}

static int find_noise(const tfp_judge_test *t, double alpha, tfp_memory *memory,
                      tfp_judgement *j, tfprof_error *err)
{
    double *distances = tfp_memory_array(
        memory, t->base_runs + t->head_runs + 1, sizeof(*distances));
    size_t count;
    int status = TFPROF_OK;
    if (!distances)
        return tfp_fail_nomem(err);
    count = put_distances(t->base, t->base_runs, j->base, distances);
    count += put_distances(t->head, t->head_runs, j->head, distances + count);
    j->noise = -1;
    if (count > 0)
        status = median(distances, count, alpha, memory, &j->noise, err);
    tfp_memory_free(memory, distances);
    return status;
}

static int test_one(const tfp_judge_test *t, double alpha, size_t tests,
                    tfp_memory *memory, tfp_judgement *j, tfprof_error *err)
{
    tfp_rank_result rank;
    tfp_interval shift;
    int status = median(t->base, t->base_runs, alpha, memory, &j->base, err);
    if (status == TFPROF_OK)
        status = median(t->head, t->head_runs, alpha, memory, &j->head, err);
    if (status == TFPROF_OK)
        status = tfp_rank_test(t->base, t->base_runs, t->head, t->head_runs,
                               memory, &rank, err);
    if (status == TFPROF_OK)
        status = tfp_shift(t->base, t->base_runs, t->head, t->head_runs,
                           alpha / (double)tests, memory, &shift, err);
    if (status == TFPROF_OK)
        status = find_noise(t, alpha, memory, j, err);
    if (status != TFPROF_OK)
        return status;
    j->p = rank.p;
    j->shift = shift.estimate;
    j->has_interval = shift.known;
    j->low = shift.low;
    j->high = shift.high;
    j->smallest = tfp_shift_smallest(&shift);
    j->more_runs = tfp_rank_values_needed(t->base_runs, t->head_runs, alpha,
                                          tests);
    j->is_judged = j->more_runs == 0;
    return TFPROF_OK;
}

static void decide(const tfp_judge_rule *rule, tfp_judgement *j)
{
    j->is_changed = j->is_judged && j->adjusted <= rule->alpha &&
                    fabs(j->shift) >= rule->least &&
                    fabs(j->shift) >= rule->share * fabs(j->base);
}

int tfp_judge(const tfp_judge_rule *rule, const tfp_judge_test *tests,
              size_t count, tfp_memory *memory, tfp_judgement *out,
              tfprof_error *err)
{
    double *p = tfp_memory_array(memory, count + 1, sizeof(*p));
    int status = p ? TFPROF_OK : tfp_fail_nomem(err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        out[i] = (tfp_judgement){ .noise = -1 };
        status = test_one(&tests[i], rule->alpha, count, memory, &out[i], err);
        if (status == TFPROF_OK)
            p[i] = out[i].p;
    }
    if (status == TFPROF_OK)
        status = tfp_holm(p, count, memory, p, err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        out[i].adjusted = p[i];
        decide(rule, &out[i]);
    }
    tfp_memory_free(memory, p);
    return status;
}
