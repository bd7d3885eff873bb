/*
 * op_tables.c - framework_op_stats and hlo_stats: operations as rows.
 *
 * Numbers are doubles here, worked out in the order in which xprof does it, so
 * that they are equal to the last bit.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "xprof/ops.h"

enum { MOST_ROWS = 500 }; /* of a device, and as many of the host */

#define COLUMNS(list) (sizeof(list) / sizeof((list)[0]))

static double divide(double a, double b)
{
    return b == 0 ? 0 : a / b;
}

static double micros(uint64_t picos)
{
    return (double)picos / 1e6;
}

static double nanos(uint64_t picos)
{
    return (double)picos / 1e3;
}

static double gibi(double giga)
{
    return giga / 1.073741824;
}

/* Total and self time, each with its average. */
static void put_times(tfp_xprof_table *table, const tfp_xprof_op *op)
{
    double time = micros(op->time), self = micros(op->self);
    tfp_xprof_put_number(table, (double)op->runs);
    tfp_xprof_put_number(table, time);
    tfp_xprof_put_number(table, divide(time, (double)op->runs));
    tfp_xprof_put_number(table, self);
    tfp_xprof_put_number(table, divide(self, (double)op->runs));
}

static void put_nulls(tfp_xprof_table *table, size_t count)
{
    while (count-- > 0)
        tfp_xprof_put_null(table);
}

/* ---- framework_op_stats ------------------------------------------------- */

static const tfp_xprof_column framework_columns[] = {
    { "rank", "Rank", TFP_HOLDS_NUMBER },
    { "host_or_device", "Host/device", TFP_HOLDS_STRING },
    { "type", "Operation Type", TFP_HOLDS_STRING },
    { "operation", "Operation Name", TFP_HOLDS_STRING },
    { "occurrences", "#Occurrences", TFP_HOLDS_NUMBER },
    { "total_time", "Total time (us)", TFP_HOLDS_NUMBER },
    { "avg_time", "Avg. time (us)", TFP_HOLDS_NUMBER },
    { "total_self_time", "Total self-time (us)", TFP_HOLDS_NUMBER },
    { "avg_self_time", "Avg. self-time (us)", TFP_HOLDS_NUMBER },
    { "device_total_self_time_percent", "Total self-time on Device (%)",
      TFP_HOLDS_NUMBER },
    { "device_cumulative_total_self_time_percent",
      "Cumulative total-self time on Device (%)", TFP_HOLDS_NUMBER },
    { "host_total_self_time_percent", "Total self-time on Host (%)",
      TFP_HOLDS_NUMBER },
    { "Host_cumulative_total_self_time_percent",
      "Cumulative total-self time on Host (%)", TFP_HOLDS_NUMBER },
    { "measured_flop_rate", "Normalized FLOP Rate (FLOPs/s)",
      TFP_HOLDS_NUMBER },
    { "model_flop_rate", "Model FLOP Rate (GFLOP/s)", TFP_HOLDS_NUMBER },
    { "measured_memory_bw", "Measured Memory BW (GBytes/Sec)",
      TFP_HOLDS_NUMBER },
    { "operational_intensity", "Operational Intensity (FLOPs/Byte)",
      TFP_HOLDS_NUMBER },
};

static const tfp_xprof_column framework_gpu_columns[] = {
    { "gpu_tensorcore_utilization", "GPU TensorCore utilization",
      TFP_HOLDS_NUMBER },
};

static const tfp_xprof_column framework_last_columns[] = {
    { "bound_by", "Bound by", TFP_HOLDS_STRING },
    { "eager", "Execution mode", TFP_HOLDS_STRING },
};

enum { KNOWN_FRAMEWORK_COLUMNS = 13 }; /* those behind them are null */

/* Where the rows of devices or of the host go. */
typedef struct framework_part {
    const tfp_xprof_texts *texts;
    tfp_xprof_table *table;
    const tfp_xprof_ops *ops;
    tfp_xprof_text place; /* "Device" or "Host" */
    bool is_device, has_idle;
    double sum; /* of the shares so far */
} framework_part;

static void put_framework_row(framework_part *part, const tfp_xprof_op *op)
{
    tfp_xprof_table *table = part->table;
    uint64_t total = part->has_idle ? part->ops->total : part->ops->busy;
    double share = divide(micros(op->self), micros(total));
    part->sum += share;
    tfp_xprof_put_number(table, (double)(tfp_xprof_table_rows(table) + 1));
    tfp_xprof_put_text(table, part->place);
    tfp_xprof_put_text(table, op->category);
    tfp_xprof_put_text(table, op->name);
    put_times(table, op);
    tfp_xprof_put_number(table, part->is_device ? share : 0);
    tfp_xprof_put_number(table, part->is_device ? part->sum : 0);
    tfp_xprof_put_number(table, part->is_device ? 0 : share);
    tfp_xprof_put_number(table, part->is_device ? 0 : part->sum);
    put_nulls(table, table->column_count - KNOWN_FRAMEWORK_COLUMNS);
}

/* The limit comes first: without idle times there may be one row less. */
static bool put_framework_rows(framework_part part)
{
    size_t count = part.ops->rows.count;
    tfp_sort_item *items = tfp_xprof_ops_sorted(part.ops, part.texts);
    if (!items)
        return false;
    for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
        const tfp_xprof_op *op = &part.ops->rows.data[items[i].index];
        if (part.has_idle || !tfp_xprof_ops_is_idle(part.ops, op))
            put_framework_row(&part, op);
    }
    tfp_memory_free(part.ops->memory, items);
    return !part.table->failed;
}

static bool fill_framework_table(tfp_xprof_source *source,
                                 tfp_xprof_table *table,
                                 const tfp_xprof_ops *device,
                                 const tfp_xprof_ops *host, bool has_idle)
{
    framework_part part = { .texts = source->texts,
                            .table = table,
                            .ops = device,
                            .is_device = true,
                            .has_idle = has_idle };
    part.place = tfp_intern(source->texts, tfp_span_of("Device"));
    if (part.place == TFP_NO_ID || !put_framework_rows(part))
        return false;
    part.ops = host;
    part.is_device = false;
    part.place = tfp_intern(source->texts, tfp_span_of("Host"));
    return part.place != TFP_NO_ID && put_framework_rows(part);
}

int tfp_xprof_framework_tables(tfp_xprof_source *source,
                               tfp_xprof_table tables[2], bool is_gpu,
                               tfprof_error *err)
{
    tfp_xprof_ops device = { 0 }, framework = { 0 }, host = { 0 };
    int status = tfp_xprof_ops_init(&device, source, err);
    for (int i = 0; i < 2; i++) {
        tfp_xprof_table_columns(&tables[i], framework_columns,
                                COLUMNS(framework_columns));
        if (is_gpu)
            tfp_xprof_table_columns(&tables[i], framework_gpu_columns,
                                    COLUMNS(framework_gpu_columns));
        tfp_xprof_table_columns(&tables[i], framework_last_columns,
                                COLUMNS(framework_last_columns));
        tables[i].has_model = true;
    }
    if (status == TFPROF_OK)
        status = tfp_xprof_ops_init(&framework, source, err);
    if (status == TFPROF_OK)
        status = tfp_xprof_ops_init(&host, source, err);
    if (status == TFPROF_OK)
        status = tfp_xprof_device_ops(source, &device, err);
    if (status == TFPROF_OK)
        status = tfp_xprof_framework_ops(source, &device, &framework, err);
    if (status == TFPROF_OK)
        status = tfp_xprof_host_ops(source, &host, err);
    for (int i = 0; i < 2 && status == TFPROF_OK; i++) {
        if (!fill_framework_table(source, &tables[i], &framework, &host,
                                  i == 0))
            status = tfp_fail_nomem(err);
    }
    tfp_xprof_ops_release(&device);
    tfp_xprof_ops_release(&framework);
    tfp_xprof_ops_release(&host);
    return status;
}

/* ---- hlo_stats ---------------------------------------------------------- */

static const tfp_xprof_column hlo_columns[] = {
    { "rank", "Rank", TFP_HOLDS_NUMBER },
    { "program_id", "Program id", TFP_HOLDS_STRING },
    { "category", "HLO op category", TFP_HOLDS_STRING },
    { "hlo_op_name", "HLO op name", TFP_HOLDS_STRING },
    { "hlo_op_expression", "HLO op text", TFP_HOLDS_STRING },
    { "tf_op_name", "Framework op name", TFP_HOLDS_STRING },
    { "occurrences", "#Occurrences", TFP_HOLDS_NUMBER },
    { "total_time", "Total time (us)", TFP_HOLDS_NUMBER },
    { "avg_time", "Avg. time (us)", TFP_HOLDS_NUMBER },
    { "total_self_time", "Total self time (us)", TFP_HOLDS_NUMBER },
    { "avg_self_time", "Avg. self time (us)", TFP_HOLDS_NUMBER },
    { "total_self_time_percent", "Total self time (%)", TFP_HOLDS_NUMBER },
    { "cumulative_total_self_time_percent", "Cumulative total self time (%)",
      TFP_HOLDS_NUMBER },
    { "dma_stall_percent", "%time stalled by DMA", TFP_HOLDS_NUMBER },
    { "model_flop_rate", "Model GFLOP/s", TFP_HOLDS_NUMBER },
    { "normalized_flop_rate", "Normalized GFLOP/s", TFP_HOLDS_NUMBER },
    { "measured_memory_bw", "Measured memory BW (GiB/s)", TFP_HOLDS_NUMBER },
    { "hbm_bw", "HBM BW (GiB/s)", TFP_HOLDS_NUMBER },
    { "cmem_read_bw", "CMEM Read BW (GiB/s)", TFP_HOLDS_NUMBER },
    { "cmem_write_bw", "CMEM Write BW (GiB/s)", TFP_HOLDS_NUMBER },
    { "operational_intensity", "Operational intensity (FLOPS/Byte)",
      TFP_HOLDS_NUMBER },
    { "bound_by", "Bound by", TFP_HOLDS_STRING },
    { "hlo_rematerialization", "Rematerialization", TFP_HOLDS_STRING },
    { "outside_compilation", "Outside Compilation", TFP_HOLDS_STRING },
    { "autotuned", "Autotuned", TFP_HOLDS_STRING },
    { "source_info", "Source Info", TFP_HOLDS_STRING },
    { "core_type", "TPU core type", TFP_HOLDS_STRING },
    { "parent_op_name", "Parent op name", TFP_HOLDS_STRING },
    { "vdd_energy", "VDD Energy (J)", TFP_HOLDS_NUMBER },
};

enum { RATE_COLUMNS = 7, UNKNOWN_COLUMNS = 5 };

/* "dot.1" of "%dot.1 = f32[2]{0} dot(...)". */
static tfp_xprof_text short_name(tfp_xprof_texts *texts, tfp_xprof_text text)
{
    tfp_span name = tfp_interned(texts, text);
    const uint8_t *end = tfp_span_find(name, " = ");
    if (end)
        name.size = (size_t)(end - name.data);
    if (name.size > 0 && name.data[0] == '%') {
        name.data++;
        name.size--;
    }
    return tfp_intern(texts, name);
}

static double rate(uint64_t amount, const tfp_xprof_op *op)
{
    return divide((double)amount, nanos(op->time));
}

static void put_rates(tfp_xprof_table *table, const tfp_xprof_op *op)
{
    const tfp_xprof_work *work = &op->work;
    /* Old profilers do not break it down: then all is memory of the device. */
    uint64_t hbm_bytes = work->has_parts ? work->hbm_bytes : work->bytes;
    tfp_xprof_put_number(table, rate(work->model_flops, op));
    tfp_xprof_put_number(table, rate(work->flops, op));
    tfp_xprof_put_number(table, gibi(rate(work->bytes, op)));
    tfp_xprof_put_number(table, gibi(rate(hbm_bytes, op)));
    tfp_xprof_put_number(table, gibi(rate(work->cmem_read_bytes, op)));
    tfp_xprof_put_number(table, gibi(rate(work->cmem_written_bytes, op)));
    tfp_xprof_put_number(table,
                         divide((double)work->flops, (double)work->bytes));
}

/* What a GPU does not tell, xprof gets from XLA's own cost model. */
static void put_hlo_row(tfp_xprof_source *source, tfp_xprof_table *table,
                        const tfp_xprof_op *op, double share, double sum)
{
    tfp_xprof_texts *texts = source->texts;
    bool is_tpu = op->is_of_tpu;
    tfp_xprof_text text = is_tpu ? op->expression : op->name;
    tfp_xprof_put_number(table, (double)(tfp_xprof_table_rows(table) + 1));
    tfp_xprof_put_digits(table, texts, op->program);
    tfp_xprof_put_text(table, op->category);
    tfp_xprof_put_text(table, short_name(texts, text));
    if (is_tpu)
        tfp_xprof_put_text(table, text);
    else
        tfp_xprof_put_null(table);
    tfp_xprof_put_text(table, op->origin);
    put_times(table, op);
    tfp_xprof_put_number(table, share * 100);
    tfp_xprof_put_number(table, sum * 100);
    tfp_xprof_put_null(table); /* dma_stall_percent */
    if (is_tpu)
        put_rates(table, op);
    else
        put_nulls(table, RATE_COLUMNS);
    put_nulls(table, UNKNOWN_COLUMNS);
    tfp_xprof_put_text(
        table, is_tpu ? tfp_intern(texts, tfp_span_of("TensorCore")) : 0);
    tfp_xprof_put_null(table); /* parent_op_name */
    tfp_xprof_put_null(table); /* vdd_energy */
}

/* Idle time is no run of anything, so it has no row. */
static bool put_hlo_rows(tfp_xprof_source *source, tfp_xprof_table *table,
                         const tfp_xprof_ops *ops)
{
    tfp_sort_item *items = tfp_xprof_ops_sorted(ops, source->texts);
    double sum = 0;
    if (!items)
        return false;
    for (size_t i = 0; i < ops->rows.count; i++) {
        const tfp_xprof_op *op = &ops->rows.data[items[i].index];
        double share = divide(micros(op->self), micros(ops->total));
        if (op->runs == 0)
            continue;
        sum += share;
        put_hlo_row(source, table, op, share, sum);
    }
    tfp_memory_free(ops->memory, items);
    return !table->failed;
}

int tfp_xprof_hlo_table(tfp_xprof_source *source, tfp_xprof_table *table,
                        tfprof_error *err)
{
    tfp_xprof_ops ops = { 0 };
    int status = tfp_xprof_ops_init(&ops, source, err);
    tfp_xprof_table_columns(table, hlo_columns, COLUMNS(hlo_columns));
    if (status == TFPROF_OK)
        status = tfp_xprof_device_ops(source, &ops, err);
    if (status == TFPROF_OK && !put_hlo_rows(source, table, &ops))
        status = tfp_fail_nomem(err);
    tfp_xprof_ops_release(&ops);
    return status;
}
