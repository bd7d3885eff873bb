/*
 * options.h - what a user may ask for: one table, and the values set.
 *
 * The command line, its help and the library read the same table. To add an
 * option: a line in table.c, a member below, its use.
 */
#ifndef TFP_OPTIONS_OPTIONS_H
#define TFP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tfprof/option.h>

#include "base/error.h"

/* A row of the table: what everyone may see, and where the value goes. */
typedef struct tfp_option {
    tfprof_option shown;
    size_t place;      /* offset of an int64_t in tfp_options */
    int64_t low, high; /* the range of a number */
} tfp_option;

enum { TFP_FORMAT_TEXT, TFP_FORMAT_JSON }; /* the words of `format` */

typedef struct tfp_options {
    int64_t format;
    int64_t salvage;
    int64_t max_memory; /* 0: the default rule */
    int64_t max_input;
    int64_t max_depth_nesting;
} tfp_options;

extern const tfp_option tfp_option_table[];
extern const size_t tfp_option_table_count;

/* Every option at its default. Cannot fail. */
void tfp_options_init(tfp_options *options);

/* The option of that name, "-" and "_" being the same, or NULL. */
const tfp_option *tfp_option_find(const char *name);

/* The most similar name, or NULL when none is similar. */
const tfp_option *tfp_option_nearest(const char *name);

/* Sets an option from text. On failure nothing has changed. */
int tfp_options_set(tfp_options *options, const char *name, const char *value,
                    tfprof_error *err);

#endif
