/*
 * html.h - answers as one HTML file that draws itself.
 *
 * The file is the page (page/, compiled in) with the data of the answer
 * (chunks.h). It needs no network and no other file. The same answer gives the
 * same bytes.
 */
#ifndef TFP_OUTPUT_HTML_H
#define TFP_OUTPUT_HTML_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "output/page/chunks.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* A view as a page with one tab. */
int tfp_html_write_view(const tfp_view *view, tfp_sink *sink,
                        tfprof_error *err);

/* ---- Parts -------------------------------------------------------------- */

/* The rows of a view that a page shows. */
typedef struct tfp_html_rows {
    const tfp_view *view;
    const tfp_shown *shown; /* all of the view, or without cheap ones; a row
                             * that is there has its parent before it */
    size_t count;
    const int64_t *steps; /* that a reader may choose, besides the step of the
                           * view */
    size_t step_count;
} tfp_html_rows;

/* The chunk of a tree. Whether it could be written, the chunks know. */
int tfp_html_tree(tfp_chunks *chunks, const tfp_html_rows *rows,
                  tfprof_error *err);

#endif
