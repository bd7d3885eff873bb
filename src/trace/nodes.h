/*
 * nodes.h - the operations that a trace tells of, as nodes of a graph.
 *
 * A node is an instruction of a compiled program, called by the operation of
 * the framework that it was made from and its own name, or an operation of
 * TensorFlow by its name. An instruction is known by its name and its program
 * (model/programs.h), so its tfp_string is made when all events are read.
 */
#ifndef TFP_TRACE_NODES_H
#define TFP_TRACE_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "trace/hlo.h"
#include "trace/id_map.h"
#include "trace/op_name.h"
#include "trace/plane.h"
#include "trace/programs.h"

typedef struct tfp_trace_node {
    tfp_string name;  /* of an instruction: 0 until tfp_trace_name_nodes() */
    tfp_string base;  /* of an instruction: its name in its program */
    tfp_string shape; /* likewise; see tfp_program_node */
    tfp_string op;
    tfp_stack trace;
    int64_t float_ops;
    int64_t bytes;        /* read and written by a run; 0: not known */
    bool is_counted;      /* its float operations are known */
    uint32_t program;     /* in tfp_trace_nodes.programs, or TFP_NO_ID */
    uint32_t instruction; /* of its HLO, or TFP_NO_ID */
    uint32_t first;       /* the first node of this name, once names are given:
                           * a program may have been compiled twice */
} tfp_trace_node;

typedef struct tfp_trace_nodes {
    tfp_model *model;
    tfp_memory *memory;
    bool folds_transforms; /* see fold.h; set before the first node */
    TFP_VEC(tfp_trace_node) nodes;
    TFP_VEC(uint32_t) by_name; /* by tfp_string: a node or TFP_NO_ID */
    tfp_trace_programs programs;
    tfp_interner named_keys; /* {base, program}; item k + 1 is node named[k] */
    TFP_VEC(uint32_t) named;
    tfp_interner hlo_keys; /* of instructions by reference, likewise */
    TFP_VEC(uint32_t) hlo_nodes;
    tfp_interner frames; /* tfp_frame; item k + 1 is the frame frame_ids[k] */
    TFP_VEC(uint32_t) frame_ids;  /* in model->frames */
    TFP_VEC(uint8_t) text;        /* scratch */
    int64_t unknown_instructions; /* that their program does not have */
} tfp_trace_nodes;

/* False when out of memory; releasing is allowed then. */
bool tfp_trace_nodes_init(tfp_trace_nodes *nodes, tfp_model *model,
                          tfp_memory *memory, uint64_t seed, int max_depth);
void tfp_trace_nodes_release(tfp_trace_nodes *nodes);

/* The instruction called `name`, or by the last part of "a::b", in the program
 * of that id; NULL when it is not to be found, which is no failure. *program is
 * then TFP_NO_ID if there is no such program. */
int tfp_trace_find_instruction(tfp_trace_nodes *nodes, uint64_t id,
                               tfp_span name, uint32_t *program,
                               tfp_hlo_instruction **instruction,
                               tfprof_error *err);

/* The node of the instruction that an event ran, by the stats of the event.
 * Its program may be unknown; the name of its module is then part of that of
 * the node. */
int tfp_trace_event_node(tfp_trace_nodes *nodes, const tfp_stats *stats,
                         int64_t program, tfp_span instruction, uint32_t *node,
                         tfprof_error *err);

/* The node of an operation called so. */
int tfp_trace_op_node(tfp_trace_nodes *nodes, const tfp_op_name *op,
                      uint32_t *node, tfprof_error *err);

/* The node of what runs on a device for no operation that is known. */
int tfp_trace_other_node(tfp_trace_nodes *nodes, tfp_span name, uint32_t *node,
                         tfprof_error *err);

/* The node of an event type of a TPU, from its stats. */
int tfp_trace_tpu_node(tfp_trace_nodes *nodes, const tfp_event_type *type,
                       const tfp_stats *stats, uint32_t *node,
                       tfprof_error *err);

/* A new node for calls in Python. */
int tfp_trace_call_node(tfp_trace_nodes *nodes, tfp_span name, tfp_stack stack,
                        uint32_t *node, tfprof_error *err);

/* Gives instructions their names, when all events are read. */
int tfp_trace_name_nodes(tfp_trace_nodes *nodes, tfprof_error *err);

/* Adds all nodes to the model, as a graph. */
int tfp_trace_add_graph(tfp_trace_nodes *nodes, tfprof_error *err);

#endif
