/*
 * view_table.c - a view as a table for people.
 *
 * Figures stand below each other, to the left of the name, which is a tree.
 * Columns that say nothing are left out, and so are columns that the window
 * has no room for (view_table_lines.c tells which).
 */
#include "output/view/view_table.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/width.h"
#include "model/inputs.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/times.h"
#include "options/options.h"
#include "output/text/figures.h"
#include "output/text/style.h"
#include "output/view/cells.h"
#include "output/view/row_facts.h"
#include "output/view/view.h"
#include "sheet/digest.h"
#include "view/view.h"

enum {
    TWO_COLUMNS = 60, /* narrower windows have no more */
    NAME_ROOM = 24,   /* other columns go until the name has so much */
    SHORTEST = 8,     /* it has so much in any window */
    GAP = 2
};

/* ---- Values ------------------------------------------------------------- */

/* What a row costs with all below it. In a chain that would be all rows behind
 * it, which is not what one asks for. */
static int64_t value_of(const tfp_view_table *w, const tfp_table_cell *c,
                        uint32_t row)
{
    const tfp_view *v = w->row.view;
    return c->kind == TFP_FIGURE_SELF || (v->type->is_chain && row != 0)
               ? tfp_row_self(v, row, c->cost)
               : tfp_row_total(v, row, c->cost);
}

static size_t write_cell(const tfp_view_table *w, const tfp_table_cell *c,
                         uint32_t row, char *out)
{
    int64_t value = value_of(w, c, row);
    if (c->kind == TFP_FIGURE_SHARE)
        return tfp_table_share(value, tfp_row_total(w->row.view, 0, c->cost),
                               out);
    if (value == 0)
        return tfp_append(out, "-");
    return tfp_write_figure(&w->row, c->cost, value, out);
}

/* ---- Columns ------------------------------------------------------------ */

static void add_cell(tfp_view_table *w, tfp_figure_kind kind, tfp_cost cost,
                     const char *title)
{
    w->cells[w->count++] = (tfp_table_cell){
        kind, cost, title, strlen(title), TFP_SHOWS_FIGURES, 0
    };
}

/* The others keep their order. */
static void put_first(tfp_view_columns *columns, tfp_cost cost)
{
    size_t at = 0;
    while (at < columns->count && columns->costs[at] != cost)
        at++;
    if (at == columns->count)
        return;
    for (; at > 0; at--)
        columns->costs[at] = columns->costs[at - 1];
    columns->costs[0] = cost;
}

static void add_cells(tfp_view_table *w)
{
    const tfp_view *v = w->row.view;
    tfp_view_columns *columns = &w->row.columns;
    put_first(columns, tfp_view_leading(v->type, v->model, v->options));
    for (size_t i = 0; i < columns->count; i++) {
        tfp_cost cost = columns->costs[i];
        add_cell(w, TFP_FIGURE_TOTAL, cost,
                 i == 0 ? "total" : tfp_metrics[cost].title);
        if (i == 0) {
            add_cell(w, TFP_FIGURE_SELF, cost, "self");
            add_cell(w, TFP_FIGURE_SHARE, cost, "%");
        }
    }
}

static bool are_equal(const tfp_view_table *w, const tfp_table_cell *a,
                      const tfp_table_cell *b)
{
    const tfp_view *v = w->row.view;
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        if (value_of(w, a, v->shown[i].row) != value_of(w, b, v->shown[i].row))
            return false;
    }
    return true;
}

static bool is_zero(const tfp_view_table *w, const tfp_table_cell *c)
{
    const tfp_view *v = w->row.view;
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        if (value_of(w, c, v->shown[i].row) != 0)
            return false;
    }
    return true;
}

/* The first column stays, whatever it says. */
static void leave_out(tfp_view_table *w)
{
    for (size_t i = 1; i < w->count; i++) {
        tfp_table_cell *c = &w->cells[i];
        if (c->kind == TFP_FIGURE_SHARE)
            continue;
        if (is_zero(w, c))
            c->why = TFP_SHOWS_ZERO;
        for (size_t k = 0; k < i && c->why == TFP_SHOWS_FIGURES; k++) {
            if (w->cells[k].kind == TFP_FIGURE_SHARE ||
                w->cells[k].why != TFP_SHOWS_FIGURES ||
                !are_equal(w, c, &w->cells[k]))
                continue;
            c->why = TFP_SHOWS_EQUAL;
            c->equal = k;
        }
    }
}

static void measure(tfp_view_table *w)
{
    const tfp_view *v = w->row.view;
    char text[2 * TFP_FIGURE_SIZE];
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        for (size_t k = 0; k < w->count; k++) {
            tfp_table_cell *c = &w->cells[k];
            size_t size = c->why == TFP_SHOWS_FIGURES
                              ? write_cell(w, c, v->shown[i].row, text)
                              : 0;
            c->width = size > c->width ? size : c->width;
        }
    }
}

/* Columns of the window that are left for names. */
static size_t name_room(const tfp_view_table *w)
{
    size_t taken = w->has_bars ? GAP + TFP_BAR_COLUMNS : 0;
    for (size_t i = 0; i < w->count; i++)
        taken += w->cells[i].why == TFP_SHOWS_FIGURES ? w->cells[i].width + GAP
                                                      : 0;
    return w->columns > taken + SHORTEST ? w->columns - taken : SHORTEST;
}

/* The last columns go first, and then what the first one has beside it. */
static void fit(tfp_view_table *w)
{
    bool is_narrow = w->columns < TWO_COLUMNS;
    if (is_narrow)
        w->has_bars = false;
    for (size_t i = w->count;
         i-- > 1 && (is_narrow || name_room(w) < NAME_ROOM);) {
        if (w->cells[i].kind != TFP_FIGURE_TOTAL && w->has_bars) {
            w->has_bars = false; /* before the share and the row itself */
            i++;
            continue;
        }
        if (w->cells[i].why == TFP_SHOWS_FIGURES)
            w->cells[i].why = TFP_SHOWS_NO_ROOM;
    }
}

/* ---- Names -------------------------------------------------------------- */

/* The name of a scope without that of the row above it. */
static tfp_span short_name(const tfp_view *v, uint32_t row)
{
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    tfp_span above = tfp_row_name(&v->rows.data[v->rows.data[row].parent]);
    if (row == 0)
        return tfp_span_of("(total)");
    if (tfp_row_rest(v, row) > 0 || v->rows.data[row].parent == 0 ||
        name.size <= above.size + 1 || name.data[above.size] != '/' ||
        memcmp(name.data, above.data, above.size) != 0)
        return name;
    return (tfp_span){ name.data + above.size + 1, name.size - above.size - 1 };
}

size_t tfp_last_part(tfp_span name)
{
    size_t at = name.size;
    int open = 0;
    while (at > 0) {
        uint8_t c = name.data[at - 1];
        open += (c == ')') - (c == '(');
        if (c == '/' && open == 0)
            break;
        at--;
    }
    return at;
}

/* Where the line of "model.py:12:build" ends. */
static size_t place_end(tfp_span name)
{
    size_t at = 0;
    int colons = 0;
    while (at < name.size && !(name.data[at] == ':' && ++colons == 2))
        at++;
    return at;
}

/* The part of a name that is not cut: file and line, or the last part of a
 * path. */
static tfp_span kept_part(const tfp_view *v, tfp_span name)
{
    size_t at = v->type->has_lines ? 0 : tfp_last_part(name);
    size_t end = v->type->has_lines ? place_end(name) : name.size;
    return (tfp_span){ name.data + at, end - at };
}

size_t tfp_table_put_name(const tfp_view *view, const tfp_style *style,
                          tfp_sink *sink, tfp_span name, size_t room)
{
    tfp_span kept = kept_part(view, name), other;
    size_t needed = tfp_text_columns(kept), used = 0;
    bool leads = kept.data == name.data;
    if (tfp_text_columns(name) <= room || kept.size == name.size)
        return tfp_style_name(style, sink, name, room);
    other = leads ? (tfp_span){ name.data + kept.size, name.size - kept.size }
                  : (tfp_span){ name.data, name.size - kept.size };
    room = room > needed ? room - needed : 0;
    if (!leads)
        used = tfp_style_name(style, sink, other, room);
    tfp_sink_escaped(sink, kept);
    if (leads)
        used = tfp_style_name(style, sink, other, room);
    return used + needed;
}

static void put_words(tfp_view_table *w, const tfp_string *names, size_t count,
                      size_t *room)
{
    for (size_t i = 0; i < count && *room > TFP_SHORTEST_NAME; i++) {
        tfp_span name = tfp_model_text(w->row.view->model, names[i]);
        tfp_sink_text(w->row.sink, i > 0 ? "|" : "  ");
        *room -= i > 0 ? 1 : 2;
        *room -= tfp_style_name(&w->style, w->row.sink, name, *room);
    }
}

/* What was selected besides costs, as far as the line goes. */
static void put_facts(tfp_view_table *w, uint32_t row, size_t room)
{
    const tfp_view *v = w->row.view;
    int64_t select = v->select;
    size_t count, used;
    const tfp_string *names;
    tfp_span shape = { 0 };
    if (select & TFP_SELECT_PARAMS && !v->type->groups)
        shape = tfp_row_shape(&w->row.facts, row);
    used = tfp_text_columns(shape) + 2;
    if (shape.size > 0 && used <= room) {
        tfp_sink_text(w->row.sink, "  ");
        tfp_sink_bytes(w->row.sink, shape);
        room -= used;
    }
    if (select & TFP_SELECT_OP_TYPES && row != 0) {
        names = tfp_row_types(&w->row.facts, row, &count);
        put_words(w, names, count, &room);
    }
    if (select & TFP_SELECT_DEVICE && row != 0) {
        names = tfp_row_devices(&w->row.facts, row, &count);
        put_words(w, names, count, &room);
    }
}

/* ---- Rows --------------------------------------------------------------- */

static void put_titles(tfp_view_table *w)
{
    tfp_sink *sink = w->row.sink;
    tfp_style_begin(&w->style, sink, TFP_INK_FAINT);
    for (size_t i = 0; i < w->count; i++) {
        const tfp_table_cell *c = &w->cells[i];
        if (c->why != TFP_SHOWS_FIGURES)
            continue;
        tfp_sink_blanks(sink, c->width - strlen(c->title));
        tfp_sink_text(sink, c->title);
        tfp_sink_blanks(sink, GAP);
        if (c->kind == TFP_FIGURE_SHARE && w->has_bars)
            tfp_sink_blanks(sink, TFP_BAR_COLUMNS + GAP);
    }
    tfp_sink_text(sink, w->row.view->type->has_lines  ? "line"
                        : w->row.view->type->is_chain ? "operation"
                                                      : "name");
    tfp_style_end(&w->style, sink, TFP_INK_FAINT);
    tfp_sink_char(sink, '\n');
}

/* "(12 more: 3.40ms)". */
static void put_rest(tfp_view_table *w, uint32_t row)
{
    char text[64 + 2 * TFP_FIGURE_SIZE], figure[2 * TFP_FIGURE_SIZE] = "";
    size_t used;
    if (w->count == 0) {
        snprintf(text, sizeof(text), "(%u more)",
                 (unsigned)tfp_row_rest(w->row.view, row));
    } else {
        used = write_cell(w, &w->cells[0], row, figure);
        figure[used] = '\0';
        snprintf(text, sizeof(text), "(%u more: %s)",
                 (unsigned)tfp_row_rest(w->row.view, row), figure);
    }
    tfp_sink_text(w->row.sink, text);
}

/* A tenth of the whole by itself. */
static bool costs_much(const tfp_view_table *w, uint32_t row)
{
    const tfp_view *v = w->row.view;
    int64_t self, whole;
    if (w->count == 0)
        return false;
    self = tfp_row_self(v, row, w->cells[0].cost);
    whole = tfp_row_total(v, 0, w->cells[0].cost);
    return self > 0 && self >= whole / 10 + (whole % 10 != 0);
}

static void put_row(tfp_view_table *w, const tfp_shown *shown)
{
    const tfp_view *v = w->row.view;
    tfp_sink *sink = w->row.sink;
    size_t room = name_room(w), needed;
    size_t indent = v->type->is_chain ? 0 : 2 * (size_t)shown->level;
    tfp_span name = short_name(v, shown->row);
    char text[2 * TFP_FIGURE_SIZE];
    for (size_t i = 0; i < w->count; i++) {
        const tfp_table_cell *c = &w->cells[i];
        size_t size;
        if (c->why != TFP_SHOWS_FIGURES)
            continue;
        size = write_cell(w, c, shown->row, text);
        tfp_sink_blanks(sink, c->width - size);
        tfp_sink_bytes(sink, (tfp_span){ (const uint8_t *)text, size });
        tfp_sink_blanks(sink, GAP);
        if (c->kind == TFP_FIGURE_SHARE && w->has_bars) {
            tfp_style_bar(&w->style, sink, value_of(w, c, shown->row),
                          tfp_row_total(v, 0, c->cost));
            tfp_sink_blanks(sink, GAP);
        }
    }
    needed = tfp_text_columns(kept_part(v, name));
    if (needed < TFP_SHORTEST_NAME)
        needed = TFP_SHORTEST_NAME;
    if (indent + needed > room) /* a deep row in a narrow window */
        indent = room > needed ? room - needed : 0;
    tfp_sink_blanks(sink, indent);
    room -= indent;
    if (tfp_row_rest(v, shown->row) > 0) {
        put_rest(w, shown->row);
    } else {
        tfp_ink ink = costs_much(w, shown->row) ? TFP_INK_STRONG
                                                : TFP_INK_PLAIN;
        size_t used;
        tfp_style_begin(&w->style, sink, ink);
        used = tfp_table_put_name(v, &w->style, sink, name, room);
        tfp_style_end(&w->style, sink, ink);
        put_facts(w, shown->row, room > used ? room - used : 0);
    }
    tfp_sink_char(sink, '\n');
}

/* ---- All of it ---------------------------------------------------------- */

bool tfp_view_write_table(const tfp_view *v, const tfp_digest *head,
                          tfp_sink *sink)
{
    tfp_view_table w = { .row = { .view = v,
                                  .sink = sink,
                                  .columns = tfp_view_cost_columns(v),
                                  .is_table = true,
                                  .time_unit = tfp_model_time_unit(v->model) },
                         .style = tfp_style_of(v->options),
                         .columns = tfp_table_columns(v->options) };
    bool ok;
    w.style.columns = w.columns;
    tfp_row_facts_init(&w.row.facts, v);
    w.row.facts.sink = sink;
    add_cells(&w);
    w.has_bars = w.count > 0;
    leave_out(&w);
    measure(&w);
    fit(&w);
    tfp_table_put_head(&w, head);
    put_titles(&w);
    for (size_t i = v->type->is_chain; i < v->shown_count && !sink->failed; i++)
        put_row(&w, &v->shown[i]);
    tfp_table_put_foot(&w);
    ok = !w.row.facts.failed;
    tfp_row_facts_release(&w.row.facts);
    return ok;
}
