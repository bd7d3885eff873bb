/*
 * stored.h - checkpoints, and the tensors that they name.
 *
 * What the index of a checkpoint says is kept: names, types, shapes, and where
 * the bytes of each tensor are. The bytes themselves stay in their files until
 * someone asks for values.
 */
#ifndef TFP_MODEL_STORED_H
#define TFP_MODEL_STORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"

/* The type of a node that a checkpoint has a tensor of, as upstream has it. */
#define TFP_STORED_TYPE "_checkpoint_variables"

typedef struct tfp_checkpoint {
    int32_t version;   /* 1 or 2 */
    bool big_endian;   /* the order of bytes in its numbers */
    uint32_t shards;   /* files with data */
    tfp_string prefix; /* V2: its path without ".index"; 0 when it came from
                        * memory or a pipe, which cannot be read again */
    tfp_list tables;   /* V1: the paths of its files; 0 as above */
} tfp_checkpoint;

/* A piece of a tensor, or all of it. */
typedef struct tfp_stored_part {
    tfp_list extents; /* start and length in each dimension, as the file has
                       * them: a length of -1 is all of it; 0: all */
    uint32_t shard;
    uint32_t next;   /* part of the same tensor, or TFP_NO_ID */
    uint32_t crc32c; /* V2: masked */
    int64_t offset;  /* V2: of its bytes in the shard */
    int64_t size;
} tfp_stored_part;

typedef struct tfp_stored {
    tfp_string name;
    tfp_shape shape;
    int32_t dtype;
    uint32_t checkpoint;
    uint32_t first_part, last_part; /* TFP_NO_ID when there is none */
    uint32_t part_count;
    const char *fault; /* why its values cannot be had, or NULL */
} tfp_stored;

/* All stored tensors of a model. */
typedef struct tfp_stored_tensors {
    TFP_VEC(tfp_checkpoint) checkpoints;
    TFP_VEC(tfp_stored) tensors;
    TFP_VEC(tfp_stored_part) parts;
    TFP_VEC(uint32_t) by_name; /* by tfp_string: the first one called so */
    tfp_string type;           /* TFP_STORED_TYPE once there is a checkpoint */
} tfp_stored_tensors;

void tfp_stored_release(tfp_stored_tensors *stored, tfp_memory *memory);

/* A new checkpoint: its index, or TFP_NO_ID when out of memory. */
uint32_t tfp_model_add_checkpoint(tfp_model *model, tfp_checkpoint checkpoint);

/* A part of a tensor that is still in the making. False: out of memory. */
bool tfp_model_add_part(tfp_model *model, tfp_stored *tensor,
                        tfp_stored_part part);

/* Adds a tensor. One of a name that is there already is passed over, and *fresh
 * is false; *index is the place of the one that is there. False when out of
 * memory. */
bool tfp_model_add_stored(tfp_model *model, tfp_stored tensor, uint32_t *index,
                          bool *fresh);

/* Gives the parts of another tensor to one that has been added. */
void tfp_model_join_stored(tfp_model *model, uint32_t index,
                           const tfp_stored *more);

/* The tensor of that name, or TFP_NO_ID. */
uint32_t tfp_model_find_stored(const tfp_model *model, tfp_string name);

/* ---- Values ------------------------------------------------------------- */

/*
 * Gives the elements of a stored tensor. Made by those who read files, used by
 * those who write answers.
 *
 * open() checks all of the tensor first: a damaged one gives nothing at all.
 * Then next() gives its elements in their order, in pieces: numbers as whole
 * elements, the bytes of each in little-endian order; strings one by one. The
 * end is *more false. A piece is good until the next call.
 *
 * When a call fails with a code other than those that tfp_tensor_is_damaged()
 * knows there is no going on.
 */
typedef struct tfp_tensor_source {
    int (*open)(void *self, uint32_t tensor, tfprof_error *err);
    int (*next)(void *self, tfp_span *piece, bool *more, tfprof_error *err);
    void *self;
} tfp_tensor_source;

/* What an answer gets its values from, and what came of it. */
typedef struct tfp_tensor_values {
    tfp_tensor_source source;
    /* Told of each tensor that is damaged; may be NULL. */
    void (*on_fault)(void *self, uint32_t tensor, const tfprof_error *why);
    void *self;
    int64_t damaged;  /* tensors */
    int64_t unshown;  /* tensors of a type that text does not show */
    int status;       /* TFPROF_OK, or that of the first failure */
    tfprof_error why; /* with status */
    bool stopped;     /* it was one that ends the answer */
} tfp_tensor_values;

/* Is a failure the tensor's own fault, and the rest can be told? */
static inline bool tfp_tensor_is_damaged(int status)
{
    return status == TFPROF_ERR_MALFORMED || status == TFPROF_ERR_IO ||
           status == TFPROF_ERR_MISSING || status == TFPROF_ERR_LIMIT;
}

#endif
