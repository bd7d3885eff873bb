/*
 * asked_steps.h - the events that --step_event makes the steps of traces.
 */
#ifndef TFP_API_ASKED_STEPS_H
#define TFP_API_ASKED_STEPS_H

#include <stdbool.h>

#include "base/memory.h"
#include "model/trace_events.h"
#include "options/options.h"
#include "view/patterns.h"

typedef struct tfp_asked_steps {
    tfp_memory *memory;
    const tfp_words *words; /* of the option */
    bool is_compiled;
    tfp_patterns patterns;
    tfp_step_names names;
} tfp_asked_steps;

/* NULL if the words name none. */
const tfp_step_names *tfp_asked_steps_use(tfp_asked_steps *asked,
                                          const tfp_words *words,
                                          tfp_memory *memory);
void tfp_asked_steps_release(tfp_asked_steps *asked);

#endif
