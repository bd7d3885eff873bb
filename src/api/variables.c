/*
 * variables.c - the variables of a SavedModel, each once.
 */
#include "api/variables.h"

#include <string.h>

#include "api/model_request.h"
#include "api/remarks.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "model/costs.h"
#include "model/graph.h"
#include "model/model.h"
#include "ops/fact/shapes.h"
#include "ops/flops/params.h"
#include "options/options.h"
#include "view/order.h"
#include "view/view.h"

/* What is looked at on the way. */
typedef struct search {
    tfp_model_request request;
    tfp_shapes shapes;
    tfp_params params;
} search;

/* Are there signatures, and one graph alone that they may be of? */
static bool has_signatures(const tfp_model *model)
{
    size_t graphs = 0;
    for (size_t i = 0; i < model->graphs.count; i++)
        graphs += model->graphs.data[i].kind == TFP_GRAPH_PLAIN &&
                  model->graphs.data[i].node_count > 0;
    return graphs == 1 && model->signatures.count > 0;
}

static int find(tfprof_profile *p, search *s, tfprof_error *err)
{
    int status = tfp_model_request_init(&s->request, p, err);
    if (status == TFPROF_OK)
        status = tfp_shapes_init(&s->shapes, &p->model, &p->memory,
                                 &s->request.request, &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_params_init(&s->params, &s->shapes, &p->memory, err);
    return status;
}

static void release(search *s)
{
    if (s->params.memory)
        tfp_params_release(&s->params);
    if (s->shapes.memory)
        tfp_shapes_release(&s->shapes);
    if (s->request.memory)
        tfp_model_request_release(&s->request);
}

/* The node that counts: the one with the name that people know, if it is
 * there, else the copy that the signature uses. */
static tfp_node node_of(const tfp_model *model, const tfp_param *param)
{
    tfp_node named = tfp_model_find_node(model, param->name);
    tfp_member one = { .node = named }, other = { .node = param->handle };
    return named != TFP_NO_NODE && named < model->nodes.count &&
                   model->nodes.op[named] == model->nodes.op[param->handle] &&
                   tfp_member_params(model, &one) ==
                       tfp_member_params(model, &other)
               ? named
               : param->handle;
}

static int mark(tfp_once *once, const tfp_params *params, tfprof_error *err)
{
    tfprof_profile *p = once->profile;
    size_t nodes = once->nodes = p->model.nodes.count;
    once->counts = tfp_memory_zarray(&p->memory, nodes, 1);
    if (!once->counts)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < params->list.count; i++) {
        const tfp_param *param = &params->list.data[i];
        if (param->counts && param->handle < nodes)
            once->counts[node_of(&p->model, param)] = 1;
    }
    for (size_t i = 0; i < p->census.members.count; i++) {
        const tfp_member *member = &p->census.members.data[i];
        int64_t count = tfp_member_params(&p->model, member);
        bool is_one = member->node != TFP_NO_NODE && once->counts[member->node];
        once->all = tfp_add_sat(once->all, count);
        once->params = tfp_add_sat(once->params, is_one ? count : 0);
    }
    return TFPROF_OK;
}

static bool wants_params(const tfprof_profile *p)
{
    return tfp_view_costs(&p->census, &p->options) >> TFP_COST_PARAMS & 1;
}

/* Do the options name them? A page selects for itself. */
static bool asks_for_params(const tfprof_profile *p)
{
    return p->options.select != TFP_SELECT_AUTO &&
           p->options.output.kind != TFP_OUTPUT_HTML &&
           p->options.select & TFP_SELECT_PARAMS;
}

/* A frozen graph has no variables. `flops` and `summary` count its constants,
 * and views do not. */
static void tell_constants(const tfprof_profile *p, const tfp_params *params)
{
    if (tfp_params_is_estimate(params->rule) && params->all.count > 0)
        tfp_remark(p,
                   "views count only variables and placeholders; tfprof flops "
                   "also counts %lld parameters in %lld constant%s",
                   (long long)params->all.elements,
                   (long long)params->all.count,
                   params->all.count == 1 ? "" : "s");
}

static void tell(const tfp_once *once)
{
    if (once->all == once->params)
        return;
    if (once->is_ours)
        tfp_remark(once->profile,
                   "each variable that the signature uses is counted once "
                   "(--format text counts all variable nodes, as TensorFlow "
                   "does: %lld parameters)",
                   (long long)once->all);
    else
        tfp_remark(once->profile,
                   "all variable nodes are counted, as in TensorFlow; the "
                   "signature uses %lld parameters (see tfprof flops)",
                   (long long)once->params);
}

int tfp_once_begin(tfp_once *once, tfprof_profile *p, const tfp_view_type *type,
                   bool is_data, tfprof_error *err)
{
    const tfp_census *census;
    tfprof_error why;
    search s = { 0 };
    int status = tfp_profile_census(p, &census, err);
    *once = (tfp_once){ .profile = p };
    if (status != TFPROF_OK || !wants_params(p) ||
        (!has_signatures(&p->model) && !(p->remark && asks_for_params(p))))
        return status;
    once->is_ours = is_data || tfp_view_is_table(&p->options) ||
                    tfp_view_is_data(type, &p->options);
    status = find(p, &s, &why);
    if (status == TFPROF_OK && asks_for_params(p))
        tell_constants(p, &s.params);
    if (status == TFPROF_OK && has_signatures(&p->model) &&
        s.params.rule == TFP_PARAMS_SIGNATURE) {
        status = mark(once, &s.params, &why);
        if (status == TFPROF_OK)
            tell(once);
    }
    release(&s);
    if (status == TFPROF_ERR_MISSING || status == TFPROF_ERR_OPTION)
        return TFPROF_OK; /* no signature is the one: all nodes count */
    if (status != TFPROF_OK && err)
        *err = why;
    return status;
}

void tfp_once_hold(const tfp_once *once)
{
    if (!once->is_ours)
        return;
    once->profile->census.counts_params = once->counts;
    once->profile->census.counting_nodes = once->nodes;
}

void tfp_once_end(tfp_once *once)
{
    once->profile->census.counts_params = NULL;
    tfp_memory_free(&once->profile->memory, once->counts);
}
