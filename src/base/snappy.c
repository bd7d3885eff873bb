/*
 * snappy.c - unpacks what libsnappy has packed.
 */
#include "base/snappy.h"

#if defined(TFPROF_HAVE_SNAPPY)

#include <snappy-c.h>

#if defined(TFPROF_SNAPPY_FILE)
#include <dlfcn.h>
#endif

/* The best that packed bytes can do, and some for a beginning. */
enum { BEST_RATIO = 22, BEST_START = 64 };

typedef snappy_status length_fn(const char *packed, size_t size,
                                size_t *unpacked);
typedef snappy_status unpack_fn(const char *packed, size_t size, char *out,
                                size_t *unpacked);

typedef struct snappy_calls {
    length_fn *length;
    unpack_fn *unpack;
} snappy_calls;

bool tfp_snappy_is_there(void)
{
    return true;
}

#if defined(TFPROF_SNAPPY_FILE)

/* Few inputs need the library, and it brings that of C++, which takes longer to
 * load than all the rest. Opening it again for each block costs a thousandth of
 * unpacking that, and leaves nothing to be shared among threads. */
static int find_calls(snappy_calls *calls, tfprof_error *err)
{
    void *library = dlopen(TFPROF_SNAPPY_FILE, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        calls->length = (length_fn *)dlsym(library,
                                           "snappy_uncompressed_length");
        calls->unpack = (unpack_fn *)dlsym(library, "snappy_uncompress");
        if (calls->length && calls->unpack)
            return TFPROF_OK;
    }
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "block is compressed with Snappy, but " TFPROF_SNAPPY_FILE
                    " cannot be loaded (install " TFPROF_SNAPPY_PACKAGE ")");
}

#else

static int find_calls(snappy_calls *calls, tfprof_error *err)
{
    (void)err;
    *calls = (snappy_calls){ snappy_uncompressed_length, snappy_uncompress };
    return TFPROF_OK;
}

#endif

int tfp_snappy_size(tfp_span packed, size_t most, size_t *size,
                    tfprof_error *err)
{
    snappy_calls calls;
    int status = find_calls(&calls, err);
    if (status != TFPROF_OK)
        return status;
    if (calls.length((const char *)packed.data, packed.size, size) != SNAPPY_OK)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "Snappy data has no valid length");
    if (*size > BEST_START &&
        (*size - BEST_START + BEST_RATIO - 1) / BEST_RATIO > packed.size)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "%zu bytes of Snappy data cannot decompress to the "
                        "stated %zu bytes",
                        packed.size, *size);
    if (*size > most)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "decompressed block of %zu bytes exceeds the limit of "
                        "%zu bytes (see --max_block)",
                        *size, most);
    return TFPROF_OK;
}

int tfp_snappy_unpack(tfp_span packed, uint8_t *out, size_t size,
                      tfprof_error *err)
{
    size_t made = size;
    snappy_calls calls;
    int status = find_calls(&calls, err);
    if (status != TFPROF_OK)
        return status;
    if (calls.unpack((const char *)packed.data, packed.size, (char *)out,
                     &made) != SNAPPY_OK ||
        made != size)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "Snappy data is damaged");
    return TFPROF_OK;
}

#else

bool tfp_snappy_is_there(void)
{
    return false;
}

int tfp_snappy_size(tfp_span packed, size_t most, size_t *size,
                    tfprof_error *err)
{
    (void)packed;
    (void)most;
    (void)size;
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "block is compressed with Snappy, but this tfprof was "
                    "built without Snappy (see tfprof --version)");
}

int tfp_snappy_unpack(tfp_span packed, uint8_t *out, size_t size,
                      tfprof_error *err)
{
    (void)out;
    return tfp_snappy_size(packed, 0, &size, err);
}

#endif
