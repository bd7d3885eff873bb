/*
 * flops_text.c - what a model costs, on one screen.
 */
#include "output/flops.h"

void tfp_flops_write_text(const tfp_flops_answer *a, tfp_sink *sink,
                          tfp_flops_scratch *scratch)
{
    (void)a, (void)sink, (void)scratch;
}
