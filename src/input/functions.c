/*
 * functions.c - FunctionDef into the model: each a graph of its own.
 *
 * Arguments and results become nodes, so that edges are all of one sort.
 */
#include "input/load.h"
#include "proto/graph.h"

int tfp_open_function(tfp_load *load, const tfp_field_spec *field,
                      tfprof_error *err)
{
    int status = tfp_open_graph(load, field, err);
    if (status != TFPROF_OK)
        return status;
    load->function = tfp_model_open_graph(load->model, TFP_GRAPH_FUNCTION, 0,
                                          load->graph);
    if (load->function == TFP_NO_ID)
        return tfp_fail_nomem(err);
    tfp_load_input(load)->counts.functions++;
    return TFPROF_OK;
}

int tfp_close_function(tfp_load *load, const tfp_field_spec *field,
                       tfprof_error *err)
{
    tfp_link_counts links = { 0 };
    bool ok;
    (void)field;
    if (load->function == TFP_NO_ID)
        return TFPROF_OK;
    ok = tfp_model_close_graph(load->model, load->function, NULL, &links);
    tfp_load_input(load)->counts.dropped_edges += links.dropped_edges;
    load->function = TFP_NO_ID;
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

/* Adds an "_Arg" or "_Retval" node; *first is the first one of its kind. */
static int add_pseudo_node(tfp_load *load, tfp_span name, tfp_node_facts facts,
                           tfp_node *first, uint32_t *count, tfprof_error *err)
{
    tfp_node node;
    facts.name = tfp_model_string(load->model, name);
    if (facts.name == TFP_NO_ID ||
        !tfp_graph_add_node(load->model, load->function, &facts, &node))
        return tfp_fail_nomem(err);
    if (node == TFP_NO_NODE)
        return TFPROF_OK;
    if ((*count)++ == 0)
        *first = node;
    return TFPROF_OK;
}

/* An argument's type is the attribute "T", as on the node that TensorFlow
 * would make of it. */
static int add_argument(tfp_load *load, const tfp_arg_def *arg,
                        tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_attr type[2] = { { .key = tfp_model_string(load->model,
                                                   tfp_span_of("T")),
                           .kind = TFP_ATTR_TYPE,
                           .value = arg->type } };
    tfp_node_facts facts = { .op = load->arg_op };
    if (type[0].key != TFP_NO_ID)
        facts.attrs = tfp_model_attrs(load->model, type, 1);
    if (type[0].key == TFP_NO_ID || facts.attrs == TFP_NO_ID)
        return tfp_fail_nomem(err);
    return add_pseudo_node(load, arg->name, facts, &graph->first_arg,
                           &graph->arg_count, err);
}

static int read_signature(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_wire w = tfp_wire_over(record);
    tfp_op_def def;
    tfp_arg_def arg;
    tfp_field f;
    tfp_op_def_read(&w, &def);
    graph->name = tfp_model_string(load->model, def.name);
    if (graph->name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    w = tfp_repeated_wire(&def.inputs, record);
    while (tfp_repeated_next(&w, OpDef_input_arg, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        int status;
        tfp_arg_def_read(&inner, &arg);
        tfp_wire_leave(&inner);
        status = add_argument(load, &arg, err);
        if (status != TFPROF_OK)
            return status;
    }
    w = tfp_repeated_wire(&def.outputs, record);
    while (tfp_repeated_next(&w, OpDef_output_arg, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_arg_def_read(&inner, &arg); /* only looked at for damage */
        tfp_wire_leave(&inner);
    }
    return TFPROF_OK;
}

/* Attributes of argument number `key`: the shape it is known to have. */
static int read_arg_attrs(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    const tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_wire w = tfp_wire_over(record), inner;
    tfp_map_entry entry;
    tfp_repeated attrs = { 0 };
    tfp_attrs unused;
    tfp_attr_columns columns;
    tfp_field f;
    int status;
    tfp_map_entry_read(&w, &tfp_FunctionDef_ArgAttrEntry, &entry);
    if (!tfp_record_ok(record) || entry.value.tag == 0)
        return TFPROF_OK;
    inner = tfp_wire_enter(&w, &entry.value);
    while (tfp_repeated_next(&inner, FunctionDef_ArgAttrs_attr, &f))
        tfp_repeated_add(&attrs, &inner, &f);
    status = tfp_read_attrs(load, &attrs, FunctionDef_ArgAttrs_attr,
                            &tfp_FunctionDef_ArgAttrs_AttrEntry, record,
                            &unused, &columns, err);
    tfp_wire_leave(&inner);
    if (status == TFPROF_OK && entry.number < graph->arg_count &&
        columns.outputs != 0)
        load->model->bodies.outputs[graph->first_arg + entry.number] =
            columns.outputs;
    return status;
}

/* A result "name" -> "node:port:0": a node "_Retval" with that one input. Its
 * name begins with a blank, which no node of a file can begin with. */
static int read_return(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_wire w = tfp_wire_over(record);
    tfp_map_entry entry;
    uint8_t name[256] = " ";
    size_t size;
    bool is_control;
    uint32_t before = graph->return_count;
    int status;
    tfp_map_entry_read(&w, &tfp_FunctionDef_RetEntry, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    size = entry.key.size < sizeof(name) ? entry.key.size : sizeof(name) - 1;
    if (size > 0)
        memcpy(name + 1, entry.key.data, size);
    status = add_pseudo_node(load, (tfp_span){ name, size + 1 },
                             (tfp_node_facts){ .op = load->return_op },
                             &graph->first_return, &graph->return_count, err);
    if (status != TFPROF_OK || graph->return_count == before)
        return status;
    return tfp_add_edge(load, load->function,
                        entry.value.tag ? entry.value.bytes : (tfp_span){ 0 },
                        &is_control, err);
}

int tfp_read_function_leaf(tfp_load *load, const tfp_field *f,
                           tfp_record *record, tfprof_error *err)
{
    switch (f->tag) {
    case FunctionDef_signature: return read_signature(load, record, err);
    case FunctionDef_node_def:
        return tfp_read_node(load, load->function, true, record, err);
    case FunctionDef_ret: return read_return(load, record, err);
    case FunctionDef_arg_attr: return read_arg_attrs(load, record, err);
    default: return TFP_LEAF_UNREAD;
    }
}
