/*
 * arrow.h - a table as Arrow has it: columns, and where their bytes lie.
 *
 * Nothing is copied: all buffers are those of the answer.
 */
#ifndef TFP_OUTPUT_ARROW_H
#define TFP_OUTPUT_ARROW_H

#include <stddef.h>
#include <stdint.h>

enum {
    TFP_ARROW_COLUMNS = 72, /* at most */
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

tfp_arrow_metadata tfp_arrow_pair(const char *key, const char *value);

#endif
