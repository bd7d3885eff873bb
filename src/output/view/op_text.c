/*
 * op_text.c - the rows of the op view as text.
 */
#include "base/width.h"
#include "model/metrics.h"
#include "model/times.h"
#include "options/options.h"
#include "output/view/cells.h"
#include "view/view.h"

/* ---- Columns ------------------------------------------------------------ */

enum { OP_NAME_WIDTH = 25, OP_COST_WIDTH = 30, OP_COUNT_WIDTH = 10 };

static void put_right(tfp_row_writer *w, const char *text, size_t size,
                      size_t width)
{
    tfp_cell_begin(w, ", ");
    if (size < width)
        tfp_sink_blanks(w->sink, width - size);
    tfp_cell_bytes(w, text, size);
}

/* "1.23ms (100.00%, 12.34%)": what all rows from here on take of the whole,
 * and what this one takes. */
static size_t write_share(const tfp_row_writer *w, uint32_t row, tfp_cost cost,
                          char *text)
{
    const tfp_view *v = w->view;
    int64_t self = tfp_row_self(v, row, cost),
            whole = tfp_row_total(v, 0, cost);
    int64_t total = tfp_row_total(v, row, cost);
    bool is_memory = tfp_metrics[cost].unit == TFP_UNIT_BYTES;
    size_t used = tfp_write_figure(w, cost, self, text);
    /* Of memory, upstream shows no shares for a row that has none itself. */
    if (is_memory ? self == 0 : total == 0)
        whole = 0;
    used += tfp_append(text + used, tfp_cost_forms[cost].op_unit);
    used += tfp_append(text + used, " (");
    used += tfp_figure_percent(total, whole, text + used);
    used += tfp_append(text + used, "%, ");
    used += tfp_figure_percent(self, whole, text + used);
    return used + tfp_append(text + used, "%)");
}

static void put_share(tfp_row_writer *w, uint32_t row, size_t column)
{
    char text[4 * TFP_FIGURE_SIZE];
    size_t used = write_share(w, row, w->columns.costs[column], text);
    put_right(w, text, used, w->cost_widths[column]);
}

/* Columns of a row whose cells that can be as long as they like are empty. */
static size_t op_row_columns(const tfp_row_writer *w)
{
    size_t sum = tfp_page_margin(w->page) + w->name_width;
    for (size_t i = 0; i < w->columns.count; i++)
        sum += w->cost_widths[i] + (i > 0 ? 2 : 0);
    if (w->view->select & TFP_SELECT_OCCURRENCE)
        sum += 2 + OP_COUNT_WIDTH;
    return sum;
}

/* A row of several lines reads best when its columns stand below each other. */
static void make_even(tfp_row_writer *w)
{
    size_t widest = 0;
    for (size_t i = 0; i < w->columns.count; i++)
        widest = w->cost_widths[i] > widest ? w->cost_widths[i] : widest;
    for (size_t i = 0; i < w->columns.count; i++)
        w->cost_widths[i] = widest;
}

/* Columns that stay free in the first line of a row of several. */
static size_t columns_left(const tfp_row_writer *w, size_t columns)
{
    size_t taken = tfp_page_margin(w->page) + w->name_width +
                   strlen(","); /* at its end */
    for (size_t i = 0; i < w->columns.count; i++) {
        size_t more = w->cost_widths[i] + (i > 0 ? 2 : 0);
        if (taken + more > columns)
            break;
        taken += more;
    }
    return columns > taken ? columns - taken : 0;
}

/* Where upstream's columns are too wide for the window, they get only what
 * they need. */
static void fit_columns(tfp_row_writer *w)
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
    w->name_width = TFP_SHORTEST_NAME;
    sum = op_row_columns(w);
    if (sum > columns) { /* one line is worth more than bars */
        size_t margin = tfp_page_margin(w->page);
        w->page->has_bars &= sum - margin > columns;
        sum -= w->page->has_bars ? 0 : margin;
    }
    if (sum > columns) {
        make_even(w);
        w->name_width += columns_left(w, columns);
    } else {
        w->name_width += columns - sum;
    }
    if (w->name_width > OP_NAME_WIDTH)
        w->name_width = OP_NAME_WIDTH;
}

void tfp_op_text_init(tfp_row_writer *w)
{
    w->name_width = OP_NAME_WIDTH;
    for (size_t i = 0; i < w->columns.count; i++)
        w->cost_widths[i] = OP_COST_WIDTH;
    if (w->page)
        fit_columns(w);
}

/* ---- Rows --------------------------------------------------------------- */

static void put_op_occurrence(tfp_row_writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    char text[2 * TFP_FIGURE_SIZE];
    size_t used;
    used = tfp_figure_integer(tfp_row_self(v, row, TFP_COST_RUNS), text);
    text[used++] = '|';
    used += tfp_figure_integer(tfp_row_nodes(v, row), text + used);
    put_right(w, text, used, OP_COUNT_WIDTH);
}

/* Columns that it takes at most. */
static size_t tabbed_columns(tfp_span text)
{
    enum { TAB = 8 };
    size_t columns = tfp_text_columns(text);
    for (size_t i = 0; i < text.size; i++)
        columns += text.data[i] == '\t' ? TAB : 0;
    return columns;
}

/* With `gap` where it has tabs, and lines that may end there. */
static void put_tabbed(tfp_row_writer *w, tfp_span text, const char *gap)
{
    const uint8_t *tab;
    while (text.size > 0 && /* of no inputs there is no text at all */
           (tab = memchr(text.data, '\t', text.size)) != NULL) {
        size_t size = (size_t)(tab - text.data);
        tfp_sink_bytes(w->sink, (tfp_span){ text.data, size });
        tfp_cell_text(w, gap);
        tfp_page_break(w->page);
        text = (tfp_span){ tab + 1, text.size - size - 1 };
    }
    tfp_sink_bytes(w->sink, text);
}

/* One line, or where the window is too narrow for its tabs several. */
static void put_form(tfp_row_writer *w, tfp_span inputs, tfp_span costs)
{
    static const char label[] = "input_type: ";
    const tfp_page *page = w->page;
    size_t columns;
    const char *gap;
    tfp_cell_text(w, "\n");
    if (!page) {
        tfp_cell_text(w, label);
        tfp_sink_bytes(w->sink, inputs);
        tfp_sink_bytes(w->sink, costs);
        return;
    }
    columns = tfp_page_margin(page) + strlen(label) + tabbed_columns(inputs) +
              tabbed_columns(costs);
    gap = page->style.columns == 0 || columns <= page->style.columns ? "\t"
                                                                     : " ";
    w->sink = tfp_page_cells(w->page);
    tfp_cell_text(w, label);
    put_tabbed(w, inputs, gap);
    put_tabbed(w, costs, gap);
    w->sink = tfp_page_put_line(w->page, TFP_INK_PLAIN);
}

static void put_forms(tfp_row_writer *w, uint32_t row)
{
    size_t count;
    const tfp_input_form *list = tfp_row_input_forms(&w->facts, row, ",\t",
                                                     &count);
    char text[3 * TFP_FIGURE_SIZE + 64];
    for (size_t i = 0; i < count; i++) {
        size_t used = tfp_append(text, "\t(run*");
        used += tfp_figure_integer(list[i].runs, text + used);
        used += tfp_append(text + used, "|defined*");
        used += tfp_figure_integer(list[i].nodes, text + used);
        used += tfp_append(text + used, ")\texec_time: ");
        used += tfp_figure_time(
            tfp_time_to_micros(list[i].micros, w->time_unit), text + used);
        put_form(w, list[i].text, (tfp_span){ (uint8_t *)text, used });
    }
    if (count > 0)
        tfp_cell_text(w, "\n");
    w->gap = count > 0;
}

void tfp_op_text_put(tfp_row_writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    int64_t select = v->select;
    if (w->gap)
        tfp_cell_text(w, "\n");
    w->gap = false;
    tfp_row_begin(w, tfp_row_name(&v->rows.data[row]), 0, w->name_width);
    w->first = true;
    for (size_t i = 0; i < w->columns.count; i++)
        put_share(w, row, i);
    if (select & TFP_SELECT_DEVICE)
        tfp_cell_devices(w, row, true);
    if (select & TFP_SELECT_OP_TYPES)
        tfp_cell_types(w, row);
    if (select & TFP_SELECT_OCCURRENCE)
        put_op_occurrence(w, row);
    if (v->hidden)
        tfp_cell_hidden(w, row);
    tfp_row_end(w, row, tfp_row_name(&v->rows.data[row]), 0, w->name_width);
    if (select & TFP_SELECT_INPUT_SHAPES)
        put_forms(w, row);
}
