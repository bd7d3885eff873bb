/*
 * view_text.c - a view as text: its legend, and the rows of trees.
 */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/times.h"
#include "model/traces.h"
#include "options/options.h"
#include "output/view/cells.h"
#include "output/view/tensor_values.h"
#include "output/view/view.h"
#include "view/view.h"

/* A source text this long is cut to the second size, and "...". */
enum { TEXT_SIZE = 20, TEXT_CUT = 17 };

/* ---- Legend ------------------------------------------------------------- */

static void put_word(tfp_row_writer *w, const char *word)
{
    tfp_cell_begin(w, " | ");
    tfp_cell_text(w, word);
}

static void put_legend(tfp_row_writer *w)
{
    int64_t select = w->view->select;
    if (w->page)
        w->sink = tfp_page_cells(w->page);
    tfp_cell_text(w, "node name | ");
    w->first = true;
    for (size_t i = 0; i < w->columns.count; i++)
        put_word(w, tfp_cost_forms[w->columns.costs[i]].legend);
    if (select & TFP_SELECT_DEVICE)
        put_word(w, "assigned devices");
    if (select & TFP_SELECT_OP_TYPES)
        put_word(w, "op types");
    if (select & TFP_SELECT_OCCURRENCE)
        put_word(w, w->view->type->groups ? "op occurrence (run|defined)"
                                          : "op count (run|defined)");
    if (select & TFP_SELECT_INPUT_SHAPES)
        put_word(w, "input shapes");
    if (select & TFP_SELECT_NUM_HIDDEN_OPS)
        put_word(w, "hidden ops");
    if (w->page)
        w->sink = tfp_page_put_line(w->page, TFP_INK_FAINT);
    tfp_cell_text(w, "\n");
}

/* ---- Rows of the scope, graph and code views ---------------------------- */

static void put_node_occurrence(tfp_row_writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    char text[6 * TFP_FIGURE_SIZE];
    size_t used = tfp_write_pair(w, row, TFP_COST_RUNS,
                                 tfp_row_self(v, row, TFP_COST_RUNS),
                                 tfp_row_total(v, row, TFP_COST_RUNS), text);
    text[used++] = '|';
    used += tfp_write_pair(w, row, TFP_COST_RUNS, 1, v->definitions[row],
                           text + used);
    tfp_cell_begin(w, ", ");
    tfp_cell_bytes(w, text, used);
}

static void put_shape(tfp_row_writer *w, uint32_t row)
{
    tfp_span shape = tfp_row_shape(&w->facts, row);
    if (shape.size == 0)
        return;
    tfp_cell_begin(w, ", ");
    tfp_sink_bytes(w->sink, shape);
}

static void put_word_cell(tfp_row_writer *w, const char *word)
{
    tfp_cell_begin(w, ", ");
    tfp_cell_text(w, word);
}

/* There may be hundreds, so each may begin a line. */
static void put_inputs(tfp_row_writer *w, tfp_span inputs)
{
    tfp_cell_begin(w, ", ");
    while (w->page && inputs.size > 0) {
        const uint8_t *bar = memchr(inputs.data, '|', inputs.size);
        size_t size = bar ? (size_t)(bar - inputs.data) + 1 : inputs.size;
        tfp_page_break(w->page);
        tfp_sink_bytes(w->sink, (tfp_span){ inputs.data, size });
        inputs = (tfp_span){ inputs.data + size, inputs.size - size };
    }
    tfp_sink_bytes(w->sink, inputs);
}

/* A column that this view has no figures for. */
static void put_missing(tfp_row_writer *w, const char *column)
{
    char words[80];
    snprintf(words, sizeof(words), "%s N/A in %s view", column,
             w->view->type->name);
    put_word_cell(w, words);
}

static void put_tree_cells(tfp_row_writer *w, uint32_t row)
{
    int64_t select = w->view->select;
    const tfp_view_type *type = w->view->type;
    if (select & TFP_SELECT_PARAMS && !type->groups)
        put_shape(w, row);
    for (size_t i = 0; i < w->columns.count; i++)
        tfp_cell_cost(w, row, w->columns.costs[i]);
    if (select & TFP_SELECT_DEVICE)
        tfp_cell_devices(w, row, false);
    if (select & TFP_SELECT_OP_TYPES)
        tfp_cell_types(w, row);
    if (select & TFP_SELECT_OCCURRENCE && !type->prints_occurrences)
        put_missing(w, "occurrence");
    else if (select & TFP_SELECT_OCCURRENCE)
        put_node_occurrence(w, row);
    if (select & TFP_SELECT_INPUT_SHAPES && !type->prints_input_shapes)
        put_missing(w, "input_shapes");
    else if (select & TFP_SELECT_INPUT_SHAPES)
        put_inputs(w, tfp_row_inputs(&w->facts, row, "|"));
    if (w->view->hidden)
        tfp_cell_hidden(w, row);
}

static bool add_to_name(tfp_row_writer *w, tfp_span text)
{
    if (!TFP_VEC_RESERVE(w->view->memory, &w->name, text.size))
        return false;
    if (text.size > 0)
        memcpy(w->name.data + w->name.count, text.data, text.size);
    w->name.count += text.size;
    return true;
}

/* Of a long text the beginning, not ended within a character. */
static tfp_span short_text(tfp_span text, bool *is_cut)
{
    *is_cut = text.size >= TEXT_SIZE;
    if (!*is_cut)
        return text;
    text.size = TEXT_CUT;
    while (text.size > 0 && (text.data[text.size] & 0xc0) == 0x80)
        text.size--;
    return text;
}

/* "model.py:12:build:loss = f(x)", as upstream once wrote it; "(gradient)"
 * stays at the end. */
static tfp_span name_of(tfp_row_writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    const tfp_frame *frame = v->options->code_text ? tfp_row_frame(v, row)
                                                   : NULL;
    tfp_span name = tfp_row_name(&v->rows.data[row]), text, end = { 0 };
    bool is_cut;
    if (!frame)
        return name;
    text = short_text(tfp_model_text(v->model, frame->text), &is_cut);
    if (text.size == 0)
        text = tfp_span_of("none");
    if (v->lines[row].is_gradient) {
        end = tfp_span_of(TFP_GRADIENT_MARK);
        name.size -= end.size;
    }
    w->name.count = 0;
    if (!add_to_name(w, name) || !add_to_name(w, tfp_span_of(":")) ||
        !add_to_name(w, text) ||
        !add_to_name(w, tfp_span_of(is_cut ? "..." : "")) ||
        !add_to_name(w, end))
        w->facts.failed = true;
    return (tfp_span){ w->name.data, w->name.count };
}

static void put_tree_row(tfp_row_writer *w, const tfp_shown *shown)
{
    const tfp_view *v = w->view;
    tfp_span name = name_of(w, shown->row);
    tfp_row_begin(w, name, shown->level, 0);
    tfp_cell_text(w, " (");
    w->first = true;
    put_tree_cells(w, shown->row);
    tfp_sink_char(w->sink, ')');
    tfp_row_end(w, shown->row, name, shown->level, 0);
    if (tfp_view_has_values(v))
        tfp_row_put_value(v, shown->row, w->sink);
}

/* ---- All of it ---------------------------------------------------------- */

static void write_rows(tfp_row_writer *w)
{
    const tfp_view *v = w->view;
    /* Of no operations at all the op view shows the empty sum, bare. */
    if (v->type->is_chain && v->rows.count == 1)
        tfp_op_text_put(w, 0);
    else
        put_legend(w);
    for (size_t i = v->type->is_chain ? 1 : 0;
         i < v->shown_count && !w->sink->failed; i++) {
        if (v->type->is_chain)
            tfp_op_text_put(w, v->shown[i].row);
        else
            put_tree_row(w, &v->shown[i]);
    }
}

bool tfp_view_write_text(const tfp_view *v, tfp_sink *sink)
{
    tfp_row_writer w = { .view = v,
                         .sink = sink,
                         .columns = tfp_view_cost_columns(v),
                         .time_unit = tfp_model_time_unit(v->model) };
    tfp_style style = tfp_style_of(v->options);
    tfp_page page;
    bool ok;
    tfp_row_facts_init(&w.facts, v);
    w.facts.sink = sink;
    /* Runs have a cell of their own, behind the devices and types. */
    if (v->select & TFP_SELECT_OCCURRENCE)
        w.columns.count--;
    if (!tfp_style_is_plain(&style)) {
        w.page = &page;
        tfp_page_init(&page, &style, sink, v->memory);
        page.has_bars &= w.columns.count > 0;
    }
    if (v->type->is_chain)
        tfp_op_text_init(&w);
    write_rows(&w);
    ok = !w.facts.failed && !(w.page && page.failed);
    tfp_row_facts_release(&w.facts);
    TFP_VEC_RELEASE(v->memory, &w.name);
    if (w.page)
        tfp_page_release(&page);
    return ok;
}
