/*
 * snapshot.h - the rows of a view, copied so that two models can be compared.
 *
 * A comparison reads one model after the other. Of each it keeps only a
 * snapshot: for every shown row its parent, name, operation type, shape and
 * own costs. All texts are interned in one table that the snapshots of a
 * comparison share, so texts of two models are compared by number.
 *
 * An instruction of a compiled program is known by its program and its name in
 * it. The number that its displayed name may have ("dot#2") differs from model
 * to model.
 *
 * Rows of views of scopes and of code nest. Rows of the graph and op views do
 * not: a node keeps its name when its place in the graph changes, so all of
 * them are children of the root here.
 */
#ifndef TFP_COMPARE_SNAPSHOT_H
#define TFP_COMPARE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/costs.h"
#include "view/view.h"

/* What is compared: the costs, then the number of nodes of a row. */
enum {
    TFP_COMPARED_NODES = TFP_COST_COUNT,
    TFP_COMPARED_COUNT,
    /* Costs that are times. They differ from run to run; all others are exact:
     * equal code gives equal values. */
    TFP_COMPARED_TIMES = 1u << TFP_COST_MICROS |
                         1u << TFP_COST_ACCELERATOR_MICROS |
                         1u << TFP_COST_CPU_MICROS | 1u << TFP_COST_QUEUE_MICROS
};

/* What identifies an instruction of a compiled program. All are texts; 0: the
 * row is no instruction. */
typedef struct tfp_snapshot_instruction {
    uint32_t key;     /* name and program */
    uint32_t program; /* module and fingerprint; numbers in the name of the
                       * module differ from run to run, so without them */
    uint32_t module;  /* its name without numbers. Scopes that are called as a
                       * module have it, too */
    uint32_t name;    /* as names[], but not numbered for display */
    bool has_scope;   /* the program says which operation it is part of */
} tfp_snapshot_instruction;

typedef struct tfp_snapshot {
    tfp_memory *memory;
    const tfp_interner *texts;
    const tfp_view_type *type;
    uint32_t wanted;   /* costs that were copied, a bit each */
    size_t count;      /* of rows; row 0 is the root, parents come first */
    uint32_t *parents; /* by row; the root is its own */
    uint32_t *names;   /* texts by row. If the type adds_names, only the part
                        * behind the name of the parent */
    uint32_t *types;   /* texts; 0: the row is not a node */
    uint32_t *shapes;  /* texts; 0: not known */
    /* Of source lines, or NULL: file, function and line number; function and
     * text of the line. */
    uint32_t *places, *lines;
    tfp_snapshot_instruction *instructions; /* by row, or NULL: no row is one */
    /* Own values by row, in the unit of `scales`: as 32 bits if all of them
     * fit, which halves the memory of large models. With neither, all are 0. */
    int64_t *values[TFP_COMPARED_COUNT];
    int32_t *narrow[TFP_COMPARED_COUNT];
    int64_t scales[TFP_COMPARED_COUNT]; /* picoseconds of times, else 1 */
    int64_t totals[TFP_COMPARED_COUNT]; /* of the root, hidden rows included */
} tfp_snapshot;

/* Copies the shown rows. `wanted` has a bit for each cost, which the view must
 * have. The snapshot does not depend on the view; `texts` and `memory` must
 * outlive it. After a failure releasing is allowed. */
int tfp_snapshot_init(tfp_snapshot *snapshot, const tfp_view *view,
                      uint32_t wanted, tfp_interner *texts, tfp_memory *memory,
                      tfprof_error *err);
void tfp_snapshot_release(tfp_snapshot *snapshot);

static inline bool tfp_snapshot_has(const tfp_snapshot *s, int metric)
{
    return s->values[metric] || s->narrow[metric];
}

/* An own value; times are in picoseconds. */
static inline int64_t tfp_snapshot_value(const tfp_snapshot *s, size_t row,
                                         int metric)
{
    if (s->narrow[metric])
        return s->narrow[metric][row] * s->scales[metric];
    return s->values[metric]
               ? tfp_mul_sat(s->values[metric][row], s->scales[metric])
               : 0;
}

/* The column of a metric, to be changed: 64 bits wide, times in picoseconds.
 * Added with zeros if there is none. NULL when out of memory. */
int64_t *tfp_snapshot_column(tfp_snapshot *snapshot, int metric);

static inline tfp_span tfp_snapshot_text(const tfp_snapshot *s, uint32_t text)
{
    return tfp_interned(s->texts, text);
}

static inline bool tfp_snapshot_is_instruction(const tfp_snapshot *s,
                                               size_t row)
{
    return s->instructions && s->instructions[row].key != 0;
}

/* The text of a row's own name, as it is in all models. */
static inline uint32_t tfp_snapshot_own_name(const tfp_snapshot *s, size_t row)
{
    return tfp_snapshot_is_instruction(s, row) ? s->instructions[row].name
                                               : s->names[row];
}

/* The file of a source line; empty of a row that is none. */
tfp_span tfp_snapshot_file(const tfp_snapshot *snapshot, size_t row);

/* A text that grows. */
typedef TFP_VEC(uint8_t) tfp_snapshot_name;

/* The complete name of a row, into `name`. False when out of memory. */
bool tfp_snapshot_full_name(const tfp_snapshot *snapshot, uint32_t row,
                            tfp_memory *memory, tfp_snapshot_name *name);

#endif
