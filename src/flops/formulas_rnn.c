/*
 * formulas_rnn.c - recurrent cells and layers of them.
 *
 * A step of a cell is a product of matrices (what comes in and what came
 * before, by the gates) and some work by element for each unit of the state.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "shape/fact/site.h"

enum { LSTM_BY_ELEMENT = 26, GRU_BY_ELEMENT = 17, LSTM_GRAD_BY_ELEMENT = 22 };

typedef struct cell {
    int64_t steps, batch, inputs, units;
    int64_t gates, by_element;
} cell;

/* One layer in one direction. */
static void add_cell(tfp_tally *tally, const cell *c)
{
    int64_t rows = tfp_mul_sat(c->steps, c->batch);
    int64_t weights = tfp_mul_sat(tfp_add_sat(c->inputs, c->units),
                                  tfp_mul_sat(c->gates, c->units));
    tfp_tally_macs(tally, tfp_mul_sat(rows, weights));
    tally->ops = tfp_add_sat(
        tally->ops, tfp_mul_sat(tfp_mul_sat(rows, c->units), c->by_element));
}

static void twice(tfp_tally *tally)
{
    tally->ops = tfp_mul_sat(2, tally->ops);
    tally->macs = tfp_mul_sat(2, tally->macs);
}

/* ---- Cells -------------------------------------------------------------- */

/* A cell takes one step. */
static tfp_counted count_cell(const tfp_site *site, cell c, tfp_tally *tally)
{
    c.steps = 1;
    if (!tfp_input_dim(site, 0, 0, &c.batch) ||
        !tfp_input_dim(site, 0, 1, &c.inputs) ||
        !tfp_input_dim(site, 1, 1, &c.units))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    add_cell(tally, &c);
    return TFP_COUNTED;
}

static tfp_counted count_lstm_cell(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    cell c = { .gates = 4, .by_element = LSTM_BY_ELEMENT };
    (void)rule;
    return count_cell(site, c, tally);
}

/* It gives the gradients of the gates: the products come after it. */
static tfp_counted count_lstm_cell_grad(const tfp_site *site,
                                        const tfp_rule *rule, tfp_tally *tally)
{
    int64_t state;
    (void)rule;
    if (!tfp_input_elements(site, 1, &state))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(LSTM_GRAD_BY_ELEMENT, state);
    return TFP_COUNTED;
}

/* Its gradient has the same products, by the transposed weights. */
static tfp_counted count_gru_cell(const tfp_site *site, const tfp_rule *rule,
                                  tfp_tally *tally)
{
    cell c = { .gates = 3, .by_element = GRU_BY_ELEMENT };
    (void)rule;
    return count_cell(site, c, tally);
}

/* ---- Layers ------------------------------------------------------------- */

/* `factor` is 2 for the gradient. */
static tfp_counted count_block_lstm(const tfp_site *site, const tfp_rule *rule,
                                    tfp_tally *tally)
{
    cell c = { .gates = 4, .by_element = LSTM_BY_ELEMENT };
    if (!tfp_input_dim(site, 1, 0, &c.steps) ||
        !tfp_input_dim(site, 1, 1, &c.batch) ||
        !tfp_input_dim(site, 1, 2, &c.inputs) ||
        !tfp_input_dim(site, 2, 1, &c.units))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    add_cell(tally, &c);
    if (rule->factor == 2)
        twice(tally);
    return TFP_COUNTED;
}

static int64_t gates_of(const tfp_site *site)
{
    tfp_span mode = tfp_site_string(site, TFP_KEY_rnn_mode);
    if (mode.size == 0 || tfp_span_is(mode, "lstm"))
        return 4;
    return tfp_span_is(mode, "gru") ? 3 : 1;
}

/* The state is [layers * directions, batch, units]; when the steps are not
 * the first dim of the input, its first two dims are the other way round. */
static bool read_cudnn(const tfp_site *site, cell *c, int64_t *layers)
{
    bool steps_first = tfp_site_bool(site, TFP_KEY_time_major, true);
    return tfp_input_dim(site, 0, steps_first ? 0 : 1, &c->steps) &&
           tfp_input_dim(site, 0, steps_first ? 1 : 0, &c->batch) &&
           tfp_input_dim(site, 0, 2, &c->inputs) &&
           tfp_input_dim(site, 1, 2, &c->units) &&
           tfp_input_dim(site, 1, steps_first ? 0 : 1, layers);
}

/* Layers after the first get what all directions of the one before give. */
static tfp_counted count_cudnn(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    cell c = { .gates = gates_of(site), .by_element = LSTM_BY_ELEMENT };
    int64_t directions = tfp_span_is(tfp_site_string(site, TFP_KEY_direction),
                                     "bidirectional")
                             ? 2
                             : 1;
    int64_t layers;
    tfp_tally later = { 0 };
    if (!read_cudnn(site, &c, &layers))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    layers /= directions;
    if (layers == 0)
        return TFP_COUNTED;
    if (tfp_span_is(tfp_site_string(site, TFP_KEY_input_mode), "skip_input"))
        c.inputs = 0;
    add_cell(tally, &c);
    c.inputs = tfp_mul_sat(directions, c.units);
    add_cell(&later, &c);
    tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(layers - 1, later.ops));
    tally->macs = tfp_add_sat(tally->macs, tfp_mul_sat(layers - 1, later.macs));
    if (directions == 2)
        twice(tally);
    if (rule->factor == 2)
        twice(tally);
    return TFP_COUNTED;
}

/* ---- The table ---------------------------------------------------------- */

/* clang-format off */
#define LSTM  "2*B*(I + H)*4*H + 26*B*H"
#define CUDNN "per layer and direction T*(2*B*(I + H)*G*H + 26*B*H), " \
              "G = 4 (LSTM), 3 (GRU), 1"

const tfp_formula tfp_formulas_rnn[] = {
    /* op, full, TensorFlow's own */
    { "LSTMBlockCell", TFP_BY(count_lstm_cell, LSTM), TFP_NONE },
    { "LSTMBlockCellGrad", TFP_BY(count_lstm_cell_grad, "22*B*H"), TFP_NONE },
    { "GRUBlockCell", TFP_BY(count_gru_cell, "2*B*(I + H)*3*H + 17*B*H"),
      TFP_NONE },
    { "GRUBlockCellGrad", TFP_BY(count_gru_cell, "2*B*(I + H)*3*H + 17*B*H"),
      TFP_NONE },
    { "BlockLSTM",   TFP_BY_FACTOR(count_block_lstm, 1, "T*(" LSTM ")"),
      TFP_NONE },
    { "BlockLSTMV2", TFP_BY_FACTOR(count_block_lstm, 1, "T*(" LSTM ")"),
      TFP_NONE },
    { "BlockLSTMGrad",   TFP_BY_FACTOR(count_block_lstm, 2, "2*T*(" LSTM ")"),
      TFP_NONE },
    { "BlockLSTMGradV2", TFP_BY_FACTOR(count_block_lstm, 2, "2*T*(" LSTM ")"),
      TFP_NONE },
    { "CudnnRNN",   TFP_BY_FACTOR(count_cudnn, 1, CUDNN), TFP_NONE },
    { "CudnnRNNV2", TFP_BY_FACTOR(count_cudnn, 1, CUDNN), TFP_NONE },
    { "CudnnRNNV3", TFP_BY_FACTOR(count_cudnn, 1, CUDNN), TFP_NONE },
    { "CudnnRNNBackprop",   TFP_BY_FACTOR(count_cudnn, 2, "twice " CUDNN),
      TFP_NONE },
    { "CudnnRNNBackpropV2", TFP_BY_FACTOR(count_cudnn, 2, "twice " CUDNN),
      TFP_NONE },
    { "CudnnRNNBackpropV3", TFP_BY_FACTOR(count_cudnn, 2, "twice " CUDNN),
      TFP_NONE },
    { 0 },
};
