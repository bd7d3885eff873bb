/*
 * cells.h - what the text of all views is made of: a row's name and its cells.
 *
 * The view is as upstream prints it, byte for byte, unless it is for a window
 * or has colors; then rows go through a page, which knows how much room there
 * is.
 */
#ifndef TFP_OUTPUT_CELLS_H
#define TFP_OUTPUT_CELLS_H

#include "base/bytes.h"
#include "base/memory.h"
#include "model/metrics.h"
#include "output/text/figures.h"
#include "output/text/page.h"
#include "output/view/row_facts.h"
#include "view/columns.h"

typedef size_t tfp_figure_fn(int64_t value, char *out);

/* How a cost is written; the op view has its own word for float operations. */
typedef struct tfp_cost_form {
    const char *legend;
    tfp_figure_fn *figure; /* of upstream... */
    tfp_figure_fn *large;  /* ...and with the larger units of tables */
    const char *unit, *op_unit;
} tfp_cost_form;

extern const tfp_cost_form tfp_cost_forms[TFP_COST_COUNT];

typedef struct tfp_row_writer {
    const tfp_view *view;
    tfp_sink *sink; /* while a page is made, its cells */
    tfp_page *page; /* or NULL: plain */
    tfp_row_facts facts;
    tfp_view_columns columns;
    int64_t time_unit; /* of costs */
    bool is_table;     /* figures have larger units than upstream's */
    size_t name_width, cost_widths[TFP_COST_COUNT]; /* of the op view */
    bool first;            /* no cell of this row was written yet */
    bool gap;              /* an empty line belongs before the next row */
    TFP_VEC(uint8_t) name; /* of the row, with the text of its line */
} tfp_row_writer;

/* ---- Rows --------------------------------------------------------------- */

/* A row begins with its name, which takes at least `width` columns. */
void tfp_row_begin(tfp_row_writer *w, tfp_span name, uint32_t level,
                   size_t width);
void tfp_row_end(tfp_row_writer *w, uint32_t row, tfp_span name, uint32_t level,
                 size_t width);

/* ---- Cells -------------------------------------------------------------- */

/* What divides this one from the one before; a line may end behind it. */
void tfp_cell_begin(tfp_row_writer *w, const char *divider);

void tfp_cell_text(tfp_row_writer *w, const char *text);
void tfp_cell_bytes(tfp_row_writer *w, const char *text, size_t size);

/* "self/total" of a cost. */
void tfp_cell_cost(tfp_row_writer *w, uint32_t row, tfp_cost cost);
/* With `also_none` a row that runs nowhere has the cell all the same. */
void tfp_cell_devices(tfp_row_writer *w, uint32_t row, bool also_none);
void tfp_cell_types(tfp_row_writer *w, uint32_t row);
void tfp_cell_hidden(tfp_row_writer *w, uint32_t row);

/* ---- Pieces of cells, written in place; the length is returned ---------- */

size_t tfp_append(char *out, const char *text);

/* A sum that stopped at the largest number is at least that. */
size_t tfp_write_figure(const tfp_row_writer *w, tfp_cost cost, int64_t value,
                        char *out);

/* "self/total", or "--/total" of a row that is not accounted. */
size_t tfp_write_pair(const tfp_row_writer *w, uint32_t row, tfp_cost cost,
                      int64_t self, int64_t total, char *out);

/* ---- The op view (op_text.c) -------------------------------------------- */

/* The columns of its rows: upstream's, or narrower ones for a window. */
void tfp_op_text_init(tfp_row_writer *w);
void tfp_op_text_put(tfp_row_writer *w, uint32_t row);

#endif
