/*
 * runs.c - reads the runs of a comparison, one after the other.
 */
#include "api/runs.h"

#include "output/sink/file.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "api/remarks.h"
#include "base/memory.h"
#include "input/kind/input.h"
#include "input/path/runs.h"
#include "options/options.h"

/* ---- One run ------------------------------------------------------------ */

static void pass_remark(void *context, const char *remark)
{
    const tfp_run_reader *r = context;
    if (r->side)
        tfp_remark(r->profile, "%s: %s", r->side, remark);
    else
        tfp_remark(r->profile, "%s", remark);
}

/* What is held so far counts, too. */
static void limit_memory(tfp_run_reader *r, tfp_options *of_run)
{
    int64_t most = r->profile->options.max_memory;
    if (most > 0) {
        int64_t left = most - (int64_t)r->memory->held;
        of_run->max_memory = left > 0 ? left : 1;
        r->memory->limit = (size_t)most;
        return;
    }
    r->memory->limit = (size_t)TFP_MEMORY_BASE +
                       (size_t)TFP_MEMORY_PER_BYTE * (size_t)r->bytes_read;
}

/* Views of all metrics have many notes about those that an input lacks, so
 * notes of views are passed on only if they are asked for. */
static bool set_up(tfprof_profile *run, tfp_run_reader *r)
{
    const tfprof_profile *p = r->profile;
    tfp_options options;
    if (!tfp_options_copy(&p->options, &options)) {
        tfp_options_release(&options);
        return false;
    }
    tfp_options_release(&run->options);
    run->options = options;
    run->options.select = r->wanted;
    run->options.top = 0;
    run->options.sort = TFP_SORT_AUTO;
    run->options.order_by = TFP_ORDER_DEPTH; /* names align in any order */
    run->context.leaves_logs = true;         /* they have been listed */
    run->context.progress = p->context.progress;
    run->context.progress_self = p->context.progress_self;
    run->cancel = p->cancel;
    run->model.gathers = r->gathers;
    if (r->count == 0 && p->options.verbose)
        tfprof_profile_on_remark(run, pass_remark, r);
    limit_memory(r, &run->options);
    return true;
}

/* Input files that were skipped, since the others of their directory can
 * answer. */
static void remark_on_skipped(const tfprof_profile *run, tfp_run_reader *r)
{
    for (size_t i = 0; i < tfprof_profile_input_count(run); i++) {
        char name[TFP_REMARK_PATH / 2], remark[TFP_REMARK_PATH];
        tfprof_error why;
        int is_partial;
        if (tfprof_profile_input_status(run, i, &is_partial, &why) ==
                TFPROF_OK ||
            !is_partial)
            continue;
        tfp_profile_input_name(run, i, name, sizeof(name));
        snprintf(remark, sizeof(remark), "%s: %s: %s",
                 is_partial == 1 ? "partial" : "skipped", name, why.message);
        pass_remark(r, remark);
    }
}

/* Adds a path. If reading it fails, the entry of the input has the error, which
 * every result reports. */
static int add_path(tfprof_profile *run, const char *path, tfprof_error *err)
{
    size_t before = tfprof_profile_input_count(run);
    int status = tfprof_profile_add_path(run, path, NULL, err);
    return status == TFPROF_ERR_CANCELLED ||
                   tfprof_profile_input_count(run) == before
               ? status
               : TFPROF_OK;
}

/* Reads one run: the path `index`, and all that are not runs; SIZE_MAX: only
 * these. */
static int read_run(tfp_run_reader *r, tfprof_profile *run,
                    const tfp_run_paths *paths, size_t index, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < paths->count && status == TFPROF_OK; i++) {
        if (i == index || !paths->data[i].is_run)
            status = add_path(run, paths->data[i].path, err);
    }
    r->path = index < paths->count ? paths->data[index].path
                                   : paths->data[0].path;
    r->bytes_read += run->context.bytes_read;
    limit_memory(r, &run->options);
    if (status != TFPROF_OK)
        return status;
    remark_on_skipped(run, r);
    /* Not every metric needs an input, but a run without any is no run. */
    status = tfprof_profile_check(run, err);
    if (status != TFPROF_OK)
        return status;
    if (r->profile->options.output.kind == TFP_OUTPUT_FILE)
        status = tfp_file_check_target(r->profile->options.output.outfile,
                                       &run->model, &run->options.formula_file,
                                       err);
    return status == TFPROF_OK ? r->take(r->context, run, err) : status;
}

static int add_run(tfp_run_reader *r, const tfp_run_paths *paths, size_t index,
                   tfprof_error *err)
{
    const tfp_memory *allocator = &r->profile->memory;
    tfprof_profile *run = tfprof_profile_new_with(allocator->resize,
                                                  allocator->context);
    int status = run && set_up(run, r) ? TFPROF_OK : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = read_run(r, run, paths, index, err);
    tfprof_profile_free(run);
    r->count++;
    return status == TFPROF_OK && r->keep ? r->keep(r->context, err) : status;
}

/* ---- All runs ----------------------------------------------------------- */

int tfp_runs_read(tfp_run_reader *r, const char *const *paths, size_t count,
                  tfprof_error *err)
{
    tfp_run_paths found = { 0 };
    int status = TFPROF_OK;
    for (size_t i = 0; i < count && status == TFPROF_OK; i++)
        status = tfp_list_runs(r->memory, paths[i], &found, err);
    for (size_t i = 0; i < found.count && status == TFPROF_OK; i++) {
        if (found.data[i].is_run)
            status = add_run(r, &found, i, err);
    }
    if (status == TFPROF_OK && r->count == 0)
        status = add_run(r, &found, SIZE_MAX, err);
    tfp_run_paths_release(r->memory, &found);
    return status;
}

tfp_run_rule tfp_runs_rule(const tfp_options *options)
{
    return (tfp_run_rule){ .takes_minimum = options->of == TFP_OF_MINIMUM,
                           .skipped = options->skip_steps };
}

int tfp_runs_check_paths(const char *const *paths, size_t count,
                         const char *what, tfprof_error *err)
{
    if (!paths || count == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1, "%s has no inputs", what);
    for (size_t i = 0; i < count; i++) {
        if (!paths[i])
            return tfp_check_given(false, "a path", err);
    }
    return TFPROF_OK;
}
