/*
 * style.h - how text looks where a person reads it: colors, bars and the
 * width of the window.
 *
 * Files and what programs read have none of it, whatever the options say.
 * Colors are few and have a meaning: bold is what costs much, dim what costs
 * nothing or is the same everywhere. All of them can be read on light and on
 * dark ground.
 */
#ifndef TFP_OUTPUT_STYLE_H
#define TFP_OUTPUT_STYLE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "options/options.h"
#include "output/sink/sink.h"

typedef struct tfp_style {
    bool has_color;
    bool is_utf8;
    size_t columns; /* of the window; 0: no limit */
} tfp_style;

/* What the options come to. All zero: plain. */
tfp_style tfp_style_of(const tfp_options *options);

/* Columns of a table: those of the window, or 80 where no one knows it. */
size_t tfp_table_columns(const tfp_options *options);

/* "12.3%" of the whole, ended by NUL, in room for a figure; the length. */
enum { TFP_SHARE_COLUMNS = sizeof("100.0%") - 1 };
size_t tfp_table_share(int64_t part, int64_t whole, char *out);

static inline bool tfp_style_is_plain(const tfp_style *style)
{
    return !style->has_color && style->columns == 0;
}

/* ---- Colors ------------------------------------------------------------ */

typedef enum tfp_ink {
    TFP_INK_PLAIN,
    TFP_INK_STRONG, /* bold */
    TFP_INK_FAINT,  /* dim */
    TFP_INK_BAR,
    TFP_INK_WARNING
} tfp_ink;

/* What follows is written so, until tfp_style_end(). Nothing without
 * colors. */
void tfp_style_begin(const tfp_style *style, tfp_sink *sink, tfp_ink ink);
void tfp_style_end(const tfp_style *style, tfp_sink *sink, tfp_ink ink);

/* ---- Bars --------------------------------------------------------------- */

enum { TFP_BAR_COLUMNS = 8 };

/* A narrow window has no room for bars. */
bool tfp_style_has_bars(const tfp_style *style);

/* A bar of TFP_BAR_COLUMNS, of which `part` of `whole` is filled, to an eighth
 * of a column. */
void tfp_style_bar(const tfp_style *style, tfp_sink *sink, int64_t part,
                   int64_t whole);

/* ---- Curves ------------------------------------------------------------- */

/* A column for each of `count` values, filled to an eighth of its height; the
 * largest of all fills it. Anything above 0 is seen. Without UTF-8 denser
 * characters stand for more. */
void tfp_style_curve(const tfp_style *style, tfp_sink *sink,
                     const int64_t *values, size_t count);

/* ---- Names -------------------------------------------------------------- */

enum { TFP_SHORTEST_NAME = 16 }; /* columns; fewer do not tell names apart */

/* Columns that a window leaves for a name beside `others`, but never fewer
 * than the shortest needs; SIZE_MAX without a window. */
size_t tfp_style_room(const tfp_style *style, size_t others);

/* A name as far as `room` columns go; the columns that it took. */
size_t tfp_style_name(const tfp_style *style, tfp_sink *sink, tfp_span name,
                      size_t room);

#endif
