/*
 * formulas_math.c - operations by element, reductions, segments, sorting.
 *
 * An elementary function counts as one operation, as in TensorFlow's own
 * formulas; a composite as the number of its parts. An operation on complex
 * numbers counts as one, too.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "shape/fact/fact.h"
#include "shape/fact/site.h"

/* ---- Sums --------------------------------------------------------------- */

static tfp_counted count_l2_loss(const tfp_site *site, const tfp_rule *rule,
                                 tfp_tally *tally)
{
    int64_t elements;
    (void)rule;
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_count_less(tfp_mul_sat(3, elements), 1);
    return TFP_COUNTED;
}

static tfp_counted count_add_n(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    int64_t count = tfp_site_int(site, TFP_KEY_N, (int64_t)site->input_count);
    int64_t elements;
    (void)rule;
    if (!tfp_input_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements, count > 0 ? count - 1 : 0);
    return TFP_COUNTED;
}

/* For each of the indices a row of the data. */
static tfp_counted count_rows(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    tfp_dims data = tfp_site_input(site, 0);
    int64_t indices, row;
    if (!tfp_input_elements(site, 1, &indices) ||
        !tfp_dims_product(data, 1, data.rank - 1, &row))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(tfp_mul_sat(rule->factor, indices), row);
    return TFP_COUNTED;
}

/* ---- Order -------------------------------------------------------------- */

static tfp_counted count_searches(const tfp_site *site, size_t input,
                                  int64_t places, tfp_tally *tally)
{
    int64_t elements;
    if (!tfp_input_elements(site, input, &elements) || places < 0)
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements, tfp_log2_ceil(tfp_add_sat(places, 1)));
    return TFP_COUNTED;
}

/* How many are wanted: an attribute, a constant, or what comes out. */
static int64_t wanted(const tfp_site *site)
{
    tfp_dims y = tfp_site_output(site, 0);
    int64_t k = tfp_site_int(site, TFP_KEY_k, -1);
    if (k < 0 && !tfp_site_int_value(site, 1, &k) && y.rank > 0)
        k = y.at[y.rank - 1];
    return k;
}

static tfp_counted count_top_k(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    (void)rule;
    return count_searches(site, 0, wanted(site), tally);
}

static tfp_counted count_bucketize(const tfp_site *site, const tfp_rule *rule,
                                   tfp_tally *tally)
{
    size_t count;
    (void)rule;
    tfp_site_list(site, TFP_KEY_boundaries, &count);
    return count_searches(site, 0, (int64_t)count, tally);
}

static tfp_counted count_bound(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    int64_t places = -1;
    (void)rule;
    tfp_input_dim(site, 0, -1, &places);
    return count_searches(site, 1, places, tally);
}

/* ---- The table ---------------------------------------------------------- */

/* clang-format off */
#define SUMMED TFP_BY(tfp_upstream_reduced, "#x - #y")

const tfp_formula tfp_formulas_math[] = {
    /* op, full, TensorFlow's own */

    /* One argument. */
    { "Abs",         TFP_X(1), TFP_NONE },
    { "Acos",        TFP_X(1), TFP_NONE },
    { "Acosh",       TFP_X(1), TFP_NONE },
    { "Angle",       TFP_X(1), TFP_NONE },
    { "Asin",        TFP_X(1), TFP_NONE },
    { "Asinh",       TFP_X(1), TFP_NONE },
    { "Atan",        TFP_X(1), TFP_NONE },
    { "Atanh",       TFP_X(1), TFP_NONE },
    { "BesselI0",    TFP_X(1), TFP_NONE },
    { "BesselI0e",   TFP_X(1), TFP_NONE },
    { "BesselI1",    TFP_X(1), TFP_NONE },
    { "BesselI1e",   TFP_X(1), TFP_NONE },
    { "BesselJ0",    TFP_X(1), TFP_NONE },
    { "BesselJ1",    TFP_X(1), TFP_NONE },
    { "BesselK0",    TFP_X(1), TFP_NONE },
    { "BesselK0e",   TFP_X(1), TFP_NONE },
    { "BesselK1",    TFP_X(1), TFP_NONE },
    { "BesselK1e",   TFP_X(1), TFP_NONE },
    { "BesselY0",    TFP_X(1), TFP_NONE },
    { "BesselY1",    TFP_X(1), TFP_NONE },
    { "Ceil",        TFP_X(1), TFP_NONE },
    { "CheckNumerics",   TFP_X(1), TFP_NONE },
    { "CheckNumericsV2", TFP_X(1), TFP_NONE },
    { "ComplexAbs",  TFP_X(4), TFP_NONE }, /* two squares, sum, root */
    { "Conj",        TFP_X(1), TFP_NONE },
    { "Cos",         TFP_X(1), TFP_NONE },
    { "Cosh",        TFP_X(1), TFP_NONE },
    { "Dawsn",       TFP_X(1), TFP_NONE },
    { "Digamma",     TFP_X(1), TFP_NONE },
    { "Erf",         TFP_X(1), TFP_NONE },
    { "Erfc",        TFP_X(1), TFP_NONE },
    { "Erfinv",      TFP_X(1), TFP_NONE },
    { "Exp",         TFP_X(1), TFP_NONE },
    { "Expint",      TFP_X(1), TFP_NONE },
    { "Expm1",       TFP_X(1), TFP_NONE },
    { "Floor",       TFP_X(1), TFP_NONE },
    { "FresnelCos",  TFP_X(1), TFP_NONE },
    { "FresnelSin",  TFP_X(1), TFP_NONE },
    { "Inv",         TFP_X(1), TFP_NONE },
    { "IsFinite",    TFP_X(1), TFP_NONE },
    { "IsInf",       TFP_X(1), TFP_NONE },
    { "IsNan",       TFP_X(1), TFP_NONE },
    { "Lgamma",      TFP_X(1), TFP_NONE },
    { "Log",         TFP_X(1), TFP_X(1) },
    { "Log1p",       TFP_X(1), TFP_NONE },
    { "Ndtri",       TFP_X(1), TFP_NONE },
    { "Neg",         TFP_X(1), TFP_X(1) },
    { "Reciprocal",  TFP_X(1), TFP_X(1) },
    { "Rint",        TFP_X(1), TFP_NONE },
    { "Round",       TFP_X(1), TFP_NONE },
    { "Rsqrt",       TFP_X(2), TFP_X(2) },
    { "Sign",        TFP_X(1), TFP_NONE },
    { "Sin",         TFP_X(1), TFP_NONE },
    { "Sinh",        TFP_X(1), TFP_NONE },
    { "Spence",      TFP_X(1), TFP_NONE },
    { "Sqrt",        TFP_X(1), TFP_NONE },
    { "Square",      TFP_X(1), TFP_X(1) },
    { "Tan",         TFP_X(1), TFP_NONE },
    { "Tanh",        TFP_X(1), TFP_NONE },

    /* Two, stretched to each other. */
    { "Add",               TFP_Y(1), TFP_Y(1) },
    { "AddV2",             TFP_Y(1), TFP_Y(1) },
    { "ApproximateEqual",  TFP_Y(3), TFP_NONE }, /* sub, abs, comparison */
    { "Atan2",             TFP_Y(1), TFP_NONE },
    { "Betainc",           TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "Div",               TFP_Y(1), TFP_NONE },
    { "DivNoNan",          TFP_Y(1), TFP_NONE },
    { "Equal",             TFP_Y(1), TFP_Y(1) },
    { "FloorDiv",          TFP_Y(1), TFP_NONE },
    { "FloorMod",          TFP_Y(1), TFP_NONE },
    { "Greater",           TFP_Y(1), TFP_Y(1) },
    { "GreaterEqual",      TFP_Y(1), TFP_Y(1) },
    { "Igamma",            TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "IgammaGradA",       TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "Igammac",           TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "Less",              TFP_Y(1), TFP_Y(1) },
    { "LessEqual",         TFP_Y(1), TFP_Y(1) },
    { "Maximum",           TFP_Y(1), TFP_Y(1) },
    { "Minimum",           TFP_Y(1), TFP_Y(1) },
    { "Mod",               TFP_Y(1), TFP_NONE },
    { "Mul",               TFP_Y(1), TFP_Y(1) },
    { "MulNoNan",          TFP_Y(1), TFP_NONE },
    { "NextAfter",         TFP_Y(1), TFP_NONE },
    { "NotEqual",          TFP_Y(1), TFP_Y(1) },
    { "Polygamma",         TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "Pow",               TFP_Y(1), TFP_Y(1) },
    { "RandomGammaGrad",   TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "RealDiv",           TFP_Y(1), TFP_Y(1) },
    { "SquaredDifference", TFP_Y(2), TFP_Y(2) },
    { "Sub",               TFP_Y(1), TFP_Y(1) },
    { "TruncateDiv",       TFP_Y(1), TFP_NONE },
    { "TruncateMod",       TFP_Y(1), TFP_NONE },
    { "Xdivy",             TFP_Y(1), TFP_NONE },
    { "Xlog1py",           TFP_Y(2), TFP_NONE }, /* log, mul */
    { "Xlogy",             TFP_Y(2), TFP_NONE }, /* log, mul */
    { "Zeta",              TFP_Y(1), TFP_NONE }, /* depends on the data */
    { "InplaceAdd",        TFP_XI(2, 1), TFP_NONE },
    { "InplaceSub",        TFP_XI(2, 1), TFP_NONE },

    /* More. */
    { "AccumulateNV2", TFP_BY(count_add_n, "#x*(N - 1)"), TFP_NONE },
    { "AddN",          TFP_BY(count_add_n, "#x*(N - 1)"),
      TFP_BY(tfp_upstream_add_n, "#x*(inputs - 1)") },
    { "ClipByValue",   TFP_X(2), TFP_NONE },
    { "Cross",         TFP_Y(3), TFP_NONE }, /* two products, difference */

    /* Gradients by element. */
    { "InvGrad",        TFP_Y(3), TFP_NONE }, /* -dy*y*y */
    { "ReciprocalGrad", TFP_Y(3), TFP_NONE }, /* -dy*y*y */
    { "RsqrtGrad",      TFP_Y(4), TFP_Y(4) },
    { "SigmoidGrad",    TFP_Y(3), TFP_NONE }, /* dy*y*(1 - y) */
    { "SqrtGrad",       TFP_Y(2), TFP_NONE }, /* dy*0.5/y */
    { "TanhGrad",       TFP_Y(3), TFP_NONE }, /* dy*(1 - y*y) */

    /* Reductions. */
    { "ArgMax",        TFP_X_LESS_Y, SUMMED },
    { "ArgMin",        TFP_X_LESS_Y, SUMMED },
    { "BiasAddGrad",   TFP_X_LESS_Y, SUMMED },
    { "EuclideanNorm", TFP_X(2), TFP_NONE },
    { "L2Loss",        TFP_BY(count_l2_loss, "3*#x - 1"),
      TFP_BY(tfp_upstream_l2_loss, "3*#x - 1") },
    { "Max",           TFP_X_LESS_Y, TFP_NONE },
    { "Mean",          TFP_X(1), TFP_BY(tfp_upstream_mean, "#x") },
    { "Min",           TFP_X_LESS_Y, TFP_NONE },
    { "MirrorPadGrad", TFP_X_LESS_Y, TFP_NONE },
    { "Prod",          TFP_X_LESS_Y, TFP_NONE },
    { "Sum",           TFP_X_LESS_Y, SUMMED },
    { "TileGrad",      TFP_X_LESS_Y, TFP_NONE },

    /* Running sums; the last is max, sub, exp, log, add. */
    { "Cumprod",             TFP_X(1), TFP_NONE },
    { "Cumsum",              TFP_X(1), TFP_NONE },
    { "CumulativeLogsumexp", TFP_X(5), TFP_NONE },

    /* Counts; a histogram subtracts, divides and adds to a bin. */
    { "Bincount",            TFP_X(1), TFP_NONE },
    { "DenseBincount",       TFP_X(1), TFP_NONE },
    { "RaggedBincount",      TFP_XI(1, 1), TFP_NONE },
    { "SparseBincount",      TFP_XI(1, 1), TFP_NONE },
    { "HistogramFixedWidth", TFP_X(3), TFP_NONE },
    { "DenseCountSparseOutput",  TFP_X(1), TFP_NONE },
    { "RaggedCountSparseOutput", TFP_XI(1, 1), TFP_NONE },
    { "SparseCountSparseOutput", TFP_XI(1, 1), TFP_NONE },

    /* Segments. */
    { "SegmentMax",          TFP_X_LESS_Y, TFP_NONE },
    { "SegmentMaxV2",        TFP_X(1), TFP_NONE },
    { "SegmentMean",         TFP_X(1), TFP_NONE },
    { "SegmentMin",          TFP_X_LESS_Y, TFP_NONE },
    { "SegmentMinV2",        TFP_X(1), TFP_NONE },
    { "SegmentProd",         TFP_X_LESS_Y, TFP_NONE },
    { "SegmentProdV2",       TFP_X(1), TFP_NONE },
    { "SegmentSum",          TFP_X_LESS_Y, TFP_NONE },
    { "SegmentSumV2",        TFP_X(1), TFP_NONE },
    { "UnsortedSegmentMax",  TFP_X(1), TFP_NONE },
    { "UnsortedSegmentMin",  TFP_X(1), TFP_NONE },
    { "UnsortedSegmentProd", TFP_X(1), TFP_NONE },
    { "UnsortedSegmentSum",  TFP_X(1), TFP_NONE },
#define ROWS(n) TFP_BY_FACTOR(count_rows, n, #n "*#x1*prod(x[1:])")
    { "SparseSegmentMean",                 ROWS(1), TFP_NONE },
    { "SparseSegmentMeanWithNumSegments",  ROWS(1), TFP_NONE },
    { "SparseSegmentSqrtN",                ROWS(1), TFP_NONE },
    { "SparseSegmentSqrtNWithNumSegments", ROWS(1), TFP_NONE },
    { "SparseSegmentSum",                  ROWS(1), TFP_NONE },
    { "SparseSegmentSumWithNumSegments",   ROWS(1), TFP_NONE },
    { "SparseSegmentMeanGrad",             ROWS(2), TFP_NONE },
    { "SparseSegmentMeanGradV2",           ROWS(2), TFP_NONE },
    { "SparseSegmentSqrtNGrad",            ROWS(2), TFP_NONE },
    { "SparseSegmentSqrtNGradV2",          ROWS(2), TFP_NONE },
    { "SparseSegmentSumGrad",              ROWS(1), TFP_NONE },
    { "SparseSegmentSumGradV2",            ROWS(1), TFP_NONE },
#undef ROWS

    /* Added, or else combined, to where the indices say. */
    { "ResourceScatterAdd",      TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterDiv",      TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterMax",      TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterMin",      TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterMul",      TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterNdAdd",    TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterNdMax",    TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterNdMin",    TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterNdSub",    TFP_XI(2, 1), TFP_NONE },
    { "ResourceScatterSub",      TFP_XI(2, 1), TFP_NONE },
    { "ScatterAdd",              TFP_XI(2, 1), TFP_NONE },
    { "ScatterDiv",              TFP_XI(2, 1), TFP_NONE },
    { "ScatterMax",              TFP_XI(2, 1), TFP_NONE },
    { "ScatterMin",              TFP_XI(2, 1), TFP_NONE },
    { "ScatterMul",              TFP_XI(2, 1), TFP_NONE },
    { "ScatterNd",               TFP_XI(1, 1), TFP_NONE },
    { "ScatterNdAdd",            TFP_XI(2, 1), TFP_NONE },
    { "ScatterNdMax",            TFP_XI(2, 1), TFP_NONE },
    { "ScatterNdMin",            TFP_XI(2, 1), TFP_NONE },
    { "ScatterNdNonAliasingAdd", TFP_XI(2, 1), TFP_NONE },
    { "ScatterNdSub",            TFP_XI(2, 1), TFP_NONE },
    { "ScatterSub",              TFP_XI(2, 1), TFP_NONE },
    { "TensorScatterAdd",        TFP_XI(2, 1), TFP_NONE },
    { "TensorScatterMax",        TFP_XI(2, 1), TFP_NONE },
    { "TensorScatterMin",        TFP_XI(2, 1), TFP_NONE },
    { "TensorScatterSub",        TFP_XI(2, 1), TFP_NONE },

    /* Order: comparisons. */
#define TOP_K TFP_BY(count_top_k, "#x*ceil(log2(k + 1))")
    { "ApproxTopK",     TOP_K, TFP_NONE },
    { "TopK",           TOP_K, TFP_NONE },
    { "TopKUnique",     TOP_K, TFP_NONE },
    { "TopKV2",         TOP_K, TFP_NONE },
    { "TopKWithUnique", TOP_K, TFP_NONE },
#undef TOP_K
    { "Bucketize",
      TFP_BY(count_bucketize, "#x*ceil(log2(boundaries + 1))"), TFP_NONE },
    { "LowerBound",
      TFP_BY(count_bound, "#x1*ceil(log2(x[-1] + 1))"), TFP_NONE },
    { "UpperBound",
      TFP_BY(count_bound, "#x1*ceil(log2(x[-1] + 1))"), TFP_NONE },
    { "InTopK",     TFP_X(1), TFP_NONE },
    { "InTopKV2",   TFP_X(1), TFP_NONE },
    { "NthElement", TFP_X(1), TFP_NONE }, /* depends on the data */

    /* Sparse operands: their values. */
    { "SparseDenseCwiseAdd",   TFP_XI(1, 1), TFP_NONE },
    { "SparseDenseCwiseDiv",   TFP_XI(1, 1), TFP_NONE },
    { "SparseDenseCwiseMul",   TFP_XI(1, 1), TFP_NONE },
    { "SparseReduceMax",       TFP_XI(1, 1), TFP_NONE },
    { "SparseReduceMaxSparse", TFP_XI(1, 1), TFP_NONE },
    { "SparseReduceSum",       TFP_XI(1, 1), TFP_NONE },
    { "SparseReduceSumSparse", TFP_XI(1, 1), TFP_NONE },
    { "SparseSoftmax",         TFP_XI(1, 5), TFP_NONE },
    { "SparseTensorDenseAdd",  TFP_XI(1, 1), TFP_NONE },

    /* Variables. */
    { "AssignAdd",           TFP_X(1), TFP_X(1) },
    { "AssignSub",           TFP_X(1), TFP_X(1) },
    { "AssignAddVariableOp", TFP_XI(1, 1), TFP_NONE },
    { "AssignSubVariableOp", TFP_XI(1, 1), TFP_NONE },
    { 0 },
};
