/*
 * timeline.h - when each shown node ran, or what share of the time each scope
 * or line of code took, as a Chrome trace.
 */
#ifndef TFP_OUTPUT_TIMELINE_H
#define TFP_OUTPUT_TIMELINE_H

#include <stdint.h>

#include "base/error.h"
#include "model/ids.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* Slices by the time that -min_micros asks about: those of size k would go with
 * tfp_timeline_least(k), and with all that follow. */
enum { TFP_SLICE_SIZES = 56 };

typedef struct tfp_slice_sizes {
    int64_t count; /* of all */
    int64_t of[TFP_SLICE_SIZES + 1];
} tfp_slice_sizes;

/* 1, 2, 5, 10, 20 and so on. */
int64_t tfp_timeline_least(int size);

void tfp_slice_sizes_add(tfp_slice_sizes *sizes, int64_t micros);

/* The least time that leaves at most so many slices, or if none does, fewer
 * than there are; *left is how many. 0 when all are of the same time. */
int64_t tfp_slice_sizes_shrink(const tfp_slice_sizes *sizes, int64_t most,
                               int64_t *left);

/* What a reader of the file should know; counts are added to. */
typedef struct tfp_timeline_notes {
    tfp_slice_sizes slices; /* of this file */
    int64_t runs;           /* that are drawn */
    int64_t limited_runs;   /* that only max_depth leaves out */
    int64_t cut_slices;  /* longer than what is left of the one around them */
    int64_t odd_lengths; /* runs that end before they start, or past time */
    int64_t no_arrows;   /* inputs of runs without an arrow, for their number */
    int64_t short_texts; /* slices whose name or shapes are shortened */
    int64_t cut_names;   /* events of traces whose name is */
    int64_t no_launches; /* work without an arrow from its launch, likewise */
    /* Of an accelerator of the graph: the most memory in use. May be NULL. */
    void (*on_peak)(void *self, tfp_string device, int64_t bytes);
    void *self;
} tfp_timeline_notes;

/* The view is of the scopes, the graph or the code, and the graph's is of one
 * step. */
int tfp_timeline_write(const tfp_view *view, tfp_timeline_notes *notes,
                       tfp_sink *sink, tfprof_error *err);

#endif
