/*
 * keys.h - the attributes that shapes and formulas ask for.
 *
 * Attributes are found by the id that their name has in the model, so every
 * name is looked up once, and known by TFP_KEY_name from then on.
 */
#ifndef TFP_OPS_KEYS_H
#define TFP_OPS_KEYS_H

/* clang-format off */
#define TFP_KEYS(X)                                                            \
    X(_disable_call_shape_inference) X(adj_x) X(adj_y) X(adjoint_a)            \
    X(adjoint_b) X(aggregate_to_topk) X(axis) X(batch_dim) X(batch_dims)       \
    X(batched_input) X(begin_mask) X(block_size) X(body) X(branches)           \
    X(channels) X(compute_uv) X(compute_v) X(cond) X(container)                \
    X(data_format) X(dct_coefficient_count) X(dense_types)                     \
    X(desired_channels) X(desired_samples) X(dilations) X(direction) X(DstT)   \
    X(dtype) X(element_shape) X(ellipsis_mask) X(else_branch) X(end_mask)      \
    X(equation) X(expand_animations) X(explicit_paddings)                      \
    X(exponential_avg_factor) X(f) X(frame_name) X(full_matrices)              \
    X(function) X(fused_ops) X(identical_element_shapes)                       \
    X(incompatible_shape_error) X(is_constant) X(is_training) X(k)             \
    X(keep_dims) X(ksize) X(ksizes) X(new_axis_mask) X(num_elements)           \
    X(num_params) X(num_params_weights) X(num_sampled) X(num_true)             \
    X(out_idx) X(out_type) X(output_shapes) X(pad_per_class)                   \
    X(pad_to_max_output_size) X(padding) X(PARAMS_RAGGED_RANK)                 \
    X(pooling_ratio) X(post_nms_topn) X(RAGGED_RANK) X(ragged_values_types)    \
    X(rates) X(recall_target) X(reduction_dimension)                           \
    X(reduction_input_size_override) X(resize_if_index_out_of_bounds)          \
    X(rnn_mode) X(row_partition_types) X(shape) X(shapes) X(shared_name)       \
    X(shrink_axis_mask) X(squeeze_dims) X(stride) X(strides) X(T)              \
    X(Tcomplex) X(then_branch) X(Tin) X(top_paths) X(transpose_a)              \
    X(transpose_b) X(Treal) X(type) X(validate_shape) X(value)                 \
    X(value_shape) X(window_size)
/* clang-format on */

typedef enum tfp_key {
#define TFP_KEY_ENUM(name) TFP_KEY_##name,
    TFP_KEYS(TFP_KEY_ENUM)
#undef TFP_KEY_ENUM
        TFP_KEY_COUNT
} tfp_key;

extern const char *const tfp_key_names[TFP_KEY_COUNT];

#endif
