/*
 * graphs.c - GraphDef into the model. Its functions: functions.c.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "input/load/load.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "proto/graph.h"
#include "proto/walk.h"

/* ---- Levels ------------------------------------------------------------- */

static int open_graph(tfp_load *load, tfprof_error *err)
{
    load->graph = tfp_model_open_graph(load->model, TFP_GRAPH_PLAIN,
                                       load->graph_tag, TFP_NO_ID);
    return load->graph == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_open_graph(tfp_load *load, const tfp_field_spec *field,
                   tfprof_error *err)
{
    (void)field;
    /* A meta graph that names its graph twice means one graph, merged. */
    return load->graph == TFP_NO_ID ? open_graph(load, err) : TFPROF_OK;
}

int tfp_close_graph(tfp_load *load, const tfp_field_spec *field,
                    tfprof_error *err)
{
    tfp_link_counts links = { 0 };
    bool ok;
    /* Inside a meta graph it stays open until the meta graph ends. */
    if (load->graph == TFP_NO_ID || field)
        return TFPROF_OK;
    ok = tfp_model_close_graph(load->model, load->graph, NULL, &links);
    tfp_load_input(load)->counts.dropped_edges += links.dropped_edges;
    load->graph = TFP_NO_ID;
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

/* ---- Nodes -------------------------------------------------------------- */

int tfp_read_edge(tfp_load *load, uint32_t graph, tfp_span text, tfp_edge *edge,
                  tfprof_error *err)
{
    tfp_input_ref ref;
    tfp_input_ref_parse(text, &ref); /* odd text is a name that finds none */
    edge->source = tfp_model_string(load->model, ref.name);
    edge->port = 0;
    if (ref.port.size &&
        load->model->graphs.data[graph].kind == TFP_GRAPH_FUNCTION)
        edge->port = tfp_model_string(load->model, ref.port);
    edge->output = ref.is_control ? TFP_CONTROL : ref.output;
    return edge->source == TFP_NO_ID || edge->port == TFP_NO_ID
               ? tfp_fail_nomem(err)
               : TFPROF_OK;
}

static int add_edges(tfp_load *load, uint32_t graph, const tfp_node_def *node,
                     tfp_record *record, int64_t *controls, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&node->inputs, record);
    tfp_field f;
    while (tfp_repeated_next(&w, NodeDef_input, &f)) {
        tfp_edge edge;
        int status = tfp_read_edge(load, graph, f.bytes, &edge, err);
        if (status != TFPROF_OK)
            return status;
        if (!tfp_graph_add_edge(load->model, graph, edge))
            return tfp_fail_nomem(err);
        *controls += edge.output == TFP_CONTROL;
    }
    return TFPROF_OK;
}

/* For a node whose edges are not kept. */
static int64_t count_controls(const tfp_node_def *node, tfp_record *record)
{
    tfp_wire w = tfp_repeated_wire(&node->inputs, record);
    tfp_field f;
    int64_t controls = 0;
    while (tfp_repeated_next(&w, NodeDef_input, &f))
        controls += tfp_span_starts(f.bytes, "^");
    return controls;
}

static int read_facts(tfp_load *load, const tfp_node_def *node,
                      tfp_record *record, tfp_node_facts *facts,
                      tfprof_error *err)
{
    tfp_interner *strings = &load->model->strings;
    tfp_intern_key name = tfp_intern_prepare(strings, node->name);
    tfp_attr_columns columns;
    int status;
    *facts = (tfp_node_facts){ .op = tfp_model_string(load->model, node->op),
                               .device = tfp_intern_same(
                                   strings, load->last_device, node->device) };
    load->last_device = facts->device;
    status = tfp_read_attrs(load, &node->attrs, NodeDef_attr,
                            &tfp_NodeDef_AttrEntry, record, &facts->attrs,
                            &columns, err);
    facts->outputs = columns.outputs;
    facts->name = tfp_intern_prepared(strings, name);
    if (facts->name == TFP_NO_ID || facts->op == TFP_NO_ID ||
        facts->device == TFP_NO_ID)
        return tfp_fail_nomem(err);
    return status;
}

int tfp_read_node(tfp_load *load, uint32_t graph, bool in_function,
                  tfp_record *record, tfprof_error *err)
{
    tfp_input_counts *counts = &tfp_load_input(load)->counts;
    tfp_wire w = tfp_wire_over(record);
    tfp_node_def def;
    tfp_node_facts facts;
    tfp_node node;
    int64_t controls = 0;
    int status;
    tfp_node_def_read(&w, &def);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    status = read_facts(load, &def, record, &facts, err);
    if (status != TFPROF_OK || !tfp_record_ok(record))
        return status;
    if (!tfp_graph_add_node(load->model, graph, &facts, &node))
        return tfp_fail_nomem(err);
    if (node == TFP_NO_NODE) {
        counts->duplicate_nodes++;
        controls = count_controls(&def, record);
    } else {
        status = add_edges(load, graph, &def, record, &controls, err);
    }
    if (status != TFPROF_OK)
        return status;
    if (in_function) {
        counts->function_nodes++;
        counts->function_edges += def.inputs.count;
        return TFPROF_OK;
    }
    counts->nodes++;
    counts->edges += def.inputs.count;
    counts->control_edges += controls;
    status = tfp_note_op(load, facts.op, err);
    return status == TFPROF_OK ? tfp_note_device(load, facts.device, err)
                               : status;
}

/* ---- Leaves ------------------------------------------------------------- */

int tfp_read_graph_leaf(tfp_load *load, const tfp_field *f, tfp_record *record,
                        tfprof_error *err)
{
    int status = tfp_open_graph(load, NULL, err);
    if (status != TFPROF_OK)
        return status;
    if (f->tag == GraphDef_node)
        return tfp_read_node(load, load->graph, false, record, err);
    if (f->tag == GraphDef_versions) {
        tfp_wire w = tfp_wire_over(record);
        tfp_version_def versions;
        tfp_graph *graph = &load->model->graphs.data[load->graph];
        tfp_version_def_read(&w, &versions);
        graph->producer = versions.producer;
        graph->min_consumer = versions.min_consumer;
        tfp_load_input(load)->producer = versions.producer;
        tfp_load_input(load)->min_consumer = versions.min_consumer;
        return TFPROF_OK;
    }
    return TFP_LEAF_UNREAD;
}

int tfp_read_library_leaf(tfp_load *load, const tfp_field *f,
                          tfp_record *record, tfprof_error *err)
{
    (void)record;
    (void)err;
    tfp_load_input(load)->ignored.gradients +=
        f->tag == FunctionDefLibrary_gradient ||
        f->tag == FunctionDefLibrary_registered_gradients;
    return TFP_LEAF_UNREAD;
}

int tfp_read_debug_info_leaf(tfp_load *load, const tfp_field *f,
                             tfp_record *record, tfprof_error *err)
{
    (void)record;
    (void)err;
    tfp_load_input(load)->ignored.debug_frames +=
        f->tag == GraphDebugInfo_frames_by_id ||
        f->tag == GraphDebugInfo_traces ||
        f->tag == GraphDebugInfo_traces_by_id;
    return TFP_LEAF_UNREAD;
}
