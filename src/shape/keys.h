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
    X(DstT) X(Index) X(N) X(Nparams) X(S) X(SrcT) X(T) X(Tcond) X(Tdim)        \
    X(Tidx) X(Tin) X(Tindices) X(Tlen) X(Tout) X(Tparams) X(U)                 \
    X(adj_x) X(adj_y) X(adjoint_a) X(adjoint_b) X(align_corners) X(axis)       \
    X(batch_dims) X(begin_mask) X(bitwidth) X(block_shape) X(block_size)       \
    X(body) X(branches) X(compute_uv) X(cond) X(container) X(crops)            \
    X(data_format) X(depth_radius) X(diagonal) X(dilations) X(direction)       \
    X(dtype) X(dtypes) X(element_dtype) X(element_shape) X(ellipsis_mask)      \
    X(else_branch) X(end_mask) X(epsilon) X(equation) X(exclusive)             \
    X(explicit_paddings) X(f) X(feature_group_count) X(full_matrices)          \
    X(groups) X(half_pixel_centers) X(input_mode) X(is_constant) X(is_training)\
    X(k) X(keep_dims) X(ksize) X(ksizes) X(max_output_size) X(mode)            \
    X(new_axis_mask) X(num) X(num_bits) X(num_columns) X(num_split)            \
    X(out_idx) X(out_type) X(output_dtype) X(output_shapes) X(output_type)     \
    X(output_types) X(padding) X(paddings) X(parallel_iterations)              \
    X(pooling_ratio) X(rank) X(rates) X(reduction_dims) X(reverse) X(rnn_mode) \
    X(seed) X(shape) X(shapes) X(shared_name) X(shrink_axis_mask) X(sorted)    \
    X(squeeze_dims) X(strides) X(summarize) X(then_branch) X(transpose_a)      \
    X(transpose_b) X(use_peephole) X(validate_shape) X(value) X(window_strides)\
    X(batch_group_count) X(batch_dims_count) X(allowed_devices)                \
    X(reduction_dimension) X(recall_target) X(is_max_k) X(aggregate_to_topk)   \
    X(reduction_input_size_override) X(num_outputs) X(num_args)                \
    X(frame_name) X(binary_output) X(size) X(separator) X(num_shards)          \
    X(preferred_shape_rank) X(a_is_sparse) X(b_is_sparse) X(adj_a) X(adj_b)    \
    X(compute_v) X(lower) X(num_segments) X(Tshift) X(Taxis) X(Toutput)        \
    X(to) X(width) X(num_proj) X(hidden_size) X(dropout) X(time_major)    \
    X(incompatible_shape_error) X(exponential_avg_factor)
/* clang-format on */

typedef enum tfp_key {
#define TFP_KEY_ENUM(name) TFP_KEY_##name,
    TFP_KEYS(TFP_KEY_ENUM)
#undef TFP_KEY_ENUM
        TFP_KEY_COUNT
} tfp_key;

extern const char *const tfp_key_names[TFP_KEY_COUNT];

#endif
