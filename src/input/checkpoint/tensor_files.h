/*
 * tensor_files.h - the values of stored tensors, read when they are asked for.
 *
 * Of a checkpoint only the bytes of the tensor asked for are read: its range of
 * a shard, or in version 1 the block of the table that has it. Numbers go
 * through a buffer, whatever their number; strings, and what version 1 has in
 * messages, are held while their tensor is open.
 */
#ifndef TFP_INPUT_TENSOR_FILES_H
#define TFP_INPUT_TENSOR_FILES_H

#include "base/memory.h"
#include "input/checkpoint/slices.h"
#include "input/kind/input.h"
#include "input/table/table.h"
#include "model/stored.h"
#include "proto/dtype.h"

/* So many files are kept open. */
enum { TFP_OPEN_SHARDS = 16 };

typedef struct tfp_open_shard {
    int fd; /* -1: none */
    uint32_t checkpoint, shard;
    uint64_t size;
} tfp_open_shard;

/* A part of the tensor at hand. */
typedef struct tfp_open_part {
    uint32_t shard;
    uint64_t offset; /* of its first element in the shard, in `held`, or, of
                      * strings, in `ends` */
    int64_t elements;
} tfp_open_part;

typedef struct tfp_tensor_files {
    tfp_input_context *context;
    tfp_memory *memory;
    tfp_open_shard shards[TFP_OPEN_SHARDS];
    size_t next_shard; /* to be closed when another is opened */
    tfp_table table;   /* of version 1, over the next */
    tfp_open_shard table_shard;

    /* The tensor at hand: */
    const tfp_stored *tensor;
    const tfp_dtype_facts *type;
    bool big_endian;
    bool is_held; /* its bytes are in `held`, not in files */
    const int64_t *dims;
    size_t rank;
    int64_t elements, at;
    TFP_VEC(tfp_open_part) parts;
    TFP_VEC(int64_t) extents; /* of the parts, one after the other */
    size_t last_part;         /* that was read from */
    TFP_VEC(uint8_t) held;
    TFP_VEC(uint64_t) ends; /* of the strings in `held` */
    tfp_slice_key key;
    uint8_t *buffer;
} tfp_tensor_files;

/* Cannot fail. The context must stay. */
void tfp_tensor_files_init(tfp_tensor_files *files, tfp_input_context *context);
void tfp_tensor_files_release(tfp_tensor_files *files);

tfp_tensor_source tfp_tensor_files_source(tfp_tensor_files *files);

/* ---- For the files that it is made of ----------------------------------- */

enum { TFP_TENSOR_BUFFER = 64 << 10 };

/* Counts bytes that are about to be read; not 0 cancels. */
int tfp_tensor_count(tfp_tensor_files *files, uint64_t bytes,
                     tfprof_error *err);

/* Opens a shard of the tensor at hand; the caller closes it. */
int tfp_tensor_open_shard(const tfp_tensor_files *files, uint32_t number,
                          tfp_open_shard *shard, tfprof_error *err);

/* Opens a shard, or finds it open. *shard is good until the next call. */
int tfp_tensor_shard(tfp_tensor_files *files, uint32_t number,
                     tfp_open_shard **shard, tfprof_error *err);

/* Closes the table of version 1, if one is open. */
void tfp_tensor_close_table(tfp_tensor_files *files);

/* Checks one part and makes it ready: version 2, and version 1. */
int tfp_tensor_open_bundle(tfp_tensor_files *files, const tfp_stored_part *part,
                           tfp_open_part *open, tfprof_error *err);
int tfp_tensor_open_slice(tfp_tensor_files *files, const tfp_stored_part *part,
                          tfp_open_part *open, tfprof_error *err);

/* Appends bytes to `held`. False when out of memory. */
bool tfp_tensor_hold(tfp_tensor_files *files, const void *bytes, size_t size);

#endif
