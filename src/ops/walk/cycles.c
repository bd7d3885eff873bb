/*
 * cycles.c - graphs with TF1 loops, walked until what is assumed holds.
 *
 * At first a variable of a loop is taken to be what enters. What comes back
 * otherwise is not known so well, and the graph is walked again. Once shapes
 * hold, loops are counted; what a variable is in the end may tell how often
 * the next loop goes around, so there is another walk then.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/walk/frames.h"
#include "ops/walk/layout.h"
#include "ops/walk/records.h"
#include "ops/walk/trips.h"
#include "ops/walk/walk.h"

/* As in loops.c, but with rounds for the contents of variables besides. */
enum { ROUNDS_JOINED = 3, ROUNDS = 16 };

static tfp_frames *frames_of(const tfp_shapes *s, uint32_t instance)
{
    return s->instances.data[instance].frames;
}

/* ---- What is assumed ---------------------------------------------------- */

static void forget_contents(tfp_fact *fact)
{
    if (fact->value != TFP_NO_ID)
        fact->dtype = 0;
    fact->value = TFP_NO_ID;
}

static void assume(tfp_shapes *s, tfp_merge *merge, tfp_fact *entered)
{
    merge->start = *entered;
    if (!merge->is_same)
        forget_contents(entered);
    if (!merge->is_set || merge->is_same)
        merge->assumed = *entered;
    else if (!tfp_fact_join(s->model, &merge->assumed, entered))
        s->failed = true;
    merge->is_set = true;
    *entered = merge->assumed;
}

/* The variable whose last value an Exit gives. */
static const tfp_merge *merge_of_exit(const tfp_shapes *s,
                                      const tfp_frames *frames,
                                      const tfp_site *site, uint32_t first)
{
    size_t count;
    const tfp_edge *in = tfp_node_inputs(site->nodes, site->node, &count);
    const tfp_op *op;
    if (count == 0 || in[0].source == TFP_NO_NODE)
        return NULL;
    op = tfp_shapes_op(s, site->nodes->op[in[0].source]);
    if (!op || op->kind != TFP_OP_SWITCH)
        return NULL;
    in = tfp_node_inputs(site->nodes, in[0].source, &count);
    return count == 0 || in[0].source == TFP_NO_NODE
               ? NULL
               : tfp_frames_merge(frames, in[0].source - first);
}

void tfp_walk_close(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    tfp_frames *frames = frames_of(s, instance);
    uint32_t first = tfp_instance_graph(s, instance)->first_node;
    tfp_op_kind kind = site->op ? site->op->kind : TFP_OP_PLAIN;
    if (site->output_count == 0)
        return;
    if (kind == TFP_OP_MERGE) {
        tfp_merge *merge = tfp_frames_merge(frames, site->node - first);
        if (merge)
            assume(s, merge, &site->outputs[0].of[TFP_GRADE_FULL]);
    } else if (kind == TFP_OP_EXIT) {
        const tfp_merge *merge = merge_of_exit(s, frames, site, first);
        tfp_fact *out = &site->outputs[0].of[TFP_GRADE_FULL];
        if (merge && merge->last.value != TFP_NO_ID) {
            out->value = merge->last.value;
            out->dtype = merge->last.dtype;
        }
    }
}

/* ---- Does it hold? ------------------------------------------------------ */

static bool check_merge(tfp_shapes *s, uint32_t instance, tfp_merge *merge,
                        int round)
{
    const tfp_known *back = tfp_shapes_output(s, instance, merge->back, 0);
    tfp_fact now = merge->assumed, nothing = TFP_NOTHING_KNOWN;
    if (!merge->is_set || merge->is_same)
        return true;
    if (!tfp_fact_join(s->model, &now,
                       back ? &back->of[TFP_GRADE_FULL] : &nothing)) {
        s->failed = true;
        return true;
    }
    forget_contents(&now);
    if (tfp_fact_equal(&now, &merge->assumed))
        return true;
    merge->assumed = round < ROUNDS_JOINED ? now : nothing;
    return false;
}

static bool check_merges(tfp_shapes *s, uint32_t instance, int round)
{
    tfp_frames *frames = frames_of(s, instance);
    bool holds = true;
    for (size_t i = 0; i < frames->merges.count && !s->failed; i++)
        holds &= check_merge(s, instance, &frames->merges.data[i], round);
    return holds;
}

static void forget_all(tfp_frames *frames)
{
    for (size_t i = 0; i < frames->merges.count; i++) {
        tfp_merge *merge = &frames->merges.data[i];
        merge->is_set = true;
        merge->is_same = false;
        merge->assumed = TFP_NOTHING_KNOWN;
    }
}

/* ---- Trips -------------------------------------------------------------- */

static uint32_t tensor_of(const tfp_layout *layout, uint32_t node)
{
    return layout->first_tensor[node] < layout->first_tensor[node + 1]
               ? layout->first_tensor[node]
               : TFP_NO_ID;
}

typedef TFP_VEC(tfp_trip_variable) variable_list;

/* The variables of a frame, and which Merge each is. */
static bool list_variables(tfp_shapes *s, const tfp_layout *layout,
                           const tfp_frames *frames, uint32_t frame,
                           variable_list *list)
{
    list->count = 0;
    for (uint32_t i = frames->all.data[frame].first_merge; i != TFP_NO_ID;
         i = frames->merges.data[i].next) {
        const tfp_merge *merge = &frames->merges.data[i];
        uint32_t tensor = tensor_of(layout, merge->node);
        tfp_trip_variable variable = { .in_cond = tensor,
                                       .in_body = tensor,
                                       .next = tensor_of(layout, merge->back),
                                       .is_same = merge->is_same,
                                       .now = merge->start };
        if (!TFP_VEC_PUSH(s->memory, list, variable))
            return false;
    }
    return true;
}

/* What is known of the end goes to the Exits, in the next round. */
static bool keep_last(tfp_frames *frames, uint32_t frame,
                      const variable_list *list)
{
    bool news = false;
    size_t k = 0;
    for (uint32_t i = frames->all.data[frame].first_merge; i != TFP_NO_ID;
         i = frames->merges.data[i].next) {
        tfp_merge *merge = &frames->merges.data[i];
        merge->last = list->data[k++].now;
        news |= merge->last.value != TFP_NO_ID;
    }
    return news;
}

/* The tensor that a LoopCond gets. */
static uint32_t answer_of(const tfp_shapes *s, uint32_t instance, uint32_t cond)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_layout *layout = &s->layouts[s->instances.data[instance].graph];
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    size_t count;
    tfp_node_inputs(nodes, graph->first_node + cond, &count);
    return count == 0
               ? TFP_NO_ID
               : layout
                     ->edge_tensor[nodes->first_edge[graph->first_node + cond] -
                                   graph->first_edge];
}

static bool evaluate_frame(tfp_shapes *s, uint32_t instance, uint32_t number,
                           variable_list *list)
{
    tfp_frames *frames = frames_of(s, instance);
    tfp_loop_frame *frame = &frames->all.data[number];
    const tfp_layout *layout = &s->layouts[s->instances.data[instance].graph];
    tfp_trip_loop loop = {
        .shapes = s, .cond = instance, .body = instance, .in_frame = true
    };
    if (frame->cond == TFP_NO_ID)
        return false;
    if (!list_variables(s, layout, frames, number, list)) {
        s->failed = true;
        return false;
    }
    loop.answer = answer_of(s, instance, frame->cond);
    loop.variables = list->data;
    loop.count = list->count;
    frame->trips = tfp_trips_evaluate(&loop);
    if (frame->trips < 0) {
        frame->trips = 1;
        return false;
    }
    frame->rule = TFP_TIMES_EVALUATED;
    frame->is_counted = true;
    return keep_last(frames, number, list);
}

/* The name by which a user knows a loop: "while" of "while/LoopCond". */
static tfp_span loop_name(tfp_span cond)
{
    static const char mark[] = "/LoopCond";
    size_t size = sizeof(mark) - 1;
    for (size_t i = cond.size; i-- > 0;) {
        if (cond.size - i >= size && !memcmp(cond.data + i, mark, size))
            return (tfp_span){ cond.data, i };
    }
    return cond;
}

/* Trips by other means than running a loop here. */
static void settle_frames(tfp_shapes *s, uint32_t instance)
{
    tfp_frames *frames = frames_of(s, instance);
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    for (size_t i = 0; i < frames->all.count; i++) {
        tfp_loop_frame *frame = &frames->all.data[i];
        tfp_string cond;
        int64_t runs, entered;
        tfp_span names[3];
        if (frame->cond == TFP_NO_ID)
            continue;
        cond = nodes->name[graph->first_node + frame->cond];
        names[0] = tfp_model_text(s->model, frame->name);
        names[1] = tfp_model_text(s->model, cond);
        names[2] = loop_name(names[1]);
        runs = instance == 0 ? tfp_records_of(s, cond) : 0;
        /* The condition runs once more than the loop goes around, each time
         * that the loop is run. */
        entered = tfp_frames_times(frames, frame->cond) /
                  tfp_add_sat(frame->trips, 1);
        tfp_trips_settle(s, instance, names, 3,
                         entered > 0 && runs % entered == 0 ? runs / entered
                                                            : 0,
                         &frame->trips, &frame->rule);
    }
}

static bool evaluate_frames(tfp_shapes *s, uint32_t instance)
{
    variable_list list = { 0 };
    bool news = false;
    for (uint32_t i = 0; i < frames_of(s, instance)->all.count; i++) {
        if (!frames_of(s, instance)->all.data[i].is_counted && !s->failed &&
            !s->cancelled)
            news |= evaluate_frame(s, instance, i, &list);
    }
    TFP_VEC_RELEASE(s->memory, &list);
    return news;
}

/* ---- The walk ----------------------------------------------------------- */

/* What is known better now may make shapes known, too. */
static void begin_again(tfp_frames *frames)
{
    for (size_t i = 0; i < frames->merges.count; i++)
        frames->merges.data[i].is_set = false;
}

static void walk_rounds(tfp_shapes *s, uint32_t instance)
{
    size_t first = s->instances.count, refused = s->unwalked.count;
    int since = 0;
    for (int round = 0; !s->failed && !s->cancelled; round++, since++) {
        if (round > 0) {
            tfp_walk_drop(s, first);
            s->unwalked.count = refused;
        }
        if (round == ROUNDS)
            forget_all(frames_of(s, instance));
        tfp_walk_nodes(s, instance);
        if (round == ROUNDS || s->failed)
            return;
        if (!check_merges(s, instance, since))
            continue;
        if (!evaluate_frames(s, instance))
            return;
        begin_again(frames_of(s, instance));
        since = -1;
    }
}

void tfp_walk_cycles(tfp_shapes *s, uint32_t instance)
{
    tfp_frames *frames = tfp_frames_new(s, s->instances.data[instance].graph);
    if (!frames) {
        s->failed = true;
        return;
    }
    tfp_frames_free(frames_of(s, instance), s->memory);
    s->instances.data[instance].frames = frames;
    walk_rounds(s, instance);
    if (!s->failed)
        settle_frames(s, instance);
}
