/*
 * ops_random.c - random numbers and samples.
 */
#include "model/attrs.h"
#include "shape/ops/common.h"
#include "shape/ops/form.h"

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
    /* name, outputs, shapes, kind */
    { "AllCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { "ComputeAccidentalHits", "indices,ids,weights", infer_accidental_hits,
      0 },
    { "FixedUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { "LearnedUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { "LogUniformCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { "Multinomial", "output", infer_multinomial, 0 },
    { "NonDeterministicInts", "output", infer_by_input_0, 0 },
    { "ParameterizedTruncatedNormal", "output", infer_by_input_0, 0 },
    { "RandomGamma", "output", infer_for_each, 0 },
    { "RandomPoisson", "output", infer_for_each, 0 },
    { "RandomPoissonV2", "output", infer_for_each, 0 },
    { "RandomShuffle", "output", tfp_infer_same, 0 },
    { "RandomStandardNormal", "output", infer_by_input_0, 0 },
    { "RandomUniform", "output", infer_by_input_0, 0 },
    { "RandomUniformInt", "output", infer_by_input_0, 0 },
    { "RngReadAndSkip", "value", infer_rng_state, 0 },
    { "RngSkip", "", tfp_infer_nothing, 0 },
    { "StatefulRandomBinomial", "output", infer_by_input_2, 0 },
    { "StatefulStandardNormal", "output", infer_by_input_1, 0 },
    { "StatefulStandardNormalV2", "output", infer_by_input_2, 0 },
    { "StatefulTruncatedNormal", "output", infer_by_input_2, 0 },
    { "StatefulUniform", "output", infer_by_input_2, 0 },
    { "StatefulUniformFullInt", "output", infer_by_input_2, 0 },
    { "StatefulUniformInt", "output", infer_by_input_2, 0 },
    { "StatelessMultinomial", "output", infer_multinomial, 0 },
    { "StatelessParameterizedTruncatedNormal", "output", infer_by_input_0, 0 },
    { "StatelessRandomBinomial", "output", infer_by_input_0, 0 },
    { "StatelessRandomGammaV2", "output", infer_by_input_0, 0 },
    { "StatelessRandomGammaV3", "output", infer_by_input_0, 0 },
    { "StatelessRandomGetAlg", "alg", tfp_infer_scalar, 0 },
    { "StatelessRandomGetKeyCounter", "key,counter", infer_key_counter, 0 },
    { "StatelessRandomGetKeyCounterAlg", "key,counter,alg", infer_key_counter,
      0 },
    { "StatelessRandomNormal", "output", infer_by_input_0, 0 },
    { "StatelessRandomNormalV2", "output", infer_by_input_0, 0 },
    { "StatelessRandomPoisson", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniform", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniformFullInt", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniformFullIntV2", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniformInt", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniformIntV2", "output", infer_by_input_0, 0 },
    { "StatelessRandomUniformV2", "output", infer_by_input_0, 0 },
    { "StatelessShuffle", "output", tfp_infer_same, 0 },
    { "StatelessTruncatedNormal", "output", infer_by_input_0, 0 },
    { "StatelessTruncatedNormalV2", "output", infer_by_input_0, 0 },
    { "StochasticCastToInt", "output", tfp_infer_same, 0 },
    { "ThreadUnsafeUnigramCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { "TruncatedNormal", "output", infer_by_input_0, 0 },
    { "UniformCandidateSampler",
      "sampled_candidates,true_expected_count,sampled_expected_count",
      infer_candidates, 0 },
    { 0 },
};
