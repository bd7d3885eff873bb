/*
 * flops_json.c - what a model costs, for programs.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "model/model.h"
#include "ops/fact/fact.h"
#include "ops/fact/shapes.h"
#include "ops/flops/names.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "options/options.h"
#include "output/flops/flops.h"
#include "proto/dtype.h"

/* ---- What was asked about ----------------------------------------------- */

static void put_shape(tfp_json *j, const char *key, const tfp_model *model,
                      tfp_shape shape)
{
    tfp_dims dims = tfp_dims_of(model, shape);
    if (dims.rank < 0) {
        tfp_json_null(j, key);
        return;
    }
    tfp_json_open_line(j, key, '[');
    for (int i = 0; i < dims.rank; i++) {
        if (dims.at[i] < 0)
            tfp_json_null(j, NULL);
        else
            tfp_json_exact_int(j, NULL, dims.at[i]);
    }
    tfp_json_close(j);
}

static void put_inputs(tfp_json *j, const tfp_report *r)
{
    const tfp_model *model = r->shapes->model;
    tfp_json_open(j, "inputs", '[');
    for (size_t i = 0; i < r->inputs.count; i++) {
        const tfp_model_input *in = &r->inputs.data[i];
        tfp_json_open_line(j, NULL, '{');
        if (in->key != 0)
            tfp_json_string(j, "key", tfp_model_text(model, in->key));
        tfp_json_string(j, "node", tfp_model_text(model, in->name));
        tfp_json_text(j, "dtype", tfp_dtype_word(in->dtype));
        put_shape(j, "shape", model, in->used);
        put_shape(j, "shape_stored", model, in->stored);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_signatures(tfp_json *j, const tfp_shapes *s)
{
    const tfp_model *model = s->model;
    if (s->request.signature == TFP_NO_ID)
        tfp_json_null(j, "signature");
    else
        tfp_json_string(
            j, "signature",
            tfp_model_text(model,
                           model->signatures.data[s->request.signature].key));
    tfp_json_open_line(j, "signatures", '[');
    for (size_t i = 0; i < model->signatures.count; i++) {
        if (model->signatures.data[i].graph == s->request.graph)
            tfp_json_string(
                j, NULL, tfp_model_text(model, model->signatures.data[i].key));
    }
    tfp_json_close(j);
}

static void put_model(tfp_json *j, const tfp_report *r)
{
    const tfp_model *model = r->shapes->model;
    const tfp_graph *graph = &model->graphs.data[r->shapes->request.graph];
    const tfp_input *input = &model->inputs.data[graph->input];
    static const char *const sets[] = {
        [TFP_SET_FULL] = "full",
        [TFP_SET_TENSORFLOW] = "tensorflow",
        [TFP_SET_NONE] = "none",
    };
    tfp_json_string(j, "model", tfp_model_text(model, input->path));
    tfp_json_text(j, "kind", tfp_file_kind_name(input->kind));
    put_signatures(j, r->shapes);
    tfp_json_text(j, "formulas", sets[r->request.set]);
    tfp_json_text(j, "functions", r->shapes->request.walk ? "walk" : "none");
    put_inputs(j, r);
}

/* ---- Parameters --------------------------------------------------------- */

static void put_sum(tfp_json *j, const char *key, const tfp_param_sum *sum)
{
    tfp_json_open_line(j, key, '{');
    tfp_json_int(j, "count", sum->count);
    tfp_json_exact_int(j, "elements", sum->elements);
    tfp_json_exact_int(j, "bytes", sum->bytes);
    tfp_json_close(j);
}

/* Elements of parameters by type: {"float32": 25482}. */
static void put_dtypes(tfp_json *j, const tfp_params *p)
{
    tfp_json_open_line(j, "dtypes", '{');
    for (int32_t dtype = 1; tfp_dtype_find(dtype); dtype++) {
        int64_t elements = 0, count = 0;
        for (size_t i = 0; i < p->list.count; i++) {
            const tfp_param *param = &p->list.data[i];
            if (param->counts && param->elements >= 0 &&
                tfp_dtype_find(param->dtype)->dtype == dtype) {
                elements = tfp_add_sat(elements, param->elements);
                count++;
            }
        }
        if (count > 0)
            tfp_json_exact_int(j, tfp_dtype_word(dtype), elements);
    }
    tfp_json_close(j);
}

static void put_known(tfp_json *j, const char *key, bool known, int64_t value)
{
    if (known)
        tfp_json_exact_int(j, key, value);
    else
        tfp_json_null(j, key);
}

static void put_params(tfp_json *j, const tfp_params *p)
{
    const tfp_param_sum *unsure = &p->by_trainable[TFP_TRAINABLE_UNKNOWN];
    bool known = !tfp_params_is_unknown(p);
    put_known(j, "params", known, p->all.elements);
    put_known(j, "trainable_params", known && unsure->count == 0,
              p->by_trainable[TFP_TRAINABLE_YES].elements);
    tfp_json_text(j, "params_rule", tfp_rule_words[p->rule]);
    tfp_json_bool(j, "params_estimated", tfp_params_is_estimate(p->rule));
    put_known(j, "bytes", known, p->all.bytes);
    put_dtypes(j, p);
    tfp_json_open(j, "variables", '{');
    put_sum(j, "trainable", &p->by_trainable[TFP_TRAINABLE_YES]);
    put_sum(j, "not_trainable", &p->by_trainable[TFP_TRAINABLE_NO]);
    put_sum(j, "trainable_unknown", unsure);
    put_sum(j, "state", &p->state);
    tfp_json_int(j, "unknown_shapes", p->unknown);
    tfp_json_close(j);
    tfp_json_open_line(j, "constants", '{');
    tfp_json_int(j, "float_count", p->constants.count);
    tfp_json_exact_int(j, "float_elements", p->constants.elements);
    tfp_json_exact_int(j, "float_bytes", p->constants.bytes);
    tfp_json_close(j);
}

/* ---- Work --------------------------------------------------------------- */

static void put_coverage(tfp_json *j, const tfp_report *r)
{
    tfp_json_open(j, "coverage", '{');
    tfp_json_int(j, "nodes", r->nodes);
    tfp_json_int(j, "compute_nodes", r->compute);
    tfp_json_int(j, "counted_nodes", r->counted);
    tfp_json_open_line(j, "uncounted_nodes", '{');
    for (int why = 0; why < TFP_WHY_COUNT; why++) {
        if (r->by_why[why] > 0)
            tfp_json_int(j, tfp_why_words[why], r->by_why[why]);
    }
    tfp_json_close(j);
    tfp_json_bool(j, "complete", r->counted == r->compute);
    tfp_json_close(j);
}

static void put_loops(tfp_json *j, const tfp_report *r,
                      tfp_flops_scratch *scratch)
{
    static const char *const rules[] = {
        [TFP_TIMES_ONCE] = "once",         [TFP_TIMES_EVALUATED] = "evaluated",
        [TFP_TIMES_RECORDED] = "recorded", [TFP_TIMES_GIVEN] = "given",
        [TFP_TIMES_ASSUMED] = "assumed",
    };
    tfp_json_open(j, "loops", '[');
    for (size_t i = 0; i < r->loops.count && !tfp_sink_is_done(j->sink, i);
         i++) {
        const tfp_report_loop *loop = &r->loops.data[i];
        tfp_json_open_line(j, NULL, '{');
        tfp_json_string(
            j, "node",
            tfp_node_name(&scratch->names, loop->instance, loop->node));
        tfp_json_exact_int(j, "trips", loop->trips);
        tfp_json_text(j, "rule", rules[loop->rule]);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

/* What nobody has said and the figures depend on. */
static void put_assumed(tfp_json *j, const tfp_report *r,
                        tfp_flops_scratch *scratch)
{
    const tfp_model *model = r->shapes->model;
    tfp_json_open(j, "assumed", '[');
    for (size_t i = 0; i < r->inputs.count; i++) {
        const tfp_model_input *in = &r->inputs.data[i];
        if (!in->is_one)
            continue;
        tfp_json_open_line(j, NULL, '{');
        tfp_json_text(j, "what", "batch");
        tfp_json_string(j, "name",
                        tfp_model_text(model, in->key ? in->key : in->name));
        tfp_json_int(j, "value", r->shapes->request.batch);
        tfp_json_close(j);
    }
    for (size_t i = 0; i < r->loops.count && !tfp_sink_is_done(j->sink, i);
         i++) {
        const tfp_report_loop *loop = &r->loops.data[i];
        if (loop->rule != TFP_TIMES_ASSUMED)
            continue;
        tfp_json_open_line(j, NULL, '{');
        tfp_json_text(j, "what", "trips");
        tfp_json_string(
            j, "name",
            tfp_node_name(&scratch->names, loop->instance, loop->node));
        tfp_json_int(j, "value", loop->trips);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_work(tfp_json *j, const tfp_report *r,
                     tfp_flops_scratch *scratch)
{
    tfp_json_exact_int(j, "float_ops", r->work.float_ops);
    tfp_json_exact_int(j, "int_ops", r->work.int_ops);
    tfp_json_exact_int(j, "macs", r->work.macs);
    tfp_json_exact_int(j, "float_ops_tensorflow", r->tensorflow);
    tfp_json_text(j, "convention", "1 MAC = 2 FLOPs");
    tfp_json_bool(j, "saturated", tfp_report_is_saturated(r));
    tfp_json_bool(j, "lower_bound", tfp_report_is_partial(r));
    put_coverage(j, r);
    tfp_json_int(j, "dead_nodes", r->dead_nodes);
    tfp_json_exact_int(j, "dead_float_ops", r->dead.float_ops);
    tfp_json_int(j, "branches", r->branches);
    put_loops(j, r, scratch);
    put_assumed(j, r, scratch);
}

/* ---- All ---------------------------------------------------------------- */

static void put_list(const tfp_flops_answer *a, tfp_json *j, tfp_list_kind kind,
                     tfp_flops_scratch *scratch)
{
    const tfp_flops_list *list = &tfp_flops_lists[kind];
    tfp_columns columns;
    tfp_json_open(j, list->key, '[');
    tfp_columns_init_labels(&columns, j->sink, j, TFP_COLUMNS_JSON,
                            list->columns, list->count, a->labels);
    tfp_flops_put_list(a, list, &columns, scratch, SIZE_MAX);
    tfp_json_close(j);
}

void tfp_flops_write_json(const tfp_flops_answer *a, tfp_sink *sink,
                          tfp_flops_scratch *scratch)
{
    tfp_list_kind kind = a->list;
    const tfp_report *r = a->report;
    tfp_json j;
    tfp_json_init(&j, sink);
    tfp_json_open(&j, NULL, '{');
    if (kind == TFP_LIST_SUMMARY) {
        put_model(&j, r);
        put_params(&j, r->params);
        put_work(&j, r, scratch);
        put_list(a, &j, TFP_LIST_TYPES, scratch);
        if (r->scope.count > 0)
            tfp_json_string(&j, "layer_scope",
                            (tfp_span){ r->scope.data, r->scope.count });
        put_list(a, &j, TFP_LIST_LAYERS, scratch);
        put_list(a, &j, TFP_LIST_UNCOUNTED, scratch);
    } else {
        put_list(a, &j, kind, scratch);
    }
    tfp_json_close(&j);
}
