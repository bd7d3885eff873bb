/*
 * gpu_ops.c - the operations that ran on the streams of a GPU.
 *
 * Streams add up: what runs beside something else counts in full. The span of
 * a GPU is found from offsets, though its lines may start at different times.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "trace/plane.h"
#include "xprof/ops.h"

typedef struct gpu_state {
    tfp_xprof_source *source;
    tfp_xprof_ops *ops;
    const tfp_trace_line *line;
    tfp_interner kernel_keys; /* {tf_op, kernel}; item k + 1 is kernels[k] */
    TFP_VEC(tfp_xprof_op) kernels; /* no times: what is said of them */
    int64_t first, last;
    uint64_t busy;
} gpu_state;

static int add(gpu_state *s, tfp_xprof_op op, const tfp_event *event,
               tfprof_error *err)
{
    op.runs = 1;
    op.time = op.self = (uint64_t)event->length;
    s->busy += op.self;
    return tfp_xprof_ops_add(s->ops, &op) ? TFPROF_OK : tfp_fail_nomem(err);
}

/* An instruction of a program. One that is not found is dropped. */
static int read_instruction(gpu_state *s, const tfp_event *event,
                            tfprof_error *err)
{
    tfp_xprof_text hlo_op = tfp_xprof_text_of(s->source, &event->stats,
                                              TFP_KNOWN_HLO_OP);
    tfp_xprof_instruction found;
    int64_t program;
    int status;
    if (hlo_op == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_PROGRAM, &program))
        return TFPROF_OK;
    status = tfp_xprof_find(s->source, (uint64_t)program, hlo_op, &found, err);
    if (status != TFPROF_OK || !found.is_found)
        return status;
    return add(s,
               (tfp_xprof_op){ .program = (uint64_t)program,
                               .name = found.name,
                               .category = found.category,
                               .origin = found.origin },
               event, err);
}

/* A kernel of an operation of TensorFlow: "operation/kernel". */
static bool describe_kernel(gpu_state *s, tfp_xprof_text tf_op,
                            tfp_xprof_text kernel, tfp_xprof_op *out)
{
    tfp_xprof_texts *texts = s->source->texts;
    tfp_xprof_op_name parsed;
    if (!tfp_xprof_parse(s->source, tf_op, &parsed))
        return false;
    *out = (tfp_xprof_op){ .origin = tf_op, .category = parsed.type };
    out->name = tfp_xprof_join(s->source, tfp_interned(texts, parsed.name), "/",
                               tfp_interned(texts, kernel));
    if (parsed.type == 0)
        out->category = tfp_intern(texts, tfp_span_of("unknown"));
    return out->name != TFP_NO_ID && out->category != TFP_NO_ID;
}

static int read_kernel(gpu_state *s, const tfp_event *event, tfprof_error *err)
{
    uint64_t key[2];
    uint32_t item;
    key[0] = tfp_xprof_text_of(s->source, &event->stats, TFP_KNOWN_TF_OP);
    if (key[0] == 0)
        return TFPROF_OK;
    key[1] = tfp_xprof_event_name(s->source, event->type);
    if (key[0] == TFP_NO_ID || key[1] == TFP_NO_ID ||
        !TFP_VEC_RESERVE(s->source->memory, &s->kernels, 1))
        return tfp_fail_nomem(err);
    item = tfp_intern(&s->kernel_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item > s->kernels.count) {
        if (!describe_kernel(s, (tfp_xprof_text)key[0], (tfp_xprof_text)key[1],
                             &s->kernels.data[s->kernels.count]))
            return tfp_fail_nomem(err);
        s->kernels.count++;
    }
    return add(s, s->kernels.data[item - 1], event, err);
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    gpu_state *s = self;
    int64_t begin = tfp_xprof_offset(s->source, s->line, event);
    int64_t end = tfp_add_sat(begin, event->length);
    if (begin < s->first)
        s->first = begin;
    if (end > s->last)
        s->last = end;
    return tfp_xprof_is_text(&event->stats, TFP_KNOWN_HLO_OP)
               ? read_instruction(s, event, err)
               : read_kernel(s, event, err);
}

int tfp_xprof_gpu_ops(tfp_xprof_source *source, tfp_plane *plane,
                      tfp_xprof_ops *ops, tfprof_error *err)
{
    gpu_state s = { .source = source, .ops = ops, .first = INT64_MAX };
    int status = TFPROF_OK;
    int64_t span;
    if (!tfp_interner_init(&s.kernel_keys, source->memory, 8,
                           source->space->seed))
        status = tfp_fail_nomem(err);
    for (size_t i = 0; i < plane->lines.count && status == TFPROF_OK; i++) {
        s.line = &plane->lines.data[i];
        if (!tfp_xprof_line_is_derived(s.line))
            status = tfp_xprof_walk_line(source, plane, s.line, read_event, &s,
                                         err);
    }
    span = s.last != 0 ? tfp_sub_sat(s.last, s.first) : 0;
    if (status == TFPROF_OK && !tfp_xprof_ops_end(ops, s.busy, (uint64_t)span))
        status = tfp_fail_nomem(err);
    tfp_interner_release(&s.kernel_keys);
    TFP_VEC_RELEASE(source->memory, &s.kernels);
    return status;
}
