/*
 * expensive.h - what both ways to tell of expensive operations share.
 */
#ifndef TFP_ADVISE_EXPENSIVE_H
#define TFP_ADVISE_EXPENSIVE_H

#include "advise/advise.h"
#include "base/error.h"
#include "options/options.h"
#include "view/view.h"

enum { TFP_MOST_FINDINGS = 3 }; /* of a list, or of the lines below a line */

/* A view of rows that took time, the longest first; `own` folds the lines of
 * libraries. Both are to be released, after a failure too. */
int tfp_expensive_view(tfp_inquiry *inquiry, const tfp_view_type *type,
                       int64_t max_depth, bool own, tfp_options *options,
                       tfp_view *view, tfprof_error *err);
void tfp_expensive_view_release(tfp_options *options, tfp_view *view);

/* The costliest member that a row stands for itself, or `before`; *count grows
 * by how many these are. */
uint32_t tfp_expensive_member(tfp_inquiry *inquiry, const tfp_view *view,
                              uint32_t row, uint32_t before, int64_t *count);

/* The longest types, nodes and lines of code, as a table for people has them:
 * brief.c. */
int tfp_expensive_tell_brief(tfp_inquiry *inquiry, tfprof_error *err);

#endif
