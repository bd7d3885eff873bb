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

static void put_rank(tfp_advice_line *l, const tfp_finding *f, const char *of)
{
    char rank[TFP_FIGURE_SIZE];
    tfp_figure_integer(f->rank, rank);
    put_text(l, "top ");
    put_text(l, rank);
    put_text(l, of);
    put(l, f->name);
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
    }
    return (tfp_span){ l->text.data, l->text.count };
}

void tfp_advice_line_release(tfp_advice_line *l)
{
    TFP_VEC_RELEASE(l->memory, &l->text);
}
