/*
 * html.c - answers as one HTML file that draws itself.
 */
#include "output/page/html.h"

#include "base/bytes.h"

#include <tfprof/version.h>

#include "model/inputs.h"
#include "model/model.h"
#include "output/page/page_parts.h"
#include "output/text/xml.h"

enum { MOST_INPUTS = 100 }; /* that a page lists */

/* The name of an input without its folders. */
static tfp_span input_name(const tfp_model *model, size_t index)
{
    const tfp_input *input = &model->inputs.data[index];
    return tfp_span_base_name(
        tfp_model_text(model, input->member ? input->member : input->path));
}

static tfp_span title_of(const tfp_model *model)
{
    return model->inputs.count > 0 ? input_name(model, 0)
                                   : tfp_span_of("tfprof");
}

static void put_page_chunk(tfp_chunks *c, const tfp_model *model,
                           const char *shows)
{
    tfp_json *json = tfp_chunk_open(c, "page");
    size_t count = model->inputs.count;
    tfp_json_int(json, "version", 1);
    tfp_chunk_text(c, "title", title_of(model));
    tfp_json_text(json, "program", "tfprof " TFPROF_VERSION);
    tfp_json_open(json, "made_of", '[');
    for (size_t i = 0; i < count && i < MOST_INPUTS; i++)
        tfp_chunk_text(c, NULL, input_name(model, i));
    if (count > MOST_INPUTS)
        tfp_json_text(json, NULL, "...");
    tfp_json_close(json);
    tfp_json_open(json, "notes", '[');
    tfp_json_close(json);
    tfp_json_text(json, "shows", shows);
    tfp_chunk_begin_columns(c);
}

static int put_view(tfp_chunks *c, const tfp_view *v, tfprof_error *err)
{
    tfp_html_rows rows = { .view = v,
                           .shown = v->shown,
                           .count = v->shown_count };
    int status;
    put_page_chunk(c, v->model, v->type->name);
    status = tfp_html_tree(c, &rows, err);
    if (status == TFPROF_OK && !tfp_chunks_end(c))
        status = tfp_fail_nomem(err);
    return status;
}

int tfp_html_write_view(const tfp_view *v, tfp_sink *sink, tfprof_error *err)
{
    tfp_chunks *c;
    int status;
    tfp_sink_bytes(sink, tfp_page_before_title);
    tfp_xml_text(sink, title_of(v->model));
    tfp_sink_bytes(sink, tfp_page_before_data);
    c = tfp_chunks_new(v->memory, sink);
    if (!c)
        return tfp_fail_nomem(err);
    status = put_view(c, v, err);
    tfp_chunks_free(c);
    tfp_sink_bytes(sink, tfp_page_after_data);
    return status;
}
