/*
 * choose.c - a fuzz target by its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "target.h"

fuzz_target *fuzz_chosen;
const char *fuzz_name;

void fuzz_choose(const char *name)
{
    static const struct {
        const char *name;
        fuzz_target *target;
    } targets[] = {
#define FUZZ_ROW(name) { #name, fuzz_##name },
        FUZZ_TARGETS(FUZZ_ROW)
#undef FUZZ_ROW
    };
    fuzz_name = name;
    fuzz_chosen = NULL;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        if (!strcmp(targets[i].name, name))
            fuzz_chosen = targets[i].target;
    if (!fuzz_chosen && fuzz_format_named(name))
        fuzz_chosen = fuzz_message;
}
