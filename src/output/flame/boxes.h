/*
 * boxes.h - the boxes of a flame graph, one after the other.
 *
 * A row is a box as wide as its total of one cost. The boxes of the rows below
 * it stand in it side by side, from its start on; the rest of its width is its
 * own. Rows that are hidden or too deep have no box, so they are part of that
 * rest: the parts that boxes have for themselves are in sum as wide as the
 * root. A row whose total is 0 has no box, nor has what is below it.
 *
 *     tfp_boxes_init(&boxes, view, cost, sink);
 *     while (tfp_boxes_next(&boxes, &event)) ...
 *     tfp_boxes_release(&boxes);
 *
 * Boxes nest in the order of the shown rows, and a box is closed before its
 * next sibling is opened. Depth costs no stack.
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
    uint32_t shown; /* its number among the shown rows */
    int64_t start, end;
    int64_t next; /* where its next child starts; at the end: its own part */
    size_t mark;  /* for whoever asks: 0 when it is opened */
} tfp_box;

typedef struct tfp_boxes {
    const tfp_view *view;
    tfp_cost cost;
    tfp_sink *sink; /* asked whether the rest is of use */
    TFP_VEC(tfp_box) open;
    tfp_box closed;
    size_t next;      /* shown row */
    uint32_t skipped; /* rows deeper than this stand below one without a box */
    int64_t cut;      /* boxes that would be wider than the rest of their
                       * parent's: costs below 0, or sums that overflowed */
    bool failed;      /* out of memory */
} tfp_boxes;

typedef struct tfp_box_event {
    bool opens;
    size_t level; /* the root's is 0 */
    tfp_box *box; /* good until the next event */
} tfp_box_event;

/* Cannot fail. */
void tfp_boxes_init(tfp_boxes *boxes, const tfp_view *view, tfp_cost cost,
                    tfp_sink *sink);
void tfp_boxes_release(tfp_boxes *boxes);

/* False at the end, when out of memory, and when the sink is done. */
bool tfp_boxes_next(tfp_boxes *boxes, tfp_box_event *event);

#endif
