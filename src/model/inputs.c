/*
 * inputs.c - what was read from where.
 */
#include "model/inputs.h"

void tfp_input_release(tfp_input *input, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &input->devices);
    TFP_VEC_RELEASE(memory, &input->tags);
    TFP_VEC_RELEASE(memory, &input->signatures);
    TFP_VEC_RELEASE(memory, &input->steps);
    TFP_VEC_RELEASE(memory, &input->dtypes);
}
