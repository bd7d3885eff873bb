/*
 * node_proto.c - what a row says of itself in tfprof_output.proto.
 */
#include "output/view/node_proto.h"

#include "model/times.h"

#include "model/model.h"

#include "model/metrics.h"

#include "model/ids.h"

#include "model/costs.h"

#include "model/attrs.h"

#include "base/intern.h"

#include "proto/schema.h"

void tfp_node_proto_init(tfp_node_proto *n, const tfp_view *view, tfp_put *put)
{
    *n = (tfp_node_proto){ .view = view, .put = put };
    tfp_row_facts_init(&n->facts, view);
}

void tfp_node_proto_release(tfp_node_proto *n)
{
    tfp_row_facts_release(&n->facts);
    TFP_VEC_RELEASE(n->view->memory, &n->text);
}

/* ---- Costs -------------------------------------------------------------- */

/* The fields of a cost: of the thing itself, and with all below it; 0 for
 * none. Messages have only upstream's costs. */
typedef struct cost_fields {
    uint32_t self, total;
} cost_fields;

#define FIELDS(id, word, name, field, ...)                                     \
    [TFP_COST_##id] = { GraphNodeProto_##field, GraphNodeProto_total_##field },
static const cost_fields of_nodes[TFP_UPSTREAM_COSTS] = { TFP_UPSTREAM_METRICS(
    FIELDS) };
#undef FIELDS

/* Of groups upstream tells no runs: their nodes do. */
#define MultiGraphNodeProto_run_count       0
#define MultiGraphNodeProto_total_run_count 0
#define FIELDS(id, word, name, field, ...)                                     \
    [TFP_COST_##id] = { MultiGraphNodeProto_##field,                           \
                        MultiGraphNodeProto_total_##field },
static const cost_fields of_groups[TFP_UPSTREAM_COSTS] = { TFP_UPSTREAM_METRICS(
    FIELDS) };
#undef FIELDS

/* Messages have whole microseconds. */
static int64_t whole_cost(const tfp_node_proto *n, tfp_cost cost, int64_t value)
{
    return tfp_cost_to_whole(cost, value, tfp_model_time_unit(n->view->model));
}

static void put_row_costs(tfp_node_proto *n, uint32_t row)
{
    const tfp_view *v = n->view;
    const cost_fields *fields = v->type->is_multi_message ? of_groups
                                                          : of_nodes;
    for (int i = 0; i < TFP_UPSTREAM_COSTS; i++) {
        tfp_cost cost = (tfp_cost)i;
        if (fields[cost].self == 0)
            continue;
        tfp_put_number(n->put, fields[cost].self,
                       whole_cost(n, cost, tfp_row_self(v, row, cost)));
        tfp_put_number(n->put, fields[cost].total,
                       whole_cost(n, cost, tfp_row_total(v, row, cost)));
    }
}

/* A node of a group has nothing below it. */
static void put_member_costs(tfp_node_proto *n, uint32_t member)
{
    for (int i = 0; i < TFP_UPSTREAM_COSTS; i++) {
        tfp_cost cost = (tfp_cost)i;
        int64_t value = *tfp_costs_at(&n->view->costs, member, cost);
        value = whole_cost(n, cost, value);
        tfp_put_number(n->put, of_nodes[cost].self, value);
        tfp_put_number(n->put, of_nodes[cost].total, value);
    }
}

/* ---- Names and shapes --------------------------------------------------- */

/* A string of protobuf has to be UTF-8, or its message is refused. */
static void put_name(tfp_node_proto *n, uint32_t tag, tfp_span name)
{
    if (tfp_utf8_run(name) < name.size) {
        n->text.count = 0;
        n->put->failed |= !tfp_utf8_add(n->view->memory, &n->text, name);
        name = (tfp_span){ n->text.data, n->text.count };
    }
    tfp_put_text(n->put, tag, name);
}

/* A scalar is written as one element, as everywhere. */
static void put_shape(tfp_node_proto *n, tfp_shape shape)
{
    static const int64_t scalar[] = { 1 };
    int rank;
    const int64_t *dims = tfp_shape_dims(n->view->model, shape, &rank);
    if (rank == 0) {
        dims = scalar;
        rank = 1;
    }
    if (rank < 0)
        tfp_put_number(n->put, TensorShapeProto_unknown_rank, true);
    for (int i = 0; i < rank; i++) {
        size_t dim = tfp_put_open(n->put, TensorShapeProto_dim);
        tfp_put_number(n->put, TensorShapeProto_Dim_size, dims[i]);
        tfp_put_end(n->put, dim);
    }
}

static void put_inputs(tfp_node_proto *n, uint32_t member)
{
    size_t count;
    const tfp_node_input *inputs = tfp_member_inputs(&n->facts, member, &count);
    for (size_t i = 0; i < count; i++) {
        size_t entry = tfp_put_open(n->put, GraphNodeProto_input_shapes), shape;
        tfp_put_int(n->put, TFP_MAP_KEY, inputs[i].number);
        shape = tfp_put_begin(n->put, TFP_MAP_VALUE);
        put_shape(n, inputs[i].shape);
        tfp_put_end(n->put, shape);
        tfp_put_end(n->put, entry);
    }
}

static void put_member_facts(tfp_node_proto *n, uint32_t member)
{
    const tfp_view *v = n->view;
    tfp_string device = v->census->members.data[member].device;
    put_name(n, GraphNodeProto_devices, tfp_model_text(v->model, device));
    put_inputs(n, member);
}

/* ---- Messages ----------------------------------------------------------- */

void tfp_node_proto_row(tfp_node_proto *n, uint32_t row)
{
    const tfp_view *v = n->view;
    const tfp_row *r = &v->rows.data[row];
    put_name(n,
             v->type->is_multi_message ? MultiGraphNodeProto_name
                                       : GraphNodeProto_name,
             tfp_row_name(r));
    put_row_costs(n, row);
    if (v->type->is_multi_message)
        return;
    tfp_put_number(n->put, GraphNodeProto_total_definition_count,
                   v->definitions[row]);
    if (r->subject != TFP_NO_ID)
        put_member_facts(n, r->subject);
}

void tfp_node_proto_member(tfp_node_proto *n, uint32_t member)
{
    const tfp_view *v = n->view;
    tfp_string name = v->census->members.data[member].name;
    put_name(n, GraphNodeProto_name, tfp_model_text(v->model, name));
    put_member_costs(n, member);
    tfp_put_number(n->put, GraphNodeProto_total_definition_count, 1);
    put_member_facts(n, member);
}
