/*
 * arrow.h - a table as Arrow has it: columns, and where their bytes lie.
 *
 * Nothing is copied: all buffers are those of the answer.
 */
#ifndef TFP_OUTPUT_ARROW_H
#define TFP_OUTPUT_ARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/labels.h"

enum {
    TFP_ARROW_COLUMNS = 88, /* at most, with labels */
    TFP_ARROW_BUFFERS = 3   /* no format here has more */
};

/* The formats in use. Offsets of texts have 64 bits: the names of a million
 * nodes can be longer than 32 bits reach. */
#define TFP_ARROW_TEXT   "U"
#define TFP_ARROW_BIT    "b"
#define TFP_ARROW_INT32  "i"
#define TFP_ARROW_UINT32 "I"
#define TFP_ARROW_INT64  "l"
#define TFP_ARROW_DOUBLE "g"

/* A key and a value, as Arrow has them: how many pairs, then each with its
 * size in front, numbers as the machine has them. */
typedef struct tfp_arrow_metadata {
    size_t size; /* 0: none */
    char bytes[48];
} tfp_arrow_metadata;

typedef struct tfp_arrow_column {
    char name[32];
    const char *format;
    tfp_arrow_metadata metadata; /* its unit */
    bool is_optional; /* may have nulls; does not depend on the rows */
    int64_t null_count;
    const void *buffers[TFP_ARROW_BUFFERS]; /* the first is which are there */
    int64_t buffer_count;
    size_t text_count; /* what its numbers stand for; 0 when for themselves */
    const void *texts[TFP_ARROW_BUFFERS]; /* buffers of TFP_ARROW_TEXT */
} tfp_arrow_column;

typedef struct tfp_arrow_table {
    size_t row_count;
    tfp_arrow_metadata metadata; /* which view it is */
    size_t count;
    tfp_arrow_column columns[TFP_ARROW_COLUMNS];
} tfp_arrow_table;

/* A column with one buffer of data, to which more may be added. `name` is cut
 * where it has no room. */
tfp_arrow_column *tfp_arrow_add(tfp_arrow_table *table, const char *prefix,
                                const char *name, const char *format,
                                const void *data);

/* Puts a column for each label before all other columns. The column of a label
 * is a dictionary with one text. `zeros` are its indices, 32 bits for each row;
 * they may be NULL for tfp_parquet_write(), which does not need them. The
 * labels must outlive the table. */
void tfp_arrow_add_labels(tfp_arrow_table *table, const tfp_labels *labels,
                          const int32_t *zeros);

/* Does the column have the same text in every row? */
static inline bool tfp_arrow_is_label(const tfp_arrow_column *column)
{
    return column->text_count == 1 && !column->buffers[1];
}

tfp_arrow_metadata tfp_arrow_pair(const char *key, const char *value);

#endif
