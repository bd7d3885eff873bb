/*
 * search.c - finds rows by name, including folded rows.
 *
 * One pass over all rows counts the matches before each row. The rows below a
 * row are next to each other, so the difference of two counts is the number of
 * matches below a row. The search for the next match uses this number to skip
 * subtrees without matches.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/tree.h"

/* ---- Names -------------------------------------------------------------- */

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

typedef struct needle {
    const unsigned char *text;
    size_t size;
    bool ignores_case;
} needle;

static bool is_at(const needle *n, const unsigned char *text)
{
    if (!n->ignores_case)
        return !memcmp(text, n->text, n->size);
    for (size_t i = 0; i < n->size; i++) {
        if (lower(text[i]) != n->text[i])
            return false;
    }
    return true;
}

static bool contains(const needle *n, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    for (; size >= n->size; at++, size--) {
        if (is_at(n, at))
            return true;
    }
    return false;
}

/* A name begins with the name of the parent row. Matches within this part are
 * not counted again for the row: a match must end after it. A match may begin
 * in this part, so patterns can contain a slash. */
static bool matches(const tui_tree *t, const needle *n, uint32_t row)
{
    tfprof_text part = tui_tree_short_name(t, row);
    tfprof_row whole = { 0 };
    size_t before, from;
    tfprof_view_row(t->view, row, &whole);
    before = whole.name.size - part.size;
    from = before >= n->size ? before - n->size + 1 : 0;
    return contains(n, whole.name.data + from, whole.name.size - from);
}

static bool has_capitals(const char *text)
{
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'Z')
            return true;
    }
    return false;
}

/* ---- All matches -------------------------------------------------------- */

bool tui_tree_search(tui_tree *t, const char *pattern)
{
    needle n = { (const unsigned char *)pattern, strlen(pattern),
                 !has_capitals(pattern) };
    char *kept = strdup(pattern); /* it may be t->pattern, freed below */
    if (!t->matches)
        t->matches = calloc((size_t)t->count + 1, sizeof(*t->matches));
    if (!kept || !t->matches) {
        free(kept);
        return false;
    }
    free(t->pattern);
    t->pattern = kept;
    n.text = (const unsigned char *)kept;
    t->searched = t->shown_metrics;
    t->hidden_matches = 0;
    /* Rows with only zeros are not shown, so their matches are only counted.
     * The root of a tree is not searched, because it is shown as "(total)". */
    for (uint32_t row = 0; row < t->count; row++) {
        bool found = (row > 0 || t->is_flat) && matches(t, &n, row);
        bool shown = found && !tui_tree_leaves_out(t, row);
        t->matches[row + 1] = t->matches[row] + shown;
        t->hidden_matches += found && !shown;
    }
    return true;
}

bool tui_tree_is_searched(const tui_tree *t)
{
    return t->pattern && t->searched == t->shown_metrics;
}

uint32_t tui_tree_match_count(const tui_tree *t)
{
    return t->matches ? t->matches[t->count] : 0;
}

/* ---- The next match ----------------------------------------------------- */

static uint32_t count_in(const tui_tree *t, uint32_t row)
{
    return row == tui_tree_top(t) ? t->matches[t->count]
                                  : t->matches[t->ends[row]] - t->matches[row];
}

static bool is_match(const tui_tree *t, uint32_t row)
{
    return row != tui_tree_top(t) && t->matches[row + 1] > t->matches[row];
}

static uint32_t child_at(const tui_tree *t, uint32_t row, uint32_t index)
{
    return t->children[t->firsts[row] + index];
}

static uint32_t child_count(const tui_tree *t, uint32_t row)
{
    return t->firsts[row + 1] - t->firsts[row];
}

/* Returns the first or the last match below a row. There must be one. */
static uint32_t descend(tui_tree *t, uint32_t row, bool is_forward)
{
    for (;;) {
        uint32_t count = child_count(t, row), i = 0;
        tui_tree_has_children(t, row); /* sorts the children */
        while (count_in(t, child_at(t, row, is_forward ? i : count - 1 - i)) ==
               0)
            i++;
        row = child_at(t, row, is_forward ? i : count - 1 - i);
        if (is_forward ? is_match(t, row)
                       : count_in(t, row) == (uint32_t)is_match(t, row))
            return row;
    }
}

static uint32_t position(const tui_tree *t, uint32_t row)
{
    uint32_t at = 0;
    while (child_at(t, t->parents[row], at) != row)
        at++;
    return at;
}

/* Returns the nearest sibling after or before a row that is or contains a
 * match, or the top row if there is none. */
static uint32_t sibling(const tui_tree *t, uint32_t row, bool is_forward)
{
    uint32_t parent = t->parents[row], at = position(t, row);
    while (is_forward ? ++at < child_count(t, parent) : at-- > 0) {
        if (count_in(t, child_at(t, parent, at)) > 0)
            return child_at(t, parent, at);
    }
    return tui_tree_top(t);
}

static uint32_t next(tui_tree *t, uint32_t row)
{
    uint32_t top = tui_tree_top(t);
    if (count_in(t, row) > (uint32_t)is_match(t, row))
        return descend(t, row, true);
    for (; row != top; row = t->parents[row]) {
        uint32_t other = sibling(t, row, true);
        if (other != top)
            return is_match(t, other) ? other : descend(t, other, true);
    }
    return descend(t, top, true);
}

static uint32_t previous(tui_tree *t, uint32_t row)
{
    uint32_t top = tui_tree_top(t);
    for (; row != top; row = t->parents[row]) {
        uint32_t other = sibling(t, row, false);
        if (other != top)
            return count_in(t, other) == (uint32_t)is_match(t, other)
                       ? other
                       : descend(t, other, false);
        if (is_match(t, t->parents[row]))
            return t->parents[row];
    }
    return descend(t, top, false);
}

uint32_t tui_tree_next_match(tui_tree *t, uint32_t row, bool is_forward)
{
    return is_forward ? next(t, row) : previous(t, row);
}

uint32_t tui_tree_match_rank(tui_tree *t, uint32_t row)
{
    uint32_t rank = 0;
    for (; row != tui_tree_top(t); row = t->parents[row]) {
        uint32_t parent = t->parents[row], at = position(t, row);
        rank += is_match(t, parent);
        while (at-- > 0)
            rank += count_in(t, child_at(t, parent, at));
    }
    return rank;
}
