/*
 * fold_arith.c - arithmetic by element.
 *
 * Integers of every width wrap around as TensorFlow's do. Of the reals there
 * are float and double: sums, products, quotients and roots of floats come out
 * the same when computed in doubles and rounded once more. Functions whose
 * last bit depends on a library (exp, log, pow of reals) are not here.
 */
#include <math.h>

#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/fold/fold.h"

static bool is_real(int32_t dtype)
{
    return dtype == TFP_DT_FLOAT || dtype == TFP_DT_DOUBLE;
}

/* There are no infinities; so nothing can tell 0 from -0, whose bits are those
 * of TFP_VALUE_UNKNOWN. */
static int64_t real_item(double number, int32_t dtype)
{
    if (dtype == TFP_DT_FLOAT)
        number = (float)number;
    if (!isfinite(number))
        return TFP_VALUE_UNKNOWN;
    return number == 0 ? 0 : tfp_double_bits(number);
}

/* ---- Two operands ------------------------------------------------------- */

/* On integers: TFP_VALUE_UNKNOWN when it cannot be. */
typedef int64_t int_fn(int64_t a, int64_t b);
typedef double real_fn(double a, double b);

/* The dims that operands are stretched to. */
typedef struct stretched {
    int rank;
    int64_t dims[TFP_FOLD_RANK];
    int64_t count;
} stretched;

static bool stretch(stretched *s, const tfp_operand *operand)
{
    int rank = s->rank > operand->rank ? s->rank : operand->rank;
    int64_t dims[TFP_FOLD_RANK];
    s->count = 1;
    for (int i = 0; i < rank; i++) {
        int in_s = i - (rank - s->rank), in_o = i - (rank - operand->rank);
        int64_t x = in_s < 0 ? 1 : s->dims[in_s];
        int64_t y = in_o < 0 ? 1 : operand->dims[in_o];
        if (x != y && x != 1 && y != 1)
            return false;
        dims[i] = x == 1 ? y : x;
        s->count = tfp_mul_sat(s->count, dims[i]);
    }
    s->rank = rank;
    memcpy(s->dims, dims, (size_t)rank * sizeof(*dims));
    return s->count <= TFP_MOST_VALUES;
}

/* The element of an operand that goes to place `n`. */
static int64_t item_at(const stretched *s, const tfp_operand *operand,
                       int64_t n)
{
    int64_t at = 0, stride = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        int in = i - (s->rank - operand->rank);
        int64_t place = n % s->dims[i];
        n /= s->dims[i];
        if (in < 0)
            continue;
        if (operand->dims[in] > 1)
            at += place * stride;
        stride *= operand->dims[in];
    }
    return operand->at[at];
}

static bool read_two(const tfp_site *site, tfp_operand *a, tfp_operand *b,
                     stretched *s)
{
    *s = (stretched){ .count = 1 };
    return tfp_operand_read_any(site, 0, a) &&
           tfp_operand_read_any(site, 1, b) && (a->dtype || b->dtype) &&
           stretch(s, a) && stretch(s, b);
}

static int64_t compute(int64_t x, int64_t y, int32_t dtype, int_fn *ints,
                       real_fn *reals)
{
    int64_t result;
    if (is_real(dtype))
        return reals ? real_item(
                           reals(tfp_double_of_bits(x), tfp_double_of_bits(y)),
                           dtype)
                     : TFP_VALUE_UNKNOWN;
    result = ints ? ints(x, y) : TFP_VALUE_UNKNOWN;
    return result == TFP_VALUE_UNKNOWN ? result : tfp_fold_wrap(result, dtype);
}

static void fold_two(tfp_site *site, int_fn *ints, real_fn *reals)
{
    tfp_operand a, b;
    stretched s;
    int64_t items[TFP_MOST_VALUES];
    int32_t dtype;
    if (!read_two(site, &a, &b, &s))
        return;
    dtype = a.dtype ? a.dtype : b.dtype;
    for (int64_t n = 0; n < s.count; n++) {
        int64_t x = item_at(&s, &a, n), y = item_at(&s, &b, n);
        items[n] = x == TFP_VALUE_UNKNOWN || y == TFP_VALUE_UNKNOWN
                       ? TFP_VALUE_UNKNOWN
                       : compute(x, y, dtype, ints, reals);
    }
    tfp_fold_put(site, 0, items, (size_t)s.count, dtype);
}

static int64_t add_ints(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t sub_ints(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t mul_ints(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t truncate_div_ints(int64_t a, int64_t b)
{
    if (b == 0)
        return TFP_VALUE_UNKNOWN;
    return b == -1 ? sub_ints(0, a) : a / b;
}

static int64_t truncate_mod_ints(int64_t a, int64_t b)
{
    if (b == 0)
        return TFP_VALUE_UNKNOWN;
    return b == -1 ? 0 : a % b;
}

static int64_t floor_div_ints(int64_t a, int64_t b)
{
    int64_t rest = truncate_mod_ints(a, b);
    if (b == 0)
        return TFP_VALUE_UNKNOWN;
    return truncate_div_ints(a, b) - (rest != 0 && (rest < 0) != (b < 0));
}

static int64_t floor_mod_ints(int64_t a, int64_t b)
{
    int64_t rest = truncate_mod_ints(a, b);
    if (b == 0)
        return TFP_VALUE_UNKNOWN;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static int64_t max_ints(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min_ints(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t pow_ints(int64_t a, int64_t b)
{
    int64_t result = 1;
    if (b < 0)
        return TFP_VALUE_UNKNOWN;
    for (; b > 0; b >>= 1) {
        if (b & 1)
            result = mul_ints(result, a);
        a = mul_ints(a, a);
    }
    return result;
}

static int64_t squared_difference_ints(int64_t a, int64_t b)
{
    return mul_ints(sub_ints(a, b), sub_ints(a, b));
}

static double add_reals(double a, double b)
{
    return a + b;
}

static double sub_reals(double a, double b)
{
    return a - b;
}

static double mul_reals(double a, double b)
{
    return a * b;
}

static double div_reals(double a, double b)
{
    return a / b;
}

static double div_no_nan_reals(double a, double b)
{
    return b == 0 ? 0 : a / b;
}

static double max_reals(double a, double b)
{
    return a > b ? a : b;
}

static double min_reals(double a, double b)
{
    return a < b ? a : b;
}

#define FOLD_TWO(name, ints, reals)                                            \
    static void fold_##name(tfp_site *site)                                    \
    {                                                                          \
        fold_two(site, ints, reals);                                           \
    }

FOLD_TWO(add, add_ints, add_reals)
FOLD_TWO(sub, sub_ints, sub_reals)
FOLD_TWO(mul, mul_ints, mul_reals)
FOLD_TWO(div, truncate_div_ints, div_reals)
FOLD_TWO(real_div, NULL, div_reals)
FOLD_TWO(div_no_nan, NULL, div_no_nan_reals)
FOLD_TWO(truncate_div, truncate_div_ints, NULL)
FOLD_TWO(truncate_mod, truncate_mod_ints, NULL)
FOLD_TWO(floor_mod, floor_mod_ints, NULL)
FOLD_TWO(maximum, max_ints, max_reals)
FOLD_TWO(minimum, min_ints, min_reals)
FOLD_TWO(pow, pow_ints, NULL)
FOLD_TWO(squared_difference, squared_difference_ints, NULL)

/* The quotient of floats is rounded before it is cut. */
static void fold_floor_div(tfp_site *site)
{
    tfp_operand a, b;
    stretched s;
    int64_t items[TFP_MOST_VALUES];
    if (!read_two(site, &a, &b, &s) || !is_real(a.dtype)) {
        fold_two(site, floor_div_ints, NULL);
        return;
    }
    for (int64_t n = 0; n < s.count; n++) {
        int64_t x = item_at(&s, &a, n), y = item_at(&s, &b, n);
        items[n] = TFP_VALUE_UNKNOWN;
        if (x == TFP_VALUE_UNKNOWN || y == TFP_VALUE_UNKNOWN)
            continue;
        items[n] = compute(x, y, a.dtype, NULL, div_reals);
        if (items[n] != TFP_VALUE_UNKNOWN)
            items[n] = real_item(floor(tfp_double_of_bits(items[n])), a.dtype);
    }
    tfp_fold_put(site, 0, items, (size_t)s.count, a.dtype);
}

/* ---- Comparisons -------------------------------------------------------- */

/* -1, 0, 1; 2 when they cannot be compared: constants may be NaN. */
static int compare(int64_t x, int64_t y, int32_t dtype)
{
    double a, b;
    if (!is_real(dtype))
        return (x > y) - (x < y);
    a = tfp_double_of_bits(x);
    b = tfp_double_of_bits(y);
    return a != a || b != b ? 2 : (a > b) - (a < b);
}

typedef bool order_fn(int order);

static void fold_order(tfp_site *site, order_fn *holds)
{
    tfp_operand a, b;
    stretched s;
    int64_t items[TFP_MOST_VALUES];
    int32_t dtype;
    if (!read_two(site, &a, &b, &s))
        return;
    dtype = a.dtype ? a.dtype : b.dtype;
    if (!is_real(dtype) && dtype != TFP_DT_BOOL &&
        tfp_fold_wrap(0, dtype) == TFP_VALUE_UNKNOWN)
        return;
    for (int64_t n = 0; n < s.count; n++) {
        int64_t x = item_at(&s, &a, n), y = item_at(&s, &b, n);
        items[n] = x == TFP_VALUE_UNKNOWN || y == TFP_VALUE_UNKNOWN
                       ? TFP_VALUE_UNKNOWN
                       : holds(compare(x, y, dtype));
    }
    tfp_fold_put(site, 0, items, (size_t)s.count, TFP_DT_BOOL);
}

#define FOLD_ORDER(name, condition)                                            \
    static bool is_##name(int order)                                           \
    {                                                                          \
        return condition;                                                      \
    }                                                                          \
    static void fold_##name(tfp_site *site)                                    \
    {                                                                          \
        fold_order(site, is_##name);                                           \
    }

FOLD_ORDER(less, order == -1)
FOLD_ORDER(less_equal, order <= 0)
FOLD_ORDER(greater, order == 1)
FOLD_ORDER(greater_equal, order == 0 || order == 1)
FOLD_ORDER(equal, order == 0)
FOLD_ORDER(not_equal, order != 0)

/* ---- Truth -------------------------------------------------------------- */

/* One side may settle it: `settling` is the truth that does. */
static void fold_logic(tfp_site *site, int64_t settling)
{
    tfp_operand a, b;
    stretched s;
    int64_t items[TFP_MOST_VALUES];
    if (!read_two(site, &a, &b, &s))
        return;
    for (int64_t n = 0; n < s.count; n++) {
        int64_t x = item_at(&s, &a, n), y = item_at(&s, &b, n);
        if (x == settling || y == settling)
            items[n] = settling;
        else
            items[n] = x == TFP_VALUE_UNKNOWN || y == TFP_VALUE_UNKNOWN
                           ? TFP_VALUE_UNKNOWN
                           : !settling;
    }
    tfp_fold_put(site, 0, items, (size_t)s.count, TFP_DT_BOOL);
}

static void fold_and(tfp_site *site)
{
    fold_logic(site, 0);
}

static void fold_or(tfp_site *site)
{
    fold_logic(site, 1);
}

/* The element that a condition chooses; both when they are the same. */
static int64_t chosen(int64_t condition, int64_t x, int64_t y)
{
    if (condition == TFP_VALUE_UNKNOWN)
        return x == y ? x : TFP_VALUE_UNKNOWN;
    return condition ? x : y;
}

static void fold_select(tfp_site *site)
{
    tfp_operand condition, a, b;
    stretched s = { .count = 1 };
    int64_t items[TFP_MOST_VALUES];
    if (!tfp_operand_read_any(site, 0, &condition) ||
        !tfp_operand_read_any(site, 1, &a) ||
        !tfp_operand_read_any(site, 2, &b) || !stretch(&s, &condition) ||
        !stretch(&s, &a) || !stretch(&s, &b))
        return;
    for (int64_t n = 0; n < s.count; n++)
        items[n] = chosen(item_at(&s, &condition, n), item_at(&s, &a, n),
                          item_at(&s, &b, n));
    tfp_fold_put(site, 0, items, (size_t)s.count, a.dtype ? a.dtype : b.dtype);
}

/* Of the first version a vector chooses whole rows. */
static void fold_select_v1(tfp_site *site)
{
    tfp_dims condition = tfp_site_input(site, 0), a = tfp_site_input(site, 1);
    if (condition.rank == 0 || condition.rank == a.rank)
        fold_select(site);
}

/* ---- One operand -------------------------------------------------------- */

static void fold_one(tfp_site *site, int_fn *ints, real_fn *reals)
{
    tfp_operand in;
    int64_t items[TFP_MOST_VALUES];
    if (!tfp_operand_read(site, 0, &in))
        return;
    for (size_t i = 0; i < in.count; i++)
        items[i] = in.at[i] == TFP_VALUE_UNKNOWN
                       ? TFP_VALUE_UNKNOWN
                       : compute(in.at[i], 0, in.dtype, ints, reals);
    tfp_fold_put(site, 0, items, in.count, in.dtype);
}

/* The second operand of these is not used. */
static int64_t neg_int(int64_t a, int64_t b)
{
    (void)b;
    return sub_ints(0, a);
}

static int64_t abs_int(int64_t a, int64_t b)
{
    (void)b;
    return a < 0 ? sub_ints(0, a) : a;
}

static int64_t sign_int(int64_t a, int64_t b)
{
    (void)b;
    return (a > 0) - (a < 0);
}

static int64_t square_int(int64_t a, int64_t b)
{
    (void)b;
    return mul_ints(a, a);
}

static double neg_real(double a, double b)
{
    (void)b;
    return -a;
}

static double abs_real(double a, double b)
{
    (void)b;
    return fabs(a);
}

static double sign_real(double a, double b)
{
    (void)b;
    return a != a ? a : (double)((a > 0) - (a < 0));
}

static double square_real(double a, double b)
{
    (void)b;
    return a * a;
}

static double floor_real(double a, double b)
{
    (void)b;
    return floor(a);
}

static double ceil_real(double a, double b)
{
    (void)b;
    return ceil(a);
}

/* To the nearest; of two that are as near, the even one. */
static double rint_real(double a, double b)
{
    double down = floor(a), over = a - down;
    (void)b;
    if (over == 0.5)
        return floor(down / 2) * 2 == down ? down : down + 1;
    return over < 0.5 ? down : down + 1;
}

static double sqrt_real(double a, double b)
{
    (void)b;
    return sqrt(a);
}

#define FOLD_ONE(name, ints, reals)                                            \
    static void fold_##name(tfp_site *site)                                    \
    {                                                                          \
        fold_one(site, ints, reals);                                           \
    }

FOLD_ONE(neg, neg_int, neg_real)
FOLD_ONE(abs, abs_int, abs_real)
FOLD_ONE(sign, sign_int, sign_real)
FOLD_ONE(square, square_int, square_real)
FOLD_ONE(floor, NULL, floor_real)
FOLD_ONE(ceil, NULL, ceil_real)
FOLD_ONE(rint, NULL, rint_real)
FOLD_ONE(sqrt, NULL, sqrt_real)

static void fold_not(tfp_site *site)
{
    tfp_operand in;
    int64_t items[TFP_MOST_VALUES];
    if (!tfp_operand_read(site, 0, &in) || in.dtype != TFP_DT_BOOL)
        return;
    for (size_t i = 0; i < in.count; i++)
        items[i] = in.at[i] == TFP_VALUE_UNKNOWN ? TFP_VALUE_UNKNOWN
                                                 : !in.at[i];
    tfp_fold_put(site, 0, items, in.count, TFP_DT_BOOL);
}

const tfp_fold_rule tfp_folds_arith[] = {
    /* name, rule */
    { "Abs", fold_abs },
    { "Add", fold_add },
    { "AddV2", fold_add },
    { "Ceil", fold_ceil },
    { "Div", fold_div },
    { "DivNoNan", fold_div_no_nan },
    { "Equal", fold_equal },
    { "Floor", fold_floor },
    { "FloorDiv", fold_floor_div },
    { "FloorMod", fold_floor_mod },
    { "Greater", fold_greater },
    { "GreaterEqual", fold_greater_equal },
    { "Less", fold_less },
    { "LessEqual", fold_less_equal },
    { "LogicalAnd", fold_and },
    { "LogicalNot", fold_not },
    { "LogicalOr", fold_or },
    { "Maximum", fold_maximum },
    { "Minimum", fold_minimum },
    { "Mod", fold_truncate_mod },
    { "Mul", fold_mul },
    { "Neg", fold_neg },
    { "NotEqual", fold_not_equal },
    { "Pow", fold_pow },
    { "RealDiv", fold_real_div },
    { "Rint", fold_rint },
    { "Round", fold_rint },
    { "Select", fold_select_v1 },
    { "SelectV2", fold_select },
    { "Sign", fold_sign },
    { "Sqrt", fold_sqrt },
    { "Square", fold_square },
    { "SquaredDifference", fold_squared_difference },
    { "Sub", fold_sub },
    { "TruncateDiv", fold_truncate_div },
    { "TruncateMod", fold_truncate_mod },
    { 0 },
};
