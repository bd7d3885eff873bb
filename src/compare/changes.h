/*
 * changes.h - what differs between the two sides of a comparison.
 *
 * A row is listed for what it has itself; the rows above it, whose totals
 * differ too, are not repeated, except for the root. Rows that only one side
 * has are listed once, at the top of their subtree, with all below it.
 */
#ifndef TFP_COMPARE_CHANGES_H
#define TFP_COMPARE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/align.h"
#include "compare/side.h"

typedef enum tfp_change_kind {
    TFP_CHANGED,
    TFP_ADDED,
    TFP_REMOVED,
    TFP_MOVED
} tfp_change_kind;

/* The subject of a change: one of TFP_COMPARED_COUNT, or */
enum {
    TFP_CHANGE_MACS = TFP_COMPARED_COUNT, /* of the root alone */
    TFP_CHANGE_TYPE,                      /* values are texts */
    TFP_CHANGE_SHAPE,                     /* values are texts */
    TFP_CHANGE_PLACE,                     /* a row that moved */
    TFP_CHANGE_GRAPH /* values: first and end of tfp_changes.graph */
};

typedef struct tfp_change {
    tfp_change_kind kind;
    bool is_unmatched; /* only one side has what it is about, and that is
                        * instructions of compiled programs */
    int metric;
    uint32_t base, head; /* rows; TFP_NO_ID: the side does not have it */
    int64_t was, is;
} tfp_change;

/* Nodes of one type that were added to or removed from a scope. */
typedef struct tfp_graph_change {
    uint32_t type; /* text */
    int64_t nodes; /* negative: removed */
} tfp_graph_change;

typedef struct tfp_changes {
    tfp_memory *memory;
    TFP_VEC(tfp_change) exact; /* totals, then rows in the order of the view */
    TFP_VEC(tfp_change) times; /* largest difference first */
    TFP_VEC(tfp_graph_change) graph;
    size_t graph_start; /* of `graph`, from here on: the sums of all scopes */
    size_t varying;     /* rows that were not compared in some metric, because
                         * runs of one side differ */
} tfp_changes;

/* Lists the changes. `compared` has a bit for each cost that both sides have.
 * After a failure releasing is allowed. */
int tfp_changes_find(tfp_changes *changes, const tfp_compare_side *base,
                     const tfp_compare_side *head,
                     const tfp_alignment *alignment, uint32_t compared,
                     tfp_memory *memory, const tfp_cancel *cancel,
                     tfprof_error *err);

/* Lists a total of the root first, if it has changed. False when out of
 * memory. */
bool tfp_changes_add_total(tfp_changes *changes, int metric, int64_t was,
                           int64_t is);
void tfp_changes_release(tfp_changes *changes);

#endif
