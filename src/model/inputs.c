/*
 * inputs.c - what was read from where.
 */
#include "model/inputs.h"

const char *tfp_file_kind_name(tfp_file_kind kind)
{
#define NAME_OF(name, text) [TFP_FILE_##name] = text,
    static const char *const names[] = { TFP_FILE_KINDS(NAME_OF) };
#undef NAME_OF
    return names[kind];
}

void tfp_input_release(tfp_input *input, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &input->devices);
    TFP_VEC_RELEASE(memory, &input->tags);
    TFP_VEC_RELEASE(memory, &input->signatures);
    TFP_VEC_RELEASE(memory, &input->steps);
    TFP_VEC_RELEASE(memory, &input->dtypes);
    TFP_VEC_RELEASE(memory, &input->trace.planes);
    TFP_VEC_RELEASE(memory, &input->trace.hosts.first);
    TFP_VEC_RELEASE(memory, &input->trace.errors.first);
    TFP_VEC_RELEASE(memory, &input->trace.warnings.first);
}
