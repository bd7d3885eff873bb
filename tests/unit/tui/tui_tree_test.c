/*
 * tui_tree_test.c - the index of rows against a slow walk of the same tree:
 * random trees, folded, sorted and searched at random.
 */
#include "counting.h"
#include "tui/tree.h"

enum { NODES = 400, MOST = 4 * NODES, FIRST_ROWS = 10, FIRST_LEVELS = 3 };

/* ---- A model ------------------------------------------------------------ */

static uint64_t seed;

static unsigned draw(unsigned count)
{
    return (unsigned)(counting_random(&seed) % count);
}

/* Variables with random names of up to five segments; some are empty. */
static tfprof_view *make_view(const char *type)
{
    static char text[NODES * 300];
    size_t used = 0;
    tfprof_profile *p = tfprof_profile_new();
    tfprof_view *view = NULL;
    tfprof_error err;
    for (unsigned i = 0; i < NODES; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "node { name: \"");
        for (unsigned k = draw(5); k > 0; k--)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%c%u/",
                                     draw(4) ? 's' : 'T', draw(3));
        used += (size_t)snprintf(
            text + used, sizeof(text) - used,
            "n%u\" op: \"Op%u\" attr { key: \"shape\" value { shape { dim { "
            "size: %u } } } } }\n",
            i, draw(30), draw(4) ? draw(9) : 0);
    }
    must(tfprof_profile_add_memory(p, "graph", text, used, "graph_path", &err),
         &err);
    must(tfprof_profile_set(p, "select", "params,occurrence", &err), &err);
    must(tfprof_profile_set(p, "order_by", "depth", &err), &err);
    must(tfprof_profile_view(p, type, &view, &err), &err);
    tfprof_profile_free(p);
    return view;
}

/* ---- The slow walk ------------------------------------------------------ */

/* What a reader thinks of the tree. */
typedef struct slow {
    const tfprof_view *view;
    bool is_flat;
    tfprof_metric metric;
    uint32_t shown;
    uint32_t count;
    bool open[MOST], all[MOST]; /* the last one: above the top */
    tui_line lines[MOST];
    size_t line_count;
    uint32_t order[MOST]; /* all rows that can be shown */
    size_t order_count;
} slow;

static int64_t value_of(const slow *s, uint32_t row, tfprof_metric metric)
{
    return s->is_flat ? tfprof_view_self(s->view, row, metric)
                      : tfprof_view_total(s->view, row, metric);
}

static bool is_empty(const slow *s, uint32_t row)
{
    for (int m = 0; m < TUI_METRICS; m++) {
        if (s->shown >> m & 1 && value_of(s, row, (tfprof_metric)m) != 0)
            return false;
    }
    return s->is_flat || row != 0;
}

static size_t children_of(const slow *s, uint32_t parent, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        tfprof_row row;
        size_t at;
        tfprof_view_row(s->view, i, &row);
        if ((row.parent == TFPROF_NO_ROW ? s->count : row.parent) != parent ||
            is_empty(s, i))
            continue;
        for (at = count++; at > 0 && value_of(s, out[at - 1], s->metric) <
                                         value_of(s, i, s->metric);
             at--)
            out[at] = out[at - 1];
        out[at] = i;
    }
    return count;
}

static void walk(slow *s, uint32_t parent, uint32_t level, bool is_shown)
{
    uint32_t *children = calloc(MOST, sizeof(*children));
    size_t count = children_of(s, parent, children);
    size_t listed = s->all[parent] || count <= FIRST_ROWS + 1 ? count
                                                              : FIRST_ROWS;
    for (size_t i = 0; i < count; i++) {
        bool is_line = is_shown && i < listed;
        s->order[s->order_count++] = children[i];
        if (is_line)
            s->lines[s->line_count++] = (tui_line){ children[i], level, 0 };
        walk(s, children[i], level + 1, is_line && s->open[children[i]]);
    }
    if (is_shown && listed < count)
        s->lines[s->line_count++] = (tui_line){ parent, level,
                                                (uint32_t)(count - listed) };
    free(children);
}

static void walk_all(slow *s)
{
    s->line_count = s->order_count = 0;
    walk(s, s->count, 0, true);
}

static void begin(slow *s, const tfprof_view *view)
{
    memset(s, 0, sizeof(*s));
    s->view = view;
    s->is_flat = !strcmp(tfprof_view_name(view), "op");
    s->metric = TFPROF_METRIC_PARAMS;
    s->shown = 1u << TFPROF_METRIC_PARAMS;
    s->count = (uint32_t)tfprof_view_row_count(view);
    assert_true(s->count > 20 && s->count < MOST);
    s->open[s->count] = true;
    for (uint32_t i = 0; i < s->count; i++) {
        tfprof_row row;
        tfprof_view_row(view, i, &row);
        s->open[i] = !s->is_flat && row.depth < FIRST_LEVELS;
    }
}

static void check(slow *s, tui_tree *tree)
{
    walk_all(s);
    assert_int_equal(tree->line_count, s->line_count);
    for (size_t i = 0; i < s->line_count; i++) {
        assert_int_equal(tree->lines[i].row, s->lines[i].row);
        assert_int_equal(tree->lines[i].level, s->lines[i].level);
        assert_int_equal(tree->lines[i].more, s->lines[i].more);
    }
}

/* ---- Keys --------------------------------------------------------------- */

static void toggle(slow *s, tui_tree *tree)
{
    size_t at = draw((unsigned)tree->line_count);
    tui_line line = tree->lines[at];
    uint32_t children[MOST];
    assert_true(tui_tree_toggle(tree, at));
    if (line.more > 0) {
        s->all[line.row] = true;
    } else if (s->open[line.row]) {
        s->open[line.row] = s->all[line.row] = false;
    } else if (children_of(s, line.row, children) > 0) {
        s->open[line.row] = true;
    }
}

static void sort(slow *s, tui_tree *tree)
{
    s->metric = draw(2) ? TFPROF_METRIC_PARAMS : TFPROF_METRIC_DEFINED;
    s->shown = 1u << TFPROF_METRIC_PARAMS | 1u << s->metric;
    assert_true(tui_tree_sort(tree, s->metric, s->shown));
}

/* Does the part of a name that its parent does not have contain it? */
static bool matches(const tui_tree *tree, uint32_t row, const char *pattern)
{
    tfprof_text name = tui_tree_short_name(tree, row);
    char part[256];
    snprintf(part, sizeof(part), "%.*s", (int)name.size, name.data);
    for (char *c = part; *c && !strchr(pattern, 'T'); c++)
        *c = *c == 'T' ? 't' : *c;
    return (row > 0 || tree->is_flat) && strstr(part, pattern);
}

static void unfold_above(slow *s, const tui_tree *tree, uint32_t row)
{
    uint32_t children[MOST];
    for (uint32_t at = row; at != s->count; at = tree->parents[at]) {
        uint32_t parent = tree->parents[at];
        size_t count = children_of(s, parent, children), place = 0;
        s->open[parent] = true;
        while (children[place] != at)
            place++;
        if (count > FIRST_ROWS + 1 && place >= FIRST_ROWS)
            s->all[parent] = true;
    }
}

static void search(slow *s, tui_tree *tree)
{
    static const char *const patterns[] = {
        "s1", "T", "t2", "n1", "n399", "zz"
    };
    const char *pattern = patterns[draw(6)];
    uint32_t found[MOST], row, count = 0;
    size_t line, at = 0;
    walk_all(s);
    for (size_t i = 0; i < s->order_count; i++) {
        if (matches(tree, s->order[i], pattern))
            found[count++] = s->order[i];
    }
    assert_true(tui_tree_search(tree, pattern));
    assert_true(tui_tree_is_searched(tree));
    assert_true(tui_tree_search(tree, tree->pattern)); /* the same again */
    assert_int_equal(tui_tree_match_count(tree), count);
    if (count == 0)
        return;
    row = tui_tree_next_match(tree, tui_tree_top(tree), true);
    assert_int_equal(row, found[0]);
    for (unsigned steps = draw(2 * count + 2); steps > 0; steps--) {
        bool is_forward = draw(3) > 0;
        assert_int_equal(tui_tree_match_rank(tree, row), at);
        assert_true(tui_tree_reveal(tree, row, &line));
        assert_int_equal(tree->lines[line].row, row);
        unfold_above(s, tree, row);
        at = is_forward ? (at + 1) % count : (at + count - 1) % count;
        row = tui_tree_next_match(tree, row, is_forward);
        assert_int_equal(row, found[at]);
    }
}

static void play(const char *type)
{
    static slow s;
    tui_tree tree;
    tfprof_view *view = make_view(type);
    begin(&s, view);
    assert_true(tui_tree_init(&tree, view, s.metric, s.shown));
    check(&s, &tree);
    for (int i = 0; i < 60; i++) {
        unsigned key = draw(10);
        if (key < 8)
            toggle(&s, &tree);
        else if (key < 9)
            sort(&s, &tree);
        else
            search(&s, &tree);
        check(&s, &tree);
    }
    tui_tree_release(&tree);
    tfprof_view_free(view);
}

TEST(lines_are_those_of_a_slow_walk)
{
    for (seed = 1; seed < 2000; seed += 211) {
        uint64_t kept = seed;
        play("scope");
        play("graph");
        play("op");
        seed = kept;
    }
}

/* ---- Single keys -------------------------------------------------------- */

TEST(the_rest_is_the_sum_of_its_rows)
{
    tui_tree tree;
    tfprof_view *view;
    size_t found = 0;
    seed = 7;
    view = make_view("scope");
    assert_true(tui_tree_init(&tree, view, TFPROF_METRIC_PARAMS,
                              1u << TFPROF_METRIC_PARAMS));
    for (size_t i = 0; i < tree.line_count; i++) {
        tui_line line = tree.lines[i];
        int64_t sum = 0;
        if (line.more == 0)
            continue;
        found++;
        for (uint32_t k = 0; k < line.more; k++)
            sum += tfprof_view_total(
                view, tree.children[tree.firsts[line.row] + FIRST_ROWS + k],
                TFPROF_METRIC_PARAMS);
        for (int again = 0; again < 2; again++)
            assert_int_equal(tui_tree_rest(&tree, &line, TFPROF_METRIC_PARAMS),
                             sum);
    }
    assert_true(found > 0);
    tui_tree_release(&tree);
    tfprof_view_free(view);
}
