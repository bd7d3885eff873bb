/*
 * profile_parts.h - the parts of a ProfileProto, for profile.c alone.
 *
 * All of them put into one tfp_put, which holds the message of one node at a
 * time; what they keep besides are arrays of numbers, by member, by name or by
 * run record.
 */
#ifndef TFP_OUTPUT_PROFILE_PARTS_H
#define TFP_OUTPUT_PROFILE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/model.h"
#include "proto/put.h"
#include "proto/schema.h"

/* ---- Runs: profile_execs.c ---------------------------------------------- */

/* The run records of every member, in the order of the ids of their steps. */
typedef struct tfp_profile_runs {
    const tfp_census *census;
    tfp_memory *memory;
    size_t step_count, member_count, record_count;
    uint32_t *steps;      /* indices into model->steps, by rising id */
    uint32_t *step_start; /* the number of a step's first record */
    uint32_t *first;      /* of each member, and one more: into `records` */
    uint32_t *records;    /* numbers of records */
    uint32_t *rank;       /* of each device, in the order of their names */
    TFP_VEC(tfp_sort_item) times; /* of one member in one step */
} tfp_profile_runs;

/* After a failure releasing is allowed. */
int tfp_profile_runs_init(tfp_profile_runs *runs, const tfp_census *census,
                          tfprof_error *err);
void tfp_profile_runs_release(tfp_profile_runs *runs);

/* ProfileNode.execs of a member. */
void tfp_profile_put_runs(tfp_put *put, tfp_profile_runs *runs,
                          uint32_t member);

/* ---- Nodes: profile_nodes.c --------------------------------------------- */

typedef struct tfp_profile_nodes {
    const tfp_census *census;
    tfp_memory *memory;
    tfp_profile_runs runs;
    uint32_t *string_ids; /* by tfp_string: its number in the file, or 0 */
    TFP_VEC(tfp_string) strings; /* those with a number, from 1 on */
    /* While one node is put. By member: the node that takes an input from it,
     * and which output it takes. */
    uint32_t *taken_by;
    int32_t *taken;
    TFP_VEC(int64_t) notes;       /* the value of TFP_INPUTS_ATTR */
    TFP_VEC(tfp_stack) stack;     /* its call stack, from the innermost */
    TFP_VEC(tfp_string) types;    /* its types */
    TFP_VEC(tfp_sort_item) order; /* of types or attributes */
    bool failed;                  /* out of memory */
} tfp_profile_nodes;

int tfp_profile_nodes_init(tfp_profile_nodes *nodes, const tfp_census *census,
                           tfprof_error *err);
void tfp_profile_nodes_release(tfp_profile_nodes *nodes);

/* ProfileProto.nodes: the entry of a member. */
void tfp_profile_put_node(tfp_put *put, tfp_profile_nodes *nodes,
                          uint32_t member);

/* Room to sort `count` things, and for the scratch behind them. NULL when out
 * of memory, which is remembered. */
tfp_sort_item *tfp_profile_order(tfp_profile_nodes *nodes, size_t count);

/* ---- Attributes: profile_attrs.c ---------------------------------------- */

/* ProfileNode.attrs, with nodes->notes among them. */
void tfp_profile_put_attrs(tfp_put *put, tfp_profile_nodes *nodes,
                           tfp_attrs attrs);

#endif
