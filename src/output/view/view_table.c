/*
 * view_table.c - a view as a table for people.
 *
 * Figures stand below each other, to the left of the name, which is a tree.
 * Columns that say nothing are left out, and so are columns that the window
 * has no room for; lines below the table tell which, and what shows more.
 */
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
    USUAL_COLUMNS = 80, /* where no one knows the window */
    TWO_COLUMNS = 60,   /* narrower windows have no more */
    NAME_ROOM = 24,     /* other columns go until the name has so much */
    GAP = 2,
    MOST_CELLS = TFP_COST_COUNT + 2
};

/* Why a column is not there. */
typedef enum absence { IS_SHOWN, IS_ZERO, IS_EQUAL, HAS_NO_ROOM } absence;

typedef enum cell_kind { TOTAL, SELF, SHARE } cell_kind;

typedef struct cell {
    cell_kind kind;
    tfp_cost cost;
    const char *title;
    size_t width;
    absence why;
    size_t equal; /* with IS_EQUAL: to this one */
} cell;

typedef struct writer {
    tfp_row_writer row; /* for figures and facts */
    tfp_style style;
    size_t columns; /* of the window */
    bool has_bars;
    cell cells[MOST_CELLS];
    size_t count;
} writer;

/* ---- Values ------------------------------------------------------------- */

/* What a row costs with all below it. In a chain that would be all rows behind
 * it, which is not what one asks for. */
static int64_t value_of(const writer *w, const cell *c, uint32_t row)
{
    const tfp_view *v = w->row.view;
    return c->kind == SELF || (v->type->is_chain && row != 0)
               ? tfp_row_self(v, row, c->cost)
               : tfp_row_total(v, row, c->cost);
}

/* In tenths of a percent. */
static int share_of(const writer *w, const cell *c, uint32_t row)
{
    int64_t whole = tfp_row_total(w->row.view, 0, c->cost);
    int64_t part = value_of(w, c, row);
    if (whole <= 0 || part <= 0)
        return 0;
    return part >= whole ? 1000
                         : (int)((double)part / (double)whole * 1000 + 0.5);
}

static size_t write_cell(const writer *w, const cell *c, uint32_t row,
                         char *out)
{
    int64_t value = value_of(w, c, row);
    int share;
    if (c->kind == SHARE) {
        share = share_of(w, c, row);
        return (size_t)snprintf(out, TFP_FIGURE_SIZE, "%d.%d%%", share / 10,
                                share % 10);
    }
    if (value == 0)
        return tfp_append(out, "-");
    return tfp_write_figure(&w->row, c->cost, value, out);
}

/* ---- Columns ------------------------------------------------------------ */

static void add_cell(writer *w, cell_kind kind, tfp_cost cost,
                     const char *title)
{
    w->cells[w->count++] = (cell){
        kind, cost, title, strlen(title), IS_SHOWN, 0
    };
}

static void add_cells(writer *w)
{
    const tfp_view_columns *columns = &w->row.columns;
    for (size_t i = 0; i < columns->count; i++) {
        tfp_cost cost = columns->costs[i];
        add_cell(w, TOTAL, cost, i == 0 ? "total" : tfp_metrics[cost].title);
        if (i == 0) {
            add_cell(w, SELF, cost, "self");
            add_cell(w, SHARE, cost, "%");
        }
    }
}

static bool are_equal(const writer *w, const cell *a, const cell *b)
{
    const tfp_view *v = w->row.view;
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        if (value_of(w, a, v->shown[i].row) != value_of(w, b, v->shown[i].row))
            return false;
    }
    return true;
}

static bool is_zero(const writer *w, const cell *c)
{
    const tfp_view *v = w->row.view;
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        if (value_of(w, c, v->shown[i].row) != 0)
            return false;
    }
    return true;
}

/* The first column stays, whatever it says. */
static void leave_out(writer *w)
{
    for (size_t i = 1; i < w->count; i++) {
        cell *c = &w->cells[i];
        if (c->kind == SHARE)
            continue;
        if (is_zero(w, c))
            c->why = IS_ZERO;
        for (size_t k = 0; k < i && c->why == IS_SHOWN; k++) {
            if (w->cells[k].kind == SHARE || w->cells[k].why != IS_SHOWN ||
                !are_equal(w, c, &w->cells[k]))
                continue;
            c->why = IS_EQUAL;
            c->equal = k;
        }
    }
}

static void measure(writer *w)
{
    const tfp_view *v = w->row.view;
    char text[2 * TFP_FIGURE_SIZE];
    for (size_t i = v->type->is_chain; i < v->shown_count; i++) {
        for (size_t k = 0; k < w->count; k++) {
            cell *c = &w->cells[k];
            size_t size = c->why == IS_SHOWN
                              ? write_cell(w, c, v->shown[i].row, text)
                              : 0;
            c->width = size > c->width ? size : c->width;
        }
    }
}

/* Columns of the window that are left for names. */
static size_t name_room(const writer *w)
{
    size_t taken = w->has_bars ? GAP + TFP_BAR_COLUMNS : 0;
    for (size_t i = 0; i < w->count; i++)
        taken += w->cells[i].why == IS_SHOWN ? w->cells[i].width + GAP : 0;
    return w->columns > taken ? w->columns - taken : 0;
}

/* The last columns go first, and then what the first one has beside it. */
static void fit(writer *w)
{
    bool is_narrow = w->columns < TWO_COLUMNS;
    if (is_narrow)
        w->has_bars = false;
    for (size_t i = w->count;
         i-- > 1 && (is_narrow || name_room(w) < NAME_ROOM);) {
        if (w->cells[i].kind != TOTAL && w->has_bars) {
            w->has_bars = false; /* before the share and the row itself */
            i++;
            continue;
        }
        if (w->cells[i].why == IS_SHOWN)
            w->cells[i].why = HAS_NO_ROOM;
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

/* Where the last part of a path begins; a slash in parentheses is none. */
static size_t last_part(tfp_span name)
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
    size_t at = v->type->has_lines ? 0 : last_part(name);
    size_t end = v->type->has_lines ? place_end(name) : name.size;
    return (tfp_span){ name.data + at, end - at };
}

/* What else there is of the name is shortened. */
static size_t put_name(writer *w, tfp_span name, size_t room)
{
    tfp_span kept = kept_part(w->row.view, name), other;
    size_t needed = tfp_text_columns(kept), used = 0;
    bool leads = kept.data == name.data;
    if (tfp_text_columns(name) <= room || kept.size == name.size)
        return tfp_style_name(&w->style, w->row.sink, name, room);
    other = leads ? (tfp_span){ name.data + kept.size, name.size - kept.size }
                  : (tfp_span){ name.data, name.size - kept.size };
    room = room > needed ? room - needed : 0;
    if (!leads)
        used = tfp_style_name(&w->style, w->row.sink, other, room);
    tfp_sink_escaped(w->row.sink, kept);
    if (leads)
        used = tfp_style_name(&w->style, w->row.sink, other, room);
    return used + needed;
}

static void put_words(writer *w, const tfp_string *names, size_t count,
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
static void put_facts(writer *w, uint32_t row, size_t room)
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

static void put_titles(writer *w)
{
    tfp_sink *sink = w->row.sink;
    tfp_style_begin(&w->style, sink, TFP_INK_FAINT);
    for (size_t i = 0; i < w->count; i++) {
        const cell *c = &w->cells[i];
        if (c->why != IS_SHOWN)
            continue;
        tfp_sink_blanks(sink, c->width - strlen(c->title));
        tfp_sink_text(sink, c->title);
        tfp_sink_blanks(sink, GAP);
        if (c->kind == SHARE && w->has_bars)
            tfp_sink_blanks(sink, TFP_BAR_COLUMNS + GAP);
    }
    tfp_sink_text(sink, w->row.view->type->has_lines  ? "line"
                        : w->row.view->type->is_chain ? "operation"
                                                      : "name");
    tfp_style_end(&w->style, sink, TFP_INK_FAINT);
    tfp_sink_char(sink, '\n');
}

/* "(12 more: 3.40ms)". */
static size_t put_rest(writer *w, uint32_t row)
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
    return strlen(text);
}

/* A tenth of the whole by itself. */
static bool costs_much(const writer *w, uint32_t row)
{
    const tfp_view *v = w->row.view;
    int64_t self, whole;
    if (w->count == 0)
        return false;
    self = tfp_row_self(v, row, w->cells[0].cost);
    whole = tfp_row_total(v, 0, w->cells[0].cost);
    return self > 0 && self >= whole / 10 + (whole % 10 != 0);
}

static void put_row(writer *w, const tfp_shown *shown)
{
    const tfp_view *v = w->row.view;
    tfp_sink *sink = w->row.sink;
    size_t room = name_room(w), indent = 2 * (size_t)shown->level, needed;
    tfp_span name = short_name(v, shown->row);
    char text[2 * TFP_FIGURE_SIZE];
    for (size_t i = 0; i < w->count; i++) {
        const cell *c = &w->cells[i];
        size_t size;
        if (c->why != IS_SHOWN)
            continue;
        size = write_cell(w, c, shown->row, text);
        tfp_sink_blanks(sink, c->width - size);
        tfp_sink_bytes(sink, (tfp_span){ (const uint8_t *)text, size });
        tfp_sink_blanks(sink, GAP);
        if (c->kind == SHARE && w->has_bars) {
            tfp_style_bar(&w->style, sink, value_of(w, c, shown->row),
                          tfp_row_total(v, 0, c->cost));
            tfp_sink_blanks(sink, GAP);
        }
    }
    if (v->type->is_chain && indent > 0)
        indent -= 2 * (size_t)shown->level;
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
        used = put_name(w, name, room);
        tfp_style_end(&w->style, sink, ink);
        put_facts(w, shown->row, room > used ? room - used : 0);
    }
    tfp_sink_char(sink, '\n');
}

/* ---- Above the table ---------------------------------------------------- */

/* "resnet/graph.pb": the last two parts of a path, of a folder the last. */
static tfp_span short_path(tfp_span path, int parts)
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
    writer *w;
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

static words begin_words(writer *w, const char *label)
{
    tfp_sink_text(w->row.sink, label);
    return (words){ w, strlen(label), "" };
}

/* The model: what was given, or the directory that it lies in. */
static size_t put_model(writer *w)
{
    const tfp_model *model = w->row.view->model;
    size_t count = model->inputs.count, used = 0, distinct = 0;
    tfp_string path = 0;
    char more[40];
    for (size_t i = 0; i < count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (!input->is_read || input->path == path)
            continue;
        if (distinct++ == 0)
            used = tfp_style_name(&w->style, w->row.sink,
                                  short_path(tfp_model_text(model, input->path),
                                             input->member ? 1 : 2),
                                  w->columns / 2);
        path = input->path;
    }
    if (distinct > 1) {
        snprintf(more, sizeof(more), " and %zu more", distinct - 1);
        tfp_sink_text(w->row.sink, more);
        used += strlen(more);
    }
    return used;
}

/* The last part of a name, which people know a device by. */
static tfp_span device_name(tfp_span name)
{
    size_t at = tfp_span_starts(name, "/") ? last_part(name) : 0;
    return (tfp_span){ name.data + at, name.size - at };
}

/* The busiest devices, as many as the line has room for. */
static void put_devices(writer *w, const tfp_digest *d)
{
    enum { REST = sizeof(", 1,000 more devices") };
    words line = begin_words(w, "busy:");
    size_t shown = 0, count = d->devices.count;
    char text[160], figure[TFP_FIGURE_SIZE], name[64];
    for (; shown < count; shown++) {
        const tfp_digest_device *device = &d->devices.data[shown];
        size_t rest = shown + 1 < count ? REST : 0;
        tfp_escape_short(device_name(device->name), name, sizeof(name));
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

static void put_head(writer *w, const tfp_digest *head)
{
    const tfp_view *v = w->row.view;
    tfp_sink *sink = w->row.sink;
    words line = { .w = w, .used = put_model(w), .divider = ":" };
    char text[64], figure[TFP_FIGURE_SIZE];
    snprintf(text, sizeof(text), "%s%s%s", v->type->name,
             w->count > 0 ? " by " : "",
             w->count > 0 ? tfp_metrics[w->cells[0].cost].title : "");
    put_text(&line, text);
    if (head->steps > 1 && v->options->step < 0)
        snprintf(text, sizeof(text), "average of %lld steps",
                 (long long)head->steps);
    else
        snprintf(text, sizeof(text), "step %lld",
                 (long long)(v->options->step < 0 && head->steps > 0
                                 ? v->model->steps.data[0].id
                                 : v->options->step));
    if (head->steps > 0)
        put_text(&line, text);
    if (head->wall >= 0) {
        figure[tfp_figure_picos(head->wall, figure)] = '\0';
        snprintf(text, sizeof(text), "wall %s", figure);
        put_text(&line, text);
    }
    tfp_sink_char(sink, '\n');
    if (head->devices.count > 0 && head->devices.data[0].busy > 0)
        put_devices(w, head);
}

/* ---- Below it ----------------------------------------------------------- */

static const char *why_text(const writer *w, const cell *c)
{
    switch (c->why) {
    case IS_ZERO: return "0";
    case IS_EQUAL: return w->cells[c->equal].title;
    default: return "no room";
    }
}

static void put_absent(writer *w)
{
    const tfp_view *v = w->row.view;
    words line = { 0 };
    char text[120], figure[TFP_FIGURE_SIZE];
    for (size_t i = 0; i <= w->count; i++) {
        const cell *c = &w->cells[i];
        bool is_row = i == w->count;
        if (is_row
                ? v->empty_rows == 0
                : c->why == IS_SHOWN || (v->type->is_chain && c->kind == SELF))
            continue;
        if (!line.w)
            line = begin_words(w, "left out:");
        if (is_row) {
            figure[tfp_figure_grouped(v->empty_rows, figure)] = '\0';
            snprintf(text, sizeof(text), "%s rows of 0", figure);
        } else {
            snprintf(text, sizeof(text), "%s (%s%s)", c->title,
                     c->why == IS_EQUAL ? "equals " : "", why_text(w, c));
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

static void put_more(writer *w)
{
    const tfp_view *v = w->row.view;
    words line = begin_words(w, "more:");
    char text[120], figure[TFP_FIGURE_SIZE];
    if (v->deep_rows > 0 && !v->type->is_chain) {
        figure[tfp_figure_grouped(v->deep_rows, figure)] = '\0';
        snprintf(text, sizeof(text), "-max_depth %lld (%s row%s below)",
                 (long long)tfp_view_depth(v->type, v->options) + 2, figure,
                 v->deep_rows == 1 ? "" : "s");
        put_text(&line, text);
    }
    if (has_rest(v))
        put_text(&line, "-top 0 (all rows of a level)");
    put_text(&line, "-select and -order_by METRIC");
    put_text(&line, "-format text");
    tfp_sink_char(w->row.sink, '\n');
}

/* ---- All of it ---------------------------------------------------------- */

static size_t window(const tfp_options *o)
{
    if (o->width > 0)
        return (size_t)o->width;
    return o->width < 0 ? USUAL_COLUMNS : SIZE_MAX / 2;
}

bool tfp_view_write_table(const tfp_view *v, const tfp_digest *head,
                          tfp_sink *sink)
{
    writer w = { .row = { .view = v,
                          .sink = sink,
                          .columns = tfp_view_cost_columns(v),
                          .time_unit = tfp_model_time_unit(v->model) },
                 .style = tfp_style_of(v->options),
                 .columns = window(v->options) };
    bool ok;
    w.style.columns = w.columns;
    w.has_bars = true;
    tfp_row_facts_init(&w.row.facts, v);
    w.row.facts.sink = sink;
    add_cells(&w);
    w.has_bars = w.count > 0;
    leave_out(&w);
    measure(&w);
    fit(&w);
    put_head(&w, head);
    put_titles(&w);
    for (size_t i = v->type->is_chain; i < v->shown_count && !sink->failed; i++)
        put_row(&w, &v->shown[i]);
    put_absent(&w);
    put_more(&w);
    ok = !w.row.facts.failed;
    tfp_row_facts_release(&w.row.facts);
    return ok;
}
