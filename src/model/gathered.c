/*
 * gathered.c - the end of what was gathered.
 */
#include "model/gathered.h"

void tfp_gathered_release(tfp_gathered *g, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &g->steps);
    TFP_VEC_RELEASE(memory, &g->step_devices);
    TFP_VEC_RELEASE(memory, &g->devices);
    TFP_VEC_RELEASE(memory, &g->kernels);
    TFP_VEC_RELEASE(memory, &g->copies);
}
