/*
 * ops_train.c - optimizers.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

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
    /* name, outputs, shapes */
    { "ApplyAdaMax", "out", infer_apply_3_8, .formula = "10 * #x8" },
    { "ApplyAdadelta", "out", infer_apply_3_6, .formula = "17 * #x6" },
    { "ApplyAdagrad", "out", infer_apply_2_3, .formula = "6 * #x3" },
    { "ApplyAdagradDA", "out", infer_apply_3_3, .formula = "12 * #x3" },
    { "ApplyAdagradV2", "out", infer_apply_2_4, .formula = "6 * #x4" },
    { "ApplyAdam", "out", infer_apply_3_9, .formula = "12 * #x9" },
    { "ApplyAddSign", "out", infer_apply_2_6, .formula = "11 * #x6" },
    { "ApplyCenteredRMSProp", "out", infer_apply_4_8, .formula = "16 * #x8" },
    { "ApplyFtrl", "out", infer_apply_3_3, .formula = "16 * #x3" },
    { "ApplyFtrlV2", "out", infer_apply_3_3, .formula = "16 * #x3" },
    { "ApplyGradientDescent", "out", infer_apply_1_2, .formula = "2 * #x2" },
    { "ApplyMomentum", "out", infer_apply_2_3, .formula = "4 * #x3" },
    { "ApplyPowerSign", "out", infer_apply_2_6, .formula = "11 * #x6" },
    { "ApplyProximalAdagrad", "out", infer_apply_2_5, .formula = "16 * #x5" },
    { "ApplyProximalGradientDescent", "out", infer_apply_1_4,
      .formula = "8 * #x4" },
    { "ApplyRMSProp", "out", infer_apply_3_7, .formula = "11 * #x7" },
    { "ResourceApplyAdaMax", "", tfp_infer_nothing, .formula = "10 * #x8" },
    { "ResourceApplyAdadelta", "", tfp_infer_nothing, .formula = "17 * #x6" },
    { "ResourceApplyAdagrad", "", tfp_infer_nothing, .formula = "6 * #x3" },
    { "ResourceApplyAdagradDA", "", tfp_infer_nothing, .formula = "12 * #x3" },
    { "ResourceApplyAdagradV2", "", tfp_infer_nothing, .formula = "6 * #x4" },
    { "ResourceApplyAdam", "", tfp_infer_nothing, .formula = "12 * #x9" },
    { "ResourceApplyAdamWithAmsgrad", "", tfp_infer_nothing,
      .formula = "13 * #x10" },
    { "ResourceApplyAddSign", "", tfp_infer_nothing, .formula = "11 * #x6" },
    { "ResourceApplyCenteredRMSProp", "", tfp_infer_nothing,
      .formula = "16 * #x8" },
    { "ResourceApplyFtrl", "", tfp_infer_nothing, .formula = "16 * #x3" },
    { "ResourceApplyFtrlV2", "", tfp_infer_nothing, .formula = "16 * #x3" },
    { "ResourceApplyGradientDescent", "", tfp_infer_nothing,
      .formula = "2 * #x2" },
    { "ResourceApplyKerasMomentum", "", tfp_infer_nothing,
      .formula = "4 * #x3" },
    { "ResourceApplyMomentum", "", tfp_infer_nothing, .formula = "4 * #x3" },
    { "ResourceApplyPowerSign", "", tfp_infer_nothing, .formula = "11 * #x6" },
    { "ResourceApplyProximalAdagrad", "", tfp_infer_nothing,
      .formula = "16 * #x5" },
    { "ResourceApplyProximalGradientDescent", "", tfp_infer_nothing,
      .formula = "8 * #x4" },
    { "ResourceApplyRMSProp", "", tfp_infer_nothing, .formula = "11 * #x7" },
    { "ResourceSparseApplyAdadelta", "", tfp_infer_nothing,
      .formula = "17 * #x6" },
    { "ResourceSparseApplyAdagrad", "", tfp_infer_nothing,
      .formula = "6 * #x3" },
    { "ResourceSparseApplyAdagradDA", "", tfp_infer_nothing,
      .formula = "12 * #x3" },
    { "ResourceSparseApplyAdagradV2", "", tfp_infer_nothing,
      .formula = "6 * #x4" },
    { "ResourceSparseApplyCenteredRMSProp", "", tfp_infer_nothing,
      .formula = "16 * #x8" },
    { "ResourceSparseApplyFtrl", "", tfp_infer_nothing, .formula = "16 * #x3" },
    { "ResourceSparseApplyFtrlV2", "", tfp_infer_nothing,
      .formula = "16 * #x3" },
    { "ResourceSparseApplyKerasMomentum", "", tfp_infer_nothing,
      .formula = "4 * #x3" },
    { "ResourceSparseApplyMomentum", "", tfp_infer_nothing,
      .formula = "4 * #x3" },
    { "ResourceSparseApplyProximalAdagrad", "", tfp_infer_nothing,
      .formula = "16 * #x5" },
    { "ResourceSparseApplyProximalGradientDescent", "", tfp_infer_nothing,
      .formula = "8 * #x4" },
    { "ResourceSparseApplyRMSProp", "", tfp_infer_nothing,
      .formula = "11 * #x7" },
    { "SparseApplyAdadelta", "out", infer_apply_rows_3_6,
      .formula = "17 * #x6" },
    { "SparseApplyAdagrad", "out", infer_apply_rows_2_3, .formula = "6 * #x3" },
    { "SparseApplyAdagradDA", "out", infer_apply_rows_3_3,
      .formula = "12 * #x3" },
    { "SparseApplyAdagradV2", "out", infer_apply_rows_2_4,
      .formula = "6 * #x4" },
    { "SparseApplyCenteredRMSProp", "out", infer_apply_rows_4_8,
      .formula = "16 * #x8" },
    { "SparseApplyFtrl", "out", infer_apply_rows_3_3, .formula = "16 * #x3" },
    { "SparseApplyFtrlV2", "out", infer_apply_rows_3_3, .formula = "16 * #x3" },
    { "SparseApplyMomentum", "out", infer_apply_rows_2_3,
      .formula = "4 * #x3" },
    { "SparseApplyProximalAdagrad", "out", infer_apply_rows_2_5,
      .formula = "16 * #x5" },
    { "SparseApplyProximalGradientDescent", "out", infer_apply_rows_1_4,
      .formula = "8 * #x4" },
    { "SparseApplyRMSProp", "out", infer_apply_rows_3_7,
      .formula = "11 * #x7" },
    { 0 },
};
