/*
 * op_view.c - one row for each type of operation.
 *
 * The rows form a chain: sorted first, each one holds the next. So the total
 * of a row is what it and all rows behind it cost, which gives the
 * accumulated percentages.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/costs.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "options/options.h"
#include "view/tree.h"
#include "view/view.h"

/* Gives every op that occurs a number: its group. */
static size_t number_ops(const tfp_view *v, uint32_t *group_of,
                         uint32_t *number_of_name, tfp_string *op_of_group)
{
    size_t groups = 0;
    memset(number_of_name, 0xff,
           v->census->name_count * sizeof(*number_of_name));
    for (size_t m = 0; m < v->census->members.count; m++) {
        tfp_string op = tfp_member_op(v->model, &v->census->members.data[m]);
        if (number_of_name[op] == TFP_NO_ID) {
            op_of_group[groups] = op;
            number_of_name[op] = (uint32_t)groups++;
        }
        group_of[m] = number_of_name[op];
    }
    return groups;
}

/* ---- Order -------------------------------------------------------------- */

typedef struct by_name {
    const tfp_view *view;
    const tfp_string *op_of_group;
} by_name;

static tfp_span op_name(const by_name *n, uint32_t group)
{
    return tfp_model_text(n->view->model, n->op_of_group[group]);
}

static int name_tie(const void *context, uint32_t a, uint32_t b)
{
    return tfp_span_compare(op_name(context, a), op_name(context, b));
}

static uint64_t sort_key(const tfp_view *v, const by_name *names,
                         uint32_t group)
{
    int64_t by = v->order;
    tfp_span name = op_name(names, group);
    if (by == TFP_ORDER_NAME || by == TFP_ORDER_DEPTH)
        return tfp_text_key(name.data, name.size);
    if (by == TFP_ORDER_OCCURRENCE)
        return tfp_sort_key_falling(v->group_first[group + 1] -
                                    v->group_first[group]);
    return tfp_sort_key_falling(*tfp_costs_at(
        &v->group_costs, group, (tfp_cost)(by - TFP_ORDER_COSTS)));
}

static bool add_chain(tfp_view *v, const tfp_string *op_of_group,
                      tfp_sort_item *items)
{
    by_name names = { v, op_of_group };
    uint32_t above = 0;
    for (uint32_t g = 0; g < v->group_count; g++)
        items[g] = (tfp_sort_item){ sort_key(v, &names, g), g };
    /* Equal costs: by name, in which order upstream has them before. */
    tfp_sort(items, v->group_count, items + v->group_count, name_tie, &names);
    for (size_t i = 0; i < v->group_count; i++) {
        above = tfp_view_add_row(v, op_name(&names, items[i].index), above,
                                 items[i].index);
        if (above == TFP_NO_ID)
            return false;
    }
    return true;
}

/* ---- The view ----------------------------------------------------------- */

static int build_from(tfp_view *v, uint32_t *group_of, tfp_string *op_of_group,
                      tfprof_error *err)
{
    size_t names = v->census->name_count, groups;
    uint32_t *number_of_name = tfp_memory_array(v->memory, names,
                                                sizeof(uint32_t));
    tfp_sort_item *items;
    bool ok;
    int status;
    if (!number_of_name)
        return tfp_fail_nomem(err);
    groups = number_ops(v, group_of, number_of_name, op_of_group);
    tfp_memory_free(v->memory, number_of_name);
    status = tfp_view_group(v, group_of, groups, err);
    if (status != TFPROF_OK)
        return status;
    items = tfp_memory_array(v->memory, 2 * groups, sizeof(*items));
    ok = items && add_chain(v, op_of_group, items);
    tfp_memory_free(v->memory, items);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}

static int build(tfp_view *v, tfprof_error *err)
{
    size_t members = v->census->members.count;
    uint32_t *block = tfp_memory_array(v->memory, 2 * members, sizeof(*block));
    int status;
    if (!block)
        return tfp_fail_nomem(err);
    status = build_from(v, block, block + members, err);
    tfp_memory_free(v->memory, block);
    return status;
}

const tfp_view_type tfp_op_view = {
    .name = "op",
    .build = build,
    .groups = true,
    .is_chain = true,
    .splices = true,
    .trims_itself = true,
    .prints_occurrences = true,
    .prints_input_shapes = true,
    .is_multi_message = true,
    .timeline = TFP_TIMELINE_NONE,
};
