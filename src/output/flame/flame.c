/*
 * flame.c - code that both files for flame graphs share.
 */
#include "output/flame/flame.h"

#include <stdbool.h>

#include "view/columns.h"

enum { COSTS = (1 << TFP_COST_COUNT) - 1 };

int tfp_flame_check(const tfp_view_type *type, const tfp_options *o,
                    tfprof_error *err)
{
    if (type->timeline != TFP_TIMELINE_SHARES)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "--output: the %s view has no flame graph (use scope or code)",
            type->name);
    if (o->select != TFP_SELECT_AUTO && (o->select & ~COSTS || o->select == 0))
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--select: a flame graph needs at least one cost, and "
                        "supports only costs (such as --select micros,bytes)");
    return TFPROF_OK;
}

static bool choose_main(const tfp_view *v, tfp_cost *main)
{
    const tfp_options *o = v->options;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (o->select == TFP_SELECT_AUTO
                ? v->order == (int64_t)TFP_ORDER_COSTS + cost
                : o->select_first == (int64_t)1 << cost) {
            *main = (tfp_cost)cost;
            return true;
        }
    }
    return false;
}

tfp_flame_costs tfp_flame_costs_of(const tfp_view *v)
{
    tfp_view_columns columns = tfp_view_columns_of(v->type, v->select);
    tfp_flame_costs all = { .count = 0 };
    if (choose_main(v, &all.costs[0]))
        all.count = 1;
    for (size_t i = 0; i < columns.count; i++) {
        tfp_cost cost = columns.costs[i];
        /* Parts of the time may be columns although they are not selected. */
        if (v->select >> cost & 1 && (all.count == 0 || cost != all.costs[0]))
            all.costs[all.count++] = cost;
    }
    return all;
}

tfp_span tfp_flame_name(const tfp_view *v, uint32_t row)
{
    const tfp_row *r = &v->rows.data[row];
    tfp_span name = tfp_row_name(r);
    if (v->type->adds_names && row != 0 && r->parent != 0) {
        size_t above = (size_t)v->rows.data[r->parent].name_size + 1;
        name = (tfp_span){ name.data + above, name.size - above };
    }
    return name.size > 0 ? name : tfp_span_of("(no name)");
}
