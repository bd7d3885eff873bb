/*
 * sample.c - check and sort the values of a sample.
 */
#include "stats/sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

#define SIGN_BIT ((uint64_t)1 << 63)

uint64_t tfp_sample_key(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

double tfp_sample_of_key(uint64_t key)
{
    uint64_t bits = key & SIGN_BIT ? key ^ SIGN_BIT : ~key;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

double tfp_sample_middle(double a, double b)
{
    double sum = a + b;
    return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

static int check(const double *values, size_t count, tfp_sample_range range,
                 tfprof_error *err)
{
    if (count > TFP_SAMPLE_MOST)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "a sample has more than %d values", TFP_SAMPLE_MOST);
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                            "value %zu of a sample is not a number", i + 1);
        if (range == TFP_SAMPLE_SUBTRACTED && fabs(values[i]) > DBL_MAX / 2)
            return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                            "value %zu of a sample is too large", i + 1);
    }
    return TFPROF_OK;
}

int tfp_sample_init(tfp_sample *sample, const double *values, size_t count,
                    tfp_sample_range range, tfp_memory *memory,
                    tfprof_error *err)
{
    tfp_sort_item *items;
    int status = check(values, count, range, err);
    *sample = (tfp_sample){ NULL, count };
    if (status != TFPROF_OK || count == 0)
        return status;
    items = tfp_memory_array(memory, 2 * count, sizeof(*items));
    sample->values = tfp_memory_array(memory, count, sizeof(double));
    if (!items || !sample->values) {
        tfp_memory_free(memory, items);
        tfp_sample_release(sample, memory);
        return tfp_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ tfp_sample_key(values[i]), (uint32_t)i };
    tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        sample->values[i] = tfp_sample_of_key(items[i].key);
    tfp_memory_free(memory, items);
    return TFPROF_OK;
}

void tfp_sample_release(tfp_sample *sample, tfp_memory *memory)
{
    tfp_memory_free(memory, sample->values);
    *sample = (tfp_sample){ 0 };
}
