/*
 * patterns.h - the regular expressions of one option, compiled once.
 *
 * Each pattern must match a whole name, as upstream's do. The syntax is that
 * of Perl (PCRE2); names are UTF-8 where they can be. Matching has limits, so
 * that no pattern takes forever, neither on one name nor on all names of an
 * answer; the first one reached is remembered.
 */
#ifndef TFP_VIEW_PATTERNS_H
#define TFP_VIEW_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "options/options.h"

typedef struct tfp_pattern tfp_pattern; /* one compiled expression */

typedef struct tfp_patterns {
    tfp_memory *memory;
    const char *option; /* the name of the option, for messages */
    tfp_pattern *items;
    size_t count;
    bool any; /* just ".*", which upstream takes for "no filter" */
    const tfp_cancel *cancel; /* may be NULL, as it is at first */
    uint64_t *work;           /* steps of the answer that the lists share,
                               * from 0 on; NULL, as at first: not counted */
    uint64_t rounds;          /* names matched so far */
    uint64_t spent;           /* their bytes, of which there is a limit */
    int status;               /* TFPROF_OK, or why matching failed */
    tfprof_error why;         /* with status */
} tfp_patterns;

/* Compiles the words of an option. `option` must stay. A mistake in a pattern
 * is TFPROF_ERR_OPTION with the place in it. After a failure releasing is
 * allowed and does nothing. */
int tfp_patterns_init(tfp_patterns *patterns, tfp_memory *memory,
                      const char *option, const tfp_words *words,
                      tfprof_error *err);
void tfp_patterns_release(tfp_patterns *patterns);

/* Does any of them match all of `name`? False after a failure, which stands
 * in patterns->status until the end. */
bool tfp_patterns_match(tfp_patterns *patterns, tfp_span name);

#endif
