/*
 * metrics.h - what can be counted: one table, a row for each metric.
 *
 * Options, views, outputs, the library and Python read it, so a new metric is
 * a row below, its source in costs.c, and its number in <tfprof/view.h>.
 *
 * A row is given to the macro X as
 *
 *     id         of TFP_COST_id, TFP_SELECT_id and TFP_ORDER_id
 *     word       in `select` and `order_by`; its minimum is `min_word`
 *     name       in JSON, CSV, Arrow, pprof, timelines, C and Python
 *     field      in TensorFlow's messages; not used of our own metrics
 *     unit       BYTES, MICROS or COUNT
 *     whole      the metric that this one is a part of, or itself: selecting
 *                a whole shows its parts too
 *     traits     TFP_METRIC_ bits
 *     legend     the head of its column in text
 *     suffix     behind its figures in text; then that of the op view
 *     title      the head of its column where room is short
 *     minimum    help of `min_word`
 *
 * Values of a metric are summed up over the nodes below a row, and stop at the
 * ends of their range.
 */
#ifndef TFP_MODEL_METRICS_H
#define TFP_MODEL_METRICS_H

#include <stdint.h>

#include "base/bytes.h"

/* What is special about a metric. */
enum {
    TFP_METRIC_OF_RECORDS = 1 << 0, /* 0 unless run records were loaded */
    TFP_METRIC_LEADS = 1 << 1,      /* its column is first in views of nodes */
    TFP_METRIC_OF_ITSELF = 1 << 2,  /* views of nodes hold the node itself
                                     * against its minimum, not the total */
    TFP_METRIC_NOT_IN_PROFILES = 1 << 3, /* a ProfileProto has no field */
    TFP_METRIC_NOT_IN_TRACES = 1 << 4    /* not read from traces */
};

/* clang-format off */

/* Upstream's. Its messages have a field for each. */
#define TFP_UPSTREAM_METRICS(X)                                                \
    X(BYTES, bytes, bytes, requested_bytes, BYTES, BYTES,                      \
      TFP_METRIC_OF_RECORDS | TFP_METRIC_NOT_IN_TRACES,                        \
      "requested bytes", "", "", "bytes",                                      \
      "Show rows with at least N requested bytes.")                            \
    X(PEAK_BYTES, peak_bytes, peak_bytes, peak_bytes, BYTES, PEAK_BYTES,       \
      TFP_METRIC_OF_RECORDS | TFP_METRIC_NOT_IN_TRACES,                        \
      "peak bytes", "", "", "peak",                                            \
      "Show rows with at least N bytes of peak memory.")                       \
    X(RESIDUAL_BYTES, residual_bytes, residual_bytes, residual_bytes, BYTES,   \
      RESIDUAL_BYTES,                                                          \
      TFP_METRIC_OF_RECORDS | TFP_METRIC_NOT_IN_TRACES,                        \
      "residual bytes", "", "", "residual",                                    \
      "Show rows with at least N residual bytes. Residual bytes are still "    \
      "allocated when the operation ends.")                                    \
    X(OUTPUT_BYTES, output_bytes, output_bytes, output_bytes, BYTES,           \
      OUTPUT_BYTES,                                                            \
      TFP_METRIC_OF_RECORDS | TFP_METRIC_NOT_IN_TRACES,                        \
      "output bytes", "", "", "output",                                        \
      "Show rows with at least N output bytes.")                               \
    X(MICROS, micros, micros, exec_micros, MICROS, MICROS,                     \
      TFP_METRIC_OF_RECORDS, "total execution time", "", "", "time",           \
      "Show rows with run time of at least N. N is in microseconds.")          \
    X(ACCELERATOR_MICROS, accelerator_micros, accelerator_micros,              \
      accelerator_exec_micros, MICROS, MICROS,                                 \
      TFP_METRIC_OF_RECORDS, "accelerator execution time", "", "",             \
      "accelerator",                                                           \
      "Show rows with accelerator time of at least N. N is in "                \
      "microseconds.")                                                         \
    X(CPU_MICROS, cpu_micros, cpu_micros, cpu_exec_micros, MICROS, MICROS,     \
      TFP_METRIC_OF_RECORDS, "cpu execution time", "", "", "CPU",              \
      "Show rows with CPU time of at least N. N is in microseconds.")          \
    X(PARAMS, params, params, parameters, COUNT, PARAMS,                       \
      TFP_METRIC_LEADS | TFP_METRIC_OF_ITSELF,                                 \
      "# parameters", " params", " params", "params",                          \
      "Show rows with at least N parameters.")                                 \
    X(FLOAT_OPS, float_ops, float_ops, float_ops, COUNT, FLOAT_OPS,            \
      TFP_METRIC_LEADS | TFP_METRIC_OF_ITSELF,                                 \
      "# float_ops", " flops", " float_ops", "float ops",                      \
      "Show rows with at least N float operations.")                           \
    /* In text its cell has a form of its own, behind those of facts. */       \
    X(RUNS, occurrence, runs, run_count, COUNT, RUNS,                          \
      TFP_METRIC_OF_ITSELF, "op count (run|defined)", "", "", "runs",          \
      "Show rows that occur at least N times. The scope and graph views "      \
      "compare N with the number of runs of a node. The op view compares N "   \
      "with the number of nodes of a type. The code view ignores this "        \
      "option.")

/* Ours. They stand behind upstream's, whose numbers stay. */
#define TFP_OWN_METRICS(X)                                                     \
    /* From scheduling to start; not part of the time of a run. */             \
    X(QUEUE_MICROS, queue_micros, queue_micros, none, MICROS, QUEUE_MICROS,    \
      TFP_METRIC_OF_RECORDS | TFP_METRIC_NOT_IN_PROFILES |                     \
          TFP_METRIC_NOT_IN_TRACES,                                            \
      "queue time", "", "", "queue",                                           \
      "Show rows with queue time of at least N. Queue time is the time from "  \
      "scheduling to start. N is in microseconds.")

/* Of a step as a whole. Nodes have no part of them, so views, options and
 * outputs of views do not know them; budgets and comparisons do. All are times.
 * A row is the id of TFP_STEP_id, the name in files and answers, and what it
 * is called in sentences. */
#define TFP_STEP_METRICS(X)                                                    \
    /* The longest of the hosts. */                                            \
    X(WALL, step_micros, "wall time of a step")                                \
    /* The mean of the devices that ran in the step. */                        \
    X(BUSY, step_busy_micros, "operations")                                    \
    /* The wall time without the busy time. */                                 \
    X(IDLE, step_idle_micros, "idle")                                          \
    /* The longest of the hosts. */                                            \
    X(WAIT, input_wait_micros, "input wait")

#define TFP_ALL_METRICS(X)                                                     \
    TFP_UPSTREAM_METRICS(X)                                                    \
    TFP_OWN_METRICS(X)

#define TFP_METRIC_COST(id, ...) TFP_COST_##id,
typedef enum tfp_cost {
    TFP_ALL_METRICS(TFP_METRIC_COST)
    TFP_COST_COUNT
} tfp_cost;
#undef TFP_METRIC_COST

#define TFP_METRIC_STEP(id, ...) TFP_STEP_##id,
typedef enum tfp_step_metric {
    TFP_STEP_METRICS(TFP_METRIC_STEP)
    TFP_STEP_METRIC_COUNT
} tfp_step_metric;
#undef TFP_METRIC_STEP

/* clang-format on */

/* Upstream's are the first so many. */
#define TFP_METRIC_ONE(...) +1
enum { TFP_UPSTREAM_COSTS = 0 TFP_UPSTREAM_METRICS(TFP_METRIC_ONE) };
#undef TFP_METRIC_ONE

typedef enum tfp_unit {
    TFP_UNIT_BYTES,
    TFP_UNIT_MICROS,
    TFP_UNIT_COUNT
} tfp_unit;

typedef struct tfp_metric {
    const char *word, *name, *title;
    tfp_unit unit;
    tfp_cost whole;
    uint32_t traits;
} tfp_metric;

/* By tfp_cost. */
extern const tfp_metric tfp_metrics[TFP_COST_COUNT];

/* By tfp_step_metric. */
typedef struct tfp_metric_of_step {
    const char *name, *title;
} tfp_metric_of_step;

extern const tfp_metric_of_step tfp_step_metrics[TFP_STEP_METRIC_COUNT];

/* The metric of steps of this name; -1 if there is none. */
int tfp_step_metric_find(tfp_span name);

/* What programs read: "bytes", "microseconds", "count". */
const char *tfp_unit_name(tfp_unit unit);

/* The metrics with one of these traits, a bit each. */
uint32_t tfp_metrics_with(uint32_t traits);

#endif
