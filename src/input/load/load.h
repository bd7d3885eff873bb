/*
 * load.h - one input on its way into the model.
 *
 * The walkers (proto/walk.h) call tfp_load_visitor(); it finds the reader for
 * the message at hand in one table, readers.c. A reader decodes with proto/
 * and adds to model/. Readers share what is here.
 */
#ifndef TFP_INPUT_LOAD_H
#define TFP_INPUT_LOAD_H

#include "base/bits.h"
#include "base/cache.h"
#include "base/error.h"
#include "base/sort.h"
#include "model/model.h"
#include "proto/tfprof.h"
#include "proto/walk.h"

/* Frames of code traces while the strings they number are not known yet. */
typedef struct tfp_code_table {
    tfp_interner frames; /* frame as the file has it -> place in `places` */
    TFP_VEC(uint32_t) places;
    tfp_interner string_ids; /* int64_t -> place in `strings` */
    TFP_VEC(tfp_string) strings;
    tfp_cache stacks; /* bytes of a CodeDef -> stack */
} tfp_code_table;

typedef struct tfp_output_part {
    tfp_string name;
    tfp_node_facts node; /* the "_Retval" to be */
} tfp_output_part;

typedef struct tfp_return_part {
    tfp_string name; /* of the output */
    tfp_edge edge;   /* where it comes from */
} tfp_return_part;

typedef struct tfp_arg_part {
    uint64_t number; /* of the argument */
    tfp_list shapes;
} tfp_arg_part;

/* What a function says of its arguments and results, until it ends: the
 * fields of a FunctionDef come in any order, and three of them are maps. */
typedef struct tfp_function_parts {
    TFP_VEC(tfp_output_part) outputs; /* as the signature lists them */
    TFP_VEC(tfp_return_part) returns;
    TFP_VEC(tfp_string) controls; /* names of nodes that must run */
    TFP_VEC(tfp_arg_part) args;
    TFP_VEC(uint8_t) name; /* scratch */
} tfp_function_parts;

typedef struct tfp_load {
    tfp_model *model;
    tfp_memory *memory;
    size_t input;                 /* index into model->inputs */
    int ignoring;                 /* levels open inside something not used */
    uint32_t graph;               /* the open graph, or TFP_NO_ID */
    uint32_t function;            /* the open function body, or TFP_NO_ID */
    tfp_string graph_tag;         /* tags of the open meta graph */
    int64_t next_step;            /* number of the step that comes next */
    uint32_t step;                /* index into model->steps, or TFP_NO_ID */
    uint32_t device;              /* index into model->devices */
    tfp_string arg_op, return_op; /* "_Arg", "_Retval" */
    tfp_function_parts parts;     /* of the open function body */

    tfp_string latest; /* what the state of checkpoints names */

    tfp_string last_name;   /* see tfp_load_name() */
    tfp_bits ops, devices;  /* that this input has named */
    tfp_cache attrs;        /* bytes of a node's attributes -> lists */
    tfp_cache shapes;       /* bytes of a shape -> shape */
    tfp_string last_device; /* of the node before */
    tfp_code_table code;

    /* Profiles: int64_t keys of nodes, and the node of each. */
    tfp_interner node_keys;
    TFP_VEC(tfp_node) keyed_nodes;
    TFP_VEC(int32_t) keyed_outputs; /* while one node is read */
    tfp_interner profile_devices;   /* {step, kind, name} */
    TFP_VEC(uint32_t) device_of;

    /* Op logs beside traces: nothing of a damaged one is used. */
    bool keeps_log; /* until its end */
    TFP_VEC(tfp_log_entry) log;

    /* Scratch: used as stacks, each user leaves them as it found them. */
    TFP_VEC(int64_t) numbers;
    TFP_VEC(tfp_attr) attr_items;
    TFP_VEC(tfp_exec_output) outputs;
    TFP_VEC(tfp_exec_allocation) allocations;
    TFP_VEC(tfp_edge) edges;
    TFP_VEC(tfp_sort_item) order;
} tfp_load;

/* Begins an input that was added to model->inputs last. `step` is the number
 * of the first step it brings. False when out of memory; releasing is allowed
 * then. */
bool tfp_load_init(tfp_load *load, tfp_model *model, int64_t step);
void tfp_load_release(tfp_load *load);

/* After the walk, whatever came of it: closes what is open and completes what
 * had to wait for the end of the file. */
int tfp_load_finish(tfp_load *load, tfprof_error *err);

/* Gives the model what load->keeps_log kept. */
int tfp_load_add_log(tfp_load *load, tfprof_error *err);

tfp_visitor tfp_load_visitor(tfp_load *load);

static inline tfp_input *tfp_load_input(tfp_load *load)
{
    return &load->model->inputs.data[load->input];
}

/* The id of a node's name in a run or a log. These list nodes in about the
 * order of the graph, so the name after the last one is tried first. */
static inline tfp_string tfp_load_name(tfp_load *load, tfp_span name)
{
    load->last_name = tfp_intern_after(&load->model->strings, load->last_name,
                                       name);
    return load->last_name;
}

/* ---- Readers: what readers.c has in its table --------------------------- */

typedef int tfp_leaf_fn(tfp_load *load, const tfp_field *f, tfp_record *record,
                        tfprof_error *err);
typedef int tfp_level_fn(tfp_load *load, const tfp_field_spec *field,
                         tfprof_error *err);

tfp_leaf_fn tfp_read_graph_leaf, tfp_read_library_leaf, tfp_read_function_leaf;
tfp_leaf_fn tfp_read_meta_graph_leaf, tfp_read_object_graph_leaf;
tfp_leaf_fn tfp_read_device_leaf, tfp_read_debug_info_leaf,
    tfp_read_cost_graph_leaf;
tfp_leaf_fn tfp_read_log_leaf, tfp_read_profile_leaf, tfp_read_state_leaf;

tfp_level_fn tfp_open_graph, tfp_close_graph;
tfp_level_fn tfp_open_function, tfp_close_function;
tfp_level_fn tfp_open_meta_graph, tfp_close_meta_graph;
tfp_level_fn tfp_open_step, tfp_open_device, tfp_close_device;

/* ---- What several readers need ------------------------------------------ */

/* A NodeDef into `graph`, which is the open graph or the open function. */
int tfp_read_node(tfp_load *load, uint32_t graph, bool in_function,
                  tfp_record *record, tfprof_error *err);

/* An input as files write it: "name:1", "^name", in a function body also
 * "name:port:1". The source is a name until the graph is closed. */
int tfp_read_edge(tfp_load *load, uint32_t graph, tfp_span text, tfp_edge *edge,
                  tfprof_error *err);

/* Attributes that have columns of their own. */
typedef struct tfp_attr_columns {
    tfp_list outputs; /* shapes of the outputs */
    tfp_list inputs;  /* what else a profile says of its inputs */
} tfp_attr_columns;

/* The attributes of a node. `entry` is the message of the map's entries,
 * `tag` the map's field. */
int tfp_read_attrs(tfp_load *load, const tfp_repeated *attrs, uint32_t tag,
                   const tfp_message *entry, tfp_record *record, tfp_attrs *out,
                   tfp_attr_columns *columns, tfprof_error *err);

/* A TensorShapeProto in field `f`; TFP_SHAPE_NONE when f->tag is 0. */
int tfp_read_shape(tfp_load *load, tfp_wire *w, const tfp_field *f,
                   tfp_shape *shape, tfprof_error *err);

/* A TensorProto in field `f`, as the id of a tfp_tensor. */
int tfp_read_tensor(tfp_load *load, tfp_wire *w, const tfp_field *f,
                    uint32_t *tensor, tfprof_error *err);

/* Repeated strings as a list of string ids. */
int tfp_read_string_list(tfp_load *load, const tfp_repeated *strings,
                         uint32_t tag, tfp_record *record, tfp_list *list,
                         tfprof_error *err);

/* Notes a device name among those of this input. */
int tfp_note_device(tfp_load *load, tfp_string name, tfprof_error *err);
/* Notes an operation type. */
int tfp_note_op(tfp_load *load, tfp_string op, tfprof_error *err);

/* The stack of a CodeDef given in one or more fields `tag`; 0 for none. */
int tfp_read_code(tfp_load *load, const tfp_repeated *code_def, uint32_t tag,
                  tfp_record *record, tfp_stack *stack, tfprof_error *err);

/* One entry of id_to_string. */
int tfp_read_string_id(tfp_load *load, const tfp_message *entry,
                       tfp_record *record, tfprof_error *err);

/* Fills in the strings of all frames. */
int tfp_finish_code(tfp_load *load, tfprof_error *err);

/* The dense number of a node's int64_t key in a profile. Its node is
 * TFP_NO_NODE at first. */
int tfp_profile_key(tfp_load *load, uint64_t key, uint32_t *number,
                    tfprof_error *err);

/* The inputs of the node of a profile that was added last. `notes` is what
 * TFP_INPUTS_ATTR says of them, or 0. */
int tfp_read_profile_edges(tfp_load *load, const tfp_profile_node *node,
                           tfp_list notes, tfp_record *record,
                           tfprof_error *err);

/* What one node of a profile did: ProfileNode_execs. */
int tfp_read_profile_runs(tfp_load *load, tfp_string name,
                          const tfp_repeated *execs, tfp_record *record,
                          tfprof_error *err);

/* AllocationRecords in fields `tag`, added to load->allocations. */
int tfp_read_allocations(tfp_load *load, const tfp_repeated *records,
                         uint32_t tag, tfp_record *record, tfprof_error *err);

/* Integers in field `f`, packed or not, pushed on load->numbers. */
int tfp_push_integers(tfp_load *load, const tfp_wire *w, const tfp_field *f,
                      tfprof_error *err);

/* The numbers of a Tuple in field `f`, pushed on load->numbers. */
int tfp_push_tuple(tfp_load *load, tfp_wire *w, const tfp_field *f,
                   tfprof_error *err);

/* Closes the graph of a profile: its edges carry keys. */
int tfp_finish_profile(tfp_load *load, tfprof_error *err);

#endif
