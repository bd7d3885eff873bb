/*
 * checkpoint_file.h - one file of a checkpoint into the model.
 */
#ifndef TFP_INPUT_CHECKPOINT_FILE_H
#define TFP_INPUT_CHECKPOINT_FILE_H

#include "base/reader.h"
#include "input/kind/input.h"
#include "input/table/table.h"

typedef struct tfp_table_file {
    tfp_input_context *context;
    const tfp_input_request *request;
    const tfp_input_stream *stream;
    tfp_reader *reader; /* over the stream, from its beginning */
    bool is_packed;     /* by gzip, so that only the reader can read it */
    int64_t *counted;   /* bytes of the input that were read */
} tfp_table_file;

/* Reads the table. A file is read where it needs to be; what comes through a
 * pipe, from memory or out of gzip is held as a whole. When single tensors are
 * at fault the rest is kept: the entry of the input is then marked partial. */
int tfp_read_table_file(tfp_table_file *file, tfprof_error *err);

/* How tables are opened; on_read is not set. */
tfp_table_settings tfp_input_table_settings(const tfp_input_context *context);

#endif
