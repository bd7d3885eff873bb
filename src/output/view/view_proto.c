/*
 * view_proto.c - a view as a message of TensorFlow: scope and graph as a
 * GraphNodeProto, op and code as a MultiGraphNodeProto.
 *
 * Rows nest as messages do, and a message says its length first. So all rows
 * are put twice: once to be measured, front to back; then lengths are summed
 * up from the back, where those below a row come before it; then once to be
 * written. Each time one node is held at a time, so memory does not grow with
 * the answer but for a length a row, and for values of checkpoints, which are
 * not read twice.
 */
#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/model.h"
#include "output/view/node_proto.h"
#include "output/view/tensor_values.h"
#include "output/view/view.h"
#include "proto/put.h"
#include "proto/schema.h"
#include "view/tree.h"
#include "view/view.h"

/* No reader of protobuf takes a longer message. */
enum { LONGEST = INT32_MAX, HEAD_BYTES = 16 };

typedef struct writer {
    const tfp_view *view;
    tfp_sink *sink; /* NULL: what is put is only measured */
    tfp_node_proto node;
    tfp_put put;
    uint64_t size; /* of what was put for this row */
    tfp_watch watch;

    uint64_t *sizes;   /* by shown row: the length of its message */
    uint64_t *below;   /* by level: bytes of rows whose parent is yet to come */
    uint32_t *members; /* as the view's, but each group by name */
    tfp_put values;    /* the field tensor_value of rows that have one */
    TFP_VEC(size_t) value_ends; /* in `values`, by shown row */
} writer;

/* ---- Life --------------------------------------------------------------- */

static int member_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_census *census = context;
    const tfp_member *members = census->members.data;
    return tfp_span_compare(tfp_model_text(census->model, members[a].name),
                            tfp_model_text(census->model, members[b].name));
}

/* Upstream has the nodes of a group by name. */
static void sort_group(writer *w, size_t group, tfp_sort_item *items)
{
    const tfp_view *v = w->view;
    size_t first = v->group_first[group];
    size_t count = v->group_first[group + 1] - first;
    for (size_t i = 0; i < count && !tfp_watch_ends(&w->watch); i++) {
        uint32_t member = v->group_members[first + i];
        tfp_span name = tfp_model_text(v->model,
                                       v->census->members.data[member].name);
        items[i] = (tfp_sort_item){ tfp_text_key(name.data, name.size),
                                    member };
    }
    if (w->watch.cancelled ||
        !tfp_sort_until(items, count, items + count, member_tie, v->census,
                        v->cancel)) {
        w->watch.cancelled = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        w->members[first + i] = items[i].index;
}

static bool sort_groups(writer *w)
{
    const tfp_view *v = w->view;
    size_t room = 2 * v->grouped_count + 1;
    tfp_sort_item *items;
    if (!v->type->groups)
        return true;
    w->members = tfp_memory_array(w->view->memory, v->grouped_count + 1,
                                  sizeof(*w->members));
    items = tfp_memory_array(w->view->memory, room, sizeof(*items));
    for (size_t g = 0;
         items && w->members && g < v->group_count && !w->watch.cancelled; g++)
        sort_group(w, g, items);
    tfp_memory_free(w->view->memory, items);
    return items && w->members && !w->watch.cancelled;
}

static bool init(writer *w, const tfp_view *v)
{
    *w = (writer){ .view = v, .watch = { .cancel = v->cancel } };
    tfp_put_init(&w->put, v->memory);
    tfp_put_init(&w->values, v->memory);
    tfp_node_proto_init(&w->node, v, &w->put);
    w->sizes = tfp_memory_array(w->view->memory, v->shown_count + 1,
                                sizeof(*w->sizes));
    w->below = tfp_memory_array(w->view->memory, v->shown_count + 2,
                                sizeof(*w->below));
    return w->sizes && w->below && sort_groups(w);
}

static void release(writer *w)
{
    const tfp_view *v = w->view;
    tfp_node_proto_release(&w->node);
    tfp_put_release(&w->put);
    tfp_put_release(&w->values);
    TFP_VEC_RELEASE(v->memory, &w->value_ends);
    tfp_memory_free(w->view->memory, w->sizes);
    tfp_memory_free(w->view->memory, w->below);
    tfp_memory_free(w->view->memory, w->members);
}

/* ---- One row ------------------------------------------------------------ */

/* Takes what was put: into the answer, or only its length. */
static void take(writer *w, tfp_span bytes)
{
    w->size += bytes.size;
    if (w->sink)
        tfp_sink_bytes(w->sink, bytes);
    tfp_watch_ends(&w->watch);
}

static void take_put(writer *w)
{
    take(w, tfp_put_span(&w->put));
    tfp_put_clear(&w->put);
}

static bool is_done(const writer *w)
{
    return w->watch.cancelled || (w->sink && w->sink->failed);
}

static void take_members(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    size_t count;
    const uint32_t *in_view = tfp_row_members(v, row, &count);
    const uint32_t *members = count > 0
                                  ? w->members + (in_view - v->group_members)
                                  : NULL;
    for (size_t i = 0; i < count && !is_done(w); i++) {
        size_t node = tfp_put_open(&w->put, MultiGraphNodeProto_graph_nodes);
        tfp_node_proto_member(&w->node, members[i]);
        tfp_put_end(&w->put, node);
        take_put(w);
    }
}

/* Values are read when rows are measured, and kept. */
static void take_value(writer *w, size_t at, uint32_t row)
{
    size_t start = at > 0 ? w->value_ends.data[at - 1] : 0;
    if (!w->sink) {
        tfp_row_proto_value(w->view, row, GraphNodeProto_tensor_value,
                            &w->values);
        w->values.failed |= !TFP_VEC_PUSH(w->view->memory, &w->value_ends,
                                          w->values.out.count);
        if (w->values.failed)
            return;
    }
    if (w->value_ends.data[at] > start)
        take(w, (tfp_span){ w->values.out.data + start,
                            w->value_ends.data[at] - start });
}

static void take_row(writer *w, size_t at)
{
    uint32_t row = w->view->shown[at].row;
    tfp_node_proto_row(&w->node, row);
    take_put(w);
    if (w->view->type->groups)
        take_members(w, row);
    else if (tfp_view_has_values(w->view))
        take_value(w, at, row);
}

static int check(const writer *w, tfprof_error *err)
{
    if (tfp_node_proto_failed(&w->node) || w->values.failed)
        return tfp_fail_nomem(err);
    return w->watch.cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

/* ---- Lengths ------------------------------------------------------------ */

static uint32_t children_tag(const writer *w)
{
    return w->view->type->is_multi_message ? MultiGraphNodeProto_children
                                           : GraphNodeProto_children;
}

static int measure(writer *w, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < w->view->shown_count && status == TFPROF_OK; i++) {
        w->size = 0;
        take_row(w, i);
        w->sizes[i] = w->size;
        status = check(w, err);
    }
    return status;
}

/* Adds to each length those of the messages inside. From the back, all that
 * is one level below a row has just been seen when the row is. */
static int sum_up(writer *w, tfprof_error *err)
{
    const tfp_shown *shown = w->view->shown;
    size_t tag = tfp_put_varint_size(children_tag(w));
    for (size_t level = 0; level < w->view->shown_count + 2; level++)
        w->below[level] = 0;
    for (size_t i = w->view->shown_count; i-- > 0;) {
        uint32_t level = shown[i].level;
        uint64_t size = w->sizes[i] + w->below[level + 1];
        if (size > LONGEST)
            return tfp_fail(
                err, TFPROF_ERR_LIMIT, -1,
                "the message would exceed the protobuf limit of 2 GiB (show "
                "fewer rows: --max_depth, --min_micros, ...)");
        w->sizes[i] = size;
        w->below[level + 1] = 0;
        w->below[level] += tag + tfp_put_varint_size(size) + size;
    }
    return TFPROF_OK;
}

/* ---- The answer --------------------------------------------------------- */

static void write_head(writer *w, uint64_t size)
{
    uint8_t *at = (uint8_t *)tfp_sink_room(w->sink, HEAD_BYTES);
    uint8_t *end = tfp_put_varint_at(at, children_tag(w));
    end = tfp_put_varint_at(end, size);
    tfp_sink_took(w->sink, (size_t)(end - at));
}

static int write_rows(writer *w, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0;
         i < w->view->shown_count && status == TFPROF_OK && !w->sink->failed;
         i++) {
        if (i > 0) /* the root is the message itself */
            write_head(w, w->sizes[i]);
        take_row(w, i);
        status = check(w, err);
    }
    return status;
}

/* Can it go on? What ended the reading of values, the caller asks for. */
static bool has_stopped(const tfp_view *v)
{
    return v->values && v->values->stopped;
}

int tfp_view_write_proto(const tfp_view *v, tfp_sink *sink, tfprof_error *err)
{
    writer w;
    int status;
    if (init(&w, v))
        status = measure(&w, err);
    else
        status = w.watch.cancelled ? tfp_fail_cancelled(err)
                                   : tfp_fail_nomem(err);
    if (status == TFPROF_OK && !has_stopped(v)) {
        status = sum_up(&w, err);
        w.sink = sink;
        if (status == TFPROF_OK)
            status = write_rows(&w, err);
    }
    release(&w);
    return status;
}
