/*
 * slices.h - what a StridedSlice takes of each dim.
 *
 * Its inputs say so for the dims that were written, x[1:, ..., None, 3]; five
 * masks say what was left out there. Here every dim of the input has its entry.
 */
#ifndef TFP_OPS_SLICES_H
#define TFP_OPS_SLICES_H

#include "model/attrs.h"
#include "ops/fact/site.h"

typedef struct tfp_slice {
    int64_t begin, end; /* TFP_VALUE_UNKNOWN when they are not known */
    int64_t stride;
    bool from_start, to_end; /* begin and end do not count */
    bool is_index;           /* one element is taken, and the dim is gone */
} tfp_slice;

/* Masks and indices are limited by TensorFlow to 32 bits. */
enum { TFP_MOST_SLICED = 32, TFP_SLICE_NEW_AXIS = -1 };

typedef struct tfp_slices {
    int rank; /* of the input */
    tfp_slice at[TFP_MOST_RANK];
    int out_rank;
    int from[TFP_MOST_RANK + TFP_MOST_SLICED]; /* the dim of the input that
                                                * each of the output is of, or
                                                * TFP_SLICE_NEW_AXIS */
} tfp_slices;

/* Reads the slices that a node takes of an input of rank `rank`. `begin` and
 * `end` may be NULL. False when it cannot be that. */
bool tfp_slices_read(const tfp_site *site, int rank, const tfp_value *begin,
                     const tfp_value *end, const tfp_value *strides,
                     tfp_slices *slices);

/* Makes begin and end of a slice of a known dim what they come to: from
 * 0..dim, both to be counted with the stride. False when they are not known or
 * cannot be. */
bool tfp_slice_resolve(const tfp_slice *slice, int64_t dim, int64_t *begin,
                       int64_t *end);

/* How many elements are taken of a dim; TFP_DIM_UNKNOWN, or -2 when it cannot
 * be. */
int64_t tfp_slice_length(const tfp_slice *slice, int64_t dim);

#endif
