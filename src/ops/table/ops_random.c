/*
 * ops_random.c - random numbers and samples.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- Of a shape that an input says -------------------------------------- */

static void put_by_input(tfp_site *site, size_t i)
{
    tfp_form out;
    out.rank = tfp_site_input_as_shape(site, i, out.at);
    tfp_site_put_form(site, 0, &out);
}

static void infer_by_input_0(tfp_site *site)
{
    put_by_input(site, 0);
}

static void infer_by_input_1(tfp_site *site)
{
    put_by_input(site, 1);
}

static void infer_by_input_2(tfp_site *site)
{
    put_by_input(site, 2);
}

/* So many samples for each element of input 1. */
static void infer_for_each(tfp_site *site)
{
    tfp_form out, each;
    out.rank = tfp_site_input_as_shape(site, 0, out.at);
    tfp_form_input(site, 1, &each);
    tfp_form_join(&out, &each);
    tfp_site_put_form(site, 0, &out);
}

/* ---- Others ------------------------------------------------------------- */

/* [batch, classes] and the number of samples. */
static void infer_multinomial(tfp_site *site)
{
    tfp_form logits;
    if (!tfp_form_input_of(site, 0, 2, &logits) ||
        !tfp_site_has_rank(site, 1, 0))
        return;
    logits.at[1] = tfp_site_dim_value(site, 1);
    tfp_site_put_form(site, 0, &logits);
}

static void infer_key_counter(tfp_site *site)
{
    tfp_site_put_vector(site, 0, 1);
    tfp_site_put_vector(site, 1, 2);
    tfp_site_put_scalar(site, 2);
}

static void infer_candidates(tfp_site *site)
{
    int64_t sampled = tfp_site_int(site, TFP_KEY_num_sampled, TFP_DIM_UNKNOWN);
    tfp_form classes;
    if (!tfp_form_input_of(site, 0, 2, &classes))
        return;
    classes.at[1] = tfp_site_int(site, TFP_KEY_num_true, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 0, sampled);
    tfp_site_put_form(site, 1, &classes);
    tfp_site_put_vector(site, 2, sampled);
}

static void infer_accidental_hits(tfp_site *site)
{
    for (size_t i = 0; i < 3; i++)
        tfp_site_put_vector(site, i, TFP_DIM_UNKNOWN);
}

/* What a generator of random numbers was before. */
static void infer_rng_state(tfp_site *site)
{
    tfp_site_put_vector(site, 0, 3);
}

const tfp_op tfp_ops_random[] = {
    /* name, outputs, shapes */
    { "AllCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { "ComputeAccidentalHits", "indices,ids,weights", infer_accidental_hits,
      .formula = "free" },
    { "FixedUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { "LearnedUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { "LogUniformCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { "Multinomial", "output", infer_multinomial, .formula = "free" },
    { "NonDeterministicInts", "output", infer_by_input_0, .formula = "free" },
    { "ParameterizedTruncatedNormal", "output", infer_by_input_0,
      .formula = "free" },
    { "RandomGamma", "output", infer_for_each, .formula = "free" },
    { "RandomPoisson", "output", infer_for_each, .formula = "free" },
    { "RandomPoissonV2", "output", infer_for_each, .formula = "free" },
    { "RandomShuffle", "output", tfp_infer_same, .formula = "free" },
    { "RandomStandardNormal", "output", infer_by_input_0, .formula = "free" },
    { "RandomUniform", "output", infer_by_input_0, .formula = "free" },
    { "RandomUniformInt", "output", infer_by_input_0, .formula = "free" },
    { "RngReadAndSkip", "value", infer_rng_state, .formula = "free" },
    { "RngSkip", "", tfp_infer_nothing, .formula = "free" },
    { "StatefulRandomBinomial", "output", infer_by_input_2, .formula = "free" },
    { "StatefulStandardNormal", "output", infer_by_input_1, .formula = "free" },
    { "StatefulStandardNormalV2", "output", infer_by_input_2,
      .formula = "free" },
    { "StatefulTruncatedNormal", "output", infer_by_input_2,
      .formula = "free" },
    { "StatefulUniform", "output", infer_by_input_2, .formula = "free" },
    { "StatefulUniformFullInt", "output", infer_by_input_2, .formula = "free" },
    { "StatefulUniformInt", "output", infer_by_input_2, .formula = "free" },
    { "StatelessMultinomial", "output", infer_multinomial, .formula = "free" },
    { "StatelessParameterizedTruncatedNormal", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomBinomial", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomGammaV2", "output", infer_by_input_0, .formula = "free" },
    { "StatelessRandomGammaV3", "output", infer_by_input_0, .formula = "free" },
    { "StatelessRandomGetAlg", "alg", tfp_infer_scalar, .formula = "free" },
    { "StatelessRandomGetKeyCounter", "key,counter", infer_key_counter,
      .formula = "free" },
    { "StatelessRandomGetKeyCounterAlg", "key,counter,alg", infer_key_counter,
      .formula = "free" },
    { "StatelessRandomNormal", "output", infer_by_input_0, .formula = "free" },
    { "StatelessRandomNormalV2", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomPoisson", "output", infer_by_input_0, .formula = "free" },
    { "StatelessRandomUniform", "output", infer_by_input_0, .formula = "free" },
    { "StatelessRandomUniformFullInt", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomUniformFullIntV2", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomUniformInt", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomUniformIntV2", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessRandomUniformV2", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessShuffle", "output", tfp_infer_same, .formula = "free" },
    { "StatelessTruncatedNormal", "output", infer_by_input_0,
      .formula = "free" },
    { "StatelessTruncatedNormalV2", "output", infer_by_input_0,
      .formula = "free" },
    { "StochasticCastToInt", "output", tfp_infer_same, .formula = "free" },
    { "ThreadUnsafeUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { "TruncatedNormal", "output", infer_by_input_0, .formula = "free" },
    { "UniformCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, .formula = "free" },
    { 0 },
};
