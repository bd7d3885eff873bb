/*
 * inputs.c - what was read from where.
 */
#include "model/inputs.h"

#include <stdio.h>

#include "base/escape.h"
#include "model/model.h"

const char *tfp_file_kind_name(tfp_file_kind kind)
{
#define NAME_OF(name, text) [TFP_FILE_##name] = text,
    static const char *const names[] = { TFP_FILE_KINDS(NAME_OF) };
#undef NAME_OF
    return names[kind];
}

bool tfp_steps_words(const tfp_model *model, const tfp_input_trace *trace,
                     char words[TFP_STEPS_WORDS])
{
    const char *until = trace->has_starts ? ", each until the next" : "";
    char name[120];
    if (!trace->has_steps)
        return false;
    tfp_escape_short(tfp_model_text(model, trace->steps_of), name,
                     sizeof(name));
    switch (trace->steps_by) {
    case TFP_STEPS_BY_PROGRAM:
        snprintf(words, TFP_STEPS_WORDS,
                 "executions of program %s%s (nothing marks steps)", name,
                 until);
        return true;
    case TFP_STEPS_BY_EVENT:
        snprintf(words, TFP_STEPS_WORDS,
                 "events %s of one thread%s (nothing marks steps)", name,
                 until);
        return true;
    case TFP_STEPS_ASKED:
        snprintf(words, TFP_STEPS_WORDS, "events that --step_event selects%s",
                 until);
        return true;
    case TFP_STEPS_MARKED: break;
    }
    snprintf(words, TFP_STEPS_WORDS,
             "from one marker to the next (most operations ran outside of the "
             "markers)");
    return trace->has_starts;
}

void tfp_input_release(tfp_input *input, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &input->devices);
    TFP_VEC_RELEASE(memory, &input->tags);
    TFP_VEC_RELEASE(memory, &input->signatures);
    TFP_VEC_RELEASE(memory, &input->steps);
    TFP_VEC_RELEASE(memory, &input->dtypes);
    TFP_VEC_RELEASE(memory, &input->trace.planes);
    TFP_VEC_RELEASE(memory, &input->trace.beside.first);
    TFP_VEC_RELEASE(memory, &input->trace.hosts.first);
    TFP_VEC_RELEASE(memory, &input->trace.errors.first);
    TFP_VEC_RELEASE(memory, &input->trace.warnings.first);
}
