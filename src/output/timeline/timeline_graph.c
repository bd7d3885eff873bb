/*
 * timeline_graph.c - the runs of a step as slices: a process for each device,
 * and in it as many lanes as work went on at a time.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/costs.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/steps.h"
#include "output/timeline/lanes.h"
#include "output/timeline/timeline_parts.h"
#include "output/view/view.h"
#include "view/view.h"

/* What the records of a stream tell is when kernels ran; those of a device,
 * when they were started. */
static const char *process_prefix(tfp_span device)
{
    return tfp_span_find(device, "stream") ? "Op execution threads: "
                                           : "Op scheduling threads: ";
}

/* A run on its way into the file. */
typedef struct slice {
    const tfp_exec *exec;
    uint32_t row;
    bool is_first; /* of its node */
    bool is_long;  /* some text of it is shortened unless it is the first */
} slice;

/* The memory of this run alone. */
static void put_memory(tfp_timeline *t, const tfp_exec_figures *figures)
{
    int64_t bytes[TFP_COST_MICROS];
    tfp_record_memory(figures, false, bytes);
    for (int cost = 0; cost < TFP_COST_MICROS; cost++) {
        if (bytes[cost] != 0)
            tfp_json_exact_int(&t->trace.json, tfp_metrics[cost].name,
                               bytes[cost]);
    }
}

/* What the graph says of a node stands whole at its first run. A node of many
 * inputs that runs often would make a large file of a small one. */
static tfp_span of_graph(tfp_timeline *t, const slice *s, tfp_span text)
{
    return s->is_first ? text : tfp_timeline_shorten(t, text);
}

static void put_args(tfp_timeline *t, const tfp_runs *r, slice *s)
{
    tfp_exec_figures figures;
    tfp_detail_reader detail = tfp_exec_read(r->step, s->exec, &figures);
    tfp_span inputs, outputs;
    t->facts.enough = s->is_first ? 0 : TFP_TIMELINE_TEXT;
    tfp_timeline_put_op(t, s->row);
    inputs = tfp_row_inputs(&t->facts, s->row, ", ");
    s->is_long |= inputs.size > TFP_TIMELINE_TEXT;
    tfp_timeline_put_shapes(t, "input_shapes", of_graph(t, s, inputs));
    outputs = tfp_run_outputs(&t->facts, &detail, ", ");
    if (outputs.size == 0) {
        outputs = tfp_row_outputs(&t->facts, s->row, ", ");
        s->is_long |= outputs.size > TFP_TIMELINE_TEXT;
        outputs = of_graph(t, s, outputs);
    }
    tfp_timeline_put_shapes(t, "output_shapes", outputs);
    put_memory(t, &figures);
    tfp_timeline_put_costs(t, s->row);
}

static void put_run(tfp_timeline *t, const tfp_runs *r, const tfp_exec *exec,
                    tfp_trace_place place, tfp_micros end)
{
    const tfp_view *v = r->view;
    uint32_t member = v->census->by_name[exec->name];
    uint32_t row = v->shown[r->shown_at[member]].row;
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    slice s = { .exec = exec, .row = row, .is_first = !t->drawn[member] };
    s.is_long = name.size > TFP_TIMELINE_TEXT;
    tfp_timeline_count(t, row);
    tfp_trace_open_slice(&t->trace, place, end - place.at,
                         of_graph(t, &s, name));
    put_args(t, r, &s);
    tfp_trace_close_slice(&t->trace);
    t->notes->short_texts += s.is_long && !s.is_first;
    t->drawn[member] = true;
}

static int put_device(tfp_timeline *t, tfp_runs *r, tfp_run_device *device,
                      tfp_lanes *lanes, tfprof_error *err)
{
    tfp_span name = tfp_model_text(r->view->model, device->name);
    if (device->first == device->end)
        return TFPROF_OK;
    device->process = ++t->processes;
    tfp_trace_process(&t->trace, device->process, process_prefix(name), name,
                      "");
    tfp_lanes_clear(lanes);
    for (size_t i = device->first;
         i < device->end && !tfp_sink_is_done(t->trace.json.sink, i); i++) {
        const tfp_exec *exec = tfp_run_record(r, i);
        tfp_micros end = tfp_run_end(r, exec);
        uint32_t lane = tfp_lanes_take(lanes, exec->start, end);
        tfp_trace_place place = { device->process, t->lanes + 1 + lane,
                                  exec->start };
        if (lane == TFP_NO_ID)
            return tfp_fail_nomem(err);
        put_run(t, r, exec, place, end);
        t->notes->odd_lengths += end - exec->start != tfp_run_time(r, exec);
        r->items[i].key = (uint64_t)place.lane;
    }
    t->lanes += lanes->count;
    return TFPROF_OK;
}

static int put_runs(tfp_timeline *t, tfp_runs *r, tfprof_error *err)
{
    tfp_lanes lanes = { .memory = r->memory };
    size_t members = r->view->census->members.count;
    int status = TFPROF_OK;
    t->drawn = tfp_memory_zalloc(r->memory, members);
    if (!t->drawn)
        return tfp_fail_nomem(err);
    for (size_t i = 0; status == TFPROF_OK && i < r->device_count; i++)
        status = put_device(t, r, &r->devices[i], &lanes, err);
    tfp_lanes_release(&lanes);
    tfp_memory_free(r->memory, t->drawn);
    return status;
}

int tfp_timeline_graph(tfp_timeline *t, tfprof_error *err)
{
    tfp_runs runs;
    tfp_sink *sink = t->trace.json.sink;
    int status = tfp_runs_init(&runs, t->view, sink, err);
    t->notes->runs += (int64_t)runs.item_count;
    t->notes->limited_runs += runs.limited;
    if (status == TFPROF_OK)
        status = put_runs(t, &runs, err);
    if (status == TFPROF_OK && !tfp_sink_is_done(sink, 0))
        status = tfp_timeline_flows(t, &runs, err);
    if (status == TFPROF_OK && !tfp_sink_is_done(sink, 0))
        status = tfp_timeline_memory(t, &runs, err);
    tfp_runs_release(&runs);
    return status;
}
