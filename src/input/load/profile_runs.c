/*
 * profile_runs.c - the times and the memory in a ProfileProto.
 *
 * They are separate lists there, so they become separate run records here
 * (TFP_EXEC_TIME, TFP_EXEC_MEMORY), and the sums beside them a third kind
 * (TFP_EXEC_TOTAL).
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
#include "proto/tfprof.h"

/* The device of a step, added when it is first named. */
static int find_device(tfp_load *load, uint32_t step, tfp_exec_kind kind,
                       tfp_span name, uint32_t *device, tfprof_error *err)
{
    uint32_t key[3] = { step, (uint32_t)kind,
                        tfp_model_string(load->model, name) };
    uint32_t id = tfp_intern(&load->profile_devices,
                             (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (key[2] == TFP_NO_ID || id == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (id <= load->device_of.count) {
        *device = load->device_of.data[id - 1];
        return TFPROF_OK;
    }
    *device = tfp_model_add_device(load->model, step, kind);
    if (*device == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &load->device_of, *device))
        return tfp_fail_nomem(err);
    if (!tfp_model_name_device(load->model, *device, key[2]))
        return tfp_fail_nomem(err);
    if (kind != TFP_EXEC_TIME && kind != TFP_EXEC_ACCELERATOR_TIME)
        return TFPROF_OK;
    return tfp_note_device(load, key[2], err);
}

/* One entry device -> ExecTime: a record for each of its times. */
static int read_times(tfp_load *load, tfp_string name, uint32_t step,
                      tfp_exec_kind kind, const tfp_repeated *times,
                      uint32_t tag, const tfp_message *message,
                      tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(times, record);
    tfp_field f, tuple;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_wire entry_wire = tfp_wire_enter(&w, &f), inner;
        tfp_map_entry entry;
        tfp_exec exec = { .name = name };
        int status;
        tfp_map_entry_read(&entry_wire, message, &entry);
        status = find_device(load, step, kind, entry.key, &exec.device, err);
        if (status != TFPROF_OK)
            return status;
        if (entry.value.tag != 0) {
            inner = tfp_wire_enter(&entry_wire, &entry.value);
            while (tfp_repeated_next(&inner, ExecTime_times, &tuple)) {
                size_t base = load->numbers.count;
                status = tfp_push_tuple(load, &inner, &tuple, err);
                if (status != TFPROF_OK)
                    return status;
                exec.start = exec.length = 0;
                if (load->numbers.count > base)
                    exec.start = load->numbers.data[base];
                if (load->numbers.count > base + 1)
                    exec.length = load->numbers.data[base + 1];
                load->numbers.count = base;
                if (!tfp_model_add_exec(load->model, exec, NULL))
                    return tfp_fail_nomem(err);
                tfp_load_input(load)->counts.run_records++;
            }
            tfp_wire_leave(&inner);
        }
        tfp_wire_leave(&entry_wire);
    }
    return TFPROF_OK;
}

static int read_memory_blocks(tfp_load *load, const tfp_repeated *blocks,
                              tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(blocks, record);
    tfp_field f;
    while (tfp_repeated_next(&w, ExecMemory_output_memory, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f), value;
        tfp_map_entry entry;
        tfp_memory_block block = { 0 };
        tfp_map_entry_read(&inner, &tfp_ExecMemory_OutputMemoryEntry, &entry);
        if (entry.value.tag != 0) {
            value = tfp_wire_enter(&inner, &entry.value);
            tfp_memory_block_read(&value, &block);
            tfp_wire_leave(&value);
        }
        tfp_wire_leave(&inner);
        if (!TFP_VEC_PUSH(
                load->memory, &load->outputs,
                (tfp_exec_output){ .slot = (int32_t)(uint32_t)entry.number,
                                   .bytes = block.bytes,
                                   .address = block.address }))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int read_memories(tfp_load *load, tfp_string name, uint32_t device,
                         const tfp_exec_profile *profile, tfp_record *record,
                         tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(&profile->memory, record);
    tfp_field f;
    while (tfp_repeated_next(&w, ExecProfile_memory_execs, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_exec_memory memory;
        tfp_exec_detail detail;
        int status;
        tfp_exec_memory_read(&inner, &memory);
        load->outputs.count = 0;
        status = read_memory_blocks(load, &memory.outputs, record, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
        detail = (tfp_exec_detail){
            .figures = { .requested_bytes = memory.requested,
                         .peak_bytes = memory.peak,
                         .residual_bytes = memory.residual,
                         .output_bytes = memory.output,
                         .bytes_in_use = memory.in_use,
                         .temp_bytes = memory.host_temp,
                         .persistent_bytes = memory.host_persistent,
                         .device_temp_bytes = memory.accelerator_temp,
                         .device_persistent_bytes =
                             memory.accelerator_persistent },
            .outputs = load->outputs.data,
            .output_count = load->outputs.count
        };
        if (!tfp_model_add_exec(load->model,
                                (tfp_exec){ .name = name,
                                            .device = device,
                                            .start = memory.micros },
                                &detail))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int read_total(tfp_load *load, tfp_string name, uint32_t device,
                      const tfp_exec_profile *profile, tfp_record *record,
                      tfprof_error *err)
{
    tfp_exec_detail detail = { .figures = { .run_count = profile->run_count } };
    tfp_exec exec = { .name = name,
                      .device = device,
                      .start = profile->all_start,
                      .length = profile->latest_end };
    int status;
    load->allocations.count = 0;
    status = tfp_read_allocations(load, &profile->allocations,
                                  ExecProfile_allocations, record, err);
    if (status != TFPROF_OK)
        return status;
    detail.allocations = load->allocations.data;
    detail.allocation_count = load->allocations.count;
    return tfp_model_add_exec(load->model, exec, &detail) ? TFPROF_OK
                                                          : tfp_fail_nomem(err);
}

/* One ExecProfile: what one node did in one step. */
static int read_exec_profile(tfp_load *load, tfp_string name, int64_t step_id,
                             tfp_wire *w, const tfp_field *f, tfprof_error *err)
{
    tfp_record *record = w->record;
    tfp_wire inner = tfp_wire_enter(w, f);
    tfp_exec_profile profile;
    uint32_t step = tfp_model_step(load->model, step_id), memory, total;
    int status;
    if (step == TFP_NO_ID)
        return tfp_fail_nomem(err);
    tfp_exec_profile_read(&inner, &profile);
    status = find_device(load, step, TFP_EXEC_MEMORY, (tfp_span){ 0 }, &memory,
                         err);
    if (status == TFPROF_OK)
        status = find_device(load, step, TFP_EXEC_TOTAL, (tfp_span){ 0 },
                             &total, err);
    if (status == TFPROF_OK)
        status = read_times(load, name, step, TFP_EXEC_ACCELERATOR_TIME,
                            &profile.accelerator, ExecProfile_accelerator_execs,
                            &tfp_ExecProfile_AcceleratorExecsEntry, record,
                            err);
    if (status == TFPROF_OK)
        status = read_times(load, name, step, TFP_EXEC_TIME, &profile.cpu,
                            ExecProfile_cpu_execs,
                            &tfp_ExecProfile_CpuExecsEntry, record, err);
    if (status == TFPROF_OK)
        status = read_memories(load, name, memory, &profile, record, err);
    if (status == TFPROF_OK)
        status = read_total(load, name, total, &profile, record, err);
    tfp_wire_leave(&inner);
    return status;
}

int tfp_read_profile_runs(tfp_load *load, tfp_string name,
                          const tfp_repeated *execs, tfp_record *record,
                          tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(execs, record);
    tfp_field f;
    while (tfp_repeated_next(&w, ProfileNode_execs, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        tfp_map_entry entry;
        int status;
        tfp_map_entry_read(&inner, &tfp_ProfileNode_ExecsEntry, &entry);
        if (entry.value.tag == 0) /* left out, it is an empty one */
            entry.value.bytes = (tfp_span){ inner.at, 0 };
        status = read_exec_profile(load, name, (int64_t)entry.number, &inner,
                                   &entry.value, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}
