/*
 * view_json.c - a view for programs: one object, one line for each row.
 */
#include "base/bytes.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/times.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/text/json.h"
#include "output/text/times.h"
#include "output/view/row_facts.h"
#include "output/view/tensor_values.h"
#include "output/view/view.h"
#include "view/columns.h"
#include "view/view.h"

typedef struct writer {
    const tfp_view *view;
    tfp_json json;
    tfp_row_facts facts;
    tfp_view_columns columns;
    int64_t time_unit;
    tfp_labels labels;
} writer;

static void put_costs(writer *w, const char *key, uint32_t row, bool of_self)
{
    const tfp_view *v = w->view;
    tfp_json_open_line(&w->json, key, '{');
    for (size_t i = 0; i < w->columns.count; i++) {
        tfp_cost cost = w->columns.costs[i];
        tfp_json_cost(&w->json, cost,
                      of_self ? tfp_row_self(v, row, cost)
                              : tfp_row_total(v, row, cost),
                      w->time_unit);
    }
    if (v->definitions)
        tfp_json_int(&w->json, "defined",
                     of_self ? (v->flags[row] & TFP_ROW_ACCOUNTED) != 0
                             : v->definitions[row]);
    tfp_json_close(&w->json);
}

static void put_names(writer *w, const char *key, const tfp_string *names,
                      size_t count)
{
    tfp_json_open_line(&w->json, key, '[');
    for (size_t i = 0; i < count; i++) {
        if (names[i] != 0)
            tfp_json_string(&w->json, NULL,
                            tfp_model_text(w->view->model, names[i]));
    }
    tfp_json_close(&w->json);
}

/* "3x3x64" as [3, 3, 64], anything else as null. */
static void put_shape(writer *w, const char *key, tfp_span text)
{
    int64_t dim = 0;
    bool negative = false;
    if (text.size == 0 || text.data[0] == 'u') {
        tfp_json_null(&w->json, key);
        return;
    }
    tfp_json_open_line(&w->json, key, '[');
    for (size_t i = 0; i <= text.size; i++) {
        if (i == text.size || text.data[i] == 'x') {
            tfp_json_int(&w->json, NULL, dim);
            dim = 0;
            negative = false;
        } else if (text.data[i] == '-') {
            negative = true;
        } else {
            dim = tfp_mul_sat(dim, 10);
            dim = negative ? tfp_sub_sat(dim, text.data[i] - '0')
                           : tfp_add_sat(dim, text.data[i] - '0');
        }
    }
    tfp_json_close(&w->json);
}

/* "0:3x3|1:unknown" as [[3, 3], null]. */
static void put_inputs(writer *w, const char *key, tfp_span text)
{
    tfp_json_open_line(&w->json, key, '[');
    while (text.size > 0) {
        const uint8_t *colon = memchr(text.data, ':', text.size);
        const uint8_t *end = memchr(text.data, '|', text.size);
        size_t size = end ? (size_t)(end - text.data) : text.size;
        tfp_span shape = { colon + 1, size - (size_t)(colon + 1 - text.data) };
        put_shape(w, NULL, shape);
        size += end != NULL;
        text.data += size;
        text.size -= size;
    }
    tfp_json_close(&w->json);
}

static void put_forms(writer *w, uint32_t row)
{
    size_t count;
    const tfp_input_form *forms = tfp_row_input_forms(&w->facts, row, "|",
                                                      &count);
    tfp_json_open_line(&w->json, "input_shapes", '[');
    for (size_t i = 0; i < count; i++) {
        tfp_json_open_line(&w->json, NULL, '{');
        put_inputs(w, "shapes", forms[i].text);
        tfp_json_int(&w->json, "nodes", forms[i].nodes);
        tfp_json_int(&w->json, "runs", forms[i].runs);
        tfp_json_time(&w->json, "micros", forms[i].micros, w->time_unit);
        tfp_json_close(&w->json);
    }
    tfp_json_close(&w->json);
}

static void put_facts(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    size_t count;
    const tfp_string *names;
    if (v->select & TFP_SELECT_PARAMS && !v->type->groups)
        put_shape(w, "shape", tfp_row_shape(&w->facts, row));
    if (v->select & TFP_SELECT_DEVICE) {
        names = tfp_row_devices(&w->facts, row, &count);
        put_names(w, "devices", names, count);
    }
    if (v->select & TFP_SELECT_OP_TYPES) {
        names = tfp_row_types(&w->facts, row, &count);
        put_names(w, "op_types", names, count);
    }
    if (v->select & TFP_SELECT_INPUT_SHAPES) {
        if (v->type->groups)
            put_forms(w, row);
        else
            put_inputs(w, "input_shapes", tfp_row_inputs(&w->facts, row, "|"));
    }
    if (v->hidden)
        tfp_json_int(&w->json, "num_hidden_ops", v->hidden[row]);
    if (tfp_view_has_values(v))
        tfp_row_json_value(v, row, &w->json);
}

static void put_text(writer *w, const char *key, tfp_span text)
{
    if (text.size > 0)
        tfp_json_string(&w->json, key, text);
    else
        tfp_json_null(&w->json, key);
}

static void put_source(writer *w, uint32_t row)
{
    tfp_code_place source;
    bool is_line = tfp_row_source(w->view, row, &source);
    put_text(w, "file", source.file);
    if (is_line)
        tfp_json_int(&w->json, "line", source.line);
    else
        tfp_json_null(&w->json, "line");
    put_text(w, "function", source.function);
    put_text(w, "source", source.text);
}

static void put_row(writer *w, const tfp_shown *shown)
{
    const tfp_view *v = w->view;
    const tfp_row *row = &v->rows.data[shown->row];
    tfp_json_open_line(&w->json, NULL, '{');
    for (size_t i = 0; i < w->labels.count; i++)
        tfp_json_string(&w->json, w->labels.at[i].key,
                        tfp_label_value(&w->labels.at[i]));
    tfp_json_string(&w->json, "name", tfp_row_name(row));
    if (tfp_row_rest(v, shown->row) > 0)
        tfp_json_int(&w->json, "rest", tfp_row_rest(v, shown->row));
    tfp_json_int(&w->json, "depth", v->type->is_chain ? 1 : shown->level);
    tfp_json_bool(&w->json, "accounted",
                  v->flags[shown->row] & TFP_ROW_ACCOUNTED);
    if (v->type->groups)
        tfp_json_int(&w->json, "nodes", tfp_row_nodes(v, shown->row));
    put_costs(w, "self", shown->row, true);
    put_costs(w, "total", shown->row, false);
    put_facts(w, shown->row);
    if (v->type->has_lines)
        put_source(w, shown->row);
    tfp_json_close(&w->json);
}

static void put_head(writer *w)
{
    const tfp_view *v = w->view;
    tfp_json_text(&w->json, "view", v->type->name);
    if (v->options->step == TFP_STEP_REST)
        tfp_json_text(&w->json, "step", "rest");
    else if (v->options->step < 0)
        tfp_json_text(&w->json, "step", "average");
    else
        tfp_json_int(&w->json, "step", v->options->step);
    tfp_json_open_line(&w->json, "units", '{');
    for (size_t i = 0; i < w->columns.count; i++)
        tfp_json_text(&w->json, tfp_metrics[w->columns.costs[i]].name,
                      tfp_unit_name(tfp_metrics[w->columns.costs[i]].unit));
    tfp_json_close(&w->json);
    put_costs(w, "total", 0, false);
}

bool tfp_view_write_json(const tfp_view *v, tfp_sink *sink)
{
    writer w = { .view = v,
                 .columns = tfp_view_cost_columns(v),
                 .time_unit = tfp_model_time_unit(v->model) };
    bool ok;
    tfp_labels_read(&v->options->label, &w.labels);
    tfp_json_init(&w.json, sink);
    tfp_row_facts_init(&w.facts, v);
    w.facts.sink = sink;
    tfp_json_open(&w.json, NULL, '{');
    put_head(&w);
    tfp_json_open(&w.json, "rows", '[');
    for (size_t i = v->type->is_chain ? 1 : 0;
         i < v->shown_count && !sink->failed; i++)
        put_row(&w, &v->shown[i]);
    tfp_json_close(&w.json);
    tfp_json_close(&w.json);
    ok = !w.facts.failed;
    tfp_row_facts_release(&w.facts);
    return ok;
}
