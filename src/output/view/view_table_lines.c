/*
 * view_table_lines.c - the lines above and below a table.
 */
#include "output/view/view_table.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "model/inputs.h"
#include "model/metrics.h"
#include "model/model.h"
#include "options/options.h"
#include "output/text/figures.h"
#include "output/text/style.h"
#include "output/view/cells.h"
#include "sheet/digest.h"
#include "sheet/sheets.h"
#include "view/view.h"

/* ---- Above the table ---------------------------------------------------- */

tfp_span tfp_short_path(tfp_span path, int parts)
{
    size_t end = path.size, at;
    int slashes = 0;
    while (end > 1 && path.data[end - 1] == '/')
        end--;
    for (at = end; at > 0; at--) {
        if (path.data[at - 1] == '/' && ++slashes == parts)
            break;
    }
    return (tfp_span){ path.data + at, end - at };
}

/* Words that follow each other in a line, and go on in the next. */
typedef struct words {
    tfp_view_table *w;
    size_t used;
    const char *divider; /* stands before the next */
} words;

static void put_text(words *line, const char *text)
{
    size_t size = strlen(text);
    tfp_sink *sink = line->w->row.sink;
    bool fits = line->used + strlen(line->divider) + size + 2 <=
                line->w->columns;
    tfp_sink_text(sink, line->divider);
    tfp_sink_text(sink, fits ? " " : "\n  ");
    tfp_sink_text(sink, text);
    line->used = fits ? line->used + strlen(line->divider) + 1 + size
                      : 2 + size;
    line->divider = ",";
}

static words begin_words(tfp_view_table *w, const char *label)
{
    tfp_sink_text(w->row.sink, label);
    return (words){ w, strlen(label), "" };
}

/* The model: what was given, or the directory that it lies in. Of a path the
 * last two parts are shown, of a folder the last. */
size_t tfp_table_put_model(const tfp_model *model, const tfp_style *style,
                           tfp_sink *sink, size_t room)
{
    size_t count = model->inputs.count, used = 0, distinct = 0;
    tfp_string path = 0;
    char more[40];
    for (size_t i = 0; i < count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (!input->is_read || input->path == path)
            continue;
        if (distinct++ == 0)
            used = tfp_style_name(
                style, sink,
                tfp_short_path(tfp_model_text(model, input->path),
                               input->member ? 1 : 2),
                room);
        path = input->path;
    }
    if (distinct > 1) {
        snprintf(more, sizeof(more), " and %zu more", distinct - 1);
        tfp_sink_text(sink, more);
        used += strlen(more);
    }
    return used;
}

tfp_span tfp_table_device_name(tfp_span name, bool has_hosts)
{
    tfp_span device = has_hosts ? name : tfp_device_short(name);
    size_t at = tfp_span_starts(device, "/") && !has_hosts
                    ? tfp_last_part(device)
                    : 0;
    return (tfp_span){ device.data + at, device.size - at };
}

/* The busiest devices, as many as the line has room for. */
static void put_devices(tfp_view_table *w, const tfp_digest *d)
{
    enum { REST = sizeof(", 1,000 more devices") };
    words line = begin_words(w, "busy:");
    size_t shown = 0, count = d->devices.count;
    char text[160], figure[TFP_FIGURE_SIZE], name[64];
    for (; shown < count; shown++) {
        const tfp_digest_device *device = &d->devices.data[shown];
        size_t rest = shown + 1 < count ? REST : 0;
        tfp_escape_short(tfp_table_device_name(device->name, d->has_hosts),
                         name, sizeof(name));
        figure[tfp_figure_picos(device->busy, figure)] = '\0';
        snprintf(text, sizeof(text), "%s %s", name, figure);
        if (shown > 0 && line.used + strlen(text) + 3 + rest > w->columns)
            break;
        put_text(&line, text);
    }
    if (shown < count) {
        snprintf(text, sizeof(text), "%zu more devices", count - shown);
        put_text(&line, text);
    }
    tfp_sink_char(w->row.sink, '\n');
}

/* Which steps the costs are of. The average of a single step is that step. */
static void put_steps(words *line, const tfp_digest *head)
{
    const tfp_view *v = line->w->row.view;
    const tfp_step *first = tfp_model_first_step(v->model);
    int64_t asked = v->options->step;
    char average[64], title[TFP_STEP_TITLE];
    if (head->steps > 1 && tfp_step_is_average(asked)) {
        snprintf(average, sizeof(average), "average of %lld steps",
                 (long long)head->steps);
        put_text(line, average);
    } else if (asked == TFP_STEP_REST) {
        put_text(line, "outside of all steps");
    } else if (head->steps > 0 && first) {
        put_text(line, tfp_step_title(asked < 0 ? first->id : asked, title));
    }
}

void tfp_table_put_head(tfp_view_table *w, const tfp_digest *head)
{
    const tfp_view *v = w->row.view;
    bool is_rest = v->options->step == TFP_STEP_REST;
    tfp_sink *sink = w->row.sink;
    words line = { .w = w,
                   .used = tfp_table_put_model(v->model, &w->style, sink,
                                               w->columns / 2),
                   .divider = ":" };
    char text[64], figure[TFP_FIGURE_SIZE];
    snprintf(text, sizeof(text), "%s%s%s", v->type->name,
             w->count > 0 ? " by " : "",
             w->count > 0 ? tfp_metrics[w->cells[0].cost].title : "");
    put_text(&line, text);
    put_steps(&line, head);
    if (head->wall >= 0 && !is_rest) {
        figure[tfp_figure_picos(head->wall, figure)] = '\0';
        snprintf(text, sizeof(text), "wall %s", figure);
        put_text(&line, text);
    }
    tfp_sink_char(sink, '\n');
    /* Devices are busy in steps. */
    if (head->devices.count > 0 && head->devices.data[0].busy > 0 && !is_rest)
        put_devices(w, head);
}

/* ---- Below it ----------------------------------------------------------- */

static const char *why_text(const tfp_view_table *w, const tfp_table_cell *c)
{
    switch (c->why) {
    case TFP_SHOWS_ZERO: return "0";
    case TFP_SHOWS_EQUAL: return w->cells[c->equal].title;
    default: return "no room";
    }
}

static void put_absent(tfp_view_table *w)
{
    const tfp_view *v = w->row.view;
    words line = { 0 };
    char text[120], figure[TFP_FIGURE_SIZE];
    for (size_t i = 0; i <= w->count; i++) {
        const tfp_table_cell *c = &w->cells[i];
        bool is_row = i == w->count;
        if (is_row ? v->empty_rows == 0
                   : c->why == TFP_SHOWS_FIGURES ||
                         (v->type->is_chain && c->kind == TFP_FIGURE_SELF))
            continue;
        if (!line.w)
            line = begin_words(w, "not shown:");
        if (is_row) {
            figure[tfp_figure_grouped(v->empty_rows, figure)] = '\0';
            snprintf(text, sizeof(text), "%s row%s with only zeros", figure,
                     v->empty_rows == 1 ? "" : "s");
        } else {
            snprintf(text, sizeof(text), "%s (%s%s)", c->title,
                     c->why == TFP_SHOWS_EQUAL ? "equals " : "",
                     why_text(w, c));
        }
        put_text(&line, text);
    }
    if (line.w)
        tfp_sink_char(w->row.sink, '\n');
}

static bool has_rest(const tfp_view *v)
{
    for (size_t i = 0; i < v->shown_count; i++) {
        if (tfp_row_rest(v, v->shown[i].row) > 0)
            return true;
    }
    return false;
}

static void put_more(tfp_view_table *w)
{
    const tfp_view *v = w->row.view;
    words line = begin_words(w, "more:");
    char text[120], figure[TFP_FIGURE_SIZE];
    if (v->deep_rows > 0 && !v->type->is_chain) {
        figure[tfp_figure_grouped(v->deep_rows, figure)] = '\0';
        snprintf(text, sizeof(text), "--max_depth %lld (%s row%s below)",
                 (long long)tfp_view_depth(v->type, v->options) + 2, figure,
                 v->deep_rows == 1 ? "" : "s");
        put_text(&line, text);
    }
    if (has_rest(v))
        put_text(&line, "--top 0 (all rows)");
    put_text(&line, "--select, --order_by METRIC");
    put_text(&line, "--format text");
    tfp_sink_char(w->row.sink, '\n');
}

void tfp_table_put_foot(tfp_view_table *w)
{
    put_absent(w);
    put_more(w);
}
