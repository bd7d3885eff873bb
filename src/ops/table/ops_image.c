/*
 * ops_image.c - images: resizes, crops, patches, boxes, files.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/window.h"

/* ---- Sizes from an input ------------------------------------------------ */

/* [batch, height, width, channels], where height and width are the value of
 * input `size`. */
static void put_sized(tfp_site *site, int64_t batch, size_t size,
                      int64_t channels)
{
    int64_t dims[] = { batch, TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN, channels };
    tfp_form length;
    tfp_value value;
    if (!tfp_form_input_of(site, size, 1, &length) ||
        (length.at[0] >= 0 && length.at[0] != 2))
        return;
    if (tfp_site_ints_value(site, size, &value) && value.count == 2 &&
        value.at[0] >= 0 && value.at[1] >= 0) {
        dims[1] = value.at[0];
        dims[2] = value.at[1];
    }
    tfp_site_put(site, 0, dims, 4);
}

static void infer_resize(tfp_site *site)
{
    tfp_form image;
    if (tfp_form_input_of(site, 0, 4, &image))
        put_sized(site, image.at[0], 1, image.at[3]);
}

static void infer_quantized_resize(tfp_site *site)
{
    infer_resize(site);
    tfp_site_put_scalar(site, 1);
    tfp_site_put_scalar(site, 2);
}

static void infer_as_input_1(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 1)->shape);
}

static void infer_as_input_2(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 2)->shape);
}

static void infer_glimpse(tfp_site *site)
{
    tfp_form image, offsets;
    if (tfp_form_input_of(site, 0, 4, &image) &&
        tfp_form_input_of(site, 2, 2, &offsets) &&
        tfp_dim_merge(image.at[0], offsets.at[0], &image.at[0]))
        put_sized(site, image.at[0], 1, image.at[3]);
}

static void infer_projected(tfp_site *site)
{
    tfp_form image;
    if (tfp_form_input_of(site, 0, 4, &image))
        put_sized(site, image.at[0], 2, image.at[3]);
}

/* A crop for each box. */
static void infer_crop(tfp_site *site)
{
    tfp_form image, boxes, indices;
    int64_t count;
    if (tfp_form_input_of(site, 0, 4, &image) &&
        tfp_form_input_of(site, 1, 2, &boxes) &&
        tfp_form_input_of(site, 2, 1, &indices) &&
        tfp_dim_merge(boxes.at[0], indices.at[0], &count))
        put_sized(site, count, 3, image.at[3]);
}

static void infer_crop_to_image(tfp_site *site)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, 3, out.at);
    if (out.rank < 0)
        tfp_form_unknown(&out, 4);
    if (out.rank == 4)
        tfp_site_put_form(site, 0, &out);
}

static void infer_random_crop(tfp_site *site)
{
    tfp_form image;
    tfp_value value;
    if (!tfp_form_input_of(site, 0, 3, &image))
        return;
    image.at[0] = image.at[1] = TFP_DIM_UNKNOWN;
    if (tfp_site_ints_value(site, 1, &value) && value.count == 2 &&
        value.at[0] >= 0 && value.at[1] >= 0) {
        image.at[0] = value.at[0];
        image.at[1] = value.at[1];
    }
    tfp_site_put_form(site, 0, &image);
}

/* ---- Colors ------------------------------------------------------------ */

static void infer_same_from_3d(tfp_site *site)
{
    tfp_form image;
    if (tfp_form_input_from(site, 0, 3, &image))
        tfp_site_put_form(site, 0, &image);
}

static void infer_colours(tfp_site *site)
{
    tfp_form image;
    if (tfp_form_input_from(site, 0, 1, &image) &&
        tfp_form_merge_dim(&image, -1, 3))
        tfp_site_put_form(site, 0, &image);
}

/* ---- Patches ------------------------------------------------------------ */

/* What TensorFlow says where one of the spatial dims is not known: nothing of
 * any of them, and of volumes that they are images. */
static void put_unknown_patches(tfp_site *site, const tfp_form *image)
{
    int64_t dims[] = { image->at[0], TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN,
                       image->at[image->rank - 1] };
    tfp_site_put(site, 0, dims, 4);
}

/* Each becomes the channels of a point. */
static void infer_patches(tfp_site *site, int rank)
{
    const int64_t *sizes = tfp_site_ints_of(site, TFP_KEY_ksizes, (size_t)rank);
    const int64_t *strides = tfp_site_ints_of(site, TFP_KEY_strides,
                                              (size_t)rank);
    const int64_t *rates = tfp_site_ints_of(site, TFP_KEY_rates, (size_t)rank);
    bool is_known = true;
    tfp_form image;
    if (!sizes || !strides || !tfp_form_input_of(site, 0, rank, &image))
        return;
    for (int i = 1; i < rank - 1; i++) {
        tfp_window window = { sizes[i], strides[i], rates ? rates[i] : 1, 0 };
        is_known &= image.at[i] >= 0;
        if (sizes[i] < 1 || !tfp_window_count(&window, tfp_site_padding(site),
                                              image.at[i], &image.at[i]))
            return;
        image.at[rank - 1] = tfp_dim_mul(image.at[rank - 1], sizes[i]);
    }
    if (is_known || site->grade == TFP_GRADE_FULL)
        tfp_site_put_form(site, 0, &image);
    else
        put_unknown_patches(site, &image);
}

static void infer_image_patches(tfp_site *site)
{
    infer_patches(site, 4);
}

static void infer_volume_patches(tfp_site *site)
{
    infer_patches(site, 5);
}

/* ---- Boxes -------------------------------------------------------------- */

static void infer_some_boxes(tfp_site *site)
{
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
}

/* As many as are asked for, if the rest is filled up. */
static int64_t padded_boxes(const tfp_site *site)
{
    return tfp_site_bool(site, TFP_KEY_pad_to_max_output_size, false)
               ? tfp_site_dim_value(site, 2)
               : TFP_DIM_UNKNOWN;
}

static void infer_boxes_v4(tfp_site *site)
{
    tfp_site_put_vector(site, 0, padded_boxes(site));
    tfp_site_put_scalar(site, 1);
}

static void infer_boxes_v5(tfp_site *site)
{
    tfp_site_put_vector(site, 0, padded_boxes(site));
    tfp_site_put_vector(site, 1, padded_boxes(site));
    tfp_site_put_scalar(site, 2);
}

/* [batch, boxes, classes or 1, 4] and [batch, boxes, classes]. */
static void infer_boxes_by_class(tfp_site *site)
{
    tfp_form boxes, scores;
    int64_t each = tfp_site_dim_value(site, 2), most;
    if (!tfp_form_input_of(site, 0, 4, &boxes) ||
        !tfp_form_input_of(site, 1, 3, &scores))
        return;
    most = tfp_site_dim_value(site, 3);
    if (tfp_site_bool(site, TFP_KEY_pad_per_class, false))
        most = tfp_dim_least(most, tfp_dim_mul(each, scores.at[2]));
    boxes.at[1] = most;
    boxes.at[2] = 4;
    tfp_site_put(site, 0, boxes.at, 3);
    tfp_site_put(site, 1, boxes.at, 2);
    tfp_site_put(site, 2, boxes.at, 2);
    tfp_site_put(site, 3, boxes.at, 1);
}

/* [batch, boxes, 4] and how likely each is. */
static void infer_proposals(tfp_site *site)
{
    tfp_form scores;
    if (!tfp_form_input_of(site, 0, 4, &scores))
        return;
    scores.at[1] = tfp_site_int(site, TFP_KEY_post_nms_topn, 300);
    scores.at[2] = 4;
    tfp_site_put(site, 0, scores.at, 3);
    tfp_site_put(site, 1, scores.at, 2);
}

static void infer_distorted_box(tfp_site *site)
{
    static const int64_t box[] = { 1, 1, 4 };
    tfp_site_put_vector(site, 0, 3);
    tfp_site_put_vector(site, 1, 3);
    tfp_site_put(site, 2, box, 3);
}

/* ---- Files -------------------------------------------------------------- */

/* 0 channels are as many as the file has. */
static int64_t channels_of(const tfp_site *site)
{
    int64_t channels = tfp_site_int(site, TFP_KEY_channels, 0);
    return channels > 0 ? channels : TFP_DIM_UNKNOWN;
}

static void put_image(tfp_site *site, int64_t height, int64_t width,
                      int64_t channels)
{
    int64_t dims[] = { height, width, channels };
    tfp_site_put(site, 0, dims, 3);
}

static void infer_decoded(tfp_site *site)
{
    put_image(site, TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN, channels_of(site));
}

static void infer_decoded_gif(tfp_site *site)
{
    static const int64_t dims[] = { TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN,
                                    TFP_DIM_UNKNOWN, 3 };
    tfp_site_put(site, 0, dims, 4);
}

/* Frames of an animation, or one. */
static void infer_decoded_webp(tfp_site *site)
{
    int64_t dims[] = { TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN, TFP_DIM_UNKNOWN,
                       channels_of(site) };
    tfp_site_put(site, 0, dims, 4);
}

/* It may be a GIF, which has a dim more. */
static void infer_decoded_any(tfp_site *site)
{
    if (!tfp_site_bool(site, TFP_KEY_expand_animations, true))
        infer_decoded(site);
}

/* The window is top, left, height, width. TensorFlow takes all of it or
 * nothing. */
static void infer_decoded_crop(tfp_site *site)
{
    int64_t dims[TFP_MOST_RANK];
    tfp_value whole;
    int rank = tfp_site_input_as_shape(site, 1, dims);
    if (rank >= 0 && rank != 4)
        return;
    if (rank == 4 &&
        (site->grade == TFP_GRADE_FULL || tfp_site_ints_value(site, 1, &whole)))
        put_image(site, dims[2], dims[3], channels_of(site));
    else
        infer_decoded(site);
}

static void infer_jpeg_shape(tfp_site *site)
{
    tfp_site_put_vector(site, 0, 3);
}

static void infer_encoded(tfp_site *site)
{
    tfp_form image;
    if (!tfp_form_input_from(site, 0, 3, &image))
        return;
    tfp_form_drop_last(&image, 3);
    tfp_site_put_form(site, 0, &image);
}

/* ---- Sound -------------------------------------------------------------- */

static void infer_wav(tfp_site *site)
{
    int64_t channels = tfp_site_int(site, TFP_KEY_desired_channels, -1);
    int64_t samples = tfp_site_int(site, TFP_KEY_desired_samples, -1);
    int64_t dims[] = { samples < 0 ? TFP_DIM_UNKNOWN : samples,
                       channels < 0 ? TFP_DIM_UNKNOWN : channels };
    tfp_site_put(site, 0, dims, 2);
    tfp_site_put_scalar(site, 1);
}

/* Frequencies up to half of the next power of two. */
static int64_t spectrum_of(int64_t window)
{
    int64_t length = 1;
    while (length < window && length < INT64_MAX / 2)
        length *= 2;
    return length / 2 + 1;
}

/* [samples, channels] to [channels, windows, frequencies]. */
static void infer_spectrogram(tfp_site *site)
{
    int64_t window = tfp_site_int(site, TFP_KEY_window_size, 0);
    int64_t stride = tfp_site_int(site, TFP_KEY_stride, 0);
    int64_t dims[3];
    tfp_form in;
    if (window < 2 || stride < 1 || !tfp_form_input_of(site, 0, 2, &in))
        return;
    dims[0] = in.at[1];
    dims[1] = TFP_DIM_UNKNOWN;
    if (in.at[0] >= 0)
        dims[1] = in.at[0] < window ? 0 : 1 + (in.at[0] - window) / stride;
    dims[2] = spectrum_of(window);
    tfp_site_put(site, 0, dims, 3);
}

static void infer_mfcc(tfp_site *site)
{
    tfp_form in;
    if (!tfp_form_input_of(site, 0, 3, &in))
        return;
    in.at[2] = tfp_site_int(site, TFP_KEY_dct_coefficient_count, 13);
    tfp_site_put_form(site, 0, &in);
}

/* Where a pixel comes from: two quotients of sums of products. Then, unless
 * the nearest is taken, its value. */
#define PROJECTION                                                             \
    "float_ops: 14 * prod(y0, 0, -1) + "                                       \
    "(attr(interpolation, '') == 'NEAREST' ? 0 : 9) * #y0"

const tfp_op tfp_ops_image[] = {
    /* name, outputs, shapes */
    { "AdjustContrast", "output", infer_same_from_3d,
      .formula = "6 * #x0" }, /* and twice clipped */
    { "AdjustContrastv2", "output", infer_same_from_3d,
      .formula = "4 * #x0" }, /* mean; sub, mul, add */
    { "AdjustHue", "output", infer_same_from_3d, .formula = "14 * #x0" },
    { "AdjustSaturation", "output", infer_same_from_3d, .formula = "14 * #x0" },
    { "AudioSpectrogram", "spectrogram", infer_spectrogram, .formula = NULL },
    { "CombinedNonMaxSuppression",
      "nmsed_boxes,nmsed_scores,nmsed_classes,valid_detections",
      infer_boxes_by_class, .formula = "float_ops: 10 * #x1 * value(x2)" },
    { "CropAndResize", "crops", infer_crop,
      .formula =
          "float_ops: attr(method, 'bilinear') == 'nearest' ? free : 9 * #y0" },
    { "CropAndResizeGradBoxes", "output", infer_as_input_2,
      .formula = "float_ops: 22 * #x0" },
    { "CropAndResizeGradImage", "output", infer_crop_to_image,
      .formula =
          "float_ops: (attr(method, 'bilinear') == 'nearest' ? 1 : 9) * #x0" },
    { "DecodeAndCropJpeg", "image", infer_decoded_crop, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "DecodeBmp", "image", infer_decoded, .formula = "free" },
    { "DecodeGif", "image", infer_decoded_gif, .formula = "free" },
    { "DecodeImage", "image", infer_decoded_any, .formula = "free" },
    { "DecodeJpeg", "image", infer_decoded, .formula = "free" },
    { "DecodePng", "image", infer_decoded, .formula = "free" },
    { "DecodeWav", "audio,sample_rate", infer_wav, .formula = "free" },
    { "DecodeWebP", "image", infer_decoded_webp, .formula = "free" },
    { "DrawBoundingBoxes", "output", infer_same_from_3d, .formula = "free" },
    { "DrawBoundingBoxesV2", "output", infer_same_from_3d, .formula = "free" },
    { "EncodeJpeg", "contents", tfp_infer_scalar, .formula = "free" },
    { "EncodeJpegVariableQuality", "contents", tfp_infer_scalar,
      .formula = "free" },
    { "EncodePng", "contents", infer_encoded, .formula = "free" },
    { "EncodeWav", "contents", tfp_infer_scalar, .formula = "free" },
    { "ExtractGlimpse", "glimpse", infer_glimpse, .formula = "free" },
    { "ExtractGlimpseV2", "glimpse", infer_glimpse, .formula = "free" },
    { "ExtractImagePatches", "patches", infer_image_patches,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "ExtractJpegShape", "image_shape", infer_jpeg_shape, .formula = "free" },
    { "ExtractVolumePatches", "patches", infer_volume_patches,
      .kind = TFP_OP_BEYOND, .formula = "free" },
    { "GenerateBoundingBoxProposals", "rois,roi_probabilities", infer_proposals,
      .formula = NULL },
    { "HSVToRGB", "output", infer_colours, .formula = "9 * #x0" },
    { "ImageProjectiveTransformV2", "transformed_images", infer_projected,
      .formula = PROJECTION },
    { "ImageProjectiveTransformV3", "transformed_images", infer_projected,
      .formula = PROJECTION },
    { "Mfcc", "output", infer_mfcc, .formula = NULL },
    { "NonMaxSuppression", "selected_indices", infer_some_boxes,
      .formula = "float_ops: 10 * x0[0] * value(x2)" },
    { "NonMaxSuppressionV2", "selected_indices", infer_some_boxes,
      .formula = "float_ops: 10 * x0[0] * value(x2)" },
    { "NonMaxSuppressionV3", "selected_indices", infer_some_boxes,
      .formula = "float_ops: 10 * x0[0] * value(x2)" },
    { "NonMaxSuppressionV4", "selected_indices,valid_outputs", infer_boxes_v4,
      .formula = "float_ops: 10 * x0[0] * value(x2)" },
    { "NonMaxSuppressionV5", "selected_indices,selected_scores,valid_outputs",
      infer_boxes_v5, .formula = "float_ops: 10 * x0[0] * value(x2)" },
    { "NonMaxSuppressionWithOverlaps", "selected_indices", infer_some_boxes,
      .formula = "float_ops: x0[0] * value(x2)" },
    { "QuantizedResizeBilinear", "resized_images,out_min,out_max",
      infer_quantized_resize, .formula = "int_ops: 9 * #y0" },
    { "RGBToHSV", "output", infer_colours, .formula = "4 * #x0" },
    { "RandomCrop", "output", infer_random_crop, .formula = "free" },
    { "ResizeArea", "resized_images", infer_resize,
      .formula = "2 * max(#x0, #y0)" },
    { "ResizeBicubic", "resized_images", infer_resize,
      .formula = "float_ops: 32 * #y0" },
    { "ResizeBicubicGrad", "output", infer_as_input_1, .formula = "32 * #x0" },
    { "ResizeBilinear", "resized_images", infer_resize,
      .formula = "float_ops: 9 * #y0" },
    { "ResizeBilinearGrad", "output", infer_as_input_1, .formula = "9 * #x0" },
    { "ResizeNearestNeighbor", "resized_images", infer_resize,
      .formula = "free" },
    { "ResizeNearestNeighborGrad", "output", infer_resize, .formula = "#x0" },
    { "SampleDistortedBoundingBox", "begin,size,bboxes", infer_distorted_box,
      .formula = "free" },
    { "SampleDistortedBoundingBoxV2", "begin,size,bboxes", infer_distorted_box,
      .formula = "free" },
    { "ScaleAndTranslate", "resized_images", infer_resize, .formula = NULL },
    { "ScaleAndTranslateGrad", "output", infer_as_input_1, .formula = NULL },
    { "StatelessSampleDistortedBoundingBox", "begin,size,bboxes",
      infer_distorted_box, .formula = "free" },
    { 0 },
};
