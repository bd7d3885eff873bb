/*
 * report.h - what a model costs in all, by type and by layer, and what of it
 * was not counted.
 */
#ifndef TFP_OPS_REPORT_H
#define TFP_OPS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"
#include "ops/flops/count.h"
#include "ops/flops/params.h"

/* ---- What is asked ------------------------------------------------------ */

typedef enum tfp_formula_set {
    TFP_SET_FULL,
    TFP_SET_TENSORFLOW, /* dead nodes count too */
    TFP_SET_NONE
} tfp_formula_set;

typedef enum tfp_report_order {
    TFP_REPORT_BY_FLOAT_OPS,
    TFP_REPORT_BY_INT_OPS,
    TFP_REPORT_BY_MACS,
    TFP_REPORT_BY_PARAMS,
    TFP_REPORT_BY_NODES,
    TFP_REPORT_BY_NAME,
    TFP_REPORT_BY_PLACE /* layers as the model has them; types as by float
                         * operations */
} tfp_report_order;

typedef struct tfp_report_request {
    tfp_formula_set set;
    int64_t depth; /* parts of a name that are a layer; -1: found */
    tfp_report_order order;
} tfp_report_request;

/* ---- What is found ------------------------------------------------------ */

/* Why a node that computes was not counted. */
typedef enum tfp_why {
    TFP_WHY_NO_FORMULA,
    TFP_WHY_UNKNOWN_SHAPE,
    TFP_WHY_REFUSED,   /* TensorFlow does not count this layout of data */
    TFP_WHY_NOT_ASKED, /* a call, and functions were not to be walked */
    TFP_WHY_MISSING,   /* a call of a function that is not there */
    TFP_WHY_RECURSIVE, /* of one that calls itself */
    TFP_WHY_DEEP,      /* inside too many others */
    TFP_WHY_MANY,      /* after too many others */
    TFP_WHY_GRADIENT,  /* of a function that nobody has written down */
    TFP_WHY_COUNT
} tfp_why;

/* What came of a node. */
typedef enum tfp_outcome {
    TFP_OUTCOME_COUNTED,
    TFP_OUTCOME_FREE,
    TFP_OUTCOME_CALLED,
    TFP_OUTCOME_DEAD,
    TFP_OUTCOME_PASSED, /* it is in the cheaper branch */
    TFP_OUTCOME_UNCOUNTED
} tfp_outcome;

typedef struct tfp_verdict {
    tfp_outcome outcome;
    tfp_why why;   /* with UNCOUNTED */
    tfp_work work; /* of all times that it runs */
} tfp_verdict;

/* A type of operation, or a layer. */
typedef struct tfp_report_row {
    uint32_t name; /* a type's tfp_string; of a layer, in `layer_names` */
    uint32_t nodes, uncounted;
    tfp_work work;
    int64_t params;   /* of a layer, as are the others below */
    tfp_shape output; /* of what leaves it last, or TFP_SHAPE_NONE */
    uint32_t place;   /* of its first node in the subject, or TFP_NO_ID */
} tfp_report_row;

/* How many nodes of a type were not counted, by reason. */
typedef struct tfp_type_whys {
    int64_t of[TFP_WHY_COUNT];
} tfp_type_whys;

typedef struct tfp_uncounted_node {
    uint32_t instance, node;
    tfp_why why;
    int32_t input; /* the first whose shape is not known, or -1 */
} tfp_uncounted_node;

/* There may be as many layers as nodes, so rows stay where they are. */
typedef struct tfp_report_rows {
    TFP_VEC(tfp_report_row) all;
    uint32_t *order; /* all of them, as was asked */
} tfp_report_rows;

/* What a model is fed with. */
typedef struct tfp_model_input {
    tfp_string key;  /* a signature's name for it, or 0 */
    tfp_string name; /* of the node */
    int32_t dtype;
    tfp_shape stored; /* as the file says; made safe */
    tfp_shape used;   /* as it was counted with */
    bool is_one;      /* the batch is open in the file, and one was assumed */
} tfp_model_input;

/* A loop: the node that makes it (While, or the LoopCond of TF1). */
typedef struct tfp_report_loop {
    uint32_t instance, node;
    int64_t trips;
    tfp_times_rule rule;
} tfp_report_loop;

typedef struct tfp_report {
    tfp_memory *memory;
    tfp_shapes *shapes;
    const tfp_counts *counts;
    const tfp_params *params;
    tfp_report_request request;
    tfp_sort_item *unwalked; /* calls, by instance and node: two arrays, the
                              * second one is scratch */
    TFP_VEC(tfp_model_input) inputs;
    tfp_work work;
    int64_t tensorflow; /* float operations as its profiler has them */
    int64_t nodes;      /* that are wanted, free ones too */
    int64_t compute;    /* of them, those that do arithmetic */
    int64_t counted;    /* of these */
    int64_t by_why[TFP_WHY_COUNT];
    int64_t dead_nodes; /* that compute, and that nothing needs */
    tfp_work dead;      /* what they would add */
    int64_t branches;   /* nodes of which the dearer side counts */
    TFP_VEC(tfp_report_loop) loops;
    tfp_report_rows types, layers;
    TFP_VEC(tfp_type_whys) whys; /* of each of types.all */
    tfp_interner layer_names;
    TFP_VEC(uint8_t)
    scope; /* that all layers share and their names leave
            * out: "model/" */
    TFP_VEC(tfp_uncounted_node) uncounted;
    tfp_watch watch; /* while it is made */
} tfp_report;

/* After a failure releasing is allowed. */
int tfp_report_init(tfp_report *report, const tfp_counts *counts,
                    const tfp_params *params, const tfp_report_request *request,
                    tfp_memory *memory, tfprof_error *err);
void tfp_report_release(tfp_report *report);

/* Is the instance in a branch that costs less than another one? */
bool tfp_report_passes(const tfp_report *report, uint32_t instance);

/* What came of a node of an instance, by a set of formulas. */
tfp_verdict tfp_report_verdict(const tfp_report *report, tfp_formula_set set,
                               uint32_t instance, uint32_t node);

/* Is what was found less than what there is? Something was not counted, or a
 * loop counts once because nobody knows its trips. */
bool tfp_report_is_partial(const tfp_report *report);

/* Has any figure of it stopped at the largest there is? */
bool tfp_report_is_saturated(const tfp_report *report);

/* ---- For the parts of it ------------------------------------------------ */

/* Calls `visit` for each node of what counts, free ones left out, until it is
 * false or the question is cancelled. False then. */
typedef bool tfp_report_visit_fn(void *context, uint32_t instance,
                                 uint32_t node, const tfp_verdict *verdict);
bool tfp_report_visit(tfp_report *report, tfp_report_visit_fn *visit,
                      void *context);

/* Lists what the model is fed with. False when out of memory. */
bool tfp_report_add_inputs(tfp_report *report);

/* Puts what counts into layers. False when out of memory. */
bool tfp_report_add_layers(tfp_report *report);

/* Sorts types or layers as was asked. False when out of memory. */
bool tfp_report_sort(tfp_report *report, tfp_report_rows *rows, bool layers);

#endif
