/*
 * ops_linalg.c - equations, decompositions, transforms.
 */
#include "model/attrs.h"
#include "shape/ops/common.h"
#include "shape/ops/form.h"

/* ---- Square matrices ---------------------------------------------------- */

/* Input `i` is a batch of square matrices; what is known of one side holds
 * for the other. */
static bool read_square(const tfp_site *site, size_t i, tfp_form *form)
{
    if (!tfp_form_input_from(site, i, 2, form))
        return false;
    return tfp_form_merge_dim(form, -1, tfp_form_dim(form, -2)) &&
           tfp_form_merge_dim(form, -2, tfp_form_dim(form, -1));
}

/* A batch with dims after it; a side of -1 is unknown, one of NONE is none. */
enum { NONE = -2 };

static void put_batch(tfp_site *site, size_t i, const tfp_form *batch,
                      int64_t rows, int64_t columns)
{
    tfp_form out = *batch;
    if (rows != NONE)
        tfp_form_append(&out, rows);
    if (columns != NONE)
        tfp_form_append(&out, columns);
    tfp_site_put_form(site, i, &out);
}

static void infer_square(tfp_site *site)
{
    tfp_form out;
    if (read_square(site, 0, &out))
        tfp_site_put_form(site, 0, &out);
}

static void infer_determinant(tfp_site *site)
{
    tfp_form in;
    if (!read_square(site, 0, &in))
        return;
    tfp_form_drop_last(&in, 2);
    tfp_site_put_form(site, 0, &in);
    tfp_site_put_form(site, 1, &in);
}

static void infer_lu(tfp_site *site)
{
    tfp_form in;
    int64_t side;
    if (!read_square(site, 0, &in))
        return;
    side = tfp_form_dim(&in, -1);
    tfp_site_put_form(site, 0, &in);
    tfp_form_drop_last(&in, 2);
    put_batch(site, 1, &in, side, NONE);
}

/* ---- Equations ---------------------------------------------------------- */

/* [..., M, N] and [..., M, K] give [..., N, K]. Batches are the same, or
 * stretched to each other. Square matrices have as many unknowns as there are
 * equations, and the right side knows how many, too. */
static void put_solution(tfp_site *site, tfp_form *left, bool is_square,
                         bool stretches)
{
    tfp_form right, batch;
    int64_t rows, columns, unknowns = tfp_form_dim(left, -1);
    if (!tfp_form_input_from(site, 1, 2, &right) ||
        !tfp_dim_merge(tfp_form_dim(left, -2), tfp_form_dim(&right, -2), &rows))
        return;
    if (is_square && !tfp_dim_merge(unknowns, rows, &unknowns))
        return;
    columns = tfp_form_dim(&right, -1);
    tfp_form_drop_last(left, 2);
    tfp_form_drop_last(&right, 2);
    batch = *left;
    if (stretches ? !tfp_form_broadcast(left, &right, &batch)
                  : !tfp_form_merge(&batch, &right))
        return;
    put_batch(site, 0, &batch, unknowns, columns);
}

static void infer_solve_square(tfp_site *site, bool stretches)
{
    tfp_form left;
    if (read_square(site, 0, &left))
        put_solution(site, &left, true, stretches);
}

static void infer_solve(tfp_site *site)
{
    infer_solve_square(site, false);
}

static void infer_solve_triangular(tfp_site *site)
{
    infer_solve_square(site, true);
}

static void infer_solve_least_squares(tfp_site *site)
{
    tfp_form left;
    if (tfp_form_input_from(site, 0, 2, &left) && tfp_site_has_rank(site, 2, 0))
        put_solution(site, &left, false, false);
}

static void infer_solve_banded(tfp_site *site)
{
    tfp_form bands, right, batch;
    int64_t rows, columns;
    if (!tfp_form_input_from(site, 0, 2, &bands) ||
        !tfp_form_input_from(site, 1, 2, &right) ||
        !tfp_dim_merge(tfp_form_dim(&bands, -1), tfp_form_dim(&right, -2),
                       &rows))
        return;
    columns = tfp_form_dim(&right, -1);
    tfp_form_drop_last(&bands, 2);
    tfp_form_drop_last(&right, 2);
    if (tfp_form_broadcast(&bands, &right, &batch))
        put_batch(site, 0, &batch, rows, columns);
}

/* As the right side, the last input. */
static void infer_tridiagonal(tfp_site *site)
{
    tfp_form right;
    if (site->input_count > 0 &&
        tfp_form_input_from(site, site->input_count - 1, 2, &right))
        tfp_site_put_form(site, 0, &right);
}

/* ---- Decompositions ----------------------------------------------------- */

/* Matrices that are taken apart. */
typedef struct matrices {
    tfp_form batch;
    int64_t rows, columns, least; /* the smaller of both */
    bool full;                    /* factors are square */
} matrices;

static bool read_matrices(const tfp_site *site, matrices *m)
{
    m->full = tfp_site_bool(site, TFP_KEY_full_matrices, false);
    if (!tfp_form_input_from(site, 0, 2, &m->batch))
        return false;
    m->rows = tfp_form_dim(&m->batch, -2);
    m->columns = tfp_form_dim(&m->batch, -1);
    m->least = tfp_dim_least(m->rows, m->columns);
    tfp_form_drop_last(&m->batch, 2);
    return true;
}

static void infer_qr(tfp_site *site)
{
    matrices m;
    int64_t inner;
    if (!read_matrices(site, &m))
        return;
    inner = m.full ? m.rows : m.least;
    put_batch(site, 0, &m.batch, m.rows, inner);
    put_batch(site, 1, &m.batch, inner, m.columns);
}

static void infer_svd(tfp_site *site)
{
    matrices m;
    if (!read_matrices(site, &m))
        return;
    put_batch(site, 0, &m.batch, m.least, NONE);
    if (tfp_site_bool(site, TFP_KEY_compute_uv, true)) {
        put_batch(site, 1, &m.batch, m.rows, m.full ? m.rows : m.least);
        put_batch(site, 2, &m.batch, m.columns, m.full ? m.columns : m.least);
    } else {
        tfp_site_put_vector(site, 1, 0);
        tfp_site_put_vector(site, 2, 0);
    }
}

static void infer_eigen(tfp_site *site)
{
    tfp_form in;
    int64_t side;
    if (!read_square(site, 0, &in))
        return;
    side = tfp_form_dim(&in, -1);
    if (tfp_site_bool(site, TFP_KEY_compute_v, true))
        tfp_site_put_form(site, 1, &in);
    else
        tfp_site_put_vector(site, 1, 0);
    tfp_form_drop_last(&in, 2);
    put_batch(site, 0, &in, side, NONE);
}

/* Values in the first row, vectors below. */
static void infer_eigen_v1(tfp_site *site)
{
    tfp_form in;
    int64_t side;
    if (!read_square(site, 0, &in))
        return;
    side = tfp_form_dim(&in, -1);
    tfp_form_drop_last(&in, 2);
    put_batch(site, 0, &in, tfp_dim_add(side, 1), side);
}

/* ---- Fourier transforms ------------------------------------------------- */

static void put_from(tfp_site *site, int rank)
{
    tfp_form in;
    if (tfp_form_input_from(site, 0, rank, &in))
        tfp_site_put_form(site, 0, &in);
}

static void infer_fft_2d(tfp_site *site)
{
    put_from(site, 2);
}

static void infer_fft_3d(tfp_site *site)
{
    put_from(site, 3);
}

/* The last `rank` dims are as long as input 1 says. Of real numbers half the
 * spectrum is enough. */
static void infer_real_fft(tfp_site *site, int rank, bool halves)
{
    tfp_form in, lengths;
    tfp_value value;
    if (!tfp_form_input_from(site, 0, rank, &in) ||
        !tfp_form_input_of(site, 1, 1, &lengths) ||
        (lengths.at[0] >= 0 && lengths.at[0] != rank))
        return;
    if (in.rank < 0) {
        tfp_site_put_form(site, 0, &in);
        return;
    }
    if (!tfp_site_ints_value(site, 1, &value))
        value.count = 0;
    for (int i = 0; i < rank; i++) {
        int64_t *dim = &in.at[in.rank - rank + i];
        *dim = value.count == (size_t)rank && value.at[i] >= 0
                   ? value.at[i]
                   : TFP_DIM_UNKNOWN;
        if (halves && i == rank - 1 && *dim > 0)
            *dim = *dim / 2 + 1;
    }
    tfp_site_put_form(site, 0, &in);
}

#define INFER_REAL_FFT(name, dims, halves)                                     \
    static void infer_##name(tfp_site *site)                                   \
    {                                                                          \
        infer_real_fft(site, dims, halves);                                    \
    }

INFER_REAL_FFT(rfft, 1, true)
INFER_REAL_FFT(rfft_2d, 2, true)
INFER_REAL_FFT(rfft_3d, 3, true)
INFER_REAL_FFT(irfft, 1, false)
INFER_REAL_FFT(irfft_2d, 2, false)
INFER_REAL_FFT(irfft_3d, 3, false)

#undef INFER_REAL_FFT

const tfp_op tfp_ops_linalg[] = {
    /* name, outputs, shapes, kind */
    { "BandedTriangularSolve", "output", infer_solve_banded, 0 },
    { "Cholesky", "output", infer_square, 0 },
    { "CholeskyGrad", "output", infer_square, 0 },
    { "Eig", "e,v", infer_eigen, 0 },
    { "FFT", "output", tfp_infer_same_from_1d, 0 },
    { "FFT2D", "output", infer_fft_2d, 0 },
    { "FFT3D", "output", infer_fft_3d, 0 },
    { "IFFT", "output", tfp_infer_same_from_1d, 0 },
    { "IFFT2D", "output", infer_fft_2d, 0 },
    { "IFFT3D", "output", infer_fft_3d, 0 },
    { "IRFFT", "output", infer_irfft, 0 },
    { "IRFFT2D", "output", infer_irfft_2d, 0 },
    { "IRFFT3D", "output", infer_irfft_3d, 0 },
    { "LogMatrixDeterminant", "sign,log_abs_determinant", infer_determinant,
      0 },
    { "Lu", "lu,p", infer_lu, 0 },
    { "MatrixDeterminant", "output", infer_determinant, 0 },
    { "MatrixExponential", "output", infer_square, 0 },
    { "MatrixInverse", "output", infer_square, 0 },
    { "MatrixLogarithm", "output", infer_square, 0 },
    { "MatrixSolve", "output", infer_solve, 0 },
    { "MatrixSolveLs", "output", infer_solve_least_squares, 0 },
    { "MatrixSquareRoot", "output", infer_square, 0 },
    { "MatrixTriangularSolve", "output", infer_solve_triangular, 0 },
    { "Qr", "q,r", infer_qr, 0 },
    { "RFFT", "output", infer_rfft, 0 },
    { "RFFT2D", "output", infer_rfft_2d, 0 },
    { "RFFT3D", "output", infer_rfft_3d, 0 },
    { "SelfAdjointEig", "output", infer_eigen_v1, 0 },
    { "SelfAdjointEigV2", "e,v", infer_eigen, 0 },
    { "Svd", "s,u,v", infer_svd, 0 },
    { "TridiagonalMatMul", "output", infer_tridiagonal, 0 },
    { "TridiagonalSolve", "output", infer_tridiagonal, 0 },
    { 0 },
};
