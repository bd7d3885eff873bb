/*
 * view_sums_test.c - what the rows of a view add up to.
 */
#include "viewing.h"

enum { MODELS = 12, NODES = 400 };

/* Ways to look that hide something, each a list of names and values. */
static const char *const looks[][9] = {
    { NULL },
    { "hide_name_regexes", ".*[13579]", NULL },
    { "show_name_regexes", ".*[a-m].*,_TFProfRoot", NULL },
    { "trim_name_regexes", "a,.*b.*,Op7,.*:2:.*", NULL },
    { "start_name_regexes", ".*conv.*,Op[3-9],.*:[135]:.*", NULL },
    { "account_type_regexes", "Op[0-4],.*gpu.*", NULL },
    { "account_type_regexes", "Op[0-4]", "hide_name_regexes", ".*[02468]",
      NULL },
    { "max_depth", "3", NULL },
    { "max_depth", "0", NULL },
    { "min_micros", "20", "device_regexes", ".*cpu.*", NULL },
    { "order_by", "micros", "min_params", "3", NULL },
    { "order_by", "occurrence", "min_occurrence", "1", "start_name_regexes",
      "a.*,Op.*,.*py.*", "trim_name_regexes", ".*1.*", NULL },
};

typedef void check_fn(const tfp_view *view);

/* Every view of every model, looked at in every way. */
static void for_all(const char *const *views, size_t view_count,
                    const char *only_displayed, check_fn *check)
{
    uint64_t random = 44;
    for (int m = 0; m < MODELS; m++) {
        loading l;
        loading_init(&l);
        load_random(&l, &random, NODES);
        for (size_t i = 0; i < view_count * COUNT(looks); i++) {
            const char *pairs[12] = { "account_displayed_op_only",
                                      only_displayed };
            viewing v;
            memcpy(pairs + 2, looks[i / view_count],
                   sizeof(looks[i / view_count]));
            viewing_init(&v, &l, views[i % view_count], pairs);
            check(&v.view);
            viewing_release(&v);
        }
        loading_release(&l);
    }
}

static const char *const all_views[] = { "scope", "graph", "op", "code" };

static bool is_shown(const tfp_view *v, uint32_t row)
{
    return v->flags[row] & TFP_ROW_SHOWN;
}

/* ---- All that is accounted ---------------------------------------------- */

static void check_root_total(const tfp_view *v)
{
    for (int c = 0; c < TFP_COST_COUNT; c++) {
        int64_t sum = 0;
        for (size_t m = 0; m < v->costs.count; m++)
            sum += *tfp_costs_at(&v->costs, m, (tfp_cost)c);
        assert_true(sum > 0 || c == TFP_COST_ACCELERATOR_MICROS ||
                    c == TFP_COST_OUTPUT_BYTES);
        assert_int_equal(tfp_row_total(v, 0, (tfp_cost)c), sum);
    }
}

TEST(without_filters_the_root_has_all_costs)
{
    uint64_t random = 45;
    for (int m = 0; m < MODELS; m++) {
        loading l;
        loading_init(&l);
        load_random(&l, &random, NODES);
        for (int i = 0; i < 3; i++) { /* code has no nodes without a trace */
            viewing v;
            viewing_init(&v, &l, all_views[i], NULL);
            check_root_total(&v.view);
            viewing_release(&v);
        }
        loading_release(&l);
    }
}

/* What is shown does not change what is counted. */
static void check_same_total(const tfp_view *v)
{
    for (int c = 0; c < TFP_COST_COUNT; c++) {
        int64_t sum = 0;
        for (uint32_t row = 1; row < v->rows.count; row++) {
            if (v->flags[row] & TFP_ROW_KEPT)
                sum += tfp_row_self(v, row, (tfp_cost)c);
        }
        assert_int_equal(tfp_row_total(v, 0, (tfp_cost)c), sum);
    }
}

TEST(filters_do_not_change_the_total)
{
    for_all(all_views, COUNT(all_views), "false", check_same_total);
}

/* ---- All that is displayed ---------------------------------------------- */

/* Each total is the row itself and the shown rows right below it. */
static void check_displayed(const tfp_view *v)
{
    for (int c = 0; c < TFP_COST_COUNT; c++) {
        int64_t *sums = calloc(v->rows.count, sizeof(*sums));
        assert_non_null(sums);
        for (uint32_t row = (uint32_t)v->rows.count; row-- > 0;) {
            if (!is_shown(v, row))
                continue;
            sums[row] += tfp_row_self(v, row, (tfp_cost)c);
            assert_int_equal(tfp_row_total(v, row, (tfp_cost)c), sums[row]);
            if (row > 0)
                sums[v->rows.data[row].parent] += sums[row];
        }
        free(sums);
    }
}

TEST(displayed_only_adds_up_what_is_displayed)
{
    for_all(all_views, 3, "true", check_displayed);
}

/* ---- All that is hidden ------------------------------------------------- */

/* Nodes that are accounted stand in the answer or among the hidden ones. */
static void check_hidden(const tfp_view *v)
{
    size_t all = 0, shown = 0;
    for (uint32_t row = 1; row < v->rows.count; row++) {
        size_t members;
        tfp_row_members(v, row, &members);
        if (v->flags[row] & TFP_ROW_ACCOUNTED)
            all += members;
        if (is_shown(v, row) && v->flags[row] & TFP_ROW_ACCOUNTED)
            shown += members;
    }
    assert_int_equal(shown + v->hidden[0], all);
}

TEST(shown_and_hidden_nodes_are_all_nodes)
{
    for_all(all_views, COUNT(all_views), "false", check_hidden);
}

/* ---- What is shown ------------------------------------------------------ */

/* The answer is a tree: every row once, below the row that it belongs to. */
static void check_shown(const tfp_view *v)
{
    size_t flagged = 0;
    uint32_t *path = calloc(v->shown_count + 1, sizeof(*path)); /* by level */
    assert_non_null(path);
    for (uint32_t row = 0; row < v->rows.count; row++)
        flagged += is_shown(v, row);
    assert_int_equal(v->shown_count, flagged);
    assert_int_equal(v->shown[0].row, 0);
    for (size_t i = 1; i < v->shown_count; i++) {
        const tfp_shown *shown = &v->shown[i];
        assert_true(is_shown(v, shown->row));
        assert_true(shown->level > 0 &&
                    shown->level <= v->shown[i - 1].level + 1);
        assert_int_equal(v->rows.data[shown->row].parent,
                         path[shown->level - 1]);
        path[shown->level] = shown->row;
    }
    free(path);
}

TEST(the_answer_is_a_tree_of_the_rows_shown)
{
    for_all(all_views, COUNT(all_views), "false", check_shown);
    for_all(all_views, COUNT(all_views), "true", check_shown);
}
