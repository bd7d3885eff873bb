/*
 * rows_arrow.c - the rows of a view as the columns of an Arrow table.
 *
 * Names and order are those of CSV, which lacks `parent` and `end`.
 */
#include "output/view/rows_arrow.h"
#include "model/metrics.h"
#include "output/arrow/arrow.h"
#include "output/view/rows.h"

enum {
    ROW_PARTS = 9, /* name, parent, end, ... */
};
_Static_assert(ROW_PARTS + 2 * TFP_METRICS + TFP_FACTS <= TFP_ARROW_COLUMNS,
               "all columns of a view have room");

static void add_row_parts(tfp_arrow_table *t, const tfp_rows *r)
{
    tfp_arrow_column *name = tfp_arrow_add(t, "", "name", TFP_ARROW_TEXT,
                                           r->name_starts),
                     *parent;
    name->buffers[name->buffer_count++] = r->names.data;
    parent = tfp_arrow_add(t, "", "parent", TFP_ARROW_UINT32, r->parents);
    parent->buffers[0] = r->has_parent;
    parent->null_count = (int64_t)(r->count - r->parents_count);
    tfp_arrow_add(t, "", "end", TFP_ARROW_UINT32, r->ends);
    tfp_arrow_add(t, "", "depth", TFP_ARROW_INT32, r->depths);
    tfp_arrow_add(t, "", "accounted", TFP_ARROW_BIT, r->accounted);
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
    tfp_arrow_column *c = tfp_arrow_add(t, "", name, TFP_ARROW_INT32,
                                        fact->ids);
    c->text_count = fact->count;
    c->texts[1] = fact->starts;
    c->texts[2] = fact->bytes;
}

void tfp_rows_describe(const tfp_rows *r, tfp_arrow_table *t)
{
    const tfp_metric_column *defined = &r->metrics[TFP_METRIC_DEFINED];
    *t = (tfp_arrow_table){ .row_count = r->count,
                            .metadata = tfp_arrow_pair("view", r->type->name) };
    add_row_parts(t, r);
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
        if (r->facts[fact].ids)
            add_fact(t, &r->facts[fact], tfp_fact_names[fact]);
    }
}
