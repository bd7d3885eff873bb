/*
 * site.h - one node in its place: what it gets, what it gives, how it is set.
 *
 * Shape functions and formulas see a node through this and nothing else. A
 * site is of one grade: inputs are what is known in that grade.
 */
#ifndef TFP_OPS_SITE_H
#define TFP_OPS_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "ops/fact/fact.h"
#include "ops/fact/keys.h"
#include "ops/fact/op.h"
#include "ops/fact/shapes.h"
#include "proto/dtype.h"

struct tfp_site {
    tfp_shapes *shapes;
    tfp_model *model;
    const tfp_op *op; /* NULL when it is in no table */
    const tfp_nodes *nodes;
    tfp_node node;
    tfp_grade grade;
    const tfp_known *const *inputs; /* data inputs; a missing one is unknown */
    size_t input_count;
    size_t control_count; /* inputs that only order */
    tfp_known *outputs;
    size_t output_count;
};

/* ---- What it gets ------------------------------------------------------- */

/* The fact about input `i`; one there is not is one that nothing is known of.
 */
const tfp_fact *tfp_site_input_fact(const tfp_site *site, size_t i);

/* Does input `i` come from the end of a TF1 loop, to the next time around? */
bool tfp_site_comes_back(const tfp_site *site, size_t i);

/* Its dims, and those of an output. */
tfp_dims tfp_site_input(const tfp_site *site, size_t i);
tfp_dims tfp_site_output(const tfp_site *site, size_t i);

/* The elements of an input that is known to hold few, in the order of rows. */
typedef struct tfp_value {
    const int64_t *at; /* floats as bits; TFP_VALUE_UNKNOWN where unknown */
    size_t count;
    int32_t dtype;
    bool complete; /* no element is unknown */
} tfp_value;

/* False when nothing is known of them. The second one also gives what may be
 * used as a shape only (fact.h). */
bool tfp_site_value(const tfp_site *site, size_t i, tfp_value *value);
bool tfp_site_value_as_shape(const tfp_site *site, size_t i, tfp_value *value);

/* The same when all of them are known and integers; and of a single one. */
bool tfp_site_ints_value(const tfp_site *site, size_t i, tfp_value *value);
bool tfp_site_int_value(const tfp_site *site, size_t i, int64_t *number);

/* The operation that input `i` comes from; NULL when it is in no table. */
const tfp_op *tfp_site_producer(const tfp_site *site, size_t i, tfp_node *node);

/* ---- How it is set ------------------------------------------------------ */

/* NULL when it has no such attribute, or of another kind than `kind`. */
const tfp_attr *tfp_site_attr(const tfp_site *site, tfp_key key, uint32_t kind);

int64_t tfp_site_int(const tfp_site *site, tfp_key key, int64_t otherwise);
bool tfp_site_bool(const tfp_site *site, tfp_key key, bool otherwise);
double tfp_site_float(const tfp_site *site, tfp_key key, double otherwise);
int32_t tfp_site_type(const tfp_site *site, tfp_key key); /* 0: none */
tfp_span tfp_site_string(const tfp_site *site, tfp_key key);

/* The equation of an Einsum; none when it is longer than the equation of so
 * many inputs can be, so that a long one is not read for each instance. */
tfp_span tfp_site_equation(const tfp_site *site);

/* The items of a list of ints, types, bools or shapes. */
const int64_t *tfp_site_list(const tfp_site *site, tfp_key key, size_t *count);

/* A shape as an attribute has it, made safe: negative dims are unknown.
 * TFP_SHAPE_NONE when there is none. */
tfp_shape tfp_site_shape(const tfp_site *site, tfp_key key);

/* The function that an attribute names: a graph's index, or TFP_NO_ID. */
uint32_t tfp_site_function(const tfp_site *site, tfp_key key);

/* ---- What it gives ------------------------------------------------------ */

/* One past the last output is passed over, so a function need not count. */
void tfp_site_put(tfp_site *site, size_t i, const int64_t *dims, int rank);
void tfp_site_put_shape(tfp_site *site, size_t i, tfp_shape shape);
void tfp_site_put_fact(tfp_site *site, size_t i, const tfp_fact *fact);
void tfp_site_put_held(tfp_site *site, size_t i, tfp_shape held);

/* Output `i` is a list of so many elements; nothing is put where that is not
 * known (below 0) or no number for a list. Our grade alone has it. */
void tfp_site_put_length(tfp_site *site, size_t i, int64_t length);
void tfp_site_put_unknown_dims(tfp_site *site, size_t i, int rank);
static inline void tfp_site_put_scalar(tfp_site *site, size_t i)
{
    tfp_site_put(site, i, NULL, 0);
}

/* The elements of an output whose shape has been put. */
void tfp_site_put_value(tfp_site *site, size_t i, const int64_t *items,
                        size_t count, int32_t dtype);

/* ---- Help with dims ----------------------------------------------------- */

/* An axis counted from the end when negative: 0..rank-1, or -1 when it is
 * none. */
int tfp_axis_of(int64_t axis, int rank);

/* Unknown if either is; never overflows: what does not fit is unknown. */
int64_t tfp_dim_add(int64_t a, int64_t b);
int64_t tfp_dim_mul(int64_t a, int64_t b);

/* The smaller one: unknown if either is, unless one is 0. */
int64_t tfp_dim_least(int64_t a, int64_t b);

/* Two dims that must be equal: *merged is what both say. False when they
 * contradict each other. */
bool tfp_dim_merge(int64_t a, int64_t b, int64_t *merged);

/* Two dims of which one may be stretched, as operations by element do: false
 * when they do not go together. */
bool tfp_dim_broadcast(int64_t a, int64_t b, int64_t *out);

/* A value as a shape: dims that are not known or -1 are unknown. Its rank, or
 * -1 when it is no shape. */
int tfp_value_dims(const tfp_value *value, int64_t dims[TFP_MOST_RANK]);

/* The shape that input `i` spells out: by its value, or else of known rank
 * when its length is known. False (out stays) when not even that. */
int tfp_site_input_as_shape(const tfp_site *site, size_t i,
                            int64_t dims[TFP_MOST_RANK]);

#endif
