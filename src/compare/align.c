/*
 * align.c - which rows of two snapshots are about the same thing.
 *
 * Texts are numbered, so the children of one row are found by name in a table
 * with a place for each text: it is filled for one row at a time and emptied
 * again, which takes time for these children only.
 */
#include "compare/align.h"

#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/sort.h"

/* The rows below each row, as lists. Those of the base are in order. Those of
 * the head are in reverse order, since a list that is filled from the front
 * puts them in order again. */
typedef struct children {
    uint32_t *first, *next; /* by row; TFP_NO_ID: none */
} children;

typedef struct aligner {
    tfp_alignment *out;
    tfp_memory *memory;
    children base, head;
    uint32_t *at;        /* by text: a child of the row at hand, TFP_NO_ID */
    uint32_t *same;      /* by head row: the next child of the same text */
    tfp_interner keys;   /* for names without numbers */
    uint32_t *key_at;    /* by key, as `at` */
    size_t key_room;     /* of key_at */
    uint64_t *base_hash; /* by row: the content of the subtree, or NULL */
    uint64_t *head_hash;
    uint64_t seed;
    tfp_watch watch;
    bool failed; /* out of memory */
} aligner;

/* ---- Names -------------------------------------------------------------- */

tfp_span tfp_name_without_number(tfp_span name)
{
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
        size--;
    if (size > 1 && size < name.size &&
        (name.data[size - 1] == '_' || name.data[size - 1] == '.'))
        return (tfp_span){ name.data, size - 1 };
    return name;
}

/* By what a row aligns first. */
static uint32_t first_key(const tfp_snapshot *s, uint32_t row)
{
    return s->places ? s->places[row] : s->names[row];
}

/* By what it aligns otherwise. TFP_NO_ID when out of memory. */
static uint32_t second_key(aligner *a, const tfp_snapshot *s, uint32_t row)
{
    uint8_t key[256 + 2 * sizeof(uint32_t)];
    tfp_span name;
    size_t size;
    uint32_t facts[2] = { s->types[row], s->shapes[row] };
    if (s->lines) {
        facts[0] = s->lines[row];
        return tfp_intern(&a->keys,
                          (tfp_span){ (uint8_t *)facts, sizeof(facts) });
    }
    name = tfp_name_without_number(tfp_snapshot_text(s, s->names[row]));
    if (name.size > sizeof(key) - sizeof(facts)) { /* long names: by hash */
        uint64_t hash = tfp_hash(name, a->seed);
        memcpy(key, &hash, sizeof(hash));
        size = sizeof(hash);
    } else {
        size = name.size;
        if (size > 0)
            memcpy(key, name.data, size);
    }
    memcpy(key + size, facts, sizeof(facts));
    return tfp_intern(&a->keys, (tfp_span){ key, size + sizeof(facts) });
}

/* ---- Trees -------------------------------------------------------------- */

static bool make_children(aligner *a, children *c, const tfp_snapshot *s,
                          bool in_order)
{
    c->first = tfp_memory_array(a->memory, s->count + 1, sizeof(uint32_t));
    c->next = tfp_memory_array(a->memory, s->count + 1, sizeof(uint32_t));
    if (!c->first || !c->next)
        return false;
    memset(c->first, 0xff, (s->count + 1) * sizeof(uint32_t));
    for (size_t i = 1; i < s->count; i++) {
        size_t row = in_order ? s->count - i : i;
        c->next[row] = c->first[s->parents[row]];
        c->first[s->parents[row]] = (uint32_t)row;
    }
    return true;
}

static uint64_t mix(const aligner *a, const uint64_t *numbers, size_t size)
{
    return tfp_hash((tfp_span){ (const uint8_t *)numbers, size }, a->seed);
}

/* Children add up, so their order does not matter. */
static uint64_t *hash_subtrees(aligner *a, const tfp_snapshot *s)
{
    uint64_t *sums = tfp_memory_zarray(a->memory, s->count + 1, sizeof(*sums));
    for (size_t row = s->count; sums && row-- > 0;) {
        uint64_t own[2] = { (uint64_t)s->types[row] << 32 | s->shapes[row],
                            sums[row] };
        uint64_t named[2] = { first_key(s, (uint32_t)row), 0 };
        if (tfp_watch_ends(&a->watch))
            break;
        sums[row] = mix(a, own, sizeof(own));
        named[1] = sums[row];
        if (row > 0)
            sums[s->parents[row]] += mix(a, named, sizeof(named));
    }
    a->failed |= !sums;
    return sums;
}

/* ---- Pairs -------------------------------------------------------------- */

static void pair(aligner *a, uint32_t base, uint32_t head)
{
    a->out->to[base] = head;
    a->out->from[head] = base;
}

/* Puts a head row in front of those with the same key. */
static void enter(aligner *a, uint32_t *at, uint32_t key, uint32_t row)
{
    a->same[row] = at[key];
    at[key] = row;
}

/* The first unaligned row of a list, or TFP_NO_ID. */
static uint32_t take(aligner *a, uint32_t *at, uint32_t key)
{
    uint32_t row = at[key];
    while (row != TFP_NO_ID && a->out->from[row] != TFP_NO_ID)
        row = a->same[row];
    at[key] = row == TFP_NO_ID ? TFP_NO_ID : a->same[row];
    return row;
}

static size_t align_by_name(aligner *a, uint32_t base, uint32_t head)
{
    const tfp_snapshot *from = a->out->base, *to = a->out->head;
    size_t left = 0;
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID; r = a->head.next[r])
        if (a->out->from[r] == TFP_NO_ID)
            enter(a, a->at, first_key(to, r), r);
    for (uint32_t r = a->base.first[base]; r != TFP_NO_ID;
         r = a->base.next[r]) {
        uint32_t found;
        if (a->out->to[r] != TFP_NO_ID)
            continue;
        found = take(a, a->at, first_key(from, r));
        if (found != TFP_NO_ID)
            pair(a, r, found);
        else
            left++;
    }
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID; r = a->head.next[r])
        a->at[first_key(to, r)] = TFP_NO_ID;
    return left;
}

/* Room in key_at for all keys so far. */
static bool widen_keys(aligner *a)
{
    size_t count = tfp_interner_count(&a->keys), room = 2 * count + 64;
    uint32_t *grown;
    if (count <= a->key_room)
        return true;
    grown = tfp_memory_resize(a->memory, a->key_at, room * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + a->key_room, 0xff, (room - a->key_room) * sizeof(*grown));
    a->key_at = grown;
    a->key_room = room;
    return true;
}

static bool enter_keys(aligner *a, uint32_t head, bool enters)
{
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID;
         r = a->head.next[r]) {
        uint32_t key;
        if (enters && a->out->from[r] != TFP_NO_ID)
            continue;
        key = second_key(a, a->out->head, r);
        if (key == TFP_NO_ID || !widen_keys(a))
            return false;
        if (enters)
            enter(a, a->key_at, key, r);
        else
            a->key_at[key] = TFP_NO_ID;
    }
    return true;
}

static bool has_unaligned(const aligner *a, uint32_t head)
{
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID; r = a->head.next[r])
        if (a->out->from[r] == TFP_NO_ID)
            return true;
    return false;
}

static void align_by_key(aligner *a, uint32_t base, uint32_t head)
{
    if (!enter_keys(a, head, true)) {
        a->failed = true;
        return;
    }
    for (uint32_t r = a->base.first[base]; r != TFP_NO_ID;
         r = a->base.next[r]) {
        uint32_t key, found;
        if (a->out->to[r] != TFP_NO_ID)
            continue;
        key = second_key(a, a->out->base, r);
        if (key == TFP_NO_ID || !widen_keys(a)) {
            a->failed = true;
            return;
        }
        found = take(a, a->key_at, key);
        if (found == TFP_NO_ID)
            continue;
        pair(a, r, found);
        a->out->renamed++;
    }
    a->failed |= !enter_keys(a, head, false);
}

/* Aligns the children of an aligned pair. */
static void align_children(aligner *a, uint32_t base)
{
    uint32_t head = a->out->to[base];
    if (align_by_name(a, base, head) > 0 && has_unaligned(a, head))
        align_by_key(a, base, head);
}

/* ---- Moved subtrees ----------------------------------------------------- */

typedef TFP_VEC(tfp_sort_item) sort_items;

/* The unaligned rows of one side by the content of their subtrees; with
 * `by_name`, also by their own name. */
static bool sort_rest(aligner *a, const tfp_snapshot *s, const uint32_t *pairs,
                      const uint64_t *hashes, bool by_name, sort_items *items)
{
    tfp_sort_item *scratch;
    bool ok;
    items->count = 0;
    for (size_t row = 1; row < s->count; row++) {
        uint64_t key[2] = { first_key(s, (uint32_t)row), hashes[row] };
        tfp_sort_item item = { .key = by_name ? mix(a, key, sizeof(key))
                                              : hashes[row],
                               .index = (uint32_t)row };
        if (tfp_watch_ends(&a->watch))
            return false;
        if (pairs[row] == TFP_NO_ID && !TFP_VEC_PUSH(a->memory, items, item))
            return false;
    }
    scratch = tfp_memory_array(a->memory, items->count + 1, sizeof(*scratch));
    ok = scratch && tfp_sort_until(items->data, items->count, scratch, NULL,
                                   NULL, a->watch.cancel);
    tfp_memory_free(a->memory, scratch);
    return ok;
}

/* A single node is not much content. It must keep its name or its place. */
static bool is_convincing(const aligner *a, uint32_t base, uint32_t head)
{
    const tfp_snapshot *from = a->out->base, *to = a->out->head;
    if (a->base.first[base] != TFP_NO_ID)
        return true;
    if (from->types[base] == 0)
        return false;
    return a->out->to[from->parents[base]] == to->parents[head] ||
           tfp_span_equal(
               tfp_name_without_number(
                   tfp_snapshot_text(from, from->names[base])),
               tfp_name_without_number(tfp_snapshot_text(to, to->names[head])));
}

static bool is_single(const sort_items *items, size_t at)
{
    uint64_t key = items->data[at].key;
    return (at == 0 || items->data[at - 1].key != key) &&
           (at + 1 == items->count || items->data[at + 1].key != key);
}

/* Writes for each base row the head row of the same content, if each of them
 * is the only one. */
static void match_rest(const sort_items *base, const sort_items *head,
                       uint32_t *twin)
{
    size_t j = 0;
    for (size_t i = 0; i < base->count; i++) {
        while (j < head->count && head->data[j].key < base->data[i].key)
            j++;
        if (j < head->count && head->data[j].key == base->data[i].key &&
            is_single(base, i) && is_single(head, j))
            twin[base->data[i].index] = head->data[j].index;
    }
}

/* Parents come first, so of a moved subtree the top is found first, and all
 * below it is aligned when its turn comes. */
static void pair_moved(aligner *a, const uint32_t *twin)
{
    tfp_alignment *out = a->out;
    for (uint32_t row = 1; row < out->base->count && !a->failed; row++) {
        if (tfp_watch_ends(&a->watch))
            return;
        if (out->to[row] == TFP_NO_ID) {
            uint32_t head = twin[row];
            if (head == TFP_NO_ID || out->from[head] != TFP_NO_ID ||
                !is_convincing(a, row, head))
                continue;
            pair(a, row, head);
            out->moved[row / 8] |= (uint8_t)(1u << row % 8);
        }
        if (a->base.first[row] != TFP_NO_ID)
            align_children(a, row);
    }
}

/* Finds rows of the same content, by which equal layers are not told apart
 * unless their names are compared, too. */
static bool find_twins(aligner *a, bool by_name, uint32_t *twin)
{
    sort_items base = { 0 }, head = { 0 };
    bool ok = sort_rest(a, a->out->base, a->out->to, a->base_hash, by_name,
                        &base) &&
              sort_rest(a, a->out->head, a->out->from, a->head_hash, by_name,
                        &head);
    if (ok)
        match_rest(&base, &head, twin);
    TFP_VEC_RELEASE(a->memory, &base);
    TFP_VEC_RELEASE(a->memory, &head);
    return ok;
}

static void find_moved(aligner *a)
{
    size_t size = (a->out->base->count + 1) * sizeof(uint32_t);
    uint32_t *twin = tfp_memory_alloc(a->memory, size);
    bool ok = twin != NULL;
    if (ok)
        memset(twin, 0xff, size);
    ok = ok && find_twins(a, true, twin) && find_twins(a, false, twin);
    a->failed |= !ok && !tfp_watch_asks(&a->watch);
    if (ok)
        pair_moved(a, twin);
    tfp_memory_free(a->memory, twin);
}

static bool is_complete(const uint32_t *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i] == TFP_NO_ID)
            return false;
    }
    return true;
}

/* ---- All of it ---------------------------------------------------------- */

static bool make(aligner *a)
{
    tfp_alignment *out = a->out;
    size_t texts = tfp_interner_count(out->base->texts) + (size_t)1;
    size_t base = out->base->count + 1, head = out->head->count + 1;
    out->to = tfp_memory_array(a->memory, base, sizeof(uint32_t));
    out->from = tfp_memory_array(a->memory, head, sizeof(uint32_t));
    out->moved = tfp_memory_zalloc(a->memory, base / 8 + 1);
    a->same = tfp_memory_array(a->memory, head, sizeof(uint32_t));
    a->at = tfp_memory_array(a->memory, texts, sizeof(uint32_t));
    if (!out->to || !out->from || !out->moved || !a->same || !a->at)
        return false;
    memset(out->to, 0xff, base * sizeof(uint32_t));
    memset(out->from, 0xff, head * sizeof(uint32_t));
    memset(a->at, 0xff, texts * sizeof(uint32_t));
    return tfp_interner_init(&a->keys, a->memory, 1, a->seed) &&
           make_children(a, &a->base, out->base, true) &&
           make_children(a, &a->head, out->head, false);
}

static void align(aligner *a, bool finds_moved)
{
    tfp_alignment *out = a->out;
    if (out->base->count == 0 || out->head->count == 0)
        return;
    pair(a, 0, 0);
    for (uint32_t row = 0; row < out->base->count && !a->failed; row++) {
        if (tfp_watch_ends(&a->watch))
            return;
        if (out->to[row] != TFP_NO_ID && a->base.first[row] != TFP_NO_ID)
            align_children(a, row);
    }
    if (a->failed || !finds_moved || is_complete(out->to, out->base->count) ||
        is_complete(out->from, out->head->count))
        return;
    a->base_hash = hash_subtrees(a, out->base);
    a->head_hash = hash_subtrees(a, out->head);
    if (!a->failed && !a->watch.cancelled)
        find_moved(a);
}

static void release(aligner *a)
{
    tfp_memory_free(a->memory, a->base.first);
    tfp_memory_free(a->memory, a->base.next);
    tfp_memory_free(a->memory, a->head.first);
    tfp_memory_free(a->memory, a->head.next);
    tfp_memory_free(a->memory, a->at);
    tfp_memory_free(a->memory, a->same);
    tfp_memory_free(a->memory, a->key_at);
    tfp_memory_free(a->memory, a->base_hash);
    tfp_memory_free(a->memory, a->head_hash);
    tfp_interner_release(&a->keys);
}

int tfp_align(tfp_alignment *out, const tfp_snapshot *base,
              const tfp_snapshot *head, bool finds_moved, tfp_memory *memory,
              const tfp_cancel *cancel, tfprof_error *err)
{
    aligner a = { .out = out,
                  .memory = memory,
                  .seed = tfp_random_seed(),
                  .watch = { .cancel = cancel } };
    *out = (tfp_alignment){ .memory = memory, .base = base, .head = head };
    if (make(&a))
        align(&a, finds_moved);
    else
        a.failed = true;
    release(&a);
    if (a.watch.cancelled)
        return tfp_fail_cancelled(err);
    return a.failed ? tfp_fail_nomem(err) : TFPROF_OK;
}

void tfp_alignment_release(tfp_alignment *out)
{
    if (!out->memory)
        return;
    tfp_memory_free(out->memory, out->to);
    tfp_memory_free(out->memory, out->from);
    tfp_memory_free(out->memory, out->moved);
    *out = (tfp_alignment){ 0 };
}
