/*
 * rows.c - the rows of an aggregate, and how a step is added to them.
 */
#include "aggregate/rows.h"

#include "base/hash.h"
#include "base/sort.h"
#include "model/times.h"

const char *const tfp_agg_view_names[TFP_AGG_VIEWS] = { "scope", "op", "code" };

enum {
    FIRST_SLOTS = 64,
    OTHERS = (int)TFP_AGG_VIEWS * (int)TFP_KIND_COUNT /* rows (other) */
};

/* ---- The table of keys -------------------------------------------------- */

static bool make_slots(tfp_agg_rows *r, size_t count)
{
    uint32_t *slots = tfp_memory_array(r->memory, count, sizeof(*slots));
    if (!slots)
        return false;
    memset(slots, 0xff, count * sizeof(*slots));
    tfp_memory_free(r->memory, r->slots);
    r->slots = slots;
    r->slot_count = count;
    r->slots_used = 0;
    return true;
}

/* The slot of a key, or the free one where it belongs. */
static uint32_t *slot_of(const tfp_agg_rows *r, const tfp_agg_key *key)
{
    uint32_t parts[5] = { key->name, key->op, key->device, key->program,
                          (uint32_t)key->view << 8 | key->kind };
    uint64_t hash = tfp_hash(
        (tfp_span){ (const uint8_t *)parts, sizeof(parts) }, r->seed);
    size_t mask = r->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        const tfp_agg_key *found;
        if (r->slots[i] == TFP_NO_ID)
            return &r->slots[i];
        found = &r->keys.data[r->slots[i]];
        if (found->name == key->name && found->op == key->op &&
            found->device == key->device && found->program == key->program &&
            found->view == key->view && found->kind == key->kind)
            return &r->slots[i];
    }
}

static void put_slot(tfp_agg_rows *r, uint32_t key)
{
    *slot_of(r, &r->keys.data[key]) = key;
    r->slots_used++;
}

/* ---- Life --------------------------------------------------------------- */

bool tfp_agg_rows_init(tfp_agg_rows *r, tfp_memory *memory, size_t limit)
{
    *r = (tfp_agg_rows){ .memory = memory,
                         .limit = limit,
                         .seed = tfp_random_seed() };
    return tfp_buckets_init(&r->buckets) &&
           tfp_interner_init(&r->texts, memory, 1, tfp_random_seed()) &&
           make_slots(r, FIRST_SLOTS);
}

void tfp_agg_rows_release(tfp_agg_rows *r)
{
    if (!r->memory)
        return;
    for (size_t i = 0; i < r->rows.count; i++)
        TFP_VEC_RELEASE(r->memory, &r->rows.data[i].histogram);
    TFP_VEC_RELEASE(r->memory, &r->walls);
    TFP_VEC_RELEASE(r->memory, &r->rows);
    TFP_VEC_RELEASE(r->memory, &r->now);
    TFP_VEC_RELEASE(r->memory, &r->touched);
    TFP_VEC_RELEASE(r->memory, &r->fresh_keys);
    TFP_VEC_RELEASE(r->memory, &r->fresh);
    TFP_VEC_RELEASE(r->memory, &r->keys);
    tfp_memory_free(r->memory, r->slots);
    if (r->texts.memory)
        tfp_interner_release(&r->texts);
}

/* ---- Keys --------------------------------------------------------------- */

uint32_t tfp_agg_rows_text(tfp_agg_rows *r, tfp_span text)
{
    uint32_t id;
    if (!r->is_full)
        return tfp_intern(&r->texts, text);
    id = tfp_interner_find(&r->texts, text);
    return id == TFP_NO_ID ? TFP_AGG_NO_TEXT : id;
}

static bool grow_slots(tfp_agg_rows *r)
{
    if (!make_slots(r, 2 * r->slot_count))
        return false;
    for (uint32_t k = 0; k < r->keys.count; k++)
        put_slot(r, k);
    return true;
}

static uint32_t add_key(tfp_agg_rows *r, tfp_agg_key key)
{
    if (r->keys.count >= TFP_NO_ID || !TFP_VEC_RESERVE(r->memory, &r->keys, 1))
        return TFP_NO_ID;
    /* Only the rows (other) are added after keys were removed from the table,
     * and it has room for them. */
    if (!r->is_full && r->slots_used >= r->slot_count / 4 * 3 && !grow_slots(r))
        return TFP_NO_ID;
    key.row = TFP_NO_ID;
    key.depth = key.parent == TFP_NO_ID
                    ? 1
                    : (uint16_t)(r->keys.data[key.parent].depth + 1);
    r->keys.data[r->keys.count] = key;
    put_slot(r, (uint32_t)r->keys.count);
    return (uint32_t)r->keys.count++;
}

/* The key of the row (other) of a view and kind. */
static uint32_t other_key(tfp_agg_rows *r, uint8_t view, uint8_t kind)
{
    tfp_agg_key key = { .view = view, .kind = kind, .parent = TFP_NO_ID };
    uint32_t found;
    key.name = tfp_intern(&r->texts, tfp_span_of(TFP_AGG_OTHER));
    if (key.name == TFP_NO_ID)
        return TFP_NO_ID;
    found = *slot_of(r, &key);
    return found == TFP_NO_ID ? add_key(r, key) : found;
}

uint32_t tfp_agg_rows_key(tfp_agg_rows *r, tfp_agg_key key)
{
    uint32_t found = *slot_of(r, &key);
    if (found != TFP_NO_ID)
        return found;
    if (!r->is_full)
        return add_key(r, key);
    r->dropped++;
    return key.parent != TFP_NO_ID ? key.parent
                                   : other_key(r, key.view, key.kind);
}

/* ---- A step ------------------------------------------------------------- */

/* Makes the row of a key that has no row. The parents must have rows. */
static bool make_row(tfp_agg_rows *r, uint32_t key)
{
    tfp_agg_key *k = &r->keys.data[key];
    tfp_agg_row row = { .key = key, .parent = TFP_NO_ID };
    if (k->parent != TFP_NO_ID)
        row.parent = r->keys.data[k->parent].row;
    if (r->rows.count >= TFP_NO_ID || !TFP_VEC_RESERVE(r->memory, &r->now, 1) ||
        !TFP_VEC_PUSH(r->memory, &r->rows, row))
        return false;
    r->now.data[r->now.count++] = (tfp_agg_now){ 0 };
    k->row = (uint32_t)r->rows.count - 1;
    return true;
}

/* Adds a key, and those above it, to the new keys of this step. */
static bool make_fresh(tfp_agg_rows *r, uint32_t key)
{
    while (r->keys.data[key].row == TFP_NO_ID) {
        uint32_t top = key, above = r->keys.data[key].parent;
        while (above != TFP_NO_ID && r->keys.data[above].row == TFP_NO_ID) {
            top = above;
            above = r->keys.data[above].parent;
        }
        if (r->fresh.count >= TFP_AGG_FRESH - 1 ||
            !TFP_VEC_RESERVE(r->memory, &r->fresh_keys, 1) ||
            !TFP_VEC_PUSH(r->memory, &r->fresh, (tfp_agg_fresh){ 0 }))
            return false;
        r->fresh_keys.data[r->fresh_keys.count++] = top;
        r->keys.data[top].row = TFP_AGG_FRESH | (uint32_t)(r->fresh.count - 1);
    }
    return true;
}

/* The row that receives the time of a dropped key: that of its parent, which
 * must have one, or else the row (other). TFP_NO_ID when out of memory. */
static uint32_t heir_of(tfp_agg_rows *r, uint32_t key)
{
    const tfp_agg_key *k = &r->keys.data[key];
    uint32_t other;
    if (k->parent != TFP_NO_ID)
        return r->keys.data[k->parent].row;
    other = other_key(r, k->view, k->kind);
    if (other == TFP_NO_ID ||
        (r->keys.data[other].row >= TFP_AGG_FRESH && !make_row(r, other)))
        return TFP_NO_ID;
    return r->keys.data[other].row;
}

/* Drops a key that was made before rows were dropped but runs after that, and
 * those above it that did not run. */
static bool drop_late(tfp_agg_rows *r, uint32_t key)
{
    while (r->keys.data[key].row == TFP_NO_ID) {
        uint32_t top = key, above = r->keys.data[key].parent, heir;
        while (above != TFP_NO_ID && r->keys.data[above].row == TFP_NO_ID) {
            top = above;
            above = r->keys.data[above].parent;
        }
        heir = heir_of(r, top);
        if (heir == TFP_NO_ID)
            return false;
        r->dropped += r->keys.data[top].row == TFP_NO_ID;
        r->keys.data[top].row = heir;
    }
    return true;
}

/* Notes that a row and those above it run in this step. */
static bool touch(tfp_agg_rows *r, uint32_t row)
{
    for (; row != TFP_NO_ID && !r->now.data[row].is_touched;
         row = r->rows.data[row].parent) {
        if (!TFP_VEC_PUSH(r->memory, &r->touched, (tfp_sort_item){ row, row }))
            return false;
        r->now.data[row].is_touched = true;
    }
    return true;
}

/* Adds to a key without a row. */
static bool add_new(tfp_agg_rows *r, uint32_t key, int64_t time, int64_t runs)
{
    tfp_agg_fresh *fresh;
    if (r->keys.data[key].row == TFP_NO_ID && !make_fresh(r, key))
        return false;
    fresh = &r->fresh.data[r->keys.data[key].row - TFP_AGG_FRESH];
    fresh->self = tfp_add_sat(fresh->self, time);
    fresh->runs = tfp_add_sat(fresh->runs, runs);
    return true;
}

static bool add_to_row(tfp_agg_rows *r, uint32_t row, int64_t time,
                       int64_t runs)
{
    tfp_agg_now *now = &r->now.data[row];
    if (!now->is_touched && !touch(r, row))
        return false;
    now->self = tfp_add_sat(now->self, time);
    now->runs = tfp_add_sat(now->runs, runs);
    return true;
}

bool tfp_agg_rows_add(tfp_agg_rows *r, uint32_t key, int64_t time, int64_t runs)
{
    runs = runs > 0 ? runs : 0;
    if (r->keys.data[key].row >= TFP_AGG_FRESH) {
        if (!r->is_full)
            return add_new(r, key, time, runs);
        if (!drop_late(r, key))
            return false;
    }
    return add_to_row(r, r->keys.data[key].row, time, runs);
}

/* Sorts the rows of this step. If they are more than an eighth of all rows, a
 * scan of all rows is faster than sorting. */
static bool sort_touched(tfp_agg_rows *r)
{
    size_t count = r->touched.count;
    if (count > r->rows.count / 8) {
        r->touched.count = 0;
        for (uint32_t i = 0; i < r->rows.count; i++) {
            if (r->now.data[i].is_touched)
                r->touched.data[r->touched.count++] = (tfp_sort_item){ i, i };
        }
        return true;
    }
    if (!TFP_VEC_RESERVE(r->memory, &r->touched, count))
        return false;
    tfp_sort(r->touched.data, count, r->touched.data + count, NULL, NULL);
    return true;
}

/* Computes totals: first the own values of each row. Then, from the last row to
 * the first, the total of each row is added to that of its parent. */
static void add_up(tfp_agg_rows *r)
{
    const tfp_sort_item *touched = r->touched.data;
    for (size_t i = 0; i < r->touched.count; i++) {
        tfp_agg_now *now = &r->now.data[touched[i].index];
        now->total = now->self;
        now->all_runs = now->runs;
    }
    for (size_t i = r->touched.count; i-- > 0;) {
        const tfp_agg_now *now = &r->now.data[touched[i].index];
        uint32_t parent = r->rows.data[touched[i].index].parent;
        tfp_agg_now *above;
        if (parent == TFP_NO_ID)
            continue;
        above = &r->now.data[parent];
        above->total = tfp_add_sat(above->total, now->total);
        above->all_runs = tfp_add_sat(above->all_runs, now->all_runs);
    }
}

static bool hit(tfp_agg_rows *r, tfp_agg_histogram *h, int64_t value)
{
    int32_t bucket = tfp_bucket_of(&r->buckets, value);
    size_t low = 0, size = h->count;
    while (size > 0) {
        size_t half = size / 2;
        bool above = h->data[low + half].bucket < bucket;
        low = above ? low + half + 1 : low;
        size = above ? size - half - 1 : half;
    }
    if (low < h->count && h->data[low].bucket == bucket) {
        h->data[low].count += h->data[low].count < UINT32_MAX;
        return true;
    }
    if (!TFP_VEC_PUSH(r->memory, h, (tfp_agg_count){ 0 }))
        return false;
    memmove(h->data + low + 1, h->data + low,
            (h->count - 1 - low) * sizeof(*h->data));
    h->data[low] = (tfp_agg_count){ bucket, 1 };
    return true;
}

static int64_t to_nanos(int64_t time, int64_t unit)
{
    if (unit > TFP_NANOSECOND)
        return tfp_mul_sat(time, unit / TFP_NANOSECOND);
    return unit == TFP_NANOSECOND ? time
                                  : tfp_time_round(time, unit, TFP_NANOSECOND);
}

/* The size of a value, whose square is added. */
static uint64_t size_of(int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return size < (uint64_t)TFP_AGG_MOST ? size : (uint64_t)TFP_AGG_MOST;
}

/* Adds the value of this step to one row, and the self time to its kind. */
static bool fold(tfp_agg_rows *r, tfp_agg_row *row, const tfp_agg_now *now,
                 int64_t unit, int64_t kinds[TFP_KIND_COUNT])
{
    const tfp_agg_key *key = &r->keys.data[row->key];
    int64_t value = to_nanos(now->total, unit);
    int64_t self = to_nanos(now->self, unit);
    uint64_t counted = size_of(value);
    /* The value has 47 bits and its square 94: 62 in the high part. */
    uint64_t high = counted >> 32, low = counted & UINT32_MAX;
    uint64_t middle = 2 * high * low, below = low * low;
    uint64_t square_low = (below & UINT32_MAX);
    uint64_t square_high = (high * high << 32) + middle + (below >> 32);
    row->least = row->count == 0 || value < row->least ? value : row->least;
    row->most = row->count == 0 || value > row->most ? value : row->most;
    row->count++;
    row->sum = tfp_add_sat(row->sum, value);
    row->self_sum = tfp_add_sat(row->self_sum, self);
    if (key->view == TFP_AGG_OP)
        kinds[key->kind] = tfp_add_sat(kinds[key->kind], self);
    row->runs = tfp_add_sat(row->runs, now->all_runs);
    row->squares_hi = tfp_add_sat(row->squares_hi, (int64_t)square_high);
    row->squares_lo = tfp_add_sat(row->squares_lo, (int64_t)square_low);
    return hit(r, &row->histogram, value);
}

/* ---- Ids ---------------------------------------------------------------- */

static void hash_text(XXH3_state_t *state, tfp_span text)
{
    uint8_t size[8];
    for (int i = 0; i < 8; i++)
        size[i] = (uint8_t)((uint64_t)text.size >> 8 * i);
    XXH3_64bits_update(state, size, sizeof(size));
    XXH3_64bits_update(state, text.data, text.size);
}

static int64_t key_id(const tfp_agg_rows *r, const tfp_agg_key *k)
{
    XXH3_state_t state;
    uint64_t hash;
    XXH3_64bits_reset(&state);
    hash_text(&state, tfp_span_of(tfp_agg_view_names[k->view]));
    hash_text(&state, tfp_span_of(tfp_agg_kind_names[k->kind]));
    hash_text(&state, tfp_interned(&r->texts, k->name));
    hash_text(&state, tfp_interned(&r->texts, k->op));
    hash_text(&state, tfp_interned(&r->texts, k->device));
    hash_text(&state, tfp_interned(&r->texts, k->program));
    hash = XXH3_64bits_digest(&state) >> 16;
    return hash > 0 ? (int64_t)hash : 1;
}

int64_t tfp_agg_rows_id(const tfp_agg_rows *r, const tfp_agg_row *row)
{
    return key_id(r, &r->keys.data[row->key]);
}

/* ---- The limit ---------------------------------------------------------- */

/* A new key that stays so far. */
typedef struct candidate {
    int64_t total;
    int64_t id; /* 0: not computed yet */
    uint32_t fresh;
    uint16_t depth;
} candidate;

static int64_t id_of(const tfp_agg_rows *r, candidate *c)
{
    if (c->id == 0)
        c->id = key_id(r, &r->keys.data[r->fresh_keys.data[c->fresh]]);
    return c->id;
}

/* Is `a` dropped before `b`? If both have the same time, the deeper one is,
 * because it may be below the other one: a row must not stay without its
 * parent, except if negative times make its parent cheaper. Then the order is
 * by id, so that the order of the input does not matter. */
static bool is_cheaper(const tfp_agg_rows *r, candidate *a, candidate *b)
{
    if (a->total != b->total)
        return a->total < b->total;
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return id_of(r, a) < id_of(r, b);
}

/* Moves the first item of a heap, whose first item is the cheapest, to its
 * place. */
static void sift(const tfp_agg_rows *r, candidate *heap, size_t count,
                 size_t at)
{
    for (;;) {
        size_t least = at, child = 2 * at + 1;
        candidate kept;
        for (size_t k = child; k < child + 2 && k < count; k++) {
            if (is_cheaper(r, &heap[k], &heap[least]))
                least = k;
        }
        if (least == at)
            return;
        kept = heap[at];
        heap[at] = heap[least];
        heap[least] = kept;
        at = least;
    }
}

/* The totals of the new keys, or NULL when out of memory or canceled. */
static int64_t *total_fresh(tfp_agg_rows *r, tfp_watch *watch)
{
    int64_t *totals = tfp_memory_array(r->memory, r->fresh.count,
                                       sizeof(*totals));
    for (size_t i = 0; totals && i < r->fresh.count; i++)
        totals[i] = r->fresh.data[i].self;
    for (size_t i = totals ? r->fresh.count : 0;
         i-- > 0 && !tfp_watch_ends(watch);) {
        uint32_t parent = r->keys.data[r->fresh_keys.data[i]].parent, at;
        if (parent == TFP_NO_ID)
            continue;
        at = r->keys.data[parent].row;
        if (at >= TFP_AGG_FRESH)
            totals[at - TFP_AGG_FRESH] = tfp_add_sat(totals[at - TFP_AGG_FRESH],
                                                     totals[i]);
    }
    if (watch->cancelled) {
        tfp_memory_free(r->memory, totals);
        return NULL;
    }
    return totals;
}

static bool is_other(const tfp_agg_rows *r, uint32_t key)
{
    const tfp_agg_key *k = &r->keys.data[key];
    return k->parent == TFP_NO_ID && k->op == 0 && k->device == 0 &&
           k->program == 0 &&
           tfp_span_is(tfp_interned(&r->texts, k->name), TFP_AGG_OTHER);
}

/* Finds the `room` most expensive new keys, and sets `stays` of them and of the
 * rows (other). `heap` has room for them. */
static void choose(tfp_agg_rows *r, const int64_t *totals, candidate *heap,
                   size_t room, bool *stays, tfp_watch *watch)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->fresh.count && !tfp_watch_ends(watch); i++) {
        uint32_t key = r->fresh_keys.data[i];
        candidate c = { totals[i], 0, i, r->keys.data[key].depth };
        if (is_other(r, key)) {
            stays[i] = true;
        } else if (count < room) {
            heap[count++] = c;
            for (size_t k = count == room ? room / 2 : 0; k-- > 0;)
                sift(r, heap, room, k);
        } else if (room > 0 && is_cheaper(r, &heap[0], &c)) {
            heap[0] = c;
            sift(r, heap, room, 0);
        }
    }
    for (size_t i = 0; i < count; i++)
        stays[heap[i].fresh] = true;
}

/* Decides which new keys get rows: `stays` of each, NULL when out of memory or
 * canceled. */
static bool *choose_rows(tfp_agg_rows *r, size_t room, tfp_watch *watch)
{
    bool *stays = tfp_memory_zarray(r->memory, r->fresh.count, sizeof(*stays));
    int64_t *totals = stays ? total_fresh(r, watch) : NULL;
    candidate *heap = totals
                          ? tfp_memory_array(r->memory, room + 1, sizeof(*heap))
                          : NULL;
    if (heap)
        choose(r, totals, heap, room, stays, watch);
    if (!heap || watch->cancelled) {
        tfp_memory_free(r->memory, stays);
        stays = NULL;
    }
    tfp_memory_free(r->memory, heap);
    tfp_memory_free(r->memory, totals);
    return stays;
}

/* Makes the rows of the new keys that stay (all without `stays`), and adds the
 * values of the others to their heirs. Parents are first. */
static bool settle(tfp_agg_rows *r, const bool *stays, tfp_watch *watch)
{
    for (size_t i = 0; i < r->fresh.count; i++) {
        uint32_t key = r->fresh_keys.data[i], row;
        const tfp_agg_fresh *fresh = &r->fresh.data[i];
        if (tfp_watch_ends(watch))
            return false;
        if (!stays || stays[i]) {
            /* heir_of() may have made the row (other). */
            if (r->keys.data[key].row >= TFP_AGG_FRESH && !make_row(r, key))
                return false;
            row = r->keys.data[key].row;
        } else {
            row = heir_of(r, key);
            if (row == TFP_NO_ID)
                return false;
            r->keys.data[key].row = row;
            r->dropped++;
        }
        if (!add_to_row(r, row, fresh->self, fresh->runs))
            return false;
    }
    return true;
}

/* Removes the texts of dropped rows, and their keys from the table. The keys
 * themselves stay, because places refer to them. */
static bool forget_dropped(tfp_agg_rows *r)
{
    tfp_interner old = r->texts;
    size_t slots = FIRST_SLOTS;
    bool ok = tfp_interner_init(&r->texts, r->memory, 1, tfp_random_seed());
    while (slots < 2 * (r->rows.count + OTHERS))
        slots *= 2;
    ok = ok && make_slots(r, slots);
    for (size_t i = 0; ok && i < r->rows.count; i++) {
        tfp_agg_key *k = &r->keys.data[r->rows.data[i].key];
        k->name = tfp_intern(&r->texts, tfp_interned(&old, k->name));
        k->op = tfp_intern(&r->texts, tfp_interned(&old, k->op));
        k->device = tfp_intern(&r->texts, tfp_interned(&old, k->device));
        k->program = tfp_intern(&r->texts, tfp_interned(&old, k->program));
        ok = k->name != TFP_NO_ID && k->op != TFP_NO_ID &&
             k->device != TFP_NO_ID && k->program != TFP_NO_ID;
        if (ok)
            put_slot(r, r->rows.data[i].key);
    }
    tfp_interner_release(&old);
    r->is_full = true;
    return ok;
}

/* Makes rows of the new keys of this step, as many as the limit allows. */
static bool take_fresh(tfp_agg_rows *r, tfp_watch *watch)
{
    size_t most = r->limit > OTHERS ? r->limit - OTHERS : 0;
    bool *stays = NULL, ok = true;
    if (r->rows.count + r->fresh.count > most) {
        stays = choose_rows(r, most > r->rows.count ? most - r->rows.count : 0,
                            watch);
        ok = stays != NULL;
    }
    ok = ok && settle(r, stays, watch);
    if (ok && stays) {
        TFP_VEC_RELEASE(r->memory, &r->fresh);
        TFP_VEC_RELEASE(r->memory, &r->fresh_keys);
        ok = forget_dropped(r);
    }
    r->fresh.count = r->fresh_keys.count = 0;
    tfp_memory_free(r->memory, stays);
    return ok;
}

/* ---- The end of a step -------------------------------------------------- */

/* Prefetches memory of rows that are folded soon: the row that is ROW rows
 * ahead, and the middle of the histogram that is HISTOGRAM rows ahead, where
 * its search begins. Waiting for this memory takes most of the time of a
 * step. */
static void fetch(const tfp_agg_rows *r, size_t at)
{
    enum { ROW = 16, HISTOGRAM = 6 };
    const tfp_sort_item *touched = r->touched.data;
    if (at + ROW < r->touched.count)
        __builtin_prefetch(&r->rows.data[touched[at + ROW].index], 1);
    if (at + HISTOGRAM < r->touched.count) {
        const tfp_agg_histogram *h =
            &r->rows.data[touched[at + HISTOGRAM].index].histogram;
        if (h->count > 0)
            __builtin_prefetch(h->data + h->count / 2, 1);
    }
}

bool tfp_agg_rows_end_step(tfp_agg_rows *r, int64_t unit,
                           int64_t kinds[TFP_KIND_COUNT], tfp_watch *watch)
{
    memset(kinds, 0, TFP_KIND_COUNT * sizeof(*kinds));
    if (r->fresh.count > 0 && !take_fresh(r, watch))
        return false;
    if (!sort_touched(r))
        return false;
    add_up(r);
    for (size_t i = 0; i < r->touched.count; i++) {
        uint32_t row = r->touched.data[i].index;
        fetch(r, i);
        if (!fold(r, &r->rows.data[row], &r->now.data[row], unit, kinds))
            return false;
        r->now.data[row] = (tfp_agg_now){ 0 };
    }
    r->touched.count = 0;
    return true;
}

bool tfp_agg_rows_add_wall(tfp_agg_rows *r, int64_t wall)
{
    return wall < 0 || hit(r, &r->walls, wall);
}
