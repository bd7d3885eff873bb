/*
 * check.c - the public functions about budgets and baselines.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/measure.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/runs.h"
#include "api/small_file.h"
#include "base/error.h"
#include "base/memory.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "compare/run.h"
#include "options/options.h"
#include "output/check/check.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"
#include "output/text/style.h"

typedef struct checking {
    tfprof_profile *profile;
    tfp_memory memory; /* of all that follows */
    tfp_budgets budgets;
    tfp_baseline baseline; /* that is read, or to be written */
    bool has_baseline;
    tfp_measuring measuring;
    tfp_checked *checked; /* by budget */
} checking;

/* ---- Files -------------------------------------------------------------- */

static int use_budgets(void *context, tfp_span bytes, const char *path,
                       tfprof_error *err)
{
    checking *c = context;
    return tfp_budgets_read(&c->budgets, &c->memory, bytes, path, err);
}

static int use_baseline(void *context, tfp_span bytes, const char *path,
                        tfprof_error *err)
{
    checking *c = context;
    return tfp_baseline_read(&c->baseline, &c->memory, bytes, path, err);
}

static int read_option(checking *c, const char *option, const tfp_words *paths,
                       size_t most, tfp_small_file_fn *use, tfprof_error *err)
{
    const tfp_output *output = &c->profile->options.output;
    int status;
    if (paths->count > 1)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s accepts only one file", option);
    if (output->kind == TFP_OUTPUT_FILE) {
        char what[64];
        snprintf(what, sizeof(what), "the file of --%s", option);
        status = tfp_file_check_others(output->outfile, paths, what, err);
        if (status != TFPROF_OK)
            return status;
    }
    return tfp_small_file_read(&c->memory, paths->data, most, use, c, err);
}

static int read_budgets(checking *c, tfprof_error *err)
{
    return read_option(c, "budgets", &c->profile->options.budgets,
                       TFP_BUDGET_FILE_MOST, use_budgets, err);
}

/* ---- What is measured --------------------------------------------------- */

/* Metrics of the complete model. */
static int add_totals(checking *c, const int *metrics, size_t count,
                      tfprof_error *err)
{
    c->budgets.memory = &c->memory;
    for (size_t i = 0; i < count; i++) {
        tfp_budget budget = { .metric = metrics[i] };
        if (!TFP_VEC_PUSH(&c->memory, &c->budgets.all, budget))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int measure(checking *c, const char *const *paths, size_t count,
                   tfprof_error *err)
{
    c->measuring.profile = c->profile;
    c->measuring.memory = &c->memory;
    c->measuring.budgets = &c->budgets;
    return tfp_measure(&c->measuring, paths, count, err);
}

/* ---- Checking ----------------------------------------------------------- */

/* The values of a run must mean the same on both sides. */
static int check_baseline(const checking *c, tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    if (c->baseline.takes_minimum == rule.takes_minimum &&
        c->baseline.skip_steps == rule.skipped)
        return TFPROF_OK;
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "the baseline was written with --of %s --skip_steps %lld "
                    "(use the same options)",
                    c->baseline.takes_minimum ? "min" : "median",
                    (long long)c->baseline.skip_steps);
}

static int read_files(checking *c, tfprof_error *err)
{
    const tfp_options *options = &c->profile->options;
    int status;
    if (options->budgets.count == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "check needs --budgets FILE (tfprof check --init "
                        "INPUT writes such a file)");
    status = read_budgets(c, err);
    if (status != TFPROF_OK || options->baseline.count == 0)
        return status;
    c->has_baseline = true;
    status = read_option(c, "baseline", &options->baseline,
                         TFP_BASELINE_FILE_MOST, use_baseline, err);
    return status == TFPROF_OK ? check_baseline(c, err) : status;
}

static int judge(checking *c, tfprof_error *err)
{
    size_t count = c->budgets.all.count;
    c->checked = tfp_memory_zarray(&c->memory, count + 1, sizeof(*c->checked));
    if (!c->checked)
        return tfp_fail_nomem(err);
    return tfp_check_budgets(&c->budgets, c->measuring.measured,
                             c->has_baseline ? &c->baseline : NULL,
                             &c->measuring.machine, &c->memory, c->checked,
                             err);
}

/* Programs that must give equal bytes every time set the variable. */
static int64_t now(void)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    return fixed && *fixed ? strtoll(fixed, NULL, 10) : (int64_t)time(NULL);
}

static int write_verdicts(const void *subject, tfp_sink *sink,
                          tfprof_error *err)
{
    return tfp_check_write(subject, sink, err);
}

static int send(checking *c,
                int (*writer)(const void *, tfp_sink *, tfprof_error *),
                const void *subject, tfprof_write_fn *write, void *context,
                tfprof_error *err)
{
    tfp_answer answer = { .write = writer,
                          .subject = subject,
                          .memory = &c->memory,
                          .cancel = &c->profile->cancel };
    return tfp_question_send(c->profile, &answer, write, context, err);
}

static tfprof_verdict verdict_of(const checking *c)
{
    bool is_open = false;
    for (size_t i = 0; i < c->budgets.all.count; i++) {
        if (c->checked[i].verdict == TFP_CHECK_BROKEN)
            return TFPROF_VERDICT_BROKEN;
        is_open |= c->checked[i].verdict == TFP_CHECK_NO_VERDICT;
    }
    return is_open ? TFPROF_VERDICT_NONE : TFPROF_VERDICT_OK;
}

typedef struct request {
    const char *const *paths;
    size_t count;
    tfprof_write_fn *write;
    void *context;
    tfprof_verdict *verdict;
} request;

static int check(checking *c, const request *r, tfprof_error *err)
{
    const tfp_options *options = &c->profile->options;
    tfp_check_answer answer = { .budgets_path = options->budgets.data,
                                .memory = &c->memory,
                                .now = now(),
                                .format = options->format,
                                .style = tfp_style_of(options) };
    int status = read_files(c, err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    if (status == TFPROF_OK)
        status = judge(c, err);
    if (status != TFPROF_OK)
        return status;
    answer.checked = c->checked;
    answer.count = c->budgets.all.count;
    answer.runs = c->measuring.runs;
    answer.baseline = c->has_baseline ? &c->baseline : NULL;
    *r->verdict = verdict_of(c);
    return send(c, write_verdicts, &answer, r->write, r->context, err);
}

/* ---- New budgets -------------------------------------------------------- */

static int write_budgets(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const checking *c = subject;
    return tfp_budgets_write(&c->budgets, c->measuring.measured, sink, err);
}

static int init(checking *c, const request *r, tfprof_error *err)
{
    static const int metrics[] = { TFP_COST_PARAMS, TFP_COST_FLOAT_OPS,
                                   TFP_BUDGET_MACS, TFP_BUDGET_NODES,
                                   TFP_COST_BYTES,  TFP_COST_PEAK_BYTES,
                                   TFP_COST_MICROS };
    int status = add_totals(c, metrics, sizeof(metrics) / sizeof(metrics[0]),
                            err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    for (size_t i = 0; i < c->budgets.all.count && status == TFPROF_OK; i++) {
        if (c->measuring.measured[i].is_partial &&
            !c->measuring.measured[i].no_value)
            tfp_remark(c->profile,
                       "no budget is written for %s: some operations have no "
                       "count (tfprof flops --uncounted lists them)",
                       tfp_budget_metric_name(c->budgets.all.data[i].metric));
    }
    *r->verdict = TFPROF_VERDICT_OK;
    return status == TFPROF_OK
               ? send(c, write_budgets, c, r->write, r->context, err)
               : status;
}

/* ---- Baselines ---------------------------------------------------------- */

static int write_baseline(const void *subject, tfp_sink *sink,
                          tfprof_error *err)
{
    return tfp_baseline_write(subject, sink, err);
}

static bool add_row(checking *c, size_t budget)
{
    const tfp_budget *from = &c->budgets.all.data[budget];
    const tfp_measured *measured = &c->measuring.measured[budget];
    tfp_baseline_row *row;
    if (measured->no_value || tfp_baseline_find(&c->baseline, from))
        return true;
    row = tfp_baseline_add(&c->baseline, from->rows, from->pattern,
                           from->metric);
    if (!row)
        return false;
    row->values = tfp_memory_array(&c->memory, measured->runs + 1,
                                   sizeof(*row->values));
    if (!row->values)
        return false;
    memcpy(row->values, measured->values,
           measured->runs * sizeof(*row->values));
    row->count = measured->runs;
    row->is_partial = measured->is_partial;
    return true;
}

static int fill_baseline(checking *c, tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    c->baseline.memory = &c->memory;
    c->baseline.machine = c->measuring.machine;
    c->baseline.takes_minimum = rule.takes_minimum;
    c->baseline.skip_steps = rule.skipped;
    c->baseline.runs = c->measuring.runs;
    for (size_t i = 0; i < c->budgets.all.count; i++) {
        if (!add_row(c, i))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int record(checking *c, const request *r, tfprof_error *err)
{
    int metrics[TFP_BUDGET_METRICS];
    int status = TFPROF_OK;
    for (int i = 0; i < TFP_BUDGET_METRICS; i++)
        metrics[i] = i;
    if (c->profile->options.budgets.count > 0)
        status = read_budgets(c, err);
    if (status == TFPROF_OK)
        status = add_totals(c, metrics, TFP_BUDGET_METRICS, err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    if (status == TFPROF_OK)
        status = fill_baseline(c, err);
    return status == TFPROF_OK ? send(c, write_baseline, &c->baseline, r->write,
                                      r->context, err)
                               : status;
}

/* ---- Public functions --------------------------------------------------- */

static int run(tfprof_profile *p,
               int (*answer)(checking *, const request *, tfprof_error *),
               const request *r, tfprof_error *err)
{
    checking c = { .profile = p };
    int status;
    tfp_memory_init(&c.memory, p->memory.resize, p->memory.context);
    status = answer(&c, r, err);
    if (status == TFPROF_ERR_NOMEM && c.memory.limit_reached)
        status = tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                          "the check needs more memory than allowed (see "
                          "--max_memory)");
    tfp_memory_free(&c.memory, c.checked);
    tfp_measuring_release(&c.measuring);
    if (c.baseline.memory)
        tfp_baseline_release(&c.baseline);
    if (c.budgets.memory)
        tfp_budgets_release(&c.budgets);
    return status;
}

static int check_request(const tfprof_profile *p, const request *r,
                         const char *refusal, tfprof_error *err)
{
    if (p->options.output.kind == TFP_OUTPUT_STDOUT && !r->write)
        return tfp_check_given(false, "the write function", err);
    return tfp_question_check_output(p, refusal, err);
}

static int check_format(const tfprof_profile *p, tfprof_error *err)
{
    return p->options.format == TFP_FORMAT_CSV ||
                   p->options.format == TFP_FORMAT_PROTO
               ? tfp_fail(err, TFPROF_ERR_OPTION, -1,
                          "check supports --format text, json, markdown, "
                          "github, junit and sarif, not csv or proto")
               : TFPROF_OK;
}

int tfprof_profile_write_check(tfprof_profile *p, const char *const *paths,
                               size_t count, tfprof_write_fn *write,
                               void *context, tfprof_verdict *verdict,
                               tfprof_error *err)
{
    request r = { paths, count, write, context, verdict };
    int status = tfp_runs_check_paths(paths, count, "the check", err);
    if (status == TFPROF_OK)
        status = tfp_check_given(verdict != NULL, "the verdict", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = check_format(p, err);
    if (status == TFPROF_OK)
        status = check_request(
            p, &r,
            "--output: check supports stdout, none and file:outfile=FILE", err);
    if (status == TFPROF_OK)
        status = run(p, p->options.init ? init : check, &r, err);
    return tfp_profile_leave(p, status);
}

int tfprof_profile_write_baseline(tfprof_profile *p, const char *const *paths,
                                  size_t count, tfprof_write_fn *write,
                                  void *context, tfprof_error *err)
{
    request r = { paths, count, write, context, NULL };
    int status = tfp_runs_check_paths(paths, count, "the baseline", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = check_request(
        p, &r, "--output: baseline supports stdout, none and file:outfile=FILE",
        err);
    if (status == TFPROF_OK)
        status = run(p, record, &r, err);
    return tfp_profile_leave(p, status);
}
