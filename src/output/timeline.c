/*
 * timeline.c - when each shown node ran, as a Chrome trace.
 */
#include "output/timeline.h"

int tfp_timeline_write(const tfp_view *v, tfprof_error *err)
{
    (void)v;
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--output: timelines are not written yet");
}
