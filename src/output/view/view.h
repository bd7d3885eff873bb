/*
 * view.h - a view's rows as text, a table, JSON, CSV or a message of
 * TensorFlow.
 */
#ifndef TFP_OUTPUT_VIEW_H
#define TFP_OUTPUT_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/sink/sink.h"
#include "sheet/digest.h"
#include "view/columns.h"
#include "view/view.h"

/* The costs that an answer has as columns, in their order. */
tfp_view_columns tfp_view_cost_columns(const tfp_view *view);

/* Writes the answer in the format that the options ask for. Whether it could
 * be written, the sink knows. `head` is for tables. */
int tfp_view_write(const tfp_view *view, const tfp_digest *head, tfp_sink *sink,
                   tfprof_error *err);

/* The formats. False when out of memory. */
bool tfp_view_write_text(const tfp_view *view, tfp_sink *sink);
bool tfp_view_write_table(const tfp_view *view, const tfp_digest *head,
                          tfp_sink *sink);
bool tfp_view_write_json(const tfp_view *view, tfp_sink *sink);
bool tfp_view_write_csv(const tfp_view *view, tfp_sink *sink);

/* Writes a Parquet file with the columns of CSV. Allocates from `memory`. */
int tfp_view_write_parquet(const tfp_view *view, tfp_memory *memory,
                           tfp_sink *sink, tfprof_error *err);

/* The message needs all costs, whatever is selected (tfp_view_costs()).
 * TFPROF_ERR_LIMIT when it would be too long; nothing is written then. */
int tfp_view_write_proto(const tfp_view *view, tfp_sink *sink,
                         tfprof_error *err);

#endif
