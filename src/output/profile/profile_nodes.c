/*
 * profile_nodes.c - the nodes of a ProfileProto, as input/load/profiles.c reads
 * them.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/attrs.h"
#include "model/census.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/traces.h"
#include "output/profile/profile_parts.h"
#include "proto/put.h"
#include "proto/tfprof.h"
#include "view/tree.h"

/* ---- Life --------------------------------------------------------------- */

int tfp_profile_nodes_init(tfp_profile_nodes *n, const tfp_census *census,
                           tfprof_error *err)
{
    size_t members = census->members.count;
    *n = (tfp_profile_nodes){ .census = census, .memory = census->memory };
    n->string_ids = tfp_memory_zarray(n->memory, census->name_count,
                                      sizeof(*n->string_ids));
    n->taken_by = tfp_memory_array(n->memory, members, sizeof(*n->taken_by));
    n->taken = tfp_memory_zarray(n->memory, members, sizeof(*n->taken));
    if (!n->string_ids || !n->taken_by || !n->taken)
        return tfp_fail_nomem(err);
    memset(n->taken_by, 0xff, members * sizeof(*n->taken_by)); /* TFP_NO_ID */
    return tfp_profile_runs_init(&n->runs, census, err);
}

void tfp_profile_nodes_release(tfp_profile_nodes *n)
{
    tfp_profile_runs_release(&n->runs);
    tfp_memory_free(n->memory, n->string_ids);
    tfp_memory_free(n->memory, n->taken_by);
    tfp_memory_free(n->memory, n->taken);
    TFP_VEC_RELEASE(n->memory, &n->strings);
    TFP_VEC_RELEASE(n->memory, &n->notes);
    TFP_VEC_RELEASE(n->memory, &n->stack);
    TFP_VEC_RELEASE(n->memory, &n->types);
    TFP_VEC_RELEASE(n->memory, &n->order);
}

tfp_sort_item *tfp_profile_order(tfp_profile_nodes *n, size_t count)
{
    n->order.count = 0;
    if (count > 0 && !TFP_VEC_RESERVE(n->memory, &n->order, 2 * count))
        n->failed = true;
    return n->failed ? NULL : n->order.data;
}

/* ---- Inputs ------------------------------------------------------------- */

static uint32_t source_of(const tfp_census *census, const tfp_edge *edge)
{
    if (edge->source == TFP_NO_NODE)
        return TFP_NO_ID;
    return census->by_name[census->model->nodes.name[edge->source]];
}

/* The output that a profile can name: upstream takes an edge that only orders
 * for one from output 0. */
static int32_t plain_output(const tfp_edge *edge)
{
    return edge->output == TFP_CONTROL ? 0 : edge->output;
}

/* Notes which output of a source is taken. Where one number cannot serve, it
 * is 0: upstream writes that for every input. */
static void take_output(tfp_profile_nodes *n, uint32_t member, uint32_t source,
                        int32_t output)
{
    if (n->taken_by[source] != member)
        n->taken[source] = output;
    else if (n->taken[source] != output)
        n->taken[source] = 0;
    n->taken_by[source] = member;
}

/* ProfileNode.inputs. */
static void put_inputs(tfp_put *put, tfp_profile_nodes *n, uint32_t member,
                       const tfp_edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t source = source_of(n->census, &edges[i]);
        size_t entry;
        if (source == TFP_NO_ID)
            continue;
        entry = tfp_put_open(put, ProfileNode_inputs);
        tfp_put_int(put, TFP_MAP_KEY, tfp_edge_number(&edges[i], i));
        tfp_put_int(put, TFP_MAP_VALUE, source);
        tfp_put_end(put, entry);
        take_output(n, member, source, plain_output(&edges[i]));
    }
}

/* What is true of an input beyond ProfileNode.inputs and src_output_index. */
static void note_inputs(tfp_profile_nodes *n, const tfp_edge *edges,
                        size_t count)
{
    n->notes.count = 0;
    for (size_t i = 0; i < count && !n->failed; i++) {
        uint32_t source = source_of(n->census, &edges[i]);
        int32_t output = source == TFP_NO_ID ? TFP_INPUT_NO_SOURCE
                                             : edges[i].output;
        if (source != TFP_NO_ID && output == n->taken[source])
            continue;
        n->failed = !TFP_VEC_PUSH(n->memory, &n->notes,
                                  tfp_edge_number(&edges[i], i)) ||
                    !TFP_VEC_PUSH(n->memory, &n->notes, output);
    }
}

/* ProfileNode.src_output_index: each source once. */
static void put_source_outputs(tfp_put *put, tfp_profile_nodes *n,
                               uint32_t member, const tfp_edge *edges,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t source = source_of(n->census, &edges[i]);
        size_t entry;
        if (source == TFP_NO_ID || n->taken_by[source] != member)
            continue;
        n->taken_by[source] = TFP_NO_ID;
        if (n->taken[source] == TFP_OUTPUT_UNKNOWN)
            continue;
        entry = tfp_put_open(put, ProfileNode_src_output_index);
        tfp_put_int(put, TFP_MAP_KEY, source);
        tfp_put_int(put, TFP_MAP_VALUE, n->taken[source]);
        tfp_put_end(put, entry);
    }
}

/* ---- Shapes ------------------------------------------------------------- */

/* The dims of a shape, packed: a scalar is one element, as upstream has it,
 * and an unknown rank is nothing. */
static void put_dims(tfp_put *put, uint32_t tag, const tfp_model *model,
                     tfp_shape shape)
{
    int rank;
    const int64_t *dims = tfp_shape_dims(model, shape, &rank);
    size_t packed;
    if (rank < 0)
        return;
    packed = tfp_put_open(put, tag);
    if (rank == 0)
        tfp_put_varint(put, 1);
    for (int i = 0; i < rank; i++)
        tfp_put_varint(put, (uint64_t)dims[i]);
    tfp_put_end(put, packed);
}

/* ProfileNode.output_shapes. An output whose shape is not known is there too,
 * so that no number is left out. */
static void put_output_shapes(tfp_put *put, const tfp_model *model,
                              tfp_list outputs)
{
    size_t count;
    const int64_t *shapes = tfp_list_items(model, outputs, &count);
    for (size_t i = 0; i < count; i++) {
        size_t entry = tfp_put_open(put, ProfileNode_output_shapes), tuple;
        tfp_put_int(put, TFP_MAP_KEY, (int64_t)i);
        tuple = tfp_put_begin(put, TFP_MAP_VALUE);
        put_dims(put, Tuple_int64_values, model, (tfp_shape)shapes[i]);
        tfp_put_end(put, tuple);
        tfp_put_end(put, entry);
    }
}

/* ---- Types and devices -------------------------------------------------- */

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_model *model = context;
    return tfp_span_compare(tfp_model_text(model, a), tfp_model_text(model, b));
}

/* ProfileNode.op_types: sorted, each once. */
static void put_types(tfp_put *put, tfp_profile_nodes *n,
                      const tfp_member *member)
{
    const tfp_model *model = n->census->model;
    size_t most = tfp_member_most_types(model, member), count;
    tfp_sort_item *items = tfp_profile_order(n, most);
    n->types.count = 0;
    if (!items || !TFP_VEC_RESERVE(n->memory, &n->types, most)) {
        n->failed = true;
        return;
    }
    count = tfp_member_types(model, member, n->types.data);
    for (size_t i = 0; i < count; i++) {
        tfp_span text = tfp_model_text(model, n->types.data[i]);
        items[i] = (tfp_sort_item){ tfp_text_key(text.data, text.size),
                                    n->types.data[i] };
    }
    tfp_sort(items, count, items + count, name_tie, model);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || items[i].index != items[i - 1].index)
            tfp_put_bytes(put, ProfileNode_op_types >> 3,
                          tfp_model_text(model, items[i].index));
    }
}

/* ProfileNode.host_device: the CPU that gives a device its work. Each "gpu:12"
 * in its name becomes "cpu:0", as upstream has it. */
static void put_host(tfp_put *put, tfp_span device)
{
    static const char gpu[] = "gpu:";
    size_t host = tfp_put_open(put, ProfileNode_host_device);
    const uint8_t *found, *at = device.data, *end = at + device.size;
    while ((found = tfp_span_find((tfp_span){ at, (size_t)(end - at) }, gpu))) {
        const uint8_t *digits = found + strlen(gpu), *after = digits;
        while (after < end && *after >= '0' && *after <= '9')
            after++;
        tfp_put_raw(put, (tfp_span){ at, (size_t)(found - at) });
        tfp_put_raw(put, tfp_span_of(after > digits ? "cpu:0" : gpu));
        at = after;
    }
    tfp_put_raw(put, (tfp_span){ at, (size_t)(end - at) });
    tfp_put_end(put, host);
}

static void put_devices(tfp_put *put, const tfp_model *model,
                        const tfp_member *member)
{
    tfp_span device = tfp_model_text(model, member->device);
    if (device.size == 0)
        return;
    tfp_put_text(put, ProfileNode_canonical_device, device);
    put_host(put, device);
}

/* ---- Code --------------------------------------------------------------- */

/* A string of a frame by its number; upstream wants every number to be
 * there, also that of nothing. */
static void put_string(tfp_put *put, tfp_profile_nodes *n, uint32_t tag,
                       tfp_string string)
{
    uint32_t *id = &n->string_ids[string];
    if (*id == 0) {
        if (!TFP_VEC_PUSH(n->memory, &n->strings, string)) {
            n->failed = true;
            return;
        }
        *id = (uint32_t)n->strings.count;
    }
    tfp_put_int(put, tag >> 3, *id);
}

/* ProfileNode.trace: the outermost frame first. */
static void put_trace(tfp_put *put, tfp_profile_nodes *n, tfp_stack stack)
{
    const tfp_model *model = n->census->model;
    size_t trace;
    n->stack.count = 0;
    for (tfp_stack at = stack; at != 0 && !n->failed;) {
        n->failed = !TFP_VEC_PUSH(n->memory, &n->stack, at);
        tfp_stack_top(model, at, &at);
    }
    trace = tfp_put_open(put, ProfileNode_trace);
    for (size_t i = n->stack.count; i-- > 0 && !n->failed;) {
        tfp_stack below;
        const tfp_frame *frame = tfp_stack_top(model, n->stack.data[i], &below);
        size_t at = tfp_put_open(put, CodeDef_traces);
        tfp_put_number(put, CodeDef_Trace_lineno, frame->line);
        tfp_put_number(put, CodeDef_Trace_func_start_line,
                       frame->function_line);
        put_string(put, n, CodeDef_Trace_file_id, frame->file);
        put_string(put, n, CodeDef_Trace_function_id, frame->function);
        put_string(put, n, CodeDef_Trace_line_id, frame->text);
        tfp_put_end(put, at);
    }
    tfp_put_end(put, trace);
}

/* ---- A node ------------------------------------------------------------- */

static void put_graph_facts(tfp_put *put, tfp_profile_nodes *n,
                            uint32_t member_id, const tfp_member *member)
{
    const tfp_model *model = n->census->model;
    const tfp_nodes *nodes = &model->nodes;
    size_t count;
    const tfp_edge *edges = tfp_node_inputs(nodes, member->node, &count);
    put_inputs(put, n, member_id, edges, count);
    note_inputs(n, edges, count);
    put_source_outputs(put, n, member_id, edges, count);
    put_dims(put, ProfileNode_shape, model, tfp_member_shape(model, member));
    put_output_shapes(put, model, nodes->outputs[member->node]);
    tfp_profile_put_attrs(put, n, nodes->attrs[member->node]);
}

static void put_notes(tfp_put *put, tfp_profile_nodes *n,
                      const tfp_member *member)
{
    const tfp_nodes *nodes = &n->census->model->nodes;
    tfp_put_number(put, ProfileNode_float_ops, nodes->float_ops[member->noted]);
    if (nodes->trace[member->noted] != 0)
        put_trace(put, n, nodes->trace[member->noted]);
}

void tfp_profile_put_node(tfp_put *put, tfp_profile_nodes *n,
                          uint32_t member_id)
{
    const tfp_model *model = n->census->model;
    const tfp_member *member = &n->census->members.data[member_id];
    size_t entry = tfp_put_open(put, ProfileProto_nodes), node;
    tfp_put_int(put, TFP_MAP_KEY, member_id);
    node = tfp_put_begin(put, TFP_MAP_VALUE);
    tfp_put_text(put, ProfileNode_name, tfp_model_text(model, member->name));
    tfp_put_text(put, ProfileNode_op,
                 tfp_model_text(model, tfp_member_op(model, member)));
    tfp_put_number(put, ProfileNode_id, member_id);
    put_types(put, n, member);
    put_devices(put, model, member);
    if (member->node != TFP_NO_NODE) {
        put_graph_facts(put, n, member_id, member);
        put_notes(put, n, member);
    }
    tfp_profile_put_runs(put, &n->runs, member_id);
    tfp_put_end(put, node);
    tfp_put_end(put, entry);
}
