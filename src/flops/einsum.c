/*
 * einsum.c - the work of a sum of products that an equation names.
 *
 * "ab,bc->ac": every distinct label is a loop. Its extent comes from the
 * operands; dots stand for dims without a label, which may be stretched.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "model/attrs.h"
#include "shape/fact/fact.h"
#include "shape/fact/site.h"

typedef struct equation {
    int64_t extent[256]; /* of each label; -1: it is not in an operand */
    bool kept[256];      /* in the result */
    int64_t dots[TFP_MOST_RANK];
    int dots_rank;
    bool dots_kept;
} equation;

/* A label may be stretched from 1. */
static bool note_label(equation *e, uint8_t label, int64_t dim)
{
    if (dim < 0)
        return false;
    if (e->extent[label] <= 1)
        e->extent[label] = dim;
    return true;
}

/* The dims that dots stand for, counted from the last. */
static bool note_dots(equation *e, const int64_t *dims, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t dim = dims[count - 1 - i];
        if (dim < 0)
            return false;
        if (i >= e->dots_rank || e->dots[i] == 1)
            e->dots[i] = dim;
    }
    if (count > e->dots_rank)
        e->dots_rank = count;
    return true;
}

/* False when the dims are not known or do not go with the labels. */
static bool read_operand(equation *e, tfp_span labels, tfp_dims dims)
{
    bool dotted = tfp_span_find(labels, "...") != NULL;
    size_t named = labels.size - (dotted ? 3 : 0);
    int free_dims, axis = 0;
    if (dims.rank < 0 || dims.rank > TFP_MOST_RANK ||
        named > (size_t)dims.rank || (!dotted && named != (size_t)dims.rank))
        return false;
    free_dims = dims.rank - (int)named;
    for (size_t i = 0; i < labels.size; i++) {
        if (labels.data[i] == '.') {
            if (!dotted || !note_dots(e, dims.at + axis, free_dims))
                return false;
            dotted = false; /* a second time would be too much */
            axis += free_dims;
            i += 2;
        } else if (!note_label(e, labels.data[i], dims.at[axis++])) {
            return false;
        }
    }
    return true;
}

static void read_result(equation *e, tfp_span labels)
{
    for (size_t i = 0; i < labels.size; i++) {
        if (labels.data[i] == '.')
            e->dots_kept = true;
        else
            e->kept[labels.data[i]] = true;
    }
}

/* What stands before the first `stop`; *rest becomes what follows it. */
static tfp_span cut(tfp_span *rest, const char *stop)
{
    const uint8_t *at = tfp_span_find(*rest, stop);
    const uint8_t *end = rest->data + rest->size;
    tfp_span part = *rest;
    if (at)
        part.size = (size_t)(at - part.data);
    rest->data = at ? at + strlen(stop) : end;
    rest->size = (size_t)(end - rest->data);
    return part;
}

/* Loops, and whether one of them sums. */
static int64_t count_loops(const equation *e, bool *sums)
{
    int64_t loops = 1;
    *sums = e->dots_rank > 0 && !e->dots_kept;
    for (size_t i = 0; i < 256; i++) {
        if (e->extent[i] < 0)
            continue;
        loops = tfp_mul_sat(loops, e->extent[i]);
        *sums |= !e->kept[i];
    }
    for (int i = 0; i < e->dots_rank; i++)
        loops = tfp_mul_sat(loops, e->dots[i]);
    return loops;
}

tfp_counted tfp_rule_einsum(const tfp_site *site, const tfp_rule *rule,
                            tfp_tally *tally)
{
    tfp_span result = tfp_site_equation(site);
    tfp_span operands;
    equation e = { .dots_rank = 0 };
    int64_t loops;
    bool sums;
    if (site->input_count == 1)
        return tfp_rule_reduced(site, rule, tally);
    if (result.size == 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    operands = cut(&result, "->");
    memset(e.extent, 0xff, sizeof(e.extent));
    for (size_t i = 0; i < site->input_count; i++) {
        if (!read_operand(&e, cut(&operands, ","), tfp_site_input(site, i)))
            return TFP_COUNTED_UNKNOWN_SHAPE;
    }
    read_result(&e, result);
    loops = count_loops(&e, &sums);
    if (sums && site->input_count == 2)
        tfp_tally_macs(tally, loops);
    else
        tally->ops = tfp_mul_sat(loops, (int64_t)site->input_count - !sums);
    return TFP_COUNTED;
}
