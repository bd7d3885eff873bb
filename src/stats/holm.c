/*
 * holm.c - Holm's correction of p-values.
 */
#include "stats/holm.h"

#include <assert.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sort.h"
#include "stats/sample.h"

int tfp_holm(const double *p, size_t count, tfp_memory *memory, double *out,
             tfprof_error *err)
{
    tfp_sort_item *items;
    double least = 0;
    if (count > UINT32_MAX)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "there are more than 2^32 - 1 tests");
    items = tfp_memory_array(memory, count, 2 * sizeof(*items));
    if (!items)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        assert(p[i] >= 0 && p[i] <= 1);
        items[i] = (tfp_sort_item){ tfp_sample_key(p[i]), (uint32_t)i };
    }
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        double corrected = (double)(count - i) *
                           tfp_sample_of_key(items[i].key);
        if (corrected > least)
            least = corrected < 1 ? corrected : 1;
        out[items[i].index] = least;
    }
    tfp_memory_free(memory, items);
    return TFPROF_OK;
}
