/*
 * profiles.c - ProfileProto into the model.
 *
 * A profile is what upstream's tfprof writes of its own memory: nodes under
 * numbers, their inputs by number (profile_edges.c), and for each node and step
 * the times per device and the memory (profile_runs.c).
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/steps.h"
#include "proto/graph.h"
#include "proto/tfprof.h"
#include "proto/walk.h"

/* ---- Shapes ------------------------------------------------------------- */

int tfp_push_integers(tfp_load *load, const tfp_wire *w, const tfp_field *f,
                      tfprof_error *err)
{
    tfp_numbers n = tfp_numbers_of(w, f, TFP_WIRE_VARINT);
    uint64_t value;
    while (tfp_numbers_next(&n, &value)) {
        if (!TFP_VEC_PUSH(load->memory, &load->numbers, (int64_t)value))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

int tfp_push_tuple(tfp_load *load, tfp_wire *w, const tfp_field *f,
                   tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_field item;
    int status = TFPROF_OK;
    while (status == TFPROF_OK && tfp_wire_next(&inner, &item)) {
        if (item.tag == Tuple_int64_values ||
            item.tag == TFP_PACKED(Tuple_int64_values))
            status = tfp_push_integers(load, &inner, &item, err);
    }
    tfp_wire_leave(&inner);
    return status;
}

/* output number -> shape, as a list by number. Numbers past this, or past the
 * bytes of the node itself, are not outputs that any operation has. */
enum { MOST_OUTPUTS = 1 << 16 };

static int read_output_shapes(tfp_load *load, const tfp_profile_node *node,
                              tfp_record *record, tfp_list *list,
                              tfprof_error *err)
{
    size_t base = load->numbers.count, count = 0;
    tfp_wire w = tfp_repeated_wire(&node->output_shapes, record);
    tfp_field f;
    *list = 0;
    while (tfp_repeated_next(&w, ProfileNode_output_shapes, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_map_entry entry;
        size_t dims = load->numbers.count, slot;
        tfp_shape shape;
        int status = TFPROF_OK;
        tfp_map_entry_read(&inner, &tfp_ProfileNode_OutputShapesEntry, &entry);
        if (entry.value.tag != 0)
            status = tfp_push_tuple(load, &inner, &entry.value, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
        /* A scalar is written as one element; nothing at all is no shape. */
        shape = TFP_SHAPE_UNKNOWN_RANK;
        if (load->numbers.count > dims)
            shape = tfp_model_shape(load->model, load->numbers.data + dims,
                                    load->numbers.count - dims);
        load->numbers.count = dims;
        slot = (size_t)entry.number;
        if (entry.number >= MOST_OUTPUTS || entry.number >= record->bytes.size)
            continue;
        while (shape != TFP_NO_ID && count <= slot) {
            if (!TFP_VEC_PUSH(load->memory, &load->numbers, TFP_SHAPE_NONE))
                return tfp_fail_nomem(err);
            count++;
        }
        if (shape == TFP_NO_ID)
            return tfp_fail_nomem(err);
        load->numbers.data[base + slot] = shape;
    }
    *list = tfp_model_list(load->model, load->numbers.data + base, count);
    load->numbers.count = base;
    return *list == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* Upstream keeps the "shape" attribute of a variable apart; here it is an
 * attribute again, unless the profile has that too. */
static int add_shape_attr(tfp_load *load, const tfp_profile_node *node,
                          tfp_record *record, tfp_attrs *attrs,
                          tfprof_error *err)
{
    tfp_string key = tfp_model_string(load->model, tfp_span_of("shape"));
    size_t base = load->numbers.count, count;
    const tfp_attr *items = tfp_attrs_items(load->model, *attrs, &count);
    tfp_wire w = tfp_repeated_wire(&node->shape, record);
    tfp_attr added = { .key = key, .kind = TFP_ATTR_SHAPE };
    tfp_field f;
    if (key == TFP_NO_ID)
        return tfp_fail_nomem(err);
    while (tfp_wire_next(&w, &f)) {
        int status = TFPROF_OK;
        if (f.tag == ProfileNode_shape ||
            f.tag == TFP_PACKED(ProfileNode_shape))
            status = tfp_push_integers(load, &w, &f, err);
        if (status != TFPROF_OK)
            return status;
    }
    if (load->numbers.count == base) /* packed, and nothing in it */
        return TFPROF_OK;
    added.value = tfp_model_shape(load->model, load->numbers.data + base,
                                  load->numbers.count - base);
    load->numbers.count = base;
    if (tfp_attrs_find(load->model, *attrs, key))
        return TFPROF_OK;
    if (added.value == TFP_NO_ID ||
        !TFP_VEC_RESERVE(load->memory, &load->attr_items, 2 * (count + 1)))
        return tfp_fail_nomem(err);
    items = tfp_attrs_items(load->model, *attrs, &count);
    if (count > 0)
        memcpy(load->attr_items.data, items, count * sizeof(*items));
    load->attr_items.data[count] = added;
    *attrs = tfp_model_attrs(load->model, load->attr_items.data, count + 1);
    return *attrs == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* ---- Nodes -------------------------------------------------------------- */

static int read_facts(tfp_load *load, const tfp_profile_node *node,
                      tfp_record *record, tfp_node_facts *facts,
                      tfp_list *edge_notes, tfprof_error *err)
{
    tfp_attr_columns columns;
    int status;
    *edge_notes = 0;
    *facts = (tfp_node_facts){
        .name = tfp_model_string(load->model, node->name),
        .op = tfp_model_string(load->model, node->op),
        .device = tfp_model_string(load->model, node->device)
    };
    if (facts->name == TFP_NO_ID || facts->op == TFP_NO_ID ||
        facts->device == TFP_NO_ID)
        return tfp_fail_nomem(err);
    status = tfp_read_attrs(load, &node->attrs, ProfileNode_attrs,
                            &tfp_ProfileNode_AttrsEntry, record, &facts->attrs,
                            &columns, err);
    *edge_notes = columns.inputs;
    if (status == TFPROF_OK && node->shape.count > 0)
        status = add_shape_attr(load, node, record, &facts->attrs, err);
    if (status == TFPROF_OK)
        status = read_output_shapes(load, node, record, &facts->outputs, err);
    if (facts->outputs == 0)
        facts->outputs = columns.outputs;
    return status;
}

static int add_log(tfp_load *load, const tfp_profile_node *node, tfp_node at,
                   tfp_record *record, tfprof_error *err)
{
    tfp_nodes *nodes = &load->model->nodes;
    tfp_list types;
    tfp_stack trace;
    int status = tfp_read_code(load, &node->trace, ProfileNode_trace, record,
                               &trace, err);
    if (status == TFPROF_OK)
        status = tfp_read_string_list(load, &node->types, ProfileNode_op_types,
                                      record, &types, err);
    if (status != TFPROF_OK)
        return status;
    tfp_load_input(load)->counts.code_traces += trace != 0;
    tfp_load_input(load)->counts.float_ops_entries += node->float_ops != 0;
    if (at != TFP_NO_NODE) {
        nodes->float_ops[at] = node->float_ops;
        nodes->trace[at] = trace;
        nodes->types[at] = types;
    }
    return TFPROF_OK;
}

/* Looks for damage in what a node has and the model does not take. */
static void check_unread(const tfp_repeated *fields, tfp_record *record)
{
    tfp_wire w = tfp_repeated_wire(fields, record);
    tfp_wire_check_rest(&w, &tfp_ProfileNode);
}

/* The node of a key. A key that comes twice replaces the node, as in every
 * map; the earlier one keeps its place but loses its edges and its number. */
static int read_profile_node(tfp_load *load, uint64_t key, tfp_wire *w,
                             const tfp_field *value, tfprof_error *err)
{
    tfp_input_counts *counts = &tfp_load_input(load)->counts;
    tfp_record *record = w->record;
    tfp_wire inner = tfp_wire_enter(w, value);
    tfp_profile_node node;
    tfp_node_facts facts;
    tfp_list edge_notes;
    tfp_node at;
    uint32_t number;
    int status;
    tfp_profile_node_read(&inner, &node);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    status = read_facts(load, &node, record, &facts, &edge_notes, err);
    if (status == TFPROF_OK)
        status = tfp_profile_key(load, key, &number, err);
    if (status != TFPROF_OK || !tfp_record_ok(record))
        return status;
    counts->misnumbered_nodes += node.id != 0 && node.id != (int64_t)key;
    counts->nodes += load->keyed_nodes.data[number] == TFP_NO_NODE;
    if (!tfp_graph_add_node(load->model, load->graph, &facts, &at))
        return tfp_fail_nomem(err);
    if (at == TFP_NO_NODE) {
        counts->duplicate_nodes++;
        load->keyed_nodes.data[number] = tfp_model_find_node(load->model,
                                                             facts.name);
        check_unread(&node.inputs, record);
        check_unread(&node.source_outputs, record);
    } else {
        load->keyed_nodes.data[number] = at;
        status = tfp_read_profile_edges(load, &node, edge_notes, record, err);
    }
    if (status == TFPROF_OK)
        status = add_log(load, &node, at, record, err);
    if (status == TFPROF_OK)
        status = tfp_read_profile_runs(load, facts.name, &node.execs, record,
                                       err);
    if (status == TFPROF_OK)
        status = tfp_note_op(load, facts.op, err);
    counts->edges += node.inputs.count;
    tfp_wire_leave(&inner);
    return status;
}

static int read_nodes_entry(tfp_load *load, tfp_record *record,
                            tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_map_entry entry;
    tfp_map_entry_read(&w, &tfp_ProfileProto_NodesEntry, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    if (entry.value.tag == 0) /* a value left out is an empty node */
        entry.value.bytes = (tfp_span){ w.at, 0 };
    return read_profile_node(load, entry.number, &w, &entry.value, err);
}

static int read_steps(tfp_load *load, const tfp_field *f, tfp_record *record,
                      tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_numbers n = tfp_numbers_of(&w, f, TFP_WIRE_VARINT);
    uint64_t step;
    while (tfp_numbers_next(&n, &step)) {
        if (tfp_model_step(load->model, (int64_t)step) == TFP_NO_ID ||
            !TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->steps,
                          (int64_t)step))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int open_profile(tfp_load *load, tfprof_error *err)
{
    if (load->graph != TFP_NO_ID)
        return TFPROF_OK;
    load->graph = tfp_model_open_graph(load->model, TFP_GRAPH_PROFILE, 0,
                                       TFP_NO_ID);
    return load->graph == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_read_profile_leaf(tfp_load *load, const tfp_field *f,
                          tfp_record *record, tfprof_error *err)
{
    int status = open_profile(load, err);
    if (status != TFPROF_OK)
        return status;
    switch (f->tag) {
    case ProfileProto_miss_accelerator_stream:
        load->model->graphs.data[load->graph].misses_stream = f->value != 0;
        return TFPROF_OK;
    case ProfileProto_nodes: return read_nodes_entry(load, record, err);
    case ProfileProto_steps:
    case TFP_PACKED(ProfileProto_steps):
        return read_steps(load, f, record, err);
    case ProfileProto_id_to_string:
        return tfp_read_string_id(load, &tfp_ProfileProto_IdToStringEntry,
                                  record, err);
    default: return TFP_LEAF_UNREAD;
    }
}

int tfp_finish_profile(tfp_load *load, tfprof_error *err)
{
    tfp_link_counts links = { 0 };
    bool ok;
    if (load->graph == TFP_NO_ID ||
        load->model->graphs.data[load->graph].kind != TFP_GRAPH_PROFILE)
        return TFPROF_OK;
    ok = tfp_model_close_graph(load->model, load->graph, load->keyed_nodes.data,
                               &links);
    tfp_load_input(load)->counts.dropped_edges += links.dropped_edges;
    load->graph = TFP_NO_ID;
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
