/*
 * ops_old.c - operations on batches of matrices, from before TensorFlow 1.0.
 *
 * Those that came after take batches, too, and have the name without "Batch".
 * TensorFlow reads the old ones but says nothing of their shapes.
 */
#include <string.h>

#include "shape/ops/common.h"

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

const tfp_op tfp_ops_old[] = {
    /* name, outputs, shapes, kind */
    { "BatchCholesky", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchCholeskyGrad", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchFFT", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchFFT2D", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchFFT3D", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchIFFT", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchIFFT2D", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchIFFT3D", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixBandPart", "band", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixDeterminant", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixDiag", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixDiagPart", "diagonal", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixInverse", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixSetDiag", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixSolve", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixSolveLs", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchMatrixTriangularSolve", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchSelfAdjointEig", "output", infer_as_now, TFP_OP_BEYOND },
    { "BatchSelfAdjointEigV2", "e,v", infer_as_now, TFP_OP_BEYOND },
    { "BatchSvd", "s,u,v", infer_as_now, TFP_OP_BEYOND },
    { 0 },
};
