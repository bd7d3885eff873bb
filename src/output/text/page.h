/*
 * page.h - rows of a view as a person reads them: laid out for a window, with
 * colors, or both.
 *
 * What stands behind a name decides how much room the name has, so it is
 * written first, and kept:
 *
 *     sink = tfp_page_cells(&page);
 *     write what stands behind the name to it, with a tfp_page_break()
 *     before each cell
 *     sink = tfp_page_put(&page, &row);
 */
#ifndef TFP_OUTPUT_PAGE_H
#define TFP_OUTPUT_PAGE_H

#include "base/memory.h"
#include "output/sink/sink.h"
#include "output/text/style.h"

typedef struct tfp_page {
    tfp_style style;
    bool has_bars;
    tfp_sink *sink; /* where it goes */
    tfp_memory *memory;
    bool failed; /* out of memory */
    TFP_VEC(uint8_t) text;
    TFP_VEC(size_t) breaks; /* in it: where a line may end */
    tfp_sink cells;         /* into the text */
} tfp_page;

typedef struct tfp_page_row {
    tfp_span name;
    size_t name_columns; /* at least; blanks fill them */
    uint32_t level;      /* below which others it stands */
    size_t before;       /* columns of what stands in the line already */
    int64_t part, whole; /* of the bar */
    tfp_ink ink;         /* bold is the name, dim all of the row */
} tfp_page_row;

/* Cannot fail. */
void tfp_page_init(tfp_page *page, const tfp_style *style, tfp_sink *sink,
                   tfp_memory *memory);
void tfp_page_release(tfp_page *page);

/* Columns that a bar takes from each row, or 0. */
size_t tfp_page_margin(const tfp_page *page);

/* Begins a row; takes all that stands behind its name. */
tfp_sink *tfp_page_cells(tfp_page *page);

/* What follows may stand in a new line. */
void tfp_page_break(tfp_page *page);

/* The same behind each blank of the cells. */
void tfp_page_break_blanks(tfp_page *page);

/* A name among the cells: it begins a new line where that is needed, and is
 * shortened if it is longer than a line. */
void tfp_page_put_word(tfp_page *page, tfp_span name);

/* Writes it, without a newline, and gives back the sink that it went to. A row
 * takes more than one line where the window cannot hold its cells beside even
 * a short piece of the name. */
tfp_sink *tfp_page_put(tfp_page *page, const tfp_page_row *row);

/* The same for what has no name: a heading, or more of a row. */
tfp_sink *tfp_page_put_line(tfp_page *page, tfp_ink ink);

#endif
