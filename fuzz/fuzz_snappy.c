/*
 * fuzz_snappy.c - any bytes as Snappy data.
 *
 * Holds that what comes out is what the description of the format says, byte
 * for byte, or nothing; and that a claim that could not be kept is refused.
 */
#include <string.h>

#include "../tests/unit/slow_snappy.h"
#include "base/snappy.h"
#include "fuzz.h"
#include "target.h"

int fuzz_snappy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = fuzz_copy(bytes, size), *fast, *slow;
    tfp_span packed = { copy, size };
    tfprof_error err;
    size_t claim;
    ptrdiff_t made;
    int status;
    if (!tfp_snappy_is_there()) {
        free(copy);
        return 0;
    }
    status = tfp_snappy_size(packed, FUZZ_MOST_MEMORY, &claim, &err);
    if (status == TFPROF_OK) {
        FUZZ_CHECK(claim <= 22 * size + 64);
        fast = malloc(claim ? claim : 1);
        slow = malloc(claim ? claim : 1);
        FUZZ_CHECK(fast && slow);
        status = tfp_snappy_unpack(packed, fast, claim, &err);
        made = slow_snappy_unpack(packed, slow, claim);
        FUZZ_CHECK((status == TFPROF_OK) == (made == (ptrdiff_t)claim));
        if (status == TFPROF_OK)
            FUZZ_CHECK(!memcmp(fast, slow, claim));
        free(fast);
        free(slow);
    }
    if (status != TFPROF_OK)
        FUZZ_CHECK(status == (int)err.code && err.message[0]);
    free(copy);
    return 0;
}
