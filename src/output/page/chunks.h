/*
 * chunks.h - the data of a page: chunks of columns, compressed, as base64.
 *
 * A chunk is a 32-bit length, a head of JSON of that length, and the columns
 * that the head lists. A column of n rows is stored as byte planes: the least
 * significant byte of each row, then the next byte of each row, and so on. This
 * puts similar bytes next to each other, so gzip compresses them better.
 * page/README.md describes the format; page/src reads it.
 *
 * Use: tfp_chunks_new(), then for each chunk tfp_chunk_open(), the members of
 * its head, tfp_chunk_begin_columns(), and tfp_chunk_values() for each column;
 * tfp_chunks_end() writes the strings.
 *
 * `failed` is true after memory ran out. The sink records whether the bytes
 * could be written.
 */
#ifndef TFP_OUTPUT_CHUNKS_H
#define TFP_OUTPUT_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "output/sink/pack.h"
#include "output/sink/sink.h"
#include "output/text/json.h"

/* How the values of a column are stored. */
typedef struct tfp_planes {
    uint64_t bits, folded; /* all values or-ed, unchanged and as zigzag */
} tfp_planes;

/* Maps 0, -1, 1, -2 to 0, 1, 2, 3. */
static inline uint64_t tfp_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

/* Adds a value to the column. All members of `planes` are 0 at first. */
static inline void tfp_planes_add(tfp_planes *planes, int64_t value)
{
    planes->bits |= (uint64_t)value;
    planes->folded |= tfp_zigzag(value);
}

/* The planes of a column that has these values. */
tfp_planes tfp_planes_of(const int64_t *values, size_t count);

typedef struct tfp_chunks {
    tfp_memory *memory;
    tfp_sink *page;   /* receives the base64 */
    tfp_pack *pack;   /* compresses the data before that */
    uint8_t three[3]; /* bytes of an incomplete base64 group */
    size_t three_count;
    tfp_interner strings; /* id 0 is the empty string */
    bool failed;
    TFP_VEC(uint8_t) head; /* of the current chunk */
    TFP_VEC(char) text;    /* a text that is being escaped */
    tfp_json json;         /* writes to `head` */
    tfp_sink head_sink, data;
} tfp_chunks;

/* NULL when out of memory. */
tfp_chunks *tfp_chunks_new(tfp_memory *memory, tfp_sink *page);
void tfp_chunks_free(tfp_chunks *chunks);

/* Writes the strings and the rest of the data. False if memory ran out. */
bool tfp_chunks_end(tfp_chunks *chunks);

/* ---- A chunk ------------------------------------------------------------ */

/* Begins a chunk and its head. Write the members of the head to the JSON that
 * is returned. */
tfp_json *tfp_chunk_open(tfp_chunks *chunks, const char *kind);

/* Writes a member of the head. The text comes from an input, so it is escaped.
 */
void tfp_chunk_text(tfp_chunks *chunks, const char *key, tfp_span text);

/* Describes a column in the list "columns" of the head: opens an object and
 * writes the name and the planes. The caller may add members, and must close
 * the object. */
void tfp_chunk_column(tfp_chunks *chunks, const char *name, tfp_planes planes);

/* Ends the head. Write the columns next. */
void tfp_chunk_begin_columns(tfp_chunks *chunks);

/* Writes the values of a column. `planes` is the one given to
 * tfp_chunk_column(). */
void tfp_chunk_values(tfp_chunks *chunks, const int64_t *values, size_t count,
                      tfp_planes planes);

/* The index of a string, for a column of strings. 0 after a failure. */
uint32_t tfp_chunks_string(tfp_chunks *chunks, tfp_span text);

#endif
