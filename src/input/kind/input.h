/*
 * input.h - files, directories, pipes and memory into the model.
 *
 * Each input that is given adds one entry to model->inputs, a directory one
 * for each file in it, whatever comes of it: an input that cannot be opened
 * has an entry that says why.
 */
#ifndef TFP_INPUT_INPUT_H
#define TFP_INPUT_INPUT_H

#include "base/cancel.h"
#include "base/error.h"
#include "base/reader.h"
#include "base/store.h"
#include "input/kind/role.h"
#include "model/model.h"
#include "model/trace_events.h"
#include "trace/space.h"

/* Called now and then while an input is read; not 0 cancels. */
typedef int tfp_input_progress_fn(void *self, const char *path,
                                  int64_t bytes_read, int64_t size);

/* Takes a trace instead of the model; it goes when the call returns. */
typedef int tfp_input_space_fn(void *self, tfp_space *space,
                               const tfp_cancel *cancel, tfprof_error *err);

/* Files whose type is detected, but which are not read yet: their entries have
 * is_deferred set. api/aggregate_read.c reads them later, one after the other.
 * An input that can be read only once, such as a pipe, is read immediately. */
enum {
    TFP_DEFER_RUNS = 1 << 0, /* RunMetadata, StepStats and profiles */
    TFP_DEFER_TRACES = 1 << 1
};

typedef struct tfp_input_context {
    tfp_model *model;
    /* Settings: */
    bool salvage;         /* keep what stands before damage */
    bool counts_unknown;  /* fields, also those inside records */
    int max_depth;        /* of nested messages */
    int64_t max_input;    /* bytes of one input, unpacked */
    int64_t max_memory;   /* bytes; 0 for the default rule, below */
    int64_t max_block;    /* bytes of one block of a table; 0: TFP_MOST_BLOCK */
    bool fold_transforms; /* of JAX, in the names of a trace */
    const tfp_step_names *step_names; /* events that are steps; or NULL */
    bool reads_frames; /* of Python, in the place of operations of a trace */
    bool is_for_info;  /* and nothing else: see TFP_INFO_EVENTS */
    const char *run;   /* of log directories, or NULL for the newest */
    bool leaves_logs;  /* no log directory is searched for */
    uint32_t defers;   /* TFP_DEFER_RUNS and others */
    bool follow;       /* where the state of a checkpoint points elsewhere */
    bool ignore_checksums; /* of checkpoints: for fuzzing alone */
    tfp_input_progress_fn *progress;
    void *progress_self;
    tfp_input_space_fn *take_space; /* or NULL. With it no other kind is read */
    void *space_self;
    const tfp_event_taker *taker; /* of the single events of traces, or NULL */
    /* State: */
    int64_t bytes_read; /* of all inputs so far, as the rule counts them */
    int64_t next_step;  /* for run metadata that comes without a number */
    bool is_again;      /* traces are read once more, with this added to the */
    int64_t shift;      /* numbers of their steps */
    bool read_stdin;    /* which can be read once */
} tfp_input_context;

/* A block of a table is no larger than this, unless the user allows it. */
enum { TFP_MOST_BLOCK = 64 << 20 };

/* Of a trace that has more bytes than this, `info` leaves the events unread: it
 * is asked to see what a file is, and should not take much longer than reading
 * it. */
enum { TFP_INFO_EVENTS = 64 << 20 };

/* Memory without a set limit: so much, and so much for each byte read. Of
 * compressed input the decompressed bytes count, but at most so many for each
 * byte of the file: a small file must not claim much memory. */
enum {
    TFP_MEMORY_BASE = 64 << 20,
    TFP_MEMORY_PER_BYTE = 8,
    TFP_MEMORY_EXPANSION = 64
};

/* What a file with the state of checkpoints says. */
typedef struct tfp_state {
    bool is_found;     /* the input was such a file */
    tfp_string latest; /* the checkpoint that it names */
} tfp_state;

/* The files of one checkpoint of version 1, which are read in turn. */
typedef struct tfp_shards {
    uint32_t
        checkpoint; /* that they are added to; TFP_NO_ID before the first */
    bool more_come;
} tfp_shards;

typedef struct tfp_input_request {
    const char *path; /* or a name for what is not a file */
    tfp_role role;
    bool has_step;
    int64_t step;
    bool is_beside_traces; /* an op log, without which they can answer */
    bool is_log;           /* a log directory that a search found */
    bool is_runs;         /* a log directory of which only the runs are given */
    bool has_other_hosts; /* it is one of several traces of a folder */
    bool has_known_hosts; /* of which some are of hosts that were read before */
    /* Of checkpoints: */
    bool is_followed;        /* a state named it */
    const char *passed_over; /* why none is read, or NULL */
    tfp_shards *shards;      /* of which this is one, or NULL */
    tfp_state *state;        /* gets what a state says, or NULL */
} tfp_input_request;

/* Adds the file or directory at `path`; "-" is standard input. The first
 * failure is returned; later files of a directory are read all the same. */
int tfp_input_add_path(tfp_input_context *context,
                       const tfp_input_request *request, tfprof_error *err);

/* Adds what `source` gives. `size` is its length or -1; `tail` its last bytes
 * when they are known, or empty. `member` is a file within a directory. Of a
 * file that can be read at any place, `store` does that and `file` is its
 * path; else both are NULL. */
typedef struct tfp_input_stream {
    tfp_source source;
    const char *member;
    bool is_file;           /* the path of the request leads to it */
    uint64_t device, inode; /* with is_file */
    int64_t size;
    tfp_span tail;
    const tfp_store *store;
    const char *file;
} tfp_input_stream;

int tfp_input_add_stream(tfp_input_context *context,
                         const tfp_input_request *request,
                         const tfp_input_stream *stream, tfprof_error *err);

/* Sets the limit of memory by what has been read, or as max_memory says. */
void tfp_input_set_limit(tfp_input_context *context);

/* The last entry of model->inputs gets this status. Returns `status`. */
int tfp_input_failed(tfp_input_context *context, int status,
                     const tfprof_error *why);

/* Adds an entry to model->inputs. False when out of memory. */
bool tfp_input_begin(tfp_input_context *context, const char *path,
                     const char *member);

#endif
