/*
 * view_csv.c - a view as a table of comma-separated values.
 *
 * A heading, then a line for each row, as RFC 4180 has it but with "\n" at
 * the end of lines. Texts are always quoted, and one that a spreadsheet would
 * take for a formula gets an apostrophe in front.
 */
#include "base/bytes.h"
#include "model/ids.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/times.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/text/csv.h"
#include "output/text/figures.h"
#include "output/text/times.h"
#include "output/view/row_facts.h"
#include "output/view/tensor_values.h"
#include "output/view/view.h"
#include "view/columns.h"
#include "view/view.h"

typedef struct writer {
    const tfp_view *view;
    tfp_sink *sink;
    tfp_row_facts facts;
    tfp_view_columns columns;
    int64_t time_unit;
    tfp_labels labels;
} writer;

static void put(writer *w, const char *text)
{
    tfp_sink_text(w->sink, text);
}

static void put_number(writer *w, int64_t value)
{
    char digits[TFP_FIGURE_SIZE];
    size_t size = tfp_figure_integer(value, digits);
    put(w, ",");
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)digits, size });
}

static void put_cost(writer *w, tfp_cost cost, int64_t value)
{
    char digits[TFP_FIGURE_SIZE];
    size_t size = tfp_figure_exact_cost(cost, value, w->time_unit, digits);
    put(w, ",");
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)digits, size });
}

/* ---- Texts -------------------------------------------------------------- */

static void put_text(writer *w, tfp_span text)
{
    tfp_csv_text(w->sink, text);
}

static void put_names(writer *w, const tfp_string *names, size_t count)
{
    bool first = true;
    put(w, ",\"");
    for (size_t i = 0; i < count; i++) {
        tfp_span name = tfp_model_text(w->view->model, names[i]);
        if (names[i] == 0)
            continue;
        if (first && tfp_csv_looks_like_formula(name))
            put(w, "'");
        put(w, first ? "" : "|");
        tfp_csv_part(w->sink, name);
        first = false;
    }
    put(w, "\"");
}

/* ---- Lines -------------------------------------------------------------- */

static void put_heading(writer *w)
{
    const tfp_view *v = w->view;
    for (size_t i = 0; i < w->labels.count; i++)
        tfp_sink_format(w->sink, "%s,", w->labels.at[i].key);
    put(w, "name,depth,accounted");
    if (v->type->groups)
        put(w, ",nodes");
    if (v->top > 0)
        put(w, ",rest");
    for (size_t i = 0; i < w->columns.count; i++) {
        const char *name = tfp_metrics[w->columns.costs[i]].name;
        tfp_sink_format(w->sink, ",%s,total_%s", name, name);
    }
    if (v->definitions)
        put(w, ",defined,total_defined");
    if (v->select & TFP_SELECT_PARAMS && !v->type->groups)
        put(w, ",shape");
    if (v->select & TFP_SELECT_DEVICE)
        put(w, ",devices");
    if (v->select & TFP_SELECT_OP_TYPES)
        put(w, ",op_types");
    if (v->select & TFP_SELECT_INPUT_SHAPES && !v->type->groups)
        put(w, ",input_shapes");
    if (v->hidden)
        put(w, ",num_hidden_ops");
    if (tfp_view_has_values(v))
        put(w, ",value_dtype,value_shape,value");
    if (v->type->has_lines)
        put(w, ",file,line,function,source");
    put(w, "\n");
}

static void put_facts(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    size_t count;
    const tfp_string *names;
    if (v->select & TFP_SELECT_PARAMS && !v->type->groups) {
        put(w, ",");
        put_text(w, tfp_row_shape(&w->facts, row));
    }
    if (v->select & TFP_SELECT_DEVICE) {
        names = tfp_row_devices(&w->facts, row, &count);
        put_names(w, names, count);
    }
    if (v->select & TFP_SELECT_OP_TYPES) {
        names = tfp_row_types(&w->facts, row, &count);
        put_names(w, names, count);
    }
    if (v->select & TFP_SELECT_INPUT_SHAPES && !v->type->groups) {
        put(w, ",");
        put_text(w, tfp_row_inputs(&w->facts, row, "|"));
    }
    if (v->hidden)
        put_number(w, v->hidden[row]);
    if (tfp_view_has_values(v))
        tfp_row_csv_value(v, row, w->sink);
}

static void put_source(writer *w, uint32_t row)
{
    tfp_code_place source;
    tfp_row_source(w->view, row, &source);
    put(w, ",");
    put_text(w, source.file);
    put_number(w, source.line);
    put(w, ",");
    put_text(w, source.function);
    put(w, ",");
    put_text(w, source.text);
}

static void put_row(writer *w, const tfp_shown *shown)
{
    const tfp_view *v = w->view;
    for (size_t i = 0; i < w->labels.count; i++) {
        put_text(w, tfp_label_value(&w->labels.at[i]));
        put(w, ",");
    }
    put_text(w, tfp_row_name(&v->rows.data[shown->row]));
    put_number(w, v->type->is_chain ? 1 : shown->level);
    put(w, v->flags[shown->row] & TFP_ROW_ACCOUNTED ? ",true" : ",false");
    if (v->type->groups)
        put_number(w, tfp_row_nodes(v, shown->row));
    if (v->top > 0)
        put_number(w, tfp_row_rest(v, shown->row));
    for (size_t i = 0; i < w->columns.count; i++) {
        tfp_cost cost = w->columns.costs[i];
        put_cost(w, cost, tfp_row_self(v, shown->row, cost));
        put_cost(w, cost, tfp_row_total(v, shown->row, cost));
    }
    if (v->definitions) {
        put_number(w, (v->flags[shown->row] & TFP_ROW_ACCOUNTED) != 0);
        put_number(w, v->definitions[shown->row]);
    }
    put_facts(w, shown->row);
    if (v->type->has_lines)
        put_source(w, shown->row);
    put(w, "\n");
}

bool tfp_view_write_csv(const tfp_view *v, tfp_sink *sink)
{
    writer w = { .view = v,
                 .sink = sink,
                 .columns = tfp_view_cost_columns(v),
                 .time_unit = tfp_model_time_unit(v->model) };
    bool ok;
    tfp_labels_read(&v->options->label, &w.labels);
    tfp_row_facts_init(&w.facts, v);
    w.facts.sink = sink;
    put_heading(&w);
    for (size_t i = v->type->is_chain ? 1 : 0;
         i < v->shown_count && !sink->failed; i++)
        put_row(&w, &v->shown[i]);
    ok = !w.facts.failed;
    tfp_row_facts_release(&w.facts);
    return ok;
}
