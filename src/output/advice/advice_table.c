/*
 * advice_table.c - findings as a table for people.
 *
 * What takes time stands in rows with its time and its share of all; other
 * findings are lines. Each node is named once, and a hint that holds for
 * several rows stands below the last of them. What found nothing is a word in a
 * line at the end.
 */
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/width.h"
#include "model/model.h"
#include "model/times.h"
#include "options/options.h"
#include "output/advice/advice.h"
#include "output/advice/advice_lines.h"
#include "output/text/figures.h"
#include "output/text/style.h"

enum { INDENT = 4, GAP = 2, NARROWEST_WITH_BARS = 80 };

typedef struct table {
    const tfp_advice *advice;
    tfp_style style;
    tfp_sink *sink;
    tfp_advice_line line;
    uint8_t *named; /* a bit for each string: a node that has been named */
} table;

/* ---- Text --------------------------------------------------------------- */

/* Words in lines of the window; `used` columns of the first are taken, and the
 * others begin with INDENT blanks more than `indent`. */
static void put_words(const table *t, tfp_span text, size_t used, size_t indent)
{
    bool is_first = true;
    while (text.size > 0) {
        const uint8_t *blank = memchr(text.data, ' ', text.size);
        size_t size = blank ? (size_t)(blank - text.data) : text.size;
        tfp_span word = { text.data, size };
        size_t columns = tfp_text_columns(word);
        if (!is_first && used + 1 + columns > t->style.columns) {
            tfp_sink_char(t->sink, '\n');
            tfp_sink_blanks(t->sink, indent + INDENT);
            used = indent + INDENT;
        } else if (!is_first) {
            tfp_sink_char(t->sink, ' ');
            used++;
        }
        tfp_sink_escaped(t->sink, word);
        used += columns;
        is_first = false;
        size += blank != NULL;
        text.data += size;
        text.size -= size;
    }
    tfp_sink_char(t->sink, '\n');
}

static void put_try(const table *t, const tfp_finding *f)
{
    static const char label[] = "try: ";
    if (!f->hint)
        return;
    tfp_sink_blanks(t->sink, INDENT);
    tfp_sink_text(t->sink, label);
    put_words(t, tfp_span_of(f->hint), INDENT + strlen(label), INDENT);
}

/* In a narrow window names need the room. */
static bool has_bars(const table *t)
{
    return t->style.columns >= NARROWEST_WITH_BARS;
}

/* Is there room in the line for a name, shortened perhaps, and this? */
static bool has_room(const table *t, tfp_span name, size_t used)
{
    size_t columns = tfp_text_columns(name);
    return used + (columns < TFP_SHORTEST_NAME ? columns : TFP_SHORTEST_NAME) <=
           t->style.columns;
}

static void put_title(const table *t, const char *before, const char *title)
{
    tfp_style_begin(&t->style, t->sink, TFP_INK_FAINT);
    tfp_sink_text(t->sink, before);
    tfp_sink_text(t->sink, title);
    tfp_style_end(&t->style, t->sink, TFP_INK_FAINT);
    tfp_sink_char(t->sink, '\n');
}

/* Has this node been named? From now on it has. */
static bool is_named(table *t, tfp_string node)
{
    uint8_t bit = (uint8_t)(1u << (node & 7));
    bool is = t->named[node >> 3] & bit;
    t->named[node >> 3] |= bit;
    return is;
}

/* ---- Places ------------------------------------------------------------- */

/* "train.py:12"; nothing when it is not known. */
static size_t write_place(const table *t, const tfp_finding *f, char *out,
                          size_t size)
{
    tfp_span file = tfp_model_text(t->advice->model, f->file);
    int used;
    if (f->file == 0)
        return 0;
    file = tfp_span_base_name(file);
    used = snprintf(out, size, "%.*s:%d", (int)file.size,
                    (const char *)file.data, (int)f->line);
    return used < 0 ? 0 : (size_t)used < size ? (size_t)used : size - 1;
}

/* ---- Rows --------------------------------------------------------------- */

static size_t write_time(const table *t, const tfp_finding *f, char *out)
{
    return tfp_figure_micros(tfp_time_to_micros(f->micros, t->line.time_unit),
                             out);
}

static void put_share(const table *t, const tfp_finding *f)
{
    char text[TFP_FIGURE_SIZE];
    size_t size = tfp_table_share(f->micros, f->whole_micros, text);
    tfp_sink_blanks(t->sink, TFP_SHARE_COLUMNS - size);
    tfp_sink_text(t->sink, text);
}

static void put_place(const table *t, const char *place, size_t size)
{
    if (size == 0)
        return;
    tfp_sink_blanks(t->sink, GAP);
    tfp_sink_escaped(t->sink, (tfp_span){ (const uint8_t *)place, size });
}

/* What the row is about, in what is left of its line. The type that most of an
 * update is of stands there if it has room. */
static void put_name(const table *t, const tfp_finding *f, size_t used)
{
    static const char update[] = "optimizer's update";
    bool is_update = f->kind == TFP_FINDING_TYPE && f->is_update;
    char place[160], more[96] = "";
    size_t size = f->kind == TFP_FINDING_CODE
                      ? 0
                      : write_place(t, f, place, sizeof(place));
    if (f->kind == TFP_FINDING_TYPE && f->node_count > 1)
        snprintf(more, sizeof(more), " (%lld nodes)", (long long)f->node_count);
    if (f->kind == TFP_FINDING_CODE && f->is_update)
        snprintf(more, sizeof(more), " (%s)", update);
    used += size > 0 ? GAP + size : 0;
    if (!has_room(t, f->name, used + strlen(more)))
        more[0] = '\0';
    used += strlen(more);
    if (is_update) {
        tfp_sink_text(t->sink, update);
        used += strlen(update);
    } else {
        used += tfp_style_name(&t->style, t->sink, f->name,
                               tfp_style_room(&t->style, used));
    }
    tfp_sink_text(t->sink, more);
    put_place(t, place, size);
    if (is_update &&
        used + GAP + tfp_text_columns(f->name) <= t->style.columns) {
        tfp_sink_blanks(t->sink, GAP);
        tfp_sink_escaped(t->sink, f->name);
    }
    tfp_sink_char(t->sink, '\n');
}

static void put_row(const table *t, const tfp_finding *f, size_t width)
{
    char figure[TFP_FIGURE_SIZE];
    size_t size = write_time(t, f, figure), used = width + GAP + 6 + GAP;
    tfp_sink_blanks(t->sink, width - size);
    tfp_sink_bytes(t->sink, (tfp_span){ (const uint8_t *)figure, size });
    tfp_sink_blanks(t->sink, GAP);
    put_share(t, f);
    tfp_sink_blanks(t->sink, GAP);
    if (has_bars(t)) {
        tfp_style_bar(&t->style, t->sink, f->micros, f->whole_micros);
        tfp_sink_blanks(t->sink, GAP);
        used += TFP_BAR_COLUMNS + GAP;
    }
    put_name(t, f, used);
}

static const char *row_title(const tfp_finding *f)
{
    switch (f->kind) {
    case TFP_FINDING_TYPE: return "operation type";
    case TFP_FINDING_NODE: return "node";
    default: return "line";
    }
}

static void put_rows(table *t, const tfp_finding *f, uint32_t count)
{
    size_t width = strlen("total");
    char figure[TFP_FIGURE_SIZE], before[64];
    for (uint32_t i = 0; i < count; i++) {
        size_t size = write_time(t, &f[i], figure);
        width = size > width ? size : width;
    }
    snprintf(before, sizeof(before), "%*s%*s%*s", (int)width,
             f->kind == TFP_FINDING_CODE ? "self" : "total", GAP + 6, "%",
             GAP + (has_bars(t) ? TFP_BAR_COLUMNS + GAP : 0), "");
    put_title(t, before, row_title(f));
    for (uint32_t i = 0; i < count && !t->sink->failed; i++) {
        if (f[i].kind == TFP_FINDING_NODE)
            (void)is_named(t, f[i].node);
        put_row(t, &f[i], width);
        if (f[i].kind != TFP_FINDING_CODE &&
            (i + 1 == count || f[i + 1].hint != f[i].hint))
            put_try(t, &f[i]);
    }
}

/* ---- Lines -------------------------------------------------------------- */

static void put_where(table *t, const tfp_finding *f)
{
    static const char label[] = "where: ";
    tfp_span name = tfp_model_text(t->advice->model, f->node);
    char place[160], more[48] = "";
    size_t place_size = write_place(t, f, place, sizeof(place)), taken;
    if (f->node == 0 || is_named(t, f->node))
        return;
    if (f->node_count > 1)
        snprintf(more, sizeof(more), " and %lld more",
                 (long long)f->node_count - 1);
    taken = INDENT + strlen(label) + (place_size > 0 ? GAP + place_size : 0);
    if (!has_room(t, name, taken + strlen(more)))
        more[0] = '\0';
    taken += strlen(more);
    tfp_sink_blanks(t->sink, INDENT);
    tfp_sink_text(t->sink, label);
    tfp_style_name(&t->style, t->sink, name, tfp_style_room(&t->style, taken));
    tfp_sink_text(t->sink, more);
    put_place(t, place, place_size);
    tfp_sink_char(t->sink, '\n');
}

static void put_lines(table *t, const tfp_finding *f, uint32_t count)
{
    for (uint32_t i = 0; i < count && !t->sink->failed; i++) {
        put_words(t, tfp_advice_line_make(&t->line, &f[i]), 0, 0);
        put_where(t, &f[i]);
        put_try(t, &f[i]);
    }
}

/* ---- All of it ---------------------------------------------------------- */

static bool has_rows(const tfp_finding *f)
{
    return f->kind == TFP_FINDING_TYPE || f->kind == TFP_FINDING_NODE ||
           f->kind == TFP_FINDING_CODE;
}

/* Are the findings of this checker rows? */
static bool takes_time(const tfp_advice *a, uint32_t checker)
{
    const tfp_checker_report *report = tfp_advice_next(a, checker, NULL);
    return report && report->count > 0 &&
           has_rows(&a->findings.data[report->first]);
}

/* False when it has found nothing. */
static bool put_checker(table *t, uint32_t checker, bool is_first)
{
    const tfp_advice *a = t->advice;
    const tfp_checker_report *report = NULL;
    bool has_found = false;
    while ((report = tfp_advice_next(a, checker, report))) {
        const tfp_finding *f = &a->findings.data[report->first];
        if (report->count == 0)
            continue;
        if (!has_found && !is_first)
            tfp_sink_char(t->sink, '\n');
        if (has_rows(f)) {
            if (has_found)
                tfp_sink_char(t->sink, '\n');
            put_rows(t, f, report->count);
        } else {
            if (!has_found)
                put_title(t, "", tfp_checkers[checker]->name);
            put_lines(t, f, report->count);
        }
        has_found = true;
    }
    return has_found;
}

/* "nothing found: A, B" */
static void put_rest(const table *t, uint32_t silent, bool is_first)
{
    char text[512];
    size_t used = 0;
    for (uint32_t c = 0; c < TFP_CHECKERS && used < sizeof(text); c++) {
        if (silent >> c & 1)
            used += (size_t)snprintf(
                text + used, sizeof(text) - used, "%s%s",
                used > 0 ? ", " : "nothing found: ", tfp_checkers[c]->name);
    }
    if (!is_first)
        tfp_sink_char(t->sink, '\n');
    if (used > 0)
        put_words(t, tfp_span_of(text), 0, 0);
    put_words(t,
              tfp_span_of("more: --checkers NAME, --format text (times by "
                          "device, calls into libraries)"),
              0, 0);
}

int tfp_advice_write_table(const tfp_advice *a, const tfp_options *options,
                           tfp_sink *sink, tfprof_error *err)
{
    table t = { a, tfp_style_of(options), sink, tfp_advice_line_for(a), NULL };
    size_t bytes = tfp_interner_count(&a->model->strings) / 8 + 1;
    uint32_t silent = 0;
    bool is_first = true;
    t.style.columns = tfp_table_columns(options);
    t.named = tfp_memory_array(a->memory, bytes, 1);
    if (!t.named)
        return tfp_fail_nomem(err);
    memset(t.named, 0, bytes);
    /* What takes time comes first: nodes are named there. */
    for (uint32_t i = 0; i < 2 * TFP_CHECKERS; i++) {
        uint32_t c = i % TFP_CHECKERS;
        if (!tfp_advice_has(a, c) || takes_time(a, c) != (i < TFP_CHECKERS))
            continue;
        if (put_checker(&t, c, is_first))
            is_first = false;
        else
            silent |= 1u << c;
    }
    put_rest(&t, silent, is_first);
    tfp_memory_free(a->memory, t.named);
    tfp_advice_line_release(&t.line);
    return t.line.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
