/*
 * op.h - the table of operations.
 *
 * One row for each type of operation, in the file of its family: its name, its
 * outputs, the function that gives these their shapes, and how much arithmetic
 * it does. To add one: that row, and rows in the tests of the family.
 */
#ifndef TFP_OPS_OP_H
#define TFP_OPS_OP_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

typedef struct tfp_site tfp_site;

/* Puts the shapes of the outputs (site.h). What it does not put stays unknown,
 * and so does everything that inputs of that sort cannot have. */
typedef void tfp_shape_fn(tfp_site *site);

/* What an operation is to the walk through a graph. */
typedef enum tfp_op_kind {
    TFP_OP_PLAIN,
    TFP_OP_INPUT,  /* what is fed from outside */
    TFP_OP_BEYOND, /* it may know more in the grade that is ours, though its
                    * inputs are the same in both */
    TFP_OP_MERGE,  /* of TF1 control flow: it closes a cycle */
    TFP_OP_NEXT,   /* NextIteration: its edge to the Merge goes back */
    TFP_OP_ENTER,  /* into the frame of a loop */
    TFP_OP_EXIT,   /* and out of it */
    TFP_OP_SWITCH, /* one of its outputs lives */
    TFP_OP_COND,   /* LoopCond: does the loop go on? */
    /* What these and all that follow do is counted in the functions: */
    TFP_OP_CALL,    /* calls the function in attribute `f` or `function` */
    TFP_OP_BRANCH,  /* If, Case: one of several functions */
    TFP_OP_LOOP,    /* While: `cond` and `body`; For: `body` */
    TFP_OP_GRADIENT /* of the function `f`, which is not what it does */
} tfp_op_kind;

typedef struct tfp_op {
    const char *name;
    /* The names of its outputs, in their order, as function bodies refer to
     * them: "y,batch_mean". "output*N" is as many as the attribute N says, an
     * int or the length of a list. "" is none. */
    const char *ports;
    tfp_shape_fn *infer;  /* NULL: nothing is known of its outputs */
    const char *formula;  /* ops/flops/formula.c; NULL: it has none, or its
                           * functions are counted */
    const char *upstream; /* that of TensorFlow's profiler, or NULL */
    tfp_op_kind kind;
} tfp_op;

/* A family's table; it ends with a name of NULL. */
extern const tfp_op tfp_ops_state[];    /* constants, inputs, variables */
extern const tfp_op tfp_ops_math[];     /* by element */
extern const tfp_op tfp_ops_reduce[];   /* sums over axes, segments, bins */
extern const tfp_op tfp_ops_product[];  /* products of matrices */
extern const tfp_op tfp_ops_linalg[];   /* decompositions, transforms */
extern const tfp_op tfp_ops_diag[];     /* diagonals of matrices */
extern const tfp_op tfp_ops_conv[];     /* convolutions */
extern const tfp_op tfp_ops_pool[];     /* pools */
extern const tfp_op tfp_ops_nn[];       /* activations, norms, losses */
extern const tfp_op tfp_ops_top[];      /* the greatest elements */
extern const tfp_op tfp_ops_rnn[];      /* recurrent layers */
extern const tfp_op tfp_ops_quant[];    /* numbers of few bits */
extern const tfp_op tfp_ops_train[];    /* optimizers, assignments */
extern const tfp_op tfp_ops_random[];   /* random numbers */
extern const tfp_op tfp_ops_array[];    /* shapes of shapes */
extern const tfp_op tfp_ops_layout[];   /* joins, splits, pads, turns */
extern const tfp_op tfp_ops_slices[];   /* slices, gathers, scatters */
extern const tfp_op tfp_ops_space[];    /* space to batch, to depth, and back */
extern const tfp_op tfp_ops_strings[];  /* texts */
extern const tfp_op tfp_ops_ragged[];   /* ragged and sparse tensors */
extern const tfp_op tfp_ops_image[];    /* resizes and the like */
extern const tfp_op tfp_ops_lists[];    /* tensor lists */
extern const tfp_op tfp_ops_stores[];   /* queues, stacks, tables, optionals */
extern const tfp_op tfp_ops_control[];  /* branches, loops, calls */
extern const tfp_op tfp_ops_unshaped[]; /* whose shapes are not inferred */

/* The families, ended by NULL. */
extern const tfp_op *const tfp_op_families[];

#endif
