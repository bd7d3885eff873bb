/*
 * window.h - windows that slide over images and volumes.
 */
#ifndef TFP_OPS_WINDOW_H
#define TFP_OPS_WINDOW_H

#include "ops/table/form.h"

typedef enum tfp_padding {
    TFP_PADDING_NONE, /* the attribute is missing or none of these */
    TFP_PADDING_SAME,
    TFP_PADDING_VALID,
    TFP_PADDING_EXPLICIT
} tfp_padding;

tfp_padding tfp_site_padding(const tfp_site *site);

/* Where an image or volume has its channels and its first spatial dim. */
typedef struct tfp_image_axes {
    int channels, spatial;
} tfp_image_axes;

/* As attribute data_format says for images of that rank. False for formats
 * that split the channels. */
bool tfp_site_image_axes(const tfp_site *site, int rank, tfp_image_axes *axes);

/* One dim of a window. */
typedef struct tfp_window {
    int64_t size; /* may be unknown */
    int64_t stride, dilation;
    int64_t pads; /* before and after, if padding is explicit */
} tfp_window;

/* How often a window fits into a dim. False when it does not. */
bool tfp_window_count(const tfp_window *window, tfp_padding padding,
                      int64_t size, int64_t *count);

/* The items of a list of ints of this length, or NULL. */
const int64_t *tfp_site_ints_of(const tfp_site *site, tfp_key key,
                                size_t count);

/* Explicit padding of one axis: both sides. Unknown if it is not said. */
int64_t tfp_site_pads(const tfp_site *site, int axis);

/* Output 0 is the value of input `i` as a shape of that rank. */
void tfp_site_put_input_as_shape(tfp_site *site, size_t i, int rank);

#endif
