/*
 * info.h - what `tfprof info` says: each input, and the model they make.
 */
#ifndef TFP_OUTPUT_INFO_H
#define TFP_OUTPUT_INFO_H

#include "model/coverage.h"
#include "model/inputs.h"
#include "model/model.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "output/text/json.h"
#include "output/text/style.h"

/* One short block a file, or JSON with the same facts (docs/inputs.md). False
 * when there was no memory for counting coverage: all else is told. */
bool tfp_info_write(const tfp_model *model, const tfp_options *options,
                    tfp_sink *sink);

/* ---- Shared by the two forms -------------------------------------------- */

/* A number that both forms print: key in JSON, words in text. */
typedef struct tfp_info_fact {
    const char *key, *words;
    size_t place; /* of an int64_t in the struct it belongs to */
    bool is_odd;  /* a warning when it is not 0 */
} tfp_info_fact;

extern const tfp_info_fact tfp_count_facts[]; /* of tfp_input_counts */
extern const size_t tfp_count_fact_count;
extern const tfp_info_fact tfp_ignored_facts[]; /* of tfp_input_ignored */
extern const size_t tfp_ignored_fact_count;

int64_t tfp_info_fact_value(const void *of, const tfp_info_fact *fact);

/* Calls `each` with one line for everything odd about the input. */
typedef void tfp_warning_fn(void *context, const char *line);
void tfp_info_warnings(const tfp_model *model, const tfp_input *input,
                       tfp_warning_fn *each, void *context);

/* Width of the first column of text. */
enum { TFP_INFO_LABEL = 24 };

/* The planes of a trace and what else it tells. */
void tfp_info_trace_text(tfp_sink *sink, const tfp_model *model,
                         const tfp_input_trace *trace);
void tfp_info_trace_json(tfp_json *json, const tfp_model *model,
                         const tfp_input_trace *trace);

void tfp_info_write_text(tfp_coverage *coverage, tfp_style style,
                         tfp_sink *sink);
void tfp_info_write_json(tfp_coverage *coverage, tfp_sink *sink);

#endif
