/*
 * tensor_values.h - the values of the tensor that a row is called after.
 *
 * What goes wrong with a tensor is noted in view->values, and the answer goes
 * on without its values, unless view->values->stopped says otherwise.
 */
#ifndef TFP_OUTPUT_TENSOR_VALUES_H
#define TFP_OUTPUT_TENSOR_VALUES_H

#include "output/sink/sink.h"
#include "output/text/json.h"
#include "proto/put.h"
#include "view/view.h"

/* Does the answer have values? The views of groups have none. */
bool tfp_view_has_values(const tfp_view *view);

/* As upstream prints them below the row; of some types it prints nothing. */
void tfp_row_put_value(const tfp_view *view, uint32_t row, tfp_sink *sink);

/* A field of that tag, a TFProfTensorProto: whole numbers and truths as
 * int64, others as double, a complex one as two. Nothing when no checkpoint
 * has the tensor, or it cannot be read. */
void tfp_row_proto_value(const tfp_view *view, uint32_t row, uint32_t tag,
                         tfp_put *put);

/* "value": an object with dtype, shape and elements or an error; or null. */
void tfp_row_json_value(const tfp_view *view, uint32_t row, tfp_json *json);

/* The cells of a table: dtype, shape, elements with blanks between them. */
void tfp_row_csv_value(const tfp_view *view, uint32_t row, tfp_sink *sink);

#endif
