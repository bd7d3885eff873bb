/*
 * diff.c - the rows of two models side by side, as columns of a page.
 *
 * The rows of the head keep their tree. A row that only the base has is below
 * the row of the head that matches its parent. If no row matches, it is below
 * its parent in the base. The values are totals; times are in picoseconds.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "compare/align.h"
#include "compare/snapshot.h"
#include "compare/totals.h"
#include "model/metrics.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/text/json.h"

enum { BASE, HEAD, SIDES };

/* A row of the picture: one of the head, or one that only the base has. */
typedef struct pair {
    uint32_t rows[SIDES]; /* row of each side, or TFP_NO_ID */
    uint32_t first, next; /* pairs: first child, next sibling; or TFP_NO_ID */
    uint32_t depth;
} pair;

typedef struct diff {
    tfp_chunks *chunks;
    const tfp_html_sides *sides;
    const tfp_snapshot *snapshots[SIDES];
    tfp_memory *memory;
    pair *pairs;       /* rows of the head, then rows that only the base has */
    uint32_t *pair_of; /* by row of the base */
    size_t count;
    tfp_cost costs[TFP_COST_COUNT];
    size_t cost_count;
    int64_t *totals[SIDES][TFP_COST_COUNT]; /* by cost, then by row */
    uint32_t *order;                        /* pairs, in output order */
    size_t shown;
    int64_t *values;
} diff;

/* ---- Totals ------------------------------------------------------------- */

static bool sum_up(diff *d, int side, size_t place)
{
    const tfp_snapshot *s = d->snapshots[side];
    int64_t *sums = tfp_memory_array(d->memory, s->count + 1, sizeof(*sums));
    d->totals[side][place] = sums;
    if (!sums)
        return false;
    for (size_t row = 0; row < s->count; row++)
        sums[row] = tfp_snapshot_value(s, row, (int)d->costs[place]);
    for (size_t row = s->count; row-- > 1;)
        sums[s->parents[row]] = tfp_add_sat(sums[s->parents[row]], sums[row]);
    return true;
}

/* Chooses the costs that at least one side has. Rows are sorted by the first
 * one. */
static bool choose_costs(diff *d)
{
    static const tfp_cost first[] = { TFP_COST_MICROS, TFP_COST_PARAMS,
                                      TFP_COST_FLOAT_OPS, TFP_COST_BYTES };
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        int64_t all = 0;
        if (!(d->sides->costs >> first[i] & 1))
            continue;
        d->costs[d->cost_count] = first[i];
        for (int side = 0; side < SIDES; side++) {
            if (!sum_up(d, side, d->cost_count))
                return false;
            if (d->snapshots[side]->count > 0)
                all |= d->totals[side][d->cost_count][0];
        }
        if (all != 0) {
            d->cost_count++;
            continue;
        }
        for (int side = 0; side < SIDES; side++) {
            tfp_memory_free(d->memory, d->totals[side][d->cost_count]);
            d->totals[side][d->cost_count] = NULL;
        }
    }
    return true;
}

static int64_t total_of(const diff *d, const pair *p, int side, size_t place)
{
    uint32_t row = p->rows[side];
    return row == TFP_NO_ID ? 0 : d->totals[side][place][row];
}

/* ---- The tree ----------------------------------------------------------- */

static void make_pairs(diff *d)
{
    const tfp_alignment *a = d->sides->alignment;
    size_t head = d->snapshots[HEAD]->count;
    for (size_t row = 0; row < head; row++)
        d->pairs[d->count++] = (pair){
            { a->from[row], (uint32_t)row }, TFP_NO_ID, TFP_NO_ID, 0
        };
    for (size_t row = 0; row < d->snapshots[BASE]->count; row++) {
        d->pair_of[row] = a->to[row];
        if (a->to[row] != TFP_NO_ID)
            continue;
        d->pair_of[row] = (uint32_t)d->count;
        d->pairs[d->count++] = (pair){
            { (uint32_t)row, TFP_NO_ID }, TFP_NO_ID, TFP_NO_ID, 0
        };
    }
}

static uint32_t parent_of(const diff *d, const pair *p)
{
    if (p->rows[HEAD] != TFP_NO_ID)
        return d->snapshots[HEAD]->parents[p->rows[HEAD]];
    return d->pair_of[d->snapshots[BASE]->parents[p->rows[BASE]]];
}

/* Adds the cheapest rows first, so that each list of children begins with the
 * most expensive one. The root is pair 0. */
static bool link(diff *d)
{
    tfp_sort_item *items = tfp_memory_array(d->memory, 2 * d->count + 1,
                                            sizeof(*items));
    if (!items)
        return false;
    for (size_t i = 0; i < d->count; i++) {
        const pair *p = &d->pairs[i];
        int64_t base = d->cost_count ? total_of(d, p, BASE, 0) : 0;
        int64_t head = d->cost_count ? total_of(d, p, HEAD, 0) : 0;
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(base > head ? base : head), (uint32_t)i
        };
    }
    tfp_sort(items, d->count, items + d->count, NULL, NULL);
    for (size_t i = d->count; i-- > 0;) {
        pair *p = &d->pairs[items[i].index], *above;
        if (items[i].index == 0 || i >= d->sides->most)
            continue;
        above = &d->pairs[parent_of(d, p)];
        p->next = above->first;
        above->first = items[i].index;
    }
    tfp_memory_free(d->memory, items);
    return true;
}

/* Walks depth first, without a stack: after a pair without children comes its
 * next sibling, or else that of the nearest ancestor that has one. */
static void walk(diff *d)
{
    uint32_t at = 0;
    while (d->count > 0) {
        pair *p = &d->pairs[at];
        d->order[d->shown++] = at;
        if (p->first != TFP_NO_ID) {
            d->pairs[p->first].depth = p->depth + 1;
            at = p->first;
            continue;
        }
        while (at != 0 && d->pairs[at].next == TFP_NO_ID)
            at = parent_of(d, &d->pairs[at]);
        if (at == 0)
            return;
        d->pairs[d->pairs[at].next].depth = d->pairs[at].depth;
        at = d->pairs[at].next;
    }
}

/* ---- Columns ------------------------------------------------------------ */

static const char *state_of(const diff *d, const pair *p)
{
    if (p->rows[BASE] == TFP_NO_ID)
        return "added";
    if (p->rows[HEAD] == TFP_NO_ID)
        return "removed";
    if (tfp_row_has_moved(d->sides->alignment, p->rows[BASE]))
        return "moved";
    for (size_t i = 0; i < d->cost_count; i++) {
        if (total_of(d, p, BASE, i) != total_of(d, p, HEAD, i))
            return "changed";
    }
    return "";
}

static tfp_span name_of(const diff *d, const pair *p)
{
    int side = p->rows[HEAD] != TFP_NO_ID ? HEAD : BASE;
    const tfp_snapshot *s = d->snapshots[side];
    if (p == d->pairs)
        return tfp_span_of("all");
    return tfp_snapshot_text(s, s->names[p->rows[side]]);
}

typedef enum column_kind {
    COLUMN_DEPTH,
    COLUMN_STATE,
    COLUMN_NAME,
    COLUMN_COSTS
} column_kind;

/* Each column from COLUMN_COSTS on has the values of one cost and one side. */
static int64_t value_of(diff *d, const pair *p, size_t column)
{
    size_t cost = (column - COLUMN_COSTS) / SIDES;
    switch (column) {
    case COLUMN_DEPTH: return p->depth;
    case COLUMN_STATE:
        return tfp_chunks_string(d->chunks, tfp_span_of(state_of(d, p)));
    case COLUMN_NAME: return tfp_chunks_string(d->chunks, name_of(d, p));
    default:
        return total_of(d, p, (int)((column - COLUMN_COSTS) % SIDES), cost);
    }
}

static void fill(diff *d, size_t column)
{
    for (size_t i = 0; i < d->shown; i++)
        d->values[i] = value_of(d, &d->pairs[d->order[i]], column);
}

static void put_columns(diff *d, tfp_json *json, const tfp_planes *planes)
{
    static const char *const names[] = { "depth", "state", "name" };
    tfp_json_open(json, "columns", '[');
    for (size_t i = 0; i < COLUMN_COSTS + SIDES * d->cost_count; i++) {
        bool is_base = (i - COLUMN_COSTS) % SIDES == BASE;
        tfp_chunk_column(d->chunks,
                         i < COLUMN_COSTS ? names[i]
                         : is_base        ? "base"
                                          : "new",
                         planes[i]);
        if (i == COLUMN_STATE || i == COLUMN_NAME)
            tfp_json_text(json, "type", "string");
        if (i >= COLUMN_COSTS)
            tfp_json_text(
                json, "metric",
                tfp_metrics[d->costs[(i - COLUMN_COSTS) / SIDES]].name);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

/* Both sides of the time of a step, and of what it is made of. */
static void put_totals(diff *d, tfp_json *json)
{
    tfp_json_open(json, "totals", '[');
    for (size_t i = 0; i < d->sides->total_count; i++) {
        const tfp_judged_total *total = &d->sides->totals[i];
        if (!total->is_of_steps)
            continue;
        tfp_json_open(json, NULL, '{');
        tfp_json_text(json, "name", tfp_total_name(total));
        tfp_json_double(json, "base", total->judgement.base);
        tfp_json_double(json, "new", total->judgement.head);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

static void put_diff(diff *d)
{
    enum { MOST = COLUMN_COSTS + SIDES * TFP_COST_COUNT };
    size_t count = COLUMN_COSTS + SIDES * d->cost_count;
    tfp_planes planes[MOST];
    tfp_json *json;
    for (size_t i = 0; i < count; i++) {
        fill(d, i);
        planes[i] = tfp_planes_of(d->values, d->shown);
    }
    json = tfp_chunk_open(d->chunks, "diff");
    tfp_json_text(json, "title", "Changes");
    tfp_chunk_text(d->chunks, "base", d->sides->base);
    tfp_chunk_text(d->chunks, "new", tfp_html_title(d->sides->model));
    tfp_json_int(json, "rows", (int64_t)d->shown);
    tfp_html_metrics(json, d->costs, d->cost_count, true);
    put_totals(d, json);
    put_columns(d, json, planes);
    tfp_chunk_begin_columns(d->chunks);
    for (size_t i = 0; i < count; i++) {
        fill(d, i);
        tfp_chunk_values(d->chunks, d->values, d->shown, planes[i]);
    }
}

static bool make(diff *d)
{
    size_t rows = d->snapshots[BASE]->count + d->snapshots[HEAD]->count;
    d->pairs = tfp_memory_array(d->memory, rows + 1, sizeof(*d->pairs));
    d->pair_of = tfp_memory_array(d->memory, d->snapshots[BASE]->count + 1,
                                  sizeof(*d->pair_of));
    d->order = tfp_memory_array(d->memory, rows + 1, sizeof(*d->order));
    d->values = tfp_memory_zarray(d->memory, rows + 1, sizeof(*d->values));
    if (!d->pairs || !d->pair_of || !d->order || !d->values || !choose_costs(d))
        return false;
    make_pairs(d);
    if (!link(d))
        return false;
    walk(d);
    return true;
}

int tfp_html_diff(tfp_chunks *chunks, const tfp_html_sides *sides,
                  tfprof_error *err)
{
    diff d = { .chunks = chunks,
               .sides = sides,
               .snapshots = { sides->alignment->base, sides->alignment->head },
               .memory = chunks->memory };
    bool ok = make(&d);
    if (ok)
        put_diff(&d);
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < TFP_COST_COUNT; i++)
            tfp_memory_free(d.memory, d.totals[side][i]);
    }
    tfp_memory_free(d.memory, d.pairs);
    tfp_memory_free(d.memory, d.pair_of);
    tfp_memory_free(d.memory, d.order);
    tfp_memory_free(d.memory, d.values);
    return ok && !chunks->failed ? TFPROF_OK : tfp_fail_nomem(err);
}
