/*
 * columns.h - the figures to the left of names, as in a table.
 */
#ifndef TFP_TUI_COLUMNS_H
#define TFP_TUI_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/tree.h"

typedef enum tui_column_kind {
    TUI_COLUMN_TOTAL,
    TUI_COLUMN_SELF,
    TUI_COLUMN_SHARE
} tui_column_kind;

typedef struct tui_column {
    tui_column_kind kind;
    tfprof_metric metric;
    const char *title;
    size_t width; /* of the widest figure so far */
    bool is_shown;
} tui_column;

enum {
    TUI_MOST_COLUMNS = TUI_METRICS + 2,
    TUI_GAP = 2,
    TUI_BAR = 8,
    TUI_LONGEST_FIGURE = 64
};

typedef struct tui_columns {
    tui_column data[TUI_MOST_COLUMNS];
    size_t count;
    bool has_bars;
} tui_columns;

/* The first column is the metric of the tree; the metrics in `selected` follow.
 * Columns with 0 in every row, and columns that equal another column, are left
 * out. */
void tui_columns_init(tui_columns *columns, const tui_tree *tree,
                      uint32_t selected);

/* Returns whether both metrics are equal in every row. Stops at the first row
 * where they differ. */
bool tui_columns_equal(const tui_tree *tree, tfprof_metric a, tfprof_metric b);

/* Widens the columns for the figures of these lines. Hides columns that leave
 * too little of `width` for names. */
void tui_columns_fit(tui_columns *columns, tui_tree *tree,
                     const tui_line *lines, size_t count, size_t width);

/* Returns the width of all figures and bars, in columns of the window. */
size_t tui_columns_width(const tui_columns *columns);

/* Writes the figure of a line, terminated by NUL. Returns its length. */
size_t tui_column_figure(const tui_column *column, tui_tree *tree,
                         const tui_line *line, char out[TUI_LONGEST_FIGURE]);

/* Returns the value that the figure shows. */
int64_t tui_column_value(const tui_column *column, tui_tree *tree,
                         const tui_line *line);

#endif
