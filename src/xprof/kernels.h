/*
 * kernels.h - kernel_stats: what ran on GPUs, by kernel, size of its launch and
 * operation.
 */
#ifndef TFP_XPROF_KERNELS_H
#define TFP_XPROF_KERNELS_H

#include "base/error.h"
#include "xprof/source.h"
#include "xprof/table.h"

int tfp_xprof_kernel_table(tfp_xprof_source *source, tfp_xprof_table *table,
                           tfprof_error *err);

#endif
