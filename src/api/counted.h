/*
 * counted.h - float operations that no file gives, found by formulas; and
 * functions, walked for views.
 */
#ifndef TFP_API_COUNTED_H
#define TFP_API_COUNTED_H

#include "api/profile.h"
#include "base/memory.h"
#include "model/census.h"
#include "ops/flops/formula.h"
#include "ops/flops/formula_file.h"

/* What a question needs for its time. */
typedef struct tfp_counted_graph tfp_counted_graph;

typedef struct tfp_counting {
    tfprof_profile *profile;
    tfp_user_formulas formulas;
    TFP_VEC(tfp_counted_graph *) graphs; /* in the order they were counted */
    int64_t *float_ops;                  /* of each node of the model */
    size_t node_count;
    int64_t uncounted[TFP_COUNTED_COUNT]; /* nodes, by why they have none */
    int64_t macs; /* of all nodes, by tfprof's own formulas */
    bool walked;  /* the model and its census have nodes of functions */
    bool is_told; /* what a graph lists is all that TensorFlow knows */
} tfp_counting;

/* Gives the census float operations by formulas, where the view wants them, no
 * log has any, and the option `formulas` does not forbid it. With `functions`
 * walk, nodes of functions become members too. All of that holds until it is
 * ended, which a failure needs too. */
int tfp_counting_begin(tfp_counting *counting, tfprof_profile *profile,
                       const tfp_census **census, tfprof_error *err);
void tfp_counting_end(tfp_counting *counting);

/* How many operations have no count of float operations, of those that the
 * chosen formulas should count. */
int64_t tfp_counting_gaps(const tfp_counting *counting);

/* Says how many operations have no count of float operations, and why. */
void tfp_remark_on_counting(const tfp_counting *counting);

#endif
