/*
 * places.h - the keys of a node: its scope, its operation type, its line.
 *
 * A node has the same keys in each step, so they are found once and stored by
 * its name. Two things can change between steps and are compared: the device,
 * and whether the name is also a scope of another node of the step.
 */
#ifndef TFP_AGGREGATE_PLACES_H
#define TFP_AGGREGATE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/rows.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/model.h"

typedef struct tfp_agg_place {
    uint32_t keys[TFP_AGG_VIEWS]; /* or TFP_NO_ID */
    tfp_string device;
    uint8_t kind;
    bool is_known;    /* else nothing above is set */
    bool was_scope;   /* when the keys were found */
    bool has_no_line; /* keys[TFP_AGG_CODE] is known to be TFP_NO_ID */
} tfp_agg_place;

/* The position of a name in the tree of scopes. */
typedef struct tfp_agg_scope {
    uint32_t parent; /* the name of its scope, or TFP_NO_ID */
    uint32_t mark;   /* the last step in which it was a scope */
    bool is_known;
    bool is_deep; /* below max_depth: counted in the row of `parent` */
} tfp_agg_scope;

/* The places of the nodes of one model, which must outlive it. */
typedef struct tfp_agg_places {
    tfp_agg_rows *rows;
    tfp_model *model;
    uint32_t max_depth;
    uint32_t step; /* the current mark: calls of tfp_agg_places_begin() */
    bool has_graph_marks;
    TFP_VEC(tfp_agg_place) places; /* by tfp_string */
    TFP_VEC(tfp_agg_scope) scopes; /* by tfp_string */
    TFP_VEC(tfp_string) path;
} tfp_agg_places;

/* The device of a row: the device without its job, replica and task. Each
 * worker has its own task, and the same row of two workers must have the same
 * id. A name that does not start with all three, or has nothing else, stays
 * whole. */
tfp_span tfp_agg_device(tfp_span device);

void tfp_agg_places_init(tfp_agg_places *places, tfp_agg_rows *rows,
                         tfp_model *model, uint32_t max_depth);
void tfp_agg_places_release(tfp_agg_places *places);

/* Prepares for the steps that the model has now. `census` must describe the
 * current state of the model. `cancel` may be NULL. */
int tfp_agg_places_begin(tfp_agg_places *places, const tfp_census *census,
                         const tfp_cancel *cancel, tfprof_error *err);

/* The place of a member; NULL when out of memory. */
const tfp_agg_place *tfp_agg_places_find(tfp_agg_places *places,
                                         const tfp_member *member);

#endif
