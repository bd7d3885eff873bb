/*
 * values.c - the values of a checkpoint's tensors, while a view is written.
 */
#include "api/values.h"

#include "model/stored.h"

#include "model/model.h"

#include "base/error.h"

#include "api/remarks.h"
#include "base/escape.h"

static void remark_on_fault(void *self, uint32_t tensor,
                            const tfprof_error *why)
{
    enum { MOST_NAMED = 20 }; /* the rest is counted */
    const tfp_view_values *v = self;
    const tfp_model *model = &v->profile->model;
    const tfp_stored *stored = &model->stored.tensors.data[tensor];
    char name[100];
    tfp_escape_short(tfp_model_text(model, stored->name), name, sizeof(name));
    if (v->values.damaged <= MOST_NAMED)
        tfp_remark(v->profile, "cannot read the values of tensor %s: %s", name,
                   why->message);
}

void tfp_view_values_init(tfp_view_values *v, tfprof_profile *profile,
                          tfp_view *view)
{
    v->profile = profile;
    v->bytes_read = profile->context.bytes_read;
    tfp_tensor_files_init(&v->files, &profile->context);
    v->values = (tfp_tensor_values){ .source = tfp_tensor_files_source(
                                         &v->files),
                                     .on_fault = remark_on_fault,
                                     .self = v };
    view->values = profile->model.stored.tensors.count > 0 ? &v->values : NULL;
}

int tfp_view_values_finish(tfp_view_values *v, int status, tfprof_error *err)
{
    const tfp_tensor_values *values = &v->values;
    tfp_tensor_files_release(&v->files);
    v->profile->context.bytes_read = v->bytes_read;
    if (status != TFPROF_OK)
        return status;
    if (values->unshown > 0)
        tfp_remark(
            v->profile,
            "the values of %lld tensor%s are not shown: --format text "
            "supports only float32, float64, int32, int64 and string (--format "
            "json and csv show all)",
            (long long)values->unshown, values->unshown == 1 ? "" : "s");
    if (values->damaged == 0)
        return TFPROF_OK;
    return tfp_fail(err, (tfprof_code)values->status, -1,
                    "cannot read the values of %lld tensor%s; first error: %s",
                    (long long)values->damaged, values->damaged == 1 ? "" : "s",
                    values->why.message);
}
