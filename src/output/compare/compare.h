/*
 * compare.h - a comparison as text, Markdown, JSON or CSV.
 */
#ifndef TFP_OUTPUT_COMPARE_H
#define TFP_OUTPUT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "compare/align.h"
#include "compare/changes.h"
#include "compare/side.h"
#include "compare/totals.h"
#include "output/sink/sink.h"
#include "output/text/style.h"

typedef struct tfp_comparison {
    const tfp_compare_side *base, *head;
    const tfp_alignment *alignment;
    const tfp_changes *changes;
    const tfp_judged_total *totals;
    size_t total_count;
    bool is_default;          /* nobody named the view */
    const double *line_share; /* of base and head: the part of the time that has
                               * source lines; negative: not known */
    tfp_memory *memory;       /* for the names of rows */
    int64_t format;           /* TFP_FORMAT_TEXT, ... */
    int64_t top;              /* rows of each list for people; 0: all */
    tfp_style style;          /* of text */
} tfp_comparison;

int tfp_comparison_write(const tfp_comparison *comparison, tfp_sink *sink,
                         tfprof_error *err);

#endif
