/*
 * fact.h - what is known of a tensor: its shape, and sometimes its contents.
 *
 * Every fact has two grades. TFP_GRADE_TENSORFLOW holds exactly what
 * TensorFlow's own shape functions know, because its profiler counts with that.
 * TFP_GRADE_FULL adds what we find beyond (through loops, calls and merges) and
 * is used for the complete figures. It never knows less than the first.
 */
#ifndef TFP_OPS_FACT_H
#define TFP_OPS_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "model/attrs.h"
#include "model/ids.h"

typedef enum tfp_grade {
    TFP_GRADE_TENSORFLOW,
    TFP_GRADE_FULL,
    TFP_GRADE_COUNT
} tfp_grade;

/* Tensors of up to so many elements may have a value. */
enum { TFP_MOST_VALUES = TFP_TENSOR_MOST_VALUES };

/* An element of a value that is not known while others are. */
#define TFP_VALUE_UNKNOWN INT64_MIN

/* How TensorFlow may use a known vector of sizes. It has two ways to find one:
 * it computes all elements, or, where an operation needs the vector as a shape
 * (Reshape), it follows a few operations back and finds some of the elements.
 * Elements found in the second way cannot be used in computations, and some
 * vectors found in the first way are not found again when they are concatenated
 * into a larger shape. In our grade every value is TFP_USE_ALL. */
enum tfp_value_use {
    TFP_USE_ALL,
    TFP_USE_AS_SHAPE, /* only as a shape, not in computations */
    TFP_USE_NO_PIECE  /* not as a part of a larger shape */
};

typedef struct tfp_fact {
    tfp_shape shape; /* dims below 0 are not known; never TFP_SHAPE_NONE */
    tfp_shape held;  /* of a resource, tensor list or optional: the shape of
                      * what it holds; TFP_SHAPE_NONE when that is not known */
    uint32_t value;  /* tfp_list of the elements, as in model/attrs.h, or
                      * TFP_NO_ID when they are not known or too many */
    int32_t dtype;   /* of the elements, when there is a value; else 0, or
                      * TFP_DT_VARIANT of a list that is still empty */
    uint32_t use;    /* enum tfp_value_use, when there is a value; else 0 */
    uint32_t length; /* of a tensor list: its elements and one more, or 0 when
                      * their number is not known; in our grade alone */
} tfp_fact;

#define TFP_NOTHING_KNOWN                                                      \
    ((tfp_fact){ TFP_SHAPE_UNKNOWN_RANK, TFP_SHAPE_NONE, TFP_NO_ID, 0, 0, 0 })

static inline bool tfp_fact_equal(const tfp_fact *a, const tfp_fact *b)
{
    return a->shape == b->shape && a->held == b->held && a->value == b->value &&
           a->dtype == b->dtype && a->use == b->use && a->length == b->length;
}

/* A tensor, in both grades. */
typedef struct tfp_known {
    tfp_fact of[TFP_GRADE_COUNT];
} tfp_known;

/* The dims of a shape, borrowed from the model. */
typedef struct tfp_dims {
    int rank; /* -1 when it is not known */
    const int64_t *at;
} tfp_dims;

static inline tfp_dims tfp_dims_of(const tfp_model *model, tfp_shape shape)
{
    tfp_dims dims;
    dims.at = tfp_shape_dims(model, shape, &dims.rank);
    return dims;
}

/* Are the rank and every dim known? */
bool tfp_dims_known(tfp_dims dims);

/* The number of elements, stopping at INT64_MAX; -1 when it is not known. A
 * dim of 0 makes it 0 only if all dims are known, as in TensorFlow. */
int64_t tfp_dims_elements(tfp_dims dims);

/* What both say together: unknown dims are taken from the other one. False
 * when they contradict each other, and *merged is `a`; or out of memory, and
 * *merged is TFP_NO_ID. */
bool tfp_shape_merge(tfp_model *model, tfp_shape a, tfp_shape b,
                     tfp_shape *merged);

/* What holds for both: dims that differ become unknown, and ranks too.
 * TFP_NO_ID when out of memory. */
tfp_shape tfp_shape_join(tfp_model *model, tfp_shape a, tfp_shape b);

/* The same of two tensors, into the first: it has a value, and holds a shape,
 * only if both do. False when out of memory. */
bool tfp_fact_join(tfp_model *model, tfp_fact *fact, const tfp_fact *other);

#endif
