/*
 * gzip.c - a source that unpacks another source, through zlib.
 */
#include "base/gzip.h"

#include <zlib.h>

enum { PACKED_BUFFER = 64 << 10, GZIP_WINDOW = 15 + 16 /* gzip only */ };

struct tfp_gzip {
    tfp_memory *memory;
    tfp_source packed;
    z_stream zlib;
    int64_t packed_offset; /* of buffer[0] in the packed input */
    bool ended;            /* the packed source has no more */
    bool between;          /* a member has ended, none has begun */
    bool trailing;         /* other bytes follow the last member */
    int broken;            /* zlib's verdict on damaged data, else Z_OK */
    uint8_t buffer[PACKED_BUFFER];
};

void *tfp_zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    return tfp_memory_array(opaque, count, size);
}

void tfp_zlib_free(void *opaque, void *block)
{
    tfp_memory_free(opaque, block);
}

tfp_gzip *tfp_gzip_new(tfp_memory *memory, tfp_source packed)
{
    tfp_gzip *gz = tfp_memory_alloc(memory, sizeof(*gz));
    if (!gz)
        return NULL;
    gz->memory = memory;
    gz->packed = packed;
    gz->zlib = (z_stream){ .zalloc = tfp_zlib_alloc,
                           .zfree = tfp_zlib_free,
                           .opaque = memory };
    gz->packed_offset = 0;
    gz->ended = gz->between = gz->trailing = false;
    gz->broken = Z_OK;
    if (inflateInit2(&gz->zlib, GZIP_WINDOW) != Z_OK) {
        tfp_memory_free(memory, gz);
        return NULL;
    }
    gz->zlib.next_in = gz->buffer;
    return gz;
}

void tfp_gzip_free(tfp_gzip *gz)
{
    if (!gz)
        return;
    inflateEnd(&gz->zlib);
    tfp_memory_free(gz->memory, gz);
}

bool tfp_gzip_has_trailing_bytes(const tfp_gzip *gz)
{
    return gz->trailing;
}

bool tfp_gzip_recognises(tfp_span head)
{
    return head.size >= 3 && head.data[0] == 0x1f && head.data[1] == 0x8b &&
           head.data[2] == 8;
}

static int64_t packed_position(const tfp_gzip *gz)
{
    return gz->packed_offset + (gz->zlib.next_in - gz->buffer);
}

/* TFPROF_OK also at the end, which leaves avail_in at 0. */
static int refill(tfp_gzip *gz, tfprof_error *err)
{
    ptrdiff_t n;
    if (gz->zlib.avail_in > 0 || gz->ended)
        return TFPROF_OK;
    gz->packed_offset = packed_position(gz);
    gz->zlib.next_in = gz->buffer;
    n = gz->packed.read(gz->packed.self, gz->buffer, PACKED_BUFFER, err);
    if (n < 0)
        return (int)n;
    gz->zlib.avail_in = (unsigned)n;
    gz->ended = n == 0;
    return TFPROF_OK;
}

/* After a member: 1 when another begins, 0 at the end, or a code. */
static int next_member(tfp_gzip *gz, tfprof_error *err)
{
    for (;;) {
        int status = refill(gz, err);
        if (status != TFPROF_OK || gz->zlib.avail_in == 0)
            return status;
        if (*gz->zlib.next_in != 0)
            break;
        gz->zlib.next_in++; /* tape drives and some copies pad with zeros */
        gz->zlib.avail_in--;
    }
    if (*gz->zlib.next_in != 0x1f) {
        gz->trailing = true;
        return 0;
    }
    inflateReset(&gz->zlib);
    gz->between = false;
    return 1;
}

static int explain(const tfp_gzip *gz, int result, tfprof_error *err)
{
    if (result == Z_MEM_ERROR)
        return tfp_fail_nomem(err);
    if (result == Z_NEED_DICT)
        return tfp_fail(
            err, TFPROF_ERR_MALFORMED, packed_position(gz),
            "gzip data needs a preset dictionary, which is not supported");
    return tfp_fail(
        err, TFPROF_ERR_MALFORMED, packed_position(gz),
        "gzip data is damaged (%s, at byte %lld of the compressed file)",
        gz->zlib.msg ? gz->zlib.msg : "bad stream",
        (long long)packed_position(gz));
}

static ptrdiff_t read_gzip(void *self, void *buffer, size_t size,
                           tfprof_error *err)
{
    tfp_gzip *gz = self;
    unsigned room = size > PACKED_BUFFER * 16u ? PACKED_BUFFER * 16u
                                               : (unsigned)size;
    gz->zlib.next_out = buffer;
    gz->zlib.avail_out = room;
    while (gz->zlib.avail_out == room) {
        int status, result;
        /* What came out before the damage was given first. */
        if (gz->broken != Z_OK)
            return explain(gz, gz->broken, err);
        status = gz->between ? next_member(gz, err) : refill(gz, err);
        if (status < 0 || (gz->between && status == 0))
            return status;
        /* Also without input: it may hold what did not fit the last time. */
        result = inflate(&gz->zlib, Z_NO_FLUSH);
        if (result == Z_BUF_ERROR)
            return tfp_fail(err, TFPROF_ERR_MALFORMED, packed_position(gz),
                            "gzip data is truncated (the compressed file ends "
                            "at byte %lld)",
                            (long long)packed_position(gz));
        gz->between = result == Z_STREAM_END;
        if (result != Z_OK && result != Z_STREAM_END)
            gz->broken = result;
    }
    return (ptrdiff_t)(room - gz->zlib.avail_out);
}

tfp_source tfp_source_gzip(tfp_gzip *gz)
{
    return (tfp_source){ read_gzip, gz };
}
