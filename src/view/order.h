/*
 * order.h - which costs the rows of a view show, what they are sorted by, and
 * how many of them there are to be.
 */
#ifndef TFP_VIEW_ORDER_H
#define TFP_VIEW_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/costs.h"
#include "model/model.h"
#include "options/options.h"

struct tfp_view_type;

/* The costs that a view's answer has as columns, in their order. */
typedef struct tfp_view_columns {
    tfp_cost costs[TFP_COST_COUNT];
    size_t count;
} tfp_view_columns;

/* `select` are tfp_select bits, not AUTO. */
tfp_view_columns tfp_view_columns_of(const struct tfp_view_type *type,
                                     int64_t select);

/* Can a view be sorted by what `sort` says? */
int tfp_view_check_sort(const tfp_options *options, tfprof_error *err);

/* How many siblings are shown: 0 for all, negative when nobody asked. Answers
 * that no row for the rest can stand in have all of them. */
int64_t tfp_view_top(const tfp_options *options);

/* What siblings are sorted by. */
tfp_order tfp_view_order(const struct tfp_view_type *type,
                         const tfp_model *model, const tfp_options *options);

/* The costs that this needs, as bits: one or none. */
uint32_t tfp_view_order_costs(const tfp_model *model,
                              const tfp_options *options);

#endif
