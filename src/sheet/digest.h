/*
 * digest.h - steps and devices in a line, for what stands above a table.
 */
#ifndef TFP_SHEET_DIGEST_H
#define TFP_SHEET_DIGEST_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "sheet/sheets.h"

typedef struct tfp_digest_device {
    tfp_span name;
    int64_t busy, idle; /* picoseconds in a step, on average over all steps of
                         * its traces or run records, also those in which it
                         * ran nothing */
    int64_t steps;
} tfp_digest_device;

typedef struct tfp_digest {
    tfp_memory *memory;
    tfp_sheet sheets[TFP_MOST_SHEETS]; /* of steps; the names are in it */
    tfp_interner names;
    int64_t steps;
    int64_t wall;   /* median of the steps, in picoseconds; -1: not known */
    int64_t busy;   /* picoseconds, of all devices in all steps */
    bool has_hosts; /* devices of several hosts: names need the host */
    TFP_VEC(tfp_digest_device) devices; /* the busiest first, then by name */
} tfp_digest;

/* It must be released, whatever comes back. */
int tfp_digest_init(tfp_digest *digest, const tfp_sheet_request *request,
                    tfprof_error *err);
void tfp_digest_release(tfp_digest *digest);

#endif
