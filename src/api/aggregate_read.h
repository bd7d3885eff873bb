/*
 * aggregate_read.h - what an aggregate is made of, and reading its runs.
 */
#ifndef TFP_API_AGGREGATE_READ_H
#define TFP_API_AGGREGATE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregate/aggregate.h"
#include "api/profile.h"
#include "api/remarks.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/census.h"
#include "model/inputs.h"
#include "model/rewind.h"

/* A profile with the graphs and op logs, to which one trace after the other is
 * added. */
typedef struct tfp_agg_base {
    tfprof_profile *profile; /* NULL: not read yet */
    tfp_model_mark mark;     /* before a trace */
    tfp_census census;
    tfp_agg_places places;
    size_t held; /* bytes, before the first trace */
} tfp_agg_base;

typedef struct tfp_agg_work {
    tfprof_profile *profile;
    tfp_aggregate aggregate;
    tfp_agg_places places; /* of the model of the profile... */
    tfp_census census;     /* ...and its census; begun if `memory` is set */
    tfp_agg_base base;
    tfp_interner taken; /* step numbers that are in use: int64_t */
    int64_t next;       /* the number for the next file without one */
    const char *producer;
    tfp_run_notes notes;
    bool has_clash; /* between graphs, which was reported */
} tfp_agg_work;

/* Was the input not read to its end? */
static inline bool tfp_agg_is_damaged(const tfp_input *input)
{
    return input->status != TFPROF_OK;
}

/* Adds the graphs and the steps of all inputs. Damaged inputs are left out;
 * their entries have the reason. */
int tfp_agg_read(tfp_agg_work *work, tfprof_error *err);

/* Releases what tfp_agg_read() needs between two files. */
void tfp_agg_read_release(tfp_agg_work *work);

#endif
