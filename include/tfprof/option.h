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
    TFPROF_OPTION_BOOL, /* see tfprof_truth() */
    TFPROF_OPTION_INT,
    TFPROF_OPTION_SIZE,   /* a number of bytes, optionally with K, M or G */
    TFPROF_OPTION_CHOICE, /* one of the words in `values`, separated by "|" */
    TFPROF_OPTION_PATHS,  /* input files, for tfprof_profile_add_path() */
    TFPROF_OPTION_LIST,   /* regular expressions, separated by ","; a comma
                           * inside an expression is written "\," */
    TFPROF_OPTION_SET,    /* words of `values`, separated by ","; or only the
                           * default, which may be a word not in `values` */
    TFPROF_OPTION_OUTPUT  /* "stdout", "none", or "TYPE:outfile=FILE" */
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
    TFPROF_GROUP_OLDER,     /* another spelling of an option, never listed */
    TFPROF_GROUP_NO_EFFECT, /* accepted and ignored, never listed */
    TFPROF_GROUP_LARGEST,   /* which rows come first, and how many */
    TFPROF_GROUP_MEMORY     /* how memory use is reported */
} tfprof_option_group;

typedef struct tfprof_option {
    const char *name;
    tfprof_option_kind kind;
    tfprof_option_group group;
    const char *default_value;
    const char *values; /* "N", "FILE", or the words, separated by "|" */
    const char *help;   /* one or two sentences */
} tfprof_option;

/* Returns 1 for "true", "t", "yes", "y" and "1", 0 for "false", "f", "no", "n"
 * and "0", upper or lower case, and -1 for other texts and NULL. Cannot fail.
 */
TFPROF_API int tfprof_truth(const char *text);

/* Aliases of metrics that options accept, such as "time". Stores the name of
 * the metric, such as "micros", in *meaning unless `meaning` is NULL. Returns
 * NULL after the last alias. The text is static. */
TFPROF_API const char *tfprof_metric_alias(size_t index, const char **meaning);

/* Returns the most similar of `count` words, for "did you mean ...?", or NULL
 * if no word is similar. Cannot fail. */
TFPROF_API const char *tfprof_nearest_word(const char *text,
                                           const char *const *words,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
