/*
 * cells.c - what the text of all views is made of.
 */
#include "output/view/cells.h"

#include "view/view.h"

#include "model/model.h"

#include "model/metrics.h"
#include "model/times.h"

#include "model/ids.h"

#include "base/intern.h"

#include "base/escape.h"

/* By unit. */
#define FIGURE_BYTES  tfp_figure_memory
#define FIGURE_MICROS tfp_figure_time
#define FIGURE_COUNT  tfp_figure_number
#define LARGE_BYTES   tfp_figure_bytes
#define LARGE_MICROS  tfp_figure_micros
#define LARGE_COUNT   tfp_figure_count

#define FORM(id, word, name, field, unit, whole, traits, legend, suffix,       \
             op_suffix, ...)                                                   \
    [TFP_COST_##                                                               \
        id] = { legend, FIGURE_##unit, LARGE_##unit, suffix, op_suffix },
const tfp_cost_form tfp_cost_forms[TFP_COST_COUNT] = { TFP_ALL_METRICS(FORM) };
#undef FORM

/* ---- A row's name, and what its share makes of it ----------------------- */

/* The cost by which a row is compared with the whole: its total. In the op view
 * the total includes all rows that follow, so the row's own cost is used. */
static int64_t weight(const tfp_row_writer *w, uint32_t row, tfp_cost cost)
{
    return w->view->type->is_chain ? tfp_row_self(w->view, row, cost)
                                   : tfp_row_total(w->view, row, cost);
}

static bool costs_nothing(const tfp_row_writer *w, uint32_t row)
{
    for (size_t i = 0; i < w->columns.count; i++) {
        if (weight(w, row, w->columns.costs[i]) != 0)
            return false;
    }
    return w->columns.count > 0;
}

/* Bold: the row's own cost is at least a tenth of the whole. The row for the
 * rest of the siblings is never bold, since it is the sum of many nodes. */
static tfp_ink row_ink(const tfp_row_writer *w, uint32_t row, int64_t whole)
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

static void put_page_row(tfp_row_writer *w, uint32_t row,
                         tfp_page_row *laid_out)
{
    if (w->columns.count > 0) {
        tfp_cost first = w->columns.costs[0];
        laid_out->part = weight(w, row, first);
        laid_out->whole = tfp_row_total(w->view, 0, first);
        laid_out->ink = row_ink(w, row, laid_out->whole);
    }
    w->sink = tfp_page_put(w->page, laid_out);
}

void tfp_row_begin(tfp_row_writer *w, tfp_span name, uint32_t level,
                   size_t width)
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

void tfp_row_end(tfp_row_writer *w, uint32_t row, tfp_span name, uint32_t level,
                 size_t width)
{
    if (w->page)
        put_page_row(w, row,
                     &(tfp_page_row){
                         .name = name, .name_columns = width, .level = level });
    tfp_sink_char(w->sink, '\n');
}

/* ---- Cells -------------------------------------------------------------- */

void tfp_cell_text(tfp_row_writer *w, const char *text)
{
    tfp_sink_text(w->sink, text);
}

void tfp_cell_bytes(tfp_row_writer *w, const char *text, size_t size)
{
    tfp_sink_bytes(w->sink, (tfp_span){ (const uint8_t *)text, size });
}

void tfp_cell_begin(tfp_row_writer *w, const char *divider)
{
    if (!w->first)
        tfp_cell_text(w, divider);
    if (w->page)
        tfp_page_break(w->page);
    w->first = false;
}

/* Times are rounded here, and nowhere before. */
size_t tfp_write_figure(const tfp_row_writer *w, tfp_cost cost, int64_t value,
                        char *out)
{
    const tfp_cost_form *form = &tfp_cost_forms[cost];
    tfp_figure_fn *figure = w->is_table ? form->large : form->figure;
    int64_t whole = tfp_cost_to_whole(cost, value, w->time_unit);
    if (value != INT64_MAX)
        return figure(whole, out);
    memcpy(out, ">=", 2);
    return 2 + figure(whole, out + 2);
}

size_t tfp_write_pair(const tfp_row_writer *w, uint32_t row, tfp_cost cost,
                      int64_t self, int64_t total, char *out)
{
    size_t used = 2;
    if (w->view->flags[row] & TFP_ROW_ACCOUNTED)
        used = tfp_write_figure(w, cost, self, out);
    else
        memcpy(out, "--", 2);
    out[used++] = '/';
    return used + tfp_write_figure(w, cost, total, out + used);
}

size_t tfp_append(char *out, const char *text)
{
    size_t size = strlen(text);
    memcpy(out, text, size);
    return size;
}

/* Most of an answer is made of these, so they are written in place. */
void tfp_cell_cost(tfp_row_writer *w, uint32_t row, tfp_cost cost)
{
    const tfp_cost_form *form = &tfp_cost_forms[cost];
    char *out;
    size_t used = 0;
    if (w->page)
        tfp_cell_begin(w, ", ");
    out = tfp_sink_room(w->sink, 4 * TFP_FIGURE_SIZE);
    if (!w->first && !w->page)
        used = tfp_append(out, ", ");
    w->first = false;
    used += tfp_write_pair(w, row, cost, tfp_row_self(w->view, row, cost),
                           tfp_row_total(w->view, row, cost), out + used);
    used += tfp_append(out + used, form->unit);
    tfp_sink_took(w->sink, used);
}

static void put_names(tfp_row_writer *w, const tfp_string *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tfp_span name = tfp_model_text(w->view->model, names[i]);
        if (i > 0)
            tfp_cell_text(w, "|");
        if (w->page)
            tfp_page_put_word(w->page, name);
        else
            tfp_sink_escaped(w->sink, name);
    }
}

void tfp_cell_devices(tfp_row_writer *w, uint32_t row, bool also_none)
{
    size_t count;
    const tfp_string *devices = tfp_row_devices(&w->facts, row, &count);
    if (count == 0 && (!also_none || tfp_row_rest(w->view, row) > 0))
        return;
    tfp_cell_begin(w, ", ");
    put_names(w, devices, count);
}

void tfp_cell_types(tfp_row_writer *w, uint32_t row)
{
    const tfp_view *v = w->view;
    size_t count;
    const tfp_string *types;
    if (tfp_row_rest(v, row) > 0)
        return;
    tfp_cell_begin(w, ", ");
    if (v->rows.data[row].subject == TFP_NO_ID && v->type->row_type) {
        tfp_cell_text(w, v->type->row_type);
        return;
    }
    types = tfp_row_types(&w->facts, row, &count);
    put_names(w, types, count);
}

void tfp_cell_hidden(tfp_row_writer *w, uint32_t row)
{
    char digits[TFP_FIGURE_SIZE];
    tfp_cell_begin(w, ", ");
    tfp_cell_bytes(w, digits, tfp_figure_integer(w->view->hidden[row], digits));
    tfp_cell_text(w, " hidden");
}
