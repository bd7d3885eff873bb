/*
 * counted.c - float operations that no file gives, found by formulas; and
 * functions, walked for views.
 */
#include "api/counted.h"

#include "options/options.h"

#include "model/steps.h"

#include "model/ids.h"

#include "model/graph.h"

#include "model/census.h"

#include "base/memory.h"

#include "base/error.h"

#include "base/bytes.h"

#include <stdio.h>

#include "api/formulas.h"
#include "api/model_request.h"
#include "api/question.h"
#include "api/remarks.h"
#include "ops/flops/count.h"
#include "ops/walk/expand.h"
#include "view/view.h"

/* One graph of a file, with what it calls. */
struct tfp_counted_graph {
    tfp_model_request request;
    tfp_shapes shapes;
    tfp_counts counts;
    tfp_expansion expansion;
};

/* ---- What is needed ----------------------------------------------------- */

static bool logs_have_float_ops(const tfp_model *model)
{
    for (size_t i = 0; i < model->nodes.count; i++) {
        if (model->nodes.float_ops[i] != 0)
            return true;
    }
    return false;
}

/* A page shows float operations that are known. Counting them may take longer
 * than the rest of the page, so this is done only if they are selected. */
static bool is_page_without(const tfp_options *o)
{
    return o->output.kind == TFP_OUTPUT_HTML &&
           (o->select == TFP_SELECT_AUTO ||
            !(o->select & TFP_SELECT_FLOAT_OPS));
}

static bool wants_float_ops(const tfprof_profile *p)
{
    return !is_page_without(&p->options) &&
           p->options.formulas != TFP_FORMULAS_NONE &&
           tfp_view_costs(&p->census, &p->options) >> TFP_COST_FLOAT_OPS & 1 &&
           !logs_have_float_ops(&p->model);
}

/* ---- A graph ------------------------------------------------------------ */

static int count_graph(tfp_counting *c, uint32_t graph, tfprof_error *err)
{
    tfprof_profile *p = c->profile;
    tfp_counted_graph *one = tfp_memory_alloc(&p->memory, sizeof(*one));
    int status;
    if (!one || !TFP_VEC_PUSH(&p->memory, &c->graphs, one)) {
        tfp_memory_free(&p->memory, one);
        return tfp_fail_nomem(err);
    }
    *one = (tfp_counted_graph){ 0 };
    status = tfp_model_request_init_graph(&one->request, p, graph, err);
    one->request.request.is_told = c->is_told;
    if (status == TFPROF_OK)
        status = tfp_shapes_init(&one->shapes, &p->model, &p->memory,
                                 &one->request.request, &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_counts_init(&one->counts, &one->shapes, &c->formulas,
                                 &p->memory, &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_expand(&one->expansion, &one->shapes, err);
    return status;
}

static int count_graphs(tfp_counting *c, tfprof_error *err)
{
    size_t count = c->profile->model.graphs.count; /* expanding adds some */
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < count; i++) {
        if (c->profile->model.graphs.data[i].kind == TFP_GRAPH_PLAIN)
            status = count_graph(c, (uint32_t)i, err);
    }
    return status;
}

/* ---- Float operations --------------------------------------------------- */

/* How many times a node counts. Iterations of TF1 loops are left out in two
 * cases: upstream does not know them, and with run records costs are multiplied
 * by the number of recorded runs later. */
static int64_t times_of(const tfp_counting *c, const tfp_shapes *s,
                        uint32_t instance, uint32_t node)
{
    bool full = c->profile->options.formulas == TFP_FORMULAS_FULL;
    return full && !tfp_model_has_runs(s->model)
               ? tfp_shapes_node_times(s, instance, node)
               : tfp_shapes_times(s, instance);
}

static void take_instance(tfp_counting *c, const tfp_counted_graph *one,
                          uint32_t instance)
{
    bool full = c->profile->options.formulas == TFP_FORMULAS_FULL;
    tfp_column column = full ? TFP_COLUMN_FULL : TFP_COLUMN_UPSTREAM;
    const tfp_shapes *s = &one->shapes;
    uint32_t graph = s->instances.data[instance].graph;
    if (one->counts.skipped[column][instance])
        return; /* only the most expensive branch counts */
    for (uint32_t n = 0; n < s->model->graphs.data[graph].node_count; n++) {
        const tfp_node_count *count = &one->counts.of[instance][n];
        tfp_node node = tfp_expanded(&one->expansion, instance, n);
        int64_t times;
        if (node == TFP_NO_NODE)
            continue;
        times = times_of(c, s, instance, n);
        c->float_ops[node] = tfp_mul_sat(times, full ? count->work.float_ops
                                                     : count->upstream);
        c->macs = tfp_add_sat(c->macs, tfp_mul_sat(times, count->work.macs));
        c->uncounted[full ? count->counted : count->counted_upstream]++;
    }
}

static int take_float_ops(tfp_counting *c, tfprof_error *err)
{
    tfprof_profile *p = c->profile;
    c->float_ops = tfp_memory_zarray(&p->memory, p->model.nodes.count,
                                     sizeof(*c->float_ops));
    if (!c->float_ops)
        return tfp_fail_nomem(err);
    c->node_count = p->model.nodes.count;
    for (size_t g = 0; g < c->graphs.count; g++) {
        const tfp_counted_graph *one = c->graphs.data[g];
        for (uint32_t i = 0; i < one->shapes.instances.count; i++)
            take_instance(c, one, i);
    }
    return TFPROF_OK;
}

/* Several graphs may have a node of one name. The count is that of the first
 * node (member->node), but it is stored where views look it up: at the node
 * that an op log annotated (member->noted). A count from the log itself stays.
 */
static void note_float_ops(tfprof_profile *p, const tfp_census *census,
                           const int64_t *float_ops)
{
    for (size_t i = 0; i < census->members.count; i++) {
        const tfp_member *member = &census->members.data[i];
        int64_t *noted;
        if (member->node == TFP_NO_NODE)
            continue;
        noted = &p->model.nodes.float_ops[member->noted];
        if (*noted == 0)
            *noted = float_ops[member->node];
    }
}

static const struct {
    tfp_counted what;
    bool only_full;
    const char *why;
} reasons[] = {
    { TFP_COUNTED_UNKNOWN_SHAPE, false, "incomplete shapes" },
    { TFP_COUNTED_NO_FORMULA, true, "no formula" },
    { TFP_COUNTED_UNWALKED, true, "functions not walked" },
    { TFP_COUNTED_REFUSED, false,
      "layouts that TensorFlow's formulas do not support" },
};
enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

/* Operations without a formula of TensorFlow's are many, and nobody expects a
 * count of them. */
static int64_t count_of(const tfp_counting *c, size_t reason)
{
    bool full = c->profile->options.formulas == TFP_FORMULAS_FULL;
    return full || !reasons[reason].only_full
               ? c->uncounted[reasons[reason].what]
               : 0;
}

int64_t tfp_counting_gaps(const tfp_counting *c)
{
    int64_t all = 0;
    for (size_t i = 0; i < REASONS; i++)
        all += count_of(c, i);
    return all;
}

void tfp_remark_on_counting(const tfp_counting *c)
{
    int64_t all = tfp_counting_gaps(c), kinds = 0;
    char list[TFP_REMARK_PATH] = "";
    size_t used = 0;
    for (size_t i = 0; i < REASONS; i++)
        kinds += count_of(c, i) > 0;
    for (size_t i = 0; i < REASONS && used < sizeof(list); i++) {
        if (count_of(c, i) == 0)
            continue;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 used > 0 ? ", " : "", reasons[i].why);
        if (kinds > 1 && used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used,
                                     " (%lld)", (long long)count_of(c, i));
    }
    if (all > 0)
        tfp_remark(c->profile, "%lld operation%s no float operation count: %s",
                   (long long)all, all == 1 ? " has" : "s have", list);
}

/* ---- A question --------------------------------------------------------- */

static int count(tfp_counting *c, tfprof_error *err)
{
    tfprof_profile *p = c->profile;
    int status = tfp_formulas_read(&c->formulas, &p->memory,
                                   &p->options.formula_file, err);
    return status == TFPROF_OK ? count_graphs(c, err) : status;
}

/* In reverse order: each expansion has added to what the ones before left. */
static void release_graphs(tfp_counting *c)
{
    tfp_memory *memory = &c->profile->memory;
    while (c->graphs.count > 0) {
        tfp_counted_graph *last = c->graphs.data[--c->graphs.count];
        tfp_expand_undo(&last->expansion);
        if (last->counts.memory)
            tfp_counts_release(&last->counts);
        if (last->shapes.memory)
            tfp_shapes_release(&last->shapes);
        tfp_model_request_release(&last->request);
        tfp_memory_free(memory, last);
    }
    TFP_VEC_RELEASE(memory, &c->graphs);
}

int tfp_counting_begin(tfp_counting *c, tfprof_profile *p,
                       const tfp_census **census, tfprof_error *err)
{
    bool wanted;
    int status = tfp_profile_census(p, census, err);
    *c = (tfp_counting){ .profile = p };
    if (status != TFPROF_OK || p->model.nodes.count == 0)
        return status;
    wanted = wants_float_ops(p);
    c->walked = p->options.functions == TFP_FUNCTIONS_WALK;
    if (!wanted && !c->walked)
        return TFPROF_OK;
    status = count(c, err);
    if (status == TFPROF_OK && c->walked) {
        tfp_profile_drop_census(p);
        status = tfp_profile_census(p, census, err);
    }
    if (status == TFPROF_OK && wanted)
        status = take_float_ops(c, err);
    if (!c->walked) /* shapes need more memory than the view that follows */
        release_graphs(c);
    p->census.counted = c->float_ops;
    return status;
}

void tfp_counting_end(tfp_counting *c)
{
    tfprof_profile *p = c->profile;
    p->census.counted = NULL;
    if (c->walked)
        tfp_profile_drop_census(p);
    tfp_memory_free(&p->memory, c->float_ops);
    release_graphs(c);
    tfp_user_formulas_release(&c->formulas);
}

static int add_float_ops(tfp_counting *c, tfprof_error *err)
{
    tfprof_profile *p = c->profile;
    const tfp_census *census;
    int status = tfp_profile_census(p, &census, err);
    if (status != TFPROF_OK || p->options.formulas == TFP_FORMULAS_NONE ||
        p->model.nodes.count == 0)
        return status;
    status = count(c, err);
    if (status == TFPROF_OK)
        status = take_float_ops(c, err);
    if (status == TFPROF_OK) {
        note_float_ops(p, census, c->float_ops);
        tfp_remark_on_counting(c);
    }
    return status;
}

int tfprof_profile_add_float_ops(tfprof_profile *p, int only_listed,
                                 tfprof_error *err)
{
    tfp_counting c = { .profile = p, .is_told = only_listed != 0 };
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = add_float_ops(&c, err);
    tfp_counting_end(&c);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
