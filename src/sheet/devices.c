/*
 * devices.c - how busy each device was, and how near it came to what it can.
 *
 * All is about the time of steps: what a trace ran outside of them is left out.
 * The rates are over the time in which the device was busy. Float operations
 * and bytes are known of some operations only; the share of the time of all
 * that these took stands beside each rate.
 */
#include "base/bytes.h"
#include "base/memory.h"
#include "model/gathered.h"
#include "model/inputs.h"
#include "model/model.h"
#include "sheet/device_sums.h"
#include "sheet/sheets.h"

#define REAL(name, title, unit)                                                \
    { name, title, TFP_SHEET_REAL, unit, TFP_FOR_ALL, false }
#define DETAIL(name, kind, unit)                                               \
    { name, "", kind, unit, TFP_FOR_PROGRAMS, false }

static const tfp_sheet_column columns[] = {
    { "short", "device", TFP_SHEET_TEXT, NULL, TFP_FOR_PEOPLE, true },
    DETAIL("device", TFP_SHEET_TEXT, NULL),
    { "model", "model", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, true },
    { "ops", "ops", TFP_SHEET_NUMBER, "count", TFP_FOR_ALL, false },
    { "busy_micros", "busy", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },
    { "idle_micros", "idle", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },
    DETAIL("float_ops", TFP_SHEET_NUMBER, "count"),
    REAL("gflops_per_second", "GFLOP/s", "GFLOP/s"),
    REAL("peak_gflops_per_second", "peak GFLOP/s", "GFLOP/s"),
    REAL("percent_of_peak_flops", "% of peak", "percent"),
    REAL("percent_of_time_counted", "counted %", "percent"),
    DETAIL("bytes", TFP_SHEET_BYTES, "bytes"),
    REAL("gigabytes_per_second", "GB/s", "GB/s"),
    REAL("peak_gigabytes_per_second", "peak GB/s", "GB/s"),
    REAL("percent_of_peak_bytes", "% of peak", "percent"),
    DETAIL("percent_of_time_with_bytes", TFP_SHEET_REAL, "percent"),
};

static void put_real(tfp_sheet *sheet, double value, bool is_known)
{
    if (is_known)
        tfp_sheet_put_real(sheet, value);
    else
        tfp_sheet_put_null(sheet);
}

/* What `work` comes to in a thousand million each second, and of the peak. */
static void put_rate(tfp_sheet *sheet, int64_t work, int64_t busy, int64_t peak)
{
    double rate = busy > 0 ? (double)work / (double)busy * 1e3 : 0;
    bool is_known = work > 0 && busy > 0;
    put_real(sheet, rate, is_known);
    put_real(sheet, (double)peak / 1e9, peak > 0);
    put_real(sheet, 100 * rate / ((double)peak / 1e9), is_known && peak > 0);
}

static double percent(int64_t part, int64_t whole)
{
    return 100 * (double)part / (double)whole;
}

/* What the plane of a device states of it, or NULL. */
static const tfp_input_plane *plane_of(const tfp_model *model,
                                       const tfp_device_use *use)
{
    const tfp_input_trace *trace = &model->inputs.data[use->input].trace;
    for (size_t i = 0; i < trace->planes.count; i++) {
        if (trace->planes.data[i].name == use->parts.device)
            return &trace->planes.data[i];
    }
    return NULL;
}

static void put_times(tfp_sheet *sheet, const tfp_device_sum *sum)
{
    tfp_sheet_put_number(sheet, sum->runs);
    tfp_sheet_put_number(sheet, sum->busy);
    tfp_sheet_put_number(sheet, sum->idle);
}

static void put_trace(tfp_sheet *sheet, const tfp_model *model,
                      const tfp_device_sum *sum, bool has_hosts)
{
    const tfp_device_use *use = sum->use;
    static const tfp_input_plane none;
    const tfp_input_plane *plane = plane_of(model, use);
    bool has_bytes = use->bytes_time > 0;
    if (!plane || !use->is_accelerator)
        plane = &none;
    tfp_sheet_put_text(
        sheet, tfp_sheet_device(model, use->device, use->parts, has_hosts));
    tfp_sheet_put_text(sheet, tfp_model_text(model, use->device));
    if (plane->device)
        tfp_sheet_put_text(sheet, tfp_model_text(model, plane->device));
    else
        tfp_sheet_put_null(sheet);
    put_times(sheet, sum);
    tfp_sheet_put_number(sheet, use->float_ops);
    put_rate(sheet, use->float_ops, sum->busy, plane->peak_flops);
    put_real(sheet, percent(use->counted_time, use->time), use->time > 0);
    tfp_sheet_put_known(sheet, has_bytes ? use->bytes : -1);
    put_rate(sheet, use->bytes, sum->busy, plane->peak_bytes);
    put_real(sheet, percent(use->bytes_time, use->time), use->time > 0);
}

static void put_run(tfp_sheet *sheet, const tfp_device_sum *sum)
{
    tfp_sheet_put_text(sheet, sum->name);
    tfp_sheet_put_text(sheet, sum->name);
    tfp_sheet_put_null(sheet);
    put_times(sheet, sum);
    while (sheet->at > 0)
        tfp_sheet_put_null(sheet);
}

int tfp_devices_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                     tfprof_error *err)
{
    bool has_hosts = tfp_sheet_has_hosts(request->traces);
    tfp_device_sums sums = { 0 };
    tfp_sheet_init(&sheets[0], request->memory, "devices", columns,
                   sizeof(columns) / sizeof(columns[0]));
    if (!tfp_device_sums_find(&sums, request))
        sheets[0].failed = !request->watch->cancelled;
    for (size_t i = 0; i < sums.count; i++) {
        if (sums.data[i].use)
            put_trace(&sheets[0], request->traces, &sums.data[i], has_hosts);
        else
            put_run(&sheets[0], &sums.data[i]);
    }
    TFP_VEC_RELEASE(request->memory, &sums);
    return tfp_sheet_status(request, sheets, 1, err);
}
