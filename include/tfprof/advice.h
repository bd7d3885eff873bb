/*
 * advice.h - findings about a model and its runs, one by one.
 *
 * Advice is a copy, like a view: it does not depend on its profile, never
 * changes, and may be read by several threads at the same time.
 */
#ifndef TFPROF_ADVICE_H
#define TFPROF_ADVICE_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>
#include <tfprof/view.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tfprof_advice tfprof_advice;

typedef struct tfprof_finding {
    const char *checker; /* "OperationChecker" */
    const char *kind;    /* "device", "type", "node", "code", "batch_norm",
                          * "layout"; for traces "idle_device",
                          * "small_kernels", "slow_copy", "input_bound",
                          * "host_bound" */
    tfprof_text report;  /* the line that upstream prints */
    tfprof_text name;    /* device, type, node or line, or empty */
    tfprof_text node;    /* the most important node, or empty */
    tfprof_text file;    /* the source file that created it, or empty */
    int64_t line;        /* line number in `file`, or 0 */
    int64_t nodes;       /* number of nodes that the finding covers */
    int64_t rank;        /* within its report, from 1 */
    int64_t micros, cpu_micros, accelerator_micros;
    int64_t whole_micros;       /* the total that includes `micros` */
    tfprof_text hint;           /* what to try */
    int64_t count, whole_count; /* for traces: number of affected steps,
                                 * kernels or copies, and of all of them */
    int64_t bytes;              /* copied bytes, or -1 */
    int64_t launch_micros;      /* host time for kernel launches, or -1 */
} tfprof_finding;

/* Releases advice. May be called in any thread. NULL is allowed. */
TFPROF_API void tfprof_advice_free(tfprof_advice *advice);

/* Returns the number of findings. They are sorted by the name of their checker.
 * Cannot fail. */
TFPROF_API size_t tfprof_advice_count(const tfprof_advice *advice);

/* Copies a finding to *finding. Its texts are valid as long as the advice.
 * Returns TFPROF_ERR_MISSING if there is no such finding; *finding is then
 * unchanged. */
TFPROF_API int tfprof_advice_at(const tfprof_advice *advice, size_t index,
                                tfprof_finding *finding);

#ifdef __cplusplus
}
#endif

#endif
