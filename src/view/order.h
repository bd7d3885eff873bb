/*
 * order.h - what the rows of a view are sorted by, and how many of them there
 * are to be.
 */
#ifndef TFP_VIEW_ORDER_H
#define TFP_VIEW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/costs.h"
#include "model/model.h"
#include "options/options.h"
#include "view/view.h"

struct tfp_view_type;

/* Can a view be sorted by what `sort` says? */
int tfp_view_check_sort(const tfp_options *options, tfprof_error *err);

/* Is the answer a table for people, which has defaults of its own? */
bool tfp_view_is_table(const tfp_options *options);

/* Is the answer for programs, which expect all of it? */
bool tfp_view_is_data(const struct tfp_view_type *type,
                      const tfp_options *options);

/* Should a remark report the rows that max_depth and top leave out? Not for
 * text and messages, which match upstream's, nor for a table, which shows it.
 */
bool tfp_view_tells_limits(const tfp_options *options);

/* Answers for programs have all levels, except where names or stacks grow with
 * each level: there a small file could make an answer of quadratic size. Those
 * answers have at most this many levels, far more than any real model. */
enum { TFP_DATA_LEVELS = 1000 };

/* How many levels are shown. */
int64_t tfp_view_depth(const struct tfp_view_type *type,
                       const tfp_options *options);

/* How many siblings are shown. 0: all. Negative: all, and no option limits
 * them; so it is for outputs that cannot hold a row for the rest (pprof,
 * flame graphs, timelines, proto). */
int64_t tfp_view_top(const struct tfp_view_type *type,
                     const tfp_options *options);

/* The cost in the first column; in a table, the first one named in `select`. If
 * no cost is shown: the time if there are run records, else the parameters. */
tfp_cost tfp_view_leading(const struct tfp_view_type *type,
                          const tfp_model *model, const tfp_options *options);

/* What siblings are sorted by. */
tfp_order tfp_view_order(const struct tfp_view_type *type,
                         const tfp_model *model, const tfp_options *options);

/* The costs that this needs, as bits: one or none. */
uint32_t tfp_view_order_costs(const tfp_model *model,
                              const tfp_options *options);

#endif
