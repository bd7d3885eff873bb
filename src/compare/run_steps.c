/*
 * run_steps.c - the metrics of steps in one run, as one value each.
 */
#include "compare/run_steps.h"

#include "base/sort.h"
#include "model/metrics.h"
#include "model/steps.h"
#include "stats/median.h"

/* Sorts the values in place. */
static int64_t summarize(int64_t *values, size_t count, bool takes_minimum)
{
    int64_t median;
    if (count == 0)
        return -1;
    median = tfp_median_of_whole(values, count);
    return takes_minimum ? values[0] : median;
}

/* The steps that count, by number; *listed is how many there are with those
 * that are left out. */
static size_t list_steps(const tfp_model *model, int64_t asked, int64_t skipped,
                         tfp_sort_item *items, size_t *listed)
{
    size_t count = 0, first = skipped > 0 ? (size_t)skipped : 0;
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (tfp_step_is_asked(step, asked))
            items[count++] = (tfp_sort_item){ tfp_sort_key_rising(step->id),
                                              (uint32_t)i };
    }
    tfp_sort(items, count, items + count, NULL, NULL);
    *listed = count;
    if (first >= count)
        return 0;
    for (size_t i = first; i < count; i++)
        items[i - first] = items[i];
    return count - first;
}

int tfp_run_take_steps(const tfp_model *model, int64_t step,
                       const tfp_run_rule *rule, tfp_memory *memory,
                       const tfp_cancel *cancel, tfp_step_values *values,
                       tfprof_error *err)
{
    tfp_watch watch = { .cancel = cancel };
    size_t most = model->steps.count, count = 0, listed = 0;
    tfp_step_values *all = tfp_step_values_find(model, memory, &watch);
    tfp_sort_item *items = tfp_memory_array(memory, 2 * most + 1,
                                            sizeof(*items));
    int64_t *room = tfp_memory_array(memory, most + 1, sizeof(*room));
    bool ok = all && items && room;
    if (ok)
        count = list_steps(model, step, rule->skipped, items, &listed);
    for (int metric = 0; ok && metric < TFP_STEP_METRIC_COUNT; metric++) {
        size_t known = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t value = all[items[i].index].of[metric];
            if (value >= 0)
                room[known++] = value;
        }
        values->of[metric] = summarize(room, known, rule->takes_minimum);
    }
    tfp_memory_free(memory, room);
    tfp_memory_free(memory, items);
    tfp_memory_free(memory, all);
    if (watch.cancelled)
        return tfp_fail_cancelled(err);
    if (ok && count == 0 && listed > 0)
        return tfp_run_fail_skipped(rule, listed, err);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
