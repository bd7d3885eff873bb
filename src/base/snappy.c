/*
 * snappy.c - unpacks what libsnappy has packed.
 */
#include "base/snappy.h"

#if defined(TFPROF_HAVE_SNAPPY)

#include <snappy-c.h>

/* The best that packed bytes can do, and some for a beginning. */
enum { BEST_RATIO = 22, BEST_START = 64 };

bool tfp_snappy_is_there(void)
{
    return true;
}

int tfp_snappy_size(tfp_span packed, size_t most, size_t *size,
                    tfprof_error *err)
{
    if (snappy_uncompressed_length((const char *)packed.data, packed.size,
                                   size) != SNAPPY_OK)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "Snappy data has no length");
    if (*size > BEST_START &&
        (*size - BEST_START + BEST_RATIO - 1) / BEST_RATIO > packed.size)
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "%zu bytes of Snappy data cannot make the %zu that "
                        "they claim",
                        packed.size, *size);
    if (*size > most)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "a block of %zu bytes unpacked is larger than the "
                        "limit of %zu (see --max_block)",
                        *size, most);
    return TFPROF_OK;
}

int tfp_snappy_unpack(tfp_span packed, uint8_t *out, size_t size,
                      tfprof_error *err)
{
    size_t made = size;
    if (snappy_uncompress((const char *)packed.data, packed.size, (char *)out,
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
                    "a block is packed by Snappy, and this tfprof was built "
                    "without it (see tfprof --version)");
}

int tfp_snappy_unpack(tfp_span packed, uint8_t *out, size_t size,
                      tfprof_error *err)
{
    (void)out;
    return tfp_snappy_size(packed, 0, &size, err);
}

#endif
