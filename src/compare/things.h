/*
 * things.h - what differs, one entry for each thing.
 *
 * The list of changes (changes.h) has an entry for each row and metric. People
 * look for things: an operation, a scope, or a source line wherever it was
 * called from. What compilers left without a counterpart are not things: their
 * instructions that only one side has are added up.
 */
#ifndef TFP_COMPARE_THINGS_H
#define TFP_COMPARE_THINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "compare/align.h"
#include "compare/changes.h"
#include "compare/side.h"

typedef struct tfp_thing {
    tfp_change_kind kind;
    bool is_unmatched;   /* the sum of instructions that one side has */
    bool is_place;       /* it stands for all rows of a source line */
    uint32_t base, head; /* its first rows; TFP_NO_ID: the side has none */
    uint32_t metrics;    /* that differ, a bit each, with TFP_CHANGE_MACS */
    int64_t was[TFP_CHANGE_MACS + 1], is[TFP_CHANGE_MACS + 1];
    size_t text; /* index of its first change of a text; SIZE_MAX: none */
} tfp_thing;

typedef struct tfp_things {
    tfp_memory *memory;
    TFP_VEC(tfp_thing) all; /* in the order of the changes, exact ones first */
    size_t *next_text;      /* by exact change: the next one of its thing, or
                             * SIZE_MAX */
} tfp_things;

/* Groups the changes. After a failure releasing is allowed. */
int tfp_things_find(tfp_things *things, const tfp_compare_side *base,
                    const tfp_compare_side *head, const tfp_alignment *pairs,
                    const tfp_changes *changes, tfp_memory *memory,
                    tfprof_error *err);
void tfp_things_release(tfp_things *things);

static inline bool tfp_thing_has(const tfp_thing *thing, int metric)
{
    return thing->metrics >> metric & 1;
}

#endif
