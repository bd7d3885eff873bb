/*
 * advice.h - what stands out in a model and its runs, one finding at a time.
 *
 * Advice is a copy, as a view is: it needs its profile no longer, never
 * changes, and may be read by several threads at a time.
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
                          * "layout"; of traces "idle_device",
                          * "small_kernels", "slow_copy", "input_bound",
                          * "host_bound" */
    tfprof_text report;  /* the line that upstream prints */
    tfprof_text name;    /* of the device, type, node or line, or empty */
    tfprof_text node;    /* the one that matters most, or empty */
    tfprof_text file;    /* that made it, or empty */
    int64_t line;        /* in that file, or 0 */
    int64_t nodes;       /* how many it stands for */
    int64_t rank;        /* among those of its report, from 1 */
    int64_t micros, cpu_micros, accelerator_micros;
    int64_t whole_micros;       /* that `micros` is a part of */
    tfprof_text hint;           /* what to try */
    int64_t count, whole_count; /* of traces: how many steps, kernels or copies
                                 * it is about, and of how many */
    int64_t bytes;              /* that were copied, or -1 */
    int64_t launch_micros;      /* of the host in launching kernels, or -1 */
} tfprof_finding;

/* Releases advice, also in another thread than the one that made it; NULL is
 * allowed. */
TFPROF_API void tfprof_advice_free(tfprof_advice *advice);

/* How many findings there are, in the order of their checkers' names. Cannot
 * fail. */
TFPROF_API size_t tfprof_advice_count(const tfprof_advice *advice);

/* Puts a finding into *finding; its texts live as long as the advice.
 * TFPROF_ERR_MISSING when there is no such finding, and *finding is as it
 * was. */
TFPROF_API int tfprof_advice_at(const tfprof_advice *advice, size_t index,
                                tfprof_finding *finding);

#ifdef __cplusplus
}
#endif

#endif
