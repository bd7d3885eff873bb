/*
 * flops_lists.c - types, layers, nodes, tensors and variables of a model, one
 * a row.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/count.h"
#include "ops/flops/formula.h"
#include "ops/flops/names.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "options/options.h"
#include "output/flops/flops.h"
#include "output/text/figures.h"
#include "proto/dtype.h"

/* ---- Words -------------------------------------------------------------- */

const char *const tfp_why_words[TFP_WHY_COUNT] = {
    [TFP_WHY_NO_FORMULA] = "no_formula",
    [TFP_WHY_UNKNOWN_SHAPE] = "unknown_shape",
    [TFP_WHY_REFUSED] = "unsupported_format",
    [TFP_WHY_NOT_ASKED] = "not_walked",
    [TFP_WHY_MISSING] = "missing_function",
    [TFP_WHY_RECURSIVE] = "recursive_function",
    [TFP_WHY_DEEP] = "too_deep",
    [TFP_WHY_MANY] = "too_many_nodes",
    [TFP_WHY_GRADIENT] = "gradient_of_function",
};

const char *const tfp_why_phrases[TFP_WHY_COUNT] = {
    [TFP_WHY_NO_FORMULA] = "no formula",
    [TFP_WHY_UNKNOWN_SHAPE] = "unknown shape",
    [TFP_WHY_REFUSED] = "layout that TensorFlow does not count",
    [TFP_WHY_NOT_ASKED] = "function not walked",
    [TFP_WHY_MISSING] = "function not in the file",
    [TFP_WHY_RECURSIVE] = "function calls itself",
    [TFP_WHY_DEEP] = "calls nested too deeply",
    [TFP_WHY_MANY] = "too many nodes in all calls",
    [TFP_WHY_GRADIENT] = "gradient created at run time",
};

const char *const tfp_rule_words[] = {
    [TFP_PARAMS_NONE] = "none",
    [TFP_PARAMS_SIGNATURE] = "signature_variables",
    [TFP_PARAMS_VARIABLES] = "all_variables",
    [TFP_PARAMS_CAPTURED] = "captured_variables",
    [TFP_PARAMS_READ] = "constants_read_as_variables",
    [TFP_PARAMS_CONSTANTS] = "constants",
};

const char *const tfp_rule_phrases[] = {
    [TFP_PARAMS_NONE] = "",
    [TFP_PARAMS_SIGNATURE] = "used by the signature",
    [TFP_PARAMS_VARIABLES] = "of the graph",
    [TFP_PARAMS_CAPTURED] = "that are inputs of the graph",
    [TFP_PARAMS_READ] = "read like variables",
    [TFP_PARAMS_CONSTANTS] = "other than scalars",
};

const char *tfp_dtype_word(int32_t dtype)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(dtype);
    return facts ? facts->name : "unknown";
}

/* Room for a text that is cut where it ends. */
typedef struct bounded {
    char *data;
    size_t size, used;
} bounded;

static void put(bounded *b, const char *text)
{
    size_t size = strlen(text);
    size = size > b->size - b->used ? b->size - b->used : size;
    memcpy(b->data + b->used, text, size);
    b->used += size;
}

tfp_span tfp_shape_text(const tfp_model *model, tfp_shape shape,
                        char buffer[TFP_SHAPE_TEXT_SIZE])
{
    tfp_dims dims = tfp_dims_of(model, shape);
    bounded b = { buffer, TFP_SHAPE_TEXT_SIZE, 0 };
    char figure[TFP_FIGURE_SIZE];
    put(&b, dims.rank < 0 ? "?" : "[");
    for (int i = 0; i < dims.rank; i++) {
        put(&b, i > 0 ? "," : "");
        if (dims.at[i] >= 0)
            tfp_figure_integer(dims.at[i], figure);
        put(&b, dims.at[i] < 0 ? "?" : figure);
    }
    if (dims.rank >= 0)
        put(&b, "]");
    return (tfp_span){ (const uint8_t *)buffer, b.used };
}

/* ---- Help --------------------------------------------------------------- */

static tfp_span op_of(const tfp_shapes *s, uint32_t instance, uint32_t node)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    return tfp_model_text(s->model, nodes->op[graph->first_node + node]);
}

static void put_shape(const tfp_shapes *s, tfp_columns *c, tfp_shape shape)
{
    char text[TFP_SHAPE_TEXT_SIZE];
    tfp_columns_text(c, tfp_shape_text(s->model, shape, text));
}

typedef void node_fn(const tfp_flops_answer *a, tfp_columns *c,
                     tfp_flops_scratch *scratch, uint32_t instance,
                     uint32_t node);

/* Calls `put_one` for every node that was counted. */
static void put_each(const tfp_flops_answer *a, tfp_columns *c,
                     tfp_flops_scratch *scratch, node_fn *put_one)
{
    const tfp_shapes *s = a->report->shapes;
    for (uint32_t i = 0; i < s->instances.count; i++) {
        uint32_t count = tfp_counts_has(a->report->counts, i)
                             ? tfp_instance_graph(s, i)->node_count
                             : 0;
        for (uint32_t n = 0; n < count && !tfp_sink_is_done(c->sink, n); n++)
            put_one(a, c, scratch, i, n);
    }
}

/* ---- Types and layers --------------------------------------------------- */

#define WORK_COLUMNS(nodes_kind, kind)                                         \
    { "nodes", "nodes", nodes_kind },                                          \
        { "float_ops", "FLOPs", TFP_CELL_NUMBER },                             \
        { "share", "share", TFP_CELL_SHARE }, { "int_ops", "int ops", kind },  \
    {                                                                          \
        "macs", "MACs", kind                                                   \
    }

static const tfp_list_column type_columns[] = {
    { "op", "type", TFP_CELL_TEXT },
    WORK_COLUMNS(TFP_CELL_NUMBER, TFP_CELL_NUMBER),
    { "unknown_nodes", "uncounted", TFP_CELL_NUMBER },
};

static const tfp_list_column layer_columns[] = {
    { "layer", "layer", TFP_CELL_TEXT },
    { "output_shape", "output shape", TFP_CELL_TEXT },
    { "params", "parameters", TFP_CELL_NUMBER },
    WORK_COLUMNS(TFP_CELL_NUMBER, TFP_CELL_NUMBER),
    { "unknown_nodes", "uncounted", TFP_CELL_NUMBER },
};

static const tfp_list_column brief_type_columns[] = {
    { "op", "by type", TFP_CELL_TEXT },
    WORK_COLUMNS(TFP_CELL_NUMBER, TFP_CELL_DETAIL),
    { "unknown_nodes", "uncounted", TFP_CELL_NUMBER },
};

static const tfp_list_column brief_layer_columns[] = {
    { "layer", "by layer", TFP_CELL_TEXT },
    { "output_shape", "output shape", TFP_CELL_DETAIL },
    { "params", "parameters", TFP_CELL_NUMBER },
    WORK_COLUMNS(TFP_CELL_DETAIL, TFP_CELL_DETAIL),
    { "unknown_nodes", "uncounted", TFP_CELL_NUMBER },
};

static void put_work(const tfp_report *r, tfp_columns *c,
                     const tfp_report_row *row)
{
    tfp_columns_number(c, row->nodes);
    tfp_columns_number(c, row->work.float_ops);
    tfp_columns_share(c, row->work.float_ops, r->work.float_ops);
    tfp_columns_number(c, row->work.int_ops);
    tfp_columns_number(c, row->work.macs);
}

/* Does a summary have room for it? Most types do nothing but move data. */
static bool is_idle(const tfp_report_row *row)
{
    return row->work.float_ops == 0 && row->work.int_ops == 0 &&
           row->params == 0 && row->uncounted == 0;
}

typedef tfp_span name_fn(const tfp_report *r, uint32_t name);

static tfp_span type_name(const tfp_report *r, uint32_t name)
{
    return tfp_model_text(r->shapes->model, name);
}

static tfp_span layer_name(const tfp_report *r, uint32_t name)
{
    return tfp_interned(&r->layer_names, name);
}

static void put_rows(const tfp_report *r, const tfp_report_rows *rows,
                     name_fn *name_of, tfp_columns *c, size_t most)
{
    for (size_t i = 0;
         i < rows->all.count && most > 0 && !tfp_sink_is_done(c->sink, i);
         i++) {
        const tfp_report_row *row = &rows->all.data[rows->order[i]];
        if (c->brief && is_idle(row))
            continue;
        most--;
        tfp_columns_begin_row(c);
        tfp_columns_text(c, name_of(r, row->name));
        if (rows == &r->layers) { /* types have neither */
            put_shape(r->shapes, c,
                      row->output == TFP_SHAPE_NONE ? TFP_SHAPE_UNKNOWN_RANK
                                                    : row->output);
            tfp_columns_number(c, row->params);
        }
        put_work(r, c, row);
        tfp_columns_number(c, row->uncounted);
        tfp_columns_end_row(c);
    }
}

static void put_types(const tfp_flops_answer *a, tfp_columns *c,
                      tfp_flops_scratch *scratch, size_t most)
{
    (void)scratch;
    put_rows(a->report, &a->report->types, type_name, c, most);
}

static void put_layers(const tfp_flops_answer *a, tfp_columns *c,
                       tfp_flops_scratch *scratch, size_t most)
{
    (void)scratch;
    put_rows(a->report, &a->report->layers, layer_name, c, most);
}

/* ---- Nodes -------------------------------------------------------------- */

static const tfp_list_column node_columns[] = {
    { "node", "node", TFP_CELL_TEXT },
    { "op", "type", TFP_CELL_TEXT },
    { "output_shapes", "shapes", TFP_CELL_TEXT },
    { "times", "times", TFP_CELL_NUMBER },
    { "float_ops", "FLOPs", TFP_CELL_NUMBER },
    { "int_ops", "int ops", TFP_CELL_NUMBER },
    { "macs", "MACs", TFP_CELL_NUMBER },
    { "status", "status", TFP_CELL_TEXT },
    { "float_ops_tensorflow", "by TensorFlow", TFP_CELL_NUMBER },
    { "status_tensorflow", "status", TFP_CELL_TEXT },
};

static const char *status_of(const tfp_verdict *v)
{
    static const char *const words[] = {
        [TFP_OUTCOME_COUNTED] = "counted", [TFP_OUTCOME_FREE] = "free",
        [TFP_OUTCOME_CALLED] = "called",   [TFP_OUTCOME_DEAD] = "dead",
        [TFP_OUTCOME_PASSED] = "cheaper",
    };
    return v->outcome == TFP_OUTCOME_UNCOUNTED ? tfp_why_words[v->why]
                                               : words[v->outcome];
}

static const char *const upstream_status[] = {
    [TFP_COUNTED] = "ok",
    [TFP_COUNTED_FREE] = "none",
    [TFP_COUNTED_CALL] = "none",
    [TFP_COUNTED_UNWALKED] = "none",
    [TFP_COUNTED_NO_FORMULA] = "none",
    [TFP_COUNTED_UNKNOWN_SHAPE] = "incomplete_shape",
    [TFP_COUNTED_REFUSED] = "unsupported_format",
};

static void add_text(tfp_flops_scratch *scratch, tfp_span text)
{
    if (!TFP_VEC_RESERVE(scratch->names.memory, &scratch->text, text.size)) {
        scratch->names.failed = true;
        return;
    }
    if (text.size > 0)
        memcpy(scratch->text.data + scratch->text.count, text.data, text.size);
    scratch->text.count += text.size;
}

/* "[1,2];[3]" */
static void put_output_shapes(const tfp_shapes *s, tfp_columns *c,
                              tfp_flops_scratch *scratch, uint32_t instance,
                              uint32_t node)
{
    const tfp_known *known;
    scratch->text.count = 0;
    for (size_t k = 0; (known = tfp_shapes_output(s, instance, node, k)); k++) {
        char one[TFP_SHAPE_TEXT_SIZE];
        add_text(scratch, tfp_span_of(k > 0 ? ";" : ""));
        add_text(scratch, tfp_shape_text(s->model,
                                         known->of[TFP_GRADE_FULL].shape, one));
    }
    tfp_columns_text(c, (tfp_span){ scratch->text.data, scratch->text.count });
}

static void put_node(const tfp_flops_answer *a, tfp_columns *c,
                     tfp_flops_scratch *scratch, uint32_t instance,
                     uint32_t node)
{
    const tfp_report *r = a->report;
    const tfp_node_count *count = &r->counts->of[instance][node];
    tfp_verdict v = tfp_report_verdict(r, r->request.set, instance, node);
    tfp_columns_begin_row(c);
    tfp_columns_text(c, tfp_node_name(&scratch->names, instance, node));
    tfp_columns_text(c, op_of(r->shapes, instance, node));
    put_output_shapes(r->shapes, c, scratch, instance, node);
    tfp_columns_number(c, tfp_shapes_node_times(r->shapes, instance, node));
    tfp_columns_number(c, v.work.float_ops);
    tfp_columns_number(c, v.work.int_ops);
    tfp_columns_number(c, v.work.macs);
    tfp_columns_word(c, status_of(&v));
    tfp_columns_number(
        c, tfp_mul_sat(tfp_shapes_times(r->shapes, instance), count->upstream));
    tfp_columns_word(c, upstream_status[count->counted_upstream]);
    tfp_columns_end_row(c);
}

static void put_nodes(const tfp_flops_answer *a, tfp_columns *c,
                      tfp_flops_scratch *scratch, size_t most)
{
    (void)most;
    put_each(a, c, scratch, put_node);
}

/* ---- Tensors ------------------------------------------------------------ */

static const tfp_list_column tensor_columns[] = {
    { "tensor", "tensor", TFP_CELL_TEXT },
    { "op", "type", TFP_CELL_TEXT },
    { "shape", "shape", TFP_CELL_TEXT },
    { "grade", "known", TFP_CELL_TEXT },
    { "shape_tensorflow", "in TensorFlow", TFP_CELL_TEXT },
};

static const char *grade_of(const tfp_model *model, const tfp_known *known)
{
    tfp_shape less = known->of[TFP_GRADE_TENSORFLOW].shape;
    tfp_shape more = known->of[TFP_GRADE_FULL].shape;
    if (less != more)
        return "beyond";
    return tfp_dims_of(model, more).rank < 0 ? "unknown" : "tensorflow";
}

static void put_tensors_of(const tfp_flops_answer *a, tfp_columns *c,
                           tfp_flops_scratch *scratch, uint32_t instance,
                           uint32_t node)
{
    const tfp_shapes *s = a->report->shapes;
    const tfp_known *known;
    for (size_t k = 0; (known = tfp_shapes_output(s, instance, node, k)); k++) {
        tfp_columns_begin_row(c);
        tfp_columns_text(c,
                         tfp_tensor_name(&scratch->names, instance, node, k));
        tfp_columns_text(c, op_of(s, instance, node));
        put_shape(s, c, known->of[TFP_GRADE_FULL].shape);
        tfp_columns_word(c, grade_of(s->model, known));
        put_shape(s, c, known->of[TFP_GRADE_TENSORFLOW].shape);
        tfp_columns_end_row(c);
    }
}

static void put_tensors(const tfp_flops_answer *a, tfp_columns *c,
                        tfp_flops_scratch *scratch, size_t most)
{
    (void)most;
    put_each(a, c, scratch, put_tensors_of);
}

/* ---- Variables ---------------------------------------------------------- */

static const tfp_list_column variable_columns[] = {
    { "name", "variable", TFP_CELL_TEXT },
    { "dtype", "type", TFP_CELL_TEXT },
    { "shape", "shape", TFP_CELL_TEXT },
    { "elements", "elements", TFP_CELL_NUMBER },
    { "bytes", "bytes", TFP_CELL_NUMBER },
    { "trainable", "trainable", TFP_CELL_TEXT },
};

static void put_variables(const tfp_flops_answer *a, tfp_columns *c,
                          tfp_flops_scratch *scratch, size_t most)
{
    static const char *const words[] = {
        [TFP_TRAINABLE_UNKNOWN] = "unknown",
        [TFP_TRAINABLE_NO] = "false",
        [TFP_TRAINABLE_YES] = "true",
    };
    const tfp_params *p = a->report->params;
    (void)scratch, (void)most;
    for (size_t i = 0; i < p->list.count && !tfp_sink_is_done(c->sink, i);
         i++) {
        const tfp_param *param = &p->list.data[i];
        tfp_columns_begin_row(c);
        tfp_columns_text(c, tfp_model_text(p->shapes->model, param->name));
        tfp_columns_word(c, tfp_dtype_word(param->dtype));
        put_shape(p->shapes, c, param->shape);
        tfp_columns_size(c, param->elements);
        tfp_columns_size(c, param->bytes);
        tfp_columns_word(c, words[param->trainable]);
        tfp_columns_end_row(c);
    }
}

/* ---- Uncounted ---------------------------------------------------------- */

static const tfp_list_column uncounted_columns[] = {
    { "node", "node", TFP_CELL_TEXT },
    { "op", "type", TFP_CELL_TEXT },
    { "why", "why", TFP_CELL_TEXT },
    { "missing", "missing", TFP_CELL_TEXT },
};

/* Which shape it is that is not known: "input 0 is [?,10]". */
static void put_missing(const tfp_report *r, tfp_columns *c,
                        tfp_flops_scratch *scratch,
                        const tfp_uncounted_node *row)
{
    tfp_grade grade = r->request.set == TFP_SET_TENSORFLOW
                          ? TFP_GRADE_TENSORFLOW
                          : TFP_GRADE_FULL;
    char shape[TFP_SHAPE_TEXT_SIZE], which[64];
    tfp_shape unknown = TFP_SHAPE_UNKNOWN_RANK;
    tfp_site site;
    scratch->text.count = 0;
    if (row->why == TFP_WHY_UNKNOWN_SHAPE &&
        tfp_shapes_site(r->shapes, row->instance, row->node, grade, &site)) {
        if (row->input >= 0)
            unknown = tfp_site_input_fact(&site, (size_t)row->input)->shape;
        else if (site.output_count > 0)
            unknown = site.outputs[0].of[grade].shape;
        snprintf(which, sizeof(which), "%s %d is ",
                 row->input >= 0 ? "input" : "output",
                 row->input >= 0 ? row->input : 0);
        add_text(scratch, tfp_span_of(which));
        add_text(scratch, tfp_shape_text(r->shapes->model, unknown, shape));
    }
    tfp_columns_text(c, (tfp_span){ scratch->text.data, scratch->text.count });
}

static void put_uncounted(const tfp_flops_answer *a, tfp_columns *c,
                          tfp_flops_scratch *scratch, size_t most)
{
    const tfp_report *r = a->report;
    for (size_t i = 0;
         i < r->uncounted.count && i < most && !tfp_sink_is_done(c->sink, i);
         i++) {
        const tfp_uncounted_node *row = &r->uncounted.data[i];
        tfp_columns_begin_row(c);
        tfp_columns_text(
            c, tfp_node_name(&scratch->names, row->instance, row->node));
        tfp_columns_text(c, op_of(r->shapes, row->instance, row->node));
        tfp_columns_word(c, tfp_why_words[row->why]);
        put_missing(r, c, scratch, row);
        tfp_columns_end_row(c);
    }
}

/* ---- The table ---------------------------------------------------------- */

#define LIST(key, columns, put)                                                \
    { key, columns, sizeof(columns) / sizeof(columns[0]), put }

const tfp_flops_list tfp_flops_lists[] = {
    [TFP_LIST_SUMMARY] = { 0 },
    [TFP_LIST_TYPES] = LIST("by_type", type_columns, put_types),
    [TFP_LIST_LAYERS] = LIST("layers", layer_columns, put_layers),
    [TFP_LIST_NODES] = LIST("nodes", node_columns, put_nodes),
    [TFP_LIST_TENSORS] = LIST("tensors", tensor_columns, put_tensors),
    [TFP_LIST_VARIABLES] = LIST("variables", variable_columns, put_variables),
    [TFP_LIST_UNCOUNTED] = LIST("uncounted", uncounted_columns, put_uncounted),
};

const tfp_flops_list tfp_flops_brief_types = LIST("by_type", brief_type_columns,
                                                  put_types);
const tfp_flops_list tfp_flops_brief_layers = LIST(
    "layers", brief_layer_columns, put_layers);

size_t tfp_flops_brief_rows(const tfp_report_rows *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->all.count; i++)
        count += !is_idle(&rows->all.data[i]);
    return count;
}

void tfp_flops_put_list(const tfp_flops_answer *a, const tfp_flops_list *list,
                        tfp_columns *c, tfp_flops_scratch *scratch, size_t most)
{
    do {
        list->put(a, c, scratch, most);
    } while (!c->sink->failed && tfp_columns_again(c));
}
