/*
 * view_text.c - a view as upstream prints it, byte for byte.
 */
#include "base/escape.h"
#include "output/figures.h"
#include "output/row_facts.h"
#include "output/tensor_values.h"
#include "output/view.h"

typedef size_t figure_fn(int64_t value, char *out);

/* How a cost is written; the op view has its own word for float operations. */
typedef struct cost_form {
    const char *legend;
    figure_fn *figure;
    const char *unit, *op_unit;
} cost_form;

static const cost_form forms[TFP_COST_COUNT] = {
    [TFP_COST_BYTES] = { "requested bytes", tfp_figure_memory, "", "" },
    [TFP_COST_PEAK_BYTES] = { "peak bytes", tfp_figure_memory, "", "" },
    [TFP_COST_RESIDUAL_BYTES] = { "residual bytes", tfp_figure_memory, "", "" },
    [TFP_COST_OUTPUT_BYTES] = { "output bytes", tfp_figure_memory, "", "" },
    [TFP_COST_MICROS] = { "total execution time", tfp_figure_time, "", "" },
    [TFP_COST_ACCELERATOR_MICROS] = { "accelerator execution time",
                                      tfp_figure_time, "", "" },
    [TFP_COST_CPU_MICROS] = { "cpu execution time", tfp_figure_time, "", "" },
    [TFP_COST_PARAMS] = { "# parameters", tfp_figure_number, " params",
                          " params" },
    [TFP_COST_FLOAT_OPS] = { "# float_ops", tfp_figure_number, " flops",
                             " float_ops" },
};

typedef struct writer {
    const tfp_view *view;
    tfp_sink *sink;
    tfp_row_facts facts;
    tfp_view_columns columns;
    bool first; /* no cell of this row was written yet */
    bool gap;   /* an empty line belongs before the next row */
} writer;

static void put(writer *w, const char *text)
{
    tfp_sink_text(w->sink, text);
}

static void put_bytes(writer *w, const char *text, size_t size)
{
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)text, size });
}

static void put_spaces(writer *w, size_t count)
{
    static const char spaces[] = "                                ";
    for (; count > sizeof(spaces) - 1; count -= sizeof(spaces) - 1)
        put_bytes(w, spaces, sizeof(spaces) - 1);
    put_bytes(w, spaces, count);
}

static void begin_cell(writer *w)
{
    if (!w->first)
        put(w, ", ");
    w->first = false;
}

/* ---- Legend ------------------------------------------------------------- */

static void put_word(writer *w, const char *word)
{
    if (!w->first)
        put(w, " | ");
    w->first = false;
    put(w, word);
}

static void put_legend(writer *w)
{
    int64_t select = w->view->select;
    put(w, "node name | ");
    w->first = true;
    for (size_t i = 0; i < w->columns.count; i++)
        put_word(w, forms[w->columns.costs[i]].legend);
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
    put(w, "\n");
}

/* ---- Cells -------------------------------------------------------------- */

/* A sum that stopped at the largest number is at least that. */
static size_t write_figure(figure_fn *figure, int64_t value, char *out)
{
    if (value != INT64_MAX)
        return figure(value, out);
    memcpy(out, ">=", 2);
    return 2 + figure(value, out + 2);
}

/* "self/total", or "--/total" of a row that is not accounted. */
static size_t write_pair(const writer *w, uint32_t row, figure_fn *figure,
                         int64_t self, int64_t total, char *out)
{
    size_t used = 2;
    if (w->view->flags[row] & TFP_ROW_ACCOUNTED)
        used = write_figure(figure, self, out);
    else
        memcpy(out, "--", 2);
    out[used++] = '/';
    return used + write_figure(figure, total, out + used);
}

static size_t append(char *out, const char *text)
{
    size_t size = strlen(text);
    memcpy(out, text, size);
    return size;
}

/* Most of an answer is made of these, so they are written in place. */
static void put_cost(writer *w, uint32_t row, tfp_cost cost)
{
    const cost_form *form = &forms[cost];
    char *out = tfp_sink_room(w->sink, 4 * TFP_FIGURE_SIZE);
    size_t used = 0;
    if (!w->first)
        used = append(out, ", ");
    w->first = false;
    used += write_pair(w, row, form->figure, tfp_row_self(w->view, row, cost),
                       tfp_row_total(w->view, row, cost), out + used);
    used += append(out + used, form->unit);
    tfp_sink_took(w->sink, used);
}

static void put_names(writer *w, const tfp_string *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put(w, "|");
        tfp_sink_escaped(w->sink, tfp_model_text(w->view->model, names[i]));
    }
}

static void put_devices(writer *w, uint32_t row, bool also_none)
{
    size_t count;
    const tfp_string *devices = tfp_row_devices(&w->facts, row, &count);
    if (count == 0 && (!also_none || tfp_row_rest(w->view, row) > 0))
        return;
    begin_cell(w);
    put_names(w, devices, count);
}

static void put_types(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    size_t count;
    const tfp_string *types;
    if (tfp_row_rest(v, row) > 0)
        return;
    begin_cell(w);
    if (v->rows.data[row].subject == TFP_NO_ID && v->type->row_type) {
        put(w, v->type->row_type);
        return;
    }
    types = tfp_row_types(&w->facts, row, &count);
    put_names(w, types, count);
}

static void put_hidden(writer *w, uint32_t row)
{
    char digits[TFP_FIGURE_SIZE];
    begin_cell(w);
    put_bytes(w, digits, tfp_figure_integer(w->view->hidden[row], digits));
    put(w, " hidden");
}

/* ---- Rows of the scope, graph and code views ---------------------------- */

static void put_node_occurrence(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    char text[6 * TFP_FIGURE_SIZE];
    size_t used = write_pair(w, row, tfp_figure_number,
                             tfp_row_self(v, row, TFP_COST_RUNS),
                             tfp_row_total(v, row, TFP_COST_RUNS), text);
    text[used++] = '|';
    used += write_pair(w, row, tfp_figure_number, 1, v->definitions[row],
                       text + used);
    begin_cell(w);
    put_bytes(w, text, used);
}

static void put_shape(writer *w, uint32_t row)
{
    tfp_span shape = tfp_row_shape(&w->facts, row);
    if (shape.size == 0)
        return;
    begin_cell(w);
    tfp_sink_bytes(w->sink, shape);
}

static void put_word_cell(writer *w, const char *word)
{
    begin_cell(w);
    put(w, word);
}

/* The code view has no figures for the last two columns. */
static void put_tree_cells(writer *w, uint32_t row)
{
    int64_t select = w->view->select;
    bool is_code = w->view->type->groups;
    if (select & TFP_SELECT_PARAMS && !is_code)
        put_shape(w, row);
    for (size_t i = 0; i < w->columns.count; i++)
        put_cost(w, row, w->columns.costs[i]);
    if (select & TFP_SELECT_DEVICE)
        put_devices(w, row, false);
    if (select & TFP_SELECT_OP_TYPES)
        put_types(w, row);
    if (select & TFP_SELECT_OCCURRENCE && is_code)
        put_word_cell(w, "occurrence N/A in code view");
    else if (select & TFP_SELECT_OCCURRENCE)
        put_node_occurrence(w, row);
    if (select & TFP_SELECT_INPUT_SHAPES && is_code) {
        put_word_cell(w, "input_shapes N/A in code view");
    } else if (select & TFP_SELECT_INPUT_SHAPES) {
        begin_cell(w);
        tfp_sink_bytes(w->sink, tfp_row_inputs(&w->facts, row, "|"));
    }
    if (w->view->hidden)
        put_hidden(w, row);
}

static void put_tree_row(writer *w, const tfp_shown *shown)
{
    const tfp_view *v = w->view;
    put_spaces(w, 2 * (size_t)shown->level);
    tfp_sink_escaped(w->sink, tfp_row_name(&v->rows.data[shown->row]));
    put(w, " (");
    w->first = true;
    put_tree_cells(w, shown->row);
    put(w, ")\n");
    if (tfp_view_has_values(v))
        tfp_row_put_value(v, shown->row, w->sink);
}

/* ---- Rows of the op view ------------------------------------------------ */

enum { OP_NAME_WIDTH = 25, OP_COST_WIDTH = 30, OP_COUNT_WIDTH = 10 };

static void put_right(writer *w, const char *text, size_t size, size_t width)
{
    begin_cell(w);
    if (size < width)
        put_spaces(w, width - size);
    put_bytes(w, text, size);
}

/* "1.23ms (100.00%, 12.34%)": what all rows from here on take of the whole,
 * and what this one takes. */
static void put_share(writer *w, uint32_t row, tfp_cost cost)
{
    const tfp_view *v = w->view;
    int64_t self = tfp_row_self(v, row, cost),
            whole = tfp_row_total(v, 0, cost);
    int64_t total = tfp_row_total(v, row, cost);
    bool is_memory = cost <= TFP_COST_OUTPUT_BYTES;
    char text[4 * TFP_FIGURE_SIZE];
    size_t used = write_figure(forms[cost].figure, self, text);
    /* Of memory, upstream shows no shares for a row that has none itself. */
    if (is_memory ? self == 0 : total == 0)
        whole = 0;
    used += append(text + used, forms[cost].op_unit);
    used += append(text + used, " (");
    used += tfp_figure_percent(total, whole, text + used);
    used += append(text + used, "%, ");
    used += tfp_figure_percent(self, whole, text + used);
    used += append(text + used, "%)");
    put_right(w, text, used, OP_COST_WIDTH);
}

static void put_op_occurrence(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    char text[2 * TFP_FIGURE_SIZE];
    size_t used;
    used = tfp_figure_integer(tfp_row_self(v, row, TFP_COST_RUNS), text);
    text[used++] = '|';
    used += tfp_figure_integer(tfp_row_nodes(v, row), text + used);
    put_right(w, text, used, OP_COUNT_WIDTH);
}

static void put_forms(writer *w, uint32_t row)
{
    size_t count;
    const tfp_input_form *list = tfp_row_input_forms(&w->facts, row, ",\t",
                                                     &count);
    char text[3 * TFP_FIGURE_SIZE + 64];
    for (size_t i = 0; i < count; i++) {
        size_t used = append(text, "\t(run*");
        used += tfp_figure_integer(list[i].runs, text + used);
        used += append(text + used, "|defined*");
        used += tfp_figure_integer(list[i].nodes, text + used);
        used += append(text + used, ")\texec_time: ");
        used += tfp_figure_time(list[i].micros, text + used);
        put(w, "\ninput_type: ");
        tfp_sink_bytes(w->sink, list[i].text);
        put_bytes(w, text, used);
    }
    if (count > 0)
        put(w, "\n");
    w->gap = count > 0;
}

static void put_op_row(writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    int64_t select = v->select;
    tfp_span name = tfp_row_name(&v->rows.data[row]);
    size_t width = tfp_escape(name, NULL, 0);
    if (w->gap)
        put(w, "\n");
    w->gap = false;
    tfp_sink_escaped(w->sink, name);
    if (width < OP_NAME_WIDTH)
        put_spaces(w, OP_NAME_WIDTH - width);
    w->first = true;
    for (size_t i = 0; i < w->columns.count; i++)
        put_share(w, row, w->columns.costs[i]);
    if (select & TFP_SELECT_DEVICE)
        put_devices(w, row, true);
    if (select & TFP_SELECT_OP_TYPES)
        put_types(w, row);
    if (select & TFP_SELECT_OCCURRENCE)
        put_op_occurrence(w, row);
    if (v->hidden)
        put_hidden(w, row);
    put(w, "\n");
    if (select & TFP_SELECT_INPUT_SHAPES)
        put_forms(w, row);
}

/* ---- All of it ---------------------------------------------------------- */

bool tfp_view_write_text(const tfp_view *v, tfp_sink *sink)
{
    writer w = { .view = v, .sink = sink, .columns = tfp_view_cost_columns(v) };
    bool ok;
    tfp_row_facts_init(&w.facts, v);
    /* Runs have a cell of their own, behind the devices and types. */
    if (v->select & TFP_SELECT_OCCURRENCE)
        w.columns.count--;
    /* Of no operations at all the op view shows the empty sum, bare. */
    if (v->type->is_chain && v->rows.count == 1)
        put_op_row(&w, 0);
    else
        put_legend(&w);
    for (size_t i = v->type->is_chain ? 1 : 0;
         i < v->shown_count && !sink->failed; i++) {
        if (v->type->is_chain)
            put_op_row(&w, v->shown[i].row);
        else
            put_tree_row(&w, &v->shown[i]);
    }
    ok = !w.facts.failed;
    tfp_row_facts_release(&w.facts);
    return ok;
}
