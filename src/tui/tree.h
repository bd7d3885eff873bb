/*
 * tree.h - the rows of a view as a tree that can be folded, sorted and
 * searched.
 *
 * The screen is drawn from `lines`, an array of the rows that are unfolded.
 * Children stand in one array, those of a row side by side; they are sorted
 * when a row is unfolded for the first time, so a key costs only as much as it
 * shows. Everything here works on arrays: a tree may be a million levels deep.
 */
#ifndef TFP_TUI_TREE_H
#define TFP_TUI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/view.h>

enum { TUI_METRICS = TFPROF_METRIC_QUEUE_MICROS + 1 };

/* One line of the screen. */
typedef struct tui_line {
    uint32_t row;   /* of the view; of a line for the rest: its parent */
    uint32_t level; /* 0 at the top */
    uint32_t more;  /* rows that this line stands for, or 0: it is a row */
} tui_line;

/* A sum that is drawn again with each key, though it may have a million
 * parts. */
typedef struct tui_rest {
    uint32_t row, more;
    tfprof_metric metric;
    int64_t sum;
} tui_rest;

enum { TUI_RESTS = 64 };

typedef struct tui_tree {
    const tfprof_view *view; /* not owned */
    uint32_t count;          /* of its rows; also the row above the top rows */
    bool is_flat;            /* the op view: no row is below another */
    tfprof_metric metric;    /* siblings are sorted by it, largest first */
    uint32_t shown_metrics;  /* bits; rows that are 0 in all are left out */

    uint32_t *parents;  /* `count` for the top rows */
    uint32_t *ends;     /* the first row behind those below a row */
    uint32_t *firsts;   /* where the children of a row begin; one more */
    uint32_t *children; /* by parent */
    uint32_t *filled;   /* children that are not left out, if sorted */
    uint8_t *sorted_by; /* a metric and 1, or 0: not sorted */
    uint8_t *states;    /* unfolded? with all its rows? */

    tui_rest rests[TUI_RESTS]; /* by a hash; without rows: unused */

    tui_line *lines;
    size_t line_count, line_room;
    tui_line *below; /* room for lines on their way into `lines` */
    size_t below_count, below_room;

    char *pattern;           /* searched for last, or NULL */
    uint32_t searched;       /* `shown_metrics` at that time */
    uint32_t *matches;       /* rows before this one that match; one more */
    uint32_t hidden_matches; /* rows that match but are left out */
} tui_tree;

/* False when out of memory; releasing is allowed then. The first levels are
 * unfolded, each with its first rows, as in a table. */
bool tui_tree_init(tui_tree *tree, const tfprof_view *view,
                   tfprof_metric metric, uint32_t shown_metrics);
void tui_tree_release(tui_tree *tree);

/* The row above the top rows, which is not shown. */
static inline uint32_t tui_tree_top(const tui_tree *tree)
{
    return tree->count;
}

/* What rows are sorted by: the total, or in the op view the row's own cost. */
int64_t tui_tree_value(const tui_tree *tree, uint32_t row,
                       tfprof_metric metric);

/* The cost of the whole model. */
int64_t tui_tree_whole(const tui_tree *tree, tfprof_metric metric);

/* The sum over the rows that a line for the rest stands for. */
int64_t tui_tree_rest(tui_tree *tree, const tui_line *line,
                      tfprof_metric metric);

/* Is the row 0 in all that is shown? */
bool tui_tree_leaves_out(const tui_tree *tree, uint32_t row);

bool tui_tree_is_open(const tui_tree *tree, uint32_t row);

/* Is there something to unfold? */
bool tui_tree_has_children(tui_tree *tree, uint32_t row);

/* The name without that of the row above, if it begins with this one. */
tfprof_text tui_tree_short_name(const tui_tree *tree, uint32_t row);

/* ---- Changes: false when out of memory, and nothing has changed ---------- */

/* Sorts by another metric. What is unfolded stays so. */
bool tui_tree_sort(tui_tree *tree, tfprof_metric metric,
                   uint32_t shown_metrics);

/* Unfolds or folds the row of a line. A line for the rest gives way to its
 * rows. */
bool tui_tree_toggle(tui_tree *tree, size_t line);

/* Unfolds all above a row; *line is where the row is shown. */
bool tui_tree_reveal(tui_tree *tree, uint32_t row, size_t *line);

/* The line of a row, or of the nearest row above it that has one. */
size_t tui_tree_find_line(const tui_tree *tree, uint32_t row);

/* ---- Search ------------------------------------------------------------- */

/* Finds all rows whose name contains the pattern. A pattern without capital
 * letters matches these, too. False when out of memory. */
bool tui_tree_search(tui_tree *tree, const char *pattern);

/* Does the last search still hold? With another metric, other rows are left
 * out. */
bool tui_tree_is_searched(const tui_tree *tree);

/* Rows that match and can be shown. */
uint32_t tui_tree_match_count(const tui_tree *tree);

/* The next match behind a row, or before it, in the order of the screen;
 * behind the last one comes the first. There must be one. */
uint32_t tui_tree_next_match(tui_tree *tree, uint32_t row, bool is_forward);

/* How many matches come before this row. */
uint32_t tui_tree_match_rank(tui_tree *tree, uint32_t row);

#endif
