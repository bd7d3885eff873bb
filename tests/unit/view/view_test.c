/*
 * view_test.c - which rows a view has and how they nest, against references
 * that are slow and plain.
 */
#include "viewing.h"

#include "view/tree.h"

/* ---- The order of a tree ------------------------------------------------ */

enum { TREES = 300, TREE_MOST = 200 };

typedef struct tree {
    uint32_t count;
    uint32_t parent[TREE_MOST];
    uint64_t keys[TREE_MOST];
    int ties[TREE_MOST];
    bool sorted, tied;
    uint32_t place[TREE_MOST];
    uint32_t next; /* place, while it is laid out */
} tree;

static uint64_t tree_key(const void *context, uint32_t item)
{
    return ((const tree *)context)->keys[item];
}

static int tree_tie(const void *context, uint32_t a, uint32_t b)
{
    const tree *t = context;
    return t->ties[a] - t->ties[b];
}

static bool comes_before(const tree *t, uint32_t a, uint32_t b)
{
    if (t->sorted && t->keys[a] != t->keys[b])
        return t->keys[a] < t->keys[b];
    if (t->sorted && t->tied && t->ties[a] != t->ties[b])
        return t->ties[a] < t->ties[b];
    return a < b;
}

/* By the definition: an item, then its children, the least one first. */
static void lay_out(tree *t, uint32_t item)
{
    bool done[TREE_MOST] = { false };
    t->place[item] = t->next++;
    for (;;) {
        uint32_t least = 0;
        for (uint32_t i = 1; i < t->count; i++) {
            if (t->parent[i] == item && !done[i] &&
                (least == 0 || comes_before(t, i, least)))
                least = i;
        }
        if (least == 0)
            return;
        done[least] = true;
        lay_out(t, least);
    }
}

static void random_tree(tree *t, uint64_t *state)
{
    uint32_t shape = random_below(state, 3), keys = 1 + random_below(state, 9);
    *t = (tree){ .count = 1 + random_below(state, TREE_MOST) };
    t->sorted = random_below(state, 4) > 0;
    t->tied = random_below(state, 2);
    for (uint32_t i = 1; i < t->count; i++) {
        /* any, mostly deep, or mostly flat */
        t->parent[i] = shape == 0   ? random_below(state, i)
                       : shape == 1 ? i - 1 - random_below(state, i) % 3 % i
                                    : random_below(state, i) / 8;
        t->keys[i] = random_below(state, keys) + (UINT64_MAX - 9);
        t->ties[i] = (int)random_below(state, keys);
    }
}

FIXTURE(loading, l);

TEST(a_tree_is_laid_out_from_the_top_down)
{
    uint64_t random = 41;
    counting counts = { 0 };
    tfp_memory memory;
    tfp_memory_init(&memory, counting_resize, &counts);
    for (int i = 0; i < TREES; i++) {
        uint32_t place[TREE_MOST];
        tfp_sibling_order order = { 0 };
        tree t;
        random_tree(&t, &random);
        order.key = t.sorted ? tree_key : NULL;
        order.tie = t.tied ? tree_tie : NULL;
        order.context = &t;
        lay_out(&t, 0);
        assert_true(tfp_tree_order(&memory, t.parent, t.count, &order, place));
        assert_memory_equal(place, t.place, t.count * sizeof(place[0]));
    }
    counting_check(&counts);
}

/* ---- The scope view ----------------------------------------------------- */

enum { MANY_NAMES = 100000 };

static int end_or_byte(tfp_span text, size_t at)
{
    if (at == text.size)
        return -2;
    return text.data[at] == '/' ? -1 : text.data[at];
}

/* Part by part: a name comes after its scopes, before their other parts. */
static int compare_paths(const void *a, const void *b)
{
    const tfp_span *x = a, *y = b;
    for (size_t i = 0;; i++) {
        int from_x = end_or_byte(*x, i), from_y = end_or_byte(*y, i);
        if (from_x != from_y || from_x == -2)
            return from_x - from_y;
    }
}

/* All names and all that stands before a slash, sorted, l once. */
static tfp_span *expected_paths(const tfp_model *model, size_t *count)
{
    size_t most = 0, used = 0;
    tfp_span *paths;
    for (size_t n = 0; n < model->nodes.count; n++)
        most += tfp_model_text(model, model->nodes.name[n]).size + 1;
    paths = malloc(most * sizeof(*paths));
    assert_non_null(paths);
    for (size_t n = 0; n < model->nodes.count; n++) {
        tfp_span name = tfp_model_text(model, model->nodes.name[n]);
        for (size_t i = 0; i <= name.size; i++) {
            if (i == name.size || name.data[i] == '/')
                paths[used++] = (tfp_span){ name.data, i };
        }
    }
    qsort(paths, used, sizeof(*paths), compare_paths);
    *count = 0;
    for (size_t i = 0; i < used; i++) {
        if (*count == 0 || !tfp_span_equal(paths[*count - 1], paths[i]))
            paths[(*count)++] = paths[i];
    }
    return paths;
}

static uint32_t slashes(tfp_span name)
{
    uint32_t count = 0;
    for (size_t i = 0; i < name.size; i++)
        count += name.data[i] == '/';
    return count;
}

/* Is `row` below the row of its name without the last part? */
static void check_parent(const tfp_view *v, uint32_t row)
{
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    uint32_t parent = v->rows.data[row].parent;
    assert_true(parent < row);
    if (slashes(name) == 0) {
        assert_int_equal(parent, 0);
        return;
    }
    while (name.data[--name.size] != '/')
        continue;
    assert_int_not_equal(parent, 0);
    assert_true(tfp_span_equal(tfp_row_name(&v->rows.data[parent]), name));
}

static void check_subject(const tfp_view *v, uint32_t row)
{
    tfp_string id = tfp_interner_find(&v->model->strings,
                                      tfp_row_name(&v->rows.data[row]));
    assert_int_equal(v->rows.data[row].subject, id < v->census->name_count
                                                    ? v->census->by_name[id]
                                                    : TFP_NO_ID);
}

TEST(scopes_are_those_that_the_names_spell)
{
    uint64_t random = 42;
    size_t count;
    tfp_span *paths;
    viewing v;
    load_random(&l, &random, MANY_NAMES);
    paths = expected_paths(&l.model, &count);
    viewing_init(&v, &l, "scope", NULL);
    assert_int_equal(v.view.rows.count, count + 1);
    assert_int_equal(v.view.shown_count, count + 1);
    for (uint32_t row = 1; row <= count; row++) {
        tfp_span name = tfp_row_name(&v.view.rows.data[row]);
        assert_true(tfp_span_equal(name, paths[row - 1]));
        check_parent(&v.view, row);
        check_subject(&v.view, row);
        assert_int_equal(v.view.shown[row].row, row);
        assert_int_equal(v.view.shown[row].level, slashes(name) + 1);
    }
    print_message("%zu nodes, %zu rows\n", l.model.nodes.count, count);
    free(paths);
    viewing_release(&v);
}

/* ---- The graph view ----------------------------------------------------- */

enum { GRAPHS = 200, GRAPH_MOST = 60, INPUTS_MOST = 4 };

typedef struct graph {
    uint32_t count;
    uint32_t inputs[GRAPH_MOST][INPUTS_MOST]; /* nodes, or count for none */
    bool used[GRAPH_MOST], seen[GRAPH_MOST];
    uint32_t rows; /* so far, with the root */
    uint32_t node[GRAPH_MOST + 1], parent[GRAPH_MOST + 1]; /* by row */
} graph;

/* Names whose order is not that of the numbers, nor that of the file. */
static void graph_name(const graph *g, uint32_t node, char *name)
{
    snprintf(name, 16, "%c%u", 'a' + (int)(node * 7 % g->count % 26),
             (unsigned)node);
}

/* Few edges leave many ends, many edges leave none. */
static void random_graph(graph *g, uint64_t *state, wire_bytes *b)
{
    uint32_t sparse = 1 + random_below(state, 12);
    *g = (graph){ .count = 1 + random_below(state, GRAPH_MOST), .rows = 1 };
    for (uint32_t n = 0; n < g->count; n++) {
        char name[16];
        size_t node = wire_open(b, 1);
        graph_name(g, n, name);
        wire_text(b, 1, name);
        for (int i = 0; i < INPUTS_MOST; i++) {
            bool there = random_below(state, sparse) == 0;
            uint32_t from = there ? random_below(state, g->count) : g->count;
            g->inputs[n][i] = from;
            if (!there)
                continue;
            g->used[from] = true;
            graph_name(g, from, name);
            wire_text(b, 3, name);
        }
        wire_close(b, node);
    }
}

static void visit(graph *g, uint32_t node, uint32_t parent)
{
    uint32_t row = g->rows++;
    g->seen[node] = true;
    g->node[row] = node;
    g->parent[row] = parent;
    for (int i = 0; i < INPUTS_MOST; i++) {
        uint32_t from = g->inputs[node][i];
        if (from < g->count && !g->seen[from])
            visit(g, from, row);
    }
}

/* Visits from the nodes that are not marked, in the order of their names. */
static void visit_all(graph *g, const bool *marked)
{
    bool done[GRAPH_MOST] = { false };
    for (;;) {
        char least[16] = "~", name[16];
        uint32_t first = g->count;
        for (uint32_t n = 0; n < g->count; n++) {
            graph_name(g, n, name);
            if (!marked[n] && !done[n] && strcmp(name, least) < 0) {
                memcpy(least, name, sizeof(least));
                first = n;
            }
        }
        if (first == g->count)
            return;
        done[first] = true;
        if (!g->seen[first])
            visit(g, first, 0);
    }
}

static void check_graph(graph *g, const tfp_view *v)
{
    static const bool none[GRAPH_MOST];
    visit_all(g, g->used);
    assert_int_equal(v->only_cycles, g->rows == 1);
    if (g->rows == 1)
        visit_all(g, none);
    assert_int_equal(v->rows.count, g->rows);
    assert_int_equal(v->unreachable_nodes, g->count - (g->rows - 1));
    for (uint32_t row = 1; row < g->rows; row++) {
        char name[16];
        graph_name(g, g->node[row], name);
        assert_true(tfp_span_is(tfp_row_name(&v->rows.data[row]), name));
        assert_int_equal(v->rows.data[row].parent, g->parent[row]);
    }
}

TEST(a_graph_has_each_node_once_cycles_or_not)
{
    static const char *const by_depth[] = { "order_by", "depth", NULL };
    uint64_t random = 43;
    int cycles = 0, cut_off = 0;
    for (int i = 0; i < GRAPHS; i++) {
        wire_bytes b = { 0 };
        graph g;
        viewing v;
        random_graph(&g, &random, &b);
        restart();
        loading_bytes(&l, "graph_path", &b);
        viewing_init(&v, &l, "graph", by_depth);
        check_graph(&g, &v.view);
        for (size_t row = 0; row < v.view.rows.count; row++)
            assert_int_equal(v.view.shown[row].row, row);
        cycles += v.view.only_cycles;
        cut_off += v.view.unreachable_nodes > 0;
        viewing_release(&v);
    }
    assert_true(cycles > 5 && cut_off > 5); /* chance had both */
}

/* ---- Depth -------------------------------------------------------------- */

enum { DEEP = 300000 };

TEST(a_chain_of_any_length_takes_no_stack)
{
    wire_bytes b = { 0 };
    viewing v;
    for (int i = 0; i < DEEP; i++) {
        char name[16], input[16];
        snprintf(name, sizeof(name), "%d", i);
        snprintf(input, sizeof(input), "%d", i + 1);
        sample_node(&b, 1, name, "Identity", i + 1 < DEEP ? input : NULL);
    }
    loading_bytes(&l, "graph_path", &b);
    viewing_init(&v, &l, "graph", NULL);
    assert_int_equal(v.view.shown_count, DEEP + 1);
    assert_int_equal(v.view.shown[DEEP].level, DEEP);
    assert_int_equal(v.view.definitions[0], DEEP);
    viewing_release(&v);
}

TEST(a_name_of_any_number_of_slashes_takes_no_stack)
{
    char *name = malloc(2 * DEEP + 1);
    wire_bytes b = { 0 };
    viewing v;
    assert_non_null(name);
    for (int i = 0; i < DEEP; i++)
        memcpy(name + (size_t)2 * (size_t)i, "a/", 2);
    name[2 * DEEP - 1] = '\0';
    sample_node(&b, 1, name, "NoOp", NULL);
    name[2 * DEEP - 3] = '\0'; /* its scope, and another in that */
    sample_node(&b, 1, name, "NoOp", NULL);
    name[2 * DEEP - 3] = '/';
    name[2 * DEEP - 2] = 'b';
    sample_node(&b, 1, name, "NoOp", NULL);
    loading_bytes(&l, "graph_path", &b);
    viewing_init(&v, &l, "scope", NULL);
    assert_int_equal(v.view.shown_count, DEEP + 2);
    assert_int_equal(v.view.shown[DEEP + 1].level, DEEP);
    assert_int_equal(v.view.rows.data[DEEP + 1].parent, DEEP - 1);
    viewing_release(&v);
    free(name);
}
