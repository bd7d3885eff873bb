/*
 * order.c - what the rows of a view are sorted by, and how many of them there
 * are to be.
 */
#include "view/order.h"

#include "view/view.h"

/* "a|b" as "a, b". */
static void list_words(const char *words, char *out, size_t size)
{
    size_t used = 0;
    for (; *words && used + 3 < size; words++) {
        out[used++] = *words == '|' ? ',' : *words;
        if (*words == '|')
            out[used++] = ' ';
    }
    out[used] = '\0';
}

int tfp_view_check_sort(const tfp_options *options, tfprof_error *err)
{
    char word[32], words[192];
    if (options->sort < TFP_SORT_INT_OPS)
        return TFPROF_OK;
    tfp_options_print(options, tfp_option_find("sort"), word, sizeof(word));
    list_words(tfp_option_find("order_by")->shown.values, words, sizeof(words));
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--sort: views cannot sort by %s (supported: auto, %s)",
                    word, words);
}

/* What a table shows unless an option is given: a screen of it. */
enum { TABLE_LEVELS = 4, TABLE_SIBLINGS = 10 };

static bool has_rows(const tfp_options *o)
{
    return o->output.kind == TFP_OUTPUT_STDOUT ||
           o->output.kind == TFP_OUTPUT_NONE ||
           o->output.kind == TFP_OUTPUT_FILE ||
           o->output.kind == TFP_OUTPUT_PARQUET;
}

/* A page shows the rows that programs get, the most expensive first. */
static bool is_page(const tfp_options *o)
{
    return o->output.kind == TFP_OUTPUT_HTML;
}

bool tfp_view_is_table(const tfp_options *o)
{
    return has_rows(o) && o->format == TFP_FORMAT_TABLE;
}

/* Programs get all rows by default, with three exceptions that keep upstream's
 * defaults: account_displayed_op_only, whose totals depend on the rows shown;
 * upstream's message (proto); and pprof files of the graph view, since a stack
 * there is a whole path and all paths together are too long. */
bool tfp_view_is_data(const tfp_view_type *type, const tfp_options *o)
{
    if (o->account_displayed_op_only)
        return false;
    if (has_rows(o))
        return o->format == TFP_FORMAT_JSON || o->format == TFP_FORMAT_CSV;
    return o->output.kind == TFP_OUTPUT_TIMELINE || is_page(o) ||
           tfp_output_is_flame(o->output.kind) ||
           (o->output.kind == TFP_OUTPUT_PPROF && !type->is_path);
}

bool tfp_view_tells_limits(const tfp_options *o)
{
    return !o->account_displayed_op_only &&
           (!has_rows(o) || o->format == TFP_FORMAT_JSON ||
            o->format == TFP_FORMAT_CSV);
}

int64_t tfp_view_depth(const tfp_view_type *type, const tfp_options *o)
{
    if (tfp_options_give(o, "max_depth"))
        return o->max_depth;
    if (tfp_view_is_table(o))
        return TABLE_LEVELS;
    if (!tfp_view_is_data(type, o))
        return o->max_depth;
    return type->adds_names || o->output.kind == TFP_OUTPUT_PPROF ||
                   tfp_output_is_flame(o->output.kind)
               ? TFP_DATA_LEVELS
               : INT32_MAX;
}

/* In a chain the depth is how many rows there are, if it is given. */
int64_t tfp_view_top(const tfp_view_type *type, const tfp_options *o)
{
    if (is_page(o))
        return o->top;
    if (!has_rows(o) || o->format == TFP_FORMAT_PROTO)
        return -1;
    if (!tfp_view_is_table(o) || tfp_options_give(o, "top") ||
        (type->is_chain && tfp_options_give(o, "max_depth")))
        return o->top;
    return TABLE_SIBLINGS;
}

/* Do we choose the cost by which siblings are sorted? Not if an option does. */
static bool is_open(const tfp_view_type *type, const tfp_options *o)
{
    if (o->sort != TFP_SORT_AUTO)
        return false;
    if (tfp_view_is_table(o))
        return !tfp_options_give(o, "order_by");
    return tfp_view_top(type, o) > 0 && o->order_by < TFP_ORDER_COSTS;
}

tfp_cost tfp_view_leading(const tfp_view_type *type, const tfp_model *model,
                          const tfp_options *o)
{
    int64_t select = tfp_view_select(model, o);
    tfp_view_columns columns = tfp_view_columns_of(type, select);
    for (size_t i = 0;
         i < columns.count && (tfp_view_is_table(o) || is_page(o)); i++) {
        if (o->select_first == (int64_t)1 << columns.costs[i])
            return columns.costs[i];
    }
    if (columns.count > 0)
        return columns.costs[0];
    return tfp_model_has_runs(model) ? TFP_COST_MICROS : TFP_COST_PARAMS;
}

tfp_order tfp_view_order(const tfp_view_type *type, const tfp_model *model,
                         const tfp_options *o)
{
    int64_t given = o->sort == TFP_SORT_AUTO ? o->order_by
                                             : o->sort - TFP_SORT_ORDERS;
    /* In views of groups, occurrence counts nodes, which are not a cost. */
    bool is_cost = given >= TFP_ORDER_COSTS &&
                   !(type->groups && given == TFP_ORDER_OCCURRENCE);
    if (is_open(type, o) || (is_page(o) && !is_cost))
        return TFP_ORDER_COSTS + (tfp_order)tfp_view_leading(type, model, o);
    return (tfp_order)given;
}

uint32_t tfp_view_order_costs(const tfp_model *model, const tfp_options *o)
{
    /* If we choose the order, it is by a selected cost in every view. */
    tfp_order order = tfp_view_order(&tfp_scope_view, model, o);
    return order < TFP_ORDER_COSTS ? 0 : 1u << (order - TFP_ORDER_COSTS);
}
