/*
 * boxes.h - the boxes of a flame graph, one after the other.
 *
 * Each row is a box, whose width is the row's total of one cost. The boxes of
 * the rows below it are side by side within this width, from its start on. The
 * rest of the width is the own part of the box. Rows that are hidden or too
 * deep have no box, so their cost is in the own part of the box above. The sum
 * of all own parts is the width of the root. A row whose total is 0 has no box,
 * and the rows below it have none either.
 *
 *     tfp_boxes_init(&boxes, view, cost, sink);
 *     while (tfp_boxes_next(&boxes, &event)) ...
 *     tfp_boxes_release(&boxes);
 *
 * Boxes are opened in the order of the shown rows, and a box is closed before
 * its next sibling is opened. There is no recursion.
 */
#ifndef TFP_OUTPUT_FLAME_BOXES_H
#define TFP_OUTPUT_FLAME_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/metrics.h"
#include "output/sink/sink.h"
#include "view/view.h"

typedef struct tfp_box {
    uint32_t shown; /* index of its row among the shown rows */
    int64_t start, end;
    int64_t next; /* where its next child starts, and finally its own part */
    size_t mark;  /* free for the caller; 0 when the box is opened */
} tfp_box;

typedef struct tfp_boxes {
    const tfp_view *view;
    tfp_cost cost;
    tfp_sink *sink; /* the boxes end early if it has failed or is canceled */
    TFP_VEC(tfp_box) open;
    tfp_box closed;
    size_t next;      /* index of the next shown row */
    uint32_t skipped; /* level of the last row without a box; deeper rows are
                       * below it */
    int64_t cut;      /* number of boxes that were shortened to fit into their
                       * parent: a cost is below 0, or a sum overflowed */
    bool failed;      /* out of memory */
} tfp_boxes;

typedef struct tfp_box_event {
    bool opens;
    size_t level; /* 0 for the root */
    tfp_box *box; /* valid until the next event */
} tfp_box_event;

/* Cannot fail. */
void tfp_boxes_init(tfp_boxes *boxes, const tfp_view *view, tfp_cost cost,
                    tfp_sink *sink);
void tfp_boxes_release(tfp_boxes *boxes);

/* False at the end, when out of memory, and when the sink is done. */
bool tfp_boxes_next(tfp_boxes *boxes, tfp_box_event *event);

#endif
