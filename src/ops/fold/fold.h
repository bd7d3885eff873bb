/*
 * fold.h - the elements of small tensors, where they can be computed.
 *
 * Sizes are computed in graphs: the Shape of one tensor is cut, multiplied and
 * packed again before a Reshape takes it. So after the shapes of a node's
 * outputs their elements are worked out, if the operation is in a table here
 * and the elements of its inputs are known.
 *
 * In TensorFlow's grade this is what its importer does, which evaluates a
 * piece of the graph when everything in it is constant (Shape, Size and Rank
 * count as such when the shape is known), and knows parts of a vector only in
 * the cases of fold_shape.c. In our grade each element goes its own way, and
 * those that nobody knows are TFP_VALUE_UNKNOWN.
 *
 * Elements that TensorFlow would compute by wrapping around are wrapped
 * around; those it would refuse to compute, or that C leaves open, are
 * unknown.
 */
#ifndef TFP_OPS_FOLD_H
#define TFP_OPS_FOLD_H

#include "ops/fact/site.h"

typedef struct tfp_fold_rule {
    const char *op;
    tfp_shape_fn *fold;
} tfp_fold_rule;

extern const tfp_fold_rule tfp_folds_shape[];  /* what shapes are made of */
extern const tfp_fold_rule tfp_folds_layout[]; /* moved elements */
extern const tfp_fold_rule tfp_folds_arith[];  /* by element */
extern const tfp_fold_rule tfp_folds_reduce[]; /* sums and the like */

/* The tables, ended by NULL. */
extern const tfp_fold_rule *const tfp_fold_families[];

/* Puts the elements of the outputs, if they are few and can be known. */
void tfp_fold(tfp_site *site);

/* ---- For the rules ------------------------------------------------------ */

/* Values have few elements; with more dims than this they are left alone. */
enum { TFP_FOLD_RANK = 8 };

/* An input whose elements are known. */
typedef struct tfp_operand {
    int rank;
    int64_t dims[TFP_FOLD_RANK]; /* their product is `count` */
    const int64_t *at;
    size_t count;
    int32_t dtype;
} tfp_operand;

/* False when they are not known. In TensorFlow's grade all elements are. */
bool tfp_operand_read(const tfp_site *site, size_t i, tfp_operand *operand);

/* Reads an operand of one integer. */
bool tfp_operand_int(const tfp_site *site, size_t i, int64_t *number);

/* The same in our grade where not one element is known, but their number. */
bool tfp_operand_read_any(const tfp_site *site, size_t i, tfp_operand *operand);

/* The elements of output `k`: along each axis so many of an operand's, each so
 * far from the last. Strides may be 0 or negative. */
typedef struct tfp_fold_axis {
    int64_t length, stride;
} tfp_fold_axis;

/* How far elements next to each other along each dim lie apart. */
void tfp_operand_strides(const tfp_operand *operand,
                         int64_t strides[TFP_FOLD_RANK]);

void tfp_fold_put_axes(tfp_site *site, size_t k, const tfp_operand *operand,
                       int64_t first, const tfp_fold_axis *axes, int count);

/* Sets the elements of output `k`. In TensorFlow's grade all of them must be
 * known, or nothing is set. The second function sets elements that TensorFlow
 * finds only where the vector is needed as a shape (TFP_USE_AS_SHAPE). */
void tfp_fold_put(tfp_site *site, size_t k, const int64_t *items, size_t count,
                  int32_t dtype);

void tfp_fold_put_as_shape(tfp_site *site, size_t k, const int64_t *items,
                           size_t count, int32_t dtype);

/* Says what TensorFlow may use the elements of output `k` for. */
void tfp_fold_set_use(tfp_site *site, size_t k, enum tfp_value_use use);

/* Is the input the output of an Enter? TensorFlow evaluates an Enter where its
 * value is requested directly, but not as an operand of another operation. */
bool tfp_site_is_from_enter(const tfp_site *site, size_t i);

/* The number as an element of an integer type, which wraps around; or
 * TFP_VALUE_UNKNOWN when the type is none we compute with. */
int64_t tfp_fold_wrap(int64_t number, int32_t dtype);

#endif
