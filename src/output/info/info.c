/*
 * info.c - what `tfprof info` says, in the form that was asked for.
 */
#include "output/info/info.h"

bool tfp_info_write(const tfp_model *model, const tfp_options *options,
                    tfp_sink *sink)
{
    tfp_coverage coverage;
    bool ok = tfp_coverage_init(&coverage, model);
    if (options->format == TFP_FORMAT_JSON)
        tfp_info_write_json(&coverage, sink);
    else
        tfp_info_write_text(&coverage, tfp_style_of(options), sink);
    tfp_coverage_release(&coverage);
    return ok;
}
