/*
 * check.c - the public functions about budgets and baselines.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/measure.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/runs.h"
#include "api/small_file.h"
#include "base/error.h"
#include "base/escape.h"
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
    size_t asked;          /* budgets that are answered; those behind them are
                            * only measured */
    tfp_baseline baseline; /* that is read, or to be written */
    bool has_baseline;
    tfp_measuring measuring, base; /* the inputs; the runs of the baseline */
    tfp_checked *checked;          /* by budget */
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
    if (c->profile->options.budgets.count > 1)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--budgets accepts only one file");
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

/* A mistake in how the runs are named must not look like a good result. */
static int check_runs(const checking *c, tfprof_error *err)
{
    int64_t wanted = c->profile->options.runs;
    size_t found = c->measuring.runs;
    tfp_name_list list = { .room = sizeof(list.text) };
    if (wanted == 0 || (size_t)wanted == found)
        return TFPROF_OK;
    for (size_t i = 0; i < found; i++)
        tfp_name_list_add(&list,
                          tfp_span_of(tfp_measured_run(&c->measuring, i)));
    tfp_name_list_end(&list);
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "--runs %lld: the inputs have %zu runs (%s)",
                    (long long)wanted, found, list.text);
}

static int measure(checking *c, const char *const *paths, size_t count,
                   tfprof_error *err)
{
    int status;
    c->measuring.profile = c->profile;
    c->measuring.memory = &c->memory;
    c->measuring.budgets = &c->budgets;
    status = tfp_measure(&c->measuring, paths, count, err);
    return status == TFPROF_OK ? check_runs(c, err) : status;
}

enum { LABEL = 240 };

/* What a remark calls a budget. */
static void put_label(const tfp_budget *budget, char label[LABEL])
{
    enum { SHOWN = 100 };
    if (budget->name)
        tfp_escape_short(tfp_span_of(budget->name), label, LABEL);
    else if (budget->pattern)
        snprintf(label, LABEL, "%s %s: %s", tfp_budget_rows_names[budget->rows],
                 tfp_shorten(tfp_span_of(budget->pattern), SHOWN).text,
                 tfp_budget_metric_name(budget->metric));
    else
        snprintf(label, LABEL, "%s", tfp_budget_metric_name(budget->metric));
}

/* What a baseline lacks is not judged later, so it is said now. `asked` budgets
 * were asked for; others may have no value at all. */
static void remark_on_values(const checking *c, const tfp_measuring *m,
                             size_t asked)
{
    for (size_t i = 0; i < c->budgets.all.count; i++) {
        const tfp_measured *measured = &m->measured[i];
        char label[LABEL];
        if (!measured->no_value || (measured->runs == 0 && i >= asked))
            continue;
        put_label(&c->budgets.all.data[i], label);
        if (measured->runs == 0)
            tfp_remark(c->profile, "the baseline has no value for %s: %s",
                       label, measured->no_value);
        else
            tfp_remark(c->profile,
                       "the baseline has the value of %zu of %zu runs for %s, "
                       "not of %s: %s",
                       measured->runs, measured->all_runs, label,
                       measured->without, measured->no_value);
    }
}

/* ---- Measured baselines ------------------------------------------------- */

static bool add_row(checking *c, const tfp_measuring *m, size_t budget)
{
    const tfp_budget *from = &c->budgets.all.data[budget];
    const tfp_measured *measured = &m->measured[budget];
    tfp_baseline_row *row;
    if (measured->runs == 0 || tfp_baseline_find(&c->baseline, from))
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
    row->by_run = measured->by_run;
    row->is_partial = measured->is_partial;
    return true;
}

static int fill_baseline(checking *c, const tfp_measuring *m, tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    c->baseline.memory = &c->memory;
    c->baseline.machine = m->machine;
    c->baseline.takes_minimum = rule.takes_minimum;
    c->baseline.skip_steps = rule.skipped;
    c->baseline.runs = m->runs;
    c->baseline.names = m->names.data;
    for (size_t i = 0; i < c->budgets.all.count; i++) {
        if (!add_row(c, m, i))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
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

/* Run records and traces are not text, which JSON is. */
static bool is_binary(const char *path)
{
    enum { LOOKED_AT = 512 };
    uint8_t head[LOOKED_AT];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t size = fd < 0 ? 0 : read(fd, head, sizeof(head));
    bool found = false;
    for (ssize_t i = 0; i < size; i++)
        found |= head[i] < '\t';
    if (fd >= 0)
        close(fd);
    return found;
}

/* Is the baseline made of runs, instead of a file with values? */
static bool is_of_runs(const tfp_words *baseline)
{
    struct stat about;
    if (baseline->count != 1)
        return baseline->count > 1;
    return stat(baseline->data, &about) == 0 &&
           (S_ISDIR(about.st_mode) ||
            (S_ISREG(about.st_mode) && is_binary(baseline->data)));
}

static int read_baseline(checking *c, tfprof_error *err)
{
    const tfp_words *baseline = &c->profile->options.baseline;
    int status;
    if (baseline->count == 0)
        return TFPROF_OK;
    c->has_baseline = true;
    if (is_of_runs(baseline))
        return TFPROF_OK;
    status = read_option(c, "baseline", baseline, TFP_BASELINE_FILE_MOST,
                         use_baseline, err);
    return status == TFPROF_OK ? check_baseline(c, err) : status;
}

/* ---- Budgets of the wall time ------------------------------------------- */

static const tfp_limit usual_limit = { TFP_LIMIT_PERCENT, 10 };

static bool has_row(const checking *c, int metric)
{
    return tfp_baseline_find(&c->baseline, &(tfp_budget){ .metric = metric });
}

/* Without budgets, the wall time of a step may grow by so much. Baselines of
 * earlier versions have only the time of operations. */
static int add_usual(checking *c, tfprof_error *err)
{
    int metrics[] = { TFP_BUDGET_WALL, TFP_COST_MICROS };
    bool is_old = c->baseline.rows.count > 0 && !has_row(c, TFP_BUDGET_WALL) &&
                  has_row(c, TFP_COST_MICROS);
    int status = add_totals(c, metrics, is_old ? 2 : 1, err);
    for (size_t i = 0; i < c->budgets.all.count && status == TFPROF_OK; i++)
        c->budgets.all.data[i].max = usual_limit;
    if (status == TFPROF_OK)
        tfp_remark(c->profile,
                   "no --budgets: the wall time of a step may grow by 10 %%");
    return status;
}

/* What a longer step is made of is measured with it. */
static int add_parts(checking *c, tfprof_error *err)
{
    int metrics[TFP_STEP_METRIC_COUNT];
    c->asked = c->budgets.all.count;
    for (size_t i = 0; i < c->asked; i++) {
        if (c->budgets.all.data[i].metric != TFP_BUDGET_WALL)
            continue;
        for (int k = 0; k < TFP_STEP_METRIC_COUNT; k++)
            metrics[k] = TFP_BUDGET_STEPS + k;
        return add_totals(c, metrics, TFP_STEP_METRIC_COUNT, err);
    }
    return TFPROF_OK;
}

static int check_options(const tfp_options *options, tfprof_error *err)
{
    if (options->require_verdict && options->allow_no_verdict)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--require_verdict and --allow_no_verdict contradict "
                        "each other");
    if (options->budgets.count == 0 && options->baseline.count == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "check needs --budgets FILE (tfprof check --init "
                        "INPUT writes such a file) or --baseline");
    return TFPROF_OK;
}

static int read_files(checking *c, tfprof_error *err)
{
    const tfp_options *options = &c->profile->options;
    int status = check_options(options, err);
    if (status == TFPROF_OK && options->budgets.count > 0)
        status = read_budgets(c, err);
    if (status == TFPROF_OK)
        status = read_baseline(c, err);
    if (status == TFPROF_OK && options->budgets.count == 0)
        status = add_usual(c, err);
    return status == TFPROF_OK ? add_parts(c, err) : status;
}

/* The machine that times must come from, or NULL. */
static const tfp_machine *compared_machine(const checking *c)
{
    const tfp_machine *here = &c->measuring.machine;
    const char *difference = c->has_baseline ? tfp_machine_difference(
                                                   &c->baseline.machine, here)
                                             : NULL;
    if (!difference || !c->profile->options.across_versions)
        return here;
    tfp_remark(c->profile,
               "the baseline is from another machine: different %s; times are "
               "compared because of --across_versions",
               difference);
    return NULL;
}

static int judge(checking *c, tfprof_error *err)
{
    size_t count = c->budgets.all.count;
    c->checked = tfp_memory_zarray(&c->memory, count + 1, sizeof(*c->checked));
    if (!c->checked)
        return tfp_fail_nomem(err);
    return tfp_check_budgets(&c->budgets, c->measuring.measured,
                             c->has_baseline ? &c->baseline : NULL,
                             compared_machine(c), &c->memory, c->checked, err);
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
    tfprof_verdict verdict = TFPROF_VERDICT_OK;
    for (size_t i = 0; i < c->asked; i++) {
        if (c->checked[i].verdict == TFP_CHECK_BROKEN)
            return TFPROF_VERDICT_BROKEN;
        if (c->checked[i].verdict != TFP_CHECK_NO_VERDICT)
            continue;
        if (!c->checked[i].is_noise)
            verdict = TFPROF_VERDICT_NONE;
        else if (verdict == TFPROF_VERDICT_OK)
            verdict = TFPROF_VERDICT_NOISE;
    }
    return verdict;
}

typedef struct request {
    const char *const *paths;
    size_t count;
    tfprof_write_fn *write;
    void *context;
    tfprof_verdict *verdict;
} request;

/* Measures the runs that the option `baseline` names. */
static int measure_base(checking *c, tfprof_error *err)
{
    const tfp_words *words = &c->profile->options.baseline;
    const char **paths;
    const char *at = words->data;
    int status;
    if (!c->has_baseline || !is_of_runs(words))
        return TFPROF_OK;
    paths = tfp_memory_array(&c->memory, words->count, sizeof(*paths));
    if (!paths)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < words->count; i++, at += strlen(at) + 1)
        paths[i] = at;
    c->base = (tfp_measuring){ .profile = c->profile,
                               .memory = &c->memory,
                               .budgets = &c->budgets,
                               .side = "base",
                               .bytes_read = c->measuring.bytes_read };
    status = tfp_measure(&c->base, paths, words->count, err);
    tfp_memory_free(&c->memory, paths);
    if (status == TFPROF_OK)
        remark_on_values(c, &c->base, 0);
    return status == TFPROF_OK ? fill_baseline(c, &c->base, err) : status;
}

static const char *path_of_limits(const tfp_options *options)
{
    return options->budgets.count > 0 ? options->budgets.data
                                      : options->baseline.data;
}

static int check(checking *c, const request *r, tfprof_error *err)
{
    const tfp_options *options = &c->profile->options;
    tfp_check_answer answer = { .budgets_path = path_of_limits(options),
                                .allows_no_verdict = options->allow_no_verdict,
                                .requires_verdict = options->require_verdict,
                                .memory = &c->memory,
                                .now = now(),
                                .format = options->format,
                                .style = tfp_style_of(options) };
    int status = read_files(c, err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    if (status == TFPROF_OK)
        status = measure_base(c, err);
    if (status == TFPROF_OK)
        status = judge(c, err);
    if (status != TFPROF_OK)
        return status;
    answer.checked = c->checked;
    answer.count = c->asked;
    answer.runs = c->measuring.runs;
    answer.run_names = c->measuring.names.data;
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
                                   TFP_BUDGET_WALL, TFP_COST_MICROS };
    int status = add_totals(c, metrics, sizeof(metrics) / sizeof(metrics[0]),
                            err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    for (size_t i = 0; i < c->budgets.all.count && status == TFPROF_OK; i++) {
        if (c->measuring.measured[i].is_partial &&
            c->measuring.measured[i].runs > 0)
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

static int record(checking *c, const request *r, tfprof_error *err)
{
    int metrics[TFP_BUDGET_METRICS];
    size_t asked;
    int status = TFPROF_OK;
    for (int i = 0; i < TFP_BUDGET_METRICS; i++)
        metrics[i] = i;
    if (c->profile->options.budgets.count > 0)
        status = read_budgets(c, err);
    asked = c->budgets.all.count;
    if (status == TFPROF_OK)
        status = add_totals(c, metrics, TFP_BUDGET_METRICS, err);
    if (status == TFPROF_OK)
        status = measure(c, r->paths, r->count, err);
    if (status == TFPROF_OK)
        status = fill_baseline(c, &c->measuring, err);
    if (status == TFPROF_OK)
        remark_on_values(c, &c->measuring, asked);
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
    tfp_measuring_release(&c.base);
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
