/*
 * arrow.c - the rows of a view, handed to whoever reads Arrow.
 */
#include "api/kept_view.h"

int tfprof_view_export_arrow(const tfprof_view *view,
                             struct ArrowArrayStream *stream, tfprof_error *err)
{
    (void)view;
    (void)stream;
    return tfp_fail(err, TFPROF_ERR_MISSING, -1, "not there yet");
}
