/*
 * inputs.h - what was read from where.
 *
 * One entry per input, filled by the reader and printed by `tfprof info`. The
 * counts are those of the file, not of the model that several files make
 * together.
 */
#ifndef TFP_MODEL_INPUTS_H
#define TFP_MODEL_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include <tfprof/error.h>

#include "base/memory.h"
#include "model/file_kinds.h"
#include "model/ids.h"

/* Numbers of what is in an input. One that is not known is TFP_NOT_COUNTED. */
enum { TFP_NOT_COUNTED = -1 };
typedef struct tfp_input_counts {
    int64_t nodes, op_types, edges, control_edges;
    int64_t functions, function_nodes, function_edges;
    int64_t meta_graphs, signatures, variables, trainable_variables;
    int64_t dropped_edges, duplicate_nodes;
    int64_t misnumbered_nodes; /* of a profile: their id is not their key */
    int64_t run_records, log_entries, float_ops_entries, code_traces;
    int64_t string_ids, missing_string_ids;
    int64_t tensors, parameters, tensor_bytes, shards; /* of a checkpoint */
    int64_t damaged_tensors, duplicate_tensors;
    int64_t unknown_fields;   /* of a newer TensorFlow */
    int64_t unplaced_records; /* run records with no node name */
} tfp_input_counts;

/* Things in the file that are not used. */
typedef struct tfp_input_ignored {
    int64_t partition_graphs, function_graphs, cost_nodes;
    int64_t debug_frames, thread_names;
    int64_t collections, assets, objects, op_definitions, gradients;
} tfp_input_ignored;

typedef struct tfp_input_step {
    int64_t id;
    int64_t records;
} tfp_input_step;

/* A plane of a trace. What a device does not state is 0. */
typedef struct tfp_input_plane {
    tfp_string name;
    int64_t lines, events;
    bool is_read;      /* else nothing of it is used */
    tfp_string device; /* what it calls itself, or who made it */
    int64_t clock_khz, cores, memory_size;
    int64_t peak_flops, peak_bytes; /* in a second */
} tfp_input_plane;

/* Texts, of which the first few are kept. */
typedef struct tfp_input_texts {
    int64_t count; /* of all */
    TFP_VEC(tfp_string) first;
} tfp_input_texts;

/* What a trace has beside its operations. */
typedef struct tfp_input_trace {
    bool is_one;          /* the input is a trace */
    bool leaves_events;   /* unread: nothing below `programs` is known */
    bool has_environment; /* the plane that profilers write last */
    TFP_VEC(tfp_input_plane) planes;
    tfp_input_texts hosts, errors, warnings;
    tfp_string jax, jaxlib; /* versions */
    int64_t start, stop;    /* of the profile: nanoseconds since 1970 */
    int64_t programs;
    int64_t damaged_programs; /* of those that ran */
    tfp_string damaged_name, damage;
    int64_t unknown_instructions; /* that their program does not have */
    int64_t unnamed_events, odd_events;
    int64_t repeated_steps;
    /* Operations by the way to their step: */
    int64_t by_number, by_link, by_time, in_none;
    bool has_steps;       /* else all of it is one */
    int64_t runs;         /* of its log directory; this is of the newest */
    int64_t rest;         /* the step that holds those in none */
    bool is_of_frames;    /* calls in Python were read, and no operations */
    int64_t python_calls; /* with is_of_frames: how many */
} tfp_input_trace;

typedef struct tfp_input {
    tfp_string path;   /* as given */
    tfp_string member; /* file found in the directory `path`, or 0 */
    tfp_file_kind kind;
    const char *remark; /* more about the kind, or NULL */
    bool is_file;       /* `path` leads to one; else a name for bytes */
    bool is_read;       /* a kind that is read, not only recognized */
    bool is_numbered;   /* it was given with the number of its step */
    bool is_deferred;   /* recognized, to be read later; see TFP_DEFER_RUNS */
    int64_t number;     /* of its step; only if is_numbered */
    bool is_text, is_gzip;
    uint64_t device, inode;  /* with is_file: which one it was */
    int64_t size;            /* in bytes as stored; -1 from a pipe */
    int64_t bytes_read;      /* unpacked */
    int status;              /* TFPROF_OK or why it was not read to its end */
    tfprof_error why;        /* with status; also why nothing can be asked,
                              * if no other input is read */
    bool partial;            /* whole records before the damage were kept */
    bool is_left_out;        /* a damaged trace; others of its directory are
                              * whole and answer without it */
    bool has_trailing_bytes; /* that are no gzip, after the packed data */
    tfp_input_counts counts;
    tfp_input_ignored ignored;
    tfp_string tensorflow_version, tensorflow_git;
    int32_t producer, min_consumer;
    tfp_micros first_start, last_end;
    TFP_VEC(tfp_string) devices;
    TFP_VEC(tfp_string) tags;       /* of meta graphs, joined by "," */
    TFP_VEC(tfp_string) signatures; /* keys */
    TFP_VEC(int64_t) steps;
    int32_t version;            /* of a checkpoint: 1 or 2; else 0 */
    TFP_VEC(tfp_string) dtypes; /* that its tensors have */
    tfp_string unknown_name;    /* the first unknown field */
    tfp_input_trace trace;
} tfp_input;

void tfp_input_release(tfp_input *input, tfp_memory *memory);

#endif
