/*
 * sweeping.h - which calls a sweep lets fail.
 *
 * 25 random k of each scenario, the same in every run, or others by
 * TFPROF_SEED; every k with TFPROF_SLOW=1. Call sweep_begin() before the tests.
 */
#ifndef TFP_TESTS_SWEEPING_H
#define TFP_TESTS_SWEEPING_H

#include "counting.h"

enum { SWEEP_RANDOM_KS = 25 };

static uint64_t sweep_state; /* of the random numbers; not 0 */
static bool sweep_every_k;   /* every k */

static inline void sweep_begin(void)
{
    const char *slow = getenv("TFPROF_SLOW");
    sweep_every_k = slow && *slow && strcmp(slow, "0") != 0;
    sweep_state = counting_seed();
}

/* The next k from 1 to `most`, or 0; *taken counts them and begins at 0. */
static inline size_t sweep_next(size_t most, size_t *taken)
{
    bool all = sweep_every_k || most < SWEEP_RANDOM_KS;
    if (*taken >= (all ? most : SWEEP_RANDOM_KS))
        return 0;
    ++*taken;
    return all ? *taken
               : (size_t)(counting_random(&sweep_state) >> 11) % most + 1;
}

#endif
