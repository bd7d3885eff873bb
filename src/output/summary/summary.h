/*
 * summary.h - a model and its runs on one screen.
 *
 * Every figure is one that another command prints: this room only chooses.
 */
#ifndef TFP_OUTPUT_SUMMARY_H
#define TFP_OUTPUT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advise/advise.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/metrics.h"
#include "model/model.h"
#include "ops/flops/report.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "sheet/digest.h"
#include "sheet/sheet.h"
#include "view/view.h"

/* What the answer is made of. Parts that the inputs do not have are NULL. */
typedef struct tfp_summary_parts {
    const tfp_model *model;
    const tfp_model *traces; /* with what was gathered; may be the same */
    tfp_memory *memory;
    const tfp_options *options; /* of the answer: format, width */
    const tfp_report *report;   /* what `flops` counts */
    const tfp_view *scope, *op, *code;
    const tfp_digest *digest; /* of steps and devices */
    const tfp_sheet *held;    /* at the peak, with the pools behind it */
    bool leaves_memory;       /* that would take long to estimate */
    const tfp_advice *advice; /* of the first checker that found anything */
    const tfp_advice *input;  /* that steps wait for input */
    const char *inputs; /* what commands are given; NULL: nothing, as at the
                         * prompt */
} tfp_summary_parts;

enum { TFP_SUMMARY_ROWS = 3, TFP_SUMMARY_COMMANDS = 3 };

/* One of the most expensive. */
typedef struct tfp_summary_row {
    tfp_span name;
    int64_t cost, whole; /* in the unit of the model */
} tfp_summary_row;

typedef struct tfp_summary_list {
    const char *title, *key; /* for people, for programs */
    const tfp_view *view;    /* NULL: they are of the report */
    tfp_cost cost;
    tfp_summary_row rows[TFP_SUMMARY_ROWS];
    size_t count;
} tfp_summary_list;

typedef enum tfp_summary_lists {
    TFP_SUMMARY_SCOPES,
    TFP_SUMMARY_TYPES,
    TFP_SUMMARY_LINES,
    TFP_SUMMARY_LISTS
} tfp_summary_lists;

/* Figures that are not known are below 0. */
typedef struct tfp_summary {
    const tfp_summary_parts *parts;
    int64_t params;
    int64_t float_ops, counted, compute; /* the last two of the report */
    int64_t steps;
    int64_t wall, shortest, longest; /* picoseconds; the first is the median */
    double parallelism;              /* operations at a time while busy; or 0 */
    tfp_summary_list lists[TFP_SUMMARY_LISTS];
    const tfp_finding *finding;                 /* or NULL */
    const tfp_finding *input;                   /* or NULL */
    const char *commands[TFP_SUMMARY_COMMANDS]; /* "code", "flops --list..." */
    size_t command_count;
} tfp_summary;

/* Text, or with that format JSON. */
int tfp_summary_write(const tfp_summary_parts *parts, tfp_sink *sink,
                      tfprof_error *err);

/* ---- Its parts ---------------------------------------------------------- */

bool tfp_summary_write_text(const tfp_summary *summary, tfp_sink *sink);
void tfp_summary_write_json(const tfp_summary *summary, tfp_sink *sink);

/* What the finding is about; may be empty. */
tfp_span tfp_summary_about(const tfp_finding *finding);

/* The number of inputs of a kind that were read. */
size_t tfp_summary_inputs(const tfp_model *model, tfp_file_kind kind);

/* A command as it is typed, in `out`; the length that it needs. */
size_t tfp_summary_command(const tfp_summary *summary, size_t index, char *out,
                           size_t size);

#endif
