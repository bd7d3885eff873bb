/*
 * coverage.h - how much of a graph ran, and how much memory a device gave away.
 *
 * Inputs are added one after the other, in their order: the counts are those of
 * TensorFlow's profiler, to which the graph was given first.
 */
#ifndef TFP_MODEL_COVERAGE_H
#define TFP_MODEL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

typedef struct tfp_coverage {
    const tfp_model *model;
    int64_t nodes;   /* of the graph; and those that only records name */
    int64_t covered; /* of these, with a record */
    uint8_t *states; /* by tfp_string: is it known, is it covered */
    int64_t *peaks;  /* by tfp_string: of a device of the last input */
} tfp_coverage;

/* False when out of memory: it takes no input then. */
bool tfp_coverage_init(tfp_coverage *coverage, const tfp_model *model);
void tfp_coverage_release(tfp_coverage *coverage);

/* Does an input hold run records, one by one, and is there memory to count
 * them? */
bool tfp_coverage_takes(const tfp_coverage *coverage, const tfp_input *input);

/* Counts the run records in the steps of an input, and takes note of the peaks
 * of its devices. */
void tfp_coverage_add(tfp_coverage *coverage, const tfp_input *input);

/* The most memory that was in use on a device, as the records of the input that
 * was added last say; 0 when they do not. */
int64_t tfp_coverage_peak(const tfp_coverage *coverage, tfp_string device);

#endif
