/*
 * decimal.c - doubles in decimal, in any locale.
 */
#include "output/text/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "output/text/figures.h"
#include "proto/numbers.h"

enum {
    MANTISSA_BITS = 52,
    ONE = 1023 + MANTISSA_BITS, /* exponent of the last bit of a mantissa */
    LIMBS = 36,                 /* of 32 bits: more than any double needs */
    MOST_DIGITS = 800,
    NINE_DIGITS = 1000000000
};

/* ---- Large numbers ------------------------------------------------------ */

/* A whole number, lowest limb first; `count` has no zeros on top. */
typedef struct large {
    uint32_t limb[LIMBS];
    int count;
} large;

static void trim(large *n)
{
    while (n->count > 0 && n->limb[n->count - 1] == 0)
        n->count--;
}

/* value << shift; the caller knows that it fits. */
static large large_of(uint64_t value, int shift)
{
    large n = { .count = shift / 32 + 3 };
    uint64_t low = value << shift % 32;
    uint64_t high = shift % 32 ? value >> (64 - shift % 32) : 0;
    n.limb[shift / 32] = (uint32_t)low;
    n.limb[shift / 32 + 1] = (uint32_t)(low >> 32);
    n.limb[shift / 32 + 2] = (uint32_t)high;
    trim(&n);
    return n;
}

static void multiply(large *n, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limb[i] * by;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0)
        n->limb[n->count++] = (uint32_t)carry;
}

/* Divides; what comes back is the rest. */
static uint32_t divide(large *n, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = n->count; i-- > 0;) {
        rest = rest << 32 | n->limb[i];
        n->limb[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    trim(n);
    return (uint32_t)rest;
}

/* ---- Exact digits ------------------------------------------------------- */

/* 0.d1d2d3... times 10^point, d1 not 0. */
typedef struct digits {
    char digit[MOST_DIGITS];
    int count;
    int point;
    bool more; /* digits that are not 0 follow */
} digits;

static void put_nine(char *out, uint32_t value)
{
    for (int i = 9; i-- > 0; value /= 10)
        out[i] = (char)(value % 10);
}

/* The digits of a whole number, which is used up. */
static void whole_digits(large *n, digits *d)
{
    char nines[9 * LIMBS + 63];
    int at = (int)sizeof(nines);
    while (n->count > 0)
        put_nine(nines + (at -= 9), divide(n, NINE_DIGITS));
    while (at < (int)sizeof(nines) && nines[at] == 0)
        at++;
    d->count = d->point = (int)sizeof(nines) - at;
    memcpy(d->digit, nines + at, (size_t)d->count);
}

/* Digits of fraction / 2^bits, nine at a time, until there are `wanted`. */
static void fraction_digits(large *fraction, int bits, int wanted, digits *d)
{
    while (fraction->count > 0 && d->count < wanted) {
        char nine[9];
        uint32_t above;
        int first = 0;
        multiply(fraction, NINE_DIGITS);
        /* What is above the point, less than 2^30, and what stays below. */
        above = fraction->limb[bits / 32] >> bits % 32;
        if (bits % 32 > 0)
            above |= fraction->limb[bits / 32 + 1] << (32 - bits % 32);
        fraction->limb[bits / 32] &= ((uint32_t)1 << bits % 32) - 1;
        fraction->limb[bits / 32 + 1] = 0;
        if (fraction->count > bits / 32 + 1)
            fraction->count = bits / 32 + 1;
        trim(fraction);
        put_nine(nine, above);
        while (d->count == 0 && first < 9 && nine[first] == 0)
            first++;
        if (d->count == 0)
            d->point -= first;
        memcpy(d->digit + d->count, nine + first, (size_t)(9 - first));
        d->count += 9 - first;
    }
    d->more = fraction->count > 0;
}

/* At least `wanted` digits of a finite number above 0, or all it has. */
static void digits_of(double value, int wanted, digits *d)
{
    uint64_t bits, mantissa, whole;
    int right;
    large n;
    memcpy(&bits, &value, sizeof(bits));
    mantissa = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    if (bits >> MANTISSA_BITS == 0)
        bits |= (uint64_t)1 << MANTISSA_BITS; /* a denormal's exponent is 1 */
    else
        mantissa |= (uint64_t)1 << MANTISSA_BITS;
    right = ONE - (int)(bits >> MANTISSA_BITS); /* value is mantissa >> it */
    d->count = d->point = 0;
    d->more = false;
    if (right <= 0) {
        n = large_of(mantissa, -right);
        whole_digits(&n, d);
        return;
    }
    whole = right < 64 ? mantissa >> right : 0;
    n = large_of(whole, 0);
    whole_digits(&n, d);
    n = large_of(
        right < 64 ? mantissa & (((uint64_t)1 << right) - 1) : mantissa, 0);
    fraction_digits(&n, right, wanted, d);
}

/* Rounds to `count` digits, halves to even. */
static void round_to(digits *d, int count)
{
    bool up;
    if (d->count <= count)
        return; /* `more` follows only when there are enough */
    up = d->digit[count] > 5;
    if (d->digit[count] == 5) {
        bool past_half = d->more;
        for (int i = count + 1; !past_half && i < d->count; i++)
            past_half = d->digit[i] != 0;
        up = past_half || d->digit[count - 1] % 2 == 1;
    }
    d->count = count;
    while (up && count > 0 && d->digit[count - 1] == 9)
        d->digit[--count] = 0;
    if (up && count > 0)
        d->digit[count - 1]++;
    if (up && count == 0) {
        d->digit[0] = 1;
        d->point++;
    }
}

/* ---- Forms -------------------------------------------------------------- */

static size_t put_special(double value, char *out)
{
    const char *text = isnan(value) ? "nan" : isinf(value) ? "inf" : "0";
    size_t sign = signbit(value) ? 1 : 0;
    out[0] = '-';
    memcpy(out + sign, text, strlen(text) + 1);
    return sign + strlen(text);
}

/* Digits from..to, zeros where there are none. */
static char *put_digits(char *out, const digits *d, int from, int to)
{
    for (int i = from; i < to; i++)
        *out++ = (char)('0' + (i >= 0 && i < d->count ? d->digit[i] : 0));
    return out;
}

static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    if (exponent >= 100)
        *out++ = (char)('0' + exponent / 100);
    *out++ = (char)('0' + exponent / 10 % 10);
    *out++ = (char)('0' + exponent % 10);
    return out;
}

size_t tfp_decimal_general(double value, int count, char *out)
{
    digits d;
    char *at = out;
    int exponent;
    if (!isfinite(value) || value == 0)
        return put_special(value, out);
    if (value < 0)
        *at++ = '-';
    digits_of(fabs(value), count + 1, &d);
    round_to(&d, count);
    while (d.count > 1 && d.digit[d.count - 1] == 0)
        d.count--;
    exponent = d.point - 1;
    if (exponent < -4 || exponent >= count) {
        at = put_digits(at, &d, 0, 1);
        if (d.count > 1)
            *at++ = '.';
        at = put_digits(at, &d, 1, d.count);
        at = put_exponent(at, exponent);
    } else {
        at = put_digits(at, &d, d.point > 0 ? 0 : -1,
                        d.point > 0 ? d.point : 0);
        if (d.count > d.point)
            *at++ = '.';
        at = put_digits(at, &d, d.point, d.count);
    }
    *at = '\0';
    return (size_t)(at - out);
}

/* Fifteen digits always stand for themselves; seventeen are always enough. */
size_t tfp_decimal_exact(double value, char *out)
{
    enum { FEWEST = 15, MOST = 17 };
    size_t size = 0;
    for (int count = FEWEST; count <= MOST; count++) {
        double back;
        size = tfp_decimal_general(value, count, out);
        if (tfp_double_read((tfp_span){ (const uint8_t *)out, size }, &back) &&
            back == value)
            break;
    }
    return size;
}

/* ---- As upstream has it ------------------------------------------------- */

enum { SHORT = 6, EXACT_POWER = 22 }; /* 10^22 is the last exact double */

/* A whole number as a double, halves to even. */
static double nearest(const large *n)
{
    int top = n->count - 1, bits = 0, drop;
    uint64_t mantissa = 0;
    bool half, rest = false;
    while (bits < 32 && n->limb[top] >> bits != 0)
        bits++;
    drop = 32 * top + bits - (MANTISSA_BITS + 1); /* bits below a mantissa */
    for (int i = MANTISSA_BITS; i >= 0; i--)
        mantissa = mantissa << 1 |
                   (n->limb[(drop + i) / 32] >> (drop + i) % 32 & 1);
    half = n->limb[(drop - 1) / 32] >> (drop - 1) % 32 & 1;
    for (int i = 0; !rest && i < drop - 1; i++)
        rest = n->limb[i / 32] >> i % 32 & 1;
    mantissa += half && (rest || mantissa % 2 == 1);
    return ldexp((double)mantissa, drop);
}

/* The double nearest to whole * 10^power. */
static double read_back(uint32_t whole, int power)
{
    double ten = 1;
    large n;
    if (power < -EXACT_POWER)
        return 0; /* it would be shown as 0.00 */
    if (power <= EXACT_POWER) {
        for (int i = power < 0 ? -power : power; i > 0; i--)
            ten *= 10; /* exact, and so is one multiplication or division */
        return power < 0 ? whole / ten : whole * ten;
    }
    n = large_of(whole, 0);
    for (int i = 0; i < power; i++)
        multiply(&n, 10);
    return nearest(&n);
}

size_t tfp_decimal_short(double value, char *out)
{
    digits d;
    char *at = out;
    uint32_t whole = 0;
    if (!isfinite(value))
        return put_special(value, out);
    if (signbit(value))
        *at++ = '-';
    if (value != 0) {
        digits_of(fabs(value), SHORT + 1, &d);
        round_to(&d, SHORT);
        for (int i = 0; i < SHORT; i++)
            whole = 10u * whole +
                    (i < d.count ? (unsigned char)d.digit[i] : 0u);
        value = read_back(whole, d.point - SHORT);
    }
    if (fabs(value) < 1e18)
        return (size_t)(at - out) + tfp_figure_fixed(fabs(value), at);
    digits_of(fabs(value), 1, &d);
    at = put_digits(at, &d, 0, d.point);
    memcpy(at, ".00", 4);
    return (size_t)(at - out) + 3;
}
