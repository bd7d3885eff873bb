/*
 * ops_rnn.c - recurrent layers as one operation, and their losses.
 */
#include "base/bytes.h"
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

static void put_all(tfp_site *site, size_t count, const int64_t *dims, int rank)
{
    for (size_t i = 0; i < count; i++)
        tfp_site_put(site, i, dims, rank);
}

/* ---- Cells -------------------------------------------------------------- */

/* [batch, inputs] and a state of [batch, units]: all outputs are as the
 * state. */
static bool read_state(const tfp_site *site, int64_t dims[2])
{
    tfp_form x, state;
    if (!tfp_form_input_of(site, 0, 2, &x) ||
        !tfp_form_input_of(site, 1, 2, &state))
        return false;
    dims[0] = x.at[0];
    dims[1] = state.at[1];
    return true;
}

static void infer_cell(tfp_site *site)
{
    int64_t dims[2];
    if (read_state(site, dims))
        put_all(site, site->output_count, dims, 2);
}

/* Gradients of the state, of the four gates, and of three peepholes. */
static void infer_lstm_cell_gradient(tfp_site *site)
{
    int64_t dims[2], units;
    if (!read_state(site, dims))
        return;
    units = dims[1];
    tfp_site_put(site, 0, dims, 2);
    dims[1] = tfp_dim_mul(4, units);
    tfp_site_put(site, 1, dims, 2);
    for (size_t i = 2; i < 5; i++)
        tfp_site_put_vector(site, i, units);
}

static void infer_gru_cell_gradient(tfp_site *site)
{
    tfp_form x, state, weights;
    int64_t dims[2];
    if (!tfp_form_input_of(site, 0, 2, &x) ||
        !tfp_form_input_of(site, 1, 2, &state) ||
        !tfp_form_input_of(site, 2, 2, &weights))
        return;
    dims[0] = x.at[0];
    dims[1] = state.at[1];
    tfp_site_put_form(site, 0, &x);
    tfp_site_put(site, 1, dims, 2);
    tfp_site_put(site, 2, dims, 2);
    dims[1] = weights.at[1];
    tfp_site_put(site, 3, dims, 2);
}

/* ---- Whole sequences ---------------------------------------------------- */

/* [time, batch, inputs]; the bias, which comes last, has four gates. */
static void infer_block_lstm(tfp_site *site)
{
    tfp_form x, bias;
    if (!tfp_form_input_of(site, 1, 3, &x) ||
        !tfp_form_input_of(site, 8, 1, &bias))
        return;
    if (bias.at[0] >= 0 && bias.at[0] % 4 != 0)
        return;
    x.at[2] = bias.at[0] < 0 ? TFP_DIM_UNKNOWN : bias.at[0] / 4;
    put_all(site, site->output_count, x.at, 3);
}

/* Each is as the input that it is the gradient of. */
static void infer_block_lstm_gradient(tfp_site *site)
{
    static const int ranks[] = { 3, 2, 2, 2, 1, 1, 1, 1 };
    for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
        tfp_form in;
        if (tfp_form_input_of(site, 1 + i, ranks[i], &in))
            tfp_site_put_form(site, i, &in);
    }
}

/* [time, batch, inputs] and states of [layers, batch, units]. Only an LSTM has
 * a second state; input `second` says its shape. */
static void put_cudnn(tfp_site *site, size_t second)
{
    bool both = tfp_span_is(tfp_site_string(site, TFP_KEY_direction),
                            "bidirectional");
    tfp_span mode = tfp_site_string(site, TFP_KEY_rnn_mode);
    tfp_form x, state;
    if (!tfp_form_input_of(site, 0, 3, &x) ||
        !tfp_form_input_of(site, 1, 3, &state))
        return;
    x.at[2] = tfp_dim_mul(state.at[2], both ? 2 : 1);
    tfp_site_put_form(site, 0, &x);
    tfp_site_put_shape(site, 1, tfp_site_input_fact(site, 1)->shape);
    if (mode.size == 0 || tfp_span_is(mode, "lstm"))
        tfp_site_put_shape(site, 2, tfp_site_input_fact(site, second)->shape);
    else
        tfp_site_put_scalar(site, 2);
}

static void infer_cudnn(tfp_site *site)
{
    put_cudnn(site, 1);
}

static void infer_cudnn_v3(tfp_site *site)
{
    put_cudnn(site, 2);
}

static void infer_cudnn_size(tfp_site *site)
{
    tfp_site_put_vector(site, 0, 1);
}

static void infer_cudnn_packed(tfp_site *site)
{
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
}

/* Matrices, and then biases. */
static void infer_cudnn_unpacked(tfp_site *site)
{
    size_t matrices = (size_t)tfp_site_int(
        site, TFP_KEY_num_params_weights,
        tfp_site_int(site, TFP_KEY_num_params, 0));
    for (size_t i = 0; i < site->output_count; i++)
        tfp_site_put_unknown_dims(site, i, i < matrices ? 2 : 1);
}

static void infer_cudnn_gradient(tfp_site *site)
{
    for (size_t i = 0; i < 4; i++)
        tfp_site_put_shape(site, i, tfp_site_input_fact(site, i)->shape);
}

/* ---- Losses of sequences ------------------------------------------------ */

/* [time, batch, classes] and a length for each of the batch. */
static bool read_sequences(const tfp_site *site, size_t lengths, tfp_form *in)
{
    tfp_form each;
    return tfp_form_input_of(site, 0, 3, in) &&
           tfp_form_input_of(site, lengths, 1, &each) &&
           tfp_dim_merge(in->at[1], each.at[0], &in->at[1]);
}

static void infer_ctc_loss(tfp_site *site)
{
    tfp_form in;
    if (!read_sequences(site, 3, &in))
        return;
    tfp_site_put_vector(site, 0, in.at[1]);
    tfp_site_put_form(site, 1, &in);
}

static void infer_ctc_greedy(tfp_site *site)
{
    int64_t indices[] = { TFP_DIM_UNKNOWN, 2 }, probability[] = { -1, 1 };
    tfp_form in;
    if (!read_sequences(site, 1, &in))
        return;
    probability[0] = in.at[1];
    tfp_site_put(site, 0, indices, 2);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 2, 2);
    tfp_site_put(site, 3, probability, 2);
}

/* Indices, values and shape of each of the best paths. */
static void infer_ctc_beams(tfp_site *site)
{
    int64_t indices[] = { TFP_DIM_UNKNOWN, 2 }, probability[2];
    size_t paths = site->output_count / 3;
    tfp_form in;
    if (!read_sequences(site, 1, &in))
        return;
    for (size_t i = 0; i < paths; i++) {
        tfp_site_put(site, i, indices, 2);
        tfp_site_put_vector(site, paths + i, TFP_DIM_UNKNOWN);
        tfp_site_put_vector(site, 2 * paths + i, 2);
    }
    probability[0] = in.at[1];
    probability[1] = tfp_site_int(site, TFP_KEY_top_paths, TFP_DIM_UNKNOWN);
    tfp_site_put(site, 3 * paths, probability, 2);
}

/* A step of a cell is a product of matrices (what comes in and what came
 * before, by the gates) and some work by element for each unit of the state.
 * The gradient of a layer counts as twice the layer. */
#define CELL(gates, by_element)                                                \
    "macs: " #gates " * x0[0] * (x0[1] + x1[1]) * x1[1]; "                     \
    "ops: 2 * macs + " #by_element " * x0[0] * x1[1]"
#define LSTM(gates, by_element)                                                \
    "macs: " #gates " * prod(x1, 0, 2) * (x1[2] + x2[1]) * x2[1]; "            \
    "ops: 2 * macs + " #by_element " * prod(x1, 0, 2) * x2[1]"
/* The state is [layers * directions, batch, units]; when the steps are not the
 * first dim of the input, its first two dims are the other way round. Layers
 * after the first get what all directions of the one before give. */
#define DIRECTIONS "(attr(direction, '') == 'bidirectional' ? 2 : 1)"
#define LAYERS     "(x1[attr(time_major, 1) ? 0 : 1] / " DIRECTIONS ")"
#define GATES                                                                  \
    "(attr(rnn_mode, 'lstm') == 'lstm' ? 4 : @rnn_mode == 'gru' ? 3 : 1)"
#define CUDNN(times, by_element)                                               \
    "macs: " #times " * " DIRECTIONS " * prod(x0, 0, 2) * " GATES              \
    " * x1[2] * min(" LAYERS ", 1) * "                                         \
    "((attr(input_mode, '') == 'skip_input' ? 0 : x0[2]) + x1[2] + "           \
    "(" LAYERS " - 1) * (" DIRECTIONS " + 1) * x1[2]); "                       \
    "ops: 2 * macs + " #by_element " * " DIRECTIONS " * " LAYERS               \
    " * prod(x0, 0, 2) * x1[2]"

const tfp_op tfp_ops_rnn[] = {
    /* name, outputs, shapes */
    { "BlockLSTM", "i,cs,f,o,ci,co,h", infer_block_lstm,
      .formula = LSTM(4, 26) },
    { "BlockLSTMGrad",
      "x_grad,cs_prev_grad,h_prev_grad,w_grad,wci_grad,wcf_grad,wco_grad,b_"
      "grad",
      infer_block_lstm_gradient, .formula = LSTM(8, 52) },
    { "BlockLSTMGradV2",
      "x_grad,cs_prev_grad,h_prev_grad,w_grad,wci_grad,wcf_grad,wco_grad,b_"
      "grad",
      infer_block_lstm_gradient, .formula = LSTM(8, 52) },
    { "BlockLSTMV2", "i,cs,f,o,ci,co,h", infer_block_lstm,
      .formula = LSTM(4, 26) },
    { "CTCBeamSearchDecoder",
      "decoded_indices*top_paths,decoded_values*top_paths,decoded_shape*top_"
      "paths,log_probability",
      infer_ctc_beams, .formula = NULL },
    { "CTCGreedyDecoder",
      "decoded_indices,decoded_values,decoded_shape,log_probability",
      infer_ctc_greedy, .formula = NULL },
    { "CTCLoss", "loss,gradient", infer_ctc_loss, .formula = NULL },
    { "CTCLossV2", "loss,gradient", infer_ctc_loss, .formula = NULL },
    { "CudnnRNN", "output,output_h,output_c,reserve_space", infer_cudnn,
      .formula = CUDNN(1, 26) },
    { "CudnnRNNBackprop",
      "input_backprop,input_h_backprop,input_c_backprop,params_backprop",
      infer_cudnn_gradient, .formula = CUDNN(2, 52) },
    { "CudnnRNNBackpropV2",
      "input_backprop,input_h_backprop,input_c_backprop,params_backprop",
      infer_cudnn_gradient, .formula = CUDNN(2, 52) },
    { "CudnnRNNBackpropV3",
      "input_backprop,input_h_backprop,input_c_backprop,params_backprop",
      infer_cudnn_gradient, .formula = CUDNN(2, 52) },
    { "CudnnRNNCanonicalToParams", "params", infer_cudnn_packed,
      .formula = "free" },
    { "CudnnRNNCanonicalToParamsV2", "params", infer_cudnn_packed,
      .formula = "free" },
    { "CudnnRNNParamsSize", "params_size", infer_cudnn_size,
      .formula = "free" },
    { "CudnnRNNParamsToCanonical", "weights*num_params,biases*num_params",
      infer_cudnn_unpacked, .formula = "free" },
    { "CudnnRNNParamsToCanonicalV2",
      "weights*num_params_weights,biases*num_params_biases",
      infer_cudnn_unpacked, .formula = "free" },
    { "CudnnRNNV2", "output,output_h,output_c,reserve_space,host_reserved",
      infer_cudnn, .formula = CUDNN(1, 26) },
    { "CudnnRNNV3", "output,output_h,output_c,reserve_space,host_reserved",
      infer_cudnn_v3, .formula = CUDNN(1, 26) },
    { "GRUBlockCell", "r,u,c,h", infer_cell, .formula = CELL(3, 17) },
    { "GRUBlockCellGrad", "d_x,d_h_prev,d_c_bar,d_r_bar_u_bar",
      infer_gru_cell_gradient, .formula = CELL(3, 17) },
    { "LSTMBlockCell", "i,cs,f,o,ci,co,h", infer_cell, .formula = CELL(4, 26) },
    { "LSTMBlockCellGrad", "cs_prev_grad,dicfo,wci_grad,wcf_grad,wco_grad",
      infer_lstm_cell_gradient, .formula = "22 * #x1" },
    { 0 },
};
