/*
 * saved.c - MetaGraphDef and SavedModel into the model: tags, versions,
 * signatures, variables.
 */
#include "model/saved.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "proto/graph.h"
#include "proto/saved.h"
#include "proto/walk.h"

int tfp_open_meta_graph(tfp_load *load, const tfp_field_spec *field,
                        tfprof_error *err)
{
    (void)field;
    (void)err;
    load->graph_tag = 0;
    tfp_load_input(load)->counts.meta_graphs++;
    return TFPROF_OK;
}

int tfp_close_meta_graph(tfp_load *load, const tfp_field_spec *field,
                         tfprof_error *err)
{
    (void)field;
    return tfp_close_graph(load, NULL, err);
}

/* ---- What kind of graph ------------------------------------------------- */

/* "serve,gpu": the tags joined, as one name. */
static int read_tags(tfp_load *load, const tfp_meta_info *info,
                     tfp_record *record, tfprof_error *err)
{
    TFP_VEC(uint8_t) joined = { 0 };
    tfp_wire w = tfp_repeated_wire(&info->tags, record);
    tfp_field f;
    bool ok = true;
    while (ok && tfp_repeated_next(&w, MetaGraphDef_MetaInfoDef_tags, &f)) {
        ok = TFP_VEC_RESERVE(load->memory, &joined, f.bytes.size + 1);
        if (!ok)
            break;
        if (joined.count > 0)
            joined.data[joined.count++] = ',';
        if (f.bytes.size > 0)
            memcpy(joined.data + joined.count, f.bytes.data, f.bytes.size);
        joined.count += f.bytes.size;
    }
    if (ok)
        load->graph_tag = tfp_model_string(
            load->model, (tfp_span){ joined.data, joined.count });
    TFP_VEC_RELEASE(load->memory, &joined);
    if (!ok || load->graph_tag == TFP_NO_ID ||
        (info->tags.count > 0 &&
         !TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->tags,
                       load->graph_tag)))
        return tfp_fail_nomem(err);
    load->model->graphs.data[load->graph].name = load->graph_tag;
    return TFPROF_OK;
}

static int read_meta_info(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_input *input = tfp_load_input(load);
    tfp_wire w = tfp_wire_over(record);
    tfp_meta_info info;
    tfp_string version, git;
    tfp_meta_info_read(&w, &info);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    version = tfp_model_string(load->model, info.tensorflow_version);
    git = tfp_model_string(load->model, info.tensorflow_git_version);
    if (version == TFP_NO_ID || git == TFP_NO_ID)
        return tfp_fail_nomem(err);
    input->tensorflow_version = version;
    input->tensorflow_git = git;
    input->ignored.op_definitions += info.has_op_list;
    return read_tags(load, &info, record, err);
}

/* ---- Signatures --------------------------------------------------------- */

static int read_signature_tensors(tfp_load *load, tfp_signature *signature,
                                  const tfp_repeated *tensors, uint32_t tag,
                                  const tfp_message *message,
                                  tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(tensors, record);
    tfp_field f;
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_wire entry_wire = tfp_wire_enter(&w, &f), info_wire;
        tfp_map_entry entry;
        tfp_tensor_info info = { 0 };
        tfp_signature_tensor tensor = { .is_output = tag ==
                                                     SignatureDef_outputs };
        tfp_map_entry_read(&entry_wire, message, &entry);
        if (entry.value.tag != 0) {
            int status;
            info_wire = tfp_wire_enter(&entry_wire, &entry.value);
            tfp_tensor_info_read(&info_wire, &info);
            status = tfp_read_shape(load, &info_wire, &info.shape,
                                    &tensor.shape, err);
            tfp_wire_leave(&info_wire);
            if (status != TFPROF_OK)
                return status;
        }
        tfp_wire_leave(&entry_wire);
        tensor.key = tfp_model_string(load->model, entry.key);
        tensor.name = tfp_model_string(load->model, info.name);
        tensor.dtype = info.dtype;
        if (tensor.key == TFP_NO_ID || tensor.name == TFP_NO_ID ||
            !TFP_VEC_PUSH(load->memory, &signature->tensors, tensor))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int read_signature(tfp_load *load, tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record), inner;
    size_t before = load->model->signatures.count;
    tfp_map_entry entry;
    tfp_signature_def def = { 0 };
    tfp_signature *signature;
    tfp_string key, method;
    int status;
    tfp_map_entry_read(&w, &tfp_MetaGraphDef_SignatureDefEntry, &entry);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    key = tfp_model_string(load->model, entry.key);
    if (key == TFP_NO_ID)
        return tfp_fail_nomem(err);
    signature = tfp_model_signature(load->model, load->graph, key);
    if (!signature)
        return tfp_fail_nomem(err);
    if (load->model->signatures.count > before) {
        tfp_load_input(load)->counts.signatures++;
        if (!TFP_VEC_PUSH(load->memory, &tfp_load_input(load)->signatures, key))
            return tfp_fail_nomem(err);
    }
    if (entry.value.tag == 0)
        return TFPROF_OK;
    inner = tfp_wire_enter(&w, &entry.value);
    tfp_signature_def_read(&inner, &def);
    method = tfp_model_string(load->model, def.method_name);
    if (method == TFP_NO_ID)
        return tfp_fail_nomem(err);
    signature->method = method;
    status = read_signature_tensors(load, signature, &def.inputs,
                                    SignatureDef_inputs,
                                    &tfp_SignatureDef_InputsEntry, record, err);
    if (status == TFPROF_OK)
        status = read_signature_tensors(
            load, signature, &def.outputs, SignatureDef_outputs,
            &tfp_SignatureDef_OutputsEntry, record, err);
    tfp_wire_leave(&inner);
    return status;
}

/* ---- Variables ---------------------------------------------------------- */

static int add_variable(tfp_load *load, const tfp_variable *variable,
                        tfprof_error *err)
{
    tfp_input_counts *counts = &tfp_load_input(load)->counts;
    if (variable->name == TFP_NO_ID ||
        !TFP_VEC_PUSH(load->memory, &load->model->variables, *variable))
        return tfp_fail_nomem(err);
    counts->variables++;
    counts->trainable_variables += variable->trainable;
    return TFPROF_OK;
}

int tfp_read_object_graph_leaf(tfp_load *load, const tfp_field *f,
                               tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record);
    tfp_saved_variable saved;
    tfp_variable variable = { .graph = load->graph };
    int status;
    if (f->tag != SavedObjectGraph_nodes)
        return TFP_LEAF_UNREAD;
    if (!tfp_saved_object_read(&w, &saved)) {
        tfp_load_input(load)->ignored.objects++;
        return TFPROF_OK;
    }
    status = tfp_read_shape(load, &w, &saved.shape, &variable.shape, err);
    if (status != TFPROF_OK || !tfp_record_ok(record))
        return status;
    variable.name = tfp_model_string(load->model, saved.name);
    variable.dtype = saved.dtype;
    variable.trainable = saved.trainable;
    return add_variable(load, &variable, err);
}

/* TF1 lists its trainable variables in a collection of that name, each a
 * VariableDef in bytes that TensorFlow itself does not look into. */
static int read_trainable(tfp_load *load, tfp_span bytes, int max_depth,
                          tfprof_error *err)
{
    tfp_record record = { .bytes = bytes, .max_depth = max_depth };
    tfp_wire w = tfp_wire_over(&record);
    tfp_variable_def def;
    tfp_variable variable = { .graph = load->graph,
                              .trainable = true,
                              .from_collection = true };
    tfp_variable_def_read(&w, &def);
    if (!tfp_record_ok(&record))
        return TFPROF_OK;
    if (tfp_span_ends(def.variable_name, ":0"))
        def.variable_name.size -= 2;
    variable.name = tfp_model_string(load->model, def.variable_name);
    return add_variable(load, &variable, err);
}

static int read_trainables(tfp_load *load, const tfp_repeated *lists,
                           tfp_record *record, tfprof_error *err)
{
    tfp_wire w = tfp_repeated_wire(lists, record);
    tfp_field list, f;
    while (tfp_repeated_next(&w, CollectionDef_bytes_list, &list)) {
        tfp_wire inner = tfp_wire_enter(&w, &list);
        int status = TFPROF_OK;
        while (status == TFPROF_OK &&
               tfp_repeated_next(&inner, CollectionDef_BytesList_value, &f))
            status = read_trainable(load, f.bytes, record->max_depth, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

static int read_collection(tfp_load *load, tfp_record *record,
                           tfprof_error *err)
{
    tfp_wire w = tfp_wire_over(record), inner;
    tfp_map_entry entry;
    tfp_repeated lists;
    int status = TFPROF_OK;
    tfp_map_entry_read(&w, &tfp_MetaGraphDef_CollectionDefEntry, &entry);
    if (!tfp_record_ok(record) || entry.value.tag == 0)
        return TFPROF_OK;
    inner = tfp_wire_enter(&w, &entry.value);
    tfp_collection_read(&inner, &lists);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    if (tfp_span_is(entry.key, "trainable_variables"))
        status = read_trainables(load, &lists, record, err);
    else
        tfp_load_input(load)->ignored.collections++;
    tfp_wire_leave(&inner);
    return status;
}

int tfp_read_meta_graph_leaf(tfp_load *load, const tfp_field *f,
                             tfp_record *record, tfprof_error *err)
{
    int status = tfp_open_graph(load, NULL, err);
    if (status != TFPROF_OK)
        return status;
    switch (f->tag) {
    case MetaGraphDef_meta_info_def: return read_meta_info(load, record, err);
    case MetaGraphDef_collection_def: return read_collection(load, record, err);
    case MetaGraphDef_signature_def: return read_signature(load, record, err);
    case MetaGraphDef_asset_file_def:
        tfp_load_input(load)->ignored.assets++;
        return TFP_LEAF_UNREAD;
    default: return TFP_LEAF_UNREAD;
    }
}
