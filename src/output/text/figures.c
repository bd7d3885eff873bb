/*
 * figures.c - numbers as people read them, in any locale.
 *
 * Upstream divides in double and prints with "%.2f". The division is the same
 * here; the printing is done on the bits of the result, because printf() asks
 * the locale for its decimal point. Like printf() it rounds the exact binary
 * value, halves to even: 1005 is "1.00k", for 1.005 in binary is a bit less.
 *
 * A table of millions of rows comes through here, so there is no format to
 * interpret, and digits are made by twos.
 */
#include "output/text/figures.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MILLION  1000000
#define BILLION  1000000000
#define TRILLION 1000000000000

/* ---- Digits ------------------------------------------------------------- */

static char *put_two(char *out, unsigned value)
{
    static const char pairs[] = "00010203040506070809"
                                "10111213141516171819"
                                "20212223242526272829"
                                "30313233343536373839"
                                "40414243444546474849"
                                "50515253545556575859"
                                "60616263646566676869"
                                "70717273747576777879"
                                "80818283848586878889"
                                "90919293949596979899";
    memcpy(out, &pairs[value * 2], 2);
    return out + 2;
}

static char *put_digits(char *out, uint64_t value)
{
    char digits[20], *at = digits + sizeof(digits);
    size_t size;
    if (value < 10) { /* most figures are 0, or have one digit and decimals */
        *out++ = (char)('0' + value);
        return out;
    }
    if (value < 100)
        return put_two(out, (unsigned)value);
    if (value < 1000) {
        *out++ = (char)('0' + value / 100);
        return put_two(out, (unsigned)(value % 100));
    }
    for (; value >= 100; value /= 100)
        put_two(at -= 2, (unsigned)(value % 100));
    if (value >= 10)
        put_two(at -= 2, (unsigned)value);
    else
        *--at = (char)('0' + value);
    size = (size_t)(digits + sizeof(digits) - at);
    memcpy(out, at, size);
    return out + size;
}

/* mantissa * 2^shift for a mantissa of 53 bits and a shift below 18: past 64
 * bits, so in two pieces. */
static char *put_large(char *out, uint64_t mantissa, unsigned shift)
{
    uint64_t low = mantissa % BILLION << shift;
    uint64_t high = (mantissa / BILLION << shift) + low / BILLION;
    low %= BILLION;
    out = put_digits(out, high);
    *out++ = (char)('0' + low / (BILLION / 10));
    for (unsigned unit = MILLION; unit > 0; unit /= 100)
        out = put_two(out, (unsigned)(low / unit % 100));
    return out;
}

/* A finite double that is not negative, below 2^70, as "%.2f" has it. */
static char *put_fixed(char *out, double value)
{
    enum { MANTISSA_BITS = 52, ONE = 1023 + MANTISSA_BITS };
    uint64_t bits, mantissa, hundredths = 0;
    int right;
    memcpy(&bits, &value, sizeof(bits));
    mantissa = (bits & (((uint64_t)1 << MANTISSA_BITS) - 1)) |
               (uint64_t)1 << MANTISSA_BITS;
    right = ONE - (int)(bits >> MANTISSA_BITS); /* value is mantissa >> it */
    if (right <= 0) {
        out = put_large(out, mantissa, (unsigned)-right);
    } else if (right < 62) { /* beyond, it is less than half a hundredth */
        uint64_t exact = mantissa * 100, half = (uint64_t)1 << (right - 1);
        uint64_t rest = exact & (2 * half - 1);
        hundredths = exact >> right;
        hundredths += rest > half || (rest == half && hundredths % 2 == 1);
        out = put_digits(out, hundredths / 100);
    } else {
        *out++ = '0';
    }
    *out++ = '.';
    return put_two(out, (unsigned)(hundredths % 100));
}

/* ---- Figures ------------------------------------------------------------ */

static size_t finish(char *out, char *end, const char *unit)
{
    while (*unit)
        *end++ = *unit++;
    *end = '\0';
    return (size_t)(end - out);
}

/* Negative numbers too, which therefore never get a larger unit. */
static size_t plain(int64_t value, char *out, const char *unit)
{
    char *end = out;
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        *end++ = '-';
        magnitude = -magnitude;
    }
    return finish(out, put_digits(end, magnitude), unit);
}

static size_t scaled(int64_t value, double unit_size, char *out,
                     const char *unit)
{
    return finish(out, put_fixed(out, (double)value / unit_size), unit);
}

size_t tfp_figure_number(int64_t value, char *out)
{
    if (value < 1000)
        return plain(value, out, "");
    if (value < MILLION)
        return scaled(value, 1e3, out, "k");
    if (value < BILLION)
        return scaled(value, 1e6, out, "m");
    return scaled(value, 1e9, out, "b");
}

size_t tfp_figure_time(int64_t micros, char *out)
{
    if (micros < 1000)
        return plain(micros, out, "us");
    if (micros < MILLION)
        return scaled(micros, 1e3, out, "ms");
    return scaled(micros, 1e6, out, "sec");
}

size_t tfp_figure_picos(int64_t picos, char *out)
{
    static const struct {
        double size;
        const char *unit;
    } units[] = {
        { 3.6e15, "h" }, { 1e12, "sec" }, { 1e9, "ms" }, { 1e6, "us" }
    };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if ((double)picos >= units[i].size)
            return scaled(picos, units[i].size, out, units[i].unit);
    }
    return picos <= 0 ? plain(picos / 1000, out, "ns")
                      : scaled(picos, 1e3, out, "ns");
}

size_t tfp_figure_memory(int64_t bytes, char *out)
{
    if (bytes < 1000)
        return plain(bytes, out, "B");
    if (bytes < MILLION)
        return scaled(bytes, 1e3, out, "KB");
    return scaled(bytes, 1e6, out, "MB");
}

size_t tfp_figure_bytes(int64_t bytes, char *out)
{
    if (bytes < BILLION)
        return tfp_figure_memory(bytes, out);
    if (bytes < TRILLION)
        return scaled(bytes, 1e9, out, "GB");
    return scaled(bytes, 1e12, out, "TB");
}

size_t tfp_figure_count(int64_t value, char *out)
{
    if (value < TRILLION)
        return tfp_figure_number(value, out);
    return scaled(value, 1e12, out, "t");
}

size_t tfp_figure_micros(int64_t micros, char *out)
{
    const int64_t hour = (int64_t)3600 * MILLION;
    if (micros < hour)
        return tfp_figure_time(micros, out);
    return scaled(micros, (double)hour, out, "h");
}

/* As printf() has it, what is not above zero may be "-0.00". */
size_t tfp_figure_fixed(double value, char *out)
{
    char *end = out;
    if (signbit(value)) {
        *end++ = '-';
        value = -value;
    }
    return finish(out, put_fixed(end, value), "");
}

/* A part of 0 is "0.00" whatever the sign of the whole. */
size_t tfp_figure_percent(int64_t part, int64_t whole, char *out)
{
    if (part == 0 || whole == 0)
        return finish(out, out, "0.00");
    return tfp_figure_fixed(100.0 * (double)part / (double)whole, out);
}

size_t tfp_figure_integer(int64_t value, char *out)
{
    return plain(value, out, "");
}

size_t tfp_figure_grouped(int64_t value, char *out)
{
    char digits[TFP_FIGURE_SIZE];
    size_t count = tfp_figure_integer(value, digits), at = 0;
    size_t first = digits[0] == '-';
    for (size_t i = 0; i < count; i++) {
        if (i > first && (count - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return at;
}
