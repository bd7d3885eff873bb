/*
 * tree.h - the rows of a view as a tree that can be folded, sorted and
 * searched.
 *
 * The screen is drawn from `lines`, an array of the rows whose parents are
 * unfolded. One array contains all children; the children of a row are next to
 * each other. They are sorted when the row is unfolded for the first time, so a
 * key sorts only the rows that it shows. There is no recursion, because a tree
 * may be a million levels deep.
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
    uint32_t row;   /* index in the view; if `more` > 0, the parent */
    uint32_t level; /* 0 at the top */
    uint32_t more;  /* rows that this line replaces; 0: the line is a row */
} tui_line;

/* A cached sum of the rows that a line replaces. There may be a million rows,
 * and each key draws the sum again. */
typedef struct tui_rest {
    uint32_t row, more;
    tfprof_metric metric;
    int64_t sum;
} tui_rest;

enum { TUI_RESTS = 64 };

typedef struct tui_tree {
    const tfprof_view *view; /* not owned */
    uint32_t count;          /* of rows; also the index of the top row */
    bool is_flat;            /* the op view: rows have no parents */
    tfprof_metric metric;    /* sort order of siblings, largest first */
    uint32_t shown_metrics;  /* bits; rows with only zeros are not shown */

    uint32_t *parents; /* `count` if a row has no parent in the view */
    uint32_t *ends;    /* of each row: the row after all rows below it */
    uint32_t *firsts;  /* of each row: index of its first child in `children` */
    uint32_t *children; /* grouped by parent */
    uint32_t *filled;   /* number of shown children, once they are sorted */
    uint8_t *sorted_by; /* the metric plus 1, or 0: not sorted */
    uint8_t *states; /* whether the row is unfolded, and shows all children */

    tui_rest rests[TUI_RESTS]; /* cache, found by hash; `more` is 0 if unused */

    tui_line *lines;
    size_t line_count, line_room;
    tui_line *below; /* lines that will be copied to `lines` */
    size_t below_count, below_room;

    char *pattern;           /* of the last search, or NULL */
    uint32_t searched;       /* `shown_metrics` during the last search */
    uint32_t *matches;       /* of each row: number of matches before it */
    uint32_t hidden_matches; /* rows that match, but are not shown */
} tui_tree;

/* Unfolds the first levels and shows the first rows of each, as in a table.
 * Returns false if memory runs out; the tree must be released in this case,
 * too. */
bool tui_tree_init(tui_tree *tree, const tfprof_view *view,
                   tfprof_metric metric, uint32_t shown_metrics);
void tui_tree_release(tui_tree *tree);

/* Returns the index of the top row. It is the parent of the rows without a
 * parent, and is not shown. */
static inline uint32_t tui_tree_top(const tui_tree *tree)
{
    return tree->count;
}

/* Returns the value that rows are sorted by: the total, or the own cost of the
 * row in the op view. */
int64_t tui_tree_value(const tui_tree *tree, uint32_t row,
                       tfprof_metric metric);

/* Returns the cost of the complete model. */
int64_t tui_tree_whole(const tui_tree *tree, tfprof_metric metric);

/* Returns the sum of the rows that a line replaces. */
int64_t tui_tree_rest(tui_tree *tree, const tui_line *line,
                      tfprof_metric metric);

/* Returns whether the row is 0 in all metrics that are shown. */
bool tui_tree_leaves_out(const tui_tree *tree, uint32_t row);

bool tui_tree_is_open(const tui_tree *tree, uint32_t row);

/* Returns whether there are rows to show below a row. */
bool tui_tree_has_children(tui_tree *tree, uint32_t row);

/* Returns the name of a row without the name of its parent, if it begins with
 * that name. */
tfprof_text tui_tree_short_name(const tui_tree *tree, uint32_t row);

/* ---- Changes: on false, memory ran out and nothing was changed ---------- */

/* Sorts by another metric. Unfolded rows stay unfolded. */
bool tui_tree_sort(tui_tree *tree, tfprof_metric metric,
                   uint32_t shown_metrics);

/* Unfolds or folds the row of a line. If the line replaces several rows, shows
 * these rows instead. */
bool tui_tree_toggle(tui_tree *tree, size_t line);

/* Unfolds all rows above a row. Sets *line to the line of the row. */
bool tui_tree_reveal(tui_tree *tree, uint32_t row, size_t *line);

/* Returns the line of a row, or of the nearest row above it that has a line. */
size_t tui_tree_find_line(const tui_tree *tree, uint32_t row);

/* ---- Search ------------------------------------------------------------- */

/* Finds all rows whose name contains the pattern. The search ignores case if
 * the pattern has no capital letters. Returns false if memory runs out. */
bool tui_tree_search(tui_tree *tree, const char *pattern);

/* Returns whether the last search is still valid. Another metric changes which
 * rows are shown. */
bool tui_tree_is_searched(const tui_tree *tree);

/* Returns the number of rows that match and can be shown. */
uint32_t tui_tree_match_count(const tui_tree *tree);

/* Returns the next match after a row, or before it, in the order of the screen.
 * The first match follows the last one. There must be a match. */
uint32_t tui_tree_next_match(tui_tree *tree, uint32_t row, bool is_forward);

/* Returns the number of matches before a row. */
uint32_t tui_tree_match_rank(tui_tree *tree, uint32_t row);

#endif
