/*
 * checkpoint_file.c - one file of a checkpoint into the model.
 */
#include "input/checkpoint/checkpoint_file.h"

#include "model/inputs.h"

#include "base/store.h"

#include "base/intern.h"

#include "input/checkpoint/checkpoint.h"
#include "input/kind/kinds.h"

static tfp_input *this_input(tfp_input_context *context)
{
    return &context->model->inputs.data[context->model->inputs.count - 1];
}

/* All of an input that cannot be read at any place. */
static int hold_all(tfp_reader *reader, tfp_span *bytes, tfprof_error *err)
{
    while (!reader->ended && reader->status == TFPROF_OK)
        (void)tfp_reader_fill(reader, reader->end - reader->at + 1);
    if (reader->status != TFPROF_OK) {
        *err = reader->why;
        return reader->status;
    }
    *bytes = tfp_reader_view(reader);
    return TFPROF_OK;
}

/* What is about to be read is known to be there, so it counts already. */
static int on_read(void *self, uint64_t bytes)
{
    tfp_table_file *file = self;
    tfp_input_context *context = file->context;
    context->bytes_read += (int64_t)bytes;
    *file->counted += (int64_t)bytes;
    tfp_input_set_limit(context);
    return context->progress
               ? context->progress(context->progress_self, file->request->path,
                                   *file->counted, file->stream->size)
               : 0;
}

static int load_table(tfp_table_file *file, tfp_table *table, const char *path,
                      tfprof_error *err)
{
    tfp_input_context *context = file->context;
    tfp_shards *shards = file->request->shards;
    tfp_load load;
    tfp_checkpoint_load c = { .load = &load,
                              .table = table,
                              .max_depth = context->max_depth,
                              .path = path,
                              .checkpoint = shards ? shards->checkpoint
                                                   : TFP_NO_ID };
    int status = tfp_load_init(&load, context->model, 0) ? TFPROF_OK
                                                         : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = tfp_read_checkpoint(&c, err);
    this_input(context)->kind = c.is_v1 ? TFP_FILE_CHECKPOINT_V1
                                        : TFP_FILE_CHECKPOINT;
    if (shards)
        shards->checkpoint = c.checkpoint;
    if (status == TFPROF_OK && !(shards && shards->more_come)) {
        status = tfp_finish_checkpoint(&c, err);
        this_input(context)->partial = status == TFPROF_ERR_MALFORMED;
    }
    tfp_load_release(&load);
    return status;
}

int tfp_read_table_file(tfp_table_file *file, tfprof_error *err)
{
    tfp_input_context *context = file->context;
    bool can_seek = file->stream->store && !file->is_packed;
    tfp_table_settings settings = tfp_input_table_settings(context);
    tfp_table table;
    tfp_span bytes = { 0 };
    int status = can_seek ? TFPROF_OK : hold_all(file->reader, &bytes, err);
    if (status != TFPROF_OK)
        return status;
    settings.on_read = can_seek ? on_read : NULL;
    settings.self = file;
    status = tfp_table_open(&table, context->model->memory,
                            can_seek ? *file->stream->store
                                     : tfp_store_span(&bytes),
                            &settings, err);
    if (status == TFPROF_OK)
        status = load_table(file, &table, can_seek ? file->stream->file : NULL,
                            err);
    tfp_table_close(&table);
    return status;
}

tfp_table_settings tfp_input_table_settings(const tfp_input_context *context)
{
    return (tfp_table_settings){
        .max_block = context->max_block > 0 ? (uint64_t)context->max_block
                                            : TFP_MOST_BLOCK,
        .ignore_checksums = context->ignore_checksums,
    };
}
