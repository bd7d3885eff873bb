/*
 * profile_edges.c - the inputs of a node in a ProfileProto.
 *
 * A map has the source of each input, another one which output of a source is
 * taken. That is one output for all inputs from one source; what tfprof knows
 * beyond it stands in an attribute (TFP_INPUTS_ATTR).
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "input/load/load.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "proto/graph.h"
#include "proto/tfprof.h"

int tfp_profile_key(tfp_load *load, uint64_t key, uint32_t *number,
                    tfprof_error *err)
{
    *number = tfp_intern(&load->node_keys,
                         (tfp_span){ (const uint8_t *)&key, sizeof(key) });
    if (*number == TFP_NO_ID)
        return tfp_fail_nomem(err);
    while (load->keyed_nodes.count <= *number) {
        if (!TFP_VEC_PUSH(load->memory, &load->keyed_nodes, TFP_NO_NODE) ||
            !TFP_VEC_PUSH(load->memory, &load->keyed_outputs,
                          TFP_OUTPUT_UNKNOWN))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* Which output of another node this one takes; upstream keeps one per pair.
 * Noted under the other's number before the edges are read, and taken back
 * (`undo`) after, so that a node with many inputs costs no more than its
 * bytes. An input turns the bits of the number that it takes, so one that
 * belongs to no input shows when it is taken back. */
static int note_source_outputs(tfp_load *load, const tfp_profile_node *node,
                               tfp_record *record, bool undo, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&node->source_outputs, record);
    tfp_field f;
    while (tfp_repeated_next(&w, ProfileNode_src_output_index, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_map_entry entry;
        int32_t output = TFP_OUTPUT_UNKNOWN;
        uint32_t number;
        int status;
        tfp_map_entry_read(&inner, &tfp_ProfileNode_SrcOutputIndexEntry,
                           &entry);
        tfp_wire_leave(&inner);
        status = tfp_profile_key(load, entry.number, &number, err);
        if (status != TFPROF_OK)
            return status;
        if (!undo && tfp_int32(&entry.value) >= 0)
            output = tfp_int32(&entry.value);
        if (undo && load->keyed_outputs.data[number] >= 0)
            tfp_load_input(load)->counts.dropped_edges++;
        load->keyed_outputs.data[number] = output;
    }
    return TFPROF_OK;
}

/* Inputs are sorted by these: as int32_t in rising order. */
static uint64_t order_of(int32_t number)
{
    return (uint32_t)number ^ (uint32_t)1 << 31;
}

static int push_edge(tfp_load *load, int32_t number, tfp_edge edge,
                     tfprof_error *err)
{
    uint32_t index = (uint32_t)load->edges.count;
    if (!TFP_VEC_PUSH(load->memory, &load->edges, edge) ||
        !TFP_VEC_PUSH(load->memory, &load->order,
                      (tfp_sort_item){ order_of(number), index }))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

/* An input with its number, from the map in the file. */
static int read_edge(tfp_load *load, tfp_wire *w, const tfp_field *f,
                     tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_map_entry entry;
    tfp_edge edge = { 0 };
    int32_t *output;
    int status;
    tfp_map_entry_read(&inner, &tfp_ProfileNode_InputsEntry, &entry);
    tfp_wire_leave(&inner);
    status = tfp_profile_key(load, entry.value.value, &edge.source, err);
    if (status != TFPROF_OK)
        return status;
    output = &load->keyed_outputs.data[edge.source];
    edge.output = *output < 0 ? ~*output : *output;
    *output = ~edge.output;
    return push_edge(load, (int32_t)(uint32_t)entry.number, edge, err);
}

/* What TFP_INPUTS_ATTR says of inputs, as edges without a source: they come
 * behind the edges of the same number and change them. */
static int read_edge_notes(tfp_load *load, tfp_list list, tfprof_error *err)
{
    size_t count;
    const int64_t *items = tfp_list_items(load->model, list, &count);
    for (size_t i = 0; i + 1 < count; i += 2) {
        tfp_edge note = { .source = TFP_NO_NODE,
                          .output = (int32_t)items[i + 1] };
        int status;
        if (items[i] != (int32_t)items[i] ||
            items[i + 1] != (int32_t)items[i + 1] ||
            items[i + 1] < TFP_INPUT_NO_SOURCE)
            continue;
        status = push_edge(load, (int32_t)items[i], note, err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

/* One input of all that was read for its number. Of two entries of the map
 * the last one stands, as in every map. False when it comes to nothing. */
static bool settle_edge(const tfp_load *load, const tfp_sort_item *items,
                        size_t count, tfp_edge *edge)
{
    *edge = (tfp_edge){ .source = TFP_NO_NODE, .output = TFP_CONTROL };
    for (size_t i = 0; i < count; i++) {
        const tfp_edge *one = &load->edges.data[items[i].index];
        if (one->source != TFP_NO_NODE)
            *edge = *one;
        else if ((one->output == TFP_INPUT_NO_SOURCE) ==
                 (edge->source == TFP_NO_NODE))
            edge->output = one->output;
    }
    if (edge->source == TFP_NO_NODE && edge->output != TFP_INPUT_NO_SOURCE)
        return false;
    if (edge->source == TFP_NO_NODE)
        edge->output = 0;
    return true;
}

/* The map has no order, the inputs do. */
static int add_edges_in_order(tfp_load *load, tfprof_error *err)
{
    size_t count = load->edges.count, equal, place = 0;
    tfp_sort_item *items;
    if (count == 0)
        return TFPROF_OK;
    if (!TFP_VEC_RESERVE(load->memory, &load->order, count))
        return tfp_fail_nomem(err);
    items = load->order.data;
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count; i += equal) {
        tfp_edge edge;
        for (equal = 1; i + equal < count; equal++) {
            if (items[i + equal].key != items[i].key)
                break;
        }
        if (!settle_edge(load, items + i, equal, &edge))
            continue;
        edge.port = (uint32_t)(items[i].key ^ order_of(0)) - (uint32_t)place++;
        if (!tfp_graph_add_edge(load->model, load->graph, edge))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

int tfp_read_profile_edges(tfp_load *load, const tfp_profile_node *node,
                           tfp_list notes, tfp_record *record,
                           tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&node->inputs, record);
    tfp_field f;
    int status = note_source_outputs(load, node, record, false, err);
    load->edges.count = load->order.count = 0;
    while (status == TFPROF_OK && tfp_repeated_next(&w, ProfileNode_inputs, &f))
        status = read_edge(load, &w, &f, err);
    if (status == TFPROF_OK)
        status = read_edge_notes(load, notes, err);
    if (status == TFPROF_OK)
        status = add_edges_in_order(load, err);
    if (status == TFPROF_OK)
        status = note_source_outputs(load, node, record, true, err);
    return status;
}
