/*
 * pack.c - gzip on the way out, through zlib.
 */
#include "output/sink/pack.h"

#define ZLIB_CONST /* it only reads what it packs */
#include <zlib.h>

#include "base/gzip.h"

enum {
    GZIP_WINDOW = 15 + 16,
    MEMORY_LEVEL = 8, /* zlib's default: 256 KiB in all */
    /* Level 6 makes these files a third smaller and takes four times as
     * long; whoever keeps one for years can pack it again. */
    LEVEL = 1,
    PACKED_BUFFER = 64 << 10,
    MOST_AT_ONCE = 1 << 30 /* zlib counts in 32 bits */
};

struct tfp_pack {
    tfp_memory *memory;
    tfp_write_fn *write;
    void *context;
    z_stream zlib;
    uint8_t buffer[PACKED_BUFFER];
};

tfp_pack *tfp_pack_new(tfp_memory *memory, tfp_write_fn *write, void *context)
{
    return tfp_pack_new_at(memory, LEVEL, write, context);
}

tfp_pack *tfp_pack_new_at(tfp_memory *memory, int level, tfp_write_fn *write,
                          void *context)
{
    tfp_pack *pack = tfp_memory_alloc(memory, sizeof(*pack));
    if (!pack)
        return NULL;
    pack->memory = memory;
    pack->write = write;
    pack->context = context;
    pack->zlib = (z_stream){ .zalloc = tfp_zlib_alloc,
                             .zfree = tfp_zlib_free,
                             .opaque = memory };
    if (deflateInit2(&pack->zlib, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        tfp_memory_free(memory, pack);
        return NULL;
    }
    return pack;
}

void tfp_pack_free(tfp_pack *pack)
{
    if (!pack)
        return;
    deflateEnd(&pack->zlib);
    tfp_memory_free(pack->memory, pack);
}

/* Packs what zlib has been given; with Z_FINISH all of it, and the trailer. */
static int drain(tfp_pack *pack, int flush)
{
    int status;
    do {
        size_t size;
        pack->zlib.next_out = pack->buffer;
        pack->zlib.avail_out = sizeof(pack->buffer);
        status = deflate(&pack->zlib, flush);
        size = sizeof(pack->buffer) - pack->zlib.avail_out;
        if (size > 0 && pack->write(pack->context, pack->buffer, size) != 0)
            return -1;
    } while (flush == Z_FINISH ? status == Z_OK : pack->zlib.avail_out == 0);
    return status == Z_STREAM_ERROR ? -1 : 0;
}

int tfp_pack_write(void *context, const void *data, size_t size)
{
    tfp_pack *pack = context;
    const uint8_t *at = data;
    while (size > 0) {
        size_t part = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        pack->zlib.next_in = at;
        pack->zlib.avail_in = (unsigned)part;
        if (drain(pack, Z_NO_FLUSH) != 0)
            return -1;
        at += part;
        size -= part;
    }
    return 0;
}

bool tfp_pack_end(tfp_pack *pack)
{
    return drain(pack, Z_FINISH) == 0;
}
