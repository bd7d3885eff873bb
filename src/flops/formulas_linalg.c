/*
 * formulas_linalg.c - products of matrices, decompositions, transforms.
 */
#include "base/bytes.h"
#include "flops/rule.h"
#include "shape/fact/fact.h"
#include "shape/fact/site.h"

/* ---- Products ----------------------------------------------------------- */

static tfp_counted count_product(const tfp_site *site, int axis,
                                 tfp_tally *tally)
{
    int64_t shared, elements;
    if (!tfp_input_dim(site, 0, axis, &shared) ||
        !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tfp_tally_macs(tally, tfp_mul_sat(shared, elements));
    return TFP_COUNTED;
}

tfp_counted tfp_rule_matmul(const tfp_site *site, const tfp_rule *rule,
                            tfp_tally *tally)
{
    (void)rule;
    return count_product(
        site, tfp_site_bool(site, TFP_KEY_transpose_a, false) ? 0 : 1, tally);
}

static tfp_counted count_batch_matmul(const tfp_site *site,
                                      const tfp_rule *rule, tfp_tally *tally)
{
    (void)rule;
    return count_product(
        site, tfp_site_bool(site, TFP_KEY_adj_x, false) ? -2 : -1, tally);
}

/* For each element that is there, a row of the other matrix. */
static tfp_counted count_sparse_matmul(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    int64_t entries, columns;
    bool adjoint = tfp_site_bool(site, TFP_KEY_adjoint_b, false);
    (void)rule;
    if (!tfp_input_dim(site, 0, 0, &entries) ||
        !tfp_input_dim(site, 3, adjoint ? 0 : 1, &columns))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tfp_tally_macs(tally, tfp_mul_sat(entries, columns));
    return TFP_COUNTED;
}

/* ---- Matrices ----------------------------------------------------------- */

/* The last two dims of an input, and the product of those before. */
typedef struct matrices {
    int64_t count, rows, columns;
} matrices;

static bool read_matrices(tfp_dims dims, matrices *m)
{
    return dims.rank >= 2 &&
           tfp_dims_product(dims, 0, dims.rank - 2, &m->count) &&
           tfp_dims_product(dims, dims.rank - 2, 1, &m->rows) &&
           tfp_dims_product(dims, dims.rank - 1, 1, &m->columns);
}

/* count * n*n*n * factor / divisor, cut once for all of them. */
static tfp_counted count_cubes(const tfp_site *site, int64_t factor,
                               int64_t divisor, tfp_tally *tally)
{
    matrices m;
    if (!read_matrices(tfp_site_input(site, 0), &m))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_count_ratio(
        (int64_t[]){ m.count, m.columns, m.columns, m.columns, factor }, 5,
        divisor);
    return TFP_COUNTED;
}

static tfp_counted count_thirds(const tfp_site *site, const tfp_rule *rule,
                                tfp_tally *tally)
{
    return count_cubes(site, rule->factor, 3, tally);
}

static tfp_counted count_whole(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    return count_cubes(site, rule->factor, 1, tally);
}

static tfp_counted count_self_adjoint_eig(const tfp_site *site,
                                          const tfp_rule *rule,
                                          tfp_tally *tally)
{
    (void)rule;
    return tfp_site_bool(site, TFP_KEY_compute_v, true)
               ? count_cubes(site, 9, 1, tally)
               : count_cubes(site, 4, 3, tally);
}

static tfp_counted count_eig(const tfp_site *site, const tfp_rule *rule,
                             tfp_tally *tally)
{
    (void)rule;
    return count_cubes(
        site, tfp_site_bool(site, TFP_KEY_compute_v, true) ? 25 : 10, 1, tally);
}

/* Each matrix is decomposed, then solved for each column. */
static tfp_counted count_solve(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    matrices m;
    int64_t columns, n, each;
    (void)rule;
    if (!read_matrices(tfp_site_input(site, 0), &m) ||
        !tfp_input_dim(site, 1, -1, &columns))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    n = m.columns;
    each = tfp_add_sat(tfp_count_ratio((int64_t[]){ 2, n, n, n }, 4, 3),
                       tfp_count_ratio((int64_t[]){ 2, n, n, columns }, 4, 1));
    tally->ops = tfp_mul_sat(m.count, each);
    return TFP_COUNTED;
}

/* n*n*m for each matrix: an output of n*m, n for each of its elements. */
static tfp_counted count_triangular_solve(const tfp_site *site,
                                          const tfp_rule *rule,
                                          tfp_tally *tally)
{
    int64_t elements, n;
    (void)rule;
    if (!tfp_output_elements(site, 0, &elements) ||
        !tfp_input_dim(site, 0, -1, &n))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements, n);
    return TFP_COUNTED;
}

static tfp_counted count_banded_solve(const tfp_site *site,
                                      const tfp_rule *rule, tfp_tally *tally)
{
    int64_t elements, bands;
    (void)rule;
    if (!tfp_output_elements(site, 0, &elements) ||
        !tfp_input_dim(site, 0, -2, &bands))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(elements,
                             tfp_count_less(tfp_mul_sat(2, bands), 1));
    return TFP_COUNTED;
}

/* The normal equations: A'A, its decomposition, A'b, and two solutions. */
static tfp_counted count_least_squares(const tfp_site *site,
                                       const tfp_rule *rule, tfp_tally *tally)
{
    matrices a;
    int64_t m, n, k, each;
    (void)rule;
    if (!read_matrices(tfp_site_input(site, 0), &a) ||
        !tfp_input_dim(site, 1, -1, &k))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    m = a.rows;
    n = a.columns;
    each = tfp_count_ratio((int64_t[]){ 2, m, n, n }, 4, 1);
    each = tfp_add_sat(each, tfp_count_ratio((int64_t[]){ n, n, n }, 3, 3));
    each = tfp_add_sat(each, tfp_count_ratio((int64_t[]){ 2, m, n, k }, 4, 1));
    each = tfp_add_sat(each, tfp_count_ratio((int64_t[]){ 2, n, n, k }, 4, 1));
    tally->ops = tfp_mul_sat(a.count, each);
    return TFP_COUNTED;
}

static tfp_counted count_tridiagonal_solve(const tfp_site *site,
                                           const tfp_rule *rule,
                                           tfp_tally *tally)
{
    int64_t elements, diagonals;
    (void)rule;
    if (!tfp_input_elements(site, 0, &diagonals) ||
        !tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_add_sat(diagonals, tfp_mul_sat(5, elements));
    return TFP_COUNTED;
}

/* The larger dim is m, the smaller n. */
static bool read_tall(const tfp_site *site, matrices *a)
{
    int64_t rows;
    if (!read_matrices(tfp_site_input(site, 0), a))
        return false;
    rows = a->rows;
    if (rows < a->columns) {
        a->rows = a->columns;
        a->columns = rows;
    }
    return true;
}

static tfp_counted count_qr(const tfp_site *site, const tfp_rule *rule,
                            tfp_tally *tally)
{
    matrices a;
    int64_t n, each;
    (void)rule;
    if (!read_tall(site, &a))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    n = a.columns;
    each = tfp_count_ratio((int64_t[]){ 4, a.rows, n, n }, 4, 1);
    each = tfp_count_less(each,
                          tfp_count_ratio((int64_t[]){ 4, n, n, n }, 4, 3));
    tally->ops = tfp_mul_sat(a.count, each);
    return TFP_COUNTED;
}

static tfp_counted count_svd(const tfp_site *site, const tfp_rule *rule,
                             tfp_tally *tally)
{
    matrices a;
    int64_t n, each;
    int64_t cubes = tfp_site_bool(site, TFP_KEY_compute_uv, true) ? 22 : 8;
    (void)rule;
    if (!read_tall(site, &a))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    n = a.columns;
    each = tfp_count_ratio((int64_t[]){ 4, a.rows, n, n }, 4, 1);
    each = tfp_add_sat(each,
                       tfp_count_ratio((int64_t[]){ cubes, n, n, n }, 4, 1));
    tally->ops = tfp_mul_sat(a.count, each);
    return TFP_COUNTED;
}

/* ---- Fourier transforms ------------------------------------------------- */

/* Exact for powers of two. What is left of others is near 1, where the series
 * 2*(t + t^3/3 + t^5/5 + ...) of the logarithm is short. */
static double log2_of(int64_t n)
{
    const double log2_e = 1.4426950408889634074;
    double left = (double)n, whole = 0.0, sum = 0.0, t, power;
    for (; left > 1.4142135623730951; left *= 0.5)
        whole += 1.0;
    t = (left - 1.0) / (left + 1.0);
    power = t;
    for (int k = 1; k < 25; k += 2) {
        sum += power / k;
        power *= t * t;
    }
    return whole + 2.0 * sum * log2_e;
}

/* `halves`/2 * points * log2(n), n being the points of one transform. */
static tfp_counted put_fourier(tfp_tally *tally, int64_t halves, int64_t points,
                               int64_t n)
{
    double count = n > 1 ? (double)halves / 2.0 * (double)points * log2_of(n)
                         : 0.0;
    tally->ops = count >= 9223372036854775808.0 ? INT64_MAX : (int64_t)count;
    return TFP_COUNTED;
}

/* The last `factor` dims of the output are one transform. */
static tfp_counted count_fourier_of(const tfp_site *site, int64_t halves,
                                    int rank, tfp_tally *tally)
{
    tfp_dims y = tfp_site_output(site, 0);
    int64_t n, points = tfp_dims_elements(y);
    if (points < 0 || !tfp_dims_product(y, y.rank - rank, rank, &n))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    return put_fourier(tally, halves, points, n);
}

static tfp_counted count_fft(const tfp_site *site, const tfp_rule *rule,
                             tfp_tally *tally)
{
    return count_fourier_of(site, 10, rule->factor, tally);
}

static tfp_counted count_irfft(const tfp_site *site, const tfp_rule *rule,
                               tfp_tally *tally)
{
    return count_fourier_of(site, 5, rule->factor, tally);
}

/* The lengths are an input. */
static bool read_lengths(const tfp_site *site, int64_t *n, int64_t *last)
{
    tfp_value lengths;
    *n = 1;
    if (!tfp_site_ints_value(site, 1, &lengths) || lengths.count == 0)
        return false;
    for (size_t i = 0; i < lengths.count; i++) {
        if (lengths.at[i] < 0)
            return false;
        *n = tfp_mul_sat(*n, lengths.at[i]);
    }
    *last = lengths.at[lengths.count - 1];
    return true;
}

/* Of n points along the last axis, n/2 + 1 come out. */
static tfp_counted count_rfft(const tfp_site *site, const tfp_rule *rule,
                              tfp_tally *tally)
{
    int64_t elements, n, last;
    (void)rule;
    if (!tfp_output_elements(site, 0, &elements) ||
        !read_lengths(site, &n, &last))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    return put_fourier(tally, 5, tfp_mul_sat(elements / (last / 2 + 1), last),
                       n);
}

/* Transforms along the axes of input 2; the product of the other dims is the
 * number of transforms. The number of points is that of fft_length, not of the
 * input: an inverse real transform reads only about half of the last axis. */
static tfp_counted count_fft_nd(const tfp_site *site, const tfp_rule *rule,
                                tfp_tally *tally)
{
    tfp_dims x = tfp_site_input(site, 0);
    int64_t n, last, others = 1;
    tfp_value axes;
    if (!read_lengths(site, &n, &last) || x.rank < 0 ||
        !tfp_site_ints_value(site, 2, &axes))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    for (int i = 0; i < x.rank; i++) {
        bool along = false;
        for (size_t k = 0; k < axes.count; k++)
            along |= tfp_axis_of(axes.at[k], x.rank) == i;
        if (!along && x.at[i] < 0)
            return TFP_COUNTED_UNKNOWN_SHAPE;
        others = along ? others : tfp_mul_sat(others, x.at[i]);
    }
    return put_fourier(tally, rule->factor, tfp_mul_sat(others, n), n);
}

/* ---- The table ---------------------------------------------------------- */

/* clang-format off */
#define BATCH_MATMUL \
    TFP_BY(count_batch_matmul, "2*#y*x[adj_x ? -2 : -1]"), \
    TFP_BY(tfp_upstream_batch_matmul, "2*#y*x[-1]")
#define THIRDS(n) TFP_BY_FACTOR(count_thirds, n, #n "/3*#x*x[-1]")
#define WHOLE(n)  TFP_BY_FACTOR(count_whole, n, #n "*#x*x[-1]")
#define SOLVE     TFP_BY(count_solve, "per matrix 2/3*n^3 + 2*n^2*m")
#define TRIANGULAR TFP_BY(count_triangular_solve, "#y*x[-1]")
#define LEAST     TFP_BY(count_least_squares, \
                  "per matrix 2*m*n^2 + n^3/3 + 2*m*n*k + 2*n^2*k")
#define SVD       TFP_BY(count_svd, \
                  "per matrix 4*m*n^2 + (compute_uv ? 22 : 8)*n^3, m >= n")
#define EIGH      TFP_BY(count_self_adjoint_eig, \
                  "per matrix (compute_v ? 9 : 4/3)*n^3")
#define FFT(r)    TFP_BY_FACTOR(count_fft, r, \
                  "5*#y*log2(n), n = prod of the last " #r " dims of y")
#define IRFFT(r)  TFP_BY_FACTOR(count_irfft, r, \
                  "2.5*#y*log2(n), n = prod of the last " #r " dims of y")
#define RFFT      TFP_BY(count_rfft, \
                  "2.5*n*log2(n) per transform, n = prod(fft_length)")

const tfp_formula tfp_formulas_linalg[] = {
    /* op, full, TensorFlow's own */
    { "MatMul", TFP_BY(tfp_rule_matmul, "2*#y*x[transpose_a ? 0 : 1]"),
      TFP_BY(tfp_upstream_matmul, "2*#y*x[transpose_a ? 0 : 1]") },
    { "SparseMatMul", TFP_BY(tfp_rule_matmul, "2*#y*x[transpose_a ? 0 : 1]"),
      TFP_NONE },
    { "QuantizedMatMul",
      TFP_INTS(tfp_rule_matmul, 0, 0, "2*#y*x[transpose_a ? 0 : 1]"), TFP_NONE },
    { "BatchMatMul",   BATCH_MATMUL },
    { "BatchMatMulV2", BATCH_MATMUL },
    { "BatchMatMulV3", BATCH_MATMUL },
    { "SparseTensorDenseMatMul",
      TFP_BY(count_sparse_matmul, "2*x0[0]*x3[adjoint_b ? 0 : 1]"), TFP_NONE },
    { "Einsum", TFP_BY(tfp_rule_einsum,
      "2*prod(labels), or prod(labels) if none is summed; for one operand "
      "#x - #y"), TFP_NONE },
    { "XlaEinsum", TFP_BY(tfp_rule_einsum,
      "2*prod(labels), or prod(labels) if none is summed"), TFP_NONE },
    { "TridiagonalMatMul", TFP_Y(5), TFP_NONE },

    { "BatchCholesky",          THIRDS(1), TFP_NONE },
    { "BatchCholeskyGrad",      THIRDS(2), TFP_NONE },
    { "BatchMatrixDeterminant", THIRDS(2), TFP_NONE },
    { "Cholesky",               THIRDS(1), TFP_NONE },
    { "CholeskyGrad",           THIRDS(2), TFP_NONE },
    { "LogMatrixDeterminant",   THIRDS(2), TFP_NONE },
    { "Lu",                     THIRDS(2), TFP_NONE },
    { "MatrixDeterminant",      THIRDS(2), TFP_NONE },
    { "BatchMatrixInverse",     WHOLE(2), TFP_NONE },
    { "MatrixInverse",          WHOLE(2), TFP_NONE },
    { "BatchMatrixSolve",       SOLVE, TFP_NONE },
    { "MatrixSolve",            SOLVE, TFP_NONE },
    { "BatchMatrixSolveLs",     LEAST, TFP_NONE },
    { "MatrixSolveLs",          LEAST, TFP_NONE },
    { "BatchMatrixTriangularSolve", TRIANGULAR, TFP_NONE },
    { "MatrixTriangularSolve",      TRIANGULAR, TFP_NONE },
    { "BandedTriangularSolve",
      TFP_BY(count_banded_solve, "#y*(2*x[-2] - 1)"), TFP_NONE },
    { "TridiagonalSolve",
      TFP_BY(count_tridiagonal_solve, "#x + 5*#y"), TFP_NONE },
    { "Qr", TFP_BY(count_qr, "per matrix 4*m*n^2 - 4/3*n^3, m >= n"),
      TFP_NONE },
    { "BatchSvd", SVD, TFP_NONE },
    { "Svd",      SVD, TFP_NONE },
    { "BatchSelfAdjointEig",   WHOLE(9), TFP_NONE },
    { "BatchSelfAdjointEigV2", EIGH, TFP_NONE },
    { "SelfAdjointEig",        WHOLE(9), TFP_NONE },
    { "SelfAdjointEigV2",      EIGH, TFP_NONE },
    { "Eig", TFP_BY(count_eig, "per matrix (compute_v ? 25 : 10)*n^3"),
      TFP_NONE },

    { "BatchFFT",    FFT(1), TFP_NONE },
    { "BatchFFT2D",  FFT(2), TFP_NONE },
    { "BatchFFT3D",  FFT(3), TFP_NONE },
    { "BatchIFFT",   FFT(1), TFP_NONE },
    { "BatchIFFT2D", FFT(2), TFP_NONE },
    { "BatchIFFT3D", FFT(3), TFP_NONE },
    { "FFT",         FFT(1), TFP_NONE },
    { "FFT2D",       FFT(2), TFP_NONE },
    { "FFT3D",       FFT(3), TFP_NONE },
    { "IFFT",        FFT(1), TFP_NONE },
    { "IFFT2D",      FFT(2), TFP_NONE },
    { "IFFT3D",      FFT(3), TFP_NONE },
    { "IRFFT",       IRFFT(1), TFP_NONE },
    { "IRFFT2D",     IRFFT(2), TFP_NONE },
    { "IRFFT3D",     IRFFT(3), TFP_NONE },
    { "RFFT",        RFFT, TFP_NONE },
    { "RFFT2D",      RFFT, TFP_NONE },
    { "RFFT3D",      RFFT, TFP_NONE },
#define FFT_ND(halves, text) TFP_BY_FACTOR(count_fft_nd, halves, text \
    "*n*log2(n) per transform, n = prod(fft_length)")
    { "FFTND",   FFT_ND(10, "5"), TFP_NONE },
    { "IFFTND",  FFT_ND(10, "5"), TFP_NONE },
    { "IRFFTND", FFT_ND(5, "2.5"), TFP_NONE },
    { "RFFTND",  FFT_ND(5, "2.5"), TFP_NONE },
#undef FFT_ND
    { 0 },
};
