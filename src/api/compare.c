/*
 * compare.c - the public functions about comparisons.
 *
 * Runs are read one after the other (api/runs.h); of each only a snapshot is
 * kept.
 */
#include <stdbool.h>
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
#include "base/escape.h"
#include "base/intern.h"
#include "base/memory.h"
#include "compare/align.h"
#include "compare/changes.h"
#include "compare/run.h"
#include "compare/run_steps.h"
#include "compare/side.h"
#include "compare/snapshot.h"
#include "compare/totals.h"
#include "input/kind/input.h"
#include "model/gathered.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/step_values.h"
#include "options/options.h"
#include "output/compare/compare.h"
#include "output/sink/answer.h"
#include "output/text/style.h"
#include "view/view.h"

/* Views whose rows may be compared. By default, the first is taken if enough
 * time has source lines, else the second; see choose(). */
enum { VIEWS = 2 };

typedef struct comparing {
    tfprof_profile *profile;     /* options, callbacks and the destination */
    const char *const *paths[2]; /* of base and head */
    size_t counts[2];
    const tfp_view_type *types[VIEWS]; /* NULL: not that one, or no more */
    bool is_default;                   /* nobody named a view */
    tfp_memory memory;                 /* of all that follows */
    tfp_interner texts;
    uint32_t wanted;      /* costs, a bit each */
    int64_t macs[2];      /* of the first run of each side, or -1 */
    double line_share[2]; /* of the time of the first run of each side, that of
                           * source lines; negative: not known */
    int64_t bytes_read;   /* of all inputs, as the rule of memory counts them */
    tfp_compare_side sides[2][VIEWS];
    tfp_compare_side *base, *head; /* of the view that is compared */
    tfp_alignment alignment;
    tfp_changes changes;
    tfp_judged_total totals[TFP_MOST_TOTALS];
    size_t total_count;
} comparing;

static void init_sides(comparing *c)
{
    for (int side = 0; side < 2; side++) {
        c->line_share[side] = -1;
        for (int i = 0; i < VIEWS; i++)
            tfp_side_init(&c->sides[side][i], &c->memory);
    }
    c->base = &c->sides[0][0];
    c->head = &c->sides[1][0];
}

/* ---- Runs --------------------------------------------------------------- */

/* Of traces: instructions of programs align by the first, and the second says
 * how much of the time has source lines. */
enum { ALWAYS_WANTED = 1 << TFP_COST_FLOAT_OPS | 1 << TFP_COST_MICROS };

/* The run that is read. */
typedef struct side_reader {
    comparing *comparing;
    tfp_run_reader runs;
    int which;                     /* 0: base, 1: head */
    int view;                      /* that is taken, an index of types */
    tfp_snapshot snapshots[VIEWS]; /* of the views that are compared */
    tfp_side_fact fact;
} side_reader;

/* The part of the operation time that has source lines. A row that is no line
 * has its name as its place. */
static double line_share(const tfp_snapshot *s)
{
    double all = 0, lines = 0;
    for (size_t row = 1; row < s->count; row++) {
        double time = (double)tfp_snapshot_value(s, row, TFP_COST_MICROS);
        all += time;
        if (s->places[row] != s->names[row])
            lines += time;
    }
    return all > 0 ? lines / all : -1;
}

static int take_view(void *context, const tfp_view *view, tfprof_error *err)
{
    side_reader *r = context;
    comparing *c = r->comparing;
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    tfp_snapshot *snapshot = &r->snapshots[r->view];
    int status = tfp_snapshot_init(snapshot, view, c->wanted | ALWAYS_WANTED,
                                   &c->texts, &c->memory, err);
    if (status == TFPROF_OK && snapshot->places &&
        c->sides[r->which][r->view].runs == 0)
        c->line_share[r->which] = line_share(snapshot);
    return status == TFPROF_OK ? tfp_run_take(snapshot, view, &rule, NULL, 0,
                                              &r->fact.steps, err)
                               : status;
}

/* By default, source lines are compared if at least half of the operation time
 * of each side has one, in the first run: the names of operations change with
 * each compilation, source lines do not. Once that is known, the other view is
 * dropped. */
static void choose(comparing *c, int which)
{
    int drop = c->line_share[which] < 0.5 ? 0 : which == 1 ? 1 : -1;
    if (drop < 0 || !c->types[0] || !c->types[1])
        return;
    c->types[drop] = NULL;
    tfp_side_release(&c->sides[0][drop]);
    tfp_side_init(&c->sides[0][drop], &c->memory);
    c->base = &c->sides[0][1 - drop];
    c->head = &c->sides[1][1 - drop];
}

static bool has_lines(const tfp_model *model)
{
    return model->trace_devices > 0 && model->frames.count > 0;
}

static int take_run(void *context, tfprof_profile *run, tfprof_error *err)
{
    side_reader *r = context;
    comparing *c = r->comparing;
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    bool is_first = c->head->runs == 0 && (r->which == 1 || c->base->runs == 0);
    int status = TFPROF_OK;
    if (run->model.trace_devices > 0)
        run->options.select |= ALWAYS_WANTED;
    if (is_first && !has_lines(&run->model))
        choose(c, r->which);
    for (int i = 0; i < VIEWS && status == TFPROF_OK; i++) {
        r->view = i;
        if (c->types[i])
            status = tfp_profile_take_view(run, c->types[i], take_view, r, err);
        if (status == TFPROF_OK && i == 0 && is_first)
            choose(c, r->which);
    }
    if (status == TFPROF_OK)
        status = tfp_run_take_steps(&run->model, run->options.step, &rule,
                                    &c->memory, &c->profile->cancel,
                                    &r->fact.values, err);
    if (status == TFPROF_OK && is_first)
        c->macs[r->which] = run->macs;
    r->fact.name = tfp_intern(&c->texts, tfp_span_of(r->runs.path));
    if (status == TFPROF_OK && r->fact.name == TFP_NO_ID)
        status = tfp_fail_nomem(err);
    return status;
}

static int keep_run(void *context, tfprof_error *err)
{
    side_reader *r = context;
    comparing *c = r->comparing;
    int status = TFPROF_OK;
    for (int i = 0; i < VIEWS && status == TFPROF_OK; i++) {
        if (c->types[i])
            status = tfp_side_add(&c->sides[r->which][i], &r->snapshots[i],
                                  &r->fact, &c->profile->cancel, err);
        else
            tfp_snapshot_release(&r->snapshots[i]);
    }
    return status;
}

static int read_side(comparing *c, const char *name, int which,
                     tfprof_error *err)
{
    side_reader r = { .comparing = c,
                      .runs = { .profile = c->profile,
                                .memory = &c->memory,
                                .wanted = c->wanted,
                                .gathers = TFP_GATHER_STEPS,
                                .side = name,
                                .bytes_read = c->bytes_read,
                                .take = take_run,
                                .keep = keep_run,
                                .context = &r },
                      .which = which };
    int status = tfp_runs_read(&r.runs, c->paths[which], c->counts[which], err);
    c->bytes_read = r.runs.bytes_read;
    for (int i = 0; i < VIEWS; i++) {
        tfp_snapshot_release(&r.snapshots[i]);
        if (status == TFPROF_OK && c->types[i])
            status = tfp_side_finish(&c->sides[which][i], &c->profile->cancel,
                                     err);
    }
    return status;
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
           c->base->first_totals[TFP_COST_FLOAT_OPS] > 0 &&
           c->head->first_totals[TFP_COST_FLOAT_OPS] > 0;
}

/* Costs that both sides have, from the same kind of source. */
static uint32_t compared_costs(const comparing *c)
{
    uint32_t costs = c->wanted;
    uint32_t records = tfp_metrics_with(TFP_METRIC_OF_RECORDS) |
                       1u << TFP_COST_RUNS;
    bool has_records = c->base->most_steps > 0 && c->head->most_steps > 0;
    if (!has_records && (c->base->most_steps > 0 || c->head->most_steps > 0))
        tfp_remark(c->profile,
                   "times and memory are not compared: the %s has no run "
                   "records",
                   c->base->most_steps > 0 ? "head" : "base");
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

/* A run without step times is no reason not to judge the others. */
static void remark_on_steps(const comparing *c)
{
    const tfp_compare_side *sides[2] = { c->base, c->head };
    enum { SHOWN = 100 };
    bool has_wall = c->total_count > 0 && c->totals[0].is_of_steps;
    for (int side = 0; side < 2; side++) {
        const char *name = side == 0 ? "base" : "head";
        size_t lacks = 0, first = 0;
        for (size_t i = sides[side]->facts.count; i-- > 0;) {
            if (sides[side]->facts.data[i].values.of[TFP_STEP_WALL] >= 0)
                continue;
            lacks++;
            first = i;
        }
        if (has_wall && lacks > 0)
            tfp_remark(
                c->profile,
                "%zu of %zu runs of the %s do not have step times: %s", lacks,
                sides[side]->runs, name,
                tfp_shorten(tfp_interned(&c->texts,
                                         sides[side]->facts.data[first].name),
                            SHOWN)
                    .text);
        else if (!has_wall && lacks < sides[side]->runs && c->total_count > 0)
            tfp_remark(c->profile,
                       "step times are not compared: the %s does not have "
                       "them",
                       side == 0 ? "head" : "base");
    }
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
    int status = tfp_align(&c->alignment, &c->base->rows, &c->head->rows, true,
                           &c->memory, cancel, err);
    if (status == TFPROF_OK)
        status = tfp_changes_find(&c->changes, c->base, c->head, &c->alignment,
                                  compared, &c->memory, cancel, err);
    if (status == TFPROF_OK && !add_macs(c))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = tfp_totals_judge(c->base, c->head, compared, &c->memory,
                                  c->totals, &c->total_count, err);
    if (status == TFPROF_OK)
        remark_on_steps(c);
    return status;
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
    tfp_comparison subject = { .base = c->base,
                               .head = c->head,
                               .is_default = c->is_default,
                               .line_share = c->line_share,
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
    if (options->format == TFP_FORMAT_TABLE && options->width < 0)
        subject.style.columns = tfp_table_columns(options);
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
        status = read_side(c, "base", 0, err);
    if (status == TFPROF_OK)
        status = read_side(c, "head", 1, err);
    if (status == TFPROF_OK)
        status = compare(c, err);
    return status == TFPROF_OK ? send(c, write, context, err) : status;
}

static void release(comparing *c)
{
    tfp_changes_release(&c->changes);
    tfp_alignment_release(&c->alignment);
    for (int i = 0; i < VIEWS; i++) {
        tfp_side_release(&c->sides[0][i]);
        tfp_side_release(&c->sides[1][i]);
    }
    tfp_interner_release(&c->texts);
}

static int run_diff(comparing *c, tfprof_write_fn *write, void *context,
                    tfprof_error *err)
{
    const tfp_memory *allocator = &c->profile->memory;
    int status;
    tfp_memory_init(&c->memory, allocator->resize, allocator->context);
    init_sides(c);
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
                    .counts = { base_count, head_count },
                    .types = { &tfp_code_view, &tfp_scope_view },
                    .is_default = !view };
    int status = TFPROF_OK;
    if (view) {
        c.types[1] = NULL;
        status = tfp_profile_find_view(view, &c.types[0], err);
    }
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
    return read_side(c, "base", 0, err);
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
                                   .types = { &tfp_scope_view },
                                   .paths = { base },
                                   .counts = { count },
                                   .wanted = costs };
    tfp_memory_init(&made->comparing.memory, allocator->resize,
                    allocator->context);
    init_sides(&made->comparing);
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
static int add_head(comparing *c, const tfp_view *view, const tfp_model *traces,
                    tfprof_error *err)
{
    tfp_run_rule rule = tfp_runs_rule(&c->profile->options);
    tfp_snapshot snapshot = { 0 };
    tfp_side_fact fact = { 0 };
    int status = tfp_snapshot_init(&snapshot, view, c->wanted, &c->texts,
                                   &c->memory, err);
    if (status == TFPROF_OK)
        status = tfp_run_take(&snapshot, view, &rule, NULL, 0, &fact.steps,
                              err);
    if (status == TFPROF_OK)
        status = tfp_run_take_steps(traces, view->options->step, &rule,
                                    &c->memory, view->cancel, &fact.values,
                                    err);
    if (status == TFPROF_OK)
        status = tfp_side_add(c->head, &snapshot, &fact, view->cancel, err);
    tfp_snapshot_release(&snapshot);
    return status == TFPROF_OK ? tfp_side_finish(c->head, view->cancel, err)
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
                       const tfp_model *traces, tfp_compared_sides *sides,
                       tfprof_error *err)
{
    comparing *c = &compared->comparing;
    int status;
    tfp_alignment_release(&c->alignment);
    c->alignment = (tfp_alignment){ 0 };
    tfp_side_release(c->head);
    tfp_side_init(c->head, &c->memory);
    status = add_head(c, view, traces, err);
    if (status == TFPROF_OK)
        status = tfp_align(&c->alignment, &c->base->rows, &c->head->rows, true,
                           &c->memory, view->cancel, err);
    c->macs[1] = view->census->counted ? 0 : -1; /* only its sign counts */
    if (status == TFPROF_OK)
        choose_costs(compared);
    if (status == TFPROF_OK)
        status = tfp_totals_judge(c->base, c->head, compared->costs, &c->memory,
                                  c->totals, &c->total_count, err);
    *sides = (tfp_compared_sides){ &c->alignment, compared->costs, c->totals,
                                   c->total_count };
    return status;
}
