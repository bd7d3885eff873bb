/*
 * common.h - shape functions that several families use.
 */
#ifndef TFP_OPS_COMMON_H
#define TFP_OPS_COMMON_H

#include "model/attrs.h"
#include "ops/fact/site.h"

/* Nothing can be said, or there is no output. */
void tfp_infer_nothing(tfp_site *site);

/* Output 0 is as input 0; the second also in what it holds. */
void tfp_infer_same(tfp_site *site);
void tfp_infer_passed_on(tfp_site *site);

/* Output 0 is as input 0, which must have this rank; or at least one dim. */
void tfp_infer_same_4d(tfp_site *site);
void tfp_infer_same_5d(tfp_site *site);
void tfp_infer_same_from_1d(tfp_site *site);

/* Every output is as the input of the same number. */
void tfp_infer_each_passed_on(tfp_site *site);

/* Output 0 is as attribute `shape` says. */
void tfp_infer_by_shape(tfp_site *site);

/* Output 0 is as inputs 0 and 1 say together, which are of one shape. */
void tfp_infer_merged_two(tfp_site *site);

/* Output 0 is a scalar. */
void tfp_infer_scalar(tfp_site *site);

/* Inputs 0 and 1 are stretched to each other. */
void tfp_infer_broadcast(tfp_site *site);

/* Stretches two shapes to each other: the rank, or -1 when either is unknown,
 * or -2 when they do not go together. */
int tfp_broadcast(tfp_dims a, tfp_dims b, int64_t out[TFP_MOST_RANK]);

/* Output `i` has the dims of the one and then those of the other; it stays
 * unknown when the rank of either is. */
void tfp_site_put_joined(tfp_site *site, size_t i, tfp_dims front,
                         tfp_dims rest);

#endif
