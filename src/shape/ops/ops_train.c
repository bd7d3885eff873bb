/*
 * ops_train.c - optimizers.
 */
#include "model/attrs.h"
#include "shape/ops/common.h"
#include "shape/ops/form.h"

/* The first `slots` inputs, the variable and what is kept beside it, are of
 * one shape. */
static bool merge_slots(const tfp_site *site, size_t slots, tfp_form *out)
{
    tfp_form next;
    tfp_form_input(site, 0, out);
    for (size_t i = 1; i < slots; i++) {
        tfp_form_input(site, i, &next);
        if (!tfp_form_merge(out, &next))
            return false;
    }
    return true;
}

/* The gradient is of that shape, too. */
static void infer_apply(tfp_site *site, size_t slots, size_t gradient)
{
    tfp_form out, next;
    tfp_form_input(site, gradient, &next);
    if (merge_slots(site, slots, &out) && tfp_form_merge(&out, &next))
        tfp_site_put_form(site, 0, &out);
}

/* It has some of the rows, and the indices after it say which. */
static void infer_apply_rows(tfp_site *site, size_t slots, size_t gradient)
{
    tfp_form out, next;
    if (!tfp_form_input_from(site, gradient, 1, &next) ||
        !tfp_site_has_rank(site, gradient + 1, 1) ||
        !merge_slots(site, slots, &out))
        return;
    if (next.rank > 0)
        next.at[0] = TFP_DIM_UNKNOWN;
    if (tfp_form_merge(&out, &next))
        tfp_site_put_form(site, 0, &out);
}

/* By how many slots there are and where the gradient is. */
#define APPLY(slots, gradient)                                                 \
    static void infer_apply_##slots##_##gradient(tfp_site *site)               \
    {                                                                          \
        infer_apply(site, slots, gradient);                                    \
    }
#define APPLY_ROWS(slots, gradient)                                            \
    static void infer_apply_rows_##slots##_##gradient(tfp_site *site)          \
    {                                                                          \
        infer_apply_rows(site, slots, gradient);                               \
    }

APPLY(1, 2)
APPLY(1, 4)
APPLY(2, 3)
APPLY(2, 4)
APPLY(2, 5)
APPLY(2, 6)
APPLY(3, 3)
APPLY(3, 6)
APPLY(3, 7)
APPLY(3, 8)
APPLY(3, 9)
APPLY(4, 8)
APPLY_ROWS(1, 4)
APPLY_ROWS(2, 3)
APPLY_ROWS(2, 4)
APPLY_ROWS(2, 5)
APPLY_ROWS(3, 3)
APPLY_ROWS(3, 6)
APPLY_ROWS(3, 7)
APPLY_ROWS(4, 8)

#undef APPLY
#undef APPLY_ROWS

const tfp_op tfp_ops_train[] = {
    /* name, outputs, shapes, kind */
    { "ApplyAdaMax", "out", infer_apply_3_8, 0 },
    { "ApplyAdadelta", "out", infer_apply_3_6, 0 },
    { "ApplyAdagrad", "out", infer_apply_2_3, 0 },
    { "ApplyAdagradDA", "out", infer_apply_3_3, 0 },
    { "ApplyAdagradV2", "out", infer_apply_2_4, 0 },
    { "ApplyAdam", "out", infer_apply_3_9, 0 },
    { "ApplyAddSign", "out", infer_apply_2_6, 0 },
    { "ApplyCenteredRMSProp", "out", infer_apply_4_8, 0 },
    { "ApplyFtrl", "out", infer_apply_3_3, 0 },
    { "ApplyFtrlV2", "out", infer_apply_3_3, 0 },
    { "ApplyGradientDescent", "out", infer_apply_1_2, 0 },
    { "ApplyMomentum", "out", infer_apply_2_3, 0 },
    { "ApplyPowerSign", "out", infer_apply_2_6, 0 },
    { "ApplyProximalAdagrad", "out", infer_apply_2_5, 0 },
    { "ApplyProximalGradientDescent", "out", infer_apply_1_4, 0 },
    { "ApplyRMSProp", "out", infer_apply_3_7, 0 },
    { "ResourceApplyAdaMax", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdadelta", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdagrad", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdagradDA", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdagradV2", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdam", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAdamWithAmsgrad", "", tfp_infer_nothing, 0 },
    { "ResourceApplyAddSign", "", tfp_infer_nothing, 0 },
    { "ResourceApplyCenteredRMSProp", "", tfp_infer_nothing, 0 },
    { "ResourceApplyFtrl", "", tfp_infer_nothing, 0 },
    { "ResourceApplyFtrlV2", "", tfp_infer_nothing, 0 },
    { "ResourceApplyGradientDescent", "", tfp_infer_nothing, 0 },
    { "ResourceApplyKerasMomentum", "", tfp_infer_nothing, 0 },
    { "ResourceApplyMomentum", "", tfp_infer_nothing, 0 },
    { "ResourceApplyPowerSign", "", tfp_infer_nothing, 0 },
    { "ResourceApplyProximalAdagrad", "", tfp_infer_nothing, 0 },
    { "ResourceApplyProximalGradientDescent", "", tfp_infer_nothing, 0 },
    { "ResourceApplyRMSProp", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyAdadelta", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyAdagrad", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyAdagradDA", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyAdagradV2", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyCenteredRMSProp", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyFtrl", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyFtrlV2", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyKerasMomentum", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyMomentum", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyProximalAdagrad", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyProximalGradientDescent", "", tfp_infer_nothing, 0 },
    { "ResourceSparseApplyRMSProp", "", tfp_infer_nothing, 0 },
    { "SparseApplyAdadelta", "out", infer_apply_rows_3_6, 0 },
    { "SparseApplyAdagrad", "out", infer_apply_rows_2_3, 0 },
    { "SparseApplyAdagradDA", "out", infer_apply_rows_3_3, 0 },
    { "SparseApplyAdagradV2", "out", infer_apply_rows_2_4, 0 },
    { "SparseApplyCenteredRMSProp", "out", infer_apply_rows_4_8, 0 },
    { "SparseApplyFtrl", "out", infer_apply_rows_3_3, 0 },
    { "SparseApplyFtrlV2", "out", infer_apply_rows_3_3, 0 },
    { "SparseApplyMomentum", "out", infer_apply_rows_2_3, 0 },
    { "SparseApplyProximalAdagrad", "out", infer_apply_rows_2_5, 0 },
    { "SparseApplyProximalGradientDescent", "out", infer_apply_rows_1_4, 0 },
    { "SparseApplyRMSProp", "out", infer_apply_rows_3_7, 0 },
    { 0 },
};
