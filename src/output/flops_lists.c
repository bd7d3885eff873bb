/*
 * flops_lists.c - the nodes and tensors of a model, one a line.
 */
#include "output/flops_lists.h"

#include "output/csv.h"

/* ---- Names -------------------------------------------------------------- */

static const tfp_graph *graph_of(const tfp_shapes *s, uint32_t instance)
{
    return &s->model->graphs.data[s->instances.data[instance].graph];
}

/* Is the instance the one asked about, or called from it? */
static bool is_listed(const tfp_shapes *s, uint32_t instance)
{
    while (instance != TFP_NO_ID && instance != s->subject)
        instance = s->instances.data[instance].parent;
    return instance == s->subject;
}

static const char *const parts[] = {
    [TFP_PART_TOP] = "",          [TFP_PART_CALL] = "",
    [TFP_PART_BODY] = "body/",    [TFP_PART_COND] = "cond/",
    [TFP_PART_THEN] = "then/",    [TFP_PART_ELSE] = "else/",
    [TFP_PART_BRANCH] = "branch",
};

/* "caller/body/", from the instance that the question is about. */
static void put_prefix(const tfp_shapes *s, tfp_sink *sink, uint32_t instance)
{
    uint32_t chain[64 + 1]; /* calls inside each other are limited */
    size_t count = 0;
    while (instance != s->subject) {
        chain[count++] = instance;
        instance = s->instances.data[instance].parent;
    }
    while (count-- > 0) {
        const tfp_instance *in = &s->instances.data[chain[count]];
        const tfp_graph *graph = graph_of(s, in->parent);
        const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
        tfp_csv_part(
            sink, tfp_model_text(s->model,
                                 nodes->name[graph->first_node + in->caller]));
        tfp_sink_format(sink, "/%s", parts[in->part]);
        if (in->part == TFP_PART_BRANCH)
            tfp_sink_format(sink, "%u/", in->branch);
    }
}

static void put_name(const tfp_shapes *s, tfp_sink *sink, uint32_t instance,
                     uint32_t node)
{
    const tfp_graph *graph = graph_of(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    put_prefix(s, sink, instance);
    tfp_csv_part(
        sink, tfp_model_text(s->model, nodes->name[graph->first_node + node]));
}

static tfp_span op_of(const tfp_shapes *s, uint32_t instance, uint32_t node)
{
    const tfp_graph *graph = graph_of(s, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    return tfp_model_text(s->model, nodes->op[graph->first_node + node]);
}

static void put_shape(const tfp_model *model, tfp_sink *sink, tfp_shape shape)
{
    tfp_dims dims = tfp_dims_of(model, shape);
    if (dims.rank < 0) {
        tfp_sink_char(sink, '?');
        return;
    }
    tfp_sink_char(sink, '[');
    for (int i = 0; i < dims.rank; i++) {
        if (i > 0)
            tfp_sink_char(sink, ',');
        if (dims.at[i] < 0)
            tfp_sink_char(sink, '?');
        else
            tfp_sink_format(sink, "%lld", (long long)dims.at[i]);
    }
    tfp_sink_char(sink, ']');
}

/* ---- Tensors ------------------------------------------------------------ */

static const char *grade_of(const tfp_model *model, const tfp_known *known)
{
    tfp_shape less = known->of[TFP_GRADE_TENSORFLOW].shape;
    tfp_shape more = known->of[TFP_GRADE_FULL].shape;
    if (less != more)
        return "beyond";
    return tfp_dims_of(model, more).rank < 0 ? "unknown" : "tensorflow";
}

static void list_tensors_of(const tfp_shapes *s, tfp_sink *sink,
                            uint32_t instance)
{
    for (uint32_t n = 0; n < graph_of(s, instance)->node_count; n++) {
        const tfp_known *known;
        for (size_t k = 0;
             (known = tfp_shapes_output(s, instance, n, k)) != NULL; k++) {
            tfp_sink_char(sink, '"');
            put_name(s, sink, instance, n);
            tfp_sink_format(sink, ":%zu\",", k);
            tfp_csv_text(sink, op_of(s, instance, n));
            tfp_sink_text(sink, ",\"");
            put_shape(s->model, sink, known->of[TFP_GRADE_FULL].shape);
            tfp_sink_format(sink, "\",%s,\"", grade_of(s->model, known));
            put_shape(s->model, sink, known->of[TFP_GRADE_TENSORFLOW].shape);
            tfp_sink_text(sink, "\"\n");
        }
    }
}

int tfp_flops_list_tensors(const tfp_counts *counts, tfp_sink *sink,
                           tfprof_error *err)
{
    const tfp_shapes *s = counts->shapes;
    (void)err;
    tfp_sink_text(sink, "tensor,op,shape,grade,shape_tensorflow\n");
    for (uint32_t i = 0; i < s->instances.count; i++) {
        if (is_listed(s, i))
            list_tensors_of(s, sink, i);
    }
    return TFPROF_OK;
}

/* ---- Nodes -------------------------------------------------------------- */

static const char *const counted[] = {
    [TFP_COUNTED] = "counted",
    [TFP_COUNTED_FREE] = "free",
    [TFP_COUNTED_CALL] = "called",
    [TFP_COUNTED_UNWALKED] = "not_walked",
    [TFP_COUNTED_NO_FORMULA] = "no_formula",
    [TFP_COUNTED_UNKNOWN_SHAPE] = "unknown_shape",
    [TFP_COUNTED_REFUSED] = "no_formula",
};

static const char *const counted_upstream[] = {
    [TFP_COUNTED] = "ok",
    [TFP_COUNTED_FREE] = "none",
    [TFP_COUNTED_CALL] = "none",
    [TFP_COUNTED_UNWALKED] = "none",
    [TFP_COUNTED_NO_FORMULA] = "none",
    [TFP_COUNTED_UNKNOWN_SHAPE] = "incomplete_shape",
    [TFP_COUNTED_REFUSED] = "unsupported_format",
};

static void put_output_shapes(const tfp_shapes *s, tfp_sink *sink,
                              uint32_t instance, uint32_t node)
{
    const tfp_known *known;
    for (size_t k = 0; (known = tfp_shapes_output(s, instance, node, k)); k++) {
        if (k > 0)
            tfp_sink_char(sink, ';');
        put_shape(s->model, sink, known->of[TFP_GRADE_FULL].shape);
    }
}

static void list_nodes_of(const tfp_counts *c, tfp_sink *sink,
                          uint32_t instance)
{
    const tfp_shapes *s = c->shapes;
    int64_t times = tfp_shapes_times(s, instance);
    for (uint32_t n = 0; n < graph_of(s, instance)->node_count; n++) {
        const tfp_node_count *count = &c->of[instance][n];
        bool live = tfp_shapes_is_live(s, instance, n);
        tfp_sink_char(sink, '"');
        put_name(s, sink, instance, n);
        tfp_sink_text(sink, "\",");
        tfp_csv_text(sink, op_of(s, instance, n));
        tfp_sink_text(sink, ",\"");
        put_output_shapes(s, sink, instance, n);
        tfp_sink_format(sink, "\",%lld,%lld,%lld,%lld,%s,%lld,%s\n",
                        (long long)times,
                        (long long)tfp_mul_sat(times, count->work.float_ops),
                        (long long)tfp_mul_sat(times, count->work.int_ops),
                        (long long)tfp_mul_sat(times, count->work.macs),
                        live ? counted[count->counted] : "dead",
                        (long long)tfp_mul_sat(times, count->upstream),
                        counted_upstream[count->counted_upstream]);
    }
}

int tfp_flops_list_nodes(const tfp_counts *c, tfp_sink *sink, tfprof_error *err)
{
    (void)err;
    tfp_sink_text(sink, "node,op,output_shapes,times,float_ops,int_ops,macs,"
                        "status,float_ops_tensorflow,status_tensorflow\n");
    for (uint32_t i = 0; i < c->instance_count; i++) {
        if (is_listed(c->shapes, i))
            list_nodes_of(c, sink, i);
    }
    return TFPROF_OK;
}
