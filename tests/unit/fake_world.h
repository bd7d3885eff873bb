/*
 * fake_world.h - a node for expressions to ask about.
 *
 *     x0  [2, 3, 5]       x3  []              y0  [4, 6]
 *     x1  [7, ?]          x4  [0, 2^62]       y1  [2^40, 2^40]
 *     x2  unknown rank    others: there are none
 *
 *     N = 3   T = 1   keep = 1   low = INT64_MIN   strides = [1, 2, -2]
 *     odd: there, but no number; others: absent
 */
#ifndef TFP_TESTS_FAKE_WORLD_H
#define TFP_TESTS_FAKE_WORLD_H

#include "flops/expression.h"

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

static inline bool fake_rank(void *context, tfp_side side, uint32_t index,
                             int64_t *answer)
{
    const fake_tensor *tensor = fake_find(side, index);
    (void)context;
    if (tensor)
        *answer = tensor->rank;
    return tensor != NULL;
}

/* An axis that the tensor has not may not be asked for. */
static inline bool fake_dim(void *context, tfp_side side, uint32_t index,
                            int64_t axis, int64_t *answer)
{
    const fake_tensor *tensor = fake_find(side, index);
    bool *strayed = context;
    if (!tensor || axis < 0 || axis >= tensor->rank) {
        *strayed = true;
        return false;
    }
    *answer = tensor->dims[axis];
    return *answer >= 0;
}

static inline tfp_knowledge fake_attr(void *context, tfp_span name,
                                      const int64_t *item, int64_t *answer)
{
    static const int64_t strides[] = { 1, 2, -2 };
    static const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        { "N", 3 }, { "T", 1 }, { "keep", 1 }, { "low", INT64_MIN }
    };
    (void)context;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (tfp_span_is(name, numbers[i].name)) {
            *answer = numbers[i].value;
            return item ? TFP_NOT_KNOWN : TFP_KNOWN;
        }
    }
    if (tfp_span_is(name, "strides")) {
        if (!item || *item < -3 || *item > 2)
            return TFP_NOT_KNOWN;
        *answer = strides[*item < 0 ? *item + 3 : *item];
        return TFP_KNOWN;
    }
    return tfp_span_is(name, "odd") ? TFP_NOT_KNOWN : TFP_ABSENT;
}

/* *strayed is set when a dimension is asked for that a tensor has not. */
static inline tfp_expression_world fake_world(bool *strayed)
{
    *strayed = false;
    return (tfp_expression_world){ strayed, fake_rank, fake_dim, fake_attr };
}

#endif
