/*
 * style.c - how text looks where a person reads it.
 */
#include "output/text/style.h"

#include <stdio.h>

#include "output/text/figures.h"
#include "output/text/fit.h"

enum { NARROWEST_WITH_BARS = 60, EIGHTHS = 8, USUAL_COLUMNS = 80 };

tfp_style tfp_style_of(const tfp_options *o)
{
    tfp_style style = { 0 };
    if (o->output.kind != TFP_OUTPUT_STDOUT ||
        (o->format != TFP_FORMAT_AUTO && o->format != TFP_FORMAT_TEXT &&
         o->format != TFP_FORMAT_TABLE))
        return style;
    style.has_color = o->color == TFP_COLOR_ALWAYS;
    style.is_utf8 = o->charset == TFP_CHARSET_UTF8;
    style.columns = o->width > 0 ? (size_t)o->width : 0;
    return style;
}

size_t tfp_table_columns(const tfp_options *o)
{
    if (o->width > 0)
        return (size_t)o->width;
    return o->width < 0 ? USUAL_COLUMNS : SIZE_MAX / 2;
}

size_t tfp_table_share(int64_t part, int64_t whole, char *out)
{
    int share = 0; /* in tenths of a percent */
    if (whole > 0 && part > 0)
        share = part >= whole
                    ? 1000
                    : (int)((double)part / (double)whole * 1000 + 0.5);
    return (size_t)snprintf(out, TFP_FIGURE_SIZE, "%d.%d%%", share / 10,
                            share % 10);
}

/* ---- Colors ------------------------------------------------------------ */

static const char *const codes[] = {
    [TFP_INK_PLAIN] = "",           [TFP_INK_STRONG] = "\033[1m",
    [TFP_INK_FAINT] = "\033[2m",    [TFP_INK_BAR] = "\033[36m",
    [TFP_INK_WARNING] = "\033[33m",
};

void tfp_style_begin(const tfp_style *style, tfp_sink *sink, tfp_ink ink)
{
    if (style->has_color)
        tfp_sink_text(sink, codes[ink]);
}

void tfp_style_end(const tfp_style *style, tfp_sink *sink, tfp_ink ink)
{
    if (style->has_color && ink != TFP_INK_PLAIN)
        tfp_sink_text(sink, "\033[0m");
}

/* ---- Bars --------------------------------------------------------------- */

bool tfp_style_has_bars(const tfp_style *style)
{
    return style->is_utf8 && style->columns >= NARROWEST_WITH_BARS;
}

/* How many eighths of a column: less than half of one is not worth a mark. */
static int eighths(int64_t part, int64_t whole)
{
    const int most = TFP_BAR_COLUMNS * EIGHTHS;
    if (part <= 0 || whole <= 0)
        return 0;
    if (part >= whole)
        return most;
    return (int)((double)part / (double)whole * most + 0.5);
}

void tfp_style_bar(const tfp_style *style, tfp_sink *sink, int64_t part,
                   int64_t whole)
{
    char block[] = "\xe2\x96\x90"; /* U+2588 has eight, U+258f one */
    int left = eighths(part, whole);
    if (!style->is_utf8)
        left = (left + EIGHTHS / 2) / EIGHTHS * EIGHTHS; /* whole ones */
    tfp_ink ink = left > 0 ? TFP_INK_BAR : TFP_INK_PLAIN;
    tfp_style_begin(style, sink, ink);
    for (int i = 0; i < TFP_BAR_COLUMNS; i++) {
        int here = left > EIGHTHS ? EIGHTHS : left;
        block[2] = (char)(0x90 - here);
        tfp_sink_text(sink, here == 0 ? " " : style->is_utf8 ? block : "#");
        left -= here;
    }
    tfp_style_end(style, sink, ink);
}

/* ---- Curves ------------------------------------------------------------- */

/* From 0 to `levels`, rounded up. */
static int level_of(int64_t value, int64_t largest, int levels)
{
    double exact;
    int level;
    if (value <= 0)
        return 0;
    if (value >= largest)
        return levels;
    exact = (double)value / (double)largest * levels;
    level = (int)exact;
    return level < levels && exact > level ? level + 1 : level;
}

void tfp_style_curve(const tfp_style *style, tfp_sink *sink,
                     const int64_t *values, size_t count)
{
    static const char ascii[] = " .:-=+*#";
    int levels = style->is_utf8 ? EIGHTHS : (int)sizeof(ascii) - 2;
    int64_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = values[i] > largest ? values[i] : largest;
    tfp_style_begin(style, sink, TFP_INK_BAR);
    for (size_t i = 0; i < count; i++) {
        int level = level_of(values[i], largest, levels);
        char block[] = "\xe2\x96\x80"; /* U+2581 has one eighth, U+2588 all */
        block[2] = (char)(0x80 + level);
        if (style->is_utf8)
            tfp_sink_text(sink, level > 0 ? block : " ");
        else
            tfp_sink_char(sink, ascii[level]);
    }
    tfp_style_end(style, sink, TFP_INK_BAR);
}

/* ---- Names -------------------------------------------------------------- */

size_t tfp_style_room(const tfp_style *style, size_t others)
{
    if (style->columns == 0)
        return SIZE_MAX;
    return style->columns > others + TFP_SHORTEST_NAME ? style->columns - others
                                                       : TFP_SHORTEST_NAME;
}

size_t tfp_style_name(const tfp_style *style, tfp_sink *sink, tfp_span name,
                      size_t room)
{
    const char *dots = style->is_utf8 ? "\xe2\x80\xa6" : "..";
    tfp_fitted f = tfp_fit_name(name, room, style->is_utf8 ? 1 : 2);
    tfp_sink_escaped(sink, f.head);
    if (f.is_cut) {
        tfp_sink_text(sink, dots);
        tfp_sink_escaped(sink, f.tail);
    }
    return f.columns;
}
