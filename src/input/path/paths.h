/*
 * paths.h - what the files about paths share.
 */
#ifndef TFP_INPUT_PATHS_H
#define TFP_INPUT_PATHS_H

#include <limits.h>

#include "base/memory.h"
#include "input/kind/input.h"

/* A name in a directory; one file of a SavedModel stands a folder deeper. */
typedef struct tfp_file_name {
    char text[NAME_MAX + 1];
} tfp_file_name;

typedef TFP_VEC(tfp_file_name) tfp_file_names;

/* Opens and reads one file; `at` is the directory of a relative path, `member`
 * its name there, or NULL. A path that was given may lead to a pipe. A member
 * that is a pipe, a device or a socket is not opened: it has an entry that
 * says so, which is not a failure. */
int tfp_add_file(tfp_input_context *context, const tfp_input_request *request,
                 const char *member, int at, const char *path,
                 tfprof_error *err);

/* The same for a file whose name was made up here or found in a file: it must
 * be a regular one. */
int tfp_add_followed(tfp_input_context *context,
                     const tfp_input_request *request, const char *member,
                     int at, const char *path, tfprof_error *err);

/* Adds an entry for what could not even be opened. Returns why->code. */
int tfp_fail_path(tfp_input_context *context, const tfp_input_request *request,
                  const char *member, const tfprof_error *why,
                  tfprof_error *err);

/* The files of the directory at a path, by name, without directories. */
int tfp_list_path(tfp_memory *memory, const char *path, tfp_file_names *names,
                  tfprof_error *err);

/* ---- Traces ------------------------------------------------------------- */

/* Is it named as profilers name traces? */
bool tfp_is_trace_name(const char *name);

/* Is it named as the op log of a run is? */
bool tfp_is_log_name(const char *name);

/* Opens the folder of runs of a log directory. -1 if it has no traces. */
int tfp_open_runs(int dir);

/* What profilers have written beside a file that is not a trace. */
typedef enum tfp_beside {
    TFP_BESIDE_NOTHING,
    TFP_BESIDE_TRACE, /* in the same folder */
    TFP_BESIDE_LOGS   /* the folder is a log directory with traces */
} tfp_beside;

/* `name` gets the name of the trace in the same folder. */
tfp_beside tfp_find_trace_beside(tfp_memory *memory, const char *path,
                                 char *name, size_t size);

/* Has a log directory a run with this name, or NULL for any? */
bool tfp_has_run(int dir, const char *run);

/* Adds the traces of the newest run of a log directory to `names`, or of the
 * one with the name `run`, and its op log, each with its path from there;
 * nothing when there is none. */
int tfp_list_traces(tfp_memory *memory, int dir, const char *run,
                    tfp_file_names *names, tfprof_error *err);

/* Adds the folders of all runs of a log directory to `names`, oldest first,
 * each with its path from there. */
int tfp_list_trace_runs(tfp_memory *memory, int dir, tfp_file_names *names,
                        tfprof_error *err);

/* Notes in the inputs from `first` on how many runs the log directory has of
 * which they are one, and in the first of them what else its folder has. False
 * when out of memory. */
bool tfp_note_runs(const tfp_input_context *context, size_t first, int dir);

/* ---- Checkpoints -------------------------------------------------------- */

/* What --checkpoint_path gives when it is no directory: a file, or the prefix
 * of several. */
int tfp_add_checkpoint(tfp_input_context *context,
                       const tfp_input_request *request, tfprof_error *err);

/* A path that no file has: is it the prefix of a checkpoint? Then that is
 * added, and *found is true. */
int tfp_add_prefix(tfp_input_context *context, const tfp_input_request *request,
                   bool *found, tfprof_error *err);

/* The files of a directory are given as a checkpoint. */
int tfp_add_checkpoint_among(tfp_input_context *context,
                             const tfp_input_request *request, int dir,
                             const tfp_file_names *names, tfprof_error *err);

/* Goes on to the checkpoint that a state names, which was read from the file
 * at `path`. */
int tfp_follow_state(tfp_input_context *context,
                     const tfp_input_request *request, const tfp_state *state,
                     const char *path, tfprof_error *err);

/* Which checkpoint of a directory counts when all of its files are added. */
typedef struct tfp_choice {
    char prefix[NAME_MAX + 1]; /* empty when none does */
    bool has_state;            /* there is one, and it has been added */
    const char *others;        /* why the others do not count */
    tfprof_error several;      /* what is wrong if there is nothing else */
} tfp_choice;

/* Adds the state, if there is one, and chooses. */
int tfp_choose_checkpoint(tfp_input_context *context,
                          const tfp_input_request *request, int dir,
                          const tfp_file_names *names, tfp_choice *choice,
                          tfprof_error *err);

/* Adds one of these files, unless it went with an earlier one. */
int tfp_add_chosen(tfp_input_context *context, const tfp_input_request *request,
                   int dir, const char *name, const tfp_choice *choice,
                   tfprof_error *err);

#endif
