/*
 * names.h - the names of all nodes in order, to find those that begin alike.
 */
#ifndef TFP_MODEL_NAMES_H
#define TFP_MODEL_NAMES_H

#include "base/bytes.h"
#include "base/error.h"
#include "model/census.h"

typedef struct tfp_names {
    const tfp_census *census;
    uint32_t *members; /* by name */
    size_t count;
} tfp_names;

/* Sorts the members of a census, which must outlive it. After a failure
 * releasing is allowed. */
int tfp_names_init(tfp_names *names, const tfp_census *census,
                   tfprof_error *err);
void tfp_names_release(tfp_names *names);

/* Where a walk over what `prefix` can be continued to has come. */
typedef struct tfp_names_walk {
    const tfp_names *names;
    tfp_span prefix;
    size_t at;
} tfp_names_walk;

tfp_names_walk tfp_names_starting(const tfp_names *names, tfp_span prefix);

/* The next continuation, in the order of bytes: a name up to and with the
 * first "/" behind the prefix, or a whole one. False at the end. Takes a
 * search of the names, however many begin with what it skips. */
bool tfp_names_next(tfp_names_walk *walk, tfp_span *out);

#endif
