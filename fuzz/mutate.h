/*
 * mutate.h - how libFuzzer changes an input.
 */
#ifndef TFP_FUZZ_MUTATE_H
#define TFP_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* The size of the changed input. */
typedef size_t mutate_fn(uint8_t *data, size_t size, size_t max_size,
                         unsigned seed);

/* An input of fuzz_session.c: its files change as messages do. */
mutate_fn mutate_session;

/* Whatever libFuzzer itself does. */
mutate_fn mutate_any;

#endif
