/*
 * tracing.h - records of traces, put into a model by hand.
 */
#ifndef TFP_TESTS_TRACING_H
#define TFP_TESTS_TRACING_H

#include "counting.h"

#include "model/model.h"
#include "model/times.h"

#define HOST   "/host:Worker3/device:CPU:0"
#define KERNEL "/host:Worker3/device:GPU:0"

/* What the runs of a node in one step on one device come to. */
typedef struct traced {
    const char *device, *name;
    int64_t step, start, length, runs; /* times in picoseconds */
} traced;

static inline void add_traced(tfp_model *model, const traced *t)
{
    uint32_t step = tfp_model_step(model, t->step);
    tfp_exec_kind kind = strstr(t->device, "GPU") ? TFP_EXEC_ACCELERATOR_TRACE
                                                  : TFP_EXEC_TRACE;
    uint32_t device = tfp_model_add_device(model, step, kind);
    tfp_exec_detail detail = { .figures = { .run_count = t->runs } };
    tfp_exec exec = { .name = tfp_model_string(model, tfp_span_of(t->name)),
                      .device = device,
                      .start = t->start,
                      .length = t->length };
    model->devices.data[device].name = tfp_model_string(model,
                                                        tfp_span_of(t->device));
    assert_true(tfp_model_add_exec(model, exec, &detail));
}

#define ADD_TRACE(model, ...)                                                  \
    do {                                                                       \
        const traced list[] = { __VA_ARGS__ };                                 \
        EACH(row, list)                                                        \
            add_traced(model, row);                                            \
    } while (0)

#endif
