/*
 * flame.h - a view for programs that draw flame graphs: folded stacks and
 * files of speedscope.
 *
 * Stacks are the paths of rows from below the root; boxes.h tells what they
 * count. docs/flame.md describes both files.
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

/* Bytes of a name that folded stacks do not shorten: they repeat the names of
 * all callers on each line. */
enum { TFP_FOLDED_NAME = 1000 };

/* What a reader of the file should know. */
typedef struct tfp_flame_notes {
    int64_t cut_boxes;   /* see boxes.h */
    int64_t short_names; /* rows whose name is shortened */
} tfp_flame_notes;

/* Do the view and the selected costs have a flame graph? */
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

/* The main cost is the first one in `select`; if that is not given, the one
 * that siblings are sorted by; else the first column. */
tfp_flame_costs tfp_flame_costs_of(const tfp_view *view);

/* What a shown row is called in a stack: its name without that of its parent,
 * and never empty. */
tfp_span tfp_flame_name(const tfp_view *view, uint32_t row);

#endif
