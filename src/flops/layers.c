/*
 * layers.c - what a model costs by layer.
 *
 * A layer is a name scope: so many parts of a node's name. What a function
 * does is named after its caller and so belongs to the caller's layer. When no
 * number of parts is given, scopes that everything shares are left out
 * ("mobilenet/"), and the next part is the layer.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
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

/* Does it compute? */
static bool is_part(const tfp_verdict *v)
{
    return v->outcome == TFP_OUTCOME_COUNTED ||
           v->outcome == TFP_OUTCOME_UNCOUNTED;
}

static bool add_node(void *context, uint32_t instance, uint32_t node,
                     const tfp_verdict *v)
{
    layering *l = context;
    tfp_report_row *row;
    if (!is_part(v))
        return true;
    row = layer_row(l, tfp_node_name(&l->names, instance, node));
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
        if (tfp_watch_ends(&l->report->watch))
            return false;
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

/* Loop counters, at which scopes often end, do not count here. Once nothing is
 * shared there is no more to find out. */
static bool visit_scope(void *context, uint32_t instance, uint32_t node,
                        const tfp_verdict *v)
{
    layering *l = context;
    if (!is_part(v) ||
        (v->outcome == TFP_OUTCOME_COUNTED && v->work.float_ops == 0))
        return true;
    if (!share_scope(l, tfp_node_name(&l->names, instance, node)))
        l->names.failed = true;
    return !l->names.failed && l->report->scope.count > 0;
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
    bool ok;
    tfp_node_names_init(&l.names, r->shapes, r->memory);
    if (r->request.depth < 0)
        tfp_report_visit(r, visit_scope, &l);
    ok = !l.names.failed && tfp_report_visit(r, add_node, &l) &&
         add_params(&l) && !l.names.failed;
    if (ok)
        drop_empty(r);
    tfp_node_names_release(&l.names);
    return ok;
}
