/*
 * fuzz_gzip.c - any bytes, unpacked as gzip.
 *
 * Holds that the same bytes come out, up to the same end, however the packed
 * ones arrive.
 */
#include <xxhash.h>

#include "base/gzip.h"
#include "fuzz.h"
#include "target.h"

typedef struct unpacked {
    int status;
    int64_t size;
    uint64_t hash;
    bool trailing;
} unpacked;

static unpacked unpack(tfp_span data, size_t piece, size_t room)
{
    tfp_memory memory = fuzz_memory();
    fuzz_pieces pieces = { data, piece };
    tfp_gzip *gzip = tfp_gzip_new(&memory, fuzz_source_pieces(&pieces));
    uint8_t *buffer = malloc(room);
    unpacked out = { 0 };
    tfprof_error err;
    ptrdiff_t n;
    XXH3_state_t *hash = XXH3_createState();
    FUZZ_CHECK(gzip && buffer && hash);
    XXH3_64bits_reset(hash);
    while ((n = tfp_source_gzip(gzip).read(gzip, buffer, room, &err)) > 0) {
        FUZZ_CHECK((size_t)n <= room);
        out.size += n;
        XXH3_64bits_update(hash, buffer, (size_t)n);
    }
    out.status = (int)n;
    out.hash = XXH3_64bits_digest(hash);
    out.trailing = tfp_gzip_has_trailing_bytes(gzip);
    if (out.status != TFPROF_OK)
        FUZZ_CHECK(out.status == err.code && err.message[0] != '\0');
    XXH3_freeState(hash);
    free(buffer);
    tfp_gzip_free(gzip);
    FUZZ_CHECK(memory.held == 0);
    return out;
}

int fuzz_gzip(const uint8_t *bytes, size_t size)
{
    tfp_span data = { bytes, size };
    unpacked whole = unpack(data, size ? size : 1, 64 << 10);
    unpacked pieces = unpack(data, 1 + size % 16, 1021);
    FUZZ_CHECK(whole.status == pieces.status);
    FUZZ_CHECK(whole.size == pieces.size && whole.hash == pieces.hash);
    FUZZ_CHECK(whole.trailing == pieces.trailing);
    return 0;
}
