/*
 * pools_peaks.h - the live sets at the peaks of a pool below its highest.
 */
#ifndef TFP_MODEL_POOLS_PEAKS_H
#define TFP_MODEL_POOLS_PEAKS_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/pools.h"

/* Fills pool->peaks, once the finer curve and the highest peak are known.
 * `order` has the events by time, and `scratch` has room for as many. Takes
 * n log n steps for the events, and one for each peak and holder. False when
 * out of memory or canceled. */
bool tfp_pool_find_peaks(tfp_pool *pool, tfp_memory *memory,
                         const tfp_pool_request *request,
                         const tfp_sort_item *order, tfp_sort_item *scratch,
                         tfp_watch *watch);

#endif
