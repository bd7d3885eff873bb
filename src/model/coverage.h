/*
 * coverage.h - how much of a graph ran, and how much memory a device gave away.
 *
 * Inputs are asked one after the other; what an input tells is what its steps
 * hold.
 */
#ifndef TFP_MODEL_COVERAGE_H
#define TFP_MODEL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

typedef struct tfp_coverage {
    const tfp_model *model;
    int64_t nodes;    /* of the graph, each name once */
    int64_t covered;  /* by all inputs so far */
    uint32_t *rounds; /* by tfp_string: the last input that has a record of the
                       * node, from 1 on; 0: none so far */
    int64_t *peaks;   /* by tfp_string: of a device of the input */
    uint32_t round;
} tfp_coverage;

/* False when out of memory; releasing is allowed then. */
bool tfp_coverage_init(tfp_coverage *coverage, const tfp_model *model);
void tfp_coverage_release(tfp_coverage *coverage);

/* The nodes of the graph that have a run record in the steps of an input.
 * Takes note of the peaks of its devices. */
int64_t tfp_coverage_add(tfp_coverage *coverage, const tfp_input *input);

/* The most memory that was in use on a device, as the records of the input that
 * was added last say; 0 when they do not. */
int64_t tfp_coverage_peak(const tfp_coverage *coverage, tfp_string device);

#endif
