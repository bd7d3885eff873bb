/*
 * rows.h - the rows of an aggregate, and how a step is added to them.
 *
 * A row has the times of one scope, operation type or source line in all steps,
 * as integers: the number of steps, the sum, the sum of squares, the minimum,
 * the maximum and a histogram. They can be merged over any workers, and the
 * order of merging does not change any bit of the result.
 *
 * A key identifies a row. The row is created at the end of the first step in
 * which the key runs. A row is after its parent. If a step would make more rows
 * than the limit, the cheapest new ones are dropped: their time becomes own
 * time of the rows above them. Later steps then add no rows, so that memory
 * does not grow with new names.
 *
 * Order of calls: tfp_agg_rows_key() at any time; then for each step
 * tfp_agg_rows_add() for each node, and tfp_agg_rows_end_step().
 */
#ifndef TFP_AGGREGATE_ROWS_H
#define TFP_AGGREGATE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/buckets.h"
#include "aggregate/kinds.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"

typedef enum tfp_agg_view {
    TFP_AGG_SCOPE,
    TFP_AGG_OP,
    TFP_AGG_CODE,
    TFP_AGG_VIEWS
} tfp_agg_view;

extern const char *const tfp_agg_view_names[TFP_AGG_VIEWS];

/* The name of the row for dropped rows that have no row above them. */
#define TFP_AGG_OTHER "(other)"

/* What identifies a row. Texts are ids in tfp_agg_rows.texts. */
typedef struct tfp_agg_key {
    uint32_t name, op, device;
    uint32_t program;   /* whose instruction it is; else the empty text */
    uint8_t view, kind; /* tfp_agg_view, tfp_agg_kind */
    uint16_t depth;     /* 1: no row is above it */
    uint32_t parent;    /* key, or TFP_NO_ID */
    uint32_t row;       /* TFP_NO_ID before the key first runs. In this step:
                         * TFP_AGG_FRESH plus the index in `fresh`. If its row
                         * was dropped, the row that received the time */
} tfp_agg_key;

#define TFP_AGG_FRESH (UINT32_C(1) << 31)

/* A key that first runs in the current step, and its own values. Millions are
 * possible, so they are smaller than rows. */
typedef struct tfp_agg_fresh {
    int64_t self, runs;
} tfp_agg_fresh;

typedef struct tfp_agg_count {
    int32_t bucket;
    uint32_t count;
} tfp_agg_count;

/* The number of values in each bucket, sorted by bucket. */
typedef TFP_VEC(tfp_agg_count) tfp_agg_histogram;

typedef struct tfp_agg_row {
    uint32_t key, parent; /* the parent is an earlier row, or TFP_NO_ID */
    int64_t count;        /* of steps */
    int64_t sum, self_sum, least, most; /* nanoseconds */
    int64_t squares_hi, squares_lo;     /* their 32-bit parts, each summed up */
    int64_t runs;
    tfp_agg_histogram histogram;
} tfp_agg_row;

/* The values of a row in the current step, in the time unit of the step. */
typedef struct tfp_agg_now {
    int64_t self, total;
    int64_t runs, all_runs;
    bool is_touched; /* it, or one below it, ran */
} tfp_agg_now;

/* In sums of squares, larger values count as this one, so that squares_hi has
 * room for the square. It is 39 hours, in nanoseconds. */
#define TFP_AGG_MOST ((INT64_C(1) << 47) - 1)

typedef struct tfp_agg_rows {
    tfp_memory *memory;
    tfp_buckets buckets;
    tfp_interner texts;
    TFP_VEC(tfp_agg_key) keys;
    uint32_t *slots; /* keys by hash, or TFP_NO_ID: a power of two of them */
    size_t slot_count, slots_used;
    uint64_t seed; /* of the hash */
    TFP_VEC(tfp_agg_row) rows;
    TFP_VEC(tfp_agg_now) now;       /* by row */
    TFP_VEC(tfp_sort_item) touched; /* rows of this step, sorted at its end */
    /* The new keys of this step, each after its parent, and their values. */
    TFP_VEC(uint32_t) fresh_keys;
    TFP_VEC(tfp_agg_fresh) fresh;
    size_t limit;
    int64_t dropped;
    bool is_full; /* rows were dropped: only rows (other) can be added */
    tfp_agg_histogram walls; /* of the wall times of steps */
} tfp_agg_rows;

/* False when out of memory; releasing is allowed then. */
bool tfp_agg_rows_init(tfp_agg_rows *rows, tfp_memory *memory, size_t limit);
void tfp_agg_rows_release(tfp_agg_rows *rows);

/* The text is new and no row can be added: see tfp_agg_rows.is_full. */
#define TFP_AGG_NO_TEXT (UINT32_MAX - 1)

/* The id of a text, TFP_AGG_NO_TEXT, or TFP_NO_ID when out of memory. An id is
 * valid until the end of the step. */
uint32_t tfp_agg_rows_text(tfp_agg_rows *rows, tfp_span text);

/* Finds or adds a key; its `depth` and `row` are ignored. Returns the key, or
 * TFP_NO_ID when out of memory. If no row can be added, it returns the key that
 * receives the time of the new one, and counts the new one as dropped. */
uint32_t tfp_agg_rows_key(tfp_agg_rows *rows, tfp_agg_key key);

/* Adds the time and runs of a node in this step. False when out of memory. */
bool tfp_agg_rows_add(tfp_agg_rows *rows, uint32_t key, int64_t time,
                      int64_t runs);

/* Ends a step whose times have this unit, in picoseconds (model/times.h), and
 * sets the sums of its self times by kind in the view op, in nanoseconds. So
 * the kinds of all steps add up to the self_sum of these rows. False when out
 * of memory or canceled. */
bool tfp_agg_rows_end_step(tfp_agg_rows *rows, int64_t unit,
                           int64_t kinds[TFP_KIND_COUNT], tfp_watch *watch);

/* Adds the wall time of a step, in nanoseconds. */
bool tfp_agg_rows_add_wall(tfp_agg_rows *rows, int64_t wall);

/* The id of a row that is the same on all machines: the upper 48 bits of
 * XXH3_64, with the seed 0, over view, kind, name, operation type, device and
 * program. The number of its bytes is before each text: 64 bits, lowest byte
 * first. The id 0 is that of the wall time; a row that would have this id has
 * the id 1. */
int64_t tfp_agg_rows_id(const tfp_agg_rows *rows, const tfp_agg_row *row);

#endif
