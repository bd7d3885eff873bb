/*
 * layers.c - what a model costs by layer.
 *
 * A layer is a name scope: so many parts of a node's name. What a function
 * does is named after its caller and so belongs to the caller's layer. When no
 * number of parts is given, scopes that everything shares are left out
 * ("mobilenet/"), and the next part is the layer.
 *
 * Keras 3 opens the scope of a layer twice, to build it and to call it, and
 * TensorFlow tells the second from the first by a number: what a layer does is
 * in "conv2d_1", its variables are in "conv2d". Where variables show that, the
 * number is left out, so that layers have the names that the model gave them.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/fact.h"
#include "ops/fact/shapes.h"
#include "ops/flops/names.h"
#include "ops/flops/report.h"

typedef struct layering {
    tfp_report *report;
    tfp_node_names names;
    uint32_t last;    /* layer that was found last */
    bool has_common;  /* report->scope is that of some node */
    bool is_numbered; /* scopes have a number more than layers */
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

/* ---- Numbers of scopes -------------------------------------------------- */

/* Names in files may have very many parts; those of models have a few. */
enum { MOST_PARTS = 16 };

/* Is one of the first parts of a path this one? */
static bool has_part(tfp_span path, tfp_span part)
{
    size_t from = 0;
    for (int i = 0; i < MOST_PARTS && from < path.size; i++) {
        size_t end = end_of_parts(path, from, 1);
        if (end - from == part.size &&
            !memcmp(path.data + from, part.data, part.size))
            return true;
        from = end + 1;
    }
    return false;
}

/* Compares the numbered scopes of a node with the name of a variable it uses.
 * 1: the variable has such a scope without the number ("conv2d" for
 * "conv2d_1"). -1: it has the scope with the number. 0: it has neither. */
static int compare_scopes(tfp_span node, tfp_span variable)
{
    int found = 0;
    size_t from = 0;
    for (int i = 0; i < MOST_PARTS && from < node.size; i++) {
        size_t end = end_of_parts(node, from, 1), size;
        tfp_span part = { node.data + from, end - from };
        if (end == node.size)
            return found;
        size = tfp_name_size(part);
        from = end + 1;
        if (size == part.size)
            continue;
        if (has_part(variable, part))
            return -1;
        part.size = size;
        if (has_part(variable, part))
            found = 1;
    }
    return found;
}

static bool find_numbers(layering *l)
{
    const tfp_params *params = l->report->params;
    for (size_t i = 0; i < params->list.count; i++) {
        const tfp_param *param = &params->list.data[i];
        int found;
        if (tfp_watch_ends(&l->report->watch))
            return false;
        found = compare_scopes(
            tfp_node_name(&l->names, param->instance, param->node),
            tfp_model_text(l->report->shapes->model, param->name));
        if (found != 0)
            l->is_numbered = found > 0;
        if (found < 0)
            return true;
    }
    return true;
}

/* ---- Rows --------------------------------------------------------------- */

static tfp_span layer_of(const layering *l, tfp_span name)
{
    const tfp_report *r = l->report;
    size_t from = r->scope.count, whole = name.size;
    if (name.size == 0)
        return name;
    if (r->request.depth >= 0 || name.size < from ||
        (from > 0 && memcmp(name.data, r->scope.data, from) != 0))
        from = 0;
    name.size = end_of_parts(name, from,
                             r->request.depth >= 0 ? r->request.depth : 1);
    whole -= name.size;
    name = (tfp_span){ name.data + from, name.size - from };
    if (l->is_numbered && whole > 0) /* it is a scope, not a node */
        name.size = tfp_name_size(name);
    return name;
}

/* The row of the layer of a name; NULL when out of memory. */
static tfp_report_row *layer_row(layering *l, tfp_span name)
{
    tfp_report *r = l->report;
    tfp_report_row row = { .output = TFP_SHAPE_NONE, .place = TFP_NO_ID };
    uint32_t layer = tfp_intern_same(&r->layer_names, l->last,
                                     layer_of(l, name));
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

/* ---- What leaves layers ------------------------------------------------- */

/* The nodes of the subject: the layer of each, or TFP_NO_ID. */
typedef struct placing {
    layering *l;
    const tfp_shapes *shapes;
    const tfp_graph *graph;
    uint32_t *layer;
} placing;

static tfp_shape shape_at(const placing *p, uint32_t tensor)
{
    const tfp_instance *in = &p->shapes->instances.data[p->shapes->subject];
    return in->tensors[tensor].of[TFP_GRADE_FULL].shape;
}

/* Scopes that only move data are layers too, such as Flatten; those of mere
 * nodes have no number. */
static bool place_node(placing *p, uint32_t node)
{
    layering *l = p->l;
    const tfp_instance *in = &p->shapes->instances.data[p->shapes->subject];
    tfp_span name = tfp_node_name(&l->names, p->shapes->subject, node);
    tfp_span layer = layer_of(l, name);
    bool is_wanted = !in->live || tfp_bit(in->live, node);
    bool has_number = layer.data + layer.size < name.data + name.size &&
                      layer.data[layer.size] == '_';
    tfp_report_row *row;
    if (has_number && is_wanted && !layer_row(l, name))
        return false;
    p->layer[node] = tfp_interner_find(&l->report->layer_names, layer);
    if (p->layer[node] == TFP_NO_ID ||
        p->layer[node] >= l->report->layers.all.count) {
        p->layer[node] = TFP_NO_ID;
        return true;
    }
    row = &l->report->layers.all.data[p->layer[node]];
    if (row->place == TFP_NO_ID)
        row->place = node;
    return true;
}

/* The output of a layer is a tensor that a node of another layer reads. If
 * there are several, it is the one from the source with the largest number. */
static void look_at_inputs(const placing *p, uint32_t node, uint32_t *last)
{
    const tfp_nodes *nodes = tfp_graph_nodes(p->shapes->model, p->graph);
    const tfp_layout *layout =
        &p->shapes
             ->layouts[p->shapes->instances.data[p->shapes->subject].graph];
    size_t count;
    const tfp_edge *in = tfp_node_inputs(nodes, p->graph->first_node + node,
                                         &count);
    size_t first = nodes->first_edge[p->graph->first_node + node] -
                   p->graph->first_edge;
    for (size_t i = 0; i < count; i++) {
        uint32_t tensor = layout->edge_tensor[first + i], source, layer;
        if (in[i].output == TFP_CONTROL || in[i].source == TFP_NO_NODE ||
            tensor >= layout->tensor_count)
            continue;
        source = (uint32_t)(in[i].source - p->graph->first_node);
        layer = p->layer[source];
        if (layer == TFP_NO_ID || layer == p->layer[node] ||
            (last[layer] != TFP_NO_ID && last[layer] > source))
            continue;
        last[layer] = source;
        p->l->report->layers.all.data[layer].output = shape_at(p, tensor);
    }
}

/* If no other layer reads from a layer, its output is output 0 of its last
 * node. */
static void take_last(const placing *p, uint32_t node, const uint32_t *last)
{
    uint32_t layer = p->layer[node];
    const tfp_known *known;
    if (layer == TFP_NO_ID || last[layer] != TFP_NO_ID)
        return;
    known = tfp_shapes_output(p->shapes, p->shapes->subject, node, 0);
    if (known)
        p->l->report->layers.all.data[layer].output =
            known->of[TFP_GRADE_FULL].shape;
}

static bool find_outputs(placing *p)
{
    tfp_report *r = p->l->report;
    size_t count = r->layers.all.count;
    uint32_t *last = tfp_memory_array(r->memory, count + 1, sizeof(*last));
    bool ok = last != NULL;
    for (size_t i = 0; ok && i < count; i++)
        last[i] = TFP_NO_ID;
    for (uint32_t n = 0; ok && n < p->graph->node_count; n++) {
        look_at_inputs(p, n, last);
        ok = !tfp_watch_ends(&r->watch);
    }
    for (uint32_t n = 0; ok && n < p->graph->node_count; n++)
        take_last(p, n, last);
    tfp_memory_free(r->memory, last);
    return ok;
}

static bool place_layers(layering *l)
{
    tfp_report *r = l->report;
    placing p = { l, r->shapes,
                  tfp_instance_graph(r->shapes, r->shapes->subject), NULL };
    bool ok;
    p.layer = tfp_memory_array(r->memory, (size_t)p.graph->node_count + 1,
                               sizeof(*p.layer));
    ok = p.layer != NULL;
    for (uint32_t n = 0; ok && n < p.graph->node_count; n++)
        ok = place_node(&p, n) && !tfp_watch_ends(&r->watch);
    ok = ok && find_outputs(&p);
    tfp_memory_free(r->memory, p.layer);
    return ok;
}

/* ---- All ---------------------------------------------------------------- */

/* Narrows the scope that all names share. Nodes without float operations are
 * ignored: loop counters are often outside of the shared scope. Ends the walk
 * once no scope is shared. */
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
    ok = !l.names.failed && (r->request.depth >= 0 || find_numbers(&l)) &&
         tfp_report_visit(r, add_node, &l) && add_params(&l) &&
         place_layers(&l) && !l.names.failed;
    if (ok)
        drop_empty(r);
    tfp_node_names_release(&l.names);
    return ok;
}
