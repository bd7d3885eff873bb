/*
 * checkpoint.h - from the tables of a checkpoint to the model.
 *
 * A checkpoint of version 2 is a table with a place for every tensor, and
 * shards with their bytes. In version 1 the table itself holds the tensors;
 * it, too, may be divided into several files. Either way only what the first
 * entries say is read here; values are read when they are asked for
 * (tensor_files.h).
 */
#ifndef TFP_INPUT_CHECKPOINT_H
#define TFP_INPUT_CHECKPOINT_H

#include "base/bytes.h"
#include "input/load/load.h"
#include "input/table/table.h"
#include "model/stored.h"
#include "proto/wire.h"

/* The newest format that is known here. */
enum { TFP_BUNDLE_VERSION = 1, TFP_SLICES_VERSION = 1 };

typedef struct tfp_checkpoint_load {
    tfp_load *load;
    tfp_table *table;
    int max_depth;       /* of nested messages */
    const char *path;    /* of the file, or NULL when it cannot be reopened */
    uint32_t checkpoint; /* to join, or TFP_NO_ID; then the one that was made */
    bool is_v1;          /* found to be so */
} tfp_checkpoint_load;

/* Reads the file; its first entry tells which version it is. */
int tfp_read_checkpoint(tfp_checkpoint_load *c, tfprof_error *err);

/* The entries of an index, version 2, after the header; and the metadata of
 * one file of version 1. */
int tfp_read_bundle(tfp_checkpoint_load *c, tfp_span header, tfprof_error *err);
int tfp_read_slices(tfp_checkpoint_load *c, tfp_span metadata,
                    tfprof_error *err);

/* ---- What both need ----------------------------------------------------- */

/* A record over the value of the entry at hand. */
tfp_record tfp_checkpoint_record(const tfp_checkpoint_load *c, tfp_span value);

/* Adds a tensor and counts it. Its fault is what is known to be wrong with it
 * so far, or NULL. */
int tfp_add_stored(tfp_checkpoint_load *c, tfp_stored tensor,
                   tfprof_error *err);

/* After the last file of a checkpoint: looks at each of its tensors. When one
 * has a fault, the first of them is what comes back (TFPROF_ERR_MALFORMED);
 * all are there all the same. */
int tfp_finish_checkpoint(tfp_checkpoint_load *c, tfprof_error *err);

#endif
