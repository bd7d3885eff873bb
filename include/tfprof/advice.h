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
    tfprof_text report;  /* the finding as one line of text; TensorFlow's own
                          * tfprof prints the same line, except for traces */
    tfprof_text name;    /* name of the device, operation type, node, source
                          * line, kernel or kind of copy that the finding is
                          * about; or empty */
    tfprof_text node;    /* name of the most important node, or empty */
    tfprof_text file;    /* source file of the code that created `node`, or
                          * empty */
    int64_t line;        /* line number in `file`, or 0 */
    int64_t nodes;       /* number of nodes that the finding covers */
    int64_t rank;        /* position of the finding among the findings of its
                          * checker, from 1 */
    int64_t micros, cpu_micros, accelerator_micros;
    int64_t whole_micros;  /* the total time that includes `micros` */
    tfprof_text hint;      /* a change that often helps */
    int64_t count;         /* for traces: number of affected steps,
                            * kernels or copies */
    int64_t whole_count;   /* for traces: number of all steps or kernels;
                            * 0 for copies */
    int64_t bytes;         /* number of bytes copied, or -1 */
    int64_t launch_micros; /* host time to launch the kernels, or -1 */
} tfprof_finding;

/* Releases advice. May be called in any thread. NULL is allowed. */
TFPROF_API void tfprof_advice_free(tfprof_advice *advice);

/* Returns the number of findings. Findings are sorted by the name of their
 * checker. Cannot fail. */
TFPROF_API size_t tfprof_advice_count(const tfprof_advice *advice);

/* Copies the finding at this index to *finding. The texts in it are valid until
 * the advice is freed. Returns TFPROF_ERR_MISSING if there is no such finding;
 * *finding is then unchanged. */
TFPROF_API int tfprof_advice_at(const tfprof_advice *advice, size_t index,
                                tfprof_finding *finding);

#ifdef __cplusplus
}
#endif

#endif
