/*
 * count.c - the arithmetic of every node of every instance.
 */
#include "ops/flops/count.h"

#include "base/intern.h"
#include "model/model.h"

enum { NODES_BETWEEN_ASKS = 4096 };

/* ---- Nodes -------------------------------------------------------------- */

static bool count_node(tfp_counts *c, const tfp_counter *counter,
                       uint32_t instance, uint32_t node, tfp_node_count *count)
{
    tfp_site site;
    if (!tfp_shapes_site(c->shapes, instance, node, TFP_GRADE_TENSORFLOW,
                         &site))
        return false;
    count->counted_upstream = (uint8_t)tfp_counter_upstream(counter, &site,
                                                            &count->upstream);
    site.grade = TFP_GRADE_FULL;
    count->counted = (uint8_t)tfp_counter_full(counter, &site, &count->work);
    /* Until an instance proves otherwise. */
    if (count->counted == TFP_COUNTED_CALL)
        count->counted = TFP_COUNTED_UNWALKED;
    return true;
}

static const tfp_node_count free_count = {
    .counted = TFP_COUNTED_FREE, .counted_upstream = TFP_COUNTED_NO_FORMULA
};

static int count_instance(tfp_counts *c, uint32_t instance,
                          const tfp_cancel *cancel, tfprof_error *err)
{
    const tfp_instance *in = &c->shapes->instances.data[instance];
    const tfp_graph *graph = tfp_instance_graph(c->shapes, instance);
    const tfp_string *ops = tfp_graph_nodes(c->shapes->model, graph)->op;
    size_t nodes = graph->node_count;
    tfp_node_count *counts = tfp_memory_array(c->memory, nodes + 1,
                                              sizeof(*counts));
    const tfp_counter *counter;
    c->of[instance] = counts;
    for (uint32_t n = 0; counts && n < nodes; n++) {
        if (n % NODES_BETWEEN_ASKS == 0 && tfp_cancelled(cancel))
            return tfp_fail_cancelled(err);
        counter = tfp_formulas_find(&c->formulas, ops[graph->first_node + n]);
        if (!counter)
            return tfp_fail_nomem(err);
        /* More than half of all nodes: their shapes do not matter. */
        if (tfp_counter_is_free(counter))
            counts[n] = free_count;
        else if (!count_node(c, counter, instance, n, &counts[n]))
            return tfp_fail_nomem(err);
    }
    if (in->parent != TFP_NO_ID)
        c->of[in->parent][in->caller].counted = TFP_COUNTED_CALL;
    return counts ? TFPROF_OK : tfp_fail_nomem(err);
}

/* A call of which a part was past the budget of the walk is not complete, even
 * if other parts of it, branches of a Case, were walked. */
static void mark_cut_short(tfp_counts *c)
{
    for (size_t i = 0; i < c->shapes->unwalked.count; i++) {
        const tfp_unwalked_call *call = &c->shapes->unwalked.data[i];
        if (call->why == TFP_UNWALKED_MANY)
            c->of[call->instance][call->node].counted = TFP_COUNTED_UNWALKED;
    }
}

/* ---- Life --------------------------------------------------------------- */

static bool prepare(tfp_counts *c)
{
    size_t count = c->shapes->instances.count;
    c->of = tfp_memory_zarray(c->memory, count, sizeof(*c->of));
    if (!c->of)
        return false;
    c->instance_count = count;
    for (size_t k = 0; k < TFP_COLUMN_COUNT; k++) {
        c->skipped[k] = tfp_memory_zarray(c->memory, count, sizeof(bool));
        if (!c->skipped[k])
            return false;
    }
    return true;
}

int tfp_counts_init(tfp_counts *c, tfp_shapes *shapes,
                    const tfp_user_formulas *user, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err)
{
    int status;
    *c = (tfp_counts){ .memory = memory,
                       .shapes = shapes,
                       .formulas = { memory, shapes, user, { 0 } } };
    if (!prepare(c))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < c->instance_count; i++) {
        status = count_instance(c, (uint32_t)i, cancel, err);
        if (status != TFPROF_OK)
            return status;
    }
    mark_cut_short(c);
    return tfp_counts_choose(c) ? TFPROF_OK : tfp_fail_nomem(err);
}

void tfp_counts_release(tfp_counts *c)
{
    for (size_t i = 0; i < c->instance_count; i++)
        tfp_memory_free(c->memory, c->of[i]);
    for (size_t k = 0; k < TFP_COLUMN_COUNT; k++)
        tfp_memory_free(c->memory, c->skipped[k]);
    tfp_memory_free(c->memory, c->of);
    tfp_formulas_release(&c->formulas);
}

bool tfp_counts_has(const tfp_counts *c, uint32_t instance)
{
    while (instance != TFP_NO_ID && instance != c->shapes->subject)
        instance = c->shapes->instances.data[instance].parent;
    return instance == c->shapes->subject;
}
