/*
 * records.h - what run records tell of nodes: shapes, and how often they ran.
 *
 * Records of the first step count. A node has its own, or what was fed to it
 * has one under the name "_arg_NODE_0_0".
 */
#ifndef TFP_OPS_RECORDS_H
#define TFP_OPS_RECORDS_H

#include "base/memory.h"
#include "model/ids.h"
#include "ops/fact/shapes.h"
#include "ops/fact/site.h"

typedef struct tfp_record_run {
    uint32_t first, last; /* records with outputs; first may be TFP_NO_ID */
    uint32_t device;
    uint32_t count; /* of records on that device, outputs or not */
    uint32_t loops; /* of records of the condition of a loop called so */
    bool was_fed;
} tfp_record_run;

/* What the records of a node have in common of one output. */
typedef struct tfp_recorded {
    tfp_shape common;
    uint32_t record; /* the one looked at last */
} tfp_recorded;

struct tfp_records {
    uint32_t step;
    TFP_VEC(tfp_record_run) of;    /* by tfp_string */
    TFP_VEC(uint32_t) later;       /* of each record the next one of its node */
    TFP_VEC(tfp_recorded) outputs; /* of the node at hand */
};

/* False when out of memory. Does nothing if records are not asked for. */
bool tfp_records_init(tfp_shapes *shapes);
void tfp_records_release(tfp_shapes *shapes);

/* How often a node of that name ran, 0 when there is no record. Of a loop by
 * function, how often its condition did. */
int64_t tfp_records_of(const tfp_shapes *shapes, tfp_string name);
int64_t tfp_records_of_loop(const tfp_shapes *shapes, tfp_string name);

/* Puts what records say of the outputs of a node of the top graph, in our
 * grade: what all its runs have in common. */
void tfp_records_put(tfp_shapes *shapes, tfp_site *site);

/* Puts the rest as TensorFlow's profiler does, when all is walked: where a
 * shape is not complete the first record completes it, if it has as many
 * outputs as the node. */
void tfp_records_complete(tfp_shapes *shapes);

#endif
