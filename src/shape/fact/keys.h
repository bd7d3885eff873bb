/*
 * keys.h - the attributes that shapes and formulas ask for.
 *
 * Attributes are found by the id that their name has in the model, so every
 * name is looked up once, and known by TFP_KEY_name from then on.
 */
#ifndef TFP_SHAPE_KEYS_H
#define TFP_SHAPE_KEYS_H

/* clang-format off */
#define TFP_KEYS(X)                                                            \
    X(_disable_call_shape_inference) X(a_is_sparse) X(activation_mode)         \
    X(adj_a) X(adj_b) X(adj_x) X(adj_y) X(adjoint_a) X(adjoint_b)              \
    X(aggregate_to_topk) X(align_corners) X(allowed_devices) X(axis)           \
    X(b_is_sparse) X(batch_dim) X(batch_dims) X(batch_dims_count)              \
    X(batch_group_count) X(batched_input) X(begin_mask) X(binary_output)       \
    X(bitwidth) X(block_shape) X(block_size) X(body) X(boundaries)             \
    X(branches) X(channels) X(component_types) X(compute_uv) X(compute_v)      \
    X(cond) X(container) X(crops) X(data_format) X(dct_coefficient_count)      \
    X(dense_types) X(depth_radius) X(desired_channels) X(desired_samples)      \
    X(diagonal) X(dilations) X(direction) X(dropout) X(DstT) X(dtype)          \
    X(dtypes) X(element_dtype) X(element_shape) X(ellipsis_mask)               \
    X(else_branch) X(end_mask) X(epsilon) X(equation) X(exclusive)             \
    X(expand_animations) X(explicit_paddings) X(exponential_avg_factor) X(f)   \
    X(feature_group_count) X(frame_name) X(full_matrices) X(function)          \
    X(fused_ops) X(groups) X(half_pixel_centers) X(hidden_size)                \
    X(identical_element_shapes) X(incompatible_shape_error) X(Index)           \
    X(input_mode) X(input_ragged_rank) X(interpolation) X(is_constant)         \
    X(is_max_k) X(is_training) X(k) X(keep_dims) X(ksize) X(ksizes) X(lower)   \
    X(max_output_size) X(method) X(mode) X(N) X(new_axis_mask) X(Nparams)      \
    X(num) X(num_args) X(num_bits) X(num_columns) X(num_elements)              \
    X(num_outputs) X(num_params) X(num_params_weights) X(num_partitions)       \
    X(num_proj) X(num_sampled) X(num_segments) X(num_shards)                   \
    X(num_side_inputs) X(num_split) X(num_true) X(op_names) X(out_idx)         \
    X(out_type) X(output_dtype) X(OUTPUT_RAGGED_RANK) X(output_ragged_rank)    \
    X(output_shapes) X(output_type) X(output_types) X(pad_per_class)           \
    X(pad_to_max_output_size) X(padding) X(paddings) X(parallel_iterations)    \
    X(PARAMS_RAGGED_RANK) X(pooling_ratio) X(post_nms_topn)                    \
    X(preferred_shape_rank) X(RAGGED_RANK) X(ragged_values_types) X(rank)      \
    X(rates) X(recall_target) X(reduction_dimension) X(reduction_dims)         \
    X(reduction_input_size_override) X(resize_if_index_out_of_bounds)          \
    X(reverse) X(rnn_mode)                                                     \
    X(row_partition_types) X(S) X(seed) X(separator) X(seq_dim) X(shape)       \
    X(shapes) X(shared_name) X(shrink_axis_mask) X(size) X(sorted)             \
    X(squeeze_dims) X(SrcT) X(stride) X(strides) X(summarize) X(T) X(Taxis)    \
    X(Tcomplex) X(Tcond) X(Tdim) X(then_branch) X(Tidx) X(time_major) X(Tin)   \
    X(Tindices) X(Tlen) X(to) X(top_paths) X(Tout) X(Toutput) X(Tparams)       \
    X(transpose_a) X(transpose_b) X(Treal) X(Tshift) X(type) X(U)              \
    X(use_peephole) X(validate_shape) X(value) X(value_shape) X(width)         \
    X(window_size) X(window_strides)
/* clang-format on */

typedef enum tfp_key {
#define TFP_KEY_ENUM(name) TFP_KEY_##name,
    TFP_KEYS(TFP_KEY_ENUM)
#undef TFP_KEY_ENUM
        TFP_KEY_COUNT
} tfp_key;

extern const char *const tfp_key_names[TFP_KEY_COUNT];

#endif
