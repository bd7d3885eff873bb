/*
 * html.c - writes views and reports as one HTML file.
 */
#include "output/page/html.h"

#include <tfprof/version.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/inputs.h"
#include "model/metrics.h"
#include "model/model.h"
#include "output/page/chunks.h"
#include "output/page/page_parts.h"
#include "output/sink/sink.h"
#include "output/text/json.h"
#include "output/text/xml.h"
#include "view/view.h"

#include <string.h>

enum { MOST_INPUTS = 100 }; /* inputs that a page lists */

/* ---- Around the data ---------------------------------------------------- */

/* The name of an input without its folders. */
static tfp_span input_name(const tfp_model *model, size_t index)
{
    const tfp_input *input = &model->inputs.data[index];
    return tfp_span_base_name(
        tfp_model_text(model, input->member ? input->member : input->path));
}

static tfp_span without_slashes(tfp_span path)
{
    while (path.size > 0 && path.data[path.size - 1] == '/')
        path.size--;
    return path;
}

/* The folder of an input. If a folder was given as input, it is that folder.
 * Empty if the path has no folder. */
static tfp_span input_folder(const tfp_model *model, size_t index)
{
    const tfp_input *input = &model->inputs.data[index];
    tfp_span path = tfp_model_text(model, input->path);
    if (!input->member)
        path.size -= tfp_span_base_name(path).size;
    return without_slashes(path);
}

/* The name of the folder if a folder was given as input, or if several files
 * are in the same folder: the files of a model are usually in a folder with the
 * name of the model. Else empty. */
static tfp_span common_folder(const tfp_model *model)
{
    tfp_span folder = input_folder(model, 0), name;
    for (size_t i = 1; i < model->inputs.count; i++) {
        if (!tfp_span_equal(folder, input_folder(model, i)))
            return (tfp_span){ 0 };
    }
    if (model->inputs.count == 1 && !model->inputs.data[0].member)
        return (tfp_span){ 0 };
    name = tfp_span_base_name(folder);
    return name.size > 0 && name.data[0] == '.' ? (tfp_span){ 0 } : name;
}

tfp_span tfp_html_title(const tfp_model *model)
{
    tfp_span name = { 0 };
    if (model->inputs.count > 0)
        name = common_folder(model);
    if (model->inputs.count > 0 && name.size == 0)
        name = input_name(model, 0);
    return name.size > 0 ? name : tfp_span_of("tfprof");
}

static void put_start(const tfp_model *model, tfp_sink *sink)
{
    tfp_sink_bytes(sink, tfp_page_before_title);
    tfp_xml_text(sink, tfp_html_title(model));
    tfp_sink_bytes(sink, tfp_page_before_data);
}

/* ---- Data that is kept -------------------------------------------------- */

/* A tfp_write_fn. */
static int keep(void *context, const void *bytes, size_t size)
{
    tfp_html_data *d = context;
    if (size > d->most - d->bytes.count) {
        d->is_full = true;
        return -1;
    }
    if (!TFP_VEC_RESERVE(d->memory, &d->bytes, size)) {
        d->failed = true;
        return -1;
    }
    memcpy(d->bytes.data + d->bytes.count, bytes, size);
    d->bytes.count += size;
    return 0;
}

tfp_html_data *tfp_html_data_new(tfp_memory *memory, size_t most,
                                 const tfp_cancel *cancel)
{
    tfp_html_data *d = tfp_memory_zalloc(memory, sizeof(*d));
    if (!d)
        return NULL;
    d->memory = memory;
    d->most = most;
    tfp_sink_init(&d->sink, keep, d);
    d->sink.cancel = cancel;
    return d;
}

void tfp_html_data_free(tfp_html_data *d)
{
    if (!d)
        return;
    TFP_VEC_RELEASE(d->memory, &d->bytes);
    tfp_memory_free(d->memory, d);
}

void tfp_html_write_page(const tfp_model *model, const tfp_html_data *data,
                         tfp_sink *sink)
{
    put_start(model, sink);
    tfp_sink_bytes(sink, (tfp_span){ data->bytes.data, data->bytes.count });
    sink->escaped |= data->sink.escaped;
    tfp_sink_bytes(sink, tfp_page_after_data);
}

/* ---- Chunks without columns --------------------------------------------- */

void tfp_html_page(tfp_chunks *c, const tfp_model *model, const char *shows,
                   const char *const *notes, size_t note_count)
{
    tfp_json *json = tfp_chunk_open(c, "page");
    size_t count = model->inputs.count;
    tfp_json_int(json, "version", 1);
    tfp_chunk_text(c, "title", tfp_html_title(model));
    tfp_json_text(json, "program", "tfprof " TFPROF_VERSION);
    tfp_json_open(json, "made_of", '[');
    for (size_t i = 0; i < count && i < MOST_INPUTS; i++)
        tfp_chunk_text(c, NULL, input_name(model, i));
    if (count > MOST_INPUTS)
        tfp_json_text(json, NULL, "...");
    tfp_json_close(json);
    tfp_json_open(json, "notes", '[');
    for (size_t i = 0; i < note_count; i++)
        tfp_json_text(json, NULL, notes[i]);
    tfp_json_close(json);
    tfp_json_text(json, "shows", shows);
    tfp_chunk_begin_columns(c);
}

void tfp_html_summary(tfp_chunks *c, tfp_span text, const char *no_code)
{
    tfp_json *json = tfp_chunk_open(c, "summary");
    tfp_json_token(json, "answer", text);
    if (no_code)
        tfp_json_text(json, "no_code", no_code);
    tfp_chunk_begin_columns(c);
}

void tfp_html_metrics(tfp_json *json, const tfp_cost *costs, size_t count,
                      bool has_picos)
{
    static const char *const units[] = { [TFP_UNIT_BYTES] = "bytes",
                                         [TFP_UNIT_MICROS] = "us",
                                         [TFP_UNIT_COUNT] = "count" };
    tfp_json_open(json, "metrics", '[');
    for (size_t i = 0; i < count; i++) {
        const tfp_metric *metric = &tfp_metrics[costs[i]];
        const char *unit = units[metric->unit];
        if (costs[i] == TFP_COST_FLOAT_OPS)
            unit = "flops";
        else if (metric->unit == TFP_UNIT_MICROS && has_picos)
            unit = "ps";
        tfp_json_open(json, NULL, '{');
        tfp_json_text(json, "id", metric->name);
        tfp_json_text(json, "title", metric->title);
        tfp_json_text(json, "unit", unit);
        tfp_json_close(json);
    }
    tfp_json_close(json);
}

/* ---- A view ------------------------------------------------------------- */

static int put_view(tfp_chunks *c, const tfp_view *v, tfprof_error *err)
{
    tfp_html_rows rows = { .view = v,
                           .shown = v->shown,
                           .count = v->shown_count };
    int status;
    tfp_html_page(c, v->model, v->type->name, NULL, 0);
    status = tfp_html_tree(c, &rows, err);
    if (status == TFPROF_OK && !tfp_chunks_end(c))
        status = tfp_fail_nomem(err);
    return status;
}

int tfp_html_write_view(const tfp_view *v, tfp_sink *sink, tfprof_error *err)
{
    tfp_chunks *c;
    int status;
    put_start(v->model, sink);
    c = tfp_chunks_new(v->memory, sink);
    if (!c)
        return tfp_fail_nomem(err);
    status = put_view(c, v, err);
    tfp_chunks_free(c);
    tfp_sink_bytes(sink, tfp_page_after_data);
    return status;
}
