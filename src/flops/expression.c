/*
 * expression.c - the value of an expression. Texts: expression_parse.c.
 *
 * Every instruction has an answer for every operand: sums and products stop at
 * the ends of the range, and what has no answer (a division by 0, a dimension
 * that the tensor does not have) is not known. Both sides of "?:" are computed;
 * that harms nothing and needs no jumps.
 */
#include "flops/expression.h"

#include <assert.h>

#include "flops/expression_code.h"

typedef struct value {
    int64_t number;
    tfp_knowledge knowledge;
} value;

static const value not_known = { 0, TFP_NOT_KNOWN };

static value number_of(int64_t number)
{
    return (value){ number, TFP_KNOWN };
}

/* ---- Arithmetic --------------------------------------------------------- */

/* Rounds towards zero. Only INT64_MIN / -1 leaves the range. */
static value divide(int64_t a, int64_t b)
{
    if (b == 0)
        return not_known;
    return number_of(b == -1 ? tfp_sub_sat(0, a) : a / b);
}

/* What is left of that division: it has the sign of `a`. */
static value remainder_of(int64_t a, int64_t b)
{
    if (b == 0)
        return not_known;
    return number_of(b == -1 ? 0 : a % b);
}

static value divide_up(int64_t a, int64_t b)
{
    value quotient = divide(a, b);
    if (b != 0 && b != -1 && a % b != 0 && (a < 0) == (b < 0))
        quotient.number++; /* towards zero was down */
    return quotient;
}

/* The least k with 2^k >= n. */
static value log2_ceil(int64_t n)
{
    if (n <= 0)
        return not_known;
    return number_of(n == 1 ? 0 : 64 - __builtin_clzll((uint64_t)n - 1));
}

static value compute_one(tfp_code code, int64_t a)
{
    return code == TFP_CODE_NEGATE ? number_of(tfp_sub_sat(0, a))
                                   : log2_ceil(a);
}

static value compute_two(tfp_code code, int64_t a, int64_t b)
{
    switch (code) {
    case TFP_CODE_ADD: return number_of(tfp_add_sat(a, b));
    case TFP_CODE_SUB: return number_of(tfp_sub_sat(a, b));
    case TFP_CODE_MUL: return number_of(tfp_mul_sat(a, b));
    case TFP_CODE_DIV: return divide(a, b);
    case TFP_CODE_MOD: return remainder_of(a, b);
    case TFP_CODE_EQ: return number_of(a == b);
    case TFP_CODE_NE: return number_of(a != b);
    case TFP_CODE_LT: return number_of(a < b);
    case TFP_CODE_LE: return number_of(a <= b);
    case TFP_CODE_GT: return number_of(a > b);
    case TFP_CODE_GE: return number_of(a >= b);
    case TFP_CODE_MIN: return number_of(a < b ? a : b);
    case TFP_CODE_MAX: return number_of(a > b ? a : b);
    default: return divide_up(a, b);
    }
}

/* ---- Questions to the world --------------------------------------------- */

static value rank_of(const tfp_expression_world *w, const tfp_instruction *i)
{
    int64_t rank = 0;
    if (!w->rank(w->context, (tfp_side)i->side, (uint32_t)i->a, &rank) ||
        rank < 0)
        return not_known;
    return number_of(rank);
}

static value dim_of(const tfp_expression_world *w, const tfp_instruction *i,
                    int64_t axis)
{
    int64_t size = 0;
    if (!w->dim(w->context, (tfp_side)i->side, (uint32_t)i->a, axis, &size) ||
        size < 0)
        return not_known;
    return number_of(size);
}

/* The dims from `from` up to `to`, multiplied. */
static value prod_of(const tfp_expression_world *w, const tfp_instruction *i,
                     int64_t from, int64_t to)
{
    value product = number_of(1);
    for (int64_t axis = from; axis < to; axis++) {
        value size = dim_of(w, i, axis);
        if (size.knowledge != TFP_KNOWN)
            return not_known;
        product.number = tfp_mul_sat(product.number, size.number);
    }
    return product;
}

/* Counts an axis from the end when it is negative. It may be `most` at most. */
static bool place_axis(int64_t *axis, int64_t rank, int64_t most)
{
    if (*axis < 0)
        *axis = tfp_add_sat(*axis, rank);
    return *axis >= 0 && *axis <= most;
}

static value ask_tensor(const tfp_expression_world *w, const tfp_instruction *i,
                        const value *operands)
{
    value rank = rank_of(w, i);
    int64_t from = operands[0].number, to = operands[1].number;
    if (rank.knowledge != TFP_KNOWN)
        return not_known;
    switch (i->code) {
    case TFP_CODE_RANK: return rank;
    case TFP_CODE_ELEMENTS: return prod_of(w, i, 0, rank.number);
    case TFP_CODE_DIM:
        if (operands[0].knowledge != TFP_KNOWN ||
            !place_axis(&from, rank.number, rank.number - 1))
            return not_known;
        return dim_of(w, i, from);
    default: /* TFP_CODE_PROD */
        if (operands[0].knowledge != TFP_KNOWN ||
            operands[1].knowledge != TFP_KNOWN ||
            !place_axis(&from, rank.number, rank.number) ||
            !place_axis(&to, rank.number, rank.number))
            return not_known;
        return prod_of(w, i, from, to);
    }
}

static value ask_attr(const tfp_expression *e, const tfp_expression_world *w,
                      const tfp_instruction *i, const value *operands)
{
    tfp_span name = { e->text.data + i->a, i->size };
    bool is_item = i->code == TFP_CODE_ITEM;
    value answer = not_known;
    if (is_item && operands[0].knowledge != TFP_KNOWN)
        return not_known;
    answer.knowledge = w->attr(
        w->context, name, is_item ? &operands[0].number : NULL, &answer.number);
    return answer;
}

/* ---- Evaluation --------------------------------------------------------- */

/* Computes on `operands`, as many as the instruction takes. */
static value step(const tfp_expression *e, const tfp_expression_world *w,
                  const tfp_instruction *i, const value *operands)
{
    switch (i->code) {
    case TFP_CODE_NUMBER: return number_of(i->a);
    case TFP_CODE_ELEMENTS:
    case TFP_CODE_RANK:
    case TFP_CODE_DIM:
    case TFP_CODE_PROD: return ask_tensor(w, i, operands);
    case TFP_CODE_ATTR:
    case TFP_CODE_ITEM: return ask_attr(e, w, i, operands);
    case TFP_CODE_OR_ELSE: return operands[operands[0].knowledge == TFP_ABSENT];
    case TFP_CODE_CHOOSE:
        if (operands[0].knowledge != TFP_KNOWN)
            return not_known;
        return operands[operands[0].number != 0 ? 1 : 2];
    default: break;
    }
    for (int k = 0; k < tfp_code_operands[i->code]; k++) {
        if (operands[k].knowledge != TFP_KNOWN)
            return not_known;
    }
    return tfp_code_operands[i->code] == 1
               ? compute_one((tfp_code)i->code, operands[0].number)
               : compute_two((tfp_code)i->code, operands[0].number,
                             operands[1].number);
}

bool tfp_expression_evaluate(const tfp_expression *e,
                             const tfp_expression_world *world, int64_t *result)
{
    /* Two more, which may be looked at but do not count, for instructions that
     * take less than three operands. */
    value stack[TFP_EXPRESSION_MOST_VALUES + 2] = { { 0 } };
    size_t top = 0;
    for (size_t k = 0; k < e->code.count; k++) {
        const tfp_instruction *i = &e->code.data[k];
        assert(top >= tfp_code_operands[i->code]);
        top -= tfp_code_operands[i->code];
        stack[top] = step(e, world, i, stack + top);
        top++;
    }
    assert(top == 1);
    *result = stack[0].number;
    return stack[0].knowledge == TFP_KNOWN;
}

void tfp_expression_release(tfp_expression *e, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &e->code);
    TFP_VEC_RELEASE(memory, &e->text);
}

/* clang-format off */
const uint8_t tfp_code_operands[TFP_CODE_COUNT] = {
    [TFP_CODE_NUMBER] = 0,  [TFP_CODE_ELEMENTS] = 0, [TFP_CODE_RANK] = 0,
    [TFP_CODE_DIM] = 1,     [TFP_CODE_PROD] = 2,     [TFP_CODE_ATTR] = 0,
    [TFP_CODE_ITEM] = 1,    [TFP_CODE_OR_ELSE] = 2,  [TFP_CODE_NEGATE] = 1,
    [TFP_CODE_ADD] = 2,     [TFP_CODE_SUB] = 2,      [TFP_CODE_MUL] = 2,
    [TFP_CODE_DIV] = 2,     [TFP_CODE_MOD] = 2,      [TFP_CODE_EQ] = 2,
    [TFP_CODE_NE] = 2,      [TFP_CODE_LT] = 2,       [TFP_CODE_LE] = 2,
    [TFP_CODE_GT] = 2,      [TFP_CODE_GE] = 2,       [TFP_CODE_MIN] = 2,
    [TFP_CODE_MAX] = 2,     [TFP_CODE_CEIL_DIV] = 2, [TFP_CODE_LOG2_CEIL] = 1,
    [TFP_CODE_CHOOSE] = 3,
};
/* clang-format on */
