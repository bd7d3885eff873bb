/*
 * view_top_test.c - the largest siblings, and the row that stands for the rest.
 *
 * Each view is made twice, with all rows and with the first few; what is
 * expected of the second is worked out from the first, the slow way.
 */
#include "viewing.h"

enum { MODELS = 4, NODES = 300 };

static const char *const views[] = { "scope", "graph", "op", "code" };

/* Ways to look, l a list of names and values. */
static const char *const looks[][7] = {
    { NULL },
    { "sort", "bytes", NULL },
    { "sort", "name", NULL },
    { "sort", "depth", NULL },
    { "order_by", "occurrence", NULL },
    { "select", "device,num_hidden_ops", NULL },
    { "hide_name_regexes", ".*[13579]", "sort", "params", NULL },
    { "account_type_regexes", "Op[0-4],.*gpu.*", "max_depth", "3", NULL },
    { "account_displayed_op_only", "true", "min_micros", "20", NULL },
    { "start_name_regexes", ".*conv.*,Op[3-9],.*:[135]:.*", NULL },
};

static const int tops[] = { 1, 2, 5, 1000 };

/* ---- What is expected --------------------------------------------------- */

/* The answer with all rows: who stands below whom, as which child. */
typedef struct whole {
    const tfp_view *view;
    size_t *parent;
    size_t *rank; /* siblings before it */
    bool *gone;   /* with `top` */
} whole;

static void whole_init(whole *w, const tfp_view *v, size_t top)
{
    size_t count = v->shown_count;
    *w = (whole){ .view = v };
    w->parent = calloc(count, sizeof(*w->parent));
    w->rank = calloc(count, sizeof(*w->rank));
    w->gone = calloc(count, sizeof(*w->gone));
    assert_true(w->parent && w->rank && w->gone);
    for (size_t i = 1; i < count; i++) {
        size_t above = v->type->is_chain ? 0 : i - 1;
        while (above > 0 && v->shown[above].level >= v->shown[i].level)
            above--;
        w->parent[i] = above;
        for (size_t j = 1; j < i; j++)
            w->rank[i] += w->parent[j] == above;
        w->gone[i] = w->rank[i] >= top || w->gone[above];
    }
}

static void whole_release(whole *w)
{
    free(w->parent);
    free(w->rank);
    free(w->gone);
}

static bool is_rest_of(const whole *w, size_t first, size_t other)
{
    return other > 0 && w->parent[other] == w->parent[first] &&
           w->rank[other] >= w->rank[first];
}

/* ---- Checks ------------------------------------------------------------- */

static void check_rest_costs(const whole *w, size_t first, const tfp_view *v,
                             uint32_t row)
{
    bool is_chain = v->type->is_chain;
    for (int c = 0; c < TFP_COST_COUNT; c++) {
        tfp_cost cost = (tfp_cost)c;
        int64_t self = 0, total = 0;
        if (!(v->totals.wanted >> c & 1))
            continue;
        for (size_t i = first; i < w->view->shown_count; i++) {
            if (!is_rest_of(w, first, i))
                continue;
            self += tfp_row_self(w->view, w->view->shown[i].row, cost);
            total += tfp_row_total(w->view, w->view->shown[i].row, cost);
        }
        if (is_chain) /* which has all behind it in its total */
            total = tfp_row_total(w->view, w->view->shown[first].row, cost);
        assert_int_equal(tfp_row_total(v, row, cost), total);
        assert_int_equal(tfp_row_self(v, row, cost), is_chain ? self : 0);
    }
}

static void check_rest(const whole *w, size_t first, const tfp_view *v,
                       uint32_t row)
{
    size_t count = 0, members;
    int64_t nodes = 0, defined = 0, hidden = 0;
    char name[32];
    for (size_t i = first; i < w->view->shown_count; i++) {
        uint32_t other = w->view->shown[i].row;
        if (!is_rest_of(w, first, i))
            continue;
        count++;
        nodes += tfp_row_nodes(w->view, other);
        defined += w->view->definitions ? w->view->definitions[other] : 0;
        hidden += w->view->hidden[other];
    }
    assert_int_equal(tfp_row_rest(v, row), count);
    snprintf(name, sizeof(name), "(%zu more)", count);
    assert_true(tfp_span_is(tfp_row_name(&v->rows.data[row]), name));
    assert_int_equal(tfp_row_nodes(v, row), v->type->is_chain ? nodes : 0);
    assert_null(tfp_row_members(v, row, &members));
    assert_int_equal(members, 0);
    if (v->definitions)
        assert_int_equal(v->definitions[row], defined);
    if (v->hidden && !v->type->is_chain)
        assert_int_equal(v->hidden[row], hidden);
    check_rest_costs(w, first, v, row);
}

static void check_same(const tfp_view *v, const tfp_shown *shown,
                       const whole *w, size_t at)
{
    const tfp_shown *other = &w->view->shown[at];
    assert_int_equal(shown->row, other->row);
    assert_int_equal(shown->level, other->level);
    assert_int_equal(tfp_row_rest(v, shown->row), 0);
    assert_true(tfp_span_equal(tfp_row_name(&v->rows.data[shown->row]),
                               tfp_row_name(&w->view->rows.data[other->row])));
    for (int c = 0; c < TFP_COST_COUNT; c++) {
        if (v->totals.wanted >> c & 1)
            assert_int_equal(tfp_row_total(v, shown->row, (tfp_cost)c),
                             tfp_row_total(w->view, other->row, (tfp_cost)c));
    }
}

/* The rows of `v` are those of the whole answer that stay, in their order, and
 * a rest where siblings went. The number of these. */
static size_t check_top(const whole *w, const tfp_view *v, size_t top)
{
    size_t at = 0, rests = 0;
    for (size_t i = 0; i < w->view->shown_count; i++) {
        bool is_first = i > 0 && w->rank[i] == top && !w->gone[w->parent[i]];
        if (w->gone[i] && !is_first)
            continue;
        assert_true(at < v->shown_count);
        if (is_first) {
            assert_int_equal(v->shown[at].level, w->view->shown[i].level);
            check_rest(w, i, v, v->shown[at].row);
            rests++;
        } else {
            check_same(v, &v->shown[at], w, i);
        }
        at++;
    }
    assert_int_equal(at, v->shown_count);
    return rests;
}

/* The word of `order_by` with that number. */
static const char *order_word(int64_t order, char *word, size_t size)
{
    tfp_options options = { .order_by = order };
    tfp_options_print(&options, tfp_option_find("order_by"), word, size);
    return word;
}

FIXTURE(loading, l);

static size_t check_look(const char *view, const char *const *look, int top)
{
    const char *pairs[12] = { "top", NULL };
    char number[16], word[32];
    size_t rests, given = 2;
    viewing all, some;
    whole w;
    for (; look[given - 2]; given++)
        pairs[given] = look[given - 2];
    snprintf(number, sizeof(number), "%d", top);
    pairs[1] = number;
    viewing_init(&some, &l, view, pairs);
    pairs[1] = "0";
    pairs[given] = "sort"; /* which must be told when all rows are shown */
    pairs[given + 1] = order_word(some.view.order, word, sizeof(word));
    viewing_init(&all, &l, view, pairs);
    whole_init(&w, &all.view, (size_t)top);
    rests = check_top(&w, &some.view, (size_t)top);
    whole_release(&w);
    viewing_release(&all);
    viewing_release(&some);
    return rests;
}

TEST(the_first_siblings_stay_and_the_rest_is_one_row)
{
    uint64_t random = 81;
    size_t rests = 0, without = 0;
    for (int m = 0; m < MODELS; m++) {
        restart();
        load_random(&l, &random, NODES);
        for (size_t i = 0; i < COUNT(views) * COUNT(looks) * COUNT(tops); i++) {
            size_t found = check_look(views[i % COUNT(views)],
                                      looks[i / COUNT(views) % COUNT(looks)],
                                      tops[i / COUNT(views) / COUNT(looks)]);
            rests += found;
            without += found == 0;
        }
    }
    print_message("%zu rows of a rest, %zu answers without one\n", rests,
                  without);
    assert_true(rests > 1000 && without > 100);
}

/* ---- What leads --------------------------------------------------------- */

typedef struct lead {
    const char *view;
    const char *pairs[7];
    tfp_order order;
} lead;

TEST(what_is_shown_first_leads_unless_somebody_says_else)
{
    static const lead leads[] = {
        { "scope", { "select", "micros,params", NULL }, TFP_ORDER_PARAMS },
        { "op", { "select", "micros,params", NULL }, TFP_ORDER_MICROS },
        { "code",
          { "select", "cpu_micros,device", NULL },
          TFP_ORDER_CPU_MICROS },
        { "op", { "select", "occurrence", NULL }, TFP_ORDER_OCCURRENCE },
        { "scope", { "select", "auto", NULL }, TFP_ORDER_MICROS },
        { "scope", { "select", "device", NULL }, TFP_ORDER_MICROS },
        { "graph",
          { "order_by", "depth", "select", "bytes", NULL },
          TFP_ORDER_BYTES },
        { "graph",
          { "order_by", "float_ops", "select", "bytes", NULL },
          TFP_ORDER_FLOAT_OPS },
        { "scope",
          { "sort", "name", "order_by", "bytes", NULL },
          TFP_ORDER_NAME },
        { "scope",
          { "sort", "cpu_micros", "order_by", "bytes", NULL },
          TFP_ORDER_CPU_MICROS },
        { "scope", { "top", "0", NULL }, TFP_ORDER_NAME },
        { "scope", { "format", "proto", NULL }, TFP_ORDER_NAME },
        { "scope", { "output", "timeline:outfile=F", NULL }, TFP_ORDER_NAME },
    };
    uint64_t random = 82;
    load_random(&l, &random, NODES);
    EACH(row, leads) {
        const char *pairs[9] = { "top", "3" };
        viewing v;
        memcpy(pairs + 2, row->pairs, sizeof(row->pairs));
        viewing_init(&v, &l, row->view, pairs);
        assert_int_equal(v.view.order, row->order);
        viewing_release(&v);
    }
}

TEST(sort_without_top_is_order_by)
{
    uint64_t random = 83;
    load_random(&l, &random, NODES);
    EACH(c, views) {
        const char *by_sort[] = { "sort", "bytes", NULL };
        const char *by_order[] = { "order_by", "bytes", NULL };
        viewing a, b;
        viewing_init(&a, &l, *c, by_sort);
        viewing_init(&b, &l, *c, by_order);
        assert_int_equal(a.view.shown_count, b.view.shown_count);
        for (size_t row = 0; row < a.view.shown_count; row++)
            assert_int_equal(a.view.shown[row].row, b.view.shown[row].row);
        viewing_release(&a);
        viewing_release(&b);
    }
}

/* ---- Words -------------------------------------------------------------- */

/* The words of `sort` are auto, those of `order_by`, and the columns of lists.
 */
TEST(sort_has_the_words_of_order_by)
{
    const char *orders = tfp_option_find("order_by")->shown.values;
    char words[512];
    int size = snprintf(words, sizeof(words), "auto|%s|int_ops|macs|nodes|",
                        orders);
    assert_memory_equal(tfp_option_find("sort")->shown.values, words,
                        (size_t)size);
}
