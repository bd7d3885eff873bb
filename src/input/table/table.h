/*
 * table.h - a sorted table, the file format of checkpoints.
 *
 * From the front: blocks of entries, each with a byte for its compression and
 * a checksum behind it; one of these is the index, whose values are the places
 * of the others; and a footer with the place of the index and a magic number.
 *
 * Everything here comes from strangers. A place is compared with the file's
 * size before it is added to anything, a block is held only once it is known
 * to be there, and each block is gone to at most once: places must rise. Keys
 * must rise too, in a block and from one block to the next.
 */
#ifndef TFP_INPUT_TABLE_H
#define TFP_INPUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/store.h"

enum { TFP_TABLE_FOOTER = 48 };

/* Does a file with these last bytes end as a table does? */
bool tfp_table_recognises(tfp_span tail);

/* A block, unpacked: entries up to `end`, then offsets of restarts. */
typedef struct tfp_block {
    uint8_t *data;
    size_t size, capacity;
    size_t end;
    uint32_t restarts; /* entries that share nothing with the one before */
    uint64_t place;    /* in the file */
    bool was_packed;
} tfp_block;

/* Goes over the entries of a block. */
typedef struct tfp_entries {
    const tfp_block *block;
    size_t at;            /* of the entry that comes next */
    uint32_t restart;     /* of the restart that comes next */
    bool has_key;         /* there was an entry before */
    TFP_VEC(uint8_t) key; /* of the entry */
    tfp_span value;       /* aliases the block */
} tfp_entries;

typedef struct tfp_table_settings {
    uint64_t max_block;    /* bytes of one block, unpacked */
    bool ignore_checksums; /* for fuzzing, which could not make them */
    /* Told before so many bytes are read; not 0 cancels. May be NULL. */
    int (*on_read)(void *self, uint64_t bytes);
    void *self;
} tfp_table_settings;

typedef struct tfp_table {
    tfp_memory *memory;
    tfp_store store;
    tfp_table_settings settings;
    uint64_t index_place;
    tfp_block index, data;
    tfp_entries blocks;  /* entries of the index */
    tfp_entries entries; /* entries of the data block at hand */
    uint8_t *packed;     /* scratch */
    size_t packed_capacity;
} tfp_table;

/* Reads the footer and the index and checks all of it. The store must stay.
 * After a failure closing is allowed. */
int tfp_table_open(tfp_table *table, tfp_memory *memory, tfp_store store,
                   const tfp_table_settings *settings, tfprof_error *err);
void tfp_table_close(tfp_table *table);

/* The next entry of all, in the order of keys; *more is false at the end.
 * Both spans are good until the next call. */
int tfp_table_next(tfp_table *table, tfp_span *key, tfp_span *value, bool *more,
                   tfprof_error *err);

/* Where in the file the value of the entry at hand stands; of a block that was
 * packed, where that begins. */
int64_t tfp_table_value_offset(const tfp_table *table);

/* The entry of that key; *found tells whether there is one. Reads one block.
 * The value is good until the next call. */
int tfp_table_find(tfp_table *table, tfp_span key, tfp_span *value, bool *found,
                   tfprof_error *err);

#endif
