/*
 * pprof.c - a view for the pprof program: profile.proto.
 */
#include "output/pprof.h"

int tfp_pprof_write(const tfp_view *v, tfp_sink *sink, tfprof_error *err)
{
    (void)v;
    (void)sink;
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--output: pprof files are not written yet");
}
