/*
 * boxes.c - the boxes of a flame graph, one after the other.
 */
#include "output/flame/boxes.h"

void tfp_boxes_init(tfp_boxes *b, const tfp_view *view, tfp_cost cost,
                    tfp_sink *sink)
{
    *b = (tfp_boxes){
        .view = view, .cost = cost, .sink = sink, .skipped = UINT32_MAX
    };
}

void tfp_boxes_release(tfp_boxes *b)
{
    TFP_VEC_RELEASE(b->view->memory, &b->open);
}

static int64_t total_of(const tfp_boxes *b, size_t shown)
{
    return tfp_row_total(b->view, b->view->shown[shown].row, b->cost);
}

/* Skips rows without a box. */
static void find_row(tfp_boxes *b)
{
    const tfp_view *v = b->view;
    for (; b->next < v->shown_count && !tfp_sink_is_done(b->sink, b->next);
         b->next++) {
        uint32_t level = v->shown[b->next].level;
        if (level > b->skipped)
            continue;
        b->skipped = UINT32_MAX;
        if (total_of(b, b->next) > 0)
            return;
        b->skipped = level;
    }
}

static bool open_box(tfp_boxes *b, tfp_box_event *event)
{
    int64_t width = total_of(b, b->next);
    tfp_box box = { .shown = (uint32_t)b->next };
    if (b->open.count > 0) {
        tfp_box *parent = &b->open.data[b->open.count - 1];
        int64_t rest = parent->end - parent->next;
        b->cut += width > rest;
        width = width > rest ? rest : width;
        box.start = parent->next;
        parent->next += width;
    }
    box.next = box.start;
    box.end = box.start + width;
    b->next++;
    b->failed = !TFP_VEC_PUSH(b->view->memory, &b->open, box);
    if (b->failed)
        return false;
    *event = (tfp_box_event){ true, b->open.count - 1,
                              &b->open.data[b->open.count - 1] };
    return true;
}

bool tfp_boxes_next(tfp_boxes *b, tfp_box_event *event)
{
    const tfp_view *v = b->view;
    find_row(b);
    if (b->failed || tfp_sink_is_done(b->sink, b->next))
        return false;
    if (b->next < v->shown_count && v->shown[b->next].level >= b->open.count)
        return open_box(b, event);
    if (b->open.count == 0)
        return false;
    b->closed = b->open.data[--b->open.count];
    *event = (tfp_box_event){ false, b->open.count, &b->closed };
    return true;
}
