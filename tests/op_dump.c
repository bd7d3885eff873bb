/*
 * op_dump.c - prints the tables of operations, for the test that holds them
 * against TensorFlow's registry.
 *
 * Lines of words with tabs between them: the operation, and its outputs as in
 * ops/fact/op.h. Read by tests/cli/flops/test_shape_ops.py.
 */
#include <stdio.h>

#include "ops/fact/op.h"

int main(void)
{
    for (const tfp_op *const *family = tfp_op_families; *family; family++) {
        for (const tfp_op *op = *family; op->name; op++) {
            if (op->infer)
                printf("%s\t%s\n", op->name, op->ports);
        }
    }
    return 0;
}
