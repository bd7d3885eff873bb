/*
 * tfprof.h - profiles of TensorFlow models, read without TensorFlow.
 *
 * A profile collects what files say about one model: graphs, run metadata, op
 * logs, checkpoints, profiles. Files may be added in any order; what each one
 * is, is found from its bytes. A profile answers questions: as text that a
 * function of yours takes, or as a view (view.h) or advice (advice.h), copies
 * that you keep. docs/c-api.md has a tutorial.
 *
 * Failing: a function that can fail returns TFPROF_OK or a negative
 * tfprof_code, and tells more in *err (error.h), which may be NULL.
 *
 * Owning: what a function makes is released by the one that its comment
 * names. All else is borrowed: text lives as long as the handle that it came
 * from, and for good when it came from none. What you pass in is copied, if it
 * is needed after the call, except for callbacks and their contexts.
 *
 * Misuse: NULL where something is needed, a handle of another kind, a number
 * past the end are found out. They are TFPROF_ERR_OPTION or, where the comment
 * says so, TFPROF_ERR_MISSING; a function without a status answers with 0 or
 * NULL, and one that gives nothing back does nothing. A handle that was freed
 * cannot be found out: neither use it nor free it again.
 *
 * Callbacks are called in the thread of the call that they serve, and only
 * until it returns. They must return, so no longjmp() and no C++ exception may
 * pass through the library. Of the profile that calls them they may use what
 * takes it as const, the functions that set callbacks, and
 * tfprof_profile_free(), which waits for the call to return; all else is
 * TFPROF_ERR_OPTION. Other profiles are free to be used.
 *
 * Threads: one profile, one thread at a time; a cancel callback is the way to
 * stop it from another. There is no global state, so two profiles can be used
 * in two threads. Views and advice never change and may be read by many.
 *
 * The process: the library never prints, never ends it, starts no threads, and
 * leaves locale, signals, directory, umask and environment alone. Files that
 * it opens are closed on exec() and when the call returns. errno is not kept.
 * After fork() the child may use what it has of profiles, views and advice.
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

/* The version of the library in use, "1.0.0"; TFPROF_VERSION in version.h is
 * that of the headers. Cannot fail. */
TFPROF_API const char *tfprof_version(void);

/* What this build of the library does without, "Snappy, jansson"; empty when
 * it has everything. Cannot fail. */
TFPROF_API const char *tfprof_version_lacks(void);

/* ---- Profile: all that is known about one model ------------------------- */

typedef struct tfprof_profile tfprof_profile;

/* Resizes `block` from `old_size` to `new_size` bytes: a block of NULL is
 * new, a new_size of 0 frees. Returns NULL when it cannot, and leaves the old
 * block as it was. Blocks are aligned as malloc() does it. May be called by
 * every function that takes the profile, a view or advice of it, and by what
 * was exported as Arrow: also in another thread, when these are freed there. */
typedef void *tfprof_resize_fn(void *context, void *block, size_t old_size,
                               size_t new_size);

/* An empty profile, or NULL when memory runs out. Release it with
 * tfprof_profile_free(). */
TFPROF_API tfprof_profile *tfprof_profile_new(void);

/* The same with an allocator of your own, which must outlive the profile and
 * all views and advice of it; NULL is that of the C library. All memory comes
 * from it and goes back to it, with these exceptions: what the C library takes
 * to list a directory, the machine code that PCRE2 makes of a regular
 * expression, and what jansson makes of a formula file. */
TFPROF_API tfprof_profile *tfprof_profile_new_with(tfprof_resize_fn *resize,
                                                   void *context);

/* Releases a profile. Its views and advice stay. NULL is allowed. */
TFPROF_API void tfprof_profile_free(tfprof_profile *profile);

/* Sets an option by its name in tfprof_option_at(), "max_memory" for one; "-"
 * and "_" are the same. Must come before the inputs it concerns: the limits
 * "max_memory", "max_input", "max_block" and "max_depth_nesting", "salvage",
 * "follow", "fold_transforms", "frames" and "verbose" are looked at when an
 * input is added, and all others when a question is asked. On failure
 * (TFPROF_ERR_OPTION, TFPROF_ERR_NOMEM) nothing has changed. */
TFPROF_API int tfprof_profile_set(tfprof_profile *profile, const char *name,
                                  const char *value, tfprof_error *err);

/* Writes the value of an option into `buffer`, as text that would set it
 * again; `select` is told as what it comes to with the inputs so far. Cut
 * when it does not fit, always ended by NUL. Returns the length needed
 * without it; 0 for an input and for what is no option. */
TFPROF_API size_t tfprof_profile_get(const tfprof_profile *profile,
                                     const char *name, char *buffer,
                                     size_t size);

/* Every option at its default. On failure nothing has changed. */
TFPROF_API int tfprof_profile_reset(tfprof_profile *profile, tfprof_error *err);

/* Remembers all options as they are now, instead of those remembered before.
 * On failure nothing has changed. */
TFPROF_API int tfprof_profile_keep_options(tfprof_profile *profile,
                                           tfprof_error *err);

/* Puts back what tfprof_profile_keep_options() remembered, and forgets it;
 * without that, nothing changes. Cannot fail. */
TFPROF_API void tfprof_profile_restore_options(tfprof_profile *profile);

/* ---- Inputs ------------------------------------------------------------- */

/* Adds a file, every file of a directory, or the checkpoint that a prefix
 * names; "-" is standard input. `role` is NULL, or what the file is given as:
 * "graph_path", "run_meta_path", "op_log_path", "checkpoint_path",
 * "profile_path". The values of a checkpoint are read when a view shows them,
 * so its files must stay till then.
 *
 * Whatever comes of it, the input is counted (tfprof_profile_input_count()),
 * unless the call was misuse. After a failure the profile may still take inputs
 * and tell about them, but questions are refused with the error of the input,
 * since figures would not be complete; the option `salvage` lifts that. */
TFPROF_API int tfprof_profile_add_path(tfprof_profile *profile,
                                       const char *path, const char *role,
                                       tfprof_error *err);

/* Adds a RunMetadata as the step of that number, 0 or more. Without this, each
 * gets the next number, from 0 on, that no step has. Fails as above. */
TFPROF_API int tfprof_profile_add_step(tfprof_profile *profile, int64_t step,
                                       const char *path, tfprof_error *err);

/* Adds bytes in memory under a name that stands for the path in messages.
 * `data` may go once the call returns; NULL is allowed for 0 bytes. Fails as
 * above. */
TFPROF_API int tfprof_profile_add_memory(tfprof_profile *profile,
                                         const char *name, const void *data,
                                         size_t size, const char *role,
                                         tfprof_error *err);

/* Adds a RunMetadata in memory as the step of that number. Fails as above. */
TFPROF_API int tfprof_profile_add_step_memory(tfprof_profile *profile,
                                              int64_t step, const char *name,
                                              const void *data, size_t size,
                                              tfprof_error *err);

/* Puts up to `size` bytes into `buffer`: how many, 0 at the end, or a
 * negative tfprof_code, which the add then returns. */
typedef ptrdiff_t tfprof_read_fn(void *context, void *buffer, size_t size);

/* Adds what a callback reads, under a name as above. Fails as above. */
TFPROF_API int tfprof_profile_add_callback(tfprof_profile *profile,
                                           const char *name,
                                           tfprof_read_fn *read, void *context,
                                           const char *role, tfprof_error *err);

/* Counts the float operations of every node to which no input gives any, as
 * the option `formulas` says (`auto` is `tensorflow`), and keeps them as if an
 * op log had given them: views, and a profile that is saved, have them from
 * there on. With `only_listed` not 0, the shapes that a graph lists by itself
 * ("_output_shapes") and those of runs are all that is known: then the graph
 * is one that TensorFlow has in memory, and counts what it counts there.
 * TFPROF_ERR_MISSING when there is no input to count in. Inputs that come later
 * may know more shapes, and it can be asked again then. On failure nothing was
 * kept. */
TFPROF_API int tfprof_profile_add_float_ops(tfprof_profile *profile,
                                            int only_listed, tfprof_error *err);

/* Called about once for each MiB read, and when a signal interrupts waiting
 * for more. `size` is -1 when it is not known. A result that is not 0 cancels:
 * the add returns TFPROF_ERR_CANCELLED. */
typedef int tfprof_progress_fn(void *context, const char *path,
                               int64_t bytes_read, int64_t size);

/* `progress` NULL takes it away. Cannot fail. */
TFPROF_API void tfprof_profile_on_progress(tfprof_profile *profile,
                                           tfprof_progress_fn *progress,
                                           void *context);

/* Every file that was added or tried. Cannot fail. */
TFPROF_API size_t tfprof_profile_input_count(const tfprof_profile *profile);

/* How an input fared: TFPROF_OK, or its error, copied to `err`. With the
 * option `salvage`, *is_partial (if not NULL) is 1 when the whole records
 * before the damage were kept. Without it, it is 2 for a damaged trace of a
 * directory: nothing of it was kept, and the other traces answer. With 0 the
 * profile refuses to answer. TFPROF_ERR_MISSING when there is no such input:
 * compare with tfprof_profile_input_count() first. */
TFPROF_API int tfprof_profile_input_status(const tfprof_profile *profile,
                                           size_t index, int *is_partial,
                                           tfprof_error *err);

/* Writes the path of an input into `buffer`, safe to print (as
 * tfprof_escape() does). Cut when it does not fit, always ended by NUL.
 * Returns the length needed without it; 0 when there is no such input. */
TFPROF_API size_t tfprof_profile_input_name(const tfprof_profile *profile,
                                            size_t index, char *buffer,
                                            size_t size);

/* Whether questions can be asked: fails as they would if an input was not read,
 * or is of a kind that answers none. tfprof_profile_write_info() works anyway.
 */
TFPROF_API int tfprof_profile_check(tfprof_profile *profile, tfprof_error *err);

/* ---- Output ------------------------------------------------------------- */

/* Takes all of `size` bytes, which live until it returns. A result that is not
 * 0 means that they could not be written: the call returns TFPROF_ERR_OUTPUT
 * and writes no more. */
typedef int tfprof_write_fn(void *context, const void *data, size_t size);

/* Tells about every input: kind, encoding, counts, what was ignored. The
 * option `format` says how: "text" or "json". */
TFPROF_API int tfprof_profile_write_info(tfprof_profile *profile,
                                         tfprof_write_fn *write, void *context,
                                         tfprof_error *err);

/* ---- Views -------------------------------------------------------------- */

/* The names of the views: "scope", "graph", "op", "code". NULL past the last
 * one. Cannot fail. */
TFPROF_API const char *tfprof_view_type(size_t index);

/* Makes a view of all that was added, as the options say. Release it with
 * tfprof_view_free(). Neither `output` nor `format` has any say. Errors are
 * those of tfprof_profile_write_view(), and *view is NULL then. */
TFPROF_API int tfprof_profile_view(tfprof_profile *profile, const char *type,
                                   tfprof_view **view, tfprof_error *err);

/* Makes a view of all that was added, as the options say, and sends it where
 * the option `output` says: to `write` for "stdout", to a file, or nowhere;
 * `write` may be NULL when it is not needed. The option `format` says how:
 * "text", "json", "csv", or "proto", which is the message that TensorFlow's
 * profiler returns. Files are written whole or not at all. TFPROF_ERR_MISSING
 * when the inputs cannot answer it, TFPROF_ERR_OUTPUT when the answer cannot be
 * written, TFPROF_ERR_LIMIT past a limit. The profile can be asked again,
 * whatever came back. */
TFPROF_API int tfprof_profile_write_view(tfprof_profile *profile,
                                         const char *view,
                                         tfprof_write_fn *write, void *context,
                                         tfprof_error *err);

/* Looks for what takes time and for what is known to be faster another way,
 * with the checkers that the option `checkers` names, and sends what they find
 * where `output` says. The option `format` says how: "text", "json" or
 * "proto". Errors are those of a view; TFPROF_ERR_MISSING when every checker
 * asked for needs run records and there are none. */
TFPROF_API int tfprof_profile_write_advice(tfprof_profile *profile,
                                           tfprof_write_fn *write,
                                           void *context, tfprof_error *err);

/* The same findings, one by one. Release them with tfprof_advice_free().
 * Neither `output` nor `format` has any say. On failure *advice is NULL. */
TFPROF_API int tfprof_profile_advise(tfprof_profile *profile,
                                     tfprof_advice **advice, tfprof_error *err);

/* Counts the parameters and the arithmetic of a model from its file alone, and
 * sends what comes of it where `output` says. The options of the groups "float
 * operations" and "model" say what is counted and what is told. Errors are
 * those of a view; TFPROF_ERR_MISSING when there is no graph. */
TFPROF_API int tfprof_profile_write_flops(tfprof_profile *profile,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* Puts the model and its runs on one screen: what was read, parameters, float
 * operations, steps, devices, peak memory, what is most expensive, the first
 * advice, and commands to go on with. The option `format` is "text" or "json".
 * `inputs` is what these commands are to be given, as a shell reads it; NULL:
 * nothing, as at the prompt. Errors are those of a view. */
TFPROF_API int tfprof_profile_write_summary(tfprof_profile *profile,
                                            const char *inputs,
                                            tfprof_write_fn *write,
                                            void *context, tfprof_error *err);

/* ---- Tables ------------------------------------------------------------- */

/* The names of the tables: "steps", "kernels", "memory", "devices". NULL past
 * the last one. Cannot fail. */
TFPROF_API const char *tfprof_table_type(size_t index);

/* Announces a table, or with "advise" advice, or with "summary" the summary,
 * before inputs are added, so that a trace is read once. Without this call the
 * first table reads the trace again, which is possible for files only. "info"
 * announces that no view will be asked for: of large traces the events stay
 * unread, unless the option `verbose` is set. TFPROF_ERR_OPTION when there is
 * no such table. */
TFPROF_API int tfprof_profile_expect(tfprof_profile *profile, const char *type,
                                     tfprof_error *err);

/* Makes a table of what was added, and sends it where the option `output` says.
 * The option `format` says how: "text", "json" or "csv". Errors are those of a
 * view; TFPROF_ERR_MISSING when no input has rows for it. */
TFPROF_API int tfprof_profile_write_table(tfprof_profile *profile,
                                          const char *type,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* The same as a copy that you keep (table.h). Release it with
 * tfprof_table_free(). `output` and `format` are ignored. On failure *table is
 * NULL. */
TFPROF_API int tfprof_profile_table(tfprof_profile *profile, const char *type,
                                    tfprof_table **table, tfprof_error *err);

/* The tools of xprof that tfprof_profile_write_xprof() knows:
 * "framework_op_stats", "hlo_stats", "kernel_stats", "memory_profile". NULL
 * past the last one. Cannot fail. */
TFPROF_API const char *tfprof_xprof_tool(size_t index);

/* Reads the trace at `path`, a file, "-" or a log directory with the trace of
 * one host, and sends what xprof's tool would answer, as JSON, where `output`
 * says; `format` has no say. docs/xprof.md has the columns. Nothing is added to
 * the profile, of which only options and callbacks are used. The message of a
 * failure names the file. TFPROF_ERR_OPTION when there is no such tool,
 * TFPROF_ERR_MISSING when there is not just one trace, else the errors of an
 * input and of a view. */
TFPROF_API int tfprof_profile_write_xprof(tfprof_profile *profile,
                                          const char *tool, const char *path,
                                          tfprof_write_fn *write, void *context,
                                          tfprof_error *err);

/* Writes all that was added as a ProfileProto, which can be added again and
 * which TensorFlow's own tfprof reads, into the file `path`, packed when its
 * name ends in ".gz". Errors are those of a view. */
TFPROF_API int tfprof_profile_save(tfprof_profile *profile, const char *path,
                                   tfprof_error *err);

/* The same to a callback. */
TFPROF_API int tfprof_profile_write_profile(tfprof_profile *profile,
                                            tfprof_write_fn *write,
                                            void *context, tfprof_error *err);

/* Asked often while an answer is made and written, so it must be quick. A
 * result that is not 0 cancels: the call returns TFPROF_ERR_CANCELLED and the
 * profile can be asked again. */
typedef int tfprof_cancel_fn(void *context);

/* `cancel` NULL takes it away. Cannot fail. */
TFPROF_API void tfprof_profile_on_cancel(tfprof_profile *profile,
                                         tfprof_cancel_fn *cancel,
                                         void *context);

/* Takes one line that a reader of the answer should know, without newline
 * and safe to print; it lives until the callback returns. */
typedef void tfprof_remark_fn(void *context, const char *remark);

/* How the remark begins that says why an answer is empty. */
#define TFPROF_REMARK_EMPTY "nothing is shown: "

/* Takes the path of a file that was written; it lives until the callback
 * returns. */
typedef void tfprof_file_fn(void *context, const char *path);

/* `written` NULL takes it away. Cannot fail. */
TFPROF_API void tfprof_profile_on_file(tfprof_profile *profile,
                                       tfprof_file_fn *written, void *context);

/* `remark` NULL takes it away. Cannot fail. */
TFPROF_API void tfprof_profile_on_remark(tfprof_profile *profile,
                                         tfprof_remark_fn *remark,
                                         void *context);

/* ---- Names -------------------------------------------------------------- */

/* Takes what a name may be continued to: `size` bytes, which stay until
 * inputs are added and need not end in NUL. A result that is not 0 ends the
 * walk. */
typedef int tfprof_name_fn(void *context, const char *name, size_t size);

/* Calls `name` with all that the names of nodes go on with after `prefix`, in
 * the order of their bytes: up to and with the next "/", or to their end. So
 * "" gives the first segments, and "unit_1/" those below "unit_1". The first
 * call sorts the names, which holds until inputs are added; it may fail with
 * TFPROF_ERR_NOMEM or TFPROF_ERR_LIMIT. */
TFPROF_API int tfprof_profile_complete_name(tfprof_profile *profile,
                                            const char *prefix,
                                            tfprof_name_fn *name, void *context,
                                            tfprof_error *err);

/* ---- Text --------------------------------------------------------------- */

/* Copies `text_size` bytes with control bytes, invalid UTF-8, bidirectional and
 * zero-width characters written as \xHH, so that it cannot steer a terminal.
 * Always ends in NUL; returns the length needed without it. */
TFPROF_API size_t tfprof_escape(const char *text, size_t text_size,
                                char *buffer, size_t size);

/* ---- Options ------------------------------------------------------------ */

/* All options there are, in the order in which help lists them. What comes
 * back is borrowed, for good; NULL past the last one. Cannot fail. */
TFPROF_API size_t tfprof_option_count(void);
TFPROF_API const tfprof_option *tfprof_option_at(size_t index);

/* The option of that name ("-" and "_" are the same), or NULL; *nearest, if
 * not NULL, is then the most similar one, or NULL. Borrowed, for good. Cannot
 * fail. */
TFPROF_API const tfprof_option *tfprof_option_find(
    const char *name, const tfprof_option **nearest);

#ifdef __cplusplus
}
#endif

#endif
