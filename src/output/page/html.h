/*
 * html.h - writes views and reports as one HTML file.
 *
 * The file is the page (page/, compiled in) with the data (chunks.h) that the
 * script of the page draws. It needs no network and no other file. The same
 * data gives the same bytes.
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
#include "compare/totals.h"
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

/* The data of a page, kept until its size is known. */
typedef struct tfp_html_data {
    tfp_memory *memory;
    TFP_VEC(uint8_t) bytes; /* base64 */
    size_t most;            /* bytes */
    bool is_full; /* the data did not fit into `most` bytes; it is incomplete */
    bool failed;  /* memory ran out */
    tfp_sink sink;
} tfp_html_data;

/* Room for `most` bytes of data. `cancel` may be NULL. Returns NULL when out of
 * memory. */
tfp_html_data *tfp_html_data_new(tfp_memory *memory, size_t most,
                                 const tfp_cancel *cancel);
void tfp_html_data_free(tfp_html_data *data);

/* Writes the page with this data. */
void tfp_html_write_page(const tfp_model *model, const tfp_html_data *data,
                         tfp_sink *sink);

/* ---- Chunks ------------------------------------------------------------- */

/* Functions that can fail return a status. The sink of the chunks records
 * whether the bytes could be written. */

/* The first chunk. `shows` is the id of the tab to open. `notes` are `count`
 * lines that are shown at the top. */
void tfp_html_page(tfp_chunks *chunks, const tfp_model *model,
                   const char *shows, const char *const *notes, size_t count);

/* `json` is the output of `tfprof summary --format json`; `no_code` says why
 * the page has no code view, or is NULL. */
void tfp_html_summary(tfp_chunks *chunks, tfp_span json, const char *no_code);

/* The rows of a view that a page shows. */
typedef struct tfp_html_rows {
    const tfp_view *view;
    const tfp_shown *shown; /* all rows of the view, or the most expensive ones;
                             * the parent of each row precedes it */
    size_t count;
    tfp_shown *kept; /* memory of `shown` if rows were left out, else NULL */
    const int64_t *steps; /* more steps that the user can select, in addition to
                           * the step of the view */
    size_t step_count;
} tfp_html_rows;

/* Keeps at most `most` rows, the most expensive ones. 0 keeps all rows. */
int tfp_html_rows_init(tfp_html_rows *rows, const tfp_view *view, size_t most,
                       tfprof_error *err);
void tfp_html_rows_release(tfp_html_rows *rows);

int tfp_html_tree(tfp_chunks *chunks, const tfp_html_rows *rows,
                  tfprof_error *err);

/* The connections between the nodes of these rows of the scope view. At most
 * TFP_HTML_MOST_EDGES connections are written. */
enum { TFP_HTML_MOST_NODES = 200000, TFP_HTML_MOST_EDGES = 2000000 };
int tfp_html_edges(tfp_chunks *chunks, const tfp_html_rows *rows,
                   tfprof_error *err);

/* A table. `id` and `title` are those of its tab. */
int tfp_html_table(tfp_chunks *chunks, const tfp_sheet *sheet, const char *id,
                   const char *title, tfprof_error *err);

/* The memory of a pool over time. */
int tfp_html_curve(tfp_chunks *chunks, const tfp_model *model,
                   const tfp_pool *pool, tfprof_error *err);

/* The two sides of a comparison. At most `most` rows are written, the most
 * expensive ones. `costs` has a bit for each cost. */
typedef struct tfp_html_sides {
    const tfp_alignment *alignment;
    const tfp_model *model; /* of the head */
    tfp_span base;          /* name of the base */
    uint32_t costs;
    const tfp_judged_total *totals; /* of steps and operations */
    size_t total_count;
    size_t most;
} tfp_html_sides;

int tfp_html_diff(tfp_chunks *chunks, const tfp_html_sides *sides,
                  tfprof_error *err);

/* ---- Shared ------------------------------------------------------------- */

/* The title of a page: the name of the folder of its inputs, or of its first
 * input. */
tfp_span tfp_html_title(const tfp_model *model);

/* Writes the list "metrics" of a head. `has_picos`: times are in picoseconds.
 */
void tfp_html_metrics(tfp_json *json, const tfp_cost *costs, size_t count,
                      bool has_picos);

#endif
