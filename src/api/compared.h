/*
 * compared.h - a base to compare a profile with, for another answer.
 */
#ifndef TFP_API_COMPARED_H
#define TFP_API_COMPARED_H

#include <stddef.h>
#include <stdint.h>

#include "api/profile.h"
#include "base/error.h"
#include "compare/align.h"
#include "compare/totals.h"
#include "view/view.h"

typedef struct tfp_compared tfp_compared;

/* Reads the runs of the base. `costs` has a bit for each cost that is compared.
 * On failure there is nothing to free. */
int tfp_compared_new(tfp_compared **compared, tfprof_profile *profile,
                     const char *const *base, size_t count, uint32_t costs,
                     tfprof_error *err);
void tfp_compared_free(tfp_compared *compared);

/* What a comparison comes to; it holds until the next call. */
typedef struct tfp_compared_sides {
    const tfp_alignment *alignment;
    uint32_t costs;                 /* a bit each */
    const tfp_judged_total *totals; /* of steps and operations, as in `diff` */
    size_t total_count;
} tfp_compared_sides;

/* Compares the base with a view of all steps of the profile, which is one run.
 * `traces` has what was gathered of the steps. Of the costs, those of run
 * records are left out, with a note, if one side has no records. */
int tfp_compared_align(tfp_compared *compared, const tfp_view *view,
                       const tfp_model *traces, tfp_compared_sides *sides,
                       tfprof_error *err);

#endif
