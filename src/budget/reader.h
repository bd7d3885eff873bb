/*
 * reader.h - what files of budgets and baselines have in common.
 */
#ifndef TFP_BUDGET_READER_H
#define TFP_BUDGET_READER_H

#include <stddef.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/json_tree.h"
#include "base/memory.h"
#include "budget/budgets.h"

#if defined(TFPROF_HAVE_JANSSON)

typedef struct tfp_budget_reader {
    tfp_memory *memory;
    const char *name; /* of the file */
    const char *item; /* "budget" or "row" */
    size_t number;    /* of the item that is read, from 1; 0: none */
    tfprof_error *err;
} tfp_budget_reader;

/* MALFORMED: "FILE: budget 3: what". */
int tfp_budget_reader_fail(const tfp_budget_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* A value in a message: its text in quotes, or its type. */
tfp_short tfp_budget_reader_shown(const json_t *value);

/* Is `key` there and 1? A larger number is a newer format. */
int tfp_budget_reader_version(const tfp_budget_reader *r, const json_t *tree,
                              const char *key);

/* The value of `key`, a string that is not empty, or NULL if there is none. */
int tfp_budget_reader_text(const tfp_budget_reader *r, const json_t *object,
                           const char *key, const char **out);

/* The metric of an item, its rows and their pattern, which is borrowed. */
int tfp_budget_reader_rows(const tfp_budget_reader *r, const json_t *object,
                           int *metric, tfp_budget_rows *rows,
                           const char **pattern);

#endif
#endif
