/*
 * xprof.h - the tables of xprof, made from a trace by xprof's own rules.
 *
 * The rules are peculiar, and some are mistakes: times of different lines are
 * compared without their starts, operations without a name are dropped. They
 * are kept as they are, since whoever asks for these tables compares them.
 * docs/tables.md lists what is equal and what is left out.
 *
 * A table owns its texts: the trace may go once it is made.
 */
#ifndef TFP_XPROF_XPROF_H
#define TFP_XPROF_XPROF_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "trace/space.h"
#include "xprof/allocators.h"
#include "xprof/table.h"

typedef enum tfp_xprof_tool {
    TFP_XPROF_FRAMEWORK_OPS,
    TFP_XPROF_HLO,
    TFP_XPROF_KERNELS,
    TFP_XPROF_MEMORY,
    TFP_XPROF_TOOLS /* how many there are; also: none */
} tfp_xprof_tool;

/* Their names as xprof has them, "framework_op_stats". */
extern const char *const tfp_xprof_tool_names[TFP_XPROF_TOOLS];

/* TFP_XPROF_TOOLS when no tool is called so. */
tfp_xprof_tool tfp_xprof_tool_find(const char *name);

typedef struct tfp_xprof_request {
    tfp_xprof_tool tool;
    tfp_memory *memory;
    int max_depth; /* of nested messages */
    const tfp_cancel *cancel;
} tfp_xprof_request;

/* The answer of a tool. */
typedef struct tfp_xprof {
    tfp_xprof_tool tool;
    tfp_memory *memory;
    tfp_xprof_texts texts;     /* of all tables */
    tfp_xprof_table tables[2]; /* with and without idle times; else one */
    size_t table_count;
    tfp_xprof_allocators allocators; /* of TFP_XPROF_MEMORY */
} tfp_xprof;

/* On failure there is nothing to release. */
int tfp_xprof_make(tfp_xprof *xprof, tfp_space *space,
                   const tfp_xprof_request *request, tfprof_error *err);
void tfp_xprof_release(tfp_xprof *xprof);

#endif
