/*
 * attrs.h - shapes, attributes and small constants.
 *
 * A graph of a million nodes has a few hundred distinct attribute lists, so a
 * node keeps the id of one. Each list is sorted by key, and everything in it
 * is an id or a number: two equal lists are equal bytes.
 */
#ifndef TFP_MODEL_ATTRS_H
#define TFP_MODEL_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/ids.h"

/* ---- Shapes ------------------------------------------------------------- */

enum {
    TFP_SHAPE_NONE = 0,         /* nothing was said */
    TFP_SHAPE_UNKNOWN_RANK = 1, /* it was said to be unknown */
    TFP_DIM_UNKNOWN = -1
};

/* A tensor has no more dimensions than this; a shape that a file gives may. */
enum { TFP_MOST_RANK = 254 };

/* The id of a shape of known rank. TFP_NO_ID when out of memory. */
tfp_shape tfp_model_shape(tfp_model *model, const int64_t *dims, size_t rank);

/* The dims of a shape of known rank; *rank is -1 for the two special ids. */
const int64_t *tfp_shape_dims(const tfp_model *model, tfp_shape shape,
                              int *rank);

/* ---- Lists of numbers --------------------------------------------------- */

/* Integers, dtypes and bools as they are; floats as the bits of a double;
 * strings, shapes, tensors and functions as ids. */
tfp_list tfp_model_list(tfp_model *model, const int64_t *items, size_t count);
const int64_t *tfp_list_items(const tfp_model *model, tfp_list list,
                              size_t *count);

int64_t tfp_double_bits(double value);
double tfp_double_of_bits(int64_t bits);

/* ---- Attributes --------------------------------------------------------- */

typedef enum tfp_attr_kind {
    TFP_ATTR_NONE, /* a key with no value */
    TFP_ATTR_STRING,
    TFP_ATTR_INT,
    TFP_ATTR_FLOAT,
    TFP_ATTR_BOOL,
    TFP_ATTR_TYPE,
    TFP_ATTR_SHAPE,
    TFP_ATTR_TENSOR,
    TFP_ATTR_FUNCTION,
    TFP_ATTR_PLACEHOLDER,
    TFP_ATTR_LIST = 16 /* + one of the above: a tfp_list of them */
} tfp_attr_kind;

typedef struct tfp_attr {
    tfp_string key;
    uint32_t kind;
    int64_t value; /* as in lists, above */
} tfp_attr;

/* Constants of up to so many elements keep their values. */
enum { TFP_TENSOR_MOST_VALUES = 64 };

typedef struct tfp_tensor {
    int32_t dtype;
    tfp_shape shape;
    tfp_list values;     /* as in lists; complex numbers take two */
    uint32_t has_values; /* 0 when there were too many, or none we read */
} tfp_tensor;

typedef struct tfp_function_ref {
    tfp_string name;
    tfp_attrs attrs;
} tfp_function_ref;

/* Sorts `attrs` by key (of equal keys the last one stays) and gives the id of
 * the result. The array must have room for 2 * count: the second half is
 * scratch. TFP_NO_ID when out of memory. */
tfp_attrs tfp_model_attrs(tfp_model *model, tfp_attr *attrs, size_t count);

/* The attribute or NULL. */
const tfp_attr *tfp_attrs_find(const tfp_model *model, tfp_attrs attrs,
                               tfp_string key);
const tfp_attr *tfp_attrs_items(const tfp_model *model, tfp_attrs attrs,
                                size_t *count);

/* Ids for the values of TENSOR and FUNCTION; TFP_NO_ID when out of memory. */
uint32_t tfp_model_tensor(tfp_model *model, const tfp_tensor *tensor);
uint32_t tfp_model_function(tfp_model *model, const tfp_function_ref *ref);

const tfp_tensor *tfp_tensor_of(const tfp_model *model, const tfp_attr *attr);
const tfp_function_ref *tfp_function_of(const tfp_model *model,
                                        const tfp_attr *attr);

#endif
