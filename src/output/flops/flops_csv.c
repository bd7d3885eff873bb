/*
 * flops_csv.c - what a model costs, as a table of two columns.
 */
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "output/flops/flops.h"
#include "output/text/columns.h"

static const tfp_list_column metric_columns[] = {
    { "metric", "metric", TFP_CELL_TEXT },
    { "value", "value", TFP_CELL_NUMBER },
};

static void put(tfp_columns *c, const char *metric, bool is_known,
                int64_t value)
{
    tfp_columns_begin_row(c);
    tfp_columns_word(c, metric);
    if (is_known)
        tfp_columns_number(c, value);
    else
        tfp_columns_unknown(c);
    tfp_columns_end_row(c);
}

static void put_metrics(const tfp_flops_answer *a, tfp_columns *c,
                        tfp_flops_scratch *scratch, size_t most)
{
    const tfp_report *r = a->report;
    const tfp_params *p = r->params;
    bool is_known = !tfp_params_is_unknown(p);
    (void)scratch, (void)most;
    put(c, "params", is_known, p->all.elements);
    if (is_known && p->by_trainable[TFP_TRAINABLE_UNKNOWN].count == 0)
        put(c, "trainable_params", true,
            p->by_trainable[TFP_TRAINABLE_YES].elements);
    put(c, "bytes", is_known, p->all.bytes);
    put(c, "float_ops", true, r->work.float_ops);
    put(c, "int_ops", true, r->work.int_ops);
    put(c, "macs", true, r->work.macs);
    put(c, "float_ops_tensorflow", true, r->tensorflow);
    put(c, "dead_float_ops", true, r->dead.float_ops);
    put(c, "compute_nodes", true, r->compute);
    put(c, "counted_nodes", true, r->counted);
}

const tfp_flops_list tfp_flops_metrics = { "summary", metric_columns,
                                           sizeof(metric_columns) /
                                               sizeof(metric_columns[0]),
                                           put_metrics };
