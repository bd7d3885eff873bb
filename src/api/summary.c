/*
 * summary.c - the public function that puts a model on one screen.
 *
 * It asks what the other questions ask, one after the other, and lets
 * output/summary choose.
 */
#include "output/summary/summary.h"
#include "ops/flops/report.h"

#include "advise/advise.h"
#include "advise/inquiry.h"
#include "api/again.h"
#include "api/flops.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/summary.h"
#include "base/cancel.h"
#include "base/error.h"
#include "model/census.h"
#include "model/model.h"
#include "options/options.h"
#include "output/sink/answer.h"
#include "sheet/digest.h"
#include "sheet/sheets.h"
#include "view/view.h"

/* All that the answer is made of. */
typedef struct work {
    tfp_summary_parts parts;
    const tfp_census *census;
    tfp_options options[3]; /* of the views */
    tfp_view views[3];
    tfp_digest digest;
    tfp_sheet memory[TFP_MOST_SHEETS];
    tfp_flops_work flops;
    tfp_advice advice, input;
} work;

uint32_t tfp_summary_gathers(void)
{
    return tfp_sheet_type_find("steps")->gathers |
           tfp_sheet_type_find("memory")->gathers |
           tfp_checkers_gather(TFP_CHECK_ALL);
}

/* ---- Parts -------------------------------------------------------------- */

/* Is a part just not there? Then the others are told without it. */
static bool is_absent(int status)
{
    return status == TFPROF_ERR_MISSING;
}

static int fill_tables(work *w, const tfp_sheet_request *request,
                       tfprof_error *err)
{
    int status = tfp_digest_init(&w->digest, request, err);
    if (status == TFPROF_OK && w->digest.sheets[0].rows > 0)
        w->parts.digest = &w->digest;
    if (status == TFPROF_OK)
        status = tfp_memory_fill(request, w->memory, err);
    if (status == TFPROF_OK && w->memory[0].rows > 0)
        w->parts.held = w->memory;
    w->parts.leaves_memory = !w->parts.held && tfp_memory_is_left_out(request);
    return status;
}

/* Who reads and writes what, and when, takes longer to find than all the rest
 * of a summary. */
enum { MOST_ESTIMATED = 200000 };

/* What tables tell of runs. A trace that cannot be read again has none. */
static int add_tables(tfprof_profile *p, work *w, tfprof_error *err)
{
    tfp_watch watch = { .cancel = &p->cancel };
    tfp_sheet_request request = { .model = &p->model,
                                  .memory = &p->memory,
                                  .watch = &watch,
                                  .most_held = 1,
                                  .most_runs = MOST_ESTIMATED };
    tfprof_error why;
    int status = tfp_profile_gather(p, tfp_summary_gathers(), &request.traces,
                                    &why);
    if (is_absent(status)) {
        tfp_remark(p, "%s; steps, memory and devices are not shown",
                   why.message);
        return TFPROF_OK;
    }
    if (status != TFPROF_OK && err)
        *err = why;
    w->parts.traces = request.traces;
    return status == TFPROF_OK ? fill_tables(w, &request, err) : status;
}

/* Scopes may hold one another without end; names have as many levels. */
#define MOST_LEVELS "32"

/* A view as a table has it, of scopes more levels, and of the code all lines.
 */
static int add_view(tfprof_profile *p, work *w, int place,
                    const tfp_view_type *type, int64_t select,
                    const tfp_view **part, tfprof_error *err)
{
    tfp_options *o = &w->options[place];
    int status = tfp_options_init(o, &p->memory) ? TFPROF_OK
                                                 : tfp_fail_nomem(err);
    o->format = TFP_FORMAT_TABLE;
    o->select = select;
    if (status == TFPROF_OK)
        status = tfp_options_set(
            o, "order_by", select & TFP_SELECT_MICROS ? "micros" : "params",
            err);
    if (status == TFPROF_OK && type->adds_names)
        status = tfp_options_set(o, "max_depth", MOST_LEVELS, err);
    if (status == TFPROF_OK && type->has_lines)
        status = tfp_options_set(o, "max_depth", "2147483647", err);
    if (status == TFPROF_OK && type->has_lines)
        status = tfp_options_set(o, "top", "0", err);
    if (status == TFPROF_OK)
        status = tfp_view_init(&w->views[place], type, w->census, o, &p->cancel,
                               err);
    if (status == TFPROF_OK)
        *part = &w->views[place];
    return status;
}

static int add_views(tfprof_profile *p, work *w, tfprof_error *err)
{
    tfp_summary_parts *parts = &w->parts;
    bool has_runs = tfp_model_has_runs(&p->model);
    int64_t select = has_runs ? TFP_SELECT_MICROS : TFP_SELECT_PARAMS;
    int64_t more = parts->report ? 0 : TFP_SELECT_PARAMS | TFP_SELECT_FLOAT_OPS;
    int status;
    if (!has_runs && parts->report)
        return TFPROF_OK; /* it has types and layers */
    status = add_view(p, w, 0, &tfp_scope_view, select | more, &parts->scope,
                      err);
    if (status == TFPROF_OK)
        status = add_view(p, w, 1, &tfp_op_view, select, &parts->op, err);
    if (status == TFPROF_OK && has_runs && tfp_census_has_traces(w->census))
        status = add_view(p, w, 2, &tfp_code_view, select, &parts->code, err);
    return status;
}

/* A part that the inputs cannot have is left out; `err` is only for those that
 * failed. */
static int end_part(int status, const tfprof_error *why, tfprof_error *err)
{
    if (status == TFPROF_OK || is_absent(status))
        return TFPROF_OK;
    if (err)
        *err = *why;
    return status;
}

static int add_flops(tfprof_profile *p, work *w, tfprof_error *err)
{
    tfprof_error why;
    int status = tfp_flops_count(p, TFP_REPORT_BY_FLOAT_OPS, &w->flops, &why);
    if (status == TFPROF_OK)
        w->parts.report = &w->flops.report;
    return end_part(status, &why, err);
}

/* What one checker finds, if it is anything: *part stays NULL otherwise. */
static int ask_checker(tfprof_profile *p, work *w, const tfp_checker *checker,
                       tfp_advice *advice, const tfp_advice **part,
                       tfprof_error *err)
{
    const tfp_model *traces = tfp_profile_has_trace(p) ? w->parts.traces : NULL;
    int64_t bit = 1;
    tfprof_error why;
    int status;
    if (checker->gathers && !traces)
        return TFPROF_OK;
    for (int i = 0; tfp_checkers[i] != checker; i++)
        bit <<= 1;
    status = tfp_advise_briefly(advice, w->census, traces, bit, &p->cancel,
                                &why);
    if (status == TFPROF_OK && advice->findings.count > 0) {
        *part = advice;
        return TFPROF_OK;
    }
    tfp_advice_release(advice);
    *advice = (tfp_advice){ 0 };
    return end_part(status, &why, err);
}

/* If devices idle for more than half of the steps, that matters more than all
 * operations together. */
static int add_idle(tfprof_profile *p, work *w, tfprof_error *err)
{
    static const tfp_checker *const checkers[] = { &tfp_host_bound_checker,
                                                   &tfp_idle_checker };
    const tfp_advice **part = &w->parts.advice;
    int status = TFPROF_OK;
    for (int i = 0; i < 2 && status == TFPROF_OK && !*part; i++) {
        const tfp_finding *f;
        status = ask_checker(p, w, checkers[i], &w->advice, part, err);
        f = *part ? &w->advice.findings.data[0] : NULL;
        if (!f || f->micros > f->whole_micros / 2)
            continue;
        *part = NULL;
        tfp_advice_release(&w->advice);
        w->advice = (tfp_advice){ 0 };
    }
    return status;
}

/* Of the first checker that has any. What is expensive comes first, as in a
 * table of `advise`, unless devices idle. Waiting for input has a line of its
 * own: the time of no operation shows it. */
static int add_advice(tfprof_profile *p, work *w, tfprof_error *err)
{
    const tfp_advice **part = &w->parts.advice;
    int status;
    if (!tfp_model_has_runs(&p->model))
        return TFPROF_OK;
    status = ask_checker(p, w, &tfp_input_bound_checker, &w->input,
                         &w->parts.input, err);
    if (status == TFPROF_OK)
        status = add_idle(p, w, err);
    if (status == TFPROF_OK && !*part)
        status = ask_checker(p, w, &tfp_expensive_checker, &w->advice, part,
                             err);
    for (int i = 0; i < TFP_CHECKERS && status == TFPROF_OK && !*part; i++)
        status = ask_checker(p, w, tfp_checkers[i], &w->advice, part, err);
    return status;
}

/* ---- The answer --------------------------------------------------------- */

static int make(tfprof_profile *p, work *w, tfprof_error *err)
{
    int status = tfp_profile_census(p, &w->census, err);
    w->parts.model = w->parts.traces = &p->model;
    w->parts.memory = &p->memory;
    w->parts.options = &p->options;
    if (status == TFPROF_OK)
        status = add_flops(p, w, err);
    if (status == TFPROF_OK && tfp_model_has_runs(&p->model))
        status = add_tables(p, w, err);
    if (status == TFPROF_OK)
        status = add_views(p, w, err);
    if (status == TFPROF_OK)
        status = add_advice(p, w, err);
    return status;
}

static void release(work *w)
{
    for (int i = 0; i < 3; i++) {
        if (w->views[i].memory)
            tfp_view_release(&w->views[i]);
        if (w->options[i].memory)
            tfp_options_release(&w->options[i]);
    }
    if (w->digest.memory)
        tfp_digest_release(&w->digest);
    for (size_t i = 0; i < TFP_MOST_SHEETS; i++)
        tfp_sheet_release(&w->memory[i]);
    tfp_flops_release(&w->flops);
    if (w->advice.memory)
        tfp_advice_release(&w->advice);
    if (w->input.memory)
        tfp_advice_release(&w->input);
}

static int write_parts(const void *parts, tfp_sink *sink, tfprof_error *err)
{
    return tfp_summary_write(parts, sink, err);
}

static int check_form(const tfprof_profile *p, tfprof_error *err)
{
    if (p->options.format == TFP_FORMAT_CSV ||
        p->options.format == TFP_FORMAT_PROTO)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "summary supports --format text and json, not csv or proto");
    return tfp_question_check_output(
        p, "--output: summary supports stdout, none and file:outfile=FILE",
        err);
}

static int send_parts(tfprof_profile *p, const tfp_summary_parts *parts,
                      tfprof_write_fn *write, void *context, tfprof_error *err)
{
    tfp_answer answer = { .write = write_parts,
                          .subject = parts,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    tfp_remark_on_files(p);
    tfp_remark_on_steps(p);
    return tfp_question_send(p, &answer, write, context, err);
}

int tfp_profile_summarize(tfprof_profile *p, tfp_sink *sink, tfprof_error *err)
{
    work w = { 0 };
    int status = make(p, &w, err);
    if (status == TFPROF_OK)
        status = tfp_summary_write(&w.parts, sink, err);
    release(&w);
    return status;
}

int tfprof_profile_write_summary(tfprof_profile *p, const char *inputs,
                                 tfprof_write_fn *write, void *context,
                                 tfprof_error *err)
{
    work w = { .parts = { .inputs = inputs } };
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, write, err);
    if (status == TFPROF_OK)
        status = check_form(p, err);
    if (status == TFPROF_OK)
        status = make(p, &w, err);
    if (status == TFPROF_OK)
        status = send_parts(p, &w.parts, write, context, err);
    release(&w);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
