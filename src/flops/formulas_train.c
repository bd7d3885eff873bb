/*
 * formulas_train.c - optimizers: the arithmetic for each element of the
 * gradient.
 */
#include "flops/rule.h"

/* clang-format off */
/* With the variables as references, as resources, and by rows of both. */
#define DENSE(name, grad, n)  { "Apply" name, TFP_XI(grad, n), TFP_NONE }, \
                      { "ResourceApply" name, TFP_XI(grad, n), TFP_NONE }
#define SPARSE(name, grad, n) \
    { "SparseApply" name,         TFP_XI(grad, n), TFP_NONE }, \
    { "ResourceSparseApply" name, TFP_XI(grad, n), TFP_NONE }

const tfp_formula tfp_formulas_train[] = {
    /* name, which input the gradient is, operations */
    DENSE("AdaMax",                   8, 10),
    DENSE("Adadelta",                 6, 17),
    DENSE("Adagrad",                  3, 6),
    DENSE("AdagradDA",                3, 12),
    DENSE("AdagradV2",                4, 6),
    DENSE("Adam",                     9, 12),
    DENSE("AddSign",                  6, 11),
    DENSE("CenteredRMSProp",          8, 16),
    DENSE("Ftrl",                     3, 16),
    DENSE("FtrlV2",                   3, 16),
    DENSE("GradientDescent",          2, 2),
    DENSE("Momentum",                 3, 4),
    DENSE("PowerSign",                6, 11),
    DENSE("ProximalAdagrad",          5, 16),
    DENSE("ProximalGradientDescent",  4, 8),
    DENSE("RMSProp",                  7, 11),
    { "ResourceApplyAdamWithAmsgrad", TFP_XI(10, 13), TFP_NONE },
    { "ResourceApplyKerasMomentum",   TFP_XI(3, 4), TFP_NONE },

    SPARSE("Adadelta",                6, 17),
    SPARSE("Adagrad",                 3, 6),
    SPARSE("AdagradDA",               3, 12),
    SPARSE("AdagradV2",               4, 6),
    SPARSE("CenteredRMSProp",         8, 16),
    SPARSE("Ftrl",                    3, 16),
    SPARSE("FtrlV2",                  3, 16),
    SPARSE("Momentum",                3, 4),
    SPARSE("ProximalAdagrad",         5, 16),
    SPARSE("ProximalGradientDescent", 4, 8),
    SPARSE("RMSProp",                 7, 11),
    { "ResourceSparseApplyKerasMomentum", TFP_XI(3, 4), TFP_NONE },

    { "AccumulatorApplyGradient",         TFP_XI(2, 1), TFP_NONE },
    { "ResourceAccumulatorApplyGradient", TFP_XI(2, 1), TFP_NONE },
    { "AccumulatorTakeGradient",          TFP_Y(1), TFP_NONE },
    { "ResourceAccumulatorTakeGradient",  TFP_Y(1), TFP_NONE },
    { 0 },
};

const tfp_formula tfp_formulas_calls[] = {
    { "BatchFunction",           TFP_CALL, TFP_NONE },
    { "Case",                    TFP_CALL, TFP_NONE },
    { "For",                     TFP_CALL, TFP_NONE },
    { "If",                      TFP_CALL, TFP_NONE },
    { "PartitionedCall",         TFP_CALL, TFP_NONE },
    { "RemoteCall",              TFP_CALL, TFP_NONE },
    { "StatefulPartitionedCall", TFP_CALL, TFP_NONE },
    { "StatelessCase",           TFP_CALL, TFP_NONE },
    { "StatelessIf",             TFP_CALL, TFP_NONE },
    { "StatelessWhile",          TFP_CALL, TFP_NONE },
    { "SymbolicGradient",        TFP_CALL, TFP_NONE },
    { "TPUPartitionedCall",      TFP_CALL, TFP_NONE },
    { "While",                   TFP_CALL, TFP_NONE },
    { "XlaIf",                   TFP_CALL, TFP_NONE },
    { "XlaLaunch",               TFP_CALL, TFP_NONE },
    { "XlaLaunchV2",             TFP_CALL, TFP_NONE },
    { "XlaWhile",                TFP_CALL, TFP_NONE },
    { "_If",                     TFP_CALL, TFP_NONE },
    { "_While",                  TFP_CALL, TFP_NONE },
    { 0 },
};
