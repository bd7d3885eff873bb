/*
 * ops_math.c - operations by element.
 */
#include "shape/ops/common.h"
#include "shape/ops/form.h"

/* AddN: all inputs are of one shape, and each may know a part of it. */
static void infer_merged(tfp_site *site)
{
    tfp_form sum = { .rank = -1 }, next;
    for (size_t i = 0; i < site->input_count; i++) {
        tfp_form_input(site, i, &next);
        if (!tfp_form_merge(&sum, &next))
            return;
    }
    tfp_site_put_form(site, 0, &sum);
}

/* Shapes that do not go together make a single false, if that is allowed. What
 * is unknown may prove to be such a shape. */
static void infer_equal(tfp_site *site)
{
    tfp_form a, b, out;
    if (tfp_site_bool(site, TFP_KEY_incompatible_shape_error, true)) {
        tfp_infer_broadcast(site);
        return;
    }
    tfp_form_input(site, 0, &a);
    tfp_form_input(site, 1, &b);
    for (int i = a.rank > b.rank ? a.rank : b.rank; i > 0; i--) {
        int64_t x = i > a.rank ? 1 : tfp_form_dim(&a, -i);
        int64_t y = i > b.rank ? 1 : tfp_form_dim(&b, -i);
        if ((x < 0) != (y < 0) && x != 1 && y != 1)
            return;
        if (x >= 0 && y >= 0 && x != y && x != 1 && y != 1)
            break;
    }
    if (!tfp_form_broadcast(&a, &b, &out))
        out.rank = 0;
    tfp_site_put_form(site, 0, &out);
}

static void infer_select(tfp_site *site)
{
    tfp_form condition, data, other;
    tfp_form_input(site, 0, &condition);
    tfp_form_input(site, 1, &data);
    tfp_form_input(site, 2, &other);
    if (!tfp_form_merge(&data, &other))
        return;
    /* A scalar picks all, a vector rows; anything else is as the data. */
    if (data.rank >= 0 && condition.rank > 1 &&
        !tfp_form_merge(&data, &condition))
        return;
    tfp_site_put_form(site, 0, &data);
}

static void infer_select_v2(tfp_site *site)
{
    tfp_form condition, a, b, both, out;
    tfp_form_input(site, 0, &condition);
    tfp_form_input(site, 1, &a);
    tfp_form_input(site, 2, &b);
    if (tfp_form_broadcast(&a, &b, &both) &&
        tfp_form_broadcast(&condition, &both, &out))
        tfp_site_put_form(site, 0, &out);
}

/* Scalars are stretched, all others are of one shape. */
static void infer_betainc(tfp_site *site)
{
    tfp_form out = { .rank = -1 }, next;
    int scalars = 0;
    for (size_t i = 0; i < 3; i++) {
        tfp_form_input(site, i, &next);
        scalars += next.rank == 0;
        if (next.rank != 0 && !tfp_form_merge(&out, &next))
            return;
    }
    if (scalars == 3)
        out.rank = 0;
    tfp_site_put_form(site, 0, &out);
}

static void infer_cross(tfp_site *site)
{
    tfp_form a, b;
    if (!tfp_form_input_from(site, 0, 1, &a) ||
        !tfp_form_input_from(site, 1, 1, &b) || !tfp_form_merge(&a, &b))
        return;
    tfp_site_put_form(site, 0, &a);
}

const tfp_op tfp_ops_math[] = {
    /* name, outputs, shapes, kind */
    { "Abs", "y", tfp_infer_same, 0 },
    { "AccumulateNV2", "sum", tfp_infer_by_shape, 0 },
    { "Acos", "y", tfp_infer_same, 0 },
    { "Acosh", "y", tfp_infer_same, 0 },
    { "Add", "z", tfp_infer_broadcast, 0 },
    { "AddN", "sum", infer_merged, 0 },
    { "AddV2", "z", tfp_infer_broadcast, 0 },
    { "Angle", "output", tfp_infer_same, 0 },
    { "ApproximateEqual", "z", tfp_infer_same, 0 },
    { "Asin", "y", tfp_infer_same, 0 },
    { "Asinh", "y", tfp_infer_same, 0 },
    { "Atan", "y", tfp_infer_same, 0 },
    { "Atan2", "z", tfp_infer_broadcast, 0 },
    { "Atanh", "y", tfp_infer_same, 0 },
    { "BesselI0", "y", tfp_infer_same, 0 },
    { "BesselI0e", "y", tfp_infer_same, 0 },
    { "BesselI1", "y", tfp_infer_same, 0 },
    { "BesselI1e", "y", tfp_infer_same, 0 },
    { "BesselJ0", "y", tfp_infer_same, 0 },
    { "BesselJ1", "y", tfp_infer_same, 0 },
    { "BesselK0", "y", tfp_infer_same, 0 },
    { "BesselK0e", "y", tfp_infer_same, 0 },
    { "BesselK1", "y", tfp_infer_same, 0 },
    { "BesselK1e", "y", tfp_infer_same, 0 },
    { "BesselY0", "y", tfp_infer_same, 0 },
    { "BesselY1", "y", tfp_infer_same, 0 },
    { "Betainc", "z", infer_betainc, 0 },
    { "BitwiseAnd", "z", tfp_infer_broadcast, 0 },
    { "BitwiseOr", "z", tfp_infer_broadcast, 0 },
    { "BitwiseXor", "z", tfp_infer_broadcast, 0 },
    { "Bucketize", "output", tfp_infer_same, 0 },
    { "Ceil", "y", tfp_infer_same, 0 },
    { "ClipByValue", "output", tfp_infer_same, 0 },
    { "Complex", "out", tfp_infer_broadcast, 0 },
    { "ComplexAbs", "y", tfp_infer_same, 0 },
    { "Conj", "output", tfp_infer_same, 0 },
    { "Cos", "y", tfp_infer_same, 0 },
    { "Cosh", "y", tfp_infer_same, 0 },
    { "Cross", "product", infer_cross, 0 },
    { "Cumprod", "out", tfp_infer_same, 0 },
    { "Cumsum", "out", tfp_infer_same, 0 },
    { "CumulativeLogsumexp", "out", tfp_infer_same, 0 },
    { "Dawsn", "y", tfp_infer_same, 0 },
    { "Digamma", "y", tfp_infer_same, 0 },
    { "Div", "z", tfp_infer_broadcast, 0 },
    { "DivNoNan", "z", tfp_infer_broadcast, 0 },
    { "Equal", "z", infer_equal, 0 },
    { "Erf", "y", tfp_infer_same, 0 },
    { "Erfc", "y", tfp_infer_same, 0 },
    { "Erfinv", "y", tfp_infer_same, 0 },
    { "Exp", "y", tfp_infer_same, 0 },
    { "Expint", "y", tfp_infer_same, 0 },
    { "Expm1", "y", tfp_infer_same, 0 },
    { "Floor", "y", tfp_infer_same, 0 },
    { "FloorDiv", "z", tfp_infer_broadcast, 0 },
    { "FloorMod", "z", tfp_infer_broadcast, 0 },
    { "FresnelCos", "y", tfp_infer_same, 0 },
    { "FresnelSin", "y", tfp_infer_same, 0 },
    { "Greater", "z", tfp_infer_broadcast, 0 },
    { "GreaterEqual", "z", tfp_infer_broadcast, 0 },
    { "_HostCast", "y", tfp_infer_same, 0 },
    { "Igamma", "z", tfp_infer_broadcast, 0 },
    { "IgammaGradA", "z", tfp_infer_broadcast, 0 },
    { "Igammac", "z", tfp_infer_broadcast, 0 },
    { "Imag", "output", tfp_infer_same, 0 },
    { "Inv", "y", tfp_infer_same, 0 },
    { "InvGrad", "z", tfp_infer_same, 0 },
    { "Invert", "y", tfp_infer_same, 0 },
    { "IsFinite", "y", tfp_infer_same, 0 },
    { "IsInf", "y", tfp_infer_same, 0 },
    { "IsNan", "y", tfp_infer_same, 0 },
    { "LeftShift", "z", tfp_infer_broadcast, 0 },
    { "Less", "z", tfp_infer_broadcast, 0 },
    { "LessEqual", "z", tfp_infer_broadcast, 0 },
    { "Lgamma", "y", tfp_infer_same, 0 },
    { "Log", "y", tfp_infer_same, 0 },
    { "Log1p", "y", tfp_infer_same, 0 },
    { "LogicalAnd", "z", tfp_infer_broadcast, 0 },
    { "LogicalNot", "y", tfp_infer_same, 0 },
    { "LogicalOr", "z", tfp_infer_broadcast, 0 },
    { "Maximum", "z", tfp_infer_broadcast, 0 },
    { "Minimum", "z", tfp_infer_broadcast, 0 },
    { "Mod", "z", tfp_infer_broadcast, 0 },
    { "Mul", "z", tfp_infer_broadcast, 0 },
    { "MulNoNan", "z", tfp_infer_broadcast, 0 },
    { "Ndtri", "y", tfp_infer_same, 0 },
    { "Neg", "y", tfp_infer_same, 0 },
    { "NextAfter", "output", tfp_infer_broadcast, 0 },
    { "NotEqual", "z", infer_equal, 0 },
    { "Polygamma", "z", tfp_infer_broadcast, 0 },
    { "PopulationCount", "y", tfp_infer_same, 0 },
    { "Pow", "z", tfp_infer_broadcast, 0 },
    { "RandomGammaGrad", "output", tfp_infer_broadcast, 0 },
    { "Real", "output", tfp_infer_same, 0 },
    { "RealDiv", "z", tfp_infer_broadcast, 0 },
    { "Reciprocal", "y", tfp_infer_same, 0 },
    { "ReciprocalGrad", "z", tfp_infer_same, 0 },
    { "RightShift", "z", tfp_infer_broadcast, 0 },
    { "Rint", "y", tfp_infer_same, 0 },
    { "Round", "y", tfp_infer_same, 0 },
    { "Rsqrt", "y", tfp_infer_same, 0 },
    { "RsqrtGrad", "z", tfp_infer_same, 0 },
    { "Select", "output", infer_select, 0 },
    { "SelectV2", "output", infer_select_v2, 0 },
    { "Sigmoid", "y", tfp_infer_same, 0 },
    { "SigmoidGrad", "z", tfp_infer_same, 0 },
    { "Sign", "y", tfp_infer_same, 0 },
    { "Sin", "y", tfp_infer_same, 0 },
    { "Sinh", "y", tfp_infer_same, 0 },
    { "Spence", "y", tfp_infer_same, 0 },
    { "Sqrt", "y", tfp_infer_same, 0 },
    { "SqrtGrad", "z", tfp_infer_same, 0 },
    { "Square", "y", tfp_infer_same, 0 },
    { "SquaredDifference", "z", tfp_infer_broadcast, 0 },
    { "Sub", "z", tfp_infer_broadcast, 0 },
    { "Tan", "y", tfp_infer_same, 0 },
    { "Tanh", "y", tfp_infer_same, 0 },
    { "TanhGrad", "z", tfp_infer_same, 0 },
    { "TruncateDiv", "z", tfp_infer_broadcast, 0 },
    { "TruncateMod", "z", tfp_infer_broadcast, 0 },
    { "_UnaryOpsComposition", "y", tfp_infer_same, 0 },
    { "Xdivy", "z", tfp_infer_broadcast, 0 },
    { "Xlog1py", "z", tfp_infer_broadcast, 0 },
    { "Xlogy", "z", tfp_infer_broadcast, 0 },
    { "Zeta", "z", tfp_infer_broadcast, 0 },
    { 0 },
};
