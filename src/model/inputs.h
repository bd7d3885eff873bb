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

/* What was taken as the steps of a trace. */
typedef enum tfp_steps_by {
    TFP_STEPS_MARKED,     /* what marks them; if nothing does, all is one */
    TFP_STEPS_BY_PROGRAM, /* executions of the program with most time */
    TFP_STEPS_BY_EVENT,   /* the event with most time that a thread repeats */
    TFP_STEPS_ASKED       /* events that --step_event names */
} tfp_steps_by;

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
    int64_t runs;            /* of its log directory, of which this is one */
    int64_t only_step;       /* without steps: the number of all of it */
    int64_t shift;           /* with is_renumbered */
    tfp_string folder, host; /* of the file; 0 if it is none */
    tfp_steps_by steps_by;
    tfp_string steps_of;    /* the name of that program or event */
    int64_t step_count;     /* with has_steps */
    bool has_starts;        /* what marks steps only tells when they start */
    bool has_steps;         /* else all of it is one */
    bool is_chosen;         /* by the name of its run; else it is the newest */
    bool is_of_only_folder; /* no trace before it was in another folder */
    bool is_renumbered;     /* it is another run of a host: `shift` was added
                             * to the number of each step */
    bool is_of_frames;      /* calls in Python were read, and no operations */
    bool is_cut;            /* damaged: it ends in a plane that was left out,
                             * since the names of its events stand after them */
    tfp_string cut_plane;   /* with is_cut; 0: none, or it has no name yet */
    int64_t cut_events;
    int64_t python_calls;   /* with is_of_frames: how many */
    tfp_input_texts beside; /* files of its folder that are not read; or, if
                             * a directory was refused, the log directories
                             * below it */
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

/* What the steps of a trace are: "executions of program jit_f (nothing marks
 * steps)". False if they are simply those that are marked, or if there are
 * none. */
enum { TFP_STEPS_WORDS = 256 };
bool tfp_steps_words(const tfp_model *model, const tfp_input_trace *trace,
                     char words[TFP_STEPS_WORDS]);

void tfp_input_release(tfp_input *input, tfp_memory *memory);

#endif
