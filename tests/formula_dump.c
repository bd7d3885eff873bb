/*
 * formula_dump.c - prints the formulas of operations, for the tests that hold
 * them against the documentation and against TensorFlow's registry.
 *
 * Lines of words with tabs between them: the operation, its formula, and that
 * of TensorFlow's profiler or nothing. Read by
 * tests/cli/flops/test_formulas.py.
 */
#include <stdio.h>

#include "ops/fact/op.h"

int main(void)
{
    for (const tfp_op *const *family = tfp_op_families; *family; family++) {
        for (const tfp_op *op = *family; op->name; op++) {
            if (op->formula || op->kind >= TFP_OP_CALL)
                printf("%s\t%s\t%s\n", op->name,
                       op->formula ? op->formula : "the functions it calls",
                       op->upstream ? op->upstream : "");
        }
    }
    return 0;
}
