/*
 * trips.h - how often a loop goes around.
 *
 * A loop is its variables, a condition and what comes back. Where the
 * condition depends only on numbers that are known, the loop is run: first by
 * a rule, if it counts up or down to a bound, else step by step on the few
 * nodes that matter, by the same functions that give shapes and contents to
 * all nodes. Otherwise run records may have counted, or the user has.
 */
#ifndef TFP_OPS_TRIPS_H
#define TFP_OPS_TRIPS_H

#include "base/bytes.h"
#include "ops/fact/shapes.h"

typedef struct tfp_trip_variable {
    uint32_t in_cond; /* tensors: where the condition sees it, where */
    uint32_t in_body; /* the body does, and what the body makes of */
    uint32_t next;    /* it; each may be TFP_NO_ID */
    bool is_same;     /* the body passes it on */
    bool is_needed;   /* the condition depends on it */
    tfp_fact now;     /* at first its start, in the end its last value */
    tfp_fact then;    /* after the round that is under way */
} tfp_trip_variable;

typedef struct tfp_trip_loop {
    tfp_shapes *shapes;
    uint32_t cond, body; /* instances, which have been walked */
    uint32_t answer;     /* tensor of cond: does it go on? */
    tfp_trip_variable *variables;
    size_t count;
    uint32_t *needed; /* while it runs: numbers of those needed */
    size_t needed_count;
    bool in_frame; /* a TF1 loop: it ends at Enter and Exit */
} tfp_trip_loop;

/* Runs the loop: the number of times, or -1 when that cannot be known. `now`
 * of variables is their last value then, or no value. */
int64_t tfp_trips_evaluate(tfp_trip_loop *loop);

/* Decides: what run records say comes first (`runs` of the condition, 0 when
 * there is no record), then what was evaluated (*rule says so), then what the
 * user gives for any of the names of a loop in an instance. Else once. */
void tfp_trips_settle(const tfp_shapes *shapes, uint32_t instance,
                      const tfp_span *names, size_t name_count, int64_t runs,
                      int64_t *trips, tfp_times_rule *rule);

/* ---- Loops that count (counter.c) --------------------------------------- */

/* How often, by rule: each part of the condition holds a variable that changes
 * by a constant against a bound. -1 when it is no such loop. */
int64_t tfp_trips_count(const tfp_trip_loop *loop);

/* What a variable that changes by a constant is after so many times around,
 * into `now`. False when it is not known. */
bool tfp_trips_count_to(const tfp_trip_loop *loop, tfp_trip_variable *variable,
                        int64_t trips);

/* The variable that a tensor of an instance is, or NULL. */
tfp_trip_variable *tfp_trips_variable(const tfp_trip_loop *loop, bool in_cond,
                                      uint32_t tensor);

/* The node that a tensor comes from. */
uint32_t tfp_layout_producer(const tfp_layout *layout, uint32_t node_count,
                             uint32_t tensor);

#endif
