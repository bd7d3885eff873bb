/*
 * held.h - what an allocator held at its peak.
 */
#ifndef TFP_XPROF_HELD_H
#define TFP_XPROF_HELD_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "xprof/allocators.h"
#include "xprof/source.h"

static inline int64_t tfp_xprof_bytes_used(const tfp_xprof_usage *usage)
{
    return tfp_add_sat(usage->reserved, usage->allocated);
}

/* The name of a data type: "float". TFP_NO_ID when out of memory. */
tfp_xprof_text tfp_xprof_type_name(tfp_xprof_source *source, int64_t type);

/* From the snapshots of an allocator, which are in the order of the file: sorts
 * them by time, and finds what was held at the peak and the timeline. */
int tfp_xprof_find_held(tfp_xprof_source *source, tfp_xprof_allocator *a,
                        tfprof_error *err);

#endif
