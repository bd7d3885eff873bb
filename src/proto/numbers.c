/*
 * numbers.c - numbers as text files write them.
 *
 * A decimal fraction is first held as an integer of up to 19 digits and a
 * power of ten. Where both are small, one multiplication or division of
 * doubles is exact enough; all else goes through integers of any size.
 */
#include "proto/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* The value of a digit in any base, or 99. */
static unsigned digit_value(uint8_t byte)
{
    if (is_digit(byte))
        return (unsigned)(byte - '0');
    byte |= 0x20;
    return byte >= 'a' && byte <= 'z' ? (unsigned)(byte - 'a' + 10) : 99;
}

/* ---- Integers ----------------------------------------------------------- */

/* Digits with single underscores between them, to the end of the text. */
static bool read_digits(tfp_span text, unsigned base, tfp_integer *out)
{
    bool digit_before = false;
    for (size_t i = 0; i < text.size; i++) {
        unsigned value = digit_value(text.data[i]);
        if (text.data[i] == '_' && digit_before) {
            digit_before = false;
            continue;
        }
        if (value >= base)
            return false;
        digit_before = true;
        if (__builtin_mul_overflow(out->magnitude, base, &out->magnitude) ||
            __builtin_add_overflow(out->magnitude, value, &out->magnitude))
            out->too_large = true;
    }
    return digit_before;
}

static tfp_span tail(tfp_span text, size_t size)
{
    return (tfp_span){ text.data + size, text.size - size };
}

static bool all_digits(tfp_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (!is_digit(text.data[i]))
            return false;
    }
    return true;
}

/* The base that the letter after a zero names, or 0. */
static unsigned named_base(uint8_t letter)
{
    switch (letter | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 0;
    }
}

bool tfp_integer_read(tfp_span text, bool octal, tfp_integer *out)
{
    bool plus = text.size > 0 && text.data[0] == '+';
    unsigned base;
    *out = (tfp_integer){ .negative = text.size > 0 && text.data[0] == '-' };
    if (plus || out->negative)
        text = tail(text, 1);
    if (text.size < 2 || text.data[0] != '0')
        return read_digits(text, 10, out);
    base = named_base(text.data[1]);
    if (base) {
        text = tail(text, 2);
        if (text.size > 0 && text.data[0] == '_')
            text = tail(text, 1);
        return read_digits(text, base, out);
    }
    if (octal && !plus && all_digits(text))
        return read_digits(text, 8, out);
    /* Zeros before a decimal number are allowed before nothing but zeros. */
    return read_digits(text, 10, out) && !out->magnitude && !out->too_large;
}

/* ---- Integers of any size ----------------------------------------------- */

/* 767 significant digits decide how any number rounds, if it is known whether
 * others follow; the smallest has 5 to the 1126th below the line. */
enum { MOST_DIGITS = 800, BIG_LIMBS = 96 };

typedef struct big {
    uint32_t limb[BIG_LIMBS]; /* lowest first */
    int count;                /* the highest is not 0 */
} big;

static void big_multiply_add(big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->count++] = (uint32_t)carry;
}

static void big_multiply_power5(big *b, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(b, UINT32_C(1220703125), 0); /* 5 to the 13th */
    for (; power > 0; power--)
        big_multiply_add(b, 5, 0);
}

static int big_bits(const big *b)
{
    return 32 * b->count - __builtin_clz(b->limb[b->count - 1]);
}

static void big_shift_left(big *b, int bits)
{
    int limbs = bits / 32;
    if (limbs > 0) {
        memmove(b->limb + limbs, b->limb,
                (size_t)b->count * sizeof(b->limb[0]));
        memset(b->limb, 0, (size_t)limbs * sizeof(b->limb[0]));
        b->count += limbs;
    }
    big_multiply_add(b, UINT32_C(1) << bits % 32, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count; i-- > 0;) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* `a` must not be the smaller one. */
static void big_subtract(big *a, const big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

/* ---- Decimal fractions -------------------------------------------------- */

typedef struct decimal {
    tfp_span digits;  /* with the point and underscores */
    uint64_t leading; /* the first 19 significant digits */
    int64_t exponent; /* of ten, for `leading` */
    int64_t count;    /* of significant digits */
    bool more;        /* some after the 19th are not 0 */
} decimal;

/* Reads as far as it can; false when there is no digit at all, or when an
 * underscore is not between two. */
static bool read_mantissa(tfp_span text, decimal *d, size_t *used)
{
    bool point = false, any = false;
    size_t i = 0;
    for (; i < text.size; i++) {
        uint8_t byte = text.data[i];
        if (is_digit(byte)) {
            any = true;
            if (d->count == 0 && byte == '0') {
                d->exponent -= point;
            } else if (d->count++ < 19) {
                d->leading = d->leading * 10 + (uint64_t)(byte - '0');
                d->exponent -= point;
            } else {
                d->more |= byte != '0';
                d->exponent += !point;
            }
        } else if (byte == '.' && !point) {
            point = true;
        } else if (byte != '_' || i == 0 || !is_digit(text.data[i - 1]) ||
                   i + 1 == text.size || !is_digit(text.data[i + 1])) {
            break;
        }
    }
    d->digits = (tfp_span){ text.data, i };
    *used = i;
    return any;
}

/* All of `text` as an exponent, added to the one there is. */
static bool read_exponent(tfp_span text, decimal *d)
{
    bool minus = text.size > 0 && text.data[0] == '-';
    tfp_integer value = { 0 };
    int64_t limit = INT64_MAX / 4; /* no input is that long */
    if (minus || (text.size > 0 && text.data[0] == '+'))
        text = tail(text, 1);
    if (!read_digits(text, 10, &value))
        return false;
    if (value.too_large || value.magnitude > (uint64_t)limit)
        value.magnitude = (uint64_t)limit;
    d->exponent += minus ? -(int64_t)value.magnitude : (int64_t)value.magnitude;
    return true;
}

/* The digits as an integer. Beyond MOST_DIGITS it only matters whether there
 * is anything; a 1 says so. *exponent follows. */
static void big_from_digits(big *b, const decimal *d, int64_t *exponent)
{
    int64_t count = 0;
    bool sticky = false;
    *exponent = d->exponent;
    if (!d->more) {
        b->limb[0] = (uint32_t)d->leading;
        b->limb[1] = (uint32_t)(d->leading >> 32);
        b->count = b->limb[1] ? 2 : 1;
        return;
    }
    b->count = 0;
    for (size_t i = 0; i < d->digits.size; i++) {
        uint8_t byte = d->digits.data[i];
        if (!is_digit(byte) || (count == 0 && byte == '0'))
            continue;
        if (count++ < MOST_DIGITS)
            big_multiply_add(b, 10, (uint32_t)(byte - '0'));
        else
            sticky |= byte != '0';
    }
    /* `exponent` was for 19 digits. */
    *exponent -= (count < MOST_DIGITS ? count : MOST_DIGITS) - 19;
    if (sticky) {
        big_multiply_add(b, 10, 1);
        (*exponent)--;
    }
}

/*
 * above / below * 2^exponent as the bits of a double. Long division, one bit
 * at a time: at most 53 are wanted, and what remains decides the rounding.
 */
static uint64_t divide(big *above, big *below, int64_t exponent)
{
    uint64_t quotient = 0, bits;
    int shift = big_bits(above) - big_bits(below), wanted = 53, rest;
    if (shift > 0)
        big_shift_left(below, shift);
    else
        big_shift_left(above, -shift);
    exponent += shift;
    if (big_compare(above, below) < 0) {
        big_shift_left(above, 1);
        exponent--;
    }
    /* Now the quotient is in [1, 2). */
    if (exponent > 1023)
        return UINT64_C(0x7ff) << 52;
    if (exponent < -1022)
        wanted -= (int)(exponent < -1100 ? 100 : -1022 - exponent);
    if (wanted < 0)
        return 0;
    for (int i = 0; i < wanted; i++) {
        quotient <<= 1;
        if (big_compare(above, below) >= 0) {
            big_subtract(above, below);
            quotient |= 1;
        }
        big_shift_left(above, 1);
    }
    bits = quotient;
    if (wanted == 53) /* the highest bit of a normal number is not written */
        bits += (uint64_t)(exponent + 1022) << 52;
    rest = big_compare(above, below);
    if (rest > 0 || (rest == 0 && quotient & 1))
        bits++; /* may carry into the exponent, which is what it should do */
    return bits;
}

static double from_decimal(const decimal *d)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                     1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                     1e18, 1e19, 1e20, 1e21, 1e22 };
    big above, below = { .limb = { 1 }, .count = 1 };
    int64_t exponent;
    uint64_t bits;
    double result;
    if (d->leading == 0)
        return 0;
#if FLT_EVAL_METHOD == 0
    if (!d->more && d->leading <= UINT64_C(1) << 53 && d->exponent >= -22 &&
        d->exponent <= 22)
        return d->exponent < 0 ? (double)d->leading / powers[-d->exponent]
                               : (double)d->leading * powers[d->exponent];
#endif
    if (d->exponent > 310)
        return HUGE_VAL;
    if (d->exponent < -350)
        return 0;
    big_from_digits(&above, d, &exponent);
    if (exponent >= 0)
        big_multiply_power5(&above, exponent);
    else
        big_multiply_power5(&below, -exponent);
    bits = divide(&above, &below, exponent);
    memcpy(&result, &bits, sizeof(result));
    return result;
}

/* ---- Floating-point words ----------------------------------------------- */

static bool is_word(tfp_span text, const char *lower_case)
{
    size_t size = strlen(lower_case);
    if (text.size != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        if ((text.data[i] | 0x20) != lower_case[i])
            return false;
    }
    return true;
}

/* What Python's float() takes, after the sign. */
static bool read_unsigned(tfp_span text, double *out)
{
    decimal d = { 0 };
    size_t used;
    if (is_word(text, "inf") || is_word(text, "infinity")) {
        *out = HUGE_VAL;
        return true;
    }
    if (is_word(text, "nan")) {
        *out = NAN;
        return true;
    }
    if (!read_mantissa(text, &d, &used))
        return false;
    if (used < text.size && ((text.data[used] | 0x20) != 'e' ||
                             !read_exponent(tail(text, used + 1), &d)))
        return false;
    *out = from_decimal(&d);
    return true;
}

bool tfp_double_read(tfp_span text, double *out)
{
    bool minus = text.size > 0 && text.data[0] == '-';
    bool plus = text.size > 0 && text.data[0] == '+';
    bool found;
    if (plus || minus)
        text = tail(text, 1);
    if (!plus && text.size > 1 && text.data[0] == '0' && is_digit(text.data[1]))
        return false; /* looks like octal */
    found = read_unsigned(text, out);
    if (!found && !plus && is_word(text, "inff")) {
        *out = HUGE_VAL;
        found = true;
    }
    if (!found) {
        while (text.size > 0 && (text.data[text.size - 1] | 0x20) == 'f')
            text.size--;
        found = read_unsigned(text, out);
    }
    if (found && minus)
        *out = -*out;
    return found;
}
