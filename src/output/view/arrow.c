/*
 * arrow.c - the rows of a view as the columns of an Arrow table.
 *
 * Names and order are those of CSV, which lacks `parent` and `end`.
 */
#include "output/view/arrow.h"

#include "model/metrics.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Metadata ----------------------------------------------------------- */

static void put(tfp_arrow_metadata *m, const void *bytes, size_t size)
{
    assert(size <= sizeof(m->bytes) - m->size);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static tfp_arrow_metadata pair(const char *key, const char *value)
{
    const char *const texts[] = { key, value };
    tfp_arrow_metadata m = { .size = 0 };
    int32_t number = 1;
    put(&m, &number, sizeof(number));
    for (int i = 0; i < 2; i++) {
        number = (int32_t)strlen(texts[i]);
        put(&m, &number, sizeof(number));
        put(&m, texts[i], (size_t)number);
    }
    return m;
}

/* ---- Columns ------------------------------------------------------------ */

static tfp_arrow_column *add(tfp_arrow_table *t, const char *prefix,
                             const char *name, const char *format,
                             const void *data)
{
    tfp_arrow_column *c = &t->columns[t->count++];
    assert(t->count <= TFP_ARROW_COLUMNS);
    *c = (tfp_arrow_column){ .format = format,
                             .buffers = { NULL, data },
                             .buffer_count = 2 };
    snprintf(c->name, sizeof(c->name), "%s%s", prefix, name);
    return c;
}

static void add_row_parts(tfp_arrow_table *t, const tfp_rows *r)
{
    tfp_arrow_column *name = add(t, "", "name", TFP_ARROW_TEXT, r->name_starts),
                     *parent;
    name->buffers[name->buffer_count++] = r->names.data;
    parent = add(t, "", "parent", TFP_ARROW_UINT32, r->parents);
    parent->buffers[0] = r->has_parent;
    parent->null_count = (int64_t)(r->count - r->parents_count);
    add(t, "", "end", TFP_ARROW_UINT32, r->ends);
    add(t, "", "depth", TFP_ARROW_INT32, r->depths);
    add(t, "", "accounted", TFP_ARROW_BIT, r->accounted);
    add(t, "", "nodes", TFP_ARROW_INT64, r->nodes);
    if (r->rest)
        add(t, "", "rest", TFP_ARROW_INT64, r->rest);
}

static void add_metric(tfp_arrow_table *t, const tfp_metric_column *m,
                       const char *name, const char *unit)
{
    bool exact = m->self_micros;
    const char *format = exact ? TFP_ARROW_DOUBLE : TFP_ARROW_INT64;
    tfp_arrow_metadata metadata = pair("unit", unit);
    add(t, "", name, format, exact ? (const void *)m->self_micros : m->self)
        ->metadata = metadata;
    add(t, "total_", name, format,
        exact ? (const void *)m->total_micros : m->total)
        ->metadata = metadata;
}

static void add_fact(tfp_arrow_table *t, const tfp_fact_column *fact,
                     const char *name)
{
    tfp_arrow_column *c = add(t, "", name, TFP_ARROW_INT32, fact->ids);
    c->text_count = fact->count;
    c->texts[1] = fact->starts;
    c->texts[2] = fact->bytes;
}

void tfp_arrow_describe(const tfp_rows *r, tfp_arrow_table *t)
{
    const tfp_metric_column *defined = &r->metrics[TFP_METRIC_DEFINED];
    *t = (tfp_arrow_table){ .row_count = r->count,
                            .metadata = pair("view", r->type->name) };
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
            add(t, "", "num_hidden_ops", TFP_ARROW_INT64, r->hidden);
        if (fact == TFP_FACT_FUNCTION && r->lines)
            add(t, "", "line", TFP_ARROW_INT64, r->lines);
        if (r->facts[fact].ids)
            add_fact(t, &r->facts[fact], tfp_fact_names[fact]);
    }
}
