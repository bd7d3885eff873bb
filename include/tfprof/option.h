/*
 * option.h - how the library describes an option.
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
    TFPROF_OPTION_SIZE,   /* a number of bytes; K, M, G are understood */
    TFPROF_OPTION_CHOICE, /* one of the words in `values`, split by "|" */
    TFPROF_OPTION_PATHS,  /* input files, for tfprof_profile_add_path() */
    TFPROF_OPTION_LIST,   /* regular expressions, split by ","; a comma that
                           * belongs to one is written "\," */
    TFPROF_OPTION_SET,    /* words of `values`, split by ","; or the default
                           * alone, which need not be one of them */
    TFPROF_OPTION_OUTPUT  /* "stdout", "none", or "TYPE:outfile=FILE" */
} tfprof_option_kind;

/* What an option is about; help lists the options of a group together. */
typedef enum tfprof_option_group {
    TFPROF_GROUP_INPUTS,
    TFPROF_GROUP_COUNTED, /* what is counted */
    TFPROF_GROUP_SHOWN,   /* what of it is shown */
    TFPROF_GROUP_ORDER,
    TFPROF_GROUP_ADVICE,    /* what is advised on */
    TFPROF_GROUP_FLOAT_OPS, /* how float operations are found */
    TFPROF_GROUP_MODEL,     /* what is told of a model file */
    TFPROF_GROUP_OUTPUT,
    TFPROF_GROUP_LIMITS,
    TFPROF_GROUP_OLDER,     /* another spelling of an option, never listed */
    TFPROF_GROUP_NO_EFFECT, /* understood and ignored, never listed */
    TFPROF_GROUP_LARGEST,   /* what comes first, and how much of it */
    TFPROF_GROUP_MEMORY     /* how the use of memory is told */
} tfprof_option_group;

typedef struct tfprof_option {
    const char *name;
    tfprof_option_kind kind;
    tfprof_option_group group;
    const char *default_value;
    const char *values; /* "N", "FILE", or the words, split by "|" */
    const char *help;   /* one or two sentences */
} tfprof_option;

/* 1 for "true", "t", "yes", "y" and "1", 0 for "false", "f", "no", "n" and
 * "0", in any case; -1 for other texts and for NULL. Cannot fail. */
TFPROF_API int tfprof_truth(const char *text);

/* Other words for metrics, which options take in their place: "time". Puts
 * the word that it stands for, "micros", into *meaning unless that is NULL.
 * NULL past the last one. Borrowed, for good. */
TFPROF_API const char *tfprof_metric_alias(size_t index, const char **meaning);

/* The most similar of `count` words, for "did you mean ...?"; NULL when none
 * is similar. Cannot fail. */
TFPROF_API const char *tfprof_nearest_word(const char *text,
                                           const char *const *words,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
