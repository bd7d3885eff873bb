/*
 * flame.h - a view for programs that draw flame graphs: folded stacks and
 * files of speedscope.
 *
 * A stack is the path from the root to a row, without the root. boxes.h
 * explains the value of a stack. docs/pprof.md describes both files.
 */
#ifndef TFP_OUTPUT_FLAME_H
#define TFP_OUTPUT_FLAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "model/costs.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* The most bytes of a name in folded stacks. Longer names are cut, because each
 * line repeats the names of all callers. */
enum { TFP_FOLDED_NAME = 1000 };

/* What the remarks about the file report. */
typedef struct tfp_flame_notes {
    int64_t cut_boxes;   /* `cut` in boxes.h */
    int64_t short_names; /* rows whose name is shortened */
} tfp_flame_notes;

/* Fails if the view or a selected column cannot be drawn as a flame graph. */
int tfp_flame_check(const tfp_view_type *type, const tfp_options *options,
                    tfprof_error *err);

/* The view must have passed the check. */
int tfp_folded_write(const tfp_view *view, tfp_flame_notes *notes,
                     tfp_sink *sink, tfprof_error *err);
int tfp_speedscope_write(const tfp_view *view, tfp_flame_notes *notes,
                         tfp_sink *sink, tfprof_error *err);

/* ---- For this part's own files ------------------------------------------ */

typedef struct tfp_flame_costs {
    tfp_cost costs[TFP_COST_COUNT]; /* the main one first */
    size_t count;                   /* at least 1 */
} tfp_flame_costs;

/* The main cost is the first one in `select`. If `select` is not given, it is
 * the cost that siblings are sorted by, or else the first column. */
tfp_flame_costs tfp_flame_costs_of(const tfp_view *view);

/* The name of a shown row in a stack. In the scope view, it leaves out the name
 * of the parent. It is never empty. */
tfp_span tfp_flame_name(const tfp_view *view, uint32_t row);

#endif
