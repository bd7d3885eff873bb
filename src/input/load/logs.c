/*
 * logs.c - OpLogProto into the model.
 */
#include "base/error.h"
#include "base/intern.h"
#include "input/load/load.h"
#include "model/graph.h"
#include "model/inputs.h"
#include "proto/tfprof.h"
#include "proto/walk.h"

static int read_entry(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_input_counts *counts = &tfp_load_input(load)->counts;
    tfp_wire w = tfp_wire_over(record);
    tfp_op_log_entry entry;
    tfp_log_entry log = { 0 };
    int status;
    tfp_op_log_entry_read(&w, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    status = tfp_read_code(load, &entry.code_def, OpLogEntry_code_def, record,
                           &log.trace, err);
    if (status == TFPROF_OK)
        status = tfp_read_string_list(load, &entry.types, OpLogEntry_types,
                                      record, &log.types, err);
    if (status != TFPROF_OK || !tfp_record_ok(record))
        return status;
    log.name = tfp_load_name(load, entry.name);
    log.float_ops = entry.float_ops;
    if (log.name == TFP_NO_ID ||
        !(load->keeps_log ? TFP_VEC_PUSH(load->memory, &load->log, log)
                          : tfp_model_add_log(load->model, &log)))
        return tfp_fail_nomem(err);
    counts->log_entries++;
    counts->float_ops_entries += entry.float_ops != 0;
    counts->code_traces += log.trace != 0;
    return TFPROF_OK;
}

int tfp_load_add_log(tfp_load *load, tfprof_error *err)
{
    for (size_t i = 0; i < load->log.count; i++) {
        if (!tfp_model_add_log(load->model, &load->log.data[i]))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

int tfp_read_log_leaf(tfp_load *load, const tfp_field *f, tfp_record *record,
                      tfprof_error *err)
{
    switch (f->tag) {
    case OpLogProto_log_entries: return read_entry(load, record, err);
    case OpLogProto_id_to_string:
        return tfp_read_string_id(load, &tfp_OpLogProto_IdToStringEntry, record,
                                  err);
    default: return TFP_LEAF_UNREAD;
    }
}
