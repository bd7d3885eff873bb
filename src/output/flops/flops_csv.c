/*
 * flops_csv.c - what a model costs, as a table.
 */
#include "flops/params.h"
#include "flops/report.h"
#include "output/flops/flops.h"

static void put(tfp_sink *sink, const char *metric, int64_t value)
{
    tfp_sink_format(sink, "%s,%lld\n", metric, (long long)value);
}

void tfp_flops_write_csv(const tfp_flops_answer *a, tfp_sink *sink)
{
    const tfp_report *r = a->report;
    const tfp_params *p = r->params;
    tfp_sink_text(sink, "metric,value\n");
    if (tfp_params_is_unknown(p)) {
        tfp_sink_text(sink, "params,\nbytes,\n");
    } else {
        put(sink, "params", p->all.elements);
        if (p->by_trainable[TFP_TRAINABLE_UNKNOWN].count == 0)
            put(sink, "trainable_params",
                p->by_trainable[TFP_TRAINABLE_YES].elements);
        put(sink, "bytes", p->all.bytes);
    }
    put(sink, "float_ops", r->work.float_ops);
    put(sink, "int_ops", r->work.int_ops);
    put(sink, "macs", r->work.macs);
    put(sink, "float_ops_tensorflow", r->tensorflow);
    put(sink, "dead_float_ops", r->dead.float_ops);
    put(sink, "compute_nodes", r->compute);
    put(sink, "counted_nodes", r->counted);
}
