/*
 * html.h - answers as one HTML file that draws itself.
 *
 * The file is the page (page/, compiled in) with the data of the answer
 * (chunks.h). It needs no network and no other file. The same answer gives the
 * same bytes.
 */
#ifndef TFP_OUTPUT_HTML_H
#define TFP_OUTPUT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/align.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/pools.h"
#include "output/page/chunks.h"
#include "output/sink/sink.h"
#include "sheet/sheet.h"
#include "view/view.h"

/* A view as a page with one tab. */
int tfp_html_write_view(const tfp_view *view, tfp_sink *sink,
                        tfprof_error *err);

/* ---- A page in parts ---------------------------------------------------- */

/* Data that is kept until the page is written, because there may be too much
 * of it. */
typedef struct tfp_html_data {
    tfp_memory *memory;
    TFP_VEC(uint8_t) bytes; /* base64 */
    size_t most;
    bool is_full; /* it did not fit, and is not complete */
    bool failed;  /* memory ran out */
    tfp_sink sink;
} tfp_html_data;

/* `most` bytes of data; `cancel` may be NULL. NULL when out of memory. */
tfp_html_data *tfp_html_data_new(tfp_memory *memory, size_t most,
                                 const tfp_cancel *cancel);
void tfp_html_data_free(tfp_html_data *data);

/* The page around the data. */
void tfp_html_write_page(const tfp_model *model, const tfp_html_data *data,
                         tfp_sink *sink);

/* ---- Chunks ------------------------------------------------------------- */

/* Each returns a status; whether the bytes could be written, the chunks know.
 */

/* The first chunk. `notes` are `count` lines that are shown at the top. */
void tfp_html_page(tfp_chunks *chunks, const tfp_model *model,
                   const char *shows, const char *const *notes, size_t count);

/* `json` is the answer of `tfprof summary`. */
void tfp_html_summary(tfp_chunks *chunks, tfp_span json);

/* The rows of a view that a page shows. */
typedef struct tfp_html_rows {
    const tfp_view *view;
    const tfp_shown *shown; /* all of the view, or without cheap ones; a row
                             * that is there has its parent before it */
    size_t count;
    tfp_shown *kept;      /* those, if there are fewer than in the view */
    const int64_t *steps; /* that a reader may choose, besides the step of the
                           * view */
    size_t step_count;
} tfp_html_rows;

/* At most `most` rows: the most expensive ones. */
int tfp_html_rows_init(tfp_html_rows *rows, const tfp_view *view, size_t most,
                       tfprof_error *err);
void tfp_html_rows_release(tfp_html_rows *rows);

int tfp_html_tree(tfp_chunks *chunks, const tfp_html_rows *rows,
                  tfprof_error *err);

/* The connections between the nodes of these rows, which are scopes. */
enum { TFP_HTML_MOST_NODES = 200000, TFP_HTML_MOST_EDGES = 2000000 };
int tfp_html_edges(tfp_chunks *chunks, const tfp_html_rows *rows,
                   tfprof_error *err);

/* A table, `id` and `title` being those of its tab. */
int tfp_html_table(tfp_chunks *chunks, const tfp_sheet *sheet, const char *id,
                   const char *title, tfprof_error *err);

/* The memory of a pool over time. */
int tfp_html_curve(tfp_chunks *chunks, const tfp_model *model,
                   const tfp_pool *pool, tfprof_error *err);

/* What changed between two sides, by the names of these; at most `most` rows,
 * the most expensive ones. `costs` has a bit for each cost. */
typedef struct tfp_html_sides {
    const tfp_alignment *alignment;
    const tfp_model *model; /* of the head */
    tfp_span base;          /* its name */
    uint32_t costs;
    size_t most;
} tfp_html_sides;

int tfp_html_diff(tfp_chunks *chunks, const tfp_html_sides *sides,
                  tfprof_error *err);

/* ---- Shared ------------------------------------------------------------- */

/* The title of a page: the name of its first input. */
tfp_span tfp_html_title(const tfp_model *model);

/* A list "metrics" of a head; `has_picos`: times are picoseconds. */
void tfp_html_metrics(tfp_json *json, const tfp_cost *costs, size_t count,
                      bool has_picos);

#endif
