/*
 * frames.c - loops of TF1: which nodes belong to which, and how often they run.
 *
 * One pass in the order of the layout, so that a node comes after what it
 * needs; only what comes back to a Merge comes later.
 */
#include "ops/walk/frames.h"

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "ops/walk/layout.h"

/* Frames inside each other, and identities in a row, that are followed. */
enum { MOST_STEPS = 64 };

typedef struct finding {
    tfp_shapes *shapes;
    const tfp_graph *graph;
    const tfp_nodes *nodes;
    const tfp_layout *layout;
    tfp_frames *frames;
    TFP_VEC(uint32_t) by_name; /* by tfp_string: the frame called so */
} finding;

/* ---- Nodes -------------------------------------------------------------- */

static tfp_op_kind kind_of(const finding *f, uint32_t node)
{
    const tfp_op *op = f->layout->ops[node];
    return op ? op->kind : TFP_OP_PLAIN;
}

static const tfp_edge *inputs_of(const finding *f, uint32_t node, size_t *count)
{
    return tfp_node_inputs(f->nodes, f->graph->first_node + node, count);
}

/* The node that an input comes from, or TFP_NO_ID. */
static uint32_t source_of(const finding *f, uint32_t node, size_t input)
{
    size_t count;
    const tfp_edge *in = inputs_of(f, node, &count);
    return input < count && in[input].output >= 0 &&
                   in[input].source != TFP_NO_NODE
               ? in[input].source - f->graph->first_node
               : TFP_NO_ID;
}

static bool is_past(const finding *f, uint32_t node)
{
    return tfp_bit(f->frames->past, node);
}

static void set_past(const finding *f, uint32_t node)
{
    f->frames->past[node / 64] |= (uint64_t)1 << node % 64;
}

/* ---- Frames ------------------------------------------------------------- */

static tfp_string frame_name(const finding *f, uint32_t enter)
{
    tfp_string key = f->shapes->keys[TFP_KEY_frame_name];
    const tfp_attr *attr =
        key == TFP_NO_ID
            ? NULL
            : tfp_attrs_find(f->shapes->model,
                             f->nodes->attrs[f->graph->first_node + enter],
                             key);
    return attr && attr->kind == TFP_ATTR_STRING ? (tfp_string)attr->value : 0;
}

/* The frame that an Enter leads into, made when it is the first one. False
 * when out of memory. */
static bool enter_frame(finding *f, uint32_t enter, uint32_t *frame)
{
    tfp_memory *memory = f->shapes->memory;
    tfp_string name = frame_name(f, enter);
    size_t count = f->by_name.count;
    tfp_loop_frame made = { .name = name,
                            .parent = f->frames->of[enter],
                            .cond = TFP_NO_ID,
                            .in_cond = !is_past(f, enter),
                            .trips = 1,
                            .rule = TFP_TIMES_ASSUMED,
                            .first_merge = TFP_NO_ID,
                            .last_merge = TFP_NO_ID };
    if (name >= count) {
        size_t more = (size_t)name + 1 - count;
        if (!TFP_VEC_RESERVE(memory, &f->by_name, more))
            return false;
        memset(f->by_name.data + count, 0xff, more * sizeof(uint32_t));
        f->by_name.count += more;
    }
    *frame = f->by_name.data[name];
    if (*frame != TFP_NO_ID)
        return true;
    *frame = f->by_name.data[name] = (uint32_t)f->frames->all.count;
    return TFP_VEC_PUSH(memory, &f->frames->all, made);
}

/* Where what a node gives is used: the frame, and whether that is behind the
 * condition. */
static bool lead_on(finding *f, uint32_t node, uint32_t *frame, bool *past)
{
    tfp_op_kind kind = kind_of(f, node);
    *frame = f->frames->of[node];
    *past = is_past(f, node);
    if (kind == TFP_OP_ENTER) {
        *past = false;
        return enter_frame(f, node, frame);
    }
    if (kind == TFP_OP_SWITCH) {
        uint32_t pred = source_of(f, node, 1);
        *past |= pred != TFP_NO_ID && kind_of(f, pred) == TFP_OP_COND;
    }
    return true;
}

/* An Exit runs once, when its frame has ended, so it belongs to the one
 * around. */
static void leave_frame(const finding *f, uint32_t node)
{
    uint32_t inner = f->frames->of[node];
    if (inner == TFP_NO_ID)
        return;
    f->frames->of[node] = f->frames->all.data[inner].parent;
    f->frames->past[node / 64] &= ~((uint64_t)1 << node % 64);
    if (f->frames->of[node] != TFP_NO_ID && !f->frames->all.data[inner].in_cond)
        set_past(f, node);
}

static bool place_node(finding *f, uint32_t node)
{
    size_t count;
    const tfp_edge *in = inputs_of(f, node, &count);
    f->frames->of[node] = TFP_NO_ID;
    for (size_t i = 0; i < count; i++) {
        uint32_t source, frame;
        bool past;
        if (in[i].source == TFP_NO_NODE)
            continue;
        source = in[i].source - f->graph->first_node;
        if (kind_of(f, source) == TFP_OP_NEXT)
            continue;
        if (!lead_on(f, source, &frame, &past))
            return false;
        if (frame == TFP_NO_ID)
            continue;
        f->frames->of[node] = frame;
        if (past)
            set_past(f, node);
    }
    if (kind_of(f, node) == TFP_OP_EXIT)
        leave_frame(f, node);
    if (kind_of(f, node) == TFP_OP_COND && f->frames->of[node] != TFP_NO_ID)
        f->frames->all.data[f->frames->of[node]].cond = node;
    return true;
}

/* ---- Variables ---------------------------------------------------------- */

/* Goes back from a NextIteration over what changes nothing. */
static bool comes_back_same(const finding *f, uint32_t back, uint32_t merge)
{
    uint32_t node = source_of(f, back, 0);
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        const tfp_op *op;
        if (node == TFP_NO_ID || node == merge)
            return node == merge;
        op = f->layout->ops[node];
        if (!op || (op->kind != TFP_OP_SWITCH && strcmp(op->name, "Identity")))
            return false;
        node = source_of(f, node, 0);
    }
    return false;
}

/* Adds a variable to the end of its frame's. */
static bool add_merge(finding *f, tfp_merge merge)
{
    tfp_frames *frames = f->frames;
    uint32_t number = (uint32_t)frames->merges.count;
    tfp_loop_frame *frame;
    if (!TFP_VEC_PUSH(f->shapes->memory, &frames->merges, merge))
        return false;
    if (merge.frame == TFP_NO_ID)
        return true;
    frame = &frames->all.data[merge.frame];
    if (frame->last_merge == TFP_NO_ID)
        frame->first_merge = number;
    else
        frames->merges.data[frame->last_merge].next = number;
    frame->last_merge = number;
    return true;
}

static bool note_merge(finding *f, uint32_t node)
{
    size_t count;
    inputs_of(f, node, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t back = source_of(f, node, i);
        tfp_merge merge = { .node = node,
                            .frame = f->frames->of[node],
                            .back = back,
                            .next = TFP_NO_ID,
                            .start = TFP_NOTHING_KNOWN,
                            .last = TFP_NOTHING_KNOWN };
        if (back == TFP_NO_ID || kind_of(f, back) != TFP_OP_NEXT)
            continue;
        merge.is_same = count == 2 && comes_back_same(f, back, node);
        return add_merge(f, merge);
    }
    return true;
}

/* ---- All of it ---------------------------------------------------------- */

static bool find_all(finding *f)
{
    uint32_t count = f->graph->node_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!place_node(f, f->layout->order ? f->layout->order[i] : i))
            return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        if (kind_of(f, n) == TFP_OP_MERGE && !note_merge(f, n))
            return false;
    }
    return true;
}

static size_t past_size(const tfp_frames *frames)
{
    return (frames->node_count + 63) / 64 * sizeof(uint64_t);
}

tfp_frames *tfp_frames_new(tfp_shapes *shapes, uint32_t graph)
{
    tfp_memory *memory = shapes->memory;
    tfp_frames *frames = tfp_memory_alloc(memory, sizeof(*frames));
    finding f = { .shapes = shapes,
                  .graph = &shapes->model->graphs.data[graph],
                  .layout = &shapes->layouts[graph],
                  .frames = frames };
    bool ok;
    if (!frames)
        return NULL;
    *frames = (tfp_frames){ .node_count = f.graph->node_count };
    f.nodes = tfp_graph_nodes(shapes->model, f.graph);
    frames->of = tfp_memory_array(memory, frames->node_count, sizeof(uint32_t));
    frames->past = tfp_memory_zalloc(memory, past_size(frames));
    ok = frames->of && frames->past;
    if (ok) {
        memset(frames->of, 0xff, frames->node_count * sizeof(uint32_t));
        ok = find_all(&f);
    }
    TFP_VEC_RELEASE(memory, &f.by_name);
    if (!ok) {
        tfp_frames_free(frames, memory);
        return NULL;
    }
    return frames;
}

void tfp_frames_free(tfp_frames *frames, tfp_memory *memory)
{
    if (!frames)
        return;
    TFP_VEC_RELEASE(memory, &frames->all);
    TFP_VEC_RELEASE(memory, &frames->merges);
    tfp_memory_free(memory, frames->of);
    tfp_memory_free(memory, frames->past);
    tfp_memory_free(memory, frames);
}

tfp_merge *tfp_frames_merge(const tfp_frames *frames, uint32_t node)
{
    size_t low = 0, high = frames->merges.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (frames->merges.data[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frames->merges.count && frames->merges.data[low].node == node
               ? &frames->merges.data[low]
               : NULL;
}

int64_t tfp_frames_times(const tfp_frames *frames, uint32_t node)
{
    uint32_t frame = frames->of[node];
    bool past = tfp_bit(frames->past, node);
    int64_t times = 1;
    for (int steps = 0; frame != TFP_NO_ID && steps < MOST_STEPS; steps++) {
        const tfp_loop_frame *at = &frames->all.data[frame];
        times = tfp_mul_sat(times,
                            past ? at->trips : tfp_add_sat(at->trips, 1));
        past = !at->in_cond;
        frame = at->parent;
    }
    return times;
}
