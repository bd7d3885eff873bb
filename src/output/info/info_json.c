/*
 * info_json.c - `tfprof info --format json`. The keys are documented in
 * docs/inputs.md and stay as they are.
 */
#include <tfprof/error.h>

#include "base/intern.h"
#include "model/coverage.h"
#include "model/file_kinds.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "output/info/info.h"
#include "output/text/json.h"

static void put_string(tfp_json *j, const char *key, const tfp_model *model,
                       tfp_string id)
{
    if (id == 0)
        tfp_json_null(j, key);
    else
        tfp_json_string(j, key, tfp_model_text(model, id));
}

static void put_strings(tfp_json *j, const char *key, const tfp_model *model,
                        const tfp_string *ids, size_t count)
{
    tfp_json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        tfp_json_string(j, NULL, tfp_model_text(model, ids[i]));
    tfp_json_close(j);
}

static void put_place(tfp_json *j, const char *key, int64_t place, bool known)
{
    if (known)
        tfp_json_int(j, key, place);
    else
        tfp_json_null(j, key);
}

static void put_facts(tfp_json *j, const char *key, const void *of,
                      const tfp_info_fact *facts, size_t count)
{
    tfp_json_open(j, key, '{');
    for (size_t i = 0; i < count; i++) {
        int64_t value = tfp_info_fact_value(of, &facts[i]);
        put_place(j, facts[i].key, value, value != TFP_NOT_COUNTED);
    }
    tfp_json_close(j);
}

static const char *code_name(int code)
{
    switch (code) {
    case TFPROF_ERR_NOMEM: return "out_of_memory";
    case TFPROF_ERR_IO: return "io";
    case TFPROF_ERR_MALFORMED: return "malformed";
    case TFPROF_ERR_LIMIT: return "limit";
    case TFPROF_ERR_MISSING: return "missing";
    case TFPROF_ERR_CANCELLED: return "cancelled";
    default: return "error";
    }
}

/* A place that is not known is null. */
static void put_error(tfp_json *j, const tfp_input *input)
{
    const tfprof_error *why = &input->why;
    if (input->status == TFPROF_OK) {
        tfp_json_null(j, "error");
        return;
    }
    tfp_json_open(j, "error", '{');
    tfp_json_text(j, "code", code_name(input->status));
    put_place(j, "offset", why->offset, why->offset >= 0);
    put_place(j, "line", why->line, why->line > 0);
    put_place(j, "column", why->column, why->column > 0);
    tfp_json_text(j, "message", why->message);
    tfp_json_bool(j, "partial", input->partial);
    tfp_json_close(j);
}

static void put_warning(void *context, const char *line)
{
    tfp_json_text(context, NULL, line);
}

static void put_steps(tfp_json *j, const tfp_input *input)
{
    tfp_json_open(j, "steps", '[');
    for (size_t i = 0; i < input->steps.count; i++)
        tfp_json_int(j, NULL, input->steps.data[i]);
    tfp_json_close(j);
    put_place(j, "first_start_micros", input->first_start,
              input->first_start > 0);
    put_place(j, "last_end_micros", input->last_end, input->first_start > 0);
}

static void put_coverage(tfp_json *j, tfp_coverage *coverage,
                         const tfp_input *input)
{
    bool has_runs = tfp_coverage_takes(coverage, input);
    if (has_runs)
        tfp_coverage_add(coverage, input);
    put_place(j, "covered_nodes", coverage->covered, has_runs);
    put_place(j, "known_nodes", coverage->nodes, has_runs);
    tfp_json_open(j, "peak_memory", '[');
    for (size_t i = 0; has_runs && i < input->devices.count; i++) {
        int64_t peak = tfp_coverage_peak(coverage, input->devices.data[i]);
        if (peak == 0)
            continue;
        tfp_json_open_line(j, NULL, '{');
        put_string(j, "device", coverage->model, input->devices.data[i]);
        tfp_json_int(j, "bytes", peak);
        tfp_json_close(j);
    }
    tfp_json_close(j);
}

static void put_input(tfp_json *j, tfp_coverage *coverage,
                      const tfp_input *input)
{
    const tfp_model *model = coverage->model;
    tfp_json_open(j, NULL, '{');
    put_string(j, "path", model, input->path);
    put_string(j, "member", model, input->member);
    tfp_json_text(j, "kind", tfp_file_kind_name(input->kind));
    tfp_json_bool(j, "read", input->is_read);
    tfp_json_text(j, "encoding", input->is_text ? "text" : "binary");
    tfp_json_bool(j, "gzip", input->is_gzip);
    put_place(j, "size", input->size, input->size >= 0);
    tfp_json_int(j, "bytes_read", input->bytes_read);
    put_facts(j, "counts", &input->counts, tfp_count_facts,
              tfp_count_fact_count);
    put_facts(j, "ignored", &input->ignored, tfp_ignored_facts,
              tfp_ignored_fact_count);
    put_string(j, "tensorflow_version", model, input->tensorflow_version);
    put_string(j, "tensorflow_git_version", model, input->tensorflow_git);
    tfp_json_int(j, "producer", input->producer);
    tfp_json_int(j, "min_consumer", input->min_consumer);
    put_place(j, "checkpoint_version", input->version, input->version != 0);
    put_strings(j, "dtypes", model, input->dtypes.data, input->dtypes.count);
    put_strings(j, "tags", model, input->tags.data, input->tags.count);
    put_strings(j, "signatures", model, input->signatures.data,
                input->signatures.count);
    put_strings(j, "devices", model, input->devices.data, input->devices.count);
    put_steps(j, input);
    put_coverage(j, coverage, input);
    if (input->trace.is_one)
        tfp_info_trace_json(j, model, &input->trace);
    else
        tfp_json_null(j, "trace");
    tfp_json_open(j, "warnings", '[');
    tfp_info_warnings(model, input, put_warning, j);
    tfp_json_close(j);
    put_error(j, input);
    tfp_json_close(j);
}

/* What the inputs make together. */
static void put_model(tfp_json *j, const tfp_coverage *coverage)
{
    const tfp_model *model = coverage->model;
    int64_t records = 0;
    for (size_t i = 0; i < model->steps.count; i++)
        records += (int64_t)model->steps.data[i].execs.count;
    tfp_json_open(j, "model", '{');
    tfp_json_int(j, "nodes", (int64_t)model->nodes.count);
    tfp_json_int(j, "edges", (int64_t)model->nodes.edges.count);
    tfp_json_int(j, "function_nodes", (int64_t)model->bodies.count);
    tfp_json_int(j, "steps", (int64_t)model->steps.count);
    tfp_json_int(j, "tensors", (int64_t)model->stored.tensors.count);
    tfp_json_int(j, "run_records", records);
    tfp_json_int(j, "call_stacks", tfp_interner_count(&model->stacks) - 1);
    tfp_json_int(j, "attribute_lists",
                 tfp_interner_count(&model->attr_lists) - 1);
    tfp_json_int(j, "peak_memory_bytes", (int64_t)model->memory->peak);
    tfp_json_close(j);
}

void tfp_info_write_json(tfp_coverage *coverage, tfp_sink *sink)
{
    const tfp_model *model = coverage->model;
    tfp_json j;
    tfp_json_init(&j, sink);
    tfp_json_open(&j, NULL, '{');
    tfp_json_open(&j, "files", '[');
    for (size_t i = 0; i < model->inputs.count; i++)
        put_input(&j, coverage, &model->inputs.data[i]);
    tfp_json_close(&j);
    put_model(&j, coverage);
    tfp_json_close(&j);
}
