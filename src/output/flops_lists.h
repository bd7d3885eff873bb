/*
 * flops_lists.h - the nodes and tensors of a model, one a line.
 */
#ifndef TFP_OUTPUT_FLOPS_LISTS_H
#define TFP_OUTPUT_FLOPS_LISTS_H

#include "base/error.h"
#include "flops/count.h"
#include "output/sink.h"

/* As CSV. Those of the instance that the question is about, and of what it
 * calls as far as that was walked. */
int tfp_flops_list_tensors(const tfp_counts *counts, tfp_sink *sink,
                           tfprof_error *err);
int tfp_flops_list_nodes(const tfp_counts *counts, tfp_sink *sink,
                         tfprof_error *err);

#endif
