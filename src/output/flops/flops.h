/*
 * flops.h - what a model costs, as text, JSON, CSV or Parquet.
 */
#ifndef TFP_OUTPUT_FLOPS_H
#define TFP_OUTPUT_FLOPS_H

#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "ops/flops/names.h"
#include "ops/flops/report.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "output/text/columns.h"
#include "output/text/style.h"

typedef struct tfp_flops_answer {
    const tfp_report *report;
    tfp_memory *memory;
    tfp_list_kind list;
    int64_t format;           /* TFP_FORMAT_TEXT, ... */
    int64_t top;              /* types and layers of a summary; 0: all */
    tfp_style style;          /* of text */
    const tfp_labels *labels; /* of JSON, CSV and Parquet */
    bool is_parquet;          /* then the format is ignored */
} tfp_flops_answer;

/* The summary, or the list that is asked for. */
int tfp_flops_write(const tfp_flops_answer *answer, tfp_sink *sink,
                    tfprof_error *err);

/* ---- Its parts ---------------------------------------------------------- */

/* What texts are made in. */
typedef struct tfp_flops_scratch {
    tfp_node_names names; /* its `failed` is about the other one, too */
    TFP_VEC(uint8_t) text;
} tfp_flops_scratch;

void tfp_flops_write_text(const tfp_flops_answer *answer, tfp_sink *sink,
                          tfp_flops_scratch *scratch);
void tfp_flops_write_json(const tfp_flops_answer *answer, tfp_sink *sink,
                          tfp_flops_scratch *scratch);
int tfp_flops_write_parquet(const tfp_flops_answer *answer, tfp_sink *sink,
                            tfp_flops_scratch *scratch, tfprof_error *err);

/* A list: its columns, and who gives its rows, up to `most` of them. */
typedef struct tfp_flops_list {
    const char *key; /* in JSON */
    const tfp_list_column *columns;
    size_t count;
    void (*put)(const tfp_flops_answer *answer, tfp_columns *columns,
                tfp_flops_scratch *scratch, size_t most);
} tfp_flops_list;

extern const tfp_flops_list tfp_flops_lists[]; /* by tfp_list_kind */
extern const tfp_flops_list tfp_flops_metrics; /* a summary as a table */

/* The list of an answer as CSV or Parquet. */
const tfp_flops_list *tfp_flops_list_of(const tfp_flops_answer *answer);

/* Refuses labels that have the name of a column. */
int tfp_flops_check_labels(const tfp_flops_answer *answer, tfprof_error *err);

/* How many types or layers do work or have parameters. */
size_t tfp_flops_brief_rows(const tfp_report_rows *rows);

/* Types and layers with the few columns that a summary has room for; `brief`
 * columns leave out those that do nothing. */
extern const tfp_flops_list tfp_flops_brief_types, tfp_flops_brief_layers;

/* All rows of a list, or `most` of them. */
void tfp_flops_put_list(const tfp_flops_answer *answer,
                        const tfp_flops_list *list, tfp_columns *columns,
                        tfp_flops_scratch *scratch, size_t most);

/* ---- Words -------------------------------------------------------------- */

extern const char *const tfp_why_words[TFP_WHY_COUNT];   /* "no_formula" */
extern const char *const tfp_why_phrases[TFP_WHY_COUNT]; /* "no formula" */
extern const char *const tfp_rule_words[];   /* by tfp_params_rule */
extern const char *const tfp_rule_phrases[]; /* the same, for people */

/* "[1,224,?,3]", "?" when the rank is not known; cut when it does not fit. */
enum { TFP_SHAPE_TEXT_SIZE = 512 };
tfp_span tfp_shape_text(const tfp_model *model, tfp_shape shape,
                        char buffer[TFP_SHAPE_TEXT_SIZE]);

const char *tfp_dtype_word(int32_t dtype);

#endif
