/*
 * people.c - a comparison for people: what was compared, the wall time and what
 * it is made of, then what differs.
 */
#include <math.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/width.h"
#include "compare/totals.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/compare/parts.h"
#include "output/text/columns.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "output/text/units.h"
#include "view/view.h"

typedef tfp_compare_writer writer;

/* ---- Parts of lines ----------------------------------------------------- */

bool tfp_compare_is_markdown(const writer *w)
{
    return w->subject->format == TFP_FORMAT_MARKDOWN;
}

void tfp_compare_begin_line(writer *w)
{
    if (tfp_compare_is_markdown(w))
        tfp_sink_text(w->sink, "- ");
}

void tfp_compare_put(writer *w, tfp_span text)
{
    if (tfp_compare_is_markdown(w))
        tfp_columns_markdown(w->sink, text);
    else
        tfp_sink_escaped(w->sink, text);
}

size_t tfp_compare_put_words(writer *w, tfp_span text, size_t at)
{
    enum { INDENT = 4 };
    size_t line = w->subject->style.columns;
    for (size_t i = 0, end; i < text.size; i = end + 1) {
        tfp_span word = { text.data + i, 0 };
        for (end = i; end < text.size && text.data[end] != ' ';)
            end++;
        word.size = end - i;
        if (line > 0 && at + 1 + tfp_text_columns(word) > line) {
            tfp_sink_char(w->sink, '\n');
            tfp_sink_blanks(w->sink, INDENT - 1);
            at = INDENT - 1;
        }
        tfp_sink_char(w->sink, ' ');
        tfp_compare_put(w, word);
        at += 1 + tfp_text_columns(word);
    }
    return at;
}

/* The fewer digits before the point, the more behind it: at most two. */
static size_t put_rounded(double percent, char *out)
{
    double size = fabs(percent);
    int each = size >= 9.95 ? 1 : size >= 0.995 ? 10 : 100;
    long long parts = llround(size * each);
    char sign = percent < 0 ? '-' : '+';
    if (parts == 0)
        return (size_t)snprintf(out, TFP_FIGURE_SIZE, "0");
    if (each == 1)
        return (size_t)snprintf(out, TFP_FIGURE_SIZE, "%c%lld", sign, parts);
    return (size_t)snprintf(out, TFP_FIGURE_SIZE, "%c%lld.%0*lld", sign,
                            parts / each, each == 10 ? 1 : 2, parts % each);
}

size_t tfp_compare_percent(double base, double head, char *out)
{
    double percent = 100 * (head - base) / fabs(base);
    char figure[TFP_DECIMAL_SIZE];
    *out = '\0';
    if (base == 0 || !isfinite(percent))
        return 0;
    if (percent < 1000)
        return put_rounded(percent < -1e6 ? -1e6 : percent, out);
    (void)tfp_decimal_general(head / base, head / base < 100 ? 2 : 3, figure);
    return (size_t)snprintf(out, TFP_FIGURE_SIZE, "x%s", figure);
}

/* ---- What was compared -------------------------------------------------- */

static void put_side(writer *w, const char *name, const tfp_compare_side *side)
{
    tfp_compare_begin_line(w);
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

/* Which view was chosen, and why. */
static void put_view(writer *w)
{
    const tfp_comparison *s = w->subject;
    const char *view = s->base->rows.type->name;
    double base = 100 * s->line_share[0], head = 100 * s->line_share[1];
    if (!s->is_default)
        return;
    tfp_compare_begin_line(w);
    if (base >= 0 && head >= 0)
        tfp_sink_format(w->sink,
                        "view: %s (%d %% and %d %% of the operation time has "
                        "source lines)\n",
                        view, (int)base, (int)head);
    else if (base >= 0 && base < 50)
        tfp_sink_format(w->sink,
                        "view: %s (%d %% of the base's operation time has "
                        "source lines)\n",
                        view, (int)base);
    else
        tfp_sink_format(w->sink,
                        "view: %s (the %s has no trace with source lines)\n",
                        view, base < 0 ? "base" : "head");
}

static void put_notes(writer *w)
{
    const tfp_comparison *s = w->subject;
    tfp_span graph = tfp_compare_graph(w, s->changes->graph_start,
                                       s->changes->graph.count);
    if (graph.size == 0 && s->alignment->renamed == 0 &&
        s->changes->varying == 0)
        return;
    tfp_sink_char(w->sink, '\n');
    if (graph.size > 0) {
        tfp_compare_begin_line(w);
        tfp_sink_text(w->sink, "graph:");
        (void)tfp_compare_put_words(w, graph, sizeof("graph:") - 1);
        tfp_sink_char(w->sink, '\n');
    }
    if (s->alignment->renamed > 0) {
        tfp_compare_begin_line(w);
        tfp_sink_format(w->sink,
                        "names that differ only by a number: %zu rows\n",
                        s->alignment->renamed);
    }
    if (s->changes->varying > 0) {
        tfp_compare_begin_line(w);
        tfp_sink_format(w->sink,
                        "not compared, because runs of one side differ: %zu "
                        "rows\n",
                        s->changes->varying);
    }
}

/* ---- Totals ------------------------------------------------------------- */

typedef struct total_label {
    const char *text;
    bool is_part; /* of the wall time */
} total_label;

static total_label label_of(const tfp_judged_total *total)
{
    static const total_label steps[TFP_STEP_METRIC_COUNT] = {
        [TFP_STEP_WALL] = { "step wall", false },
        [TFP_STEP_BUSY] = { "busy", true },
        [TFP_STEP_IDLE] = { "idle", true },
        [TFP_STEP_WAIT] = { "input wait", true },
    };
    if (total->is_of_steps)
        return steps[total->metric];
    if (total->metric == TFP_COST_MICROS)
        return (total_label){ "operations", false };
    return (total_label){ tfp_metrics[total->metric].title, false };
}

static void put_time(double micros, bool is_signed, char *out)
{
    int64_t value = tfp_measured_value(TFP_UNIT_MICROS, micros);
    if (is_signed)
        (void)tfp_figure_signed(TFP_UNIT_MICROS, value, out);
    else
        (void)tfp_figure_in_unit(TFP_UNIT_MICROS, value, out);
}

static void put_verdict(writer *w, const tfp_judgement *j)
{
    char figure[TFP_DECIMAL_SIZE];
    if (!j->is_judged) {
        tfp_sink_text(w->sink, "not judged\n");
        return;
    }
    (void)tfp_decimal_general(j->adjusted, 2, figure);
    tfp_sink_format(w->sink, "%s (p %s)\n",
                    j->is_changed ? "changed" : "no change shown", figure);
}

/* "step wall     1.11sec -> 3.00sec  +1.89sec  +171 %  not judged" */
static void put_total(writer *w, const tfp_judged_total *total)
{
    enum { LABEL = 12, BASE = 9, HEAD = 8, DIFFERENCE = 10, INDENT = 2 };
    const tfp_judgement *j = &total->judgement;
    total_label label = label_of(total);
    int indent = label.is_part ? INDENT : 0;
    char base[TFP_FIGURE_SIZE + 2], head[TFP_FIGURE_SIZE + 2];
    char difference[TFP_FIGURE_SIZE + 2], percent[TFP_FIGURE_SIZE];
    bool has_sign;
    put_time(j->base, false, base);
    put_time(j->head, false, head);
    put_time(j->head - j->base, true, difference);
    (void)tfp_compare_percent(j->base, j->head, percent);
    has_sign = percent[0] != '\0' && percent[0] != 'x';
    tfp_sink_blanks(w->sink, (size_t)indent);
    if (tfp_compare_is_markdown(w))
        tfp_sink_format(w->sink, "- %s: %s to %s, %s %s%s, ", label.text, base,
                        head, difference, percent, has_sign ? " %" : "");
    else
        tfp_sink_format(w->sink, "%-*s%*s -> %-*s%*s%6s%s  ", LABEL - indent,
                        label.text, BASE, base, HEAD, head, DIFFERENCE,
                        difference, percent, has_sign ? " %" : "  ");
    put_verdict(w, j);
}

static void put_share(writer *w, double part, double whole)
{
    char figure[TFP_FIGURE_SIZE];
    double percent = 100 * part / whole;
    if (whole == 0 || !isfinite(percent) || fabs(percent) >= 1e15)
        return;
    (void)tfp_figure_fixed(percent, figure);
    tfp_sink_format(w->sink, " (%s %%)", figure);
}

/* How much of a change the runs can show, of the first total. */
static void put_noise(writer *w, const tfp_judgement *j)
{
    char figure[TFP_FIGURE_SIZE + 2];
    tfp_compare_begin_line(w);
    if (!j->is_judged)
        tfp_sink_format(w->sink,
                        "listed, not judged: %zu more run%s needed on each "
                        "side\n",
                        j->more_runs, j->more_runs == 1 ? "" : "s");
    if (!j->is_judged)
        tfp_compare_begin_line(w);
    tfp_sink_text(w->sink, "noise between runs: ");
    if (j->noise < 0) {
        tfp_sink_text(w->sink, "unknown");
    } else {
        (void)tfp_figure_fixed(100 * j->noise, figure);
        tfp_sink_format(w->sink, "%s %%", figure);
    }
    tfp_sink_text(w->sink, "; smallest change they can show: ");
    if (isfinite(j->smallest)) {
        put_time(j->smallest, false, figure);
        tfp_sink_text(w->sink, figure);
        put_share(w, j->smallest, j->base);
    } else {
        tfp_sink_text(w->sink, "none");
    }
    tfp_sink_char(w->sink, '\n');
}

void tfp_compare_write_people(writer *w)
{
    const tfp_comparison *s = w->subject;
    put_side(w, "base", s->base);
    put_side(w, "head", s->head);
    put_view(w);
    tfp_sink_char(w->sink, '\n');
    for (size_t i = 0; i < s->total_count; i++)
        put_total(w, &s->totals[i]);
    if (s->total_count > 0) {
        put_noise(w, &s->totals[0].judgement);
        tfp_sink_char(w->sink, '\n');
    }
    if (!tfp_compare_write_things(w))
        tfp_sink_text(w->sink, "no differences\n");
    put_notes(w);
}
