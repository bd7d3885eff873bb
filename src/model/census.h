/*
 * census.h - every node that a profile speaks of, once.
 *
 * Graphs name nodes, and so do run records: a record about a node that no
 * graph has makes a member too, as upstream does. Of two graphs that have a
 * node of the same name the first one counts; what a log or profile notes about
 * it counts whichever of them it was noted at. Where neither graphs nor runs
 * say anything, the tensors of checkpoints are the members.
 *
 * A node belongs to one device: the first plain CPU or GPU that it ran on.
 * Records from another such device are not about this node and do not count.
 * Those of a trace all count, whatever their device; a node that only traces
 * know has the one of these whose name sorts first, accelerators before CPUs.
 */
#ifndef TFP_MODEL_CENSUS_H
#define TFP_MODEL_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "model/steps.h"

/* What a run record counts for. */
enum {
    TFP_COUNTS_CPU_TIME = 1 << 0,
    TFP_COUNTS_ACCELERATOR_TIME = 1 << 1,
    TFP_COUNTS_TIME = TFP_COUNTS_CPU_TIME | TFP_COUNTS_ACCELERATOR_TIME,
    TFP_COUNTS_RUN = 1 << 2, /* it is one run of its node */
    TFP_COUNTS_MEMORY = 1 << 3,
    TFP_COUNTS_TOTAL = 1 << 4, /* sums of a profile, beside its records */
    TFP_COUNTS_RUNS = 1 << 5   /* it is as many runs as its detail says */
};

/* What a device's name says about its records. */
typedef struct tfp_device_role {
    tfp_string name;   /* in small letters */
    tfp_string device; /* without its place and stream, in small letters */
    tfp_exec_kind kind;
    uint32_t counts;     /* TFP_COUNTS_*, of records with a start */
    bool owns_nodes;     /* ".../gpu:0": its records place a node */
    bool is_accelerator; /* "stream:all": time spent on the accelerator */
} tfp_device_role;

typedef struct tfp_member {
    tfp_string name;
    tfp_node node;            /* in model->nodes, or TFP_NO_NODE */
    tfp_node noted;           /* the one of its name that a log speaks of */
    tfp_string device;        /* in small letters; 0 when it never ran */
    uint32_t steps : 26;      /* in how many steps it ran; not the rest */
    uint32_t is_of_graph : 1; /* a file has it, not only what ran */
    uint32_t
        is_accelerated : 1;    /* with is_lent: the device is an accelerator */
    uint32_t has_run : 1;      /* in a step or in the rest */
    uint32_t is_lent : 1;      /* its device is of a trace, and gives way */
    uint32_t is_stored : 1;    /* it is a tensor of a checkpoint, no node */
    uint32_t from_profile : 1; /* `noted` is of a ProfileProto */
} tfp_member;

/* A member as it was before the last renewal. */
typedef struct tfp_member_change {
    uint32_t member;
    tfp_member before;
} tfp_member_change;

/* The state that each renewal of a census begins with: that of the graphs. */
typedef struct tfp_census_base {
    size_t graphs, nodes, members; /* their numbers */
    int64_t clashing_nodes;
    uint32_t clashing_input;
    bool has_negatives, misses_stream, has_traces;
    tfp_stack *logged; /* stacks of op logs, by name, or NULL */
    size_t logged_count;
} tfp_census_base;

typedef struct tfp_census {
    tfp_memory *memory;
    const tfp_model *model;
    TFP_VEC(tfp_member) members; /* those of graphs first */
    uint32_t *by_name;           /* member of a tfp_string, or TFP_NO_ID */
    size_t name_count;
    size_t name_room;    /* of by_name and last_step */
    uint32_t *last_step; /* by tfp_string; NULL between two takes of a census
                          * that is not renewed */
    bool is_renewed;     /* the rest of this block is used */
    bool has_traces;     /* see tfp_census_has_traces() */
    uint32_t next_step;  /* numbers in last_step that are not used yet */
    tfp_census_base base;
    TFP_VEC(tfp_member_change) changes; /* of members of the base */
    tfp_device_role *roles;             /* of each entry of model->devices */
    size_t role_count;
    const int64_t *counted; /* float operations of each node as formulas have
                             * them, borrowed; NULL: as logs say */
    const uint8_t *counts_params; /* of the first counting_nodes, whether their
                                   * parameters count, borrowed; NULL: all do */
    size_t counting_nodes;
    int64_t placed_records;  /* run records about a node of a graph */
    int64_t clashing_nodes;  /* whose name has another op in an earlier input */
    uint32_t clashing_input; /* that the first of them is of */
    bool has_negatives;      /* some cost of some node may be below 0 */
    bool misses_stream;      /* work on an accelerator, but no times from it */
    tfp_watch watch;         /* while it is taken */
} tfp_census;

/* Takes the census of all that was loaded. The model gains a few strings.
 * `cancel` may be NULL. After a failure releasing is allowed. */
int tfp_census_init(tfp_census *census, tfp_model *model, tfp_memory *memory,
                    const tfp_cancel *cancel, tfprof_error *err);
void tfp_census_release(tfp_census *census);

/* Takes the census of the graphs and op logs alone, to renew it when the model
 * has records of runs. */
int tfp_census_begin(tfp_census *census, tfp_model *model, tfp_memory *memory,
                     const tfp_cancel *cancel, tfprof_error *err);

/* Takes the census again after the records of the model were replaced. The
 * graphs that it began with must be the same; graphs behind them are read
 * again. Takes time for the records and for these graphs, but not for those
 * that it began with. After a failure it can only be released. */
int tfp_census_renew(tfp_census *census, tfp_model *model,
                     const tfp_cancel *cancel, tfprof_error *err);

/* What one record counts for. Without a start a run says nothing. */
static inline uint32_t tfp_record_counts(const tfp_device_role *role,
                                         const tfp_exec *exec)
{
    return role->kind == TFP_EXEC_RUN && exec->start <= 0 ? 0 : role->counts;
}

/* Is it about what a trace ran outside of all steps, and nothing else? */
static inline bool tfp_member_is_rest(const tfp_member *member)
{
    return member->has_run && member->steps == 0 && !member->is_of_graph;
}

/* The member of a record, or TFP_NO_ID when the record counts for nobody. */
uint32_t tfp_census_find(const tfp_census *census, const tfp_exec *exec);

/* Is it, or a stream of it, a device that computes for the CPU? The name is in
 * small letters. */
bool tfp_is_accelerator(tfp_span device);

/* The shape of a variable: its "shape" attribute, or what the checkpoint says
 * of one that is no node; TFP_SHAPE_NONE when there is neither. */
tfp_shape tfp_member_shape(const tfp_model *model, const tfp_member *member);

/* Where it was made; 0 when no log says so. */
tfp_stack tfp_member_trace(const tfp_model *model, const tfp_member *member);

/* Is that known of any member? */
bool tfp_census_has_traces(const tfp_census *census);

/* Its op; of a node that no graph has, its name; of a tensor of a checkpoint,
 * the type that it has. */
tfp_string tfp_member_op(const tfp_model *model, const tfp_member *member);

/* Its types into `types`, which has room for tfp_member_most_types(); how
 * many. They are its op, its device, what op logs call it and that it is in a
 * checkpoint, in no order and perhaps twice. */
size_t tfp_member_types(const tfp_model *model, const tfp_member *member,
                        tfp_string *types);
size_t tfp_member_most_types(const tfp_model *model, const tfp_member *member);

/* The type of what a checkpoint has, if this member is in one; else 0. */
tfp_string tfp_member_stored_type(const tfp_model *model,
                                  const tfp_member *member);

#endif
