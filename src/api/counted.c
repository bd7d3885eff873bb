/*
 * counted.c - float operations that no file gives, found by formulas.
 */
#include "api/counted.h"

#include "flops/count.h"
#include "view/view.h"

static bool logs_have_float_ops(const tfp_model *model)
{
    for (size_t i = 0; i < model->nodes.count; i++) {
        if (model->nodes.float_ops[i] != 0)
            return true;
    }
    return false;
}

/* Counts the nodes of one graph. */
static int count_graph(tfprof_profile *p, uint32_t graph, tfprof_error *err)
{
    const tfp_graph *g = &p->model.graphs.data[graph];
    bool full = p->options.formulas == TFP_FORMULAS_FULL;
    tfp_shape_request request = { .graph = graph,
                                  .signature = TFP_NO_ID,
                                  .batch = p->options.batch,
                                  .uses_runs = true };
    tfp_counts counts = { 0 };
    tfp_shapes shapes;
    int status = tfp_shapes_init(&shapes, &p->model, &p->memory, &request,
                                 &p->cancel, err);
    if (status == TFPROF_OK)
        status = tfp_counts_init(&counts, &shapes, &p->memory, &p->cancel, err);
    for (uint32_t n = 0; status == TFPROF_OK && n < g->node_count; n++) {
        const tfp_node_count *count = &counts.of[0][n];
        p->counted[g->first_node + n] = full ? count->work.float_ops
                                             : count->upstream;
    }
    tfp_counts_release(&counts);
    tfp_shapes_release(&shapes);
    return status;
}

int tfp_count_float_ops(tfprof_profile *p, tfprof_error *err)
{
    size_t count = p->model.nodes.count;
    int status = TFPROF_OK;
    if (p->options.formulas == TFP_FORMULAS_NONE || count == 0 ||
        !(tfp_view_costs(&p->census, &p->options) >> TFP_COST_FLOAT_OPS & 1) ||
        logs_have_float_ops(&p->model))
        return TFPROF_OK;
    p->counted = tfp_memory_resize(&p->memory, NULL, 0,
                                   count * sizeof(*p->counted));
    if (!p->counted)
        return tfp_fail_nomem(err);
    memset(p->counted, 0, count * sizeof(*p->counted));
    p->census.counted = p->counted;
    for (size_t i = 0; status == TFPROF_OK && i < p->model.graphs.count; i++) {
        if (p->model.graphs.data[i].kind == TFP_GRAPH_PLAIN)
            status = count_graph(p, (uint32_t)i, err);
    }
    return status;
}

void tfp_counted_release(tfprof_profile *p)
{
    tfp_memory_free(&p->memory, p->counted,
                    p->model.nodes.count * sizeof(*p->counted));
    p->counted = NULL;
    p->census.counted = NULL;
}
