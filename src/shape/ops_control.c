/*
 * ops_control.c - branches, loops, calls.
 */
#include "shape/common.h"

const tfp_op tfp_ops_control[] = {
    /* name, outputs, shapes, kind */
    { "Identity", "output", tfp_infer_passed_on, 0 },
    { "IdentityN", "output*T", tfp_infer_each_passed_on, 0 },
    { "NoOp", "", tfp_infer_nothing, 0 },
    { "NextIteration", "output", tfp_infer_same, TFP_OP_NEXT },
    { "Merge", "output,value_index", tfp_infer_nothing, TFP_OP_MERGE },
    { "PartitionedCall", "output*Tout", tfp_infer_nothing, TFP_OP_CALL },
    { "StatefulPartitionedCall", "output*Tout", tfp_infer_nothing,
      TFP_OP_CALL },
    { "_Arg", "output", tfp_infer_nothing, 0 },
    { "_Retval", "", tfp_infer_nothing, 0 },
    { 0 },
};
