/*
 * view_table.h - a view as a table for people: what its parts share.
 */
#ifndef TFP_OUTPUT_VIEW_TABLE_H
#define TFP_OUTPUT_VIEW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/text/style.h"
#include "output/view/cells.h"
#include "sheet/digest.h"

enum { TFP_MOST_CELLS = TFP_COST_COUNT + 2 };

/* Why a column is not there. */
typedef enum tfp_absence {
    TFP_SHOWS_FIGURES,
    TFP_SHOWS_ZERO,
    TFP_SHOWS_EQUAL,
    TFP_SHOWS_NO_ROOM
} tfp_absence;

typedef enum tfp_figure_kind {
    TFP_FIGURE_TOTAL,
    TFP_FIGURE_SELF,
    TFP_FIGURE_SHARE
} tfp_figure_kind;

typedef struct tfp_table_cell {
    tfp_figure_kind kind;
    tfp_cost cost;
    const char *title;
    size_t width;
    tfp_absence why;
    size_t equal; /* with TFP_SHOWS_EQUAL: to this one */
} tfp_table_cell;

typedef struct tfp_view_table {
    tfp_row_writer row; /* for figures and facts */
    tfp_style style;
    size_t columns; /* of the window */
    bool has_bars;
    tfp_table_cell cells[TFP_MOST_CELLS];
    size_t count;
} tfp_view_table;

/* Where the last part of a path begins; a slash in parentheses is none. */
size_t tfp_last_part(tfp_span name);

/* A name in so many columns; those that it took. File and line, and the last
 * part of a path, are never cut: the others are. */
size_t tfp_table_put_name(const tfp_view *view, const tfp_style *style,
                          tfp_sink *sink, tfp_span name, size_t room);

/* "resnet/graph.pb": the last parts of a path. */
tfp_span tfp_short_path(tfp_span path, int parts);

/* The name of what was read, in so many columns, and how much more was; the
 * columns that it took. */
size_t tfp_table_put_model(const tfp_model *model, const tfp_style *style,
                           tfp_sink *sink, size_t room);

/* What people call a device: "GPU:0" of a name with job and task. */
tfp_span tfp_table_device_name(tfp_span name, bool has_hosts);

/* ---- The lines around it (view_table_lines.c) --------------------------- */

/* What was read, and what of it this is. */
void tfp_table_put_head(tfp_view_table *table, const tfp_digest *head);

/* What is not in it, and how to see more. */
void tfp_table_put_foot(tfp_view_table *table);

#endif
