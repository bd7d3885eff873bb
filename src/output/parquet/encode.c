/*
 * encode.c - the encodings of Parquet that make columns small.
 */
#include "output/parquet/encode.h"

enum {
    WORD = 64, /* bits */
    GROUP = 8, /* bit-packed numbers are in groups of eight */
    BLOCK = 128,
    MINIS = 4, /* parts of a block, each with its own width */
    MINI = BLOCK / MINIS
};

int tfp_pq_width(uint64_t most)
{
    int width = 1;
    while (width < WORD && most >> width > 0)
        width++;
    return width;
}

/* ---- Bits --------------------------------------------------------------- */

/* Packs bits into bytes, lowest bits first. */
typedef struct bits {
    uint8_t *to;
    uint64_t word;
    int have; /* bits of the word, fewer than 64 */
} bits;

static inline void put_bits(bits *b, uint64_t value, int width)
{
    b->word |= value << b->have;
    if (b->have + width < WORD) {
        b->have += width;
        return;
    }
    tfp_pq_store(b->to, b->word, sizeof(b->word));
    b->to += sizeof(b->word);
    b->word = b->have > 0 ? value >> (WORD - b->have) : 0;
    b->have += width - WORD;
}

static void flush_bits(bits *b)
{
    size_t size = (size_t)(b->have + 7) / 8;
    tfp_pq_store(b->to, b->word, size);
    b->to += size;
}

/* ---- Runs, or bit-packed ------------------------------------------------ */

/* The number of equal numbers at the beginning. */
static size_t run_of(const uint32_t *numbers, size_t count)
{
    size_t run = 1;
    while (run < count && numbers[run] == numbers[0])
        run++;
    return run;
}

static void put_run(tfp_pq_bytes *out, uint32_t number, size_t count, int width)
{
    tfp_pq_put_varint(out, (uint64_t)count << 1);
    tfp_pq_put_number(out, number, (size_t)(width + 7) / 8);
}

/* The last group is padded with 0; readers know the number of values. */
static void put_packed(tfp_pq_bytes *out, const uint32_t *numbers, size_t count,
                       int width)
{
    size_t groups = (count + GROUP - 1) / GROUP;
    bits b = { 0 };
    if (count == 0)
        return;
    tfp_pq_put_varint(out, (uint64_t)groups << 1 | 1);
    b.to = tfp_pq_room(out, groups * (size_t)width + sizeof(b.word));
    if (!b.to)
        return;
    for (size_t i = 0; i < count; i++)
        put_bits(&b, numbers[i], width);
    for (size_t i = count; i < groups * GROUP; i++)
        put_bits(&b, 0, width);
    flush_bits(&b);
    out->count += groups * (size_t)width;
}

/* Before a run, the count of bit-packed numbers must be a multiple of eight.
 * The first numbers of the run fill the last group. */
void tfp_pq_put_hybrid(tfp_pq_bytes *out, const uint32_t *numbers, size_t count,
                       int width)
{
    size_t from = 0, at = 0; /* what is before `from` is written */
    while (at < count) {
        size_t run = run_of(numbers + at, count - at);
        size_t filler = (GROUP - (at - from) % GROUP) % GROUP;
        if (run < filler + GROUP) {
            at += run;
            continue;
        }
        put_packed(out, numbers + from, at + filler - from, width);
        put_run(out, numbers[at], run - filler, width);
        at += run;
        from = at;
    }
    put_packed(out, numbers + from, count - from, width);
}

/* ---- Differences -------------------------------------------------------- */

/* Differences wrap around, as the sums of readers do. */
static uint64_t difference(const int64_t *number)
{
    return (uint64_t)number[0] - (uint64_t)number[-1];
}

/* Writes the differences of `count` numbers, 1 to 128. Each has a predecessor,
 * also the first. */
static void put_block(tfp_pq_bytes *out, const int64_t *numbers, size_t count)
{
    uint64_t deltas[BLOCK] = { 0 };
    int64_t least = INT64_MAX;
    int width[MINIS] = { 0 };
    uint8_t *room;
    bits b = { 0 };
    for (size_t i = 0; i < count; i++) {
        deltas[i] = difference(numbers + i);
        if ((int64_t)deltas[i] < least)
            least = (int64_t)deltas[i];
    }
    tfp_pq_put_zigzag(out, least);
    for (size_t m = 0; m < MINIS; m++) {
        uint64_t all = 0;
        for (size_t i = m * MINI; i < (m + 1) * MINI && i < count; i++)
            all |= deltas[i] -= (uint64_t)least;
        width[m] = all > 0 ? tfp_pq_width(all) : 0;
        tfp_pq_put_byte(out, (uint8_t)width[m]);
    }
    room = tfp_pq_room(out, BLOCK * sizeof(uint64_t) + sizeof(b.word));
    if (!room)
        return;
    b.to = room;
    for (size_t m = 0; m < MINIS; m++) {
        for (size_t i = 0; width[m] > 0 && i < MINI; i++)
            put_bits(&b, deltas[m * MINI + i], width[m]);
    }
    flush_bits(&b);
    out->count += (size_t)(b.to - room);
}

void tfp_pq_put_delta(tfp_pq_bytes *out, const int64_t *numbers, size_t count)
{
    tfp_pq_put_varint(out, BLOCK);
    tfp_pq_put_varint(out, MINIS);
    tfp_pq_put_varint(out, count);
    tfp_pq_put_zigzag(out, count > 0 ? numbers[0] : 0);
    for (size_t at = 1; at < count; at += BLOCK)
        put_block(out, numbers + at, count - at < BLOCK ? count - at : BLOCK);
}
