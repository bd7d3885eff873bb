/*
 * sweeping.h - which calls a sweep lets fail.
 *
 * 25 random k of each scenario, the same in every run, or others by
 * TFPROF_SEED; every k with TFPROF_SLOW=1.
 */
#ifndef TFP_TESTS_SWEEPING_H
#define TFP_TESTS_SWEEPING_H

#include "counting.h"

enum { SWEEP_RANDOM_KS = 25 };

/* Is every k asked for? */
static inline bool sweep_is_full(void)
{
    const char *slow = getenv("TFPROF_SLOW");
    return slow && *slow && strcmp(slow, "0") != 0;
}

static inline uint64_t sweep_random(void)
{
    static uint64_t state;
    if (state == 0)
        state = counting_seed();
    return counting_random(&state);
}

/* The next k from 1 to `most`, or 0; *taken counts them and begins at 0. */
static inline size_t sweep_next(size_t most, size_t *taken)
{
    bool all = most < SWEEP_RANDOM_KS || sweep_is_full();
    if (*taken >= (all ? most : SWEEP_RANDOM_KS))
        return 0;
    ++*taken;
    return all ? *taken : (size_t)(sweep_random() >> 11) % most + 1;
}

#endif
