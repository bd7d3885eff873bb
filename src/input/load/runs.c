/*
 * runs.c - RunMetadata and StepStats into the model.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/steps.h"
#include "proto/graph.h"
#include "proto/step_stats.h"
#include "proto/walk.h"

/* ---- Levels ------------------------------------------------------------- */

int tfp_open_step(tfp_load *load, const tfp_field_spec *field,
                  tfprof_error *err)
{
    (void)field;
    if (load->step != TFP_NO_ID) /* two step_stats in one file are merged */
        return TFPROF_OK;
    load->step = tfp_model_step(load->model, load->next_step);
    if (load->step == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->steps,
                      load->next_step))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_open_device(tfp_load *load, const tfp_field_spec *field,
                    tfprof_error *err)
{
    int status = tfp_open_step(load, field, err); /* a StepStats alone */
    if (status != TFPROF_OK)
        return status;
    load->device = tfp_model_add_device(load->model, load->step, TFP_EXEC_RUN);
    return load->device == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_close_device(tfp_load *load, const tfp_field_spec *field,
                     tfprof_error *err)
{
    (void)field;
    return tfp_note_device(load, load->model->devices.data[load->device].name,
                           err);
}

/* ---- Records ------------------------------------------------------------ */

/* In streams a node's name is followed by its kernel: "a/b:Conv2D". */
static tfp_span node_of(tfp_span name)
{
    const uint8_t *colon = name.size ? memchr(name.data, ':', name.size) : NULL;
    if (colon)
        name.size = (size_t)(colon - name.data);
    return name;
}

int tfp_read_allocations(tfp_load *load, const tfp_repeated *records,
                         uint32_t tag, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(records, record);
    tfp_field f;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_allocation_record allocation;
        tfp_allocation_record_read(&inner, &allocation);
        tfp_wire_leave(&inner);
        if (!TFP_VEC_PUSH(
                load->memory, &load->allocations,
                (tfp_exec_allocation){ allocation.micros, allocation.bytes }))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* Allocations and bytes in use are those of an allocator on a GPU, as upstream
 * has it; of several the largest bytes. */
static int read_gpu_memory(tfp_load *load, const tfp_allocator_memory *used,
                           tfp_record *record, tfp_exec_figures *figures,
                           tfprof_error *err)
{
    if (!tfp_span_find(used->allocator, "GPU")) {
        tfp_wire w = tfp_repeated_wire(&used->records, record);
        tfp_wire_check_rest(&w, &tfp_AllocatorMemoryUsed);
        return TFPROF_OK;
    }
    if (used->in_use > figures->bytes_in_use)
        figures->bytes_in_use = used->in_use;
    return tfp_read_allocations(load, &used->records,
                                AllocatorMemoryUsed_allocation_records, record,
                                err);
}

/* Sums over the allocators. */
static int read_memory(tfp_load *load, const tfp_repeated *memory,
                       tfp_record *record, tfp_exec_figures *figures,
                       tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(memory, record);
    tfp_field f;
    while (tfp_repeated_next(&w, NodeExecStats_memory, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_allocator_memory used;
        int status;
        tfp_allocator_memory_read(&inner, &used);
        status = read_gpu_memory(load, &used, record, figures, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
        figures->requested_bytes = tfp_add_sat(figures->requested_bytes,
                                               used.total);
        figures->peak_bytes = tfp_add_sat(figures->peak_bytes, used.peak);
        figures->residual_bytes = tfp_add_sat(figures->residual_bytes,
                                              used.live);
    }
    return TFPROF_OK;
}

static int read_outputs(tfp_load *load, const tfp_repeated *outputs,
                        tfp_record *record, tfp_exec_figures *figures,
                        tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(outputs, record);
    tfp_field f;
    while (tfp_repeated_next(&w, NodeExecStats_output, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_node_output output;
        tfp_exec_output kept = { 0 };
        int status;
        tfp_node_output_read(&inner, &output);
        status = tfp_read_shape(load, &inner, &output.shape, &kept.shape, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
        if (!output.has_tensor)
            continue;
        kept.slot = output.slot;
        kept.dtype = output.dtype;
        kept.address = output.address;
        if (output.has_allocation) {
            kept.bytes = output.allocated > output.requested ? output.allocated
                                                             : output.requested;
            figures->output_bytes = tfp_add_sat(figures->output_bytes,
                                                kept.bytes);
        }
        if (!TFP_VEC_PUSH(load->memory, &load->outputs, kept))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* Allocation records of one allocator; those of any, not only of a GPU. */
static int gather_records(tfp_load *load, const tfp_allocator_memory *used,
                          tfp_record *record, tfp_allocation allocation,
                          tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&used->records, record);
    tfp_field f;
    while (tfp_repeated_next(&w, AllocatorMemoryUsed_allocation_records, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_allocation_record read;
        tfp_allocation_record_read(&inner, &read);
        tfp_wire_leave(&inner);
        allocation.at = read.micros;
        allocation.bytes = read.bytes;
        if (!tfp_model_add_allocation(load->model, allocation))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

/* Keeps allocations for model/pools.h. They were read before, so they are
 * whole. */
static int gather_memory(tfp_load *load, const tfp_repeated *memory,
                         tfp_record *record, const tfp_exec *exec,
                         tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(memory, record);
    tfp_field f;
    int status = TFPROF_OK;
    while (status == TFPROF_OK &&
           tfp_repeated_next(&w, NodeExecStats_memory, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_allocation report = { .at = exec->start,
                                  .node = exec->name,
                                  .device = exec->device };
        tfp_allocator_memory used;
        tfp_allocator_memory_read(&inner, &used);
        report.allocator = tfp_model_string(load->model, used.allocator);
        report.reported = used.in_use > 0 ? used.in_use : 0;
        if (report.allocator == TFP_NO_ID ||
            (report.reported > 0 &&
             !tfp_model_add_allocation(load->model, report)))
            status = tfp_fail_nomem(err);
        report.reported = 0;
        if (status == TFPROF_OK)
            status = gather_records(load, &used, record, report, err);
        tfp_wire_leave(&inner);
    }
    return status;
}

static int read_exec(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_node_exec_stats stats;
    tfp_exec exec = { .device = load->device };
    tfp_exec_detail detail = { 0 };
    tfp_exec_figures *figures = &detail.figures;
    bool keeps_detail = !(load->model->gathers & TFP_GATHER_TIMES_ONLY);
    int status;
    load->outputs.count = load->allocations.count = 0;
    tfp_node_exec_stats_read(&w, &stats);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    status = read_memory(load, &stats.memory, record, figures, err);
    if (status == TFPROF_OK)
        status = read_outputs(load, &stats.outputs, record, figures, err);
    if (status != TFPROF_OK || !tfp_record_ok(record))
        return status;
    figures->temp_bytes = stats.temp;
    figures->persistent_bytes = stats.persistent;
    figures->device_temp_bytes = stats.device_temp;
    figures->device_persistent_bytes = stats.device_persistent;
    if (stats.scheduled != 0)
        figures->waited = tfp_sub_sat(stats.all_start, stats.scheduled);
    detail.outputs = load->outputs.data;
    detail.output_count = load->outputs.count;
    detail.allocations = load->allocations.data;
    detail.allocation_count = load->allocations.count;
    exec.name = tfp_load_name(load, node_of(stats.node_name));
    exec.start = stats.all_start;
    exec.length = stats.op_end_rel;
    if (exec.name == TFP_NO_ID ||
        !tfp_model_add_exec(load->model, exec, keeps_detail ? &detail : NULL))
        return tfp_fail_nomem(err);
    tfp_load_input(load)->counts.run_records++;
    tfp_load_input(load)->counts.unplaced_records += exec.name == 0;
    return load->model->gathers & TFP_GATHER_MEMORY
               ? gather_memory(load, &stats.memory, record, &exec, err)
               : TFPROF_OK;
}

int tfp_read_device_leaf(tfp_load *load, const tfp_field *f, tfp_record *record,
                         tfprof_error *err)
{
    if (f->tag == DeviceStepStats_node_stats)
        return read_exec(load, record, err);
    if (f->tag == DeviceStepStats_device) {
        tfp_string name = tfp_model_string(load->model, record->bytes);
        if (name == TFP_NO_ID ||
            !tfp_model_name_device(load->model, load->device, name))
            return tfp_fail_nomem(err);
        return TFPROF_OK;
    }
    tfp_load_input(load)->ignored.thread_names += f->tag ==
                                                  DeviceStepStats_thread_names;
    return TFP_LEAF_UNREAD;
}

int tfp_read_cost_graph_leaf(tfp_load *load, const tfp_field *f,
                             tfp_record *record, tfprof_error *err)
{
    (void)record;
    (void)err;
    tfp_load_input(load)->ignored.cost_nodes += f->tag == CostGraphDef_node;
    return TFP_LEAF_UNREAD;
}
