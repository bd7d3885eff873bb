/*
 * steps.h - what was run, when, where, and with how much memory.
 *
 * A run record is 32 bytes plus a packed detail of about 25: memory figures
 * and output shapes as varints, most of them absent or small. Records stay in
 * the order of the file and name their node by string, so they may come
 * before its graph, or be about a node that no graph has.
 */
#ifndef TFP_MODEL_STEPS_H
#define TFP_MODEL_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/devices.h"
#include "model/ids.h"

/* Where a record comes from decides what it counts for. */
typedef enum tfp_exec_kind {
    TFP_EXEC_RUN,              /* NodeExecStats: time and memory */
    TFP_EXEC_TIME,             /* one time of an ExecProfile, on a CPU... */
    TFP_EXEC_ACCELERATOR_TIME, /* ...or on an accelerator */
    TFP_EXEC_MEMORY,           /* one ExecMemory of an ExecProfile */
    TFP_EXEC_TOTAL, /* an ExecProfile's own sums: start, end, run count */
    TFP_EXEC_TRACE, /* all runs of a node in one step on one device of a trace,
                     * summed: of the host... */
    TFP_EXEC_ACCELERATOR_TRACE /* ...or of an accelerator */
} tfp_exec_kind;

/* Times of a trace are picoseconds. Its start is that of the first run, since
 * the trace began, and may be 0; its length the sum of what each run took
 * itself; how many there were is the run_count of its detail. */
typedef struct tfp_exec {
    tfp_string name;   /* of the node, without the ":Kernel" of streams */
    uint32_t device;   /* index into model->devices */
    tfp_micros start;  /* all_start_micros */
    tfp_micros length; /* op_end_rel_micros; of a TOTAL its end */
    uint64_t detail;   /* place in step->details; 0 for none */
} tfp_exec;

/* One device of one step: a DeviceStepStats. Its name may come last. */
typedef struct tfp_device {
    tfp_string name;
    tfp_device_parts parts; /* of the name */
    uint32_t step;          /* index into model->steps */
    tfp_exec_kind kind;
    int64_t execs;
} tfp_device;

/* What an answer is about: the step of a number from 0 on, the average of all
 * steps (any other negative number), or the rest. */
#define TFP_STEP_AVERAGE INT64_C(-1)
#define TFP_STEP_REST    INT64_MIN

typedef struct tfp_step {
    int64_t id;   /* 0 in the rest, which has no number */
    bool is_rest; /* not a step: what traces with steps ran outside of them */
    uint32_t first_input, next_input; /* that brought it: number + 1, or 0 */
    TFP_VEC(tfp_exec) execs;
    TFP_VEC(uint8_t) details;
    tfp_micros first_start, last_end; /* both 0 when no record has a time;
                                       * traces, whose clock is another, do
                                       * not count */
    size_t trace_records;             /* of `execs`: sums, not single runs */
    int64_t untimed_records;          /* without a start: they do not count */
    int64_t negative_records;         /* of the others: a figure below 0 */
    int64_t overflowing_records;      /* that end past the largest time */
} tfp_step;

/* The figures of a detail, each 0 when absent. */
typedef struct tfp_exec_figures {
    int64_t requested_bytes; /* sum over allocators of total_bytes */
    int64_t peak_bytes;      /* sum of peak_bytes */
    int64_t residual_bytes;  /* sum of live_bytes */
    int64_t output_bytes;    /* sum over outputs */
    int64_t bytes_in_use;    /* of GPU allocators */
    int64_t temp_bytes, persistent_bytes;
    int64_t device_temp_bytes, device_persistent_bytes;
    int64_t waited;    /* from scheduled_micros to the start */
    int64_t run_count; /* of a TOTAL, or of a trace */
} tfp_exec_figures;

typedef struct tfp_exec_output {
    int32_t slot;
    int32_t dtype;
    tfp_shape shape;
    int64_t bytes;
    uint64_t address;
} tfp_exec_output;

typedef struct tfp_exec_allocation {
    tfp_micros at;
    int64_t bytes;
} tfp_exec_allocation;

typedef struct tfp_exec_detail {
    tfp_exec_figures figures;
    const tfp_exec_output *outputs;
    size_t output_count;
    const tfp_exec_allocation *allocations;
    size_t allocation_count;
} tfp_exec_detail;

static inline bool tfp_exec_is_trace(tfp_exec_kind kind)
{
    return kind == TFP_EXEC_TRACE || kind == TFP_EXEC_ACCELERATOR_TRACE;
}

/* How long it took. An operation that took no whole microsecond took one: it
 * did run. A profile has counted that already, and a trace is exact. */
static inline tfp_micros tfp_exec_time(const tfp_exec *exec, tfp_exec_kind kind)
{
    return kind == TFP_EXEC_RUN && exec->length == 0 ? 1 : exec->length;
}

static inline bool tfp_step_is_average(int64_t asked)
{
    return asked < 0 && asked != TFP_STEP_REST;
}

/* Is the step part of the answer about `asked`? An average leaves out the
 * rest. */
static inline bool tfp_step_is_asked(const tfp_step *step, int64_t asked)
{
    if (step->is_rest || asked == TFP_STEP_REST)
        return step->is_rest && asked == TFP_STEP_REST;
    return asked < 0 || step->id == asked;
}

/* What an answer is about, in words: "average of all steps", "step 7" or "what
 * ran outside of all steps". */
enum { TFP_STEP_TITLE = 48 };
const char *tfp_step_title(int64_t asked, char title[TFP_STEP_TITLE]);

/* Finds or adds the step called `id`: its index, or TFP_NO_ID. */
uint32_t tfp_model_step(tfp_model *model, int64_t id);
bool tfp_model_has_step(const tfp_model *model, int64_t id);

/* The same of the rest. All traces share it. */
uint32_t tfp_model_rest(tfp_model *model);

/* The step called `id`, or the rest if it is TFP_STEP_REST; else NULL. */
const tfp_step *tfp_model_find_step(const tfp_model *model, int64_t id);

/* The number of steps in which something ran. The rest is not a step. */
size_t tfp_model_count_steps(const tfp_model *model);

/* The first of these that was read, or NULL. */
const tfp_step *tfp_model_first_step(const tfp_model *model);

/* A device of a step, its name still to come: its index, or TFP_NO_ID. */
uint32_t tfp_model_add_device(tfp_model *model, uint32_t step,
                              tfp_exec_kind kind);

/* Sets the name of a device, and its parts. False when out of memory. */
bool tfp_model_name_device(tfp_model *model, uint32_t device, tfp_string name);

/* `detail` may be NULL. False when out of memory. */
bool tfp_model_add_exec(tfp_model *model, tfp_exec exec,
                        const tfp_exec_detail *detail);

/* Reads a packed detail back, part by part. */
typedef struct tfp_detail_reader {
    const uint8_t *at;
    uint64_t outputs_left, allocations_left;
} tfp_detail_reader;

tfp_detail_reader tfp_exec_read(const tfp_step *step, const tfp_exec *exec,
                                tfp_exec_figures *figures);
bool tfp_detail_next_output(tfp_detail_reader *r, tfp_exec_output *output);
bool tfp_detail_next_allocation(tfp_detail_reader *r,
                                tfp_exec_allocation *allocation);

/* Was anything run? */
bool tfp_model_has_runs(const tfp_model *model);

/* Removes all steps, their devices and what was gathered of traces. Data that
 * was computed from them, such as the census, is no longer valid. False when
 * out of memory. */
bool tfp_model_drop_steps(tfp_model *model);

void tfp_step_release(tfp_step *step, tfp_memory *memory);

#endif
