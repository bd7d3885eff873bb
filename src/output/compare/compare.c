/*
 * compare.c - a comparison as text, Markdown, JSON or CSV.
 */
#include "output/compare/compare.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/text/columns.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "output/text/json.h"
#include "output/text/units.h"

typedef struct writer {
    const tfp_comparison *subject;
    tfp_sink *sink;
    tfp_snapshot_name name, was; /* of the row at hand */
    TFP_VEC(char) text;          /* of the graph change at hand */
    bool failed;                 /* out of memory */
} writer;

static const tfp_list_column columns[] = {
    { "change", "change", TFP_CELL_TEXT },
    { "name", "name", TFP_CELL_NAME },
    { "was", NULL, TFP_CELL_DETAIL },
    { "metric", "metric", TFP_CELL_TEXT },
    { "unit", NULL, TFP_CELL_DETAIL },
    { "base", "base", TFP_CELL_NUMBER },
    { "head", "head", TFP_CELL_NUMBER },
    { "difference", "difference", TFP_CELL_NUMBER },
    { "percent", "%", TFP_CELL_NUMBER },
    { "base_text", NULL, TFP_CELL_DETAIL },
    { "head_text", NULL, TFP_CELL_DETAIL },
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static const char *const kind_names[] = { [TFP_CHANGED] = "changed",
                                          [TFP_ADDED] = "added",
                                          [TFP_REMOVED] = "removed",
                                          [TFP_MOVED] = "moved" };

/* ---- Names and texts ---------------------------------------------------- */

static const char *metric_name(int metric)
{
    switch (metric) {
    case TFP_COMPARED_NODES: return "nodes";
    case TFP_CHANGE_MACS: return "macs";
    case TFP_CHANGE_TYPE: return "op_type";
    case TFP_CHANGE_SHAPE: return "shape";
    case TFP_CHANGE_GRAPH: return "graph";
    case TFP_CHANGE_PLACE: return "place";
    default: return tfp_metrics[metric].name;
    }
}

static bool is_text_change(int metric)
{
    return metric >= TFP_CHANGE_TYPE;
}

static tfp_unit unit_of(int metric)
{
    return metric < TFP_COST_COUNT ? tfp_metrics[metric].unit : TFP_UNIT_COUNT;
}

/* The names of the row on both sides; `was` is empty if they are equal. */
static void find_names(writer *w, const tfp_change *change)
{
    const tfp_comparison *c = w->subject;
    bool ok = true;
    w->was.count = w->name.count = 0;
    if (change->base != TFP_NO_ID)
        ok = tfp_snapshot_full_name(&c->base->rows, change->base, c->memory,
                                    &w->was);
    if (change->head != TFP_NO_ID)
        ok = ok && tfp_snapshot_full_name(&c->head->rows, change->head,
                                          c->memory, &w->name);
    w->failed |= !ok;
    if (change->head == TFP_NO_ID) {
        tfp_snapshot_name swap = w->name;
        w->name = w->was;
        w->was = swap;
    } else if (tfp_span_equal((tfp_span){ w->was.data, w->was.count },
                              (tfp_span){ w->name.data, w->name.count })) {
        w->was.count = 0;
    }
}

static void put(writer *w, const void *text, size_t size)
{
    if (!TFP_VEC_RESERVE(w->subject->memory, &w->text, size + 1)) {
        w->failed = true;
        return;
    }
    if (size > 0)
        memcpy(w->text.data + w->text.count, text, size);
    w->text.count += size;
}

/* "+24 Cast -24 FusedSoftmax". People see the first types; a list for
 * programs is complete. */
static tfp_span graph_text(writer *w, size_t from, size_t end)
{
    enum { MOST = 10 };
    const tfp_changes *changes = w->subject->changes;
    bool is_cut = w->subject->format != TFP_FORMAT_JSON &&
                  w->subject->format != TFP_FORMAT_CSV && end - from > MOST;
    char figure[TFP_FIGURE_SIZE + 2];
    w->text.count = 0;
    for (size_t i = from; i < end && (!is_cut || i < from + MOST); i++) {
        const tfp_graph_change *g = &changes->graph.data[i];
        tfp_span type = tfp_snapshot_text(&w->subject->base->rows, g->type);
        size_t size = g->nodes > 0;
        figure[0] = '+';
        size += tfp_figure_integer(g->nodes, figure + size);
        if (i > from)
            put(w, " ", 1);
        put(w, figure, size);
        put(w, " ", 1);
        put(w, type.data, type.size);
    }
    if (is_cut) {
        put(w, " and ", 5);
        put(w, figure,
            tfp_figure_integer((int64_t)(end - from - MOST), figure));
        put(w, " more types ...", 15);
    }
    return (tfp_span){ (const uint8_t *)w->text.data, w->text.count };
}

static tfp_span text_of(writer *w, const tfp_change *change, bool is_head)
{
    int64_t value = is_head ? change->is : change->was;
    if (change->metric == TFP_CHANGE_TYPE || change->metric == TFP_CHANGE_SHAPE)
        return tfp_snapshot_text(&w->subject->base->rows, (uint32_t)value);
    if (change->metric == TFP_CHANGE_GRAPH && is_head)
        return graph_text(w, (size_t)change->was, (size_t)change->is);
    return (tfp_span){ 0 };
}

/* ---- Cells -------------------------------------------------------------- */

static bool is_for_people(const tfp_columns *c)
{
    return c->form == TFP_COLUMNS_TEXT || c->form == TFP_COLUMNS_MARKDOWN;
}

/* A row that was called otherwise has both names for people. */
static void put_names(writer *w, tfp_columns *c)
{
    tfp_span name = { w->name.data, w->name.count };
    tfp_span was = { w->was.data, w->was.count };
    if (is_for_people(c) && was.size > 0) {
        w->text.count = 0;
        put(w, name.data, name.size);
        put(w, " (was ", 6);
        put(w, was.data, was.size);
        put(w, ")", 1);
        name = (tfp_span){ (const uint8_t *)w->text.data, w->text.count };
    }
    tfp_columns_text(c, name);
    if (was.size > 0)
        tfp_columns_text(c, was);
    else
        tfp_columns_unknown(c);
}

static void put_value(tfp_columns *c, int metric, int64_t value)
{
    switch (unit_of(metric)) {
    case TFP_UNIT_MICROS: tfp_columns_picos(c, value); break;
    case TFP_UNIT_BYTES: tfp_columns_bytes(c, value); break;
    default: tfp_columns_number(c, value); break;
    }
}

static void put_difference(tfp_columns *c, const tfp_change *change)
{
    int64_t difference = tfp_sub_sat(change->is, change->was);
    char figure[TFP_FIGURE_SIZE + 2];
    size_t size;
    if (!is_for_people(c)) {
        put_value(c, change->metric, difference);
        return;
    }
    size = tfp_figure_signed(unit_of(change->metric), difference, figure);
    tfp_columns_text(c, (tfp_span){ (const uint8_t *)figure, size });
}

static void put_nothing(tfp_columns *c)
{
    if (is_for_people(c))
        tfp_columns_text(c, (tfp_span){ 0 });
    else
        tfp_columns_unknown(c);
}

static void put_percent(tfp_columns *c, const tfp_change *change)
{
    if (change->was == 0)
        put_nothing(c);
    else
        tfp_columns_real(c, 100 * ((double)change->is - (double)change->was) /
                                fabs((double)change->was));
}

static void put_texts(writer *w, tfp_columns *c, const tfp_change *change)
{
    for (int is_head = 0; is_head < 2; is_head++) {
        if (is_for_people(c))
            tfp_columns_text(c, text_of(w, change, is_head));
        else
            tfp_columns_unknown(c);
    }
    put_nothing(c); /* difference */
    put_nothing(c); /* percent */
    for (int is_head = 0; is_head < 2; is_head++) {
        tfp_span text = text_of(w, change, is_head);
        if (text.size > 0)
            tfp_columns_text(c, text);
        else
            tfp_columns_unknown(c);
    }
}

static void put_change(writer *w, tfp_columns *c, const tfp_change *change)
{
    bool is_text = is_text_change(change->metric);
    find_names(w, change);
    tfp_columns_begin_row(c);
    tfp_columns_word(c, kind_names[change->kind]);
    put_names(w, c);
    tfp_columns_word(c, metric_name(change->metric));
    if (is_text) {
        tfp_columns_unknown(c);
        put_texts(w, c, change);
    } else {
        tfp_columns_word(c, tfp_unit_name(unit_of(change->metric)));
        put_value(c, change->metric, change->was);
        put_value(c, change->metric, change->is);
        put_difference(c, change);
        put_percent(c, change);
        tfp_columns_unknown(c);
        tfp_columns_unknown(c);
    }
    tfp_columns_end_row(c);
}

/* Exact changes, then times, as one list. */
static void put_lists(writer *w, tfp_columns *c, size_t exact, size_t times)
{
    const tfp_changes *changes = w->subject->changes;
    do {
        for (size_t i = 0; i < exact + times && !w->failed; i++) {
            if (tfp_sink_is_done(w->sink, i))
                return;
            put_change(w, c,
                       i < exact ? &changes->exact.data[i]
                                 : &changes->times.data[i - exact]);
        }
    } while (tfp_columns_again(c));
}

/* ---- For people --------------------------------------------------------- */

static bool is_markdown(const writer *w)
{
    return w->subject->format == TFP_FORMAT_MARKDOWN;
}

/* Lines of a paragraph follow each other in Markdown, unless they are a list.
 */
static void begin_line(writer *w)
{
    if (is_markdown(w))
        tfp_sink_text(w->sink, "- ");
}

static void put_text(writer *w, tfp_span text)
{
    if (is_markdown(w))
        tfp_columns_markdown(w->sink, text);
    else
        tfp_sink_escaped(w->sink, text);
}

static void put_side(writer *w, const char *name, const tfp_compare_side *side)
{
    begin_line(w);
    tfp_sink_format(w->sink, "%s: %zu run%s", name, side->runs,
                    side->runs == 1 ? "" : "s");
    if (side->most_steps == 0)
        tfp_sink_text(w->sink, " without run records");
    else if (side->least_steps == side->most_steps)
        tfp_sink_format(w->sink, " of %zu step%s", side->most_steps,
                        side->most_steps == 1 ? "" : "s");
    else
        tfp_sink_format(w->sink, " of %zu to %zu steps", side->least_steps,
                        side->most_steps);
    tfp_sink_char(w->sink, '\n');
}

static void put_real(writer *w, double value)
{
    char figure[TFP_FIGURE_SIZE];
    (void)tfp_figure_fixed(value, figure);
    tfp_sink_text(w->sink, figure);
}

/* A time in microseconds, with a sign if `is_signed`. */
static void put_micros(writer *w, double micros, bool is_signed)
{
    char figure[TFP_FIGURE_SIZE + 2];
    int64_t value = tfp_measured_value(TFP_UNIT_MICROS, micros);
    size_t size = is_signed
                      ? tfp_figure_signed(TFP_UNIT_MICROS, value, figure)
                      : tfp_figure_in_unit(TFP_UNIT_MICROS, value, figure);
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)figure, size });
}

static void put_share(writer *w, double part, double whole, bool is_signed)
{
    double percent = 100 * part / whole;
    if (whole == 0 || !isfinite(percent) || fabs(percent) >= 1e15)
        return;
    tfp_sink_text(w->sink, is_signed && percent >= 0 ? " (+" : " (");
    put_real(w, percent);
    tfp_sink_text(w->sink, " %)");
}

static void put_p(writer *w, double p)
{
    char figure[TFP_DECIMAL_SIZE];
    (void)tfp_decimal_general(p, 3, figure);
    tfp_sink_text(w->sink, figure);
}

static void put_verdict(writer *w, const tfp_judgement *j)
{
    if (!j->is_judged) {
        tfp_sink_format(w->sink,
                        "; listed, not judged: %zu more run%s needed on each "
                        "side\n",
                        j->more_runs, j->more_runs == 1 ? "" : "s");
        return;
    }
    tfp_sink_text(w->sink, "; p = ");
    put_p(w, j->adjusted);
    tfp_sink_text(w->sink,
                  j->is_changed ? "; changed\n" : "; no change shown\n");
}

static void put_noise(writer *w, const tfp_judgement *j)
{
    begin_line(w);
    tfp_sink_text(w->sink, "noise between runs: ");
    if (j->noise < 0) {
        tfp_sink_text(w->sink, "unknown");
    } else {
        put_real(w, 100 * j->noise);
        tfp_sink_text(w->sink, " %");
    }
    tfp_sink_format(w->sink, "; smallest change that %zu + %zu runs can show: ",
                    w->subject->base->runs, w->subject->head->runs);
    if (isfinite(j->smallest)) {
        put_micros(w, j->smallest, false);
        put_share(w, j->smallest, j->base, false);
    } else {
        tfp_sink_text(w->sink, "none");
    }
    tfp_sink_char(w->sink, '\n');
}

static void put_total(writer *w, const tfp_judged_total *total)
{
    const tfp_judgement *j = &total->judgement;
    begin_line(w);
    tfp_sink_format(w->sink, "%s: ", tfp_metrics[total->cost].title);
    put_micros(w, j->base, false);
    tfp_sink_text(w->sink, is_markdown(w) ? " to " : " -> ");
    put_micros(w, j->head, false);
    tfp_sink_text(w->sink, ", shift ");
    put_micros(w, j->shift, true);
    put_share(w, j->shift, j->base, true);
    put_verdict(w, j);
    put_noise(w, j);
}

static size_t shown_of(const writer *w, size_t count)
{
    uint64_t top = (uint64_t)w->subject->top;
    return w->subject->top > 0 && count > top ? (size_t)top : count;
}

static void put_more(writer *w, size_t left, const char *what)
{
    if (left == 0)
        return;
    if (is_markdown(w))
        tfp_sink_char(w->sink, '\n');
    tfp_sink_format(w->sink, "... and %zu more %s (--top 0 shows all)\n", left,
                    what);
}

static void write_lists(writer *w)
{
    const tfp_changes *changes = w->subject->changes;
    size_t exact = shown_of(w, changes->exact.count);
    size_t times = shown_of(w, changes->times.count);
    tfp_columns c;
    if (exact + times == 0) {
        tfp_sink_text(w->sink, "no differences\n");
        return;
    }
    tfp_columns_init(&c, w->sink, NULL,
                     is_markdown(w) ? TFP_COLUMNS_MARKDOWN : TFP_COLUMNS_TEXT,
                     columns, COLUMNS);
    c.style = w->subject->style;
    put_lists(w, &c, exact, times);
    put_more(w, changes->exact.count - exact, "changes");
    put_more(w, changes->times.count - times, "times");
}

static void write_for_people(writer *w)
{
    const tfp_comparison *s = w->subject;
    tfp_span graph;
    put_side(w, "base", s->base);
    put_side(w, "head", s->head);
    graph = graph_text(w, s->changes->graph_start, s->changes->graph.count);
    if (graph.size > 0) {
        begin_line(w);
        tfp_sink_text(w->sink, "graph: ");
        put_text(w, graph);
        tfp_sink_char(w->sink, '\n');
    }
    if (s->alignment->renamed > 0) {
        begin_line(w);
        tfp_sink_format(w->sink,
                        "names that differ only by a number: %zu rows\n",
                        s->alignment->renamed);
    }
    if (s->changes->varying > 0) {
        begin_line(w);
        tfp_sink_format(w->sink,
                        "not compared, because runs of one side differ: %zu "
                        "rows\n",
                        s->changes->varying);
    }
    tfp_sink_char(w->sink, '\n');
    write_lists(w);
    if (s->total_count > 0)
        tfp_sink_char(w->sink, '\n');
    for (size_t i = 0; i < s->total_count; i++)
        put_total(w, &s->totals[i]);
}

/* ---- For programs ------------------------------------------------------- */

static void put_json_side(tfp_json *json, const char *name,
                          const tfp_compare_side *side)
{
    tfp_json_open_line(json, name, '{');
    tfp_json_int(json, "runs", (int64_t)side->runs);
    tfp_json_int(json, "least_steps", (int64_t)side->least_steps);
    tfp_json_int(json, "most_steps", (int64_t)side->most_steps);
    tfp_json_close(json);
}

static void put_json_graph(writer *w, tfp_json *json)
{
    const tfp_changes *changes = w->subject->changes;
    tfp_json_open(json, "graph", '[');
    for (size_t i = changes->graph_start; i < changes->graph.count; i++) {
        const tfp_graph_change *g = &changes->graph.data[i];
        tfp_json_open_line(json, NULL, '{');
        tfp_json_string(json, "op_type",
                        tfp_snapshot_text(&w->subject->base->rows, g->type));
        tfp_json_int(json, "nodes", g->nodes);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

static void put_json_total(tfp_json *json, const tfp_judged_total *total)
{
    const tfp_judgement *j = &total->judgement;
    tfp_json_open(json, NULL, '{');
    tfp_json_text(json, "metric", tfp_metrics[total->cost].name);
    tfp_json_text(json, "unit", tfp_unit_name(TFP_UNIT_MICROS));
    tfp_json_double_or_null(json, "base", j->base, true);
    tfp_json_double_or_null(json, "head", j->head, true);
    tfp_json_double_or_null(json, "shift", j->shift, true);
    tfp_json_double_or_null(json, "shift_low", j->low, j->has_interval);
    tfp_json_double_or_null(json, "shift_high", j->high, j->has_interval);
    tfp_json_double_or_null(json, "p", j->p, j->is_judged);
    tfp_json_double_or_null(json, "adjusted_p", j->adjusted, j->is_judged);
    tfp_json_text(json, "verdict",
                  !j->is_judged   ? "not judged"
                  : j->is_changed ? "changed"
                                  : "no change shown");
    tfp_json_int(json, "more_runs", (int64_t)j->more_runs);
    tfp_json_double_or_null(json, "noise", j->noise, j->noise >= 0);
    tfp_json_double_or_null(json, "smallest_change", j->smallest, true);
    tfp_json_close(json);
}

static void write_json(writer *w)
{
    const tfp_comparison *s = w->subject;
    tfp_columns c;
    tfp_json json;
    tfp_json_init(&json, w->sink);
    tfp_json_open(&json, NULL, '{');
    tfp_json_text(&json, "view", s->base->rows.type->name);
    put_json_side(&json, "base", s->base);
    put_json_side(&json, "head", s->head);
    tfp_json_int(&json, "renamed_rows", (int64_t)s->alignment->renamed);
    tfp_json_int(&json, "rows_not_compared", (int64_t)s->changes->varying);
    put_json_graph(w, &json);
    tfp_json_open(&json, "totals", '[');
    for (size_t i = 0; i < s->total_count; i++)
        put_json_total(&json, &s->totals[i]);
    tfp_json_close(&json);
    tfp_json_open(&json, "changes", '[');
    tfp_columns_init(&c, w->sink, &json, TFP_COLUMNS_JSON, columns, COLUMNS);
    put_lists(w, &c, s->changes->exact.count, s->changes->times.count);
    tfp_json_close(&json);
    tfp_json_close(&json);
}

static void write_csv(writer *w)
{
    tfp_columns c;
    tfp_columns_init(&c, w->sink, NULL, TFP_COLUMNS_CSV, columns, COLUMNS);
    put_lists(w, &c, w->subject->changes->exact.count,
              w->subject->changes->times.count);
}

int tfp_comparison_write(const tfp_comparison *subject, tfp_sink *sink,
                         tfprof_error *err)
{
    writer w = { .subject = subject, .sink = sink };
    switch (subject->format) {
    case TFP_FORMAT_JSON: write_json(&w); break;
    case TFP_FORMAT_CSV: write_csv(&w); break;
    default: write_for_people(&w); break;
    }
    TFP_VEC_RELEASE(subject->memory, &w.name);
    TFP_VEC_RELEASE(subject->memory, &w.was);
    TFP_VEC_RELEASE(subject->memory, &w.text);
    return w.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}
