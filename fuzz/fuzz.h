/*
 * fuzz.h - what every fuzz target defines, once each.
 *
 * libFuzzer calls it in a fuzz build, replay.c in all others.
 */
#ifndef TFP_FUZZ_H
#define TFP_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. `data` goes when the call returns. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
