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

/* Children of the row at hand that are not aligned by their first key: by
 * instructions' time, then in order. A key of a pass takes the place of that
 * of sorting. */
typedef TFP_VEC(tfp_sort_item) row_list;

typedef struct aligner {
    tfp_alignment *out;
    tfp_memory *memory;
    children base, head;
    uint32_t *at;      /* by text: a child of the row at hand, TFP_NO_ID */
    uint32_t *same;    /* by head row: the next child of the same text */
    tfp_interner keys; /* by what rows align otherwise */
    uint32_t *key_at;  /* by key, as `at` */
    uint8_t *key_rows; /* by key: rows of each side, four bits each; at
                        * most 2 */
    size_t key_room;   /* of both */
    row_list base_left, head_left;
    uint32_t *scopes; /* by base row: where the head has the rows below it; NULL
                       * or TFP_NO_ID: below the row that it is aligned with */
    uint8_t *sides;   /* by text of a program or module: which sides have it, a
                       * bit each; NULL: none has instructions */
    uint64_t *base_hash; /* by row: the content of the subtree, or NULL */
    uint64_t *head_hash;
    uint64_t seed;
    bool has_work; /* both sides know the float operations of instructions */
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

static bool is_instruction(const tfp_snapshot *s, size_t row)
{
    return tfp_snapshot_is_instruction(s, row);
}

/* By what a row aligns first. */
static uint32_t first_key(const tfp_snapshot *s, uint32_t row)
{
    if (is_instruction(s, row))
        return s->instructions[row].key;
    return s->places ? s->places[row] : s->names[row];
}

/* The same for rows whose program may have changed. */
static uint32_t own_name(const tfp_snapshot *s, uint32_t row)
{
    return s->places ? s->places[row] : tfp_snapshot_own_name(s, row);
}

/* Instructions align with those of their group only: of their program, if both
 * sides have it, else of their module. If only one side has the module, it may
 * have been renamed: 0. */
static uint32_t group_of(const aligner *a, const tfp_snapshot *s, uint32_t row)
{
    const tfp_snapshot_instruction *one;
    if (!is_instruction(s, row))
        return 0;
    one = &s->instructions[row];
    if (a->sides[one->program] == 3)
        return one->program;
    return a->sides[one->module] == 3 ? one->module : 0;
}

/* ---- Keys of what is left ----------------------------------------------- */

/* In this order. Of lines and without instructions there is only PASS_STEM.
 *
 * A compiler numbers its instructions anew, and an operation often has many of
 * one type and shape. So instructions of the first passes have equal work, too,
 * as float operations. What is left then pairs only if no other row fits: by
 * the number in its name, an unrelated one would do. */
typedef enum pass_kind {
    PASS_NAME,       /* by name, type and shape */
    PASS_STEM,       /* by name without number, type and shape */
    PASS_TYPE,       /* instructions by type and shape */
    PASS_ALONE_STEM, /* the only row of a name without number, type, shape */
    PASS_ALONE_TYPE, /* the only instruction of a type and shape */
    PASS_CHANGED,    /* the only row of a name without number */
    PASS_SCOPE,      /* rows with rows below them, by name */
    PASSES
} pass_kind;

static bool is_by_type(pass_kind pass)
{
    return pass == PASS_TYPE || pass == PASS_ALONE_TYPE;
}

static bool must_be_alone(pass_kind pass)
{
    return pass == PASS_ALONE_STEM || pass == PASS_ALONE_TYPE ||
           pass == PASS_CHANGED;
}

static bool has_number(pass_kind pass)
{
    return pass == PASS_NAME || pass == PASS_SCOPE;
}

/* The name of an instruction in its program stands behind the last slash: in
 * views whose rows do not nest, its scope stands before it. */
static size_t scope_size(tfp_span name)
{
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] != '/')
        size--;
    return size;
}

/* What a key of the pass has of the name. */
static tfp_span name_in_key(const tfp_snapshot *s, uint32_t row, pass_kind pass)
{
    tfp_span name = tfp_snapshot_text(s, own_name(s, row));
    if (is_instruction(s, row)) {
        size_t scope = scope_size(name);
        if (is_by_type(pass))
            return (tfp_span){ name.data, scope };
        if (!s->instructions[row].has_scope) /* the group has the module */
            name = (tfp_span){ name.data + scope, name.size - scope };
    } else if (s->instructions && s->instructions[row].module != 0 &&
               pass == PASS_STEM) {
        return tfp_snapshot_text(s, s->instructions[row].module);
    }
    return has_number(pass) ? name : tfp_name_without_number(name);
}

static bool takes_part(const aligner *a, const tfp_snapshot *s, uint32_t row,
                       pass_kind pass)
{
    const children *c = s == a->out->base ? &a->base : &a->head;
    if (pass == PASS_SCOPE)
        return c->first[row] != TFP_NO_ID;
    if (is_by_type(pass))
        return group_of(a, s, row) != 0 && s->instructions[row].has_scope &&
               !tfp_span_is(tfp_snapshot_text(s, s->types[row]), "unknown");
    return true;
}

enum { FACTS = 5 };

static uint32_t intern_key(aligner *a, const uint32_t *facts, size_t size,
                           tfp_span name)
{
    uint8_t key[256 + FACTS * sizeof(uint32_t)];
    uint64_t hash;
    if (name.size > sizeof(key) - size) { /* long names: by hash */
        hash = tfp_hash(name, a->seed);
        name = (tfp_span){ (const uint8_t *)&hash, sizeof(hash) };
    }
    if (name.size > 0)
        memcpy(key, name.data, name.size);
    memcpy(key + name.size, facts, size);
    return tfp_intern(&a->keys, (tfp_span){ key, name.size + size });
}

/* Float operations of an instruction, where passes and contents have them. */
static uint64_t work_of(const aligner *a, const tfp_snapshot *s, uint32_t row)
{
    return a->has_work && is_instruction(s, row)
               ? (uint64_t)tfp_snapshot_value(s, row, TFP_COST_FLOAT_OPS)
               : 0;
}

/* TFP_NO_ID when out of memory. */
static uint32_t pass_key(aligner *a, const tfp_snapshot *s, uint32_t row,
                         pass_kind pass)
{
    uint32_t facts[FACTS] = { 0 };
    tfp_span none = { 0 };
    if (s->lines) {
        facts[0] = s->lines[row];
        return intern_key(a, facts, sizeof(facts), none);
    }
    if (pass != PASS_SCOPE)
        facts[0] = group_of(a, s, row);
    if (pass != PASS_SCOPE && pass != PASS_CHANGED) {
        facts[1] = s->types[row];
        facts[2] = s->shapes[row];
        if (!must_be_alone(pass)) {
            uint64_t work = work_of(a, s, row);
            memcpy(facts + 3, &work, sizeof(work));
        }
    }
    return intern_key(a, facts, sizeof(facts), name_in_key(s, row, pass));
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
        uint64_t own[4] = { (uint64_t)s->types[row] << 32 | s->shapes[row],
                            sums[row], group_of(a, s, (uint32_t)row),
                            work_of(a, s, (uint32_t)row) };
        uint64_t named[2] = { own_name(s, (uint32_t)row), 0 };
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

static void mark_moved(aligner *a, uint32_t base)
{
    a->out->moved[base / 8] |= (uint8_t)(1u << base % 8);
}

/* Do the names of two rows differ at most by a number? */
static bool have_same_stem(const aligner *a, uint32_t base, uint32_t head)
{
    const tfp_snapshot *from = a->out->base, *to = a->out->head;
    return tfp_span_equal(tfp_name_without_number(tfp_snapshot_text(
                              from, tfp_snapshot_own_name(from, base))),
                          tfp_name_without_number(tfp_snapshot_text(
                              to, tfp_snapshot_own_name(to, head))));
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

/* Room in the tables for all keys so far. */
static bool widen_keys(aligner *a)
{
    size_t count = tfp_interner_count(&a->keys), room = 2 * count + 64;
    uint32_t *grown;
    uint8_t *rows;
    if (count <= a->key_room)
        return true;
    grown = tfp_memory_resize(a->memory, a->key_at, room * sizeof(*grown));
    if (!grown)
        return false;
    a->key_at = grown;
    rows = tfp_memory_resize(a->memory, a->key_rows, room);
    if (!rows)
        return false;
    a->key_rows = rows;
    memset(grown + a->key_room, 0xff, (room - a->key_room) * sizeof(*grown));
    memset(rows + a->key_room, 0, room - a->key_room);
    a->key_room = room;
    return true;
}

/* Instructions of one key align by time, the largest first; other rows keep
 * their order. */
static uint64_t order_of(const tfp_snapshot *s, uint32_t row)
{
    int64_t time;
    if (!is_instruction(s, row))
        return 0;
    time = tfp_snapshot_value(s, row, TFP_COST_MICROS);
    if (time == 0)
        time = tfp_add_sat(
            tfp_snapshot_value(s, row, TFP_COST_ACCELERATOR_MICROS),
            tfp_snapshot_value(s, row, TFP_COST_CPU_MICROS));
    return tfp_sort_key_falling(time);
}

static void reverse(row_list *rows)
{
    for (size_t i = 0, j = rows->count; i + 1 < j; i++) {
        tfp_sort_item swap = rows->data[i];
        rows->data[i] = rows->data[--j];
        rows->data[j] = swap;
    }
}

/* The children of a row that have no pair. */
static bool list_left(aligner *a, const tfp_snapshot *s, uint32_t parent,
                      row_list *rows)
{
    bool is_head = s == a->out->head, ok = true;
    const children *c = is_head ? &a->head : &a->base;
    const uint32_t *pairs = is_head ? a->out->from : a->out->to;
    tfp_sort_item *scratch;
    rows->count = 0;
    for (uint32_t r = c->first[parent]; ok && r != TFP_NO_ID; r = c->next[r]) {
        tfp_sort_item item = { .key = order_of(s, r), .index = r };
        if (pairs[r] == TFP_NO_ID)
            ok = TFP_VEC_PUSH(a->memory, rows, item);
    }
    if (is_head)
        reverse(rows);
    if (!ok || !s->instructions)
        return ok;
    scratch = tfp_memory_array(a->memory, rows->count + 1, sizeof(*scratch));
    if (scratch)
        tfp_sort(rows->data, rows->count, scratch, NULL, NULL);
    tfp_memory_free(a->memory, scratch);
    return scratch != NULL;
}

/* Drops rows that have found a pair and gives the others their keys. Rows that
 * take no part have the key TFP_NO_ID. False when out of memory. */
static bool find_keys(aligner *a, const tfp_snapshot *s, pass_kind pass,
                      row_list *rows)
{
    const uint32_t *pairs = s == a->out->head ? a->out->from : a->out->to;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        uint32_t row = rows->data[i].index, key = TFP_NO_ID;
        if (pairs[row] != TFP_NO_ID)
            continue;
        if (takes_part(a, s, row, pass)) {
            key = pass_key(a, s, row, pass);
            if (key == TFP_NO_ID)
                return false;
        }
        rows->data[count++] = (tfp_sort_item){ .key = key, .index = row };
    }
    rows->count = count;
    return widen_keys(a);
}

static void note_pass(aligner *a, uint32_t base, uint32_t head, pass_kind pass)
{
    if (is_by_type(pass) && !have_same_stem(a, base, head))
        mark_moved(a, base);
    else if (pass == PASS_STEM || pass == PASS_TYPE ||
             (must_be_alone(pass) &&
              own_name(a->out->base, base) != own_name(a->out->head, head)))
        a->out->renamed++;
}

static bool are_of_two_groups(const aligner *a, uint32_t base, uint32_t head)
{
    return is_instruction(a->out->base, base) &&
           is_instruction(a->out->head, head) &&
           group_of(a, a->out->base, base) != group_of(a, a->out->head, head);
}

/* Counts the rows of each key, up to 2; `one` is 1 row of the side. */
static void count_keys(aligner *a, const row_list *rows, uint8_t one)
{
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t key = rows->data[i].key;
        if (key != TFP_NO_ID && (a->key_rows[key] / one & 15) < 2)
            a->key_rows[key] = (uint8_t)(a->key_rows[key] + one);
    }
}

static void forget_keys(aligner *a, const row_list *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t key = rows->data[i].key;
        if (key == TFP_NO_ID)
            continue;
        a->key_at[key] = TFP_NO_ID;
        a->key_rows[key] = 0;
    }
}

static bool may_pair(const aligner *a, pass_kind pass, uint64_t key)
{
    enum { ONE_EACH = 1 << 4 | 1 };
    return key != TFP_NO_ID &&
           (!must_be_alone(pass) || a->key_rows[key] == ONE_EACH);
}

static bool align_pass(aligner *a, pass_kind pass)
{
    if (!find_keys(a, a->out->base, pass, &a->base_left) ||
        !find_keys(a, a->out->head, pass, &a->head_left))
        return false;
    count_keys(a, &a->base_left, 1);
    count_keys(a, &a->head_left, 1 << 4);
    for (size_t i = a->head_left.count; i-- > 0;) {
        tfp_sort_item item = a->head_left.data[i];
        if (item.key != TFP_NO_ID)
            enter(a, a->key_at, (uint32_t)item.key, item.index);
    }
    for (size_t i = 0; i < a->base_left.count; i++) {
        tfp_sort_item item = a->base_left.data[i];
        uint32_t found = may_pair(a, pass, item.key)
                             ? take(a, a->key_at, (uint32_t)item.key)
                             : TFP_NO_ID;
        if (found == TFP_NO_ID ||
            (pass == PASS_SCOPE && are_of_two_groups(a, item.index, found)))
            continue;
        pair(a, item.index, found);
        note_pass(a, item.index, found, pass);
    }
    forget_keys(a, &a->base_left);
    forget_keys(a, &a->head_left);
    return true;
}

static bool align_left(aligner *a, uint32_t base, uint32_t head)
{
    bool ok = list_left(a, a->out->base, base, &a->base_left) &&
              list_left(a, a->out->head, head, &a->head_left);
    if (ok && !a->sides)
        return a->head_left.count == 0 || align_pass(a, PASS_STEM);
    for (int pass = 0; ok && pass < PASSES; pass++) {
        if (a->base_left.count == 0 || a->head_left.count == 0)
            break;
        ok = align_pass(a, (pass_kind)pass);
    }
    return ok;
}

/* A scope and an instruction of the same name share a row. The instruction may
 * share its row with no scope, or another one, on the other side. So of such
 * rows the scopes are found by their names. */
static void find_scopes(aligner *a, uint32_t base, uint32_t head)
{
    const tfp_snapshot *from = a->out->base, *to = a->out->head;
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID; r = a->head.next[r])
        if (a->head.first[r] != TFP_NO_ID)
            a->at[own_name(to, r)] = r;
    for (uint32_t r = a->base.first[base]; r != TFP_NO_ID; r = a->base.next[r])
        if (a->base.first[r] != TFP_NO_ID)
            a->scopes[r] = a->at[own_name(from, r)];
    for (uint32_t r = a->head.first[head]; r != TFP_NO_ID; r = a->head.next[r])
        a->at[own_name(to, r)] = TFP_NO_ID;
}

/* The row of the head below which the rows below a base row are, or
 * TFP_NO_ID. */
static uint32_t scope_of(const aligner *a, uint32_t base)
{
    return a->scopes && a->scopes[base] != TFP_NO_ID ? a->scopes[base]
                                                     : a->out->to[base];
}

/* Aligns the rows below a row and its scope of the head. */
static void align_children(aligner *a, uint32_t base)
{
    uint32_t head = scope_of(a, base);
    if (a->scopes)
        find_scopes(a, base, head);
    if (align_by_name(a, base, head) > 0)
        a->failed |= !align_left(a, base, head);
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
        uint64_t key[2] = { own_name(s, (uint32_t)row), hashes[row] };
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
    return scope_of(a, from->parents[base]) == to->parents[head] ||
           have_same_stem(a, base, head);
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
            mark_moved(a, row);
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

static void note_sides(aligner *a, const tfp_snapshot *s, uint8_t side)
{
    for (size_t row = 0; row < s->count; row++) {
        if (!is_instruction(s, row))
            continue;
        a->sides[s->instructions[row].program] |= side;
        a->sides[s->instructions[row].module] |= side;
    }
}

static bool make_sides(aligner *a, size_t texts)
{
    if (!a->out->base->instructions && !a->out->head->instructions)
        return true;
    a->sides = tfp_memory_zalloc(a->memory, texts);
    if (!a->sides)
        return false;
    a->scopes = tfp_memory_array(a->memory, a->out->base->count + 1,
                                 sizeof(*a->scopes));
    if (!a->scopes)
        return false;
    memset(a->scopes, 0xff, (a->out->base->count + 1) * sizeof(*a->scopes));
    note_sides(a, a->out->base, 1);
    note_sides(a, a->out->head, 2);
    return true;
}

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
    a->has_work = tfp_snapshot_has(out->base, TFP_COST_FLOAT_OPS) &&
                  tfp_snapshot_has(out->head, TFP_COST_FLOAT_OPS);
    if (!out->to || !out->from || !out->moved || !a->same || !a->at)
        return false;
    memset(out->to, 0xff, base * sizeof(uint32_t));
    memset(out->from, 0xff, head * sizeof(uint32_t));
    memset(a->at, 0xff, texts * sizeof(uint32_t));
    return tfp_interner_init(&a->keys, a->memory, 1, a->seed) &&
           make_sides(a, texts) &&
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
        if (a->base.first[row] != TFP_NO_ID && scope_of(a, row) != TFP_NO_ID)
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
    tfp_memory_free(a->memory, a->key_rows);
    TFP_VEC_RELEASE(a->memory, &a->base_left);
    TFP_VEC_RELEASE(a->memory, &a->head_left);
    tfp_memory_free(a->memory, a->scopes);
    tfp_memory_free(a->memory, a->sides);
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
