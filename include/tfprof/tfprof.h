/*
 * tfprof.h - profile TensorFlow and JAX models without TensorFlow.
 *
 * A profile collects the input files of one model: graphs, run metadata, op
 * logs, checkpoints, traces and saved profiles. Files may be added in any
 * order; file types are detected from content. A result is either text that a
 * callback receives, or an object that you keep: a view (view.h), a table
 * (table.h) or advice (advice.h). docs/c-api.md has a tutorial. In these
 * comments, a handle is a pointer to a profile, view, table or advice.
 *
 * Errors: a function that can fail returns TFPROF_OK or a negative tfprof_code.
 * On failure it stores details in *err (error.h). `err` may be NULL.
 *
 * Ownership: if a function creates an object that you must release, its comment
 * names the function that releases the object. Do not release anything else. A
 * returned text is valid until the handle that it came from is freed; a text
 * that did not come from a handle is static. If the library needs an argument
 * after the call, it copies the argument. It does not copy the data that the
 * context of a callback points to.
 *
 * Misuse: the library detects a NULL argument that must not be NULL, a handle
 * of the wrong type and an index past the end. The function then returns
 * TFPROF_ERR_OPTION or, if its comment states so, TFPROF_ERR_MISSING. A
 * function without a status returns 0 or NULL; a void function does nothing.
 * The library cannot detect a handle that was freed: do not use such a handle.
 *
 * Callbacks: a callback runs in the thread that called the library, and only
 * until that call returns. A callback must return normally, not through
 * longjmp() or a C++ exception. A callback may pass its own profile (the one
 * that called it) to functions that accept a const profile, to functions that
 * set callbacks, and to tfprof_profile_free(). In a callback,
 * tfprof_profile_free() takes effect when the call that runs the callback
 * returns. All other functions return TFPROF_ERR_OPTION if a callback passes
 * its own profile to them. A callback may use other profiles freely.
 *
 * Threads: use a profile in one thread at a time. A cancel callback allows
 * another thread to stop a call. There is no global state: two threads may use
 * two profiles. Views, tables and advice never change, and any number of
 * threads may read them.
 *
 * Process: the library never prints, never exits, starts no threads, and does
 * not change locale, signal handlers, working directory, umask or environment.
 * Files that it opens are close-on-exec and are closed when the call returns.
 * errno may change. After fork() the child may use its copies of profiles,
 * views, tables and advice.
 */
#ifndef TFPROF_TFPROF_H
#define TFPROF_TFPROF_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/advice.h>
#include <tfprof/error.h>
#include <tfprof/option.h>
#include <tfprof/table.h>
#include <tfprof/version.h>
#include <tfprof/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library in use, such as "0.9.0". TFPROF_VERSION in
 * version.h is the version of the headers. Cannot fail. */
TFPROF_API const char *tfprof_version(void);

/* Returns the names of the optional libraries that this build does not include,
 * such as "Snappy, jansson". Returns an empty text if the build includes all of
 * them. Cannot fail. */
TFPROF_API const char *tfprof_version_lacks(void);

/* ---- Profile: the data of one model ------------------------------------- */

typedef struct tfprof_profile tfprof_profile;

/* Resizes `block` from `old_size` to `new_size` bytes and returns it. If
 * `block` is NULL, allocates a new block. If `new_size` is 0, frees the block.
 * On failure, returns NULL and leaves the old block unchanged. Blocks must be
 * aligned like those of malloc(). Every function that accepts the profile, or a
 * view, table or advice made from it, may call this allocator. The release
 * callback of an Arrow stream may call it too. The allocator runs in the thread
 * that uses or frees the object. */
typedef void *tfprof_resize_fn(void *context, void *block, size_t old_size,
                               size_t new_size);

/* Returns an empty profile, or NULL if out of memory. Release it with
 * tfprof_profile_free(). */
TFPROF_API tfprof_profile *tfprof_profile_new(void);

/* Like tfprof_profile_new(), but with a custom allocator. The allocator must
 * outlive the profile and all views, tables, advice and Arrow streams made from
 * it. If `resize` is NULL, the allocator of the C library is used. All memory
 * comes from the allocator, with three exceptions: memory that the C library
 * needs to list a directory, machine code that PCRE2 generates for a regular
 * expression, and values that jansson reads from a formula file. */
TFPROF_API tfprof_profile *tfprof_profile_new_with(tfprof_resize_fn *resize,
                                                   void *context);

/* Releases a profile. Views, tables and advice made from it stay valid. NULL is
 * allowed. */
TFPROF_API void tfprof_profile_free(tfprof_profile *profile);

/* Sets an option. `name` is a name that tfprof_option_at() lists, such as
 * "max_memory"; "-" and "_" are equivalent. Options that affect reading must be
 * set before inputs are added: "max_memory", "max_input", "max_block",
 * "max_depth_nesting", "salvage", "follow", "fold_transforms", "frames", "run"
 * and "verbose". All other options take effect when a result is requested. On
 * failure (TFPROF_ERR_OPTION, TFPROF_ERR_NOMEM) nothing has changed. */
TFPROF_API int tfprof_profile_set(tfprof_profile *profile, const char *name,
                                  const char *value, tfprof_error *err);

/* Writes the value of an option to `buffer`, as text that tfprof_profile_set()
 * accepts. If the option `select` is "auto", writes the metrics that "auto"
 * means for the inputs added so far. Truncates text that does not fit; always
 * terminates it with NUL. Returns the length of the complete text without NUL.
 * Returns 0 if no option has this name, or if the option names input files
 * (TFPROF_OPTION_PATHS). */
TFPROF_API size_t tfprof_profile_get(const tfprof_profile *profile,
                                     const char *name, char *buffer,
                                     size_t size);

/* Resets every option to its default. On failure nothing has changed. */
TFPROF_API int tfprof_profile_reset(tfprof_profile *profile, tfprof_error *err);

/* Saves the current values of all options. Replaces values saved earlier. On
 * failure nothing has changed. */
TFPROF_API int tfprof_profile_keep_options(tfprof_profile *profile,
                                           tfprof_error *err);

/* Restores the option values that tfprof_profile_keep_options() saved, and
 * discards the saved copy. Does nothing if no values are saved. Cannot fail. */
TFPROF_API void tfprof_profile_restore_options(tfprof_profile *profile);

/* ---- Inputs ------------------------------------------------------------- */

/* Adds a file, every file of a directory, or a checkpoint given by its prefix;
 * "-" is standard input. `role` specifies the file type: it is "graph_path",
 * "run_meta_path", "op_log_path", "checkpoint_path" or "profile_path". If
 * `role` is NULL, the file type is detected from content. The tensor values of
 * a checkpoint are read when a view shows them, so the files of the checkpoint
 * must exist until then.
 *
 * tfprof_profile_input_count() includes the input even if the call fails,
 * unless the call fails because of misuse. After a failure, more inputs can be
 * added and tfprof_profile_write_info() works. Functions for all other results
 * return the error of the input, because the numbers in the result would be
 * incomplete. Set the option `salvage` to allow such results. */
TFPROF_API int tfprof_profile_add_path(tfprof_profile *profile,
                                       const char *path, const char *role,
                                       tfprof_error *err);

/* Adds a RunMetadata file as the step with the number `step`, which is 0 or
 * more. Functions without the argument `step` assign step numbers from 0 and
 * skip numbers that are in use. Fails like tfprof_profile_add_path(). */
TFPROF_API int tfprof_profile_add_step(tfprof_profile *profile, int64_t step,
                                       const char *path, tfprof_error *err);

/* Adds `size` bytes in memory as an input. Messages show `name` in place of a
 * path. `data` may be freed after the call; it may be NULL if `size` is 0.
 * Fails like tfprof_profile_add_path(). */
TFPROF_API int tfprof_profile_add_memory(tfprof_profile *profile,
                                         const char *name, const void *data,
                                         size_t size, const char *role,
                                         tfprof_error *err);

/* Adds a RunMetadata in memory as the step with the number `step`. Fails like
 * tfprof_profile_add_path(). */
TFPROF_API int tfprof_profile_add_step_memory(tfprof_profile *profile,
                                              int64_t step, const char *name,
                                              const void *data, size_t size,
                                              tfprof_error *err);

/* Writes up to `size` bytes to `buffer`. Returns the number of bytes written, 0
 * at the end of the input, or a negative tfprof_code on failure. After a
 * failure, tfprof_profile_add_callback() returns the same code. */
typedef ptrdiff_t tfprof_read_fn(void *context, void *buffer, size_t size);

/* Adds an input whose bytes the callback `read` provides. Messages show `name`
 * in place of a path. Fails like tfprof_profile_add_path(). */
TFPROF_API int tfprof_profile_add_callback(tfprof_profile *profile,
                                           const char *name,
                                           tfprof_read_fn *read, void *context,
                                           const char *role, tfprof_error *err);

/* Counts the float operations of every node for which no input contains a
 * count. The option `formulas` selects the formulas; `auto` means `tensorflow`.
 * The counts are kept as if an op log contained them: later views and saved
 * profiles include them. If `only_listed` is not 0, the only shapes used are
 * those that the graph lists ("_output_shapes") and those in run records. The
 * counts are then equal to those that TensorFlow reports for a graph in memory.
 * May be called again after adding inputs that contain more shapes. Returns
 * TFPROF_ERR_MISSING if no input is a graph, run metadata, a trace, a
 * checkpoint or a profile. On failure nothing has changed. */
TFPROF_API int tfprof_profile_add_float_ops(tfprof_profile *profile,
                                            int only_listed, tfprof_error *err);

/* Called about once per MiB read, and when a signal interrupts a wait for data.
 * `size` is the size of the input in bytes, or -1 if unknown. To cancel, return
 * a value other than 0: the function that adds the input then returns
 * TFPROF_ERR_CANCELLED. */
typedef int tfprof_progress_fn(void *context, const char *path,
                               int64_t bytes_read, int64_t size);

/* Sets the progress callback. NULL removes it. Cannot fail. */
TFPROF_API void tfprof_profile_on_progress(tfprof_profile *profile,
                                           tfprof_progress_fn *progress,
                                           void *context);

/* Returns the number of inputs, including inputs that could not be read. Cannot
 * fail. */
TFPROF_API size_t tfprof_profile_input_count(const tfprof_profile *profile);

/* Returns TFPROF_OK if the input at this index was read. If reading failed,
 * returns the code of the error, copies the error to *err, and sets *is_partial
 * (if `is_partial` is not NULL) to one of these values:
 *   0: results are refused.
 *   1: the option `salvage` is set, and the complete records that precede the
 *      first error were kept.
 *   2: `salvage` is not set, and the input is a damaged trace in a directory.
 *      The trace was skipped, and results use the other traces.
 * Also returns TFPROF_ERR_MISSING if there is no such input. To exclude this
 * case, compare `index` with tfprof_profile_input_count() first. */
TFPROF_API int tfprof_profile_input_status(const tfprof_profile *profile,
                                           size_t index, int *is_partial,
                                           tfprof_error *err);

/* Writes the path of the input at this index to `buffer`, escaped as by
 * tfprof_escape(). Truncates text that does not fit; always terminates it with
 * NUL. Returns the length of the complete text without NUL, or 0 if there is no
 * such input. */
TFPROF_API size_t tfprof_profile_input_name(const tfprof_profile *profile,
                                            size_t index, char *buffer,
                                            size_t size);

/* A directory is refused if several log directories with traces are below it.
 * Writes the path of log directory number `log` (from 0) below the input at
 * this index to `buffer`, like tfprof_profile_input_name(). Returns 0 if there
 * is no such input or no such log directory. */
TFPROF_API size_t tfprof_profile_input_log(const tfprof_profile *profile,
                                           size_t index, size_t log,
                                           char *buffer, size_t size);

/* Returns TFPROF_OK if results can be requested. Returns an error if an input
 * could not be read, or if no result supports the file type of an input. The
 * functions that create results would return the same error. The exception is
 * tfprof_profile_write_info(), which always works. */
TFPROF_API int tfprof_profile_check(tfprof_profile *profile, tfprof_error *err);

/* ---- Output ------------------------------------------------------------- */

/* Receives `size` bytes of output, which are valid until the callback returns.
 * Must write all bytes and return 0. Any other return value means that writing
 * failed: the call that uses the callback returns TFPROF_ERR_OUTPUT and writes
 * no more. */
typedef int tfprof_write_fn(void *context, const void *data, size_t size);

/* Writes a report about every input: its file type, its encoding, what it
 * contains, and data that is ignored. The option `format` is "text" or "json".
 */
TFPROF_API int tfprof_profile_write_info(tfprof_profile *profile,
                                         tfprof_write_fn *write, void *context,
                                         tfprof_error *err);

/* ---- Views -------------------------------------------------------------- */

/* Returns the name of the view at this index: "scope", "graph", "op" or "code".
 * Returns NULL after the last one. Cannot fail. */
TFPROF_API const char *tfprof_view_type(size_t index);

/* Creates a view of all inputs. The options select its content; the options
 * `output` and `format` are ignored. Release the view with tfprof_view_free().
 * Errors are those of tfprof_profile_write_view(); on failure *view is NULL. */
TFPROF_API int tfprof_profile_view(tfprof_profile *profile, const char *type,
                                   tfprof_view **view, tfprof_error *err);

/* Creates a view of all inputs and writes it. The options select its content.
 * The option `output` sets the destination: the callback `write` (for
 * "stdout"), a file, or none. `write` may be NULL if it is not needed. The
 * option `format` is "text", "json", "csv" or "proto". "proto" is the message
 * that TensorFlow's own profiler returns. Files are written completely or not
 * at all.
 *
 * Returns TFPROF_ERR_MISSING if the inputs lack the requested data,
 * TFPROF_ERR_OUTPUT if the result cannot be written, TFPROF_ERR_LIMIT if a
 * limit is exceeded. The profile stays usable after an error. */
TFPROF_API int tfprof_profile_write_view(tfprof_profile *profile,
                                         const char *view,
                                         tfprof_write_fn *write, void *context,
                                         tfprof_error *err);

/* Creates a view of all inputs and writes it to the callback `write` as an HTML
 * page. The page needs no other file and no network. The options select the
 * content of the view; the options `output` and `format` are ignored. Errors
 * are those of tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_page(tfprof_profile *profile,
                                         const char *view,
                                         tfprof_write_fn *write, void *context,
                                         tfprof_error *err);

/* Finds expensive operations and known inefficiencies, and writes the findings
 * to the destination set by the option `output`. The option `checkers` selects
 * the checkers to run. The option `format` is "text", "json" or "proto". Errors
 * are those of tfprof_profile_write_view(). In addition, returns
 * TFPROF_ERR_MISSING if every selected checker needs run records and there are
 * no run records. */
TFPROF_API int tfprof_profile_write_advice(tfprof_profile *profile,
                                           tfprof_write_fn *write,
                                           void *context, tfprof_error *err);

/* Creates an object with the findings that tfprof_profile_write_advice()
 * writes. Release it with tfprof_advice_free(). The options `output` and
 * `format` are ignored. On failure *advice is NULL. */
TFPROF_API int tfprof_profile_advise(tfprof_profile *profile,
                                     tfprof_advice **advice, tfprof_error *err);

/* Counts the parameters and float operations of a model from its file, without
 * running the model. Writes the report to the destination set by the option
 * `output`. The options in the groups TFPROF_GROUP_FLOAT_OPS and
 * TFPROF_GROUP_MODEL select what is counted and reported. Errors are those of
 * tfprof_profile_write_view(). In addition, returns TFPROF_ERR_MISSING if there
 * is no graph. */
TFPROF_API int tfprof_profile_write_flops(tfprof_profile *profile,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* Writes a summary of the model and its runs that fits on one screen: inputs,
 * parameters, float operations, steps, devices, peak memory, the most expensive
 * operations, the first advice, and commands to run next. `inputs` is the text
 * of the input arguments in these commands, already quoted for a shell. If
 * `inputs` is NULL, the commands have no input arguments, as in an interactive
 * session. The option `format` is "text" or "json". Errors are those of
 * tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_summary(tfprof_profile *profile,
                                            const char *inputs,
                                            tfprof_write_fn *write,
                                            void *context, tfprof_error *err);

/* Writes a report: an HTML page with the summary, the scope, op and code views,
 * the connections of nodes, the tables, and memory over time, as far as the
 * inputs have them. The page needs no other file and no network. Its size is at
 * most 32 MB; rows with low costs are left out if it would be larger. `base`
 * has `base_count` paths of inputs from before a change. If `base_count` is not
 * 0, the page also shows what changed since these inputs; else `base` may be
 * NULL. The option `output` is "stdout", "none" or "html:outfile=FILE". Errors
 * are those of tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_report(tfprof_profile *profile,
                                           const char *const *base,
                                           size_t base_count,
                                           tfprof_write_fn *write,
                                           void *context, tfprof_error *err);

/* ---- Tables ------------------------------------------------------------- */

/* Returns the name of the table at this index: "steps", "kernels", "memory" or
 * "devices". Returns NULL after the last one. Cannot fail. */
TFPROF_API const char *tfprof_table_type(size_t index);

/* Announces which result will be requested. `type` is "advise", "summary",
 * "report", "info", "aggregate" or the name of a table. Call this before adding
 * inputs; traces are then read only once. Without this call, the first request
 * for a table reads each trace again. A trace can be read again only if it is a
 * file. The type "info" announces that no view will be requested: the events of
 * large traces are then skipped, unless the option `verbose` is set. Returns
 * TFPROF_ERR_OPTION for any other type. */
TFPROF_API int tfprof_profile_expect(tfprof_profile *profile, const char *type,
                                     tfprof_error *err);

/* Creates a table of all inputs and writes it to the destination set by the
 * option `output`. The option `format` is "text", "json" or "csv". Errors are
 * those of tfprof_profile_write_view(). In addition, returns TFPROF_ERR_MISSING
 * if no input has rows for this table. */
TFPROF_API int tfprof_profile_write_table(tfprof_profile *profile,
                                          const char *type,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* Folds the steps of all inputs into four tables, and writes the tables as
 * Parquet files into the folder that the option `output` names
 * ("parquet:outfile=FOLDER"). Call tfprof_profile_expect() with "aggregate"
 * before adding inputs: files with runs are then not read until this call, and
 * only the steps of one file are in memory at a time. Call this function only
 * once for each profile. Views and tables of this profile would lack the runs,
 * so requests for them fail with TFPROF_ERR_MISSING. The function passes a
 * summary to `write`, as text or JSON.
 *
 * Damaged files with runs are left out; with the option `salvage`, the complete
 * records before the damage are used. tfprof_profile_input_status() reports
 * damaged files. Returns TFPROF_ERR_MALFORMED if no step can be read, and
 * TFPROF_ERR_MISSING if the inputs have no run records. In both cases, no table
 * is written. */
TFPROF_API int tfprof_profile_write_aggregate(tfprof_profile *profile,
                                              tfprof_write_fn *write,
                                              void *context, tfprof_error *err);

/* Creates the table that tfprof_profile_write_table() writes, as an object
 * (table.h). Release it with tfprof_table_free(). The options `output` and
 * `format` are ignored. On failure *table is NULL. */
TFPROF_API int tfprof_profile_table(tfprof_profile *profile, const char *type,
                                    tfprof_table **table, tfprof_error *err);

/* Returns the name of the xprof tool at this index: "framework_op_stats",
 * "hlo_stats", "kernel_stats" or "memory_profile". tfprof_profile_write_xprof()
 * supports these tools. Returns NULL after the last one. Cannot fail. */
TFPROF_API const char *tfprof_xprof_tool(size_t index);

/* Reads a trace and writes the same JSON as the xprof tool `tool` returns for
 * this trace. The option `output` sets the destination; `format` is ignored.
 * `path` is a file, "-" for standard input, or a log directory with the trace
 * of one host. docs/tables.md lists the columns. Nothing is added to the
 * profile; only its options and callbacks are used. Error messages include the
 * file name. Returns TFPROF_ERR_OPTION if there is no such tool, and
 * TFPROF_ERR_MISSING if there is not exactly one trace. Other errors are those
 * of tfprof_profile_add_path() and tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_xprof(tfprof_profile *profile,
                                          const char *tool, const char *path,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* Writes all inputs as a ProfileProto to the file `path`, compressed with gzip
 * if its name ends in ".gz". This library and TensorFlow's own tfprof can read
 * the file. Errors are those of tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_save(tfprof_profile *profile, const char *path,
                                   tfprof_error *err);

/* Writes all inputs as a ProfileProto, uncompressed, to a callback. Errors are
 * those of tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_profile(tfprof_profile *profile,
                                            tfprof_write_fn *write,
                                            void *context, tfprof_error *err);

/* Called often while a result is computed and written, so it must be fast. To
 * cancel, return a value other than 0: the call then returns
 * TFPROF_ERR_CANCELLED and the profile stays usable. */
typedef int tfprof_cancel_fn(void *context);

/* Sets the cancel callback. NULL removes it. Cannot fail. */
TFPROF_API void tfprof_profile_on_cancel(tfprof_profile *profile,
                                         tfprof_cancel_fn *cancel,
                                         void *context);

/* Receives a remark about a result. The remark is one line without a newline,
 * is safe to print, and is valid until the callback returns. */
typedef void tfprof_remark_fn(void *context, const char *remark);

/* The start of the remark that explains why a result is empty. */
#define TFPROF_REMARK_EMPTY "nothing is shown: "

/* Receives the path of a file that was written. The path is valid until the
 * callback returns. */
typedef void tfprof_file_fn(void *context, const char *path);

/* Sets the callback for written files. NULL removes it. Cannot fail. */
TFPROF_API void tfprof_profile_on_file(tfprof_profile *profile,
                                       tfprof_file_fn *written, void *context);

/* Sets the callback for remarks. NULL removes it. Cannot fail. */
TFPROF_API void tfprof_profile_on_remark(tfprof_profile *profile,
                                         tfprof_remark_fn *remark,
                                         void *context);

/* ---- Comparisons -------------------------------------------------------- */

/* Compares the rows of a view and writes the differences to the destination set
 * by the option `output`. If `view` is NULL, it is "code" for traces in which
 * at least half of the operation time of each side has source lines, else
 * "scope". `base` has the paths of the inputs from before a change, `head`
 * those from after it; each side needs at least one path. These inputs are
 * runs: each folder plugins/profile/RUN of a directory, each folder in a
 * directory that contains folders but no files, and any other directory or file
 * with run records. Graphs, op logs and checkpoints belong to all runs of their
 * side.
 *
 * The options `of` and `skip_steps` define the value of a run. The option
 * `select` chooses the metrics to compare, and the options of views choose the
 * rows. The option `format` is "text", "table", "json", "csv" or "markdown".
 * See docs/diff.md for the result.
 *
 * Nothing is added to the profile; only its options and callbacks are used. The
 * inputs are read one run after the other. Returns TFPROF_OK whether or not
 * there are differences. Errors are those of tfprof_profile_add_path() and
 * tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_diff(
    tfprof_profile *profile, const char *view, const char *const *base,
    size_t base_count, const char *const *head, size_t head_count,
    tfprof_write_fn *write, void *context, tfprof_error *err);

/* ---- Budgets ------------------------------------------------------------ */

typedef enum tfprof_verdict {
    TFPROF_VERDICT_OK,     /* every budget holds */
    TFPROF_VERDICT_BROKEN, /* at least one budget is broken */
    TFPROF_VERDICT_NONE,   /* no budget is broken, but some have no verdict */
    TFPROF_VERDICT_NOISE   /* the same, and the only reason is that the runs
                            * differ too much */
} tfprof_verdict;

/* Checks whether the inputs at `paths` are within their budgets. The option
 * `budgets` names the file with the limits; the option `baseline` names the
 * file with the values that relative limits refer to, or directories of runs
 * that have them. Without `budgets`, the wall time of a step may grow by 10 %
 * from the baseline. The inputs are read as
 * tfprof_profile_write_diff() reads one side. The option `format` is "text",
 * "table", "json", "markdown", "github", "junit" or "sarif". See docs/check.md
 * for the result.
 *
 * With the option `init`, writes a budgets file instead; each limit is 2 %
 * above the value of the inputs. *verdict is then TFPROF_VERDICT_OK.
 *
 * Nothing is added to the profile. Returns TFPROF_OK if the budgets were
 * checked, whatever the verdict. Errors are those of tfprof_profile_add_path()
 * and tfprof_profile_write_view(). */
TFPROF_API int tfprof_profile_write_check(tfprof_profile *profile,
                                          const char *const *paths,
                                          size_t count, tfprof_write_fn *write,
                                          void *context,
                                          tfprof_verdict *verdict,
                                          tfprof_error *err);

/* Writes a baseline as JSON, for the option `baseline` of a later check. It has
 * the metrics of the complete model and, if the option `budgets` names a file,
 * the values that these budgets limit. Nothing is added to the profile. */
TFPROF_API int tfprof_profile_write_baseline(tfprof_profile *profile,
                                             const char *const *paths,
                                             size_t count,
                                             tfprof_write_fn *write,
                                             void *context, tfprof_error *err);

/* ---- Names -------------------------------------------------------------- */

/* Receives one completion of a name. `name` has `size` bytes, is not always
 * terminated by NUL, and is valid until more inputs are added. To stop, return
 * a value other than 0. */
typedef int tfprof_name_fn(void *context, const char *name, size_t size);

/* Calls the callback `name` for each completion of `prefix` among the names of
 * nodes, in byte order. A completion extends the prefix up to and including the
 * next "/", or to the end of the name. For example, "" yields the first
 * segments of all names, and "unit_1/" yields the segments below "unit_1". The
 * first call after inputs are added sorts the names and may fail with
 * TFPROF_ERR_NOMEM or TFPROF_ERR_LIMIT. */
TFPROF_API int tfprof_profile_complete_name(tfprof_profile *profile,
                                            const char *prefix,
                                            tfprof_name_fn *name, void *context,
                                            tfprof_error *err);

/* ---- Text --------------------------------------------------------------- */

/* Copies `text_size` bytes of `text` to `buffer`. Writes control bytes, invalid
 * UTF-8, bidirectional characters and zero-width characters as \xHH, so the
 * text cannot control a terminal. Truncates text that does not fit; always
 * terminates it with NUL. Returns the length of the complete text without NUL.
 */
TFPROF_API size_t tfprof_escape(const char *text, size_t text_size,
                                char *buffer, size_t size);

/* Copies and escapes text as tfprof_escape() does, and shortens it to at most
 * `columns` terminal columns. The middle of longer text is replaced by the
 * ellipsis U+2026 if `is_utf8` is not 0, else by "..". If `used` is not NULL,
 * sets *used to the width of the result in columns. A wide character is two
 * columns wide; a combining mark has no width. Truncates a result that does not
 * fit into `buffer`; always terminates it with NUL. Returns the length of the
 * complete result without NUL. */
TFPROF_API size_t tfprof_fit(const char *text, size_t text_size, size_t columns,
                             int is_utf8, char *buffer, size_t size,
                             size_t *used);

/* ---- Options ------------------------------------------------------------ */

/* tfprof_option_count() returns the number of options. tfprof_option_at()
 * returns the option at this index, in the order of the help, or NULL after the
 * last option. The option is static. Cannot fail. */
TFPROF_API size_t tfprof_option_count(void);
TFPROF_API const tfprof_option *tfprof_option_at(size_t index);

/* Returns the option with this name, or NULL if there is no such option; "-"
 * and "_" are equivalent. If there is no such option and `nearest` is not NULL,
 * sets *nearest to the option with the most similar name, or to NULL if no name
 * is similar. The option is static. Cannot fail. */
TFPROF_API const tfprof_option *tfprof_option_find(
    const char *name, const tfprof_option **nearest);

#ifdef __cplusplus
}
#endif

#endif
