/*
 * edges.c - the connections between the nodes of a page.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/text/json.h"
#include "view/view.h"

typedef struct edges {
    tfp_chunks *chunks;
    const tfp_html_rows *rows;
    const tfp_view *view;
    tfp_memory *memory;
    uint32_t *row_of; /* by member: index of its row, or TFP_NO_ID */
    TFP_VEC(int64_t) from, to;
} edges;

static bool find_rows(edges *e)
{
    size_t members = e->view->census->members.count;
    e->row_of = tfp_memory_array(e->memory, members, sizeof(*e->row_of));
    if (!e->row_of)
        return false;
    for (size_t i = 0; i < members; i++)
        e->row_of[i] = TFP_NO_ID;
    for (size_t at = 0; at < e->rows->count; at++) {
        uint32_t row = e->rows->shown[at].row;
        uint32_t member = e->view->rows.data[row].subject;
        if (member != TFP_NO_ID)
            e->row_of[member] = (uint32_t)at;
    }
    return true;
}

static bool add_edge(edges *e, const tfp_edge *edge, size_t to)
{
    const tfp_census *census = e->view->census;
    const tfp_nodes *nodes = &e->view->model->nodes;
    uint32_t member, from;
    if (edge->source == TFP_NO_NODE)
        return true;
    member = census->by_name[nodes->name[edge->source]];
    from = member == TFP_NO_ID ? TFP_NO_ID : e->row_of[member];
    if (from == TFP_NO_ID || e->from.count >= TFP_HTML_MOST_EDGES)
        return true;
    return TFP_VEC_PUSH(e->memory, &e->from, from) &&
           TFP_VEC_PUSH(e->memory, &e->to, (int64_t)to);
}

static bool find_edges(edges *e)
{
    for (size_t at = 0;
         at < e->rows->count && !tfp_sink_is_done(&e->chunks->data, at); at++) {
        uint32_t row = e->rows->shown[at].row;
        uint32_t member = e->view->rows.data[row].subject;
        tfp_node node = member == TFP_NO_ID
                            ? TFP_NO_NODE
                            : e->view->census->members.data[member].node;
        const tfp_edge *inputs;
        size_t count;
        if (node == TFP_NO_NODE)
            continue;
        inputs = tfp_node_inputs(&e->view->model->nodes, node, &count);
        for (size_t i = 0; i < count; i++) {
            if (!add_edge(e, &inputs[i], at))
                return false;
        }
    }
    return true;
}

static void put_edges(edges *e)
{
    tfp_json *json = tfp_chunk_open(e->chunks, "graph");
    tfp_planes from = tfp_planes_of(e->from.data, e->from.count);
    tfp_planes to = tfp_planes_of(e->to.data, e->to.count);
    tfp_json_int(json, "rows", (int64_t)e->from.count);
    tfp_json_open(json, "columns", '[');
    tfp_chunk_column(e->chunks, "from", from);
    tfp_json_close(json);
    tfp_chunk_column(e->chunks, "to", to);
    tfp_json_close(json);
    tfp_json_close(json);
    tfp_chunk_begin_columns(e->chunks);
    tfp_chunk_values(e->chunks, e->from.data, e->from.count, from);
    tfp_chunk_values(e->chunks, e->to.data, e->to.count, to);
}

int tfp_html_edges(tfp_chunks *chunks, const tfp_html_rows *rows,
                   tfprof_error *err)
{
    edges e = { .chunks = chunks,
                .rows = rows,
                .view = rows->view,
                .memory = rows->view->memory };
    bool ok = find_rows(&e) && find_edges(&e);
    if (ok && e.from.count > 0)
        put_edges(&e);
    tfp_memory_free(e.memory, e.row_of);
    TFP_VEC_RELEASE(e.memory, &e.from);
    TFP_VEC_RELEASE(e.memory, &e.to);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
