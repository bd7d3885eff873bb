/*
 * fake_world.h - a node for expressions to ask about.
 *
 *     x0  [2, 3, 5]       x3  []              y0  [4, 6]
 *     x1  [7, ?]          x4  [0, 2^62]       y1  [2^40, 2^40]
 *     x2  unknown rank    others: there are none
 *
 *     N = 3   T = 1   keep = 1   low = INT64_MIN   strides = [1, 2, -2]
 *     mode = 'SAME'   names = ['a', 'bc']   half = 2.75   none_at_all = []
 *     odd: there, but of no use; others: absent
 *
 *     The elements of x1 are [1, -2], those of x3 [9].
 *     There are 5 inputs and 2 control inputs, and the MACs are 1000.
 */
#ifndef TFP_TESTS_FAKE_WORLD_H
#define TFP_TESTS_FAKE_WORLD_H

#include "ops/flops/expression.h"

typedef struct fake_tensor {
    tfp_side side;
    uint32_t index;
    int rank;
    int64_t dims[3]; /* -1: not known */
} fake_tensor;

static inline const fake_tensor *fake_find(tfp_side side, uint32_t index)
{
    static const fake_tensor tensors[] = {
        { TFP_SIDE_INPUT, 0, 3, { 2, 3, 5 } },
        { TFP_SIDE_INPUT, 1, 2, { 7, -1 } },
        { TFP_SIDE_INPUT, 3, 0, { 0 } },
        { TFP_SIDE_INPUT, 4, 2, { 0, (int64_t)1 << 62 } },
        { TFP_SIDE_OUTPUT, 0, 2, { 4, 6 } },
        { TFP_SIDE_OUTPUT, 1, 2, { (int64_t)1 << 40, (int64_t)1 << 40 } },
    };
    for (size_t i = 0; i < sizeof(tensors) / sizeof(tensors[0]); i++) {
        if (tensors[i].side == side && tensors[i].index == index)
            return &tensors[i];
    }
    return NULL;
}

static inline const int64_t *fake_dims(const void *context, tfp_side side,
                                       uint32_t index, int *rank)
{
    const fake_tensor *tensor = fake_find(side, index);
    (void)context;
    *rank = tensor ? tensor->rank : -1;
    return tensor ? tensor->dims : NULL;
}

static inline bool fake_attr(const void *context, tfp_span name,
                             tfp_items *items)
{
    static const int64_t numbers[] = { 3, 1, INT64_MIN,         1, 2, -2, 0,
                                       1, 2, 0x4006000000000000 /* 2.75 */ };
    static const struct {
        const char *name;
        tfp_items items;
    } attrs[] = {
        { "N", { numbers, 1, TFP_ITEMS_INT, false } },
        { "T", { numbers + 1, 1, TFP_ITEMS_INT, false } },
        { "keep", { numbers + 1, 1, TFP_ITEMS_INT, false } },
        { "low", { numbers + 2, 1, TFP_ITEMS_INT, false } },
        { "strides", { numbers + 3, 3, TFP_ITEMS_INT, true } },
        { "mode", { numbers + 6, 1, TFP_ITEMS_TEXT, false } },
        { "names", { numbers + 7, 2, TFP_ITEMS_TEXT, true } },
        { "half", { numbers + 9, 1, TFP_ITEMS_FLOAT, false } },
        { "none_at_all", { numbers, 0, TFP_ITEMS_INT, true } },
        { "odd", { numbers, 1, TFP_ITEMS_OTHER, false } },
    };
    (void)context;
    for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++) {
        if (tfp_span_is(name, attrs[i].name)) {
            *items = attrs[i].items;
            return true;
        }
    }
    return false;
}

static inline bool fake_value(const void *context, uint32_t index,
                              tfp_items *items)
{
    static const int64_t elements[] = { 1, -2, 9 };
    (void)context;
    *items = (tfp_items){ index == 1 ? elements : elements + 2,
                          index == 1 ? 2 : 1, TFP_ITEMS_INT, true };
    return index == 1 || index == 3;
}

static inline tfp_span fake_text(const void *context, int64_t item)
{
    static const char *const texts[] = { "SAME", "a", "bc" };
    (void)context;
    return tfp_span_of(texts[item]);
}

static inline tfp_expression_world fake_world(void)
{
    return (tfp_expression_world){ .dims = fake_dims,
                                   .attr = fake_attr,
                                   .value = fake_value,
                                   .text = fake_text,
                                   .inputs = 5,
                                   .controls = 2,
                                   .macs = 1000 };
}

#endif
