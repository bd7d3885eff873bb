/*
 * ops_top.c - the greatest elements.
 */
#include <math.h>

#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

static void put_top(tfp_site *site, int64_t k)
{
    tfp_form in;
    if (!tfp_form_input_from(site, 0, 1, &in))
        return;
    if (in.rank > 0)
        in.at[in.rank - 1] = k;
    tfp_site_put_form(site, 0, &in);
    tfp_site_put_form(site, 1, &in);
}

static void infer_top(tfp_site *site)
{
    put_top(site, tfp_site_int(site, TFP_KEY_k, TFP_DIM_UNKNOWN));
}

static void infer_top_v2(tfp_site *site)
{
    if (tfp_site_has_rank(site, 1, 0))
        put_top(site, tfp_site_dim_value(site, 1));
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* How often a number can be halved until it is 1; rounded down, or up. */
static int halvings_of(int64_t number, bool up)
{
    int count = 0;
    while (number >> count > 1)
        count++;
    return count + (up && number > INT64_C(1) << count);
}

/* Where the greatest k of `size` are not sought but most of them hoped to be
 * found: how many candidates are left. These are the greatest of 2, 4, 8...
 * bins each, and bins are made of tiles whose size depends on the rank. There
 * are as many bins as make it likely that no two of the k meet in one. */
static int64_t candidates_left(const tfp_site *site, int64_t size, int rank,
                               int64_t k)
{
    double recall = tfp_site_float(site, TFP_KEY_recall_target, 0.95), needed;
    int64_t tile = rank == 1 ? 1024 : 128, bins = tile;
    int64_t all = tfp_site_int(site, TFP_KEY_reduction_input_size_override, -1);
    int halvings, most = halvings_of(size / tile, true);
    if (size <= tile || !(recall > 0 && recall < 1))
        return size;
    if (k == 1)
        return tile;
    needed = (double)(1 - k) / log(recall);
    if (needed > (double)tile)
        bins = needed < (double)size ? (int64_t)needed : size;
    halvings = halvings_of((all < 0 ? size : all) / bins, false);
    if (halvings == 0)
        return size;
    if (halvings > most)
        halvings = most;
    return divide_up(divide_up(size, tile), INT64_C(1) << halvings) * tile;
}

static void infer_approximate_top(tfp_site *site)
{
    int64_t k = tfp_site_int(site, TFP_KEY_k, TFP_DIM_UNKNOWN);
    tfp_form in;
    int axis;
    tfp_form_input(site, 0, &in);
    axis = tfp_axis_of(tfp_site_int(site, TFP_KEY_reduction_dimension, -1),
                       in.rank);
    if (axis < 0 || k < 0)
        return;
    if (tfp_site_bool(site, TFP_KEY_aggregate_to_topk, true))
        in.at[axis] = k;
    else if (in.at[axis] >= 0)
        in.at[axis] = candidates_left(site, in.at[axis], in.rank, k);
    tfp_site_put_form(site, 0, &in);
    tfp_site_put_form(site, 1, &in);
}

static void infer_top_unique(tfp_site *site)
{
    tfp_form in;
    if (!tfp_form_input_of(site, 0, 2, &in))
        return;
    in.at[1] = tfp_site_int(site, TFP_KEY_k, TFP_DIM_UNKNOWN);
    tfp_site_put_form(site, 0, &in);
    tfp_site_put_form(site, 1, &in);
}

static void infer_unique_rows(tfp_site *site)
{
    tfp_site_put_input_of(site, 0, 2);
}

static void infer_in_top(tfp_site *site)
{
    tfp_form predictions, targets;
    int64_t batch;
    if (tfp_form_input_of(site, 0, 2, &predictions) &&
        tfp_form_input_of(site, 1, 1, &targets) &&
        tfp_dim_merge(predictions.at[0], targets.at[0], &batch))
        tfp_site_put_vector(site, 0, batch);
}

static void infer_nth_element(tfp_site *site)
{
    tfp_form in;
    if (!tfp_form_input_from(site, 0, 1, &in) || !tfp_site_has_rank(site, 1, 0))
        return;
    tfp_form_drop_last(&in, 1);
    tfp_site_put_form(site, 0, &in);
}

/* How many are wanted: an attribute, a constant, or what comes out. */
#define TOP_K "#x0 * log2_ceil(first_known(attr(k), value(x1), y0[-1]) + 1)"

const tfp_op tfp_ops_top[] = {
    /* name, outputs, shapes */
    { "ApproxTopK", "values,indices", infer_approximate_top, .formula = TOP_K },
    { "InTopK", "precision", infer_in_top, .formula = "#x0" },
    { "InTopKV2", "precision", infer_in_top, .formula = "#x0" },
    { "MakeUnique", "output", infer_unique_rows, .formula = "free" },
    { "NthElement", "values", infer_nth_element,
      .formula = "#x0" }, /* depends on the data */
    { "TopK", "values,indices", infer_top, .formula = TOP_K },
    { "TopKUnique", "topk,topk_indices", infer_top_unique, .formula = TOP_K },
    { "TopKV2", "values,indices", infer_top_v2, .formula = TOP_K },
    { "TopKWithUnique", "topk,topk_indices", infer_top_unique,
      .formula = TOP_K },
    { 0 },
};
