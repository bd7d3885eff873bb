/*
 * ops_math.c - operations by element.
 */
#include "ops/table/common.h"
#include "ops/table/form.h"

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
    /* name, outputs, shapes */
    { "Abs", "y", tfp_infer_same, .formula = "#x0" },
    { "AccumulateNV2", "sum", tfp_infer_by_shape,
      .formula = "#x0 * max(attr(N, inputs) - 1, 0)" },
    { "Acos", "y", tfp_infer_same, .formula = "#x0" },
    { "Acosh", "y", tfp_infer_same, .formula = "#x0" },
    { "Add", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "AddN", "sum", infer_merged,
      .formula = "#x0 * max(attr(N, inputs) - 1, 0)",
      .upstream =
          "inputs + controls == 0 ? 0 : #x0 * (inputs + controls - 1)" },
    { "AddV2", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "Angle", "output", tfp_infer_same, .formula = "#x0" },
    { "ApproximateEqual", "z", tfp_infer_same,
      .formula = "3 * #y0" }, /* sub, abs, comparison */
    { "Asin", "y", tfp_infer_same, .formula = "#x0" },
    { "Asinh", "y", tfp_infer_same, .formula = "#x0" },
    { "Atan", "y", tfp_infer_same, .formula = "#x0" },
    { "Atan2", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "Atanh", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselI0", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselI0e", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselI1", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselI1e", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselJ0", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselJ1", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselK0", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselK0e", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselK1", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselK1e", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselY0", "y", tfp_infer_same, .formula = "#x0" },
    { "BesselY1", "y", tfp_infer_same, .formula = "#x0" },
    { "Betainc", "z", infer_betainc,
      .formula = "#y0" }, /* depends on the data */
    { "BitwiseAnd", "z", tfp_infer_broadcast, .formula = "free" },
    { "BitwiseOr", "z", tfp_infer_broadcast, .formula = "free" },
    { "BitwiseXor", "z", tfp_infer_broadcast, .formula = "free" },
    { "Bucketize", "output", tfp_infer_same,
      .formula = "#x0 * log2_ceil(len(@boundaries) + 1)" },
    { "Ceil", "y", tfp_infer_same, .formula = "#x0" },
    { "ClipByValue", "output", tfp_infer_same, .formula = "2 * #x0" },
    { "Complex", "out", tfp_infer_broadcast, .formula = "free" },
    { "ComplexAbs", "y", tfp_infer_same,
      .formula = "4 * #x0" }, /* two squares, sum, root */
    { "Conj", "output", tfp_infer_same, .formula = "#x0" },
    { "Cos", "y", tfp_infer_same, .formula = "#x0" },
    { "Cosh", "y", tfp_infer_same, .formula = "#x0" },
    { "Cross", "product", infer_cross,
      .formula = "3 * #y0" }, /* two products, difference */
    { "Cumprod", "out", tfp_infer_same, .formula = "#x0" },
    { "Cumsum", "out", tfp_infer_same, .formula = "#x0" },
    { "CumulativeLogsumexp", "out", tfp_infer_same,
      .formula = "5 * #x0" }, /* Counts; a histogram subtracts, divides and adds
                                 to a bin. */
    { "Dawsn", "y", tfp_infer_same, .formula = "#x0" },
    { "Digamma", "y", tfp_infer_same, .formula = "#x0" },
    { "Div", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "DivNoNan", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "Equal", "z", infer_equal, .formula = "#y0", .upstream = "#y0" },
    { "Erf", "y", tfp_infer_same, .formula = "#x0" },
    { "Erfc", "y", tfp_infer_same, .formula = "#x0" },
    { "Erfinv", "y", tfp_infer_same, .formula = "#x0" },
    { "Exp", "y", tfp_infer_same, .formula = "#x0" },
    { "Expint", "y", tfp_infer_same, .formula = "#x0" },
    { "Expm1", "y", tfp_infer_same, .formula = "#x0" },
    { "Floor", "y", tfp_infer_same, .formula = "#x0" },
    { "FloorDiv", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "FloorMod", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "FresnelCos", "y", tfp_infer_same, .formula = "#x0" },
    { "FresnelSin", "y", tfp_infer_same, .formula = "#x0" },
    { "Greater", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "GreaterEqual", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "_HostCast", "y", tfp_infer_same, .formula = "free" },
    { "Igamma", "z", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { "IgammaGradA", "z", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { "Igammac", "z", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { "Imag", "output", tfp_infer_same, .formula = "free" },
    { "Inv", "y", tfp_infer_same, .formula = "#x0" },
    { "InvGrad", "z", tfp_infer_same, .formula = "3 * #y0" }, /* -dy*y*y */
    { "Invert", "y", tfp_infer_same, .formula = "free" },
    { "IsFinite", "y", tfp_infer_same, .formula = "#x0" },
    { "IsInf", "y", tfp_infer_same, .formula = "#x0" },
    { "IsNan", "y", tfp_infer_same, .formula = "#x0" },
    { "LeftShift", "z", tfp_infer_broadcast, .formula = "free" },
    { "Less", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "LessEqual", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "Lgamma", "y", tfp_infer_same, .formula = "#x0" },
    { "Log", "y", tfp_infer_same, .formula = "#x0", .upstream = "#x0" },
    { "Log1p", "y", tfp_infer_same, .formula = "#x0" },
    { "LogicalAnd", "z", tfp_infer_broadcast, .formula = "free" },
    { "LogicalNot", "y", tfp_infer_same, .formula = "free" },
    { "LogicalOr", "z", tfp_infer_broadcast, .formula = "free" },
    { "Maximum", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "Minimum", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "Mod", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "Mul", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "MulNoNan", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "Ndtri", "y", tfp_infer_same, .formula = "#x0" },
    { "Neg", "y", tfp_infer_same, .formula = "#x0", .upstream = "#x0" },
    { "NextAfter", "output", tfp_infer_broadcast, .formula = "#y0" },
    { "NotEqual", "z", infer_equal, .formula = "#y0", .upstream = "#y0" },
    { "Polygamma", "z", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { "PopulationCount", "y", tfp_infer_same, .formula = "free" },
    { "Pow", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "RandomGammaGrad", "output", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { "Real", "output", tfp_infer_same, .formula = "free" },
    { "RealDiv", "z", tfp_infer_broadcast, .formula = "#y0",
      .upstream = "#y0" },
    { "Reciprocal", "y", tfp_infer_same, .formula = "#x0", .upstream = "#x0" },
    { "ReciprocalGrad", "z", tfp_infer_same,
      .formula = "3 * #y0" }, /* -dy*y*y */
    { "RightShift", "z", tfp_infer_broadcast, .formula = "free" },
    { "Rint", "y", tfp_infer_same, .formula = "#x0" },
    { "Round", "y", tfp_infer_same, .formula = "#x0" },
    { "Rsqrt", "y", tfp_infer_same, .formula = "2 * #x0",
      .upstream = "2 * #x0" },
    { "RsqrtGrad", "z", tfp_infer_same, .formula = "4 * #y0",
      .upstream = "4 * #y0" },
    { "Select", "output", infer_select, .formula = "free" },
    { "SelectV2", "output", infer_select_v2, .formula = "free" },
    { "Sigmoid", "y", tfp_infer_same,
      .formula = "4 * #x0" }, /* neg, exp, add, reciprocal */
    { "SigmoidGrad", "z", tfp_infer_same,
      .formula = "3 * #y0" }, /* dy*y*(1 - y) */
    { "Sign", "y", tfp_infer_same, .formula = "#x0" },
    { "Sin", "y", tfp_infer_same, .formula = "#x0" },
    { "Sinh", "y", tfp_infer_same, .formula = "#x0" },
    { "Spence", "y", tfp_infer_same, .formula = "#x0" },
    { "Sqrt", "y", tfp_infer_same, .formula = "#x0" },
    { "SqrtGrad", "z", tfp_infer_same, .formula = "2 * #y0" }, /* dy*0.5/y */
    { "Square", "y", tfp_infer_same, .formula = "#x0", .upstream = "#x0" },
    { "SquaredDifference", "z", tfp_infer_broadcast, .formula = "2 * #y0",
      .upstream = "2 * #y0" },
    { "Sub", "z", tfp_infer_broadcast, .formula = "#y0", .upstream = "#y0" },
    { "Tan", "y", tfp_infer_same, .formula = "#x0" },
    { "Tanh", "y", tfp_infer_same,
      .formula = "#x0" }, /* Two, stretched to each other. */
    { "TanhGrad", "z", tfp_infer_same,
      .formula = "3 * #y0" }, /* dy*(1 - y*y) */
    { "TruncateDiv", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "TruncateMod", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "_UnaryOpsComposition", "y", tfp_infer_same,
      .formula = "len(@op_names) * #x0" },
    { "Xdivy", "z", tfp_infer_broadcast, .formula = "#y0" },
    { "Xlog1py", "z", tfp_infer_broadcast,
      .formula = "2 * #y0" },                                    /* log, mul */
    { "Xlogy", "z", tfp_infer_broadcast, .formula = "2 * #y0" }, /* log, mul */
    { "Zeta", "z", tfp_infer_broadcast,
      .formula = "#y0" }, /* depends on the data */
    { 0 },
};
