/*
 * counting.h - an allocator that counts, checks, and fails when told to.
 *
 * Each block carries its size, so that a size given back wrongly is noticed;
 * fresh bytes are not zero.
 */
#ifndef TFP_TESTS_COUNTING_H
#define TFP_TESTS_COUNTING_H

#include "testing.h"

typedef struct counting {
    /* Counts: */
    size_t calls;   /* that asked for memory */
    size_t growths; /* of them, those that asked to enlarge a block */
    size_t blocks;  /* that are out */
    size_t held, peak;
    size_t refused;
    /* The plan, all zero for never: */
    size_t fail_at;    /* the call of that number, from 1, fails */
    bool growths_only; /* count only growths for that */
    bool from_then_on; /* and all after it */
    uint32_t one_in;   /* one call of so many, at random from `state` */
    uint64_t state;
} counting;

/* xorshift64*: the same numbers everywhere for the same seed, never 0. */
static inline uint64_t counting_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

/* Where random numbers begin: the same in every run, so that a commit passes
 * or does not; TFPROF_SEED gives others. Told, and not 0. */
static inline uint64_t counting_seed(void)
{
    const char *given = getenv("TFPROF_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
    print_message("TFPROF_SEED=%llu\n", (unsigned long long)seed);
    return seed | 1;
}

static inline bool counting_refuses(counting *c, bool is_growth)
{
    size_t number = c->growths_only ? c->growths : c->calls;
    bool counts = is_growth || !c->growths_only;
    if (c->one_in > 0 && (counting_random(&c->state) >> 33) % c->one_in == 0)
        return true;
    if (c->fail_at == 0)
        return false;
    return c->from_then_on ? number >= c->fail_at
                           : counts && number == c->fail_at;
}

typedef union counting_head {
    size_t size;
    max_align_t aligned;
} counting_head;

/* A window that was given back, for the next reader: getting a megabyte from
 * the system would be most of the time that a thousand small walks take. */
enum { COUNTING_WINDOW = 1 << 20 };
static counting_head *counting_spare;

static inline void *counting_resize(void *context, void *block, size_t old_size,
                                    size_t new_size)
{
    counting *c = context;
    counting_head *head = block ? (counting_head *)block - 1 : NULL;
    assert_int_equal(head ? head->size : 0, old_size);
    if (new_size == 0) {
        c->blocks -= head != NULL;
        c->held -= old_size;
        if (old_size == COUNTING_WINDOW && !counting_spare)
            counting_spare = head;
        else
            free(head);
        return NULL;
    }
    c->calls++;
    c->growths += head && new_size > old_size;
    if (counting_refuses(c, head && new_size > old_size)) {
        c->refused++;
        return NULL;
    }
    if (!head && new_size == COUNTING_WINDOW && counting_spare) {
        head = counting_spare;
        counting_spare = NULL;
    } else {
        head = realloc(head, sizeof(*head) + new_size);
        assert_non_null(head);
        if (new_size > old_size)
            memset((uint8_t *)(head + 1) + old_size, 0xa5, new_size - old_size);
    }
    c->blocks += block == NULL;
    c->held += new_size - old_size;
    c->peak = c->held > c->peak ? c->held : c->peak;
    head->size = new_size;
    return head + 1;
}

/* Everything was given back. */
static inline void counting_check(const counting *c)
{
    assert_int_equal(c->blocks, 0);
    assert_int_equal(c->held, 0);
}

#endif
