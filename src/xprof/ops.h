/*
 * ops.h - operations with their times, as xprof sums them up.
 *
 * xprof counts in unsigned numbers of 64 bits that wrap around, and so do
 * these. Times are picoseconds.
 */
#ifndef TFP_XPROF_OPS_H
#define TFP_XPROF_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/plane.h"
#include "xprof/source.h"
#include "xprof/table.h"

/* What a TPU tells of the work that an operation does, in all its runs. */
typedef struct tfp_xprof_work {
    uint64_t flops, model_flops;
    uint64_t bytes; /* read and written, of any memory */
    bool has_parts; /* the counts below are known; otherwise they are 0 */
    uint64_t hbm_bytes, cmem_read_bytes, cmem_written_bytes;
} tfp_xprof_work;

typedef struct tfp_xprof_op {
    uint64_t program;
    tfp_xprof_text name;
    tfp_xprof_text category;   /* the first that is not empty */
    tfp_xprof_text origin;     /* operation of the framework: "name:type" */
    tfp_xprof_text expression; /* of a TPU */
    uint64_t runs, time, self;
    bool is_of_tpu;
    tfp_xprof_work work; /* then */
} tfp_xprof_op;

typedef struct tfp_xprof_ops {
    tfp_memory *memory;
    tfp_xprof_text idle; /* the text "IDLE" */
    tfp_interner keys;   /* {program, name}; item k + 1 is row k */
    TFP_VEC(tfp_xprof_op) rows;
    uint64_t total; /* of all lines or devices, with the times between */
    uint64_t busy;  /* without */
} tfp_xprof_ops;

/* Releasing is allowed after a failure. */
int tfp_xprof_ops_init(tfp_xprof_ops *ops, tfp_xprof_source *source,
                       tfprof_error *err);
void tfp_xprof_ops_release(tfp_xprof_ops *ops);

/* The row of a program and a name, made if it is new; NULL when out of
 * memory. */
tfp_xprof_op *tfp_xprof_ops_row(tfp_xprof_ops *ops, uint64_t program,
                                tfp_xprof_text name);

/* Adds times and work to the row of the operation. Each text of the row keeps
 * its first value. False when out of memory. */
bool tfp_xprof_ops_add(tfp_xprof_ops *ops, const tfp_xprof_op *op);

/* Ends a line or a device: it was busy for so long within so long. */
bool tfp_xprof_ops_end(tfp_xprof_ops *ops, uint64_t busy, uint64_t span);

/* Is it the time in which nothing ran? */
bool tfp_xprof_ops_is_idle(const tfp_xprof_ops *ops, const tfp_xprof_op *op);

/* The rows by falling self time, of equal ones by name. Release them with
 * tfp_memory_free(); NULL when out of memory. */
tfp_sort_item *tfp_xprof_ops_sorted(const tfp_xprof_ops *ops,
                                    const tfp_xprof_texts *texts);

/* ---- Readers ------------------------------------------------------------ */

/* The operations of the host, and those of all devices. */
int tfp_xprof_host_ops(tfp_xprof_source *source, tfp_xprof_ops *ops,
                       tfprof_error *err);
int tfp_xprof_device_ops(tfp_xprof_source *source, tfp_xprof_ops *ops,
                         tfprof_error *err);

/* The parts of the latter. */
int tfp_xprof_gpu_ops(tfp_xprof_source *source, tfp_plane *plane,
                      tfp_xprof_ops *ops, tfprof_error *err);
int tfp_xprof_tpu_ops(tfp_xprof_source *source, tfp_plane *plane,
                      tfp_xprof_ops *ops, tfprof_error *err);

/* The same by operation of the framework. */
int tfp_xprof_framework_ops(tfp_xprof_source *source,
                            const tfp_xprof_ops *device, tfp_xprof_ops *ops,
                            tfprof_error *err);

/* ---- Tables ------------------------------------------------------------- */

/* Both tables of framework_op_stats; `is_gpu` gives them a column more. */
int tfp_xprof_framework_tables(tfp_xprof_source *source,
                               tfp_xprof_table tables[2], bool is_gpu,
                               tfprof_error *err);

int tfp_xprof_hlo_table(tfp_xprof_source *source, tfp_xprof_table *table,
                        tfprof_error *err);

#endif
