/*
 * buckets.c - the buckets of a histogram whose quantiles are within 1 percent.
 */
#include "aggregate/buckets.h"

#include <stddef.h>

/* ---- Powers of gamma ---------------------------------------------------- */

/* A fixed-point number: 64 bits before the point and 128 bits after it, lowest
 * word first. */
typedef struct fixed {
    uint64_t words[3];
} fixed;

__extension__ typedef unsigned __int128 wide;

/* Multiplies by 101 / 99, rounded down, or up if `up` is set. False if the
 * product is 2^64 or more. */
static bool multiply(fixed *f, bool up)
{
    uint64_t product[4], rest = 0;
    wide carry = 0;
    for (int i = 0; i < 3; i++) {
        carry += (wide)f->words[i] * 101;
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
    product[3] = (uint64_t)carry;
    for (int i = 3; i >= 0; i--) {
        wide part = (wide)rest << 64 | product[i];
        uint64_t quotient = (uint64_t)(part / 99);
        rest = (uint64_t)(part % 99);
        if (i < 3)
            f->words[i] = quotient;
        else if (quotient > 0)
            return false;
    }
    for (int i = 0; up && rest > 0 && i < 3; i++) {
        f->words[i]++;
        if (f->words[i] != 0)
            break;
    }
    return true;
}

static int64_t floor_of(const fixed *f)
{
    return f->words[2] > INT64_MAX ? INT64_MAX : (int64_t)f->words[2];
}

/* ---- The table ---------------------------------------------------------- */

static int bits_of(int64_t value)
{
    return 64 - __builtin_clzll((uint64_t)value);
}

/* The 5 bits after the first, of a value with this number of bits. */
static int part_of(int64_t value, int bits)
{
    uint64_t v = (uint64_t)value;
    return (int)(bits > 6 ? v >> (bits - 6) : v << (6 - bits)) &
           (TFP_BUCKET_PARTS - 1);
}

static void find_starts(tfp_buckets *b)
{
    int k = 0;
    for (int bits = 1; bits < 64; bits++) {
        for (int part = 0; part < TFP_BUCKET_PARTS; part++) {
            uint64_t lead = (uint64_t)(TFP_BUCKET_PARTS + part);
            int64_t least = (int64_t)(bits > 6 ? lead << (bits - 6)
                                               : lead >> (6 - bits));
            while (b->most[k] < least)
                k++;
            b->start[bits][part] = (int16_t)k;
        }
    }
}

bool tfp_buckets_init(tfp_buckets *b)
{
    fixed low = { { 0, 0, 1 } }, high = low;
    for (size_t k = 0; k < TFP_BUCKET_COUNT; k++) {
        b->most[k] = floor_of(&low);
        if (floor_of(&high) != b->most[k])
            return false;
        if (k + 1 < TFP_BUCKET_COUNT &&
            !(multiply(&low, false) && multiply(&high, true)))
            return false;
    }
    if (b->most[TFP_BUCKET_COUNT - 1] != INT64_MAX)
        return false;
    find_starts(b);
    return true;
}

int tfp_bucket_of(const tfp_buckets *b, int64_t value)
{
    int bits, k;
    if (value <= 0)
        return TFP_BUCKET_ZERO;
    bits = bits_of(value);
    k = b->start[bits][part_of(value, bits)];
    while (b->most[k] < value)
        k++;
    return k;
}
