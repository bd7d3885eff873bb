/*
 * sheets.h - the tables that can be asked for: steps, kernels, memory, devices.
 */
#ifndef TFP_SHEET_SHEETS_H
#define TFP_SHEET_SHEETS_H

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "sheet/sheet.h"

typedef struct tfp_sheet_request {
    const tfp_model *model;  /* RunMetadata and profiles */
    const tfp_model *traces; /* with what was gathered; may be the same */
    tfp_memory *memory;
    tfp_watch *watch;
    int64_t by;       /* tfp_sheet_by: how the live set of memory is grouped */
    size_t most_held; /* rows of the live set, for each pool; 0: all */
    size_t most_runs; /* memory is not estimated from more runs; 0: no limit */
} tfp_sheet_request;

typedef enum tfp_sheet_by {
    TFP_BY_NODE,
    TFP_BY_SCOPE,
    TFP_BY_OP,
    TFP_BY_LINE
} tfp_sheet_by;

enum { TFP_MOST_SHEETS = 2 };

/* One table: its sheets must be released, whatever comes back. */
typedef struct tfp_sheet_type {
    const char *name;
    uint32_t gathers; /* what traces have to be read for */
    size_t count;     /* of sheets */
    int (*fill)(const tfp_sheet_request *request, tfp_sheet *sheets,
                tfprof_error *err);
} tfp_sheet_type;

extern const tfp_sheet_type tfp_sheet_types[]; /* ends with a name of NULL */

/* NULL when there is none of that name. */
const tfp_sheet_type *tfp_sheet_type_find(const char *name);

/* ---- Shared ------------------------------------------------------------- */

int tfp_steps_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                   tfprof_error *err);
int tfp_kernels_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                     tfprof_error *err);
int tfp_memory_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                    tfprof_error *err);
int tfp_devices_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                     tfprof_error *err);

/* A name of a device as a table shows it: without anything up to "/device:". */
tfp_span tfp_device_short(tfp_span device);

/* The same for a device of a trace: "GPU:0" for "/host:a/device:GPU:0". With
 * several hosts (`has_hosts`) it would be ambiguous, and the name is returned
 * whole. */
tfp_span tfp_sheet_device(const tfp_model *model, tfp_string name,
                          tfp_device_parts parts, bool has_hosts);

/* Are the devices of traces on more than one host? */
bool tfp_sheet_has_hosts(const tfp_model *model);

/* A cell "file.py:12". */
void tfp_sheet_put_place(tfp_sheet *sheet, tfp_span file, int32_t line);

/* The fill functions end with it. */
int tfp_sheet_status(const tfp_sheet_request *request, const tfp_sheet *sheets,
                     size_t count, tfprof_error *err);

/* Is the memory of run records left out, because it would have to be estimated
 * from more than `most_runs` runs? */
bool tfp_memory_is_left_out(const tfp_sheet_request *request);

#endif
