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

/* Does somebody want to be told what max_depth and top leave out? Text and
 * messages are upstream's, a table tells it itself. */
bool tfp_view_tells_limits(const tfp_options *options);

/* Programs get all levels. Where names grow with each, or stacks do, a small
 * file would make an answer of its square: there they get so many, which no
 * model comes near. */
enum { TFP_DATA_LEVELS = 1000 };

/* How many levels are shown. */
int64_t tfp_view_depth(const struct tfp_view_type *type,
                       const tfp_options *options);

/* How many siblings are shown: 0 for all, negative when nobody asked. Answers
 * that no row for the rest can stand in have all of them. */
int64_t tfp_view_top(const struct tfp_view_type *type,
                     const tfp_options *options);

/* The cost that is shown first: in a table the one that was named first. If
 * none is shown, the one that would be. */
tfp_cost tfp_view_leading(const struct tfp_view_type *type,
                          const tfp_model *model, const tfp_options *options);

/* What siblings are sorted by. */
tfp_order tfp_view_order(const struct tfp_view_type *type,
                         const tfp_model *model, const tfp_options *options);

/* The costs that this needs, as bits: one or none. */
uint32_t tfp_view_order_costs(const tfp_model *model,
                              const tfp_options *options);

#endif
