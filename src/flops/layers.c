/*
 * layers.c - what a model costs by layer.
 *
 * A layer is a name scope: so many parts of a node's name. What a function
 * does is named after its caller and so belongs to the caller's layer. When no
 * number of parts is given, scopes that everything shares are left out
 * ("mobilenet/"), and the next part is the layer.
 */
#include "flops/names.h"
#include "flops/report.h"
#include "model/model.h"

typedef struct layering {
    tfp_report *report;
    tfp_node_names names;
    uint32_t last;   /* layer that was found last */
    bool has_common; /* report->scope is that of some node */
} layering;

/* The end of the first `depth` parts of a name, from `from` on. */
static size_t end_of_parts(tfp_span name, size_t from, int64_t depth)
{
    for (size_t i = from; i < name.size; i++) {
        if (name.data[i] == '/' && --depth <= 0)
            return i;
    }
    return name.size;
}

/* ---- What all names share ----------------------------------------------- */

/* Makes the scope one that this name has, too. */
static bool share_scope(layering *l, tfp_span name)
{
    tfp_report *r = l->report;
    size_t end = 0;
    if (!l->has_common) {
        l->has_common = true;
        for (end = name.size; end > 0 && name.data[end - 1] != '/'; end--)
            continue;
        if (!TFP_VEC_RESERVE(r->memory, &r->scope, end))
            return false;
        if (end > 0)
            memcpy(r->scope.data, name.data, end);
        r->scope.count = end;
        return true;
    }
    for (size_t i = 0; i < r->scope.count && i < name.size &&
                       r->scope.data[i] == name.data[i];
         i++) {
        if (name.data[i] == '/')
            end = i + 1;
    }
    r->scope.count = end;
    return true;
}

/* ---- Rows --------------------------------------------------------------- */

static tfp_span layer_of(const tfp_report *r, tfp_span name)
{
    size_t from = r->scope.count;
    if (name.size == 0)
        return name;
    if (r->request.depth >= 0 || name.size < from ||
        (from > 0 && memcmp(name.data, r->scope.data, from) != 0))
        from = 0;
    name.size = end_of_parts(name, from,
                             r->request.depth >= 0 ? r->request.depth : 1);
    return (tfp_span){ name.data + from, name.size - from };
}

/* The row of the layer of a name; NULL when out of memory. */
static tfp_report_row *layer_row(layering *l, tfp_span name)
{
    tfp_report *r = l->report;
    tfp_report_row row = { 0 };
    uint32_t layer = tfp_intern_same(&r->layer_names, l->last,
                                     layer_of(r, name));
    if (layer == TFP_NO_ID)
        return NULL;
    l->last = layer;
    while (r->layers.all.count <= layer) {
        row.name = (uint32_t)r->layers.all.count;
        if (!TFP_VEC_PUSH(r->memory, &r->layers.all, row))
            return NULL;
    }
    return &r->layers.all.data[layer];
}

static bool add_node(layering *l, uint32_t instance, uint32_t node,
                     const tfp_verdict *v)
{
    tfp_report_row *row = layer_row(l,
                                    tfp_node_name(&l->names, instance, node));
    if (!row)
        return false;
    row->nodes++;
    row->uncounted += v->outcome == TFP_OUTCOME_UNCOUNTED;
    tfp_work_add(&row->work, &v->work, 1);
    return true;
}

static bool add_params(layering *l)
{
    const tfp_params *params = l->report->params;
    for (size_t i = 0; i < params->list.count; i++) {
        const tfp_param *param = &params->list.data[i];
        tfp_report_row *row;
        if (!param->counts || param->elements < 0)
            continue;
        row = layer_row(l,
                        tfp_node_name(&l->names, param->instance, param->node));
        if (!row)
            return false;
        row->params = tfp_add_sat(row->params, param->elements);
    }
    return true;
}

/* ---- Nodes -------------------------------------------------------------- */

typedef bool visit_fn(layering *l, uint32_t instance, uint32_t node,
                      const tfp_verdict *v);

/* Loop counters, at which scopes often end, do not count here. */
static bool visit_scope(layering *l, uint32_t instance, uint32_t node,
                        const tfp_verdict *v)
{
    bool counts = v->outcome == TFP_OUTCOME_UNCOUNTED || v->work.float_ops > 0;
    return !counts || share_scope(l, tfp_node_name(&l->names, instance, node));
}

/* Every node that computes. */
static bool visit_nodes(layering *l, visit_fn *visit)
{
    const tfp_report *r = l->report;
    const tfp_shapes *s = r->shapes;
    for (uint32_t i = 0; i < r->counts->instance_count; i++) {
        uint32_t count =
            s->model->graphs.data[s->instances.data[i].graph].node_count;
        if (!tfp_counts_has(r->counts, i))
            continue;
        for (uint32_t n = 0; n < count; n++) {
            tfp_verdict v = tfp_report_verdict(r, r->request.set, i, n);
            if ((v.outcome == TFP_OUTCOME_COUNTED ||
                 v.outcome == TFP_OUTCOME_UNCOUNTED) &&
                !visit(l, i, n, &v))
                return false;
        }
    }
    return !l->names.failed;
}

/* A layer without a name is nobody's, most often. */
static void drop_empty(tfp_report *r)
{
    tfp_report_row *rows = r->layers.all.data;
    if (r->layers.all.count == 0 || rows[0].nodes > 0 || rows[0].params > 0)
        return;
    r->layers.all.count--;
    memmove(rows, rows + 1, r->layers.all.count * sizeof(*rows));
}

bool tfp_report_add_layers(tfp_report *r)
{
    layering l = { .report = r };
    bool ok = true;
    tfp_node_names_init(&l.names, r->shapes, r->memory);
    if (r->request.depth < 0)
        ok = visit_nodes(&l, visit_scope);
    ok = ok && visit_nodes(&l, add_node) && add_params(&l) && !l.names.failed;
    if (ok)
        drop_empty(r);
    tfp_node_names_release(&l.names);
    return ok;
}
