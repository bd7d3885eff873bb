/*
 * columns.c - the figures to the left of names, as in a table
 * (output/view/view_table.c).
 */
#include "tui/columns.h"

#include <string.h>

enum {
    TWO_COLUMNS = 60, /* narrower windows show only `total` and the name */
    NAME_ROOM = 24    /* columns are hidden until names have this width */
};

/* ---- Figures ------------------------------------------------------------ */

int64_t tui_column_value(const tui_column *c, tui_tree *tree,
                         const tui_line *line)
{
    if (line->more > 0)
        return c->kind == TUI_COLUMN_SELF
                   ? 0
                   : tui_tree_rest(tree, line, c->metric);
    return c->kind == TUI_COLUMN_SELF
               ? tfprof_view_self(tree->view, line->row, c->metric)
               : tui_tree_value(tree, line->row, c->metric);
}

size_t tui_column_figure(const tui_column *c, tui_tree *tree,
                         const tui_line *line, char out[TUI_LONGEST_FIGURE])
{
    int64_t value = tui_column_value(c, tree, line);
    if (c->kind == TUI_COLUMN_SHARE)
        return tfprof_share_figure(value, tui_tree_whole(tree, c->metric), out,
                                   TUI_LONGEST_FIGURE);
    if (value == 0) {
        memcpy(out, "-", 2);
        return 1;
    }
    return tfprof_metric_figure(c->metric, value, out, TUI_LONGEST_FIGURE);
}

/* ---- Which columns ------------------------------------------------------ */

static void add(tui_columns *columns, tui_column_kind kind,
                tfprof_metric metric, const char *title)
{
    columns->data[columns->count++] = (tui_column){ kind, metric, title,
                                                    strlen(title), true };
}

bool tui_columns_equal(const tui_tree *tree, tfprof_metric a, tfprof_metric b)
{
    for (uint32_t row = 0; row < tree->count; row++) {
        if (tui_tree_value(tree, row, a) != tui_tree_value(tree, row, b))
            return false;
    }
    return true;
}

static bool says_something(const tui_columns *columns, const tui_tree *tree,
                           tfprof_metric metric)
{
    if (!tfprof_view_has(tree->view, metric) ||
        tui_tree_whole(tree, metric) == 0)
        return false;
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->data[i].kind == TUI_COLUMN_TOTAL &&
            tui_columns_equal(tree, metric, columns->data[i].metric))
            return false;
    }
    return true;
}

void tui_columns_init(tui_columns *columns, const tui_tree *tree,
                      uint32_t selected)
{
    *columns = (tui_columns){ .has_bars = true };
    add(columns, TUI_COLUMN_TOTAL, tree->metric, "total");
    if (!tree->is_flat)
        add(columns, TUI_COLUMN_SELF, tree->metric, "self");
    add(columns, TUI_COLUMN_SHARE, tree->metric, "%");
    for (int m = 0; m < TUI_METRICS; m++) {
        tfprof_metric metric = (tfprof_metric)m;
        if (selected >> m & 1 && metric != tree->metric &&
            says_something(columns, tree, metric))
            add(columns, TUI_COLUMN_TOTAL, metric, tfprof_metric_title(metric));
    }
}

/* ---- Room --------------------------------------------------------------- */

size_t tui_columns_width(const tui_columns *columns)
{
    size_t taken = columns->has_bars ? TUI_GAP + TUI_BAR : 0;
    for (size_t i = 0; i < columns->count; i++)
        taken += columns->data[i].is_shown ? columns->data[i].width + TUI_GAP
                                           : 0;
    return taken;
}

static void measure(tui_columns *columns, tui_tree *tree, const tui_line *lines,
                    size_t count)
{
    char text[TUI_LONGEST_FIGURE];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < columns->count; k++) {
            tui_column *c = &columns->data[k];
            size_t size = tui_column_figure(c, tree, &lines[i], text);
            c->width = size > c->width ? size : c->width;
        }
    }
}

static bool is_narrow(const tui_columns *columns, size_t width)
{
    return width < TWO_COLUMNS ||
           width < tui_columns_width(columns) + NAME_ROOM;
}

/* Hides the last columns first, then the bars, then `%` and `self`. */
void tui_columns_fit(tui_columns *columns, tui_tree *tree,
                     const tui_line *lines, size_t count, size_t width)
{
    measure(columns, tree, lines, count);
    columns->has_bars = width >= TWO_COLUMNS;
    for (size_t i = 0; i < columns->count; i++)
        columns->data[i].is_shown = true;
    for (size_t i = columns->count; i-- > 1 && is_narrow(columns, width);) {
        tui_column *c = &columns->data[i];
        if (c->kind != TUI_COLUMN_TOTAL && columns->has_bars) {
            columns->has_bars = false;
            i++;
        } else {
            c->is_shown = false;
        }
    }
}
