/*
 * init.c - budgets for what a model has today.
 */
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "output/check/check.h"

#include <stddef.h>
#include <stdint.h>

#include "output/text/json.h"

/* 2 % above a value, at least 1: counts and bytes are whole numbers. */
static int64_t with_room(double value)
{
    enum { PARTS = 50 };
    int64_t whole = value < 9e18 ? (int64_t)value : INT64_MAX;
    int64_t room = whole / PARTS + 1;
    return whole > INT64_MAX - room ? INT64_MAX : whole + room;
}

int tfp_budgets_write(const tfp_budgets *budgets, const tfp_measured *measured,
                      tfp_sink *sink, tfprof_error *err)
{
    tfp_json j;
    bool has_wall = false;
    (void)err;
    for (size_t i = 0; i < budgets->all.count; i++)
        has_wall |= budgets->all.data[i].metric == TFP_BUDGET_WALL &&
                    measured[i].runs > 0;
    tfp_json_init(&j, sink);
    tfp_json_open(&j, NULL, '{');
    tfp_json_int(&j, "tfprof_budgets", 1);
    tfp_json_open(&j, "budgets", '[');
    for (size_t i = 0; i < budgets->all.count; i++) {
        int metric = budgets->all.data[i].metric;
        if (measured[i].runs == 0 || measured[i].is_partial ||
            (metric == TFP_COST_MICROS && has_wall))
            continue;
        tfp_json_open_line(&j, NULL, '{');
        tfp_json_text(&j, "metric", tfp_budget_metric_name(metric));
        if (tfp_budget_is_time(metric)) {
            tfp_json_text(&j, "max", "+2%");
            tfp_json_text(&j, "and_at_least", "100us");
        } else {
            double most = 0;
            for (size_t run = 0; run < measured[i].runs; run++)
                most = measured[i].values[run] > most ? measured[i].values[run]
                                                      : most;
            tfp_json_int(&j, "max", with_room(most));
        }
        tfp_json_close(&j);
    }
    tfp_json_close(&j);
    tfp_json_close(&j);
    return TFPROF_OK;
}
