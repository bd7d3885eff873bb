/*
 * source.h - the trace that a table is made from, as its readers see it.
 *
 * Many events refer to the same name, and a name may be as long as the file. So
 * each text is parsed once: texts are interned, and everything derived from a
 * text is stored under its number.
 */
#ifndef TFP_XPROF_SOURCE_H
#define TFP_XPROF_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "trace/nodes.h"
#include "trace/op_name.h"
#include "trace/plane.h"
#include "trace/space.h"
#include "trace/stat_names.h"
#include "xprof/table.h"

/* What a text says about the operation it names. */
typedef struct tfp_xprof_op_name {
    bool is_read;
    tfp_naming sort;
    tfp_xprof_text name, type;
} tfp_xprof_op_name;

/* An instruction of a program. */
typedef struct tfp_xprof_instruction {
    bool is_found;
    tfp_xprof_text name, category;
    tfp_xprof_text op_name; /* of the framework */
    tfp_xprof_text origin;  /* that and its type: "op_name:op_type" */
} tfp_xprof_instruction;

typedef struct tfp_xprof_source {
    tfp_space *space;
    tfp_memory *memory;
    tfp_xprof_texts *texts; /* of the tables */
    tfp_watch watch;
    tfp_line_walk walk; /* serves all lines */
    tfp_trace_nodes programs;
    TFP_VEC(tfp_xprof_op_name) op_names; /* by text */
    tfp_interner instruction_keys;       /* {program, text of `hlo_op`} */
    TFP_VEC(tfp_xprof_instruction) instructions;
    TFP_VEC(uint8_t) scratch;
} tfp_xprof_source;

/* Finds the programs of the trace. Releasing is allowed after a failure. */
int tfp_xprof_source_init(tfp_xprof_source *source, tfp_space *space,
                          tfp_memory *memory, tfp_xprof_texts *texts,
                          int max_depth, const tfp_cancel *cancel,
                          tfprof_error *err);
void tfp_xprof_source_release(tfp_xprof_source *source);

/* ---- Planes and lines --------------------------------------------------- */

bool tfp_xprof_is_gpu(const tfp_plane *plane);
bool tfp_xprof_is_tpu(const tfp_plane *plane); /* also a sparse core of one */

/* Where there are TPUs, what GPUs did does not count. */
bool tfp_xprof_has_tpu(const tfp_space *space);

/* Is the line one that xprof derives itself? It looks at the low half of the
 * id alone. */
bool tfp_xprof_line_is_derived(const tfp_trace_line *line);

/* Gives the events of a line to `event`, by time. */
int tfp_xprof_walk_line(tfp_xprof_source *source, tfp_plane *plane,
                        const tfp_trace_line *line, tfp_event_fn *event,
                        void *self, tfprof_error *err);

/* When an event starts, counted from the start of its line. */
int64_t tfp_xprof_offset(const tfp_xprof_source *source,
                         const tfp_trace_line *line, const tfp_event *event);

/* ---- Texts: each gives TFP_NO_ID when out of memory --------------------- */

/* Is a stat a text, written out or by reference? */
bool tfp_xprof_is_text(const tfp_stats *stats, tfp_known_stat known);

/* That text; 0, the empty one, when it is none. */
tfp_xprof_text tfp_xprof_text_of(tfp_xprof_source *source,
                                 const tfp_stats *stats, tfp_known_stat known);

/* Two texts with something between them. */
tfp_xprof_text tfp_xprof_join(tfp_xprof_source *source, tfp_span left,
                              const char *between, tfp_span right);

/* The name of an event. The type may be NULL: no map has its id. */
tfp_xprof_text tfp_xprof_event_name(tfp_xprof_source *source,
                                    tfp_event_type *type);

/* The operation that a text names. False when out of memory. */
bool tfp_xprof_parse(tfp_xprof_source *source, tfp_xprof_text text,
                     tfp_xprof_op_name *op);

/* The instruction that an event of a GPU ran, by `hlo_op` and its program. */
int tfp_xprof_find(tfp_xprof_source *source, uint64_t program,
                   tfp_xprof_text hlo_op, tfp_xprof_instruction *instruction,
                   tfprof_error *err);

#endif
