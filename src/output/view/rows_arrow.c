/*
 * rows_arrow.c - the rows of a view as the columns of an Arrow table.
 *
 * Names and order are those of CSV, which lacks `parent` and `end`.
 */
#include "output/view/rows_arrow.h"

#include <stdio.h>

#include "model/metrics.h"
#include "options/labels.h"
#include "output/arrow/arrow.h"
#include "output/view/rows.h"

enum {
    ROW_PARTS = 9, /* name, parent, end, ... */
};
_Static_assert(ROW_PARTS + 2 * TFP_METRICS + TFP_FACTS + TFP_MOST_LABELS <=
                   TFP_ARROW_COLUMNS,
               "all columns of a view have room");

/* The position of a row among all rows. */
static void add_places(tfp_arrow_table *t, const tfp_rows *r)
{
    tfp_arrow_column *parent = tfp_arrow_add(t, "", "parent", TFP_ARROW_UINT32,
                                             r->parents);
    parent->is_optional = true;
    parent->buffers[0] = r->has_parent;
    parent->null_count = (int64_t)(r->count - r->parents_count);
    tfp_arrow_add(t, "", "end", TFP_ARROW_UINT32, r->ends);
}

static void add_row_parts(tfp_arrow_table *t, const tfp_rows *r, bool is_whole)
{
    tfp_arrow_column *name = tfp_arrow_add(t, "", "name", TFP_ARROW_TEXT,
                                           r->name_starts);
    name->buffers[name->buffer_count++] = r->names.data;
    if (is_whole)
        add_places(t, r);
    tfp_arrow_add(t, "", "depth", TFP_ARROW_INT32, r->depths);
    tfp_arrow_add(t, "", "accounted", TFP_ARROW_BIT, r->accounted);
    if (is_whole || r->type->groups)
        tfp_arrow_add(t, "", "nodes", TFP_ARROW_INT64, r->nodes);
    if (r->rest)
        tfp_arrow_add(t, "", "rest", TFP_ARROW_INT64, r->rest);
}

static void add_metric(tfp_arrow_table *t, const tfp_metric_column *m,
                       const char *name, const char *unit)
{
    bool exact = m->self_micros;
    const char *format = exact ? TFP_ARROW_DOUBLE : TFP_ARROW_INT64;
    tfp_arrow_metadata metadata = tfp_arrow_pair("unit", unit);
    tfp_arrow_add(t, "", name, format,
                  exact ? (const void *)m->self_micros : m->self)
        ->metadata = metadata;
    tfp_arrow_add(t, "total_", name, format,
                  exact ? (const void *)m->total_micros : m->total)
        ->metadata = metadata;
}

static void add_fact(tfp_arrow_table *t, const tfp_fact_column *fact,
                     const char *name)
{
    tfp_arrow_column *c;
    if (!fact->ids) {
        c = tfp_arrow_add(t, "", name, TFP_ARROW_TEXT, fact->starts);
        c->buffers[c->buffer_count++] = fact->bytes;
        return;
    }
    c = tfp_arrow_add(t, "", name, TFP_ARROW_INT32, fact->ids);
    c->text_count = fact->count;
    c->texts[1] = fact->starts;
    c->texts[2] = fact->bytes;
}

static void describe(const tfp_rows *r, tfp_arrow_table *t, bool is_whole)
{
    const tfp_metric_column *defined = &r->metrics[TFP_METRIC_DEFINED];
    *t = (tfp_arrow_table){ .row_count = r->count,
                            .metadata = tfp_arrow_pair("view", r->type->name) };
    add_row_parts(t, r, is_whole);
    for (size_t i = 0; i < r->costs.count; i++) {
        tfp_cost cost = r->costs.costs[i];
        add_metric(t, &r->metrics[cost], tfp_metrics[cost].name,
                   tfp_unit_name(tfp_metrics[cost].unit));
    }
    if (defined->self)
        add_metric(t, defined, "defined", "count");
    for (int fact = 0; fact < TFP_FACTS; fact++) {
        if (fact == TFP_FACT_VALUE_DTYPE && r->hidden)
            tfp_arrow_add(t, "", "num_hidden_ops", TFP_ARROW_INT64, r->hidden);
        if (fact == TFP_FACT_FUNCTION && r->lines)
            tfp_arrow_add(t, "", "line", TFP_ARROW_INT64, r->lines);
        if (r->facts[fact].starts)
            add_fact(t, &r->facts[fact], tfp_fact_names[fact]);
    }
}

void tfp_rows_describe(const tfp_rows *r, tfp_arrow_table *t)
{
    describe(r, t, true);
}

void tfp_rows_describe_part(const tfp_rows *r, tfp_arrow_table *t)
{
    describe(r, t, false);
}

/* ---- Labels ------------------------------------------------------------- */

static int check_cost(const tfp_labels *labels, const char *name,
                      tfprof_error *err)
{
    char total[sizeof(((tfp_arrow_column *)NULL)->name)];
    int status = tfp_labels_check_column(labels, name, err);
    snprintf(total, sizeof(total), "total_%s", name);
    return status == TFPROF_OK ? tfp_labels_check_column(labels, total, err)
                               : status;
}

int tfp_rows_check_labels(const tfp_labels *labels, tfprof_error *err)
{
    static const char *const names[] = {
        "name", "parent",         "end",  "depth", "accounted", "nodes", "rest",
        "line", "num_hidden_ops", "self", "total" /* of JSON */
    };
    int status = check_cost(labels, "defined", err);
    for (size_t i = 0;
         status == TFPROF_OK && i < sizeof(names) / sizeof(names[0]); i++)
        status = tfp_labels_check_column(labels, names[i], err);
    for (int cost = 0; status == TFPROF_OK && cost < TFP_COST_COUNT; cost++)
        status = check_cost(labels, tfp_metrics[cost].name, err);
    for (int fact = 0; status == TFPROF_OK && fact < TFP_FACTS; fact++)
        status = tfp_labels_check_column(labels, tfp_fact_names[fact], err);
    return status;
}
