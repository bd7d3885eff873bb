/*
 * flops.c - the public function about a model's arithmetic.
 */
#include "api/flops.h"

#include "base/cancel.h"
#include "base/error.h"
#include "model/graph.h"
#include "model/model.h"
#include "ops/fact/shapes.h"
#include "ops/flops/formula_file.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/flops/flops.h"

#include <stdio.h>

#include "api/formulas.h"
#include "api/model_request.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "base/escape.h"
#include "ops/flops/count.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"

static int check_form(const tfprof_profile *p, tfprof_error *err)
{
    if (p->options.depth == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--depth: expected 1 or more, or -1, not 0");
    if (p->options.format == TFP_FORMAT_PROTO)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "flops supports --format text, json and csv, not proto");
    if (p->options.output.kind == TFP_OUTPUT_PARQUET)
        return tfp_file_check_target(p->options.output.outfile, &p->model,
                                     &p->options.formula_file, err);
    return tfp_question_check_output(
        p,
        "--output: flops supports stdout, none, file:outfile=FILE and "
        "parquet:outfile=FILE",
        err);
}

/* ---- Counting ----------------------------------------------------------- */

static const struct {
    int64_t sort;
    tfp_report_order order;
} orders[] = {
    { TFP_SORT_AUTO, TFP_REPORT_BY_FLOAT_OPS },
    { TFP_SORT_ORDERS + TFP_ORDER_FLOAT_OPS, TFP_REPORT_BY_FLOAT_OPS },
    { TFP_SORT_INT_OPS, TFP_REPORT_BY_INT_OPS },
    { TFP_SORT_MACS, TFP_REPORT_BY_MACS },
    { TFP_SORT_ORDERS + TFP_ORDER_PARAMS, TFP_REPORT_BY_PARAMS },
    { TFP_SORT_NODES, TFP_REPORT_BY_NODES },
    { TFP_SORT_ORDERS + TFP_ORDER_NAME, TFP_REPORT_BY_NAME },
};

enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

/* NULL when `sort` is a word of views alone. */
static const tfp_report_order *report_order(const tfp_options *options)
{
    for (size_t i = 0; i < ORDERS; i++) {
        if (orders[i].sort == options->sort)
            return &orders[i].order;
    }
    return NULL;
}

static int check_sort(const tfp_options *options, tfprof_error *err)
{
    const tfp_option *sort = tfp_option_find("sort");
    tfp_options other = *options; /* borrowed but for one number */
    char word[32], words[ORDERS * sizeof(word)];
    size_t used = 0;
    if (report_order(options))
        return TFPROF_OK;
    for (size_t i = 0; i < ORDERS; i++) {
        other.sort = orders[i].sort;
        tfp_options_print(&other, sort, word, sizeof(word));
        used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
                                 i > 0 ? ", " : "", word);
    }
    tfp_options_print(options, sort, word, sizeof(word));
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--sort: flops cannot sort by %s (supported: %s)", word,
                    words);
}

static tfp_list_kind list_of(const tfp_options *options)
{
    return options->uncounted ? TFP_LIST_UNCOUNTED
                              : (tfp_list_kind)options->list;
}

/* A list of layers reads like the model, unless another order is asked for. */
static tfp_report_order order_of(const tfp_options *options)
{
    return options->sort == TFP_SORT_AUTO && list_of(options) == TFP_LIST_LAYERS
               ? TFP_REPORT_BY_PLACE
               : *report_order(options);
}

static tfp_report_request report_request(const tfp_options *options,
                                         tfp_report_order order)
{
    static const tfp_formula_set sets[] = {
        [TFP_FORMULAS_AUTO] = TFP_SET_FULL,
        [TFP_FORMULAS_TENSORFLOW] = TFP_SET_TENSORFLOW,
        [TFP_FORMULAS_FULL] = TFP_SET_FULL,
        [TFP_FORMULAS_NONE] = TFP_SET_NONE,
    };
    return (tfp_report_request){ .set = sets[options->formulas],
                                 .depth = options->depth,
                                 .order = order };
}

static int go_on(const tfprof_profile *p, int status, tfprof_error *err)
{
    return status == TFPROF_OK && tfp_cancelled(&p->cancel)
               ? tfp_fail_cancelled(err)
               : status;
}

static int find_shapes(tfprof_profile *p, tfp_flops_work *w, int64_t batch,
                       tfprof_error *err)
{
    if (w->shapes.memory)
        tfp_shapes_release(&w->shapes);
    w->request.request.batch = batch;
    return tfp_shapes_init(&w->shapes, &p->model, &p->memory,
                           &w->request.request, &p->cancel, err);
}

/* A batch that nobody has given is given up where the file has shapes for
 * another one. */
static int find_all_shapes(tfprof_profile *p, tfp_flops_work *w,
                           tfprof_error *err)
{
    tfp_shape_request *request = &w->request.request;
    int64_t ours = request->batch, conflicts;
    int status = find_shapes(p, w, ours, err);
    if (status != TFPROF_OK || !request->batch_is_ours ||
        w->shapes.conflicts == 0)
        return status;
    conflicts = w->shapes.conflicts;
    request->batch_is_ours = false;
    status = find_shapes(p, w, -1, err);
    if (status != TFPROF_OK || w->shapes.conflicts < conflicts)
        return status;
    request->batch_is_ours = true;
    return find_shapes(p, w, ours, err);
}

int tfp_flops_count(tfprof_profile *p, tfp_report_order order,
                    tfp_flops_work *w, tfprof_error *err)
{
    tfp_report_request request = report_request(&p->options, order);
    int status = tfp_formulas_read(&w->formulas, &p->memory,
                                   &p->options.formula_file, err);
    if (status == TFPROF_OK)
        status = tfp_model_request_init(&w->request, p, err);
    if (status == TFPROF_OK)
        status = find_all_shapes(p, w, err);
    if (status == TFPROF_OK)
        status = tfp_counts_init(&w->counts, &w->shapes, &w->formulas,
                                 &p->memory, &p->cancel, err);
    status = go_on(p, status, err);
    if (status == TFPROF_OK)
        status = tfp_params_init(&w->params, &w->shapes, &p->memory, err);
    status = go_on(p, status, err);
    if (status == TFPROF_OK)
        status = tfp_report_init(&w->report, &w->counts, &w->params, &request,
                                 &p->memory, err);
    return status;
}

void tfp_flops_release(tfp_flops_work *w)
{
    tfp_report_release(&w->report);
    if (w->params.memory)
        tfp_params_release(&w->params);
    if (w->counts.memory)
        tfp_counts_release(&w->counts);
    if (w->shapes.memory)
        tfp_shapes_release(&w->shapes);
    if (w->request.memory)
        tfp_model_request_release(&w->request);
    tfp_user_formulas_release(&w->formulas);
}

/* ---- Remarks ------------------------------------------------------------ */

static void remark_on_graphs(const tfprof_profile *p, const tfp_flops_work *w)
{
    uint32_t chosen = w->request.request.graph;
    const tfp_graph *graphs = p->model.graphs.data;
    size_t count = 0;
    char name[TFP_REMARK_PATH];
    for (size_t i = 0; i < p->model.graphs.count; i++)
        count += graphs[i].kind == TFP_GRAPH_PLAIN && graphs[i].node_count > 0;
    if (count < 2)
        return;
    tfp_profile_input_name(p, graphs[chosen].input, name, sizeof(name));
    tfp_remark(p, "found %zu graphs; only the graph in %s is used", count,
               name);
}

static bool graph_is_empty(const tfp_flops_work *w)
{
    return w->shapes.model->graphs.data[w->request.request.graph].node_count ==
           0;
}

/* What a user says may not go with what files say of other nodes. */
static void remark_on_conflicts(const tfprof_profile *p,
                                const tfp_flops_work *w)
{
    const tfp_shapes *s = &w->shapes;
    bool has_shape = p->options.shape.count > 0;
    char name[TFP_REMARK_PATH];
    if (s->conflicts == 0)
        return;
    tfp_escape_short(tfp_model_text(s->model, s->first_conflict), name,
                     sizeof(name));
    tfp_remark(p, "%lld %s the shapes inferred from the graph%s%s (%s: %s)",
               (long long)s->conflicts,
               s->conflicts == 1 ? "shape in a file contradicts"
                                 : "shapes in files contradict",
               has_shape ? " and --shape" : "",
               p->options.batch >= 0 ? " and --batch" : "",
               s->conflicts == 1 ? "node" : "first node", name);
}

static void remark_on_shapes(const tfprof_profile *p, const tfp_flops_work *w)
{
    remark_on_conflicts(p, w);
    if (graph_is_empty(w))
        tfp_remark(p, "the graph contains no nodes");
}

/* Trips that are given count last. */
static void remark_on_trips(const tfprof_profile *p, const tfp_flops_work *w)
{
    char name[TFP_REMARK_PATH];
    for (size_t i = 0; i < w->request.given.count; i++) {
        const tfp_given *given = &w->request.given.data[i];
        if (given->trips < 0 || given->rule == TFP_TIMES_GIVEN ||
            (given->rule != TFP_TIMES_ONCE && given->found == given->trips))
            continue;
        tfp_escape_short(tfp_model_text(&p->model, given->name), name,
                         sizeof(name));
        if (given->rule == TFP_TIMES_ONCE)
            tfp_remark(p,
                       "--trips has no effect: no counted loop has the name %s",
                       name);
        else
            tfp_remark(p,
                       "--trips has no effect for %s: the iteration count %lld "
                       "is known from the %s",
                       name, (long long)given->found,
                       given->rule == TFP_TIMES_RECORDED ? "run records"
                                                         : "graph");
    }
}

static void remark_on_top(const tfprof_profile *p)
{
    if (p->options.top > 0 && list_of(&p->options) != TFP_LIST_SUMMARY)
        tfp_remark(p, "--top has no effect on lists (--list, --uncounted)");
}

/* ---- The answer --------------------------------------------------------- */

static int write_answer(const void *answer, tfp_sink *sink, tfprof_error *err)
{
    return tfp_flops_write(answer, sink, err);
}

static int64_t top_of(const tfp_options *options)
{
    enum { USUALLY = 15 };
    return options->top < 0 ? USUALLY : options->top;
}

static int write_flops(tfprof_profile *p, tfprof_write_fn *write, void *context,
                       tfprof_error *err)
{
    tfp_flops_work w = { 0 };
    tfp_labels labels;
    tfp_flops_answer subject = { .report = &w.report,
                                 .memory = &p->memory,
                                 .list = list_of(&p->options),
                                 .format = p->options.format,
                                 .top = top_of(&p->options),
                                 .style = tfp_style_of(&p->options),
                                 .labels = &labels,
                                 .is_parquet = p->options.output.kind ==
                                               TFP_OUTPUT_PARQUET };
    tfp_answer answer = { .write = write_answer,
                          .subject = &subject,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    int status = TFPROF_OK;
    tfp_labels_read(&p->options.label, &labels);
    if (tfp_question_has_labels(p))
        status = tfp_flops_check_labels(&subject, err);
    if (status == TFPROF_OK)
        status = tfp_flops_count(p, order_of(&p->options), &w, err);
    if (status == TFPROF_OK) {
        tfp_remark_on_files(p);
        remark_on_graphs(p, &w);
        remark_on_shapes(p, &w);
        remark_on_trips(p, &w);
        remark_on_top(p);
        status = tfp_question_send(p, &answer, write, context, err);
    }
    tfp_flops_release(&w);
    return status;
}

int tfprof_profile_write_flops(tfprof_profile *p, tfprof_write_fn *write,
                               void *context, tfprof_error *err)
{
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_question_begin_any(p, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, write, err);
    if (status == TFPROF_OK)
        status = check_form(p, err);
    if (status == TFPROF_OK)
        status = check_sort(&p->options, err);
    if (status == TFPROF_OK)
        status = write_flops(p, write, context, err);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
