/*
 * rows.c - chooses the rows of a view that a page shows if not all of them fit.
 *
 * The rows with the largest totals are kept. A row whose parent is not kept is
 * left out too; it has a larger total than its parent only if a cost is
 * negative. The totals of the rows above still include the rows that are left
 * out.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/metrics.h"
#include "options/options.h"
#include "output/page/html.h"
#include "view/view.h"

static uint64_t key_of(const tfp_view *v, size_t at)
{
    tfp_cost main = (tfp_cost)(v->order - TFP_ORDER_COSTS);
    uint32_t row = v->shown[at].row;
    return tfp_sort_key_falling(v->type->is_chain && at > 0
                                    ? tfp_row_self(v, row, main)
                                    : tfp_row_total(v, row, main));
}

/* Marks the most expensive rows: `marks` has a bit for each shown row. False
 * when canceled. */
static bool mark(const tfp_view *v, tfp_sort_item *items, size_t most,
                 uint8_t *marks)
{
    size_t count = v->shown_count;
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ key_of(v, i), (uint32_t)i };
    items[0].key = 0; /* the root stays */
    if (!tfp_sort_until(items, count, items + count, NULL, NULL, v->cancel))
        return false;
    for (size_t i = 0; i < count && i < most; i++)
        marks[items[i].index / 8] |= (uint8_t)(1u << items[i].index % 8);
    return true;
}

/* Keeps the marked rows. Rows are in depth-first order, so the rows below a row
 * follow it. */
static void keep(tfp_html_rows *rows, const uint8_t *marks)
{
    const tfp_view *v = rows->view;
    uint32_t gone = UINT32_MAX; /* level of the last row that was left out */
    for (size_t i = 0; i < v->shown_count; i++) {
        tfp_shown shown = v->shown[i];
        if (!v->type->is_chain && shown.level > gone)
            continue;
        gone = UINT32_MAX;
        if (marks[i / 8] >> i % 8 & 1)
            rows->kept[rows->count++] = shown;
        else if (!v->type->is_chain)
            gone = shown.level;
    }
}

int tfp_html_rows_init(tfp_html_rows *rows, const tfp_view *v, size_t most,
                       tfprof_error *err)
{
    size_t count = v->shown_count;
    tfp_sort_item *items;
    uint8_t *marks;
    int status = TFPROF_OK;
    *rows = (tfp_html_rows){ .view = v, .shown = v->shown, .count = count };
    if (count <= most || most == 0)
        return TFPROF_OK;
    items = tfp_memory_array(v->memory, 2 * count, sizeof(*items));
    marks = tfp_memory_zarray(v->memory, count / 8 + 1, 1);
    rows->kept = tfp_memory_array(v->memory, most, sizeof(*rows->kept));
    rows->shown = rows->kept;
    rows->count = 0;
    if (!items || !marks || !rows->kept)
        status = tfp_fail_nomem(err);
    else if (!mark(v, items, most, marks))
        status = tfp_fail_cancelled(err);
    else
        keep(rows, marks);
    tfp_memory_free(v->memory, items);
    tfp_memory_free(v->memory, marks);
    return status;
}

void tfp_html_rows_release(tfp_html_rows *rows)
{
    if (rows->view)
        tfp_memory_free(rows->view->memory, rows->kept);
    *rows = (tfp_html_rows){ 0 };
}
