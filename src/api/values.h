/*
 * values.h - the values of a checkpoint's tensors, while a view is written.
 */
#ifndef TFP_API_VALUES_H
#define TFP_API_VALUES_H

#include "api/profile.h"
#include "input/checkpoint/tensor_files.h"
#include "model/stored.h"
#include "output/view/tensor_values.h"
#include "view/view.h"

typedef struct tfp_view_values {
    tfprof_profile *profile;
    tfp_tensor_files files;
    tfp_tensor_values values;
    int64_t bytes_read; /* before: values are read anew for each view */
} tfp_view_values;

/* Lets the view read values, if there are any. */
void tfp_view_values_init(tfp_view_values *values, tfprof_profile *profile,
                          tfp_view *view);

/* Closes the files. The status, or that some values could not be read: the
 * rows have been told by then. */
int tfp_view_values_finish(tfp_view_values *values, int status,
                           tfprof_error *err);

#endif
