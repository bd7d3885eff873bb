/*
 * option.h - the description of an option.
 */
#ifndef TFPROF_OPTION_H
#define TFPROF_OPTION_H

#include <stddef.h>

#include <tfprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tfprof_option_kind {
    TFPROF_OPTION_BOOL, /* a text that tfprof_truth() accepts */
    TFPROF_OPTION_INT,
    TFPROF_OPTION_SIZE,   /* a number of bytes; may end in K, M, G or T */
    TFPROF_OPTION_CHOICE, /* one of the words that `values` lists */
    TFPROF_OPTION_PATHS,  /* input files; tfprof_profile_add_path() adds them */
    TFPROF_OPTION_LIST,   /* texts, such as regular expressions, separated by
                           * ","; a comma inside a text is written "\," */
    TFPROF_OPTION_SET,    /* words that `values` lists, separated by ","; or the
                           * default value, even if `values` does not list it */
    TFPROF_OPTION_OUTPUT, /* "stdout", "none", or "TYPE:outfile=FILE" */
    TFPROF_OPTION_PAIRS   /* texts "KEY=VALUE" separated by ","; in a text, a
                           * comma is written "\,", and a backslash "\\" if a
                           * comma or a backslash follows it */
} tfprof_option_kind;

/* The subject of an option. Help lists the options of a group together. */
typedef enum tfprof_option_group {
    TFPROF_GROUP_INPUTS,
    TFPROF_GROUP_COUNTED, /* what is counted */
    TFPROF_GROUP_SHOWN,   /* which rows are shown */
    TFPROF_GROUP_ORDER,
    TFPROF_GROUP_ADVICE,    /* what advice covers */
    TFPROF_GROUP_FLOAT_OPS, /* how float operations are counted */
    TFPROF_GROUP_MODEL,     /* what is reported about a model file */
    TFPROF_GROUP_OUTPUT,
    TFPROF_GROUP_LIMITS,
    TFPROF_GROUP_OLDER,     /* older name of another option; not in the help */
    TFPROF_GROUP_NO_EFFECT, /* accepted but ignored; not in the help */
    TFPROF_GROUP_LARGEST,   /* the sort order and the number of rows shown */
    TFPROF_GROUP_MEMORY,    /* how memory use is reported */
    TFPROF_GROUP_COMPARED,  /* how runs are compared */
    TFPROF_GROUP_BUDGETS    /* the budgets and baselines of tfprof check */
} tfprof_option_group;

typedef struct tfprof_option {
    const char *name;
    tfprof_option_kind kind;
    tfprof_option_group group;
    const char *default_value;
    const char *values; /* "N", "FILE", or all valid words, separated by "|" */
    const char *help;   /* what the option does, in one or more sentences */
} tfprof_option;

/* Returns 1 for "true", "t", "yes", "y" and "1". Returns 0 for "false", "f",
 * "no", "n" and "0". Returns -1 for any other text and for NULL. Upper and
 * lower case are equivalent. Cannot fail. */
TFPROF_API int tfprof_truth(const char *text);

/* Returns the metric alias at this index, such as "time", or NULL after the
 * last alias. Options accept an alias in place of the name of its metric.
 * Stores that name, such as "micros", in *meaning unless `meaning` is NULL. The
 * texts are static. */
TFPROF_API const char *tfprof_metric_alias(size_t index, const char **meaning);

/* Returns the word that is most similar to `text`, for "did you mean ...?", or
 * NULL if no word is similar. `words` has `count` words. Cannot fail. */
TFPROF_API const char *tfprof_nearest_word(const char *text,
                                           const char *const *words,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
