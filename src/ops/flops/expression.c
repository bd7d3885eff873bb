/*
 * expression.c - the value of an expression. Texts: expression_parse.c.
 *
 * Every instruction has an answer for every operand: what has no answer (a
 * division by 0, a dimension that the tensor does not have) is not known. Both
 * sides of "?:" are computed; that harms nothing and needs no jumps.
 */
#include "ops/flops/expression.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "ops/flops/expression_code.h"

/* Numbers between are exact as long as 126 bits hold them, so that a count
 * that fits is right even if a product on the way to it does not fit. */
__extension__ typedef __int128 wide;
#define WIDE_MOST (((wide)1 << 126) - 1)

typedef struct value {
    union {
        wide number;
        tfp_span text;
    };
    tfp_knowledge knowledge;
} value;

static const value not_known = { .knowledge = TFP_NOT_KNOWN };

static value number_of(wide number)
{
    return (value){ .number = number, .knowledge = TFP_KNOWN };
}

/* ---- Arithmetic --------------------------------------------------------- */

static wide clamp(wide number)
{
    if (number > WIDE_MOST)
        return WIDE_MOST;
    return number < -WIDE_MOST ? -WIDE_MOST : number;
}

static int64_t clamp_to_64(wide number)
{
    if (number > INT64_MAX)
        return INT64_MAX;
    return number < INT64_MIN ? INT64_MIN : (int64_t)number;
}

static wide multiply(wide a, wide b)
{
    wide size_a, size_b;
    int64_t product;
    if ((int64_t)a == a && (int64_t)b == b &&
        !__builtin_mul_overflow((int64_t)a, (int64_t)b, &product))
        return product;
    size_a = a < 0 ? -a : a;
    size_b = b < 0 ? -b : b;
    if (size_b != 0 && size_a > WIDE_MOST / size_b)
        return (a < 0) == (b < 0) ? WIDE_MOST : -WIDE_MOST;
    return a * b;
}

/* The least k with 2^k >= n. */
static int log2_ceil(wide n)
{
    int k = 0;
    while ((wide)1 << k < n)
        k++;
    return k;
}

/* Exact for powers of two. What is left of others is near 1, where the series
 * 2*(t + t^3/3 + t^5/5 + ...) of the logarithm is short. */
static double log2_of(double left)
{
    const double log2_e = 1.4426950408889634074;
    double whole = 0.0, sum = 0.0, t, power;
    for (; left > 1.4142135623730951; left *= 0.5)
        whole += 1.0;
    t = (left - 1.0) / (left + 1.0);
    power = t;
    for (int k = 1; k < 25; k += 2) {
        sum += power / k;
        power *= t * t;
    }
    return whole + 2.0 * sum * log2_e;
}

/* Rounded towards zero. */
static wide multiply_log2(wide a, wide n)
{
    double product = n > 1 ? (double)a * log2_of((double)n) : 0.0;
    if (product >= 0x1p126)
        return WIDE_MOST;
    return product <= -0x1p126 ? -WIDE_MOST : (wide)product;
}

/* `/` and `%` round towards zero; a remainder has the sign of `a`. False when
 * there is no result. */
static bool compute(tfp_code code, wide a, wide b, wide *result)
{
    switch (code) {
    case TFP_CODE_ADD: *result = clamp(a + b); return true;
    case TFP_CODE_SUB: *result = clamp(a - b); return true;
    case TFP_CODE_MUL: *result = multiply(a, b); return true;
    case TFP_CODE_NEGATE: *result = -a; return true;
    case TFP_CODE_EQ: *result = a == b; return true;
    case TFP_CODE_NE: *result = a != b; return true;
    case TFP_CODE_LT: *result = a < b; return true;
    case TFP_CODE_LE: *result = a <= b; return true;
    case TFP_CODE_GT: *result = a > b; return true;
    case TFP_CODE_GE: *result = a >= b; return true;
    case TFP_CODE_MIN: *result = a < b ? a : b; return true;
    case TFP_CODE_MAX: *result = a > b ? a : b; return true;
    case TFP_CODE_MUL_LOG2: *result = multiply_log2(a, b); return true;
    case TFP_CODE_LOG2_CEIL: *result = log2_ceil(a); return a > 0;
    default: break;
    }
    if (b == 0)
        return false;
    *result = code == TFP_CODE_MOD ? a % b : a / b;
    if (code == TFP_CODE_CEIL_DIV && a % b != 0 && (a < 0) == (b < 0))
        ++*result; /* towards zero was down */
    return true;
}

/* ---- Tensors ------------------------------------------------------------ */

typedef struct tensor {
    const int64_t *dims;
    int rank;
} tensor;

static tensor find_tensor(const tfp_expression_world *w, unsigned side,
                          uint32_t index)
{
    tensor t = { .rank = -1 };
    t.dims = w->dims(w->context, (tfp_side)side, index, &t.rank);
    return t;
}

__attribute__((cold, noinline)) static bool multiply_wide(tensor t, int from,
                                                          int to, wide *result)
{
    *result = 1;
    for (int axis = from; axis < to; axis++) {
        if (t.dims[axis] < 0)
            return false;
        *result = multiply(*result, t.dims[axis]);
    }
    return true;
}

/* The dims from `from` up to `to`, multiplied; nearly always 64 bits do. */
static inline bool product_of(tensor t, int from, int to, wide *result)
{
    int64_t product = 1;
    for (int axis = from; axis < to; axis++) {
        int64_t dim = t.dims[axis];
        if (dim < 0)
            return false;
        if (__builtin_mul_overflow(product, dim, &product))
            return multiply_wide(t, from, to, result);
    }
    *result = product;
    return true;
}

/* Counts an axis from the end when it is negative. False if it is not one of
 * 0..most. */
static bool place_axis(wide at, int rank, int most, int *place)
{
    at = at < 0 ? at + rank : at;
    *place = at >= 0 && at <= most ? (int)at : -1;
    return *place >= 0;
}

static bool ask_elements(const tfp_expression_world *w,
                         const tfp_instruction *i, wide *result)
{
    tensor t = find_tensor(w, i->side, (uint32_t)i->a);
    return t.rank >= 0 && product_of(t, 0, t.rank, result);
}

static bool ask_tensor(const tfp_expression_world *w, const tfp_instruction *i,
                       const value *operands, wide *result)
{
    tensor t = find_tensor(w, i->side, (uint32_t)i->a);
    int from, to;
    if (t.rank < 0)
        return false;
    switch (i->code) {
    case TFP_CODE_RANK: *result = t.rank; return true;
    case TFP_CODE_DIM:
        if (operands[0].knowledge != TFP_KNOWN ||
            !place_axis(operands[0].number, t.rank, t.rank - 1, &from))
            return false;
        to = from + 1;
        break;
    case TFP_CODE_DIM_AT:
        if (!place_axis(i->from, t.rank, t.rank - 1, &from))
            return false;
        to = from + 1;
        break;
    case TFP_CODE_PROD:
        if (operands[0].knowledge != TFP_KNOWN ||
            operands[1].knowledge != TFP_KNOWN ||
            !place_axis(operands[0].number, t.rank, t.rank, &from) ||
            !place_axis(operands[1].number, t.rank, t.rank, &to))
            return false;
        break;
    default: /* TFP_CODE_PROD_AT */
        if (!place_axis(i->from, t.rank, t.rank, &from) ||
            !place_axis(i->to, t.rank, t.rank, &to))
            return false;
        break;
    }
    return product_of(t, from, to, result);
}

/* ---- Attributes and elements of inputs ---------------------------------- */

static value item_of(const tfp_expression_world *w, const tfp_items *items,
                     size_t k)
{
    double number;
    switch (items->kind) {
    case TFP_ITEMS_INT: return number_of(items->at[k]);
    case TFP_ITEMS_FLOAT:
        number = tfp_double_of_bits(items->at[k]);
        if (!(number > -0x1p63 && number < 0x1p63)) /* nor if it is a NaN */
            return not_known;
        return number_of((int64_t)number);
    case TFP_ITEMS_TEXT:
        return (value){ .text = w->text(w->context, items->at[k]),
                        .knowledge = TFP_KNOWN_TEXT };
    default: return not_known;
    }
}

static value one_item(const tfp_expression_world *w, const tfp_items *items,
                      wide at)
{
    at = at < 0 ? at + (wide)items->count : at;
    return at >= 0 && at < (wide)items->count ? item_of(w, items, (size_t)at)
                                              : not_known;
}

static value multiply_items(const tfp_expression_world *w,
                            const tfp_items *items)
{
    wide product = 1;
    for (size_t k = 0; k < items->count; k++) {
        value item = item_of(w, items, k);
        if (item.knowledge != TFP_KNOWN)
            return not_known;
        product = multiply(product, item.number);
    }
    return number_of(product);
}

/* The product of the dims that are none of the axes in `items`. */
static value drop_axes(const tfp_expression_world *w, const tfp_instruction *i,
                       const tfp_items *items)
{
    tensor t = find_tensor(w, i->side, i->tensor);
    wide product = 1;
    for (int axis = 0; axis < t.rank; axis++) {
        bool is_dropped = false;
        for (size_t k = 0; k < items->count; k++)
            is_dropped |= items->at[k] == axis || items->at[k] == axis - t.rank;
        if (!is_dropped && t.dims[axis] < 0)
            return not_known;
        product = is_dropped ? product : multiply(product, t.dims[axis]);
    }
    return t.rank < 0 || items->kind != TFP_ITEMS_INT ? not_known
                                                      : number_of(product);
}

static value ask_items(const tfp_expression *e, const tfp_expression_world *w,
                       const tfp_instruction *i, const value *operands)
{
    bool is_attr = i->size > 0;
    tfp_items items = { 0 };
    if (i->code == TFP_CODE_ITEM && operands[0].knowledge != TFP_KNOWN)
        return not_known;
    if (is_attr) {
        tfp_span name = { e->text.data + i->a, i->size };
        if (!w->attr(w->context, name, &items))
            return i->code == TFP_CODE_ITEM_COUNT
                       ? number_of(0)
                       : (value){ .knowledge = TFP_ABSENT };
    } else if (!w->value(w->context, (uint32_t)i->a, &items)) {
        return not_known;
    }
    if (i->code == TFP_CODE_ITEM_ONLY)
        return (is_attr ? items.is_list : items.count != 1)
                   ? not_known
                   : item_of(w, &items, 0);
    if (!items.is_list)
        return not_known;
    switch (i->code) {
    case TFP_CODE_ITEM: return one_item(w, &items, operands[0].number);
    case TFP_CODE_ITEM_COUNT: return number_of((wide)items.count);
    case TFP_CODE_ITEM_PROD: return multiply_items(w, &items);
    default: return drop_axes(w, i, &items);
    }
}

/* ---- Evaluation --------------------------------------------------------- */

/* Puts a number, or nothing that is known. */
static void put(value *v, bool known, wide number)
{
    v->knowledge = known ? TFP_KNOWN : TFP_NOT_KNOWN;
    v->number = number;
}

/* Computes with numbers; texts can only be compared. */
static void combine(tfp_code code, value *v)
{
    bool has_two = tfp_code_operands[code] == 2;
    wide result = 0;
    bool known = v[0].knowledge == TFP_KNOWN &&
                 (!has_two || v[1].knowledge == TFP_KNOWN);
    if (known) {
        known = compute(code, v[0].number, has_two ? v[1].number : 0, &result);
    } else if (has_two && v[0].knowledge == TFP_KNOWN_TEXT &&
               v[1].knowledge == TFP_KNOWN_TEXT) {
        known = code == TFP_CODE_EQ || code == TFP_CODE_NE;
        result = tfp_span_equal(v[0].text, v[1].text) == (code == TFP_CODE_EQ);
    }
    put(v, known, result);
}

/* Replaces the operands at `v` by the result. */
static void step(const tfp_expression *e, const tfp_expression_world *w,
                 const tfp_instruction *i, value *v)
{
    wide number = 0;
    bool known;
    switch (i->code) {
    case TFP_CODE_NUMBER: put(v, true, i->a); break;
    case TFP_CODE_TEXT:
        v->text = (tfp_span){ e->text.data + i->a, i->size };
        v->knowledge = TFP_KNOWN_TEXT;
        break;
    case TFP_CODE_INPUTS: put(v, true, w->inputs); break;
    case TFP_CODE_CONTROLS: put(v, true, w->controls); break;
    case TFP_CODE_MACS: put(v, true, w->macs); break;
    case TFP_CODE_FREE: v->knowledge = TFP_KNOWN_FREE; break;
    case TFP_CODE_RANK:
    case TFP_CODE_DIM:
    case TFP_CODE_PROD:
    case TFP_CODE_DIM_AT:
    case TFP_CODE_PROD_AT:
        known = ask_tensor(w, i, v, &number);
        put(v, known, number);
        break;
    case TFP_CODE_ITEM_ONLY:
    case TFP_CODE_ITEM:
    case TFP_CODE_ITEM_COUNT:
    case TFP_CODE_ITEM_PROD:
    case TFP_CODE_NO_AXES: *v = ask_items(e, w, i, v); break;
    case TFP_CODE_OR_ELSE: *v = v[v->knowledge == TFP_ABSENT]; break;
    case TFP_CODE_FIRST_KNOWN: *v = v[v->knowledge != TFP_KNOWN]; break;
    case TFP_CODE_CHOOSE:
        if (v->knowledge == TFP_KNOWN)
            *v = v[v->number != 0 ? 1 : 2];
        else
            v->knowledge = TFP_NOT_KNOWN;
        break;
    default: combine((tfp_code)i->code, v); break;
    }
}

/* The result becomes the first on the stack. Inline, gcc could not see that
 * operands are set before they are read. */
__attribute__((noinline, hot)) static void run(const tfp_expression *e,
                                               const tfp_expression_world *w,
                                               value *stack)
{
    const tfp_instruction *end = e->code.data + e->code.count;
    value *top = stack;
    for (const tfp_instruction *i = e->code.data; i < end; i++) {
        top -= tfp_code_operands[i->code];
        assert(top >= stack);
        if (i->code == TFP_CODE_ELEMENTS) { /* the most frequent one */
            wide number = 0;
            bool known = ask_elements(w, i, &number);
            put(top, known, number);
        } else {
            step(e, w, i, top);
        }
        top++;
    }
    assert(top == stack + 1);
}

tfp_knowledge tfp_expression_evaluate(const tfp_expression *e,
                                      const tfp_expression_world *world,
                                      int64_t *result)
{
    /* A hardened build would clear it, which takes longer than to evaluate. */
    __attribute__((uninitialized)) value stack[TFP_EXPRESSION_MOST_VALUES];
    run(e, world, stack);
    if (stack[0].knowledge == TFP_KNOWN)
        *result = clamp_to_64(stack[0].number);
    return stack[0].knowledge <= TFP_KNOWN_FREE ? stack[0].knowledge
                                                : TFP_NOT_KNOWN;
}

void tfp_expression_release(tfp_expression *e, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &e->code);
    TFP_VEC_RELEASE(memory, &e->text);
}

/* clang-format off */
const uint8_t tfp_code_operands[TFP_CODE_COUNT] = {
    [TFP_CODE_DIM] = 1,         [TFP_CODE_PROD] = 2,    [TFP_CODE_ITEM] = 1,
    [TFP_CODE_OR_ELSE] = 2,     [TFP_CODE_NEGATE] = 1,  [TFP_CODE_ADD] = 2,
    [TFP_CODE_SUB] = 2,         [TFP_CODE_MUL] = 2,     [TFP_CODE_DIV] = 2,
    [TFP_CODE_MOD] = 2,         [TFP_CODE_EQ] = 2,      [TFP_CODE_NE] = 2,
    [TFP_CODE_LT] = 2,          [TFP_CODE_LE] = 2,      [TFP_CODE_GT] = 2,
    [TFP_CODE_GE] = 2,          [TFP_CODE_MIN] = 2,     [TFP_CODE_MAX] = 2,
    [TFP_CODE_CEIL_DIV] = 2,    [TFP_CODE_MUL_LOG2] = 2,
    [TFP_CODE_LOG2_CEIL] = 1,   [TFP_CODE_FIRST_KNOWN] = 2,
    [TFP_CODE_CHOOSE] = 3,
};
/* clang-format on */
