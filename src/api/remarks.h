/*
 * remarks.h - what a reader of an answer should know about it.
 */
#ifndef TFP_API_REMARKS_H
#define TFP_API_REMARKS_H

#include <stdbool.h>

#include "api/profile.h"
#include "model/census.h"
#include "model/inputs.h"
#include "view/view.h"

/* Bytes of a remark, and of a path that it names. */
enum { TFP_REMARK_SIZE = 5000, TFP_REMARK_PATH = 4400 };

/* How a trace gets calls in Python. */
extern const char tfp_record_frames[];

/* One line for whoever listens; see tfprof_profile_on_remark(). */
void tfp_remark(const tfprof_profile *profile, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first of some inputs, and the others as " (and 2 more files)" or "". */
typedef struct tfp_some_inputs {
    char name[TFP_REMARK_PATH];
    char more[40];
} tfp_some_inputs;

/* Finds the inputs that `is_one` is true for. False if there are none. */
bool tfp_find_inputs(const tfprof_profile *profile,
                     bool (*is_one)(const tfp_input *input),
                     tfp_some_inputs *found);

/* All that is odd about the files. */
void tfp_remark_on_files(const tfprof_profile *profile);

/* The same, and what is odd about what they say together. */
void tfp_remark_on_inputs(const tfprof_profile *profile,
                          const tfp_census *census);

/* Run records of one or more models that are odd. */
typedef struct tfp_run_notes {
    int64_t records, placed; /* of models with a graph; placed: at its nodes */
    int64_t untimed, negative, overflowing;
    bool misses_stream;
} tfp_run_notes;

void tfp_run_notes_add(tfp_run_notes *notes, const tfp_model *model,
                       const tfp_census *census);
void tfp_remark_on_run_notes(const tfprof_profile *profile,
                             const tfp_run_notes *notes);

/* Nodes that have other types in later files. */
void tfp_remark_on_clashes(const tfprof_profile *profile,
                           const tfp_census *census);

/* The same as for inputs, and what is odd about the view made of them. */
void tfp_remark_on_view(const tfprof_profile *profile, const tfp_view *view);

/* Which runs of log directories were read, and traces that are runs. */
void tfp_remark_on_runs(const tfprof_profile *profile);
/* What was taken as steps of traces, where it is not what marks them. */
void tfp_remark_on_steps(const tfprof_profile *profile);

/* What is odd about traces, and what their lines of source mean. */
void tfp_remark_on_traces(const tfprof_profile *profile);
void tfp_remark_on_trace_lines(const tfprof_profile *profile,
                               const tfp_view *view);

/* With the option `verbose`: how much of the graph ran. */
int tfp_remark_on_coverage(const tfprof_profile *profile, tfprof_error *err);

#endif
