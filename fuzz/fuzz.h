/*
 * fuzz.h - the fuzz targets. One program holds them all: libFuzzer calls the
 * chosen one in a fuzz build, replay.c in all others.
 */
#ifndef TFP_FUZZ_H
#define TFP_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz_targets.h" /* FUZZ_TARGETS(X), made from CMakeLists.txt */

/* Returns 0. `data` goes when the call returns. */
typedef int fuzz_target(const uint8_t *data, size_t size);

#define FUZZ_DECLARE(name) fuzz_target fuzz_##name;
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* Any bytes as one message in one form: that of fuzz_name. */
fuzz_target fuzz_message;

/* The chosen target and its name, that of its corpus. */
extern fuzz_target *fuzz_chosen;
extern const char *fuzz_name;

/* Ends the process when there is none of that name. */
void fuzz_choose(const char *name);

#endif
