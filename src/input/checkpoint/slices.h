/*
 * slices.h - pieces of tensors: which part of it, and under which key.
 *
 * An extent is a start and a length; -1 for a length means all of a dimension,
 * and then the start is 0. The extents of a piece stand one after the other
 * in a list, two numbers for each dimension.
 */
#ifndef TFP_INPUT_SLICES_H
#define TFP_INPUT_SLICES_H

#include "base/bytes.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/ids.h"
#include "model/stored.h"
#include "proto/wire.h"

/* A key of a table, as it is put together. */
typedef TFP_VEC(uint8_t) tfp_slice_key;

/* The key of a piece of the tensor `name`. False when out of memory. */
bool tfp_slice_key_make(tfp_slice_key *key, tfp_memory *memory, tfp_span name,
                        const int64_t *extents, size_t rank);

/* A TensorSliceProto in field `f`, as a list of extents. *is_odd is set when
 * one has a start but no length. */
int tfp_read_extents(tfp_load *load, tfp_wire *w, const tfp_field *f,
                     tfp_list *extents, bool *is_odd, tfprof_error *err);

/* The extents of a piece, with every length filled in. Those of a whole tensor
 * (list 0) are its shape. `out` has room for 2 * rank numbers. False when they
 * are no part of that shape. */
bool tfp_extents_resolve(const tfp_model *model, tfp_list extents,
                         const int64_t *dims, size_t rank, int64_t *out);

/* The number of elements, or -1 when there is no such number. */
int64_t tfp_shape_elements(const int64_t *dims, size_t rank);

/* Looks at a tensor whose parts are in place: what is wrong with its shape,
 * its sizes or its parts, or NULL. Whether parts overlap is not looked at. */
const char *tfp_stored_check(const tfp_model *model, const tfp_stored *tensor);

#endif
