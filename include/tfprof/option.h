/*
 * option.h - how the library describes an option.
 */
#ifndef TFPROF_OPTION_H
#define TFPROF_OPTION_H

typedef enum tfprof_option_kind {
    TFPROF_OPTION_BOOL,
    TFPROF_OPTION_INT,
    TFPROF_OPTION_SIZE,   /* a number of bytes; K, M, G are understood */
    TFPROF_OPTION_CHOICE, /* one of the words in `values`, split by "|" */
    TFPROF_OPTION_PATHS   /* input files, for tfprof_profile_add_path() */
} tfprof_option_kind;

typedef struct tfprof_option {
    const char *name;
    tfprof_option_kind kind;
    const char *default_value;
    const char *values; /* "N", "FILE", or the words of a choice */
    const char *help;   /* one sentence */
} tfprof_option;

#endif
