/*
 * table.c - a sorted table, the file format of checkpoints.
 */
#include "input/table/table.h"

#include <string.h>

#include "base/crc32c.h"
#include "base/snappy.h"
#include "proto/wire.h"

enum { TRAILER = 5, MAGIC = 8, LENGTH_BYTES = 5, PLACE_BYTES = 10 };
enum { PLAIN, SNAPPY }; /* compression */

typedef struct place {
    uint64_t offset, size;
} place;

static uint32_t fixed32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

bool tfp_table_recognises(tfp_span tail)
{
    static const uint8_t magic[MAGIC] = { 0x57, 0xfb, 0x80, 0x8b,
                                          0x24, 0x75, 0x47, 0xdb };
    return tail.size >= MAGIC &&
           !memcmp(tail.data + tail.size - MAGIC, magic, MAGIC);
}

static int fail(tfprof_error *err, uint64_t at, const char *what)
{
    return tfp_fail(err, TFPROF_ERR_MALFORMED, (int64_t)at, "%s", what);
}

/* ---- Blocks ------------------------------------------------------------- */

static bool make_room(tfp_memory *memory, uint8_t **data, size_t *capacity,
                      size_t size)
{
    uint8_t *grown;
    if (size <= *capacity)
        return true;
    grown = tfp_memory_resize(memory, *data, size);
    if (!grown)
        return false;
    *data = grown;
    *capacity = size;
    return true;
}

/* Is there a block with its trailer at that place, and may it be held? */
static int check_place(const tfp_table *t, place p, tfprof_error *err)
{
    if (!tfp_store_has(&t->store, p.offset, p.size) ||
        t->store.size - p.offset - p.size < TRAILER)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "block of %llu bytes at offset %llu extends past the "
                        "end of the table, which has %llu bytes",
                        (unsigned long long)p.size,
                        (unsigned long long)p.offset,
                        (unsigned long long)t->store.size);
    if (p.size > t->settings.max_block)
        return tfp_fail(err, TFPROF_ERR_LIMIT, (int64_t)p.offset,
                        "block of %llu bytes exceeds the limit of %llu bytes "
                        "(see --max_block)",
                        (unsigned long long)p.size,
                        (unsigned long long)t->settings.max_block);
    return TFPROF_OK;
}

static int unpack(tfp_table *t, place p, tfp_block *block, tfprof_error *err)
{
    tfp_span packed = { t->packed, (size_t)p.size };
    uint8_t compression = t->packed[p.size];
    size_t size = packed.size;
    int status = TFPROF_OK;
    if (compression != PLAIN && compression != SNAPPY)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, (int64_t)p.offset,
                        "unsupported compression type %d", compression);
    if (compression == SNAPPY)
        status = tfp_snappy_size(packed, t->settings.max_block, &size, err);
    if (status == TFPROF_OK &&
        !make_room(t->memory, &block->data, &block->capacity, size + !size))
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK && compression == SNAPPY)
        status = tfp_snappy_unpack(packed, block->data, size, err);
    else if (status == TFPROF_OK && size > 0)
        memcpy(block->data, packed.data, size);
    block->size = size;
    block->was_packed = compression != PLAIN;
    if (status != TFPROF_OK && err)
        err->offset = (int64_t)p.offset;
    return status;
}

/* Where the entries end and the restarts begin. */
static int divide(tfp_block *block, tfprof_error *err)
{
    uint32_t count = 0, before = 0;
    if (block->size >= sizeof(uint32_t))
        count = fixed32(block->data + block->size - sizeof(uint32_t));
    if (count == 0 || count > block->size / sizeof(uint32_t) - 1)
        return fail(err, block->place, "block has no restart array");
    block->restarts = count;
    block->end = block->size - sizeof(uint32_t) * ((size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = fixed32(block->data + block->end + sizeof(uint32_t) * i);
        bool is_first = i == 0;
        if ((is_first ? at != 0 : at <= before) ||
            (at >= block->end && !(is_first && block->end == 0)))
            return fail(err, block->place,
                        "restart points of a block are not in ascending order");
        before = at;
    }
    return TFPROF_OK;
}

static int fill_block(tfp_table *t, place p, tfp_block *block,
                      tfprof_error *err)
{
    size_t size = (size_t)p.size + TRAILER;
    int status = check_place(t, p, err);
    if (status != TFPROF_OK)
        return status;
    if (t->settings.on_read && t->settings.on_read(t->settings.self, size) != 0)
        return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "canceled");
    if (!make_room(t->memory, &t->packed, &t->packed_capacity, size))
        return tfp_fail_nomem(err);
    status = tfp_store_read(&t->store, p.offset, t->packed, size, err);
    if (status != TFPROF_OK)
        return status;
    if (!t->settings.ignore_checksums &&
        tfp_crc32c_mask(tfp_crc32c(0, t->packed, (size_t)p.size + 1)) !=
            fixed32(t->packed + p.size + 1))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, (int64_t)p.offset,
                        "block checksum mismatch");
    block->place = p.offset;
    status = unpack(t, p, block, err);
    return status == TFPROF_OK ? divide(block, err) : status;
}

static int read_block(tfp_table *t, place p, tfp_block *block,
                      tfprof_error *err)
{
    int status = fill_block(t, p, block, err);
    if (status != TFPROF_OK)
        block->place = UINT64_MAX; /* it holds no block now */
    return status;
}

/* ---- Entries ------------------------------------------------------------ */

static void begin(tfp_entries *e, const tfp_block *block)
{
    e->block = block;
    e->at = 0;
    e->restart = 0;
    e->value = (tfp_span){ 0 };
}

static uint32_t restart_at(const tfp_block *block, uint32_t index)
{
    return fixed32(block->data + block->end + sizeof(uint32_t) * (size_t)index);
}

static const uint8_t *read_length(const uint8_t *at, const uint8_t *end,
                                  uint64_t *value)
{
    at = at ? tfp_varint(at, end, LENGTH_BYTES, value) : NULL;
    return at && *value <= UINT32_MAX ? at : NULL;
}

/* Puts together the key of an entry that shares `shared` bytes with the one
 * before. */
static int take_key(tfp_entries *e, tfp_memory *memory, size_t shared,
                    tfp_span more, tfprof_error *err)
{
    if (e->has_key &&
        tfp_span_compare(more, (tfp_span){ e->key.data + shared,
                                           e->key.count - shared }) <= 0)
        return fail(err, e->block->place,
                    "keys of a table are not in ascending order");
    e->key.count = shared;
    if (!TFP_VEC_RESERVE(memory, &e->key, more.size + 1))
        return tfp_fail_nomem(err);
    if (more.size > 0)
        memcpy(e->key.data + shared, more.data, more.size);
    e->key.count = shared + more.size;
    e->has_key = true;
    return TFPROF_OK;
}

/* The next entry of the block; *more is false behind the last one. */
static int next_entry(tfp_entries *e, tfp_memory *memory, bool *more,
                      tfprof_error *err)
{
    const tfp_block *block = e->block;
    const uint8_t *at = block->data + e->at, *end = block->data + block->end;
    bool is_restart = e->restart < block->restarts &&
                      restart_at(block, e->restart) == e->at;
    uint64_t shared, own, size;
    int status;
    *more = at < end;
    if (!*more)
        return block->end == 0 || e->restart == block->restarts
                   ? TFPROF_OK
                   : fail(err, block->place,
                          "restart point is not at an entry");
    if (!is_restart && e->restart < block->restarts &&
        restart_at(block, e->restart) < e->at)
        return fail(err, block->place, "restart point is not at an entry");
    at = read_length(at, end, &shared);
    at = read_length(at, end, &own);
    at = read_length(at, end, &size);
    if (!at || own > (uint64_t)(end - at) || size > (uint64_t)(end - at) - own)
        return fail(err, block->place,
                    "entry extends past the end of its block");
    if (shared > e->key.count || (is_restart && shared > 0))
        return fail(err, block->place,
                    "shared key prefix is longer than the previous key");
    status = take_key(e, memory, (size_t)shared, (tfp_span){ at, (size_t)own },
                      err);
    if (status != TFPROF_OK)
        return status;
    e->value = (tfp_span){ at + own, (size_t)size };
    e->at = (size_t)(at + own + size - block->data);
    e->restart += is_restart;
    return TFPROF_OK;
}

/* ---- The index ---------------------------------------------------------- */

static const uint8_t *read_place(const uint8_t *at, const uint8_t *end,
                                 place *p)
{
    at = tfp_varint(at, end, PLACE_BYTES, &p->offset);
    return at ? tfp_varint(at, end, PLACE_BYTES, &p->size) : NULL;
}

static int place_of(const tfp_entries *e, place *p, tfprof_error *err)
{
    if (!read_place(e->value.data, e->value.data + e->value.size, p))
        return fail(err, e->block->place, "block handle is truncated");
    return TFPROF_OK;
}

/* Each block once: places rise, and end before the index itself. */
static int check_index(tfp_table *t, tfprof_error *err)
{
    uint64_t least = 0;
    bool more = true;
    int status = TFPROF_OK;
    begin(&t->blocks, &t->index);
    while (status == TFPROF_OK && more) {
        place p;
        status = next_entry(&t->blocks, t->memory, &more, err);
        if (status == TFPROF_OK && more)
            status = place_of(&t->blocks, &p, err);
        if (status == TFPROF_OK && more)
            status = check_place(t, p, err);
        if (status != TFPROF_OK || !more)
            break;
        if (p.offset < least || p.offset + p.size + TRAILER > t->index_place)
            return fail(err, t->index_place,
                        "blocks of a table are not consecutive");
        least = p.offset + p.size + TRAILER;
    }
    begin(&t->blocks, &t->index);
    t->blocks.has_key = false;
    t->blocks.key.count = 0;
    return status;
}

int tfp_table_open(tfp_table *t, tfp_memory *memory, tfp_store store,
                   const tfp_table_settings *settings, tfprof_error *err)
{
    uint8_t footer[TFP_TABLE_FOOTER];
    const uint8_t *at, *end = footer + TFP_TABLE_FOOTER - MAGIC;
    place meta, index;
    int status;
    *t = (tfp_table){ .memory = memory, .store = store, .settings = *settings };
    if (store.size < TFP_TABLE_FOOTER)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "too short for a checkpoint: %llu bytes (is the file "
                        "truncated?)",
                        (unsigned long long)store.size);
    status = tfp_store_read(&store, store.size - TFP_TABLE_FOOTER, footer,
                            TFP_TABLE_FOOTER, err);
    if (status != TFPROF_OK)
        return status;
    if (!tfp_table_recognises((tfp_span){ footer, TFP_TABLE_FOOTER }))
        return fail(err, store.size - MAGIC,
                    "the table footer is missing (is the file truncated?)");
    at = read_place(footer, end, &meta);
    at = at ? read_place(at, end, &index) : NULL;
    if (!at)
        return fail(err, store.size - TFP_TABLE_FOOTER,
                    "index handle is truncated");
    status = read_block(t, index, &t->index, err);
    t->index_place = index.offset;
    begin(&t->entries, &t->data);
    return status == TFPROF_OK ? check_index(t, err) : status;
}

static void release_block(tfp_table *t, tfp_block *block)
{
    tfp_memory_free(t->memory, block->data);
}

void tfp_table_close(tfp_table *t)
{
    if (!t->memory)
        return;
    release_block(t, &t->index);
    release_block(t, &t->data);
    tfp_memory_free(t->memory, t->packed);
    TFP_VEC_RELEASE(t->memory, &t->blocks.key);
    TFP_VEC_RELEASE(t->memory, &t->entries.key);
    *t = (tfp_table){ 0 };
}

/* ---- Going over it ------------------------------------------------------ */

/* Reads the block that the index names next. */
static int next_block(tfp_table *t, bool *more, tfprof_error *err)
{
    place p;
    int status = next_entry(&t->blocks, t->memory, more, err);
    if (status == TFPROF_OK && *more)
        status = place_of(&t->blocks, &p, err);
    if (status == TFPROF_OK && *more)
        status = read_block(t, p, &t->data, err);
    if (status == TFPROF_OK)
        begin(&t->entries, &t->data);
    return status;
}

int tfp_table_next(tfp_table *t, tfp_span *key, tfp_span *value, bool *more,
                   tfprof_error *err)
{
    int status = TFPROF_OK;
    *more = false;
    if (t->entries.block->data)
        status = next_entry(&t->entries, t->memory, more, err);
    while (status == TFPROF_OK && !*more) {
        status = next_block(t, more, err);
        if (status != TFPROF_OK || !*more)
            return status;
        status = next_entry(&t->entries, t->memory, more, err);
    }
    *key = (tfp_span){ t->entries.key.data, t->entries.key.count };
    *value = t->entries.value;
    return status;
}

int64_t tfp_table_value_offset(const tfp_table *t)
{
    int64_t at = (int64_t)t->data.place;
    return t->data.was_packed ? at
                              : at + (t->entries.value.data - t->data.data);
}

/* ---- Looking one up ----------------------------------------------------- */

/* The key of a restart, which stands there whole. */
static tfp_span restart_key(const tfp_block *block, uint32_t index)
{
    const uint8_t *at = block->data + restart_at(block, index);
    const uint8_t *end = block->data + block->end;
    uint64_t shared = 0, own = 0, size = 0;
    at = read_length(at, end, &shared);
    at = read_length(at, end, &own);
    at = read_length(at, end, &size);
    if (!at || own > (uint64_t)(end - at))
        return (tfp_span){ 0 }; /* cannot be: the index was gone over */
    return (tfp_span){ at, (size_t)own };
}

/* Goes to the last restart whose key is not greater than `key`. */
static void seek(tfp_entries *e, tfp_span key)
{
    uint32_t low = 0, high = e->block->restarts;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tfp_span_compare(restart_key(e->block, middle), key) <= 0)
            low = middle;
        else
            high = middle;
    }
    e->restart = low;
    e->at = restart_at(e->block, low);
    e->has_key = false;
    e->key.count = 0;
}

/* The first entry whose key is not less than `key`. */
static int find_from(tfp_entries *e, tfp_memory *memory, tfp_span key,
                     bool *found, tfprof_error *err)
{
    int status;
    do {
        tfp_span here;
        status = next_entry(e, memory, found, err);
        here = (tfp_span){ e->key.data, e->key.count };
        if (status == TFPROF_OK && *found && tfp_span_compare(here, key) >= 0)
            return TFPROF_OK;
    } while (status == TFPROF_OK && *found);
    return status;
}

int tfp_table_find(tfp_table *t, tfp_span key, tfp_span *value, bool *found,
                   tfprof_error *err)
{
    place p;
    int status;
    begin(&t->blocks, &t->index);
    seek(&t->blocks, key);
    status = find_from(&t->blocks, t->memory, key, found, err);
    if (status == TFPROF_OK && *found)
        status = place_of(&t->blocks, &p, err);
    if (status != TFPROF_OK || !*found)
        return status;
    if (!t->data.data || t->data.place != p.offset)
        status = read_block(t, p, &t->data, err);
    begin(&t->entries, &t->data);
    t->entries.has_key = false;
    t->entries.key.count = 0;
    if (status == TFPROF_OK)
        status = find_from(&t->entries, t->memory, key, found, err);
    if (status == TFPROF_OK && *found)
        *found = tfp_span_equal(
            (tfp_span){ t->entries.key.data, t->entries.key.count }, key);
    *value = t->entries.value;
    return status;
}
