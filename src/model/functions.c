/*
 * functions.c - the results of a function, besides its "_Retval" nodes.
 *
 * Names of outputs are kept as sorted numbers, the name's id above and the
 * output's number below, so that a call with many outputs finds each of them
 * in a few steps.
 */
#include "model/functions.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/sort.h"
#include "model/model.h"

typedef TFP_VEC(tfp_sort_item) sort_items;

/* The keys of `items`, sorted, each once, as a list. */
static bool list_keys(tfp_model *model, sort_items *items, tfp_list *list)
{
    size_t count = items->count, kept = 0;
    TFP_VEC(int64_t) keys = { 0 };
    bool ok = TFP_VEC_RESERVE(model->memory, items, count) &&
              TFP_VEC_RESERVE(model->memory, &keys, count);
    if (ok && count > 0) {
        tfp_sort(items->data, count, items->data + count, NULL, NULL);
        for (size_t i = 0; i < count; i++) {
            if (i == 0 || items->data[i].key != items->data[i - 1].key)
                keys.data[kept++] = (int64_t)items->data[i].key;
        }
        *list = tfp_model_list(model, keys.data, kept);
        ok = *list != TFP_NO_ID;
    }
    TFP_VEC_RELEASE(model->memory, &keys);
    return ok;
}

bool tfp_function_name_outputs(tfp_model *model, uint32_t graph,
                               const tfp_string *names, size_t count)
{
    sort_items items = { 0 };
    tfp_list list = 0;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = TFP_VEC_PUSH(model->memory, &items,
                          (tfp_sort_item){ (uint64_t)names[i] << 32 | i, 0 });
    ok = ok && list_keys(model, &items, &list);
    TFP_VEC_RELEASE(model->memory, &items);
    if (ok)
        model->graphs.data[graph].return_names = list;
    return ok;
}

int32_t tfp_function_output(const tfp_model *model, const tfp_graph *function,
                            tfp_string name)
{
    size_t count, low = 0, high;
    const int64_t *items = tfp_list_items(model, function->return_names,
                                          &count);
    for (high = count; low < high;) { /* the first that is not less */
        size_t middle = low + (high - low) / 2;
        if ((uint64_t)items[middle] >> 32 < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && (uint64_t)items[low] >> 32 == name
               ? (int32_t)(uint32_t)items[low]
               : TFP_OUTPUT_UNKNOWN;
}

bool tfp_function_set_controls(tfp_model *model, uint32_t graph,
                               const tfp_string *names, size_t count,
                               int64_t *dropped)
{
    tfp_graph *function = &model->graphs.data[graph];
    sort_items items = { 0 };
    tfp_list list = 0;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        tfp_node node = tfp_graph_find_node(model, function, names[i]);
        if (node == TFP_NO_NODE)
            ++*dropped;
        else
            ok = TFP_VEC_PUSH(model->memory, &items,
                              (tfp_sort_item){ node, 0 });
    }
    ok = ok && list_keys(model, &items, &list);
    TFP_VEC_RELEASE(model->memory, &items);
    if (ok)
        function->control_returns = list;
    return ok;
}

const int64_t *tfp_function_control_returns(const tfp_model *model,
                                            const tfp_graph *function,
                                            size_t *count)
{
    return tfp_list_items(model, function->control_returns, count);
}
