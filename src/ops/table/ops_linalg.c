/*
 * ops_linalg.c - equations, decompositions, transforms.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

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

/* ---- What these were before --------------------------------------------- */

/* Operations on batches of matrices, from before TensorFlow 1.0. Those that
 * came after take batches, too, and have the name without "Batch". TensorFlow
 * reads the old ones but infers no shapes. */
static const tfp_op *find_in(const tfp_op *family, const char *name)
{
    while (family->name && strcmp(family->name, name) != 0)
        family++;
    return family->name ? family : NULL;
}

static void infer_as_now(tfp_site *site)
{
    const char *name = site->op->name + strlen("Batch");
    const tfp_op *now = find_in(tfp_ops_linalg, name);
    if (!now)
        now = find_in(tfp_ops_diag, name);
    if (now && site->grade == TFP_GRADE_FULL)
        now->infer(site);
}

/* ---- The table ---------------------------------------------------------- */

/* One matrix has x0[-2] rows and x0[-1] columns; there are as many as the other
 * dims say. Decompositions count leading terms. */
#define PER_MATRIX "prod(x0, 0, -2) * "
#define CUBE       "x0[-2] * x0[-1] * x0[-1]"
#define LONG       "max(x0[-2], x0[-1])"
#define SHORT      "min(x0[-2], x0[-1])"
/* It is decomposed, then solved for each column. */
#define SOLVE PER_MATRIX "(2 * " CUBE " / 3 + 2 * x0[-2] * x0[-1] * x1[-1])"
/* The normal equations: A'A, its decomposition, A'b, and two solutions. */
#define LEAST_SQUARES                                                          \
    PER_MATRIX                                                                 \
    "(2 * " CUBE " + x0[-1] * x0[-1] * x0[-1] / 3"                             \
    " + 2 * x0[-2] * x0[-1] * x1[-1] + 2 * x0[-1] * x0[-1] * x1[-1])"
#define QR                                                                     \
    PER_MATRIX "(4 * " LONG " * " SHORT " * " SHORT " - 4 * " SHORT            \
               " * " SHORT " * " SHORT " / 3)"
#define SVD                                                                    \
    PER_MATRIX "(4 * " LONG " + (attr(compute_uv, 1) ? 22 : 8) * " SHORT       \
               ") * " SHORT " * " SHORT
/* Of n points along the last axis, n/2 + 1 come out. */
#define RFFT                                                                   \
    "mul_log2(5 * (#y0 / (value(x1, -1) / 2 + 1)) * value(x1, -1), "           \
    "prod(value(x1))) / 2"

const tfp_op tfp_ops_linalg[] = {
    /* name, outputs, shapes */
    { "BandedTriangularSolve", "output", infer_solve_banded,
      .formula = "#y0 * max(2 * x0[-2] - 1, 0)" },
    { "Cholesky", "output", infer_square, .formula = "#x0 * x0[-1] / 3" },
    { "CholeskyGrad", "output", infer_square,
      .formula = "2 * #x0 * x0[-1] / 3" },
    { "Eig", "e,v", infer_eigen,
      .formula = "(attr(compute_v, 1) ? 25 : 10) * #x0 * x0[-1]" },
    { "FFT", "output", tfp_infer_same_from_1d,
      .formula = "mul_log2(5 * #y0, y0[-1])" },
    { "FFT2D", "output", infer_fft_2d,
      .formula = "mul_log2(5 * #y0, prod(y0, -2))" },
    { "FFT3D", "output", infer_fft_3d,
      .formula = "mul_log2(5 * #y0, prod(y0, -3))" },
    { "IFFT", "output", tfp_infer_same_from_1d,
      .formula = "mul_log2(5 * #y0, y0[-1])" },
    { "IFFT2D", "output", infer_fft_2d,
      .formula = "mul_log2(5 * #y0, prod(y0, -2))" },
    { "IFFT3D", "output", infer_fft_3d,
      .formula = "mul_log2(5 * #y0, prod(y0, -3))" },
    { "IRFFT", "output", infer_irfft,
      .formula = "mul_log2(5 * #y0, y0[-1]) / 2" },
    { "IRFFT2D", "output", infer_irfft_2d,
      .formula = "mul_log2(5 * #y0, prod(y0, -2)) / 2" },
    { "IRFFT3D", "output", infer_irfft_3d,
      .formula = "mul_log2(5 * #y0, prod(y0, -3)) / 2" },
    { "LogMatrixDeterminant", "sign,log_abs_determinant", infer_determinant,
      .formula = "2 * #x0 * x0[-1] / 3" },
    { "Lu", "lu,p", infer_lu, .formula = "2 * #x0 * x0[-1] / 3" },
    { "MatrixDeterminant", "output", infer_determinant,
      .formula = "2 * #x0 * x0[-1] / 3" },
    { "MatrixExponential", "output", infer_square, .formula = NULL },
    { "MatrixInverse", "output", infer_square, .formula = "2 * #x0 * x0[-1]" },
    { "MatrixLogarithm", "output", infer_square, .formula = NULL },
    { "MatrixSolve", "output", infer_solve, .formula = SOLVE },
    { "MatrixSolveLs", "output", infer_solve_least_squares,
      .formula = LEAST_SQUARES },
    { "MatrixSquareRoot", "output", infer_square, .formula = NULL },
    { "MatrixTriangularSolve", "output", infer_solve_triangular,
      .formula = "#y0 * x0[-1]" },
    { "Qr", "q,r", infer_qr, .formula = QR },
    { "RFFT", "output", infer_rfft, .formula = RFFT },
    { "RFFT2D", "output", infer_rfft_2d, .formula = RFFT },
    { "RFFT3D", "output", infer_rfft_3d, .formula = RFFT },
    { "SelfAdjointEig", "output", infer_eigen_v1,
      .formula = "9 * #x0 * x0[-1]" },
    { "SelfAdjointEigV2", "e,v", infer_eigen,
      .formula = "(attr(compute_v, 1) ? 27 : 4) * #x0 * x0[-1] / 3" },
    { "Svd", "s,u,v", infer_svd, .formula = SVD },
    { "TridiagonalMatMul", "output", infer_tridiagonal, .formula = "5 * #y0" },
    { "TridiagonalSolve", "output", infer_tridiagonal,
      .formula = "#x0 + 5 * #y0" },

    /* Before TensorFlow 1.0. */
    { "BatchCholesky", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "#x0 * x0[-1] / 3" },
    { "BatchCholeskyGrad", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "2 * #x0 * x0[-1] / 3" },
    { "BatchFFT", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, y0[-1])" },
    { "BatchFFT2D", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, prod(y0, -2))" },
    { "BatchFFT3D", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, prod(y0, -3))" },
    { "BatchIFFT", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, y0[-1])" },
    { "BatchIFFT2D", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, prod(y0, -2))" },
    { "BatchIFFT3D", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "mul_log2(5 * #y0, prod(y0, -3))" },
    { "BatchMatrixBandPart", "band", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "BatchMatrixDeterminant", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "2 * #x0 * x0[-1] / 3" },
    { "BatchMatrixDiag", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "BatchMatrixDiagPart", "diagonal", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "BatchMatrixInverse", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "2 * #x0 * x0[-1]" },
    { "BatchMatrixSetDiag", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "free" },
    { "BatchMatrixSolve", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = SOLVE },
    { "BatchMatrixSolveLs", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = LEAST_SQUARES },
    { "BatchMatrixTriangularSolve", "output", infer_as_now,
      .kind = TFP_OP_BEYOND, .formula = "#y0 * x0[-1]" },
    { "BatchSelfAdjointEig", "output", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "9 * #x0 * x0[-1]" },
    { "BatchSelfAdjointEigV2", "e,v", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = "(attr(compute_v, 1) ? 27 : 4) * #x0 * x0[-1] / 3" },
    { "BatchSvd", "s,u,v", infer_as_now, .kind = TFP_OP_BEYOND,
      .formula = SVD },
    { 0 },
};
