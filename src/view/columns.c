/*
 * columns.c - which costs the rows of a view show.
 */
#include "view/columns.h"

#include "view/view.h"

static void add(tfp_view_columns *columns, int64_t select, uint32_t costs)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        int64_t shown_by = (int64_t)1 << cost | (int64_t)1
                                                    << tfp_metrics[cost].whole;
        if (costs >> cost & 1 && select & shown_by)
            columns->costs[columns->count++] = (tfp_cost)cost;
    }
}

/* Runs come last; the text form shows them in ways of its own. */
tfp_view_columns tfp_view_columns_of(const tfp_view_type *type, int64_t select)
{
    uint32_t runs = 1u << TFP_COST_RUNS;
    uint32_t first = type->groups ? 0 : tfp_metrics_with(TFP_METRIC_LEADS);
    tfp_view_columns columns = { .count = 0 };
    add(&columns, select, first);
    add(&columns, select, ~(first | runs));
    add(&columns, select, runs);
    return columns;
}
