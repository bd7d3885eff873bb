/*
 * user_formula.c - formulas that a user has given, by type of operation.
 */
#include "flops/user_formula.h"

#include "shape/fact/site.h"

#include "shape/fact/fact.h"

#include "model/model.h"

/* ---- A node as expressions see it --------------------------------------- */

static tfp_dims dims_of(void *site, tfp_side side, uint32_t index)
{
    return side == TFP_SIDE_INPUT ? tfp_site_input(site, index)
                                  : tfp_site_output(site, index);
}

static bool answer_rank(void *site, tfp_side side, uint32_t index,
                        int64_t *answer)
{
    *answer = dims_of(site, side, index).rank;
    return *answer >= 0;
}

static bool answer_dim(void *site, tfp_side side, uint32_t index, int64_t axis,
                       int64_t *answer)
{
    *answer = dims_of(site, side, index).at[axis];
    return *answer >= 0;
}

/* A value of that kind as a whole number. */
static tfp_knowledge answer_value(uint32_t kind, int64_t value, int64_t *answer)
{
    double number;
    switch (kind) {
    case TFP_ATTR_INT:
    case TFP_ATTR_BOOL:
    case TFP_ATTR_TYPE: *answer = value; return TFP_KNOWN;
    case TFP_ATTR_FLOAT:
        number = tfp_double_of_bits(value);
        if (!(number > -0x1p63 && number < 0x1p63)) /* nor if it is a NaN */
            return TFP_NOT_KNOWN;
        *answer = (int64_t)number;
        return TFP_KNOWN;
    default: return TFP_NOT_KNOWN;
    }
}

static tfp_knowledge answer_item(const tfp_model *model, const tfp_attr *attr,
                                 int64_t item, int64_t *answer)
{
    size_t count;
    const int64_t *items;
    if (!(attr->kind & TFP_ATTR_LIST))
        return TFP_NOT_KNOWN;
    items = tfp_list_items(model, (tfp_list)attr->value, &count);
    if (item < 0)
        item = tfp_add_sat(item, (int64_t)count);
    if (item < 0 || (uint64_t)item >= count)
        return TFP_NOT_KNOWN;
    return answer_value(attr->kind & ~(uint32_t)TFP_ATTR_LIST, items[item],
                        answer);
}

static tfp_knowledge answer_attr(void *context, tfp_span name,
                                 const int64_t *item, int64_t *answer)
{
    const tfp_site *site = context;
    const tfp_model *model = site->model;
    tfp_string key = tfp_interner_find(&model->strings, name);
    const tfp_attr *attr = key == TFP_NO_ID
                               ? NULL
                               : tfp_attrs_find(model,
                                                site->nodes->attrs[site->node],
                                                key);
    if (!attr)
        return TFP_ABSENT;
    return item ? answer_item(model, attr, *item, answer)
                : answer_value(attr->kind, attr->value, answer);
}

/* ---- Counting ----------------------------------------------------------- */

tfp_counted tfp_user_formula_count(const tfp_user_formula *formula,
                                   const tfp_site *site, tfp_work *work)
{
    tfp_site asked = *site; /* who asks changes nothing */
    tfp_expression_world world = { &asked, answer_rank, answer_dim,
                                   answer_attr };
    int64_t counts[TFP_USER_COUNTS] = { 0 };
    for (int i = 0; i < TFP_USER_COUNTS; i++) {
        if (formula->of[i].code.count == 0)
            continue;
        /* Less than nothing is no count, whatever the formula meant. */
        if (!tfp_expression_evaluate(&formula->of[i], &world, &counts[i]) ||
            counts[i] < 0)
            return TFP_COUNTED_UNKNOWN_SHAPE;
    }
    if (formula->of[TFP_USER_FLOAT_OPS].code.count == 0)
        counts[TFP_USER_FLOAT_OPS] = tfp_mul_sat(2, counts[TFP_USER_MACS]);
    *work = (tfp_work){ .float_ops = counts[TFP_USER_FLOAT_OPS],
                        .int_ops = counts[TFP_USER_INT_OPS],
                        .macs = counts[TFP_USER_MACS] };
    return TFP_COUNTED;
}

/* ---- The table ---------------------------------------------------------- */

void tfp_user_formula_release(tfp_user_formula *formula, tfp_memory *memory)
{
    for (int i = 0; i < TFP_USER_COUNTS; i++)
        tfp_expression_release(&formula->of[i], memory);
}

bool tfp_user_formulas_init(tfp_user_formulas *formulas, tfp_memory *memory)
{
    *formulas = (tfp_user_formulas){ .memory = memory };
    return tfp_interner_init(&formulas->ops, memory, 1, tfp_random_seed());
}

void tfp_user_formulas_release(tfp_user_formulas *formulas)
{
    for (size_t i = 0; i < formulas->formulas.count; i++)
        tfp_user_formula_release(&formulas->formulas.data[i], formulas->memory);
    TFP_VEC_RELEASE(formulas->memory, &formulas->formulas);
    tfp_interner_release(&formulas->ops);
}

bool tfp_user_formulas_add(tfp_user_formulas *formulas, tfp_span op,
                           const tfp_user_formula *formula)
{
    uint32_t id;
    if (!TFP_VEC_RESERVE(formulas->memory, &formulas->formulas, 1))
        return false;
    id = tfp_intern(&formulas->ops, op);
    if (id == TFP_NO_ID)
        return false;
    if (id <= formulas->formulas.count) {
        tfp_user_formula_release(&formulas->formulas.data[id - 1],
                                 formulas->memory);
        formulas->formulas.data[id - 1] = *formula;
    } else {
        formulas->formulas.data[formulas->formulas.count++] = *formula;
    }
    return true;
}

const tfp_user_formula *tfp_user_formulas_find(
    const tfp_user_formulas *formulas, tfp_span op)
{
    uint32_t id = tfp_interner_find(&formulas->ops, op);
    return id == TFP_NO_ID || id == 0 ? NULL : &formulas->formulas.data[id - 1];
}
