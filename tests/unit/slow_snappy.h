/*
 * slow_snappy.h - unpacks Snappy by the description of its format, as a judge
 * for the library. The fuzz target uses it too.
 */
#ifndef TFP_TESTS_SLOW_SNAPPY_H
#define TFP_TESTS_SLOW_SNAPPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/* Unpacks by the format's description, byte by byte. -1 when it is damaged. */
static inline ptrdiff_t slow_snappy_unpack(tfp_span in, uint8_t *out,
                                           size_t size)
{
    size_t at = 0, made = 0;
    while (at < in.size && in.data[at] >= 0x80)
        at++;
    at++; /* the length */
    while (at < in.size) {
        uint8_t tag = in.data[at++];
        size_t length, offset = 0, more;
        if (tag % 4 == 0) { /* literal */
            length = tag / 4u;
            more = length < 60 ? 0 : length - 59;
            if (more > 0)
                length = 0;
            for (size_t i = 0; i < more; i++) {
                if (at >= in.size)
                    return -1;
                length |= (size_t)in.data[at++] << 8 * i;
            }
            length = (length + 1) & UINT32_MAX; /* as the library counts */
            if (length > in.size - at || length > size - made)
                return -1;
            memcpy(out + made, in.data + at, length);
            at += length;
            made += length;
            continue;
        }
        more = tag % 4 == 1 ? 1 : tag % 4 == 2 ? 2 : 4;
        length = tag % 4 == 1 ? 4u + tag / 4u % 8u : 1u + tag / 4u;
        for (size_t i = 0; i < more; i++) {
            if (at >= in.size)
                return -1;
            offset |= (size_t)in.data[at++] << 8 * i;
        }
        if (tag % 4 == 1)
            offset |= (size_t)(tag / 32u) << 8;
        if (offset == 0 || offset > made || length > size - made)
            return -1;
        for (size_t i = 0; i < length; i++, made++)
            out[made] = out[made - offset];
    }
    return (ptrdiff_t)made;
}

#endif
