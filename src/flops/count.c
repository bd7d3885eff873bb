/*
 * count.c - the arithmetic of every node of every instance.
 */
#include "flops/count.h"

static const tfp_graph *graph_of(const tfp_shapes *s, size_t instance)
{
    return &s->model->graphs.data[s->instances.data[instance].graph];
}

static bool count_node(tfp_shapes *s, uint32_t instance, uint32_t node,
                       tfp_node_count *count)
{
    tfp_site site;
    if (!tfp_shapes_site(s, instance, node, TFP_GRADE_TENSORFLOW, &site))
        return false;
    count->counted_upstream = (uint8_t)tfp_formula_upstream(&site,
                                                            &count->upstream);
    site.grade = TFP_GRADE_FULL;
    count->counted = (uint8_t)tfp_formula_full(&site, &count->work);
    return true;
}

static bool count_instance(tfp_counts *c, uint32_t instance)
{
    size_t nodes = graph_of(c->shapes, instance)->node_count;
    tfp_node_count *counts = tfp_memory_resize(c->memory, NULL, 0,
                                               (nodes + 1) * sizeof(*counts));
    c->of[instance] = counts;
    for (uint32_t n = 0; counts && n < nodes; n++) {
        if (!count_node(c->shapes, instance, n, &counts[n]))
            return false;
    }
    return counts != NULL;
}

int tfp_counts_init(tfp_counts *c, tfp_shapes *shapes, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err)
{
    size_t size = shapes->instances.count * sizeof(*c->of);
    *c = (tfp_counts){ .memory = memory, .shapes = shapes };
    c->of = tfp_memory_resize(memory, NULL, 0, size);
    if (!c->of)
        return tfp_fail_nomem(err);
    memset(c->of, 0, size);
    c->instance_count = shapes->instances.count;
    for (size_t i = 0; i < c->instance_count; i++) {
        if (tfp_cancelled(cancel))
            return tfp_fail_cancelled(err);
        if (!count_instance(c, (uint32_t)i))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

void tfp_counts_release(tfp_counts *c)
{
    for (size_t i = 0; i < c->instance_count; i++)
        tfp_memory_free(c->memory, c->of[i],
                        ((size_t)graph_of(c->shapes, i)->node_count + 1) *
                            sizeof(*c->of[i]));
    tfp_memory_free(c->memory, c->of, c->instance_count * sizeof(*c->of));
}
