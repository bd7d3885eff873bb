/*
 * view.h - a model seen one way: rows that nest, with what they cost.
 *
 * A view (scope_view.c, graph_view.c, op_view.c, code_view.c) only says which
 * rows there are and how they nest. What they cost (account.c), which of them
 * are shown and in which order (show.c) is the same for all.
 *
 * Rows are numbered so that a parent comes before its children and everything
 * below a row stands behind it. So each step is one pass over an array, from
 * the front (what a row takes from its parent) or from the back (what a
 * parent takes from its children), and depth costs no stack.
 *
 * Use: tfp_view_init(), then the shown rows 0 to view->shown_count - 1.
 */
#ifndef TFP_VIEW_VIEW_H
#define TFP_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/costs.h"
#include "model/model.h"
#include "options/options.h"
#include "view/columns.h"
#include "view/order.h"
#include "view/patterns.h"
#include "view/tree.h"

#define TFP_ROOT_NAME "_TFProfRoot"

/* ---- Rows --------------------------------------------------------------- */

typedef struct tfp_row {
    const uint8_t *name; /* not ended by NUL */
    uint32_t name_size;
    uint32_t parent;     /* row; in the end the nearest one that is shown */
    uint32_t subject;    /* whose costs: a member or a group; or TFP_NO_ID */
    union {              /* a row needs one of these at a time */
        uint32_t before; /* its number before rows were arranged (code view) */
        uint32_t depth;  /* while it is decided what is shown; the root's: 1 */
        uint32_t number; /* of a row that is shown; the root's is 0 */
        uint32_t rest;   /* how many siblings a TFP_ROW_REST stands for */
    };
} tfp_row;

/* What is known about a row, a bit each. */
enum {
    TFP_ROW_ACCOUNTED = 1 << 0, /* its types are asked for */
    TFP_ROW_KEPT = 1 << 1,      /* it, or in some views one below it, is */
    TFP_ROW_STARTED = 1 << 2,   /* at or below a start node */
    TFP_ROW_REACHED = 1 << 3,   /* not cut off by depth or trimming */
    TFP_ROW_ENDS = 1 << 4,      /* trimmed: nothing below it is reached */
    TFP_ROW_SHOWN = 1 << 5,
    TFP_ROW_REST = 1 << 6, /* it stands for siblings that are not shown */
    /* Deeper than max_depth. Set only if hidden rows are counted. Together with
     * TFP_ROW_REACHED: the row would be shown without max_depth. */
    TFP_ROW_DEEP = 1 << 7
};

static inline tfp_span tfp_row_name(const tfp_row *row)
{
    return (tfp_span){ row->name, row->name_size };
}

/* Ends the name of a row that is about gradients. */
#define TFP_GRADIENT_MARK " (gradient)"

/* The row of the code view for what no line of code has. */
#define TFP_NO_LINE "(no source line)"

/* The line of source that a row of the code view stands for. */
typedef struct tfp_line {
    uint32_t frame;   /* index into model->frames; TFP_NO_ID: there is none */
    bool is_gradient; /* it is about the gradients of what it made */
    bool is_caller;   /* there are lines below it */
} tfp_line;

/* One line of the answer. */
typedef struct tfp_shown {
    uint32_t row;
    uint32_t level; /* how many shown rows it stands below */
} tfp_shown;

/* ---- Views -------------------------------------------------------------- */

typedef struct tfp_view tfp_view;

/* Where the views differ. */
/* What a timeline of a view draws. */
typedef enum tfp_timeline_form {
    TFP_TIMELINE_NONE,   /* there is none */
    TFP_TIMELINE_SHARES, /* rows side by side, each as wide as its share */
    TFP_TIMELINE_RUNS    /* each run at its time; a file for each step */
} tfp_timeline_form;

/* A view says of itself what an output needs to know. */
typedef struct tfp_view_type {
    const char *name;
    int (*build)(tfp_view *view, tfprof_error *err);
    bool groups;       /* a row stands for a group of nodes, not for one */
    bool is_chain;     /* each row holds the next one; no root is shown */
    bool is_path;      /* rows nest as deep as the paths of a graph */
    bool adds_names;   /* the name of a row begins with that of its parent */
    bool splices;      /* rows not accounted give way to their children */
    bool trims_itself; /* a trimmed row goes, not only what is below it */
    bool keeps_totals; /* account_displayed_op_only has no effect */
    bool needs_traces;
    bool has_lines;           /* a row is a line of source: view->lines */
    bool prints_occurrences;  /* how often a row was run and defined */
    bool prints_input_shapes; /* in text; else it says why not */
    bool is_multi_message;    /* MultiGraphNodeProto, else GraphNodeProto */
    tfp_timeline_form timeline;
    const char *row_type; /* type of rows that are no node, or NULL */
} tfp_view_type;

extern const tfp_view_type tfp_scope_view, tfp_graph_view, tfp_op_view,
    tfp_code_view;

/* All of them, ended by NULL. */
extern const tfp_view_type *const tfp_view_types[];

/* The view of that name or NULL. */
const tfp_view_type *tfp_view_find(const char *name);

/* Why there is no code view, and what to do; NULL: there is one. */
const char *tfp_view_lacks_lines(const tfp_census *census);

struct tfp_view {
    const tfp_view_type *type;
    tfp_memory *memory;
    const tfp_model *model;
    const tfp_options *options;
    const tfp_cancel *cancel; /* may be NULL */
    bool cancelled;           /* tfp_view_is_cancelled() has noticed it */
    int64_t select;           /* tfp_select bits; what AUTO came to */
    int64_t order;            /* tfp_order; what siblings are sorted by */
    int64_t top;              /* siblings shown; see tfp_view_top() */

    const tfp_census *census;
    tfp_costs costs;   /* by member */
    uint8_t *verdicts; /* of types, by tfp_string; see tfp_view_matches() */
    uint8_t *device_verdicts; /* of devices */
    tfp_patterns account, start, trim, show, hide, devices, own;
    uint64_t *work;    /* of matching, which has a limit for an answer */
    uint64_t own_work; /* where it is counted if this view is the answer */

    tfp_interner names; /* of rows that are called as nothing in the model;
                         * without memory until there is one */
    TFP_VEC(tfp_row) rows;
    uint8_t *flags;  /* TFP_ROW_ bits, by row */
    tfp_line *lines; /* code, for pprof alone: by row, but for the root's */

    /* Where a row stands for many nodes: members of group g are
     * group_members[group_first[g] .. group_first[g + 1]), those that are
     * accounted; their costs are summed up. */
    size_t group_count;
    uint32_t *group_first;
    uint32_t *group_members;
    size_t grouped_count;
    tfp_costs group_costs;

    tfp_costs totals;     /* by row, with all below it */
    int64_t *definitions; /* by row: how many nodes, or NULL */
    uint32_t *hidden;     /* by row: nodes not shown, or NULL */

    tfp_shown *shown;
    size_t shown_count;
    size_t shown_room;    /* for how many there is memory */
    int64_t rest_nodes;   /* op: of the rows that are not shown */
    int64_t empty_rows;   /* table: left out, since all they show would be 0 */
    int64_t deep_rows;    /* below the levels that are shown */
    int64_t limited_rows; /* data: which only max_depth or top, that somebody
                           * gave, keep from being shown */

    tfp_tensor_values *values; /* of checkpoints, to be shown; or NULL */

    /* What a reader of the answer should know. */
    int64_t unreachable_nodes; /* graph: reachable only from cycles */
    bool only_cycles;          /* graph: there is no node that no one uses */
    int64_t lost_gradients;    /* code: of operations that are not there */
    int64_t node_time;         /* code: of all nodes that are accounted... */
    int64_t time_without_line; /* ...and of those of them without a row */
};

/* The census and the options must outlive the view; `cancel` may be NULL.
 * After a failure releasing is allowed. */
int tfp_view_init(tfp_view *view, const tfp_view_type *type,
                  const tfp_census *census, const tfp_options *options,
                  const tfp_cancel *cancel, tfprof_error *err);
void tfp_view_release(tfp_view *view);

/* The same for one of several views of an answer: matching names takes from
 * what *work, 0 at first, has left. It must outlive the view. */
int tfp_view_init_within(tfp_view *view, const tfp_view_type *type,
                         const tfp_census *census, const tfp_options *options,
                         const tfp_cancel *cancel, uint64_t *work,
                         tfprof_error *err);

/* For loops over rows or nodes: whether to stop, asked every few thousand
 * rounds. Whoever stops fails, be it as if memory had run out: tfp_view_init()
 * tells what it was. */
bool tfp_view_is_cancelled(tfp_view *view, size_t round);

/* ---- What a row has ----------------------------------------------------- */

/* Its own cost, 0 when it has none. The cost must be wanted. */
static inline int64_t tfp_row_self(const tfp_view *view, uint32_t row,
                                   tfp_cost cost)
{
    const tfp_costs *costs = view->type->groups ? &view->group_costs
                                                : &view->costs;
    uint32_t subject = view->rows.data[row].subject;
    return subject == TFP_NO_ID ? 0 : *tfp_costs_at(costs, subject, cost);
}

/* Its cost with all that is below it. The cost must be wanted. */
static inline int64_t tfp_row_total(const tfp_view *view, uint32_t row,
                                    tfp_cost cost)
{
    return *tfp_costs_at(&view->totals, row, cost);
}

/* The members that a row stands for: one, a group, or none. None are told of
 * the row of a rest. */
const uint32_t *tfp_row_members(const tfp_view *view, uint32_t row,
                                size_t *count);

/* How many they are, also of the rest in the op view. */
int64_t tfp_row_nodes(const tfp_view *view, uint32_t row);

/* How many siblings a row stands for that are not shown; 0: it is none of
 * that kind. */
static inline uint32_t tfp_row_rest(const tfp_view *view, uint32_t row)
{
    return view->flags[row] & TFP_ROW_REST ? view->rows.data[row].rest : 0;
}

/* Where a row that is a line of source stands there; NULL for other rows. */
const tfp_frame *tfp_row_frame(const tfp_view *view, uint32_t row);

/* ---- For the views' own files ------------------------------------------- */

/* Appends a row; its number, or TFP_NO_ID when out of memory. */
uint32_t tfp_view_add_row(tfp_view *view, tfp_span name, uint32_t parent,
                          uint32_t subject);

/* Rows may be added in any order in which parents come first; this sorts the
 * siblings and renumbers. False when out of memory. */
struct tfp_sibling_order;
bool tfp_view_arrange(tfp_view *view, const struct tfp_sibling_order *order);

/* Does a name match? Models have many nodes and few types and devices, so each
 * is matched once; `verdicts` comes from tfp_view_verdicts(). */
bool tfp_view_matches(tfp_view *view, tfp_patterns *patterns, uint8_t *verdicts,
                      tfp_string name);

/* A table for it, or NULL when out of memory. */
uint8_t *tfp_view_verdicts(tfp_view *view);

/* Are the types of this member asked for? */
bool tfp_view_accounts(tfp_view *view, uint32_t member);

/* Makes the groups: group_of[member] is its group or TFP_NO_ID; members that
 * are not accounted stay out. */
int tfp_view_group(tfp_view *view, const uint32_t *group_of, size_t groups,
                   tfprof_error *err);

/* The tfp_select bits that hold; nobody having set them, by what was run. */
int64_t tfp_view_select(const tfp_model *model, const tfp_options *options);

/* Costs that the filters compare, as bits. */
uint32_t tfp_view_filter_costs(const tfp_options *options);

/* Costs that an answer, its order or its filters need, as bits. */
uint32_t tfp_view_costs(const tfp_census *census, const tfp_options *options);

/* What of a row is held against the minimum that the options ask for. */
int64_t tfp_row_compared(const tfp_view *view, uint32_t row, tfp_cost cost);

/* Adds to a row's totals its own costs, or the totals of one below it. */
void tfp_view_add_self(tfp_view *view, uint32_t row);
void tfp_view_add_child(tfp_view *view, uint32_t row, uint32_t child);

/* ---- The steps ---------------------------------------------------------- */

int tfp_view_account(tfp_view *view, tfprof_error *err); /* account.c */
int tfp_view_show(tfp_view *view, tfprof_error *err);    /* show.c */

/* top.c. False when out of memory or cancelled. */
bool tfp_view_cut(tfp_view *view);

#endif
