/*
 * again.h - traces read once more, for what the views do not need of them.
 *
 * Views need sums. Tables need more, and pictures need each event; what can be
 * asked of a profile is not known when its inputs are added.
 */
#ifndef TFP_API_AGAIN_H
#define TFP_API_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "api/profile.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/trace_events.h"

/* The path with which an input can be opened again. The caller frees it. False
 * when out of memory. */
bool tfp_profile_input_path(const tfprof_profile *profile,
                            const tfp_input *input, tfp_memory *memory,
                            char **path);

/* TFPROF_ERR_MISSING if an input cannot be read twice, such as a pipe. */
int tfp_profile_check_twice(const tfprof_profile *profile, size_t index,
                            tfprof_error *err);

/* Copies the settings for reading inputs to a new profile. */
int tfp_profile_copy_settings(const tfprof_profile *profile,
                              tfprof_profile *again, tfprof_error *err);

/* Is there a trace among the inputs? */
bool tfp_profile_has_trace(const tfprof_profile *profile);

/* The model that has of traces what `needs` names (TFP_GATHER_): that of the
 * profile, or one that is kept until inputs are added. A
 * trace that is not a file cannot be read again: TFPROF_ERR_MISSING. */
int tfp_profile_gather(tfprof_profile *profile, uint32_t needs,
                       const tfp_model **found, tfprof_error *err);

/* Gives the events of all traces to a taker. `needs` is not 0. */
int tfp_profile_take_events(const tfprof_profile *profile, uint32_t needs,
                            const tfp_event_taker *taker, tfprof_error *err);

/* What a summary needs of traces (TFP_GATHER_). */
uint32_t tfp_summary_gathers(void);

/* What a report needs of them. */
uint32_t tfp_report_gathers(void);

#endif
