/*
 * options.h - what a user may ask for: one table, and the values set.
 *
 * The command line, its help and the library read the same table. To add an
 * option: a line in table.c, a member below, its use.
 */
#ifndef TFP_OPTIONS_OPTIONS_H
#define TFP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/option.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/metrics.h"

/* What an option hides in a view. If an answer is empty, view/lift.c makes the
 * view again without each filter in turn, in the order of this enum, to find
 * the filter to blame. Depth comes first: it hides rows whose names do match.
 * Every row of the option table names its filter, so that lift.c covers new
 * ones. */
typedef enum tfp_filter {
    TFP_FILTER_NONE,
    TFP_FILTER_DEPTH,   /* rows that are too deep; the largest hides nothing */
    TFP_FILTER_BELOW,   /* rows below a given row; for this one and those that
                         * follow, the default hides nothing */
    TFP_FILTER_ROWS,    /* the given rows themselves */
    TFP_FILTER_MINIMUM, /* rows below a number; the smallest hides nothing */
    TFP_FILTER_SELF_MINIMUM, /* the same of a row's own costs */
    TFP_FILTER_COUNTED,      /* nodes that do not count */
    TFP_FILTER_END
} tfp_filter;

/* A row of the table: what everyone may see, and where the value goes. */
typedef struct tfp_option {
    tfprof_option shown;
    size_t place;      /* offset in tfp_options, of a member of its kind */
    int64_t low, high; /* the range of a number */
    tfp_filter filter;
} tfp_option;

/* The place of an option that is no member: an input, or without effect. */
#define TFP_OPTION_NOWHERE SIZE_MAX

/* ---- Values ------------------------------------------------------------- */

/* A comma-separated list: its words one after the other, each ended by NUL.
 * Empty words are left out, as upstream does. */
typedef struct tfp_words {
    char *data;
    size_t size; /* with the NULs */
    size_t count;
} tfp_words;

/* The words of `format`. */
enum {
    TFP_FORMAT_TEXT,
    TFP_FORMAT_JSON,
    TFP_FORMAT_CSV,
    TFP_FORMAT_PROTO,
    TFP_FORMAT_TABLE,
    TFP_FORMAT_AUTO, /* text, unless whoever knows the terminal says table */
    TFP_FORMAT_MARKDOWN,
    TFP_FORMAT_GITHUB,
    TFP_FORMAT_JUNIT,
    TFP_FORMAT_SARIF
};

/* The words of `color` and `charset`. Only who knows the terminal can tell
 * what `auto` comes to; until then it is never, and ASCII. */
enum { TFP_COLOR_AUTO, TFP_COLOR_ALWAYS, TFP_COLOR_NEVER };
enum { TFP_CHARSET_AUTO, TFP_CHARSET_ASCII, TFP_CHARSET_UTF8 };

/* The words of `formulas` and `functions`. */
enum {
    TFP_FORMULAS_AUTO,
    TFP_FORMULAS_TENSORFLOW,
    TFP_FORMULAS_FULL,
    TFP_FORMULAS_NONE
};
enum { TFP_FUNCTIONS_AUTO, TFP_FUNCTIONS_WALK, TFP_FUNCTIONS_NONE };

/* The words of `of`. */
enum { TFP_OF_MEDIAN, TFP_OF_MINIMUM };

/* The words of `frames`. */
enum { TFP_FRAMES_MODEL, TFP_FRAMES_PYTHON };

/* The words of `list`: which table of a model is asked for. */
typedef enum tfp_list_kind {
    TFP_LIST_SUMMARY,
    TFP_LIST_TYPES,
    TFP_LIST_LAYERS,
    TFP_LIST_NODES,
    TFP_LIST_TENSORS,
    TFP_LIST_VARIABLES,
    TFP_LIST_UNCOUNTED
} tfp_list_kind;

/* clang-format off */

/* The words of `select`, as bits: the metrics, then facts. */
#define TFP_METRIC_SELECT(id, ...) TFP_SELECT_##id = 1 << TFP_COST_##id,
typedef enum tfp_select {
    TFP_ALL_METRICS(TFP_METRIC_SELECT)
    TFP_SELECT_OCCURRENCE = TFP_SELECT_RUNS,
    TFP_SELECT_DEVICE = 1 << TFP_COST_COUNT,
    TFP_SELECT_OP_TYPES = TFP_SELECT_DEVICE << 1,
    TFP_SELECT_INPUT_SHAPES = TFP_SELECT_DEVICE << 2,
    TFP_SELECT_TENSOR_VALUE = TFP_SELECT_DEVICE << 3,
    TFP_SELECT_NUM_HIDDEN_OPS = TFP_SELECT_DEVICE << 4
} tfp_select;
#undef TFP_METRIC_SELECT

/* `select` when nobody set it: the view chooses by what was loaded. */
enum { TFP_SELECT_AUTO = -1 };

/* The words of `order_by`: two of rows, then the metrics. */
#define TFP_METRIC_ORDER(id, ...)                                              \
    TFP_ORDER_##id = TFP_ORDER_COSTS + TFP_COST_##id,
typedef enum tfp_order {
    TFP_ORDER_NAME,
    TFP_ORDER_DEPTH, /* the order that the view has by itself */
    TFP_ORDER_COSTS, /* the first metric; the others follow */
    TFP_ALL_METRICS(TFP_METRIC_ORDER)
    TFP_ORDER_OCCURRENCE = TFP_ORDER_RUNS,
    TFP_ORDER_END = TFP_ORDER_COSTS + TFP_COST_COUNT
} tfp_order;
#undef TFP_METRIC_ORDER

/* clang-format on */

/* Other words for metrics, wherever an option takes their own: what people
 * type, and what it means. */
#define TFP_METRIC_ALIASES(X)                                                  \
    X(time, micros)                                                            \
    X(memory, bytes)                                                           \
    X(flops, float_ops)

typedef struct tfp_alias {
    const char *word, *meaning;
} tfp_alias;

extern const tfp_alias tfp_metric_aliases[];
extern const size_t tfp_metric_alias_count;

/* The columns of tables that `sort` accepts in addition to metrics. */
#define TFP_TABLE_COLUMNS(X)                                                   \
    X(step)                                                                    \
    X(wall_micros)                                                             \
    X(device_micros)                                                           \
    X(busy_micros)                                                             \
    X(idle_micros)                                                             \
    X(input_wait_micros)                                                       \
    X(ops)                                                                     \
    X(total_micros)                                                            \
    X(count)                                                                   \
    X(min_micros)                                                              \
    X(max_micros)                                                              \
    X(launch_micros)                                                           \
    X(registers)                                                               \
    X(shared_bytes)                                                            \
    X(occupancy_percent)                                                       \
    X(requested_bytes)                                                         \
    X(percent_of_peak)                                                         \
    X(gflops_per_second)                                                       \
    X(peak_gflops_per_second)                                                  \
    X(percent_of_peak_flops)                                                   \
    X(percent_of_time_counted)                                                 \
    X(gigabytes_per_second)                                                    \
    X(peak_gigabytes_per_second)                                               \
    X(percent_of_peak_bytes)                                                   \
    X(percent_of_time_with_bytes)

/* The words of `sort`: those of `order_by`, what only a model file has, and
 * columns of tables. */
enum {
    TFP_SORT_AUTO,
    TFP_SORT_ORDERS, /* the first word of order_by; the others follow */
    TFP_SORT_INT_OPS = TFP_SORT_ORDERS + TFP_ORDER_END,
    TFP_SORT_MACS,
    TFP_SORT_NODES,
    TFP_SORT_COLUMNS /* the first column; the others follow */
};

/* `batch` when nobody set it: one example in flops, in views as the file has
 * it. */
enum { TFP_BATCH_AUTO = -2 };

/* `checkers` when nobody set it: all of them. */
enum { TFP_CHECK_ALL = -1 };

/* What `output` asks for. */
typedef enum tfp_output_kind {
    TFP_OUTPUT_STDOUT,
    TFP_OUTPUT_NONE,
    TFP_OUTPUT_FILE,
    TFP_OUTPUT_TIMELINE,
    TFP_OUTPUT_PPROF,
    TFP_OUTPUT_PROFILE,
    TFP_OUTPUT_FOLDED,
    TFP_OUTPUT_SPEEDSCOPE,
    TFP_OUTPUT_HTML,
    TFP_OUTPUT_PARQUET
} tfp_output_kind;

/* Is the output a file for programs that draw flame graphs? */
static inline bool tfp_output_is_flame(int64_t kind)
{
    return kind == TFP_OUTPUT_FOLDED || kind == TFP_OUTPUT_SPEEDSCOPE;
}

/* The labels of the samples of a pprof file: upstream's, which names the node;
 * also the op, the device and the step; or only the op type and the device,
 * with names that Prometheus accepts. */
typedef enum tfp_sample_labels {
    TFP_LABELS_NODE,
    TFP_LABELS_ALL,
    TFP_LABELS_GROUPS
} tfp_sample_labels;

/* Which nodes are samples in the code view: upstream's, made on lines that call
 * no other, or all. */
typedef enum tfp_samples { TFP_SAMPLES_LEAVES, TFP_SAMPLES_ALL } tfp_samples;

/* What a location of a pprof file is in the code view: a call, as in upstream,
 * or the source line of a row. */
typedef enum tfp_places { TFP_PLACES_CALLS, TFP_PLACES_LINES } tfp_places;

typedef struct tfp_output {
    int64_t kind;
    char *outfile;   /* ends in NUL, or NULL. For stdout and none it is the file
                      * of an earlier output: upstream lists it still */
    int64_t labels;  /* tfp_sample_labels, of pprof */
    int64_t samples; /* tfp_samples, of pprof */
    int64_t places;  /* tfp_places, of pprof */
} tfp_output;

typedef struct tfp_options {
    tfp_memory *memory; /* owns the texts below */

    int64_t max_depth;                   /* 32 bits wide, as upstream's */
    int64_t minima[TFP_COST_COUNT];      /* min_bytes and so on, by metric */
    int64_t self_minima[TFP_COST_COUNT]; /* min_self_bytes and so on */
    int64_t step;                        /* negative: the average of all */
    int64_t order_by;
    tfp_words account_type_regexes;
    tfp_words start_name_regexes, trim_name_regexes;
    tfp_words show_name_regexes, hide_name_regexes;
    tfp_words device_regexes;
    int64_t account_displayed_op_only;
    int64_t select;       /* tfp_select bits, or TFP_SELECT_AUTO */
    int64_t select_first; /* the bit of the word that was given first, or 0 */
    tfp_output output;
    int64_t formulas, functions;
    int64_t batch; /* -1: as the file has it; or TFP_BATCH_AUTO */
    tfp_words shape, trips, formula_file;
    tfp_words signature;
    int64_t list, uncounted;
    int64_t depth; /* -1: found by what there is */
    int64_t sort;
    int64_t top;        /* -1: not given; 0: all */
    int64_t max_arrows; /* of one timeline */
    int64_t code_text;
    int64_t own; /* see the code view */
    tfp_words own_regexes;
    int64_t by;         /* tfp_sheet_by: 0 for nodes */
    int64_t of;         /* the value of a run */
    int64_t skip_steps; /* of each run */
    tfp_words budgets, baseline;
    int64_t require_verdict, allow_no_verdict, across_versions, runs, init;
    int64_t checkers; /* bits in the order of the words, or TFP_CHECK_ALL */

    tfp_words label; /* see labels.h */
    int64_t format;
    int64_t color;
    int64_t width; /* in columns; 0 and -1: no limit */
    int64_t charset;
    int64_t verbose;
    int64_t salvage;
    int64_t follow;
    int64_t fold_transforms;
    int64_t frames;
    tfp_words run; /* of log directories: one name */
    tfp_words step_event;
    int64_t max_memory; /* 0: the default rule */
    int64_t max_input;
    int64_t max_block;
    int64_t max_depth_nesting;

    /* Options that someone set, a bit each in the order of the table. A format
     * may have defaults of its own, which only these override. */
    uint64_t given[2];
} tfp_options;

extern const tfp_option tfp_option_table[];
extern const size_t tfp_option_table_count;

/* Spellings of 2016, understood but not listed. */
extern const tfp_option tfp_older_options[];
extern const size_t tfp_older_option_count;

/* ---- Life --------------------------------------------------------------- */

/* Every option at its default. False when out of memory; releasing is
 * allowed then. */
bool tfp_options_init(tfp_options *options, tfp_memory *memory);
void tfp_options_release(tfp_options *options);

/* All values once more, in the same memory. False when out of memory;
 * releasing is allowed then. */
bool tfp_options_copy(const tfp_options *options, tfp_options *out);

/* ---- Names and values --------------------------------------------------- */

/* The option of that name, "-" and "_" being the same, or NULL. Older
 * spellings are found too. */
const tfp_option *tfp_option_find(const char *name);

/* The most similar name, or NULL when none is similar. */
const tfp_option *tfp_option_nearest(const char *name);

/* Sets an option from text. On failure nothing has changed. */
int tfp_options_set(tfp_options *options, const char *name, const char *value,
                    tfprof_error *err);

/* Did someone set it, be it to its default? */
bool tfp_options_give(const tfp_options *options, const char *name);

/* Writes a value as text that would set it again: cut when it does not fit,
 * always ended by NUL. The length needed without it. */
size_t tfp_options_print(const tfp_options *options, const tfp_option *option,
                         char *buffer, size_t size);

#endif
