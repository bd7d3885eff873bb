/*
 * cover.h - how much time spans cover together, when they come by begin.
 */
#ifndef TFP_BASE_COVER_H
#define TFP_BASE_COVER_H

#include <stdint.h>

#include "base/bytes.h"

/* The part of [begin, end) that lies past *until, which is the end of all
 * spans so far, or INT64_MIN. */
static inline int64_t tfp_cover(int64_t begin, int64_t end, int64_t *until)
{
    int64_t from = begin < *until ? *until : begin;
    if (end <= from)
        return 0;
    *until = end;
    return tfp_sub_sat(end, from);
}

#endif
