/*
 * hints.c - what to try when an operation takes long.
 *
 * Rules of thumb: the first row that fits the operation is taken. Each hint
 * ends the line "try: ..." and fits into 80 columns with it.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "model/census.h"
#include "model/model.h"

enum { WORDS = 16 };

static const char update_hint[] = "fewer and larger variables, a simpler "
                                  "optimizer";

/* The words end with NULL. One that ends in "*" fits all that begin so. */
/* clang-format off */
static const struct {
    const char *hint;
    bool computes; /* an accelerator would do it faster, if there is one */
    const char *ops[WORDS];
} hints[] = {
    { "a depthwise or smaller kernel, fewer channels, half precision", true,
      { "Conv2D*", "Conv3D*", "_FusedConv2D*" } },
    { "fewer channels, NCHW on a GPU, half precision", true,
      { "DepthwiseConv2dNative*", "FusedBatchNorm*", "MaxPool*", "AvgPool*" } },
    { "narrower layers, batches that fill the device, half precision", true,
      { "MatMul", "BatchMatMul*", "SparseMatMul", "Einsum", "_FusedMatMul" } },
    { "keep tensors in the layout that the next operation needs", true,
      { "Transpose", "ConjugateTranspose", "Pad*", "StridedSlice*", "Slice",
        "Concat*", "Split*", "Pack", "Unpack", "Tile", "Reverse*" } },
    { update_hint, true,
      { "Apply*", "ResourceApply*", "SparseApply*", "ResourceSparseApply*",
        "Assign*" } },
    { "prepare input ahead of the step: tf.data prefetch and parallel map",
      false,
      { "Iterator*", "OneShotIterator", "QueueDequeue*", "ReaderRead*",
        "ReadFile", "Decode*", "ParseExample*", "ParseSingleExample*",
        "Dataset" } },
    { "start what it waits for earlier, beside computations", false,
      { "copy-done*", "async-done*", "send-done*", "recv-done*",
        "all-reduce-done*", "all-gather-done*", "collective-permute-done*" } },
    { "TensorFlow operations instead of Python functions", false,
      { "PyFunc*", "EagerPyFunc" } },
    { "adjacent operations on one device, fewer transfers between devices", false,
      { "_Recv", "_Send", "_HostRecv", "_HostSend", "RecvTensor", "Copy*" } },
    { "a fused recurrent layer or a partly unrolled loop", false,
      { "TensorArray*", "TensorList*", "While", "StatelessWhile", "Enter",
        "Exit", "NextIteration", "Switch", "Merge", "LoopCond", "Stack*" } },
    { "smaller tables, fewer lookups of the same row", false,
      { "Gather*", "ResourceGather*", "UnsortedSegment*", "SparseSegment*",
        "Unique*", "DynamicPartition", "DynamicStitch" } },
    { "write checkpoints and summaries less often", false,
      { "Save*", "Restore*", "MergeV2Checkpoints", "WriteSummary",
        "ScalarSummary*", "HistogramSummary*" } },
    { "fuse it with adjacent operations: tf.function(jit_compile=True)", true,
      { "Add*", "Sub", "Mul", "RealDiv", "Div*", "Relu*", "Sigmoid*", "Tanh*",
        "BiasAdd*", "Exp", "Sqrt*", "Rsqrt*", "Square*", "Cast", "Select*" } },
    { "fuse it with adjacent operations: tf.function(jit_compile=True)", true,
      { "Mean", "Sum", "Max", "Min", "Prod", "Maximum*", "Minimum*", "Neg",
        "Log*", "Softmax*", "SparseSoftmax*", "Elu*", "Pow", "Greater*" } },
};
/* clang-format on */

enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

static bool fits(tfp_span op, const char *word)
{
    size_t size = strlen(word) - 1;
    if (word[size] != '*')
        return tfp_span_is(op, word);
    return op.size >= size && !memcmp(op.data, word, size);
}

/* Its row, or HINTS. */
static size_t find_hint(tfp_span op)
{
    for (size_t i = 0; i < HINTS; i++) {
        for (size_t k = 0; k < WORDS && hints[i].ops[k]; k++) {
            if (fits(op, hints[i].ops[k]))
                return i;
        }
    }
    return HINTS;
}

bool tfp_is_assignment_type(tfp_span op)
{
    return fits(op, "Assign*");
}

bool tfp_is_update_type(tfp_span op)
{
    size_t row = find_hint(op);
    return row < HINTS && hints[row].hint == update_hint &&
           !tfp_is_assignment_type(op);
}

const char *tfp_hint_for_update(void)
{
    return update_hint;
}

const char *tfp_hint_for(const tfp_inquiry *q, uint32_t member)
{
    const tfp_member *m = &q->census->members.data[member];
    tfp_span op = tfp_model_text(q->model, tfp_member_op(q->model, m));
    size_t row = find_hint(op);
    if (row == HINTS)
        return "run it less often or on smaller tensors";
    if (hints[row].computes && q->has_accelerator && m->device != 0 &&
        !tfp_inquiry_accelerates(q, member))
        return "place it on the accelerator, which the model already uses";
    return hints[row].hint;
}
