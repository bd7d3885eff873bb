/*
 * advice_lines.c - what a finding says, in one line.
 */
#include "output/advice/advice_lines.h"

#include "model/times.h"
#include "output/text/figures.h"

const char *const tfp_finding_kinds[] = {
    [TFP_FINDING_DEVICE] = "device",
    [TFP_FINDING_TYPE] = "type",
    [TFP_FINDING_NODE] = "node",
    [TFP_FINDING_CODE] = "code",
    [TFP_FINDING_BATCH_NORM] = "batch_norm",
    [TFP_FINDING_LAYOUT] = "layout",
    [TFP_FINDING_IDLE] = "idle_device",
    [TFP_FINDING_SMALL] = "small_kernels",
    [TFP_FINDING_COPY] = "slow_copy",
    [TFP_FINDING_INPUT] = "input_bound",
    [TFP_FINDING_HOST] = "host_bound",
};

tfp_advice_line tfp_advice_line_for(const tfp_advice *advice)
{
    return (tfp_advice_line){ .memory = advice->memory,
                              .time_unit = tfp_model_time_unit(advice->model) };
}

static void put(tfp_advice_line *l, tfp_span bytes)
{
    if (bytes.size == 0)
        return;
    if (!TFP_VEC_RESERVE(l->memory, &l->text, bytes.size)) {
        l->failed = true;
        return;
    }
    memcpy(l->text.data + l->text.count, bytes.data, bytes.size);
    l->text.count += bytes.size;
}

static void put_text(tfp_advice_line *l, const char *text)
{
    put(l, tfp_span_of(text));
}

static void put_time(tfp_advice_line *l, const char *before, int64_t time)
{
    char figure[TFP_FIGURE_SIZE];
    put_text(l, before);
    tfp_figure_time(tfp_time_to_micros(time, l->time_unit), figure);
    put_text(l, figure);
}

static void put_times(tfp_advice_line *l, const tfp_finding *f)
{
    put_time(l, ", cpu: ", f->cpu_micros);
    put_time(l, ", accelerator: ", f->accelerator_micros);
    put_time(l, ", total: ", f->micros);
}

/* "top 1 OF NAME" */
static void put_rank_of(tfp_advice_line *l, const tfp_finding *f,
                        const char *of)
{
    char rank[TFP_FIGURE_SIZE];
    tfp_figure_integer(f->rank, rank);
    put_text(l, "top ");
    put_text(l, rank);
    put_text(l, of);
    put(l, f->name);
}

static void put_rank(tfp_advice_line *l, const tfp_finding *f, const char *of)
{
    put_rank_of(l, f, of);
    put_times(l, f);
}

static void put_device(tfp_advice_line *l, const tfp_finding *f)
{
    char figure[TFP_FIGURE_SIZE];
    double share = tfp_finding_share(f);
    tfp_figure_fixed(share, figure);
    put_text(l, "device: ");
    put(l, f->name);
    put_text(l,
             share < TFP_LOW_SHARE ? " low utilization: " : " utilization: ");
    put_text(l, figure);
}

/* Upstream keeps the division from failing by a little more in the whole,
 * which is to be seen where the share ends in a 5. */
static void put_type(tfp_advice_line *l, const tfp_finding *f)
{
    char figure[TFP_FIGURE_SIZE] = "0.00";
    put_rank(l, f, " operation type: ");
    if (f->whole_micros != 0)
        tfp_figure_fixed(100.0 * (double)f->micros /
                             ((double)f->whole_micros + 1e-10),
                         figure);
    put_text(l, " (");
    put_text(l, figure);
    put_text(l, "%)");
}

static void put_code(tfp_advice_line *l, const tfp_finding *f)
{
    for (uint32_t i = 0; i < f->depth; i++)
        put_text(l, "  ");
    put(l, f->name);
    put_times(l, f);
}

/* ---- Traces ------------------------------------------------------------- */

static void put_count(tfp_advice_line *l, const char *before, int64_t count)
{
    char figure[TFP_FIGURE_SIZE];
    put_text(l, before);
    tfp_figure_integer(count, figure);
    put_text(l, figure);
}

/* " (12.34%)" */
static void put_percent(tfp_advice_line *l, int64_t part, int64_t whole)
{
    char figure[TFP_FIGURE_SIZE];
    tfp_figure_percent(part, whole, figure);
    put_text(l, " (");
    put_text(l, figure);
    put_text(l, "%)");
}

/* A part of a time, and of how many steps that is so. */
static void put_part_of_steps(tfp_advice_line *l, const tfp_finding *f,
                              const char *before)
{
    put_time(l, before, f->micros);
    put_time(l, " of ", f->whole_micros);
    put_percent(l, f->micros, f->whole_micros);
    put_count(l, ", in ", f->count);
    put_count(l, " of ", f->whole_count);
    put_text(l, f->whole_count == 1 ? " step" : " steps");
}

static void put_idle(tfp_advice_line *l, const tfp_finding *f)
{
    put_text(l, "device: ");
    put(l, f->name);
    put_part_of_steps(l, f, " idle: ");
}

static void put_small(tfp_advice_line *l, const tfp_finding *f)
{
    put_count(l, "small kernels: ", f->count);
    put_count(l, " of ", f->whole_count);
    put_percent(l, f->count, f->whole_count);
    put_time(l, " take less than 10us, total: ", f->micros);
    put_time(l, " of ", f->whole_micros);
    put_percent(l, f->micros, f->whole_micros);
    if (f->launch_micros >= 0)
        put_time(l, ", launches: ", f->launch_micros);
    put_text(l, ", most often: ");
    put(l, f->name);
}

static void put_copy(tfp_advice_line *l, const tfp_finding *f)
{
    char figure[TFP_FIGURE_SIZE];
    put_rank_of(l, f, " copy: ");
    put_count(l, ", count: ", f->count);
    put_time(l, ", total: ", f->micros);
    put_percent(l, f->micros, f->whole_micros);
    if (f->bytes < 0 || f->micros <= 0)
        return;
    put_text(l, ", bytes: ");
    tfp_figure_bytes(f->bytes, figure);
    put_text(l, figure);
    tfp_figure_fixed((double)f->bytes /
                         ((double)f->micros * (double)l->time_unit) * 1e3,
                     figure);
    put_text(l, " at ");
    put_text(l, figure);
    put_text(l, " GB/s");
}

tfp_span tfp_advice_line_make(tfp_advice_line *l, const tfp_finding *f)
{
    l->text.count = 0;
    switch (f->kind) {
    case TFP_FINDING_DEVICE: put_device(l, f); break;
    case TFP_FINDING_TYPE: put_type(l, f); break;
    case TFP_FINDING_NODE: put_rank(l, f, " graph node: "); break;
    case TFP_FINDING_CODE: put_code(l, f); break;
    case TFP_FINDING_BATCH_NORM:
        put_text(l, "Maybe use faster FusedBatchNorm instead of BatchNorm");
        break;
    case TFP_FINDING_LAYOUT:
        put_text(l, "Found operation using NHWC data_format on GPU. Maybe NCHW "
                    "is faster.");
        break;
    case TFP_FINDING_IDLE: put_idle(l, f); break;
    case TFP_FINDING_SMALL: put_small(l, f); break;
    case TFP_FINDING_COPY: put_copy(l, f); break;
    case TFP_FINDING_INPUT:
        put_part_of_steps(l, f, "steps wait for input: ");
        break;
    case TFP_FINDING_HOST:
        put_part_of_steps(l, f, "steps wait for the host: ");
        break;
    }
    return (tfp_span){ l->text.data, l->text.count };
}

void tfp_advice_line_release(tfp_advice_line *l)
{
    TFP_VEC_RELEASE(l->memory, &l->text);
}
