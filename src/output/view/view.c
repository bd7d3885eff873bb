/*
 * view.c - a view's rows in some format: what the formats share.
 */
#include "output/view/view.h"

#include "options/options.h"

tfp_view_columns tfp_view_cost_columns(const tfp_view *v)
{
    return tfp_view_columns_of(v->type, v->select);
}

int tfp_view_write(const tfp_view *v, const tfp_digest *head, tfp_sink *sink,
                   tfprof_error *err)
{
    bool ok = true;
    int status = TFPROF_OK;
    switch (v->options->format) {
    case TFP_FORMAT_JSON: ok = tfp_view_write_json(v, sink); break;
    case TFP_FORMAT_CSV: ok = tfp_view_write_csv(v, sink); break;
    case TFP_FORMAT_TABLE: ok = tfp_view_write_table(v, head, sink); break;
    case TFP_FORMAT_PROTO: status = tfp_view_write_proto(v, sink, err); break;
    default: ok = tfp_view_write_text(v, sink); break;
    }
    if (v->values && v->values->stopped) {
        if (err)
            *err = v->values->why;
        return v->values->status;
    }
    return ok ? status : tfp_fail_nomem(err);
}
