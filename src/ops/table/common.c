/*
 * common.c - shape functions that several families use.
 */
#include "ops/table/common.h"

#include "base/intern.h"
#include "model/attrs.h"
#include "ops/fold/fold.h"
#include "ops/table/form.h"

void tfp_infer_nothing(tfp_site *site)
{
    (void)site;
}

void tfp_infer_same(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_input_fact(site, 0)->shape);
}

/* With its contents, unless TensorFlow does not follow these so far. */
static void pass_on(tfp_site *site, size_t i)
{
    tfp_fact fact = *tfp_site_input_fact(site, i);
    if (site->grade == TFP_GRADE_TENSORFLOW && fact.value != TFP_NO_ID &&
        tfp_site_is_from_enter(site, i)) {
        fact.value = TFP_NO_ID;
        fact.dtype = 0;
    }
    tfp_site_put_fact(site, i, &fact);
}

void tfp_infer_passed_on(tfp_site *site)
{
    pass_on(site, 0);
}

void tfp_infer_same_4d(tfp_site *site)
{
    tfp_site_put_input_of(site, 0, 4);
}

void tfp_infer_same_5d(tfp_site *site)
{
    tfp_site_put_input_of(site, 0, 5);
}

void tfp_infer_same_from_1d(tfp_site *site)
{
    if (tfp_site_input(site, 0).rank != 0)
        tfp_infer_same(site);
}

void tfp_infer_each_passed_on(tfp_site *site)
{
    for (size_t i = 0; i < site->output_count; i++)
        pass_on(site, i);
}

void tfp_infer_by_shape(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_shape(site, TFP_KEY_shape));
}

void tfp_infer_merged_two(tfp_site *site)
{
    tfp_form a, b;
    tfp_form_input(site, 0, &a);
    tfp_form_input(site, 1, &b);
    if (tfp_form_merge(&a, &b))
        tfp_site_put_form(site, 0, &a);
}

void tfp_infer_scalar(tfp_site *site)
{
    tfp_site_put_scalar(site, 0);
}

int tfp_broadcast(tfp_dims a, tfp_dims b, int64_t out[TFP_MOST_RANK])
{
    int rank = a.rank > b.rank ? a.rank : b.rank;
    if (a.rank < 0 || b.rank < 0 || rank > TFP_MOST_RANK)
        return -1;
    for (int i = 0; i < rank; i++) {
        int in_a = i - (rank - a.rank), in_b = i - (rank - b.rank);
        int64_t x = in_a < 0 ? 1 : a.at[in_a], y = in_b < 0 ? 1 : b.at[in_b];
        if (!tfp_dim_broadcast(x, y, &out[i]))
            return -2;
    }
    return rank;
}

void tfp_infer_broadcast(tfp_site *site)
{
    int64_t dims[TFP_MOST_RANK];
    int rank = tfp_broadcast(tfp_site_input(site, 0), tfp_site_input(site, 1),
                             dims);
    tfp_site_put(site, 0, dims, rank);
}

void tfp_site_put_joined(tfp_site *site, size_t i, tfp_dims front,
                         tfp_dims rest)
{
    int64_t dims[TFP_MOST_RANK];
    if (front.rank < 0 || rest.rank < 0 ||
        front.rank + rest.rank > TFP_MOST_RANK)
        return;
    for (int k = 0; k < front.rank + rest.rank; k++)
        dims[k] = k < front.rank ? front.at[k] : rest.at[k - front.rank];
    tfp_site_put(site, i, dims, front.rank + rest.rank);
}
