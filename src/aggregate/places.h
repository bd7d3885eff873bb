/*
 * places.h - the keys of a node: its scope, its operation type, its line.
 *
 * A node has the same keys in each step, so they are found once for each device
 * that it runs on, and stored by its name. One thing can change between steps
 * and is compared: whether the name is also a scope of another node of the
 * step.
 */
#ifndef TFP_AGGREGATE_PLACES_H
#define TFP_AGGREGATE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/rows.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/model.h"
#include "view/code_lines.h"

/* The keys of a node on one device. */
typedef struct tfp_agg_on_device {
    tfp_string device; /* tfp_device_role.device */
    tfp_string base;   /* the name of the node without a number */
    uint32_t scope, op;
    bool is_known;  /* else nothing above is set */
    bool was_scope; /* when the keys were found */
} tfp_agg_on_device;

typedef struct tfp_agg_place {
    tfp_agg_on_device first; /* the device that it was found on first */
    uint32_t line;           /* the key of its line; TFP_NO_ID: not searched */
    uint8_t kind;
    bool is_known; /* else `line` and `kind` are not set */
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
    const tfp_census *census; /* of the current steps */
    bool has_lines;           /* they have rows in the view code */
    uint32_t max_depth;
    uint32_t step; /* the current mark: calls of tfp_agg_places_begin() */
    bool has_graph_marks;
    TFP_VEC(tfp_agg_place) places;     /* by tfp_string */
    TFP_VEC(tfp_agg_on_device) others; /* of nodes on further devices */
    tfp_interner other_keys; /* {name, device}: item k + 1 is others.data[k] */
    TFP_VEC(tfp_agg_scope) scopes; /* by tfp_string */
    TFP_VEC(tfp_string) path;
    tfp_code_lines *lines;       /* or NULL */
    TFP_VEC(uint32_t) line_keys; /* by row of `lines` and kind, or TFP_NO_ID */
} tfp_agg_places;

void tfp_agg_places_init(tfp_agg_places *places, tfp_agg_rows *rows,
                         tfp_model *model, uint32_t max_depth);
void tfp_agg_places_release(tfp_agg_places *places);

/* Prepares for the steps that the model has now. `census` must describe the
 * current state of the model; it must be the same one each time, renewed, and
 * outlive the places. */
int tfp_agg_places_begin(tfp_agg_places *places, const tfp_census *census,
                         tfprof_error *err);

/* Forgets the nodes of the graphs from `first_graph` on and of all records.
 * They are removed from the model, and later nodes with their names can have
 * other types. */
void tfp_agg_places_forget(tfp_agg_places *places, size_t first_graph);

/* The keys of a member in each view, or TFP_NO_ID where it has none. `device`
 * is that of the role of its record. False when out of memory. */
bool tfp_agg_places_find(tfp_agg_places *places, const tfp_member *member,
                         tfp_string device, uint32_t keys[TFP_AGG_VIEWS]);

#endif
