/*
 * shapes.c - the shape of every tensor of a graph and of what it calls.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"
#include "ops/fold/fold.h"
#include "ops/walk/frames.h"
#include "ops/walk/layout.h"
#include "ops/walk/records.h"
#include "ops/walk/walk.h"

/* ---- Names to numbers --------------------------------------------------- */

/* Its entry; NULL when no node is of that type, or when out of memory. */
static tfp_op_entry *note_op(tfp_shapes *s, const char *op, bool *ok)
{
    tfp_string name = tfp_interner_find(&s->model->strings, tfp_span_of(op));
    size_t count = s->op_of.count;
    if (name == TFP_NO_ID)
        return NULL;
    if (name >= count) {
        if (!TFP_VEC_RESERVE(s->memory, &s->op_of, name + 1 - count)) {
            *ok = false;
            return NULL;
        }
        memset(s->op_of.data + count, 0,
               (name + 1 - count) * sizeof(*s->op_of.data));
        s->op_of.count = (size_t)name + 1;
    }
    return &s->op_of.data[name];
}

static bool note_names(tfp_shapes *s)
{
    tfp_op_entry *entry;
    bool ok = true;
    for (size_t k = 0; k < TFP_KEY_COUNT; k++)
        s->keys[k] = tfp_interner_find(&s->model->strings,
                                       tfp_span_of(tfp_key_names[k]));
    for (size_t f = 0; tfp_op_families[f]; f++) {
        for (const tfp_op *op = tfp_op_families[f]; op->name && ok; op++) {
            entry = note_op(s, op->name, &ok);
            if (entry)
                entry->op = op;
        }
    }
    for (size_t f = 0; tfp_fold_families[f]; f++) {
        const tfp_fold_rule *rule = tfp_fold_families[f];
        for (; rule->op && ok; rule++) {
            entry = note_op(s, rule->op, &ok);
            if (entry)
                entry->fold = rule->fold;
        }
    }
    return ok;
}

const tfp_op *tfp_shapes_row(const tfp_shapes *s, tfp_string name)
{
    return name < s->op_of.count ? s->op_of.data[name].op : NULL;
}

const tfp_op *tfp_shapes_op(const tfp_shapes *s, tfp_string name)
{
    const tfp_op *op = tfp_shapes_row(s, name);
    return op && op->infer ? op : NULL;
}

tfp_shape_fn *tfp_shapes_fold(const tfp_shapes *s, tfp_string name)
{
    return name < s->op_of.count ? s->op_of.data[name].fold : NULL;
}

/* Functions belong to the library of one graph. */
static bool note_functions(tfp_shapes *s)
{
    for (size_t i = 0; i < s->model->graphs.count; i++) {
        const tfp_graph *graph = &s->model->graphs.data[i];
        size_t count = s->function_of.count;
        if (graph->kind != TFP_GRAPH_FUNCTION ||
            graph->owner != s->request.graph)
            continue;
        if (graph->name >= count) {
            size_t more = (size_t)graph->name + 1 - count;
            if (!TFP_VEC_RESERVE(s->memory, &s->function_of, more))
                return false;
            memset(s->function_of.data + count, 0xff,
                   more * sizeof(*s->function_of.data));
            s->function_of.count += more;
        }
        if (s->function_of.data[graph->name] == TFP_NO_ID)
            s->function_of.data[graph->name] = (uint32_t)i;
    }
    return true;
}

uint32_t tfp_shapes_function(const tfp_shapes *s, tfp_string name)
{
    return name < s->function_of.count ? s->function_of.data[name] : TFP_NO_ID;
}

static tfp_shape make_safe(tfp_shapes *s, tfp_dims dims)
{
    int64_t safe[TFP_MOST_RANK];
    for (int i = 0; i < dims.rank; i++)
        safe[i] = dims.at[i] < 0 ? TFP_DIM_UNKNOWN : dims.at[i];
    return tfp_model_shape(s->model, safe, (size_t)dims.rank);
}

tfp_shape tfp_shape_made_safe(tfp_shapes *s, tfp_shape shape)
{
    tfp_dims dims = tfp_dims_of(s->model, shape);
    if (dims.rank > TFP_MOST_RANK)
        return TFP_SHAPE_UNKNOWN_RANK;
    for (int i = 0; i < dims.rank; i++) {
        if (dims.at[i] < TFP_DIM_UNKNOWN)
            return make_safe(s, dims);
    }
    return shape;
}

/* ---- Life --------------------------------------------------------------- */

static bool prepare(tfp_shapes *s)
{
    size_t count = s->model->graphs.count;
    s->layouts = tfp_memory_zarray(s->memory, count, sizeof(*s->layouts));
    if (!s->layouts)
        return false;
    s->layout_count = count;
    return note_names(s) && note_functions(s);
}

int tfp_shapes_init(tfp_shapes *s, tfp_model *model, tfp_memory *memory,
                    const tfp_shape_request *request, const tfp_cancel *cancel,
                    tfprof_error *err)
{
    uint32_t top;
    *s = (tfp_shapes){
        .memory = memory, .model = model, .cancel = cancel, .request = *request
    };
    if (!prepare(s) || !tfp_records_init(s))
        return s->cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
    top = tfp_walk_open(s, request->graph, NULL, TFP_NO_ID, TFP_PART_TOP);
    if (top != TFP_NO_ID)
        tfp_walk_instance(s, top);
    if (top != TFP_NO_ID && !s->failed && !s->cancelled) {
        if (request->is_told)
            tfp_walk_take_listed(s, top);
        tfp_records_complete(s);
    }
    if (s->cancelled)
        return tfp_fail_cancelled(err);
    return s->failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

void tfp_fact_add_shape(tfp_shapes *s, tfp_fact *fact, tfp_shape shape)
{
    tfp_shape merged;
    if (shape == TFP_SHAPE_NONE)
        return;
    if (shape != TFP_NO_ID &&
        tfp_shape_merge(s->model, fact->shape, shape, &merged))
        fact->shape = merged;
    else
        s->failed |= shape == TFP_NO_ID || merged == TFP_NO_ID;
}

void tfp_shapes_release(tfp_shapes *s)
{
    tfp_live_release(s);
    tfp_records_release(s);
    tfp_walk_drop(s, 0);
    for (size_t i = 0; i < s->layout_count; i++)
        tfp_layout_release(&s->layouts[i], s->memory);
    tfp_memory_free(s->memory, s->layouts);
    TFP_VEC_RELEASE(s->memory, &s->op_of);
    TFP_VEC_RELEASE(s->memory, &s->function_of);
    TFP_VEC_RELEASE(s->memory, &s->instances);
    TFP_VEC_RELEASE(s->memory, &s->unwalked);
    TFP_VEC_RELEASE(s->memory, &s->inputs);
}

/* ---- What was found ----------------------------------------------------- */

const tfp_known *tfp_shapes_output(const tfp_shapes *s, uint32_t instance,
                                   uint32_t node, size_t k)
{
    size_t count;
    const tfp_known *outputs = tfp_walk_outputs(s, instance, node, &count);
    return k < count ? outputs + k : NULL;
}

bool tfp_shapes_is_live(const tfp_shapes *s, uint32_t instance, uint32_t node)
{
    while (instance != TFP_NO_ID) {
        const tfp_instance *in = &s->instances.data[instance];
        if (in->live && !tfp_bit(in->live, node))
            return false;
        node = in->caller;
        instance = in->parent;
    }
    return true;
}

void tfp_part_name(const tfp_instance *instance, char *buffer, size_t size)
{
    static const char *const names[] = {
        [TFP_PART_TOP] = "",       [TFP_PART_CALL] = "",
        [TFP_PART_BODY] = "body/", [TFP_PART_COND] = "cond/",
        [TFP_PART_THEN] = "then/", [TFP_PART_ELSE] = "else/",
    };
    if (instance->part == TFP_PART_CALL) /* most of them: kept quick */
        buffer[0] = '\0';
    else if (instance->part == TFP_PART_BRANCH)
        snprintf(buffer, size, "branch%u/", instance->branch);
    else
        snprintf(buffer, size, "%s", names[instance->part]);
}

int64_t tfp_shapes_loop_times(const tfp_shapes *s, uint32_t instance,
                              uint32_t node)
{
    const tfp_frames *frames = s->instances.data[instance].frames;
    return frames ? tfp_frames_times(frames, node) : 1;
}

int64_t tfp_shapes_times(const tfp_shapes *s, uint32_t instance)
{
    const tfp_instance *in = &s->instances.data[instance];
    int64_t times = in->times;
    while (in->parent != TFP_NO_ID) {
        times = tfp_mul_sat(times,
                            tfp_shapes_loop_times(s, in->parent, in->caller));
        in = &s->instances.data[in->parent];
        times = tfp_mul_sat(times, in->times);
    }
    return times;
}

int64_t tfp_shapes_node_times(const tfp_shapes *s, uint32_t instance,
                              uint32_t node)
{
    return tfp_mul_sat(tfp_shapes_times(s, instance),
                       tfp_shapes_loop_times(s, instance, node));
}
