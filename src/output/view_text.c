/*
 * view_text.c - a view as upstream prints it, byte for byte.
 */
#include "base/escape.h"
#include "output/figures.h"
#include "output/page.h"
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
    tfp_sink *sink; /* while a page is made, its cells */
    tfp_page *page; /* or NULL: plain */
    tfp_row_facts facts;
    tfp_view_columns columns;
    size_t name_width, cost_widths[TFP_COST_COUNT]; /* of the op view */
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

static void begin_cell(writer *w)
{
    if (!w->first)
        put(w, ", ");
    if (w->page)
        tfp_page_break(w->page);
    w->first = false;
}

/* ---- Legend ------------------------------------------------------------- */

static void put_word(writer *w, const char *word)
{
    if (!w->first)
        put(w, " | ");
    if (w->page)
        tfp_page_break(w->page);
    w->first = false;
    put(w, word);
}

static void put_legend(writer *w)
{
    int64_t select = w->view->select;
    if (w->page)
        w->sink = tfp_page_cells(w->page);
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
    if (w->page)
        w->sink = tfp_page_put_heading(w->page);
    put(w, "\n");
}

/* ---- A row's name, and what its share makes of it ----------------------- */

/* What a row is measured by: in the op view totals are those of all rows from
 * there on, so it is the row itself. */
static int64_t weight(const writer *w, uint32_t row, tfp_cost cost)
{
    return w->view->type->is_chain ? tfp_row_self(w->view, row, cost)
                                   : tfp_row_total(w->view, row, cost);
}

static bool costs_nothing(const writer *w, uint32_t row)
{
    for (size_t i = 0; i < w->columns.count; i++) {
        if (weight(w, row, w->columns.costs[i]) != 0)
            return false;
    }
    return w->columns.count > 0;
}

/* A tenth of the whole by itself is much; the rest is many, and is not bold. */
static tfp_ink row_ink(const writer *w, uint32_t row, int64_t whole)
{
    const tfp_view *v = w->view;
    int64_t self = tfp_row_self(v, row, w->columns.costs[0]);
    if (costs_nothing(w, row))
        return TFP_INK_FAINT;
    return v->flags[row] & TFP_ROW_ACCOUNTED && tfp_row_rest(v, row) == 0 &&
                   self > 0 && self >= whole / 10 + (whole % 10 != 0)
               ? TFP_INK_STRONG
               : TFP_INK_PLAIN;
}

static void put_page_row(writer *w, uint32_t row, tfp_page_row *laid_out)
{
    if (w->columns.count > 0) {
        tfp_cost first = w->columns.costs[0];
        laid_out->part = weight(w, row, first);
        laid_out->whole = tfp_row_total(w->view, 0, first);
        laid_out->ink = row_ink(w, row, laid_out->whole);
    }
    w->sink = tfp_page_put(w->page, laid_out);
}

/* A row begins with its name, which takes at least `width` columns. */
static void begin_row(writer *w, tfp_span name, uint32_t level, size_t width)
{
    size_t size;
    if (w->page) { /* once it is known how much room is left */
        w->sink = tfp_page_cells(w->page);
        return;
    }
    tfp_sink_blanks(w->sink, 2 * (size_t)level);
    tfp_sink_escaped(w->sink, name);
    if (width > 0 && (size = tfp_escape(name, NULL, 0)) < width)
        tfp_sink_blanks(w->sink, width - size);
}

static void end_row(writer *w, uint32_t row, uint32_t level, size_t width)
{
    if (w->page)
        put_page_row(
            w, row,
            &(tfp_page_row){ .name = tfp_row_name(&w->view->rows.data[row]),
                             .name_columns = width,
                             .level = level });
    tfp_sink_char(w->sink, '\n');
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
    char *out;
    size_t used = 0;
    if (w->page)
        begin_cell(w);
    out = tfp_sink_room(w->sink, 4 * TFP_FIGURE_SIZE);
    if (!w->first && !w->page)
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
        tfp_span name = tfp_model_text(w->view->model, names[i]);
        if (i > 0)
            put(w, "|");
        if (w->page)
            tfp_page_put_word(w->page, name);
        else
            tfp_sink_escaped(w->sink, name);
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
    begin_row(w, tfp_row_name(&v->rows.data[shown->row]), shown->level, 0);
    put(w, " (");
    w->first = true;
    put_tree_cells(w, shown->row);
    tfp_sink_char(w->sink, ')');
    end_row(w, shown->row, shown->level, 0);
    if (tfp_view_has_values(v))
        tfp_row_put_value(v, shown->row, w->sink);
}

/* ---- Rows of the op view ------------------------------------------------ */

enum {
    OP_NAME_WIDTH = 25,
    OP_SHORT_NAME = 16, /* in a narrow window */
    OP_COST_WIDTH = 30,
    OP_COUNT_WIDTH = 10
};

static void put_right(writer *w, const char *text, size_t size, size_t width)
{
    begin_cell(w);
    if (size < width)
        tfp_sink_blanks(w->sink, width - size);
    put_bytes(w, text, size);
}

/* "1.23ms (100.00%, 12.34%)": what all rows from here on take of the whole,
 * and what this one takes. */
static size_t write_share(const writer *w, uint32_t row, tfp_cost cost,
                          char *text)
{
    const tfp_view *v = w->view;
    int64_t self = tfp_row_self(v, row, cost),
            whole = tfp_row_total(v, 0, cost);
    int64_t total = tfp_row_total(v, row, cost);
    bool is_memory = cost <= TFP_COST_OUTPUT_BYTES;
    size_t used = write_figure(forms[cost].figure, self, text);
    /* Of memory, upstream shows no shares for a row that has none itself. */
    if (is_memory ? self == 0 : total == 0)
        whole = 0;
    used += append(text + used, forms[cost].op_unit);
    used += append(text + used, " (");
    used += tfp_figure_percent(total, whole, text + used);
    used += append(text + used, "%, ");
    used += tfp_figure_percent(self, whole, text + used);
    return used + append(text + used, "%)");
}

static void put_share(writer *w, uint32_t row, size_t column)
{
    char text[4 * TFP_FIGURE_SIZE];
    size_t used = write_share(w, row, w->columns.costs[column], text);
    put_right(w, text, used, w->cost_widths[column]);
}

/* Columns of a row whose cells that can be as long as they like are empty. */
static size_t op_row_columns(const writer *w)
{
    size_t sum = tfp_page_margin(w->page) + w->name_width;
    for (size_t i = 0; i < w->columns.count; i++)
        sum += w->cost_widths[i] + (i > 0 ? 2 : 0);
    if (w->view->select & TFP_SELECT_OCCURRENCE)
        sum += 2 + OP_COUNT_WIDTH;
    return sum;
}

/* A row of several lines reads best when its columns stand below each other. */
static void make_even(writer *w)
{
    size_t widest = 0;
    for (size_t i = 0; i < w->columns.count; i++)
        widest = w->cost_widths[i] > widest ? w->cost_widths[i] : widest;
    for (size_t i = 0; i < w->columns.count; i++)
        w->cost_widths[i] = widest;
}

/* Where upstream's columns are too wide for the window, they get only what
 * they need. */
static void fit_op_columns(writer *w)
{
    const tfp_view *v = w->view;
    char text[4 * TFP_FIGURE_SIZE];
    size_t columns = w->page->style.columns, sum;
    if (columns == 0 || op_row_columns(w) <= columns)
        return;
    memset(w->cost_widths, 0, sizeof(w->cost_widths));
    for (size_t i = 1; i < v->shown_count; i++) {
        for (size_t c = 0; c < w->columns.count; c++) {
            size_t used = write_share(w, v->shown[i].row, w->columns.costs[c],
                                      text);
            if (used > w->cost_widths[c])
                w->cost_widths[c] = used;
        }
    }
    w->cost_widths[0]++; /* a blank behind the name */
    w->name_width = OP_SHORT_NAME;
    sum = op_row_columns(w);
    if (sum > columns) { /* one line is worth more than bars */
        size_t margin = tfp_page_margin(w->page);
        w->page->has_bars &= sum - margin > columns;
        sum -= w->page->has_bars ? 0 : margin;
    }
    if (sum > columns)
        make_even(w);
    else
        w->name_width += columns - sum;
    if (w->name_width > OP_NAME_WIDTH)
        w->name_width = OP_NAME_WIDTH;
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
    if (w->gap)
        put(w, "\n");
    w->gap = false;
    begin_row(w, tfp_row_name(&v->rows.data[row]), 0, w->name_width);
    w->first = true;
    for (size_t i = 0; i < w->columns.count; i++)
        put_share(w, row, i);
    if (select & TFP_SELECT_DEVICE)
        put_devices(w, row, true);
    if (select & TFP_SELECT_OP_TYPES)
        put_types(w, row);
    if (select & TFP_SELECT_OCCURRENCE)
        put_op_occurrence(w, row);
    if (v->hidden)
        put_hidden(w, row);
    end_row(w, row, 0, w->name_width);
    if (select & TFP_SELECT_INPUT_SHAPES)
        put_forms(w, row);
}

/* ---- All of it ---------------------------------------------------------- */

static void write_rows(writer *w)
{
    const tfp_view *v = w->view;
    /* Of no operations at all the op view shows the empty sum, bare. */
    if (v->type->is_chain && v->rows.count == 1)
        put_op_row(w, 0);
    else
        put_legend(w);
    for (size_t i = v->type->is_chain ? 1 : 0;
         i < v->shown_count && !w->sink->failed; i++) {
        if (v->type->is_chain)
            put_op_row(w, v->shown[i].row);
        else
            put_tree_row(w, &v->shown[i]);
    }
}

bool tfp_view_write_text(const tfp_view *v, tfp_sink *sink)
{
    writer w = { .view = v,
                 .sink = sink,
                 .columns = tfp_view_cost_columns(v),
                 .name_width = OP_NAME_WIDTH };
    tfp_style style = tfp_style_of(v->options);
    tfp_page page;
    bool ok;
    tfp_row_facts_init(&w.facts, v);
    /* Runs have a cell of their own, behind the devices and types. */
    if (v->select & TFP_SELECT_OCCURRENCE)
        w.columns.count--;
    for (size_t i = 0; i < w.columns.count; i++)
        w.cost_widths[i] = OP_COST_WIDTH;
    if (!tfp_style_is_plain(&style)) {
        w.page = &page;
        tfp_page_init(&page, &style, sink, v->memory);
        page.has_bars &= w.columns.count > 0;
        if (v->type->is_chain)
            fit_op_columns(&w);
    }
    write_rows(&w);
    ok = !w.facts.failed && !(w.page && page.failed);
    tfp_row_facts_release(&w.facts);
    if (w.page)
        tfp_page_release(&page);
    return ok;
}
