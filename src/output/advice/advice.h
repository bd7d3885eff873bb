/*
 * advice.h - findings as text, a table, JSON or a message of TensorFlow.
 */
#ifndef TFP_OUTPUT_ADVICE_H
#define TFP_OUTPUT_ADVICE_H

#include "advise/advise.h"
#include "base/error.h"
#include "options/options.h"
#include "output/sink/sink.h"
#include "output/text/style.h"

/* As upstream prints it, by the name of the checker; below each line, indented,
 * where to look and what to try. */
int tfp_advice_write_text(const tfp_advice *advice, const tfp_style *style,
                          tfp_sink *sink, tfprof_error *err);

/* Brief advice (tfp_advise_briefly()) in the columns that the options ask for.
 */
int tfp_advice_write_table(const tfp_advice *advice, const tfp_options *options,
                           tfp_sink *sink, tfprof_error *err);

/* The same findings with their figures (docs/advise.md). */
int tfp_advice_write_json(const tfp_advice *advice, tfp_sink *sink,
                          tfprof_error *err);

/* The lines alone, as an AdviceProto. */
int tfp_advice_write_proto(const tfp_advice *advice, tfp_sink *sink,
                           tfprof_error *err);

#endif
