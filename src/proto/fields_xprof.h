/*
 * fields_xprof.h - fields of messages that xprof puts into stats of a trace:
 * op_metrics.proto of xprof.
 *
 * An enum that nobody prints is a number here. TensorFlow's wheel does not have
 * these messages.
 */
#ifndef TFP_PROTO_FIELDS_XPROF_H
#define TFP_PROTO_FIELDS_XPROF_H

/* clang-format off */

#define TFP_XPROF_MESSAGES(D)                                                  \
    D(MemoryAccessBreakdown,                                                   \
      "tensorflow.profiler.MemoryAccessBreakdown", PLAIN)                      \
    D(MemoryAccessed,                                                          \
      "tensorflow.profiler.OpMetrics.MemoryAccessed", PLAIN)

#define MemoryAccessBreakdown_FIELDS(F, M)                                     \
    F(M,  1, memory_accessed, MESSAGE, MANY, MemoryAccessed)

#define MemoryAccessed_FIELDS(F, M)                                            \
    F(M,  1, operation_type, INT32, ONE, _)                                    \
    F(M,  2, memory_space, UINT64, ONE, _)                                     \
    F(M,  3, bytes_accessed, UINT64, ONE, _)

/* clang-format on */

#endif
