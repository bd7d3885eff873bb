/*
 * tree.c - the rows of a view as a tree that can be folded and sorted.
 */
#include "tui/tree.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN = 1, ALL = 2 }; /* bits of `states` */

/* The same rows as in a table: docs/output.md. */
enum { FIRST_LEVELS = 3, FIRST_ROWS = 10 };

/* ---- Values ------------------------------------------------------------- */

int64_t tui_tree_value(const tui_tree *t, uint32_t row, tfprof_metric metric)
{
    return t->is_flat ? tfprof_view_self(t->view, row, metric)
                      : tfprof_view_total(t->view, row, metric);
}

int64_t tui_tree_whole(const tui_tree *t, tfprof_metric metric)
{
    return t->is_flat ? tfprof_view_sum(t->view, metric)
                      : tfprof_view_total(t->view, 0, metric);
}

bool tui_tree_leaves_out(const tui_tree *t, uint32_t row)
{
    for (int m = 0; m < TUI_METRICS; m++) {
        if (t->shown_metrics >> m & 1 &&
            tui_tree_value(t, row, (tfprof_metric)m) != 0)
            return false;
    }
    return row != 0 || t->is_flat;
}

bool tui_tree_is_open(const tui_tree *t, uint32_t row)
{
    return t->states[row] & OPEN;
}

tfprof_text tui_tree_short_name(const tui_tree *t, uint32_t row)
{
    tfprof_row own = { 0 }, above = { 0 };
    tfprof_view_row(t->view, row, &own);
    if (own.parent == TFPROF_NO_ROW || own.parent == 0 ||
        tfprof_view_rest(t->view, row) > 0)
        return own.name;
    tfprof_view_row(t->view, own.parent, &above);
    if (own.name.size <= above.name.size + 1 ||
        own.name.data[above.name.size] != '/' ||
        memcmp(own.name.data, above.name.data, above.name.size) != 0)
        return own.name;
    own.name.data += above.name.size + 1;
    own.name.size -= above.name.size + 1;
    return own.name;
}

/* ---- Order -------------------------------------------------------------- */

typedef struct sort_item {
    int64_t value;
    uint32_t row;
    bool is_last; /* not shown: only zeros */
} sort_item;

static int compare(const void *first, const void *second)
{
    const sort_item *a = first, *b = second;
    if (a->is_last != b->is_last)
        return a->is_last ? 1 : -1;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->row < b->row ? -1 : 1; /* the order of the view */
}

static uint32_t child_count(const tui_tree *t, uint32_t row)
{
    return t->firsts[row + 1] - t->firsts[row];
}

/* Sorts the children of a row, unless they are already sorted. */
static bool sort_children(tui_tree *t, uint32_t row)
{
    uint32_t count = child_count(t, row), filled = 0;
    uint32_t *children = t->children + t->firsts[row];
    sort_item *items;
    if (t->sorted_by[row] == t->metric + 1)
        return true;
    items = malloc((count + 1) * sizeof(*items));
    if (!items)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (sort_item){ tui_tree_value(t, children[i], t->metric),
                                children[i],
                                tui_tree_leaves_out(t, children[i]) };
        filled += !items[i].is_last;
    }
    qsort(items, count, sizeof(*items), compare);
    for (uint32_t i = 0; i < count; i++)
        children[i] = items[i].row;
    free(items);
    t->filled[row] = filled;
    t->sorted_by[row] = (uint8_t)(t->metric + 1);
    return true;
}

bool tui_tree_has_children(tui_tree *t, uint32_t row)
{
    return child_count(t, row) > 0 && sort_children(t, row) &&
           t->filled[row] > 0;
}

/* Returns how many children have a line each. If only one row would remain, it
 * is shown instead of a line for the remaining rows. */
static uint32_t listed_count(const tui_tree *t, uint32_t row)
{
    uint32_t filled = t->filled[row];
    return t->states[row] & ALL || filled <= FIRST_ROWS + 1 ? filled
                                                            : FIRST_ROWS;
}

static int64_t sum_rest(const tui_tree *t, const tui_line *line,
                        tfprof_metric metric)
{
    const uint32_t *children = t->children + t->firsts[line->row];
    int64_t sum = 0;
    for (uint32_t i = t->filled[line->row] - line->more;
         i < t->filled[line->row]; i++) {
        int64_t value = tui_tree_value(t, children[i], metric);
        sum = value > 0 && sum > INT64_MAX - value ? INT64_MAX : sum + value;
    }
    return sum;
}

int64_t tui_tree_rest(tui_tree *t, const tui_line *line, tfprof_metric metric)
{
    tui_rest *kept = &t->rests[(line->row * 13 + (uint32_t)metric) % TUI_RESTS];
    if (kept->row != line->row || kept->more != line->more ||
        kept->metric != metric)
        *kept = (tui_rest){ line->row, line->more, metric,
                            sum_rest(t, line, metric) };
    return kept->sum;
}

/* ---- Lines -------------------------------------------------------------- */

static bool add_line(tui_tree *t, tui_line line)
{
    if (t->below_count == t->below_room) {
        size_t room = t->below_room * 2 + 256;
        tui_line *grown = realloc(t->below, room * sizeof(*grown));
        if (!grown)
            return false;
        t->below = grown;
        t->below_room = room;
    }
    t->below[t->below_count++] = line;
    return true;
}

/* A row whose children are being listed, and the index of the next child. */
typedef struct place {
    uint32_t row, next;
} place;

typedef struct places {
    place *data;
    size_t count, room;
} places;

static bool push(places *stack, uint32_t row)
{
    if (stack->count == stack->room) {
        size_t room = stack->room * 2 + 64;
        place *grown = realloc(stack->data, room * sizeof(*grown));
        if (!grown)
            return false;
        stack->data = grown;
        stack->room = room;
    }
    stack->data[stack->count++] = (place){ row, 0 };
    return true;
}

/* Adds the next line below the row at the top of the stack. */
static bool list_next(tui_tree *t, places *stack, uint32_t level)
{
    place *at = &stack->data[stack->count - 1];
    uint32_t row = at->row, child, listed = listed_count(t, row);
    uint32_t depth = level + (uint32_t)stack->count - 1;
    if (at->next >= listed) {
        uint32_t more = at->next == listed ? t->filled[row] - listed : 0;
        stack->count--;
        return more == 0 || add_line(t, (tui_line){ row, depth, more });
    }
    child = t->children[t->firsts[row] + at->next++];
    if (!add_line(t, (tui_line){ child, depth, 0 }))
        return false;
    return !(t->states[child] & OPEN) ||
           (sort_children(t, child) && push(stack, child));
}

/* Collects in `below` the lines below a row. `level` is the level of its
 * children. */
static bool list_below(tui_tree *t, uint32_t row, uint32_t level)
{
    places stack = { 0 };
    bool ok = sort_children(t, row) && push(&stack, row);
    t->below_count = 0;
    while (ok && stack.count > 0)
        ok = list_next(t, &stack, level);
    free(stack.data);
    return ok;
}

static bool reserve(tui_tree *t, size_t count)
{
    tui_line *grown;
    if (count <= t->line_room)
        return true;
    grown = realloc(t->lines, (count + count / 2) * sizeof(*grown));
    if (!grown)
        return false;
    t->lines = grown;
    t->line_room = count + count / 2;
    return true;
}

/* Replaces `old_count` lines, starting at `at`, with the lines in `below`. */
static bool replace(tui_tree *t, size_t at, size_t old_count)
{
    size_t behind = t->line_count - at - old_count;
    if (!reserve(t, t->line_count - old_count + t->below_count))
        return false;
    memmove(t->lines + at + t->below_count, t->lines + at + old_count,
            behind * sizeof(*t->lines));
    if (t->below_count > 0)
        memcpy(t->lines + at, t->below, t->below_count * sizeof(*t->lines));
    t->line_count = at + t->below_count + behind;
    return true;
}

static bool list_all(tui_tree *t)
{
    return list_below(t, tui_tree_top(t), 0) && replace(t, 0, t->line_count);
}

/* Returns the number of lines below the line of a row. */
static size_t lines_below(const tui_tree *t, size_t line)
{
    size_t at = line + 1;
    while (at < t->line_count && t->lines[at].level > t->lines[line].level)
        at++;
    return at - line - 1;
}

/* ---- Changes ------------------------------------------------------------ */

bool tui_tree_sort(tui_tree *t, tfprof_metric metric, uint32_t shown_metrics)
{
    tfprof_metric metric_before = t->metric;
    uint32_t shown_before = t->shown_metrics;
    t->metric = metric;
    t->shown_metrics = shown_metrics;
    memset(t->rests, 0, sizeof(t->rests));
    if (list_all(t))
        return true;
    t->metric = metric_before;
    t->shown_metrics = shown_before;
    return false;
}

static bool set_state(tui_tree *t, size_t line, uint8_t state)
{
    uint32_t row = t->lines[line].row;
    uint8_t before = t->states[row];
    t->states[row] = state;
    t->below_count = 0;
    if ((!(state & OPEN) || list_below(t, row, t->lines[line].level + 1)) &&
        replace(t, line + 1, lines_below(t, line)))
        return true;
    t->states[row] = before;
    return false;
}

static bool list_rest(tui_tree *t, size_t line)
{
    uint32_t row = t->lines[line].row;
    size_t above = line;
    if (row == tui_tree_top(t)) {
        t->states[row] |= ALL;
        return list_all(t);
    }
    while (t->lines[above].more > 0 || t->lines[above].row != row)
        above--;
    return set_state(t, above, t->states[row] | ALL);
}

bool tui_tree_toggle(tui_tree *t, size_t line)
{
    uint32_t row = t->lines[line].row;
    if (t->lines[line].more > 0)
        return list_rest(t, line);
    if (!(t->states[row] & OPEN) && !tui_tree_has_children(t, row))
        return true;
    return set_state(t, line, t->states[row] & OPEN ? 0 : OPEN);
}

size_t tui_tree_find_line(const tui_tree *t, uint32_t row)
{
    size_t found = 0;
    for (size_t i = 0; i < t->line_count; i++) {
        const tui_line *line = &t->lines[i];
        if (line->more == 0 && line->row <= row && row < t->ends[line->row])
            found = i; /* the row or a row above it; deeper rows come later */
    }
    return found;
}

/* Returns whether the row has its own line, if its parent is unfolded. */
static bool is_listed(const tui_tree *t, uint32_t row)
{
    uint32_t parent = t->parents[row], listed = listed_count(t, parent);
    const uint32_t *children = t->children + t->firsts[parent];
    for (uint32_t i = 0; i < listed; i++) {
        if (children[i] == row)
            return true;
    }
    return false;
}

bool tui_tree_reveal(tui_tree *t, uint32_t row, size_t *line)
{
    bool is_shown = true;
    for (uint32_t at = row; at != tui_tree_top(t); at = t->parents[at]) {
        uint32_t parent = t->parents[at];
        if (!sort_children(t, parent))
            return false;
        if (!(t->states[parent] & OPEN) || !is_listed(t, at)) {
            is_shown = false;
            t->states[parent] |= OPEN;
            if (!is_listed(t, at))
                t->states[parent] |= ALL;
        }
    }
    if (!is_shown && !list_all(t))
        return false;
    *line = tui_tree_find_line(t, row);
    return true;
}

/* ---- Creating and releasing --------------------------------------------- */

/* Groups the rows by parent and keeps their order. */
static void fill_children(tui_tree *t)
{
    for (uint32_t row = 0; row < t->count; row++)
        t->firsts[t->parents[row] + 1]++;
    for (uint32_t row = 0; row <= t->count; row++)
        t->firsts[row + 1] += t->firsts[row];
    for (uint32_t row = 0; row < t->count; row++) {
        uint32_t parent = t->parents[row];
        t->children[t->firsts[parent] + t->filled[parent]++] = row;
    }
}

static void read_rows(tui_tree *t)
{
    t->states[tui_tree_top(t)] = OPEN;
    for (uint32_t i = 0; i < t->count; i++) {
        tfprof_row row = { 0 };
        tfprof_view_row(t->view, i, &row);
        t->ends[i] = (uint32_t)row.end;
        t->parents[i] = row.parent == TFPROF_NO_ROW ? tui_tree_top(t)
                                                    : (uint32_t)row.parent;
        t->states[i] = row.depth < FIRST_LEVELS && !t->is_flat ? OPEN : 0;
    }
}

bool tui_tree_init(tui_tree *t, const tfprof_view *view, tfprof_metric metric,
                   uint32_t shown_metrics)
{
    size_t count = tfprof_view_row_count(view);
    *t = (tui_tree){ .view = view,
                     .count = (uint32_t)count,
                     .is_flat = !strcmp(tfprof_view_name(view), "op"),
                     .metric = metric,
                     .shown_metrics = shown_metrics };
    if (count >= UINT32_MAX - 2) /* the library does not create such views */
        return false;
    t->parents = calloc(count + 1, sizeof(*t->parents));
    t->ends = calloc(count + 1, sizeof(*t->ends));
    t->firsts = calloc(count + 2, sizeof(*t->firsts));
    t->children = calloc(count + 1, sizeof(*t->children));
    t->filled = calloc(count + 1, sizeof(*t->filled));
    t->sorted_by = calloc(count + 1, sizeof(*t->sorted_by));
    t->states = calloc(count + 1, sizeof(*t->states));
    if (!t->parents || !t->ends || !t->firsts || !t->children || !t->filled ||
        !t->sorted_by || !t->states)
        return false;
    read_rows(t);
    fill_children(t);
    return list_all(t);
}

void tui_tree_release(tui_tree *t)
{
    free(t->parents);
    free(t->ends);
    free(t->firsts);
    free(t->children);
    free(t->filled);
    free(t->sorted_by);
    free(t->states);
    free(t->lines);
    free(t->below);
    free(t->pattern);
    free(t->matches);
    *t = (tui_tree){ 0 };
}
