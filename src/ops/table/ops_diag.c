/*
 * ops_diag.c - diagonals and bands of matrices.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"

/* ---- One diagonal ------------------------------------------------------- */

/* A tensor of any rank on the diagonal of one of twice the rank. */
static void infer_diag(tfp_site *site)
{
    tfp_form in, out;
    if (!tfp_form_input_from(site, 0, 1, &in))
        return;
    out = in;
    tfp_form_join(&out, &in);
    tfp_site_put_form(site, 0, &out);
}

static void infer_diag_part(tfp_site *site)
{
    tfp_form in, half;
    tfp_form_input(site, 0, &in);
    if (in.rank < 0 || in.rank % 2 != 0 || in.rank == 0)
        return;
    half = in;
    tfp_form_drop_last(&half, in.rank / 2);
    tfp_form_drop_first(&in, in.rank / 2);
    if (tfp_form_merge(&half, &in))
        tfp_site_put_form(site, 0, &half);
}

static void infer_matrix_diag(tfp_site *site)
{
    tfp_form in;
    if (!tfp_form_input_from(site, 0, 1, &in))
        return;
    tfp_form_append(&in, tfp_form_dim(&in, -1));
    tfp_site_put_form(site, 0, &in);
}

static void infer_matrix_diag_part(tfp_site *site)
{
    tfp_form in;
    int64_t side;
    if (!tfp_form_input_from(site, 0, 2, &in))
        return;
    side = tfp_dim_least(tfp_form_dim(&in, -2), tfp_form_dim(&in, -1));
    tfp_form_drop_last(&in, 2);
    tfp_form_append(&in, side);
    tfp_site_put_form(site, 0, &in);
}

/* Batches are as those of the diagonal, whose sides are not known from it. */
static void put_with_diagonal(tfp_site *site, tfp_form *in, tfp_form *diagonal,
                              int dropped)
{
    if (diagonal->rank >= 0 &&
        !tfp_dims_known((tfp_dims){ in->rank, in->at })) {
        tfp_form_drop_last(diagonal, dropped);
        tfp_form_append(diagonal, TFP_DIM_UNKNOWN);
        tfp_form_append(diagonal, TFP_DIM_UNKNOWN);
        if (!tfp_form_merge(in, diagonal))
            return;
    }
    tfp_site_put_form(site, 0, in);
}

static void infer_set_diag(tfp_site *site)
{
    tfp_form in, diagonal;
    if (!tfp_form_input_from(site, 0, 2, &in) ||
        !tfp_form_input_from(site, 1, 1, &diagonal))
        return;
    if (in.rank >= 0 && diagonal.rank >= 0 && diagonal.rank != in.rank - 1)
        return;
    put_with_diagonal(site, &in, &diagonal, 1);
}

/* ---- Several diagonals -------------------------------------------------- */

/* Which diagonals, lowest and highest; 0 is the main one, those above it are
 * greater. Their numbers are 32 bits wide. */
typedef struct band {
    int64_t lower, upper;
} band;

static bool band_read(const tfp_site *site, size_t i, band *b)
{
    tfp_value value;
    if (!tfp_site_ints_value(site, i, &value) || value.count < 1 ||
        value.count > 2)
        return false;
    b->lower = (int32_t)value.at[0];
    b->upper = (int32_t)value.at[value.count - 1];
    return b->lower <= b->upper;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void infer_diag_part_v2(tfp_site *site)
{
    tfp_form in;
    band b;
    int64_t rows, columns, longest = TFP_DIM_UNKNOWN;
    if (!tfp_form_input_from(site, 0, 2, &in) || in.rank < 0 ||
        !band_read(site, 1, &b))
        return;
    rows = tfp_form_dim(&in, -2);
    columns = tfp_form_dim(&in, -1);
    if (rows >= 0 && columns >= 0) {
        longest = least(rows + least(b.upper, 0),
                        columns - greatest(b.lower, 0));
        if (longest < 0)
            return;
    }
    tfp_form_drop_last(&in, 2);
    if (b.lower < b.upper)
        tfp_form_append(&in, b.upper - b.lower + 1);
    tfp_form_append(&in, longest);
    tfp_site_put_form(site, 0, &in);
}

/* Rows and columns that are not given are as few as will do. */
static bool matrix_around(const tfp_site *site, const band *b, int64_t longest,
                          int64_t out[2])
{
    int64_t rows = longest - least(b->upper, 0);
    int64_t columns = longest + greatest(b->lower, 0);
    int64_t given[2] = { -1, -1 };
    tfp_site_int_value(site, 2, &given[0]);
    tfp_site_int_value(site, 3, &given[1]);
    if (given[0] == -1 && given[1] == -1)
        given[0] = given[1] = greatest(rows, columns);
    out[0] = given[0] == -1 ? rows : given[0];
    out[1] = given[1] == -1 ? columns : given[1];
    return out[0] >= rows && out[1] >= columns &&
           (out[0] == rows || out[1] == columns);
}

static void infer_matrix_diag_v2(tfp_site *site)
{
    tfp_form in;
    band b;
    int64_t longest, sides[2];
    if (!tfp_form_input_from(site, 0, 1, &in) || in.rank < 0 ||
        !band_read(site, 1, &b))
        return;
    longest = tfp_form_dim(&in, -1);
    if (longest > INT32_MAX || !matrix_around(site, &b, longest, sides))
        return;
    tfp_form_drop_last(&in, b.lower < b.upper ? 2 : 1);
    for (int i = 0; i < 2; i++)
        tfp_form_append(&in, sides[i] < 0 ? TFP_DIM_UNKNOWN : sides[i]);
    tfp_site_put_form(site, 0, &in);
}

static void infer_set_diag_v2(tfp_site *site)
{
    tfp_form in, diagonal;
    band b = { 0, 0 };
    if (!tfp_form_input_from(site, 0, 2, &in) ||
        !tfp_form_input_from(site, 1, 1, &diagonal))
        return;
    band_read(site, 2, &b);
    put_with_diagonal(site, &in, &diagonal, b.lower == b.upper ? 1 : 2);
}

const tfp_op tfp_ops_diag[] = {
    /* name, outputs, shapes */
    { "Diag", "output", infer_diag, .formula = "free" },
    { "DiagPart", "diagonal", infer_diag_part, .formula = "free" },
    { "MatrixBandPart", "band", tfp_infer_same, .formula = "free" },
    { "MatrixDiag", "output", infer_matrix_diag, .formula = "free" },
    { "MatrixDiagPart", "diagonal", infer_matrix_diag_part, .formula = "free" },
    { "MatrixDiagPartV2", "diagonal", infer_diag_part_v2, .formula = "free" },
    { "MatrixDiagPartV3", "diagonal", infer_diag_part_v2, .formula = "free" },
    { "MatrixDiagV2", "output", infer_matrix_diag_v2, .formula = "free" },
    { "MatrixDiagV3", "output", infer_matrix_diag_v2, .formula = "free" },
    { "MatrixSetDiag", "output", infer_set_diag, .formula = "free" },
    { "MatrixSetDiagV2", "output", infer_set_diag_v2, .formula = "free" },
    { "MatrixSetDiagV3", "output", infer_set_diag_v2, .formula = "free" },
    { 0 },
};
