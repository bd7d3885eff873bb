/*
 * text.c - the public functions about text for people.
 */
#include <stdbool.h>
#include <string.h>

#include <tfprof/tfprof.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "output/text/figures.h"
#include "output/text/fit.h"
#include "output/text/style.h"
#include "output/view/cells.h"

size_t tfprof_escape(const char *text, size_t text_size, char *buffer,
                     size_t size)
{
    if (!text)
        text_size = 0;
    if (!buffer)
        size = 0;
    return tfp_escape((tfp_span){ (const uint8_t *)text, text_size }, buffer,
                      size);
}

/* Text on its way into a buffer that may be too small for it. */
typedef struct room {
    char *buffer;
    size_t size; /* of the buffer */
    size_t used; /* what would have been used */
} room;

/* A character that does not fit is left out, and so is all behind it. */
static void put(room *r, tfp_span text)
{
    bool fits = r->used < r->size;
    r->used += tfp_escape(text, fits ? r->buffer + r->used : NULL,
                          fits ? r->size - r->used : 0);
}

size_t tfprof_fit(const char *text, size_t text_size, size_t columns,
                  int is_utf8, char *buffer, size_t size, size_t *used)
{
    tfp_span name = { (const uint8_t *)text, text ? text_size : 0 };
    tfp_fitted f = tfp_fit_name(name, columns, is_utf8 ? 1 : 2);
    room r = { buffer, buffer ? size : 0, 0 };
    put(&r, f.head);
    if (f.is_cut) {
        put(&r, tfp_span_of(is_utf8 ? "\xe2\x80\xa6" : ".."));
        put(&r, f.tail);
    }
    if (used)
        *used = f.columns;
    return r.used;
}

/* The figures are ASCII, so they may be cut anywhere. */
static size_t copy(const char *text, size_t length, char *buffer, size_t size)
{
    size_t n = length < size ? length : size - 1;
    if (buffer && size > 0) {
        memcpy(buffer, text, n);
        buffer[n] = '\0';
    }
    return length;
}

/* tfprof_metric has one more member than the costs: how many nodes count. */
static tfp_figure_fn *figure_of(tfprof_metric metric)
{
    size_t number = (size_t)metric;
    if (metric == TFPROF_METRIC_DEFINED)
        return tfp_figure_count;
    number -= number > TFPROF_METRIC_DEFINED;
    return number < TFP_COST_COUNT ? tfp_cost_forms[number].large : NULL;
}

size_t tfprof_metric_figure(tfprof_metric metric, int64_t value, char *buffer,
                            size_t size)
{
    char text[2 * TFP_FIGURE_SIZE];
    tfp_figure_fn *figure = figure_of(metric);
    size_t used = 0;
    if (!figure)
        return copy("", 0, buffer, size);
    if (value == INT64_MAX)
        used = tfp_append(text, ">=");
    used += figure(value, text + used);
    return copy(text, used, buffer, size);
}

size_t tfprof_share_figure(int64_t part, int64_t whole, char *buffer,
                           size_t size)
{
    char text[TFP_FIGURE_SIZE];
    return copy(text, tfp_table_share(part, whole, text), buffer, size);
}
