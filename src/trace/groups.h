/*
 * groups.h - which events belong to which step.
 *
 * A trace marks the start of a step by a root event. What belongs to it is
 * what can be reached from there: events inside of it on the same thread, and
 * on other threads those that it produced, so named by a type and an id.
 *
 * Most events only belong to the one they are inside of. So groups are formed
 * over anchors: roots, events that another thread produced, and the few others
 * that links lead to. Any other event has the group of the anchor that it is
 * inside of, and costs nothing here.
 *
 * Roots of a higher level go first, of one level the earlier; a group takes
 * all that it reaches and that no group before it took.
 *
 * Where TensorFlow runs a loop, each iteration is a root in place of all
 * others, as in xprof.
 */
#ifndef TFP_TRACE_GROUPS_H
#define TFP_TRACE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"

typedef struct tfp_anchor {
    uint32_t parent; /* that it is inside of, or TFP_NO_ID */
    uint32_t group;  /* TFP_NO_ID before and when none reaches it */
    uint32_t first_child, next_sibling;
    int64_t level; /* of a root; else 0 */
    int64_t begin, end;
    int64_t step;      /* the number of its step */
    int64_t iteration; /* of a loop */
    int64_t id;        /* of the graph that it runs */
    bool has_step, has_iteration, has_id;
    bool is_executor; /* runs an iteration of a graph, both of which it names */
    bool is_iteration; /* and is the first to do so in a loop: a root */
    uint32_t loop;     /* the context of its iteration, or TFP_NO_ID */
    bool is_named;     /* as a root it says itself that it is a step */
    bool is_loose;     /* belongs to the group in whose time it begins */
    bool is_data; /* runs a function of an input pipeline: not a step, though
                   * it may enclose roots */
} tfp_anchor;

typedef struct tfp_link {
    uint32_t context;
    uint32_t anchor;
} tfp_link;

/* A step: a root, and the number it has. */
typedef struct tfp_group {
    uint32_t root; /* anchor */
    int64_t step;
    bool has_step; /* the trace numbers it */
} tfp_group;

typedef struct tfp_groups {
    tfp_memory *memory;
    uint64_t seed;
    bool has_marked_steps; /* roots that no loop replaces */
    bool has_iterations;   /* loops were found: their iterations are roots */
    TFP_VEC(tfp_anchor) anchors;
    tfp_interner contexts; /* {type, id, process}, each a uint64_t */
    TFP_VEC(tfp_link) producers, consumers;
    TFP_VEC(tfp_group) groups;
    /* Roots by time, for events that no link reaches: */
    TFP_VEC(uint32_t) by_begin; /* groups */
    TFP_VEC(uint32_t) around;   /* index into by_begin, or TFP_NO_ID */
} tfp_groups;

/* False when out of memory; releasing is allowed then. */
bool tfp_groups_init(tfp_groups *groups, tfp_memory *memory, uint64_t seed);
void tfp_groups_release(tfp_groups *groups);

/* The index of a new anchor; TFP_NO_ID when out of memory. */
uint32_t tfp_groups_add(tfp_groups *groups, tfp_anchor anchor);

/* Contexts of our own go with these types, which no trace has. */
enum { TFP_CONTEXT_EXECUTOR = -1, TFP_CONTEXT_ITERATION = -2 };

/* What an anchor produces, and what it consumes. An event that is inside of no
 * anchor cannot be reached, and produces nothing. */
bool tfp_groups_produce(tfp_groups *groups, uint32_t anchor, int64_t type,
                        int64_t id, int64_t process);
bool tfp_groups_consume(tfp_groups *groups, uint32_t anchor, int64_t type,
                        int64_t id, int64_t process);

/* Forms the groups. False when out of memory. */
bool tfp_groups_form(tfp_groups *groups);

/* Makes each root last until the next one begins, and the last one until `end`
 * or its own end, whichever is later. */
void tfp_groups_stretch(tfp_groups *groups, int64_t end);

/* The root that begins last, as a group; TFP_NO_ID if there is none. */
static inline uint32_t tfp_groups_last(const tfp_groups *groups)
{
    return groups->by_begin.count == 0
               ? TFP_NO_ID
               : groups->by_begin.data[groups->by_begin.count - 1];
}

static inline const tfp_anchor *tfp_groups_root(const tfp_groups *groups,
                                                uint32_t group)
{
    return &groups->anchors.data[groups->groups.data[group].root];
}

/* Adds a group that lasts from `begin` to `end`, in place of those of roots.
 * tfp_groups_order() follows the last one. False when out of memory. */
bool tfp_groups_put(tfp_groups *groups, int64_t step, int64_t begin,
                    int64_t end);
bool tfp_groups_order(tfp_groups *groups);

/* The group of an anchor, which may be TFP_NO_ID. */
static inline uint32_t tfp_groups_of(const tfp_groups *groups, uint32_t anchor)
{
    return anchor == TFP_NO_ID ? TFP_NO_ID : groups->anchors.data[anchor].group;
}

/* The group in whose time a moment is, or TFP_NO_ID. */
uint32_t tfp_groups_at(const tfp_groups *groups, int64_t moment);

#endif
