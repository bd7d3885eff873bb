/*
 * info.c - what `tfprof info` says, in the form that was asked for.
 */
#include "output/info/info.h"

void tfp_info_write(const tfp_model *model, const tfp_options *options,
                    tfp_sink *sink)
{
    if (options->format == TFP_FORMAT_JSON)
        tfp_info_write_json(model, sink);
    else
        tfp_info_write_text(model, tfp_style_of(options), sink);
}
