/*
 * tensor_bundle.c - checks and opens the values of version 2, in a shard.
 *
 * Numbers are just their bytes, with a checksum in the index. A tensor of
 * strings is the length of each as a varint, a checksum of the lengths, and
 * the strings joined. Neither checksum runs over the varints: a length counts
 * as four bytes, or as eight when it needs them.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/store.h"
#include "input/checkpoint/tensor_files.h"
#include "model/stored.h"
#include "proto/dtype.h"
#include "proto/wire.h"

enum { CHECKSUM = 4 };

static int fail_checksum(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                    "checksum mismatch: the data does not match the index (is "
                    "the shard from another run?)");
}

/* ---- Numbers ------------------------------------------------------------ */

static int check_numbers(tfp_tensor_files *f, const tfp_store *store,
                         const tfp_stored_part *part, tfprof_error *err)
{
    uint64_t at = (uint64_t)part->offset, left = (uint64_t)part->size;
    uint32_t crc = 0;
    while (left > 0) {
        size_t size = left < TFP_TENSOR_BUFFER ? (size_t)left
                                               : TFP_TENSOR_BUFFER;
        int status = tfp_tensor_count(f, size, err);
        if (status == TFPROF_OK)
            status = tfp_store_read(store, at, f->buffer, size, err);
        if (status != TFPROF_OK)
            return status;
        crc = tfp_crc32c(crc, f->buffer, size);
        at += size;
        left -= size;
    }
    return f->context->ignore_checksums || tfp_crc32c_mask(crc) == part->crc32c
               ? TFPROF_OK
               : fail_checksum(err);
}

/* ---- Strings ------------------------------------------------------------ */

static uint32_t crc_of_length(uint32_t crc, uint64_t length, bool big_endian)
{
    uint8_t bytes[8];
    size_t size = length > UINT32_MAX ? 8 : 4;
    for (size_t i = 0; i < size; i++)
        bytes[big_endian ? size - 1 - i : i] = (uint8_t)(length >> 8 * i);
    return tfp_crc32c(crc, bytes, size);
}

static uint32_t read_checksum(const uint8_t *at, bool big_endian)
{
    uint32_t value = 0;
    for (int i = 0; i < CHECKSUM; i++)
        value |= (uint32_t)at[i] << 8 * (big_endian ? CHECKSUM - 1 - i : i);
    return value;
}

/* Reads the lengths; `ends` gets where each string will end in `held`. What
 * comes back is what follows them, or NULL. */
static const uint8_t *read_lengths(tfp_tensor_files *f, tfp_span bytes,
                                   int64_t count, uint64_t start, uint32_t *crc)
{
    const uint8_t *at = bytes.data, *end = bytes.data + bytes.size;
    uint64_t sum = start, left = bytes.size;
    for (int64_t i = 0; i < count; i++) {
        uint64_t length;
        at = tfp_varint(at, end, TFP_VARINT_BYTES, &length);
        if (!at || length > left)
            return NULL;
        left -= length;
        sum += length;
        *crc = crc_of_length(*crc, length, f->big_endian);
        f->ends.data[f->ends.count++] = sum;
    }
    return at;
}

static int take_strings(tfp_tensor_files *f, tfp_span bytes,
                        const tfp_stored_part *part, int64_t count,
                        tfprof_error *err)
{
    const uint8_t *end = bytes.data + bytes.size, *at;
    uint64_t start = f->held.count;
    uint32_t crc = 0;
    bool check = !f->context->ignore_checksums;
    at = read_lengths(f, bytes, count, start, &crc);
    if (!at || end - at < CHECKSUM ||
        (uint64_t)(end - at - CHECKSUM) !=
            (count > 0 ? f->ends.data[f->ends.count - 1] - start : 0))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "its string lengths do not match its size");
    if (check && tfp_crc32c_mask(crc) != read_checksum(at, f->big_endian))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "checksum mismatch in its string lengths");
    crc = tfp_crc32c(crc, at, (size_t)(end - at));
    if (check && tfp_crc32c_mask(crc) != part->crc32c)
        return fail_checksum(err);
    at += CHECKSUM;
    return tfp_tensor_hold(f, at, (size_t)(end - at)) ? TFPROF_OK
                                                      : tfp_fail_nomem(err);
}

static int open_strings(tfp_tensor_files *f, const tfp_store *store,
                        const tfp_stored_part *part, int64_t count,
                        tfprof_error *err)
{
    size_t size = (size_t)part->size;
    uint8_t *bytes;
    int status;
    if ((uint64_t)count > size) /* a length takes a byte at least */
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "its string lengths do not match its size");
    status = tfp_tensor_count(f, size, err);
    if (status != TFPROF_OK)
        return status;
    bytes = tfp_memory_alloc(f->memory, size + 1);
    if (!bytes || !TFP_VEC_RESERVE(f->memory, &f->ends, (size_t)count + 1)) {
        tfp_memory_free(f->memory, bytes);
        return tfp_fail_nomem(err);
    }
    status = tfp_store_read(store, (uint64_t)part->offset, bytes, size, err);
    if (status == TFPROF_OK)
        status = take_strings(f, (tfp_span){ bytes, size }, part, count, err);
    tfp_memory_free(f->memory, bytes);
    return status;
}

/* ---- Either ------------------------------------------------------------- */

int tfp_tensor_open_bundle(tfp_tensor_files *f, const tfp_stored_part *part,
                           tfp_open_part *open, tfprof_error *err)
{
    tfp_open_shard *shard;
    tfp_store store;
    int status = tfp_tensor_shard(f, part->shard, &shard, err);
    if (status != TFPROF_OK)
        return status;
    store = tfp_store_fd(&shard->fd, shard->size);
    if (!tfp_store_has(&store, (uint64_t)part->offset, (uint64_t)part->size))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "its data extends past the end of shard %u, which has "
                        "%llu bytes (is the shard truncated?)",
                        part->shard, (unsigned long long)shard->size);
    if (part->size > f->context->max_input)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "its size of %lld bytes exceeds the limit of %lld "
                        "bytes (see --max_input)",
                        (long long)part->size,
                        (long long)f->context->max_input);
    if (f->type->form == TFP_FORM_STRING) {
        open->offset = f->ends.count;
        return open_strings(f, &store, part, open->elements, err);
    }
    open->offset = (uint64_t)part->offset;
    return check_numbers(f, &store, part, err);
}
