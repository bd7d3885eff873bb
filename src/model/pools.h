/*
 * pools.h - memory over time: how much was in use, when most, and by whom.
 *
 * A pool is memory that one allocator hands out: on a host of a trace, or on a
 * device of RunMetadata. Where RunMetadata has no records of allocations, the
 * pool of a device is estimated from the outputs of its nodes.
 *
 * Records are gathered only when TFP_GATHER_MEMORY is set before the inputs are
 * read, since a trace may have millions. A trace keeps no more of them than its
 * pools; those of RunMetadata stay, so that any step can be asked for.
 */
#ifndef TFP_MODEL_POOLS_H
#define TFP_MODEL_POOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"

/* ---- Pools -------------------------------------------------------------- */

typedef enum tfp_pool_source {
    TFP_POOL_TRACE,   /* an allocator of a host, from its events */
    TFP_POOL_RECORDS, /* an allocator of a device, from RunMetadata */
    TFP_POOL_ESTIMATE /* a device: sizes and lifetimes of outputs */
} tfp_pool_source;

/* What the name of a holder is. */
typedef enum tfp_holder {
    TFP_HOLDER_UNKNOWN,  /* there is no name */
    TFP_HOLDER_NODE,     /* an operation */
    TFP_HOLDER_FUNCTION, /* a function of JAX that was called: "jit(f)" */
    TFP_HOLDER_EVENT     /* what the thread did: "DevicePut" */
} tfp_holder;

/* Who holds memory, and for what. Equal ones are one entry of a live set, so
 * it has no gaps between its members. */
typedef struct tfp_live_kind {
    tfp_string name;
    tfp_string type;   /* of a node that no graph has; see tfp_live_type() */
    tfp_string region; /* "output", "temp"; a trace says */
    tfp_string dims;   /* "[64,10]" as a trace writes it */
    tfp_shape shape;   /* the same from RunMetadata */
    int32_t dtype;     /* as TensorFlow numbers them, or 0 */
    uint32_t holder;   /* tfp_holder */
} tfp_live_kind;

typedef struct tfp_live {
    tfp_live_kind kind;
    int64_t bytes;     /* as the allocator rounds */
    int64_t requested; /* 0 when it is not told */
    int64_t count;     /* of blocks */
} tfp_live;

/* Points of a curve, each the largest in an equal part of the time. */
enum { TFP_POOL_POINTS = 64 };

/* Points of a finer curve: only parts of the time that have events have one,
 * at the time of its largest level. */
enum { TFP_POOL_FINE_POINTS = 2000 };

typedef struct tfp_pool_point {
    int64_t at, bytes;
    uint32_t place; /* among the events by time */
} tfp_pool_point;

/* A peak other than the highest: a point of the finer curve with lower points
 * beside it, and what held most of its memory. */
enum { TFP_POOL_PEAKS = 49, TFP_POOL_PEAK_HOLDERS = 20 };

typedef struct tfp_pool_peak {
    uint32_t point;                       /* of the finer curve */
    size_t count;                         /* of holders */
    tfp_live live[TFP_POOL_PEAK_HOLDERS]; /* the largest first */
    int64_t others;                       /* bytes of all other holders */
} tfp_pool_peak;

typedef struct tfp_pool {
    tfp_pool_source source;
    tfp_string place; /* a host, or a device */
    tfp_string name;  /* of the allocator, or its number; empty: estimated */
    int64_t peak;     /* bytes */
    int64_t peak_at;  /* in picoseconds since the trace or the step began; of
                       * equal peaks the last, of which most is known */
    int64_t first_at, last_at; /* of all records */
    int64_t curve[TFP_POOL_POINTS];
    size_t points;
    TFP_VEC(tfp_pool_point) fine;
    TFP_VEC(tfp_pool_peak) peaks; /* by time; see tfp_pool_request */
    int64_t step;                 /* that the peak is in */
    bool has_step;
    int64_t steps;         /* of RunMetadata, of which this one has the most */
    int64_t capacity;      /* 0 when it is not known */
    int64_t reported_peak; /* by the allocator, with what was there before the
                            * trace or the step; 0 when it is not known */
    /* The live set at the peak, the largest first: */
    TFP_VEC(tfp_live) live;
    int64_t reserved;      /* not for blocks; the stack of a TPU */
    int64_t early;         /* allocated before the first record, freed later */
    int64_t early_count;   /* blocks of that */
    int64_t unaccounted;   /* what else was allocated before, and never freed */
    int64_t missing_frees; /* bytes of the live set that cannot be live */
    /* Counts: */
    int64_t allocations, frees;
    int64_t unmatched_frees; /* of a block that was free already */
    int64_t odd_records;     /* with a size or a level below 0: 0 instead */
    /* Estimated: */
    int64_t persistent;   /* bytes of variables and constants, in the peak */
    int64_t open_outputs; /* no graph tells who reads them */
} tfp_pool;

/* Holders that no record names. */
#define TFP_HELD_EARLY    "(allocated before the records began, freed later)"
#define TFP_HELD_BEFORE   "(allocated before the records began)"
#define TFP_HELD_RESERVED "(reserved)"

/* What a reader needs before the name of an allocator: "memory " where that is
 * a number only. */
static inline const char *tfp_allocator_prefix(tfp_span name)
{
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return "";
    }
    return name.size > 0 ? "memory " : "";
}

static inline bool tfp_pool_is_estimated(const tfp_pool *pool)
{
    return pool->source == TFP_POOL_ESTIMATE;
}

void tfp_pool_release(tfp_pool *pool, tfp_memory *memory);

/* ---- From events to a pool ---------------------------------------------- */

/* The level of an event that does not tell it. */
#define TFP_LEVEL_UNTOLD INT64_MIN

typedef struct tfp_pool_event {
    int64_t at;
    int64_t bytes, requested; /* of the block; of one that is freed, too */
    int64_t level;            /* bytes in use after it, `reserved` among them */
    int64_t reserved;         /* see tfp_pool */
    uint64_t address;
    uint32_t kind : 30;       /* item of the kinds */
    uint32_t has_address : 1; /* else a free is one of its kind */
    uint32_t is_free : 1;
    uint32_t mark; /* of whoever made it */
} tfp_pool_event;

/* Kinds are numbered by an interner of tfp_live_kind. */
enum { TFP_POOL_MOST_KINDS = (1 << 30) - 1 };

/* The number of a kind. TFP_NO_ID when out of memory. */
uint32_t tfp_pool_kind(tfp_interner *kinds, const tfp_live_kind *kind);

typedef struct tfp_pool_request {
    const tfp_pool_event *events; /* in any order; at one time in theirs */
    size_t count;                 /* at least 1 */
    const tfp_interner *kinds;
    const tfp_cancel *cancel; /* may be NULL */
    bool finds_peaks;         /* the highest TFP_POOL_PEAKS of them */
    /* Called for each event by time, with the bytes in use after it; what is
     * not TFPROF_OK ends the search. May be NULL. */
    int (*on_level)(void *self, const tfp_pool_event *event, int64_t bytes,
                    tfprof_error *err);
    void *self;
} tfp_pool_request;

/* Finds the peak, the curve and the live set; *peak_event is the event of the
 * peak. Takes n log n steps. After a failure releasing is allowed. */
int tfp_pool_find(tfp_pool *pool, tfp_memory *memory,
                  const tfp_pool_request *request, size_t *peak_event,
                  tfprof_error *err);

/* ---- What inputs say ---------------------------------------------------- */

/* An allocation record of RunMetadata, or what an allocator reports. */
typedef struct tfp_allocation {
    tfp_micros at;
    int64_t bytes;    /* below 0: freed; 0: only a report */
    int64_t reported; /* bytes in use of the allocator; 0 when untold */
    tfp_string node, allocator;
    uint32_t device; /* index into model->devices */
} tfp_allocation;

/* False when out of memory. */
bool tfp_model_add_allocation(tfp_model *model, tfp_allocation allocation);

/* The model takes over what the pool owns, unless it is out of memory. */
bool tfp_model_add_pool(tfp_model *model, const tfp_pool *pool);

/* ---- All pools ---------------------------------------------------------- */

typedef struct tfp_memory_use {
    tfp_memory *memory;
    TFP_VEC(const tfp_pool *) pools; /* traces first, estimates last */
    TFP_VEC(tfp_pool) made;          /* those of RunMetadata */
} tfp_memory_use;

/* All pools of what was loaded. A pool of RunMetadata is of one step: of
 * `step`, or when that is negative of the one with the largest peak. Those of
 * traces are of the whole trace. `cancel` may be NULL; after a failure
 * releasing is allowed. */
int tfp_memory_use_init(tfp_memory_use *use, const tfp_model *model,
                        tfp_memory *memory, int64_t step,
                        const tfp_cancel *cancel, tfprof_error *err);
void tfp_memory_use_release(tfp_memory_use *use);

/* ---- Groups of a live set ----------------------------------------------- */

/* The type of a node as the graph has it, else as its name has it; 0 for
 * none. */
tfp_string tfp_live_type(const tfp_model *model, const tfp_live_kind *kind);

typedef enum tfp_live_by {
    TFP_LIVE_BY_SCOPE, /* the first parts of names */
    TFP_LIVE_BY_TYPE,
    TFP_LIVE_BY_LINE /* of the program that made the node */
} tfp_live_by;

typedef struct tfp_live_group {
    tfp_span name; /* empty: unknown. Borrowed from the model */
    int32_t line;  /* by line: of the file `name`; else 0 */
    int64_t bytes, requested, count;
} tfp_live_group;

typedef struct tfp_live_groups {
    tfp_memory *memory;
    TFP_VEC(tfp_live_group) groups; /* the largest first */
} tfp_live_groups;

/* `depth` is how many parts of a name a scope has; 0: all but the last. After a
 * failure releasing is allowed. */
int tfp_live_groups_init(tfp_live_groups *groups, const tfp_model *model,
                         const tfp_pool *pool, tfp_memory *memory,
                         tfp_live_by by, size_t depth, tfprof_error *err);
void tfp_live_groups_release(tfp_live_groups *groups);

#endif
