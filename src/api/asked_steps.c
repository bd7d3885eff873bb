/*
 * asked_steps.c - the events that --step_event makes the steps of traces.
 */
#include "api/asked_steps.h"

#include "base/bytes.h"
#include "base/error.h"

/* Compiled for the first trace: most profiles have none. */
static int matches(void *self, tfp_span name, bool *does, tfprof_error *err)
{
    tfp_asked_steps *asked = self;
    int status = TFPROF_OK;
    *does = false;
    if (!asked->is_compiled)
        status = tfp_patterns_init(&asked->patterns, asked->memory,
                                   "step_event", asked->words, err);
    if (status != TFPROF_OK)
        return status;
    asked->is_compiled = true;
    *does = tfp_patterns_match(&asked->patterns, name);
    if (asked->patterns.status != TFPROF_OK && err)
        *err = asked->patterns.why;
    return asked->patterns.status;
}

const tfp_step_names *tfp_asked_steps_use(tfp_asked_steps *asked,
                                          const tfp_words *words,
                                          tfp_memory *memory)
{
    tfp_asked_steps_release(asked); /* the words may be others now */
    asked->memory = memory;
    asked->words = words;
    asked->names = (tfp_step_names){ matches, asked };
    return words->count > 0 ? &asked->names : NULL;
}

void tfp_asked_steps_release(tfp_asked_steps *asked)
{
    if (asked->is_compiled)
        tfp_patterns_release(&asked->patterns);
    asked->is_compiled = false;
}
