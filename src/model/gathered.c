/*
 * gathered.c - the end of what was gathered.
 */
#include "model/gathered.h"

void tfp_gathered_clear(tfp_gathered *g)
{
    g->steps.count = 0;
    g->step_devices.count = 0;
    g->devices.count = 0;
    g->kernels.count = 0;
    g->copies.count = 0;
}

void tfp_gathered_release(tfp_gathered *g, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &g->steps);
    TFP_VEC_RELEASE(memory, &g->step_devices);
    TFP_VEC_RELEASE(memory, &g->devices);
    TFP_VEC_RELEASE(memory, &g->kernels);
    TFP_VEC_RELEASE(memory, &g->copies);
}
