/*
 * profile.c - all that was loaded, as a ProfileProto.
 */
#include "output/profile.h"

int tfp_profile_write(const tfp_census *census, tfp_sink *sink,
                      tfprof_error *err)
{
    (void)census;
    (void)sink;
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--output: profiles are not written yet");
}
