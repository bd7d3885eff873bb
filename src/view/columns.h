/*
 * columns.h - which costs the rows of a view show.
 */
#ifndef TFP_VIEW_COLUMNS_H
#define TFP_VIEW_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "model/costs.h"
#include "view/view.h"

struct tfp_view_type;

/* The costs that a page shows if the inputs have them, whatever is selected:
 * bits. */
enum {
    TFP_PAGE_COSTS = 1 << TFP_COST_MICROS | 1 << TFP_COST_BYTES |
                     1 << TFP_COST_PARAMS | 1 << TFP_COST_FLOAT_OPS
};

/* The costs that a view's answer has as columns, in their order. */
typedef struct tfp_view_columns {
    tfp_cost costs[TFP_COST_COUNT];
    size_t count;
} tfp_view_columns;

/* `select` are tfp_select bits, not AUTO. */
tfp_view_columns tfp_view_columns_of(const struct tfp_view_type *type,
                                     int64_t select);

#endif
