/*
 * findings.c - the public functions about advice that a caller keeps.
 */
#include "api/profile.h"

struct tfprof_advice {
    tfp_memory memory; /* the profile's allocator, counted apart */
};

int tfprof_profile_advise(tfprof_profile *p, tfprof_advice **advice,
                          tfprof_error *err)
{
    (void)p;
    *advice = NULL;
    return tfp_fail(err, TFPROF_ERR_MISSING, -1, "not there yet");
}

void tfprof_advice_free(tfprof_advice *advice)
{
    (void)advice;
}

size_t tfprof_advice_count(const tfprof_advice *advice)
{
    (void)advice;
    return 0;
}

int tfprof_advice_at(const tfprof_advice *advice, size_t index,
                     tfprof_finding *finding)
{
    (void)advice;
    (void)index;
    (void)finding;
    return TFPROF_ERR_MISSING;
}
