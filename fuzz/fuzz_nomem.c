/*
 * fuzz_nomem.c - any bytes, while one allocation in 32 fails (ME-04).
 *
 * The first byte says what the bytes from the sixth on are read as, one of
 * the formats or a file of any kind; the four between them decide which
 * allocations fail. Holds that nothing is kept, and that the answer is "out
 * of memory" or the one that would have come without failures.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "fuzz.h"
#include "target.h"

enum { HEAD = 5, ONE_IN = 32 };

typedef struct scarce_heap {
    uint32_t random; /* never 0 */
    size_t held;
} scarce_heap;

static void *resize(void *context, void *block, size_t old_size,
                    size_t new_size)
{
    scarce_heap *heap = context;
    void *moved = NULL;
    if (new_size > 0) {
        if (fuzz_draw(&heap->random) % ONE_IN == 0 ||
            new_size > FUZZ_MOST_MEMORY - heap->held)
            return NULL;
        moved = realloc(block, new_size);
        FUZZ_CHECK(moved);
    } else {
        free(block);
    }
    heap->held += new_size - old_size;
    return moved;
}

static void read_format(const fuzz_format *format, tfp_span data,
                        scarce_heap *heap)
{
    tfp_memory plenty = fuzz_memory(), scarce;
    fuzz_outcome without = fuzz_read(format, data, 0, &plenty), with;
    tfp_memory_init(&scarce, resize, heap);
    with = fuzz_read(format, data, 0, &scarce);
    if (with.status != TFPROF_ERR_NOMEM)
        fuzz_check_same(&with, &without);
}

static int drop(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

/* The same file twice: after a failure the profile must still be usable. */
static void read_any(tfp_span data, scarce_heap *heap)
{
    tfprof_profile *profile = tfprof_profile_new_with(resize, heap);
    int status;
    if (!profile)
        return;
    for (int i = 0; i < 2; i++)
        (void)tfprof_profile_add_memory(profile, "fuzz", data.data, data.size,
                                        NULL, NULL);
    FUZZ_CHECK(tfprof_profile_input_count(profile) <= 2);
    status = tfprof_profile_write_info(profile, drop, NULL, NULL);
    FUZZ_CHECK(status == TFPROF_OK || status == TFPROF_ERR_NOMEM);
    tfprof_profile_free(profile);
}

int fuzz_nomem(const uint8_t *bytes, size_t size)
{
    tfp_span data;
    scarce_heap heap = { .random = 1 };
    uint32_t seed;
    size_t what;
    if (size < HEAD)
        return 0;
    data = (tfp_span){ bytes + HEAD, size - HEAD };
    what = bytes[0] % (fuzz_format_count + 1);
    memcpy(&seed, bytes + 1, sizeof(seed));
    heap.random = seed ? seed : 1;
    if (what < fuzz_format_count)
        read_format(&fuzz_formats[what], data, &heap);
    else
        read_any(data, &heap);
    FUZZ_CHECK(heap.held == 0);
    return 0;
}
