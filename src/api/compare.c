/*
 * compare.c - the public functions about comparisons.
 *
 * Runs are read one after the other (api/runs.h); of each only a snapshot is
 * kept.
 */
#include <stdint.h>

#include "api/compared.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/runs.h"
#include "api/view.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "compare/align.h"
#include "compare/changes.h"
#include "compare/judge.h"
#include "compare/run.h"
#include "compare/side.h"
#include "compare/snapshot.h"
#include "input/kind/input.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/compare/compare.h"
#include "output/sink/answer.h"
#include "output/text/style.h"
#include "view/view.h"

typedef struct comparing {
    tfprof_profile *profile;     /* options, callbacks and the destination */
    const char *const *paths[2]; /* of base and head */
    size_t counts[2];
    const tfp_view_type *type;
    tfp_memory memory; /* of all that follows */
    tfp_interner texts;
    uint32_t wanted;    /* costs, a bit each */
    int64_t macs[2];    /* of the first run of each side, or -1 */
    int64_t bytes_read; /* of all inputs, as the rule of memory counts them */
    tfp_compare_side base, head;
    tfp_alignment alignment;
    tfp_changes changes;
    tfp_judged_total totals[TFP_COST_COUNT];
    size_t total_count;
} comparing;

/* ---- Runs --------------------------------------------------------------- */

/* The run that is read. */
typedef struct side_reader {
    comparing *comparing;
    int which; /* 0: base, 1: head */
    tfp_compare_side *side;
    tfp_snapshot snapshot;
    size_t steps;
} side_reader;

static int take_view(void *context, const tfp_view *view, tfprof_error *err)
{
    side_reader *r = context;
    comparing *c = r->comparing;
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    int status = tfp_snapshot_init(&r->snapshot, view, c->wanted, &c->texts,
                                   &c->memory, err);
    return status == TFPROF_OK ? tfp_run_take(&r->snapshot, view, &rule, NULL,
                                              0, &r->steps, err)
                               : status;
}

static int take_run(void *context, tfprof_profile *run, tfprof_error *err)
{
    side_reader *r = context;
    comparing *c = r->comparing;
    int status = tfp_profile_take_view(run, c->type, take_view, r, err);
    if (status == TFPROF_OK && r->side->runs == 0)
        c->macs[r->which] = run->macs;
    return status;
}

static int keep_run(void *context, tfprof_error *err)
{
    side_reader *r = context;
    return tfp_side_add(r->side, &r->snapshot, r->steps,
                        &r->comparing->profile->cancel, err);
}

static int read_side(comparing *c, tfp_compare_side *side, const char *name,
                     int which, tfprof_error *err)
{
    side_reader r = { .comparing = c, .which = which, .side = side };
    tfp_run_reader runs = { .profile = c->profile,
                            .memory = &c->memory,
                            .wanted = c->wanted,
                            .side = name,
                            .bytes_read = c->bytes_read,
                            .take = take_run,
                            .keep = keep_run,
                            .context = &r };
    int status = tfp_runs_read(&runs, c->paths[which], c->counts[which], err);
    c->bytes_read = runs.bytes_read;
    tfp_snapshot_release(&r.snapshot);
    return status == TFPROF_OK ? tfp_side_finish(side, &c->profile->cancel, err)
                               : status;
}

/* Costs that are compared unless some are selected: all but the parts of
 * times, which times include, and the time in a queue. */
static uint32_t wanted_costs(const tfp_options *options)
{
    uint32_t all = (1u << TFP_COST_COUNT) - 1;
    if (options->select != TFP_SELECT_AUTO)
        return (uint32_t)options->select & all;
    return all & ~(1u << TFP_COST_ACCELERATOR_MICROS |
                   1u << TFP_COST_CPU_MICROS | 1u << TFP_COST_QUEUE_MICROS);
}

/* ---- Comparing ---------------------------------------------------------- */

/* Are the float operations of only one side those of an op log? A log and the
 * formulas count by different rules. */
static bool mixes_sources(const comparing *c)
{
    return (c->macs[0] < 0) != (c->macs[1] < 0) &&
           c->base.first_totals[TFP_COST_FLOAT_OPS] > 0 &&
           c->head.first_totals[TFP_COST_FLOAT_OPS] > 0;
}

/* Costs that both sides have, from the same kind of source. */
static uint32_t compared_costs(const comparing *c)
{
    uint32_t costs = c->wanted;
    uint32_t records = tfp_metrics_with(TFP_METRIC_OF_RECORDS) |
                       1u << TFP_COST_RUNS;
    bool has_records = c->base.most_steps > 0 && c->head.most_steps > 0;
    if (!has_records && (c->base.most_steps > 0 || c->head.most_steps > 0))
        tfp_remark(c->profile,
                   "times and memory are not compared: the %s has no run "
                   "records",
                   c->base.most_steps > 0 ? "head" : "base");
    if (!has_records)
        costs &= ~records;
    if (costs & 1u << TFP_COST_FLOAT_OPS && mixes_sources(c)) {
        tfp_remark(c->profile,
                   "float operations are not compared: only the %s has those "
                   "of an op log",
                   c->macs[0] < 0 ? "base" : "head");
        costs &= ~(1u << TFP_COST_FLOAT_OPS);
    }
    return costs;
}

/* Judges the totals of all times together. */
static int judge(comparing *c, uint32_t compared, tfprof_error *err)
{
    size_t runs = c->base.runs + c->head.runs, count = 0;
    double *values = tfp_memory_array(&c->memory, runs * TFP_COST_COUNT + 1,
                                      sizeof(*values));
    tfp_judge_test tests[TFP_COST_COUNT];
    tfp_judgement found[TFP_COST_COUNT];
    int status = values ? TFPROF_OK : tfp_fail_nomem(err);
    for (int cost = 0; cost < TFP_COST_COUNT && status == TFPROF_OK; cost++) {
        double *of_cost = values + (size_t)cost * runs;
        if (!(compared & TFP_COMPARED_TIMES & 1u << cost))
            continue;
        tfp_side_totals(&c->base, (tfp_cost)cost, of_cost);
        tfp_side_totals(&c->head, (tfp_cost)cost, of_cost + c->base.runs);
        c->totals[count].cost = (tfp_cost)cost;
        tests[count++] = (tfp_judge_test){ of_cost, of_cost + c->base.runs,
                                           c->base.runs, c->head.runs };
    }
    if (status == TFPROF_OK)
        status = tfp_judge(&tfp_judge_diff, tests, count, &c->memory, found,
                           err);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++)
        c->totals[i].judgement = found[i];
    c->total_count = status == TFPROF_OK ? count : 0;
    tfp_memory_free(&c->memory, values);
    return status;
}

/* Logged float operations come without these, so one side may not have them. */
static bool add_macs(comparing *c)
{
    return c->macs[0] < 0 || c->macs[1] < 0 ||
           tfp_changes_add_total(&c->changes, TFP_CHANGE_MACS, c->macs[0],
                                 c->macs[1]);
}

static int compare(comparing *c, tfprof_error *err)
{
    const tfp_cancel *cancel = &c->profile->cancel;
    uint32_t compared = compared_costs(c);
    int status = tfp_align(&c->alignment, &c->base.rows, &c->head.rows, true,
                           &c->memory, cancel, err);
    if (status == TFPROF_OK)
        status = tfp_changes_find(&c->changes, &c->base, &c->head,
                                  &c->alignment, compared, &c->memory, cancel,
                                  err);
    if (status == TFPROF_OK && !add_macs(c))
        status = tfp_fail_nomem(err);
    return status == TFPROF_OK ? judge(c, compared, err) : status;
}

/* ---- The answer --------------------------------------------------------- */

static int write_comparison(const void *subject, tfp_sink *sink,
                            tfprof_error *err)
{
    return tfp_comparison_write(subject, sink, err);
}

static int send(comparing *c, tfprof_write_fn *write, void *context,
                tfprof_error *err)
{
    enum { USUALLY = 20 };
    const tfp_options *options = &c->profile->options;
    tfp_comparison subject = { .base = &c->base,
                               .head = &c->head,
                               .alignment = &c->alignment,
                               .changes = &c->changes,
                               .totals = c->totals,
                               .total_count = c->total_count,
                               .memory = &c->memory,
                               .format = options->format,
                               .top = options->top < 0 ? USUALLY : options->top,
                               .style = tfp_style_of(options) };
    tfp_answer answer = { .write = write_comparison,
                          .subject = &subject,
                          .memory = &c->memory,
                          .cancel = &c->profile->cancel };
    return tfp_question_send(c->profile, &answer, write, context, err);
}

static int check_request(const tfprof_profile *p, tfprof_write_fn *write,
                         tfprof_error *err)
{
    if (p->options.format != TFP_FORMAT_MARKDOWN) {
        int status = tfp_question_check_format(p, err);
        if (status != TFPROF_OK)
            return status;
    }
    if (p->options.format == TFP_FORMAT_PROTO)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "diff supports --format text, json, csv and markdown, not proto");
    if (p->options.output.kind == TFP_OUTPUT_STDOUT && !write)
        return tfp_check_given(false, "the write function", err);
    return tfp_question_check_output(
        p, "--output: diff supports stdout, none and file:outfile=FILE", err);
}

static int diff(comparing *c, tfprof_write_fn *write, void *context,
                tfprof_error *err)
{
    int status = tfp_interner_init(&c->texts, &c->memory, 1, tfp_random_seed())
                     ? TFPROF_OK
                     : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = read_side(c, &c->base, "base", 0, err);
    if (status == TFPROF_OK)
        status = read_side(c, &c->head, "head", 1, err);
    if (status == TFPROF_OK)
        status = compare(c, err);
    return status == TFPROF_OK ? send(c, write, context, err) : status;
}

static void release(comparing *c)
{
    tfp_changes_release(&c->changes);
    tfp_alignment_release(&c->alignment);
    tfp_side_release(&c->base);
    tfp_side_release(&c->head);
    tfp_interner_release(&c->texts);
}

static int run_diff(comparing *c, tfprof_write_fn *write, void *context,
                    tfprof_error *err)
{
    const tfp_memory *allocator = &c->profile->memory;
    int status;
    tfp_memory_init(&c->memory, allocator->resize, allocator->context);
    tfp_side_init(&c->base, &c->memory);
    tfp_side_init(&c->head, &c->memory);
    c->wanted = wanted_costs(&c->profile->options);
    status = diff(c, write, context, err);
    if (status == TFPROF_ERR_NOMEM && c->memory.limit_reached)
        status = tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                          "the comparison needs more memory than allowed (see "
                          "--max_memory)");
    release(c);
    return status;
}

int tfprof_profile_write_diff(tfprof_profile *p, const char *view,
                              const char *const *base, size_t base_count,
                              const char *const *head, size_t head_count,
                              tfprof_write_fn *write, void *context,
                              tfprof_error *err)
{
    comparing c = { .profile = p,
                    .paths = { base, head },
                    .counts = { base_count, head_count } };
    int status = tfp_profile_find_view(view ? view : "scope", &c.type, err);
    if (status == TFPROF_OK)
        status = tfp_runs_check_paths(base, base_count, "the base", err);
    if (status == TFPROF_OK)
        status = tfp_runs_check_paths(head, head_count, "the head", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = check_request(p, write, err);
    if (status == TFPROF_OK)
        status = run_diff(&c, write, context, err);
    return tfp_profile_leave(p, status);
}

/* ---- For a report ------------------------------------------------------- */

struct tfp_compared {
    comparing comparing;
    uint32_t costs; /* that both sides have */
    bool is_aligned;
};

static int read_base(comparing *c, tfprof_error *err)
{
    if (!tfp_interner_init(&c->texts, &c->memory, 1, tfp_random_seed()))
        return tfp_fail_nomem(err);
    return read_side(c, &c->base, "base", 0, err);
}

int tfp_compared_new(tfp_compared **compared, tfprof_profile *p,
                     const char *const *base, size_t count, uint32_t costs,
                     tfprof_error *err)
{
    const tfp_memory *allocator = &p->memory;
    tfp_compared *made;
    int status = tfp_runs_check_paths(base, count, "the base", err);
    *compared = NULL;
    if (status != TFPROF_OK)
        return status;
    made = tfp_memory_zalloc(&p->memory, sizeof(*made));
    if (!made)
        return tfp_fail_nomem(err);
    made->comparing = (comparing){ .profile = p,
                                   .type = &tfp_scope_view,
                                   .paths = { base },
                                   .counts = { count },
                                   .wanted = costs };
    tfp_memory_init(&made->comparing.memory, allocator->resize,
                    allocator->context);
    tfp_side_init(&made->comparing.base, &made->comparing.memory);
    tfp_side_init(&made->comparing.head, &made->comparing.memory);
    status = read_base(&made->comparing, err);
    if (status == TFPROF_OK)
        *compared = made;
    else
        tfp_compared_free(made);
    return status;
}

void tfp_compared_free(tfp_compared *compared)
{
    tfp_memory *memory;
    if (!compared)
        return;
    memory = &compared->comparing.profile->memory;
    release(&compared->comparing);
    tfp_memory_free(memory, compared);
}

/* The profile as one run. */
static int add_head(comparing *c, const tfp_view *view, tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    tfp_snapshot snapshot = { 0 };
    size_t steps = 0;
    int status = tfp_snapshot_init(&snapshot, view, c->wanted, &c->texts,
                                   &c->memory, err);
    if (status == TFPROF_OK)
        status = tfp_run_take(&snapshot, view, &rule, NULL, 0, &steps, err);
    if (status == TFPROF_OK)
        status = tfp_side_add(&c->head, &snapshot, steps, view->cancel, err);
    tfp_snapshot_release(&snapshot);
    return status == TFPROF_OK ? tfp_side_finish(&c->head, view->cancel, err)
                               : status;
}

/* A report that is too large is made again; notes are made once. */
static void choose_costs(tfp_compared *compared)
{
    if (!compared->is_aligned)
        compared->costs = compared_costs(&compared->comparing);
    compared->is_aligned = true;
}

int tfp_compared_align(tfp_compared *compared, const tfp_view *view,
                       const tfp_alignment **alignment, uint32_t *costs,
                       tfprof_error *err)
{
    comparing *c = &compared->comparing;
    int status;
    tfp_alignment_release(&c->alignment);
    c->alignment = (tfp_alignment){ 0 };
    tfp_side_release(&c->head);
    tfp_side_init(&c->head, &c->memory);
    status = add_head(c, view, err);
    if (status == TFPROF_OK)
        status = tfp_align(&c->alignment, &c->base.rows, &c->head.rows, true,
                           &c->memory, view->cancel, err);
    c->macs[1] = view->census->counted ? 0 : -1; /* only its sign counts */
    if (status == TFPROF_OK)
        choose_costs(compared);
    *alignment = &c->alignment;
    *costs = compared->costs;
    return status;
}
