/*
 * functions.c - FunctionDef into the model: each a graph of its own.
 *
 * Arguments and results become nodes, so that edges are all of one sort. An
 * argument or result that stands for a list (number_attr, type_list_attr) is
 * one node all the same, since only the call says how many there are; of such
 * and of those whose type the call says (type_attr) the type is 0.
 */
#include "model/functions.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "input/load/load.h"
#include "model/attrs.h"
#include "model/model.h"
#include "proto/graph.h"
#include "proto/walk.h"

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
    load->parts.outputs.count = load->parts.returns.count = 0;
    load->parts.controls.count = load->parts.args.count = 0;
    tfp_load_input(load)->counts.functions++;
    return TFPROF_OK;
}

/* ---- Signature ---------------------------------------------------------- */

/* Dtype and shape of all that a resource holds, into `dtypes` and `shapes`,
 * places in load->numbers. */
static int read_handle_data(tfp_load *load, const tfp_repeated *handle_data,
                            size_t dtypes, size_t shapes, tfp_record *record,
                            tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(handle_data, record);
    tfp_field f;
    while (tfp_repeated_next(&w, OpDef_ArgDef_handle_data, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_handle_data data;
        tfp_shape shape;
        int status;
        tfp_handle_data_read(&inner, &data);
        status = tfp_read_shape(load, &inner, &data.shape, &shape, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
        load->numbers.data[dtypes++] = data.dtype;
        load->numbers.data[shapes++] = shape;
    }
    return TFPROF_OK;
}

/* The items at `base` in load->numbers as an attribute. */
static int make_list_attr(tfp_load *load, const char *key, tfp_attr_kind kind,
                          size_t base, size_t count, tfp_attr *attr,
                          tfprof_error *err)
{
    tfp_list list = tfp_model_list(load->model, load->numbers.data + base,
                                   count);
    attr->key = tfp_model_string(load->model, tfp_span_of(key));
    attr->kind = TFP_ATTR_LIST | (uint32_t)kind;
    attr->value = list;
    return attr->key == TFP_NO_ID || list == TFP_NO_ID ? tfp_fail_nomem(err)
                                                       : TFPROF_OK;
}

/* The types and shapes that a resource argument or result holds, as the two
 * attributes of TensorFlow's "_Arg" nodes. */
static int make_handle_attrs(tfp_load *load, const tfp_repeated *handle_data,
                             tfp_record *record, tfp_attr attrs[2],
                             tfprof_error *err)
{
    size_t base = load->numbers.count, count = handle_data->count;
    int status;
    if (!TFP_VEC_RESERVE(load->memory, &load->numbers, 2 * count))
        return tfp_fail_nomem(err);
    memset(load->numbers.data + base, 0, 2 * count * sizeof(int64_t));
    load->numbers.count += 2 * count;
    status = read_handle_data(load, handle_data, base, base + count, record,
                              err);
    if (status == TFPROF_OK)
        status = make_list_attr(load, "_handle_dtypes", TFP_ATTR_TYPE, base,
                                count, &attrs[0], err);
    if (status == TFPROF_OK)
        status = make_list_attr(load, "_handle_shapes", TFP_ATTR_SHAPE,
                                base + count, count, &attrs[1], err);
    load->numbers.count = base;
    return status;
}

/* The attributes of an argument or result. Its type is "T", as on the node
 * that TensorFlow would make of it. */
static int read_arg(tfp_load *load, tfp_wire *w, const tfp_field *f,
                    tfp_arg_def *arg, tfp_attrs *out, tfprof_error *err)
{
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_attr attrs[2 * 3]; /* half of it is scratch */
    size_t count = 1;
    int status = TFPROF_OK;
    tfp_arg_def_read(&inner, arg);
    if (arg->handle_data.count > 0) {
        status = make_handle_attrs(load, &arg->handle_data, w->record,
                                   attrs + 1, err);
        count = 3;
    }
    tfp_wire_leave(&inner);
    *out = 0;
    if (status != TFPROF_OK)
        return status;
    attrs[0] = (tfp_attr){ .key = tfp_model_string(load->model,
                                                   tfp_span_of("T")),
                           .kind = TFP_ATTR_TYPE,
                           .value = arg->type };
    if (attrs[0].key != TFP_NO_ID)
        *out = tfp_model_attrs(load->model, attrs, count);
    return attrs[0].key == TFP_NO_ID || *out == TFP_NO_ID ? tfp_fail_nomem(err)
                                                          : TFPROF_OK;
}

/* Arguments are looked up as first_arg + number, so their nodes must be
 * consecutive. A file may split a signature into two fields. If other nodes
 * were added in between, the arguments of the second part are ignored. */
static int add_argument(tfp_load *load, tfp_span name, tfp_attrs attrs,
                        tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_node_facts facts = { .op = load->arg_op, .attrs = attrs };
    tfp_node node;
    if (graph->arg_count > 0 &&
        load->model->bodies.count != graph->first_arg + graph->arg_count)
        return TFPROF_OK;
    facts.name = tfp_model_string(load->model, name);
    if (facts.name == TFP_NO_ID ||
        !tfp_graph_add_node(load->model, load->function, &facts, &node))
        return tfp_fail_nomem(err);
    if (node == TFP_NO_NODE)
        return TFPROF_OK;
    if (graph->arg_count++ == 0)
        graph->first_arg = node;
    return TFPROF_OK;
}

/* Notes an output. The name of its node begins with a blank, which no node of
 * a file can begin with. */
static int note_output(tfp_load *load, tfp_span name, tfp_attrs attrs,
                       tfprof_error *err)
{
    tfp_function_parts *parts = &load->parts;
    tfp_output_part output = { .node = { .op = load->return_op,
                                         .attrs = attrs } };
    parts->name.count = 0;
    if (!TFP_VEC_RESERVE(load->memory, &parts->name, name.size + 1))
        return tfp_fail_nomem(err);
    parts->name.data[0] = ' ';
    if (name.size > 0)
        memcpy(parts->name.data + 1, name.data, name.size);
    output.name = tfp_model_string(load->model, name);
    output.node.name = tfp_model_string(
        load->model, (tfp_span){ parts->name.data, name.size + 1 });
    if (output.name == TFP_NO_ID || output.node.name == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &parts->outputs, output))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

typedef int arg_fn(tfp_load *load, tfp_span name, tfp_attrs attrs,
                   tfprof_error *err);

static int read_args(tfp_load *load, const tfp_repeated *args, uint32_t tag,
                     tfp_record *record, arg_fn *take, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(args, record);
    tfp_field f;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_arg_def arg;
        tfp_attrs attrs;
        int status = read_arg(load, &w, &f, &arg, &attrs, err);
        if (status == TFPROF_OK)
            status = take(load, arg.name, attrs, err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

static int read_signature(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_wire w = tfp_wire_over(record);
    tfp_op_def def;
    int status;
    tfp_op_def_read(&w, &def);
    graph->name = tfp_model_string(load->model, def.name);
    if (graph->name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    status = read_args(load, &def.inputs, OpDef_input_arg, record, add_argument,
                       err);
    return status == TFPROF_OK ? read_args(load, &def.outputs, OpDef_output_arg,
                                           record, note_output, err)
                               : status;
}

/* ---- Maps --------------------------------------------------------------- */

/* Attributes of argument number `key`: the shape it is known to have. */
static int read_arg_attrs(tfp_load *load, tfp_record *record, tfprof_error *err)
{
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
    if (status == TFPROF_OK && columns.outputs != 0 &&
        !TFP_VEC_PUSH(load->memory, &load->parts.args,
                      (tfp_arg_part){ entry.number, columns.outputs }))
        return tfp_fail_nomem(err);
    return status;
}

/* A result "name" -> "node:port:0". */
static int read_return(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_map_entry entry;
    tfp_return_part part;
    int status;
    tfp_map_entry_read(&w, &tfp_FunctionDef_RetEntry, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    part.name = tfp_model_string(load->model, entry.key);
    status = tfp_read_edge(
        load, load->function,
        entry.value.tag ? entry.value.bytes : (tfp_span){ 0 }, &part.edge, err);
    if (part.name == TFP_NO_ID ||
        (status == TFPROF_OK &&
         !TFP_VEC_PUSH(load->memory, &load->parts.returns, part)))
        return tfp_fail_nomem(err);
    return status;
}

/* "name" -> "node"; the name is for those who read the signature. */
static int read_control_return(tfp_load *load, tfp_record *record,
                               tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_map_entry entry;
    tfp_string node;
    tfp_map_entry_read(&w, &tfp_FunctionDef_ControlRetEntry, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    node = tfp_model_string(load->model, entry.value.tag ? entry.value.bytes
                                                         : (tfp_span){ 0 });
    if (node == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &load->parts.controls, node))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_read_function_leaf(tfp_load *load, const tfp_field *f,
                           tfp_record *record, tfprof_error *err)
{
    switch (f->tag) {
    case FunctionDef_signature: return read_signature(load, record, err);
    case FunctionDef_node_def:
        return tfp_read_node(load, load->function, true, record, err);
    case FunctionDef_ret: return read_return(load, record, err);
    case FunctionDef_control_ret: return read_control_return(load, record, err);
    case FunctionDef_arg_attr: return read_arg_attrs(load, record, err);
    default: return TFP_LEAF_UNREAD;
    }
}

/* ---- The end of a function ---------------------------------------------- */

static void place_arg_shapes(tfp_load *load)
{
    const tfp_graph *graph = &load->model->graphs.data[load->function];
    for (size_t i = 0; i < load->parts.args.count; i++) {
        const tfp_arg_part *arg = &load->parts.args.data[i];
        if (arg->number < graph->arg_count)
            load->model->bodies.outputs[graph->first_arg + arg->number] =
                arg->shapes;
    }
}

/* Sorts what the map of results has by name. */
static bool order_returns(tfp_load *load)
{
    size_t count = load->parts.returns.count;
    load->order.count = 0;
    if (!TFP_VEC_RESERVE(load->memory, &load->order, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
        load->order.data[i] = (tfp_sort_item){ load->parts.returns.data[i].name,
                                               (uint32_t)i };
    if (count > 0)
        tfp_sort(load->order.data, count, load->order.data + count, NULL, NULL);
    return true;
}

/* The source of an output, from the map `ret`. As in every map, the last entry
 * of a key is valid. TFP_NO_ID if the map has no entry for the output. */
static tfp_edge find_return(const tfp_load *load, tfp_string name)
{
    size_t low = 0, high = load->parts.returns.count;
    while (low < high) { /* the first that is greater */
        size_t middle = low + (high - low) / 2;
        if (load->order.data[middle].key <= name)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || load->order.data[low - 1].key != name)
        return (tfp_edge){ .source = TFP_NO_ID };
    return load->parts.returns.data[load->order.data[low - 1].index].edge;
}

/* Adds a node for each output of the signature, in order. Like TensorFlow, it
 * ignores map entries that name no output. */
static int add_returns(tfp_load *load, tfprof_error *err)
{
    tfp_graph *graph = &load->model->graphs.data[load->function];
    tfp_function_parts *parts = &load->parts;
    TFP_VEC(tfp_string) names = { 0 };
    bool ok = order_returns(load);
    for (size_t i = 0; ok && i < parts->outputs.count; i++) {
        const tfp_output_part *output = &parts->outputs.data[i];
        tfp_node node;
        ok = tfp_graph_add_node(load->model, load->function, &output->node,
                                &node);
        if (!ok || node == TFP_NO_NODE)
            continue;
        if (graph->return_count++ == 0)
            graph->first_return = node;
        ok = TFP_VEC_PUSH(load->memory, &names, output->name) &&
             tfp_graph_add_edge(load->model, load->function,
                                find_return(load, output->name));
    }
    ok = ok && tfp_function_name_outputs(load->model, load->function,
                                         names.data, names.count);
    TFP_VEC_RELEASE(load->memory, &names);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

int tfp_close_function(tfp_load *load, const tfp_field_spec *field,
                       tfprof_error *err)
{
    tfp_link_counts links = { 0 };
    int status;
    (void)field;
    if (load->function == TFP_NO_ID)
        return TFPROF_OK;
    place_arg_shapes(load);
    status = add_returns(load, err);
    if (!tfp_function_set_controls(
            load->model, load->function, load->parts.controls.data,
            load->parts.controls.count, &links.dropped_edges) ||
        !tfp_model_close_graph(load->model, load->function, NULL, &links))
        status = tfp_fail_nomem(err);
    tfp_load_input(load)->counts.dropped_edges += links.dropped_edges;
    load->function = TFP_NO_ID;
    return status;
}
