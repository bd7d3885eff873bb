/*
 * flops.c - the public function about a model's arithmetic.
 */
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "flops/count.h"
#include "output/answer.h"
#include "output/flops_lists.h"

/* ---- What is counted ---------------------------------------------------- */

/* The first graph that is one: of several files, the first counts. */
static uint32_t find_graph(const tfp_model *model)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        if (model->graphs.data[i].kind == TFP_GRAPH_PLAIN)
            return (uint32_t)i;
    }
    return TFP_NO_ID;
}

static uint32_t find_signature(const tfprof_profile *p, uint32_t graph)
{
    const char *wanted = p->options.signature.count > 0
                             ? p->options.signature.data
                             : "serving_default";
    for (size_t i = 0; i < p->model.signatures.count; i++) {
        const tfp_signature *signature = &p->model.signatures.data[i];
        if (signature->graph == graph &&
            tfp_span_is(tfp_model_text(&p->model, signature->key), wanted))
            return (uint32_t)i;
    }
    return TFP_NO_ID;
}

static bool walks(const tfp_options *options)
{
    if (options->functions != TFP_FUNCTIONS_AUTO)
        return options->functions == TFP_FUNCTIONS_WALK;
    return options->formulas == TFP_FORMULAS_AUTO ||
           options->formulas == TFP_FORMULAS_FULL;
}

/* ---- The answer --------------------------------------------------------- */

static int write_tensors(const void *counts, tfp_sink *sink, tfprof_error *err)
{
    return tfp_flops_list_tensors(counts, sink, err);
}

static int write_nodes(const void *counts, tfp_sink *sink, tfprof_error *err)
{
    return tfp_flops_list_nodes(counts, sink, err);
}

static int write_flops(tfprof_profile *p, tfprof_write_fn *write, void *context,
                       tfprof_error *err)
{
    uint32_t graph = find_graph(&p->model);
    tfp_shape_request request = { .graph = graph,
                                  .signature = find_signature(p, graph),
                                  .walk = walks(&p->options),
                                  .batch = p->options.batch };
    tfp_shapes shapes;
    tfp_counts counts = { 0 };
    tfp_answer answer = { .write = p->options.list == TFP_LIST_NODES
                                       ? write_nodes
                                       : write_tensors,
                          .subject = &counts,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    int status;
    if (graph == TFP_NO_ID)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "there is no graph among the inputs");
    status = tfp_shapes_init(&shapes, &p->model, &p->memory, &request,
                             &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_counts_init(&counts, &shapes, &p->memory, &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_question_send(p, &answer, write, context, err);
    tfp_counts_release(&counts);
    tfp_shapes_release(&shapes);
    return status;
}

int tfprof_profile_write_flops(tfprof_profile *p, tfprof_write_fn *write,
                               void *context, tfprof_error *err)
{
    int status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = write_flops(p, write, context, err);
    return tfp_question_end(p, status, err);
}
