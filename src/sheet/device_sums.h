/*
 * device_sums.h - what each device did in all steps together.
 *
 * `summary`, `devices` and the head of a view have the busy and idle time of a
 * device from here, so that they agree.
 */
#ifndef TFP_SHEET_DEVICE_SUMS_H
#define TFP_SHEET_DEVICE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/gathered.h"
#include "sheet/sheets.h"

typedef struct tfp_device_sum {
    const tfp_device_use *use; /* of a trace; NULL: of run records */
    tfp_span name;
    int64_t runs, steps; /* all steps of the trace or of the run records, also
                          * those in which the device ran nothing */
    int64_t busy, idle;  /* picoseconds; together as long as these steps */
} tfp_device_sum;

typedef TFP_VEC(tfp_device_sum) tfp_device_sums;

/* Devices of traces, by trace, then those of run records. False when memory ran
 * out or it was cancelled. Released with TFP_VEC_RELEASE() either way. */
bool tfp_device_sums_find(tfp_device_sums *sums,
                          const tfp_sheet_request *request);

#endif
