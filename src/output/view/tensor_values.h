/*
 * tensor_values.h - the values of the tensor that a row is called after.
 *
 * What goes wrong with a tensor is noted in view->values, and the answer goes
 * on without its values, unless view->values->stopped says otherwise.
 */
#ifndef TFP_OUTPUT_TENSOR_VALUES_H
#define TFP_OUTPUT_TENSOR_VALUES_H

#include "base/utf8.h"
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

/* A tensor, copied: what it is, its elements as bytes and as a text. */
typedef struct tfp_kept_tensor {
    size_t at;         /* the row that it belongs to, among those shown */
    int status;        /* TFPROF_OK, or why it could not be read */
    const char *dtype; /* "float32"; NULL: none that has values */
    int64_t *dims;     /* `rank` sizes */
    size_t rank;
    size_t count; /* elements */
    TFP_VEC(uint8_t)
    bytes;                /* of all elements, little-endian; strings one
                           * behind the other */
    TFP_VEC(size_t) ends; /* of strings: where each ends */
    tfp_utf8 text;        /* as tfp_row_csv_value() writes it */
} tfp_kept_tensor;

/* False when no checkpoint has a tensor of the row's name; or out of memory,
 * and *failed is set. The copy is to be released in any case. */
bool tfp_row_keep_value(const tfp_view *view, uint32_t row, tfp_memory *memory,
                        tfp_kept_tensor *tensor, bool *failed);
void tfp_kept_tensor_release(tfp_kept_tensor *tensor, tfp_memory *memory);

/* The cells of a table: dtype, shape, elements with blanks between them. */
void tfp_row_csv_value(const tfp_view *view, uint32_t row, tfp_sink *sink);

#endif
