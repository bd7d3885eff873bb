/*
 * lift.h - what a view would show if something else were asked for.
 *
 * For answers that are empty: which filter left nothing? That is found by
 * asking again without it, so what comes out is true whatever filters do to
 * each other. Each question takes a view; there are at most a few for each
 * filter that is set.
 */
#ifndef TFP_VIEW_LIFT_H
#define TFP_VIEW_LIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metrics.h"
#include "options/options.h"
#include "view/view.h"

/* A bit of 32 each; a unit test counts them in the table of options. */
enum { TFP_MOST_FILTERS = 32 };

typedef struct tfp_lift {
    const char *filters[TFP_MOST_FILTERS]; /* names of options */
    size_t count;                          /* 0: none of them is to blame */
    size_t rows;     /* that there would be without them, but for the root */
    tfp_cost cost;   /* of one minimum: what it is about */
    int64_t largest; /* and how much the largest of these rows has of it */
} tfp_lift;

/* Is there no row, or only the root? */
static inline bool tfp_view_is_empty(const tfp_view *view)
{
    return view->shown_count <= 1;
}

/* The options that are filters, in the order in which they are lifted; how many
 * they are. */
size_t tfp_view_filters(const tfp_option *filters[TFP_MOST_FILTERS]);

/* Finds the first filter without which the view would not be empty; or else
 * filters that have to go together, of which none can stay. TFPROF_OK, or why
 * it could not be found out: cancelled, out of memory, a limit. */
int tfp_view_lift(const tfp_view *view, tfp_lift *lift);

/* How many rows there would be with another value of an option, which may be
 * one that it cannot have; at the depth that is asked for, or at any. */
int tfp_view_rows_with(const tfp_view *view, const char *option,
                       const char *value, bool at_any_depth, size_t *rows);

#endif
